//! Searching a library that would take too much of the memory for embeddings: its faces are read page by page, compared and
//! dropped, once to learn from them and once to find. What guests need of the memory stays where it is.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::faces::{Embedding, Strictness};
use domain::{FaceId, Refusal, UserId};
use storage::faces::index::{IndexedFace, Position, Scope};

use vision::Generation;

use super::found::{MatchedPhoto, one_a_photo};
use crate::faces::descriptions::{Descriptions, generations};
use crate::{App, Result};

/// Faces that are in memory at once: with their rows some 5 MB.
const PAGE: usize = 2_048;
/// Faces after which it is known how long all of them take.
const SAMPLE: usize = 50_000;

/// The photos of one photographer that match, best first: those that a search of all faces at once finds.
///
/// # Errors
/// [`Refusal::LibraryTooLarge`] when it does not end in most of the time that a search has.
pub(super) async fn photos(
    app: &App,
    owner: UserId,
    person: &Descriptions,
    rejected: &HashSet<FaceId>,
    strictness: Strictness,
) -> Result<Vec<MatchedPhoto>> {
    let _turn = app.concurrency.walks.acquire().await?;
    // The rest is for what comes before and after it.
    let limit = app.settings.search_capacity.deadline / 4 * 3;
    let walks = async {
        let (started, scope) = (Instant::now(), Scope::Owner(owner));
        let (mut parts, mut among) = (Vec::new(), 0);
        for generation in generations(app, scope, person).await? {
            let pack = app.engine.id_of(generation).unwrap_or_default();
            let faces = storage::faces::index::count(&app.db, scope, pack).await?;
            let faces = usize::try_from(faces).unwrap_or_default();
            among += faces;
            parts.push(Part { owner, generation, pack, faces });
        }
        let mut found = Vec::new();
        for part in parts {
            let search = Wanted { queries: person.of(part.generation), rejected, strictness, among };
            found.extend(walk(app, &part, &search, started, limit).await?);
        }
        Ok(one_a_photo(found))
    };
    tokio::time::timeout(limit, walks).await.unwrap_or_else(|_| Err(Refusal::LibraryTooLarge.into()))
}

/// The faces of a library that one recogniser has described.
struct Part<'a> {
    owner: UserId,
    generation: Generation,
    pack: &'a str,
    faces: usize,
}

/// Who is looked for in them.
struct Wanted<'a> {
    queries: &'a [Embedding],
    rejected: &'a HashSet<FaceId>,
    strictness: Strictness,
    /// The faces of all parts.
    among: usize,
}

async fn walk(
    app: &App,
    part: &Part<'_>,
    wanted: &Wanted<'_>,
    started: Instant,
    limit: Duration,
) -> Result<Vec<MatchedPhoto>> {
    let Part { owner, generation, pack, faces: all } = *part;
    let Wanted { queries, rejected, strictness, among } = *wanted;
    let ids: Vec<FaceId> = rejected.iter().copied().collect();
    let others = storage::faces::embeddings(&app.db, owner, pack, &ids).await?;
    let mut search = app.engine.search(generation, among, queries, &others, strictness)?;

    let (mut pages, mut met) = (Pages::new(app, part), 0);
    while let Some(page) = pages.next().await? {
        met += page.len();
        let engine = app.engine.clone();
        let teach = move || {
            let face_index = engine.face_index_of(generation, page.iter().map(|face| &face.embedding))?;
            face_index.teach(&mut search).map(|()| search)
        };
        search = app.concurrency.comparisons.run(teach).await??;
        let spent = started.elapsed();
        // On a busy machine the timer can be late.
        if spent >= limit || is_endless(met, all, spent, limit) {
            return Err(Refusal::LibraryTooLarge.into());
        }
    }
    if search.finds_nothing() {
        return Ok(Vec::new());
    }
    search.expand();

    let (search, mut candidates, mut faces) = (Arc::new(search), Vec::new(), Vec::new());
    let mut pages = Pages::new(app, part);
    while let Some(page) = pages.next().await? {
        let (engine, search) = (app.engine.clone(), search.clone());
        let find = move || {
            let face_index = engine.face_index_of(generation, page.iter().map(|face| &face.embedding))?;
            face_index.candidates(&search).map(|candidates| (candidates, page))
        };
        let (found, page) = app.concurrency.comparisons.run(find).await??;
        for candidate in found {
            if let Some(IndexedFace { id, photo, .. }) = page.get(candidate.row()) {
                candidates.push(candidate.at(faces.len()));
                faces.push((*id, *photo));
            }
        }
    }
    let hits = app.concurrency.comparisons.run(move || search.decide(&candidates)).await?;
    let threshold = app.engine.matching(generation).threshold(among, strictness);
    let found = hits.into_iter().filter_map(|hit| {
        let (face, photo) = *faces.get(hit.row)?;
        let is_found = !rejected.contains(&face);
        is_found.then(|| MatchedPhoto::new(photo, face, hit.similarity, threshold))
    });
    Ok(found.collect())
}

/// Whether two walks past `all` faces take much more time than `limit`, when the first `met` of them took `spent`.
fn is_endless(met: usize, all: usize, spent: Duration, limit: Duration) -> bool {
    let times = u32::try_from(all.saturating_mul(2) / met.max(1)).unwrap_or(u32::MAX);
    met >= SAMPLE && spent.saturating_mul(times) > limit * 2
}

/// All faces of a part, in the order in which they came.
struct Pages<'a> {
    app: &'a App,
    part: &'a Part<'a>,
    /// None behind the last.
    after: Option<Position>,
}

impl<'a> Pages<'a> {
    const fn new(app: &'a App, part: &'a Part<'a>) -> Self {
        Self { app, part, after: Some(Position::START) }
    }

    async fn next(&mut self) -> Result<Option<Vec<IndexedFace>>> {
        let Some(after) = self.after else {
            return Ok(None);
        };
        let (scope, pack) = (Scope::Owner(self.part.owner), self.part.pack);
        let limit = i64::try_from(PAGE).unwrap_or(i64::MAX);
        let page = storage::faces::index::page(&self.app.db, scope, pack, after, limit).await?;
        self.after = page.last().filter(|_| page.len() == PAGE).map(IndexedFace::position);
        Ok(Some(page).filter(|page| !page.is_empty()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_far_too_long_is_given_up_early() {
        let seconds = Duration::from_secs;
        assert!(!is_endless(2_048, 50_000_000, seconds(30), seconds(30)), "too few to tell");
        assert!(!is_endless(SAMPLE, 3_000_000, Duration::from_millis(250), seconds(30)));
        assert!(is_endless(SAMPLE, 30_000_000, Duration::from_millis(250), seconds(30)));
        assert!(!is_endless(SAMPLE, SAMPLE, seconds(20), seconds(30)));
        assert!(!is_endless(0, 0, seconds(20), Duration::ZERO));
    }
}
