//! Gathers what a photographer can act on (decision 0103).

use std::collections::HashMap;

use domain::accounts::User;
use domain::statistics::digest::{self, Around, Digest, Line};
use domain::{EventId, Timestamp};
use storage::guests::{client_selections, guest_photos, objections};

use crate::{App, Result};

/// What is to be done about the events of an account, of which it is the owner.
pub(super) async fn gather(app: &App, user: &User, now: Timestamp) -> Result<Digest> {
    let events = storage::events::by_owner(&app.db, user.id).await?;
    let mut around: HashMap<EventId, Around> = HashMap::new();
    for selection in client_selections::of_owner(&app.db, user.id).await? {
        let chosen =
            if selection.is_new() { client_selections::chosen(&app.db, selection.id).await? } else { 0 };
        around.entry(selection.event).or_default().selections.push((selection, chosen));
    }
    for request in objections::of_owner(&app.db, user.id).await? {
        around.entry(request.event).or_default().requests.push(request);
    }
    for waiting in guest_photos::waiting_by_event(&app.db, user.id).await? {
        around.entry(waiting.event).or_default().guest_photos = waiting.photos;
    }
    let mut lines = Vec::new();
    for event in &events {
        let around = around.remove(&event.id).unwrap_or_default();
        let matters = digest::matters(event, &around, app.settings.keeping, now);
        lines.extend(matters.into_iter().map(|matter| Line {
            event: event.id,
            event_name: event.name.clone(),
            matter,
        }));
    }
    // Stable: within a heading the newest event is first.
    lines.sort_by_key(|line| line.matter.heading());
    let low_credits = digest::needs_credits(user, &events, now).then_some(user.credits);
    Ok(Digest { lines, low_credits })
}
