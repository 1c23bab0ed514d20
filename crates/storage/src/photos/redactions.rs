//! What is overwritten in originals before guests get them.

use domain::PhotoId;
use domain::photos::MediaKey;
use domain::photos::redactions::{RULES, Redaction, decode, encode};

use crate::operations::runtime::decode::{self as columns, FromColumns};
use crate::operations::runtime::executor::Source;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{LIST_LIMIT, Statement, execute, fetch_all, fetch_optional};
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

row! {
    pub(crate) struct RedactionRow {
        crc32: i64,
        patches: Vec<u8>,
    }
}

impl FromColumns for Redaction {
    type Columns = RedactionRow;

    fn from_columns(row: RedactionRow) -> Result<Self> {
        let patches = columns::known(decode(&row.patches), "redactions.patches")?;
        Ok(Self { patches, crc32: crc32(row.crc32)? })
    }
}

fn crc32(stored: i64) -> Result<u32> {
    columns::known(u32::try_from(stored).ok(), "redactions.crc32")
}

/// The redaction of an original by the present rules; none when its photo is deleted, or has another original by now.
pub async fn by_original(db: &dyn Executor, original: &MediaKey) -> Result<Option<Redaction>> {
    fetch_optional!(
        db,
        Redaction,
        // A replacement changes both in one transaction.
        "SELECT crc32, patches FROM redactions
         WHERE rules = $2 AND photo_id = (SELECT id FROM photos WHERE media_key = $1)",
        original,
        RULES,
    )
}

/// The checksums of what guests get of those photos that have a redaction by the present rules, in no order, each with the
/// original that it is of.
pub async fn checksums(db: &Db, photos: &[PhotoId]) -> Result<Vec<(MediaKey, u32)>> {
    let mut checksums = Vec::with_capacity(photos.len());
    for photos in photos.chunks(LIST_LIMIT) {
        let mut statement = Statement::built(
            "SELECT (SELECT media_key FROM photos WHERE photos.id = redactions.photo_id), crc32
             FROM redactions WHERE rules = ",
        );
        statement.push_bind(RULES).push(" AND photo_id IN ");
        statement.push_list(photos);
        let rows: Vec<(String, i64)> = statement.fetch_rows(db.reader()).await?;
        for (original, stored) in rows {
            checksums.push((MediaKey::from_trusted(original), crc32(stored)?));
        }
    }
    Ok(checksums)
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
