//! Walks through all photos that have files: those that are there, then those that were deleted and can be restored, then those
//! of guests that wait.

use domain::PhotoId;
use domain::photos::{MediaKey, Photo};
use storage::Db;

use crate::Result;

/// How far a walk is.
#[derive(Default)]
pub(crate) struct Walk {
    after: Option<PhotoId>,
    stage: Stage,
}

#[derive(Default)]
enum Stage {
    #[default]
    Photos,
    Trash,
    OfGuests,
}

impl Walk {
    /// The next photos, at most `limit`; none at the end.
    pub(crate) async fn next(&mut self, db: &Db, limit: i64) -> Result<Vec<Photo>> {
        loop {
            let page = match self.stage {
                Stage::Photos => storage::photos::page(db, self.after, limit).await?,
                Stage::Trash => storage::photos::trash::all(db, self.after, limit).await?,
                Stage::OfGuests => {
                    let waiting = storage::guests::guest_photos::page(db, self.after, limit).await?;
                    waiting.into_iter().map(|added| added.photo).collect()
                }
            };
            if let Some(last) = page.last() {
                self.after = Some(last.id);
                return Ok(page);
            }
            self.stage = match self.stage {
                Stage::Photos => Stage::Trash,
                Stage::Trash => Stage::OfGuests,
                Stage::OfGuests => return Ok(page),
            };
            self.after = None;
        }
    }
}

/// Whether a photo that a walk met, in a snapshot perhaps, still has the original `key`: it was not replaced, let in, or deleted
/// for good meanwhile.
pub(crate) async fn has_original(db: &Db, id: PhotoId, key: &MediaKey) -> Result<bool> {
    Ok(storage::photos::media_key(db, id).await?.as_ref() == Some(key)
        || storage::photos::trash::by_id(db, id).await?.is_some()
        || !storage::guests::guest_photos::waiting_of(db, &[id]).await?.is_empty())
}
