//! What is being removed for good, and the receipts of that.

use domain::accounts::EmailAddress;
use domain::accounts::deletion_receipts::{DestroyedKey, Removed, Subject};
use domain::{DeletionReceiptId, EventId, Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::dialect::for_update;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{
    LIST_LIMIT, Statement, execute, fetch_all, fetch_one, fetch_optional,
};
use crate::{Db, Executor, Result, Tx};

/// A deletion that has begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deletion {
    /// Its id.
    pub id: DeletionReceiptId,
    /// Whose data it is.
    pub owner: UserId,
    /// What is removed.
    pub subject: Subject,
    /// The id of the event or the account; of photos that of their event, and the day on which they were due.
    pub subject_id: String,
    /// Where the receipt of an account is mailed; none once it is.
    pub email: Option<EmailAddress>,
    /// When it began.
    pub begun_at: Timestamp,
    /// When nothing was left.
    pub completed_at: Option<Timestamp>,
    /// What was removed so far.
    pub removed: Removed,
    /// Fingerprints of the keys that went.
    pub keys: Vec<DestroyedKey>,
    /// The signed receipt.
    pub document: Option<String>,
}

row! {
    pub(crate) struct DeletionRow {
        id: String,
        owner_id: String,
        subject: String,
        subject_id: String,
        email: Option<String>,
        begun_at: i64,
        completed_at: Option<i64>,
        photos: i64,
        faces: i64,
        bytes: i64,
        subscriptions: i64,
        requests: i64,
        keys: String,
        document: Option<String>,
    }
}

impl FromColumns for Deletion {
    type Columns = DeletionRow;

    fn from_columns(row: DeletionRow) -> Result<Self> {
        Ok(Self {
            id: decode::id(&row.id, "deletion_receipts.id")?,
            owner: decode::id(&row.owner_id, "deletion_receipts.owner_id")?,
            subject: decode::known(Subject::parse(&row.subject), "deletion_receipts.subject")?,
            subject_id: row.subject_id,
            email: row.email.map(EmailAddress::from_trusted),
            begun_at: Timestamp::from_millis(row.begun_at),
            completed_at: decode::time(row.completed_at),
            removed: Removed {
                photos: row.photos,
                faces: row.faces,
                bytes: row.bytes,
                subscriptions: row.subscriptions,
                requests: row.requests,
            },
            keys: decode::known(serde_json::from_str(&row.keys).ok(), "deletion_receipts.keys")?,
            document: row.document,
        })
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, owner_id, subject, subject_id, email, begun_at, completed_at, photos, faces, bytes, subscriptions, requests,
                 keys, document FROM deletion_receipts ",
            $rest
        )
    };
}

struct Keys {
    subscriptions: Option<Vec<u8>>,
    requests: Option<Vec<u8>>,
    searches: Option<Vec<u8>>,
}

row! {
    pub(crate) struct KeysRow {
        subscription_key: Option<Vec<u8>>,
        objection_key: Option<Vec<u8>>,
        search_key: Option<Vec<u8>>,
    }
}

impl FromColumns for Keys {
    type Columns = KeysRow;

    fn from_columns(row: KeysRow) -> Result<Self> {
        Ok(Self {
            subscriptions: row.subscription_key,
            requests: row.objection_key,
            searches: row.search_key,
        })
    }
}

/// What guests have left in an event, which goes with it, and the keys with which it is encrypted. It locks the event.
pub async fn left_by_guests(tx: &mut Tx, event: EventId) -> Result<(Removed, Vec<DestroyedKey>)> {
    let statement = for_update!(
        tx.engine(),
        "SELECT subscription_key, objection_key, search_key FROM events WHERE id = $1"
    );
    let keys = fetch_one!(&mut *tx, Keys, statement, event)?;
    let destroyed =
        [("subscriptions", keys.subscriptions), ("requests", keys.requests), ("searches", keys.searches)];
    let destroyed = destroyed.into_iter().filter_map(|(purpose, key)| Some(DestroyedKey::of(purpose, &key?)));
    let subscriptions =
        fetch_one!(&mut *tx, i64, "SELECT COUNT(*) FROM subscriptions WHERE event_id = $1", event)?;
    let requests = fetch_one!(
        tx,
        i64,
        "SELECT COUNT(*) FROM objections WHERE event_id = $1 AND provisional_for IS NULL",
        event,
    )?;
    Ok((Removed { subscriptions, requests, ..Removed::default() }, destroyed.collect()))
}

/// Inserts a deletion, unless one of the same event or account has begun.
pub async fn begin(tx: &mut Tx, deletion: &Deletion) -> Result<()> {
    let keys = decode::known(serde_json::to_string(&deletion.keys).ok(), "deletion_receipts.keys")?;
    execute!(
        tx,
        "INSERT INTO deletion_receipts (id, owner_id, subject, subject_id, email, begun_at, subscriptions, requests, keys)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (subject_id) DO NOTHING",
        deletion.id,
        deletion.owner,
        deletion.subject.as_str(),
        deletion.subject_id,
        deletion.email,
        deletion.begun_at,
        deletion.removed.subscriptions,
        deletion.removed.requests,
        keys,
    )?;
    Ok(())
}

/// Adds what was removed to the deletion of an event or of an account, where one has begun and is not complete.
pub async fn count(tx: &mut Tx, subject_id: &str, removed: &Removed) -> Result<()> {
    execute!(
        tx,
        "UPDATE deletion_receipts SET photos = photos + $2, faces = faces + $3, bytes = bytes + $4
         WHERE subject_id = $1 AND completed_at IS NULL",
        subject_id,
        removed.photos,
        removed.faces,
        removed.bytes,
    )?;
    Ok(())
}

/// Adds what guests had left, and the keys of that, to a deletion that is not complete.
pub async fn count_left_by_guests(
    tx: &mut Tx,
    subject_id: &str,
    removed: &Removed,
    keys: &[DestroyedKey],
) -> Result<()> {
    let statement = for_update!(tx.engine(), select!("WHERE subject_id = $1 AND completed_at IS NULL"));
    let Some(mut deletion) = fetch_optional!(&mut *tx, Deletion, statement, subject_id)? else {
        return Ok(());
    };
    deletion.keys.extend_from_slice(keys);
    let keys = decode::known(serde_json::to_string(&deletion.keys).ok(), "deletion_receipts.keys")?;
    execute!(
        tx,
        "UPDATE deletion_receipts SET subscriptions = subscriptions + $2, requests = requests + $3, keys = $4 WHERE id = $1",
        deletion.id,
        removed.subscriptions,
        removed.requests,
        keys,
    )?;
    Ok(())
}

/// Those of events and accounts, by their ids, whose deletion has begun and is not complete, in no order.
pub async fn open_among(db: &Db, subject_ids: &[String]) -> Result<Vec<String>> {
    let mut open = Vec::new();
    for ids in subject_ids.chunks(LIST_LIMIT) {
        let mut statement = Statement::built(
            "SELECT subject_id FROM deletion_receipts WHERE completed_at IS NULL AND subject_id IN ",
        );
        statement.push_list(ids);
        open.extend(statement.fetch_all::<String>(db.reader()).await?);
    }
    Ok(open)
}

/// Whose deletions have begun and are not complete: those that a process did not end are among them.
pub async fn owners_of_open(db: &dyn Executor) -> Result<Vec<UserId>> {
    let statement =
        "SELECT DISTINCT owner_id FROM deletion_receipts WHERE completed_at IS NULL ORDER BY owner_id";
    fetch_all!(db, UserId, statement)
}

/// The deletion of an account, locked until the transaction ends; none while it is open, and once its receipt is mailed.
pub async fn lock_account(tx: &mut Tx, owner: UserId) -> Result<Option<DeletionReceiptId>> {
    let statement = for_update!(
        tx.engine(),
        "SELECT id FROM deletion_receipts WHERE owner_id = $1 AND subject = 'account'"
    );
    fetch_optional!(tx, DeletionReceiptId, statement, owner)
}

/// Completes the deletions of an owner of whose photos none is left, and answers them.
pub async fn complete(tx: &mut Tx, owner: UserId, now: Timestamp) -> Result<Vec<Deletion>> {
    let ids: Vec<DeletionReceiptId> = fetch_all!(
        &mut *tx,
        DeletionReceiptId,
        "SELECT id FROM deletion_receipts
         WHERE owner_id = $1 AND completed_at IS NULL
             AND NOT EXISTS (SELECT 1 FROM photos WHERE photos.collection = subject_id)
             AND NOT EXISTS (SELECT 1 FROM trashed_photos WHERE trashed_photos.collection = subject_id)
             AND NOT EXISTS (SELECT 1 FROM guest_photos WHERE guest_photos.event_id = subject_id)
             AND (subject = 'account' OR EXISTS (SELECT 1 FROM events
                 WHERE events.id = subject_id AND deleted_at IS NOT NULL AND restorable_until IS NULL)
                 OR (subject = 'photos' AND EXISTS (SELECT 1 FROM events
                     WHERE events.id = substr(subject_id, 1, 36) AND (photos_stored = 0 OR deleted_at IS NOT NULL))))
         ORDER BY id",
        owner,
    )?;
    let mut completed = Vec::new();
    for id in ids {
        let statement =
            "UPDATE deletion_receipts SET completed_at = $2 WHERE id = $1 AND completed_at IS NULL";
        if execute!(&mut *tx, statement, id, now)? == 1 {
            completed.extend(by_id(&mut *tx, id).await?);
        }
    }
    Ok(completed)
}

/// All deletions of an owner, in the order in which they began.
pub async fn of_owner(db: &dyn Executor, owner: UserId) -> Result<Vec<Deletion>> {
    fetch_all!(db, Deletion, select!("WHERE owner_id = $1 ORDER BY id"), owner)
}

/// A deletion.
pub async fn by_id(db: &dyn Executor, id: DeletionReceiptId) -> Result<Option<Deletion>> {
    fetch_optional!(db, Deletion, select!("WHERE id = $1"), id)
}

/// Keeps the signed receipt of a deletion.
pub async fn sign(tx: &mut Tx, id: DeletionReceiptId, document: &str) -> Result<()> {
    execute!(tx, "UPDATE deletion_receipts SET document = $2 WHERE id = $1", id, document)?;
    Ok(())
}

/// Deletes all of a closed account, whose receipt is mailed.
pub async fn forget(db: &dyn Executor, owner: UserId) -> Result<()> {
    execute!(db, "DELETE FROM deletion_receipts WHERE owner_id = $1", owner)?;
    execute!(db, "UPDATE users SET language = 'en' WHERE id = $1", owner)?;
    Ok(())
}

/// How many rows an event, or the library of an account, has still that its deletion removes.
pub async fn count_left(db: &dyn Executor, subject_id: &str) -> Result<i64> {
    fetch_one!(
        db,
        i64,
        "SELECT (SELECT COUNT(*) FROM photos WHERE collection = $1) + (SELECT COUNT(*) FROM trashed_photos WHERE collection = $1)
             + (SELECT COUNT(*) FROM guest_photos WHERE event_id = $1)
             + (SELECT COUNT(*) FROM client_selections WHERE event_id = $1)
             + (SELECT COUNT(*) FROM subscriptions WHERE event_id = $1) + (SELECT COUNT(*) FROM objections WHERE event_id = $1)",
        subject_id,
    )
}
