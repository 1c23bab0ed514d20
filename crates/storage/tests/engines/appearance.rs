//! What is measured of photos, and the lists by it and by hearts.

use domain::photos::appearance::{Appearance, Look, Sharpness};
use domain::photos::captures::Place;
use domain::{EventId, PhotoId, UserId};
use storage::photos::{self, Collection, Order, PhotoQuery, trash};
use storage::testing::change;

use crate::world::{World, worlds};

fn appearance(sharpness: f64) -> Appearance {
    Appearance { sharpness: Sharpness::of(sharpness), look: Look::new(vec![7; Look::CELLS]).unwrap() }
}

async fn measure(world: &World, photo: PhotoId, sharpness: f64) -> bool {
    let key = photos::by_id(&world.db, photo).await.unwrap().unwrap().key;
    let mut tx = world.begin().await;
    let measured = photos::measure(&mut tx, &key, &appearance(sharpness)).await.unwrap();
    tx.commit().await.unwrap();
    measured
}

async fn listed(world: &World, owner: UserId, event: EventId, by_hearts: bool) -> Vec<PhotoId> {
    let (mut seen, mut after) = (Vec::new(), None::<Place>);
    loop {
        let place = after.as_ref();
        let order = if by_hearts { Order::Hearts(place) } else { Order::Sharpness(place) };
        let query = PhotoQuery { event: Some(event), order, ..PhotoQuery::all(owner, 2) };
        let page = photos::search_ids(&world.db, &query).await.unwrap();
        let Some(last) = page.last() else { return seen };
        seen.extend(&page);
        after = photos::place(&world.db, owner, *last).await.unwrap();
    }
}

#[tokio::test]
async fn lists_follow_sharpness_or_hearts_and_give_every_photo_once() {
    // [GAL480] [GAL482]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-20").await;
        let mut ids = Vec::new();
        for _ in 0..5 {
            ids.push(world.photo(owner, Some(event)).await.id);
        }
        for (photo, sharpness) in [(0, 0.5), (2, 0.399), (3, 0.1), (4, 0.5)] {
            assert!(measure(&world, ids[photo], sharpness).await);
        }
        for photo in [1, 1, 3, 4, 4] {
            assert!(storage::guests::hearts::count_heart(db, event, ids[photo], true).await.unwrap());
        }
        let of = |places: [usize; 5]| places.map(|place| ids[place]).to_vec();
        assert_eq!(listed(&world, owner, event, false).await, of([3, 2, 0, 4, 1]));
        assert_eq!(listed(&world, owner, event, true).await, of([4, 1, 3, 2, 0]));

        let whole = PhotoQuery { event: Some(event), ..PhotoQuery::all(owner, 9) };
        for (query, found) in [
            (PhotoQuery { hearted: true, ..whole }, vec![ids[4], ids[3], ids[1]]),
            (PhotoQuery { less_sharp_than: Some(400), ..whole }, vec![ids[3], ids[2]]),
        ] {
            assert!(!query.is_whole());
            assert_eq!(photos::search_ids(db, &query).await.unwrap(), found);
            assert_eq!(usize::try_from(photos::count(db, &query).await.unwrap()).unwrap(), found.len());
        }
    }
}

#[tokio::test]
async fn photos_are_measured_that_are_searchable_and_are_not_measured() {
    // [GAL485]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-20").await;
        let (one, two) = (world.photo(owner, Some(event)).await, world.photo(owner, None).await);
        assert_eq!(photos::unmeasured(db, None, 9).await.unwrap(), [], "they are not indexed");
        world.index(one.id, "a", &[]).await;
        world.index(two.id, "a", &[]).await;
        assert_eq!(photos::unmeasured(db, None, 9).await.unwrap(), [one.id, two.id]);
        assert_eq!(photos::unmeasured(db, Some(one.id), 9).await.unwrap(), [two.id]);
        assert!(measure(&world, one.id, 0.7).await);
        assert!(measure(&world, one.id, 0.8).await, "once more");
        assert_eq!(photos::unmeasured(db, None, 9).await.unwrap(), [two.id]);
        let sharpness = async |id| photos::by_id(db, id).await.unwrap().unwrap().sharpness;
        assert_eq!(sharpness(one.id).await, Some(Sharpness::of(0.8)));

        // What is deleted is not measured, and measured once it is restored.
        let all = Collection::Event(event);
        let mut tx = world.begin().await;
        trash::put(&mut tx, all, &[one.id], world.now()).await.unwrap();
        assert!(!photos::measure(&mut tx, &one.key, &appearance(0.7)).await.unwrap());
        tx.commit().await.unwrap();
        let mut tx = world.begin().await;
        trash::restore(&mut tx, all, owner, &["a"], &[one.id]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(photos::unmeasured(db, None, 9).await.unwrap(), [one.id, two.id]);
        assert!(measure(&world, one.id, 0.6).await);

        // Nor does what was measured of a file stay with another one.
        let edited = domain::photos::Photo { id: one.id, ..world.new_photo(owner, Some(event)) };
        let mut tx = world.begin().await;
        photos::replace(&mut tx, &one.key, &edited, world.now()).await.unwrap();
        assert!(!photos::measure(&mut tx, &one.key, &appearance(0.7)).await.unwrap(), "of the file before");
        tx.commit().await.unwrap();
        assert_eq!(sharpness(one.id).await, None);
        assert_eq!(storage::testing::count(db, "photo_looks").await, 0);
        change(db, "UPDATE photos SET sharpness = 1001").await;
        assert!(photos::by_id(db, one.id).await.is_err(), "no sharpness is above one");
    }
}
