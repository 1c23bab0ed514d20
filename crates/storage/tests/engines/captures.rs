//! The orders of lists, and what photos' files tell of their capture.

use domain::photos::PhotoStatus;
use domain::photos::captures::{Capture, Place, name_key};
use domain::photos::versions::{VersionOf, version_of};
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
            photo.capture = Capture {
                at: at.map(Timestamp::from_millis),
                camera: Some(String::from("X")),
                ..Capture::default()
            };
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
                let same = photos::search_ids(db, &PhotoQuery { order, ..whole }).await.unwrap();
                assert_eq!(same, page.iter().map(|photo| photo.id).collect::<Vec<_>>());
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
    // [UPL246] [UPL253]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let (one, two) = (world.photo(owner, Some(event)).await, world.photo(owner, None).await);
        assert_eq!(photos::undescribed(db, None, 9).await.unwrap(), []);
        change(db, "UPDATE photos SET described = FALSE, name_key = 'x', camera = 'x', lens = 'x'").await;
        assert_eq!(photos::undescribed(db, None, 9).await.unwrap(), [one.id, two.id]);
        assert_eq!(photos::undescribed(db, Some(one.id), 9).await.unwrap(), [two.id]);
        let capture = Capture {
            at: Some(Timestamp::from_millis(5)),
            lens: Some(String::from("L")),
            artist: Some(String::from("Asha Rao")),
            copyright: Some(String::from("© Asha")),
            camera: None,
        };
        photos::describe(db, &one, &capture).await.unwrap();
        assert_eq!(photos::undescribed(db, None, 1).await.unwrap(), [two.id]);
        // What only the version before has told stays.
        let described = Capture { camera: Some(String::from("x")), ..capture };
        assert_eq!(photos::by_id(db, one.id).await.unwrap().unwrap().capture, described);
        let name_key = name_key(&one.original_filename);
        let expected = Place { captured_at: 5, name_key, ..Place::of(one.id) };
        assert_eq!(photos::place(db, owner, one.id).await.unwrap(), Some(expected));

        // An edited version that tells nothing has taken the place of a file that did: read again, it has the same.
        photos::describe(db, &one, &Capture::default()).await.unwrap();
        assert_eq!(photos::by_id(db, one.id).await.unwrap().unwrap().capture, described);
    }
}

#[tokio::test]
async fn names_are_compared_in_one_form_those_of_versions_before_too() {
    // [UPL237] [UPL242]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let mut ids = Vec::new();
        for name in ["Müller 2.jpg", "Mu\u{308}ller 10.jpg", "ΣΊΣΥΦΟΣ.jpg", "50%_!.jpg"] {
            let mut photo = world.new_photo(owner, Some(event));
            photo.original_filename = String::from(name);
            let mut tx = world.begin().await;
            insert(&mut tx, &photo).await;
            tx.commit().await.unwrap();
            ids.push(photo.id);
        }
        let found = async |name: &str| {
            let query = PhotoQuery { event: Some(event), name: Some(name), ..PhotoQuery::all(owner, 9) };
            let found = photos::search(db, &query).await.unwrap();
            assert_eq!(photos::count(db, &query).await.unwrap(), i64::try_from(found.len()).unwrap());
            found.len()
        };
        let named = async |name: &str| {
            let names = [String::from(name)];
            let found = photos::namesakes(db, owner, Some(event), None, &names).await.unwrap();
            match version_of(name, &found) {
                VersionOf::Nothing => vec![],
                VersionOf::Photo(found) => vec![found.first],
                VersionOf::Several => found.iter().map(|namesakes| namesakes.first).collect(),
            }
        };
        let check = async || {
            for (name, number) in
                [("MÜLLER", 2), ("mu\u{308}ller", 2), ("σίσυφος", 1), ("%_!", 1), ("%", 1), ("muller", 0)]
            {
                assert_eq!(found(name).await, number, "{name}");
            }
            assert_eq!(named("MU\u{308}LLER 2.JPG").await, [ids[0]]);
            assert_eq!(named("müller 10.jpg").await, [ids[1]]);
            assert_eq!(named("mu\u{308}ller 10.HEIC").await, [ids[1]]);
            let filename = PhotoQuery { filename: Some("Mu\u{308}ller 2.jpg"), ..PhotoQuery::all(owner, 9) };
            assert_eq!(photos::search(db, &filename).await.unwrap()[0].id, ids[0]);
            let filename = PhotoQuery { filename: Some("Müller 2.heic"), ..filename };
            assert_eq!(photos::search(db, &filename).await.unwrap(), []);
            let query =
                PhotoQuery { event: Some(event), order: Order::Name(None), ..PhotoQuery::all(owner, 9) };
            let sorted: Vec<_> =
                photos::search(db, &query).await.unwrap().into_iter().map(|photo| photo.id).collect();
            assert_eq!(sorted, [ids[3], ids[0], ids[1], ids[2]]);
        };
        check().await;
        assert_eq!(photos::unfolded(db, 9).await.unwrap(), []);

        change(
            db,
            "UPDATE photos SET name_fold = NULL, name_stem = NULL, name_key = LOWER(original_filename)",
        )
        .await;
        assert_eq!(named("Müller 2.jpg").await, [ids[0]], "to the letter meanwhile");
        assert_eq!((found("ller 2").await, found("50%").await), (1, 1));
        let unfolded = photos::unfolded(db, 3).await.unwrap();
        assert_eq!(unfolded.iter().map(|named| named.photo).collect::<Vec<_>>(), ids[..3]);
        let mut tx = world.begin().await;
        photos::fold(&mut tx, &unfolded).await.unwrap();
        tx.commit().await.unwrap();
        let rest = photos::unfolded(db, 9).await.unwrap();
        assert_eq!(rest.len(), 1);
        let mut tx = world.begin().await;
        photos::fold(&mut tx, &rest).await.unwrap();
        tx.commit().await.unwrap();
        check().await;

        // A version before has folded them with their endings.
        change(db, "UPDATE photos SET name_stem = NULL").await;
        assert_eq!(named("MÜLLER 2.jpg").await, [ids[0]]);
        assert_eq!(named("Müller 2.heic").await, []);
        let unfolded = photos::unfolded(db, 9).await.unwrap();
        let mut tx = world.begin().await;
        photos::fold(&mut tx, &unfolded).await.unwrap();
        tx.commit().await.unwrap();
        check().await;

        // Of two that look alike, the one that is the same to the letter comes first.
        let mut tx = world.begin().await;
        assert!(photos::rename(&mut tx, event, ids[3], "MÜLLER 2.jpg").await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(named("MÜLLER 2.jpg").await, [ids[3]]);
        assert_eq!(named("Müller 2.jpg").await, [ids[0]]);
        assert_eq!(named("Mu\u{308}ller 2.jpg").await.len(), 2);
    }
}
