//! What is overwritten in originals for guests.

use std::time::Duration;

use domain::photos::redactions::{Patch, PatchContent, Redaction};
use storage::photos::{self, Replaced, redactions};

use crate::parity::change;
use crate::replacement::version;
use crate::world::worlds;

fn redaction(crc32: u32) -> Redaction {
    let patches = vec![
        Patch { offset: 7, content: PatchContent::Fill(b' ', 1 << 40) },
        Patch { offset: u64::MAX - 9, content: PatchContent::Bytes(b"zeros".to_vec()) },
    ];
    Redaction { patches, crc32 }
}

#[tokio::test]
async fn a_redaction_is_replaced_and_goes_with_its_photo() {
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let (one, two) = (world.photo(owner, Some(event)).await, world.photo(owner, Some(event)).await);
        world.photo(owner, None).await;
        let missing = async |before| redactions::missing(db, before, 9).await.unwrap();
        assert_eq!(missing(None).await, [two.id, one.id], "the newest first, none of a library");
        assert_eq!(missing(Some(two.id)).await, [one.id]);
        assert_eq!(redactions::missing(db, None, 1).await.unwrap(), [two.id]);

        let found = async || redactions::by_original(db, &one.key).await.unwrap();
        let checksums = async || redactions::checksums(db, &[one.id, two.id]).await.unwrap();
        for crc32 in [1, u32::MAX] {
            assert!(redactions::put(db, &one.key, &redaction(crc32)).await.unwrap());
            assert_eq!(found().await, Some(redaction(crc32)));
            assert_eq!(checksums().await, [(one.key.clone(), crc32)]);
        }
        assert_eq!(redactions::by_original(db, &two.key).await.unwrap(), None);
        assert_eq!(missing(None).await, [two.id]);
        // One by older rules is none.
        change(db, "UPDATE redactions SET rules = rules - 1").await;
        assert_eq!((found().await, checksums().await, missing(None).await.len()), (None, vec![], 2));
        redactions::put(db, &one.key, &redaction(2)).await.unwrap();

        let mut tx = world.begin().await;
        assert!(storage::testing::remove_photo(&mut tx, one.id).await);
        tx.commit().await.unwrap();
        assert_eq!((found().await, checksums().await), (None, vec![]));
        assert!(!redactions::put(db, &one.key, &redaction(3)).await.unwrap(), "its photo is deleted");
    }
}

#[tokio::test]
async fn a_redaction_is_of_one_file_and_does_not_reach_that_which_replaces_it() {
    // [UPL275]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let before = world.photo(owner, None).await;
        let after = version(&world, &before);
        let found = async |key| redactions::by_original(db, key).await.unwrap();
        assert!(redactions::put(db, &before.key, &redaction(1)).await.unwrap());

        let mut tx = world.begin().await;
        let replaced = photos::replace(&mut tx, &before.key, &after, world.now()).await.unwrap();
        assert_eq!(replaced, Replaced::Done);
        assert!(redactions::put(&tx, &after.key, &redaction(2)).await.unwrap());
        // Somebody has read the file of before, and comes at this moment.
        let late = tokio::spawn({
            let (db, key) = (db.clone(), before.key.clone());
            async move { redactions::put(&db, &key, &redaction(3)).await.unwrap() }
        });
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(found(&before.key).await, Some(redaction(1)));
        tx.commit().await.unwrap();
        assert!(!late.await.unwrap());
        assert_eq!((found(&before.key).await, found(&after.key).await), (None, Some(redaction(2))));
        assert_eq!(redactions::checksums(db, &[before.id]).await.unwrap(), [(after.key, 2)]);
    }
}
