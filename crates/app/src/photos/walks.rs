//! Walks through all photos that have files: those that are there, then those that were deleted and can be restored.

use domain::PhotoId;
use domain::photos::Photo;
use storage::Db;

use crate::Result;

/// How far a walk is.
#[derive(Default)]
pub(crate) struct Walk {
    after: Option<PhotoId>,
    is_in_trash: bool,
}

impl Walk {
    /// The next photos, at most `limit`; none at the end.
    pub(crate) async fn next(&mut self, db: &Db, limit: i64) -> Result<Vec<Photo>> {
        if !self.is_in_trash {
            let page = storage::photos::page(db, self.after, limit).await?;
            self.after = page.last().map(|photo| photo.id);
            if !page.is_empty() {
                return Ok(page);
            }
            self.is_in_trash = true;
        }
        let page = storage::photos::trash::all(db, self.after, limit).await?;
        self.after = page.last().map(|photo| photo.id).or(self.after);
        Ok(page)
    }
}
