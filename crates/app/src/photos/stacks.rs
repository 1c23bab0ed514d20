//! Putting photos of events together that are alike, once indexing is idle (decision 0096).

use std::collections::HashMap;
use std::time::Duration;

use domain::accounts::User;
use domain::photos::MediaKey;
use domain::photos::stacks::{Shot, Stack, stacks};
use domain::team::Right;
use domain::{EventId, PhotoId, Refusal};
use storage::photos::stacks::{Compared, choose, chosen, compared, due, put};

use crate::operations::runtime::tasks;
use crate::team::rights;
use crate::{App, Result};

/// A photo that waits longer for its indexing does not hold up the others.
const PATIENCE: Duration = Duration::from_secs(60 * 60);
/// Photos that are read in one query, or changed in one transaction.
const BATCH: usize = 500;

/// Puts the photos of every event together that is due; one that fails holds up no other.
pub(crate) async fn stack_due(app: &App) -> Result<()> {
    let mut outcome = Ok(());
    for event in due(&app.db, app.now().minus(PATIENCE)).await? {
        outcome = outcome.and(stack(app, event).await);
    }
    outcome
}

async fn stack(app: &App, event: EventId) -> Result<()> {
    let chosen_before = chosen(&app.db, event).await?;
    let mut photos: Vec<Compared> = Vec::new();
    loop {
        let after = photos.last().map(|photo| photo.shot.id);
        let page = compared(&app.db, event, after, i64::try_from(BATCH).unwrap_or(i64::MAX)).await?;
        if page.is_empty() {
            break;
        }
        photos.extend(page);
    }
    let (keys, shots): (Vec<(PhotoId, MediaKey)>, Vec<Shot>) =
        photos.into_iter().map(|photo| ((photo.shot.id, photo.key), photo.shot)).unzip();
    let found = tasks::background(move || stacks(&shots)).await?;
    let found: HashMap<PhotoId, Stack> = found.into_iter().collect();
    for part in keys.chunks(BATCH) {
        let placed: Vec<_> = part.iter().map(|(id, key)| (key.clone(), found.get(id).copied())).collect();
        let mut tx = app.begin().await?;
        let open = storage::events::changes::lock(&mut tx, event).await?;
        let is_wanted = open.is_some_and(|event| event.flags.stacks_photos);
        // What somebody has chosen meanwhile is compared with the next run, for which its photos stay due.
        if !is_wanted || chosen(&mut *tx, event).await? != chosen_before {
            return Ok(());
        }
        put(&mut tx, &placed).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// Has a photo stand for its stack, whatever is better by its figures. A photo of no stack stands for itself.
///
/// # Errors
/// [`Refusal::PhotoNotFound`], [`Refusal::ManagersOnly`], or [`Refusal::EventBeingDeleted`].
pub async fn stand_for(app: &App, caller: &User, id: PhotoId) -> Result<()> {
    let photo = rights::photo(app, caller, id).await?;
    let Some(event) = photo.event else { return Ok(()) };
    rights::open_event(app, caller, event, Right::Manage).await?;
    let mut tx = app.begin().await?;
    storage::events::changes::lock(&mut tx, event).await?.ok_or(Refusal::EventBeingDeleted)?;
    choose(&mut tx, id).await?;
    tx.commit().await
}
