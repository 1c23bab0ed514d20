//! What guests did with an event, as numbers by day that name nobody (decision 0049).
//!
//! A request adds to numbers in memory and waits for nothing. They are written every [`INTERVAL`], a row for an event and a
//! day, so that a crash loses what was counted since; a stop and whoever reads the numbers write them first.

pub mod analytics;
mod digest;
pub(crate) mod tallies;

pub mod weekly;

use std::time::Duration;

use domain::accounts::User;
use domain::events::Event;
use domain::photos::Photo;
use domain::statistics::Counts;
use domain::team::Right;
use domain::{DAY, EventId, PhotoId, Timestamp, UserId};
use storage::statistics::activity::Place;
use tokio_util::sync::CancellationToken;

use crate::guests::archives::{Archive, Guests};
use crate::operations::runtime::spreadsheets::Table;
use crate::operations::runtime::tasks;
use crate::statistics::tallies::Pending;
use crate::team::rights;
use crate::{App, Result, webhooks};

pub use storage::statistics::activity::Day;

/// How long numbers are in memory alone.
const INTERVAL: Duration = Duration::from_secs(10);

const HEADER: [&str; 14] = [
    "date",
    "visits",
    "searches",
    "searches_found",
    "searches_empty",
    "found_percent",
    "guests_helped",
    "downloads",
    "uploads",
    // Later than the others: programs may know these by their place.
    "browsed",
    "hearts",
    "shown",
    "not_me",
    "missed",
];

fn count(app: &App, event: Option<EventId>, owner: UserId, counts: Counts) {
    app.tallies.add(Place { event, owner, day: app.now().date() }, counts);
}

/// Counts an opening of an event's page.
pub fn count_visit(app: &App, event: &Event) {
    count(app, Some(event.id), event.owner, Counts::VISIT);
}

/// How many days ago, in UTC, an event was; none on its day and before it.
pub fn days_since(app: &App, event: &Event) -> u32 {
    let today = Timestamp::start_of_day(app.now().date());
    let passed = today.since(Timestamp::start_of_day(event.date)).as_secs() / DAY.as_secs();
    u32::try_from(passed).unwrap_or(u32::MAX)
}

/// Counts what guests of an event did so many days ago: for an event that is shown as if it had been there then.
pub fn count_earlier(app: &App, event: &Event, days_ago: u32, counts: Counts) {
    let day = app.now().minus(DAY.saturating_mul(days_ago)).date();
    app.tallies.add(Place { event: Some(event.id), owner: event.owner, day }, counts);
}

/// Counts somebody who begins to look at all photos of an event.
pub(crate) fn count_browsing(app: &App, event: &Event) {
    count(app, Some(event.id), event.owner, Counts::BROWSING);
}

/// Counts a heart that is put on a photo of an event.
pub(crate) fn count_heart(app: &App, event: &Event) {
    count(app, Some(event.id), event.owner, Counts::HEART);
}

/// Counts an answered search, in an event or over all of an owner's photos.
pub(crate) fn count_search(app: &App, event: Option<EventId>, owner: UserId, photos: usize, first: bool) {
    let photos = i64::try_from(photos).unwrap_or(i64::MAX);
    count(app, event, owner, Counts::search(photos, first));
}

/// Counts a photo of an event that shows somebody else than the guest whom it was shown.
pub(crate) fn count_not_me(app: &App, event: &Event) {
    count(app, Some(event.id), event.owner, Counts::NOT_ME);
}

/// Counts a photo of an event that shows a guest whose search has not found it.
pub(crate) fn count_missed(app: &App, event: &Event) {
    count(app, Some(event.id), event.owner, Counts::MISSED);
}

/// Counts photos of an event that are saved together.
fn count_downloads(app: &App, event: EventId, owner: UserId, photos: &[PhotoId]) {
    count(app, Some(event), owner, Counts::downloads(i64::try_from(photos.len()).unwrap_or(i64::MAX)));
    app.tallies.add_photos(photos);
}

/// Counts the photos of a ZIP that is saved.
pub fn count_archive(app: &App, archive: &Archive) {
    if let Some(Guests { event, owner, photos }) = &archive.guests {
        count_downloads(app, *event, *owner, photos);
    }
}

/// Counts a photo of an event that is saved.
pub(crate) fn count_download(app: &App, photo: &Photo) {
    if let Some(event) = photo.event {
        count_downloads(app, event, photo.owner, &[photo.id]);
    }
}

/// Counts a photo that is saved by a link, which names the photo alone: its event is looked up later, for all together.
pub fn count_saved(app: &App, photo: &str) {
    if let Ok(photo) = photo.parse() {
        app.tallies.add_saved(photo);
    }
}

/// Writes what was counted, every few seconds and once more at the end.
pub async fn write_periodically(app: &App, stop: CancellationToken) {
    while !stop.is_cancelled() {
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(INTERVAL) => {}
        }
        if let Err(failure) = write(app).await {
            tracing::error!(error = failure.chain(), "the numbers of guests are not written yet");
        }
    }
}

/// Writes what was counted. Where that fails it stays in memory, for the next time.
///
/// # Errors
/// When the database fails.
pub async fn write(app: &App) -> Result<()> {
    let app = app.clone();
    // What is taken is of all events: it goes on when the caller is gone, who may be a request that was hung up.
    tasks::detached(async move {
        let mut pending = app.tallies.take();
        let written = write_all(&app, &mut pending).await;
        if written.is_err() {
            app.tallies.put_back(pending);
        }
        written
    })
    .await?
}

async fn write_all(app: &App, pending: &mut Pending) -> Result<()> {
    if !pending.saved.is_empty() {
        let ids: Vec<PhotoId> = pending.saved.keys().copied().collect();
        let photos = storage::photos::by_ids(&app.db, &ids).await?;
        let day = app.now().date();
        for photo in photos {
            let Some(times) = pending.saved.remove(&photo.id) else { continue };
            let place = Place { event: photo.event, owner: photo.owner, day };
            if photo.event.is_some() {
                pending.places.entry(place).or_default().add(Counts::downloads(times));
                *pending.photos.entry(photo.id).or_default() += times;
            }
        }
        // What is left was deleted meanwhile.
        pending.saved.clear();
    }
    if !pending.photos.is_empty() {
        let mut tx = app.begin().await?;
        storage::photos::add_downloads(&mut tx, &pending.photos).await?;
        tx.commit().await?;
        pending.photos.clear();
    }
    if pending.places.is_empty() {
        return Ok(());
    }
    let mut tx = app.begin().await?;
    for (place, counts) in &pending.places {
        storage::statistics::activity::add(&mut tx, *place, *counts).await?;
        if counts.searches > 0 {
            let searches = (counts.searches, counts.searches_found);
            webhooks::counts::searches_done(&mut tx, place.event, place.owner, searches, app.now()).await?;
        }
    }
    tx.commit().await
}

/// What happened in one of a photographer's events by day, oldest first; days without anything are left out.
///
/// # Errors
/// [`domain::Refusal::EventNotFound`].
pub async fn of_event(app: &App, owner: &User, event: EventId) -> Result<(Event, Vec<Day>)> {
    let event = rights::event(app, owner, event, Right::Manage).await?.event;
    write(app).await?;
    let days = storage::statistics::activity::of_event(&app.db, event.id).await?;
    Ok((event, days))
}

/// The same as CSV (RFC 4180) with a header line and a byte order mark; no text in it is anybody's. Answers with it the event,
/// whose name the file has.
///
/// # Errors
/// [`domain::Refusal::EventNotFound`].
pub async fn csv(app: &App, owner: &User, event: EventId) -> Result<(Event, Vec<u8>)> {
    let (event, days) = of_event(app, owner, event).await?;
    let mut table = Table::new(&HEADER)?;
    for day in days {
        let counts = day.counts;
        table.add([
            day.date.to_string(),
            counts.visits.to_string(),
            counts.searches.to_string(),
            counts.searches_found.to_string(),
            counts.searches_empty.to_string(),
            counts.found_percent().map(|percent| percent.to_string()).unwrap_or_default(),
            counts.guests_helped.to_string(),
            counts.downloads.to_string(),
            day.uploads.to_string(),
            counts.browsed.to_string(),
            counts.hearts.to_string(),
            counts.shown.to_string(),
            counts.not_me.to_string(),
            counts.missed.to_string(),
        ])?;
    }
    Ok((event, table.finish()?))
}
