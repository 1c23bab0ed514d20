//! Accounts as administrators see them.

use domain::accounts::User;
use domain::{Timestamp, UserId};

use crate::accounts::users::{UserRow, columns};
use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::dialect::for_update;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{Statement, execute, fetch_all, fetch_optional};
use crate::{Executor, Result, Tx};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT ",
            columns!(),
            ", lock_reason, last_login_at, library_photos, library_bytes FROM users ",
            $rest
        )
    };
}

/// An open account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The account.
    pub user: User,
    /// Why it was locked.
    pub lock_reason: Option<String>,
    /// When somebody last logged in to it, as far as that is known.
    pub last_login_at: Option<Timestamp>,
    /// How many photos it has that belong to no event.
    pub library_photos: i64,
    /// The bytes of their originals.
    pub library_bytes: i64,
}

row! {
    pub(crate) struct AccountRow {
        ..user: UserRow,
        lock_reason: Option<String>,
        last_login_at: Option<i64>,
        library_photos: i64,
        library_bytes: i64,
    }
}

impl FromColumns for Account {
    type Columns = AccountRow;

    fn from_columns(row: AccountRow) -> Result<Self> {
        Ok(Self {
            user: User::from_columns(row.user)?,
            lock_reason: row.lock_reason,
            last_login_at: decode::time(row.last_login_at),
            library_photos: row.library_photos,
            library_bytes: row.library_bytes,
        })
    }
}

/// What all events of an account have together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventSums {
    /// How many events there are.
    pub events: i64,
    /// How many photos are in them.
    pub photos: i64,
    /// The bytes of the originals.
    pub bytes: i64,
}

row! {
    pub(crate) struct SumsRow {
        owner_id: String,
        events: i64,
        photos: i64,
        bytes: i64,
    }
}

impl FromColumns for (UserId, EventSums) {
    type Columns = SumsRow;

    fn from_columns(row: SumsRow) -> Result<Self> {
        let SumsRow { owner_id, events, photos, bytes } = row;
        Ok((decode::id(&owner_id, "events.owner_id")?, EventSums { events, photos, bytes }))
    }
}

/// Greater than every id.
pub(super) const AFTER_ALL: &str = "~";

/// The open accounts that were made before the one of this id, newest first.
pub async fn accounts(db: &dyn Executor, before: Option<UserId>, limit: i64) -> Result<Vec<Account>> {
    fetch_all!(
        db,
        Account,
        select!("WHERE closed_at IS NULL AND users.id < $1 ORDER BY users.id DESC LIMIT $2"),
        before.map_or_else(|| String::from(AFTER_ALL), |before| before.to_string()),
        limit,
    )
}

/// An open account.
pub async fn account(db: &dyn Executor, id: UserId) -> Result<Option<Account>> {
    fetch_optional!(db, Account, select!("WHERE users.id = $1 AND closed_at IS NULL"), id)
}

/// What the events of these accounts have; accounts without events are left out.
pub async fn event_sums(db: &dyn Executor, owners: &[UserId]) -> Result<Vec<(UserId, EventSums)>> {
    if owners.is_empty() {
        return Ok(Vec::new());
    }
    let mut statement = Statement::built(
        "SELECT owner_id, COUNT(*) AS events, CAST(SUM(photos_stored) AS BIGINT) AS photos,
             CAST(SUM(bytes_stored) AS BIGINT) AS bytes
         FROM events WHERE deleted_at IS NULL AND owner_id IN ",
    );
    statement.push_list(owners);
    statement.push(" GROUP BY owner_id");
    statement.fetch_all(db.reader()).await
}

/// The administrators who can log in. Until the transaction ends, nobody else locks one of them.
pub async fn administrators(tx: &mut Tx) -> Result<Vec<UserId>> {
    let statement = for_update!(
        tx.engine(),
        "SELECT id FROM users WHERE is_admin AND closed_at IS NULL AND locked_at IS NULL ORDER BY id"
    );
    fetch_all!(tx, UserId, statement,)
}

/// Locks an account, or gives a locked one another reason; false when there is no such open account. Its sessions are the
/// caller's to end.
pub async fn lock_account(tx: &mut Tx, id: UserId, reason: &str, now: Timestamp) -> Result<bool> {
    let updated = execute!(
        tx,
        "UPDATE users SET locked_at = COALESCE(locked_at, $3), lock_reason = $2 WHERE id = $1 AND closed_at IS NULL",
        id,
        reason,
        now,
    )?;
    Ok(updated == 1)
}

/// Unlocks an account; false when there is no such open account.
pub async fn unlock_account(tx: &mut Tx, id: UserId) -> Result<bool> {
    let updated = execute!(
        tx,
        "UPDATE users SET locked_at = NULL, lock_reason = NULL WHERE id = $1 AND closed_at IS NULL",
        id,
    )?;
    Ok(updated == 1)
}
