//! Links to files, and the files behind them.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use domain::events::Event;
use domain::events::covers::Cover;
use domain::photos::captures::Capture;
use domain::photos::redactions::Patch;
use domain::photos::{MediaKey, Photo, PhotoStatus, Size};
use domain::studio::watermarks::Watermark;
use domain::{FaceId, PhotoId, Refusal};
use media::captures::tagged;
use media::stores::{Disposition, Read};

use crate::faces::people::pictures;
use crate::operations::metrics::RenditionSource;
use crate::photos::early;
use crate::photos::linked::Linked;
use crate::photos::redactions::{self, Audience};
use crate::photos::rendition_cache::{Look, Rendition, Sighting};
use crate::studio::watermarked;
use crate::{App, Result};

pub use crate::operations::runtime::origins::is_origin;
pub use crate::photos::dispositions::content_disposition;

/// The origin of the links to files, such as `https://bucket.example.com`, where the object store serves them; none
/// where this server does.
pub fn origin(app: &App) -> Option<&str> {
    app.files_origin.as_deref()
}

/// All origins other than this server's that links to files lead to.
pub fn origins(app: &App) -> Vec<&str> {
    origin(app).into_iter().chain(app.settings.files_url.as_deref()).collect()
}

/// A link that gives anyone access to one of a photo's files until it expires.
///
/// # Errors
/// When the object store cannot sign.
pub async fn link(app: &App, photo: &Photo, size: Size) -> Result<String> {
    link_to(app, photo, Linked::Stored(size), None).await
}

/// A link to one of a photo's renditions as guests see it: with the photographer's watermark, if there is one. A thumbnail
/// has none.
pub(crate) async fn guest_link(
    app: &App,
    photo: &Photo,
    size: Size,
    watermark: Option<&Watermark>,
) -> Result<String> {
    let linked = match watermark {
        Some(watermark) if size != Size::Thumbnail => Linked::Marked(size, watermark.name.clone()),
        _ => Linked::Stored(size),
    };
    link_to(app, photo, linked, None).await
}

/// The store's own link to a file that it has as it is; this server's to any other.
pub(crate) async fn link_to(
    app: &App,
    photo: &Photo,
    linked: Linked,
    filename: Option<&str>,
) -> Result<String> {
    if filename.is_none()
        && let Some(cache) = &app.settings.files_url
        && linked.is_rendition()
    {
        return Ok(shared_link(app, cache, photo.id, &linked.name_for(photo)));
    }
    if let Linked::Stored(size) = linked
        && origin(app).is_some()
    {
        let attachment = filename.map(content_disposition);
        let disposition =
            Disposition { content_disposition: attachment.as_deref(), ..Disposition::default() };
        let lifetime = app.settings.link_lifetime;
        if let Some(presigned) = app.store.presign(&photo.key.sized(size), lifetime, &disposition).await? {
            return Ok(presigned);
        }
    }
    Ok(own_link(app, photo.id, &linked.name_for(photo), filename))
}

/// The link of a cache in front of this server.
fn shared_link(app: &App, cache: &str, photo: PhotoId, name: &str) -> String {
    let file = format!("{photo}/{name}");
    format!("{cache}{}", app.link_signer.sign_shared(&file, app.settings.link_lifetime, app.now()))
}

/// This server's link.
fn own_link(app: &App, photo: PhotoId, name: &str, filename: Option<&str>) -> String {
    let file = format!("{photo}/{name}");
    let signed = app.link_signer.sign(&file, filename, app.settings.link_lifetime, app.now());
    format!("{}{signed}", app.settings.public_url)
}

/// A link to a rendition of an event's cover, for which the photo need not be read.
pub fn cover_link(app: &App, cover: &Cover, size: Size) -> String {
    let name = Linked::Stored(size).name_at(cover.revision);
    match &app.settings.files_url {
        Some(cache) => shared_link(app, cache, cover.photo, &name),
        None => own_link(app, cover.photo, &name, None),
    }
}

/// A link without this server's origin, for a page that may have been opened under another name; any other link as it is.
pub fn relative(app: &App, link: String) -> String {
    match link.strip_prefix(&app.settings.public_url) {
        // Another origin may begin alike, as `https://photos.example.net` does with `https://photos.example`.
        Some(path) if path.starts_with('/') => path.to_owned(),
        _ => link,
    }
}

/// A link to the picture of a face in a photo, which this server makes each time.
pub(crate) fn face_link(app: &App, photo: PhotoId, face: FaceId) -> String {
    own_link(app, photo, &Linked::Face(face).name(), None)
}

/// The links to a photo's renditions.
pub struct PhotoLinks {
    /// The preview, or the original while there is no preview.
    pub url: String,
    /// The rendition of medium size.
    pub medium_url: Option<String>,
    /// The thumbnail.
    pub thumbnail_url: Option<String>,
    /// A picture of the thumbnail's size that is made when it is asked for, while the photo is being indexed.
    pub early_url: Option<String>,
}

/// Makes the links of one photo.
///
/// # Errors
/// When the object store cannot sign.
pub async fn photo_links(app: &App, photo: &Photo) -> Result<PhotoLinks> {
    let sizes = photo.sizes();
    let of = async |size: Size| match sizes.contains(&size) {
        true => link(app, photo, size).await.map(Some),
        false => Ok(None),
    };
    let url = match of(Size::Preview).await? {
        Some(preview) => preview,
        None => link(app, photo, Size::Original).await?,
    };
    let early = || own_link(app, photo.id, &Linked::Early.name_for(photo), None);
    let early_url = (photo.status == PhotoStatus::Processing).then(early);
    let (medium_url, thumbnail_url) = (of(Size::Medium).await?, of(Size::Thumbnail).await?);
    Ok(PhotoLinks { url, medium_url, thumbnail_url, early_url })
}

/// A file that is ready to be sent.
pub struct StoredFile {
    key: MediaKey,
    patches: Arc<[Patch]>,
    /// Where it comes from, for one that memory has or may keep.
    cached: Option<Cached>,
    /// What has the tags that are written into it on its way; none where nothing is written.
    capture: Option<Box<Capture>>,
    /// Its media type.
    pub media_type: &'static str,
    /// Something that changes with the bytes.
    pub version: String,
}

enum Cached {
    Kept(Arc<Rendition>),
    Missing {
        photo: PhotoId,
        size: Size,
        sighting: Sighting,
    },
    /// A rendition with a watermark, in memory.
    KeptMarked(Arc<Rendition>),
    /// A rendition on which the watermark is to be drawn: no store has it.
    Unmarked {
        photo: PhotoId,
        size: Size,
        watermark: Watermark,
        sighting: Sighting,
    },
    /// A picture that was made for this request: no store has it.
    Made(Bytes),
}

/// The file that a signed link of this server names.
///
/// # Errors
/// [`Refusal::FileNotFound`] when the signature is not ours, the link has expired, or the photo or its event is gone;
/// [`Refusal::OriginalsNotOffered`] and [`Refusal::DownloadsNotOffered`] for what a guest could save when it was signed.
pub async fn by_link(
    app: &App,
    photo: &str,
    linked: &str,
    filename: Option<&str>,
    expires: i64,
    signature: &str,
) -> Result<StoredFile> {
    if !app.link_signer.verify(&format!("{photo}/{linked}"), filename, expires, signature, app.now()) {
        return Err(Refusal::FileNotFound.into());
    }
    let id: PhotoId = photo.parse().map_err(|_| Refusal::FileNotFound)?;
    let linked = Linked::parse(linked).ok_or(Refusal::FileNotFound)?;
    match linked {
        Linked::Stored(Size::Preview) if filename.is_some() => {
            let photo = storage::photos::served(&app.db, id).await?.ok_or(Refusal::FileNotFound)?;
            Ok(with_tags(by_id(app, id, Size::Preview).await?, &photo))
        }
        Linked::Stored(size) => by_id(app, id, size).await,
        Linked::ForGuests => {
            let (photo, event) = of_guests(app, id).await?;
            for_guests(app, &photo, &event).await
        }
        Linked::WebForGuests => {
            let (photo, event) = of_guests(app, id).await?;
            event.downloads.check_any()?;
            let file = match watermarked::on_downloads(app, photo.owner).await? {
                Some(watermark) => marked_by_id(app, photo.id, Size::Preview, &watermark.name).await?,
                None => by_id(app, photo.id, Size::Preview).await?,
            };
            Ok(with_tags(file, &photo))
        }
        Linked::Marked(size, named) => marked_by_id(app, id, size, &named).await,
        Linked::Face(face) => {
            let photo = storage::photos::served(&app.db, id).await?.ok_or(Refusal::FileNotFound)?;
            let jpeg = pictures::jpeg(app, &photo, face).await?;
            // Like a rendition it never changes.
            Ok(made(photo.key, jpeg, format!("face-{face}")))
        }
        Linked::Early => {
            let sighting = app.renditions.sighting(app.now());
            let photo = storage::photos::served(&app.db, id).await?.ok_or(Refusal::FileNotFound)?;
            if photo.sizes().contains(&Size::Thumbnail) {
                return by_id(app, id, Size::Thumbnail).await;
            }
            let jpeg = early::jpeg(app, &photo, sighting).await?;
            let version = format!("early-{id}-{}", photo.key.revision());
            Ok(made(photo.key, jpeg, version))
        }
    }
}

/// A JPEG that was made for this request.
fn made(key: MediaKey, jpeg: Bytes, version: String) -> StoredFile {
    let (patches, cached) = (Arc::default(), Some(Cached::Made(jpeg)));
    StoredFile { key, patches, cached, capture: None, media_type: "image/jpeg", version }
}

/// The rendition that a link names which caches may share.
///
/// # Errors
/// [`Refusal::FileNotFound`] when the signature is not ours, the link has expired, or the photo or its event is gone.
pub async fn by_shared_link(
    app: &App,
    photo: &str,
    size: &str,
    expires: i64,
    signature: &str,
) -> Result<StoredFile> {
    if !app.link_signer.verify_shared(&format!("{photo}/{size}"), expires, signature, app.now()) {
        return Err(Refusal::FileNotFound.into());
    }
    let photo = photo.parse().map_err(|_| Refusal::FileNotFound)?;
    match Linked::parse(size).filter(Linked::is_rendition) {
        Some(Linked::Stored(size)) => by_id(app, photo, size).await,
        Some(Linked::Marked(size, named)) => marked_by_id(app, photo, size, &named).await,
        _ => Err(Refusal::FileNotFound.into()),
    }
}

/// A preview as it is saved: it says when its photo was taken, so that phones sort it by that, by whom, and whose it is.
fn with_tags(file: StoredFile, photo: &Photo) -> StoredFile {
    let Capture { at, artist, copyright, .. } = &photo.capture;
    if !photo.capture.has_tags() {
        return file;
    }
    let mut version = file.version.clone();
    if let Some(at) = at {
        version = format!("{version}-{}", at.as_seconds());
    }
    if artist.is_some() || copyright.is_some() {
        // An entity tag has no room for texts of any characters.
        let rights = serde_json::json!([artist, copyright]).to_string();
        version = format!("{version}-{}", &blake3::hash(rights.as_bytes()).to_hex()[..16]);
    }
    StoredFile { capture: Some(Box::new(photo.capture.clone())), version, ..file }
}

/// One of a photo's files, for which the database is not asked where memory has it.
async fn by_id(app: &App, photo: PhotoId, size: Size) -> Result<StoredFile> {
    let now = app.now();
    let kept = app.renditions.get(photo, Look::Plain(size));
    if let Some(kept) = kept.as_ref().filter(|kept| kept.was_seen(now)) {
        return of_key(kept.key.clone(), photo, size, Some(Cached::Kept(kept.clone())));
    }
    let sighting = app.renditions.sighting(now);
    let Some(original) = storage::photos::served_key(&app.db, photo).await? else {
        app.renditions.forget([photo]);
        return Err(Refusal::FileNotFound.into());
    };
    // One of before the photo was replaced by another process is not sent any more.
    let cached = match kept.filter(|kept| kept.key == original.sized(size)) {
        Some(kept) => {
            kept.see(sighting);
            Cached::Kept(kept)
        }
        None => Cached::Missing { photo, size, sighting },
    };
    of_key(original.sized(size), photo, size, Some(cached))
}

/// One of a photo's renditions with the watermark that its photographer has now; as it is stored where there is none. What
/// is kept with another one than the link names is not sent unseen: browsers would keep it for hours under that name.
async fn marked_by_id(app: &App, photo: PhotoId, size: Size, named: &str) -> Result<StoredFile> {
    let now = app.now();
    let kept = app.renditions.get(photo, Look::Marked(size));
    let is_current = |kept: &&Arc<Rendition>| kept.was_seen(now) && kept.mark.as_deref() == Some(named);
    if let Some(kept) = kept.as_ref().filter(is_current) {
        return of_marked(kept.key.clone(), photo, size, named, Cached::KeptMarked(kept.clone()));
    }
    let sighting = app.renditions.sighting(now);
    let Some(stored) = storage::photos::served(&app.db, photo).await? else {
        app.renditions.forget([photo]);
        return Err(Refusal::FileNotFound.into());
    };
    let Some(watermark) = watermarked::of_owner(app, stored.owner).await? else {
        return by_id(app, photo, size).await;
    };
    let key = stored.key.sized(size);
    let is_same = |kept: &Arc<Rendition>| kept.key == key && kept.mark.as_ref() == Some(&watermark.name);
    let name = watermark.name.clone();
    let cached = match kept.filter(is_same) {
        Some(kept) => {
            kept.see(sighting);
            Cached::KeptMarked(kept)
        }
        None => Cached::Unmarked { photo, size, watermark, sighting },
    };
    of_marked(key, photo, size, &name, cached)
}

/// A rendition with the watermark of this name, which is another version with each.
fn of_marked(key: MediaKey, photo: PhotoId, size: Size, name: &str, cached: Cached) -> Result<StoredFile> {
    let file = of_key(key, photo, size, Some(cached))?;
    Ok(StoredFile { version: format!("{}-{name}", file.version), ..file })
}

/// One of a photo's files as it is stored.
///
/// # Errors
/// [`Refusal::FileNotFound`] when its media type is not known.
pub fn stored(photo: &Photo, size: Size) -> Result<StoredFile> {
    of_key(photo.key.sized(size), photo.id, size, None)
}

fn of_key(key: MediaKey, photo: PhotoId, size: Size, cached: Option<Cached>) -> Result<StoredFile> {
    let media_type = key.media_type().ok_or(Refusal::FileNotFound)?;
    // A key's bytes never change.
    let version = match key.revision() {
        0 => format!("{}-{photo}", size.as_str()),
        revision => format!("{}-{photo}-{revision}", size.as_str()),
    };
    Ok(StoredFile { key, patches: Arc::default(), cached, capture: None, media_type, version })
}

/// A rendition in one piece, which is sent with its head, with what is written into it on its way; none for an original, for a
/// rendition that is larger than they are, and while those that are being sent take all the memory for it.
///
/// # Errors
/// [`Refusal::FileNotFound`]. When the media store fails.
pub async fn whole(app: &App, file: &StoredFile) -> Result<Option<Bytes>> {
    let stored = as_stored(app, file).await?;
    let Some(capture) = &file.capture else { return Ok(stored) };
    // Its size and its ranges are those of the result.
    let stored = match stored {
        Some(bytes) => bytes,
        None => app.store.read(&file.key, None).await?.ok_or(Refusal::FileNotFound)?.whole().await?,
    };
    let bytes = Bytes::from(tagged(stored.into(), capture));
    Ok(Some(match app.renditions.room(bytes.len() as u64) {
        Some(room) => room.hold(bytes),
        None => bytes,
    }))
}

/// A rendition in one piece; none for an original, for a rendition that is larger than they
/// are, and while those that are being sent take all the memory for it.
///
/// # Errors
/// When the media store fails.
async fn as_stored(app: &App, file: &StoredFile) -> Result<Option<Bytes>> {
    if let Some(Cached::Made(bytes)) = &file.cached {
        return Ok(Some(bytes.clone()));
    }
    if let Some(bytes) = marked(app, file).await? {
        // Never the file that is stored, also where there is no room.
        let room = app.renditions.room(bytes.len() as u64);
        return Ok(Some(match room {
            Some(room) => room.hold(bytes),
            None => bytes,
        }));
    }
    if let Some(Cached::Kept(kept)) = &file.cached {
        let room = app.renditions.room(kept.bytes.len() as u64);
        app.metrics.record_rendition(RenditionSource::Memory);
        return Ok(room.map(|room| room.hold(kept.bytes.clone())));
    }
    let Some(limit) = file.key.size().and_then(usual_bytes) else { return Ok(None) };
    let Some(room) = app.renditions.room(limit) else { return Ok(None) };
    let Some(bytes) = app.store.read_small(&file.key, limit).await? else { return Ok(None) };
    app.metrics.record_rendition(RenditionSource::Store);
    if let Some(Cached::Missing { photo, size, sighting }) = file.cached {
        let rendition = Rendition::new(file.key.clone(), bytes.clone(), sighting);
        app.renditions.keep(photo, Look::Plain(size), Arc::new(rendition), sighting);
    }
    Ok(Some(room.hold(bytes)))
}

/// The bytes of a rendition with a watermark; none of any other file.
async fn marked(app: &App, file: &StoredFile) -> Result<Option<Bytes>> {
    let (photo, size, watermark, sighting) = match &file.cached {
        Some(Cached::KeptMarked(kept)) => {
            app.metrics.record_rendition(RenditionSource::Memory);
            return Ok(Some(kept.bytes.clone()));
        }
        Some(Cached::Unmarked { photo, size, watermark, sighting }) => (*photo, *size, watermark, *sighting),
        _ => return Ok(None),
    };
    let mark = watermarked::mark(app, watermark).await?;
    let bytes = watermarked::jpeg(app, &file.key, mark).await?;
    app.metrics.record_rendition(RenditionSource::Store);
    let rendition = Rendition::new(file.key.clone(), bytes.clone(), sighting).marked(watermark.name.clone());
    app.renditions.keep(photo, Look::Marked(size), Arc::new(rendition), sighting);
    Ok(Some(bytes))
}

/// The bytes that next to no rendition of this size has more of.
const fn usual_bytes(size: Size) -> Option<u64> {
    match size {
        Size::Original => None,
        Size::Preview => Some(1 << 20),
        Size::Medium => Some(256 << 10),
        Size::Thumbnail => Some(64 << 10),
    }
}

/// A photo that guests may see, and its event as it is now.
async fn of_guests(app: &App, photo: PhotoId) -> Result<(Photo, Event)> {
    let photo = storage::photos::by_id(&app.db, photo).await?.filter(|photo| !photo.hidden);
    let photo = photo.ok_or(Refusal::FileNotFound)?;
    let event = match photo.event {
        Some(event) => storage::events::by_id(&app.db, event).await?,
        None => None,
    };
    let event = event.filter(Event::is_open).ok_or(Refusal::FileNotFound)?;
    Ok((photo, event))
}

/// A photo's original as guests get it now: the event's settings count when the link is followed.
async fn for_guests(app: &App, photo: &Photo, event: &Event) -> Result<StoredFile> {
    event.downloads.check_original()?;
    let original = stored(photo, Size::Original)?;
    match Audience::of_guests(event) {
        Audience::Owner => Ok(original),
        Audience::Guests => {
            let redaction = redactions::of(app, photo).await?;
            let version = format!("{}-{:08x}", original.version, redaction.crc32);
            Ok(StoredFile { patches: redaction.patches.into(), version, ..original })
        }
    }
}

/// The size of a file in bytes.
///
/// # Errors
/// [`Refusal::FileNotFound`].
pub async fn size(app: &App, file: &StoredFile) -> Result<u64> {
    Ok(app.store.size(&file.key).await?.ok_or(Refusal::FileNotFound)?)
}

/// The bytes of a file, or of a range of them.
///
/// # Errors
/// [`Refusal::FileNotFound`].
pub async fn read(app: &App, file: &StoredFile, range: Option<Range<u64>>) -> Result<Read> {
    let Read { total, range, bytes } =
        app.store.read(&file.key, range).await?.ok_or(Refusal::FileNotFound)?;
    let bytes = media::metadata::overwritten(bytes, range.start, file.patches.clone());
    Ok(Read { total, range, bytes })
}
