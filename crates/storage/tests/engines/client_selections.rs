//! What clients choose of an event's photos.

use std::time::Duration;

use domain::guests::client_selections::{ClientSelection, Mark, Marked, Scope, SelectionFilter};
use domain::guests::walls::Secret;
use domain::photos::albums::Album;
use domain::photos::captures::Place;
use domain::{AlbumId, EventId, PhotoId};
use jiff::civil::date;
use storage::accounts::users;
use storage::events::recently_deleted;
use storage::guests::client_selections;
use storage::photos::{self, Collection, PhotoQuery, albums, trash};
use tokio::sync::oneshot;

use crate::parity::change;
use crate::world::{World, worlds};

fn selection(world: &World, event: EventId, scope: Scope) -> ClientSelection {
    ClientSelection {
        id: world.id(),
        event,
        name: String::from("Asha"),
        limit: Some(60),
        due_on: Some(date(2026, 12, 12)),
        pin: Some(domain::events::pins::Pin::parse("471147").unwrap()),
        scope,
        secret: Secret::generate(&world.randomness),
        created_at: world.now(),
        done_at: None,
        message: None,
        seen_at: None,
    }
}

async fn create(world: &World, selection: &ClientSelection) {
    let mut tx = world.begin().await;
    client_selections::create(&mut tx, selection).await.unwrap();
    tx.commit().await.unwrap();
}

async fn mark(world: &World, selection: &ClientSelection, photo: PhotoId, chosen: bool, comment: &str) {
    let mut tx = world.begin().await;
    let mark = Mark { chosen, comment: comment.to_owned() };
    client_selections::mark(&mut tx, selection, photo, &mark, world.now()).await.unwrap();
    tx.commit().await.unwrap();
}

async fn album(world: &World, event: EventId, photos: &[PhotoId]) -> AlbumId {
    let album = Album { id: world.id(), event, name: String::from("Dinner"), created_at: world.now() };
    let mut tx = world.begin().await;
    assert!(albums::create(&mut tx, &album).await.unwrap());
    albums::put(&mut tx, event, album.id, photos).await.unwrap();
    tx.commit().await.unwrap();
    album.id
}

/// Photos that guests may see, one a millisecond.
async fn photos_of(world: &World, owner: domain::UserId, event: EventId, count: usize) -> Vec<PhotoId> {
    let mut all = Vec::new();
    for _ in 0..count {
        let photo = world.photo(owner, Some(event)).await.id;
        world.index(photo, "buffalo", &[]).await;
        all.push(photo);
        world.clock.advance(Duration::from_millis(1));
    }
    all
}

/// What the client sees, whether it is counted so, and whether each of `all` is found by itself.
async fn seen(world: &World, selection: &ClientSelection, all: &[PhotoId]) -> Vec<PhotoId> {
    let shown = client_selections::shown(&world.db, selection, false, None, 99).await.unwrap();
    let shown: Vec<PhotoId> = shown.into_iter().map(|photo| photo.id).collect();
    let counted = client_selections::count_shown(&world.db, selection).await.unwrap();
    assert_eq!(counted, shown.len() as i64);
    for photo in all {
        let mut tx = world.begin().await;
        let is_shown = client_selections::one_shown(&mut tx, selection, *photo).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(is_shown, shown.contains(photo));
    }
    shown
}

#[tokio::test]
async fn a_selection_is_kept_as_it_was_made_until_it_is_deleted() {
    // [EVT191]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (event, other) = (world.event(owner, "2026-11-14").await, world.event(owner, "2026-11-14").await);
        let made = selection(&world, event, Scope::Event);
        world.clock.advance(Duration::from_millis(1));
        let dinner = album(&world, event, &[]).await;
        let second = ClientSelection {
            limit: None,
            due_on: None,
            pin: None,
            ..selection(&world, event, Scope::Album(dinner))
        };
        create(&world, &made).await;
        create(&world, &second).await;
        let listed = client_selections::list(db, event).await.unwrap();
        assert_eq!(listed.iter().map(|counted| &counted.selection).collect::<Vec<_>>(), [&made, &second]);
        assert_eq!(client_selections::count(db, event).await.unwrap(), 2);
        assert_eq!(client_selections::count(db, other).await.unwrap(), 0);
        assert_eq!(client_selections::list(db, other).await.unwrap(), []);
        assert_eq!(client_selections::by_id(db, made.id).await.unwrap().as_ref(), Some(&made));
        assert_eq!(client_selections::by_secret(db, &second.secret).await.unwrap().as_ref(), Some(&second));
        let mut all = client_selections::of_owner(db, owner).await.unwrap();
        all.sort_by_key(|selection| selection.id);
        assert_eq!(all, [made.clone(), second.clone()]);

        let changed = ClientSelection {
            name: String::from("Asha & Ravi"),
            limit: None,
            due_on: None,
            pin: None,
            scope: Scope::Album(dinner),
            ..made.clone()
        };
        let mut tx = world.begin().await;
        assert_eq!(client_selections::lock(&mut tx, made.id).await.unwrap().as_ref(), Some(&made));
        client_selections::change(&mut tx, &changed).await.unwrap();
        assert!(!client_selections::delete(&mut tx, other, made.id).await.unwrap(), "another event's");
        tx.commit().await.unwrap();
        assert_eq!(client_selections::by_id(db, made.id).await.unwrap().as_ref(), Some(&changed));

        let mut tx = world.begin().await;
        assert!(client_selections::delete(&mut tx, event, made.id).await.unwrap());
        assert!(!client_selections::delete(&mut tx, event, made.id).await.unwrap());
        assert_eq!(client_selections::lock(&mut tx, made.id).await.unwrap(), None);
        tx.commit().await.unwrap();
        assert_eq!(client_selections::by_secret(db, &made.secret).await.unwrap(), None);
    }
}

#[tokio::test]
async fn a_selection_is_finished_looked_at_and_reopened() {
    // [EVT197] [EVT199] [EVT203]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (event, other) = (world.event(owner, "2026-11-14").await, world.event(owner, "2026-11-14").await);
        let made = selection(&world, event, Scope::Event);
        create(&world, &made).await;
        let now = async || client_selections::by_id(db, made.id).await.unwrap().unwrap();
        let mut tx = world.begin().await;
        assert!(!client_selections::reopen(&mut tx, event, made.id).await.unwrap(), "it is open");
        client_selections::see(&mut tx, event, made.id, world.now()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(now().await, made, "there is nothing to look at yet");
        let mut tx = world.begin().await;
        client_selections::finish(&mut tx, made.id, Some("Thanks"), world.now()).await.unwrap();
        client_selections::see(&mut tx, other, made.id, world.now()).await.unwrap();
        assert!(!client_selections::reopen(&mut tx, other, made.id).await.unwrap());
        tx.commit().await.unwrap();
        let finished = ClientSelection {
            done_at: Some(world.now()),
            message: Some(String::from("Thanks")),
            ..made.clone()
        };
        assert_eq!(now().await, finished);
        let mut tx = world.begin().await;
        client_selections::see(&mut tx, event, made.id, world.now()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(now().await, ClientSelection { seen_at: Some(world.now()), ..finished.clone() });
        let mut tx = world.begin().await;
        assert!(client_selections::reopen(&mut tx, event, made.id).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(now().await, ClientSelection { done_at: None, ..finished });
    }
}

#[tokio::test]
async fn a_client_sees_what_guests_may_see_of_the_event_or_of_an_album_and_what_is_marked() {
    // [EVT193] [EVT202] [SAFE448]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (event, other) = (world.event(owner, "2026-11-14").await, world.event(owner, "2026-11-15").await);
        let all = photos_of(&world, owner, event, 6).await;
        let elsewhere = photos_of(&world, owner, other, 1).await[0];
        let waiting = world.photo(owner, Some(event)).await.id;
        let dinner = album(&world, event, &[all[0], all[1], all[2], waiting]).await;
        change(db, &format!("UPDATE photos SET hidden = TRUE WHERE id = '{}'", all[1])).await;
        let (whole, part) =
            (selection(&world, event, Scope::Event), selection(&world, event, Scope::Album(dinner)));
        create(&world, &whole).await;
        create(&world, &part).await;
        let every = [all.clone(), vec![elsewhere, waiting]].concat();
        assert_eq!(seen(&world, &whole, &every).await, [all[0], all[2], all[3], all[4], all[5]]);
        assert_eq!(seen(&world, &part, &every).await, [all[0], all[2]]);

        mark(&world, &part, all[2], true, "Crop it").await;
        mark(&world, &part, all[0], false, "Not this one").await;
        mark(&world, &part, all[1], true, "").await;
        assert_eq!(client_selections::chosen(db, part.id).await.unwrap(), 1, "one of them is hidden");
        let chosen = client_selections::shown(db, &part, true, None, 99).await.unwrap();
        assert_eq!(chosen.iter().map(|photo| photo.id).collect::<Vec<_>>(), [all[2]]);
        let behind = Place::of(all[0]);
        let rest = client_selections::shown(db, &part, false, Some(&behind), 99).await.unwrap();
        assert_eq!(rest.iter().map(|photo| photo.id).collect::<Vec<_>>(), [all[2]]);
        let listed = client_selections::list(db, event).await.unwrap();
        let counts: Vec<_> = listed.iter().map(|counted| (counted.chosen, counted.comments)).collect();
        assert_eq!(counts, [(0, 0), (2, 2)]);
        let mut marks = client_selections::marks(db, part.id, &every).await.unwrap();
        marks.sort_by_key(|marked| marked.photo);
        let marked = |photo: PhotoId, chosen: bool, comment: &str| Marked {
            selection: part.id,
            photo,
            mark: Mark { chosen, comment: comment.to_owned() },
        };
        let expected = [
            marked(all[0], false, "Not this one"),
            marked(all[1], true, ""),
            marked(all[2], true, "Crop it"),
        ];
        assert_eq!(marks, expected);
        assert_eq!(client_selections::marks_of_owner(db, owner).await.unwrap().len(), 3);

        // What is taken out of the album stays marked; once the album is deleted nothing else is seen.
        let mut tx = world.begin().await;
        albums::take_out(&mut tx, event, Some(dinner), &[all[2]]).await.unwrap();
        albums::put(&mut tx, event, dinner, &[all[3]]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(seen(&world, &part, &every).await, [all[0], all[2], all[3]]);
        mark(&world, &part, all[3], true, "").await;
        mark(&world, &part, all[3], false, "").await;
        let mut tx = world.begin().await;
        assert!(albums::delete(&mut tx, dinner).await.unwrap());
        tx.commit().await.unwrap();
        let part = client_selections::by_id(db, part.id).await.unwrap().unwrap();
        assert_eq!(part.scope, Scope::DeletedAlbum);
        assert_eq!(seen(&world, &part, &every).await, [all[0], all[2]]);
        mark(&world, &part, all[0], false, "").await;
        assert_eq!(seen(&world, &part, &every).await, [all[0], all[2]], "it can be chosen again");
        assert_eq!(client_selections::chosen(db, part.id).await.unwrap(), 1);
    }
}

#[tokio::test]
async fn photos_are_found_by_what_a_client_has_chosen_or_commented_on() {
    // [EVT200]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let all = photos_of(&world, owner, event, 4).await;
        let (first, second) =
            (selection(&world, event, Scope::Event), selection(&world, event, Scope::Event));
        create(&world, &first).await;
        create(&world, &second).await;
        mark(&world, &first, all[0], true, "").await;
        mark(&world, &first, all[2], true, "Crop it").await;
        mark(&world, &first, all[3], false, "Not this one").await;
        mark(&world, &second, all[1], true, "").await;
        let found = async |filter: SelectionFilter, event: Option<EventId>| {
            let query = PhotoQuery { event, selection: Some(filter), ..PhotoQuery::all(owner, 9) };
            let found = photos::search(db, &query).await.unwrap();
            let found: Vec<PhotoId> = found.into_iter().map(|photo| photo.id).collect();
            assert_eq!(photos::count(db, &query).await.unwrap(), found.len() as i64);
            assert_eq!(photos::search_ids(db, &query).await.unwrap(), found);
            found
        };
        for event in [Some(event), None] {
            assert_eq!(found(SelectionFilter::Chosen(first.id), event).await, [all[2], all[0]]);
            assert_eq!(found(SelectionFilter::Commented(first.id), event).await, [all[3], all[2]]);
            assert_eq!(found(SelectionFilter::Chosen(second.id), event).await, [all[1]]);
            assert_eq!(found(SelectionFilter::Chosen(world.id()), event).await, []);
        }
    }
}

#[tokio::test]
async fn marks_are_in_the_trash_with_their_photos_and_go_for_good_with_them() {
    // [EVT201]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let all = photos_of(&world, owner, event, 3).await;
        let (kept, gone) = (selection(&world, event, Scope::Event), selection(&world, event, Scope::Event));
        create(&world, &kept).await;
        create(&world, &gone).await;
        for photo in &all {
            mark(&world, &kept, *photo, true, "Crop it").await;
            mark(&world, &gone, *photo, true, "").await;
        }
        let mut tx = world.begin().await;
        assert_eq!(trash::put(&mut tx, Collection::Event(event), &all[..2], world.now()).await.unwrap(), 2);
        tx.commit().await.unwrap();
        assert_eq!(client_selections::chosen(db, kept.id).await.unwrap(), 1);
        assert_eq!(
            client_selections::marks_of_owner(db, owner).await.unwrap().len(),
            6,
            "data.json has them"
        );
        let mut tx = world.begin().await;
        assert!(client_selections::delete(&mut tx, event, gone.id).await.unwrap());
        assert_eq!(trash::remove(&mut tx, &all[..1]).await.unwrap().len(), 1);
        trash::restore(&mut tx, Collection::Event(event), owner, &["buffalo"], &all[1..2]).await.unwrap();
        tx.commit().await.unwrap();
        let mut marked = client_selections::marks_of_owner(db, owner).await.unwrap();
        marked.sort_by_key(|marked| marked.photo);
        assert_eq!(marked.iter().map(|marked| marked.photo).collect::<Vec<_>>(), all[1..]);
        assert!(marked.iter().all(|marked| marked.selection == kept.id));
        assert_eq!(marked[0].mark, Mark { chosen: true, comment: String::from("Crop it") });
    }
}

/// Deletes a selection, and ends the transaction half a second after it has done so.
async fn delete_slowly(
    world: &World,
    event: EventId,
    selection: &ClientSelection,
    deleted: oneshot::Sender<()>,
) {
    let mut tx = world.begin().await;
    assert!(client_selections::delete(&mut tx, event, selection.id).await.unwrap());
    deleted.send(()).unwrap();
    tokio::time::sleep(Duration::from_millis(500)).await;
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_selection_is_deleted_while_its_photos_go_to_the_trash_and_come_back() {
    // [EVT201]
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let photos = photos_of(&world, owner, event, 1).await;
        let (first, second) =
            (selection(&world, event, Scope::Event), selection(&world, event, Scope::Event));
        for selection in [&first, &second] {
            create(&world, selection).await;
            mark(&world, selection, photos[0], true, "").await;
        }
        let (send, deleted) = oneshot::channel();
        let put = async {
            deleted.await.unwrap();
            let mut tx = world.begin().await;
            let moved = trash::put(&mut tx, Collection::Event(event), &photos, world.now()).await.unwrap();
            tx.commit().await.unwrap();
            moved
        };
        assert_eq!(tokio::join!(put, delete_slowly(&world, event, &first, send)).0, 1);
        let (send, deleted) = oneshot::channel();
        let restore = async {
            deleted.await.unwrap();
            let mut tx = world.begin().await;
            let collection = Collection::Event(event);
            trash::restore(&mut tx, collection, owner, &["buffalo"], &photos).await.unwrap();
            tx.commit().await.unwrap();
        };
        tokio::join!(restore, delete_slowly(&world, event, &second, send));
        assert_eq!(client_selections::marks_of_owner(&world.db, owner).await.unwrap(), []);
    }
}

#[tokio::test]
async fn a_selection_comes_back_with_its_event_and_goes_with_it_for_good_or_with_its_account() {
    // [EVT204] [SAFE449]
    for world in worlds().await {
        let (owner, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let mut all = Vec::new();
        for owner in [owner, other] {
            let event = world.event(owner, "2026-11-14").await;
            let made = selection(&world, event, Scope::Event);
            create(&world, &made).await;
            all.push((event, made));
        }
        let is_there =
            async |at: usize| client_selections::by_id(&world.db, all[at].1.id).await.unwrap().is_some();
        let photo = world.photo(owner, Some(all[0].0)).await.id;
        mark(&world, &all[0].1, photo, true, "").await;
        let mut tx = world.begin().await;
        world.begin_deletion(&mut tx, all[0].0, owner).await;
        tx.commit().await.unwrap();
        let since = world.seen(all[0].0).await.deleting_since.unwrap();
        let mut tx = world.begin().await;
        assert_eq!(trash::put(&mut tx, Collection::Event(all[0].0), &[photo], since).await.unwrap(), 1);
        assert!(storage::events::finish_deletion(&mut tx, all[0].0, world.now()).await.unwrap());
        tx.commit().await.unwrap();
        assert!(is_there(0).await, "it can be restored");
        let mut tx = world.begin().await;
        assert!(recently_deleted::give_up(&mut tx, all[0].0).await.unwrap());
        tx.commit().await.unwrap();
        assert!(!is_there(0).await && is_there(1).await);
        let mut tx = world.begin().await;
        assert!(users::close(&mut tx, other, world.now()).await.unwrap());
        tx.commit().await.unwrap();
        assert!(!is_there(1).await);
    }
}
