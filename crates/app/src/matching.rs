//! Which photos of an event or a library show a person.

use std::collections::HashSet;

use domain::faces::{Embedding, Strictness};
use domain::{FaceId, PhotoId};
use storage::galleries::Scope;

use crate::{App, Result};

/// A photo in which a person was found.
pub(crate) struct MatchedPhoto {
    pub(crate) photo: PhotoId,
    /// The most similar face.
    pub(crate) face: FaceId,
    /// From 0 to 1.
    pub(crate) similarity: f32,
}

/// What a search for the person of `queries` compares once it has learned from the scope.
pub(crate) async fn learn(app: &App, scope: Scope, queries: Vec<Embedding>) -> Result<Vec<Embedding>> {
    let gallery = app.galleries.get(&app.db, &app.engine, scope).await?;
    Ok(app.concurrency.comparisons.run(move || gallery.gallery.learn(&queries)).await??)
}

/// The photos that match, best first, as the scope is now; `rejected` are faces of somebody else, as the guest said.
pub(crate) async fn photos(
    app: &App,
    scope: Scope,
    queries: Vec<Embedding>,
    rejected: HashSet<FaceId>,
    strictness: Strictness,
) -> Result<Vec<MatchedPhoto>> {
    let gallery = app.galleries.get(&app.db, &app.engine, scope).await?;
    let searched = gallery.clone();
    let hits = app.concurrency.comparisons.run(move || {
        let rejected = searched.rows_of(&rejected);
        searched.gallery.search_without(&queries, &rejected, strictness)
    });
    let hits = hits.await??;
    // Hits come best first, so the first of a photo is its best face.
    let mut best = Vec::new();
    let mut seen = HashSet::new();
    for hit in hits {
        if let Some((face, photo)) = gallery.face(hit.row)
            && seen.insert(photo)
        {
            best.push(MatchedPhoto { photo, face, similarity: hit.similarity });
        }
    }
    Ok(best)
}
