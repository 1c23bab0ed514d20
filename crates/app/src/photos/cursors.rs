//! The marks of pages of photos: the id of the last photo, and, in an order that ids do not tell, where it stood. With its
//! place a page follows even when that photo is deleted meanwhile.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::photos::captures::{Place, Sort};
use domain::{PhotoId, Refusal, UserId};
use storage::photos::Order;

use crate::{App, Result};

/// Behind which photo a page begins.
#[derive(Default)]
pub(crate) struct Begin {
    id: Option<PhotoId>,
    place: Option<Place>,
}

impl Begin {
    pub(crate) const fn order(&self, sort: Sort) -> Order<'_> {
        match sort {
            Sort::Uploaded => Order::Uploaded(self.id),
            Sort::Captured => Order::Captured(self.place.as_ref()),
            Sort::Name => Order::Name(self.place.as_ref()),
            Sort::Hearts => Order::Hearts(self.place.as_ref()),
            Sort::Sharpness => Order::Sharpness(self.place.as_ref()),
        }
    }
}

/// What a mark says. Any photo's id is one, as long as the owner has the photo.
///
/// # Errors
/// [`Refusal::CursorInvalid`].
pub(crate) async fn resolve(app: &App, owner: UserId, sort: Sort, cursor: Option<&str>) -> Result<Begin> {
    let Some(cursor) = cursor else { return Ok(Begin::default()) };
    let (id, key) = cursor.split_once('.').map_or((cursor, None), |(id, key)| (id, Some(key)));
    let id: PhotoId = id.parse().map_err(|_| Refusal::CursorInvalid)?;
    let place = match (sort, key) {
        (Sort::Uploaded, None) => None,
        (Sort::Captured, Some(key)) => {
            let captured_at = key.parse().map_err(|_| Refusal::CursorInvalid)?;
            Some(Place { captured_at, ..Place::of(id) })
        }
        (Sort::Name, Some(key)) => {
            let name_key = URL_SAFE_NO_PAD.decode(key).ok().and_then(|key| String::from_utf8(key).ok());
            // PostgreSQL takes no text with a zero.
            let name_key = name_key.filter(|key| !key.contains('\0')).ok_or(Refusal::CursorInvalid)?;
            Some(Place { name_key, ..Place::of(id) })
        }
        (Sort::Hearts, Some(key)) => {
            Some(Place { hearts: key.parse().map_err(|_| Refusal::CursorInvalid)?, ..Place::of(id) })
        }
        (Sort::Sharpness, Some(key)) => {
            Some(Place { sharpness: key.parse().map_err(|_| Refusal::CursorInvalid)?, ..Place::of(id) })
        }
        (Sort::Captured | Sort::Name | Sort::Hearts | Sort::Sharpness, None) => {
            let place = storage::photos::place(&app.db, owner, id).await?;
            Some(place.ok_or(Refusal::CursorInvalid)?)
        }
        (Sort::Uploaded, Some(_)) => return Err(Refusal::CursorInvalid.into()),
    };
    Ok(Begin { id: Some(id), place })
}

/// The mark of the page after a photo.
pub(crate) async fn after(app: &App, owner: UserId, sort: Sort, last: PhotoId) -> Result<String> {
    if sort == Sort::Uploaded {
        return Ok(last.to_string());
    }
    // Not computed from the photo: one that is not described yet stands elsewhere.
    let place = storage::photos::place(&app.db, owner, last).await?;
    Ok(match (sort, place) {
        (Sort::Captured, Some(place)) => format!("{last}.{}", place.captured_at),
        (Sort::Hearts, Some(place)) => format!("{last}.{}", place.hearts),
        (Sort::Sharpness, Some(place)) => format!("{last}.{}", place.sharpness),
        (Sort::Name, Some(place)) => format!("{last}.{}", URL_SAFE_NO_PAD.encode(place.name_key)),
        // Deleted since the page was read; the next page cannot begin behind it.
        _ => last.to_string(),
    })
}
