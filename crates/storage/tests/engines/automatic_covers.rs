//! Covers that nobody has chosen.

use domain::faces::BoundingBox;
use domain::guests::objections::{ObjectedFace, Objection};
use domain::{EventId, PhotoId};
use storage::events::changes;
use storage::faces::NewFace;
use storage::guests::objections;
use storage::photos::{self, Collection, trash};
use storage::testing::change;

use crate::world::{World, worlds};

fn face(world: &World, height: f64) -> NewFace {
    NewFace { bounds: BoundingBox { x: 0.3, y: 0.2, width: 0.1, height }, ..world.face(1.0) }
}

/// The photo that stands for an event, and whether nobody has chosen it.
async fn cover(world: &World, event: EventId) -> Option<(PhotoId, bool)> {
    world.seen(event).await.cover.map(|cover| (cover.photo, cover.is_automatic))
}

async fn set_cover(world: &World, event: EventId, photo: Option<PhotoId>) {
    let mut tx = world.begin().await;
    changes::set_cover(&mut tx, event, photo).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn the_best_photo_of_twenty_stands_for_an_event_until_something_speaks_against_it() {
    // [EVT163] [EVT164]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (event, other) = (world.event(owner, "2026-11-20").await, world.event(owner, "2026-11-20").await);
        let elsewhere = world.photo(owner, Some(other)).await.id;
        world.index(elsewhere, "a", &[face(&world, 0.25), face(&world, 0.25)]).await;
        let mut ids = Vec::new();
        for number in 0..20 {
            let photo = world.photo(owner, Some(event)).await.id;
            let faces = match number {
                0 => vec![],
                1 => vec![face(&world, 0.2)],
                // The best three, the best first.
                2..=4 => vec![face(&world, 0.24 - 0.02 * f64::from(number)); 2],
                5 => vec![NewFace { is_blurred: true, ..face(&world, 0.25) }],
                _ => vec![face(&world, 0.02)],
            };
            let faces: Vec<NewFace> =
                faces.into_iter().map(|face| NewFace { id: world.id(), ..face }).collect();
            assert_eq!(cover(&world, event).await, None, "{number} photos");
            world.index(photo, "a", &faces).await;
            ids.push(photo);
        }
        let by_itself = |place: usize| Some((ids[place], true));
        assert_eq!(cover(&world, event).await, by_itself(2));
        assert_eq!(cover(&world, other).await, None, "one photo");
        assert!(world.seen(event).await.cover.unwrap().focus.is_some());

        // Hidden; asked about by a guest, also while that waits; deleted; restored; replaced.
        change(db, &format!("UPDATE photos SET hidden = TRUE WHERE id = '{}'", ids[2])).await;
        assert_eq!(cover(&world, event).await, by_itself(3));
        change(db, "UPDATE photos SET hidden = FALSE").await;
        let objection = Objection { waits: true, ..world.request_to_hide(event) };
        let bounds = face(&world, 0.2).bounds;
        let about = ObjectedFace {
            objection: objection.id,
            face: world.id(),
            photo: ids[2],
            bounds,
            overruled: false,
        };
        let mut tx = world.begin().await;
        objections::create(&mut tx, &objection, &[about]).await.unwrap();
        tx.commit().await.unwrap();
        assert!(!photos::by_id(db, ids[2]).await.unwrap().unwrap().hidden);
        assert_eq!(cover(&world, event).await, by_itself(3));
        let all = Collection::Event(event);
        let mut tx = world.begin().await;
        trash::put(&mut tx, all, &[ids[3], ids[0]], world.now()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(cover(&world, event).await, None, "18 photos");
        let mut tx = world.begin().await;
        trash::restore(&mut tx, all, owner, &["a"], &[ids[3], ids[0]]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(cover(&world, event).await, by_itself(3));
        change(db, &format!("UPDATE photos SET medium_bytes = NULL WHERE id = '{}'", ids[3])).await;
        assert_eq!(cover(&world, event).await, by_itself(4));

        // What the photographer says holds, also that there is none, or that it is one that is gone.
        set_cover(&world, event, Some(ids[1])).await;
        assert_eq!(cover(&world, event).await, Some((ids[1], false)));
        change(db, &format!("UPDATE photos SET hidden = TRUE WHERE id = '{}'", ids[1])).await;
        assert_eq!(cover(&world, event).await, None);
        set_cover(&world, event, None).await;
        assert_eq!(cover(&world, event).await, None);

        // Photos of a version before are ranked like those that are there.
        change(db, "UPDATE events SET without_cover = FALSE").await;
        change(db, "UPDATE photos SET cover_rank = NULL; UPDATE faces SET blurred = NULL").await;
        assert_eq!(cover(&world, event).await, None);
        let old = photos::unfocused(db, None, 99).await.unwrap();
        assert_eq!(old.len(), 20, "with the other event's, but for the one without faces");
        let mut tx = world.begin().await;
        photos::refocus(&mut tx, &old).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(cover(&world, event).await, by_itself(4));
    }
}
