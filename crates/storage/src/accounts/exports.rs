//! Exports of accounts that may be fetched, by the hash of a token.

use domain::accounts::tokens::TokenHash;
use domain::{PhotoId, Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::dialect::for_update;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_optional};
use crate::{Executor, Result, Tx};

/// All that an account had at one moment.
#[derive(Clone, PartialEq, Eq)]
pub struct Export {
    /// Whose.
    pub user: UserId,
    /// What there is beside the photos.
    pub data: Vec<u8>,
    /// The photos, each with its name in the ZIP, in which there is no line break. They may be deleted by now.
    pub files: Vec<(PhotoId, String)>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When its link expires.
    pub expires_at: Timestamp,
}

row! {
    pub(crate) struct ExportRow {
        user_id: String,
        data: Vec<u8>,
        files: String,
        created_at: i64,
        expires_at: i64,
    }
}

impl FromColumns for Export {
    type Columns = ExportRow;

    fn from_columns(row: ExportRow) -> Result<Self> {
        let files = row.files.lines().map(|line| {
            let (id, name) = decode::known(line.split_once(' '), "exports.files")?;
            Ok((decode::id(id, "exports.files")?, name.to_owned()))
        });
        Ok(Self {
            user: decode::id(&row.user_id, "exports.user_id")?,
            files: files.collect::<Result<_>>()?,
            data: row.data,
            created_at: Timestamp::from_millis(row.created_at),
            expires_at: Timestamp::from_millis(row.expires_at),
        })
    }
}

/// Puts an export in the place of the account's last one, for as long as `session` is not ended; false, and nothing has
/// changed, when the account has no such session.
pub async fn replace(tx: &mut Tx, hash: &TokenHash, session: &TokenHash, export: &Export) -> Result<bool> {
    let statement = for_update!(tx.engine(), "SELECT hash FROM sessions WHERE hash = $1 AND user_id = $2");
    if fetch_optional!(&mut *tx, Vec<u8>, statement, session, export.user)?.is_none() {
        return Ok(false);
    }
    let mut files = String::new();
    for (photo, name) in &export.files {
        files.push_str(&format!("{photo} {name}\n"));
    }
    execute!(
        tx,
        "INSERT INTO exports (hash, user_id, session_hash, data, files, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, session_hash = excluded.session_hash,
             data = excluded.data, files = excluded.files, created_at = excluded.created_at,
             expires_at = excluded.expires_at",
        hash,
        export.user,
        session,
        export.data,
        files,
        export.created_at,
        export.expires_at,
    )?;
    Ok(true)
}

/// What a token stands for, unless it has expired, or the session that asked for it has ended or was not used since
/// `used_since`.
pub async fn find(
    db: &dyn Executor,
    hash: &TokenHash,
    now: Timestamp,
    used_since: Timestamp,
) -> Result<Option<Export>> {
    fetch_optional!(
        db,
        Export,
        "SELECT exports.user_id, data, files, exports.created_at, exports.expires_at
         FROM exports JOIN sessions ON sessions.hash = exports.session_hash
         WHERE exports.hash = $1 AND exports.expires_at > $2
             AND sessions.expires_at > $2 AND sessions.last_used_at > $3 AND password_changed_at IS NULL",
        hash,
        now,
        used_since,
    )
}

/// Deletes those that have expired by `now`, and answers their number.
pub async fn delete_expired(tx: &mut Tx, now: Timestamp) -> Result<u64> {
    execute!(tx, "DELETE FROM exports WHERE expires_at <= $1", now)
}
