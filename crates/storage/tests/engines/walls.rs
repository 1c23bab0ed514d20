//! Walls of events, and the photos that they show.

use domain::guests::walls::{Secret, Wall};
use domain::photos::albums::Album;
use domain::{AlbumId, EventId, PhotoId};
use storage::accounts::users;
use storage::guests::{browsing, walls};
use storage::photos::{Collection, albums, trash};

use crate::parity::change;
use crate::world::{World, worlds};

fn wall(world: &World, event: EventId, album: Option<AlbumId>) -> Wall {
    Wall { event, secret: Secret::generate(&world.randomness), album, created_at: world.now() }
}

async fn put(world: &World, wall: &Wall) {
    let mut tx = world.begin().await;
    walls::put(&mut tx, wall).await.unwrap();
    tx.commit().await.unwrap();
}

async fn album(world: &World, event: EventId) -> AlbumId {
    let album = Album { id: world.id(), event, name: String::from("Dinner"), created_at: world.now() };
    let mut tx = world.begin().await;
    assert!(albums::create(&mut tx, &album).await.unwrap());
    tx.commit().await.unwrap();
    album.id
}

#[tokio::test]
async fn an_event_has_one_wall_at_one_address_until_it_is_ended() {
    // [GAL461] [GAL463] [SAFE431]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (event, other) = (world.event(owner, "2026-11-14").await, world.event(owner, "2026-11-14").await);
        assert_eq!(walls::of_event(db, event).await.unwrap(), None);
        let (mine, another) = (wall(&world, event, None), wall(&world, other, None));
        put(&world, &mine).await;
        put(&world, &another).await;
        assert_eq!(walls::of_event(db, event).await.unwrap().as_ref(), Some(&mine));
        assert_eq!(walls::by_secret(db, &mine.secret).await.unwrap().as_ref(), Some(&mine));

        // It is asked for again, with an album: that alone changes.
        let dinner = album(&world, event).await;
        let again = wall(&world, event, Some(dinner));
        put(&world, &again).await;
        assert_eq!(walls::by_secret(db, &again.secret).await.unwrap(), None);
        let changed = Wall { album: Some(dinner), ..mine.clone() };
        assert_eq!(walls::by_secret(db, &mine.secret).await.unwrap().as_ref(), Some(&changed));
        let mut all = walls::of_owner(db, owner).await.unwrap();
        all.sort_by_key(|wall| wall.event);
        assert_eq!(all, [changed.clone(), another.clone()]);
        assert_eq!(walls::of_owner(db, world.id()).await.unwrap(), []);

        let mut tx = world.begin().await;
        assert!(walls::delete(&mut tx, event).await.unwrap());
        assert!(!walls::delete(&mut tx, event).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(walls::by_secret(db, &mine.secret).await.unwrap(), None);
        assert_eq!(
            walls::by_secret(db, &another.secret).await.unwrap(),
            Some(another),
            "another event's stays"
        );
    }
}

#[tokio::test]
async fn a_wall_ends_with_its_album_its_event_and_its_account() {
    // [SAFE431] [SAFE432]
    for world in worlds().await {
        let (owner, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let mut all = Vec::new();
        for owner in [owner, owner, other] {
            let event = world.event(owner, "2026-11-14").await;
            let dinner = album(&world, event).await;
            put(&world, &wall(&world, event, Some(dinner))).await;
            all.push((event, dinner));
        }
        let is_there = async |at: usize| walls::of_event(&world.db, all[at].0).await.unwrap().is_some();
        let mut tx = world.begin().await;
        assert!(albums::delete(&mut tx, all[0].1).await.unwrap());
        tx.commit().await.unwrap();
        assert!(!is_there(0).await && is_there(1).await);
        let mut tx = world.begin().await;
        world.begin_deletion(&mut tx, all[1].0, owner).await;
        tx.commit().await.unwrap();
        assert!(!is_there(1).await && is_there(2).await);
        let mut tx = world.begin().await;
        assert!(users::close(&mut tx, other, world.now()).await.unwrap());
        tx.commit().await.unwrap();
        assert!(!is_there(2).await);
    }
}

#[tokio::test]
async fn a_wall_shows_the_newest_photos_that_guests_may_see() {
    // [GAL464] [GAL466] [SAFE433]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (event, other) = (world.event(owner, "2026-11-14").await, world.event(owner, "2026-11-15").await);
        let mut photos = Vec::new();
        for _ in 0..5 {
            let photo = world.photo(owner, Some(event)).await.id;
            world.index(photo, "buffalo", &[]).await;
            photos.push(photo);
            world.clock.advance(std::time::Duration::from_millis(1));
        }
        let elsewhere = world.photo(owner, Some(other)).await.id;
        world.index(elsewhere, "buffalo", &[]).await;
        let waiting = world.photo(owner, Some(event)).await.id;
        change(db, &format!("UPDATE photos SET hidden = TRUE WHERE id = '{}'", photos[1])).await;
        let mut tx = world.begin().await;
        trash::put(&mut tx, Collection::Event(event), &[photos[3]], world.now()).await.unwrap();
        tx.commit().await.unwrap();
        let dinner = album(&world, event).await;
        let mut tx = world.begin().await;
        albums::put(&mut tx, event, dinner, &[photos[0], photos[1], photos[2], waiting]).await.unwrap();
        tx.commit().await.unwrap();

        let newest = async |album: Option<AlbumId>, limit: i64| {
            browsing::newest_shown(db, event, album, limit).await.unwrap()
        };
        assert_eq!(newest(None, 9).await, [photos[4], photos[2], photos[0]]);
        assert_eq!(newest(None, 2).await, [photos[4], photos[2]]);
        assert_eq!(newest(Some(dinner), 9).await, [photos[2], photos[0]]);
        assert_eq!(newest(Some(dinner), 1).await, [photos[2]]);
        assert_eq!(browsing::newest_shown(db, other, Some(dinner), 9).await.unwrap(), [], "another event's");

        let is_shown = async |album: Option<AlbumId>, photo: PhotoId| {
            let found = browsing::one_shown(db, event, album, photo).await.unwrap();
            assert!(found.as_ref().is_none_or(|found| found.id == photo));
            found.is_some()
        };
        for photo in photos.iter().chain([&elsewhere, &waiting]) {
            let all = newest(None, 9).await.contains(photo);
            let of_album = newest(Some(dinner), 9).await.contains(photo);
            assert_eq!((is_shown(None, *photo).await, is_shown(Some(dinner), *photo).await), (all, of_album));
        }
    }
}
