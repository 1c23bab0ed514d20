//! What is remembered of the clock.

use std::time::Duration;

use domain::accounts::devices::Device;
use domain::accounts::passkeys::{CHALLENGE_LIFETIME, Purpose as Question};
use domain::accounts::single_sign_on::{LINK_LIFETIME, TIME_TO_LOG_IN};
use domain::accounts::tokens::hash_token;
use domain::accounts::{EmailAddress, LinkPurpose};
use domain::guests::objections::{MAIL_INTERVAL, Objection};
use domain::operations::clock_watch::{ClockWatch, HOLD};
use domain::payments::orders::Purpose;
use domain::team::{INVITATION_LIFETIME, Invitation, MemberRole};
use domain::{Timestamp, UserId};
use storage::accounts::links::{self, NewLink};
use storage::accounts::password_attempts::{self, PasswordFailures};
use storage::accounts::single_sign_on::{self, Attempt, Ticket};
use storage::accounts::{passkeys, sessions};
use storage::guests::objections;
use storage::operations::clock_watch;
use storage::payments::{coupons, orders};
use storage::photos::library_retention;
use storage::statistics::weekly;
use storage::{Tx, team};

use crate::orders::{coupon, order};
use crate::world::{DAY, NOON, worlds};

#[tokio::test]
async fn what_was_seen_of_the_clock_is_remembered() {
    for world in worlds().await {
        let db = &world.db;
        assert_eq!(clock_watch::get(db).await.unwrap(), None);
        let mut tx = world.begin().await;
        assert_eq!(clock_watch::lock(&mut tx, NOON).await.unwrap(), ClockWatch::new(NOON));
        tx.commit().await.unwrap();
        let ahead = NOON.plus(DAY * 30);
        let mut tx = world.begin().await;
        let before = clock_watch::lock(&mut tx, ahead).await.unwrap();
        assert_eq!(before, ClockWatch::new(NOON), "the first look stays");
        clock_watch::save(&mut tx, &before.observed(ahead)).await.unwrap();
        tx.commit().await.unwrap();
        let watch = clock_watch::get(db).await.unwrap().unwrap();
        assert_eq!((watch.seen_at, watch.held_until), (ahead, Some(ahead.plus(HOLD))));
        assert_eq!(watch.jump.unwrap().from, NOON);
        let mut tx = world.begin().await;
        clock_watch::save(&mut tx, &watch.confirmed()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(clock_watch::get(db).await.unwrap(), Some(ClockWatch::new(ahead)));
    }
}

#[tokio::test]
async fn what_a_clock_ahead_has_dated_is_set_back() {
    // [SAFE484] [PAY245]
    for world in worlds().await {
        let db = &world.db;
        let (owner, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let event = world.event(owner, "2026-11-20").await;
        let half = coupon(&world, "HALF", Some(1), None).await;
        weekly::set(db, other, Some(NOON.plus(DAY * 3))).await.unwrap();

        world.clock.advance(DAY * 30);
        let ahead = world.now();
        let ordered = order(&world, owner, Purpose::PremiumPlan, Some(half)).await.unwrap();
        weekly::set(db, owner, Some(ahead.plus(DAY * 3))).await.unwrap();
        let request = Objection { told_at: Some(ahead), waits: true, ..world.request_to_hide(event) };
        let subject = hash_token("somebody");
        let failures =
            PasswordFailures { failures: 9, last_at: ahead, retry_at: ahead.plus(Duration::from_secs(480)) };
        let mut tx = world.begin().await;
        objections::create(&mut tx, &request, &[]).await.unwrap();
        assert!(password_attempts::replace(&mut tx, &subject, None, failures).await.unwrap());
        assert!(library_retention::mark_warned(&mut tx, owner, ahead, ahead).await.unwrap());
        assert_eq!(clock_watch::set_back(&mut tx, ahead).await.unwrap(), 0, "by its own time it can be");
        tx.commit().await.unwrap();

        world.clock.set(NOON.plus(DAY));
        let now = world.now();
        assert_eq!(coupons::reserved_before(db, now, 9).await.unwrap(), []);
        let mut tx = world.begin().await;
        assert_eq!(clock_watch::set_back(&mut tx, now).await.unwrap(), 8);
        assert_eq!(clock_watch::set_back(&mut tx, now).await.unwrap(), 0);
        tx.commit().await.unwrap();
        assert_eq!(coupons::reserved_before(db, now, 9).await.unwrap(), [ordered]);
        let due = orders::to_check(db, now, 9).await.unwrap();
        assert_eq!((due[0].id, due[0].created_at), (ordered, now), "it is a day old tomorrow");
        let monday = weekly::due_at(db, owner).await.unwrap().unwrap();
        assert!(now < monday && monday <= now.plus(DAY * 7));
        assert_eq!(weekly::due_at(db, other).await.unwrap(), Some(NOON.plus(DAY * 3)));
        assert_eq!(objections::to_remind(db, now.minus(DAY), now).await.unwrap(), [event]);
        let found = password_attempts::find(db, &subject).await.unwrap();
        assert_eq!(found, Some(PasswordFailures { last_at: now, retry_at: now, ..failures }));
        let mut tx = world.begin().await;
        let mail = objections::mail_due(&mut tx, event, now).await.unwrap();
        assert_eq!(mail, Some(now.plus(MAIL_INTERVAL)));
        assert!(library_retention::mark_warned(&mut tx, owner, now.plus(DAY), now).await.unwrap());
    }
}

/// A reset link, a session, and what waits for a person's next step, made at one moment under one name.
async fn begin(tx: &mut Tx, user: UserId, name: &str, at: Timestamp) {
    let hash = hash_token(name);
    let link = NewLink {
        hash,
        purpose: LinkPurpose::ResetPassword,
        user,
        email: EmailAddress::parse("a@example.com").unwrap(),
        new_email: None,
        created_at: at,
        expires_at: at.plus(LinkPurpose::ResetPassword.lifetime()),
    };
    links::create(tx, &link).await.unwrap();
    sessions::create(tx, &hash, user, &Device::default(), at, at.plus(DAY * 30)).await.unwrap();
    let attempt =
        Attempt { nonce: String::new(), verifier: String::new(), path: String::new(), user: Some(user) };
    single_sign_on::begin(tx, &hash, &hash, &attempt, at, at.plus(TIME_TO_LOG_IN)).await.unwrap();
    let ticket = Ticket { user, is_proved: false, path: String::new() };
    single_sign_on::add_ticket(tx, &hash, None, &ticket, at, at.plus(LINK_LIFETIME)).await.unwrap();
    let end = at.plus(CHALLENGE_LIFETIME);
    passkeys::begin(tx, user, Question::Login, &hash, "{}", at, end).await.unwrap();
}

#[tokio::test]
async fn what_a_clock_ahead_lets_in_is_let_in_no_more() {
    // [SAFE496]
    for world in worlds().await {
        let db = &world.db;
        let user = world.user("a@example.com").await;
        let event = world.event(user, "2026-11-20").await;
        let (before, device) = (hash_token("before"), Device::default());
        let mut tx = world.begin().await;
        sessions::create(&mut tx, &before, user, &device, NOON, NOON.plus(DAY * 30)).await.unwrap();
        tx.commit().await.unwrap();

        let ahead = NOON.plus(DAY * 20);
        let invitation = Invitation {
            id: world.id(),
            event,
            email: EmailAddress::parse("b@example.com").unwrap(),
            role: MemberRole::Contributor,
            invited_by: user,
            sent_at: ahead,
            expires_at: ahead.plus(INVITATION_LIFETIME),
        };
        let mut tx = world.begin().await;
        begin(&mut tx, user, "ahead", ahead).await;
        team::invite(&mut tx, &invitation).await.unwrap();
        sessions::renew(&mut tx, &before, ahead, ahead.plus(DAY * 30)).await.unwrap();
        sessions::prove(&mut tx, &before, ahead).await.unwrap();
        assert_eq!(clock_watch::set_back(&mut tx, ahead).await.unwrap(), 0, "by its own time it can be");
        tx.commit().await.unwrap();

        let now = NOON.plus(DAY);
        let mut tx = world.begin().await;
        begin(&mut tx, user, "right", now).await;
        let rows = clock_watch::set_back(&mut tx, now).await.unwrap();
        assert_eq!(rows, 8, "a link, an invitation, a session, two moments of another one, and three steps");
        assert_eq!(clock_watch::set_back(&mut tx, now).await.unwrap(), 0);
        tx.commit().await.unwrap();

        for (name, is_right) in [("ahead", false), ("right", true)] {
            let hash = hash_token(name);
            let link = links::find(db, &hash).await.unwrap().unwrap();
            assert_eq!(link.expires_at, now.plus(LinkPurpose::ResetPassword.lifetime()), "{name}");
            let session = sessions::find(db, &hash, now).await.unwrap();
            assert_eq!(session.is_some(), is_right, "{name}");
            let attempt = single_sign_on::waiting(db, &hash, &hash, now).await.unwrap();
            assert_eq!(attempt.is_some(), is_right, "{name}");
            let ticket = single_sign_on::ticket(db, &hash, &hash, now).await.unwrap();
            assert_eq!(ticket.is_some(), is_right, "{name}");
            let mut tx = world.begin().await;
            let challenge = passkeys::take(&mut tx, user, Question::Login, &hash, now).await.unwrap();
            assert_eq!(challenge.is_some(), is_right, "{name}");
        }
        let invited = team::invitation(db, invitation.id).await.unwrap().unwrap();
        assert_eq!(invited.expires_at, now.plus(INVITATION_LIFETIME));
        let session = sessions::find(db, &before, now).await.unwrap().unwrap();
        assert_eq!((session.last_used_at, session.proved_at), (now, None), "its login was before");
    }
}
