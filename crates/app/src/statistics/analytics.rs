//! The numbers of a photographer's dashboard.

use std::time::Duration;

use domain::DAY;
use domain::accounts::User;
use domain::events::Event;
use storage::statistics::activity::{Day, Summary};

use crate::faces::renewal::{self, Renewal};
use crate::{App, Result, statistics};

/// How far back recently deleted events and the days go.
pub const RECENT: Duration = DAY.saturating_mul(30);

/// The numbers of a photographer's dashboard.
pub struct Analytics {
    /// Totals over the account's lifetime.
    pub summary: Summary,
    /// Events that were deleted in the last 30 days.
    pub recently_deleted: Vec<Event>,
    /// All events, including deleted ones.
    pub all: Vec<Event>,
    /// The days with activity of the last 30 days, oldest first.
    pub days: Vec<Day>,
    /// How far the photos are described anew; none where none waits for it.
    pub renewal: Option<Renewal>,
}

impl Analytics {
    /// Photos per event, in hundredths, rounded; 0 without events.
    pub fn photos_per_event_hundredths(&self) -> i64 {
        let Summary { total_events, photos_uploaded, .. } = self.summary;
        if total_events == 0 { 0 } else { (photos_uploaded * 100 + total_events / 2) / total_events }
    }
}

/// The numbers of a photographer's dashboard.
pub async fn dashboard(app: &App, owner: &User) -> Result<Analytics> {
    let since = app.now().minus(RECENT);
    statistics::write(app).await?;
    Ok(Analytics {
        summary: storage::statistics::activity::summary(&app.db, owner.id).await?,
        recently_deleted: storage::events::deleted_since(&app.db, owner.id, since).await?,
        all: storage::events::all_by_owner(&app.db, owner.id).await?,
        days: storage::statistics::activity::by_day(&app.db, owner.id, since).await?,
        renewal: renewal::of_owner(app, owner.id).await?,
    })
}
