//! Creating and reading events.

pub mod access;
pub mod changes;
pub(crate) mod cover_cache;
pub mod covers;
pub mod delete;
pub mod publication;
pub mod recently_deleted;
pub mod retention;

use std::cmp::Reverse;
use std::collections::HashMap;

use domain::accounts::User;
use domain::events::{self, Event, slugs};
use domain::operations::runtime::pages::PageSize;
use domain::payments::coupons::CODE_LENGTH;
use domain::team::{MemberRole, Role};
use domain::{EventId, Paise, Refusal, Timestamp};
use storage::events::Title;
use storage::team::Membership;

use crate::studio::watermarked;
use crate::team::rights::{self, Granted};
use crate::webhooks::reports;
use crate::{App, Result};

/// The form of a new event.
#[derive(Default)]
pub struct NewEvent {
    /// Its name, as entered.
    pub name: String,
    /// Its date, as entered.
    pub date: String,
    /// What it is about, as entered.
    pub description: String,
    /// For how many days its photos are to be kept, 0 for ever; none is the installation's period.
    pub keep_days: Option<u32>,
    /// An amount that the client claims was paid: recorded, but not trusted.
    pub payment_amount: Option<Paise>,
    /// A coupon that the client claims was used: recorded, but not trusted.
    pub coupon_code: Option<String>,
}

/// Creates an event.
///
/// # Errors
/// The refusals of its fields, or [`Refusal::SignInRequired`] when the account was closed meanwhile.
pub async fn create(app: &App, owner: &User, new: NewEvent) -> Result<Event> {
    let name = events::parse_name(&new.name)?;
    let date = events::parse_date(&new.date)?;
    events::check_year(date, app.now())?;
    let description = events::parse_description(&new.description)?;
    if let Some(days) = new.keep_days {
        app.settings.keeping.check(days)?;
    }
    if new.coupon_code.as_ref().is_some_and(|code| code.chars().count() > CODE_LENGTH) {
        return Err(Refusal::CouponUnknown.into());
    }
    let row = storage::events::NewEvent {
        id: app.id::<EventId>(),
        owner: owner.id,
        slug: slugs::generate_slug(&name, &app.randomness),
        name,
        date,
        description,
        keep_days: new.keep_days,
        created_at: app.now(),
        payment_amount: new.payment_amount,
        coupon_code: new.coupon_code,
    };
    let mut tx = app.begin().await?;
    if !storage::events::create(&mut tx, &row).await? {
        return Err(Refusal::SignInRequired.into());
    }
    let event = storage::events::by_id(&mut *tx, row.id).await?.ok_or(Refusal::EventNotFound)?;
    reports::event_created(&mut tx, &event, app.guest_page(event.owner, &event.slug), event.created_at)
        .await?;
    tx.commit().await?;
    Ok(event)
}

/// An event in a photographer's lists.
pub struct Listed {
    /// The event.
    pub event: Event,
    /// What the photographer is to it.
    pub role: Role,
    /// Whose it is; none for an own one.
    pub owner_name: Option<String>,
}

impl Listed {
    /// An own event.
    pub const fn own(event: Event) -> Self {
        Self { event, role: Role::Owner, owner_name: None }
    }

    /// An event that was just found, for whoever may see it.
    pub(crate) async fn of(app: &App, granted: Granted) -> Result<Self> {
        let Granted { event, role, .. } = granted;
        let owner_name = match role {
            Role::Owner => None,
            Role::Member(_) => {
                let owner = storage::team::names(&app.db, &[event.owner]).await?.pop();
                Some(owner.map(|owner| owner.name).unwrap_or_default())
            }
        };
        Ok(Self { event: seen_as(role, event), role, owner_name })
    }
}

/// An event as somebody of its team sees it: contributors see no photos but their own, and what guests see.
fn seen_as(role: Role, event: Event) -> Event {
    match role {
        Role::Owner | Role::Member(MemberRole::Manager) => event,
        Role::Member(MemberRole::Contributor) => event.seen_by_guests(),
    }
}

/// A photographer's events and those that are shared with them, newest first, own ones that are being deleted too.
pub async fn list(app: &App, caller: &User) -> Result<Vec<Listed>> {
    let own = storage::events::by_owner(&app.db, caller.id).await?;
    let mut listed: Vec<Listed> = own.into_iter().map(Listed::own).collect();
    let shared = shared(app, caller).await?;
    if !shared.is_empty() {
        listed.extend(shared);
        newest_first(&mut listed);
    }
    Ok(listed)
}

fn newest_first(listed: &mut [Listed]) {
    listed.sort_by_cached_key(|listed| Reverse(place(&listed.event)));
}

/// The events in whose team a photographer is, newest first.
async fn shared(app: &App, caller: &User) -> Result<Vec<Listed>> {
    let memberships = storage::team::memberships(&app.db, caller.id).await?;
    let ids: Vec<EventId> = memberships.iter().map(|membership| membership.event).collect();
    let mut memberships: HashMap<EventId, Membership> =
        memberships.into_iter().map(|membership| (membership.event, membership)).collect();
    let events = storage::events::by_ids(&app.db, &ids).await?.into_iter().filter(Event::is_open);
    let listed = events.filter_map(|event| {
        let Membership { role, owner_name, .. } = memberships.remove(&event.id)?;
        let role = Role::Member(role);
        Some(Listed { event: seen_as(role, event), role, owner_name: Some(owner_name) })
    });
    Ok(listed.collect())
}

/// Entries of a page.
const PAGE: PageSize = PageSize { default: 50, most: 200 };
/// Names that are read at once when an event is looked for by its name.
const NAMES: i64 = 2_000;

/// Which of a photographer's events are asked for.
#[derive(Default)]
pub struct Query {
    /// A part of their name, whatever the case of its letters.
    pub name: String,
    /// Their ids; all of them when left out.
    pub ids: Option<Vec<EventId>>,
    /// Only those that are being deleted.
    pub deleting: bool,
    /// Only those of others in whose team the photographer is; without ids own ones alone otherwise.
    pub shared: bool,
    /// How many; 50 when left out, at most 200.
    pub limit: Option<u32>,
    /// [`Page::next_cursor`] of the page before.
    pub cursor: Option<String>,
}

/// A page of events, newest first.
pub struct Page {
    /// They.
    pub events: Vec<Listed>,
    /// The cursor of the next page; none on the last.
    pub next_cursor: Option<String>,
}

/// A page of a photographer's events, including those that are being deleted.
///
/// # Errors
/// [`Refusal::CursorInvalid`] for a cursor that no page has returned.
pub async fn search(app: &App, owner: &User, query: Query) -> Result<Page> {
    let after = match query.cursor {
        Some(cursor) => Some(event_of_cursor(app, owner, &cursor).await?),
        None => None,
    };
    let limit = PAGE.of(query.limit)?;
    let wanted = usize::try_from(limit).unwrap_or(usize::MAX);
    let part = events::NamePart::new(&query.name);
    let few = match &query.ids {
        _ if query.shared => Some(shared(app, owner).await?),
        Some(ids) => Some(by_ids(app, owner, ids).await?),
        None if query.deleting => {
            let deleting = storage::events::being_deleted_of(&app.db, owner.id).await?;
            Some(deleting.into_iter().map(Listed::own).collect())
        }
        None => None,
    };
    if let Some(mut found) = few {
        found.retain(|Listed { event, .. }| {
            query.ids.as_ref().is_none_or(|ids| ids.contains(&event.id))
                && (event.deleting_since.is_some() || !query.deleting)
                && part.as_ref().is_none_or(|part| part.is_in(&event.name))
                && after.as_ref().is_none_or(|after| place(event) < place(after))
        });
        return Ok(Page::first_of(found, wanted));
    }
    if let Some(part) = part {
        let mut found = titles_with(app, owner, &part, after, wanted).await?;
        let more = found.len() > wanted;
        found.truncate(wanted);
        let next_cursor = found.last().filter(|_| more).map(EventId::to_string);
        let events = storage::events::by_ids(&app.db, &found).await?.into_iter().map(Listed::own).collect();
        return Ok(Page { events, next_cursor });
    }
    // One more says whether there is another page.
    let found = storage::events::page(&app.db, owner.id, after.as_ref(), i64::from(limit) + 1).await?;
    Ok(Page::first_of(found.into_iter().map(Listed::own).collect(), wanted))
}

/// Those of these events that are the photographer's, or are shared with them, newest first.
async fn by_ids(app: &App, caller: &User, ids: &[EventId]) -> Result<Vec<Listed>> {
    let events = storage::events::by_ids(&app.db, ids).await?;
    let (own, others): (Vec<Event>, Vec<Event>) =
        events.into_iter().partition(|event| event.owner == caller.id);
    let mut found: Vec<Listed> = own.into_iter().map(Listed::own).collect();
    if !others.is_empty() {
        let shared = shared(app, caller).await?;
        found.extend(shared.into_iter().filter(|listed| ids.contains(&listed.event.id)));
        newest_first(&mut found);
    }
    Ok(found)
}

/// Where an event is in the lists, whose order is that of their ids' texts at one moment.
fn place(event: &Event) -> (Timestamp, String) {
    (event.created_at, event.id.to_string())
}

impl Page {
    /// The first of these events, with a cursor if there are more.
    fn first_of(mut events: Vec<Listed>, wanted: usize) -> Self {
        let more = events.len() > wanted;
        events.truncate(wanted);
        let next_cursor = events.last().filter(|_| more).map(|last| last.event.id.to_string());
        Self { events, next_cursor }
    }
}

/// The events after `after` whose name has a part: all of them, or more than `wanted`.
async fn titles_with(
    app: &App,
    owner: &User,
    part: &events::NamePart,
    after: Option<Event>,
    wanted: usize,
) -> Result<Vec<EventId>> {
    let mut after = after.map(|event| Title { id: event.id, name: event.name, created_at: event.created_at });
    let mut found = Vec::new();
    loop {
        let read = storage::events::titles(&app.db, owner.id, after.as_ref(), NAMES).await?;
        let is_last = i64::try_from(read.len()).is_ok_and(|read| read < NAMES);
        after = read.last().cloned();
        // Letters of all scripts have the same cases on both engines because none of them compares the names.
        found.extend(read.into_iter().filter(|title| part.is_in(&title.name)).map(|title| title.id));
        if is_last || found.len() > wanted {
            return Ok(found);
        }
    }
}

/// The event after which a page begins, which may be deleted meanwhile.
async fn event_of_cursor(app: &App, owner: &User, cursor: &str) -> Result<Event> {
    let id = cursor.parse::<EventId>().map_err(|_| Refusal::CursorInvalid)?;
    let event = storage::events::by_id(&app.db, id).await?.ok_or(Refusal::CursorInvalid)?;
    match rights::role(app, owner.id, &event).await? {
        Some(_) => Ok(event),
        None => Err(Refusal::CursorInvalid.into()),
    }
}

/// The open event with this slug, as its guests see it.
///
/// # Errors
/// [`Refusal::EventNotFound`], also for one that is being deleted.
pub async fn by_slug(app: &App, slug: &str) -> Result<Event> {
    let event = storage::events::by_slug(&app.db, slug).await?;
    let event = event.filter(|event| event.is_open() && app.serves(event.owner));
    let event = event.ok_or(Refusal::EventNotFound)?.seen_by_guests().without_held();
    // Covers have no watermark, which is the photographer's choice for one they have chosen.
    let is_automatic = event.cover.is_some_and(|cover| cover.is_automatic);
    if is_automatic && watermarked::of_owner(app, event.owner).await?.is_some() {
        return Ok(Event { cover: None, ..event });
    }
    Ok(event)
}
