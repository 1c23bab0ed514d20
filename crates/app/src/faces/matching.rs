//! Which photos of an event or a library show a person.

mod found;
mod walk;

use std::collections::HashSet;
use std::sync::Arc;

use domain::faces::Strictness;
use domain::{FaceId, PhotoId};
use storage::faces::index::Scope;
use vision::Generation;

pub(crate) use found::MatchedPhoto;

use crate::faces::descriptions::{Descriptions, generations};
use crate::faces::index_cache::CachedIndex;
use crate::{App, Result};

/// What a search for a person compares once it has learned from the scope.
pub(crate) async fn learn(app: &App, scope: Scope, person: Descriptions) -> Result<Descriptions> {
    let indexes = indexes(app, scope, &person).await?;
    let learn = move || {
        let mut learned = person;
        for (generation, face_index) in indexes {
            let of_generation = face_index.face_index.learn(learned.of(generation))?;
            match generation {
                Generation::Current => learned.current = of_generation,
                Generation::Previous => learned.previous = of_generation,
            }
        }
        Ok(learned)
    };
    app.concurrency.comparisons.run(learn).await?
}

/// The photos that match, best first, as the scope is now; `rejected` are faces of somebody else, as the guest said.
pub(crate) async fn photos(
    app: &App,
    scope: Scope,
    person: &Descriptions,
    rejected: HashSet<FaceId>,
    strictness: Strictness,
) -> Result<Vec<MatchedPhoto>> {
    if let Scope::Owner(owner) = scope {
        let dimension = person.current.first().map_or(0, |query| query.values().len());
        let faces = storage::faces::index::of_owner(&app.db, owner).await?;
        if !app.face_indexes.has_room_for_library(faces, dimension) {
            return walk::photos(app, owner, person, &rejected, strictness).await;
        }
    }
    Ok(found::one_a_photo(faces(app, scope, person, rejected, strictness).await?))
}

/// The faces of one photo in an event that are the person's: the one by which a search finds the photo, and of others those that a
/// strict search finds, such as the person in a mirror. Somebody else who is alike is rarely that much.
pub(crate) async fn faces_in(
    app: &App,
    scope: Scope,
    person: &Descriptions,
    rejected: HashSet<FaceId>,
    strictness: Strictness,
    photo: PhotoId,
) -> Result<Vec<FaceId>> {
    let sure = faces(app, scope, person, rejected.clone(), Strictness::Strict).await?;
    let best = found::one_a_photo(faces(app, scope, person, rejected, strictness).await?);
    let theirs = sure.into_iter().chain(best).filter(|found| found.photo == photo);
    Ok(theirs.map(|found| found.face).collect())
}

/// The faces that match, in no order.
async fn faces(
    app: &App,
    scope: Scope,
    person: &Descriptions,
    rejected: HashSet<FaceId>,
    strictness: Strictness,
) -> Result<Vec<MatchedPhoto>> {
    let indexes = indexes(app, scope, person).await?;
    let (engine, person) = (app.engine.clone(), person.clone());
    let compare = move || {
        let faces = indexes.iter().map(|(_, face_index)| face_index.face_index.len()).sum();
        let mut matches = Vec::new();
        for (generation, face_index) in &indexes {
            let rejected = face_index.rows_of(&rejected);
            let queries = person.of(*generation);
            let hits = face_index.face_index.search_among(faces, queries, &rejected, strictness)?;
            let threshold = engine.matching(*generation).threshold(faces, strictness);
            matches.extend(hits.into_iter().filter_map(|hit| {
                let (face, photo) = face_index.face(hit.row)?;
                Some(MatchedPhoto::new(photo, face, hit.similarity, threshold))
            }));
        }
        Ok(matches)
    };
    app.concurrency.comparisons.run(compare).await?
}

/// The indexes of a scope in which a person can be looked for. That of the pack before is read first: a photo that is described
/// anew meanwhile is in both then, and never in none.
async fn indexes(
    app: &App,
    scope: Scope,
    person: &Descriptions,
) -> Result<Vec<(Generation, Arc<CachedIndex>)>> {
    let mut indexes = Vec::new();
    for generation in generations(app, scope, person).await? {
        indexes.push((generation, app.face_indexes.get(&app.db, &app.engine, scope, generation).await?));
    }
    Ok(indexes)
}

#[cfg(test)]
mod tests;
