//! Requests with a live capture, and those without one, which wait for the photographer and change nothing until then.

use std::time::Duration;

use serde_json::{Value, json};

use super::{TOKEN_EXPIRED, decide, found, names, object, preview, requests, together, upload};
use crate::downloads::{Party, party};
use crate::harness::{Answer, BLUE, Field, GREEN, RED, World, on_both_engines, photo, turned};

const EXPIRED: &str = "Too much time has passed. Please take both photos again.";

fn path_of(event: &Value) -> String {
    format!("/api/face/objections/{}", event["slug"].as_str().unwrap())
}

async fn challenge(world: &World, event: &Value) -> Value {
    let answer = world.post(&format!("{}/challenge", path_of(event)), "", json!({})).await;
    assert_eq!(answer.status, 200);
    answer.json()
}

/// A search with one picture, as whoever has it from somewhere makes it.
pub(crate) async fn without_capture(world: &World, event: &Value, person: [u8; 3]) -> Value {
    let selfie = photo(&[person], 8);
    let fields = [Field::file("image", "selfie.jpg", &selfie), Field::notice()];
    let answer = world.raw_form(&path_of(event), "", &fields).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
    answer.json()
}

async fn with_capture(
    world: &World,
    event: &Value,
    image: &[u8],
    turned: &[u8],
    challenge: &Value,
) -> Answer {
    let fields = [
        Field::file("image", "selfie.jpg", image),
        Field::file("turned_image", "turned.jpg", turned),
        Field::text("challenge", challenge.as_str().unwrap()),
        Field::notice(),
    ];
    world.raw_form(&path_of(event), "", &fields).await
}

/// Where the nose is when the head is turned to this side of the person, in a picture that is not mirrored.
fn nose(side: &Value) -> f64 {
    if side == "left" { 0.75 } else { 0.25 }
}

#[test]
fn a_live_capture_is_two_pictures_of_one_person_with_the_head_turned_as_was_drawn() {
    // [FACE514] [FACE515]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let mut sides = std::collections::BTreeSet::new();
        for _ in 0..40 {
            sides.insert(challenge(&world, &party.event).await["side"].as_str().unwrap().to_owned());
        }
        assert_eq!(sides.into_iter().collect::<Vec<_>>(), ["left", "right"]);

        let drawn = challenge(&world, &party.event).await;
        let (side, token) = (&drawn["side"], &drawn["challenge"]);
        let to = nose(side);
        let red = photo(&[RED], 8);
        let towards = |picture: &[u8], nose: f64| turned(picture, nose).unwrap();
        let green_turned = towards(&photo(&[GREEN], 8), to);
        let two = photo(&[RED, BLUE], 8);
        let tiny = photo(&[[230, 150, 150]], 8);
        for (image, turned, code) in [
            (&red, &red, "live_capture_same_picture"),
            (&red, &towards(&red, 0.52), "live_capture_turned_too_little"),
            (&red, &towards(&red, 1.0 - to), "live_capture_other_side"),
            (&towards(&red, to), &towards(&red, 1.0 - to), "live_capture_not_frontal"),
            (&red, &green_turned, "live_capture_other_person"),
            (&two, &towards(&red, to), "live_capture_several_faces"),
            (&red, &two, "live_capture_several_faces"),
            (&red, &tiny, "too_blurry"),
        ] {
            let answer = with_capture(&world, &party.event, image, turned, token).await;
            assert_eq!((answer.status.as_u16(), &answer.json()["code"]), (422, &json!(code)));
        }
        let answer = with_capture(&world, &party.event, &red, &towards(&red, to), token).await;
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
        let shown = answer.json();
        assert_eq!((&shown["live"], shown["faces"].as_array().unwrap().len()), (&json!(true), 1));
        let answer = object(&world, &shown["token"], "hide").await;
        assert_eq!((answer.status.as_u16(), answer.json()), (201, json!({"photos": 3, "waits": false})));
        assert!(found(&world, &party.event, RED).await.is_empty());
        let [request] = &requests(&world, &party.token, &party.event).await[..] else { panic!() };
        assert_eq!(request["without_capture"], false);
    });
}

#[test]
fn what_was_drawn_is_good_for_minutes_and_for_its_event() {
    // [FACE515]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let other = world.event(&party.token, "Another").await;
        let red = photo(&[RED], 8);
        let refused = async |challenge: &Value| {
            let answer =
                with_capture(&world, &party.event, &red, &turned(&red, 0.75).unwrap(), challenge).await;
            answer.error()
        };
        let expired = (404, EXPIRED.to_owned());
        assert_eq!(refused(&challenge(&world, &other).await["challenge"]).await, expired);
        assert_eq!(refused(&json!("made-up")).await, expired);
        assert_eq!(refused(&preview(&world, &party.event, RED).await["token"]).await, expired);
        let drawn = challenge(&world, &party.event).await;
        world.clock.advance(Duration::from_secs(5 * 60));
        assert_eq!(refused(&drawn["challenge"]).await, expired);
        // Nor is it the token of a search.
        let answer = object(&world, &drawn["challenge"], "hide").await;
        assert_eq!(answer.error(), (404, TOKEN_EXPIRED.to_owned()));
    });
}

/// That nothing has changed for anybody.
async fn assert_untouched(world: &World, party: &Party, before: &Value) {
    assert_eq!(found(world, &party.event, RED).await, ["both.jpg", "one.jpg", "three.png", "two.jpg"]);
    assert_eq!(found(world, &party.event, GREEN).await, ["both.jpg", "other.jpg"]);
    let opened = world.post("/api/face/results", "", json!({"token": before["download_token"]})).await;
    assert_eq!(names(&opened.json()["matches"]).len(), 4);
}

#[test]
fn without_a_live_capture_nothing_changes_until_the_photographer_decides() {
    // [FACE516] [FACE517]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        upload(&world, &party, "both.jpg", &together(0)).await;
        let before = world.search(&party.event, &photo(&[RED], 9)).await.json();
        world.mails.take();
        for (choice, photos) in [("hide", 4), ("stop_finding", 4)] {
            let shown = without_capture(&world, &party.event, RED).await;
            assert_eq!(shown["live"], false);
            let answer = object(&world, &shown["token"], choice).await;
            assert_eq!(
                (answer.status.as_u16(), answer.json()),
                (201, json!({"photos": photos, "waits": true}))
            );
            assert_eq!(object(&world, &shown["token"], choice).await.json()["waits"], true, "twice is once");
            assert_untouched(&world, &party, &before).await;
        }
        // Nor for what is uploaded later, or indexed again.
        upload(&world, &party, "later.jpg", &photo(&[RED], 17)).await;
        assert_eq!(found(&world, &party.event, RED).await.len(), 5);
        world.drain().await;
        let mails = world.mails.take();
        assert_eq!(mails.len(), 1);
        assert_eq!(mails[0].mail.subject, "A guest's request waits for your decision");
        assert!(mails[0].mail.text.contains("Nothing changes until you decide."), "{}", mails[0].mail.text);

        let mut waiting = requests(&world, &party.token, &party.event).await;
        assert_eq!(waiting.len(), 2);
        // They have one moment, so that either may be the first.
        waiting.sort_by_key(|request| request["choice"] == "hide");
        for request in &waiting {
            assert_eq!(
                (&request["waits"], &request["without_capture"], &request["in_force"]),
                (&json!(true), &json!(true), &json!(false))
            );
            assert_eq!(names(&request["photos"]), ["both.jpg", "one.jpg", "three.png", "two.jpg"]);
        }
        // What the photographer lets hold does, for what came meanwhile too.
        let answer = decide(&world, &party.token, &waiting[0], json!({"in_force": true})).await;
        assert_eq!((&answer.json()["waits"], &answer.json()["in_force"]), (&json!(false), &json!(true)));
        assert!(found(&world, &party.event, RED).await.is_empty());
        assert_eq!(found(&world, &party.event, GREEN).await, ["both.jpg", "other.jpg"]);
        upload(&world, &party, "last.jpg", &photo(&[RED], 19)).await;
        assert!(found(&world, &party.event, RED).await.is_empty());
        let answer = decide(&world, &party.token, &waiting[1], json!({"in_force": true})).await;
        assert_eq!((&answer.json()["waits"], &answer.json()["in_force"]), (&json!(false), &json!(true)));
        assert_eq!(found(&world, &party.event, GREEN).await, ["other.jpg"]);
        assert!(
            app::operations::checks::inspect(&world.operator(), &world.parts.store).await.unwrap().is_empty()
        );
    });
}

#[test]
fn a_photographer_who_declines_what_nobody_has_shown_to_be_theirs_does_not_bind_the_person() {
    // [FACE517] [FACE518]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        upload(&world, &party, "both.jpg", &together(0)).await;
        let before = world.search(&party.event, &photo(&[RED], 9)).await.json();
        for choice in ["hide", "stop_finding"] {
            let shown = without_capture(&world, &party.event, RED).await;
            assert_eq!(object(&world, &shown["token"], choice).await.status, 201);
            let requests = requests(&world, &party.token, &party.event).await;
            let request = requests.iter().find(|request| request["waits"] == true).unwrap();
            let answer = decide(&world, &party.token, request, json!({"in_force": false})).await;
            assert_eq!((&answer.json()["waits"], &answer.json()["in_force"]), (&json!(false), &json!(false)));
            assert_untouched(&world, &party, &before).await;
        }
        // The same pictures are declined for good.
        let shown = without_capture(&world, &party.event, RED).await;
        assert_eq!(shown["overruled"], 4);
        assert_eq!(object(&world, &shown["token"], "hide").await.status, 409);
        assert_eq!(object(&world, &shown["token"], "stop_finding").await.status, 409);
        assert_untouched(&world, &party, &before).await;
        // Whoever shows to be the person is heard.
        let shown = preview(&world, &party.event, RED).await;
        assert_eq!((&shown["live"], &shown["overruled"]), (&json!(true), &json!(0)));
        assert_eq!(
            object(&world, &shown["token"], "hide").await.json(),
            json!({"photos": 4, "waits": false})
        );
        assert!(found(&world, &party.event, RED).await.is_empty());
        assert_eq!(object(&world, &shown["token"], "stop_finding").await.json()["waits"], false);
    });
}

#[test]
fn a_request_that_waits_for_want_of_a_capture_holds_up_nobody_who_makes_one() {
    // [FACE516]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        for choice in ["hide", "stop_finding"] {
            let shown = without_capture(&world, &party.event, RED).await;
            assert_eq!(object(&world, &shown["token"], choice).await.json()["waits"], true);
        }
        let shown = preview(&world, &party.event, RED).await;
        assert_eq!(
            object(&world, &shown["token"], "hide").await.json(),
            json!({"photos": 3, "waits": false})
        );
        assert!(found(&world, &party.event, RED).await.is_empty());
        let asked = object(&world, &shown["token"], "stop_finding").await.json();
        assert_eq!((&asked["photos"], &asked["waits"]), (&json!(3), &json!(false)));
    });
}

/// A photo is deleted while requests for it wait, and restored once these are decided.
async fn deleted_meanwhile(world: &World, in_force: bool) {
    let party = party(world).await;
    for choice in ["hide", "stop_finding"] {
        let shown = without_capture(world, &party.event, RED).await;
        assert_eq!(object(world, &shown["token"], choice).await.status, 201);
    }
    let waiting = requests(world, &party.token, &party.event).await;
    let id = waiting[0]["photos"][0]["photo_id"].as_str().unwrap().to_owned();
    assert_eq!(world.delete(&format!("/api/photos/{id}"), &party.token).await.status, 200);
    for request in &waiting {
        let answer = decide(world, &party.token, request, json!({"in_force": in_force})).await;
        assert_eq!(answer.status, 200);
    }
    let path = "/api/photos/trash/restore";
    let restored =
        world.post(path, &party.token, json!({"event_id": party.event["id"], "photo_ids": [id]})).await;
    assert_eq!((restored.status.as_u16(), restored.json()), (200, json!({"restored": 1})));
    world.drain().await;
    assert_eq!(found(world, &party.event, RED).await.len(), if in_force { 0 } else { 3 });
    for request in requests(world, &party.token, &party.event).await {
        assert_eq!(request["in_force"], in_force);
        let photos = request["photos"].as_array().unwrap();
        assert_eq!(photos.len(), 3);
        assert!(photos.iter().all(|photo| photo["in_force"] == in_force), "{request}");
    }
    assert!(
        app::operations::checks::inspect(&world.operator(), &world.parts.store).await.unwrap().is_empty()
    );
}

#[test]
fn photos_that_are_deleted_while_a_request_waits_come_back_as_it_was_decided() {
    // [FACE517]
    on_both_engines(async |world: World| deleted_meanwhile(&world, true).await);
    on_both_engines(async |world: World| deleted_meanwhile(&world, false).await);
}
