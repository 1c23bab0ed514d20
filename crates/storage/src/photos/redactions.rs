//! What is overwritten in originals before guests get them.

use domain::PhotoId;
use domain::photos::MediaKey;
use domain::photos::redactions::{RULES, Redaction, decode, encode};

use crate::operations::runtime::decode as columns;
use crate::operations::runtime::executor::Source;
use crate::operations::runtime::statements::{LIST_LIMIT, Statement, execute, fetch_all};
use crate::{Db, Executor, Result};

/// Sets the redaction of an original; false when its photo is deleted, or has another by now.
pub async fn put(db: &dyn Executor, original: &MediaKey, redaction: &Redaction) -> Result<bool> {
    macro_rules! put {
        ($lock:literal) => {
            concat!(
                "INSERT INTO redactions (photo_id, rules, crc32, patches)
                 SELECT id, $2, $3, $4 FROM photos WHERE media_key = $1",
                $lock,
                " ON CONFLICT (photo_id) DO UPDATE SET
                     rules = excluded.rules, crc32 = excluded.crc32, patches = excluded.patches"
            )
        };
    }
    let statement = match db.writer() {
        Source::Sqlite(_) => put!(""),
        // Without the lock it would wait for a replacement's redaction, and then overwrite it.
        Source::Postgres(_) => put!(" FOR SHARE"),
    };
    let (crc32, patches) = (i64::from(redaction.crc32), encode(&redaction.patches));
    let stored = execute!(db, statement, original, RULES, crc32, patches)?;
    Ok(stored == 1)
}

/// The redactions of those photos that have one by the present rules, in no order, each with the original that it is of.
pub async fn by_photos(db: &Db, photos: &[PhotoId]) -> Result<Vec<(MediaKey, Redaction)>> {
    let mut redactions = Vec::with_capacity(photos.len());
    for photos in photos.chunks(LIST_LIMIT) {
        // A replacement changes both in one transaction.
        let mut statement = Statement::built(
            "SELECT (SELECT media_key FROM photos WHERE photos.id = redactions.photo_id), crc32, patches
             FROM redactions WHERE rules = ",
        );
        statement.push_bind(RULES).push(" AND photo_id IN ");
        statement.push_list(photos);
        let rows: Vec<(String, i64, Vec<u8>)> = statement.fetch_rows(db.reader()).await?;
        for (original, crc32, patches) in rows {
            let crc32 = columns::known(u32::try_from(crc32).ok(), "redactions.crc32")?;
            let patches = columns::known(decode(&patches), "redactions.patches")?;
            redactions.push((MediaKey::from_trusted(original), Redaction { patches, crc32 }));
        }
    }
    Ok(redactions)
}

/// Photos of events without a redaction by the present rules, the newest first, from the one before `before`.
pub async fn missing(db: &dyn Executor, before: Option<PhotoId>, limit: i64) -> Result<Vec<PhotoId>> {
    // Behind every id.
    let before = before.map_or_else(|| String::from("g"), |photo| photo.to_string());
    // Not `NOT EXISTS`, which PostgreSQL turns into a join that reads the whole table of redactions.
    fetch_all!(
        db,
        PhotoId,
        "SELECT id FROM photos
         WHERE event_id IS NOT NULL AND id < $1
             AND (SELECT 1 FROM redactions WHERE photo_id = photos.id AND rules = $2) IS NULL
         ORDER BY id DESC LIMIT $3",
        before,
        RULES,
        limit,
    )
}
