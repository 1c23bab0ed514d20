//! What ends a subscription, and who decides whether there are any.

use domain::{DAY, EventId};
use serde_json::{Value, json};

use super::{GUEST, HOUR, LINK_EXPIRED, LINK_UNKNOWN, MINUTE, TOKEN_EXPIRED};
use super::{ask, confirm, mails, search, subscribed, token_of, told, unsubscribe, upload};
use crate::downloads::party;
use crate::harness::{RED, World, on_both_engines};

const NOT_OFFERED: &str = "This event does not tell guests of new photos";

async fn row(world: &World) -> Option<domain::guests::subscriptions::Subscription> {
    let due = storage::guests::subscriptions::due(&world.parts.db, None, 9).await.unwrap();
    due.into_iter().next().map(|due| due.subscription)
}

#[test]
fn what_is_not_confirmed_within_a_day_is_deleted() {
    // [TELL008] [TELL031]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        mails(&world).await;
        let found = search(&world, &party.event, RED).await;
        ask(&world, &found["subscription_token"], GUEST).await;
        let mail = mails(&world).await.remove(0);
        let count = async || {
            let email = domain::accounts::EmailAddress::parse(GUEST).unwrap();
            storage::guests::subscriptions::count_unconfirmed(&world.parts.db, &email).await.unwrap()
        };
        world.clock.advance(DAY - MINUTE);
        world.run_due().await;
        assert_eq!(count().await, 1);
        world.clock.advance(MINUTE);
        let late = confirm(&world, token_of(&mail, "confirm")).await;
        assert_eq!(late.error(), (400, String::from(LINK_EXPIRED)));
        world.clock.advance(HOUR);
        world.run_due().await;
        assert_eq!(count().await, 0);
        let late = confirm(&world, token_of(&mail, "confirm")).await;
        assert_eq!(late.error(), (400, String::from(LINK_EXPIRED)));
        assert_eq!(confirm(&world, "made-up").await.error(), (400, String::from(LINK_UNKNOWN)));
    });
}

#[test]
fn unsubscribing_by_an_earlier_mail_ends_the_subscription_that_has_taken_the_place() {
    // [TELL050]
    on_both_engines(async |world: World| {
        let (party, _) = subscribed(&world).await;
        world.clock.advance(MINUTE);
        upload(&world, &party, "new.jpg", RED, 10).await;
        let mail = told(&world).await.remove(0);
        let again = search(&world, &party.event, RED).await;
        let mut confirmations = Vec::new();
        for _ in 0..2 {
            assert_eq!(ask(&world, &again["subscription_token"], GUEST).await.status, 202);
            confirmations.push(mails(&world).await.remove(0));
        }
        let [unused, used] = [0, 1].map(|place| token_of(&confirmations[place], "confirm"));
        assert_eq!(confirm(&world, used).await.status, 200);
        let replaced = confirm(&world, unused).await;
        assert_eq!(replaced.error(), (400, String::from(LINK_EXPIRED)), "it confirms no other");
        assert_eq!(unsubscribe(&world, token_of(&mail, "unsubscribe")).await.status, 200);
        assert_eq!(left_by_guests(&world).await.0, 0, "nor is the face kept");
        world.clock.advance(DAY);
        upload(&world, &party, "newer.jpg", RED, 11).await;
        assert!(told(&world).await.is_empty());
    });
}

#[test]
fn the_photographer_decides_and_guests_are_told_nothing_meanwhile() {
    // [TELL009] [TELL032] [TELL040]
    on_both_engines(async |world: World| {
        let (party, found) = subscribed(&world).await;
        let path = format!("/api/events/{}", party.event["id"].as_str().unwrap());
        let event = format!("/api/events/{}", party.event["slug"].as_str().unwrap());
        assert_eq!(world.get(&event, "").await.json()["tells_guests"], "on");
        let set_allowed = async |allowed: bool, token: &str| {
            world.patch(&path, token, json!({"tells_guests": allowed})).await
        };
        assert_eq!(set_allowed(false, "").await.status, 401);
        let other = world.photographer("ravi@example.com").await;
        mails(&world).await;
        assert_eq!(set_allowed(false, &other).await.status, 404);
        assert_eq!(set_allowed(false, &party.token).await.json()["tells_guests"], "off");
        assert_eq!(search(&world, &party.event, RED).await["subscription_token"], Value::Null);
        let refused = ask(&world, &found["subscription_token"], "b@example.com").await;
        assert_eq!(refused.error(), (409, String::from(NOT_OFFERED)));
        world.clock.advance(MINUTE);
        upload(&world, &party, "new.jpg", RED, 36).await;
        assert!(told(&world).await.is_empty());
        assert_eq!(set_allowed(true, &party.token).await.json()["tells_guests"], "on");
        world.clock.advance(MINUTE);
        assert_eq!(told(&world).await.len(), 1);
    });
}

#[test]
fn without_a_mail_server_it_is_not_offered() {
    // [TELL009]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let mut parts = world.parts.clone();
        parts.settings.tells_guests = false;
        let app = app::App::new(parts).await.unwrap();
        let path = format!("/api/events/{}", party.event["slug"].as_str().unwrap());
        assert_eq!(world.get_from(app, &path).await.json()["tells_guests"], "unavailable");
    });
}

#[test]
fn templates_are_unreadable_and_go_with_their_event() {
    // [TELL010] [TELL033] [TELL011] [SAFE003]
    on_both_engines(async |world: World| {
        let (party, found) = subscribed(&world).await;
        let token = found["subscription_token"].as_str().unwrap();
        world.clock.advance(MINUTE);
        upload(&world, &party, "new.jpg", RED, 37).await;
        let sealed = row(&world).await.unwrap().template;
        let text = String::from_utf8_lossy(&sealed);
        assert!(!text.contains("strictness") && !token.contains("strictness"));
        let again = search(&world, &party.event, RED).await;
        assert_ne!(again["subscription_token"], found["subscription_token"], "a nonce of its own");

        let id: EventId = party.event["id"].as_str().unwrap().parse().unwrap();
        assert!(storage::guests::subscriptions::key(&world.parts.db, id).await.unwrap().is_some());
        let mails_before = told(&world).await;
        let path = format!("/api/events/{}", party.event["id"].as_str().unwrap());
        assert_eq!(world.delete(&path, &party.token).await.status, 202);
        assert!(told(&world).await.is_empty(), "nobody is told of a deleted event");
        assert_eq!(world.post(&format!("{path}/purge"), &party.token, json!({})).await.status, 204);
        assert_eq!(storage::guests::subscriptions::key(&world.parts.db, id).await.unwrap(), None);
        assert!(row(&world).await.is_none());
        let refused = ask(&world, &again["subscription_token"], GUEST).await;
        assert_eq!(refused.error(), (404, String::from(TOKEN_EXPIRED)));
        assert_eq!(unsubscribe(&world, token_of(&mails_before[0], "unsubscribe")).await.status, 200);
    });
}

#[test]
fn the_end_of_the_retention_period_ends_subscriptions() {
    // [TELL034]
    on_both_engines(async |world: World| {
        let (party, _) = subscribed(&world).await;
        let id: EventId = party.event["id"].as_str().unwrap().parse().unwrap();
        world.clock.advance(DAY * 23);
        world.run_due().await;
        mails(&world).await;
        assert!(storage::guests::subscriptions::key(&world.parts.db, id).await.unwrap().is_some());
        world.clock.advance(DAY * 8);
        world.run_due().await;
        assert_eq!(storage::guests::subscriptions::key(&world.parts.db, id).await.unwrap(), None);
        assert!(row(&world).await.is_none());
    });
}

/// Subscriptions, events with a key for them, and events with a key for searches that devices keep.
async fn left_by_guests(world: &World) -> (i64, i64, i64) {
    let count = async |table: &str| storage::testing::count(&world.parts.db, table).await;
    (
        count("subscriptions").await,
        count("events WHERE subscription_key IS NOT NULL").await,
        count("events WHERE search_key IS NOT NULL").await,
    )
}

#[test]
fn subscriptions_and_kept_searches_end_with_the_event_also_where_no_photo_is_left_by_then() {
    // [TELL047]
    on_both_engines(async |world: World| {
        let (party, _) = subscribed(&world).await;
        let event = party.event["id"].as_str().unwrap();
        let listed = world.get(&format!("/api/photos/search?event_id={event}"), &party.token).await.json();
        for photo in listed["photos"].as_array().unwrap() {
            let path = format!("/api/photos/{}", photo["id"].as_str().unwrap());
            assert_eq!(world.delete(&path, &party.token).await.status, 200);
        }
        let all = json!({"event_id": event, "all": true});
        assert_eq!(world.post("/api/photos/trash/remove", &party.token, all).await.status, 200);
        let maintained = async || app::operations::maintenance::all(&world.app).await.unwrap();
        maintained().await;
        assert_eq!(left_by_guests(&world).await, (1, 1, 1), "until the event expires");
        world.clock.advance(60 * DAY);
        maintained().await;
        assert_eq!(left_by_guests(&world).await, (0, 0, 0));
    });
}

#[test]
fn who_waits_for_the_first_photos_waits_for_a_year() {
    // [TELL047] [TELL042] However long before that the event has expired.
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Sangeet").await;
        mails(&world).await;
        let found = search(&world, &event, RED).await;
        assert_eq!(ask(&world, &found["subscription_token"], GUEST).await.status, 202);
        let mail = mails(&world).await.remove(0);
        assert_eq!(confirm(&world, token_of(&mail, "confirm")).await.status, 200);
        for (days, left) in [(60, (1, 1, 1)), (340, (0, 0, 0))] {
            world.clock.advance(DAY * days);
            app::operations::maintenance::all(&world.app).await.unwrap();
            assert_eq!(left_by_guests(&world).await, left);
        }
    });
}

#[test]
fn the_check_tells_of_subscriptions_that_should_be_gone_and_deletes_them() {
    // [TELL019]
    on_both_engines(async |world: World| {
        subscribed(&world).await;
        let (operator, store) = (world.operator(), &world.parts.store);
        assert_eq!(app::operations::checks::inspect(&operator, store).await.unwrap(), []);
        storage::testing::change(&world.parts.db, "UPDATE events SET subscription_key = NULL").await;
        let issues = app::operations::checks::inspect(&operator, store).await.unwrap();
        assert!(matches!(issues[..], [app::operations::checks::Issue::SubscriptionsLeft(_)]), "{issues:?}");
        assert!(app::operations::checks::repair(&operator, store, &issues[0]).await.unwrap());
        assert_eq!(app::operations::checks::inspect(&operator, store).await.unwrap(), []);
        assert!(row(&world).await.is_none());
    });
}
