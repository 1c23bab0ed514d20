//! Rows that move from an installation of either engine into a PostgreSQL database.

use std::collections::BTreeMap;
use std::path::Path;

use domain::Paise;
use storage::Db;
use storage::operations::moving::{self, Contents, Occupant, Sums};
use storage::operations::{snapshots, stores};
use storage::testing::TestDb;

use crate::filling::Schema;
use crate::parity::change;
use crate::world::{World, worlds};

/// A snapshot as it is moved.
async fn snapshot(db: &Db, path: &Path) -> (Db, Vec<Contents>) {
    snapshots::write(db, path).await.unwrap();
    let snapshot = snapshots::open(path).await.unwrap();
    moving::release_leases(&snapshot).await.unwrap();
    let contents = moving::contents(&snapshot, &snapshot).await.unwrap();
    (snapshot, contents)
}

/// Every row as text, but for what a database keeps for itself.
async fn lines(db: &Db, path: &Path) -> BTreeMap<String, Vec<String>> {
    snapshots::write(db, path).await.unwrap();
    let snapshot = snapshots::open(path).await.unwrap();
    let mut lines = crate::snapshots::contents(&snapshot).await;
    snapshot.close().await;
    lines.remove("media_store");
    lines
}

/// A vacant database with a media store of its own.
async fn target() -> TestDb {
    let target = storage::testing::postgres().await;
    stores::insert_if_absent(&target.db, "target").await.unwrap();
    target
}

async fn replace(target: &Db, (snapshot, contents): &(Db, Vec<Contents>)) -> Occupant {
    moving::replace(target, snapshot, "source", contents, |_, _| {}).await.unwrap()
}

#[tokio::test]
async fn every_table_moves_row_by_row_and_a_second_run_brings_what_came_and_takes_what_went() {
    // [SAFE201] [SAFE203]
    let folder = tempfile::tempdir().unwrap();
    let path = |name: String| folder.path().join(name);
    for (number, world) in worlds().await.iter().enumerate() {
        let tables = Schema::newest().await.fill(&world.db).await;
        let before = snapshot(&world.db, &path(format!("{number}.sqlite"))).await;
        // All but the media store, which is another one there.
        assert_eq!(before.1.len(), tables - 1);
        assert!(before.1.iter().all(|contents| contents.rows == 2), "{:?}", before.1);

        let target = target().await;
        let db = &target.db;
        assert_eq!(moving::occupant(db, &before.0, "source").await.unwrap(), Occupant::Nobody);
        assert!(moving::claim(db, "source").await.unwrap());
        assert!(!moving::claim(db, "other").await.unwrap());
        assert_eq!(moving::occupant(db, &before.0, "other").await.unwrap(), Occupant::Another);
        let mut told = Vec::new();
        let moved = moving::replace(db, &before.0, "source", &before.1, |table, rows| {
            told.push((table.to_owned(), rows));
        });
        assert_eq!(moved.await.unwrap(), Occupant::Nobody);
        assert_eq!(told.len(), before.1.len());
        assert_eq!(moving::contents(db, &before.0).await.unwrap(), before.1);
        assert_eq!(moving::occupant(db, &before.0, "source").await.unwrap(), Occupant::Same);
        assert_eq!(stores::get(db).await.unwrap().unwrap().id, "target", "the media store is its own");

        // The same as text, which is another way to compare: nothing but the leases differs.
        change(&world.db, "UPDATE jobs SET lease = NULL, leased_until = NULL").await;
        change(&world.db, "UPDATE maintenance SET lease = NULL, leased_until = NULL").await;
        let there = lines(db, &path(format!("{number}-there.sqlite"))).await;
        assert_eq!(there, lines(&world.db, &path(format!("{number}-here.sqlite"))).await);

        change(&world.db, "DELETE FROM faces WHERE id LIKE '%1%'").await;
        change(&world.db, "UPDATE users SET name = 'Meera', credits = 7 WHERE id LIKE '%2%'").await;
        world.user("new@example.com").await;
        let after = snapshot(&world.db, &path(format!("{number}-after.sqlite"))).await;
        assert_ne!(after.1, before.1);
        assert_eq!(replace(db, &after).await, Occupant::Same);
        assert_eq!(moving::contents(db, &after.0).await.unwrap(), after.1);
        let sums = moving::sums(db).await.unwrap();
        assert_eq!(sums, moving::sums(&world.db).await.unwrap());
        assert_eq!(sums, Sums { balances: Paise::new(1 + 7), ledger: Paise::new(1 + 2) });
        before.0.close().await;
        after.0.close().await;
    }
}

#[tokio::test]
async fn no_row_moves_into_a_database_that_has_rows_of_its_own_or_was_served() {
    // [SAFE204]
    let folder = tempfile::tempdir().unwrap();
    for (number, world) in worlds().await.iter().enumerate() {
        world.user("meera@example.com").await;
        let moved = snapshot(&world.db, &folder.path().join(format!("{number}.sqlite"))).await;

        let older = storage::testing::postgres().await;
        assert!(!moving::is_inhabited(&older.db).await.unwrap());
        change(&older.db, "ALTER TABLE media_store DROP COLUMN moved_from, DROP COLUMN moved_digest").await;
        assert!(!moving::is_inhabited(&older.db).await.unwrap(), "nobody has registered");
        let older = World { db: older.db.clone(), ..crate::world::worlds().await.remove(0) };
        older.user("somebody@example.com").await;
        assert!(moving::is_inhabited(&older.db).await.unwrap());
        change(&older.db, "DROP SCHEMA public CASCADE; CREATE SCHEMA public").await;
        assert!(!moving::is_inhabited(&older.db).await.unwrap());

        let vacant = target().await;
        let inhabited = World { db: vacant.db.clone(), ..crate::world::worlds().await.remove(0) };
        let resident = inhabited.user("somebody@example.com").await;
        assert_eq!(moving::occupant(&inhabited.db, &moved.0, "source").await.unwrap(), Occupant::Own);
        assert_eq!(replace(&inhabited.db, &moved).await, Occupant::Own);
        assert!(moving::is_inhabited(&inhabited.db).await.unwrap());
        assert!(storage::accounts::users::by_id(&inhabited.db, resident).await.unwrap().is_some());

        let target = target().await;
        assert!(moving::claim(&target.db, "source").await.unwrap());
        assert_eq!(replace(&target.db, &moved).await, Occupant::Nobody);
        assert!(!moving::is_inhabited(&target.db).await.unwrap(), "its accounts were moved there");
        change(&target.db, "INSERT INTO maintenance (task, run_at) VALUES ('sweep', 1)").await;
        assert_eq!(moving::occupant(&target.db, &moved.0, "source").await.unwrap(), Occupant::Changed);
        let served = moving::contents(&target.db, &moved.0).await.unwrap();
        assert_eq!(replace(&target.db, &moved).await, Occupant::Changed);
        assert_eq!(moving::contents(&target.db, &moved.0).await.unwrap(), served, "nothing is replaced");

        let file = storage::testing::sqlite().await;
        for refused in [
            moving::occupant(&file.db, &moved.0, "source").await,
            moving::replace(&file.db, &moved.0, "source", &moved.1, |_, _| {}).await,
        ] {
            assert!(matches!(refused, Err(storage::Error::Address(None))), "{refused:?}");
        }
        moved.0.close().await;
    }
}

#[tokio::test]
async fn rows_whose_move_is_interrupted_are_those_of_before() {
    // [SAFE202]
    let folder = tempfile::tempdir().unwrap();
    let source = storage::testing::sqlite().await;
    Schema::newest().await.fill(&source.db).await;
    let (snapshot, contents) = snapshot(&source.db, &folder.path().join("snapshot.sqlite")).await;
    let target = target().await;
    assert!(moving::claim(&target.db, "source").await.unwrap());
    let (db, from, expected) = (target.db.clone(), snapshot.clone(), contents.clone());
    let interrupted = tokio::spawn(async move {
        moving::replace(&db, &from, "source", &expected, |table, _| assert_ne!(table, "photos")).await
    });
    assert!(interrupted.await.unwrap_err().is_panic());
    assert_eq!(moving::occupant(&target.db, &snapshot, "source").await.unwrap(), Occupant::Nobody);
    let empty = moving::contents(&target.db, &snapshot).await.unwrap();
    assert!(empty.iter().all(|contents| contents.rows == 0), "{empty:?}");
    assert_eq!(replace(&target.db, &(snapshot.clone(), contents)).await, Occupant::Nobody);
    snapshot.close().await;
}
