//! What a deletion leaves in SQLite's files.

use domain::FaceId;
use domain::faces::{BoundingBox, Embedding};
use storage::faces::NewFace;
use storage::photos::{self, Collection};

use crate::world::{World, worlds};

/// Numbers found nowhere by chance.
fn embedding(photo: u32) -> Embedding {
    let number = |index: u32| f32::from_bits(0x3E00_0000 | (photo * 131 + index * 7_919) & 0x007F_FFFF);
    Embedding::normalised((0..128).map(number).collect()).unwrap()
}

async fn on_sqlite() -> World {
    worlds().await.into_iter().find(|world| world.db.engine() == storage::Engine::Sqlite).unwrap()
}

fn has(bytes: &[u8], mark: &[u8]) -> bool {
    bytes.windows(mark.len()).any(|window| window == mark)
}

#[tokio::test]
async fn nothing_of_an_embedding_is_in_the_file_or_its_log() {
    // [SAFE133]
    let world = on_sqlite().await;
    let path = world.test.url.strip_prefix("sqlite://").unwrap().to_owned();
    let owner = world.user("a@example.com").await;
    let event = world.event(owner, "2026-11-14").await;
    let mut marks = Vec::new();
    for number in 0..40 {
        let photo = world.photo(owner, Some(event)).await;
        let bounds = BoundingBox { x: 0.0, y: 0.0, width: 1.0, height: 1.0 };
        let face = NewFace {
            id: world.id::<FaceId>(),
            bounds,
            score: 1.0,
            is_blurred: false,
            embedding: embedding(number),
        };
        marks.push(face.embedding.to_bytes()[100..132].to_vec());
        assert!(world.index(photo.id, "pack", &[face]).await);
    }
    let files =
        || ["", "-wal"].map(|ending| std::fs::read(format!("{path}{ending}")).unwrap_or_default()).concat();
    let held = |bytes: &[u8]| marks.iter().filter(|mark| has(bytes, mark)).count();
    assert_eq!(held(&files()), marks.len(), "the marks are found where they are");
    // Some are in the file, others in the log alone.
    assert!(world.db.truncate_log().await.unwrap());
    assert_eq!(held(&std::fs::read(&path).unwrap()), marks.len());

    let all = photos::batch(&world.db, Collection::Event(event), 100).await.unwrap();
    let ids: Vec<_> = all.iter().map(|photo| photo.id).collect();
    let mut tx = world.begin().await;
    assert_eq!(photos::delete_many(&mut tx, Collection::Event(event), &ids).await.unwrap().len(), 40);
    tx.commit().await.unwrap();
    assert!(world.db.truncate_log().await.unwrap());
    assert_eq!(held(&files()), 0);
}

#[tokio::test]
async fn a_reader_in_the_way_defers_it_and_the_files_are_their_owners_alone() {
    // [SAFE133] [SAFE135]
    use std::os::unix::fs::PermissionsExt as _;
    let world = on_sqlite().await;
    let storage::Db::Sqlite { readers, .. } = &world.db else { unreachable!("it is SQLite") };
    world.user("a@example.com").await;
    let mut reader = readers.begin().await.unwrap();
    sqlx::query("SELECT COUNT(*) FROM users").execute(&mut *reader).await.unwrap();
    world.user("b@example.com").await;
    assert!(!world.db.truncate_log().await.unwrap());
    reader.rollback().await.unwrap();
    assert!(world.db.truncate_log().await.unwrap());
    // The files of `world` are copies of some that were made before.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.db").display().to_string();
    let made =
        storage::Db::connect(&format!("sqlite://{path}"), storage::ConnectOptions::default()).await.unwrap();
    made.migrate().await.unwrap();
    for ending in ["", "-wal", "-shm"] {
        let mode = std::fs::metadata(format!("{path}{ending}")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{ending}");
    }
}
