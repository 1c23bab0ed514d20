//! The numbers of a photographer's dashboard.

use app::App;
use app::statistics::analytics::{self, Analytics};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::events::EventBody;
use crate::operations::runtime::error::Result;
use crate::operations::runtime::extract::{Json, Photographer};
use crate::operations::runtime::responses::PhotographersOnly;

#[derive(Serialize, ToSchema)]
pub(crate) struct SummaryBody {
    /// Active and deleted ones.
    total_events: i64,
    active_events: i64,
    deleted_events: i64,
    /// Two decimals; 0 without events.
    avg_photos_per_event: f64,
    /// Every upload there ever was.
    total_photos_uploaded: i64,
    /// Faces that can be found now.
    total_faces_indexed: i64,
}

/// What happened on one day.
#[derive(Serialize, ToSchema)]
pub(crate) struct DayBody {
    /// YYYY-MM-DD in UTC.
    #[schema(format = Date)]
    date: String,
    uploads: i64,
    searches: i64,
}

/// How far photos are described anew after a change of the face models; guests find all of them meanwhile.
#[derive(Serialize, ToSchema)]
pub(crate) struct RenewalBody {
    /// Those that are through.
    described: i64,
    /// These, and those that wait.
    total: i64,
    /// How long the rest takes at most, as fast as it goes; null where that is not known yet.
    seconds_left: Option<u64>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct AnalyticsBody {
    summary: SummaryBody,
    /// Those deleted in the last 30 days.
    recent_deleted_events: Vec<EventBody>,
    /// Active and deleted ones.
    all_events: Vec<EventBody>,
    /// The days of the last 30 on which anything happened, oldest first.
    days: Vec<DayBody>,
    /// Null while no photo waits for it.
    renewal: Option<RenewalBody>,
}

/// The numbers of the caller's dashboard.
#[utoipa::path(get, path = "/api/events/analytics", tag = "events", security(("bearer" = [])), responses(
    (status = 200, body = AnalyticsBody),
    PhotographersOnly,
))]
pub(crate) async fn analytics(
    State(app): State<App>,
    Photographer(owner): Photographer,
) -> Result<Json<AnalyticsBody>> {
    let analytics = analytics::dashboard(&app, &owner).await?;
    // Hundredths of small numbers are exact enough for a JSON number.
    let avg_photos_per_event = domain::Paise::new(analytics.photos_per_event_hundredths()).as_rupees();
    let Analytics { summary, recently_deleted, all, days, renewal } = analytics;
    let bodies = |events: Vec<_>| events.into_iter().map(|event| EventBody::new(&app, event)).collect();
    Ok(Json(AnalyticsBody {
        summary: SummaryBody {
            total_events: summary.total_events,
            active_events: summary.active_events,
            deleted_events: summary.deleted_events,
            avg_photos_per_event,
            total_photos_uploaded: summary.photos_uploaded,
            total_faces_indexed: summary.faces_indexed,
        },
        recent_deleted_events: bodies(recently_deleted),
        all_events: bodies(all),
        days: days
            .into_iter()
            .map(|day| DayBody {
                date: day.date.to_string(),
                uploads: day.uploads,
                searches: day.counts.searches,
            })
            .collect(),
        renewal: renewal.map(|renewal| RenewalBody {
            described: renewal.done,
            total: renewal.total,
            seconds_left: renewal.left.map(|left| left.as_secs()),
        }),
    }))
}
