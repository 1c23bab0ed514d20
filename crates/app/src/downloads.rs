//! All of a guest's matches as one ZIP.

pub mod layout;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use domain::events::Event;
use domain::photos::{MediaKey, Photo};
use domain::tokens::hash_of;
use domain::{EventId, PhotoId, Refusal};
use futures::stream::{self, BoxStream};
use futures::{StreamExt as _, TryStreamExt as _};
use storage::downloads::Download;

use crate::{App, Failure, Result};
use layout::{Entry, Layout, Piece};

/// Bytes of headers that are sent together.
const CHUNK: usize = 32 * 1024;
/// How long a token is good.
const LIFETIME: Duration = Duration::from_secs(6 * 60 * 60);

/// Lets whoever holds the answered token fetch these photos of an open event, in this order. Only the token's hash is
/// kept.
pub(crate) async fn offer(app: &App, event: EventId, photos: Vec<PhotoId>) -> Result<String> {
    let (token, now) = (app.randomness.token(), app.now());
    let download = Download { event, photos, created_at: now, expires_at: now.plus(LIFETIME) };
    storage::downloads::create(&app.db, &token.hash(), &download).await?;
    Ok(token.reveal())
}

/// A ZIP that is ready to be sent: nothing of it is in memory but where everything lies.
#[derive(Clone)]
pub struct Archive {
    app: App,
    layout: Arc<Layout>,
    /// The originals, as the layout's entries are.
    originals: Arc<[MediaKey]>,
    /// The name to save it under: ASCII letters, digits and hyphens.
    pub filename: String,
    /// Something that changes with the bytes.
    pub version: String,
}

/// The ZIP that a token stands for: the originals of the matches that are still there, named `photo-{n}` by their place
/// among the matches.
///
/// The same photos give the same bytes. One that was deleted since is left out; those behind it keep their names.
///
/// # Errors
/// [`Refusal::DownloadNotFound`] for an unknown or expired token, or when the event or all photos are gone.
pub async fn archive(app: &App, token: &str) -> Result<Archive> {
    let download = storage::downloads::find(&app.db, &hash_of(token)).await?;
    let download = download.filter(|download| app.now() < download.expires_at);
    let download = download.ok_or(Refusal::DownloadNotFound)?;
    let event = storage::events::by_id(&app.db, download.event).await?;
    let event = event.filter(Event::is_open).ok_or(Refusal::DownloadNotFound)?;
    let photos = storage::photos::by_ids(&app.db, &download.photos).await?;
    let mut photos: HashMap<PhotoId, Photo> = photos.into_iter().map(|photo| (photo.id, photo)).collect();
    let (mut entries, mut originals) = (Vec::new(), Vec::new());
    for (place, id) in download.photos.iter().enumerate() {
        let Some(photo) = photos.remove(id).filter(|photo| photo.event == Some(event.id)) else { continue };
        entries.push(Entry {
            name: format!("photo-{}.{}", place + 1, photo.format.extension()),
            size: u64::try_from(photo.size_bytes).unwrap_or_default(),
            crc32: crc32(app, &photo).await?,
            modified: photo.created_at,
        });
        originals.push(photo.key);
    }
    if entries.is_empty() {
        return Err(Refusal::DownloadNotFound.into());
    }
    let version = version(&entries, &originals);
    let layout = Arc::new(Layout::new(entries));
    Ok(Archive { app: app.clone(), layout, originals: originals.into(), filename: event.slug, version })
}

/// Everything that the bytes follow from, hashed.
fn version(entries: &[Entry], originals: &[MediaKey]) -> String {
    let mut hasher = blake3::Hasher::new();
    for (entry, key) in entries.iter().zip(originals) {
        let line =
            format!("{} {} {} {} {key}\n", entry.name, entry.size, entry.crc32, entry.modified.as_millis());
        hasher.update(line.as_bytes());
    }
    URL_SAFE_NO_PAD.encode(&hasher.finalize().as_bytes()[..18])
}

/// A photo's checksum; read from its bytes, and kept, for one that was taken in before checksums were.
async fn crc32(app: &App, photo: &Photo) -> Result<u32> {
    if let Some(crc32) = photo.crc32 {
        return Ok(crc32);
    }
    let missing =
        || Failure::Internal(format!("the original of photo {} is not in the media store", photo.id));
    let mut read = app.store.read(&photo.key, None).await?.ok_or_else(missing)?;
    let mut hasher = crc32fast::Hasher::new();
    while let Some(chunk) = read.bytes.try_next().await? {
        hasher.update(&chunk);
    }
    let crc32 = hasher.finalize();
    storage::photos::set_crc32(&app.db, photo.id, crc32).await?;
    Ok(crc32)
}

impl Archive {
    /// Its bytes, all of them.
    pub fn length(&self) -> u64 {
        self.layout.length()
    }

    /// The bytes of `range`, read while they are sent.
    ///
    /// A file that cannot be read, or is not as long as it was, ends the stream with an error, so that the caller breaks
    /// the connection off instead of sending an archive that looks whole.
    pub fn read(&self, range: Range<u64>) -> BoxStream<'static, Result<Bytes>> {
        let archive = self.clone();
        stream::try_unfold((archive, range), async |(archive, rest)| {
            let Some(piece) = archive.next_piece(rest.clone()) else { return Ok(None) };
            let after = rest.start + piece.length()..rest.end;
            let bytes = archive.piece(piece).await?;
            Ok::<_, Failure>(Some((bytes, (archive, after))))
        })
        .try_flatten()
        .boxed()
    }

    /// The first piece of `range`; headers that follow each other come together.
    fn next_piece(&self, range: Range<u64>) -> Option<Piece> {
        let mut pieces = self.layout.pieces(range);
        let mut piece = pieces.next()?;
        if let Piece::Bytes(bytes) = &mut piece {
            while bytes.len() < CHUNK
                && let Some(Piece::Bytes(more)) = pieces.next()
            {
                bytes.extend(more);
            }
        }
        Some(piece)
    }

    async fn piece(&self, piece: Piece) -> Result<BoxStream<'static, Result<Bytes>>> {
        match piece {
            Piece::Bytes(bytes) => Ok(stream::iter([Ok(Bytes::from(bytes))]).boxed()),
            Piece::File { entry, range } => {
                let key = &self.originals[entry];
                let changed =
                    |what: &str| Failure::Internal(format!("{key} {what} while a ZIP with it was sent"));
                let read = self.app.store.read(key, Some(range.clone())).await?;
                let read = read.ok_or_else(|| changed("was removed"))?;
                if read.range != range {
                    return Err(changed("got shorter"));
                }
                let (wanted, short) = (range.end - range.start, changed("ended early"));
                Ok(exactly(read.bytes.map_err(Failure::from).boxed(), wanted, short))
            }
        }
    }
}

/// A stream that fails with `short` when it ends before `wanted` bytes were given.
fn exactly(
    bytes: BoxStream<'static, Result<Bytes>>,
    wanted: u64,
    short: Failure,
) -> BoxStream<'static, Result<Bytes>> {
    stream::try_unfold((bytes, wanted, Some(short)), async |(mut bytes, left, mut short)| {
        match bytes.try_next().await? {
            Some(chunk) => {
                let left = left.saturating_sub(chunk.len() as u64);
                Ok(Some((chunk, (bytes, left, short))))
            }
            None if left == 0 => Ok(None),
            None => match short.take() {
                Some(short) => Err(short),
                None => Ok(None),
            },
        }
    })
    .boxed()
}
