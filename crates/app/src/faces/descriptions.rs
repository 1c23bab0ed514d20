//! What recognisers say of a person, and where both of a pack are needed: its own, and that of the pack before.
//!
//! Each photo is described by one of them at a time. While some of an event are still as the pack before has described them,
//! a picture of a person is described by both, and compared with each photo as that is described.

use domain::EventId;
use domain::faces::Embedding;
use storage::faces::index::Scope;
use vision::{Face, Generation, Recognisers};

use crate::{App, Result};

/// A person as the recognisers of the pack describe them, in one picture or several.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Descriptions {
    /// By the pack's own, one for each picture.
    pub(crate) current: Vec<Embedding>,
    /// The same by that of the pack before; none where it was not asked, or there is none.
    pub(crate) previous: Vec<Embedding>,
}

impl Descriptions {
    pub(crate) fn of(&self, generation: Generation) -> &[Embedding] {
        match generation {
            Generation::Current => &self.current,
            Generation::Previous => &self.previous,
        }
    }

    /// Adds a picture of the person.
    pub(crate) fn push(&mut self, face: &Face) {
        self.current.push(face.embedding.clone());
        self.previous.extend(face.previous.clone());
    }
}

/// Whether faces of a scope are still as the pack before has described them, and this one can compare with them.
pub(crate) async fn has_previous(app: &App, scope: Scope) -> Result<bool> {
    match app.engine.previous_id() {
        Some(pack) => Ok(storage::faces::index::has(&app.db, scope, pack).await?),
        None => Ok(false),
    }
}

/// The recognisers by which a person can be looked for in a scope, that of the pack before first.
pub(crate) async fn generations(app: &App, scope: Scope, person: &Descriptions) -> Result<Vec<Generation>> {
    let mut generations = vec![Generation::Current];
    if !person.previous.is_empty() && has_previous(app, scope).await? {
        generations.insert(0, Generation::Previous);
    }
    generations.retain(|generation| !person.of(*generation).is_empty());
    Ok(generations)
}

/// The recognisers that a search of a scope needs.
pub(crate) async fn recognisers(app: &App, scope: Scope) -> Result<Recognisers> {
    Ok(if has_previous(app, scope).await? { Recognisers::Both } else { Recognisers::Current })
}

/// The recognisers that a request not to be found needs, which holds for photos that may be restored as well.
pub(crate) async fn recognisers_with_trash(app: &App, event: EventId) -> Result<Recognisers> {
    let Some(pack) = app.engine.previous_id() else { return Ok(Recognisers::Current) };
    if storage::photos::trash::has_faces(&app.db, event, pack).await? {
        return Ok(Recognisers::Both);
    }
    recognisers(app, Scope::Event(event)).await
}
