//! What guests did with an event, by day.

pub(crate) mod analytics;

use app::App;
use app::statistics::{self, Day, weekly};
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;
use domain::statistics::Counts;
use domain::statistics::accuracy::{Accuracy, Share};
use domain::{EventId, Refusal};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::operations::runtime::conditional::header_value;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, Photographer, PhotographerWithSession};
use crate::operations::runtime::responses::{InvalidBody, PhotographersOnly};

/// How often guests did something. The numbers say nothing about who did.
#[derive(Serialize, ToSchema)]
#[schema(as = GuestCounts)]
pub(crate) struct CountsBody {
    /// Openings of the event's page in a browser.
    visits: i64,
    /// Searches that were answered.
    searches: i64,
    /// Those that found a photo.
    searches_found: i64,
    /// Those that found none. Searches of a version that did not tell them apart are in `searches` alone.
    searches_empty: i64,
    /// How many of a hundred searches found something, rounded; null where no result was counted.
    found_percent: Option<i64>,
    /// Devices that found photos for the first time, as they say themselves.
    guests_helped: i64,
    /// Photos that were saved, one by one or in a ZIP.
    downloads: i64,
    /// How often somebody began to look at all photos.
    browsed: i64,
    /// Hearts that were put on photos; those that were taken back are not subtracted.
    hearts: i64,
}

impl From<Counts> for CountsBody {
    fn from(counts: Counts) -> Self {
        Self {
            visits: counts.visits,
            searches: counts.searches,
            searches_found: counts.searches_found,
            searches_empty: counts.searches_empty,
            found_percent: counts.found_percent(),
            guests_helped: counts.guests_helped,
            downloads: counts.downloads,
            browsed: counts.browsed,
            hearts: counts.hearts,
        }
    }
}

/// What happened on one day.
#[derive(Serialize, ToSchema)]
#[schema(as = StatisticsDay)]
pub(crate) struct DayBody {
    /// YYYY-MM-DD in UTC.
    #[schema(format = Date)]
    date: String,
    uploads: i64,
    #[serde(flatten)]
    guests: CountsBody,
}

impl From<Day> for DayBody {
    fn from(day: Day) -> Self {
        Self { date: day.date.to_string(), uploads: day.uploads, guests: day.counts.into() }
    }
}

/// A share, from 0 to 1, with the bounds of its 95 % confidence interval.
#[derive(Serialize, ToSchema)]
#[schema(as = Share)]
pub(crate) struct ShareBody {
    at: f64,
    low: f64,
    high: f64,
}

impl From<Share> for ShareBody {
    fn from(Share { at, low, high }: Share) -> Self {
        Self { at, low, high }
    }
}

/// How well searches are, by what guests said of them. Who says nothing counts as content.
#[derive(Serialize, ToSchema)]
#[schema(as = Accuracy)]
pub(crate) struct AccuracyBody {
    /// How often a guest said that a photo is not theirs, or that one of theirs was missing.
    answers: i64,
    /// Of the photos that guests are in, as far as they are known, the share that searches found; null where guests cannot look at
    /// all photos.
    found: Option<ShareBody>,
    /// Of the photos that guests were shown, the share that shows somebody else.
    wrong: ShareBody,
}

impl From<Accuracy> for AccuracyBody {
    fn from(Accuracy { answers, found, wrong }: Accuracy) -> Self {
        Self { answers, found: found.map(ShareBody::from), wrong: wrong.into() }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct StatisticsBody {
    /// All days together.
    totals: CountsBody,
    /// Null before ten answers.
    accuracy: Option<AccuracyBody>,
    /// The days on which anything happened, oldest first.
    days: Vec<DayBody>,
}

/// What guests did with one of the caller's events, by day.
#[utoipa::path(get, path = "/api/events/{event}/statistics", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**")),
    responses(
        (status = 200, body = StatisticsBody),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller"),
    ))]
pub(crate) async fn statistics(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
) -> Result<Json<StatisticsBody>> {
    let id: EventId = id.parse().map_err(|_| Refusal::EventNotFound)?;
    let (event, days) = statistics::of_event(&app, &owner, id).await?;
    let mut totals = Counts::NOTHING;
    for day in &days {
        totals.add(day.counts);
    }
    let accuracy = Accuracy::of(totals, event.flags.browsable).map(AccuracyBody::from);
    let days = days.into_iter().map(DayBody::from).collect();
    Ok(Json(StatisticsBody { totals: totals.into(), accuracy, days }))
}

/// The same as CSV (RFC 4180) with a header line and a byte order mark.
#[utoipa::path(get, path = "/api/events/{event}/statistics.csv", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**")),
    responses(
        (status = 200, content_type = "text/csv", body = String),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller"),
    ))]
pub(crate) async fn statistics_csv(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
) -> Result<impl IntoResponse> {
    let id: EventId = id.parse().map_err(|_| Refusal::EventNotFound)?;
    let (event, csv) = statistics::csv(&app, &owner, id).await?;
    let disposition = format!("attachment; filename=\"{}-statistics.csv\"", event.slug);
    let headers = [
        (CONTENT_TYPE, header_value("text/csv; charset=utf-8")?),
        (CONTENT_DISPOSITION, header_value(&disposition)?),
    ];
    Ok((headers, csv))
}

/// Whether the caller gets a mail on Mondays that says what is to be done about their events.
#[derive(Serialize, Deserialize, ToSchema)]
pub(crate) struct WeeklySummaryBody {
    /// Off until somebody switches it on. There is no mail where nothing is to be done.
    wanted: bool,
}

/// Whether the caller gets the weekly mail.
#[utoipa::path(get, path = "/api/auth/weekly-summary", tag = "accounts", security(("bearer" = [])), responses(
    (status = 200, body = WeeklySummaryBody),
    PhotographersOnly,
))]
pub(crate) async fn weekly_summary(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
) -> Result<Json<WeeklySummaryBody>> {
    Ok(Json(WeeklySummaryBody { wanted: weekly::wanted(&app, &user).await? }))
}

/// Switches the weekly mail on or off.
#[utoipa::path(put, path = "/api/auth/weekly-summary", tag = "accounts", security(("bearer" = [])),
    request_body = WeeklySummaryBody, responses(
        (status = 200, body = WeeklySummaryBody),
        InvalidBody,
        PhotographersOnly,
    ))]
pub(crate) async fn set_weekly_summary(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
    Json(WeeklySummaryBody { wanted }): Json<WeeklySummaryBody>,
) -> Result<Json<WeeklySummaryBody>> {
    weekly::set_wanted(&app, &user, wanted).await?;
    Ok(Json(WeeklySummaryBody { wanted }))
}
