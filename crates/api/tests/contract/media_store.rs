//! The media store and its database know each other, and what belongs to no photo is swept with care.

use std::time::Duration;

use app::operations::checks::{self, Issue};
use app::operations::orphans::{self, Sweep};
use app::operations::stores::Bond;
use domain::photos::{MediaKey, Photo};
use domain::{DAY, Timestamp};
use futures::TryStreamExt as _;
use media::stores::{Memory, Source, Store};
use serde_json::{Value, json};

use crate::harness::{BLUE, RED, World, on_both_engines, photo};

fn files(world: &World) -> &Memory {
    let Store::Memory(files) = &world.parts.store else { panic!("it is the double") };
    files
}

/// A photographer with an event of two photos, all indexed; the token and the event.
async fn party(world: &World) -> (String, Value) {
    let token = world.photographer("meera@example.com").await;
    let event = world.event(&token, "Party").await;
    for (name, colour) in [("a.jpg", RED), ("b.jpg", BLUE)] {
        assert_eq!(world.upload(&token, &event, name, &photo(&[colour], 0)).await.status, 201);
    }
    world.drain().await;
    assert_eq!(world.stored_files().await.len(), 8);
    (token, event)
}

/// Puts files that belong to no photo and are older than a day.
async fn orphans(world: &World, number: usize) -> Vec<MediaKey> {
    let keys: Vec<_> =
        (0..number).map(|index| MediaKey::from_trusted(format!("originals/orphan{index}.png"))).collect();
    for key in &keys {
        world.parts.store.put(key, Source::Bytes(b"x".as_slice().into())).await.unwrap();
    }
    world.clock.advance(DAY * 2);
    keys
}

async fn trash(world: &World) -> Vec<(MediaKey, Timestamp)> {
    world
        .parts
        .store
        .list_discarded()
        .map_ok(|entry| (entry.key, entry.modified))
        .try_collect()
        .await
        .unwrap()
}

async fn sweep(world: &World) -> Sweep {
    orphans::sweep(&world.app).await.unwrap()
}

/// Status, error and warnings.
async fn ready(world: &World) -> (u16, String, Vec<String>) {
    // Longer than an answer holds.
    world.clock.advance(Duration::from_secs(5));
    let answer = world.get("/api/ready", "").await;
    let json = answer.json();
    assert_eq!(json["missing"], if answer.status == 200 { json!([]) } else { json!(["media"]) });
    let warnings = json["warnings"].as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned());
    // The clock of these tests is fixed.
    let warnings = warnings.filter(|text| !text.starts_with("The clocks of"));
    (answer.status.as_u16(), json["error"].as_str().unwrap_or_default().to_owned(), warnings.collect())
}

async fn inspect(world: &World) -> Vec<Issue> {
    checks::inspect(&world.operator(), &world.parts.store).await.unwrap()
}

async fn repair(world: &World, issues: &[Issue]) -> Vec<bool> {
    let (mut repaired, operator) = (Vec::new(), world.operator());
    for issue in issues {
        repaired.push(checks::repair(&operator, &world.parts.store, issue).await.unwrap());
    }
    repaired
}

async fn some_photo(world: &World) -> Photo {
    storage::photos::page(&world.parts.db, None, 1).await.unwrap().remove(0)
}

#[test]
fn the_store_of_another_database_is_neither_written_nor_swept() {
    // [SAFE053] [SAFE232]
    on_both_engines(async |world: World| {
        let (token, event) = party(&world).await;
        let staging = storage::testing::sqlite().await;
        let other = world.second_process(&staging.db).await;
        world.clock.advance(DAY * 2);
        app::operations::maintenance::all(&other.app).await.unwrap();
        assert_eq!(world.stored_files().await.len(), 8, "a wrong DATABASE_URL removes nothing");
        let (status, error, _) = ready(&other).await;
        assert_eq!(status, 503);
        assert!(error.contains("another database") && error.contains("`afterglow store adopt`"), "{error}");
        assert_eq!(inspect(&other).await, [Issue::Store(Bond::Foreign)]);
        assert_eq!(repair(&other, &inspect(&other).await).await, [false]);
        let swept = orphans::sweep_all(&other.operator(), &other.parts.store).await.unwrap();
        assert_eq!(swept, Sweep::NotOwn(Bond::Foreign));

        let strange = other.photographer("ravi@example.com").await;
        let party = other.event(&strange, "Other").await;
        let answer = other.upload(&strange, &party, "c.jpg", &photo(&[RED, BLUE], 0)).await;
        assert_eq!(answer.error().0, 503);
        assert_eq!(world.stored_files().await.len(), 8);

        // The operator decides: whoever had the store loses it.
        let bond = app::operations::stores::adopt(&other.operator(), &other.parts.store).await.unwrap();
        assert_eq!(bond, Bond::Own { is_older: false });
        assert_eq!(ready(&other).await.0, 200);
        assert_eq!(ready(&world).await.0, 503);
        assert_eq!(world.upload(&token, &event, "c.jpg", &photo(&[RED, BLUE], 0)).await.error().0, 503);
        assert_eq!(other.upload(&strange, &party, "c.jpg", &photo(&[RED, BLUE], 0)).await.status, 201);
        assert!(matches!(sweep(&other).await, Sweep::TooMany(held) if (held.orphans, held.files) == (8, 9)));
    });
}

#[test]
fn an_empty_database_does_not_write_to_a_store_with_files() {
    // [SAFE230] [SAFE232]
    on_both_engines(async |world: World| {
        let mut keys = orphans(&world, 3).await;
        app::operations::maintenance::all(&world.app).await.unwrap();
        assert_eq!(world.stored_files().await.len(), 3);
        let (status, error, _) = ready(&world).await;
        assert_eq!(status, 503);
        assert!(error.contains("the database has no photos") && error.contains("`afterglow store adopt`"));
        let held: Vec<_> = keys.drain(..).map(Issue::HeldOrphan).collect();
        let issues = inspect(&world).await;
        assert_eq!(issues, [vec![Issue::Store(Bond::Filled)], held].concat());
        assert_eq!(repair(&world, &issues).await, [false; 4]);
        assert_eq!(world.stored_files().await.len(), 3);
        let bond = app::operations::stores::adopt(&world.operator(), &world.parts.store).await.unwrap();
        assert_eq!(bond, Bond::Own { is_older: false });
        assert_eq!(sweep(&world).await, Sweep::Swept(3));
        assert_eq!(trash(&world).await.len(), 3);
    });
}

#[test]
fn a_store_of_the_version_before_is_adopted_by_the_database_whose_originals_it_has() {
    // [SAFE062] [SAFE231]
    on_both_engines(async |world: World| {
        assert_eq!(ready(&world).await.0, 200, "both are empty");
        let (token, event) = party(&world).await;
        files(&world).forget_marker();
        storage::testing::change(&world.parts.db, "DELETE FROM media_store").await;
        let updated = world.second_process(&world.parts.db).await;
        let status =
            app::operations::stores::status(&updated.operator(), &updated.parts.store).await.unwrap();
        assert_eq!((status.id, status.marker, status.bond), (None, None, Bond::Adoptable));
        assert_eq!(inspect(&updated).await, []);
        assert_eq!(ready(&updated).await.0, 200);
        let status =
            app::operations::stores::status(&updated.operator(), &updated.parts.store).await.unwrap();
        assert_eq!((status.id.is_some(), status.id == status.marker), (true, true));

        // A disk that is not mounted, or a wrong AFTERGLOW_MEDIA_URL.
        files(&world).forget_marker();
        world.parts.store.delete(&some_photo(&world).await.key).await.unwrap();
        let updated = world.second_process(&world.parts.db).await;
        let (status, error, _) = ready(&updated).await;
        assert_eq!(status, 503);
        assert!(
            error.contains("lacks 1 of 2 originals") && error.contains("`afterglow store adopt`"),
            "{error}"
        );
        let incomplete = Bond::Incomplete { asked: 2, missing: 1 };
        assert!(inspect(&updated).await.contains(&Issue::Store(incomplete.clone())));
        orphans(&updated, 1).await;
        let kept = updated.stored_files().await;
        assert_eq!(sweep(&updated).await, Sweep::NotOwn(incomplete));
        let upload = updated.upload(&token, &event, "c.jpg", &photo(&[RED, BLUE], 0)).await;
        assert_eq!(upload.error().0, 503);
        assert_eq!(updated.stored_files().await, kept, "neither written nor swept");
    });
}

#[test]
fn a_restored_database_that_does_not_know_many_files_sweeps_none() {
    // [SAFE055] [SAFE253]
    on_both_engines(async |world: World| {
        party(&world).await;
        orphans(&world, 4).await;
        assert_eq!(sweep(&world).await, Sweep::Swept(4), "as many as one photo has");
        let keys = orphans(&world, 5).await;
        app::operations::maintenance::all(&world.app).await.unwrap();
        assert_eq!(world.stored_files().await.len(), 13);
        let (status, _, warnings) = ready(&world).await;
        assert_eq!(status, 200, "the service works all the same");
        let held = "5 of 13 files in the media store belong to no photo of this database. They are left alone until \
                    `afterglow store sweep` moves them to the trash.";
        assert_eq!(warnings, [held]);
        let issues = inspect(&world).await;
        assert_eq!(issues[0].to_string(), held);
        assert_eq!(issues[1..], keys.iter().cloned().map(Issue::HeldOrphan).collect::<Vec<_>>());
        assert_eq!(repair(&world, &issues).await, [false; 6]);

        let swept = orphans::sweep_all(&world.operator(), &world.parts.store).await.unwrap();
        assert_eq!(swept, Sweep::Swept(5));
        assert_eq!((world.stored_files().await.len(), trash(&world).await.len()), (8, 5));
        assert_eq!(ready(&world).await.2, Vec::<String>::new());
        assert_eq!(inspect(&world).await, []);
    });
}

#[test]
fn an_older_copy_of_the_database_sweeps_nothing() {
    // [SAFE056]
    on_both_engines(async |world: World| {
        party(&world).await;
        orphans(&world, 1).await;
        assert_eq!(sweep(&world).await, Sweep::Swept(1));
        // A back-up of yesterday is restored, or a copy runs concurrently with the original.
        storage::testing::change(&world.parts.db, "UPDATE media_store SET sweeps = 0").await;
        orphans(&world, 1).await;
        let older = Bond::Own { is_older: true };
        app::operations::maintenance::all(&world.app).await.unwrap();
        assert_eq!(sweep(&world).await, Sweep::NotOwn(older.clone()));
        assert_eq!((world.stored_files().await.len(), trash(&world).await.len()), (9, 1));
        let (status, _, warnings) = ready(&world).await;
        assert_eq!((status, warnings), (200, vec![older.to_string()]));
        assert!(older.to_string().contains("`afterglow store adopt`"));
        assert_eq!(inspect(&world).await[0], Issue::Store(older));
        app::operations::stores::adopt(&world.operator(), &world.parts.store).await.unwrap();
        assert_eq!(sweep(&world).await, Sweep::Swept(1));
    });
}

#[test]
fn a_sweep_that_finds_nothing_is_counted_too() {
    // [SAFE486] [SAFE056]
    on_both_engines(async |world: World| {
        party(&world).await;
        assert_eq!(sweep(&world).await, Sweep::Swept(0));
        // A back-up of last week is restored, which does not know a photo that was uploaded since.
        storage::testing::change(&world.parts.db, "UPDATE media_store SET sweeps = 0").await;
        orphans(&world, 1).await;
        app::operations::maintenance::all(&world.app).await.unwrap();
        assert_eq!(sweep(&world).await, Sweep::NotOwn(Bond::Own { is_older: true }));
        assert_eq!((world.stored_files().await.len(), trash(&world).await.len()), (9, 0));
    });
}

#[test]
fn swept_files_stay_in_the_trash_for_two_weeks() {
    // [SAFE054]
    on_both_engines(async |world: World| {
        party(&world).await;
        let keys = orphans(&world, 1).await;
        assert_eq!(sweep(&world).await, Sweep::Swept(1));
        let swept_at = world.clock.now();
        assert_eq!(trash(&world).await, [(keys[0].clone(), swept_at)]);
        assert_eq!(inspect(&world).await, [], "the trash is no place for files of photos");
        let empty = async || orphans::empty_trash(&world.app).await.unwrap();
        world.clock.advance(DAY * 14);
        empty().await;
        assert_eq!(trash(&world).await.len(), 1);
        world.clock.advance(std::time::Duration::from_secs(1));
        empty().await;
        assert_eq!(trash(&world).await, []);
        assert_eq!(world.stored_files().await.len(), 8);
    });
}

#[test]
fn a_photos_file_is_restored_from_the_trash() {
    // [SAFE233]
    on_both_engines(async |world: World| {
        party(&world).await;
        let photo = some_photo(&world).await;
        let discard = async || {
            world.parts.store.discard(std::slice::from_ref(&photo.key), world.clock.now()).await.unwrap();
        };
        discard().await;
        let issues = inspect(&world).await;
        assert_eq!(issues, [Issue::OriginalDiscarded(photo.id, photo.key.clone())]);
        assert_eq!(repair(&world, &issues).await, [true]);
        assert_eq!(inspect(&world).await, []);
        assert_eq!(trash(&world).await, []);

        discard().await;
        world.clock.advance(DAY * 20);
        orphans::empty_trash(&world.app).await.unwrap();
        assert_eq!(inspect(&world).await, [], "the daily task puts it back as well");
    });
}

#[test]
fn nothing_is_swept_in_the_first_hours_of_a_process() {
    // [SAFE057]
    on_both_engines(async |world: World| {
        party(&world).await;
        orphans(&world, 1).await;
        let started = world.second_process(&world.parts.db).await;
        let hour = std::time::Duration::from_secs(60 * 60);
        for _ in 0..3 {
            app::operations::maintenance::run_due(&started.app).await.unwrap();
            assert_eq!(world.stored_files().await.len(), 9);
            world.clock.advance(hour);
        }
        app::operations::maintenance::run_due(&started.app).await.unwrap();
        assert_eq!(world.stored_files().await.len(), 8);
    });
}

#[test]
fn a_file_younger_than_a_day_is_no_issue_and_an_older_one_is_repaired() {
    // [SAFE027] [SAFE063]
    on_both_engines(async |world: World| {
        party(&world).await;
        let key = MediaKey::from_trusted(String::from("originals/young.png"));
        world.parts.store.put(&key, Source::Bytes(b"x".as_slice().into())).await.unwrap();
        world.clock.advance(DAY);
        let issues = inspect(&world).await;
        assert_eq!(issues, [Issue::Unclaimed(key.clone())]);
        assert!(issues[0].is_notice());
        assert_eq!(repair(&world, &issues).await, [false]);
        world.clock.advance(std::time::Duration::from_secs(1));
        let issues = inspect(&world).await;
        assert_eq!(issues, [Issue::Orphan(key)]);
        assert!(!issues[0].is_notice());
        assert_eq!(repair(&world, &issues).await, [true]);
        assert_eq!(inspect(&world).await, []);
    });
}

#[test]
fn the_log_says_how_many_files_belong_to_no_photo_and_which_command_decides() {
    // [SAFE253]
    on_both_engines(async |world: World| {
        party(&world).await;
        orphans(&world, 5).await;
        let file = tempfile::NamedTempFile::new().unwrap();
        let writer = std::sync::Arc::new(file.reopen().unwrap());
        let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(writer).finish();
        // With a single subscriber in the process, whoever meets a call site first decides for all whether it is enabled.
        let _second = tracing::Dispatch::new(tracing::subscriber::NoSubscriber::default());
        let recording = tracing::subscriber::set_default(subscriber);
        let swept = sweep(&world).await;
        drop(recording);
        assert!(matches!(swept, Sweep::TooMany(_)), "{swept:?}");
        let log = std::fs::read_to_string(file.path()).unwrap();
        assert!(
            log.contains("5 of 13 files in the media store belong to no photo of this database."),
            "{log}"
        );
        assert!(log.contains("`afterglow store sweep`"), "{log}");
    });
}
