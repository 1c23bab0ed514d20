//! The names of files as they are compared, for photos of versions that compared them otherwise.

use domain::PhotoId;
use domain::operations::runtime::texts::folded;
use domain::photos::captures::name_key;
use domain::photos::versions::stem_key;

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::statements::{execute, fetch_all};
use crate::{Executor, Result, Tx};

/// A photo and the name of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The photo.
    pub photo: PhotoId,
    /// The name as it is spelled.
    pub name: String,
}

impl FromColumns for Named {
    type Columns = (String, String);

    fn from_columns((photo, name): (String, String)) -> Result<Self> {
        Ok(Self { photo: decode::id(&photo, "photos.id")?, name })
    }
}

/// Photos whose names are not compared as they are now, at most so many.
pub async fn unfolded(db: &dyn Executor, limit: i64) -> Result<Vec<Named>> {
    fetch_all!(
        db,
        Named,
        "SELECT id, original_filename FROM photos WHERE name_stem IS NULL ORDER BY id LIMIT $1",
        limit,
    )
}

/// Folds their names, with and without their endings, and sorts them accordingly. One that was renamed meanwhile has its folded name already.
pub async fn fold(tx: &mut Tx, photos: &[Named]) -> Result<()> {
    for Named { photo, name } in photos {
        execute!(
            &mut *tx,
            "UPDATE photos SET name_fold = $2, name_key = $3, name_stem = $4 WHERE id = $1 AND name_stem IS NULL",
            *photo,
            folded(name),
            name_key(name),
            stem_key(name),
        )?;
    }
    Ok(())
}
