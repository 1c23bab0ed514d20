//! Which photos of a collection a call is about.

use domain::{PhotoId, Refusal};

use crate::Result;

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
