//! Guests who asked to be told of new photos, by event.
//!
//! Their templates are encrypted with a key of the event, which is a column of its row: with the key every copy of them
//! becomes unreadable.

mod links;
mod telling;

use domain::accounts::EmailAddress;
use domain::guests::subscriptions::{Language, RecentMails, Subscription, ToldGuests};
use domain::{EventId, PhotoId, SubscriptionId, Timestamp};

use super::event_keys;
use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::dialect::for_update;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{
    LIST_LIMIT, Statement, execute, fetch_all, fetch_one, fetch_optional,
};
use crate::{Db, Executor, Result, Tx};

pub use links::{MailedLink, NewLink, add_link, delete_expired_links, link};
pub use telling::{
    Due, KnownPhoto, awaits_completion, begin_mail, due, end_wait_for_completion, finish_mail, hide,
    known_photos, knows, mark_checked, mark_new,
};
pub use telling::{recheck, set_recent_mails};

macro_rules! columns {
    () => {
        "subscriptions.id, event_id, email, language, notice_version, template, subscriptions.created_at,
         confirmed_at, checked_revision, new_since, recent_mails, last_download"
    };
}
use columns;

row! {
    pub(crate) struct SubscriptionRow {
        id: String,
        event_id: String,
        email: String,
        language: String,
        notice_version: String,
        template: Vec<u8>,
        created_at: i64,
        confirmed_at: Option<i64>,
        checked_revision: i64,
        new_since: Option<i64>,
        recent_mails: String,
        last_download: Option<Vec<u8>>,
    }
}

impl FromColumns for Subscription {
    type Columns = SubscriptionRow;

    fn from_columns(row: SubscriptionRow) -> Result<Self> {
        let download = row.last_download.as_deref();
        Ok(Self {
            id: decode::id(&row.id, "subscriptions.id")?,
            event: decode::id(&row.event_id, "subscriptions.event_id")?,
            email: EmailAddress::from_trusted(row.email),
            language: Language::parse(&row.language),
            notice_version: row.notice_version,
            template: row.template,
            created_at: Timestamp::from_millis(row.created_at),
            confirmed_at: decode::time(row.confirmed_at),
            checked_revision: row.checked_revision,
            new_since: decode::time(row.new_since),
            recent_mails: decode::known(
                RecentMails::from_text(&row.recent_mails),
                "subscriptions.recent_mails",
            )?,
            last_download: download
                .map(|hash| decode::hash(hash, "subscriptions.last_download"))
                .transpose()?,
        })
    }
}

/// The key of an event's subscriptions; none when none was made, or the event is closed.
pub async fn key(db: &dyn Executor, event: EventId) -> Result<Option<Vec<u8>>> {
    event_keys::get(db, event, "subscription_key").await
}

/// The key of an open event; `fresh` becomes it when there is none. Of concurrent callers the first decides for all.
pub async fn key_or_insert(db: &Db, event: EventId, fresh: &[u8]) -> Result<Option<Vec<u8>>> {
    event_keys::get_or_insert(db, event, "subscription_key", fresh).await
}

/// Inserts a subscription that is not confirmed, and the photos that the guest knows of; `hidden` are those of them that show
/// somebody else. False, and nothing is inserted, when the event is closed or its key has gone.
pub async fn create(
    tx: &mut Tx,
    subscription: &Subscription,
    known: &[PhotoId],
    hidden: &[PhotoId],
) -> Result<bool> {
    // The closing of the event changes this row before it deletes the subscriptions.
    let statement = for_update!(
        tx.engine(),
        "SELECT id FROM events WHERE id = $1 AND subscription_key IS NOT NULL AND deleting_since IS NULL
             AND deleted_at IS NULL"
    );
    if fetch_optional!(&mut *tx, String, statement, subscription.event)?.is_none() {
        return Ok(false);
    }
    execute!(
        &mut *tx,
        "INSERT INTO subscriptions (id, event_id, email, email_key, language, notice_version, template, created_at,
             confirmed_at, checked_revision, new_since, recent_mails, last_download)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        subscription.id,
        subscription.event,
        subscription.email,
        subscription.email.key(),
        subscription.language.as_str(),
        subscription.notice_version,
        subscription.template.as_slice(),
        subscription.created_at,
        subscription.confirmed_at,
        subscription.checked_revision,
        subscription.new_since,
        subscription.recent_mails.to_text(),
        subscription.last_download,
    )?;
    add_known(tx, subscription.id, known).await?;
    for photo in hidden {
        execute!(
            &mut *tx,
            "UPDATE subscription_photos SET hidden = TRUE WHERE subscription_id = $1 AND photo_id = $2",
            subscription.id,
            photo,
        )?;
    }
    Ok(true)
}

/// Adds photos to those that the guest knows of, those in the trash too, which may be restored. Their event is locked: none of
/// them goes to the trash or comes back from it meanwhile.
async fn add_known(tx: &mut Tx, id: SubscriptionId, photos: &[PhotoId]) -> Result<()> {
    for photos in photos.chunks(LIST_LIMIT) {
        for (table, source) in
            [("subscription_photos", "photos"), ("trashed_subscription_photos", "trashed_photos")]
        {
            let mut statement =
                Statement::built(format!("INSERT INTO {table} (subscription_id, photo_id, hidden) SELECT "));
            statement.push_bind(id).push(format!(", id, FALSE FROM {source} WHERE id IN "));
            statement.push_list(photos);
            statement.push(" ON CONFLICT (subscription_id, photo_id) DO NOTHING");
            statement.execute(tx.writer()).await?;
        }
    }
    Ok(())
}

/// How many subscriptions of an address wait for their confirmation, in all events.
pub async fn count_unconfirmed(db: &dyn Executor, email: &EmailAddress) -> Result<i64> {
    fetch_one!(
        db,
        i64,
        "SELECT COUNT(*) FROM subscriptions WHERE email_key = $1 AND confirmed_at IS NULL",
        email.key(),
    )
}

row! {
    pub(crate) struct ToldGuestsRow {
        total: i64,
        waiting: i64,
    }
}

impl FromColumns for ToldGuests {
    type Columns = ToldGuestsRow;

    fn from_columns(ToldGuestsRow { total, waiting }: ToldGuestsRow) -> Result<Self> {
        Ok(Self { total, waiting })
    }
}

/// How many guests of an event are told of new photos, and to how many no mail has gone: none was sent, or the first was refused, which
/// [`RecentMails`] writes with an exclamation mark.
pub async fn count_told(db: &dyn Executor, event: EventId) -> Result<ToldGuests> {
    fetch_one!(
        db,
        ToldGuests,
        "SELECT COUNT(*) AS total, COUNT(CASE WHEN recent_mails = '' OR recent_mails LIKE '!%' THEN 1 END) AS waiting
         FROM subscriptions WHERE event_id = $1 AND confirmed_at IS NOT NULL",
        event,
    )
}

/// A subscription, confirmed or not.
pub async fn by_id(db: &dyn Executor, id: SubscriptionId) -> Result<Option<Subscription>> {
    fetch_optional!(db, Subscription, concat!("SELECT ", columns!(), " FROM subscriptions WHERE id = $1"), id)
}

/// The subscriptions of an event, confirmed or not, the oldest first.
pub async fn of_event(db: &dyn Executor, event: EventId) -> Result<Vec<Subscription>> {
    fetch_all!(
        db,
        Subscription,
        concat!("SELECT ", columns!(), " FROM subscriptions WHERE event_id = $1 ORDER BY id"),
        event,
    )
}

/// Replaces the template of a subscription that is still there.
pub async fn set_template(tx: &mut Tx, id: SubscriptionId, template: &[u8]) -> Result<()> {
    execute!(tx, "UPDATE subscriptions SET template = $2 WHERE id = $1", id, template)?;
    Ok(())
}

/// Confirms a subscription, which takes the place of every other of the same address in the event, and knows what the confirmed one
/// among them has told; true for the first caller alone.
pub async fn confirm(tx: &mut Tx, id: SubscriptionId, now: Timestamp) -> Result<bool> {
    // Before the subscriptions, as whoever closes the event does; none of its photos goes to the trash or comes back meanwhile.
    let statement = for_update!(
        tx.engine(),
        "SELECT id FROM events WHERE id = (SELECT event_id FROM subscriptions WHERE id = $1)"
    );
    if fetch_optional!(&mut *tx, String, statement, id)?.is_none() {
        return Ok(false);
    }
    // In one order: two that are confirmed at one moment take each other's place, and would wait for each other.
    let statement = for_update!(
        tx.engine(),
        "SELECT id FROM subscriptions WHERE event_id = (SELECT event_id FROM subscriptions WHERE id = $1)
             AND email_key = (SELECT email_key FROM subscriptions WHERE id = $1) ORDER BY id"
    );
    fetch_all!(&mut *tx, String, statement, id)?;
    let confirmed = execute!(
        &mut *tx,
        "UPDATE subscriptions SET confirmed_at = $2 WHERE id = $1 AND confirmed_at IS NULL",
        id,
        now,
    )?;
    if confirmed == 1 {
        // What nobody has confirmed anybody may have asked for.
        let former = fetch_optional!(
            &mut *tx,
            String,
            "SELECT id FROM subscriptions WHERE id <> $1 AND confirmed_at IS NOT NULL
                 AND event_id = (SELECT event_id FROM subscriptions WHERE id = $1)
                 AND email_key = (SELECT email_key FROM subscriptions WHERE id = $1)",
            id,
        )?;
        if let Some(former) = former {
            succeed(tx, id, &former).await?;
        }
        execute!(
            tx,
            "DELETE FROM subscriptions WHERE id <> $1
                 AND event_id = (SELECT event_id FROM subscriptions WHERE id = $1)
                 AND email_key = (SELECT email_key FROM subscriptions WHERE id = $1)",
            id,
        )?;
    }
    Ok(confirmed == 1)
}

/// Gives a subscription what `former` has told, which it takes the place of: nobody is told of a photo twice, or more often than once
/// a day. By the mails of `former` it is ended: whoever unsubscribes by one of them wants none any more.
async fn succeed(tx: &mut Tx, id: SubscriptionId, former: &str) -> Result<()> {
    execute!(
        &mut *tx,
        "UPDATE subscriptions
         SET recent_mails = (SELECT recent_mails FROM subscriptions AS former WHERE former.id = $2),
             completion_told_at = (SELECT completion_told_at FROM subscriptions AS former WHERE former.id = $2)
         WHERE id = $1",
        id,
        former,
    )?;
    for statement in [
        "INSERT INTO subscription_photos (subscription_id, photo_id, hidden)
         SELECT $1, photo_id, hidden FROM subscription_photos WHERE subscription_id = $2
         ON CONFLICT (subscription_id, photo_id) DO NOTHING",
        "INSERT INTO trashed_subscription_photos (subscription_id, photo_id, hidden)
         SELECT $1, photo_id, hidden FROM trashed_subscription_photos WHERE subscription_id = $2
         ON CONFLICT (subscription_id, photo_id) DO NOTHING",
        "UPDATE subscription_links SET subscription_id = $1
         WHERE subscription_id = $2 AND purpose = 'unsubscribe'",
    ] {
        execute!(&mut *tx, statement, id, former)?;
    }
    Ok(())
}

/// Deletes a subscription with its template; false when there is none.
pub async fn delete(tx: &mut Tx, id: SubscriptionId) -> Result<bool> {
    Ok(execute!(tx, "DELETE FROM subscriptions WHERE id = $1", id)? == 1)
}

/// Deletes the subscriptions of an event and their key.
pub async fn delete_of(tx: &mut Tx, event: EventId) -> Result<()> {
    execute!(&mut *tx, "UPDATE events SET subscription_key = NULL WHERE id = $1", event)?;
    execute!(tx, "DELETE FROM subscriptions WHERE event_id = $1", event)?;
    Ok(())
}

/// Deletes those that were not confirmed and made at `unconfirmed` or before, and those confirmed at `confirmed` or before;
/// answers their number.
pub async fn delete_expired(tx: &mut Tx, unconfirmed: Timestamp, confirmed: Timestamp) -> Result<u64> {
    // Each from an index of its own.
    let statement = "DELETE FROM subscriptions WHERE confirmed_at IS NULL AND created_at <= $1";
    let deleted = execute!(&mut *tx, statement, unconfirmed)?;
    Ok(deleted + execute!(tx, "DELETE FROM subscriptions WHERE confirmed_at <= $1", confirmed)?)
}
