//! Where photos are looked at: computed from the places of their faces whenever these change.

use std::collections::HashMap;

use domain::PhotoId;
use domain::faces::BoundingBox;
use domain::photos::focus::Focus;

use super::lock_many;
use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::encode::cursor;
use crate::operations::runtime::statements::{LIST_LIMIT, Statement, execute, fetch_all};
use crate::{Executor, Result, Tx};

/// Photos with faces of which a version before has not stored where they are looked at, from the one after `after`.
pub async fn unfocused(db: &dyn Executor, after: Option<PhotoId>, limit: i64) -> Result<Vec<PhotoId>> {
    fetch_all!(
        db,
        PhotoId,
        "SELECT id FROM photos WHERE faces > 0 AND focus_x IS NULL AND id > $1 ORDER BY id LIMIT $2",
        cursor(after),
        limit,
    )
}

/// Computes anew where these photos are looked at.
pub async fn refocus(tx: &mut Tx, photos: &[PhotoId]) -> Result<()> {
    for photos in photos.chunks(LIST_LIMIT) {
        // Nobody indexes or replaces one of them between the two statements.
        lock_many(tx, photos).await?;
        let mut places =
            places(tx, "SELECT photo_id, x, y, width, height FROM faces WHERE photo_id IN ", photos).await?;
        for photo in photos {
            let (x, y) = columns(&places.remove(photo).unwrap_or_default());
            execute!(&mut *tx, "UPDATE photos SET focus_x = $2, focus_y = $3 WHERE id = $1", *photo, x, y)?;
        }
    }
    Ok(())
}

/// The same for deleted photos, which the transaction has locked.
pub(super) async fn refocus_trashed(tx: &mut Tx, photos: &[PhotoId]) -> Result<()> {
    for photos in photos.chunks(LIST_LIMIT) {
        let mut places =
            places(tx, "SELECT photo_id, x, y, width, height FROM trashed_faces WHERE photo_id IN ", photos)
                .await?;
        for photo in photos {
            let (x, y) = columns(&places.remove(photo).unwrap_or_default());
            execute!(
                &mut *tx,
                "UPDATE trashed_photos SET focus_x = $2, focus_y = $3 WHERE id = $1",
                *photo,
                x,
                y
            )?;
        }
    }
    Ok(())
}

/// The values of both columns for a photo with these faces.
pub(super) fn columns(faces: &[BoundingBox]) -> (Option<i64>, Option<i64>) {
    Focus::of(faces).map(Focus::thousandths).unzip()
}

struct Place {
    photo: PhotoId,
    bounds: BoundingBox,
}

impl FromColumns for Place {
    type Columns = (String, f64, f64, f64, f64);

    fn from_columns((photo, x, y, width, height): (String, f64, f64, f64, f64)) -> Result<Self> {
        Ok(Self { photo: decode::id(&photo, "faces.photo_id")?, bounds: BoundingBox { x, y, width, height } })
    }
}

async fn places(
    tx: &mut Tx,
    select: &'static str,
    photos: &[PhotoId],
) -> Result<HashMap<PhotoId, Vec<BoundingBox>>> {
    let mut statement = Statement::built(select);
    statement.push_list(photos);
    let mut places: HashMap<PhotoId, Vec<BoundingBox>> = HashMap::new();
    for Place { photo, bounds } in statement.fetch_all::<Place>(tx.writer()).await? {
        places.entry(photo).or_default().push(bounds);
    }
    Ok(places)
}
