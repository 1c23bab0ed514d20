//! Finding a person's photos by a selfie.

use bytes::Bytes;
use domain::accounts::User;
use domain::events::{Event, Indexing};
use domain::faces::{BoundingBox, Strictness};
use domain::photos::albums::Album;
use domain::photos::{Photo, PhotoStatus};
use domain::{EventId, FaceId, PhotoId, Refusal};
use media::decoders::{Decoders, Picture, Priority};
use media::temp_files::Contents;
use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::time::{Duration, Instant};
use storage::faces::index::Scope;
use vision::{Flaw, Recognisers};

use crate::events::access::Visitor;
use crate::faces::descriptions::{Descriptions, has_previous, recognisers};
use crate::faces::matching::{self, MatchedPhoto};
use crate::faces::sealing::{Key, Purpose};
use crate::faces::templates::Template;
use crate::faces::{describing, indexing};
use crate::guests::results::FoundPhoto;
use crate::guests::subscriptions::requests::search_token;
use crate::guests::{archives, kept_searches};
use crate::operations::metrics::SearchStage;
use crate::operations::runtime::tasks;
use crate::photos::albums;
use crate::photos::redactions::Audience;
use crate::studio::watermarked;
use crate::{App, Failure, Result, statistics};

pub use crate::faces::admission::Admission;

/// Largest selfie, in bytes.
pub const SELFIE_BYTES: usize = 20 * 1_048_576;
/// Most pictures of one person in one search.
pub const SELFIES: usize = 3;
/// Seconds of a processor that an answer about a selfie may take. The largest take some three, and while one is read others wait
/// for the search's slot.
const SELFIE_SECONDS: u64 = 10;

/// Long side of the picture that a search returns, in pixels: what a phone shows of it.
const PREVIEW_LONG_SIDE: u32 = 720;
/// On libjpeg's scale, 1 to 100: it is seen for a moment, and is part of the answer.
const PREVIEW_QUALITY: u8 = 75;

/// The input of a search.
pub struct Selfies {
    /// One to three encoded pictures of the same person.
    pub pictures: Vec<Bytes>,
    /// Which face of the first picture is meant, as an index into [`SearchResult::faces`]; the largest when none.
    pub face: Option<usize>,
    /// How similar a match must be.
    pub strictness: Strictness,
    /// Faces that the person said are not theirs. Those that are not in the photos any more are ignored.
    pub rejected: Vec<FaceId>,
    /// Whether the first picture is to be returned as one that every browser can draw.
    pub wants_preview: bool,
    /// Whether the person's device has found photos in this event before, so that no other guest is helped now.
    pub found_before: bool,
    /// What the pictures occupy until the last of them is decoded; none where no guest sent them.
    pub admission: Option<Admission>,
}

/// The result of a search.
pub struct SearchResult {
    /// One per photo, by descending similarity.
    pub matches: Vec<Match>,
    /// The albums that these photos are in; none for a search of a whole library.
    pub albums: Vec<Album>,
    /// The faces of the first picture, largest and most central first.
    pub faces: Vec<BoundingBox>,
    /// Whether the person is blurred in every picture, so that a sharper one would find more.
    pub blurred: bool,
    /// The progress of indexing at the time of the search.
    pub indexing: Indexing,
    /// Downloads the originals of all matches as one ZIP; none without matches, and for a search of a whole library.
    pub download_token: Option<String>,
    /// Repeats the search without the pictures, see [`again`]; none for a search of a whole library.
    pub search_token: Option<String>,
    /// Asks to be told of new photos; none where that is not offered, and for a search of a whole library.
    pub subscription_token: Option<String>,
    /// The first picture as a small upright JPEG without metadata, if it was asked for.
    pub preview: Option<Vec<u8>>,
}

/// A photo in which the person was found.
pub struct Match {
    /// The most similar face.
    pub face: FaceId,
    /// From 0 to 1.
    pub similarity: f32,
    /// The photo with its links.
    pub found: FoundPhoto,
}

/// Lets a search of this address in, before the first byte of its selfies is read, or refuses it at once. It may wait for
/// others of the same address.
///
/// # Errors
/// [`Refusal::Busy`] when as many wait as may, [`Refusal::TooMany`] when this address has its part of them.
pub async fn admit(app: &App, address: IpAddr) -> Result<Admission> {
    app.search_admission.admit(address).await
}

/// Ends a search that takes too long, from its admission to its result.
///
/// # Errors
/// [`Refusal::Busy`] then, or those of `search`.
pub async fn within_deadline<T, E: From<Failure>>(
    app: &App,
    search: impl Future<Output = std::result::Result<T, E>>,
) -> std::result::Result<T, E> {
    match tokio::time::timeout(app.settings.search_capacity.deadline, search).await {
        Ok(outcome) => outcome,
        Err(_) => Err(Failure::from(Refusal::Busy).into()),
    }
}

/// Searches one open event; its owner gets originals byte for byte.
///
/// # Errors
/// The refusals of the pictures.
pub async fn in_event(app: &App, event: &Event, visitor: &Visitor, selfies: Selfies) -> Result<SearchResult> {
    let (strictness, first) = (selfies.strictness, !selfies.found_before);
    let (mut found, person) = by_selfie(app, Scope::Event(event.id), event.indexing, selfies).await?;
    statistics::count_search(app, Some(event.id), event.owner, found.matches.len(), first);
    let template = Template::new(app, strictness, person);
    complete(app, event, visitor, template, false, &mut found).await?;
    Ok(found)
}

/// A search that is repeated without its pictures.
pub struct Repeated {
    /// The token of an earlier search, or what the device keeps of it (`guests/kept_searches.rs`).
    pub token: String,
    /// How similar a match must be; as in the earlier search when none.
    pub strictness: Option<Strictness>,
    /// As in [`Selfies`].
    pub rejected: Vec<FaceId>,
    /// The same.
    pub found_before: bool,
}

/// Repeats a search of an open event by the template that the guest's device holds. It counts as a search only where it is the
/// first that helps the guest.
///
/// # Errors
/// [`Refusal::SearchTokenExpired`] when the token is unknown, expired or revoked, or made with another model pack by which nobody
/// can be found any more.
pub async fn again(app: &App, event: &Event, visitor: &Visitor, repeated: Repeated) -> Result<SearchResult> {
    let mut template = of_device(app, event, &repeated.token).await?;
    template.strictness = repeated.strictness.unwrap_or(template.strictness);
    let (person, strictness) = (template.descriptions(app), template.strictness);
    let rejected = repeated.rejected.into_iter().collect();
    let matches = matches(app, Scope::Event(event.id), &person, rejected, strictness).await?;
    if !matches.is_empty() && !repeated.found_before {
        statistics::count_search(app, Some(event.id), event.owner, matches.len(), true);
    }
    let mut found = SearchResult::of(matches, event.indexing);
    complete(app, event, visitor, template, true, &mut found).await?;
    Ok(found)
}

/// What a guest's device holds of a search of an event, as it can be compared with all photos.
pub(crate) async fn of_device(app: &App, event: &Event, token: &str) -> Result<Template> {
    let key = Key::of(app, event.id, Purpose::Searches).await?.ok_or(Refusal::SearchTokenExpired)?;
    let template = Template::of_device(app, &key, event.id, token);
    let template = template.ok_or(Refusal::SearchTokenExpired)?;
    Ok(carried_over(app, event.id, template).await?.ok_or(Refusal::SearchTokenExpired)?)
}

/// A template that can be compared with all photos of an event. One of the pack before knows the person by what this pack says of
/// the photos in which it surely finds them. None where there is no such photo any more: then nothing could tell that photos are
/// missing, and the guest is asked for another picture.
async fn carried_over(app: &App, event: EventId, mut template: Template) -> Result<Option<Template>> {
    let pack = app.engine.pack_id();
    if !template.by(pack).is_empty() {
        return Ok(Some(template));
    }
    let (scope, person) = (Scope::Event(event), template.descriptions(app));
    if person.previous.is_empty() || !has_previous(app, scope).await? {
        return Ok(None);
    }
    let mut sure = matching::photos(app, scope, &person, HashSet::new(), Strictness::Strict).await?;
    sure.truncate(SELFIES);
    let slot = app.concurrency.searches.acquire().await?;
    let mut learned = Vec::with_capacity(sure.len());
    for MatchedPhoto { photo, face, .. } in sure {
        learned.extend(describing::one(app, photo, face).await?);
    }
    drop(slot);
    // Where none is surely theirs, those of the pack before are all there are as long as none is described anew.
    let is_whole = !learned.is_empty() || !storage::faces::index::has(&app.db, scope, pack).await?;
    template.learn(pack, learned);
    Ok(Some(template).filter(|_| is_whole))
}

/// Adds what a guest gets beside the matches in an event. What cannot be made is left out, since the matches are there.
async fn complete(
    app: &App,
    event: &Event,
    visitor: &Visitor,
    template: Template,
    is_repeated: bool,
    found: &mut SearchResult,
) -> Result<()> {
    found.albums =
        albums::of_found(app, event.id, found.matches.iter().map(|matched| &matched.found.photo)).await?;
    let audience = if visitor.owns(event) { Audience::Owner } else { Audience::Guests };
    let repeated = is_repeated.then_some(&template);
    found.download_token = download_token(app, event, &found.matches, audience, repeated).await;
    let download = &found.download_token;
    let token = kept_searches::search_token(app, event, &template).await;
    found.search_token = token.unwrap_or_else(|failure| {
        tracing::warn!(error = failure.chain(), "a search cannot be repeated without its pictures");
        None
    });
    let token = search_token(app, event, template, download.as_deref()).await;
    found.subscription_token = token.unwrap_or_else(|failure| {
        tracing::warn!(error = failure.chain(), "a search cannot be made a subscription");
        None
    });
    Ok(())
}

/// Searches all photos of one photographer.
///
/// # Errors
/// The refusals of the pictures.
pub async fn in_library(app: &App, owner: &User, selfies: Selfies) -> Result<SearchResult> {
    let indexing = storage::photos::indexing(&app.db, owner.id).await?;
    let (found, _) = by_selfie(app, Scope::Owner(owner.id), indexing, selfies).await?;
    statistics::count_search(app, None, owner.id, found.matches.len(), false);
    Ok(found)
}

/// A download token for all matches, of a search by this template where that is repeated. A failure is only logged, since the
/// matches can still be saved one by one.
pub(crate) async fn download_token(
    app: &App,
    event: &Event,
    matches: &[Match],
    audience: Audience,
    repeated: Option<&Template>,
) -> Option<String> {
    if matches.is_empty() {
        return None;
    }
    let photos = matches.iter().map(|matched| (matched.found.photo.id, matched.face)).collect();
    let created = match repeated {
        Some(template) => archives::repeated::create(app, event, photos, audience, template.digest()).await,
        None => archives::create(app, event, photos, audience, archives::LIFETIME).await,
    };
    match created {
        Ok(token) => Some(token),
        Err(failure) => {
            tracing::warn!(error = failure.chain(), "a search's matches cannot be fetched as one");
            None
        }
    }
}

/// Answers what was found, and what was compared.
async fn by_selfie(
    app: &App,
    scope: Scope,
    indexing: Indexing,
    selfies: Selfies,
) -> Result<(SearchResult, Descriptions)> {
    let started = Instant::now();
    let found = find(app, scope, selfies).await;
    app.metrics.record_search(found.as_ref().map(|found| found.matches.len()), started.elapsed());
    let Found { matches, person, faces, blurred, preview } = found?;
    Ok((SearchResult { faces, blurred, preview, ..SearchResult::of(matches, indexing) }, person))
}

impl SearchResult {
    /// Matches alone.
    const fn of(matches: Vec<Match>, indexing: Indexing) -> Self {
        Self {
            matches,
            albums: Vec::new(),
            faces: Vec::new(),
            blurred: false,
            indexing,
            download_token: None,
            search_token: None,
            subscription_token: None,
            preview: None,
        }
    }
}

/// What the pictures lead to.
struct Found {
    matches: Vec<Match>,
    person: Descriptions,
    faces: Vec<BoundingBox>,
    blurred: bool,
    preview: Option<Vec<u8>>,
}

async fn find(app: &App, scope: Scope, selfies: Selfies) -> Result<Found> {
    let strictness = selfies.strictness;
    let rejected: HashSet<FaceId> = selfies.rejected.iter().copied().collect();
    let by = recognisers(app, scope).await?;
    let SelfieFaces { person, faces, blurred, preview } = detect_in_background(app, selfies, by).await?;
    let matches = matches(app, scope, &person, rejected, strictness).await?;
    Ok(Found { matches, person, faces, blurred, preview })
}

/// The photos in which a person is found, with their links.
pub(crate) async fn matches(
    app: &App,
    scope: Scope,
    person: &Descriptions,
    rejected: HashSet<FaceId>,
    strictness: Strictness,
) -> Result<Vec<Match>> {
    let started = Instant::now();
    let best = matching::photos(app, scope, person, rejected, strictness).await?;
    app.metrics.record_search_stage(SearchStage::Compare, started.elapsed());
    let ids: Vec<PhotoId> = best.iter().map(|matched| matched.photo).collect();
    let photos = storage::photos::by_ids(&app.db, &ids).await?;
    let mut photos: HashMap<PhotoId, Photo> = photos.into_iter().map(|photo| (photo.id, photo)).collect();
    // Photographers who search all of theirs are no guests.
    let watermark = match (&scope, photos.values().next()) {
        (Scope::Event(_), Some(photo)) => watermarked::of_owner(app, photo.owner).await?,
        _ => None,
    };
    let mut matches = Vec::with_capacity(best.len());
    for MatchedPhoto { photo, face, similarity, .. } in best {
        // A photo may have been deleted since the index was read, or replaced.
        let Some(photo) = photos.remove(&photo).filter(|photo| photo.status == PhotoStatus::Ready) else {
            continue;
        };
        // Or hidden: a photographer still finds it among all of theirs.
        if photo.hidden && matches!(scope, Scope::Event(_)) {
            continue;
        }
        let found = FoundPhoto::new(app, photo, Some(face), watermark.as_ref()).await?;
        matches.push(Match { face, similarity, found });
    }
    Ok(matches)
}

/// The faces in the selfies.
pub(crate) struct SelfieFaces {
    /// The person, as each picture shows them.
    pub(crate) person: Descriptions,
    /// The faces of the first picture.
    pub(crate) faces: Vec<BoundingBox>,
    /// Whether the person is blurred in every picture.
    blurred: bool,
    /// The first picture as a small JPEG, if it was asked for.
    preview: Option<Vec<u8>>,
}

/// Detects faces on a thread that may block. The pictures are dropped with this call.
pub(crate) async fn detect_in_background(
    app: &App,
    selfies: Selfies,
    by: Recognisers,
) -> Result<SelfieFaces> {
    in_background(app, selfies, move |engine, pictures, selfies, record| {
        detect_faces(engine, pictures, selfies, by, record)
    })
    .await
}

/// Looks at pictures on a thread that may block, one decoded at a time. They are dropped with this call.
pub(crate) async fn in_background<T: Send + 'static>(
    app: &App,
    selfies: Selfies,
    look: impl FnOnce(&vision::Engine, &mut [Picture], &Selfies, &dyn Fn(SearchStage, Duration)) -> Result<T>
    + Send
    + 'static,
) -> Result<T> {
    let started = Instant::now();
    let slot = app.concurrency.searches.acquire().await?;
    let decoders = app.decoders.clone().within_seconds(SELFIE_SECONDS);
    let (measured, slot) = tasks::blocking_with(slot, move || -> Result<_> {
        let mut pictures = open(&decoders, &selfies)?;
        // One after the other is decoded: the largest counts.
        let mut needed = 0;
        for picture in &mut pictures {
            needed = indexing::selfie_memory(picture)?.max(needed);
        }
        Ok((selfies, pictures, needed))
    })
    .await?;
    let (selfies, mut pictures, needed) = measured?;
    let memory = app.decode_memory.acquire(needed).await?;
    app.metrics.record_search_stage(SearchStage::Wait, started.elapsed());
    let (engine, metrics) = (app.engine.clone(), app.metrics.clone());
    let detect = move || {
        let record = |stage, took| metrics.record_search_stage(stage, took);
        look(&engine, &mut pictures, &selfies, &record)
    };
    let (detected, _) = tasks::blocking_with((slot, memory), detect).await?;
    detected
}

/// Why a face cannot be searched with.
pub(crate) const fn refusal_of(flaw: Flaw) -> Refusal {
    match flaw {
        Flaw::TooSmall => Refusal::FaceTooSmall,
        Flaw::TooBlurry => Refusal::TooBlurry,
        Flaw::TooDark => Refusal::TooDark,
    }
}

/// The pictures, to be read by `decoders`.
///
/// # Errors
/// When there are none, or too many.
pub(crate) fn open(decoders: &Decoders, selfies: &Selfies) -> Result<Vec<Picture>> {
    match selfies.pictures.len() {
        0 => return Err(Refusal::SelfieRequired.into()),
        1..=SELFIES => {}
        _ => return Err(Refusal::TooManySelfies.into()),
    }
    let contents = selfies.pictures.iter().map(|picture| Contents::InMemory(picture.clone()));
    Ok(contents.map(|contents| decoders.open(contents, Priority::Foreground)).collect())
}

/// Detects the person in each picture, and refuses pictures in which that is not possible; `record` is told what it took.
/// `pictures` are those of the selfies.
pub(crate) fn detect_faces(
    engine: &vision::Engine,
    pictures: &mut [Picture],
    selfies: &Selfies,
    by: Recognisers,
    record: &dyn Fn(SearchStage, Duration),
) -> Result<SelfieFaces> {
    let mut detected =
        SelfieFaces { person: Descriptions::default(), faces: Vec::new(), blurred: true, preview: None };
    for (number, picture) in pictures.iter_mut().enumerate() {
        let started = Instant::now();
        let pixels = indexing::decode_selfie(picture)?;
        record(SearchStage::Decode, started.elapsed());
        let vision::Selfie { faces, detection, description } = engine.selfie_by(&pixels, by)?;
        record(SearchStage::Detect, detection);
        record(SearchStage::Describe, description);
        if faces.is_empty() {
            return Err(Refusal::NoFace.into());
        }
        let chosen = if number == 0 { selfies.face } else { None };
        let face = faces.get(chosen.unwrap_or(0)).ok_or(Refusal::FaceOutOfRange)?;
        match face.quality.flaw() {
            Some(flaw) => return Err(refusal_of(flaw).into()),
            None => detected.person.push(face),
        }
        detected.blurred &= face.quality.is_blurred();
        if number == 0 {
            detected.faces = faces.iter().map(|face| face.bounds).collect();
            if selfies.wants_preview {
                let small = media::pictures::resize(&pixels, PREVIEW_LONG_SIDE);
                detected.preview = Some(media::pictures::encode_jpeg(&small, PREVIEW_QUALITY)?);
            }
        }
    }
    Ok(detected)
}
