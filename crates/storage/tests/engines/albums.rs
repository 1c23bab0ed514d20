//! Albums of events.

use std::time::Duration;

use domain::photos::albums::{Album, AlbumFilter};
use domain::{AlbumId, EventId, PhotoId};
use storage::events;
use storage::operations::integrity;
use storage::photos::albums::Membership;
use storage::photos::{self, Collection, PhotoQuery, albums, trash};
use storage::testing::change;

use crate::world::{World, worlds};

fn album(world: &World, event: EventId, name: &str) -> Album {
    Album { id: world.id(), event, name: name.to_owned(), created_at: world.now() }
}

async fn create(world: &World, album: &Album) -> bool {
    let mut tx = world.begin().await;
    let created = albums::create(&mut tx, album).await.unwrap();
    tx.commit().await.unwrap();
    created
}

#[tokio::test]
async fn albums_have_names_of_their_own_within_an_event() {
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (event, other) = (world.event(owner, "2026-11-14").await, world.event(owner, "2026-11-14").await);
        let ceremony = album(&world, event, "Ceremony");
        world.clock.advance(Duration::from_millis(1));
        let reception = album(&world, event, "Reception");
        let elsewhere = album(&world, other, "Ceremony");
        for album in [&ceremony, &reception, &elsewhere] {
            assert!(create(&world, album).await);
        }
        assert!(!create(&world, &album(&world, event, "Reception")).await);
        assert_eq!(albums::list(db, event).await.unwrap(), [ceremony.clone(), reception.clone()]);
        assert_eq!(albums::count(db, event).await.unwrap(), 2);
        assert_eq!(albums::by_id(db, ceremony.id).await.unwrap(), Some(ceremony.clone()));
        assert_eq!(albums::by_id(db, world.id()).await.unwrap(), None);

        let mut tx = world.begin().await;
        albums::arrange(&mut tx, &[reception.clone(), ceremony.clone()]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(albums::list(db, event).await.unwrap(), [reception.clone(), ceremony.clone()]);
        let party = album(&world, event, "Party");
        assert!(create(&world, &party).await);
        let names = |albums: Vec<Album>| albums.into_iter().map(|album| album.name).collect::<Vec<_>>();
        let ordered = ["Reception", "Ceremony", "Party"];
        assert_eq!(names(albums::list(db, event).await.unwrap()), ordered, "a new one is the last");
        let mut all = albums::of_owner(db, owner).await.unwrap();
        all.retain(|album| album.event == event);
        assert_eq!(names(all), ordered);
        assert_eq!(albums::of_owner(db, owner).await.unwrap().len(), 4);
        assert_eq!(albums::of_owner(db, world.id()).await.unwrap(), []);

        let mut tx = world.begin().await;
        assert!(!albums::rename(&mut tx, &ceremony, "Reception").await.unwrap());
        assert!(albums::rename(&mut tx, &ceremony, "Ceremony").await.unwrap());
        assert!(albums::rename(&mut tx, &ceremony, "Vows").await.unwrap());
        assert!(albums::delete(&mut tx, reception.id).await.unwrap());
        assert!(!albums::delete(&mut tx, reception.id).await.unwrap());
        tx.commit().await.unwrap();
        let vows = Album { name: String::from("Vows"), ..ceremony };
        assert_eq!(albums::list(db, event).await.unwrap(), [vows, party]);
    }
}

#[tokio::test]
async fn a_photo_is_in_several_albums_of_its_event_and_outlives_them() {
    // [GAL147] [GAL172] [GAL440] [GAL442]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (event, other) = (world.event(owner, "2026-11-14").await, world.event(owner, "2026-11-14").await);
        let (first, second) = (album(&world, event, "Ceremony"), album(&world, event, "Reception"));
        assert!(create(&world, &first).await && create(&world, &second).await);
        let mut ids = Vec::new();
        for event in [event, event, event, other] {
            ids.push(world.photo(owner, Some(event)).await.id);
        }
        let put = async |album: AlbumId, photos: &[PhotoId]| {
            let mut tx = world.begin().await;
            let moved = albums::put(&mut tx, event, album, photos).await.unwrap();
            tx.commit().await.unwrap();
            assert!(moved.changes.iter().all(|change| change.album == album));
            (moved.photos, moved.changes.iter().map(|change| change.photo).collect::<Vec<_>>())
        };
        let take_out = async |album: Option<AlbumId>, photos: &[PhotoId]| {
            let mut tx = world.begin().await;
            let mut moved = albums::take_out(&mut tx, event, album, photos).await.unwrap();
            tx.commit().await.unwrap();
            moved.changes.sort_by_key(|change| (change.album, change.photo));
            (moved.photos, moved.changes)
        };
        let with = async |album: AlbumFilter| {
            let query = PhotoQuery { event: Some(event), album: Some(album), ..PhotoQuery::all(owner, 9) };
            let found = photos::search(db, &query).await.unwrap();
            assert_eq!(photos::count(db, &query).await.unwrap(), found.len() as i64);
            found.into_iter().map(|photo| photo.id).collect::<Vec<_>>()
        };
        let of = async |album: AlbumId| with(AlbumFilter::In(album)).await;
        let albums_of = async |id| photos::by_id(db, id).await.unwrap().unwrap().albums;
        assert_eq!(put(first.id, &ids).await, (3, ids[..3].to_vec()), "not that of another event");
        assert_eq!(put(first.id, &ids).await, (3, Vec::new()), "nothing of it is new");
        assert_eq!(of(first.id).await, [ids[2], ids[1], ids[0]]);
        assert_eq!(albums::photos_of(db, event, first.id, None).await.unwrap(), ids[..3], "as they came");
        assert_eq!(albums::photos_of(db, event, first.id, Some(owner)).await.unwrap(), [], "the owner's own");
        assert_eq!(albums::photos_of(db, other, first.id, None).await.unwrap(), []);
        assert_eq!(put(second.id, &ids[..2]).await, (2, ids[..2].to_vec()));
        assert_eq!((of(first.id).await.len(), of(second.id).await), (3, vec![ids[1], ids[0]]));
        let mut both = vec![first.id, second.id];
        both.sort_unstable();
        assert_eq!(albums_of(ids[0]).await, both);
        assert_eq!(photos::by_ids(db, &ids[..1]).await.unwrap()[0].albums, both);

        // Out of one, and out of all.
        let was = |album: &Album, photo| Membership { album: album.id, photo };
        let chosen = [ids[1], ids[2], ids[3]];
        assert_eq!(take_out(Some(second.id), &chosen).await, (2, vec![was(&second, ids[1])]));
        assert_eq!(albums_of(ids[1]).await, [first.id]);
        assert_eq!(take_out(None, &[ids[1], ids[3]]).await, (1, vec![was(&first, ids[1])]));
        assert_eq!(of(first.id).await, [ids[2], ids[0]]);
        assert_eq!(with(AlbumFilter::InNone).await, [ids[1]]);
        let mut all_of_one = vec![was(&first, ids[0]), was(&second, ids[0])];
        all_of_one.sort_by_key(|membership| membership.album);
        assert_eq!(take_out(None, &ids[..1]).await, (1, all_of_one));
        put(first.id, &ids[..1]).await;
        put(second.id, &ids[..1]).await;

        // In the trash a photo keeps its albums, but those that are deleted meanwhile.
        let collection = Collection::Event(event);
        let mut tx = world.begin().await;
        trash::put(&mut tx, collection, &[ids[0], ids[2]], world.now()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(albums::photos_of(db, event, first.id, None).await.unwrap(), []);
        let trashed = trash::by_id(db, ids[0]).await.unwrap().unwrap().photo;
        assert_eq!(trashed.albums, both);
        assert_eq!(trash::by_ids(db, &ids[..1]).await.unwrap(), [trashed]);
        let mut tx = world.begin().await;
        assert!(albums::delete(&mut tx, second.id).await.unwrap());
        let restored = trash::restore(&mut tx, collection, owner, &["a"], &[ids[0], ids[2]]).await.unwrap();
        tx.commit().await.unwrap();
        assert!(restored.photos.iter().all(|photo| photo.albums == [first.id]), "{restored:?}");
        assert_eq!(albums_of(ids[0]).await, [first.id]);
        assert_eq!(of(first.id).await, [ids[2], ids[0]]);

        let mut tx = world.begin().await;
        assert!(albums::delete(&mut tx, first.id).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(albums_of(ids[2]).await, []);
    }
}

#[tokio::test]
async fn photos_in_another_events_album_are_found_and_taken_out() {
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (event, other) = (world.event(owner, "2026-11-14").await, world.event(owner, "2026-11-14").await);
        let (ours, theirs) = (album(&world, event, "Ceremony"), album(&world, other, "Ceremony"));
        assert!(create(&world, &ours).await && create(&world, &theirs).await);
        let mut ids = Vec::new();
        for event in [Some(event), Some(event), Some(event), None] {
            ids.push(world.photo(owner, event).await.id);
        }
        let put = |album: &Album, photo| {
            format!("INSERT INTO album_photos (album_id, photo_id) VALUES ('{}', '{photo}')", album.id)
        };
        let placed =
            [(&ours, ids[0]), (&ours, ids[1]), (&theirs, ids[1]), (&theirs, ids[2]), (&theirs, ids[3])];
        for (album, photo) in placed {
            change(db, &put(album, photo)).await;
        }
        let mut tx = world.begin().await;
        trash::put(&mut tx, Collection::Event(event), &[ids[2]], world.now()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(integrity::misplaced_photos(db).await.unwrap(), ids[1..]);
        let mut tx = world.begin().await;
        for id in &ids {
            integrity::take_out_of_albums(&mut tx, *id).await.unwrap();
        }
        tx.commit().await.unwrap();
        assert_eq!(integrity::misplaced_photos(db).await.unwrap(), []);
        for (id, left) in ids.iter().zip([vec![ours.id], vec![ours.id], vec![], vec![]]) {
            let photo = photos::by_id(db, *id).await.unwrap();
            let photo = match photo {
                Some(photo) => photo,
                None => trash::by_id(db, *id).await.unwrap().unwrap().photo,
            };
            assert_eq!(photo.albums, left);
        }
    }
}

#[tokio::test]
async fn albums_go_with_their_event() {
    // [GAL173]
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        assert!(create(&world, &album(&world, event, "Ceremony")).await);
        let mut tx = world.begin().await;
        events::close(&mut tx, event, owner, world.id(), world.now()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(albums::list(&world.db, event).await.unwrap(), []);
    }
}
