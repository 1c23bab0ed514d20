//! Which subscriptions have photos to be told of, and what their guests know.

use domain::accounts::tokens::TokenHash;
use domain::guests::subscriptions::{RecentMails, Subscription};
use domain::{JobId, PhotoId, SubscriptionId, Timestamp};

use super::{SubscriptionRow, add_known, columns};
use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::dialect::for_update;
use crate::operations::runtime::encode::cursor;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_optional};
use crate::{Executor, Result, Tx};

/// A subscription whose event has changed since its photos were compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    /// The subscription.
    pub subscription: Subscription,
    /// The event's revision when this was read.
    pub revision: i64,
}

row! {
    pub(crate) struct DueRow {
        ..subscription: SubscriptionRow,
        revision: i64,
    }
}

impl FromColumns for Due {
    type Columns = DueRow;

    fn from_columns(row: DueRow) -> Result<Self> {
        Ok(Self { subscription: Subscription::from_columns(row.subscription)?, revision: row.revision })
    }
}

/// A photo that a guest knows of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownPhoto {
    /// Which photo.
    pub photo: PhotoId,
    /// Whether it shows somebody else, as the guest said.
    pub hidden: bool,
}

row! {
    pub(crate) struct KnownPhotoRow {
        photo_id: String,
        hidden: bool,
    }
}

impl FromColumns for KnownPhoto {
    type Columns = KnownPhotoRow;

    fn from_columns(row: KnownPhotoRow) -> Result<Self> {
        Ok(Self { photo: decode::id(&row.photo_id, "subscription_photos.photo_id")?, hidden: row.hidden })
    }
}

/// Confirmed subscriptions of open events that allow them, whose event has changed since it was compared and which no job
/// is telling, after `after` by id.
pub async fn due(db: &dyn Executor, after: Option<SubscriptionId>, limit: i64) -> Result<Vec<Due>> {
    fetch_all!(
        db,
        Due,
        concat!(
            "SELECT ",
            columns!(),
            ", revision FROM subscriptions JOIN events ON events.id = subscriptions.event_id
             WHERE subscriptions.id > $1 AND confirmed_at IS NOT NULL AND tells_guests
                 AND deleting_since IS NULL AND deleted_at IS NULL AND checked_revision <> revision
                 AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = subscriptions.mail_job AND state = 'queued')
             ORDER BY subscriptions.id LIMIT $2"
        ),
        cursor(after),
        limit,
    )
}

/// The photos that a guest knows of, in no order.
pub async fn known_photos(db: &dyn Executor, id: SubscriptionId) -> Result<Vec<KnownPhoto>> {
    fetch_all!(
        db,
        KnownPhoto,
        "SELECT photo_id, hidden FROM subscription_photos WHERE subscription_id = $1",
        id,
    )
}

/// What a guest knows of a photo; none where they do not know it.
pub async fn knows(db: &dyn Executor, id: SubscriptionId, photo: PhotoId) -> Result<Option<KnownPhoto>> {
    fetch_optional!(
        db,
        KnownPhoto,
        "SELECT photo_id, hidden FROM subscription_photos WHERE subscription_id = $1 AND photo_id = $2",
        id,
        photo,
    )
}

/// Records that nothing new is in an event at this revision.
pub async fn mark_checked(db: &dyn Executor, id: SubscriptionId, revision: i64) -> Result<()> {
    execute!(
        db,
        "UPDATE subscriptions SET checked_revision = $2, new_since = NULL WHERE id = $1",
        id,
        revision,
    )?;
    Ok(())
}

/// Records that there are new photos, unless that is recorded.
pub async fn mark_new(db: &dyn Executor, id: SubscriptionId, now: Timestamp) -> Result<()> {
    execute!(db, "UPDATE subscriptions SET new_since = $2 WHERE id = $1 AND new_since IS NULL", id, now)?;
    Ok(())
}

/// Whether the guest of a confirmed subscription waits to be told that the event is complete: one who has asked before it was, however
/// late the address was confirmed.
pub async fn awaits_completion(db: &dyn Executor, id: SubscriptionId) -> Result<bool> {
    let statement =
        "SELECT subscriptions.id FROM subscriptions JOIN events ON events.id = subscriptions.event_id
         WHERE subscriptions.id = $1 AND publication = 'complete' AND completion_told_at IS NULL
             AND confirmed_at IS NOT NULL AND subscriptions.created_at <= completed_at";
    Ok(fetch_optional!(db, String, statement, id)?.is_some())
}

/// Records that a guest is told that the event is complete, or need not be told: nobody is twice, also where the event goes on and
/// is complete again.
pub async fn end_wait_for_completion(db: &dyn Executor, id: SubscriptionId, now: Timestamp) -> Result<()> {
    execute!(
        db,
        "UPDATE subscriptions SET completion_told_at = $2 WHERE id = $1 AND completion_told_at IS NULL",
        id,
        now,
    )?;
    Ok(())
}

/// Records the job that tells of the photos at `due`'s revision, which the caller adds to the same transaction; true for the
/// first caller alone.
pub async fn begin_mail(tx: &mut Tx, due: &Due, job: JobId) -> Result<bool> {
    let updated = execute!(
        tx,
        "UPDATE subscriptions SET mail_job = $2, checked_revision = $3 WHERE id = $1 AND checked_revision = $4",
        due.subscription.id,
        job,
        due.revision,
        due.subscription.checked_revision,
    )?;
    Ok(updated == 1)
}

/// Lets the photos of a subscription be compared once more, though its event may not change.
pub async fn recheck(db: &dyn Executor, id: SubscriptionId) -> Result<()> {
    execute!(db, "UPDATE subscriptions SET checked_revision = -1 WHERE id = $1", id)?;
    Ok(())
}

/// Replaces the moments of the last mails; false when they are not `from` any more.
pub async fn set_recent_mails(
    db: &dyn Executor,
    id: SubscriptionId,
    from: &RecentMails,
    to: &RecentMails,
) -> Result<bool> {
    let updated = execute!(
        db,
        "UPDATE subscriptions SET recent_mails = $3 WHERE id = $1 AND recent_mails = $2",
        id,
        from.to_text(),
        to.to_text(),
    )?;
    Ok(updated == 1)
}

/// Records that a mail has told of these photos, with a link by this download token.
pub async fn finish_mail(
    tx: &mut Tx,
    id: SubscriptionId,
    photos: &[PhotoId],
    download: &TokenHash,
) -> Result<()> {
    // Before the subscription, as whoever closes the event does.
    let statement = for_update!(
        tx.engine(),
        "SELECT id FROM events WHERE id = (SELECT event_id FROM subscriptions WHERE id = $1)"
    );
    if fetch_optional!(&mut *tx, String, statement, id)?.is_none() {
        return Ok(());
    }
    execute!(
        &mut *tx,
        "UPDATE subscriptions SET new_since = NULL, last_download = $2 WHERE id = $1",
        id,
        download,
    )?;
    add_known(tx, id, photos).await
}

/// Hides a photo from the subscriptions whose last mail, or whose search, showed it by this download token.
pub async fn hide(tx: &mut Tx, download: &TokenHash, photo: PhotoId) -> Result<()> {
    execute!(
        tx,
        "UPDATE subscription_photos SET hidden = TRUE WHERE photo_id = $2
             AND subscription_id IN (SELECT id FROM subscriptions WHERE last_download = $1)",
        download,
        photo,
    )?;
    Ok(())
}
