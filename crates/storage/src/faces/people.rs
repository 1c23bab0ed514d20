//! People of events: which faces were put together.
//!
//! Every change takes the event's row first, by numbering itself; what was computed from an older state is not stored.

mod queries;

use std::collections::HashMap;

use domain::{EventId, FaceId, PersonId, PhotoId, Timestamp};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::statements::{LIST_LIMIT, Statement, execute, fetch_all, fetch_optional};
use crate::{Executor, Result, Tx};

pub use queries::{
    Counts, GroupedFace, Kept, List, NewFace, OfEvent, Place, by_id, counts, due, face, faces, faces_without,
    kept, list, new_faces, of_owner, photos, summary, version,
};

/// Begins a change of an event's people, and locks the event's row; false when it is closed, or has changed since `version`.
pub async fn begin_change(tx: &mut Tx, event: EventId, version: Option<i64>) -> Result<bool> {
    let numbered = execute!(
        tx,
        "UPDATE events SET people_change = people_change + 1
         WHERE id = $1 AND deleting_since IS NULL AND deleted_at IS NULL AND people_change = COALESCE($2, people_change)",
        event,
        version,
    )?;
    Ok(numbered == 1)
}

/// Adds people without faces; `decided` says that the photographer made them.
pub async fn create(
    tx: &mut Tx,
    event: EventId,
    people: &[PersonId],
    decided: bool,
    now: Timestamp,
) -> Result<()> {
    for people in people.chunks(LIST_LIMIT) {
        let mut insert = Statement::built("INSERT INTO people (id, event_id, decided, created_at) ");
        insert.push_values(people.iter().map(|id| [id.into(), event.into(), decided.into(), now.into()]));
        insert.execute(tx.writer()).await?;
    }
    Ok(())
}

/// Puts faces of an event that belong to nobody yet to people; those that are gone, or are somebody's by now, stay as they
/// are.
pub async fn assign(tx: &mut Tx, event: EventId, faces: &[(FaceId, PersonId)]) -> Result<()> {
    for faces in faces.chunks(LIST_LIMIT) {
        // Both engines call the columns so.
        let mut statement = Statement::built("UPDATE faces SET person_id = chosen.column2 FROM (");
        statement.push_values(faces.iter().map(|(face, person)| [face.into(), person.into()]));
        statement.push(") AS chosen WHERE id = chosen.column1 AND person_id IS NULL AND event_id = ");
        statement.push_bind(event);
        statement.execute(tx.writer()).await?;
    }
    Ok(())
}

/// Makes all faces of one person those of another, and deletes the one.
pub async fn merge(tx: &mut Tx, from: PersonId, into: PersonId) -> Result<()> {
    execute!(&mut *tx, "UPDATE faces SET person_id = $2 WHERE person_id = $1", from, into)?;
    execute!(tx, "DELETE FROM people WHERE id = $1", from)?;
    Ok(())
}

/// Makes a person's faces in these photos those of another one.
pub async fn split(tx: &mut Tx, from: PersonId, into: PersonId, photos: &[PhotoId]) -> Result<()> {
    for photos in photos.chunks(LIST_LIMIT) {
        let mut statement = Statement::built("UPDATE faces SET person_id = ");
        statement.push_bind(into).push(" WHERE person_id = ").push_bind(from);
        statement.push(" AND photo_id IN ");
        statement.push_list(photos);
        statement.execute(tx.writer()).await?;
    }
    Ok(())
}

/// Records that the photographer has decided about a person.
pub async fn mark_decided(tx: &mut Tx, id: PersonId) -> Result<()> {
    execute!(tx, "UPDATE people SET decided = TRUE WHERE id = $1", id)?;
    Ok(())
}

/// Puts a person aside, or not; false when there is none.
pub async fn set_hidden(tx: &mut Tx, id: PersonId, hidden: bool) -> Result<bool> {
    let updated = execute!(tx, "UPDATE people SET hidden = $2, decided = TRUE WHERE id = $1", id, hidden)?;
    Ok(updated == 1)
}

/// Lets the faces of an event be put together, or not; then its people are deleted.
pub async fn set_grouping(tx: &mut Tx, event: EventId, groups: bool) -> Result<()> {
    execute!(&mut *tx, "UPDATE events SET groups_faces = $2 WHERE id = $1", event, groups)?;
    if !groups {
        execute!(tx, "DELETE FROM people WHERE event_id = $1", event)?;
    }
    Ok(())
}

/// Whether the faces of an event are put together.
pub async fn is_grouping(db: &dyn Executor, event: EventId) -> Result<bool> {
    let on = fetch_optional!(db, String, "SELECT id FROM events WHERE id = $1 AND groups_faces", event)?;
    Ok(on.is_some())
}

/// Who is in these photos: whoever deletes faces in them deletes those who have none left ([`delete_empty`]).
pub(crate) async fn in_photos(tx: &mut Tx, photos: &[PhotoId]) -> Result<Vec<PersonId>> {
    let mut people = Vec::new();
    for photos in photos.chunks(LIST_LIMIT) {
        let mut statement = Statement::built(
            "SELECT DISTINCT person_id FROM faces WHERE person_id IS NOT NULL AND photo_id IN ",
        );
        statement.push_list(photos);
        let found: Vec<String> = statement.fetch_all(tx.writer()).await?;
        for id in found {
            people.push(decode::id(&id, "faces.person_id")?);
        }
    }
    Ok(people)
}

/// Whose the faces of a photo are, as far as they are somebody's.
pub(crate) async fn faces_in_photo(tx: &mut Tx, photo: PhotoId) -> Result<HashMap<FaceId, PersonId>> {
    let faces = fetch_all!(
        tx,
        OfPerson,
        "SELECT id, person_id FROM faces WHERE photo_id = $1 AND person_id IS NOT NULL",
        photo,
    )?;
    Ok(faces.into_iter().map(|OfPerson(face, person)| (face, person)).collect())
}

struct OfPerson(FaceId, PersonId);

impl FromColumns for OfPerson {
    type Columns = (String, String);

    fn from_columns((face, person): (String, String)) -> Result<Self> {
        Ok(Self(decode::id(&face, "faces.id")?, decode::id(&person, "faces.person_id")?))
    }
}

/// Deletes those of these people who have no face left.
pub async fn delete_empty(tx: &mut Tx, people: &[PersonId]) -> Result<()> {
    for people in people.chunks(LIST_LIMIT) {
        let mut statement = Statement::built(
            "DELETE FROM people WHERE NOT EXISTS (SELECT 1 FROM faces WHERE person_id = people.id) AND id IN ",
        );
        statement.push_list(people);
        statement.execute(tx.writer()).await?;
    }
    Ok(())
}
