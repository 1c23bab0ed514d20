//! Finding a person's photos by a selfie.

use bytes::Bytes;
use domain::accounts::User;
use domain::events::{Event, Indexing};
use domain::faces::{Embedding, FaceBox, Strictness};
use domain::photos::{Photo, Size};
use domain::{EventId, FaceId, PhotoId, Refusal, UserId};
use std::collections::HashMap;
use storage::faces::Scope;
use vision::Flaw;

use crate::{App, Result, downloads, files, indexing, tasks};

/// Largest selfie, in bytes.
pub const SELFIE_BYTES: usize = 20 * 1_048_576;
/// Most pictures of one person in one search.
pub const SELFIES: usize = 3;

/// What a search is asked.
pub struct Selfies {
    /// One to three encoded pictures of the same person.
    pub pictures: Vec<Bytes>,
    /// Which face of the first picture is meant, counted as [`Found::faces`] counts; the largest when nobody says.
    pub face: Option<usize>,
    /// How sure a match must be.
    pub strictness: Strictness,
}

/// What a search answers.
pub struct Found {
    /// One a photo, best first.
    pub matches: Vec<Match>,
    /// The faces of the first picture, largest and most central first.
    pub faces: Vec<FaceBox>,
    /// How many photos could be searched.
    pub indexing: Indexing,
    /// Lets its holder fetch the originals of all matches as one ZIP; none without matches, and none for a search of
    /// a whole library.
    pub download_token: Option<String>,
}

/// A photo in which the person was found.
pub struct Match {
    /// The face that matches best.
    pub face: FaceId,
    /// From 0 to 1.
    pub similarity: f32,
    /// The photo.
    pub photo: Photo,
    /// Where to see it.
    pub url: String,
    /// Where to see it small.
    pub thumbnail_url: String,
}

/// Searches one open event.
///
/// # Errors
/// The refusals of the pictures.
pub async fn in_event(app: &App, event: &Event, selfies: Selfies) -> Result<Found> {
    let mut found = by_selfie(app, Scope::Event(event.id), event.indexing, selfies).await?;
    count(app, Some(event.id), event.owner).await;
    found.download_token = offer(app, event.id, &found.matches).await;
    Ok(found)
}

/// Searches all photos of one photographer.
///
/// # Errors
/// The refusals of the pictures.
pub async fn in_library(app: &App, owner: &User, selfies: Selfies) -> Result<Found> {
    let indexing = storage::photos::indexing(&app.db, owner.id).await?;
    let found = by_selfie(app, Scope::Owner(owner.id), indexing, selfies).await?;
    count(app, None, owner.id).await;
    Ok(found)
}

/// Counts an answered search for the dashboard. The person has their answer, whether or not it could be counted.
async fn count(app: &App, event: Option<EventId>, owner: UserId) {
    if let Err(error) = storage::activity::count_search(&app.db, event, owner, app.now()).await {
        tracing::warn!(error = crate::failure::chain(&error), "a search was not counted");
    }
}

/// A token for all matches. Without one the matches can still be saved one by one, so a failure costs no answer.
async fn offer(app: &App, event: EventId, matches: &[Match]) -> Option<String> {
    if matches.is_empty() {
        return None;
    }
    let photos = matches.iter().map(|found| found.photo.id).collect();
    match downloads::offer(app, event, photos).await {
        Ok(token) => Some(token),
        Err(failure) => {
            tracing::warn!(error = failure.chain(), "a search's matches cannot be fetched as one");
            None
        }
    }
}

async fn by_selfie(app: &App, scope: Scope, indexing: Indexing, selfies: Selfies) -> Result<Found> {
    let started = std::time::Instant::now();
    let found = find(app, scope, selfies).await;
    app.metrics.record_search(found.as_ref().map(|(matches, _)| matches.len()), started.elapsed());
    let (matches, faces) = found?;
    Ok(Found { matches, faces, indexing, download_token: None })
}

async fn find(app: &App, scope: Scope, selfies: Selfies) -> Result<(Vec<Match>, Vec<FaceBox>)> {
    let strictness = selfies.strictness;
    let Seen { queries, faces } = look(app, selfies).await?;
    let gallery = app.galleries.get(&app.db, &app.engine, scope).await?;
    let searched = gallery.clone();
    let hits = tasks::blocking(move || searched.gallery.search(&queries, strictness)).await??;
    // Hits come best first, so the first of a photo is its best face.
    let mut best: Vec<(PhotoId, FaceId, f32)> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for hit in hits {
        let (face, photo) = gallery.rows[hit.row];
        if seen.insert(photo) {
            best.push((photo, face, hit.similarity));
        }
    }
    let ids: Vec<PhotoId> = best.iter().map(|(photo, ..)| *photo).collect();
    let photos = storage::photos::by_ids(&app.db, &ids).await?;
    let mut photos: HashMap<PhotoId, Photo> = photos.into_iter().map(|photo| (photo.id, photo)).collect();
    let mut matches = Vec::with_capacity(best.len());
    for (id, face, similarity) in best {
        // A photo that was deleted since the gallery was read is no match any more.
        let Some(photo) = photos.remove(&id) else { continue };
        let url = files::link(app, &photo.key.sized(Size::Preview)).await?;
        let thumbnail_url = files::link(app, &photo.key.sized(Size::Thumbnail)).await?;
        matches.push(Match { face, similarity, photo, url, thumbnail_url });
    }
    Ok((matches, faces))
}

/// What the pictures show.
pub(crate) struct Seen {
    /// An embedding of the person for each picture.
    pub(crate) queries: Vec<Embedding>,
    /// The faces of the first picture.
    faces: Vec<FaceBox>,
}

/// Looks at the pictures on a thread of their own; they live only as long as this call.
async fn look(app: &App, selfies: Selfies) -> Result<Seen> {
    let _permit = app.concurrency.searches.acquire().await.map_err(|_| Refusal::Busy)?;
    let engine = app.engine.clone();
    tasks::blocking(move || look_at(&engine, &selfies)).await?
}

/// Finds the person in each picture, or says what is wrong with it.
pub(crate) fn look_at(engine: &vision::Engine, selfies: &Selfies) -> Result<Seen> {
    match selfies.pictures.len() {
        0 => return Err(Refusal::SelfieRequired.into()),
        1..=SELFIES => {}
        _ => return Err(Refusal::TooManySelfies.into()),
    }
    let mut seen = Seen { queries: Vec::with_capacity(selfies.pictures.len()), faces: Vec::new() };
    for (number, picture) in selfies.pictures.iter().enumerate() {
        let faces = engine.selfie(&indexing::decode_selfie(picture)?)?;
        if faces.is_empty() {
            return Err(Refusal::NoFace.into());
        }
        let chosen = if number == 0 { selfies.face } else { None };
        let face = faces.get(chosen.unwrap_or(0)).ok_or(Refusal::FaceOutOfRange)?;
        match face.quality.flaw() {
            Some(Flaw::TooSmall) => return Err(Refusal::FaceTooSmall.into()),
            Some(Flaw::TooBlurry) => return Err(Refusal::TooBlurry.into()),
            Some(Flaw::TooDark) => return Err(Refusal::TooDark.into()),
            None => seen.queries.push(face.embedding.clone()),
        }
        if number == 0 {
            seen.faces = faces.iter().map(|face| face.bounds).collect();
        }
    }
    Ok(seen)
}
