//! Where photos are looked at, and how well they stand for their events: computed from their faces whenever these change.

use std::collections::HashMap;

use domain::PhotoId;
use domain::events::covers::{Seen, rank};
use domain::faces::BoundingBox;
use domain::photos::focus::Focus;

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::executor::Executor as _;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{Statement, execute};
use crate::{Result, Tx};

/// Computes both anew, for photos that the transaction has locked.
pub(crate) async fn update(tx: &mut Tx, photos: &[PhotoId]) -> Result<()> {
    let select = "SELECT photos.id AS photo, photos.width AS photo_width, photos.height AS photo_height, x, y, faces.width AS width,
                      faces.height AS height, score, blurred
                  FROM photos LEFT JOIN faces ON faces.photo_id = photos.id WHERE photos.id IN ";
    for (photo, Summary { focus, rank }) in summaries(tx, select, photos).await? {
        let (x, y) = focus.unzip();
        execute!(
            &mut *tx,
            "UPDATE photos SET focus_x = $2, focus_y = $3, cover_rank = $4 WHERE id = $1",
            photo,
            x,
            y,
            rank,
        )?;
    }
    Ok(())
}

/// The same for deleted photos, which the transaction has locked.
pub(super) async fn update_trashed(tx: &mut Tx, photos: &[PhotoId]) -> Result<()> {
    let select = "SELECT photos.id AS photo, photos.width AS photo_width, photos.height AS photo_height, x, y, faces.width AS width,
                      faces.height AS height, score, blurred
                  FROM trashed_photos AS photos LEFT JOIN trashed_faces AS faces ON faces.photo_id = photos.id WHERE photos.id IN ";
    for (photo, Summary { focus, rank }) in summaries(tx, select, photos).await? {
        let (x, y) = focus.unzip();
        execute!(
            &mut *tx,
            "UPDATE trashed_photos SET focus_x = $2, focus_y = $3, cover_rank = $4 WHERE id = $1",
            photo,
            x,
            y,
            rank,
        )?;
    }
    Ok(())
}

/// What of a photo's faces is stored with it.
struct Summary {
    focus: Option<(i64, i64)>,
    rank: i64,
}

/// A photo with one of its faces, or without any.
struct Seeing {
    photo: PhotoId,
    size: (i64, i64),
    face: Option<Seen>,
}

row! {
    pub(crate) struct SeeingRow {
        photo: String,
        photo_width: i64,
        photo_height: i64,
        x: Option<f64>,
        y: Option<f64>,
        width: Option<f64>,
        height: Option<f64>,
        score: Option<f64>,
        blurred: Option<bool>,
    }
}

impl FromColumns for Seeing {
    type Columns = SeeingRow;

    fn from_columns(row: SeeingRow) -> Result<Self> {
        let face = match (row.x, row.y, row.width, row.height, row.score) {
            (Some(x), Some(y), Some(width), Some(height), Some(score)) => {
                let bounds = BoundingBox { x, y, width, height };
                Some(Seen { bounds, score, is_blurred: row.blurred })
            }
            _ => None,
        };
        Ok(Self {
            photo: decode::id(&row.photo, "photos.id")?,
            size: (row.photo_width, row.photo_height),
            face,
        })
    }
}

async fn summaries(tx: &mut Tx, select: &'static str, photos: &[PhotoId]) -> Result<Vec<(PhotoId, Summary)>> {
    let mut statement = Statement::built(select);
    statement.push_list(photos);
    let mut found: HashMap<PhotoId, ((i64, i64), Vec<Seen>)> = HashMap::new();
    for Seeing { photo, size, face } in statement.fetch_all::<Seeing>(tx.writer()).await? {
        found.entry(photo).or_insert((size, Vec::new())).1.extend(face);
    }
    let summary = |(photo, ((width, height), faces)): (PhotoId, ((i64, i64), Vec<Seen>))| {
        let bounds: Vec<BoundingBox> = faces.iter().map(|face| face.bounds).collect();
        let focus = Focus::of(&bounds).map(Focus::thousandths);
        (photo, Summary { focus, rank: rank(&faces, width, height) })
    };
    Ok(found.into_iter().map(summary).collect())
}
