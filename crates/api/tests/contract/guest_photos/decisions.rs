//! What the photographer decides: let in once and charged once, or gone for good.

use std::time::Duration;

use app::operations::checks::Issue;
use media::stores::Source;
use serde_json::json;

use super::{OTHER_PHONE, PHONE, Party, issues, party};
use crate::harness::{BLUE, GREEN, RED, World, on_both_engines, photo};

/// What was ever charged.
async fn spent(world: &World, party: &Party) -> f64 {
    let credits = world.get("/api/subscription/credits", &party.token).await.json();
    credits["total_credits_spent"].as_f64().unwrap()
}

/// For a world whose balance was changed without its ledger.
async fn issues_but_of_balance(world: &World) -> Vec<Issue> {
    let found = issues(world).await.into_iter();
    found.filter(|issue| !matches!(issue, Issue::Balance(_))).collect()
}

#[test]
fn what_is_let_in_is_a_photo_like_all_others_with_the_name_of_its_guest() {
    // [UPL262] [UPL263] [PAY213]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let id = party.sent(&world, PHONE, "Meera", &photo(&[RED], 0)).await;
        // Lists go by the moment, and those of one moment by chance.
        world.clock.advance(Duration::from_millis(1));
        let other = party.sent(&world, PHONE, "", &photo(&[GREEN], 0)).await;
        let answer = party.decide(&world, "let-in", &[&id]).await;
        assert_eq!((answer.status.as_u16(), answer.json()), (200, json!({"photos": 1})));
        world.drain().await;
        assert_eq!(party.credits(&world).await, 99.0);
        assert_eq!(spent(&world, &party).await, 1.0);
        assert_eq!(party.found(&world, RED).await, 1);
        assert_eq!(party.found(&world, GREEN).await, 0);
        let of_event = format!("/api/photos/search?event_id={}", party.event["id"].as_str().unwrap());
        let listed = world.get(&of_event, &party.token).await.json();
        assert_eq!(listed["total_count"], 1);
        let listed = &listed["photos"][0];
        assert_eq!((&listed["id"], &listed["guest_name"]), (&json!(id), &json!("Meera")));
        assert_eq!((&listed["status"], &listed["uploader"]), (&json!("ready"), &json!(null)));
        let own = world.upload(&party.token, &party.event, "own.jpg", &photo(&[BLUE], 0)).await.json();
        assert!(own.get("guest_name").is_none());
        let states = party.states(&world, PHONE).await;
        assert_eq!(states, [(other, String::from("waiting")), (id, String::from("in"))]);
        assert_eq!(issues(&world).await, []);
    });
}

#[test]
fn an_original_that_was_damaged_meanwhile_is_stored_again_from_a_guests_photo_with_its_bytes() {
    // [UPL210]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let bytes = photo(&[RED], 0);
        let id = party.sent(&world, PHONE, "Meera", &bytes).await;
        let own = world.upload(&party.token, &party.event, "own.jpg", &bytes).await.json();
        world.drain().await;
        let key = world.stored(&own["id"]).await.key;
        world.parts.store.put(&key, Source::Bytes(vec![0; bytes.len()].into())).await.unwrap();
        assert!(!issues(&world).await.is_empty());
        assert_eq!(party.decide(&world, "let-in", &[&id]).await.json(), json!({"photos": 1}));
        let stored = world.parts.store.read(&key, None).await.unwrap().unwrap().whole().await.unwrap();
        assert!(stored == bytes, "the guest's photo was thrown away, and nothing has these bytes any more");
        assert_eq!(issues(&world).await, []);
        assert_eq!(party.credits(&world).await, 99.0);
    });
}

#[test]
fn bytes_that_were_paid_for_and_deleted_come_back_and_are_not_charged_again() {
    // [PAY215]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let bytes = photo(&[RED], 0);
        let first = party.sent(&world, PHONE, "Meera", &bytes).await;
        assert_eq!(party.decide(&world, "let-in", &[&first]).await.json(), json!({"photos": 1}));
        world.drain().await;
        let deleted = world.delete(&format!("/api/photos/{first}"), &party.token).await;
        assert_eq!((deleted.status.as_u16(), party.found(&world, RED).await), (200, 0));
        // Two more guests have the same picture, and somebody another one.
        let second = party.sent(&world, OTHER_PHONE, "Asha", &bytes).await;
        let third = party.sent(&world, &"c".repeat(43), "", &bytes).await;
        let other = party.sent(&world, OTHER_PHONE, "Asha", &photo(&[GREEN], 0)).await;
        let answer = party.decide(&world, "let-in", &[&second, &third, &other]).await;
        assert_eq!((answer.status.as_u16(), answer.json()), (200, json!({"photos": 3})));
        world.drain().await;
        assert_eq!(party.credits(&world).await, 98.0);
        assert_eq!(spent(&world, &party).await, 2.0);
        assert_eq!((party.found(&world, RED).await, party.found(&world, GREEN).await), (1, 1));
        assert_eq!(issues(&world).await, []);
    });
}

#[test]
fn a_photo_whose_original_is_gone_is_not_charged() {
    // [PAY216]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let id = party.sent(&world, PHONE, "Meera", &photo(&[RED], 0)).await;
        let waiting = storage::guests::guest_photos::page(&world.parts.db, None, 9).await.unwrap();
        world.parts.store.delete(&waiting[0].photo.key).await.unwrap();
        let gone = (404, String::from("File not found"));
        assert_eq!(party.decide(&world, "let-in", &[&id]).await.error(), gone);
        assert_eq!(party.credits(&world).await, 100.0);
        assert_eq!(party.decide(&world, "decline", &[&id]).await.json(), json!({"photos": 1}));
    });
}

#[test]
fn of_two_with_the_same_bytes_the_whole_one_stays() {
    // [UPL210]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let bytes = photo(&[RED], 0);
        let ids = [
            party.sent(&world, PHONE, "Meera", &bytes).await,
            party.sent(&world, OTHER_PHONE, "Asha", &bytes).await,
        ];
        let waiting = storage::guests::guest_photos::page(&world.parts.db, None, 9).await.unwrap();
        let key = &waiting.iter().find(|added| added.photo.id.to_string() == ids[0]).unwrap().photo.key;
        world.parts.store.put(key, Source::Bytes(vec![0; bytes.len()].into())).await.unwrap();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        assert_eq!(party.decide(&world, "let-in", &ids).await.json(), json!({"photos": 2}));
        world.drain().await;
        assert_eq!(party.found(&world, RED).await, 1);
        assert_eq!(issues(&world).await, []);
    });
}

#[test]
fn a_photo_that_is_let_in_twice_or_at_once_is_charged_once() {
    // [PAY212] [PAY213]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let id = party.sent(&world, PHONE, "", &photo(&[RED], 0)).await;
        let ids = [id.as_str()];
        let answers = tokio::join!(
            party.decide(&world, "let-in", &ids),
            party.decide(&world, "let-in", &ids),
            party.decide(&world, "let-in", &ids),
        );
        let mut let_in = 0;
        for answer in [answers.0, answers.1, answers.2] {
            assert_eq!(answer.status, 200);
            let_in += answer.json()["photos"].as_u64().unwrap();
        }
        assert_eq!(let_in, 1);
        let again = party.decide(&world, "let-in", &[&id, &id]).await;
        assert_eq!((again.status.as_u16(), again.json()), (200, json!({"photos": 0})));
        assert_eq!((party.credits(&world).await, spent(&world, &party).await), (99.0, 1.0));
        world.drain().await;
        assert_eq!(party.found(&world, RED).await, 1);
        assert_eq!(issues(&world).await, []);
    });
}

#[test]
fn without_enough_credit_none_is_let_in_and_nothing_is_lost() {
    // [PAY214]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let mut ids = Vec::new();
        for salt in 0..3 {
            ids.push(party.sent(&world, PHONE, "", &photo(&[RED], salt)).await);
        }
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        storage::testing::change(&world.parts.db, "UPDATE users SET credits = 200").await;
        let refused = party.decide(&world, "let-in", &ids).await;
        let text = "Insufficient credits. Please add credits to continue uploading.";
        assert_eq!(refused.error(), (402, text.to_owned()));
        assert_eq!((party.waiting(&world).await["photos"].as_array().unwrap().len()), 3);
        assert_eq!(party.decide(&world, "let-in", &ids[..2]).await.json(), json!({"photos": 2}));
        assert_eq!(party.decide(&world, "let-in", &ids[2..]).await.status, 402);
        assert_eq!((party.waiting(&world).await["photos"].as_array().unwrap().len()), 1);
        assert_eq!(party.credits(&world).await, 0.0);
    });
}

#[test]
fn of_two_who_let_photos_in_at_once_with_credit_for_one_of_them_one_does() {
    // [PAY214]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let mut ids = Vec::new();
        for salt in 0..6 {
            ids.push(party.sent(&world, PHONE, "", &photo(&[RED], salt)).await);
        }
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        storage::testing::change(&world.parts.db, "UPDATE users SET credits = 400").await;
        let (first, second) = tokio::join!(
            party.decide(&world, "let-in", &ids[..3]),
            party.decide(&world, "let-in", &ids[3..])
        );
        let mut statuses = [first.status.as_u16(), second.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 402]);
        assert_eq!(party.waiting(&world).await["photos"].as_array().unwrap().len(), 3);
        assert_eq!((party.credits(&world).await, spent(&world, &party).await), (1.0, 3.0));
        world.drain().await;
        assert_eq!(issues_but_of_balance(&world).await, []);
    });
}

#[test]
fn credit_is_asked_for_what_will_be_charged_alone() {
    // [PAY213] [PAY215]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let there = party.sent(&world, PHONE, "", &photo(&[RED], 0)).await;
        assert_eq!(world.upload(&party.token, &party.event, "own.jpg", &photo(&[RED], 0)).await.status, 201);
        let one = party.sent(&world, PHONE, "", &photo(&[GREEN], 0)).await;
        let same = party.sent(&world, OTHER_PHONE, "", &photo(&[GREEN], 0)).await;
        storage::testing::change(&world.parts.db, "UPDATE users SET credits = 0").await;
        assert_eq!(party.decide(&world, "let-in", &[&there]).await.json(), json!({"photos": 1}));
        assert_eq!(party.decide(&world, "let-in", &[&one]).await.status, 402);
        storage::testing::change(&world.parts.db, "UPDATE users SET credits = 100").await;
        let let_in = party.decide(&world, "let-in", &[&one, &one, &same]).await;
        assert_eq!((let_in.status.as_u16(), let_in.json()), (200, json!({"photos": 2})));
        assert_eq!(party.credits(&world).await, 0.0);
        assert_eq!(party.states(&world, OTHER_PHONE).await, [(same, String::from("in"))]);
        world.drain().await;
        assert_eq!(issues_but_of_balance(&world).await, []);
    });
}

#[test]
fn bytes_that_are_there_already_are_let_in_for_nothing() {
    // [PAY215]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let id = party.sent(&world, PHONE, "", &photo(&[RED], 0)).await;
        let there = world.upload(&party.token, &party.event, "own.jpg", &photo(&[RED], 0)).await;
        assert_eq!(there.status, 201);
        assert_eq!(party.decide(&world, "let-in", &[&id]).await.json(), json!({"photos": 1}));
        world.drain().await;
        assert_eq!((party.credits(&world).await, party.found(&world, RED).await), (99.0, 1));
        assert_eq!(party.states(&world, PHONE).await, [(id, String::from("in"))]);
        assert_eq!(world.stored_files().await.len(), 4);
        assert_eq!(issues(&world).await, []);
    });
}

#[test]
fn what_is_declined_is_gone_for_good() {
    // [UPL265]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let first = party.sent(&world, PHONE, "", &photo(&[RED], 0)).await;
        let second = party.sent(&world, PHONE, "", &photo(&[GREEN], 0)).await;
        assert_eq!(party.decide(&world, "decline", &[&first]).await.json(), json!({"photos": 1}));
        assert_eq!(party.decide(&world, "decline", &[&first]).await.json(), json!({"photos": 0}));
        assert_eq!(party.decide(&world, "let-in", &[&first]).await.error().0, 404);
        assert_eq!(party.states(&world, PHONE).await, [(second.clone(), String::from("waiting"))]);
        assert_eq!(world.stored_files().await.len(), 4);
        // What was let in is a photo, and is deleted as one.
        assert_eq!(party.decide(&world, "let-in", &[&second]).await.status, 200);
        assert_eq!(party.decide(&world, "decline", &[&second]).await.json(), json!({"photos": 0}));
        assert_eq!(world.get("/api/photos/count", &party.token).await.json()["total_count"], 1);
        for ids in [json!([]), json!(vec![second; 201])] {
            let refused =
                world.post(&party.own("/guest-photos/let-in"), &party.token, json!({"ids": ids})).await;
            assert_eq!(refused.error(), (400, String::from("Please choose between 1 and 200 photos")));
        }
        let stranger = world.photographer("ravi@example.com").await;
        for decision in ["let-in", "decline"] {
            let path = party.own(&format!("/guest-photos/{decision}"));
            assert_eq!(world.post(&path, &stranger, json!({"ids": [first]})).await.status, 404);
        }
    });
}
