//! The largest events.

use domain::Timestamp;
use domain::events::keeping::Keeping;
use domain::operations::administration::SizePosition;
use domain::operations::runtime::pages::PageSize;
use storage::operations::administration::SizedEvent;

use super::context::Administration;
use crate::Result;

/// Events on a page when the request says nothing, and at most.
const PAGE: PageSize = PageSize { default: 50, most: 100 };

/// An event, with when its photos are deleted.
pub struct Shown {
    /// The event, its size and its owner.
    pub sized: SizedEvent,
    /// When its photos are deleted; none when they are kept for ever.
    pub expires_at: Option<Timestamp>,
}

/// A page of events, largest first.
pub struct Page {
    /// The events.
    pub events: Vec<Shown>,
    /// The mark of the next page; none on the last.
    pub next_cursor: Option<String>,
}

/// A page of the events that are not deleted.
///
/// # Errors
/// [`domain::Refusal::CursorInvalid`] for a mark that was not given out.
pub async fn page(
    administration: &Administration,
    keeping: Keeping,
    limit: Option<u32>,
    cursor: Option<&str>,
) -> Result<Page> {
    let before = cursor.map(str::parse::<SizePosition>).transpose()?;
    let limit = PAGE.of(limit)?;
    let before = before.map(|position| (position.bytes, position.event));
    let mut found =
        storage::operations::administration::largest_events(&administration.db, before, i64::from(limit) + 1)
            .await?;
    let wanted = usize::try_from(limit).unwrap_or(usize::MAX);
    let is_more = found.len() > wanted;
    found.truncate(wanted);
    let next =
        found.last().filter(|_| is_more).map(|last| SizePosition { bytes: last.bytes, event: last.event.id });
    let events =
        found.into_iter().map(|sized| Shown { expires_at: sized.event.expires_at(keeping), sized }).collect();
    Ok(Page { events, next_cursor: next.map(|position| position.to_string()) })
}
