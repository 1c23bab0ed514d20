//! The orders of lists, and what photos' files tell of their capture.

use domain::photos::PhotoStatus;
use domain::photos::captures::{Capture, Place, name_key};
use domain::{PhotoId, Timestamp};
use storage::photos::{self, Order, PhotoQuery};

use crate::parity::change;
use crate::world::{insert, worlds};

#[tokio::test]
async fn lists_follow_the_capture_or_the_name_and_give_every_photo_once() {
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        world.photo(owner, Some(world.event(owner, "2026-11-15").await)).await;
        let mut ids: Vec<PhotoId> = Vec::new();
        let shots = [
            ("IMG_10.jpg", None),
            ("img_9.jpg", Some(7)),
            ("B!.jpg", None),
            ("IMG_010.jpg", Some(7)),
            ("a_1.jpg", Some(-5)),
        ];
        for (name, at) in shots {
            let mut photo = world.new_photo(owner, Some(event));
            photo.original_filename = String::from(name);
            photo.capture =
                Capture { at: at.map(Timestamp::from_millis), camera: Some(String::from("X")), lens: None };
            let mut tx = world.begin().await;
            insert(&mut tx, &photo).await;
            tx.commit().await.unwrap();
            assert_eq!(photos::by_id(db, photo.id).await.unwrap().unwrap().capture, photo.capture);
            ids.push(photo.id);
        }
        let whole = PhotoQuery { event: Some(event), ..PhotoQuery::all(owner, 2) };
        for (is_by_name, expected) in [(false, [4, 1, 3, 0, 2]), (true, [4, 2, 1, 0, 3])] {
            let (mut seen, mut after) = (Vec::new(), None::<Place>);
            loop {
                let place = after.as_ref();
                let order = if is_by_name { Order::Name(place) } else { Order::Captured(place) };
                let page = photos::search(db, &PhotoQuery { order, ..whole }).await.unwrap();
                let Some(last) = page.last() else { break };
                after = photos::place(db, owner, last.id).await.unwrap();
                seen.extend(page.iter().map(|photo| photo.id));
            }
            assert_eq!(seen, expected.map(|index| ids[index]), "by name: {is_by_name}");
        }
        assert_eq!(photos::place(db, world.id(), ids[0]).await.unwrap(), None, "another owner's");

        // Names are looked for as they stand, in either case.
        for (name, found) in [("IMG_", 3), ("img", 3), ("_1", 2), ("%", 0), ("b!", 1), ("\\", 0), (".JPG", 5)]
        {
            let query = PhotoQuery { name: Some(name), ..whole };
            assert_eq!(photos::count(db, &query).await.unwrap(), found, "{name}");
            assert!(!query.is_whole());
            let all = PhotoQuery { limit: 9, ..query };
            let found = usize::try_from(found).unwrap();
            assert_eq!(photos::search(db, &all).await.unwrap().len(), found, "{name}");
        }
        world.index(ids[1], "a", &[]).await;
        for (status, found) in
            [(PhotoStatus::Ready, 1), (PhotoStatus::Processing, 4), (PhotoStatus::Failed, 0)]
        {
            let query = PhotoQuery { status: Some(status), ..whole };
            assert_eq!(photos::count(db, &query).await.unwrap(), found);
            assert!(!query.is_whole());
        }
    }
}

#[tokio::test]
async fn photos_of_versions_before_are_described_once() {
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let (one, two) = (world.photo(owner, Some(event)).await, world.photo(owner, None).await);
        assert_eq!(photos::undescribed(db, None, 9).await.unwrap(), []);
        change(db, "UPDATE photos SET described = FALSE, name_key = 'x', camera = 'x', lens = 'x'").await;
        assert_eq!(photos::undescribed(db, None, 9).await.unwrap(), [one.id, two.id]);
        assert_eq!(photos::undescribed(db, Some(one.id), 9).await.unwrap(), [two.id]);
        let capture =
            Capture { at: Some(Timestamp::from_millis(5)), camera: None, lens: Some(String::from("L")) };
        photos::describe(db, &one, &capture).await.unwrap();
        assert_eq!(photos::undescribed(db, None, 1).await.unwrap(), [two.id]);
        // What only the version before has told stays.
        let described = Capture { camera: Some(String::from("x")), ..capture };
        assert_eq!(photos::by_id(db, one.id).await.unwrap().unwrap().capture, described);
        let expected = Place { id: one.id, captured_at: 5, name_key: name_key(&one.original_filename) };
        assert_eq!(photos::place(db, owner, one.id).await.unwrap(), Some(expected));
    }
}
