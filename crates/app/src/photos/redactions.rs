//! Originals as guests get them: without positions, places, names of people, keywords and serial numbers, unless the event
//! keeps them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use domain::events::Event;
use domain::photos::redactions::Redaction;
use domain::photos::{ImageFormat, MediaKey, Photo};
use domain::{PhotoId, Refusal};
use futures::future::BoxFuture;
use media::decoders::Priority;
use media::metadata::NotRedactable;
use media::temp_files::Contents;
use media::zip::{self, Redactions};

use crate::operations::runtime::tasks;
use crate::{App, Failure, Result};

/// Photos that are looked at in one query.
const BATCH: i64 = 500;

/// Who gets an original.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Its photographer: byte for byte.
    Owner,
    /// Guests of its event: without positions, places, names of people, keywords and serial numbers.
    Guests,
}

/// Who saves a photo.
pub enum Recipient {
    /// Its photographer.
    Owner,
    /// A guest of this event.
    Guest(Box<Event>),
}

impl Audience {
    /// Who the guests of `event` are: where it keeps metadata, they are treated like its owner.
    pub(crate) const fn of_guests(event: &Event) -> Self {
        if event.flags.keeps_metadata { Self::Owner } else { Self::Guests }
    }
}

/// What is overwritten in a photo's original before guests get it. For a photo that was uploaded by an earlier version it is
/// computed now, and stored. That of another file, by which the photo's was replaced since it was read, does not count.
pub(crate) async fn of(app: &App, photo: &Photo) -> Result<Redaction> {
    match storage::photos::redactions::by_original(&app.db, &photo.key).await? {
        Some(redaction) => Ok(redaction),
        None => compute(app, photo).await,
    }
}

/// The checksums of several photos as guests get them, by their originals. What is overwritten in each can be a mebibyte, so
/// that whoever sends them looks it up when it comes to be sent: [`OfZip`].
pub(crate) async fn checksums(app: &App, photos: &[&Photo]) -> Result<HashMap<MediaKey, u32>> {
    let ids: Vec<PhotoId> = photos.iter().map(|photo| photo.id).collect();
    let stored = storage::photos::redactions::checksums(&app.db, &ids).await?;
    let mut checksums: HashMap<MediaKey, u32> = stored.into_iter().collect();
    for photo in photos {
        if let Entry::Vacant(missing) = checksums.entry(photo.key.clone()) {
            missing.insert(compute(app, photo).await?.crc32);
        }
    }
    Ok(checksums)
}

/// The redactions of a ZIP that is being sent.
pub(crate) struct OfZip(pub(crate) App);

impl Redactions for OfZip {
    fn of<'a>(&'a self, original: &'a MediaKey) -> BoxFuture<'a, zip::Found> {
        let Self(app) = self;
        Box::pin(async {
            if let Some(stored) = storage::photos::redactions::by_original(&app.db, original).await? {
                return Ok(Some(stored));
            }
            // A photo that was moved to the trash meanwhile has lost it, and keeps its file.
            let format = original.media_type().and_then(ImageFormat::from_media_type);
            let Some(format) = format else { return Ok(None) };
            Ok(read(app, original, format).await?.and_then(std::result::Result::ok))
        })
    }
}

/// What is overwritten in an original, by its bytes; none where it is not in the store.
async fn read(
    app: &App,
    original: &MediaKey,
    format: ImageFormat,
) -> Result<Option<std::result::Result<Redaction, NotRedactable>>> {
    let slot = app.concurrency.inspections.acquire().await?;
    let Some(bytes) = Contents::load(&app.store, original, &app.settings.incoming_dir).await? else {
        return Ok(None);
    };
    // Guests may wait for it.
    let mut picture = app.decoders.open(bytes, Priority::Foreground);
    let (redaction, _) = tasks::blocking_with(slot, move || picture.redact(format)).await?;
    Ok(Some(redaction?))
}

async fn compute(app: &App, photo: &Photo) -> Result<Redaction> {
    let Some(redaction) = read(app, &photo.key, photo.format).await? else {
        let original = storage::photos::media_key(&app.db, photo.id).await?;
        if original.is_some_and(|original| original != photo.key) {
            // The same call again finds the file that it was replaced by.
            return Err(Refusal::Busy.into());
        }
        let missing = format!("the original of photo {} is not in the media store", photo.id);
        return Err(Failure::Internal(missing));
    };
    let Ok(redaction) = redaction else {
        tracing::warn!(photo = %photo.id, "the metadata of an original cannot be overwritten: no guest gets it");
        return Err(Refusal::FileNotFound.into());
    };
    storage::photos::redactions::put(&app.db, &photo.key, &redaction).await?;
    Ok(redaction)
}

/// Computes what is missing, the newest photos first, before a guest waits for it. A photo whose original cannot be read
/// is left out until the next time.
pub(crate) async fn compute_missing(app: &App) -> Result<()> {
    let mut before = None;
    loop {
        let photos = storage::photos::redactions::missing(&app.db, before, BATCH).await?;
        let Some(last) = photos.last() else { return Ok(()) };
        before = Some(*last);
        for photo in storage::photos::by_ids(&app.db, &photos).await? {
            if let Err(failure) = compute(app, &photo).await {
                tracing::warn!(photo = %photo.id, error = failure.chain(), "an original cannot be prepared for guests");
            }
        }
    }
}
