//! Making a photo searchable: renditions, faces, embeddings.

use std::slice::from_ref;
use std::time::Instant;

use domain::faces::{BoundingBox, same_faces};
use domain::photos::appearance::Appearance;
use domain::photos::failures::{FailureCause, PhotoFailure};
use domain::photos::pixels::{Color, Pixels};
use domain::photos::{Photo, PhotoStatus, Size};
use domain::{FaceId, PhotoId, Refusal};
use media::decoders::{Picture, Priority, Purpose};
use media::pictures::{Limits, Rendition, Renditions, Unreadable};
use media::stores::Source;
use media::temp_files::Contents;
use storage::faces::NewFace;
use storage::photos::Indexed;
use tracing::{Instrument as _, Span};
use vision::Recognisers;

use crate::faces::seen::SeenFace;
use crate::guests::objections::suppression;
use crate::guests::subscriptions::carrying_over;
use crate::operations::metrics::Stage;
use crate::operations::runtime::decode_memory::DecodePermit;
use crate::operations::runtime::decoding;
use crate::operations::runtime::queue::{Lease, Tx};
use crate::operations::runtime::tasks;
use crate::operations::stores;
use crate::webhooks::counts;
use crate::{App, Failure, Result};

/// Photos are decoded with at least this long side: enough for the preview, and for faces far below 1 % of the width.
pub(super) const DECODE_LONG_SIDE: u32 = 3000;

/// Selfies are decoded with at least this long side: a face in one fills much of it.
const SELFIE_LONG_SIDE: u32 = 1280;

/// What a selfie may take. Nobody pays for one, and phones take nothing like it.
const SELFIE_LIMITS: Limits = Limits { pixels: 50_000_000, memory: 256 << 20, scans: 20 };

struct Analysis {
    average_color: Color,
    renditions: Renditions,
    appearance: Appearance,
    faces: Vec<vision::Face>,
}

/// The job behind every upload. Running it again replaces its former results. It takes its share of the memory for
/// decoding unless it is given one. The transaction that stores the results completes the job.
pub(crate) async fn index(app: &App, id: PhotoId, memory: Option<DecodePermit>, lease: &Lease) -> Result<()> {
    let Some(photo) = storage::photos::by_id(&app.db, id).await? else {
        return Ok(());
    };
    if photo.status == PhotoStatus::Failed {
        return Ok(());
    }
    let started = Instant::now();
    let loading = Contents::load(&app.store, &photo.key, &app.settings.incoming_dir);
    let Some(bytes) = loading.instrument(Stage::Load.span()).await? else {
        return Err(Failure::Internal(format!("the original of photo {id} is not in the media store")));
    };
    app.metrics.record_index_stage(Stage::Load, started.elapsed());
    // The headers lie all over the file: reading them may wait for the disk.
    let mut picture = app.decoders.open(bytes, Priority::Background);
    let (mut picture, needed) = tasks::blocking(move || {
        let needed = decoding::memory(&mut picture, DECODE_LONG_SIDE);
        (picture, needed)
    })
    .await?;
    let needed = needed?;
    let memory = match memory {
        Some(memory) => memory,
        None => app.decode_memory.acquire(needed).await?,
    };
    let by = recognisers(app, &photo).await?;
    let (engine, metrics, job) = (app.engine.clone(), app.metrics.clone(), Span::current());
    // Guests wait for their searches, and nobody for a single photo.
    let analysis = tasks::background(move || -> Result<std::result::Result<Analysis, Refusal>> {
        // Until all of it is done: a thread that decodes goes on when the job is aborted.
        let _memory = memory;
        let _job = job.enter();
        let started = Instant::now();
        let pixels = match Stage::Decode.span().in_scope(|| decode(&mut picture))? {
            Ok(pixels) => pixels,
            Err(refusal) => return Ok(Err(refusal)),
        };
        // Others may use its decoder.
        drop(picture);
        let decoded = started.elapsed();
        let rendering = Stage::Renditions.span().entered();
        let preview = media::pictures::preview(&pixels);
        let renditions = media::pictures::renditions(&preview)?;
        drop(rendering);
        let rendered = started.elapsed();
        let faces = Stage::Faces.span().in_scope(|| engine.faces_by(&pixels, by))?;
        let detected = started.elapsed();
        let places: Vec<BoundingBox> = faces.iter().map(|face| face.bounds).collect();
        let appearance = media::pictures::appearance(&preview, &places);
        metrics.record_index_stage(Stage::Decode, decoded);
        metrics.record_index_stage(Stage::Renditions, rendered - decoded);
        metrics.record_index_stage(Stage::Faces, detected - rendered);
        tracing::debug!(
            photo = %id,
            decode_ms = decoded.as_millis(),
            render_ms = (rendered - decoded).as_millis(),
            faces_ms = (detected - rendered).as_millis(),
            faces = faces.len(),
            "analysed a photo"
        );
        Ok(Ok(Analysis { average_color: pixels.average_color(), renditions, appearance, faces }))
    })
    .await??;
    match analysis {
        Ok(analysis) => {
            let started = Instant::now();
            store(app, &photo, analysis, lease).instrument(Stage::Store.span()).await?;
            app.metrics.record_index_stage(Stage::Store, started.elapsed());
            Ok(())
        }
        Err(refusal) => {
            let failure = PhotoFailure { cause: FailureCause::Refused, reason: refusal.text().into_owned() };
            mark_version_failed(app, &photo, &failure).await
        }
    }
}

/// The recognisers that a new photo needs: that of the pack before where somebody is known by it alone.
async fn recognisers(app: &App, photo: &Photo) -> Result<Recognisers> {
    let (Some(event), Some(_)) = (photo.event, app.engine.previous_id()) else {
        return Ok(Recognisers::Current);
    };
    let needs_previous =
        suppression::needs_previous(app, event).await? || carrying_over::needs_previous(app, event).await?;
    Ok(if needs_previous { Recognisers::Both } else { Recognisers::Current })
}

async fn store(app: &App, photo: &Photo, analysis: Analysis, lease: &Lease) -> Result<()> {
    let Analysis { average_color, renditions, appearance, faces } = analysis;
    let store = stores::own(app).await?;
    let size = |rendition: &Rendition| i64::try_from(rendition.jpeg.len()).unwrap_or(i64::MAX);
    let Renditions { preview, medium, thumbnail } = renditions;
    let (preview_bytes, medium_bytes) = (size(&preview), size(&medium));
    let preview_crc32 = media::checksums::crc32(&preview.jpeg);
    for (size, rendition) in [(Size::Preview, preview), (Size::Medium, medium), (Size::Thumbnail, thumbnail)]
    {
        store.put(&photo.key.sized(size), Source::Bytes(rendition.jpeg.into())).await?;
    }
    let mut tx = app.begin().await?;
    let (faces, seen) = identified(app, &mut tx, photo, faces).await?;
    let left_out = suppression::objectors(app, &mut tx, photo, &seen).await?;
    let faces = faces.into_iter().enumerate().filter(|(place, _)| !left_out.contains(place));
    let faces: Vec<NewFace> = faces.map(|(_, face)| face).collect();
    let pack = app.engine.pack_id();
    let indexed = Indexed {
        pack,
        average_color,
        preview_bytes,
        preview_crc32,
        medium_bytes,
        appearance: Some(&appearance),
        faces: &faces,
    };
    if let Some(before) = storage::photos::finish_indexing(&mut tx, photo.id, &indexed).await?
        && is_current(&mut tx, photo).await?
    {
        carrying_over::teach(app, &mut tx, photo, &seen, &left_out).await?;
        // Not again when another model pack is in use, or another job of the photo was faster.
        if before != PhotoStatus::Ready {
            counts::photo_indexed(&mut tx, photo.event, photo.owner, app.now()).await?;
            if let Some(event) = photo.event {
                counts::photo_searchable(&mut tx, event, photo.owner, app.now()).await?;
            }
        }
        tx.complete(lease).await?;
        tx.commit().await?;
    } else {
        drop(tx);
        if !storage::photos::known_keys(&app.db, from_ref(&photo.key)).await?.is_empty() {
            // It is in the trash, or back from there by now, and has them once it is restored.
            return Ok(());
        }
        // The photo was removed or replaced meanwhile; its renditions go with it.
        for size in Size::RENDITIONS {
            store.delete(&photo.key.sized(size)).await?;
        }
    }
    Ok(())
}

/// The faces that were found in a photo, as they are stored and as those see them who look for somebody. One that is where one
/// was before is the same: it keeps its id, and with it whose it is.
async fn identified(
    app: &App,
    tx: &mut Tx,
    photo: &Photo,
    found: Vec<vision::Face>,
) -> Result<(Vec<NewFace>, Vec<SeenFace>)> {
    let before = storage::faces::of_photo(&mut **tx, photo.id).await?;
    let places: Vec<BoundingBox> = before.iter().map(|face| face.bounds).collect();
    let same = same_faces(&places, &found.iter().map(|face| face.bounds).collect::<Vec<_>>());
    let faces = found.into_iter().zip(same).map(|(face, same)| {
        let before = same.and_then(|place| before.get(place));
        let id = before.map_or_else(|| app.id::<FaceId>(), |face| face.id);
        // Not computed anew where it is stored.
        let stored = before.filter(|before| Some(before.pack.as_str()) == app.engine.previous_id());
        let previous = stored.map(|before| before.embedding.clone()).or(face.previous);
        let seen = SeenFace { id, bounds: face.bounds, embedding: face.embedding.clone(), previous };
        let new = NewFace {
            id,
            bounds: face.bounds,
            score: face.score,
            is_blurred: face.quality.is_blurred(),
            embedding: face.embedding,
        };
        (new, seen)
    });
    Ok(faces.unzip())
}

/// Whether a photo whose row the transaction has locked still has the file that it had.
pub(super) async fn is_current(tx: &mut Tx, photo: &Photo) -> Result<bool> {
    Ok(storage::photos::media_key(&mut **tx, photo.id).await?.as_ref() == Some(&photo.key))
}

/// Marks a photo as one that cannot be indexed; its original stays. What was found of it before stays too.
pub(crate) async fn mark_failed(app: &App, id: PhotoId, failure: &PhotoFailure) -> Result<()> {
    let mut tx = app.begin().await?;
    record_failure(app, &mut tx, id, failure).await?;
    tx.commit().await
}

/// The same, unless another version has taken the photo's place meanwhile.
async fn mark_version_failed(app: &App, photo: &Photo, failure: &PhotoFailure) -> Result<()> {
    let mut tx = app.begin().await?;
    record_failure(app, &mut tx, photo.id, failure).await?;
    if is_current(&mut tx, photo).await? { tx.commit().await } else { Ok(()) }
}

async fn record_failure(app: &App, tx: &mut Tx, id: PhotoId, failure: &PhotoFailure) -> Result<()> {
    let PhotoFailure { cause, reason } = failure;
    tracing::warn!(photo = %id, cause = cause.as_str(), reason, "a photo cannot be indexed");
    let waited = storage::photos::fail_indexing(tx, id, failure).await?;
    if !waited && *cause == FailureCause::Refused {
        storage::photos::skip_outdated(tx, id, app.engine.pack_id()).await?;
    }
    Ok(())
}

/// Decodes a photo at the size for face detection, or says why its bytes are refused.
pub(crate) fn decode(picture: &mut Picture) -> Result<std::result::Result<Pixels, Refusal>> {
    Ok(picture.decode(DECODE_LONG_SIDE, None)?.map_err(crate::uploads::refusal))
}

/// How much memory [`decode_selfie`] takes.
///
/// # Errors
/// The refusal of a selfie that no decoder survives.
pub(crate) fn selfie_memory(picture: &mut Picture) -> Result<u64> {
    let needed = picture.memory(Purpose::Decode { at_least: SELFIE_LONG_SIDE })?.map_err(selfie_refusal)?;
    Ok(needed.min(SELFIE_LIMITS.memory))
}

/// Decodes a selfie, whose bytes nothing has validated yet: decoding does.
///
/// # Errors
/// The refusals of its bytes.
pub(crate) fn decode_selfie(picture: &mut Picture) -> Result<Pixels> {
    Ok(picture.decode(SELFIE_LONG_SIDE, Some(SELFIE_LIMITS))?.map_err(selfie_refusal)?)
}

fn selfie_refusal(unreadable: Unreadable) -> Refusal {
    match unreadable {
        // Fewer than a photo may have.
        Unreadable::TooManyPixels => Refusal::SelfieTooManyPixels,
        other => crate::uploads::refusal(other),
    }
}

#[cfg(test)]
mod tests {
    use domain::Job;
    use domain::webhooks::EventType;
    use storage::photos::Collection;
    use storage::testing::rival_before;

    use super::*;
    use crate::testing::rows;

    fn analysis() -> Analysis {
        let pixels = Pixels::new(60, 40, vec![90; 60 * 40 * 3]).unwrap();
        let preview = media::pictures::preview(&pixels);
        Analysis {
            average_color: pixels.average_color(),
            renditions: media::pictures::renditions(&preview).unwrap(),
            appearance: media::pictures::appearance(&preview, &[]),
            faces: Vec::new(),
        }
    }

    async fn leased(app: &App, photo: PhotoId) -> Lease {
        let mut tx = app.begin().await.unwrap();
        let leased = tx.enqueue_leased(&Job::IndexPhoto { photo }).await.unwrap();
        tx.commit().await.unwrap();
        leased.lease()
    }

    #[tokio::test]
    async fn a_photo_that_is_restored_while_its_indexing_ends_has_its_renditions() {
        // [UPL278] On PostgreSQL: SQLite has one writer.
        let (database, incoming) = (storage::testing::postgres().await, tempfile::tempdir().unwrap());
        let app = App::new(crate::testing::parts(database.db.clone(), incoming.path())).await.unwrap();
        // Before there is a photo, whose original would be looked for.
        stores::own(&app).await.unwrap();
        let owner = rows::photographer(&app).await.unwrap();
        let event = rows::event(&app, owner).await.unwrap();
        let collection = Collection::Event(event);
        let mut place = 0;
        loop {
            let id = rows::photo(&app, owner, Some(event)).await.unwrap();
            let photo = storage::photos::by_id(&app.db, id).await.unwrap().unwrap();
            let lease = leased(&app, id).await;
            let mut tx = app.begin().await.unwrap();
            storage::photos::trash::put(&mut tx, collection, &[id], app.now()).await.unwrap();
            tx.commit().await.unwrap();
            let restore = async {
                let (mut tx, packs) = (app.begin().await.unwrap(), app.engine.packs());
                let restored =
                    storage::photos::trash::restore(&mut tx, collection, owner, &packs, &[id]).await;
                assert_eq!(restored.unwrap().photos.len(), 1);
                tx.commit().await.unwrap();
            };
            let both = rival_before(place, store(&app, &photo, analysis(), &lease), restore).await;
            both.first.unwrap();
            for size in Size::RENDITIONS {
                let there = app.store.size(&photo.key.sized(size)).await.unwrap();
                assert!(there.is_some(), "place {place}: {size:?}");
            }
            if !both.is_between {
                break;
            }
            place += 1;
        }
        assert!(place > 3, "there are statements to come before");
    }

    #[tokio::test]
    async fn a_photo_that_two_jobs_index_is_told_of_once() {
        // [UPL277]
        let (database, incoming) = (storage::testing::sqlite().await, tempfile::tempdir().unwrap());
        let app = App::new(crate::testing::parts(database.db.clone(), incoming.path())).await.unwrap();
        stores::own(&app).await.unwrap();
        let owner = rows::photographer(&app).await.unwrap();
        let event = rows::event(&app, owner).await.unwrap();
        let told = EventType::PhotoIndexed;
        let endpoint = format!(
            "INSERT INTO webhook_endpoints (id, url, description, event_types, secret, created_at)
             VALUES ('one', 'https://example.com', '', '{}', 'secret', 0)",
            told.as_str()
        );
        storage::testing::change(&app.db, &endpoint).await;
        let id = rows::photo(&app, owner, Some(event)).await.unwrap();
        // Both have read the photo before either has stored anything.
        let photo = storage::photos::by_id(&app.db, id).await.unwrap().unwrap();
        for _ in 0..2 {
            let lease = leased(&app, id).await;
            store(&app, &photo, analysis(), &lease).await.unwrap();
        }
        let mut tx = app.begin().await.unwrap();
        let batch = storage::webhooks::counts::take(&mut tx, told, &event.to_string()).await.unwrap();
        assert_eq!(batch.unwrap().counted.photos, 1);
    }
}
