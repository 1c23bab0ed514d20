//! Photographers' events.

pub mod changes;
mod covers;
mod delete;
pub mod publication;
pub mod recently_deleted;
pub mod retention;

use domain::events::download_policy::Downloads;
use domain::events::flags::Flags;
use domain::events::invitations::Invitation;
use domain::events::pins::Pin;
use domain::events::publication::Publication;
use domain::events::zones::Zone;
use domain::events::{Event, Held, Indexing};
use domain::guests::subscriptions::Language;
use domain::{EventId, JobId, Paise, Timestamp, UserId};
use jiff::civil::Date;

use crate::accounts::users;
use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::encode::{ToColumn as _, Value, cursor};
use crate::operations::runtime::row::{FromRow, Row, row};
use crate::operations::runtime::statements::{Statement, fetch_all, fetch_optional};
use crate::{Executor, Result, Tx};

pub use delete::{Deletion, begin_deletion, close, erase_texts, finish_deletion, lock_deleting};

macro_rules! columns {
    () => {
        domain::event_flags!($crate::events::columns_with)
    };
}
pub(crate) use columns;

macro_rules! columns_with {
    ($($(#[$meaning:meta])+ $flag:ident = $new:literal, $exported:literal;)+) => {
        concat!(
            $(stringify!($flag), ", ",)+
            "id, owner_id, name, date, slug, description, created_at, deleting_since, deletion_job, deleted_at,
         restorable_until, photos_uploaded, last_upload_at, removal_at, revision, photos_stored, photos_indexed, photos_failed, faces_stored,
         time_zone, expires_on, keep_days, pin, downloads, invitation_language, invitation_text, publication, more_until, last_hold, uploads_held, photos_held,
         held_indexed, held_failed, held_faces, guest_photo_limit,
         (SELECT cover.id || ' ' || cover.media_key || ' ' || COALESCE(cover.focus_x, -1) || ' ' || COALESCE(cover.focus_y, -1)
             FROM photos AS cover WHERE cover.id = events.cover_photo AND cover.event_id = events.id
             AND cover.status = 'ready' AND cover.medium_bytes IS NOT NULL AND NOT cover.hidden) AS cover,
         CASE WHEN cover_photo IS NULL AND NOT without_cover AND photos_indexed - held_indexed >= 20 THEN
             (SELECT cover.id || ' ' || cover.media_key || ' ' || COALESCE(cover.focus_x, -1) || ' ' || COALESCE(cover.focus_y, -1)
                 FROM photos AS cover WHERE cover.event_id = events.id AND cover.cover_rank > 0 AND NOT cover.hidden
                 AND cover.status = 'ready' AND cover.medium_bytes IS NOT NULL
                 AND (SELECT 1 FROM objection_faces WHERE photo_id = cover.id AND NOT overruled LIMIT 1) IS NULL
                 ORDER BY cover.cover_rank DESC, cover.id LIMIT 1) END AS automatic_cover"
        )
    };
}
pub(crate) use columns_with;

macro_rules! select {
    ($where:expr, $order:expr) => {
        concat!("SELECT ", $crate::events::columns!(), " FROM events ", $where, " ", $order)
    };
}
pub(crate) use select;

/// An event to be inserted.
#[derive(Clone, Debug)]
pub struct NewEvent {
    /// Its id.
    pub id: EventId,
    /// Whose it is.
    pub owner: UserId,
    /// Its name.
    pub name: String,
    /// The calendar day of the event.
    pub date: Date,
    /// Its name in links; unique.
    pub slug: String,
    /// The photographer's description.
    pub description: Option<String>,
    /// For how many days its photos are to be kept; none is the installation's period.
    pub keep_days: Option<u32>,
    /// When it is created.
    pub created_at: Timestamp,
    /// What was paid for it according to the client; recorded, never used.
    pub payment_amount: Option<Paise>,
    /// The coupon used according to the client; recorded, never used.
    pub coupon_code: Option<String>,
}

row! {
    pub(crate) struct EventRow {
        ..flags: Flags,
        id: String,
        owner_id: String,
        name: String,
        date: String,
        slug: String,
        description: Option<String>,
        created_at: i64,
        deleting_since: Option<i64>,
        deletion_job: Option<String>,
        deleted_at: Option<i64>,
        restorable_until: Option<i64>,
        photos_uploaded: i64,
        last_upload_at: Option<i64>,
        removal_at: Option<i64>,
        revision: i64,
        photos_stored: i64,
        photos_indexed: i64,
        photos_failed: i64,
        faces_stored: i64,
        time_zone: Option<String>,
        expires_on: Option<String>,
        keep_days: Option<i64>,
        cover: Option<String>,
        automatic_cover: Option<String>,
        pin: Option<String>,
        downloads: String,
        invitation_language: Option<String>,
        invitation_text: Option<String>,
        publication: String,
        more_until: Option<String>,
        last_hold: i64,
        uploads_held: i64,
        photos_held: i64,
        held_indexed: i64,
        held_failed: i64,
        held_faces: i64,
        guest_photo_limit: i64,
    }
}

macro_rules! flags_from_row {
    ($($(#[$meaning:meta])+ $flag:ident = $new:literal, $exported:literal;)+) => {
        impl FromRow for Flags {
            fn from_row(row: &Row) -> sqlx::Result<Self> {
                Ok(Self { $($flag: row.get(stringify!($flag))?,)+ })
            }
        }
    };
}
domain::event_flags!(flags_from_row);

impl FromColumns for Event {
    type Columns = EventRow;

    fn from_columns(row: EventRow) -> Result<Self> {
        let cover = match covers::parse(row.cover.as_deref(), false)? {
            None => covers::parse(row.automatic_cover.as_deref(), true)?,
            chosen => chosen,
        };
        Ok(Self {
            id: decode::id(&row.id, "events.id")?,
            owner: decode::id(&row.owner_id, "events.owner_id")?,
            name: row.name,
            date: decode::known(row.date.parse().ok(), "events.date")?,
            slug: row.slug,
            description: row.description,
            created_at: Timestamp::from_millis(row.created_at),
            deleting_since: decode::time(row.deleting_since),
            deletion_job: decode::optional_id(row.deletion_job.as_deref(), "events.deletion_job")?,
            deleted_at: decode::time(row.deleted_at),
            restorable_until: decode::time(row.restorable_until),
            photos_uploaded: row.photos_uploaded,
            last_upload_at: decode::time(row.last_upload_at),
            removal_at: decode::time(row.removal_at),
            revision: row.revision,
            indexing: Indexing {
                indexed: row.photos_indexed,
                failed: row.photos_failed,
                total: row.photos_stored,
            },
            faces_indexed: row.faces_stored,
            flags: row.flags,
            time_zone: match row.time_zone {
                Some(name) => decode::known(Zone::parse(&name).ok(), "events.time_zone")?,
                None => Zone::utc(),
            },
            expires_on: match row.expires_on {
                Some(day) => Some(decode::known(day.parse().ok(), "events.expires_on")?),
                None => None,
            },
            keep_days: match row.keep_days {
                Some(days) => Some(decode::known(u32::try_from(days).ok(), "events.keep_days")?),
                None => None,
            },
            cover,
            pin: match row.pin {
                Some(pin) => Some(decode::known(Pin::parse(&pin).ok(), "events.pin")?),
                None => None,
            },
            downloads: decode::known(Downloads::from_stored(&row.downloads), "events.downloads")?,
            invitation: row.invitation_text.map(|text| {
                let language = Language::parse(&row.invitation_language.unwrap_or_default());
                Invitation { language, text }
            }),
            publication: decode::known(Publication::from_stored(&row.publication), "events.publication")?,
            more_until: match row.more_until {
                Some(day) => Some(decode::known(day.parse().ok(), "events.more_until")?),
                None => None,
            },
            held: Held {
                indexing: Indexing {
                    indexed: row.held_indexed,
                    failed: row.held_failed,
                    total: row.photos_held,
                },
                faces: row.held_faces,
                uploads: row.uploads_held,
                last: row.last_hold,
            },
            guest_photo_limit: decode::known(
                u32::try_from(row.guest_photo_limit).ok(),
                "events.guest_photo_limit",
            )?,
        })
    }
}

/// Inserts an event.
///
/// # Errors
/// When the database fails, or the slug is taken, which its random part rules out.
pub async fn create(tx: &mut Tx, event: &NewEvent) -> Result<bool> {
    let retained_from = Timestamp::start_of_day(event.date);
    let mut columns: Vec<(&str, Value)> = vec![
        ("id", event.id.to_column()),
        ("owner_id", event.owner.to_column()),
        ("name", event.name.to_column()),
        ("date", event.date.to_column()),
        ("slug", event.slug.to_column()),
        ("description", event.description.to_column()),
        ("created_at", event.created_at.to_column()),
        ("retained_from", retained_from.to_column()),
        ("keep_days", event.keep_days.map(i64::from).to_column()),
        ("payment_amount", event.payment_amount.to_column()),
        ("coupon_code", event.coupon_code.to_column()),
    ];
    columns.extend(Flags::default().columns().map(|(name, value)| (name, value.to_column())));
    Statement::insert("events", columns).execute(tx.writer()).await?;
    // The closing of the account changes this row after its last look at the events.
    let owner = users::lock(tx, event.owner).await?;
    Ok(owner.is_some_and(|owner| !owner.is_closed))
}

/// The events of an owner whose deletion has not begun, in the order in which they are to be locked.
pub async fn open_ids(db: &dyn Executor, owner: UserId) -> Result<Vec<EventId>> {
    fetch_all!(
        db,
        EventId,
        "SELECT id FROM events WHERE owner_id = $1 AND deleting_since IS NULL AND deleted_at IS NULL ORDER BY id",
        owner,
    )
}

/// An owner's events that are not deleted, newest first; those being deleted are among them.
pub async fn by_owner(db: &dyn Executor, owner: UserId) -> Result<Vec<Event>> {
    fetch_all!(
        db,
        Event,
        select!("WHERE owner_id = $1 AND deleted_at IS NULL", "ORDER BY created_at DESC, id DESC"),
        owner,
    )
}

/// A page of an owner's events that are not deleted, newest first: those after the event `after`, at most `limit`.
pub async fn page(db: &dyn Executor, owner: UserId, after: Option<&Event>, limit: i64) -> Result<Vec<Event>> {
    let last = Timestamp::from_millis(i64::MAX);
    fetch_all!(
        db,
        Event,
        select!(
            "WHERE owner_id = $1 AND deleted_at IS NULL AND (created_at, id) < ($2, $3)",
            "ORDER BY created_at DESC, id DESC LIMIT $4"
        ),
        owner,
        after.map_or(last, |event| event.created_at),
        cursor(after.map(|event| event.id)),
        limit,
    )
}

/// What an event is looked for by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Title {
    /// Its id.
    pub id: EventId,
    /// Its name.
    pub name: String,
    /// When it was created.
    pub created_at: Timestamp,
}

row! {
    pub(crate) struct TitleRow {
        id: String,
        name: String,
        created_at: i64,
    }
}

impl FromColumns for Title {
    type Columns = TitleRow;

    fn from_columns(row: TitleRow) -> Result<Self> {
        let created_at = Timestamp::from_millis(row.created_at);
        Ok(Self { id: decode::id(&row.id, "events.id")?, name: row.name, created_at })
    }
}

/// The same page as [`page`], of names alone, which are a sixth of the work.
pub async fn titles(
    db: &dyn Executor,
    owner: UserId,
    after: Option<&Title>,
    limit: i64,
) -> Result<Vec<Title>> {
    let last = Timestamp::from_millis(i64::MAX);
    fetch_all!(
        db,
        Title,
        "SELECT id, name, created_at FROM events
         WHERE owner_id = $1 AND deleted_at IS NULL AND (created_at, id) < ($2, $3)
         ORDER BY created_at DESC, id DESC LIMIT $4",
        owner,
        after.map_or(last, |title| title.created_at),
        cursor(after.map(|title| title.id)),
        limit,
    )
}

/// Those of these events that are not deleted, newest first; a page of them at most.
pub async fn by_ids(db: &dyn Executor, ids: &[EventId]) -> Result<Vec<Event>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut statement = Statement::built(select!("WHERE deleted_at IS NULL AND id IN", ""));
    statement.push_list(ids);
    statement.push(" ORDER BY created_at DESC, id DESC");
    statement.fetch_all(db.reader()).await
}

/// Every event of an owner, deleted ones too, newest first.
pub async fn all_by_owner(db: &dyn Executor, owner: UserId) -> Result<Vec<Event>> {
    fetch_all!(db, Event, select!("WHERE owner_id = $1", "ORDER BY created_at DESC, id DESC"), owner,)
}

/// An owner's events that were deleted at `since` or later, last deleted first.
pub async fn deleted_since(db: &dyn Executor, owner: UserId, since: Timestamp) -> Result<Vec<Event>> {
    fetch_all!(
        db,
        Event,
        select!("WHERE owner_id = $1 AND deleted_at >= $2", "ORDER BY deleted_at DESC, id DESC"),
        owner,
        since,
    )
}

/// An event, whatever its state.
pub async fn by_id(db: &dyn Executor, id: EventId) -> Result<Option<Event>> {
    fetch_optional!(db, Event, select!("WHERE id = $1", ""), id)
}

/// The event of a link, whatever its state.
pub async fn by_slug(db: &dyn Executor, slug: &str) -> Result<Option<Event>> {
    fetch_optional!(db, Event, select!("WHERE slug = $1", ""), slug)
}

/// The event that a job deletes, or has deleted.
pub async fn by_deletion_job(db: &dyn Executor, job: JobId) -> Result<Option<Event>> {
    fetch_optional!(db, Event, select!("WHERE deletion_job = $1", ""), job)
}

/// What the client said at an event's creation; recorded, never used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    /// The event.
    pub event: EventId,
    /// What was paid for it.
    pub payment_amount: Option<Paise>,
    /// The coupon that was used.
    pub coupon_code: Option<String>,
}

row! {
    pub(crate) struct StatedRow {
        id: String,
        payment_amount: Option<i64>,
        coupon_code: Option<String>,
    }
}

impl FromColumns for Stated {
    type Columns = StatedRow;

    fn from_columns(row: StatedRow) -> Result<Self> {
        Ok(Self {
            event: decode::id(&row.id, "events.id")?,
            payment_amount: row.payment_amount.map(Paise::new),
            coupon_code: row.coupon_code,
        })
    }
}

/// Of an owner's events, deleted ones too, those of which the client said anything, in no order.
pub async fn stated(db: &dyn Executor, owner: UserId) -> Result<Vec<Stated>> {
    fetch_all!(
        db,
        Stated,
        "SELECT id, payment_amount, coupon_code FROM events
         WHERE owner_id = $1 AND (payment_amount IS NOT NULL OR coupon_code IS NOT NULL)",
        owner,
    )
}

/// The events whose deletion has begun and not ended.
pub async fn being_deleted(db: &dyn Executor) -> Result<Vec<Event>> {
    fetch_all!(
        db,
        Event,
        select!("WHERE deleting_since IS NOT NULL AND deleted_at IS NULL", "ORDER BY deleting_since"),
    )
}

/// An owner's events whose deletion has begun and not ended, newest first.
pub async fn being_deleted_of(db: &dyn Executor, owner: UserId) -> Result<Vec<Event>> {
    fetch_all!(
        db,
        Event,
        select!(
            // As an expression the owner leads to no index, so that the one of events being deleted is read: they are few
            // on the whole server, and an owner may have thousands.
            "WHERE owner_id || '' = $1 AND deleting_since IS NOT NULL AND deleted_at IS NULL",
            "ORDER BY created_at DESC, id DESC"
        ),
        owner,
    )
}
