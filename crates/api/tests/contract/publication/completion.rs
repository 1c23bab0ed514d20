//! Guests who wait, and an event that becomes complete.

use domain::DAY;
use serde_json::{Value, json};

use super::{MINUTE, as_team, hold, set, slug, upload};
use crate::downloads::{Party, party};
use crate::harness::{BLUE, GREEN, RED, World, on_both_engines, photo};
use crate::subscriptions::{ask, confirm, mails, token_of, told};

/// A guest who has searched as this person, and wants to be told.
async fn guest(world: &World, event: &Value, person: [u8; 3], email: &str) {
    let found = world.search(event, &photo(&[person], 9)).await.json();
    assert_eq!(ask(world, &found["subscription_token"], email).await.status, 202);
    let mail = mails(world).await.remove(0);
    assert_eq!(confirm(world, token_of(&mail, "confirm")).await.status, 200);
}

#[test]
fn guests_who_wait_are_written_to_once_when_an_event_is_complete() {
    // [TELL043] [TELL044] [TELL045]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let Party { token, event, .. } = &party;
        mails(&world).await;
        guest(&world, event, BLUE, "none@example.com").await;
        guest(&world, event, RED, "all@example.com").await;
        guest(&world, event, GREEN, "more@example.com").await;
        world.clock.advance(MINUTE);
        assert!(told(&world).await.is_empty());
        hold(&world, &party).await;
        upload(&world, token, event, "late.jpg", GREEN, 21).await;
        world.clock.advance(DAY);
        assert!(told(&world).await.is_empty(), "it is held");

        let looked = as_team(&world, token, event).await;
        let complete = json!({"publication": "complete", "publish_through": looked["held_through"]});
        set(&world, token, event, complete.clone()).await;
        world.clock.advance(MINUTE);
        let mut sent = told(&world).await;
        sent.sort_by(|one, other| one.to.as_str().cmp(other.to.as_str()));
        let subjects: Vec<_> = sent.iter().map(|mail| (mail.to.as_str(), mail.subject.as_str())).collect();
        assert_eq!(
            subjects,
            [
                ("more@example.com", "New photos of you from Party"),
                ("none@example.com", "The photos of Party are complete")
            ]
        );
        let none = &sent[1];
        assert!(
            none.text.contains("The photos of \"Party\" are complete. No photo of you was found."),
            "{}",
            none.text
        );
        let page = format!("http://localhost:8080/event/{}", slug(event));
        assert_eq!(none.links[0], page);
        assert!(token_of(none, "unsubscribe").len() > 20);

        // Once: not with the same change again, nor when the event is complete once more.
        for body in
            [complete.clone(), json!({"publication": "as_they_arrive"}), json!({"publication": "complete"})]
        {
            set(&world, token, event, body).await;
            world.clock.advance(DAY * 2);
            assert!(told(&world).await.is_empty());
        }
        // A search offers no more to be told, since nothing is expected; who waits is told of what comes all the same.
        let search = world.search(event, &photo(&[BLUE], 9)).await.json();
        assert_eq!(search["subscription_token"], Value::Null);
        upload(&world, token, event, "forgotten.jpg", BLUE, 22).await;
        world.clock.advance(MINUTE);
        let sent = told(&world).await;
        assert_eq!(sent.len(), 1);
        assert_eq!(
            (sent[0].to.as_str(), sent[0].subject.as_str()),
            ("none@example.com", "New photos of you from Party")
        );
    });
}

#[test]
fn a_guest_is_told_that_no_photo_was_found_once_all_are_searchable() {
    // [TELL046]
    on_both_engines(async |world: World| {
        let Party { token, event, .. } = party(&world).await;
        mails(&world).await;
        guest(&world, &event, BLUE, "none@example.com").await;
        let late = world.upload(&token, &event, "late.jpg", &photo(&[BLUE], 21)).await;
        assert_eq!(late.status, 201);
        set(&world, &token, &event, json!({"publication": "complete"})).await;
        world.clock.advance(MINUTE);
        // Its indexing has not begun.
        world.run_due().await;
        assert!(world.mails.take().is_empty());
        let sent = told(&world).await;
        let subjects: Vec<_> = sent.iter().map(|mail| mail.subject.as_str()).collect();
        assert!(!subjects.contains(&"The photos of Party are complete"), "{subjects:?}");
        world.clock.advance(DAY * 2);
        let later = told(&world).await;
        let all: Vec<_> = sent.iter().chain(&later).map(|mail| mail.subject.as_str()).collect();
        assert_eq!(all, ["New photos of you from Party"], "one of them shows the guest");
    });
}

#[test]
fn a_guest_who_confirms_once_the_event_is_complete_is_told_too() {
    // [TELL043]
    on_both_engines(async |world: World| {
        let Party { token, event, .. } = party(&world).await;
        mails(&world).await;
        let found = world.search(&event, &photo(&[BLUE], 9)).await.json();
        assert_eq!(ask(&world, &found["subscription_token"], "none@example.com").await.status, 202);
        let mail = mails(&world).await.remove(0);
        world.clock.advance(MINUTE);
        set(&world, &token, &event, json!({"publication": "complete"})).await;
        world.clock.advance(MINUTE);
        assert!(told(&world).await.is_empty(), "the address is not confirmed");
        assert_eq!(confirm(&world, token_of(&mail, "confirm")).await.status, 200);
        world.clock.advance(MINUTE);
        let sent = told(&world).await;
        let subjects: Vec<_> = sent.iter().map(|mail| mail.subject.as_str()).collect();
        assert_eq!(subjects, ["The photos of Party are complete"]);
        world.clock.advance(DAY * 2);
        assert!(told(&world).await.is_empty(), "once");
    });
}
