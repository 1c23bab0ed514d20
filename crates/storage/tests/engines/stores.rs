//! The media store as the database knows it.

use storage::operations::stores::{self, Held, StoreRow};

use crate::world::worlds;

#[tokio::test]
async fn a_store_keeps_its_first_id_and_counts_its_sweeps() {
    // [SAFE056]
    for world in worlds().await {
        let db = &world.db;
        assert_eq!(stores::get(db).await.unwrap(), None);
        stores::insert_if_absent(db, "first").await.unwrap();
        stores::insert_if_absent(db, "second").await.unwrap();
        let row = |id: &str, sweeps, held| Some(StoreRow { id: id.to_owned(), sweeps, held });
        assert_eq!(stores::get(db).await.unwrap(), row("first", 0, None));
        assert!(stores::begin_sweep(db, "first", 0).await.unwrap());
        assert!(!stores::begin_sweep(db, "first", 0).await.unwrap(), "another has begun");
        assert!(!stores::begin_sweep(db, "second", 1).await.unwrap());
        let held = Some(Held { orphans: 7, files: 9 });
        stores::set_held(db, held).await.unwrap();
        assert_eq!(stores::get(db).await.unwrap(), row("first", 1, held));
        stores::set_held(db, None).await.unwrap();
        assert_eq!(stores::get(db).await.unwrap(), row("first", 1, None));
        stores::set_held(db, held).await.unwrap();
        stores::replace(db, "third").await.unwrap();
        assert_eq!(stores::get(db).await.unwrap(), row("third", 0, None));
    }
}

#[tokio::test]
async fn a_sample_of_originals_is_no_larger_than_asked_for() {
    for world in worlds().await {
        let owner = world.user("meera@example.com").await;
        let mut keys = vec![world.photo(owner, None).await.key, world.photo(owner, None).await.key];
        keys.sort();
        assert_eq!(stores::sample_originals(&world.db, 9).await.unwrap(), keys);
        assert_eq!(stores::sample_originals(&world.db, 1).await.unwrap(), keys[..1]);
    }
}
