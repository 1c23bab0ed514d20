//! What must hold of concurrent transactions.

use std::collections::HashSet;
use std::time::Duration;

use domain::ids::Id as _;
use domain::jobs::JobKind;
use domain::ledger::LedgerKind;
use domain::money::{PHOTO_PRICE, SIGNUP_CREDIT};
use domain::{Job, JobId, Paise, PhotoId};
use futures::future::join_all;
use storage::ledger::Spending;
use storage::photos::{Indexed, Inserted};
use storage::{jobs, ledger, photos, secrets, users};

use crate::world::{COLOR, NOON, worlds};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_hundred_credits_pay_for_a_hundred_photos() {
    // [PAY039]
    for world in worlds().await {
        let user = world.user("a@example.com").await;
        world.grant(user, LedgerKind::Signup, SIGNUP_CREDIT).await;
        let spending = (0..140).map(|_| {
            let (db, entry) = (world.db.clone(), world.entry(user, LedgerKind::Upload, PHOTO_PRICE));
            tokio::spawn(async move {
                let mut tx = db.begin().await.unwrap();
                let spending = ledger::spend(&mut tx, &entry).await.unwrap();
                tx.commit().await.unwrap();
                spending
            })
        });
        let outcomes: Vec<_> = join_all(spending).await.into_iter().map(|outcome| outcome.unwrap()).collect();
        let charged = outcomes.iter().filter(|outcome| matches!(outcome, Spending::Charged { .. })).count();
        let refused = outcomes.iter().filter(|outcome| matches!(outcome, Spending::Insufficient)).count();
        assert_eq!((charged, refused), (100, 40));
        assert_eq!(world.loaded(user).await.credits, Paise::ZERO);
        assert_eq!(ledger::totals(&world.db, user).await.unwrap().uploads, 100);
        let balances: HashSet<_> =
            ledger::entries(&world.db, user).await.unwrap().iter().map(|entry| entry.balance_after).collect();
        assert_eq!(balances.len(), 101, "each balance once: 10,000 down to 0");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn equal_uploads_make_one_photo_and_one_charge() {
    // [UPL073]
    for world in worlds().await {
        let user = world.user("a@example.com").await;
        world.grant(user, LedgerKind::Signup, SIGNUP_CREDIT).await;
        for event in [Some(world.event(user, "2026-11-14").await), None] {
            let first = world.new_photo(user, event);
            let uploads = (0..8).map(|_| {
                let mut photo = world.new_photo(user, event);
                photo.content_hash = first.content_hash;
                let (db, entry) = (world.db.clone(), world.entry(user, LedgerKind::Upload, PHOTO_PRICE));
                tokio::spawn(async move {
                    let mut tx = db.begin().await.unwrap();
                    let inserted = photos::insert(&mut tx, &photo).await.unwrap();
                    if inserted == Inserted::Added {
                        ledger::spend(&mut tx, &entry).await.unwrap();
                        tx.commit().await.unwrap();
                    }
                    (photo.id, inserted)
                })
            });
            let outcomes: Vec<_> =
                join_all(uploads).await.into_iter().map(|outcome| outcome.unwrap()).collect();
            let added: Vec<_> =
                outcomes.iter().filter(|(_, inserted)| *inserted == Inserted::Added).collect();
            assert_eq!(added.len(), 1);
            for (id, inserted) in &outcomes {
                if let Inserted::Duplicate(there) = inserted {
                    assert!(there.id == added[0].0 && there.id != *id);
                }
            }
        }
        assert_eq!(ledger::totals(&world.db, user).await.unwrap().uploads, 2);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn eight_workers_do_each_of_fifty_jobs_once() {
    for world in worlds().await {
        let mut tx = world.begin().await;
        for _ in 0..50 {
            let job = Job::IndexPhoto { photo: PhotoId::from_parts(NOON, [1; 10]) };
            jobs::enqueue(&mut tx, world.id(), &job, NOON, NOON).await.unwrap();
        }
        tx.commit().await.unwrap();
        let workers = (0..8).map(|worker| {
            let db = world.db.clone();
            tokio::spawn(async move {
                let (lease, until) = (format!("worker {worker}"), NOON.plus(Duration::from_secs(60)));
                let mut done: Vec<JobId> = Vec::new();
                while let Some(job) =
                    jobs::claim(&db, &[JobKind::IndexPhoto], &lease, NOON, until).await.unwrap()
                {
                    let mut tx = db.begin().await.unwrap();
                    assert!(jobs::complete(&mut tx, job.id, &lease, NOON).await.unwrap());
                    tx.commit().await.unwrap();
                    done.push(job.id);
                }
                done
            })
        });
        let done: Vec<_> = join_all(workers).await.into_iter().flat_map(|done| done.unwrap()).collect();
        assert_eq!(done.len(), 50);
        assert_eq!(done.into_iter().collect::<HashSet<_>>().len(), 50);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_address_and_a_secret_go_to_whoever_comes_first() {
    for world in worlds().await {
        let registrations = (0..8).map(|_| {
            let (db, user) = (world.db.clone(), world.new_user("a@example.com"));
            tokio::spawn(async move {
                let mut tx = db.begin().await.unwrap();
                let made = users::create(&mut tx, &user).await.unwrap();
                tx.commit().await.unwrap();
                made
            })
        });
        let made = join_all(registrations).await.into_iter().filter(|made| *made.as_ref().unwrap()).count();
        assert_eq!(made, 1);
        let secrets = (0..8_u8).map(|n| {
            let db = world.db.clone();
            tokio::spawn(async move { secrets::get_or_insert(&db, "links", &[n]).await.unwrap() })
        });
        let secrets: HashSet<_> = join_all(secrets).await.into_iter().map(|secret| secret.unwrap()).collect();
        assert_eq!(secrets.len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn uploads_indexing_and_deletion_in_one_event_do_not_deadlock() {
    for world in worlds().await {
        let user = world.user("a@example.com").await;
        world.grant(user, LedgerKind::Signup, SIGNUP_CREDIT).await;
        let event = world.event(user, "2026-11-14").await;
        let mut tasks = Vec::new();
        for _ in 0..20 {
            let (old, new) = (world.photo(user, Some(event)).await, world.new_photo(user, Some(event)));
            let entry = world.entry(user, LedgerKind::Upload, PHOTO_PRICE);
            let (face, db) = (world.face(1.0), world.db.clone());
            tasks.push(tokio::spawn(async move {
                let mut tx = db.begin().await.unwrap();
                photos::insert(&mut tx, &new).await.unwrap();
                ledger::spend(&mut tx, &entry).await.unwrap();
                tx.commit().await.unwrap();
            }));
            let db = world.db.clone();
            tasks.push(tokio::spawn(async move {
                let mut tx = db.begin().await.unwrap();
                let indexed = Indexed {
                    pack: "a",
                    average_color: COLOR,
                    preview_bytes: 7,
                    medium_bytes: 7,
                    faces: &[face],
                };
                assert!(photos::finish_indexing(&mut tx, old.id, &indexed).await.unwrap());
                tx.commit().await.unwrap();
                let mut tx = db.begin().await.unwrap();
                assert!(photos::delete(&mut tx, old.id, user).await.unwrap().is_some());
                tx.commit().await.unwrap();
            }));
        }
        for task in tasks {
            task.await.unwrap();
        }
        let seen = world.seen(event).await;
        assert_eq!((seen.photos_uploaded, seen.indexing.total, seen.faces_indexed), (40, 20, 0));
    }
}
