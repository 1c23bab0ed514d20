//! Transactions that change the same photos, one before each statement of the other. PostgreSQL only: SQLite has one writer.

use std::future::Future;

use domain::{EventId, PhotoId, UserId};
use storage::operations::integrity;
use storage::photos::{self, Collection, trash};
use storage::testing::rival_before;
use storage::{Engine, Tx};

use crate::world::{World, worlds};

/// Most statements that a transaction of these tests can have.
const STATEMENTS: usize = 60;

struct Shoot {
    world: World,
    owner: UserId,
    event: EventId,
}

/// What a transaction did with photos.
#[derive(Debug, PartialEq, Eq)]
enum Done {
    Trashed(u64),
    Restored(Vec<PhotoId>),
    Removed(Vec<PhotoId>),
    Deleted(Vec<PhotoId>),
    Indexed(bool),
}

/// What a rival does.
#[derive(Clone, Copy, Debug)]
enum Act {
    Trash,
    Restore,
    Remove,
    Delete,
    Index,
}

impl Shoot {
    async fn new() -> Self {
        let world = worlds().await.into_iter().find(|world| world.db.engine() == Engine::Postgres).unwrap();
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        Self { world, owner, event }
    }

    async fn photos(&self, trashed: bool) -> Vec<PhotoId> {
        let mut photos = Vec::new();
        for _ in 0..2 {
            let photo = self.world.photo(self.owner, Some(self.event)).await.id;
            assert!(self.world.index(photo, "a", &[self.world.face(1.0)]).await);
            photos.push(photo);
        }
        if trashed {
            assert_eq!(self.perform(Act::Trash, &photos).await, Done::Trashed(2));
        }
        photos
    }

    async fn perform(&self, act: Act, ids: &[PhotoId]) -> Done {
        let mut tx: Tx = self.world.begin().await;
        let collection = Collection::Event(self.event);
        let done = match act {
            Act::Trash => {
                Done::Trashed(trash::put(&mut tx, collection, ids, self.world.now()).await.unwrap())
            }
            Act::Restore => {
                let restored = trash::restore(&mut tx, collection, self.owner, &["a"], ids).await.unwrap();
                Done::Restored(restored.photos.into_iter().map(|photo| photo.id).collect())
            }
            Act::Remove => {
                let removed = trash::remove(&mut tx, ids).await.unwrap();
                Done::Removed(removed.into_iter().map(|photo| photo.id).collect())
            }
            Act::Delete => Done::Deleted(photos::delete_many(&mut tx, collection, ids).await.unwrap()),
            Act::Index => {
                let faces = [self.world.face(2.0), self.world.face(3.0)];
                drop(tx);
                return Done::Indexed(self.world.index(ids[0], "a", &faces).await);
            }
        };
        tx.commit().await.unwrap();
        done
    }

    /// Each photo is in one place at most, and everything is counted as it is.
    async fn assert_consistent(&self, what: &str, ids: &[PhotoId]) {
        let db = &self.world.db;
        for id in ids {
            let (listed, trashed) =
                (photos::by_id(db, *id).await.unwrap(), trash::by_id(db, *id).await.unwrap());
            assert!(listed.is_none() || trashed.is_none(), "{what}: {id} is in both places");
        }
        assert!(integrity::miscounted_events(db).await.unwrap().is_empty(), "{what}");
        assert!(integrity::miscounted_libraries(db).await.unwrap().is_empty(), "{what}");
        assert!(integrity::miscounted_photos(db).await.unwrap().is_empty(), "{what}");
    }
}

/// Lets `rival` come before each statement of `first`, with new photos each time.
async fn each_order<F>(
    first: Act,
    rival: Act,
    trashed: bool,
    check: impl Fn(String, Vec<PhotoId>, Done, Done) -> F,
) where
    F: Future<Output = ()>,
{
    let shoot = Shoot::new().await;
    for place in 0..STATEMENTS {
        let ids = shoot.photos(trashed).await;
        let outcome = rival_before(place, shoot.perform(first, &ids), shoot.perform(rival, &ids)).await;
        let what = format!("{rival:?} before statement {place} of {first:?}: {outcome:?}");
        shoot.assert_consistent(&what, &ids).await;
        let is_between = outcome.is_between;
        check(what, ids, outcome.first, outcome.rival).await;
        if !is_between {
            assert!(place > 3, "the first one has statements to come before");
            return;
        }
    }
    panic!("{first:?} has more statements than {STATEMENTS}");
}

#[tokio::test]
async fn what_is_restored_was_not_removed_for_good_meanwhile() {
    // [SAFE321]
    let check = async |what: String, ids: Vec<PhotoId>, first: Done, rival: Done| {
        let (mut all, removed) = match (first, rival) {
            (Done::Restored(restored), Done::Removed(removed))
            | (Done::Removed(removed), Done::Restored(restored)) => (restored, removed),
            other => panic!("{what}: {other:?}"),
        };
        all.extend(removed);
        all.sort_unstable();
        assert_eq!(all, ids, "{what}: each is restored or removed, and told so once");
    };
    each_order(Act::Restore, Act::Remove, true, check).await;
    each_order(Act::Remove, Act::Restore, true, check).await;
}

#[tokio::test]
async fn photos_are_moved_and_counted_once_whoever_moves_them_at_the_same_time() {
    // [SAFE322]
    let once = async |what: String, ids: Vec<PhotoId>, first: Done, rival: Done| {
        let number = |done: &Done| match done {
            Done::Trashed(number) => *number,
            Done::Restored(photos) | Done::Removed(photos) | Done::Deleted(photos) => photos.len() as u64,
            Done::Indexed(_) => 0,
        };
        assert_eq!(number(&first) + number(&rival), ids.len() as u64, "{what}");
    };
    each_order(Act::Trash, Act::Trash, false, once).await;
    each_order(Act::Trash, Act::Delete, false, once).await;
    each_order(Act::Delete, Act::Trash, false, once).await;
    each_order(Act::Restore, Act::Restore, true, once).await;
}

#[tokio::test]
async fn faces_of_a_photo_that_is_indexed_meanwhile_go_with_it() {
    let check = async |what: String, _: Vec<PhotoId>, first: Done, _: Done| {
        assert!(matches!(first, Done::Trashed(2) | Done::Restored(_)), "{what}");
    };
    each_order(Act::Trash, Act::Index, false, check).await;
    each_order(Act::Restore, Act::Index, true, check).await;
}
