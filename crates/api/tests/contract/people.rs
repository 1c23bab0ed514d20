//! The people of an event, for its photographer.

use std::time::Duration;

use serde_json::{Value, json};

use crate::downloads::{Party, files, party};
use crate::harness::{BLUE, Field, GREEN, RED, World, on_both_engines, photo};

const GONE: &str = "This person is no longer there";

fn of_event(event: &Value) -> String {
    format!("/api/events/{}/people", event["id"].as_str().unwrap())
}

/// What the background does once indexing is idle.
pub(crate) async fn group(world: &World) {
    world.drain().await;
    world.clock.advance(Duration::from_secs(61));
    world.run_due().await;
}

async fn people(world: &World, party: &Party, query: &str) -> Value {
    let answer = world.get(&format!("{}{query}", of_event(&party.event)), &party.token).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
    answer.json()
}

/// How many photos each person is in, those in most first.
async fn counts(world: &World, party: &Party) -> Vec<i64> {
    let listed = people(world, party, "").await;
    listed["people"].as_array().unwrap().iter().map(|person| person["photos"].as_i64().unwrap()).collect()
}

async fn id(world: &World, party: &Party, place: usize) -> String {
    people(world, party, "").await["people"][place]["id"].as_str().unwrap().to_owned()
}

/// The names of the photos that a person is in.
async fn photos(world: &World, party: &Party, person: &str) -> Vec<(String, String)> {
    let event = party.event["id"].as_str().unwrap();
    let path = format!("/api/photos/search?event_id={event}&person_id={person}");
    let page = world.get(&path, &party.token).await.json();
    let text = |photo: &Value, field: &str| photo[field].as_str().unwrap().to_owned();
    let mut named: Vec<_> = page["photos"]
        .as_array()
        .unwrap()
        .iter()
        .map(|photo| (text(photo, "filename"), text(photo, "id")))
        .collect();
    named.sort();
    named
}

fn names(photos: &[(String, String)]) -> Vec<&str> {
    photos.iter().map(|(name, _)| name.as_str()).collect()
}

#[test]
fn faces_are_put_together_once_indexing_is_idle_and_new_ones_join_them() {
    // [GAL077]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let before = people(&world, &party, "").await;
        assert_eq!((&before["people"], &before["waiting_faces"]), (&json!([]), &json!(4)));
        world.upload(&party.token, &party.event, "late.jpg", &photo(&[RED, BLUE], 0)).await;
        world.clock.advance(Duration::from_secs(61));
        world.run_due().await;
        assert_eq!(people(&world, &party, "").await["people"], json!([]), "a photo waits for its indexing");
        group(&world).await;
        let listed = people(&world, &party, "").await;
        assert_eq!(counts(&world, &party).await, [4, 1, 1]);
        assert_eq!((&listed["total_count"], &listed["waiting_faces"]), (&json!(3), &json!(0)));
        assert_eq!((&listed["enabled"], &listed["next_cursor"]), (&json!(true), &Value::Null));
        let red = id(&world, &party, 0).await;
        assert_eq!(
            names(&photos(&world, &party, &red).await),
            ["late.jpg", "one.jpg", "three.png", "two.jpg"]
        );

        world.upload(&party.token, &party.event, "later.jpg", &photo(&[GREEN], 7)).await;
        group(&world).await;
        assert_eq!(counts(&world, &party).await, [4, 2, 1]);
        assert_eq!(id(&world, &party, 0).await, red, "nobody is anybody else by that");
        let first = people(&world, &party, "?limit=2").await;
        assert_eq!(first["people"].as_array().unwrap().len(), 2);
        let cursor = first["next_cursor"].as_str().unwrap();
        let second = people(&world, &party, &format!("?limit=2&cursor={cursor}")).await;
        assert_eq!((second["people"].as_array().unwrap().len(), &second["next_cursor"]), (1, &Value::Null));
    });
}

#[test]
fn people_are_for_the_photographer_alone() {
    // [GAL077] [GAL178] [GAL179]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        group(&world).await;
        let red = id(&world, &party, 0).await;
        let text = String::from_utf8(world.get(&of_event(&party.event), &party.token).await.bytes).unwrap();
        assert!(!text.contains("embedding"), "{text}");
        let ravi = world.photographer("ravi@example.com").await;
        let foreign = world.get(&of_event(&party.event), &ravi).await;
        assert_eq!(foreign.error(), (404, String::from("Event not found")));
        assert_eq!(world.get(&of_event(&party.event), "").await.status, 401);
        let other = format!("/api/photos/search?person_id={red}");
        assert_eq!(world.get(&other, &ravi).await.json()["total_count"], 0);
        let path = format!("/api/people/{red}");
        assert_eq!(world.get(&path, &party.token).await.json()["photos"], 3);
        for answer in [
            world.get(&path, &ravi).await,
            world.put(&path, &ravi, json!({"hidden": true})).await,
            world.post(&format!("{path}/merge"), &ravi, json!({"into": red})).await,
            world.post(&format!("{path}/split"), &ravi, json!({"photo_ids": [red]})).await,
            world.post(&format!("{path}/download"), &ravi, json!({})).await,
        ] {
            assert_eq!(answer.error(), (404, String::from(GONE)));
        }
        let guests = world.get(&format!("/api/events/{}", party.event["slug"].as_str().unwrap()), "").await;
        assert!(!String::from_utf8(guests.bytes).unwrap().contains(&red));
    });
}

#[test]
fn what_the_photographer_decides_stays() {
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        group(&world).await;
        let (red, green) = (id(&world, &party, 0).await, id(&world, &party, 1).await);
        let path = format!("/api/people/{red}");
        let all = photos(&world, &party, &red).await;
        let split = async |photos: Value| {
            world.post(&format!("{path}/split"), &party.token, json!({"photo_ids": photos})).await
        };
        let every: Vec<&String> = all.iter().map(|(_, id)| id).collect();
        let text = "Choose some of this person's photos, but not all of them";
        for photos in [json!([]), json!(every), json!(["none"]), json!([green])] {
            assert_eq!(split(photos).await.error(), (400, String::from(text)));
        }
        let answer = split(json!([all[0].1])).await;
        assert_eq!(answer.status, 201);
        let taken_out = answer.json()["person_id"].as_str().unwrap().to_owned();
        assert_eq!(names(&photos(&world, &party, &taken_out).await), ["one.jpg"]);

        // A new photo of the same person joins one of them, and does not join the two.
        world.upload(&party.token, &party.event, "new.jpg", &photo(&[RED], 11)).await;
        group(&world).await;
        let mut counted = counts(&world, &party).await;
        counted.sort_unstable();
        assert_eq!((counted.len(), counted.iter().sum::<i64>()), (3, 5));

        let merge = async |into: &str| {
            world.post(&format!("{path}/merge"), &party.token, json!({"into": into})).await
        };
        let other = world.event(&party.token, "Other").await;
        world.upload(&party.token, &other, "a.jpg", &photo(&[RED], 0)).await;
        group(&world).await;
        let elsewhere = world.get(&of_event(&other), &party.token).await.json();
        let text = String::from("Choose two different people of the same event");
        assert_eq!(merge(&red).await.error(), (400, text.clone()));
        assert_eq!(merge(elsewhere["people"][0]["id"].as_str().unwrap()).await.error(), (400, text));
        assert_eq!(merge("none").await.error(), (404, String::from(GONE)));
        assert_eq!(merge(&green).await.status, 204);
        assert_eq!(merge(&green).await.error(), (404, String::from(GONE)), "the first is gone");
        assert_eq!(counts(&world, &party).await.iter().sum::<i64>(), 5);
        let shown = photos(&world, &party, &green).await;
        assert!(names(&shown).contains(&"other.jpg") && names(&shown).contains(&"two.jpg"));
    });
}

#[test]
fn people_are_put_aside_and_taken_back() {
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        group(&world).await;
        let red = id(&world, &party, 0).await;
        let path = format!("/api/people/{red}");
        assert_eq!(world.put(&path, &party.token, json!({"hidden": true})).await.status, 204);
        let listed = people(&world, &party, "").await;
        assert_eq!((&listed["total_count"], &listed["other_count"]), (&json!(1), &json!(1)));
        let aside = people(&world, &party, "?hidden=true").await;
        assert_eq!((&aside["people"][0]["id"], &aside["people"][0]["hidden"]), (&json!(red), &json!(true)));
        assert_eq!(world.put(&path, &party.token, json!({"hidden": false})).await.status, 204);
        assert_eq!(counts(&world, &party).await, [3, 1]);
    });
}

#[test]
fn the_picture_of_a_face_and_the_photos_of_a_person_are_there() {
    // [GAL079] [GAL180]
    // The photos come as a ZIP of originals, byte for byte.
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        group(&world).await;
        let listed = people(&world, &party, "").await;
        let link = listed["people"][1]["picture_url"].as_str().unwrap();
        let picture = world.get(link, "").await;
        assert_eq!((picture.status.as_u16(), picture.header("content-type")), (200, "image/jpeg"));
        let face = image::load_from_memory(&picture.bytes).unwrap().into_rgb8();
        assert_eq!(face.width(), face.height());
        let [red, green, blue] = face.get_pixel(face.width() / 2, face.height() / 2).0;
        assert!(green > 200 && red < 60 && blue < 60, "the green one");
        assert_eq!(world.stored_files().await.len(), 16, "no picture of a face is stored");
        assert_eq!(world.get(&link.replace("/face-", "/face-0"), "").await.status, 404);

        let red = listed["people"][0]["id"].as_str().unwrap();
        let answer = world.post(&format!("/api/people/{red}/download"), &party.token, json!({})).await;
        assert_eq!(answer.status, 201);
        let token = answer.json()["download_token"].as_str().unwrap().to_owned();
        let zip = world.get(&format!("/api/face/download/{token}.zip"), "").await;
        let mut originals: Vec<Vec<u8>> = files(&zip.bytes).into_iter().map(|(_, bytes)| bytes).collect();
        let mut expected = party.originals.clone();
        originals.sort();
        expected.sort();
        assert_eq!(originals, expected, "byte for byte");
    });
}

#[test]
fn people_go_with_their_photos_their_faces_and_their_event() {
    // [GAL081]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        group(&world).await;
        let rows = async || {
            let event = party.event["id"].as_str().unwrap().parse().unwrap();
            storage::faces::people::kept(&world.parts.db, event).await.unwrap().len()
        };
        let green = people(&world, &party, "").await["people"][1].clone();
        let link = green["picture_url"].as_str().unwrap().to_owned();
        let photo_of_green = photos(&world, &party, green["id"].as_str().unwrap()).await.remove(0).1;
        assert_eq!(world.delete(&format!("/api/photos/{photo_of_green}"), &party.token).await.status, 200);
        assert_eq!((counts(&world, &party).await, rows().await), (vec![3], 1));
        assert_eq!(world.get(&link, "").await.status, 404);

        // 'Stop finding me' deletes the faces, and with them the person.
        let red = people(&world, &party, "").await["people"][0]["picture_url"].as_str().unwrap().to_owned();
        let selfie = photo(&[RED], 8);
        let path = format!("/api/face/objections/{}", party.event["slug"].as_str().unwrap());
        let fields = [Field::file("image", "selfie.jpg", &selfie), Field::notice()];
        let shown = world.form(&path, "", &fields).await.json();
        let body = json!({"token": shown["token"], "choice": "stop_finding", "notice_version": "2026-11"});
        assert_eq!(world.post("/api/face/objections", "", body).await.status, 201);
        assert_eq!((counts(&world, &party).await, rows().await), (vec![], 0));
        assert_eq!(world.get(&red, "").await.status, 404);

        world.upload(&party.token, &party.event, "blue.jpg", &photo(&[BLUE], 0)).await;
        group(&world).await;
        assert_eq!(rows().await, 1);
        let event = format!("/api/events/{}", party.event["id"].as_str().unwrap());
        assert_eq!(world.delete(&event, &party.token).await.status, 202);
        world.drain().await;
        assert_eq!(rows().await, 0);
    });
}

#[test]
fn hidden_photos_show_nobody() {
    // [GAL165]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        group(&world).await;
        let selfie = photo(&[RED], 8);
        let path = format!("/api/face/objections/{}", party.event["slug"].as_str().unwrap());
        let fields = [Field::file("image", "selfie.jpg", &selfie), Field::notice()];
        let shown = world.form(&path, "", &fields).await.json();
        let body = json!({"token": shown["token"], "choice": "hide", "notice_version": "2026-11"});
        assert_eq!(world.post("/api/face/objections", "", body).await.status, 201);
        let listed = people(&world, &party, "").await;
        assert_eq!((counts(&world, &party).await, &listed["total_count"]), (vec![1], &json!(1)));
    });
}

#[test]
fn the_switch_deletes_the_people_of_an_event_and_lets_them_come_back() {
    // [GAL082]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        group(&world).await;
        let path = of_event(&party.event);
        assert_eq!(world.put(&path, &party.token, json!({"enabled": false})).await.status, 204);
        group(&world).await;
        let listed = people(&world, &party, "").await;
        assert_eq!((&listed["enabled"], &listed["people"]), (&json!(false), &json!([])));
        assert_eq!(world.put(&path, &party.token, json!({"enabled": true})).await.status, 204);
        group(&world).await;
        assert_eq!(counts(&world, &party).await, [3, 1]);
    });
}
