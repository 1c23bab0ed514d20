//! A guest's matches, all or some, or all photos that guests may look at, as one ZIP.

pub mod admission;
pub mod choosing;
pub(crate) mod repeated;

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use domain::accounts::User;
use domain::events::Event;
use domain::events::download_policy::Downloads;
use domain::events::zones::Zone;
use domain::photos::file_names::Names;
use domain::photos::file_times::FileTime;
use domain::photos::{ImageFormat, Photo, Size};
use domain::studio::watermarks::Watermark;
use domain::team::{MemberRole, Right};
use domain::{AlbumId, EventId, FaceId, PhotoId, Refusal, Timestamp, UserId};
use futures::stream::BoxStream;
use futures::{StreamExt as _, TryStreamExt as _};
use media::captures::tagged_checksum;
use media::checksums::Checksums;
use media::zip::{self, Entry, File};
use storage::guests::archives::Download;
use storage::studio::watermarks::MarkedPreview;

use crate::events::access;
use crate::photos::previews;
use crate::photos::redactions::{self, Audience};
use crate::photos::selections::Chosen;
use crate::studio::watermarked;
use crate::team::rights;
use crate::{App, Failure, Result};

/// How long the token of a search is valid.
pub(crate) const LIFETIME: Duration = Duration::from_secs(6 * 60 * 60);
/// A ZIP with no more photos is laid out in a moment, and takes a megabyte or two for that.
const QUICKLY_LAID_OUT: usize = 500;
/// For how long those who ask for the same get the same token, in milliseconds: an hour.
pub(crate) const SHARED_MILLIS: i64 = 60 * 60 * 1000;

/// Creates a download of these photos of an open event, each with the face by which it was found, in this order, as `audience` gets
/// them, and answers its token. Only the token's hash is stored. That of guests ends with the PIN that `event` has.
pub(crate) async fn create(
    app: &App,
    event: &Event,
    found: Vec<(PhotoId, FaceId)>,
    audience: Audience,
    lifetime: Duration,
) -> Result<String> {
    let pin_proof = Some(access::proof_of(app, event));
    let is_owners = audience == Audience::Owner;
    let download = Download { is_owners, pin_proof, ..of_found(event.id, found, app.now(), lifetime) };
    store(app, download).await
}

/// The same for a guest who is written to, without having been asked for the PIN of today: its ZIP opens for as long as the event has
/// none, and its results for whoever enters it.
pub(crate) async fn create_unasked(
    app: &App,
    event: &Event,
    found: Vec<(PhotoId, FaceId)>,
    lifetime: Duration,
) -> Result<String> {
    let pin_proof = Some(String::new());
    let download = Download { pin_proof, ..of_found(event.id, found, app.now(), lifetime) };
    store(app, download).await
}

/// The same of photos that a photographer who manages the event gets as its owner does.
pub(crate) async fn create_for(
    app: &App,
    caller: &User,
    event: EventId,
    photos: Vec<PhotoId>,
) -> Result<String> {
    let member = rights::open_event(app, caller, event, Right::Manage).await?.member();
    let download = Download { is_owners: true, member, ..of_photos(event, photos, app.now(), LIFETIME) };
    store(app, download).await
}

/// The same photos as in `earlier`, but for those that are not in `photos`, as guests get them, for `lifetime` since the search:
/// however often they are passed on, they are so no longer.
pub(crate) async fn create_again(
    app: &App,
    event: &Event,
    earlier: Download,
    photos: Vec<PhotoId>,
    lifetime: Duration,
) -> Result<String> {
    let Download { mut faces, created_at, .. } = earlier;
    faces.retain(|photo, _| photos.contains(photo));
    let pin_proof = Some(access::proof_of(app, event));
    let download = Download { faces, pin_proof, ..of_photos(event.id, photos, created_at, lifetime) };
    store(app, download).await
}

/// Photos, each with the face by which it was found, as guests get them.
fn of_found(
    event: EventId,
    found: Vec<(PhotoId, FaceId)>,
    created_at: Timestamp,
    lifetime: Duration,
) -> Download {
    let photos = found.iter().map(|(photo, _)| *photo).collect();
    let faces = found.into_iter().collect();
    Download { faces, ..of_photos(event, photos, created_at, lifetime) }
}

/// Photos as guests get them.
pub(crate) fn of_photos(
    event: EventId,
    photos: Vec<PhotoId>,
    created_at: Timestamp,
    lifetime: Duration,
) -> Download {
    Download {
        event,
        photos,
        faces: HashMap::new(),
        is_owners: false,
        chosen_by_owner: false,
        everything: false,
        pin_proof: None,
        member: None,
        created_at,
        expires_at: created_at.plus(lifetime),
    }
}

async fn store(app: &App, download: Download) -> Result<String> {
    let token = app.randomness.token().reveal();
    storage::guests::archives::create(&app.db, &app.hash_token(&token), &download).await?;
    Ok(token)
}

/// What a photographer downloads of an own event.
pub struct Own {
    /// What its link is made of.
    pub token: String,
    /// How many photos are in it.
    pub photos: usize,
}

/// Creates a download of photos of an event that a photographer sees: the originals byte for byte under their own names, those
/// too that guests do not see. The order is that of the choice, or that of the uploads. All are those of an album where one is given.
///
/// # Errors
/// [`Refusal::EventNotFound`] or [`Refusal::EventBeingDeleted`]; [`Refusal::PhotoNotFound`] when none of the photos is there.
pub async fn create_own(
    app: &App,
    caller: &User,
    event: EventId,
    chosen: Chosen,
    album: Option<AlbumId>,
) -> Result<Own> {
    let granted = rights::open_event(app, caller, event, Right::Upload).await?;
    let (member, reached) = (granted.member(), granted.photos());
    let photos = match chosen {
        Chosen::All => match album {
            Some(album) => {
                storage::photos::albums::photos_of(&app.db, event, album, reached.uploader).await?
            }
            None => storage::photos::ids(&app.db, reached.collection, reached.uploader).await?,
        },
        Chosen::Photos(ids) => {
            let there = storage::photos::by_ids(&app.db, &ids).await?.into_iter();
            let mut there: HashSet<PhotoId> =
                there.filter(|photo| reached.has(photo)).map(|photo| photo.id).collect();
            ids.into_iter().filter(|id| there.remove(id)).collect()
        }
    };
    if photos.is_empty() {
        return Err(Refusal::PhotoNotFound.into());
    }
    let count = photos.len();
    let (is_owners, chosen_by_owner) = (true, true);
    let download =
        Download { is_owners, chosen_by_owner, member, ..of_photos(event, photos, app.now(), LIFETIME) };
    Ok(Own { token: store(app, download).await?, photos: count })
}

/// The results of a search that a token stands for, unless it has expired: never all photos, nor what a photographer has chosen.
pub(crate) async fn find(app: &App, token: &str) -> Result<Option<Download>> {
    valid(app, storage::guests::archives::find(&app.db, &app.hash_token(token)).await?).await
}

/// What was found by a token, unless it has expired, or was a member's who may not have it any more.
async fn valid(app: &App, download: Option<Download>) -> Result<Option<Download>> {
    let Some(mut download) = download.filter(|download| app.now() < download.expires_at) else {
        return Ok(None);
    };
    if let Some(member) = download.member {
        match storage::team::role(&app.db, download.event, member).await? {
            None => return Ok(None),
            Some(MemberRole::Manager) => {}
            Some(MemberRole::Contributor) => {
                let photos = storage::photos::by_ids(&app.db, &download.photos).await?.into_iter();
                let own = photos.filter(|photo| photo.uploader == Some(member)).map(|photo| photo.id);
                let own: HashSet<PhotoId> = own.collect();
                download.photos.retain(|photo| own.contains(photo));
            }
        }
    }
    Ok(Some(download))
}

/// The photos of a download that are still there and that its audience may have, each with its place among the matches, counted from 0.
/// Those are left out in which somebody was found who is not to be found any more.
pub(crate) async fn photos(app: &App, download: &Download) -> Result<Vec<(usize, Photo)>> {
    let photos = storage::photos::by_ids(&app.db, &download.photos).await?;
    let mut photos: HashMap<PhotoId, Photo> = photos.into_iter().map(|photo| (photo.id, photo)).collect();
    let places = download.photos.iter().enumerate();
    let there = places.filter_map(|(place, id)| Some((place, photos.remove(id)?)));
    let mut found: Vec<_> =
        download.photos.iter().map(|photo| (*photo, download.faces.get(photo).copied())).collect();
    if download.is_owners || download.everything {
        // What a photographer has chosen was found by no face, and all photos are what everybody may look at: 'Hide' hides them there.
        found.retain(|(_, face)| face.is_some());
    }
    let out = storage::guests::objections::out_of_results(&app.db, &found).await?;
    let is_seen = |photo: &Photo| !photo.hidden || (download.is_owners && photo.held);
    let is_shown = |photo: &Photo| is_seen(photo) && !out.contains(&photo.id);
    let may_have =
        |photo: &Photo| photo.event == Some(download.event) && (download.chosen_by_owner || is_shown(photo));
    Ok(there.filter(|(_, photo)| may_have(photo)).collect())
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
#[derive(Clone)]
pub(crate) struct Guests {
    pub(crate) event: EventId,
    pub(crate) owner: UserId,
    pub(crate) photos: Arc<[PhotoId]>,
}

/// Whether guests were let in with the event's PIN of today when this was made: a browser fetches a ZIP without a header, so that no
/// proof comes with it. What an earlier version has stored without one may be fetched for as long as a search's results may.
fn is_of_todays_pin(app: &App, event: &Event, download: &Download) -> bool {
    match &download.pin_proof {
        Some(proof) => event.pin.is_none() || access::is_same(proof, &access::proof_of(app, event)),
        None => event.pin.is_none() || app.now() < download.created_at.plus(LIFETIME),
    }
}

/// The ZIP that a token stands for: the matches that are still there, named `photo-{n}` by their place among the matches, or by
/// their files where their photographer has chosen them or the event keeps names. They are originals, as the token's audience gets them, or previews for the
/// guests of an event that offers the web size alone.
///
/// The same photos give the same bytes. One that was deleted since is left out; those behind it keep their names.
///
/// # Errors
/// [`Refusal::DownloadNotFound`] for an unknown or expired token, or when the event or all photos are deleted;
/// or when the event's PIN has changed since a guest chose the photos; [`Refusal::DownloadsNotOffered`]; of all photos
/// [`Refusal::BrowsingNotAllowed`] too; [`Refusal::Busy`] while as many ZIPs are laid out, and wait for that, as may.
pub async fn archive(app: &App, token: &str) -> Result<Archive> {
    let download = storage::guests::archives::find_any(&app.db, &app.hash_token(token)).await?;
    let download = valid(app, download).await?.ok_or(Refusal::DownloadNotFound)?;
    let event = storage::events::by_id(&app.db, download.event).await?.filter(Event::is_open);
    let event = event.ok_or(Refusal::DownloadNotFound)?;
    if download.everything {
        // A link to everything is good for no longer than everybody may look.
        event.check_browsable()?;
    }
    if !download.is_owners && !is_of_todays_pin(app, &event, &download) {
        return Err(Refusal::DownloadNotFound.into());
    }
    // Previews may have to be drawn first. The others wait behind nobody's thousands of photos.
    let may_draw = !download.is_owners && event.downloads == Downloads::Web;
    let _slot = match may_draw || download.photos.len() > QUICKLY_LAID_OUT {
        true => Some(app.concurrency.archive_slot().await?),
        false => None,
    };
    let photos = photos(app, &download).await?;
    let zone = &event.time_zone;
    let included = match (download.is_owners, event.downloads) {
        (true, _) => originals(app, photos, Audience::Owner, download.chosen_by_owner, zone).await?,
        (false, Downloads::Original) => {
            originals(app, photos, Audience::of_guests(&event), event.flags.keeps_names, zone).await?
        }
        (false, Downloads::Web) => {
            let watermark = watermarked::on_downloads(app, event.owner).await?;
            previews(app, photos, watermark.as_ref(), event.flags.keeps_names, zone).await?
        }
        (false, Downloads::None) => return Err(Refusal::DownloadsNotOffered.into()),
    };
    if included.is_empty() {
        return Err(Refusal::DownloadNotFound.into());
    }
    let (photos, files): (Vec<PhotoId>, Vec<(Entry, File)>) = included.into_iter().unzip();
    let guests =
        (!download.is_owners).then(|| Guests { event: event.id, owner: event.owner, photos: photos.into() });
    Ok(Archive { guests, ..Archive::new(app, files, event.slug) })
}

/// A file of a ZIP, and the photo that it is of.
type Included = (PhotoId, (Entry, File));

/// The originals, named by their place, or with `own_names` as their files are, each name once.
async fn originals(
    app: &App,
    photos: Vec<(usize, Photo)>,
    audience: Audience,
    own_names: bool,
    zone: &Zone,
) -> Result<Vec<Included>> {
    let redacted = match audience {
        Audience::Owner => HashMap::new(),
        Audience::Guests => {
            let photos: Vec<&Photo> = photos.iter().map(|(_, photo)| photo).collect();
            redactions::checksums(app, &photos).await?
        }
    };
    let (mut included, mut names) = (Vec::with_capacity(photos.len()), Names::default());
    for (place, photo) in photos {
        let key = photo.key.clone();
        let (crc32, file) = match redacted.get(&key) {
            Some(&crc32) => (crc32, File::Redacted { key, crc32 }),
            None => (crc32(app, &photo).await?, File::Stored { key }),
        };
        let name = if own_names { names.add(&photo.own_filename()) } else { numbered(place, photo.format) };
        let entry = entry(name, photo.size_bytes, crc32, photo.file_time(zone));
        included.push((photo.id, (entry, file)));
    }
    Ok(included)
}

/// The previews of those that have one, with a watermark if there is one.
async fn previews(
    app: &App,
    photos: Vec<(usize, Photo)>,
    watermark: Option<&Watermark>,
    own_names: bool,
    zone: &Zone,
) -> Result<Vec<Included>> {
    let mark = match watermark {
        Some(watermark) => Some((watermark, watermarked::mark(app, watermark).await?)),
        None => None,
    };
    let (mut included, mut names) = (Vec::with_capacity(photos.len()), Names::default());
    for (place, photo) in photos {
        let (key, capture) = (photo.key.sized(Size::Preview), photo.capture.clone());
        let with_tags = |bytes: i64, crc32| {
            let (bytes, crc32) =
                tagged_checksum(u64::try_from(bytes).unwrap_or_default(), crc32, &photo.capture);
            (i64::try_from(bytes).unwrap_or(i64::MAX), crc32)
        };
        let (bytes, crc32, file) = match &mark {
            None => {
                let Some(preview) = previews::described(app, &photo).await? else { continue };
                let (bytes, crc32) = with_tags(preview.bytes, preview.crc32);
                let file = match capture.has_tags() {
                    true => File::Tagged { key, capture, crc32 },
                    false => File::Stored { key },
                };
                (bytes, crc32, file)
            }
            Some((watermark, mark)) => {
                let Some(marked) = watermarked::described(app, &photo, watermark).await? else { continue };
                let MarkedPreview { bytes, crc32 } = marked;
                let (bytes, crc32) = with_tags(bytes, crc32);
                (bytes, crc32, File::Marked { key, mark: mark.clone(), capture, crc32 })
            }
        };
        let name =
            if own_names { names.add(&photo.own_web_filename()) } else { numbered(place, ImageFormat::Jpeg) };
        let entry = entry(name, bytes, crc32, photo.file_time(zone));
        included.push((photo.id, (entry, file)));
    }
    Ok(included)
}

fn numbered(place: usize, format: ImageFormat) -> String {
    format!("photo-{}.{}", place + 1, format.extension())
}

fn entry(name: String, bytes: i64, crc32: u32, modified: FileTime) -> Entry {
    let size = u64::try_from(bytes).unwrap_or_default();
    Entry { name, size, crc32, modified }
}

/// Everything that the bytes follow from, hashed.
fn version(files: &[(Entry, File)]) -> String {
    let mut hasher = blake3::Hasher::new();
    for (entry, file) in files {
        let Entry { name, size, crc32, modified } = entry;
        let FileTime { clock, at } = modified;
        let times = format!("{} {}", clock.as_millis(), at.as_millis());
        hasher.update(format!("{name} {size} {crc32} {times} ").as_bytes());
        match file {
            File::Stored { key }
            | File::Redacted { key, .. }
            | File::Tagged { key, .. }
            | File::Marked { key, .. } => hasher.update(key.as_str().as_bytes()),
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
    storage::photos::set_crc32(&app.db, &photo.key, crc32).await?;
    Ok(crc32)
}

impl Archive {
    /// A ZIP of these files, in their order.
    pub(crate) fn new(app: &App, files: Vec<(Entry, File)>, filename: String) -> Self {
        let version = version(&files);
        let redactions = Arc::new(redactions::OfZip(app.clone()));
        Self {
            zip: zip::Archive::new(app.store.clone(), app.decoders.clone(), redactions, files),
            filename,
            version,
            guests: None,
        }
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
