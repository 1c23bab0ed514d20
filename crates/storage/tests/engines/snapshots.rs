//! Snapshots, from either engine into either.

use std::collections::BTreeMap;

use domain::faces::BoundingBox;
use domain::faces::consents::NoticeVersion;
use domain::guests::objections::{Choice, ObjectedFace, Objection};
use domain::{EventId, PhotoId};
use sqlx::{AssertSqlSafe, SqlitePool};
use storage::Db;
use storage::operations::snapshots;
use storage::photos::Indexed;

use crate::world::{World, worlds};

const GREY: domain::photos::pixels::Color = domain::photos::pixels::Color { red: 128, green: 128, blue: 128 };

/// Every row of a snapshot as text, by table.
pub(crate) async fn contents(snapshot: &Db) -> BTreeMap<String, Vec<String>> {
    let Db::Sqlite { readers, .. } = snapshot else { panic!("a snapshot is a SQLite file") };
    let mut contents = BTreeMap::new();
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('_sqlx_migrations', 'sqlite_sequence')",
    )
    .fetch_all(readers)
    .await
    .unwrap();
    for table in tables {
        let rows = rows(readers, &table).await;
        contents.insert(table, rows);
    }
    contents
}

async fn rows(pool: &SqlitePool, table: &str) -> Vec<String> {
    let columns: Vec<String> =
        sqlx::query_scalar("SELECT 'quote(\"' || name || '\")' FROM pragma_table_info($1)")
            .bind(table)
            .fetch_all(pool)
            .await
            .unwrap();
    let select = format!("SELECT {} AS line FROM {table} ORDER BY line", columns.join(" || ' ' || "));
    sqlx::query_scalar(AssertSqlSafe(select)).fetch_all(pool).await.unwrap()
}

/// Rows with every type of value, and with NULLs.
pub(crate) async fn fill(world: &World) -> (EventId, PhotoId) {
    use domain::payments::ledger::LedgerKind;
    use domain::{Job, Paise};
    let user = world.user("meera@example.com").await;
    world.grant(user, LedgerKind::Adjustment, Paise::new(12_300)).await;
    let event = world.event(user, "2026-11-20").await;
    let photo = world.photo(user, Some(event)).await;
    let library = world.photo(user, None).await;
    let mut tx = world.begin().await;
    for photo in [photo.id, library.id] {
        let faces = [world.face(0.5), world.face(-0.25)];
        let indexed = Indexed {
            pack: "pack",
            average_color: GREY,
            preview_bytes: 7,
            preview_crc32: 7,
            medium_bytes: 7,
            appearance: None,
            faces: &faces,
        };
        storage::photos::finish_indexing(&mut tx, photo, &indexed).await.unwrap();
    }
    storage::operations::runtime::jobs::enqueue(
        &mut tx,
        world.id(),
        &Job::IndexPhoto { photo: photo.id },
        world.now(),
        world.now(),
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();
    storage::operations::runtime::secrets::get_or_insert(&world.db, "links", &[1, 2, 3]).await.unwrap();
    object(world, event, photo.id).await;
    (event, photo.id)
}

/// Guests who want a photo hidden and not to be found: what restores has to hold what they were promised.
async fn object(world: &World, event: EventId, photo: PhotoId) {
    storage::guests::objections::key_or_insert(&world.db, event, &[7; 32]).await.unwrap();
    let bounds = BoundingBox { x: 0.25, y: -0.125, width: 0.5, height: 1.5 };
    let mut tx = world.begin().await;
    assert!(storage::guests::objections::lock(&mut tx, event).await.unwrap());
    for choice in [Choice::Hide, Choice::StopFinding] {
        let objection = Objection {
            choice,
            template: (choice == Choice::StopFinding).then(|| vec![0, 1, 255]),
            told_at: (choice == Choice::Hide).then(|| world.now()),
            seen_at: (choice == Choice::Hide).then(|| world.now()),
            ..world.request_to_hide(event)
        };
        let face =
            ObjectedFace { objection: objection.id, face: world.id(), photo, bounds, overruled: false };
        storage::guests::objections::create(&mut tx, &objection, &[face]).await.unwrap();
    }
    tx.commit().await.unwrap();
    storage::faces::consents::count(&world.db, NoticeVersion::CURRENT.as_str(), world.now()).await.unwrap();
}

/// What a database has of guests' requests, and of their consents.
async fn promises(
    db: &Db,
    (event, photo): (EventId, PhotoId),
) -> (Vec<Objection>, Vec<ObjectedFace>, Option<Vec<u8>>, bool, Vec<storage::faces::consents::Agreed>) {
    (
        storage::guests::objections::of_event(db, event).await.unwrap(),
        storage::guests::objections::faces_of_event(db, event).await.unwrap(),
        storage::guests::objections::key(db, event).await.unwrap(),
        storage::photos::by_id(db, photo).await.unwrap().unwrap().hidden,
        storage::faces::consents::all(db).await.unwrap(),
    )
}

#[tokio::test]
async fn a_snapshot_of_either_engine_restores_into_either() {
    // [SAFE223]
    let folder = tempfile::tempdir().unwrap();
    for (number, world) in worlds().await.iter().enumerate() {
        let filled = fill(world).await;
        let promised = promises(&world.db, filled).await;
        assert_eq!((promised.0.len(), promised.1.len(), promised.3), (2, 2, true));
        assert!(!snapshots::is_vacant(&world.db).await.unwrap());
        let path = folder.path().join(format!("{number}.sqlite"));
        snapshots::write(&world.db, &path).await.unwrap();
        let snapshot = snapshots::open(&path).await.unwrap();
        let written = contents(&snapshot).await;
        for table in [
            "users",
            "ledger",
            "events",
            "photos",
            "faces",
            "jobs",
            "secrets",
            "objections",
            "objection_faces",
            "consents",
        ] {
            assert!(!written[table].is_empty(), "{table}");
        }
        assert!(!snapshots::restore(&world.db, &snapshot).await.unwrap(), "it has accounts");

        for (target_number, target) in worlds().await.iter().enumerate() {
            // What a server leaves that ran on the empty database.
            storage::operations::runtime::secrets::get_or_insert(&target.db, "links", &[9]).await.unwrap();
            assert!(snapshots::is_vacant(&target.db).await.unwrap());
            assert!(snapshots::restore(&target.db, &snapshot).await.unwrap());
            assert_eq!(promises(&target.db, filled).await, promised, "guests are hidden as before");
            let path = folder.path().join(format!("{number}-{target_number}.sqlite"));
            snapshots::write(&target.db, &path).await.unwrap();
            let again = snapshots::open(&path).await.unwrap();
            assert_eq!(contents(&again).await, written, "{:?}", target.db.engine());
            again.close().await;
        }
        snapshot.close().await;
    }
}

#[tokio::test]
async fn a_snapshot_sees_one_moment_and_disturbs_no_writer() {
    // [SAFE047]
    let folder = tempfile::tempdir().unwrap();
    for (number, world) in worlds().await.iter().enumerate() {
        fill(world).await;
        let mut tx = world.begin().await;
        let uncommitted = world.new_user("late@example.com");
        assert!(storage::accounts::users::create(&mut tx, &uncommitted).await.unwrap());
        let path = folder.path().join(format!("{number}.sqlite"));
        snapshots::write(&world.db, &path).await.unwrap();
        tx.commit().await.unwrap();
        let snapshot = snapshots::open(&path).await.unwrap();
        assert_eq!(contents(&snapshot).await["users"].len(), 1);
        snapshot.close().await;
    }
}
