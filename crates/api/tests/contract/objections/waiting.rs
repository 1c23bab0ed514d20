//! What would hide many photos waits for the photographer.

use serde_json::json;

use super::not_found::found_at;
use super::{DAY, asks, decide, found, names, object, preview, requests, together, upload};
use crate::downloads::{Party, party};
use crate::harness::{GREEN, RED, World, on_both_engines, photo};

/// A party with more photos of one person than are hidden at once.
async fn crowded(world: &World) -> Party {
    let party = party(world).await;
    for number in 0..20_u8 {
        let name = format!("more-{number}.jpg");
        let answer = world.upload(&party.token, &party.event, &name, &photo(&[RED], 10 + number)).await;
        assert_eq!(answer.status, 201);
    }
    world.drain().await;
    party
}

#[test]
fn many_photos_are_hidden_by_the_photographer_alone_who_is_told_at_once_and_reminded() {
    // [FACE510] [FACE511] [FACE512]
    on_both_engines(async |world: World| {
        let party = crowded(&world).await;
        upload(&world, &party, "both.jpg", &together(0)).await;
        let before = world.search(&party.event, &photo(&[RED], 9)).await.json();
        world.mails.take();
        let shown = preview(&world, &party.event, RED).await;
        let waiting = json!({"photos": 24, "waits": true});
        for _ in 0..2 {
            let answer = object(&world, &shown["token"], "hide").await;
            assert_eq!((answer.status.as_u16(), answer.json()), (201, waiting.clone()), "twice is once");
        }
        // The person is found no more, however loose; nothing is hidden.
        upload(&world, &party, "later.jpg", &photo(&[RED], 7)).await;
        for strictness in ["strict", "normal", "loose"] {
            assert!(found_at(&world, &party.event, RED, strictness).await.is_empty());
        }
        assert_eq!(found(&world, &party.event, GREEN).await, ["both.jpg", "other.jpg"]);
        let opened = world.post("/api/face/results", "", json!({"token": before["download_token"]})).await;
        assert_eq!(opened.json()["matches"], json!([]));

        // By mail, at once, once more after a day, and not for ever.
        let told = async || {
            world.run_due().await;
            world.drain().await;
            let subject = "A guest's request waits for your decision";
            let mails = world.mails.take().into_iter().map(|sent| sent.mail);
            mails.filter(|mail| mail.subject == subject && mail.to.as_str() == "meera@example.com").count()
        };
        assert_eq!(told().await, 1);
        assert_eq!(told().await, 0);
        for day in 1..12 {
            world.clock.advance(DAY);
            assert_eq!(told().await, usize::from(day < 8), "day {day}");
        }

        let [request] = &requests(&world, &party.token, &party.event).await[..] else { panic!() };
        assert_eq!((&request["waits"], &request["in_force"]), (&json!(true), &json!(false)));
        assert_eq!(request["photos"].as_array().unwrap().len(), 24);
        assert!(request["photos"].as_array().unwrap().iter().all(|photo| photo["hidden"] == false));
        let stranger = world.photographer("ravi@example.com").await;
        assert_eq!(decide(&world, &stranger, request, json!({"in_force": true})).await.status, 404);

        let answer = decide(&world, &party.token, request, json!({"in_force": true})).await;
        assert_eq!((&answer.json()["waits"], &answer.json()["in_force"]), (&json!(false), &json!(true)));
        world.drain().await;
        assert_eq!(
            found(&world, &party.event, RED).await,
            ["later.jpg"],
            "the person is found where nothing is hidden"
        );
        assert_eq!(found(&world, &party.event, GREEN).await, ["other.jpg"]);
        world.clock.advance(DAY);
        assert_eq!(told().await, 0);
        assert!(
            app::operations::checks::inspect(&world.operator(), &world.parts.store).await.unwrap().is_empty()
        );
    });
}

#[test]
fn who_was_found_no_more_meanwhile_is_found_in_a_photo_that_was_deleted_for_that_time() {
    // [FACE554]
    on_both_engines(async |world: World| {
        let party = crowded(&world).await;
        assert_eq!(asks(&world, &party.event, RED, "hide").await, json!(23));
        let [request] = &requests(&world, &party.token, &party.event).await[..] else { panic!() };
        let path = format!("/api/photos/{}", request["photos"][0]["photo_id"].as_str().unwrap());
        assert_eq!(world.delete(&path, &party.token).await.status, 200);
        assert_eq!(decide(&world, &party.token, request, json!({"in_force": false})).await.status, 200);
        let all = json!({"event_id": party.event["id"], "all": true});
        assert_eq!(world.post("/api/photos/trash/restore", &party.token, all).await.status, 200);
        world.drain().await;
        assert_eq!(found(&world, &party.event, RED).await.len(), 23);
    });
}

#[test]
fn photos_that_are_held_let_nobody_hide_more_at_once() {
    // [FACE510] [SAFE425]
    on_both_engines(async |world: World| {
        let party = crowded(&world).await;
        // The 23 are more than a twentieth of the 24 that guests see, and less than one of all.
        let hold = "UPDATE events SET photos_stored = photos_stored + 480, photos_held = photos_held + 480";
        storage::testing::change(&world.parts.db, hold).await;
        let shown = preview(&world, &party.event, RED).await;
        let answer = object(&world, &shown["token"], "hide").await;
        assert_eq!(answer.json(), json!({"photos": 23, "waits": true}));
    });
}

#[test]
fn a_photographer_who_hides_none_or_some_brings_the_person_back() {
    // [FACE511]
    on_both_engines(async |world: World| {
        let party = crowded(&world).await;
        assert_eq!(asks(&world, &party.event, RED, "hide").await, json!(23));
        let [request] = &requests(&world, &party.token, &party.event).await[..] else { panic!() };
        let one = &request["photos"][0];
        let some = json!({"in_force": true, "photo_ids": [one["photo_id"]]});
        let answer = decide(&world, &party.token, request, some).await;
        assert_eq!((&answer.json()["waits"], &answer.json()["in_force"]), (&json!(false), &json!(true)));
        world.drain().await;
        assert_eq!(found(&world, &party.event, RED).await.len(), 22);
        assert_eq!(decide(&world, &party.token, request, json!({"in_force": false})).await.status, 200);
        assert_eq!(found(&world, &party.event, RED).await.len(), 23);
        // What was decided holds for these photos.
        assert!(names(&preview(&world, &party.event, RED).await["photos"]).is_empty());
    });
}
