//! Searches that guests' devices hold, so that photos come without another selfie: for a few hours whatever the guest does, and for as
//! long as the event lives where the guest has agreed to that. What a device holds is encrypted with a key of the event, and nothing
//! of it is stored here.

use domain::accounts::User;
use domain::events::Event;
use domain::guests::kept_searches::check_notice_version;
use domain::team::Right;
use domain::{EventId, Refusal};

use crate::events::access::Visitor;
use crate::faces::sealing::{Key, Purpose};
use crate::faces::templates::{Search, Template};
use crate::guests::archives;
use crate::team::rights;
use crate::{App, Result};

/// The token by which a search is repeated for as long as its results can be opened again; none for a closed event.
pub(crate) async fn search_token(app: &App, event: &Event, template: &Template) -> Result<Option<String>> {
    let Some(key) = Key::of_open(app, event.id, Purpose::Searches).await? else { return Ok(None) };
    Search::new(app, event.id, archives::LIFETIME, None, template.clone()).seal(app, &key).map(Some)
}

/// Answers what the guest's device keeps of a search: it brings the photos back until the event ends or its photographer revokes what
/// all devices keep.
///
/// # Errors
/// [`Refusal::ConsentRequired`], [`Refusal::EventNotFound`], [`Refusal::EventPinRequired`], or [`Refusal::SearchTokenExpired`].
pub async fn keep(
    app: &App,
    visitor: &Visitor,
    slug: &str,
    token: &str,
    notice_version: &str,
) -> Result<String> {
    check_notice_version(notice_version)?;
    let event = crate::events::access::by_slug(app, visitor, slug).await?;
    let key = Key::of(app, event.id, Purpose::Searches).await?.ok_or(Refusal::SearchTokenExpired)?;
    let template = Template::of_device(app, &key, event.id, token).ok_or(Refusal::SearchTokenExpired)?;
    template.seal_for_device(app, &key, event.id)
}

/// Makes what all devices hold of searches of an event useless.
///
/// # Errors
/// [`Refusal::EventNotFound`], [`Refusal::EventBeingDeleted`] or [`Refusal::ManagersOnly`].
pub async fn revoke(app: &App, caller: &User, event: EventId) -> Result<()> {
    rights::open_event(app, caller, event, Right::Manage).await?;
    let mut tx = app.begin().await?;
    if storage::guests::kept_searches::delete_key(&mut tx, event).await? {
        tracing::info!(%event, "what devices hold of searches was revoked");
    }
    tx.commit().await
}
