//! The job queue.

use std::time::Duration;

use domain::ids::Id as _;
use domain::operations::runtime::jobs::JobKind;
use domain::photos::failures::FailureCause;
use domain::{Job, JobId, PhotoId, Timestamp, UserId};
use storage::operations::runtime::jobs::{self, Backlog, JobState};

use crate::world::{DAY, NOON, World, worlds};

const MINUTE: Duration = Duration::from_secs(60);
const INDEX: &[JobKind] = &[JobKind::IndexPhoto];

fn index() -> Job {
    Job::IndexPhoto { photo: PhotoId::from_parts(NOON, [1; 10]) }
}

fn mail() -> Job {
    Job::SendVerification { user: UserId::from_parts(NOON, [1; 10]) }
}

async fn push(world: &World, job: &Job, run_at: Timestamp) -> JobId {
    let id = world.id();
    let mut tx = world.begin().await;
    jobs::enqueue(&mut tx, id, job, NOON, run_at).await.unwrap();
    tx.commit().await.unwrap();
    id
}

#[tokio::test]
async fn jobs_come_in_the_order_in_which_they_are_due() {
    for world in worlds().await {
        let db = &world.db;
        let later = push(&world, &index(), NOON.plus(MINUTE)).await;
        let now = push(&world, &index(), NOON).await;
        push(&world, &mail(), NOON.minus(MINUTE)).await;
        push(&world, &index(), NOON.plus(DAY)).await;
        assert_eq!(jobs::next_run_at(db, INDEX).await.unwrap(), Some(NOON));
        assert_eq!(jobs::next_run_at(db, &[JobKind::ClearAccount]).await.unwrap(), None);
        assert_eq!(jobs::next_run_at(db, &[]).await.unwrap(), None);

        let at = NOON.plus(MINUTE);
        let claim = async |lease: &str| jobs::claim(db, INDEX, lease, at, at.plus(MINUTE)).await.unwrap();
        let first = claim("one").await.unwrap();
        assert_eq!((first.id, first.job, first.attempts), (now, index(), 1));
        assert_eq!(claim("two").await.unwrap().id, later);
        assert!(claim("three").await.is_none(), "the others are of another kind or not due");
        assert!(jobs::claim(db, &[], "four", at, at.plus(MINUTE)).await.unwrap().is_none());
        assert_eq!(jobs::next_run_at(db, INDEX).await.unwrap(), Some(at.plus(MINUTE)), "when a lease ends");
    }
}

#[tokio::test]
async fn a_lease_that_runs_out_frees_its_job() {
    // [SAFE019]
    for world in worlds().await {
        let db = &world.db;
        let id = push(&world, &index(), NOON).await;
        let until = NOON.plus(MINUTE);
        jobs::claim(db, INDEX, "dead", NOON, until).await.unwrap().unwrap();
        assert!(jobs::renew(db, id, "dead", until.plus(MINUTE)).await.unwrap());
        assert!(!jobs::renew(db, id, "alive", until.plus(DAY)).await.unwrap());
        assert!(
            jobs::claim(db, INDEX, "alive", until, until.plus(DAY)).await.unwrap().is_none(),
            "it was renewed"
        );
        let until = until.plus(MINUTE);
        let taken = jobs::claim(db, INDEX, "alive", until, until.plus(MINUTE)).await.unwrap().unwrap();
        assert_eq!((taken.id, taken.attempts), (id, 2));

        // The first worker comes back and finds that nothing is its own any more.
        assert!(!jobs::renew(db, id, "dead", until.plus(DAY)).await.unwrap());
        let mut tx = world.begin().await;
        assert!(!jobs::complete(&mut tx, id, "dead", until).await.unwrap());
        assert!(!jobs::retry(&mut tx, id, "dead", "late", until).await.unwrap());
        assert!(!jobs::fail(&mut tx, id, "dead", "late", until).await.unwrap());
        assert!(jobs::complete(&mut tx, id, "alive", until).await.unwrap());
        assert!(!jobs::complete(&mut tx, id, "alive", until).await.unwrap());
        tx.commit().await.unwrap();
        let done = jobs::by_id(db, id).await.unwrap().unwrap();
        assert_eq!((done.state, done.finished_at, done.leased_until), (JobState::Done, Some(until), None));
        assert_eq!(jobs::by_id(db, world.id()).await.unwrap(), None);
    }
}

#[tokio::test]
async fn a_job_is_retried_fails_and_is_requeued() {
    for world in worlds().await {
        let db = &world.db;
        let (failing, waiting) =
            (push(&world, &mail(), NOON).await, push(&world, &mail(), NOON.plus(DAY)).await);
        let kinds = &[JobKind::IndexPhoto, JobKind::SendVerification];
        jobs::claim(db, kinds, "a", NOON, NOON.plus(MINUTE)).await.unwrap().unwrap();
        let mut tx = world.begin().await;
        assert!(jobs::retry(&mut tx, failing, "a", "no answer", NOON.plus(MINUTE)).await.unwrap());
        tx.commit().await.unwrap();
        let row = jobs::by_id(db, failing).await.unwrap().unwrap();
        assert_eq!((row.state, row.run_at, row.attempts), (JobState::Queued, NOON.plus(MINUTE), 1));
        assert_eq!(
            (row.job, row.last_error.as_deref(), row.created_at),
            (Some(mail()), Some("no answer"), NOON)
        );

        let now = NOON.plus(MINUTE);
        jobs::claim(db, kinds, "b", now, now.plus(MINUTE)).await.unwrap().unwrap();
        let running = Backlog {
            kind: String::from("send_verification"),
            queued: 1,
            running: 1,
            failed: 0,
            oldest_run_at: Some(NOON.plus(DAY)),
        };
        assert_eq!(jobs::backlog(db, now).await.unwrap(), [running]);
        let mut tx = world.begin().await;
        assert!(jobs::fail(&mut tx, failing, "b", "never", now).await.unwrap());
        tx.commit().await.unwrap();
        let backlog = jobs::backlog(db, now).await.unwrap();
        assert_eq!((backlog[0].queued, backlog[0].running, backlog[0].failed), (1, 0, 1));
        let failed = jobs::in_state(db, JobState::Failed, None, 9).await.unwrap();
        assert_eq!(jobs::failed_of_kind(db, JobKind::SendVerification, None, 9).await.unwrap(), failed);
        assert!(jobs::failed_of_kind(db, JobKind::ClearAccount, None, 9).await.unwrap().is_empty());
        assert!(
            jobs::failed_of_kind(db, JobKind::SendVerification, Some(failing), 9).await.unwrap().is_empty()
        );
        assert_eq!((failed.len(), failed[0].id, failed[0].finished_at), (1, failing, Some(now)));
        assert!(jobs::in_state(db, JobState::Failed, Some(failing), 9).await.unwrap().is_empty());

        let mut tx = world.begin().await;
        assert!(jobs::requeue(&mut tx, failing, &mail(), now).await.unwrap());
        assert!(!jobs::requeue(&mut tx, waiting, &mail(), now).await.unwrap());
        tx.commit().await.unwrap();
        jobs::claim(db, kinds, "dead", now, now.plus(MINUTE)).await.unwrap().unwrap();
        let mut tx = world.begin().await;
        assert!(!jobs::release(&mut tx, failing, now).await.unwrap(), "its lease is good");
        assert!(jobs::release(&mut tx, failing, now.plus(MINUTE)).await.unwrap());
        assert!(jobs::retry(&mut tx, failing, "dead", "late", now).await.is_ok_and(|held| !held));
        tx.commit().await.unwrap();
        let again = jobs::claim(db, kinds, "c", now, now.plus(MINUTE)).await.unwrap().unwrap();
        assert_eq!((again.id, again.attempts), (failing, 2));
        let mut tx = world.begin().await;
        jobs::complete(&mut tx, failing, "c", now).await.unwrap();
        assert_eq!(jobs::delete_done(&mut tx, now).await.unwrap(), 0);
        assert_eq!(jobs::delete_done(&mut tx, now.plus(MINUTE)).await.unwrap(), 1);
        tx.commit().await.unwrap();
        let left = jobs::in_state(db, JobState::Queued, None, 9).await.unwrap();
        assert_eq!(left.iter().map(|job| job.id).collect::<Vec<_>>(), [waiting]);
    }
}

#[tokio::test]
async fn a_job_whose_payload_cannot_be_read_fails_by_its_id_and_stops_no_other() {
    // [SAFE041]
    for world in worlds().await {
        let db = &world.db;
        let strange = push(&world, &index(), NOON.minus(MINUTE)).await;
        let plain = push(&world, &index(), NOON).await;
        crate::parity::change(db, &format!("UPDATE jobs SET payload = '{{}}' WHERE id = '{strange}'")).await;
        assert_eq!(jobs::claim(db, INDEX, "a", NOON, NOON.plus(MINUTE)).await.unwrap().unwrap().id, plain);
        let failed = jobs::in_state(db, JobState::Failed, None, 9).await.unwrap();
        assert_eq!(failed.iter().map(|row| row.id).collect::<Vec<_>>(), [strange]);
        assert_eq!((failed[0].kind.as_str(), &failed[0].job, failed[0].attempts), ("index_photo", &None, 1));
        assert!(failed[0].last_error.as_deref().is_some_and(|reason| reason.contains("payload")));
        let later = NOON.plus(MINUTE * 9);
        let again = jobs::claim(db, INDEX, "a", later, later.plus(MINUTE)).await.unwrap().unwrap();
        assert_eq!(again.id, plain, "no worker has a lease of it any more");
        let mut tx = world.begin().await;
        assert!(jobs::requeue(&mut tx, strange, &index(), later).await.unwrap());
        tx.commit().await.unwrap();
        let readable = jobs::claim(db, INDEX, "b", later, later.plus(MINUTE)).await.unwrap().unwrap();
        assert_eq!((readable.id, readable.job), (strange, index()), "its payload is written anew");
    }
}

#[tokio::test]
async fn a_worker_can_enqueue_a_job_that_it_has_leased() {
    for world in worlds().await {
        let (db, id, until) = (&world.db, world.id(), NOON.plus(MINUTE));
        let mut tx = world.begin().await;
        let held = jobs::enqueue_leased(&mut tx, id, &index(), "mine", NOON, until).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!((held.id, held.job, held.attempts), (id, index(), 1));
        assert!(jobs::claim(db, INDEX, "other", NOON, until).await.unwrap().is_none(), "it is held");
        let taken = jobs::claim(db, INDEX, "other", until, until.plus(MINUTE)).await.unwrap().unwrap();
        assert_eq!((taken.id, taken.attempts), (id, 2), "its worker never settled it");
        let mut tx = world.begin().await;
        assert!(!jobs::complete(&mut tx, id, "mine", until).await.unwrap());
        tx.commit().await.unwrap();
    }
}

#[tokio::test]
async fn a_claim_counts_the_crashes_before_it() {
    // [SAFE060]
    for world in worlds().await {
        let db = &world.db;
        let id = push(&world, &index(), NOON).await;
        let mut now = NOON;
        let mut claim = async |lease: &str| {
            now = now.plus(MINUTE);
            (now, jobs::claim(db, INDEX, lease, now, now.plus(MINUTE)).await.unwrap().unwrap().crashes)
        };
        assert_eq!(claim("a").await.1, 0);
        assert_eq!(claim("b").await.1, 1);
        assert_eq!(claim("c").await.1, 2);
        assert_eq!(
            claim("d").await.1,
            2,
            "it was not begun exclusively, so another job may have crashed the process"
        );
        assert!(!jobs::begin_exclusive(db, id, "c").await.unwrap(), "that lease is lost");
        assert!(jobs::begin_exclusive(db, id, "d").await.unwrap());
        let (at, crashes) = claim("e").await;
        assert_eq!(crashes, 3);

        let mut tx = world.begin().await;
        assert!(jobs::fail(&mut tx, id, "e", "it ended the process", at).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(jobs::by_id(db, id).await.unwrap().unwrap().crashes, 3, "operators see it");
        let mut tx = world.begin().await;
        assert!(jobs::requeue(&mut tx, id, &index(), at).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(claim("f").await.1, 0);
        let (at, crashes) = claim("g").await;
        assert_eq!(crashes, 1);
        let mut tx = world.begin().await;
        assert!(jobs::retry(&mut tx, id, "g", "no answer", at).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(claim("h").await.1, 0, "it ended with a word in between");
    }
}

/// Adds a photo to an event and its job to the queue.
async fn upload(world: &World, owner: UserId, event: domain::EventId) -> PhotoId {
    let photo = world.photo(owner, Some(event)).await.id;
    push(world, &Job::IndexPhoto { photo }, NOON).await;
    photo
}

async fn claimed(world: &World) -> Option<PhotoId> {
    let (now, lease) = (NOON.plus(DAY), world.id::<JobId>().to_string());
    let claimed = jobs::claim(&world.db, INDEX, &lease, now, now.plus(MINUTE)).await.unwrap()?;
    let mut tx = world.begin().await;
    assert!(jobs::complete(&mut tx, claimed.id, &lease, now).await.unwrap());
    tx.commit().await.unwrap();
    claimed.job.photo()
}

#[tokio::test]
async fn events_are_scheduled_round_robin() {
    for world in worlds().await {
        let (a, b) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let (large, small) = (world.event(a, "2026-11-14").await, world.event(b, "2026-11-14").await);
        let mut many = Vec::new();
        for _ in 0..30 {
            many.push(upload(&world, a, large).await);
        }
        let mut many = many.into_iter();
        for _ in 0..10 {
            assert_eq!(claimed(&world).await, many.next());
        }
        let few = [upload(&world, b, small).await, upload(&world, b, small).await];
        let order: Vec<PhotoId> =
            [claimed(&world).await, claimed(&world).await, claimed(&world).await, claimed(&world).await]
                .into_iter()
                .flatten()
                .collect();
        let places: Vec<usize> =
            few.iter().map(|photo| order.iter().position(|claimed| claimed == photo).unwrap()).collect();
        assert!(places[0] <= 1 && places[1] <= 3, "the small event waits for the large one: {places:?}");

        // A job that waits to be tried again does not give a new event precedence over one that has waited long.
        let held = push(&world, &Job::IndexPhoto { photo: few[0] }, NOON).await;
        crate::parity::change(
            &world.db,
            &format!(
                "UPDATE jobs SET turn = 0, run_at = {} WHERE id = '{held}'",
                NOON.plus(DAY * 9).as_millis()
            ),
        )
        .await;
        let third = world.event(b, "2026-11-14").await;
        let late: Vec<PhotoId> =
            [upload(&world, b, third).await, upload(&world, b, third).await, upload(&world, b, third).await]
                .into();
        let next = [claimed(&world).await, claimed(&world).await, claimed(&world).await];
        let of_third = next.iter().flatten().filter(|photo| late.contains(photo)).count();
        assert!((1..=2).contains(&of_third), "they take turns");
    }
}

#[tokio::test]
async fn photos_are_indexed_again_when_nothing_else_is_due() {
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let again = world.photo(owner, Some(event)).await.id;
        let mut tx = world.begin().await;
        assert!(
            jobs::enqueue_in_background(&mut tx, world.id(), &Job::IndexPhoto { photo: again }, NOON)
                .await
                .unwrap()
        );
        tx.commit().await.unwrap();
        let new = [upload(&world, owner, event).await, upload(&world, owner, event).await];
        assert_eq!(claimed(&world).await, Some(new[0]));
        assert_eq!(claimed(&world).await, Some(new[1]));
        assert_eq!(claimed(&world).await, Some(again));
        assert_eq!(claimed(&world).await, None);
    }
}

#[tokio::test]
async fn the_jobs_of_a_photo_are_expedited_and_deleted() {
    // [UPL277]
    for world in worlds().await {
        let (db, Job::IndexPhoto { photo }) = (&world.db, index()) else { unreachable!("it is one") };
        let mut tx = world.begin().await;
        assert!(!jobs::hasten(&mut tx, photo, NOON).await.unwrap(), "nothing is queued for it");
        assert_eq!(jobs::forget_failed(&mut tx, photo).await.unwrap(), 0);
        tx.commit().await.unwrap();
        let id = push(&world, &index(), NOON.plus(DAY)).await;
        let mut tx = world.begin().await;
        assert!(jobs::hasten(&mut tx, photo, NOON).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(jobs::by_id(db, id).await.unwrap().unwrap().run_at, NOON);
        let mail = push(&world, &Job::SendVerification { user: world.id() }, NOON.plus(DAY)).await;
        let mut tx = world.begin().await;
        assert_eq!(jobs::hasten_all(&mut tx, NOON).await.unwrap(), 0, "it is due");
        assert_eq!(jobs::hasten_all(&mut tx, NOON.minus(MINUTE)).await.unwrap(), 1);
        assert!(jobs::hasten(&mut tx, photo, NOON).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(jobs::by_id(db, id).await.unwrap().unwrap().run_at, NOON.minus(MINUTE));
        assert_eq!(jobs::by_id(db, mail).await.unwrap().unwrap().run_at, NOON.plus(DAY));
        assert_eq!(jobs::claim(db, INDEX, "a", NOON, NOON.plus(MINUTE)).await.unwrap().unwrap().id, id);
        let mut tx = world.begin().await;
        assert_eq!(jobs::forget_failed(&mut tx, photo).await.unwrap(), 0, "it is worked on");
        assert!(!jobs::hasten(&mut tx, photo, NOON).await.unwrap(), "its worker may have looked already");
        assert!(jobs::fail(&mut tx, id, "a", "never", NOON).await.unwrap());
        assert_eq!(jobs::forget_failed(&mut tx, photo).await.unwrap(), 1);
        tx.commit().await.unwrap();
        assert_eq!(jobs::by_id(db, id).await.unwrap(), None);
    }
}

#[tokio::test]
async fn failures_of_the_previous_version_are_classified() {
    // [UPL195] [UPL197] The migration's own statements, on rows as that version left them.
    let migration = include_str!("../../migrations/sqlite/0004_indexing.sql");
    let updates: Vec<&str> =
        migration.split(';').filter(|statement| statement.contains("\nUPDATE ")).collect();
    assert_eq!(updates.len(), 2);
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let (exhausted, refused) = (upload(&world, owner, event).await, upload(&world, owner, event).await);
        let job = jobs::claim(&world.db, INDEX, "a", NOON, NOON.plus(MINUTE)).await.unwrap().unwrap();
        assert_eq!(job.job.photo(), Some(exhausted));
        let change = async |statement: &str| crate::parity::change(&world.db, statement).await;
        change(&format!("UPDATE jobs SET state = 'failed' WHERE id = '{}'", job.id)).await;
        change("UPDATE jobs SET photo_id = NULL, lane = NULL").await;
        change("UPDATE photos SET status = 'failed', failure = 'a reason', failure_cause = NULL").await;
        for update in &updates {
            change(update).await;
        }
        let mut causes = Vec::new();
        for photo in [exhausted, refused] {
            let photo = storage::photos::by_id(&world.db, photo).await.unwrap().unwrap();
            causes.push(photo.failure.unwrap().cause);
        }
        assert_eq!(causes, [FailureCause::Exhausted, FailureCause::Refused]);
        let mut tx = world.begin().await;
        assert_eq!(
            jobs::forget_failed(&mut tx, exhausted).await.unwrap(),
            1,
            "its job is known by the photo"
        );
        tx.commit().await.unwrap();
    }
}

#[tokio::test]
async fn jobs_that_a_clock_ahead_of_time_has_put_off_are_due() {
    // [SAFE323]
    for world in worlds().await {
        let (db, now, kinds) = (&world.db, world.now(), &[JobKind::SendVerification]);
        let (month, longest) = (MINUTE * 60 * 24 * 30, MINUTE * 60 * 24 * 2);
        let mut tx = world.begin().await;
        let (late, soon): (JobId, JobId) = (world.id(), world.id());
        jobs::enqueue(&mut tx, late, &mail(), now, now.plus(month)).await.unwrap();
        jobs::enqueue(&mut tx, soon, &mail(), now, now.plus(MINUTE)).await.unwrap();
        assert_eq!(jobs::bound_waits(&mut tx, now, longest).await.unwrap(), 1);
        tx.commit().await.unwrap();
        let claimed = jobs::claim(db, kinds, "a", now, now.plus(month)).await.unwrap().unwrap();
        assert_eq!(claimed.id, late);
        assert!(
            jobs::claim(db, kinds, "b", now, now.plus(MINUTE)).await.unwrap().is_none(),
            "the other waits"
        );

        let mut tx = world.begin().await;
        assert_eq!(jobs::bound_waits(&mut tx, now, longest).await.unwrap(), 0);
        tx.commit().await.unwrap();
        assert!(jobs::renew(db, late, "a", now.plus(MINUTE * 2)).await.unwrap(), "whoever works can go on");
        let again =
            jobs::claim(db, kinds, "b", now.plus(MINUTE), now.plus(MINUTE * 2)).await.unwrap().unwrap();
        assert_eq!(again.id, soon);
    }
}
