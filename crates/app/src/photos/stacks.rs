//! Putting photos of events together that are alike, once indexing is idle (decision 0096).

use std::collections::HashMap;
use std::time::Duration;

use domain::accounts::User;
use domain::photos::stacks::{Shot, Stack, stacks};
use domain::team::Right;
use domain::{EventId, PhotoId, Refusal};
use storage::photos::stacks::{Compared, begin_again, choose, compared, due, put, settle};

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
    let mut photos: Vec<Compared> = Vec::new();
    loop {
        let after = photos.last().map(|photo| photo.shot.id);
        let page = compared(&app.db, event, after, i64::try_from(BATCH).unwrap_or(i64::MAX)).await?;
        if page.is_empty() {
            break;
        }
        photos.extend(page);
    }
    let before: Vec<(PhotoId, Option<Stack>)> =
        photos.iter().map(|photo| (photo.shot.id, photo.stack)).collect();
    let shots: Vec<Shot> = photos.into_iter().map(|photo| photo.shot).collect();
    let found = tasks::background(move || stacks(&shots)).await?;
    let found: HashMap<PhotoId, Stack> = found.into_iter().collect();
    for part in before.chunks(BATCH) {
        let ids: Vec<PhotoId> = part.iter().map(|(id, _)| *id).collect();
        let changes = part.iter().map(|(id, stack)| (*id, *stack, found.get(id).copied()));
        let changes = changes.filter(|(_, before, after)| before != after);
        let changes: Vec<_> = changes.map(|(id, _, after)| (id, after)).collect();
        let mut tx = app.begin().await?;
        // Whoever switches it off meanwhile, or chooses the best, is not undone.
        let open = storage::events::changes::lock(&mut tx, event).await?;
        if !open.is_some_and(|event| event.flags.stacks_photos) {
            return Ok(());
        }
        put(&mut tx, &changes).await?;
        settle(&mut tx, &ids).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// Begins anew with the photos of an event in whose transaction it was switched on or off.
pub(crate) async fn switch(tx: &mut storage::Tx, event: EventId) -> Result<()> {
    Ok(begin_again(tx, event).await?)
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
