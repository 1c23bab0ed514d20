//! Describing a photo's faces anew, once another model pack is in use that has the same detector: where they are is known, so
//! that nothing is looked for, and mostly a rendition has all that is needed of them.

use std::time::Instant;

use domain::faces::{BoundingBox, Embedding};
use domain::photos::{Photo, PhotoStatus, Size};
use domain::{FaceId, PhotoId};
use media::decoders::{Picture, Priority};
use media::temp_files::Contents;
use storage::faces::StoredFace;
use vision::Face;

use crate::faces::indexing;
use crate::faces::seen::SeenFace;
use crate::guests::objections::suppression;
use crate::guests::subscriptions::carrying_over;
use crate::operations::metrics::Stage;
use crate::operations::runtime::decode_memory::DecodePermit;
use crate::operations::runtime::decoding;
use crate::operations::runtime::queue::Lease;
use crate::operations::runtime::tasks;
use crate::{App, Result};

/// The width of a face in a rendition, in pixels, from which on the rendition describes it as the original does: as many as the
/// chip that the recogniser is given has of it (docs/measurements.md, 'Described anew').
const ENOUGH: f64 = 64.0;

/// The job that describes a photo anew which the pack before has described: its faces stay where and whose they are. Where the
/// closer look does not see one of them again, the photo is indexed as a new one. The transaction that stores the results
/// completes the job.
pub(crate) async fn describe(
    app: &App,
    id: PhotoId,
    mut memory: Option<DecodePermit>,
    lease: &Lease,
) -> Result<()> {
    let photo = storage::photos::by_id(&app.db, id).await?;
    let Some(photo) = photo.filter(|photo| photo.status == PhotoStatus::Ready) else { return Ok(()) };
    let Some(previous) = app.engine.previous_id() else { return Ok(()) };
    // Read before the pack, so that they are what the pack before has described.
    let stored = storage::faces::of_photo(&app.db, id).await?;
    if storage::photos::pack(&app.db, id).await?.as_deref() != Some(previous) {
        return Ok(());
    }
    let mut places: Vec<BoundingBox> = stored.iter().map(|face| face.bounds).collect();
    places.extend(suppression::places_to_learn(app, &photo).await?);
    let is_exclusive = memory.is_some();
    let mut seen = Vec::new();
    if !places.is_empty() {
        for size in pictures(&photo, &places) {
            let (found, permit) =
                look(app, &photo, size, &places, Priority::Background, memory.take()).await?;
            memory = permit.filter(|_| is_exclusive);
            seen = found;
            if are_all_seen(&seen, stored.len()) {
                break;
            }
        }
        if !are_all_seen(&seen, stored.len()) {
            tracing::debug!(photo = %id, "a face is not seen again: the photo is indexed as a new one");
            return indexing::index(app, id, memory, lease).await;
        }
    }
    store(app, &photo, previous, &stored, seen, lease).await
}

/// What this engine says of one face in a photo; none where it does not see it again.
pub(crate) async fn one(app: &App, photo: PhotoId, face: FaceId) -> Result<Option<Embedding>> {
    let Some(photo) = storage::photos::by_id(&app.db, photo).await? else { return Ok(None) };
    let stored = storage::faces::of_photo(&app.db, photo.id).await?;
    let Some(face) = stored.into_iter().find(|stored| stored.id == face) else { return Ok(None) };
    for size in pictures(&photo, &[face.bounds]) {
        let (mut seen, _) = look(app, &photo, size, &[face.bounds], Priority::Foreground, None).await?;
        if let Some(face) = seen.pop().flatten() {
            return Ok(Some(face.embedding));
        }
    }
    Ok(None)
}

fn are_all_seen(seen: &[Option<Face>], stored: usize) -> bool {
    seen.len() >= stored && seen.iter().take(stored).all(Option::is_some)
}

/// The smallest picture of a photo in which faces at these places have enough pixels, and the original, in which they have most.
fn pictures(photo: &Photo, places: &[BoundingBox]) -> Vec<Size> {
    let narrowest = places.iter().map(|place| place.width).fold(f64::INFINITY, f64::min);
    let (width, long_side) = (pixels(photo.width), pixels(photo.width.max(photo.height)));
    let has_enough = |size: &Size| {
        let side = size.long_side().map_or(long_side, f64::from).min(long_side);
        // One that is as large as the original lacks nothing.
        side >= long_side || narrowest * width * side / long_side.max(1.0) >= ENOUGH
    };
    let there = [(Size::Medium, photo.medium_bytes), (Size::Preview, photo.preview_bytes)];
    let there = there.into_iter().filter(|(_, bytes)| bytes.is_some()).map(|(size, _)| size);
    there.filter(has_enough).take(1).chain([Size::Original]).collect()
}

/// A side of a picture; more than there is makes every rendition too small.
fn pixels(side: i64) -> f64 {
    f64::from(u32::try_from(side).unwrap_or(u32::MAX))
}

/// The faces at these places in a stored picture of a photo; none is seen where the picture is not there, or cannot be read. Takes
/// its share of the memory for decoding unless it is given one, which it gives back.
async fn look(
    app: &App,
    photo: &Photo,
    size: Size,
    places: &[BoundingBox],
    priority: Priority,
    memory: Option<DecodePermit>,
) -> Result<(Vec<Option<Face>>, Option<DecodePermit>)> {
    let started = Instant::now();
    let key = photo.key.sized(size);
    let Some(bytes) = Contents::load(&app.store, &key, &app.settings.incoming_dir).await? else {
        return Ok((Vec::new(), memory));
    };
    let at_least = size.long_side().unwrap_or(indexing::DECODE_LONG_SIDE);
    let loaded = started.elapsed();
    let mut picture = app.decoders.open(bytes, priority);
    let (picture, needed) = tasks::blocking(move || {
        let needed = decoding::memory(&mut picture, at_least);
        (picture, needed)
    })
    .await?;
    let permit = match memory {
        Some(permit) => permit,
        None => app.decode_memory.acquire(needed?).await?,
    };
    let (engine, metrics, places) = (app.engine.clone(), app.metrics.clone(), places.to_vec());
    let describe = move || {
        let seen = describe_in(&engine, picture, at_least, &places, |stage, took| {
            metrics.record_index_stage(stage, took);
        });
        (seen, permit)
    };
    app.metrics.record_index_stage(Stage::Load, loaded);
    let (seen, permit) = match priority {
        Priority::Background => tasks::background(describe).await?,
        Priority::Foreground => tasks::blocking(describe).await?,
    };
    Ok((seen?, Some(permit)))
}

fn describe_in(
    engine: &vision::Engine,
    mut picture: Picture,
    at_least: u32,
    places: &[BoundingBox],
    record: impl Fn(Stage, std::time::Duration),
) -> Result<Vec<Option<Face>>> {
    let started = Instant::now();
    let Ok(pixels) = picture.decode(at_least, None)? else { return Ok(Vec::new()) };
    // Others may use its decoder.
    drop(picture);
    let decoded = started.elapsed();
    let seen = engine.describe(&pixels, places)?;
    record(Stage::Decode, decoded);
    record(Stage::Faces, started.elapsed() - decoded);
    Ok(seen)
}

/// `stored` is what `previous` has described; `seen` are these faces, and after them those at places where somebody is who is not
/// to be found. Stores nothing where another job of the photo was faster.
async fn store(
    app: &App,
    photo: &Photo,
    previous: &str,
    stored: &[StoredFace],
    seen: Vec<Option<Face>>,
    lease: &Lease,
) -> Result<()> {
    let started = Instant::now();
    let before = stored.iter().map(Some).chain(std::iter::repeat(None));
    let faces = seen.into_iter().zip(before).filter_map(|(face, before)| {
        let Face { bounds, embedding, .. } = face?;
        Some(match before {
            Some(StoredFace { id, bounds, embedding: previous, .. }) => {
                SeenFace { id: *id, bounds: *bounds, embedding, previous: Some(previous.clone()) }
            }
            None => SeenFace { id: app.id::<FaceId>(), bounds, embedding, previous: None },
        })
    });
    let faces: Vec<SeenFace> = faces.collect();
    let mut tx = app.begin().await?;
    let left_out = suppression::objectors(app, &mut tx, photo, &faces).await?;
    let kept: Vec<(FaceId, Embedding)> = faces
        .iter()
        .enumerate()
        .filter(|(place, face)| face.previous.is_some() && !left_out.contains(place))
        .map(|(_, face)| (face.id, face.embedding.clone()))
        .collect();
    if storage::photos::finish_describing(&mut tx, photo.id, previous, app.engine.pack_id(), &kept).await?
        && indexing::is_current(&mut tx, photo).await?
    {
        carrying_over::teach(app, &mut tx, photo, &faces, &left_out).await?;
        tx.complete(lease).await?;
        tx.commit().await?;
    }
    app.metrics.record_index_stage(Stage::Store, started.elapsed());
    Ok(())
}

#[cfg(test)]
mod tests {
    use domain::{Clock, Job, Randomness};
    use storage::testing::rival_before;
    use vision::FakeEngine;

    use super::*;
    use crate::Parts;
    use crate::testing::rows;

    fn photo(width: i64, height: i64) -> Photo {
        let clock = Clock::fixed(crate::testing::START);
        let randomness = Randomness::seeded(1);
        let mut photo = storage::testing::new_photo(
            randomness.id(&clock),
            clock.now(),
            &randomness,
            randomness.id(&clock),
            None,
        );
        (photo.width, photo.height) = (width, height);
        (photo.preview_bytes, photo.medium_bytes) = (Some(1), Some(1));
        photo
    }

    fn face(width: f64) -> BoundingBox {
        BoundingBox { x: 0.1, y: 0.1, width, height: 0.1 }
    }

    #[test]
    fn the_smallest_picture_is_read_in_which_every_face_has_enough_pixels() {
        // [FACE534]
        let (medium, preview, original) = (Size::Medium, Size::Preview, Size::Original);
        let landscape = photo(6_000, 4_000);
        assert_eq!(pictures(&landscape, &[face(0.2), face(0.0625)]), [medium, original]);
        assert_eq!(pictures(&landscape, &[face(0.2), face(0.06)]), [preview, original]);
        assert_eq!(pictures(&landscape, &[face(0.2), face(0.03)]), [original]);
        // The width counts, which is the short side of an upright photo.
        assert_eq!(pictures(&photo(4_000, 6_000), &[face(0.0625)]), [preview, original]);
        // A picture that is as large as the original lacks nothing.
        assert_eq!(pictures(&photo(1_000, 600), &[face(0.02)]), [medium, original]);
        let unrendered = Photo { medium_bytes: None, ..landscape };
        assert_eq!(pictures(&unrendered, &[face(0.2)]), [preview, original]);
    }

    #[tokio::test]
    async fn a_face_that_is_found_while_its_photo_is_described_anew_stays() {
        // [FACE561] On PostgreSQL: SQLite has one writer.
        let (database, incoming) = (storage::testing::postgres().await, tempfile::tempdir().unwrap());
        let parts = crate::testing::parts(database.db.clone(), incoming.path());
        let engine = vision::Engine::Fake(FakeEngine::successor());
        let app = App::new(Parts { engine, ..parts }).await.unwrap();
        let owner = rows::photographer(&app).await.unwrap();
        let event = rows::event(&app, owner).await.unwrap();
        let mut place = 0;
        loop {
            let id = rows::photo(&app, owner, Some(event)).await.unwrap();
            // Nobody was found in it, so that no picture is looked at.
            rows::index(&app, id, FakeEngine::PACK_ID, Vec::new()).await.unwrap();
            let mut tx = app.begin().await.unwrap();
            let leased = tx.enqueue_leased(&Job::DescribePhoto { photo: id }).await.unwrap();
            tx.commit().await.unwrap();
            let lease = leased.lease();
            let embedding = Embedding::normalised(vec![1.0, 0.5]).unwrap();
            let index = rows::index(&app, id, FakeEngine::SUCCESSOR_ID, vec![embedding]);
            let both = rival_before(place, describe(&app, id, None, &lease), index).await;
            both.first.unwrap();
            let found = both.rival.unwrap();
            let stored = storage::faces::of_photo(&app.db, id).await.unwrap();
            let stored: Vec<FaceId> = stored.iter().map(|face| face.id).collect();
            assert_eq!(stored, found, "place {place}");
            if !both.is_between {
                break;
            }
            place += 1;
        }
        assert!(place > 3, "there are statements to come before");
    }
}
