//! Photos on their way into the index: outages, processes that end, changes of the model pack.

use std::path::{Path, PathBuf};
use std::time::Duration;

use app::faces::reindexing;
use app::faces::search::{self, Selfies};
use app::photos::selections::Chosen;
use app::{App, photos};
use domain::JobId;
use domain::faces::Strictness;
use domain::operations::runtime::jobs::JobKind;
use domain::photos::failures::{FailureCause, PhotoFailure};
use domain::photos::{MediaKey, PhotoStatus, Size};
use media::stores::{Source, Store};
use storage::operations::runtime::jobs::{self, JobState};
use tokio::task::JoinHandle;
use vision::{Engine, FakeEngine, PausedCalls};

use crate::world::{World, red_square, square};

#[tokio::test]
async fn a_job_of_a_dead_worker_is_leased_again() {
    // [SAFE013] [SAFE019] [UPL084]
    let world = World::new().await;
    let (user, photo) = world.with_photo().await;
    // Another worker takes the job and is never heard of again, four times over; none of them gets as far as to do it
    // alone.
    for dead in ["first", "second", "third", "fourth"] {
        let now = world.clock.now();
        let until = now.plus(Duration::from_secs(60));
        let claimed = storage::operations::runtime::jobs::claim(
            &world.parts.db,
            &[domain::operations::runtime::jobs::JobKind::IndexPhoto],
            dead,
            now,
            until,
        )
        .await
        .unwrap();
        assert!(claimed.is_some());
        assert_eq!(world.drain().await, 0, "it is leased");
        world.clock.advance(Duration::from_secs(61));
    }
    assert_eq!(world.drain().await, 1);
    assert_eq!(world.status(&user, &photo).await, PhotoStatus::Ready);
}

/// The job of a photo that a worker has taken, which has read the photo already.
async fn taken(world: &World) -> JobId {
    let (now, kinds) = (world.clock.now(), [JobKind::IndexPhoto]);
    let until = now.plus(Duration::from_secs(60));
    let claimed = jobs::claim(&world.parts.db, &kinds, "worker", now, until).await.unwrap();
    claimed.unwrap().id
}

#[tokio::test]
async fn a_photo_that_comes_back_from_the_trash_is_indexed_though_its_job_has_found_it_deleted() {
    // [UPL277]
    let world = World::new().await;
    let (user, photo) = world.with_photo().await;
    let job = taken(&world).await;
    photos::delete::delete_photo(&world.app, &user, photo.id).await.unwrap();
    let chosen = Chosen::Photos(vec![photo.id]);
    assert_eq!(photos::trash::restore(&world.app, &user, photo.event, chosen).await.unwrap(), 1);
    let mut tx = world.parts.db.begin().await.unwrap();
    assert!(jobs::complete(&mut tx, job, "worker", world.clock.now()).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(world.status(&user, &photo).await, PhotoStatus::Processing);
    assert_eq!(world.drain().await, 1);
    assert_eq!(world.status(&user, &photo).await, PhotoStatus::Ready);
}

#[tokio::test]
async fn a_photo_that_is_retried_before_its_last_failure_is_settled_is_indexed() {
    // [UPL277]
    let world = World::new().await;
    let (user, photo) = world.with_photo().await;
    let job = taken(&world).await;
    let failure = PhotoFailure { cause: FailureCause::Exhausted, reason: String::from("no disk") };
    let mut tx = world.parts.db.begin().await.unwrap();
    assert!(storage::photos::fail_indexing(&mut tx, photo.id, &failure).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(photos::retry(&world.app, &user, photo.id).await.unwrap().status, PhotoStatus::Processing);
    let mut tx = world.parts.db.begin().await.unwrap();
    assert!(jobs::fail(&mut tx, job, "worker", "no disk", world.clock.now()).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(world.drain().await, 1);
    assert_eq!(world.status(&user, &photo).await, PhotoStatus::Ready);
}

#[tokio::test]
async fn a_transient_failure_of_the_store_only_delays_indexing() {
    // [UPL084] [SAFE013]
    let world = World::new().await;
    let (user, photo) = world.with_photo().await;
    world.files.set_broken(true);
    assert_eq!(world.drain().await, 1);
    assert_eq!(world.status(&user, &photo).await, PhotoStatus::Processing);
    assert_eq!(world.drain().await, 0, "it waits before it is tried again");
    world.files.set_broken(false);
    world.clock.advance(Duration::from_secs(5));
    assert_eq!(world.drain().await, 1);
    assert_eq!(world.status(&user, &photo).await, PhotoStatus::Ready);
}

#[tokio::test]
async fn a_photo_that_can_never_be_indexed_ends_as_failed() {
    // [UPL084] [UPL151] [UPL196] [UPL197]
    let world = World::new().await;
    let (user, photo) = world.with_photo().await;
    world.parts.store.delete(&photo.key).await.unwrap();
    let bytes = red_square();
    let begun = world.clock.now();
    while world.drain().await == 1 {
        world.clock.advance(Duration::from_secs(4 * 60 * 60));
    }
    assert!(world.clock.now().since(begun) > Duration::from_secs(4 * 24 * 60 * 60), "it is tried for days");
    let failed = photos::by_id(&world.app, &user, photo.id).await.unwrap();
    assert_eq!(failed.status, PhotoStatus::Failed);
    let failure = failed.failure.unwrap();
    assert_eq!(failure.cause, FailureCause::Exhausted);
    assert!(failure.reason.contains("is not in the media store"), "{}", failure.reason);
    assert_eq!(failure.text(), "The photo could not be processed for several days.");

    // A new start tries it again, and so does the photographer.
    assert_eq!(reindexing::retry_exhausted(&world.app).await.unwrap(), 1);
    assert_eq!(world.status(&user, &photo).await, PhotoStatus::Processing);
    assert_eq!(reindexing::retry_exhausted(&world.app).await.unwrap(), 0, "it waits");
    assert_eq!(world.drain().await, 1, "at once");
    assert_eq!(world.drain().await, 0, "it waits before it is tried again");
    world.parts.store.put(&photo.key, media::stores::Source::Bytes(bytes.into())).await.unwrap();
    assert_eq!(photos::retry(&world.app, &user, photo.id).await.unwrap().status, PhotoStatus::Processing);
    assert_eq!(world.drain().await, 1, "at once");
    assert_eq!(world.status(&user, &photo).await, PhotoStatus::Ready);
    assert_eq!(photos::retry(&world.app, &user, photo.id).await.unwrap().status, PhotoStatus::Ready);
    assert_eq!(world.drain().await, 0, "nothing is left to do");
    let failed = storage::operations::runtime::jobs::in_state(&world.parts.db, JobState::Failed, None, 9)
        .await
        .unwrap();
    assert!(failed.is_empty(), "nothing is left to report");
}

#[tokio::test]
async fn an_outage_of_an_hour_costs_no_photo() {
    // [UPL194]
    let world = World::new().await;
    let (user, photo) = world.with_photo().await;
    world.files.set_broken(true);
    for _ in 0..60 {
        world.drain().await;
        assert_eq!(world.status(&user, &photo).await, PhotoStatus::Processing);
        world.clock.advance(Duration::from_secs(60));
    }
    world.files.set_broken(false);
    world.clock.advance(Duration::from_secs(60 * 60));
    assert_eq!(world.drain().await, 1);
    assert_eq!(world.status(&user, &photo).await, PhotoStatus::Ready);
}

#[tokio::test]
async fn after_an_outage_the_next_attempt_can_be_had_at_once() {
    // [UPL198] By a start, and by the command: a pause may last for hours.
    let world = World::new().await;
    let (user, photo) = world.with_photo().await;
    world.files.set_broken(true);
    for _ in 0..12 {
        world.drain().await;
        world.clock.advance(Duration::from_secs(60 * 60));
    }
    world.drain().await;
    assert_eq!(reindexing::retry_exhausted(&world.app).await.unwrap(), 1);
    assert_eq!(world.drain().await, 1);
    assert_eq!(world.drain().await, 0);
    world.files.set_broken(false);
    assert_eq!(reindexing::retry_failed(&world.operator(), false).await.unwrap(), 1);
    assert_eq!(world.drain().await, 1);
    assert_eq!(world.status(&user, &photo).await, PhotoStatus::Ready);
    assert_eq!(reindexing::retry_failed(&world.operator(), false).await.unwrap(), 0);
}

#[tokio::test]
async fn a_photo_whose_bytes_are_refused_fails_at_once_and_is_retried_only_manually() {
    // [UPL150] [UPL196] [UPL197] [UPL206]
    let world = World::new().await;
    let (user, photo) = world.with_photo().await;
    let cut = red_square()[..100].to_vec();
    world.parts.store.put(&photo.key, media::stores::Source::Bytes(cut.into())).await.unwrap();
    assert_eq!(world.drain().await, 1);
    let failed = photos::by_id(&world.app, &user, photo.id).await.unwrap();
    assert_eq!(failed.status, PhotoStatus::Failed);
    let failure = failed.failure.unwrap();
    assert_eq!((failure.cause, failure.text()), (FailureCause::Refused, failure.reason));
    assert_eq!(reindexing::retry_exhausted(&world.app).await.unwrap(), 0);
    let context = world.operator();
    assert_eq!(reindexing::retry_failed(&context, false).await.unwrap(), 0);
    assert_eq!(reindexing::retry_failed(&context, true).await.unwrap(), 1);
    assert_eq!(world.drain().await, 1);
    assert_eq!(world.status(&user, &photo).await, PhotoStatus::Failed);
}

/// Claims the photo's job like a worker that then crashes.
async fn crash(world: &World, exclusive: bool) {
    let (now, lease) = (world.clock.now(), format!("vanished-{}", world.clock.now().as_millis()));
    let until = now.plus(Duration::from_secs(60));
    let kinds = [domain::operations::runtime::jobs::JobKind::IndexPhoto];
    let claimed = storage::operations::runtime::jobs::claim(&world.parts.db, &kinds, &lease, now, until)
        .await
        .unwrap()
        .unwrap();
    if exclusive {
        assert!(
            storage::operations::runtime::jobs::begin_exclusive(&world.parts.db, claimed.id, &lease)
                .await
                .unwrap()
        );
    }
    world.clock.advance(Duration::from_secs(61));
}

#[tokio::test]
async fn a_photo_that_crashes_every_worker_fails_with_a_reason() {
    // [SAFE228]
    let world = World::new().await;
    let (user, photo) = world.with_photo().await;
    for exclusive in [false, false, true] {
        assert_eq!(world.status(&user, &photo).await, PhotoStatus::Processing);
        crash(&world, exclusive).await;
    }
    assert_eq!(world.drain().await, 1, "it is claimed, and not tried");
    let failed = photos::by_id(&world.app, &user, photo.id).await.unwrap();
    let failure = failed.failure.unwrap();
    assert_eq!((failed.status, failure.cause), (PhotoStatus::Failed, FailureCause::Crashed));
    assert_eq!(failure.text(), "Processing the photo ended the program three times.");
    assert_eq!(reindexing::retry_exhausted(&world.app).await.unwrap(), 0, "a start does not try it again");
    let jobs = storage::operations::runtime::jobs::in_state(&world.parts.db, JobState::Failed, None, 9)
        .await
        .unwrap();
    assert!(jobs[0].last_error.as_ref().unwrap().contains("ended three times"));
    assert_eq!(photos::retry(&world.app, &user, photo.id).await.unwrap().status, PhotoStatus::Processing);
    assert_eq!(world.drain().await, 1);
    assert_eq!(world.status(&user, &photo).await, PhotoStatus::Ready);
}

#[tokio::test]
async fn a_photo_that_crashed_two_workers_is_retried_exclusively() {
    // [SAFE060]
    let world = World::new().await;
    let (user, photo) = world.with_photo().await;
    for _ in 0..2 {
        crash(&world, false).await;
    }
    assert_eq!(world.drain().await, 1);
    assert_eq!(world.status(&user, &photo).await, PhotoStatus::Ready);
}

#[tokio::test]
async fn photos_of_another_model_pack_are_indexed_again() {
    let world = World::new().await;
    let (user, photo) = world.with_photo().await;
    world.drain().await;
    let event = photo.event.unwrap();
    let indexing = async || storage::events::by_id(&world.parts.db, event).await.unwrap().unwrap().indexing;
    storage::testing::change(
        &world.parts.db,
        "UPDATE photos SET pack = 'older'; UPDATE faces SET pack = 'older'",
    )
    .await;
    reindexing::mark_outdated(&world.app).await.unwrap();
    assert_eq!((indexing().await.indexed, indexing().await.waiting()), (0, 1));
    assert_eq!(world.status(&user, &photo).await, PhotoStatus::Ready, "it can be seen all the while");
    assert_eq!(app::operations::monitoring::warnings(&world.app).await.unwrap().len(), 1);
    assert_eq!(reindexing::queue_outdated(&world.app).await.unwrap(), 1);
    assert_eq!(reindexing::queue_outdated(&world.app).await.unwrap(), 0);
    assert_eq!(world.drain().await, 1);
    assert_eq!((indexing().await.indexed, indexing().await.waiting()), (1, 0));
    assert!(app::operations::monitoring::warnings(&world.app).await.unwrap().is_empty());
    reindexing::mark_outdated(&world.app).await.unwrap();
    assert_eq!(reindexing::queue_outdated(&world.app).await.unwrap(), 0);
}

#[tokio::test]
async fn a_photo_of_another_pack_whose_bytes_are_refused_stays_as_it_is() {
    let world = World::new().await;
    let (user, photo) = world.with_photo().await;
    world.drain().await;
    storage::testing::change(&world.parts.db, "UPDATE photos SET pack = 'older'").await;
    let cut = red_square()[..100].to_vec();
    world.parts.store.put(&photo.key, media::stores::Source::Bytes(cut.into())).await.unwrap();
    reindexing::mark_outdated(&world.app).await.unwrap();
    assert_eq!(reindexing::queue_outdated(&world.app).await.unwrap(), 1);
    assert_eq!(world.drain().await, 1);
    assert_eq!(world.status(&user, &photo).await, PhotoStatus::Ready);
    reindexing::mark_outdated(&world.app).await.unwrap();
    assert_eq!(reindexing::queue_outdated(&world.app).await.unwrap(), 0, "it is not tried for ever");
}

#[tokio::test]
async fn photos_of_an_earlier_version_get_the_rendition_that_it_did_not_make() {
    // [GAL061] [GAL162]
    let world = World::new().await;
    let (user, photo) = world.with_photo().await;
    assert_eq!(world.drain().await, 1);
    let medium = photo.key.sized(Size::Medium);
    let stored = async || photos::by_id(&world.app, &user, photo.id).await.unwrap().medium_bytes;
    let in_store = async || world.parts.store.size(&medium).await.unwrap();
    let size = stored().await;
    let as_earlier =
        async || storage::testing::change(&world.parts.db, "UPDATE photos SET medium_bytes = NULL").await;
    as_earlier().await;
    world.parts.store.delete(&medium).await.unwrap();
    assert_eq!(app::photos::files::photo_links(&world.app, &photo).await.unwrap().medium_url, None);

    assert_eq!(reindexing::queue_unrendered(&world.app).await.unwrap(), 1);
    assert_eq!(reindexing::queue_unrendered(&world.app).await.unwrap(), 0, "it is queued");
    assert_eq!(stored().await, None, "it is found meanwhile, and nothing waits for it");
    assert_eq!(world.status(&user, &photo).await, PhotoStatus::Ready);
    // An outage of the store delays it.
    world.files.set_broken(true);
    assert_eq!(world.drain().await, 1);
    world.files.set_broken(false);
    world.clock.advance(Duration::from_secs(5));
    assert_eq!(world.drain().await, 1);
    assert_eq!((stored().await, in_store().await), (size, size.map(i64::cast_unsigned)));
    assert_eq!(reindexing::queue_unrendered(&world.app).await.unwrap(), 0);

    // The process ended after the file was stored and before that was recorded.
    as_earlier().await;
    assert_eq!(reindexing::queue_unrendered(&world.app).await.unwrap(), 1);
    assert_eq!(world.drain().await, 1);
    assert_eq!(stored().await, size);

    // A preview that is damaged, or missing, is made anew as well.
    let preview = photo.key.sized(Size::Preview);
    for damage in [Some(b"no picture".as_slice()), None] {
        match damage {
            Some(bytes) => world.parts.store.put(&preview, Source::Bytes(bytes.into())).await.unwrap(),
            None => world.parts.store.delete(&preview).await.unwrap(),
        }
        as_earlier().await;
        assert_eq!(reindexing::queue_unrendered(&world.app).await.unwrap(), 1);
        assert_eq!(world.drain().await, 1);
        assert_eq!(stored().await, size);
        assert!(world.parts.store.size(&preview).await.unwrap().unwrap() > 10);
    }

    // A check misses the file once it was there, and not before.
    world.parts.store.delete(&medium).await.unwrap();
    let issues =
        async || app::operations::checks::inspect(&world.operator(), &world.parts.store).await.unwrap();
    let missing = app::operations::checks::Issue::RenditionsMissing(photo.id, vec![medium.clone()]);
    assert!(issues().await.contains(&missing));
    as_earlier().await;
    assert!(!issues().await.contains(&missing));

    // One that is deleted before its turn takes no file with it into the store.
    assert_eq!(reindexing::queue_unrendered(&world.app).await.unwrap(), 1);
    app::photos::delete::delete_photo(&world.app, &user, photo.id).await.unwrap();
    assert_eq!(world.drain().await, 1);
    assert_eq!(in_store().await, None);
}

#[tokio::test]
async fn a_rendition_that_cannot_be_stored_is_not_recorded() {
    // [GAL061]
    let folder = tempfile::tempdir().unwrap();
    let mut world = World::new().await;
    let url = format!("file://{}", folder.path().display());
    world.parts.store = Store::open(&url, []).unwrap();
    world.app = App::new(world.parts.clone()).await.unwrap();
    let (user, photo) = world.with_photo().await;
    assert_eq!(world.drain().await, 1);
    let stored = async || photos::by_id(&world.app, &user, photo.id).await.unwrap().medium_bytes;
    let size = stored().await;
    storage::testing::change(&world.parts.db, "UPDATE photos SET medium_bytes = NULL").await;
    assert_eq!(reindexing::queue_unrendered(&world.app).await.unwrap(), 1);
    // A folder in its place, with something in it, gives way to no file.
    let place = only_file(&folder.path().join("mediums"));
    std::fs::remove_file(&place).unwrap();
    std::fs::create_dir_all(place.join("in the way")).unwrap();
    assert_eq!(world.drain().await, 1);
    assert_eq!(stored().await, None);

    std::fs::remove_dir_all(&place).unwrap();
    world.clock.advance(Duration::from_secs(5));
    assert_eq!(world.drain().await, 1);
    assert!(size.is_some() && stored().await == size);
    assert_eq!(std::fs::metadata(&place).unwrap().len(), size.unwrap().cast_unsigned());
}

/// The one file below a folder.
fn only_file(folder: &Path) -> PathBuf {
    let [entry] =
        &std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>()[..]
    else {
        panic!("one entry is in {}", folder.display())
    };
    if entry.is_dir() { only_file(entry) } else { entry.clone() }
}

/// A photo of the queue whose faces are being looked for, until the call is let go on.
async fn held_indexing(world: &World) -> (&FakeEngine, PausedCalls, JoinHandle<usize>) {
    let Engine::Fake(engine) = &world.parts.engine else {
        unreachable!("the parts for tests have the double")
    };
    let paused = engine.pause_photos();
    let app = world.app.clone();
    let indexing = tokio::spawn(async move { app::operations::runtime::worker::drain(&app).await.unwrap() });
    while engine.photo_calls().running == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    (engine, paused, indexing)
}

#[tokio::test]
async fn all_pictures_that_are_decoded_at_once_share_the_memory_for_it() {
    // [SAFE061]
    // So little that any picture takes all of it.
    let world = World::with(|settings| settings.decode_memory_bytes = 1 << 20).await;
    let (user, _) = world.with_photo().await;
    let (engine, paused, indexing) = held_indexing(&world).await;
    let (app, owner) = (world.app.clone(), user.clone());
    let selfies = Selfies {
        admission: None,
        pictures: vec![red_square().into()],
        face: None,
        strictness: Strictness::Normal,
        rejected: Vec::new(),
        wants_preview: false,
        found_before: false,
    };
    let search = tokio::spawn(async move { search::in_library(&app, &owner, selfies).await });
    let app = world.app.clone();
    let upload = tokio::spawn(async move {
        let mut upload = photos::Upload::begin(&app).await.unwrap();
        upload.write(&square([20, 20, 230])).await.unwrap();
        photos::accept(&app, &user, None, "blue.png", upload.finish().await.unwrap()).await
    });
    // Each takes a few milliseconds where nothing holds it up.
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert_eq!(engine.selfie_calls().begun, 0, "the selfie waits");
    assert!(!upload.is_finished(), "the upload waits");
    drop(paused);
    indexing.await.unwrap();
    assert!(search.await.unwrap().is_ok());
    assert!(matches!(upload.await.unwrap().unwrap(), photos::Accepted::New(_)));
}

#[tokio::test]
async fn a_photo_that_is_replaced_while_it_is_indexed_ends_with_its_new_file() {
    let world = World::new().await;
    let (user, photo) = world.with_photo().await;
    let (_, paused, indexing) = held_indexing(&world).await;
    let mut upload = photos::Upload::begin(&world.app).await.unwrap();
    let green = square([20, 230, 20]);
    upload.write(&green).await.unwrap();
    let file = upload.finish().await.unwrap();
    let replaced = photos::replace(&world.app, &user, photo.event, "red.png", file).await.unwrap();
    let photos::Accepted::Replaced(replaced) = replaced else { panic!("{replaced:?}") };
    assert_eq!((replaced.id, replaced.status), (photo.id, PhotoStatus::Processing));
    drop(paused);
    indexing.await.unwrap();
    world.drain().await;

    let now = photos::by_id(&world.app, &user, photo.id).await.unwrap();
    assert_eq!((now.status, &now.key, now.faces), (PhotoStatus::Ready, &replaced.key, 1));
    for size in Size::ALL {
        let there = async |key: &MediaKey| world.parts.store.size(&key.sized(size)).await.unwrap().is_some();
        assert!(there(&now.key).await && !there(&photo.key).await, "{size:?}");
    }
    let color = now.average_color.unwrap();
    assert!(color.green > color.red, "{color:?}");
}

#[tokio::test]
async fn a_photo_that_is_deleted_while_it_is_rendered_has_its_rendition_when_it_is_restored() {
    // [SAFE490]
    let world = World::new().await;
    let (user, photo) = world.with_photo().await;
    assert_eq!(world.drain().await, 1);
    let db = &world.parts.db;
    storage::testing::change(db, "UPDATE photos SET medium_bytes = NULL").await;
    assert_eq!(reindexing::queue_unrendered(&world.app).await.unwrap(), 1);
    let (has_come, go_on) = world.files.hold_put();
    let app = world.app.clone();
    let rendering = tokio::spawn(async move { app::operations::runtime::worker::drain(&app).await.unwrap() });
    has_come.await.unwrap();
    // Another worker, which has taken over the job, is through with it.
    storage::testing::change(db, "UPDATE photos SET medium_bytes = 7").await;
    app::photos::delete::delete_photo(&world.app, &user, photo.id).await.unwrap();
    go_on.send(()).unwrap();
    rendering.await.unwrap();
    let trashed = storage::photos::trash::by_id(db, photo.id).await.unwrap();
    assert!(trashed.is_some(), "it can be restored");
    let medium = photo.key.sized(Size::Medium);
    assert!(world.parts.store.size(&medium).await.unwrap().is_some(), "with the file that its row names");
}
