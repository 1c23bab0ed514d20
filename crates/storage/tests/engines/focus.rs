//! Where photos are looked at.

use domain::PhotoId;
use domain::faces::BoundingBox;
use domain::photos::focus::Focus;
use storage::faces::{self, NewFace};
use storage::photos::{self, Collection, trash};
use storage::testing::change;

use crate::world::{World, worlds};

fn face(world: &World, x: f64, y: f64) -> NewFace {
    NewFace { bounds: BoundingBox { x, y, width: 0.1, height: 0.2 }, ..world.face(1.0) }
}

async fn focus(world: &World, photo: PhotoId) -> Option<(f64, f64)> {
    let photo = photos::by_id(&world.db, photo).await.unwrap().unwrap();
    photo.focus.map(Focus::fractions)
}

#[tokio::test]
async fn a_photo_is_looked_at_where_its_faces_are() {
    // [GAL447] [GAL448]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-20").await;
        let photo = world.photo(owner, Some(event)).await.id;
        assert_eq!(focus(&world, photo).await, None, "its faces are not known yet");
        world.index(photo, "a", &[]).await;
        assert_eq!(focus(&world, photo).await, None, "it has none");
        let pair = [face(&world, 0.2, 0.1), face(&world, 0.6, 0.3)];
        world.index(photo, "a", &pair).await;
        assert_eq!(focus(&world, photo).await, Some((0.45, 0.3)));
        let mut tx = world.begin().await;
        storage::events::changes::set_cover(&mut tx, event, Some(photo)).await.unwrap();
        tx.commit().await.unwrap();
        let cover = world.seen(event).await.cover.unwrap();
        assert_eq!(cover.focus.map(Focus::thousandths), Some((450, 300)));

        // Somebody whose face is deleted is looked at no more.
        let mut tx = world.begin().await;
        faces::delete(&mut tx, event, &[(pair[0].id, photo)]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(focus(&world, photo).await, Some((0.65, 0.4)));

        // In the trash too.
        let stranger = face(&world, 0.0, 0.0);
        world.index(photo, "a", &[stranger.clone(), face(&world, 0.4, 0.4)]).await;
        let all = Collection::Event(event);
        let mut tx = world.begin().await;
        trash::put(&mut tx, all, &[photo], world.now()).await.unwrap();
        tx.commit().await.unwrap();
        let kept = async || trash::by_id(db, photo).await.unwrap().unwrap().photo.focus.map(Focus::fractions);
        assert_eq!(kept().await, Some((0.25, 0.3)));
        let mut tx = world.begin().await;
        trash::delete_faces(&mut tx, &[stranger.id]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(kept().await, Some((0.45, 0.5)));
        let mut tx = world.begin().await;
        trash::restore(&mut tx, all, owner, &["a"], &[photo]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(focus(&world, photo).await, Some((0.45, 0.5)));
    }
}

#[tokio::test]
async fn photos_that_a_version_before_has_indexed_are_looked_at_where_their_faces_are() {
    // [GAL447]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let [one, two, without] = [
            world.photo(owner, None).await.id,
            world.photo(owner, None).await.id,
            world.photo(owner, None).await.id,
        ];
        world.index(one, "a", &[face(&world, 0.2, 0.1)]).await;
        world.index(two, "a", &[face(&world, 0.5, 0.5)]).await;
        world.index(without, "a", &[]).await;
        assert_eq!(photos::unfocused(db, None, 9).await.unwrap(), []);
        change(db, "UPDATE photos SET focus_x = NULL, focus_y = NULL, cover_rank = NULL").await;
        assert_eq!(photos::unfocused(db, None, 1).await.unwrap(), [one]);
        assert_eq!(photos::unfocused(db, Some(one), 9).await.unwrap(), [two]);
        let mut tx = world.begin().await;
        photos::refocus(&mut tx, &[one, two, without, world.id()]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(focus(&world, one).await, Some((0.25, 0.2)));
        assert_eq!(focus(&world, two).await, Some((0.55, 0.6)));
        assert_eq!(focus(&world, without).await, None);
        assert_eq!(photos::unfocused(db, None, 9).await.unwrap(), []);
    }
}
