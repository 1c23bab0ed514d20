//! What happens around events by day, and the mails about it.

use domain::statistics::Counts;
use storage::accounts::users;
use storage::statistics::{activity, weekly};

use crate::world::{DAY, NOON, worlds};

#[tokio::test]
async fn uploads_and_searches_are_counted_by_day() {
    for world in worlds().await {
        let db = &world.db;
        let (owner, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let event = world.event(owner, "2026-11-14").await;
        let gone = world.photo(owner, Some(event)).await;
        world.photo(owner, None).await;
        world.photo(other, None).await;
        world.clock.advance(DAY * 2);
        let day = world.now().date();
        let place = activity::Place { event: Some(event), owner, day };
        let mut tx = world.begin().await;
        activity::add(&mut tx, place, Counts::search(4, true)).await.unwrap();
        let more = Counts {
            visits: 7,
            downloads: 3,
            browsed: 2,
            hearts: 5,
            not_me: 6,
            missed: 8,
            ..Counts::search(0, true)
        };
        activity::add(&mut tx, place, more).await.unwrap();
        activity::add(&mut tx, activity::Place { event: None, ..place }, Counts::search(9, false))
            .await
            .unwrap();
        activity::add(&mut tx, activity::Place { event: None, owner: world.id(), day }, more).await.unwrap();
        tx.commit().await.unwrap();
        let mut tx = world.begin().await;
        assert!(storage::testing::remove_photo(&mut tx, gone.id).await);
        tx.commit().await.unwrap();

        let days = activity::by_day(db, owner, NOON).await.unwrap();
        let days: Vec<_> =
            days.iter().map(|day| (day.date.to_string(), day.uploads, day.counts.searches)).collect();
        assert_eq!(days, [(String::from("2026-11-20"), 2, 0), (String::from("2026-11-22"), 0, 3)]);
        assert_eq!(activity::by_day(db, owner, NOON.plus(DAY)).await.unwrap().len(), 1);

        let of_event = activity::of_event(db, event).await.unwrap();
        let counts = Counts {
            visits: 7,
            searches: 2,
            searches_found: 1,
            searches_empty: 1,
            guests_helped: 1,
            downloads: 3,
            browsed: 2,
            hearts: 5,
            shown: 4,
            not_me: 6,
            missed: 8,
        };
        let of_event: Vec<_> = of_event.iter().map(|day| (day.uploads, day.counts)).collect();
        assert_eq!(of_event, [(1, Counts::NOTHING), (0, counts)]);
        let of_days = async |owner, from, to| activity::of_days(db, owner, from, to).await.unwrap();
        assert_eq!(of_days(owner, NOON.plus(DAY), world.now()).await, counts);
        assert_eq!(of_days(owner, NOON, NOON.plus(DAY)).await, Counts::NOTHING);
        assert_eq!(of_days(other, NOON, world.now()).await, Counts::NOTHING);
    }
}

#[tokio::test]
async fn weekly_summaries_are_due_when_they_are_wanted() {
    for world in worlds().await {
        let db = &world.db;
        let (wants, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        assert_eq!(weekly::due_at(db, wants).await.unwrap(), None);
        weekly::set(db, wants, Some(NOON.plus(DAY))).await.unwrap();
        weekly::set(db, wants, Some(NOON.plus(DAY * 9))).await.unwrap();
        assert_eq!(weekly::due_at(db, wants).await.unwrap(), Some(NOON.plus(DAY)), "it keeps its date");
        assert!(weekly::due(db, NOON, 9).await.unwrap().is_empty());
        let now = NOON.plus(DAY);
        assert_eq!(weekly::due(db, now, 9).await.unwrap(), [wants]);
        for (user, advanced) in [(wants, true), (wants, false), (other, false)] {
            let mut tx = world.begin().await;
            assert_eq!(weekly::advance(&mut tx, user, now, NOON.plus(DAY * 8)).await.unwrap(), advanced);
            tx.commit().await.unwrap();
        }
        weekly::set(db, wants, None).await.unwrap();
        assert_eq!(weekly::due_at(db, wants).await.unwrap(), None);
        weekly::set(db, wants, Some(now)).await.unwrap();
        let mut tx = world.begin().await;
        users::close(&mut tx, wants, now).await.unwrap();
        tx.commit().await.unwrap();
        assert!(weekly::due(db, now, 9).await.unwrap().is_empty(), "a closed account gets none");
    }
}

#[tokio::test]
async fn photos_are_counted_as_often_as_they_are_saved() {
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let mut photos = Vec::new();
        for _ in 0..3 {
            photos.push(world.photo(owner, None).await.id);
        }
        for _ in 0..2 {
            let times = [(photos[0], 1), (photos[1], 3), (world.id(), 1)].into();
            let mut tx = world.begin().await;
            storage::photos::add_downloads(&mut tx, &times).await.unwrap();
            tx.commit().await.unwrap();
        }
        for (photo, times) in photos.into_iter().zip([2, 6, 0]) {
            assert_eq!(storage::photos::by_id(db, photo).await.unwrap().unwrap().downloads, times);
        }
    }
}
