//! Which photos of an event or a library show a person.

mod found;
mod walk;

use std::collections::HashSet;

use domain::FaceId;
use domain::faces::{Embedding, Strictness};
use storage::faces::index::Scope;

pub(crate) use found::MatchedPhoto;

use crate::{App, Result};

/// What a search for the person of `queries` compares once it has learned from the scope.
pub(crate) async fn learn(app: &App, scope: Scope, queries: Vec<Embedding>) -> Result<Vec<Embedding>> {
    let face_index = app.face_indexes.get(&app.db, &app.engine, scope).await?;
    Ok(app.concurrency.comparisons.run(move || face_index.face_index.learn(&queries)).await??)
}

/// The photos that match, best first, as the scope is now; `rejected` are faces of somebody else, as the guest said.
pub(crate) async fn photos(
    app: &App,
    scope: Scope,
    queries: Vec<Embedding>,
    rejected: HashSet<FaceId>,
    strictness: Strictness,
) -> Result<Vec<MatchedPhoto>> {
    if let Scope::Owner(owner) = scope {
        let dimension = queries.first().map_or(0, |query| query.values().len());
        let faces = storage::faces::index::of_owner(&app.db, owner).await?;
        if !app.face_indexes.has_room_for_library(faces, dimension) {
            return walk::photos(app, owner, &queries, &rejected, strictness).await;
        }
    }
    let face_index = app.face_indexes.get(&app.db, &app.engine, scope).await?;
    let searched = face_index.clone();
    let hits = app.concurrency.comparisons.run(move || {
        let rejected = searched.rows_of(&rejected);
        searched.face_index.search_without(&queries, &rejected, strictness)
    });
    let hits = hits.await??;
    // Hits come best first, so the first of a photo is its best face.
    let matches = hits.into_iter().filter_map(|hit| {
        let (face, photo) = face_index.face(hit.row)?;
        Some(MatchedPhoto { photo, face, similarity: hit.similarity })
    });
    Ok(found::one_a_photo(matches))
}

#[cfg(test)]
mod tests;
