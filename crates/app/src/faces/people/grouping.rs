//! Putting the faces of an event together, once indexing is idle.

use std::collections::HashMap;
use std::time::Duration;

use domain::faces::Embedding;
use domain::{EventId, FaceId, PersonId};
use storage::faces::people::Kept;
use vision::{Grouped, KnownGroup};

use crate::operations::runtime::tasks;
use crate::{App, Result};

/// A photo that waits longer for its indexing does not hold up the grouping of the others.
const PATIENCE: Duration = Duration::from_secs(60 * 60);
/// Most faces that are compared with each other at once: bounds the memory, and the time by its square.
const BATCH: i64 = 4_000;
/// Faces that are read in one query.
const PAGE: i64 = 1_000;

/// Groups the faces of every event that is due; one that fails holds up no other.
///
/// # Errors
/// Those of the database, and embeddings that cannot be compared.
pub async fn group_due(app: &App) -> Result<()> {
    let mut outcome = Ok(());
    let (pack, previous) = (app.engine.pack_id(), app.engine.previous_id());
    let since = app.now().minus(PATIENCE);
    for event in storage::faces::people::due(&app.db, pack, previous, since).await? {
        loop {
            match group(app, event).await {
                Ok(true) => {}
                Ok(false) => break,
                failed => {
                    outcome = outcome.and(failed.map(|_| ()));
                    break;
                }
            }
        }
    }
    outcome
}

/// What is known of an event's people.
#[derive(Default)]
struct Known {
    people: Vec<Kept>,
    groups: Vec<KnownGroup>,
}

/// Groups the next faces of an event that belong to nobody; whether there may be others. Changes nothing when the people have
/// changed meanwhile: the next run sees them as they are.
async fn group(app: &App, event: EventId) -> Result<bool> {
    let Some(version) = storage::faces::people::version(&app.db, event).await? else { return Ok(false) };
    let (new, embeddings): (Vec<FaceId>, Vec<Embedding>) =
        storage::faces::people::new_faces(&app.db, event, app.engine.pack_id(), BATCH)
            .await?
            .into_iter()
            .map(|face| (face.id, face.embedding))
            .unzip();
    if new.is_empty() {
        return Ok(false);
    }
    let Known { people, groups } = known(app, event).await?;
    let engine = app.engine.clone();
    let grouped = tasks::background(move || engine.group(&groups, &embeddings)).await??;
    let mut tx = app.begin().await?;
    if !storage::faces::people::begin_change(&mut tx, event, Some(version)).await? {
        tracing::debug!(%event, "people have changed while faces were grouped");
        return Ok(false);
    }
    let mut merged = Vec::new();
    let (mut created, mut assigned) = (Vec::new(), Vec::with_capacity(new.len()));
    for Grouped { known, faces } in grouped {
        let mut known = known.into_iter().filter_map(|index| people.get(index)).map(|person| person.id);
        let person = known.next().unwrap_or_else(|| {
            let person = app.id::<PersonId>();
            created.push(person);
            person
        });
        merged.extend(known.map(|other| (other, person)));
        assigned.extend(faces.into_iter().filter_map(|index| Some((*new.get(index)?, person))));
    }
    storage::faces::people::create(&mut tx, event, &created, false, app.now()).await?;
    for (other, person) in merged {
        storage::faces::people::merge(&mut tx, other, person).await?;
    }
    storage::faces::people::assign(&mut tx, event, &assigned).await?;
    // Of faces that were deleted meanwhile there is nobody.
    storage::faces::people::delete_empty(&mut tx, &created).await?;
    tx.commit().await?;
    tracing::debug!(%event, faces = new.len(), "faces were grouped");
    Ok(true)
}

/// The people of an event, as far as this engine's pack has described their faces.
async fn known(app: &App, event: EventId) -> Result<Known> {
    let people = storage::faces::people::kept(&app.db, event).await?;
    let places: HashMap<PersonId, usize> =
        people.iter().enumerate().map(|(index, person)| (person.id, index)).collect();
    let mut groups: Vec<KnownGroup> =
        people.iter().map(|person| KnownGroup::new(person.is_decided)).collect();
    let mut after = None;
    loop {
        let page = storage::faces::people::faces(&app.db, event, app.engine.pack_id(), after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(Known { people, groups }) };
        after = Some(last.place);
        for face in page {
            // Somebody new is seen by the next run.
            if let Some(group) = places.get(&face.person).and_then(|index| groups.get_mut(*index)) {
                group.add(&face.embedding)?;
            }
        }
    }
}
