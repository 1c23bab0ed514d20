//! Hearts that guests put on photos (decision 0054). Which ones a guest has is known to their device alone.

use domain::Refusal;

use crate::events::access::{self, Visitor};
use crate::photos::handles;
use crate::{App, Result, statistics};

/// Counts a heart that a guest has put on a photo of an event, or has taken from it.
///
/// # Errors
/// [`Refusal::EventNotFound`], [`Refusal::EventPinRequired`]; [`Refusal::PhotoNotFound`] when the handle is none of ours or
/// has expired, or the photo is deleted, hidden or of another event.
pub async fn count(app: &App, visitor: &Visitor, slug: &str, handle: &str, on: bool) -> Result<()> {
    let event = access::by_slug(app, visitor, slug).await?;
    let photo = handles::photo(app, handle).ok_or(Refusal::PhotoNotFound)?;
    if !storage::guests::hearts::count_heart(&app.db, event.id, photo, on).await? {
        return Err(Refusal::PhotoNotFound.into());
    }
    if on {
        statistics::count_heart(app, &event);
    }
    Ok(())
}
