//! Whom nobody shall find, at every strictness and in results of before.

use serde_json::{Value, json};

use super::{DAY, asks, decide, names, requests, together, upload};
use crate::downloads::party;
use crate::harness::{Field, GREEN, RED, World, on_both_engines, photo};

/// Hues 12° and 17° from red: similarities of 0.70 and 0.50, which a normal and a loose search find.
const NEAR: [u8; 3] = [230, 66, 20];
const FAR: [u8; 3] = [230, 82, 20];

pub(super) async fn found_at(world: &World, event: &Value, person: [u8; 3], strictness: &str) -> Vec<String> {
    let path = format!("/api/face/search/{}", event["slug"].as_str().unwrap());
    let selfie = photo(&[person], 9);
    let fields = [Field::file("image", "selfie.jpg", &selfie), Field::text("strictness", strictness)];
    names(&world.form(&path, "", &fields).await.json()["matches"])
}

#[test]
fn whom_nobody_shall_find_no_search_finds_however_loose() {
    // [FACE500]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        upload(&world, &party, "near.jpg", &photo(&[NEAR], 0)).await;
        upload(&world, &party, "far.jpg", &photo(&[FAR], 0)).await;
        assert_eq!(found_at(&world, &party.event, RED, "loose").await.len(), 5);
        assert_eq!(asks(&world, &party.event, RED, "stop_finding").await, json!(5));
        // Neither what was there, nor what is uploaded later.
        upload(&world, &party, "later near.jpg", &photo(&[NEAR], 3)).await;
        upload(&world, &party, "later far.jpg", &photo(&[FAR], 3)).await;
        for strictness in ["strict", "normal", "loose"] {
            let found = found_at(&world, &party.event, RED, strictness).await;
            assert!(found.is_empty(), "{strictness}: {found:?}");
        }
        assert_eq!(found_at(&world, &party.event, GREEN, "loose").await, ["other.jpg"]);

        // The photographer's decision brings all of them back.
        let [request] = &requests(&world, &party.token, &party.event).await[..] else { panic!() };
        assert_eq!(decide(&world, &party.token, request, json!({"in_force": false})).await.status, 200);
        world.drain().await;
        assert_eq!(found_at(&world, &party.event, FAR, "loose").await.len(), 7);
    });
}

#[test]
fn results_that_were_handed_out_lose_whom_nobody_shall_find_and_keep_the_others() {
    // [FACE501] [FACE502]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        upload(&world, &party, "both.jpg", &together(0)).await;
        let red = world.search(&party.event, &photo(&[RED], 9)).await.json();
        let green = world.search(&party.event, &photo(&[GREEN], 9)).await.json();
        let chosen = async |found: &Value| {
            let matches = found["matches"].as_array().unwrap();
            let ids: Vec<&Value> = matches.iter().map(|each| &each["photo_id"]).collect();
            let body = json!({"tokens": [found["download_token"]], "photo_ids": ids});
            world.post("/api/face/download", "", body).await.json()["download_token"].clone()
        };
        let (red_chosen, green_chosen) = (chosen(&red).await, chosen(&green).await);
        assert_eq!(asks(&world, &party.event, RED, "stop_finding").await, json!(4));

        let other = world.second_process(&world.parts.db).await;
        for node in [&world, &other] {
            let opened = async |token: &Value| {
                names(&node.post("/api/face/results", "", json!({"token": token})).await.json()["matches"])
            };
            let zip = async |token: &Value| {
                let answer =
                    node.get(&format!("/api/face/download/{}.zip", token.as_str().unwrap()), "").await;
                if answer.status == 200 { crate::downloads::files(&answer.bytes).len() } else { 0 }
            };
            let saved = async |found: &Value| {
                let mut saved = 0;
                for photo in found["matches"].as_array().unwrap() {
                    let path =
                        format!("/api/photos/download-by-s3?key={}", photo["s3_key"].as_str().unwrap());
                    saved += usize::from(node.get(&path, "").await.status == 200);
                }
                saved
            };
            for token in [&red["download_token"], &red_chosen] {
                assert!(opened(token).await.is_empty());
                assert_eq!(zip(token).await, 0);
            }
            assert_eq!(saved(&red).await, 0);
            for token in [&green["download_token"], &green_chosen] {
                assert_eq!(opened(token).await, ["both.jpg", "other.jpg"]);
                assert_eq!(zip(token).await, 2);
            }
            assert_eq!(saved(&green).await, 2);
        }
        let key = red["matches"][0]["s3_key"].as_str().unwrap();
        let own = world.get(&format!("/api/photos/download-by-s3?key={key}"), &party.token).await;
        assert_eq!(own.status, 200, "the photographer has it");
        // A face cannot be taken out of a handle, nor another be put in.
        let (secret, file) = key.split_once('/').unwrap();
        let (expires, rest) = secret.split_once('-').unwrap();
        let bare = format!("{expires}.{}/{file}", rest.split_once('.').unwrap().1);
        assert_eq!(
            world.get(&format!("/api/photos/download-by-s3?key={bare}"), &party.token).await.status,
            404
        );

        // What the photographer undoes is undone there too.
        let [request] = &requests(&world, &party.token, &party.event).await[..] else { panic!() };
        assert_eq!(decide(&world, &party.token, request, json!({"in_force": false})).await.status, 200);
        world.drain().await;
        let opened = world.post("/api/face/results", "", json!({"token": red["download_token"]})).await;
        assert_eq!(names(&opened.json()["matches"]).len(), 4);
    });
}

#[test]
fn a_mail_about_new_photos_opens_none_of_whom_nobody_shall_find() {
    // [FACE501]
    on_both_engines(async |world: World| {
        let (party, _) = crate::subscriptions::subscribed(&world).await;
        crate::subscriptions::upload(&world, &party, "new.jpg", RED, 21).await;
        let mail = crate::subscriptions::told(&world).await.remove(0);
        let link = mail.links.iter().find_map(|link| link.split_once("#results=")).unwrap().1.to_owned();
        let opened = async || {
            world.post("/api/face/results", "", json!({"token": link})).await.json()["matches"].clone()
        };
        assert_eq!(names(&opened().await).len(), 4);
        // It is asked for while there is a photo that no mail has told of yet.
        crate::subscriptions::upload(&world, &party, "newer.jpg", RED, 23).await;
        asks(&world, &party.event, RED, "stop_finding").await;
        assert_eq!(opened().await, json!([]));
        world.clock.advance(DAY);
        assert!(
            crate::subscriptions::told(&world)
                .await
                .iter()
                .all(|mail| mail.to.as_str() == "meera@example.com")
        );
    });
}
