//! What is gathered for an export, and where each photo is in it.

use std::collections::HashMap;

use bytes::Bytes;
use domain::accounts::User;
use domain::accounts::tokens::TokenHash;
use domain::events::Event;
use domain::guests::client_selections::{ClientSelection, Marked};
use domain::guests::objections::Objection;
use domain::guests::walls::Wall;
use domain::payments::billing::Billing;
use domain::payments::coupons::Coupon;
use domain::payments::invoices::Invoice;
use domain::payments::orders::Order;
use domain::payments::{Payment, Refund};
use domain::photos::Photo;
use domain::photos::albums::Album;
use domain::photos::file_names::{Names, safe_name};
use domain::studio::studios::{Ground, Studio};
use domain::studio::watermarks::Watermark;
use domain::webhooks::Endpoint;
use domain::{ClientSelectionId, EventId, Timestamp, UserId};
use futures::{StreamExt as _, TryStreamExt as _};
use storage::accounts::api_tokens::ApiToken;
use storage::accounts::links::MailedLink;
use storage::accounts::passkeys::Passkey;
use storage::accounts::second_factors::SecondFactor;
use storage::accounts::sessions::ListedSession;
use storage::events::Stated;
use storage::faces::people::OfEvent;
use storage::payments::ledger::LedgerEntry;
use storage::photos::PhotoQuery;
use storage::photos::library_retention::Removal;
use storage::statistics::activity::Day;
use storage::team::Membership;
use storage::uploads::ftp::FtpLogin;

use crate::guests::archives;
use crate::studio::studios;
use crate::{App, Result, statistics};

/// Photos that are read in one query.
const BATCH: i64 = 500;
/// Files that the store is asked for at once.
const LOOKUPS: usize = 32;

/// All that is stored about an account, as far as its owner is told.
pub(super) struct Contents {
    pub(super) user: User,
    pub(super) studio: Option<Studio>,
    pub(super) watermark: Option<Watermark>,
    /// The file of its logo.
    pub(super) logo: Option<Bytes>,
    /// That of its logo for dark grounds.
    pub(super) dark_logo: Option<Bytes>,
    pub(super) second_factor: Option<SecondFactor>,
    pub(super) passkeys: Vec<Passkey>,
    pub(super) recovery_codes: i64,
    pub(super) sessions: Vec<Session>,
    pub(super) api_tokens: Vec<ApiToken>,
    pub(super) webhooks: Vec<Endpoint>,
    pub(super) links: Vec<MailedLink>,
    /// Newest first, deleted ones too.
    pub(super) events: Vec<OwnEvent>,
    /// The events of others in whose teams the account is.
    pub(super) memberships: Vec<Membership>,
    /// The photos without event, oldest first.
    pub(super) library: Vec<Placed>,
    /// Of them those whose removal their owner was told of.
    pub(super) removals: Vec<Removal>,
    pub(super) activity: Vec<Day>,
    pub(super) ledger: Vec<LedgerEntry>,
    pub(super) orders: Vec<Order>,
    pub(super) coupons: Vec<Coupon>,
    pub(super) payments: Vec<Payment>,
    pub(super) refunds: Vec<Refund>,
    pub(super) invoices: Vec<Invoice>,
    pub(super) billing: Option<Billing>,
}

/// A session, and whether it is the one that asks.
pub(super) struct Session {
    pub(super) session: ListedSession,
    pub(super) is_current: bool,
}

/// An event with its photos, oldest first.
pub(super) struct OwnEvent {
    pub(super) event: Event,
    pub(super) stated: Option<Stated>,
    pub(super) objections: Vec<Objection>,
    pub(super) people: Option<OfEvent>,
    pub(super) albums: Vec<Album>,
    pub(super) ftp_login: Option<FtpLogin>,
    pub(super) wall: Option<Wall>,
    /// What clients were asked to choose, and what they have marked.
    pub(super) selections: Vec<(ClientSelection, Vec<Marked>)>,
    pub(super) photos: Vec<Placed>,
}

/// A photo and its name in the ZIP, or why it is not there.
pub(super) struct Placed {
    pub(super) photo: Photo,
    pub(super) place: std::result::Result<String, Missing>,
}

/// Why a photo is not in the ZIP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// The media store does not have it.
    NotStored,
    /// What the media store has is not as long as it was.
    Damaged,
    /// Its event is being deleted.
    BeingDeleted,
}

impl Missing {
    /// Its name in `data.json`.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::NotStored => "not_stored",
            Self::Damaged => "damaged",
            Self::BeingDeleted => "being_deleted",
        }
    }
}

/// Reads it all. `session` is the one that asks.
pub(super) async fn gather(app: &App, user: User, session: &TokenHash) -> Result<Contents> {
    let (db, id, now) = (&app.db, user.id, app.now());
    let used_since = now.minus(app.settings.session_lifetime);
    let sessions = storage::accounts::sessions::list(db, id, now, used_since).await?.into_iter();
    let sessions =
        sessions.map(|listed| Session { is_current: listed.hash == *session, session: listed }).collect();
    let events = storage::events::all_by_owner(db, id).await?;
    let mut photos: HashMap<Option<EventId>, Vec<(Photo, Option<Missing>)>> = HashMap::new();
    for (photo, missing) in find_files(app, all_photos(app, id).await?).await? {
        photos.entry(photo.event).or_default().push((photo, missing));
    }
    let mut objections: HashMap<EventId, Vec<Objection>> = HashMap::new();
    for objection in storage::guests::objections::of_owner(db, id).await? {
        objections.entry(objection.event).or_default().push(objection);
    }
    let stated = storage::events::stated(db, id).await?;
    let mut stated: HashMap<EventId, Stated> =
        stated.into_iter().map(|stated| (stated.event, stated)).collect();
    let people = storage::faces::people::of_owner(db, id).await?;
    let mut people: HashMap<EventId, OfEvent> = people.into_iter().map(|of| (of.event, of)).collect();
    let mut albums: HashMap<EventId, Vec<Album>> = HashMap::new();
    for album in storage::photos::albums::of_owner(db, id).await? {
        albums.entry(album.event).or_default().push(album);
    }
    let logins = storage::uploads::ftp::of_owner(db, id).await?;
    let mut logins: HashMap<EventId, FtpLogin> = logins.into_iter().collect();
    let walls = storage::guests::walls::of_owner(db, id).await?;
    let mut walls: HashMap<EventId, Wall> = walls.into_iter().map(|wall| (wall.event, wall)).collect();
    let mut marks: HashMap<ClientSelectionId, Vec<Marked>> = HashMap::new();
    for marked in storage::guests::client_selections::marks_of_owner(db, id).await? {
        marks.entry(marked.selection).or_default().push(marked);
    }
    let mut selections: HashMap<EventId, Vec<(ClientSelection, Vec<Marked>)>> = HashMap::new();
    for selection in storage::guests::client_selections::of_owner(db, id).await? {
        let marked = marks.remove(&selection.id).unwrap_or_default();
        selections.entry(selection.event).or_default().push((selection, marked));
    }
    let mut folders = Names::default();
    let library = place("library", photos.remove(&None).unwrap_or_default(), true);
    let mut own_events = Vec::with_capacity(events.len());
    for event in events {
        let folder = folders.add(&safe_name(&format!("{} {}", event.date, event.name), "event"));
        let photos = photos.remove(&Some(event.id)).unwrap_or_default();
        own_events.push(OwnEvent {
            stated: stated.remove(&event.id),
            objections: objections.remove(&event.id).unwrap_or_default(),
            people: people.remove(&event.id),
            albums: albums.remove(&event.id).unwrap_or_default(),
            ftp_login: logins.remove(&event.id),
            wall: walls.remove(&event.id),
            selections: selections.remove(&event.id).unwrap_or_default(),
            photos: place(&format!("events/{folder}"), photos, event.is_open()),
            event,
        });
    }
    statistics::write(app).await?;
    let studio = studios::of_photographer(app, &user).await?;
    let file = async |ground| match studio.as_ref().and_then(|studio| studio.logo_for(ground)) {
        Some(logo) => studios::logo(app, ground, &logo.name).await.map(Some),
        None => Ok(None),
    };
    let (logo, dark_logo) = (file(Ground::Light).await?, file(Ground::Dark).await?);
    Ok(Contents {
        studio,
        watermark: storage::studio::watermarks::of_user(db, id).await?,
        logo,
        dark_logo,
        second_factor: storage::accounts::second_factors::find(db, id).await?,
        passkeys: storage::accounts::passkeys::list(db, id).await?,
        recovery_codes: storage::accounts::second_factors::recovery_codes(db, id).await?,
        sessions,
        api_tokens: storage::accounts::api_tokens::list(db, id).await?,
        webhooks: storage::webhooks::endpoints::of_owner(db, id).await?,
        links: storage::accounts::links::of_user(db, id).await?,
        events: own_events,
        memberships: storage::team::memberships(db, id).await?,
        library,
        removals: storage::photos::library_retention::announced(db, id).await?,
        activity: storage::statistics::activity::by_day(db, id, Timestamp::from_millis(0)).await?,
        ledger: storage::payments::ledger::entries(db, id).await?,
        orders: storage::payments::orders::by_user(db, id).await?,
        coupons: storage::payments::coupons::of_orders(db, id).await?,
        payments: storage::payments::by_user(db, id).await?,
        refunds: storage::payments::refunds::by_user(db, id).await?,
        invoices: storage::payments::invoices::by_user(db, id).await?,
        billing: storage::payments::billing::of_user(db, id).await?,
        user,
    })
}

/// All photos of an owner, oldest first.
async fn all_photos(app: &App, owner: UserId) -> Result<Vec<Photo>> {
    let (mut photos, mut before) = (Vec::<Photo>::new(), None);
    loop {
        let query =
            PhotoQuery { order: storage::photos::Order::Uploaded(before), ..PhotoQuery::all(owner, BATCH) };
        let page = storage::photos::search(&app.db, &query).await?;
        let Some(last) = page.last() else { break };
        before = Some(last.id);
        photos.extend(page);
    }
    photos.reverse();
    Ok(photos)
}

/// Asks the store for the photos, and computes what their entries need. A file that is not there would break the ZIP off in
/// the middle, each time anew.
async fn find_files(app: &App, photos: Vec<Photo>) -> Result<Vec<(Photo, Option<Missing>)>> {
    let lookups = photos.into_iter().map(|photo| find_file(app.clone(), photo));
    futures::stream::iter(lookups).buffered(LOOKUPS).try_collect().await
}

async fn find_file(app: App, mut photo: Photo) -> Result<(Photo, Option<Missing>)> {
    let missing = match app.store.size(&photo.key).await? {
        None => Some(Missing::NotStored),
        Some(size) if i64::try_from(size) != Ok(photo.size_bytes) => Some(Missing::Damaged),
        Some(_) => {
            photo.crc32 = Some(archives::crc32(&app, &photo).await?);
            None
        }
    };
    Ok((photo, missing))
}

/// Names the photos of one folder.
fn place(folder: &str, photos: Vec<(Photo, Option<Missing>)>, is_open: bool) -> Vec<Placed> {
    let mut names = Names::default();
    let place = |(photo, missing): (Photo, Option<Missing>)| {
        let missing = if is_open { missing } else { Some(Missing::BeingDeleted) };
        let place = match missing {
            Some(missing) => Err(missing),
            None => Ok(format!("{folder}/{}", names.add(&photo.own_filename()))),
        };
        Placed { photo, place }
    };
    photos.into_iter().map(place).collect()
}
