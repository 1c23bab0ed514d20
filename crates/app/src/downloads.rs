//! A guest's matches, all or some, as one ZIP.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use domain::downloads::Downloads;
use domain::events::Event;
use domain::photos::{ImageFormat, Photo, Size};
use domain::tokens::hash_token;
use domain::{EventId, PhotoId, Refusal, UserId};
use futures::stream::BoxStream;
use futures::{StreamExt as _, TryStreamExt as _};
use media::checksums::Checksums;
use media::zip::{self, Entry, File};
use storage::downloads::Download;

use crate::access::{self, Visitor};
use crate::redactions::{self, Audience};
use crate::{App, Failure, Result, previews};

/// How long the token of a search is valid.
pub(crate) const LIFETIME: Duration = Duration::from_secs(6 * 60 * 60);
/// Most tokens whose photos may be chosen from at once: a page that is open for long searches again and again.
pub const TOKENS: usize = 64;
/// Most photos in a ZIP of chosen ones.
pub const PHOTOS: usize = 10_000;

/// Creates a download of these photos of an open event, in this order, as `audience` gets them, and answers its token. Only the token's hash is
/// stored.
pub(crate) async fn create(
    app: &App,
    event: EventId,
    photos: Vec<PhotoId>,
    audience: Audience,
    lifetime: Duration,
) -> Result<String> {
    let now = app.now();
    let is_owners = audience == Audience::Owner;
    let download = Download { event, photos, is_owners, created_at: now, expires_at: now.plus(lifetime) };
    let token = app.randomness.token();
    storage::downloads::create(&app.db, &token.hash(), &download).await?;
    Ok(token.reveal())
}

/// Creates a download of some of the photos that `tokens` stand for, in the order of `photos`, and answers its token. It is
/// valid for as long as the last of the tokens: choosing photos prolongs nothing.
///
/// # Errors
/// [`Refusal::DownloadNotFound`] when a token is unknown or expired, they are of several events, or a photo is none of
/// theirs; [`Refusal::EventPinRequired`], [`Refusal::DownloadsNotOffered`]; others for too many of either, or a photo that is chosen twice.
pub async fn choose(app: &App, visitor: &Visitor, tokens: &[String], photos: &[String]) -> Result<String> {
    if !(1..=TOKENS).contains(&tokens.len()) {
        return Err(Refusal::DownloadTokensInvalid.into());
    }
    if !(1..=PHOTOS).contains(&photos.len()) {
        return Err(Refusal::DownloadPhotosInvalid.into());
    }
    let (mut event, mut expires_at, mut allowed) = (None, app.now(), HashSet::new());
    let mut is_owners = true;
    for token in tokens {
        let download = find(app, token).await?.ok_or(Refusal::DownloadNotFound)?;
        if *event.get_or_insert(download.event) != download.event {
            return Err(Refusal::DownloadNotFound.into());
        }
        expires_at = expires_at.max(download.expires_at);
        is_owners &= download.is_owners;
        allowed.extend(download.photos);
    }
    let mut chosen = Vec::with_capacity(photos.len());
    let mut seen = HashSet::with_capacity(photos.len());
    for photo in photos {
        let photo: PhotoId = photo.parse().map_err(|_| Refusal::DownloadNotFound)?;
        if !allowed.contains(&photo) {
            return Err(Refusal::DownloadNotFound.into());
        }
        if !seen.insert(photo) {
            return Err(Refusal::DownloadPhotosRepeated.into());
        }
        chosen.push(photo);
    }
    let event = event.ok_or(Refusal::DownloadTokensInvalid)?;
    let open = access::by_id(app, visitor, event).await?.ok_or(Refusal::DownloadNotFound)?;
    if !is_owners {
        open.downloads.check_any()?;
    }
    let download = Download { event, photos: chosen, is_owners, created_at: app.now(), expires_at };
    let chosen = app.randomness.token();
    let mut tx = app.begin().await?;
    storage::downloads::create(&mut *tx, &chosen.hash(), &download).await?;
    for token in tokens {
        storage::downloads::add_source(&mut tx, &chosen.hash(), &hash_token(token)).await?;
    }
    tx.commit().await?;
    Ok(chosen.reveal())
}

/// What a token stands for that has not expired.
pub(crate) async fn find(app: &App, token: &str) -> Result<Option<Download>> {
    let download = storage::downloads::find(&app.db, &hash_token(token)).await?;
    Ok(download.filter(|download| app.now() < download.expires_at))
}

/// The photos of a download that are still there and not hidden, each with its place among the matches, counted from 0.
pub(crate) async fn photos(app: &App, download: &Download) -> Result<Vec<(usize, Photo)>> {
    let photos = storage::photos::by_ids(&app.db, &download.photos).await?;
    let mut photos: HashMap<PhotoId, Photo> = photos.into_iter().map(|photo| (photo.id, photo)).collect();
    let places = download.photos.iter().enumerate();
    let there = places.filter_map(|(place, id)| Some((place, photos.remove(id)?)));
    Ok(there.filter(|(_, photo)| photo.event == Some(download.event) && !photo.hidden).collect())
}

/// A ZIP that is ready to be sent.
#[derive(Clone)]
pub struct Archive {
    zip: zip::Archive,
    /// The name to save it under: ASCII letters, digits and hyphens.
    pub filename: String,
    /// Something that changes with the bytes.
    pub version: String,
    /// What is counted when it is saved; none for what photographers save of their own.
    pub(crate) guests: Option<Guests>,
}

/// What guests save.
#[derive(Clone, Copy)]
pub(crate) struct Guests {
    pub(crate) event: EventId,
    pub(crate) owner: UserId,
    pub(crate) photos: i64,
}

/// The ZIP that a token stands for: the matches that are still there, named `photo-{n}` by their place among the matches. They
/// are originals, as the token's audience gets them, or previews for the guests of an event that offers the web size alone.
///
/// The same photos give the same bytes. One that was deleted since is left out; those behind it keep their names.
///
/// # Errors
/// [`Refusal::DownloadNotFound`] for an unknown or expired token, or when the event or all photos are deleted;
/// [`Refusal::DownloadsNotOffered`].
pub async fn archive(app: &App, token: &str) -> Result<Archive> {
    let download = find(app, token).await?.ok_or(Refusal::DownloadNotFound)?;
    let event = storage::events::by_id(&app.db, download.event).await?.filter(Event::is_open);
    let event = event.ok_or(Refusal::DownloadNotFound)?;
    let photos = photos(app, &download).await?;
    let files = match (download.is_owners, event.downloads) {
        (true, _) => originals(app, photos, Audience::Owner).await?,
        (false, Downloads::Original) => originals(app, photos, Audience::of_guests(&event)).await?,
        (false, Downloads::Web) => previews(app, photos).await?,
        (false, Downloads::None) => return Err(Refusal::DownloadsNotOffered.into()),
    };
    if files.is_empty() {
        return Err(Refusal::DownloadNotFound.into());
    }
    let photos = i64::try_from(files.len()).unwrap_or(i64::MAX);
    let guests = (!download.is_owners).then_some(Guests { event: event.id, owner: event.owner, photos });
    Ok(Archive { guests, ..Archive::new(app, files, event.slug) })
}

async fn originals(app: &App, photos: Vec<(usize, Photo)>, audience: Audience) -> Result<Vec<(Entry, File)>> {
    let mut redactions = match audience {
        Audience::Owner => HashMap::new(),
        Audience::Guests => {
            let photos: Vec<&Photo> = photos.iter().map(|(_, photo)| photo).collect();
            redactions::of_all(app, &photos).await?
        }
    };
    let mut files = Vec::with_capacity(photos.len());
    for (place, photo) in photos {
        let (crc32, patches) = match redactions.remove(&photo.id) {
            Some(redaction) => (redaction.crc32, redaction.patches),
            None => (crc32(app, &photo).await?, Vec::new()),
        };
        let entry = entry(place, photo.format, photo.size_bytes, crc32, &photo);
        files.push((entry, File::Stored { key: photo.key, patches: patches.into() }));
    }
    Ok(files)
}

/// The previews of those that have one.
async fn previews(app: &App, photos: Vec<(usize, Photo)>) -> Result<Vec<(Entry, File)>> {
    let mut files = Vec::with_capacity(photos.len());
    for (place, photo) in photos {
        let Some(preview) = previews::described(app, &photo).await? else { continue };
        let entry = entry(place, ImageFormat::Jpeg, preview.bytes, preview.crc32, &photo);
        files.push((entry, File::Stored { key: photo.key.sized(Size::Preview), patches: Arc::default() }));
    }
    Ok(files)
}

fn entry(place: usize, format: ImageFormat, bytes: i64, crc32: u32, photo: &Photo) -> Entry {
    Entry {
        name: format!("photo-{}.{}", place + 1, format.extension()),
        size: u64::try_from(bytes).unwrap_or_default(),
        crc32,
        modified: photo.created_at,
    }
}

/// Everything that the bytes follow from, hashed.
fn version(files: &[(Entry, File)]) -> String {
    let mut hasher = blake3::Hasher::new();
    for (entry, file) in files {
        let Entry { name, size, crc32, modified } = entry;
        hasher.update(format!("{name} {size} {crc32} {} ", modified.as_millis()).as_bytes());
        match file {
            File::Stored { key, .. } => hasher.update(key.as_str().as_bytes()),
            File::Made(bytes) => hasher.update(blake3::hash(bytes).as_bytes()),
        };
        hasher.update(b"\n");
    }
    URL_SAFE_NO_PAD.encode(&hasher.finalize().as_bytes()[..18])
}

/// A photo's checksum; computed and stored for one that was uploaded before checksums were.
pub(crate) async fn crc32(app: &App, photo: &Photo) -> Result<u32> {
    if let Some(crc32) = photo.crc32 {
        return Ok(crc32);
    }
    let missing =
        || Failure::Internal(format!("the original of photo {} is not in the media store", photo.id));
    let original = app.store.read(&photo.key, None).await?.ok_or_else(missing)?;
    let Checksums { crc32, .. } = Checksums::of(original).await?;
    storage::photos::set_crc32(&app.db, photo.id, crc32).await?;
    Ok(crc32)
}

impl Archive {
    /// A ZIP of these files, in their order.
    pub(crate) fn new(app: &App, files: Vec<(Entry, File)>, filename: String) -> Self {
        let version = version(&files);
        Self { zip: zip::Archive::new(app.store.clone(), files), filename, version, guests: None }
    }

    /// Its size in bytes.
    pub fn size(&self) -> u64 {
        self.zip.size()
    }

    /// The bytes of `range`, read while they are sent.
    ///
    /// A file that cannot be read, or is not as long as it was, ends the stream with an error, so that the caller
    /// aborts the connection instead of sending an archive that looks complete.
    pub fn read(&self, range: Range<u64>) -> BoxStream<'static, Result<Bytes>> {
        self.zip.read(range).map_err(Failure::from).boxed()
    }
}
