//! Guests who asked to be told of new photos.

use domain::accounts::EmailAddress;
use domain::accounts::tokens::hash_token;
use domain::events::Event;
use domain::events::flags::Flags;
use domain::guests::subscriptions::{Language, LinkPurpose, RecentMails, Subscription, ToldGuests};
use domain::{EventId, Job, JobId, PhotoId, SubscriptionId, UserId};
use storage::Engine;
use storage::events::{self, changes};
use storage::guests::archives;
use storage::guests::subscriptions::{self, MailedLink, NewLink};
use storage::operations::integrity;
use storage::photos::{Collection, trash};
use storage::testing::rival_before;

use crate::parity::change;
use crate::world::{DAY, World, worlds};

const KEY: [u8; 32] = [7; 32];

fn subscription(world: &World, event: EventId, email: &str) -> Subscription {
    Subscription {
        id: world.id(),
        event,
        email: EmailAddress::parse(email).unwrap(),
        language: Language::parse("pt-BR"),
        notice_version: String::from("2026-11"),
        template: vec![1, 2, 0, 255],
        created_at: world.now(),
        confirmed_at: None,
        checked_revision: -1,
        new_since: None,
        recent_mails: RecentMails::default(),
        last_download: Some(hash_token("search")),
    }
}

async fn with_key(world: &World, owner: UserId) -> EventId {
    let event = world.event(owner, "2026-11-14").await;
    let key = subscriptions::key_or_insert(&world.db, event, &KEY).await.unwrap();
    assert_eq!(key.as_deref(), Some(&KEY[..]));
    event
}

async fn create(world: &World, made: &Subscription, known: &[PhotoId], hidden: &[PhotoId]) -> bool {
    let mut tx = world.begin().await;
    let created = subscriptions::create(&mut tx, made, known, hidden).await.unwrap();
    tx.commit().await.unwrap();
    created
}

async fn confirm(world: &World, id: SubscriptionId) -> bool {
    let mut tx = world.begin().await;
    let confirmed = subscriptions::confirm(&mut tx, id, world.now()).await.unwrap();
    tx.commit().await.unwrap();
    confirmed
}

async fn there(world: &World, id: SubscriptionId) -> Option<Subscription> {
    subscriptions::by_id(&world.db, id).await.unwrap()
}

async fn known(world: &World, id: SubscriptionId) -> Vec<(PhotoId, bool)> {
    let known = subscriptions::known_photos(&world.db, id).await.unwrap();
    let mut known: Vec<_> = known.into_iter().map(|known| (known.photo, known.hidden)).collect();
    known.sort_unstable();
    known
}

#[tokio::test]
async fn the_key_of_an_event_is_made_once_and_goes_with_its_subscriptions() {
    // [TELL010] [TELL033]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let made = subscription(&world, event, "guest@example.com");
        assert_eq!(subscriptions::key(db, event).await.unwrap(), None);
        assert!(
            !create(&world, &made, &[], &[]).await,
            "without a key its template is encrypted with nothing"
        );
        for fresh in [KEY, [8; 32]] {
            let key = subscriptions::key_or_insert(db, event, &fresh).await.unwrap();
            assert_eq!(key.as_deref(), Some(&KEY[..]));
        }
        assert_eq!(subscriptions::key_or_insert(db, world.id(), &KEY).await.unwrap(), None);
        let photo = world.photo(owner, Some(event)).await.id;
        assert!(create(&world, &made, &[photo], &[]).await);
        assert_eq!(there(&world, made.id).await, Some(made.clone()));

        let mut tx = world.begin().await;
        events::close(&mut tx, event, owner, world.id(), world.now()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(there(&world, made.id).await, None);
        assert_eq!(subscriptions::key(db, event).await.unwrap(), None);
        assert_eq!(
            subscriptions::key_or_insert(db, event, &KEY).await.unwrap(),
            None,
            "no key for a closed one"
        );
        assert!(!create(&world, &subscription(&world, event, "late@example.com"), &[], &[]).await);
        assert!(integrity::leftover_subscriptions(db).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn subscriptions_of_a_closed_event_or_without_a_key_are_told() {
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = with_key(&world, owner).await;
        let made = subscription(&world, event, "guest@example.com");
        assert!(create(&world, &made, &[], &[]).await);
        assert!(integrity::leftover_subscriptions(db).await.unwrap().is_empty());
        for statement in ["UPDATE events SET deleting_since = 1", "UPDATE events SET subscription_key = NULL"]
        {
            change(db, statement).await;
            assert_eq!(integrity::leftover_subscriptions(db).await.unwrap(), [event], "{statement}");
        }
        let mut tx = world.begin().await;
        subscriptions::delete_of(&mut tx, event).await.unwrap();
        tx.commit().await.unwrap();
        assert!(integrity::leftover_subscriptions(db).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_confirmed_subscription_replaces_those_of_its_address_in_the_event() {
    // [TELL007]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (event, other) = (with_key(&world, owner).await, with_key(&world, owner).await);
        let [first, second, friend, elsewhere] = [
            (event, "Guest@example.com"),
            (event, "guest@example.com"),
            (event, "friend@example.com"),
            (other, "guest@example.com"),
        ]
        .map(|(event, email)| subscription(&world, event, email));
        for made in [&first, &second, &friend, &elsewhere] {
            assert!(create(&world, made, &[], &[]).await);
        }
        assert_eq!(subscriptions::count_unconfirmed(db, &first.email).await.unwrap(), 3);
        assert!(confirm(&world, first.id).await && !confirm(&world, first.id).await);
        assert_eq!(there(&world, first.id).await.unwrap().confirmed_at, Some(world.now()));
        assert_eq!(there(&world, second.id).await, None);
        assert!(there(&world, friend.id).await.is_some() && there(&world, elsewhere.id).await.is_some());
        assert_eq!(subscriptions::count_unconfirmed(db, &first.email).await.unwrap(), 1);
        assert!(!confirm(&world, second.id).await);

        let mut tx = world.begin().await;
        assert!(subscriptions::delete(&mut tx, first.id).await.unwrap());
        assert!(!subscriptions::delete(&mut tx, first.id).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(there(&world, first.id).await, None);
    }
}

#[tokio::test]
async fn links_outlive_their_subscription_until_they_expire() {
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = with_key(&world, owner).await;
        let made = subscription(&world, event, "guest@example.com");
        assert!(create(&world, &made, &[], &[]).await);
        let expires_at = world.now().plus(DAY);
        for (token, purpose) in [("one", LinkPurpose::Confirm), ("two", LinkPurpose::Unsubscribe)] {
            let link = NewLink {
                hash: hash_token(token),
                purpose,
                subscription: made.id,
                created_at: world.now(),
                expires_at,
            };
            let mut tx = world.begin().await;
            assert!(subscriptions::add_link(&mut tx, &link).await.unwrap());
            let stray = NewLink { hash: hash_token("three"), subscription: world.id(), ..link };
            assert!(!subscriptions::add_link(&mut tx, &stray).await.unwrap());
            tx.commit().await.unwrap();
            let expected = MailedLink { purpose, subscription: Some(made.id), expires_at };
            assert_eq!(subscriptions::link(db, &hash_token(token)).await.unwrap(), Some(expected));
        }
        assert_eq!(subscriptions::link(db, &hash_token("three")).await.unwrap(), None);
        let mut tx = world.begin().await;
        subscriptions::delete(&mut tx, made.id).await.unwrap();
        tx.commit().await.unwrap();
        let left = subscriptions::link(db, &hash_token("two")).await.unwrap().unwrap();
        assert_eq!((left.purpose, left.subscription), (LinkPurpose::Unsubscribe, None));
        for (before, deleted) in [(expires_at.minus(DAY), 0), (expires_at, 2)] {
            let mut tx = world.begin().await;
            assert_eq!(subscriptions::delete_expired_links(&mut tx, before).await.unwrap(), deleted);
            tx.commit().await.unwrap();
        }
    }
}

#[tokio::test]
async fn guests_who_are_told_are_counted_and_those_who_wait_for_their_first_mail() {
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (event, other) = (with_key(&world, owner).await, with_key(&world, owner).await);
        let counted = async || subscriptions::count_told(db, event).await.unwrap();
        assert_eq!(counted().await, ToldGuests::default());
        let made = ["one@example.com", "two@example.com", "three@example.com"]
            .map(|email| subscription(&world, event, email));
        for made in made.iter().chain([&subscription(&world, other, "one@example.com")]) {
            assert!(create(&world, made, &[], &[]).await);
        }
        assert_eq!(counted().await, ToldGuests::default(), "nobody has confirmed");
        for made in &made[..2] {
            confirm(&world, made.id).await;
        }
        assert_eq!(counted().await, ToldGuests { total: 2, waiting: 2 });
        let (none, one) = (RecentMails::default(), RecentMails::after(world.now()));
        assert!(subscriptions::set_recent_mails(db, made[0].id, &none, &one).await.unwrap());
        assert_eq!(counted().await, ToldGuests { total: 2, waiting: 1 });
    }
}

#[tokio::test]
async fn what_is_not_confirmed_goes_after_a_day_and_the_rest_after_a_year() {
    // [TELL031] [TELL035]
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let event = with_key(&world, owner).await;
        let made = ["one@example.com", "two@example.com"].map(|email| subscription(&world, event, email));
        for made in &made {
            assert!(create(&world, made, &[], &[]).await);
        }
        confirm(&world, made[0].id).await;
        let confirmed_at = world.now();
        let created_at = made[1].created_at;
        let never = confirmed_at.minus(DAY);
        for (unconfirmed, confirmed, deleted) in [
            (created_at.minus(std::time::Duration::from_millis(1)), never, 0),
            (created_at, never, 1),
            (created_at, confirmed_at, 1),
        ] {
            let mut tx = world.begin().await;
            let gone = subscriptions::delete_expired(&mut tx, unconfirmed, confirmed).await.unwrap();
            tx.commit().await.unwrap();
            assert_eq!(gone, deleted);
        }
    }
}

#[tokio::test]
async fn a_confirmed_subscription_is_due_when_its_event_changes_and_no_job_tells_it() {
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = with_key(&world, owner).await;
        let made = subscription(&world, event, "guest@example.com");
        assert!(create(&world, &made, &[], &[]).await);
        let due = async || subscriptions::due(db, None, 10).await.unwrap();
        assert!(due().await.is_empty(), "it is not confirmed");
        confirm(&world, made.id).await;
        let first = due().await.remove(0);
        assert_eq!((first.subscription.id, first.revision), (made.id, world.seen(event).await.revision));
        assert!(subscriptions::due(db, Some(made.id), 10).await.unwrap().is_empty());

        subscriptions::mark_new(db, made.id, world.now()).await.unwrap();
        subscriptions::mark_new(db, made.id, world.now().plus(DAY)).await.unwrap();
        assert_eq!(there(&world, made.id).await.unwrap().new_since, Some(world.now()));
        subscriptions::mark_checked(db, made.id, first.revision).await.unwrap();
        assert_eq!(there(&world, made.id).await.unwrap().new_since, None);
        assert!(due().await.is_empty());
        subscriptions::recheck(db, made.id).await.unwrap();
        assert_eq!(due().await.len(), 1);

        let allow = async |tells_guests| {
            let mut tx = world.begin().await;
            let seen = world.seen(event).await;
            let flags = Flags { tells_guests, ..seen.flags };
            changes::save(&mut tx, &Event { flags, ..seen }).await.unwrap();
            tx.commit().await.unwrap();
        };
        allow(false).await;
        assert!(!world.seen(event).await.flags.tells_guests && due().await.is_empty());
        allow(true).await;

        let again = due().await.remove(0);
        let job: JobId = world.id();
        let mut tx = world.begin().await;
        assert!(subscriptions::begin_mail(&mut tx, &again, job).await.unwrap());
        assert!(!subscriptions::begin_mail(&mut tx, &again, world.id()).await.unwrap());
        let now = world.now();
        storage::operations::runtime::jobs::enqueue(
            &mut tx,
            job,
            &Job::TellGuest { subscription: made.id },
            now,
            now,
        )
        .await
        .unwrap();
        tx.commit().await.unwrap();
        let photo = world.photo(owner, Some(event)).await.id;
        world.index(photo, "pack", &[]).await;
        assert!(due().await.is_empty(), "its job is queued");
        change(db, "UPDATE jobs SET state = 'failed'").await;
        assert_eq!(due().await.len(), 1);
    }
}

#[tokio::test]
async fn what_a_guest_knows_and_what_shows_somebody_else_is_kept() {
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = with_key(&world, owner).await;
        let mut ids = Vec::new();
        for _ in 0..4 {
            ids.push(world.photo(owner, Some(event)).await.id);
        }
        let made = subscription(&world, event, "guest@example.com");
        assert!(create(&world, &made, &[ids[0], ids[1], world.id()], &[ids[1]]).await);
        assert_eq!(known(&world, made.id).await, [(ids[0], false), (ids[1], true)]);

        let (none, one) = (RecentMails::default(), RecentMails::after(world.now()));
        assert!(subscriptions::set_recent_mails(db, made.id, &none, &one).await.unwrap());
        assert!(!subscriptions::set_recent_mails(db, made.id, &none, &one).await.unwrap());
        assert_eq!(there(&world, made.id).await.unwrap().recent_mails, one);

        let mut tx = world.begin().await;
        let mailed = hash_token("mail");
        subscriptions::finish_mail(&mut tx, made.id, &[ids[1], ids[2]], &mailed).await.unwrap();
        subscriptions::hide(&mut tx, &hash_token("search"), ids[0]).await.unwrap();
        subscriptions::hide(&mut tx, &mailed, ids[2]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(known(&world, made.id).await, [(ids[0], false), (ids[1], true), (ids[2], true)]);
        assert_eq!(there(&world, made.id).await.unwrap().last_download, Some(mailed));

        let mut tx = world.begin().await;
        assert!(storage::testing::remove_photo(&mut tx, ids[0]).await);
        tx.commit().await.unwrap();
        assert_eq!(known(&world, made.id).await, [(ids[1], true), (ids[2], true)]);
        assert_eq!(archives::find(db, &mailed).await.unwrap(), None);
    }
}

#[tokio::test]
async fn of_two_that_are_confirmed_at_one_moment_one_is_left() {
    let world = worlds().await.into_iter().find(|world| world.db.engine() == Engine::Postgres).unwrap();
    let owner = world.user("a@example.com").await;
    let event = with_key(&world, owner).await;
    for place in 0.. {
        let address = format!("guest{place}@example.com");
        let (one, other) = (subscription(&world, event, &address), subscription(&world, event, &address));
        assert!(create(&world, &one, &[], &[]).await && create(&world, &other, &[], &[]).await);
        let outcome = rival_before(place, confirm(&world, one.id), confirm(&world, other.id)).await;
        assert!(outcome.first || outcome.rival, "place {place}: {outcome:?}");
        let left = [there(&world, one.id).await, there(&world, other.id).await];
        let left: Vec<_> = left.into_iter().flatten().collect();
        assert!(matches!(&left[..], [left] if left.confirmed_at.is_some()), "place {place}: {left:?}");
        if !outcome.is_between {
            assert!(place > 3);
            return;
        }
    }
}

async fn put(world: &World, event: EventId, ids: &[PhotoId]) -> u64 {
    let mut tx = world.begin().await;
    let moved = trash::put(&mut tx, Collection::Event(event), ids, world.now()).await.unwrap();
    tx.commit().await.unwrap();
    moved
}

async fn restore(world: &World, owner: UserId, event: EventId, ids: &[PhotoId]) -> u64 {
    let mut tx = world.begin().await;
    let restored = trash::restore(&mut tx, Collection::Event(event), owner, &["a"], ids).await.unwrap();
    tx.commit().await.unwrap();
    restored.photos.len() as u64
}

async fn delete(world: &World, id: SubscriptionId) -> bool {
    let mut tx = world.begin().await;
    let deleted = subscriptions::delete(&mut tx, id).await.unwrap();
    tx.commit().await.unwrap();
    deleted
}

async fn finish_mail(world: &World, id: SubscriptionId, told: &[PhotoId]) {
    let mut tx = world.begin().await;
    subscriptions::finish_mail(&mut tx, id, told, &hash_token("mail")).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_guest_knows_of_photos_that_were_in_the_trash() {
    // [SAFE350]
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let event = with_key(&world, owner).await;
        let mut ids = Vec::new();
        for _ in 0..5 {
            ids.push(world.photo(owner, Some(event)).await.id);
        }
        let made = subscription(&world, event, "guest@example.com");
        let ended = subscription(&world, event, "friend@example.com");
        assert_eq!(put(&world, event, &ids[4..]).await, 1);
        for subscription in [&made, &ended] {
            assert!(create(&world, subscription, &[ids[0], ids[1], ids[4]], &[ids[1]]).await);
        }
        assert_eq!(put(&world, event, &ids[..3]).await, 3);
        assert_eq!(known(&world, made.id).await, []);
        finish_mail(&world, made.id, &[ids[2], ids[3]]).await;
        assert!(delete(&world, ended.id).await);
        assert_eq!(restore(&world, owner, event, &ids).await, 4);
        let all = [(ids[0], false), (ids[1], true), (ids[2], false), (ids[3], false), (ids[4], false)];
        assert_eq!(known(&world, made.id).await, all);
        assert_eq!(known(&world, ended.id).await, []);
    }
}

#[tokio::test]
async fn what_a_guest_was_told_is_known_to_the_subscription_that_takes_the_place() {
    // [TELL048]
    for world in worlds().await {
        let (db, owner) = (&world.db, world.user("a@example.com").await);
        let event = with_key(&world, owner).await;
        let mut ids = Vec::new();
        for _ in 0..3 {
            ids.push(world.photo(owner, Some(event)).await.id);
        }
        let [first, second, stray] = ["Guest@example.com", "guest@example.com", "guest@example.com"]
            .map(|email| subscription(&world, event, email));
        assert!(create(&world, &first, &ids[..2], &ids[1..2]).await && confirm(&world, first.id).await);
        let (none, one) = (RecentMails::default(), RecentMails::after(world.now()));
        assert!(subscriptions::set_recent_mails(db, first.id, &none, &one).await.unwrap());
        subscriptions::end_wait_for_completion(db, first.id, world.now()).await.unwrap();
        assert!(create(&world, &second, &[], &[]).await && create(&world, &stray, &ids[2..], &[]).await);
        assert_eq!(put(&world, event, &ids[..1]).await, 1);
        assert!(confirm(&world, second.id).await);
        assert_eq!(there(&world, second.id).await.unwrap().recent_mails, one);
        let table = format!("subscriptions WHERE id = '{}' AND completion_told_at IS NOT NULL", second.id);
        let told = storage::testing::count(db, &table).await;
        assert_eq!((told, known(&world, second.id).await), (1, vec![(ids[1], true)]));
        assert_eq!(restore(&world, owner, event, &ids[..1]).await, 1);
        // Not of what somebody has asked for who did not confirm it.
        assert_eq!(known(&world, second.id).await, [(ids[0], false), (ids[1], true)]);
    }
}

#[tokio::test]
async fn what_a_guest_knows_is_kept_and_dropped_while_photos_are_deleted_and_restored() {
    let world = worlds().await.into_iter().find(|world| world.db.engine() == Engine::Postgres).unwrap();
    let owner = world.user("a@example.com").await;
    let event = with_key(&world, owner).await;
    for (is_told, guest_first) in [(true, true), (true, false), (false, true), (false, false)] {
        for place in 0.. {
            let photo = world.photo(owner, Some(event)).await.id;
            let made = subscription(&world, event, &format!("guest{place}@example.com"));
            let guest = async || {
                if is_told {
                    finish_mail(&world, made.id, &[photo]).await;
                } else {
                    delete(&world, made.id).await;
                }
            };
            let mut is_between = false;
            for is_deletion in [true, false] {
                if there(&world, made.id).await.is_none() {
                    assert!(create(&world, &made, &[photo], &[]).await);
                }
                let moved = async || match is_deletion {
                    true => put(&world, event, &[photo]).await,
                    false => restore(&world, owner, event, &[photo]).await,
                };
                let (number, before_end) = if guest_first {
                    let outcome = rival_before(place, guest(), moved()).await;
                    (outcome.rival, outcome.is_between)
                } else {
                    let outcome = rival_before(place, moved(), guest()).await;
                    (outcome.first, outcome.is_between)
                };
                assert_eq!(number, 1, "place {place}, deletion: {is_deletion}");
                is_between |= before_end;
            }
            let left: &[(PhotoId, bool)] = if is_told { &[(photo, false)] } else { &[] };
            assert_eq!(known(&world, made.id).await, left, "place {place}");
            if !is_between {
                assert!(place > 1);
                break;
            }
        }
    }
}
