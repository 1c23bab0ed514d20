//! What must hold of concurrent transactions.

use std::collections::HashSet;
use std::time::Duration;

use domain::accounts::tokens::hash_token;
use domain::accounts::{EmailAddress, LinkPurpose};
use domain::ids::Id as _;
use domain::operations::runtime::jobs::JobKind;
use domain::payments::ledger::LedgerKind;
use domain::payments::money::{PHOTO_PRICE, SIGNUP_CREDIT};
use domain::photos::Photo;
use domain::photos::redactions::Redaction;
use domain::{Job, JobId, Paise, PhotoId};
use futures::future::join_all;
use storage::accounts::links::{self, NewLink};
use storage::accounts::users;
use storage::events::{self, Deletion};
use storage::operations::runtime::{jobs, secrets};
use storage::payments::ledger::{self, Spending};
use storage::photos::{self, Indexed, Inserted, redactions};
use storage::{Engine, Tx};

use crate::world::{COLOR, DAY, NOON, insert, worlds};

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
                    let inserted = insert(&mut tx, &photo).await;
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
                let (lease, until) = (format!("worker {worker}"), NOON.plus(DAY));
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
                insert(&mut tx, &new).await;
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
                    preview_crc32: 7,
                    medium_bytes: 7,
                    appearance: None,
                    faces: &[face],
                };
                assert!(photos::finish_indexing(&mut tx, old.id, &indexed).await.unwrap().is_some());
                tx.commit().await.unwrap();
                let mut tx = db.begin().await.unwrap();
                assert!(storage::testing::remove_photo(&mut tx, old.id).await);
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

/// What becomes of an upload that need not wait; the database gives up on a lock after ten seconds.
async fn within_seconds<T>(upload: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(5), upload).await.expect("it waits for another upload")
}

#[tokio::test]
async fn uploads_do_not_wait_for_those_of_others_nor_for_one_that_is_being_written() {
    // [RUN270]
    for world in worlds().await.into_iter().filter(|world| world.db.engine() == Engine::Postgres) {
        let mut photographers = Vec::new();
        for name in ["a", "b", "c"] {
            let user = world.user(&format!("{name}@example.com")).await;
            world.grant(user, LedgerKind::Signup, SIGNUP_CREDIT).await;
            photographers.push((user, world.event(user, "2026-11-14").await));
        }
        let write = async |tx: &mut Tx, photo: &Photo| {
            assert_eq!(photos::insert(tx, photo).await.unwrap(), Inserted::Added);
            redactions::put(&mut *tx, &photo.key, &Redaction { patches: Vec::new(), crc32: 7 })
                .await
                .unwrap();
            let job = Job::IndexPhoto { photo: photo.id };
            jobs::enqueue(tx, world.id(), &job, NOON, NOON).await.unwrap();
        };
        let finish = async |tx: &mut Tx, photo: &Photo| {
            assert!(photos::count_insertion(tx, photo).await.unwrap());
            let entry = world.entry(photo.owner, LedgerKind::Upload, PHOTO_PRICE);
            assert!(matches!(ledger::spend(tx, &entry).await.unwrap(), Spending::Charged { .. }));
        };
        let (user, event) = photographers[0];
        for collection in [Some(event), None] {
            // One has all but its commit, so that those of another photographer do not wait for its locks.
            let first = world.new_photo(user, collection);
            let mut held = world.begin().await;
            write(&mut held, &first).await;
            finish(&mut held, &first).await;
            for (other, their_event) in &photographers[1..] {
                let photo = world.new_photo(*other, collection.and(Some(*their_event)));
                let mut tx = world.begin().await;
                within_seconds(write(&mut tx, &photo)).await;
                within_seconds(finish(&mut tx, &photo)).await;
                tx.commit().await.unwrap();
            }
            // Nor does another of the same event, until it comes to the counters.
            let second = world.new_photo(user, collection);
            let mut tx = world.begin().await;
            within_seconds(write(&mut tx, &second)).await;
            held.commit().await.unwrap();
            finish(&mut tx, &second).await;
            tx.commit().await.unwrap();

            // One that is being written holds nobody up: neither an upload nor the indexing and deletion of another photo.
            let slow = world.new_photo(user, collection);
            let mut held = world.begin().await;
            write(&mut held, &slow).await;
            let quick = within_seconds(world.photo(user, collection)).await;
            assert!(within_seconds(world.index(quick.id, "a", &[world.face(1.0)])).await);
            let mut tx = world.begin().await;
            assert!(within_seconds(storage::testing::remove_photo(&mut tx, quick.id)).await);
            tx.commit().await.unwrap();
            finish(&mut held, &slow).await;
            held.commit().await.unwrap();
        }
        let seen = world.seen(event).await;
        assert_eq!((seen.photos_uploaded, seen.indexing.total), (4, 3));
    }
}

#[tokio::test]
async fn an_upload_that_is_being_written_does_not_outlive_its_event() {
    // [EVT069] [RUN270]
    for world in worlds().await.into_iter().filter(|world| world.db.engine() == Engine::Postgres) {
        let user = world.user("a@example.com").await;
        let event = world.event(user, "2026-11-14").await;
        let photo = world.new_photo(user, Some(event));
        let mut held = world.begin().await;
        assert_eq!(photos::insert(&mut held, &photo).await.unwrap(), Inserted::Added);
        let mut tx = world.begin().await;
        let deletion = events::begin_deletion(
            &mut tx,
            event,
            user,
            world.id(),
            NOON,
            NOON.plus(domain::photos::TRASH_PERIOD),
        );
        assert_eq!(within_seconds(deletion).await.unwrap(), Deletion::Done, "no photo is committed");
        tx.commit().await.unwrap();
        assert!(!photos::count_insertion(&mut held, &photo).await.unwrap());
        drop(held);
        assert_eq!(photos::by_id(&world.db, photo.id).await.unwrap(), None);

        // One that has counted its photo comes before the deletion, which waits for it.
        let event = world.event(user, "2026-11-14").await;
        let photo = world.new_photo(user, Some(event));
        let mut held = world.begin().await;
        insert(&mut held, &photo).await;
        let (db, job) = (world.db.clone(), world.id());
        let deletion = tokio::spawn(async move {
            let mut tx = db.begin().await.unwrap();
            let deletion = events::begin_deletion(
                &mut tx,
                event,
                user,
                job,
                NOON,
                NOON.plus(domain::photos::TRASH_PERIOD),
            )
            .await
            .unwrap();
            tx.commit().await.unwrap();
            deletion
        });
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert!(!deletion.is_finished());
        held.commit().await.unwrap();
        assert_eq!(deletion.await.unwrap(), Deletion::Started);
    }
}

#[tokio::test]
async fn an_account_is_closed_while_an_upload_is_being_written() {
    // [ACC053] [RUN270]
    for world in worlds().await.into_iter().filter(|world| world.db.engine() == Engine::Postgres) {
        let user = world.user("a@example.com").await;
        let event = world.event(user, "2026-11-14").await;
        let photo = world.new_photo(user, Some(event));
        let mut held = world.begin().await;
        assert_eq!(photos::insert(&mut held, &photo).await.unwrap(), Inserted::Added);
        let mut tx = world.begin().await;
        let deletion = events::close(&mut tx, event, user, world.id(), NOON).await.unwrap();
        assert_eq!(deletion, Deletion::Done, "no photo is committed");
        // The event is locked by now, and the upload will ask for it.
        assert!(within_seconds(users::close(&mut tx, user, NOON)).await.unwrap());
        tx.commit().await.unwrap();
        assert!(!photos::count_insertion(&mut held, &photo).await.unwrap());
    }
}

#[tokio::test]
async fn a_change_of_address_and_rows_of_the_account_do_not_deadlock() {
    // [RUN376]
    // What another transaction has inserted refers to the account, which it then changes too: the reference must not hold up a
    // change of the address, which has the account locked by then.
    for world in worlds().await.into_iter().filter(|world| world.db.engine() == Engine::Postgres) {
        let user = world.user("a@example.com").await;
        world.grant(user, LedgerKind::Signup, SIGNUP_CREDIT).await;
        let new = EmailAddress::parse("b@example.com").unwrap();
        let mut changing = world.begin().await;
        assert!(users::set_pending_email(&mut changing, user, &new, false).await.unwrap());
        changing.commit().await.unwrap();

        let mut inserting = world.begin().await;
        let link = NewLink {
            hash: hash_token("revoke"),
            purpose: LinkPurpose::RevokeEmailChange,
            user,
            email: EmailAddress::parse("a@example.com").unwrap(),
            new_email: None,
            created_at: NOON,
            expires_at: NOON.plus(DAY),
        };
        links::create(&mut inserting, &link).await.unwrap();
        let mut changing = world.begin().await;
        assert!(users::confirm_pending_email(&mut changing, user, &new).await.unwrap().is_some());
        let entry = world.entry(user, LedgerKind::Upload, PHOTO_PRICE);
        let (verified, charged) = tokio::join!(
            async {
                let verified = users::verify_email(&mut changing, user, &new, NOON).await;
                changing.commit().await.unwrap();
                verified
            },
            async {
                let charged = ledger::spend(&mut inserting, &entry).await;
                inserting.commit().await.unwrap();
                charged
            }
        );
        assert!(verified.unwrap());
        assert!(matches!(charged.unwrap(), Spending::Charged { .. }));
    }
}
