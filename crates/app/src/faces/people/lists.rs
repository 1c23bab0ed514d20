//! What the photographer sees of an event's people.

use domain::accounts::User;
use domain::faces::people::{Person, PersonSummary};
use domain::operations::runtime::pages::PageSize;
use domain::team::Right;
use domain::{EventId, PersonId, Refusal};
use storage::faces::people::{Counts, List};

use crate::team::rights;
use crate::{App, Result};

/// People in one page of a list by default, and at most.
const PAGE: PageSize = PageSize { default: 100, most: 500 };

/// Which people of an event are meant.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Those that were put aside, or the others.
    pub hidden: bool,
    /// At most so many.
    pub limit: Option<u32>,
    /// Those after the page that gave this mark.
    pub cursor: Option<String>,
}

/// A person, and a link to its face.
pub struct Shown {
    /// The person.
    pub person: PersonSummary,
    /// A signed link to its largest and clearest face.
    pub picture_url: String,
}

/// A page of people, those in most photos first.
pub struct Page {
    /// Whether the event's faces are put together.
    pub is_on: bool,
    /// The people.
    pub people: Vec<Shown>,
    /// How many there are on all pages.
    pub total: i64,
    /// How many were put aside, or were not: the other list.
    pub others: i64,
    /// How many faces belong to nobody yet.
    pub waiting: i64,
    /// The mark of the next page; none on the last.
    pub next_cursor: Option<String>,
}

/// The people of an event that the caller manages.
///
/// # Errors
/// [`Refusal::EventNotFound`], or [`Refusal::CursorInvalid`] for a mark that was not given out.
pub async fn of_event(app: &App, owner: &User, event: EventId, query: Query) -> Result<Page> {
    rights::event(app, owner, event, Right::Manage).await?;
    let offset = query.cursor.map_or(Ok(0), |cursor| cursor.parse::<u32>());
    let offset = i64::from(offset.map_err(|_| Refusal::CursorInvalid)?);
    let limit = i64::from(PAGE.of(query.limit)?);
    let db = &app.db;
    let found =
        storage::faces::people::list(db, &List { event, hidden: query.hidden, offset, limit: limit + 1 })
            .await?;
    let Counts { shown: visible, hidden } = storage::faces::people::counts(db, event).await?;
    let (total, others) = if query.hidden { (hidden, visible) } else { (visible, hidden) };
    let is_more = i64::try_from(found.len()).unwrap_or(i64::MAX) > limit;
    let people = found.into_iter().take(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(Page {
        is_on: storage::faces::people::is_grouping(db, event).await?,
        people: people.map(|person| shown(app, person)).collect(),
        total,
        others,
        waiting: storage::faces::people::faces_without(db, event, &app.engine.packs()).await?,
        next_cursor: is_more.then(|| (offset + limit).to_string()),
    })
}

/// A person of an open event that the caller manages.
///
/// # Errors
/// [`Refusal::PersonNotFound`], also for one who is in hidden photos alone.
pub async fn one(app: &App, owner: &User, id: &str) -> Result<Shown> {
    let person = own_by_id(app, owner, id).await?;
    let summary = storage::faces::people::summary(&app.db, &person).await?.ok_or(Refusal::PersonNotFound)?;
    Ok(shown(app, summary))
}

fn shown(app: &App, person: PersonSummary) -> Shown {
    Shown { person, picture_url: crate::photos::files::face_link(app, person.photo, person.face) }
}

/// A person of an open event that the caller manages.
///
/// # Errors
/// [`Refusal::PersonNotFound`].
pub(crate) async fn own_by_id(app: &App, owner: &User, id: &str) -> Result<Person> {
    let id: PersonId = id.parse().map_err(|_| Refusal::PersonNotFound)?;
    let person = storage::faces::people::by_id(&app.db, id).await?.ok_or(Refusal::PersonNotFound)?;
    match rights::manages_open(app, owner, person.event).await? {
        true => Ok(person),
        false => Err(Refusal::PersonNotFound.into()),
    }
}
