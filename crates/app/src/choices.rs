//! Which photos of a collection a call is about.

use domain::accounts::User;
use domain::{EventId, PhotoId, Refusal};
use storage::photos::Collection;

use crate::{App, Result, events};

/// Most photos that one call may name.
pub const CHOICE_MAX: usize = 10_000;

/// Which photos of an event, or of the library, are meant.
pub enum Chosen {
    /// These; those that are not there are left out.
    Photos(Vec<PhotoId>),
    /// All of them.
    All,
}

impl Chosen {
    /// From the fields of a call.
    ///
    /// # Errors
    /// [`Refusal::PhotosToChoose`] or [`Refusal::TooManyPhotosChosen`].
    pub fn parse(photos: Option<&[String]>, all: bool) -> Result<Self> {
        match photos {
            None if all => Ok(Self::All),
            Some(photos) if !all && photos.len() <= CHOICE_MAX => {
                // What is no id is no photo's.
                Ok(Self::Photos(photos.iter().filter_map(|id| id.parse().ok()).collect()))
            }
            Some(_) if !all => Err(Refusal::TooManyPhotosChosen.into()),
            _ => Err(Refusal::PhotosToChoose.into()),
        }
    }
}

/// A photographer's own event, or their library.
///
/// # Errors
/// [`Refusal::EventNotFound`].
pub(crate) async fn own_collection(app: &App, owner: &User, event: Option<EventId>) -> Result<Collection> {
    Ok(match event {
        Some(event) => Collection::Event(events::own_by_id(app, owner, event).await?.id),
        None => Collection::Library(owner.id),
    })
}
