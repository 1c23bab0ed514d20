//! 'Remove me': POST /api/face/objections/{slug}, POST /api/face/objections, and what photographers decide.

pub(crate) mod live_captures;
mod not_found;
mod restored;
mod waiting;

use std::time::Duration;

use app::operations::runtime::limits::LimitSettings;
use serde_json::{Value, json};

use crate::downloads::{Party, party};
use crate::harness::{Answer, BLACK, Field, GREEN, RED, World, on_both_engines, photo, picture};

const TOKEN_EXPIRED: &str = "Too much time has passed. Please take a new selfie.";
const NOTHING: &str = "There are no photos of you that can be hidden.";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

pub(crate) async fn preview(world: &World, event: &Value, person: [u8; 3]) -> Value {
    let path = format!("/api/face/objections/{}", event["slug"].as_str().unwrap());
    let answer = world
        .form(&path, "", &[Field::file("image", "selfie.jpg", &photo(&[person], 8)), Field::notice()])
        .await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
    answer.json()
}

pub(crate) async fn object(world: &World, token: &Value, choice: &str) -> Answer {
    let body = json!({"token": token, "choice": choice, "notice_version": "2026-11"});
    world.post("/api/face/objections", "", body).await
}

/// A guest who has asked; answers how many photos it is about.
pub(crate) async fn asks(world: &World, event: &Value, person: [u8; 3], choice: &str) -> Value {
    let shown = preview(world, event, person).await;
    let answer = object(world, &shown["token"], choice).await;
    assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.bytes));
    answer.json()["photos"].clone()
}

/// Has the photos of a person hidden.
pub(crate) async fn hide(world: &World, event: &Value, person: [u8; 3]) {
    asks(world, event, person, "hide").await;
}

/// The names of the photos that a search finds.
async fn found(world: &World, event: &Value, person: [u8; 3]) -> Vec<String> {
    names(&world.search(event, &photo(&[person], 9)).await.json()["matches"])
}

fn names(photos: &Value) -> Vec<String> {
    let name = |photo: &Value| photo["filename"].as_str().unwrap().to_owned();
    let mut names: Vec<String> = photos.as_array().unwrap().iter().map(name).collect();
    names.sort();
    names
}

pub(crate) async fn requests(world: &World, token: &str, event: &Value) -> Vec<Value> {
    let answer = world.get(&format!("/api/events/{}/objections", event["id"].as_str().unwrap()), token).await;
    assert_eq!(answer.status, 200);
    answer.json()["objections"].as_array().unwrap().clone()
}

pub(crate) async fn decide(world: &World, token: &str, request: &Value, body: Value) -> Answer {
    world.put(&format!("/api/objections/{}", request["id"].as_str().unwrap()), token, body).await
}

async fn upload(world: &World, party: &Party, name: &str, bytes: &[u8]) {
    assert_eq!(world.upload(&party.token, &party.event, name, bytes).await.status, 201);
    world.drain().await;
}

/// Two people beside each other, with a gap that keeps their faces apart.
fn together(salt: u32) -> Vec<u8> {
    picture(500 + salt, |x| match x {
        0..200 => RED,
        200..300 => BLACK,
        300..500 => GREEN,
        _ => BLACK,
    })
}

#[test]
fn what_a_guest_hides_is_found_by_nobody_on_any_node_until_the_photographer_shows_it() {
    // [FACE075] [FACE427] [FACE076] [FACE428] [FACE190] [FACE431] [FACE191] [FACE438]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        upload(&world, &party, "both.jpg", &together(0)).await;
        let other = world.second_process(&world.parts.db).await;
        let before = world.search(&party.event, &photo(&[RED], 9)).await.json();
        assert_eq!(found(&other, &party.event, GREEN).await, ["both.jpg", "other.jpg"]);

        let shown = preview(&world, &party.event, RED).await;
        assert_eq!(names(&shown["photos"]), ["both.jpg", "one.jpg", "three.png", "two.jpg"]);
        assert_eq!((&shown["overruled"], shown["faces"].as_array().unwrap().len()), (&json!(0), 1));
        assert!(shown["photos"][0].get("similarity").is_none() && shown.get("download_token").is_none());
        // What arrives after the guest has looked is not hidden with the rest.
        upload(&world, &party, "late.jpg", &photo(&[RED], 17)).await;
        world.mails.take();
        let answer = object(&world, &shown["token"], "hide").await;
        assert_eq!((answer.status.as_u16(), answer.json()), (201, json!({"photos": 4, "waits": false})));
        assert_eq!(
            object(&world, &shown["token"], "hide").await.json(),
            json!({"photos": 4, "waits": false}),
            "twice is once"
        );
        for node in [&world, &other] {
            assert_eq!(found(node, &party.event, RED).await, ["late.jpg"]);
            assert_eq!(found(node, &party.event, GREEN).await, ["other.jpg"], "by nobody");
        }

        // Nor by what was handed out before.
        let token = &before["download_token"];
        let opened = world.post("/api/face/results", "", json!({"token": token})).await;
        assert_eq!(opened.json()["matches"], json!([]));
        let zip = format!("/api/face/download/{}.zip", token.as_str().unwrap());
        assert_eq!(world.get(&zip, "").await.status, 404);
        let link =
            format!("/api/photos/download-by-s3?key={}", before["matches"][0]["s3_key"].as_str().unwrap());
        assert_eq!(world.get(&link, "").await.status, 404);
        assert_eq!(world.get(&link, &party.token).await.status, 200, "the photographer has it");

        // The photographer is told, by mail once.
        world.drain().await;
        let mails = world.mails.take();
        assert_eq!(mails.len(), 1);
        let mail = &mails[0].mail;
        assert_eq!(
            (mail.to.as_str(), mail.subject.as_str()),
            ("meera@example.com", "A guest asked to be removed from photos")
        );
        assert!(mail.text.contains("that photos they are in be hidden (once)"), "{}", mail.text);
        let summary = world.get("/api/objections", &party.token).await.json();
        assert_eq!(summary["objections"][0]["event_id"], party.event["id"]);
        let [request] = &requests(&world, &party.token, &party.event).await[..] else { panic!() };
        assert_eq!((&request["choice"], &request["in_force"]), (&json!("hide"), &json!(true)));
        assert_eq!(names(&request["photos"]).len(), 4);
        let in_library = world
            .form("/api/face/search", &party.token, &[Field::file("image", "s.jpg", &photo(&[RED], 9))])
            .await;
        assert_eq!(in_library.json()["matches"].as_array().unwrap().len(), 5, "their own search finds all");

        // One photo is shown again, then all; the same guest cannot hide them again, another can.
        let both = request["photos"]
            .as_array()
            .unwrap()
            .iter()
            .find(|photo| photo["filename"] == "both.jpg")
            .unwrap();
        let one = json!({"in_force": false, "photo_ids": [both["photo_id"]]});
        let answer = decide(&world, &party.token, request, one).await;
        assert_eq!((answer.status.as_u16(), &answer.json()["in_force"]), (200, &json!(true)));
        assert_eq!(found(&other, &party.event, RED).await, ["both.jpg", "late.jpg"]);
        let answer = decide(&world, &party.token, request, json!({"in_force": false})).await;
        assert_eq!(answer.json()["in_force"], json!(false));
        assert_eq!(found(&world, &party.event, RED).await.len(), 5);
        let again = preview(&world, &party.event, RED).await;
        assert_eq!(
            (names(&again["photos"]), &again["overruled"]),
            (vec![String::from("late.jpg")], &json!(4))
        );
        assert_eq!(asks(&world, &party.event, GREEN, "hide").await, json!(2));
        assert_eq!(found(&world, &party.event, RED).await, ["late.jpg", "one.jpg", "three.png", "two.jpg"]);

        // The photographer may hide them again.
        assert_eq!(decide(&world, &party.token, request, json!({"in_force": true})).await.status, 200);
        assert_eq!(found(&world, &party.event, RED).await, ["late.jpg"]);
        assert!(
            app::operations::checks::inspect(&world.operator(), &world.parts.store).await.unwrap().is_empty()
        );
    });
}

#[test]
fn hidden_photos_stay_hidden_when_they_are_indexed_again() {
    // [FACE192]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        asks(&world, &party.event, RED, "hide").await;
        storage::testing::change(&world.parts.db, "UPDATE photos SET pack = 'older', outdated = TRUE").await;
        app::faces::reindexing::queue_outdated(&world.app).await.unwrap();
        world.drain().await;
        assert!(found(&world, &party.event, RED).await.is_empty());
        assert_eq!(found(&world, &party.event, GREEN).await, ["other.jpg"]);
    });
}

#[test]
fn whom_nobody_shall_find_is_not_found_in_later_photos_either() {
    // [FACE193] [FACE432] [FACE433] [FACE434] [FACE436]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        upload(&world, &party, "both.jpg", &together(0)).await;
        let other = world.second_process(&world.parts.db).await;
        found(&other, &party.event, RED).await;
        assert_eq!(asks(&world, &party.event, RED, "stop_finding").await, json!(4));
        upload(&world, &party, "later.jpg", &photo(&[RED], 17)).await;
        upload(&world, &party, "later both.jpg", &together(4)).await;
        for node in [&world, &other] {
            assert!(found(node, &party.event, RED).await.is_empty());
            let green = ["both.jpg", "later both.jpg", "other.jpg"];
            assert_eq!(found(node, &party.event, GREEN).await, green, "the photos are there for the others");
        }
        assert_eq!(names(&preview(&world, &party.event, RED).await["photos"]).len(), 0);
        let [request] = &requests(&world, &party.token, &party.event).await[..] else { panic!() };
        assert_eq!(request["photos"].as_array().unwrap().len(), 6);
        assert!(
            app::operations::checks::inspect(&world.operator(), &world.parts.store).await.unwrap().is_empty()
        );

        // Neither when photos are indexed again, nor when another model pack describes faces otherwise: then by their places.
        for pack in ["fake", "older"] {
            let outdated = format!("UPDATE photos SET pack = '{pack}', outdated = TRUE");
            storage::testing::change(&world.parts.db, &outdated).await;
            app::faces::reindexing::queue_outdated(&world.app).await.unwrap();
            world.drain().await;
            assert!(found(&world, &party.event, RED).await.is_empty());
            assert_eq!(found(&world, &party.event, GREEN).await.len(), 3);
        }

        // The photographer's decision brings the faces back, and holds.
        let answer = decide(&world, &party.token, request, json!({"in_force": false})).await;
        assert_eq!((answer.status.as_u16(), &answer.json()["in_force"]), (200, &json!(false)));
        world.drain().await;
        assert_eq!(found(&other, &party.event, RED).await.len(), 6);
        let shown = preview(&world, &party.event, RED).await;
        let refused = object(&world, &shown["token"], "stop_finding").await;
        assert_eq!(
            refused.error(),
            (409, String::from("The photographer has decided on this before. Please ask the photographer."))
        );
        let ended = decide(&world, &party.token, request, json!({"in_force": true})).await;
        assert_eq!(ended.json()["code"], "objection_ended");
        assert_eq!(ended.status, 409);
        assert_eq!(
            object(&world, &shown["token"], "hide").await.status,
            201,
            "the other choice is another matter"
        );
    });
}

#[test]
fn a_guest_without_photos_can_ask_not_to_be_found_but_has_nothing_to_hide() {
    // [FACE432] [FACE195] [FACE437] [FACE438]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let blue = [20, 20, 230];
        let shown = preview(&world, &party.event, blue).await;
        assert_eq!(shown["photos"], json!([]));
        assert_eq!(object(&world, &shown["token"], "hide").await.error(), (409, String::from(NOTHING)));
        for _ in 0..2 {
            let asked = object(&world, &shown["token"], "stop_finding").await.json();
            assert_eq!((&asked["photos"], &asked["waits"]), (&json!(0), &json!(false)));
        }
        assert_eq!(requests(&world, &party.token, &party.event).await.len(), 1, "twice is once");
        upload(&world, &party, "blue.jpg", &photo(&[blue], 0)).await;
        assert!(found(&world, &party.event, blue).await.is_empty());
    });
}

#[test]
fn only_what_a_fresh_search_of_this_event_found_is_hidden_and_only_with_consent() {
    // [FACE196] [FACE435]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let shown = preview(&world, &party.event, RED).await;
        let token = &shown["token"];
        let send = async |body: Value| world.post("/api/face/objections", "", body).await.error();
        let consent = json!({"token": token, "choice": "hide"});
        assert_eq!(send(consent).await, (400, String::from("Please tick the box to agree")));
        let choice = json!({"token": token, "choice": "delete", "notice_version": "1"});
        assert_eq!(send(choice).await, (400, String::from("Choice must be hide or stop_finding")));
        let search = world.search(&party.event, &photo(&[RED], 9)).await.json();
        let altered = token.as_str().unwrap().to_owned() + "A";
        let elsewhere = world.event(&party.token, "Elsewhere").await;
        let sealed = token.as_str().unwrap().split_once('.').unwrap().1;
        let moved = format!("{}.{sealed}", elsewhere["id"].as_str().unwrap());
        for other in [
            &search["subscription_token"],
            &search["download_token"],
            &json!(altered),
            &json!(moved),
            &json!(""),
        ] {
            assert_eq!(
                object(&world, other, "hide").await.error(),
                (404, String::from(TOKEN_EXPIRED)),
                "{other}"
            );
        }
        world.clock.advance(Duration::from_secs(15 * 60));
        assert_eq!(object(&world, token, "hide").await.error(), (404, String::from(TOKEN_EXPIRED)));
        assert_eq!(found(&world, &party.event, RED).await.len(), 3);

        // A token of a search is nothing to the ZIP, and an event that is gone has neither requests nor templates.
        asks(&world, &party.event, RED, "stop_finding").await;
        let shown = preview(&world, &party.event, GREEN).await;
        let path = format!("/api/events/{}", party.event["id"].as_str().unwrap());
        assert_eq!(world.delete(&path, &party.token).await.status, 202);
        assert_eq!(object(&world, &shown["token"], "hide").await.error(), (404, String::from(TOKEN_EXPIRED)));
        world.drain().await;
        assert_eq!(world.post(&format!("{path}/purge"), &party.token, json!({})).await.status, 204);
        let event = party.event["id"].as_str().unwrap().parse().unwrap();
        assert!(storage::guests::objections::of_event(&world.parts.db, event).await.unwrap().is_empty());
        assert!(
            storage::guests::objections::faces_of_event(&world.parts.db, event).await.unwrap().is_empty()
        );
        assert_eq!(storage::guests::objections::key(&world.parts.db, event).await.unwrap(), None);
        assert!(
            app::operations::checks::inspect(&world.operator(), &world.parts.store).await.unwrap().is_empty()
        );
    });
}

#[test]
fn requests_are_the_own_photographers_to_see_and_decide() {
    // [FACE076] [FACE428] [FACE429]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        asks(&world, &party.event, RED, "hide").await;
        let [request] = &requests(&world, &party.token, &party.event).await[..] else { panic!() };
        let stranger = world.photographer("ravi@example.com").await;
        let path = format!("/api/events/{}/objections", party.event["id"].as_str().unwrap());
        let missing = (404, String::from("Event not found"));
        assert_eq!(world.get(&path, &stranger).await.error(), missing);
        assert_eq!(world.get("/api/events/none/objections", &party.token).await.error(), missing);
        assert_eq!(world.get("/api/objections", &stranger).await.json(), json!({"objections": []}));
        for path in [path.as_str(), "/api/objections"] {
            assert_eq!(world.get(path, "").await.status, 401);
        }
        let gone = (404, String::from("This request is no longer there"));
        let undo = json!({"in_force": false});
        assert_eq!(decide(&world, &stranger, request, undo.clone()).await.error(), gone);
        assert_eq!(decide(&world, &party.token, &json!({"id": "none"}), undo.clone()).await.error(), gone);
        let strange = json!({"in_force": false, "photo_ids": ["none"]});
        assert_eq!(
            decide(&world, &party.token, request, strange).await.error(),
            (404, String::from("Photo not found"))
        );
        assert!(found(&world, &party.event, RED).await.is_empty());

        // Photos can be deleted; a request without photos has ended.
        for photo in request["photos"].as_array().unwrap() {
            let path = format!("/api/photos/{}", photo["photo_id"].as_str().unwrap());
            assert_eq!(world.delete(&path, &party.token).await.status, 200);
        }
        assert!(requests(&world, &party.token, &party.event).await.is_empty());
    });
}

#[test]
fn an_address_may_ask_a_few_times_a_day_and_a_mail_goes_at_most_once_an_hour() {
    // [FACE439] [FACE440] [FACE197]
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        for database in storage::testing::engines().await {
            let limits = LimitSettings { objections: 2, ..LimitSettings::OFF };
            let world = World::limited(database.db.clone(), limits, "").await;
            let party = party(&world).await;
            world.mails.take();
            let refused = object(&world, &json!("none"), "hide").await;
            assert_eq!(refused.status, 404, "what is not complete does not count");
            asks(&world, &party.event, RED, "hide").await;
            world.drain().await;
            assert_eq!(world.mails.take().len(), 1);
            asks(&world, &party.event, GREEN, "stop_finding").await;
            world.drain().await;
            assert!(world.mails.take().is_empty());
            let shown = preview(&world, &party.event, RED).await;
            let refused = object(&world, &shown["token"], "stop_finding").await;
            assert_eq!(
                refused.error(),
                (429, String::from("Too many requests. Please try again in 24 hours."))
            );
            assert_eq!(refused.header("retry-after"), "86400");

            world.clock.advance(Duration::from_secs(60 * 60));
            world.drain().await;
            let mails = world.mails.take();
            assert_eq!(mails.len(), 1);
            assert!(mails[0].mail.text.contains("not to be found by their face any more (once)"));
            world.clock.advance(DAY);
            asks(&world, &party.event, RED, "stop_finding").await;
        }
    });
}

#[test]
fn a_request_that_comes_while_a_mail_about_another_is_sent_is_told_of_by_the_next() {
    // [FACE555]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        asks(&world, &party.event, RED, "hide").await;
        world.mails.take();
        let meanwhile = world.mails.hold_next().during(asks(&world, &party.event, GREEN, "stop_finding"));
        tokio::join!(world.drain(), meanwhile);
        let told = world.mails.take();
        assert_eq!(told.len(), 1);
        assert!(!told[0].mail.text.contains("not to be found"), "{}", told[0].mail.text);

        world.clock.advance(Duration::from_secs(60 * 60));
        world.drain().await;
        let told = world.mails.take();
        assert_eq!(told.len(), 1);
        assert!(told[0].mail.text.contains("not to be found by their face any more (once)"));
        world.clock.advance(DAY);
        world.drain().await;
        assert!(world.mails.take().is_empty(), "each is told of once");
    });
}

#[test]
fn templates_end_with_the_retention_also_where_no_photo_is_left_by_then() {
    // [FACE551]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        asks(&world, &party.event, RED, "stop_finding").await;
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
        let db = &world.parts.db;
        assert_eq!(storage::testing::count(db, "objections").await, 1, "until the event expires");
        world.clock.advance(60 * DAY);
        maintained().await;
        assert_eq!(storage::testing::count(db, "objections").await, 0);
        assert_eq!(storage::testing::count(db, "events WHERE objection_key IS NOT NULL").await, 0);
    });
}

#[test]
fn what_a_photographer_has_not_seen_is_told_until_it_is_seen() {
    // [FACE327] [FACE441]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        asks(&world, &party.event, RED, "hide").await;
        world.clock.advance(Duration::from_secs(1));
        asks(&world, &party.event, RED, "stop_finding").await;
        world.clock.advance(Duration::from_secs(1));
        let told = async || -> Vec<Value> {
            let all = world.get("/api/objections", &party.token).await.json();
            all["objections"].as_array().unwrap().iter().map(|each| each["seen"].clone()).collect()
        };
        assert_eq!(told().await, [false, false]);
        let [newest, oldest] = &requests(&world, &party.token, &party.event).await[..] else { panic!() };
        let see = async |request: &Value, token: &str| {
            world
                .put(&format!("/api/objections/{}/seen", request["id"].as_str().unwrap()), token, json!({}))
                .await
        };
        let stranger = world.photographer("ravi@example.com").await;
        let gone = (404, String::from("This request is no longer there"));
        assert_eq!(see(newest, &stranger).await.error(), gone);
        assert_eq!(see(&json!({"id": "none"}), &party.token).await.error(), gone);
        assert_eq!(told().await, [false, false]);
        assert_eq!(see(oldest, &party.token).await.status, 204);
        assert_eq!(told().await, [false, true], "the newer one is told");
        assert_eq!(see(newest, &party.token).await.status, 204);
        let other = world.second_process(&world.parts.db).await;
        assert_eq!(see(newest, &party.token).await.status, 204, "twice is once");
        let all = other.get("/api/objections", &party.token).await.json();
        assert_eq!(all["objections"][0]["seen"], true, "on every node");
        assert_eq!(requests(&world, &party.token, &party.event).await[0]["seen"], true);

        asks(&world, &party.event, GREEN, "hide").await;
        assert_eq!(told().await, [false, true, true]);
        let [new, ..] = &requests(&world, &party.token, &party.event).await[..] else { panic!() };
        for photo in new["photos"].as_array().unwrap() {
            let path = format!("/api/photos/{}", photo["photo_id"].as_str().unwrap());
            assert_eq!(world.delete(&path, &party.token).await.status, 200);
        }
        assert_eq!(told().await, [true, true], "nothing is left of it to be seen");
    });
}

#[test]
fn what_a_strict_search_does_not_find_stays_where_it_is() {
    // [FACE190]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        // A hue 12° from red, which a search finds that is not strict.
        for (name, colour) in [("same.jpg", RED), ("near.jpg", [230, 66, 20])] {
            assert_eq!(world.upload(&token, &event, name, &photo(&[colour], 0)).await.status, 201);
        }
        world.drain().await;
        assert_eq!(found(&world, &event, RED).await, ["near.jpg", "same.jpg"]);
        assert_eq!(names(&preview(&world, &event, RED).await["photos"]), ["same.jpg"]);
        hide(&world, &event, RED).await;
        assert_eq!(found(&world, &event, RED).await, ["near.jpg"]);
    });
}
