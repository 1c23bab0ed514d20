//! What all guests of an event may see.

use domain::photos::albums::Album;
use domain::photos::captures::{Capture, Place};
use domain::{AlbumId, PhotoId, Timestamp};
use storage::guests::browsing;
use storage::photos::{self, Collection, albums, stacks, trash};

use crate::parity::change;
use crate::world::{World, insert, worlds};

/// A photo of an event that was taken at this moment, indexed.
async fn taken(world: &World, event: domain::EventId, owner: domain::UserId, at: Option<i64>) -> PhotoId {
    let mut photo = world.new_photo(owner, Some(event));
    photo.capture = Capture { at: at.map(Timestamp::from_millis), ..Capture::default() };
    let mut tx = world.begin().await;
    insert(&mut tx, &photo).await;
    tx.commit().await.unwrap();
    world.index(photo.id, "buffalo", &[]).await;
    photo.id
}

async fn all_ids(db: &storage::Db, event: domain::EventId, album: Option<AlbumId>) -> Vec<PhotoId> {
    browsing::all_shown(db, event, album).await.unwrap().into_iter().map(|photo| photo.id).collect()
}

#[tokio::test]
async fn of_photos_that_are_alike_those_that_guests_see_are_counted() {
    // [GAL502] [GAL503]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let mut ids = Vec::new();
        for at in 1..=6 {
            ids.push(taken(&world, event, owner, Some(at)).await);
        }
        let place = async |photo: usize, stack: usize, place: i64| {
            let (photo, stack) = (ids[photo], ids[stack]);
            let set =
                format!("UPDATE photos SET stack_id = '{stack}', stack_place = {place} WHERE id = '{photo}'");
            change(db, &set).await;
        };
        let ceremony =
            Album { id: world.id(), event, name: String::from("Ceremony"), created_at: world.now() };
        let mut tx = world.begin().await;
        assert!(albums::create(&mut tx, &ceremony).await.unwrap());
        albums::put(&mut tx, event, ceremony.id, &ids[..2]).await.unwrap();
        tx.commit().await.unwrap();
        let album = Some(ceremony.id);
        assert_eq!(stacks::behind(db, event).await.unwrap(), 0);
        assert_eq!(browsing::behind_shown(db, event, None).await.unwrap(), 0);
        place(0, 0, 1).await;
        place(1, 0, 0).await;
        place(2, 0, 2).await;
        place(4, 3, 0).await;
        place(3, 3, 1).await;
        assert_eq!(stacks::behind(db, event).await.unwrap(), 3);
        assert_eq!(browsing::behind_shown(db, event, None).await.unwrap(), 3);
        assert_eq!(browsing::behind_shown(db, event, album).await.unwrap(), 1);
        let found = browsing::all_shown(db, event, album).await.unwrap();
        let stacks_found: Vec<_> = found.iter().map(|photo| photo.stack.map(|stack| stack.place)).collect();
        assert_eq!(stacks_found, [Some(1), Some(0)]);
        assert!(browsing::all_shown(db, event, None).await.unwrap()[5].stack.is_none());
        change(db, &format!("UPDATE photos SET hidden = TRUE WHERE id = '{}'", ids[1])).await;
        assert_eq!(stacks::behind(db, event).await.unwrap(), 3);
        assert_eq!(browsing::behind_shown(db, event, None).await.unwrap(), 2);
        assert_eq!(browsing::behind_shown(db, event, album).await.unwrap(), 0);
    }
}

#[tokio::test]
async fn photos_that_are_ready_and_not_hidden_are_shown_by_their_capture() {
    // [FACE202] [GAL443]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (event, other) = (world.event(owner, "2026-11-14").await, world.event(owner, "2026-11-15").await);
        let late = taken(&world, event, owner, Some(7)).await;
        let without = taken(&world, event, owner, None).await;
        let early = taken(&world, event, owner, Some(-5)).await;
        let also_late = taken(&world, event, owner, Some(7)).await;
        let (hidden, deleted) =
            (taken(&world, event, owner, Some(1)).await, taken(&world, event, owner, Some(2)).await);
        let elsewhere = taken(&world, other, owner, Some(3)).await;
        // Two that are not ready: one waits, one cannot be.
        world.photo(owner, Some(event)).await;
        let failed = world.photo(owner, Some(event)).await.id;
        change(db, &format!("UPDATE photos SET status = 'failed' WHERE id = '{failed}'")).await;
        change(db, &format!("UPDATE photos SET hidden = TRUE WHERE id = '{hidden}'")).await;
        let mut tx = world.begin().await;
        trash::put(&mut tx, Collection::Event(event), &[deleted], world.now()).await.unwrap();
        tx.commit().await.unwrap();

        let expected = [early, late, also_late, without];
        let page = async |album: Option<AlbumId>, after: Option<&Place>, limit: i64| {
            let photos = browsing::shown(db, event, album, after, limit).await.unwrap();
            photos.into_iter().map(|photo| photo.id).collect::<Vec<_>>()
        };
        assert_eq!(page(None, None, 9).await, expected);
        assert_eq!(all_ids(db, event, None).await, expected);
        assert_eq!(browsing::count_shown(db, event, None).await.unwrap(), 4);
        assert_eq!(browsing::count_shown(db, other, None).await.unwrap(), 1);
        for (at, id) in expected.into_iter().enumerate() {
            let place = photos::place(db, owner, id).await.unwrap();
            assert_eq!(page(None, place.as_ref(), 1).await, expected.get(at + 1).copied().as_slice());
        }

        // The same of an album; those without a photo that may be seen are not shown.
        let mut made = Vec::new();
        for name in ["Ceremony", "Hidden", "Empty"] {
            let album = Album { id: world.id(), event, name: name.to_owned(), created_at: world.now() };
            let mut tx = world.begin().await;
            assert!(albums::create(&mut tx, &album).await.unwrap());
            tx.commit().await.unwrap();
            made.push(album);
        }
        let mut tx = world.begin().await;
        albums::put(&mut tx, event, made[0].id, &[without, late, elsewhere]).await.unwrap();
        albums::put(&mut tx, event, made[1].id, &[hidden, failed, elsewhere]).await.unwrap();
        tx.commit().await.unwrap();
        let ceremony = Some(made[0].id);
        assert_eq!(page(ceremony, None, 9).await, [late, without]);
        assert_eq!(all_ids(db, event, ceremony).await, [late, without]);
        assert_eq!(all_ids(db, other, ceremony).await, [], "it is of another event");
        let place = photos::place(db, owner, late).await.unwrap();
        assert_eq!(page(ceremony, place.as_ref(), 9).await, [without]);
        assert_eq!(page(Some(made[1].id), None, 9).await, []);
        assert_eq!(browsing::count_shown(db, event, ceremony).await.unwrap(), 2);
        assert_eq!(browsing::count_shown(db, other, ceremony).await.unwrap(), 0, "it is of another event");
        assert_eq!(albums::shown(db, event).await.unwrap(), made[..1]);
        assert_eq!(albums::shown(db, other).await.unwrap(), []);

        // One that is in another album too is once among all, and in each album.
        let mut tx = world.begin().await;
        albums::put(&mut tx, event, made[2].id, &[late]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(page(None, None, 9).await, expected);
        assert_eq!(all_ids(db, event, None).await, expected);
        assert_eq!(browsing::count_shown(db, event, None).await.unwrap(), 4);
        assert_eq!(page(ceremony, None, 9).await, [late, without]);
        assert_eq!(all_ids(db, event, Some(made[2].id)).await, [late]);
        assert_eq!(albums::shown(db, event).await.unwrap(), [made[0].clone(), made[2].clone()]);
    }
}
