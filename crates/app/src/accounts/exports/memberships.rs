//! In whose teams the account is.

use domain::EventId;
use serde::Serialize;

use super::contents::Contents;
use super::values::{Id, Moment};

/// An event of somebody else in whose team the account is. Its photos are the owner's.
#[derive(Serialize)]
pub(super) struct Membership<'a> {
    event: Id<EventId>,
    event_name: &'a str,
    owner_name: &'a str,
    role: &'static str,
    since: Moment,
}

pub(super) fn memberships(contents: &Contents) -> Vec<Membership<'_>> {
    let memberships = contents.memberships.iter().map(|membership| Membership {
        event: Id(membership.event),
        event_name: &membership.event_name,
        owner_name: &membership.owner_name,
        role: membership.role.as_str(),
        since: Moment(membership.since),
    });
    memberships.collect()
}
