//! Logins by which cameras send the photos of an event over FTP.

use domain::accounts::User;
use domain::accounts::tokens::TokenHash;
use domain::{EventId, Timestamp, UserId};

use crate::accounts::users::{UserRow, columns};
use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_optional};
use crate::{Executor, Result, Tx};

/// A login as its owner is shown it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FtpLogin {
    /// Its name.
    pub name: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it expires; none when it is good until it is replaced or taken away.
    pub expires_at: Option<Timestamp>,
    /// When its last use was recorded.
    pub last_used_at: Option<Timestamp>,
}

row! {
    pub(crate) struct FtpLoginRow {
        name: String,
        created_at: i64,
        expires_at: Option<i64>,
        last_used_at: Option<i64>,
    }
}

impl FromColumns for FtpLogin {
    type Columns = FtpLoginRow;

    fn from_columns(row: FtpLoginRow) -> Result<Self> {
        Ok(Self {
            name: row.name,
            created_at: Timestamp::from_millis(row.created_at),
            expires_at: decode::time(row.expires_at),
            last_used_at: decode::time(row.last_used_at),
        })
    }
}

/// A login that was presented, with the owner of its event.
#[derive(Clone, Debug)]
pub struct PresentedFtpLogin {
    /// Whose event it is, locked or not.
    pub owner: User,
    /// The event.
    pub event: EventId,
    /// Who has made it; none when an earlier version did.
    pub maker: Option<UserId>,
    /// The hash of its password.
    pub hash: TokenHash,
    /// When it expires; none when it does not.
    pub expires_at: Option<Timestamp>,
    /// When its last use was recorded.
    pub last_used_at: Option<Timestamp>,
}

row! {
    pub(crate) struct PresentedRow {
        ..user: UserRow,
        login_event_id: String,
        login_made_by: Option<String>,
        login_hash: Vec<u8>,
        login_expires_at: Option<i64>,
        login_used_at: Option<i64>,
    }
}

impl FromColumns for PresentedFtpLogin {
    type Columns = PresentedRow;

    fn from_columns(row: PresentedRow) -> Result<Self> {
        Ok(Self {
            owner: User::from_columns(row.user)?,
            event: decode::id(&row.login_event_id, "ftp_logins.event_id")?,
            maker: decode::optional_id(row.login_made_by.as_deref(), "ftp_logins.made_by")?,
            hash: decode::hash(&row.login_hash, "ftp_logins.hash")?,
            expires_at: decode::time(row.login_expires_at),
            last_used_at: decode::time(row.login_used_at),
        })
    }
}

/// Gives an event a login in the place of the one that it has.
pub async fn replace(
    tx: &mut Tx,
    event: EventId,
    maker: UserId,
    name: &str,
    hash: &TokenHash,
    now: Timestamp,
    expires_at: Option<Timestamp>,
) -> Result<()> {
    execute!(
        tx,
        "INSERT INTO ftp_logins (event_id, name, hash, created_at, expires_at, made_by)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (event_id) DO UPDATE SET name = excluded.name, hash = excluded.hash,
             created_at = excluded.created_at, expires_at = excluded.expires_at, made_by = excluded.made_by,
             last_used_at = NULL",
        event,
        name,
        hash,
        now,
        expires_at,
        maker,
    )?;
    Ok(())
}

/// The login of an event; none where it has none.
pub async fn of_event(db: &dyn Executor, event: EventId) -> Result<Option<FtpLogin>> {
    fetch_optional!(
        db,
        FtpLogin,
        "SELECT name, created_at, expires_at, last_used_at FROM ftp_logins WHERE event_id = $1",
        event,
    )
}

row! {
    pub(crate) struct OwnRow {
        ..login: FtpLoginRow,
        event_id: String,
    }
}

impl FromColumns for (EventId, FtpLogin) {
    type Columns = OwnRow;

    fn from_columns(row: OwnRow) -> Result<Self> {
        Ok((decode::id(&row.event_id, "ftp_logins.event_id")?, FtpLogin::from_columns(row.login)?))
    }
}

/// The logins of all events of an account, with their events.
pub async fn of_owner(db: &dyn Executor, owner: UserId) -> Result<Vec<(EventId, FtpLogin)>> {
    fetch_all!(
        db,
        (EventId, FtpLogin),
        "SELECT ftp_logins.name, ftp_logins.created_at, ftp_logins.expires_at, ftp_logins.last_used_at, event_id
         FROM events JOIN ftp_logins ON event_id = events.id WHERE owner_id = $1",
        owner,
    )
}

/// The login of this name, unless the account of its event is closed.
pub async fn find(db: &dyn Executor, name: &str) -> Result<Option<PresentedFtpLogin>> {
    fetch_optional!(
        db,
        PresentedFtpLogin,
        concat!(
            "SELECT login_event_id, login_made_by, login_hash, login_expires_at, login_used_at, ",
            columns!(),
            " FROM (SELECT ftp_logins.event_id AS login_event_id, ftp_logins.made_by AS login_made_by,
                 ftp_logins.hash AS login_hash,
                 ftp_logins.expires_at AS login_expires_at, ftp_logins.last_used_at AS login_used_at, events.owner_id AS login_owner_id
                 FROM ftp_logins JOIN events ON events.id = ftp_logins.event_id
                 WHERE ftp_logins.name = $1) AS presented
             JOIN users ON users.id = presented.login_owner_id WHERE users.closed_at IS NULL"
        ),
        name,
    )
}

/// Records a use of an event's login, unless one was recorded after `before`.
pub async fn record_use(tx: &mut Tx, event: EventId, now: Timestamp, before: Timestamp) -> Result<()> {
    execute!(
        tx,
        "UPDATE ftp_logins SET last_used_at = $2
         WHERE event_id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)",
        event,
        now,
        before,
    )?;
    Ok(())
}

/// Deletes the login of an event; false when it has none.
pub async fn delete(tx: &mut Tx, event: EventId) -> Result<bool> {
    Ok(execute!(tx, "DELETE FROM ftp_logins WHERE event_id = $1", event)? == 1)
}

/// Deletes the login of an event that somebody who manages it no more has made; false when it has none. Who has made one of an
/// earlier version is not known: it may have been them.
pub async fn delete_of_manager(tx: &mut Tx, event: EventId, maker: UserId) -> Result<bool> {
    let deleted = execute!(
        tx,
        "DELETE FROM ftp_logins WHERE event_id = $1 AND (made_by = $2 OR made_by IS NULL)",
        event,
        maker,
    )?;
    Ok(deleted == 1)
}

/// Deletes the logins of all events of an account, and those that it has made for others' events, and answers their number.
pub async fn delete_all(tx: &mut Tx, account: UserId) -> Result<u64> {
    let own = execute!(
        tx,
        "DELETE FROM ftp_logins WHERE event_id IN (SELECT id FROM events WHERE owner_id = $1)",
        account,
    )?;
    Ok(own + execute!(tx, "DELETE FROM ftp_logins WHERE made_by = $1", account)?)
}
