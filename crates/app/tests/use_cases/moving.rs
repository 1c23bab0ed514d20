//! Moves to PostgreSQL and another media store: once, again, interrupted, damaged, and to somebody else's.

use std::time::Duration;

use app::Failure;
use app::operations::backups::Problem;
use app::operations::checks;
use app::operations::moving::{self, Difference, Options, Step, Summary, Target};
use app::operations::stores::{self, Bond};
use domain::photos::{Photo, Size};
use domain::{EventId, Paise, Randomness, UserId};
use media::stores::{Marker, Source};

use crate::installation::Installation;

const VERIFY: Options = Options { verify: true, last: false };
const LAST: Options = Options { verify: false, last: true };

/// An installation with two photos, as it is served.
async fn source() -> (Installation, (UserId, EventId), [Photo; 2]) {
    let source = Installation::new(storage::testing::sqlite().await);
    let owner = source.photographer().await;
    let photos = [source.photo(owner, b"first").await, source.photo(owner, b"second").await];
    stores::adopt(&source.context, &source.store).await.unwrap();
    (source, owner, photos)
}

/// An installation without rows and files, whose ids are not those of the other.
async fn target() -> Installation {
    let mut target = Installation::new(storage::testing::postgres().await);
    target.context.randomness = Randomness::seeded(4);
    target
}

async fn migrate(source: &Installation, target: &Installation) -> app::Result<Summary> {
    migrate_with(source, target, Options::default(), |_| {}).await
}

async fn migrate_with(
    source: &Installation,
    target: &Installation,
    options: Options,
    progress: impl FnMut(Step<'_>),
) -> app::Result<Summary> {
    // Each target has an id of its own, also where the source's randomness is seeded.
    if storage::operations::stores::get(&target.context.db).await.unwrap().is_none() {
        let id = target.context.randomness.alphanumeric(20);
        storage::operations::stores::insert_if_absent(&target.context.db, &id).await.unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let scratch = folder.path().join("moving");
    let to = Target::prepare(target.context.db.clone(), target.store.clone()).await?;
    let outcome = moving::migrate(&source.context, &source.store, &to, &scratch, options, progress).await;
    assert!(!scratch.exists(), "the snapshot holds personal data");
    outcome
}

fn refusal(outcome: app::Result<Summary>) -> String {
    match outcome {
        Err(Failure::Refused(refusal)) => refusal.to_string(),
        other => panic!("it was not refused: {other:?}"),
    }
}

/// Deletes a photo and its files.
async fn delete(installation: &Installation, photo: &Photo) {
    let mut tx = installation.context.db.begin().await.unwrap();
    assert!(storage::testing::remove_photo(&mut tx, photo.id).await);
    tx.commit().await.unwrap();
    for size in Size::ALL {
        installation.store.delete(&photo.key.sized(size)).await.unwrap();
    }
}

/// Does something in the middle of a move.
fn wait<T>(work: impl Future<Output = T>) -> T {
    tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(work))
}

/// The target has all rows and files of the source, and nothing else.
async fn assert_same(source: &Installation, target: &Installation) {
    assert_eq!(target.contents().await, source.contents().await);
    let [here, there] = [&source.context.db, &target.context.db];
    assert_eq!(
        storage::accounts::users::list(there).await.unwrap(),
        storage::accounts::users::list(here).await.unwrap()
    );
    assert_eq!(
        storage::photos::page(there, None, 99).await.unwrap(),
        storage::photos::page(here, None, 99).await.unwrap()
    );
    assert_eq!(checks::inspect(&target.context, &target.store).await.unwrap(), []);
}

#[tokio::test]
async fn an_installation_moves_and_a_later_run_brings_what_came_and_takes_what_went() {
    // [SAFE201] [SAFE203]
    let (source, owner, [kept, deleted]) = source().await;
    let target = target().await;
    let mut steps = Vec::new();
    let first = migrate_with(&source, &target, Options::default(), |step| steps.push(format!("{step:?}")))
        .await
        .unwrap();
    assert!(first.is_complete(), "{first:?}");
    assert_eq!((first.files, first.copied, first.bytes, first.removed, first.found), (8, 8, 44, 0, 8));
    let sums = first.sums.unwrap();
    assert_eq!((sums.balances, sums.ledger), (Paise::new(9_800), Paise::new(9_800)));
    assert!(first.tables.iter().any(|table| table.table == "ledger" && table.rows == 3));
    assert_eq!(steps.first().unwrap(), "Snapshot");
    assert!(steps.contains(&String::from("Files { photos: 2, of: 2, bytes: 44 }")), "{steps:?}");
    assert!(steps.contains(&String::from("Rows { table: \"photos\", rows: 2 }")), "{steps:?}");
    assert_same(&source, &target).await;
    let status = stores::status(&target.context, &target.store).await.unwrap();
    assert_eq!(status.bond, Bond::Own { is_older: false });
    assert_ne!(status.id, stores::status(&source.context, &source.store).await.unwrap().id);

    source.photo(owner, b"third").await;
    delete(&source, &deleted).await;
    let second = migrate(&source, &target).await.unwrap();
    assert!(second.is_complete(), "{second:?}");
    assert_eq!((second.files, second.copied, second.removed, second.found), (8, 4, 4, 8));
    assert_same(&source, &target).await;
    assert!(storage::photos::by_id(&target.context.db, kept.id).await.unwrap().is_some());
    assert_eq!(migrate(&source, &target).await.unwrap().copied, 0, "nothing is new");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_guests_have_added_and_waits_moves_with_the_rest() {
    // [SAFE201] [SAFE203]
    let (source, owner, _) = source().await;
    let target = target().await;
    let added = source.photo_of_guest(owner, b"dinner").await;
    let mut steps = Vec::new();
    let first = migrate_with(&source, &target, Options::default(), |step| steps.push(format!("{step:?}")))
        .await
        .unwrap();
    assert!(first.is_complete(), "{first:?}");
    assert_eq!((first.files, first.removed, first.found), (12, 0, 12));
    assert!(steps.contains(&String::from("Files { photos: 3, of: 3, bytes: 68 }")), "{steps:?}");
    assert_same(&source, &target).await;
    let waiting = storage::guests::guest_photos::page(&target.context.db, None, 99).await.unwrap();
    assert_eq!(waiting, std::slice::from_ref(&added));

    let key = added.photo.key.clone();
    source.store.delete(&key).await.unwrap();
    target.store.delete(&key).await.unwrap();
    let second = migrate(&source, &target).await.unwrap();
    assert_eq!(second.problems, [Problem::OriginalMissing(added.photo.id, key)]);
}

#[tokio::test]
async fn an_interrupted_move_goes_on_with_the_files_and_leaves_the_rows_as_they_were() {
    // [SAFE202] [SAFE251]
    let (source, owner, _) = source().await;
    let target = target().await;
    let files = target.files.clone();
    let broken = migrate_with(&source, &target, Options::default(), |step| {
        // The files are there, the rows are being written, and the bucket fails.
        files.set_broken(matches!(step, Step::Rows { .. }));
    });
    assert!(broken.await.is_err());
    target.files.set_broken(false);
    let again = migrate(&source, &target).await.unwrap();
    assert_eq!((again.files, again.copied), (8, 0));
    assert!(again.is_complete(), "{again:?}");

    source.photo(owner, b"third").await;
    let files = source.files.clone();
    let broken = migrate_with(&source, &target, Options::default(), |step| {
        files.set_broken(matches!(step, Step::Files { .. }))
    });
    assert!(broken.await.is_err());
    source.files.set_broken(false);
    assert_eq!(storage::photos::page(&target.context.db, None, 99).await.unwrap().len(), 2);
    assert!(migrate(&source, &target).await.unwrap().is_complete());
    assert_same(&source, &target).await;

    let folder = tempfile::tempdir().unwrap();
    let lock = std::fs::File::create(folder.path().join("lock")).unwrap();
    lock.lock().unwrap();
    let to = Target::prepare(target.context.db.clone(), target.store.clone()).await.unwrap();
    let second =
        moving::migrate(&source.context, &source.store, &to, folder.path(), Options::default(), |_| {}).await;
    assert_eq!(refusal(second), "This installation is being moved already.");
    assert!(folder.path().exists(), "what the first one needs stays");
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_not_as_the_database_says_are_named_and_damaged_copies_replaced() {
    // [SAFE205] [SAFE252]
    let (source, owner, [lost, changed]) = source().await;
    let (target, good) = (target().await, source.photo(owner, b"good!").await);
    source.store.delete(&lost.key).await.unwrap();
    source.put(&changed.key, b"evil").await;
    let summary = migrate(&source, &target).await.unwrap();
    assert!(!summary.is_complete());
    assert_eq!(
        summary.problems,
        [
            Problem::OriginalMissing(lost.id, lost.key.clone()),
            Problem::OriginalChanged(changed.id, changed.key.clone())
        ]
    );
    assert_eq!(summary.differences, [], "the rows are the same, and the other files");
    assert_eq!((summary.files, summary.copied), (10, 10));

    target.put(&good.key, b"g00d!").await;
    target.put(&good.key.sized(Size::Preview), b"g00d!").await;
    assert_eq!(migrate(&source, &target).await.unwrap().copied, 0, "their sizes have not changed");
    let verified = migrate_with(&source, &target, VERIFY, |_| {}).await.unwrap();
    assert_eq!(verified.copied, 2);
    assert_eq!(migrate_with(&source, &target, VERIFY, |_| {}).await.unwrap().copied, 0);

    // Somebody changes a row before both sides are compared.
    let db = target.context.db.clone();
    let tampered = migrate_with(&source, &target, Options::default(), |step| {
        if step == Step::Comparing {
            wait(storage::testing::change(&db, "UPDATE users SET credits = credits + 1"));
        }
    });
    let differences = tampered.await.unwrap().differences;
    assert_eq!(differences.len(), 3, "the table, the sums and the balance: {differences:?}");
    assert!(matches!(&differences[0], Difference::Rows { table, .. } if table == "users"));
}

#[tokio::test]
async fn files_of_which_the_disk_has_lost_bytes_end_no_move() {
    // [SAFE485] [SAFE205]
    let (source, _, [lost, kept]) = source().await;
    let target = target().await;
    source.files.lose(&lost.key);
    source.files.lose(&kept.key.sized(Size::Preview));
    let problem = Problem::OriginalChanged(lost.id, lost.key.clone());
    let summary = migrate(&source, &target).await.unwrap();
    assert_eq!(summary.problems, std::slice::from_ref(&problem));
    assert_eq!(summary.differences, [], "the rows are there");
    assert_eq!((summary.files, summary.copied), (6, 6));

    target.files.lose(&kept.key);
    let verified = migrate_with(&source, &target, VERIFY, |_| {}).await.unwrap();
    assert_eq!((verified.problems, verified.copied), (vec![problem], 1), "it is put anew");
    assert!(target.contents().await.contains_key(&kept.key));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_photo_deleted_while_it_is_copied_goes_with_the_next_run() {
    // [SAFE203]
    let (source, _, [_, deleted]) = source().await;
    let target = target().await;
    let summary = migrate_with(&source, &target, Options::default(), |step| {
        if matches!(step, Step::Files { photos: 0, .. }) {
            wait(delete(&source, &deleted));
        }
    });
    let summary = summary.await.unwrap();
    assert!(summary.is_complete(), "{summary:?}");
    assert_eq!((summary.deleted_meanwhile, summary.files), (1, 4));
    assert!(storage::photos::by_id(&target.context.db, deleted.id).await.unwrap().is_some());
    let next = migrate(&source, &target).await.unwrap();
    assert_eq!((next.deleted_meanwhile, next.files), (0, 4));
    assert_same(&source, &target).await;
}

#[tokio::test]
async fn nothing_moves_to_somebody_elses_target_or_to_one_that_was_served() {
    // [SAFE204]
    let (source, _, _) = source().await;
    let inhabited = target().await;
    inhabited.photographer().await;
    assert_eq!(
        refusal(migrate(&source, &inhabited).await),
        "The target's database has accounts of its own. An installation moves into an empty one."
    );
    let taken = target().await;
    let marker = Marker { id: String::from("another"), sweeps: 0 };
    taken.store.replace_marker(&marker).await.unwrap();
    assert_eq!(
        refusal(migrate(&source, &taken).await),
        "The target's media store belongs to another database than the target's."
    );
    assert!(taken.contents().await.is_empty());
    let filled = target().await;
    filled
        .store
        .put(&source.contents().await.into_keys().next().unwrap(), Source::Bytes("x".into()))
        .await
        .unwrap();
    assert_eq!(
        refusal(migrate(&source, &filled).await),
        "The target's media store has files of photos, and its marker is missing."
    );

    // The media store that the installation has already.
    let beside = target().await;
    let same = Target::prepare(beside.context.db.clone(), source.store.clone()).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let scratch = folder.path().join("moving");
    let before = source.contents().await;
    let outcome =
        moving::migrate(&source.context, &source.store, &same, &scratch, Options::default(), |_| {}).await;
    assert_eq!(refusal(outcome), "The target's media store belongs to another database than the target's.");
    assert_eq!(source.contents().await, before);

    let served = target().await;
    migrate(&source, &served).await.unwrap();
    let mut other = Installation::new(storage::testing::sqlite().await);
    other.context.randomness = Randomness::seeded(5);
    other.photographer().await;
    assert_eq!(
        refusal(migrate(&other, &served).await),
        "The target's database belongs to the move of another installation."
    );
    storage::testing::change(&served.context.db, "UPDATE users SET name = 'Anita'").await;
    let files = served.contents().await;
    source.context.clock.advance(Duration::from_secs(1));
    assert_eq!(
        refusal(migrate(&source, &served).await),
        "The target's database has changed since it was filled: it has been served, and has what this installation \
         does not have. Nothing is moved there any more."
    );
    assert_eq!(served.contents().await, files);
    assert_eq!(storage::accounts::users::list(&served.context.db).await.unwrap()[0].name, "Anita");

    // To begin again with the files that are there.
    let mut again = target().await;
    (again.store, again.files) = (served.store.clone(), served.files.clone());
    stores::adopt(&again.context, &again.store).await.unwrap();
    let begun_again = migrate(&source, &again).await.unwrap();
    assert!(begun_again.is_complete(), "{begun_again:?}");
    assert_eq!((begun_again.files, begun_again.copied), (8, 0));

    let other_store = Marker { id: String::from("foreign"), sweeps: 0 };
    source.store.replace_marker(&other_store).await.unwrap();
    let refused = migrate(&source, &target().await).await;
    assert!(matches!(refused, Err(Failure::NotOwnStore(Bond::Foreign))), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_run_notices_that_the_source_still_takes_photos() {
    // [SAFE303]
    let (source, owner, _) = source().await;
    let target = target().await;
    let mut once = false;
    let during = |step: Step<'_>| {
        if step == Step::Comparing && !std::mem::replace(&mut once, true) {
            wait(source.photo(owner, b"late"));
        }
    };
    let late = migrate_with(&source, &target, LAST, during).await.unwrap();
    assert!(!late.is_complete());
    assert_eq!(
        (&late.problems[..], &late.differences[..]),
        (&[][..], &[][..]),
        "what was copied is the same"
    );
    for table in ["photos", "ledger", "users"] {
        assert!(late.changed_since.iter().any(|changed| changed == table), "{:?}", late.changed_since);
    }
    let again = migrate_with(&source, &target, LAST, |_| {}).await.unwrap();
    assert!(again.is_complete(), "{again:?}");
    assert_eq!(again.copied, 4);
    assert_same(&source, &target).await;
}
