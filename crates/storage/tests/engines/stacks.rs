//! Photos that are alike.

use std::time::Duration;

use domain::photos::appearance::{Appearance, Look, Sharpness};
use domain::photos::stacks::{Faces, Stack};
use domain::{EventId, PhotoId};
use storage::faces::NewFace;
use storage::photos::{self, Collection, stacks, trash};

use crate::world::{World, worlds};

async fn measure(world: &World, photo: PhotoId) {
    let key = photos::by_id(&world.db, photo).await.unwrap().unwrap().key;
    let appearance =
        Appearance { sharpness: Sharpness::of(0.5), look: Look::new(vec![9; Look::CELLS]).unwrap() };
    let mut tx = world.begin().await;
    assert!(photos::measure(&mut tx, &key, &appearance).await.unwrap());
    tx.commit().await.unwrap();
}

async fn stack_of(world: &World, photo: PhotoId) -> Option<Stack> {
    photos::by_id(&world.db, photo).await.unwrap().unwrap().stack
}

async fn switch(world: &World, event: EventId, on: bool) {
    let mut tx = world.begin().await;
    let mut changed = storage::events::changes::lock(&mut tx, event).await.unwrap().unwrap();
    changed.flags.stacks_photos = on;
    storage::events::changes::save(&mut tx, &changed).await.unwrap();
    stacks::begin_again(&mut tx, event).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn an_event_is_due_once_it_stacks_photos_and_has_new_ones_that_are_measured() {
    // [GAL495] [GAL496]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-20").await;
        let (one, two) = (world.photo(owner, Some(event)).await, world.photo(owner, Some(event)).await);
        let good = NewFace { score: 0.9, is_blurred: false, ..world.face(1.0) };
        let turned = NewFace { score: 0.5, is_blurred: false, ..world.face(0.5) };
        world.index(one.id, "a", &[good, turned]).await;
        world.index(two.id, "a", &[]).await;
        measure(&world, one.id).await;
        let now = world.now();
        let before = now.minus(Duration::from_secs(60 * 60));
        assert_eq!(stacks::due(db, before).await.unwrap(), [], "nobody wants it");
        switch(&world, event, true).await;
        assert_eq!(stacks::due(db, before).await.unwrap(), [event]);

        measure(&world, two.id).await;
        let compared = stacks::compared(db, event, None, 9).await.unwrap();
        assert_eq!(compared.iter().map(|photo| photo.shot.id).collect::<Vec<_>>(), [one.id, two.id]);
        assert_eq!(compared[0].shot.faces, Faces { all: 2, clear: 1, score: 0.7 });
        assert_eq!(compared[1].shot.faces, Faces::default());
        assert_eq!(compared[0].shot.look.cells(), [9; Look::CELLS]);
        let rest = stacks::compared(db, event, Some(one.id), 9).await.unwrap();
        assert_eq!(rest.iter().map(|photo| photo.shot.id).collect::<Vec<_>>(), [two.id]);

        let stack = |place| Some(Stack { id: one.id, place });
        let mut tx = world.begin().await;
        let placed = [(one.key.clone(), stack(1)), (two.key.clone(), stack(0))];
        stacks::put(&mut tx, &placed).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(stacks::due(db, before).await.unwrap(), []);
        assert_eq!((stack_of(&world, one.id).await, stack_of(&world, two.id).await), (stack(1), stack(0)));

        // A new photo that waits holds up the event for a while.
        let third = world.photo(owner, Some(event)).await;
        measure(&world, one.id).await;
        assert_eq!(stacks::due(db, before).await.unwrap(), []);
        assert_eq!(stacks::due(db, world.now()).await.unwrap(), [event]);
        world.index(third.id, "a", &[]).await;
        assert_eq!(stacks::due(db, before).await.unwrap(), [event]);
    }
}

#[tokio::test]
async fn what_somebody_has_chosen_stands_for_its_stack_and_survives_the_trash() {
    // [GAL497] [GAL498]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-20").await;
        let (one, two) = (world.photo(owner, Some(event)).await, world.photo(owner, Some(event)).await);
        for photo in [&one, &two] {
            world.index(photo.id, "a", &[]).await;
            measure(&world, photo.id).await;
        }
        let stack = |place| Some(Stack { id: one.id, place });
        let mut tx = world.begin().await;
        assert!(!stacks::choose(&mut tx, two.id).await.unwrap(), "it is of no stack");
        let placed = [(one.key.clone(), stack(0)), (two.key.clone(), stack(1))];
        stacks::put(&mut tx, &placed).await.unwrap();
        assert!(stacks::choose(&mut tx, two.id).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!((stack_of(&world, one.id).await, stack_of(&world, two.id).await), (stack(1), stack(0)));
        let chosen = async || {
            let compared = stacks::compared(db, event, None, 9).await.unwrap();
            let is_chosen = compared.iter().filter(|photo| photo.shot.is_chosen).map(|photo| photo.shot.id);
            let read: Vec<PhotoId> = is_chosen.collect();
            assert_eq!(stacks::chosen(db, event).await.unwrap(), read);
            read
        };
        assert_eq!(chosen().await, [two.id]);

        let mut tx = world.begin().await;
        trash::put(&mut tx, Collection::Event(event), &[two.id], world.now()).await.unwrap();
        trash::restore(&mut tx, Collection::Event(event), owner, &["a"], &[two.id]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(stack_of(&world, two.id).await, None, "until it is measured and compared again");
        measure(&world, two.id).await;
        assert_eq!(chosen().await, [two.id]);

        switch(&world, event, false).await;
        assert_eq!((stack_of(&world, one.id).await, stack_of(&world, two.id).await), (None, None));
    }
}

#[tokio::test]
async fn what_was_compared_of_a_file_is_not_said_of_another_one() {
    // [GAL501]
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-20").await;
        let photo = world.photo(owner, Some(event)).await;
        world.index(photo.id, "a", &[]).await;
        measure(&world, photo.id).await;
        let edited = domain::photos::Photo { id: photo.id, ..world.new_photo(owner, Some(event)) };
        let mut tx = world.begin().await;
        photos::replace(&mut tx, &photo.key, &edited, world.now()).await.unwrap();
        tx.commit().await.unwrap();
        world.index(photo.id, "a", &[]).await;
        measure(&world, photo.id).await;
        switch(&world, event, true).await;

        // The comparison had begun before.
        let late = Some(Stack { id: photo.id, place: 4 });
        let mut tx = world.begin().await;
        stacks::put(&mut tx, &[(photo.key, late)]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(stack_of(&world, photo.id).await, None);
        assert_eq!(stacks::due(&world.db, world.now()).await.unwrap(), [event], "it is still to be compared");
    }
}
