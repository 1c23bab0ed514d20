//! Reading people, and the faces they are made of.

use std::collections::HashMap;

use domain::faces::people::{Person, PersonSummary};
use domain::faces::{BoundingBox, Embedding};
use domain::{EventId, FaceId, PersonId, PhotoId, Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::encode::cursor;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{Statement, fetch_all, fetch_one, fetch_optional};
use crate::photos::visibility::is_kept_from_team;
use crate::{Executor, Result};

/// A person as the next grouping finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its id.
    pub id: PersonId,
    /// Whether the photographer has decided about it.
    pub is_decided: bool,
}

impl FromColumns for Kept {
    type Columns = (String, bool);

    fn from_columns((id, is_decided): (String, bool)) -> Result<Self> {
        Ok(Self { id: decode::id(&id, "people.id")?, is_decided })
    }
}

/// A face that belongs to a person.
#[derive(Clone, Debug)]
pub struct GroupedFace {
    /// Where it is in the order of the event's faces.
    pub place: Place,
    /// Whose it is.
    pub person: PersonId,
    /// Its embedding.
    pub embedding: Embedding,
}

/// A place in the order of an event's faces, which is that of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    change: i64,
    face: FaceId,
}

impl FromColumns for GroupedFace {
    type Columns = (i64, String, String, Vec<u8>);

    fn from_columns((change, id, person, embedding): (i64, String, String, Vec<u8>)) -> Result<Self> {
        Ok(Self {
            place: Place { change, face: decode::id(&id, "faces.id")? },
            person: decode::id(&person, "faces.person_id")?,
            embedding: decode::known(Embedding::from_bytes(&embedding), "faces.embedding")?,
        })
    }
}

/// A face that belongs to nobody yet.
#[derive(Clone, Debug)]
pub struct NewFace {
    /// Its id.
    pub id: FaceId,
    /// Its embedding.
    pub embedding: Embedding,
}

impl FromColumns for NewFace {
    type Columns = (String, Vec<u8>);

    fn from_columns((id, embedding): (String, Vec<u8>)) -> Result<Self> {
        Ok(Self {
            id: decode::id(&id, "faces.id")?,
            embedding: decode::known(Embedding::from_bytes(&embedding), "faces.embedding")?,
        })
    }
}

impl FromColumns for Person {
    type Columns = (String, String, bool);

    fn from_columns((id, event, is_hidden): (String, String, bool)) -> Result<Self> {
        Ok(Self {
            id: decode::id(&id, "people.id")?,
            event: decode::id(&event, "people.event_id")?,
            is_hidden,
        })
    }
}

/// Open events with faces that `pack` has described and that belong to nobody, once no photo waits for its indexing, or the
/// last one was uploaded before `since`; and once no photo of `previous` waits to be described anew, with whose faces those of
/// `pack` cannot be compared.
pub async fn due(
    db: &dyn Executor,
    pack: &str,
    previous: Option<&str>,
    since: Timestamp,
) -> Result<Vec<EventId>> {
    // A photo that was given up keeps the faces of the other pack, and waits for nothing: its own column says so.
    fetch_all!(
        db,
        EventId,
        "SELECT id FROM events WHERE photos_stored > 0 AND deleting_since IS NULL AND deleted_at IS NULL AND groups_faces
             AND (photos_indexed + photos_failed >= photos_stored OR last_upload_at <= $2)
             AND EXISTS (SELECT 1 FROM faces WHERE faces.event_id = events.id AND pack = $1 AND person_id IS NULL)
             AND NOT EXISTS (SELECT 1 FROM faces WHERE faces.event_id = events.id AND pack = $3
                 AND (SELECT pack FROM photos WHERE id = faces.photo_id) = $3
                 AND NOT EXISTS (SELECT 1 FROM jobs
                     WHERE photo_id = faces.photo_id AND kind = 'describe_photo' AND state = 'failed'))
         ORDER BY retained_from, id",
        pack,
        since,
        previous.unwrap_or_default(),
    )
}

/// The number of the last change of an event's people; none when it is closed or its faces are not put together.
pub async fn version(db: &dyn Executor, event: EventId) -> Result<Option<i64>> {
    fetch_optional!(
        db,
        i64,
        "SELECT people_change FROM events
         WHERE id = $1 AND deleting_since IS NULL AND deleted_at IS NULL AND groups_faces",
        event,
    )
}

/// The people of an event, the oldest first.
pub async fn kept(db: &dyn Executor, event: EventId) -> Result<Vec<Kept>> {
    fetch_all!(db, Kept, "SELECT id, decided FROM people WHERE event_id = $1 ORDER BY id", event)
}

/// The faces of an event that `pack` has described and that belong to people, from the place after `after`.
pub async fn faces(
    db: &dyn Executor,
    event: EventId,
    pack: &str,
    after: Option<Place>,
    limit: i64,
) -> Result<Vec<GroupedFace>> {
    fetch_all!(
        db,
        GroupedFace,
        "SELECT event_change, id, person_id, embedding FROM faces
         WHERE event_id = $1 AND pack = $2 AND (event_change, id) > ($3, $4) AND person_id IS NOT NULL
         ORDER BY event_change, id LIMIT $5",
        event,
        pack,
        after.map_or(0, |place| place.change),
        cursor(after.map(|place| place.face)),
        limit,
    )
}

/// Faces of an event that `pack` has described and that belong to nobody yet, the oldest first.
pub async fn new_faces(db: &dyn Executor, event: EventId, pack: &str, limit: i64) -> Result<Vec<NewFace>> {
    fetch_all!(
        db,
        NewFace,
        "SELECT id, embedding FROM faces WHERE event_id = $1 AND pack = $2 AND person_id IS NULL ORDER BY id LIMIT $3",
        event,
        pack,
        limit,
    )
}

/// How many faces of an event that one of `packs` has described belong to nobody yet.
pub async fn faces_without(db: &dyn Executor, event: EventId, packs: &[&str]) -> Result<i64> {
    let mut faces = 0;
    for pack in packs {
        faces += fetch_one!(
            db,
            i64,
            "SELECT COUNT(*) FROM faces WHERE event_id = $1 AND pack = $2 AND person_id IS NULL",
            event,
            *pack,
        )?;
    }
    Ok(faces)
}

/// A person.
pub async fn by_id(db: &dyn Executor, id: PersonId) -> Result<Option<Person>> {
    fetch_optional!(db, Person, "SELECT id, event_id, hidden FROM people WHERE id = $1", id)
}

/// The photos that a person is in, hidden ones aside, newest first.
pub async fn photos(db: &dyn Executor, id: PersonId) -> Result<Vec<PhotoId>> {
    fetch_all!(
        db,
        PhotoId,
        concat!(
            "SELECT DISTINCT photos.id FROM faces JOIN photos ON photos.id = faces.photo_id
             WHERE person_id = $1 AND NOT (",
            is_kept_from_team!(),
            ") ORDER BY photos.id DESC"
        ),
        id,
    )
}

/// Where a face is, and in which photo.
pub async fn face(db: &dyn Executor, id: FaceId) -> Result<Option<(PhotoId, BoundingBox)>> {
    let found =
        fetch_optional!(db, FacePlace, "SELECT photo_id, x, y, width, height FROM faces WHERE id = $1", id)?;
    Ok(found.map(|FacePlace(photo, bounds)| (photo, bounds)))
}

struct FacePlace(PhotoId, BoundingBox);

impl FromColumns for FacePlace {
    type Columns = (String, f64, f64, f64, f64);

    fn from_columns((photo, x, y, width, height): (String, f64, f64, f64, f64)) -> Result<Self> {
        Ok(Self(decode::id(&photo, "faces.photo_id")?, BoundingBox { x, y, width, height }))
    }
}

/// Which people are meant.
#[derive(Clone, Copy, Debug)]
pub struct List {
    /// Those of this event.
    pub event: EventId,
    /// Those that were put aside, or the others.
    pub hidden: bool,
    /// Without so many of the first.
    pub offset: i64,
    /// At most so many.
    pub limit: i64,
}

/// How many people there are, those in hidden photos alone aside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Those that were not put aside.
    pub shown: i64,
    /// Those that were.
    pub hidden: i64,
}

impl FromColumns for Counts {
    type Columns = (i64, i64);

    fn from_columns((shown, hidden): (i64, i64)) -> Result<Self> {
        Ok(Self { shown, hidden })
    }
}

/// How many people an event has.
pub async fn counts(db: &dyn Executor, event: EventId) -> Result<Counts> {
    // Hidden photos come from an index that is empty where nothing is hidden, so that others pay nothing for it.
    fetch_one!(
        db,
        Counts,
        concat!(
            "SELECT COUNT(CASE WHEN hidden THEN NULL ELSE 1 END), COUNT(CASE WHEN hidden THEN 1 END) FROM people
             WHERE event_id = $1 AND EXISTS (SELECT 1 FROM faces WHERE person_id = people.id
                 AND photo_id NOT IN (SELECT id FROM photos WHERE event_id = $1 AND ",
            is_kept_from_team!(),
            "))"
        ),
        event,
    )
}

/// What an owner's account has of the people of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfEvent {
    /// The event.
    pub event: EventId,
    /// Whether its faces are put together.
    pub is_on: bool,
    /// How many people there are, those in hidden photos too.
    pub counts: Counts,
}

impl FromColumns for OfEvent {
    type Columns = (String, bool, i64, i64);

    fn from_columns((event, is_on, shown, hidden): (String, bool, i64, i64)) -> Result<Self> {
        Ok(Self { event: decode::id(&event, "events.id")?, is_on, counts: Counts { shown, hidden } })
    }
}

/// The numbers of people in the events of an owner, oldest first.
pub async fn of_owner(db: &dyn Executor, owner: UserId) -> Result<Vec<OfEvent>> {
    fetch_all!(
        db,
        OfEvent,
        "SELECT events.id, groups_faces, COUNT(CASE WHEN hidden THEN NULL ELSE people.id END),
             COUNT(CASE WHEN hidden THEN people.id END)
         FROM events LEFT JOIN people ON people.event_id = events.id
         WHERE owner_id = $1 GROUP BY events.id, groups_faces ORDER BY events.id",
        owner,
    )
}

struct Counted {
    id: PersonId,
    hidden: bool,
    photos: i64,
    faces: i64,
}

impl FromColumns for Counted {
    type Columns = (String, bool, i64, i64);

    fn from_columns((id, hidden, photos, faces): (String, bool, i64, i64)) -> Result<Self> {
        Ok(Self { id: decode::id(&id, "people.id")?, hidden, photos, faces })
    }
}

row! {
    struct ShownRow {
        person_id: String,
        id: String,
        photo_id: String,
    }
}

/// People as they are counted; `$1` is the event.
macro_rules! counted {
    ($rest:literal) => {
        concat!(
            "SELECT people.id, people.hidden, COUNT(DISTINCT photo_id) AS photos, COUNT(*) AS faces
             FROM people JOIN faces ON person_id = people.id
             WHERE people.event_id = $1 AND faces.photo_id NOT IN (SELECT id FROM photos WHERE event_id = $1 AND ",
            is_kept_from_team!(),
            ") ",
            $rest
        )
    };
}

/// People with what is shown of them, those in most photos first.
pub async fn list(db: &dyn Executor, list: &List) -> Result<Vec<PersonSummary>> {
    let counted = fetch_all!(
        db,
        Counted,
        counted!(
            "AND people.hidden = $2 GROUP BY people.id, people.hidden
             ORDER BY COUNT(DISTINCT photo_id) DESC, people.id LIMIT $3 OFFSET $4"
        ),
        list.event,
        list.hidden,
        list.limit,
        list.offset,
    )?;
    summaries(db, list.event, counted).await
}

/// A person with what is shown of it; none when it is in hidden photos alone.
pub async fn summary(db: &dyn Executor, person: &Person) -> Result<Option<PersonSummary>> {
    let counted = fetch_all!(
        db,
        Counted,
        counted!("AND people.id = $2 GROUP BY people.id, people.hidden"),
        person.event,
        person.id,
    )?;
    Ok(summaries(db, person.event, counted).await?.pop())
}

async fn summaries(db: &dyn Executor, event: EventId, counted: Vec<Counted>) -> Result<Vec<PersonSummary>> {
    let ids: Vec<PersonId> = counted.iter().map(|person| person.id).collect();
    let shown = shown_faces(db, event, &ids).await?;
    let summary = |Counted { id, hidden, photos, faces }: Counted| {
        // Deleted between the two queries.
        let (face, photo) = *shown.get(&id)?;
        Some(PersonSummary { id, is_hidden: hidden, photos, faces, face, photo })
    };
    Ok(counted.into_iter().filter_map(summary).collect())
}

/// The largest and clearest face of each of these people of an event, in photos that are not hidden.
async fn shown_faces(
    db: &dyn Executor,
    event: EventId,
    people: &[PersonId],
) -> Result<HashMap<PersonId, (FaceId, PhotoId)>> {
    if people.is_empty() {
        return Ok(HashMap::new());
    }
    // One person after the other: ranking the faces of all together takes three times as long.
    let mut statement = Statement::built(
        "SELECT person_id, id, photo_id FROM faces WHERE id IN (SELECT (
             SELECT id FROM faces WHERE person_id = people.id AND photo_id NOT IN (
                 SELECT id FROM photos WHERE event_id = ",
    );
    statement.push_bind(event);
    statement.push(concat!(" AND ", is_kept_from_team!()));
    statement.push(
        ") ORDER BY width * height * score DESC, id LIMIT 1
         ) FROM people WHERE id IN ",
    );
    statement.push_list(people);
    statement.push(")");
    let rows: Vec<ShownRow> = statement.fetch_rows(db.reader()).await?;
    rows.into_iter()
        .map(|row| {
            let face = decode::id(&row.id, "faces.id")?;
            let photo = decode::id(&row.photo_id, "faces.photo_id")?;
            Ok((decode::id(&row.person_id, "faces.person_id")?, (face, photo)))
        })
        .collect()
}
