//! All photos of an event as one ZIP, for guests who may look at them: POST /api/face/photos/{slug}/download

use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use storage::testing::count;

use crate::browsing::let_guests_browse;
use crate::downloads::{GONE, Party, files, party};
use crate::harness::{Answer, BLUE, GREEN, RED, World, on_both_engines, photo};

const HOUR: Duration = Duration::from_secs(60 * 60);

async fn ask(world: &World, event: &Value, body: Value) -> Answer {
    let slug = event["slug"].as_str().unwrap();
    world.post(&format!("/api/face/photos/{slug}/download"), "", body).await
}

/// The token of all photos, and how many there are.
async fn all(world: &World, event: &Value) -> (Value, Value) {
    let answer = ask(world, event, json!({})).await;
    assert_eq!(answer.status, 201, "{:?}", answer.json());
    (answer.json()["download_token"].clone(), answer.json()["photos"].clone())
}

fn path(token: &Value) -> String {
    format!("/api/face/download/{}.zip", token.as_str().unwrap())
}

async fn zip(world: &World, token: &Value) -> Answer {
    world.get(&path(token), "").await
}

async fn names(world: &World, token: &Value) -> Vec<String> {
    files(&zip(world, token).await.bytes).into_iter().map(|(name, _)| name).collect()
}

async fn change(world: &World, party: &Party, change: Value) {
    let path = format!("/api/events/{}", party.event["id"].as_str().unwrap());
    assert_eq!(world.patch(&path, &party.token, change).await.status, 200);
}

async fn browsable(world: &World) -> Party {
    let party = party(world).await;
    let_guests_browse(world, &party.token, &party.event).await;
    party
}

#[test]
fn guests_get_all_photos_as_one_zip_once_they_may_look_at_them() {
    // [FACE529] [GAL443]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let refused = ask(&world, &party.event, json!({})).await;
        assert_eq!(refused.json()["code"], "browsing_not_allowed");
        let_guests_browse(&world, &party.token, &party.event).await;
        let (token, photos) = all(&world, &party.event).await;
        assert_eq!(photos, 4);
        // Its size is told before a byte is sent, and an interrupted download goes on.
        let head = Request::head(path(&token)).body(Body::empty()).unwrap();
        let size = world.send(head).await.header("content-length").to_owned();
        let whole = zip(&world, &token).await;
        assert_eq!((whole.status.as_u16(), whole.bytes.len().to_string()), (200, size));
        let zipped = files(&whole.bytes);
        let mut zipped_names: Vec<&str> = zipped.iter().map(|(name, _)| name.as_str()).collect();
        zipped_names.sort_unstable();
        let png = zipped_names.iter().filter(|name| name.ends_with(".png")).count();
        assert_eq!((zipped_names.len(), png), (4, 1));
        for original in &party.originals {
            assert!(zipped.iter().any(|(_, bytes)| bytes == original));
        }
        let rest = Request::get(path(&token))
            .header("range", "bytes=100-")
            .header("if-range", whole.header("etag"))
            .body(Body::empty());
        let rest = world.send(rest.unwrap()).await;
        assert_eq!((rest.status.as_u16(), &rest.bytes[..]), (206, &whole.bytes[100..]));

        // Those of an album alone; what is no id of an album, and an album without photos, are refused.
        let in_album = json!({"id": party.matches[1]["photo_id"]});
        crate::albums::put_into_new(&world, &party.token, &party.event, "Ceremony", &in_album).await;
        let slug = party.event["slug"].as_str().unwrap();
        let page = world.get(&format!("/api/face/photos/{slug}"), "").await.json();
        let album = page["albums"][0]["id"].clone();
        let ceremony = ask(&world, &party.event, json!({"album_id": album})).await.json();
        assert_eq!(ceremony["photos"], 1);
        let zipped = files(&zip(&world, &ceremony["download_token"]).await.bytes);
        assert_eq!(zipped.len(), 1);
        assert!(zipped[0].1 == party.originals[1]);
        // In a second album it is in the ZIP of that too, and once in that of all.
        crate::albums::put_into_new(&world, &party.token, &party.event, "Vows", &in_album).await;
        let page = world.get(&format!("/api/face/photos/{slug}"), "").await.json();
        assert_eq!((page["total"].clone(), page["photos"].as_array().unwrap().len()), (json!(4), 4));
        let vows = json!({"album_id": page["albums"][1]["id"]});
        assert_eq!(ask(&world, &party.event, vows).await.json()["photos"], 1);
        let again = ask(&world, &party.event, json!({})).await.json();
        assert_eq!(again["photos"], 4);
        assert_eq!(again["download_token"], token, "the same list");
        let made_up = ask(&world, &party.event, json!({"album_id": "made-up"})).await;
        assert_eq!(made_up.error(), (404, String::from("This album is no longer there")));
        let nothing = ask(&world, &party.event, json!({"album_id": party.event["id"]})).await;
        assert_eq!(nothing.error(), (404, String::from("Photo not found")));

        // It is counted as every ZIP that guests save.
        let statistics = format!("/api/events/{}/statistics", party.event["id"].as_str().unwrap());
        assert_eq!(world.get(&statistics, &party.token).await.json()["totals"]["downloads"], 4 + 1);
    });
}

#[test]
fn all_photos_are_saved_as_their_photographer_offers_them() {
    // [FACE529] [EVT111] [EVT112] [EVT136] [DOWN100]
    on_both_engines(async |world: World| {
        let party = browsable(&world).await;
        let (token, _) = all(&world, &party.event).await;
        assert_eq!(names(&world, &token).await.len(), 4);
        change(&world, &party, json!({"keeps_names": true})).await;
        let mut own = names(&world, &token).await;
        own.sort();
        assert_eq!(own, ["one.jpg", "other.jpg", "three.png", "two.jpg"]);
        change(&world, &party, json!({"downloads": "web"})).await;
        let mut own = names(&world, &token).await;
        own.sort();
        assert_eq!(own, ["one.jpg", "other.jpg", "three.jpg", "two.jpg"]);
        assert_eq!(ask(&world, &party.event, json!({})).await.status, 201);
        change(&world, &party, json!({"downloads": "none"})).await;
        assert_eq!(zip(&world, &token).await.json()["code"], "downloads_not_offered");
        assert_eq!(ask(&world, &party.event, json!({})).await.json()["code"], "downloads_not_offered");
        // Their photographer gets what guests get here: the gallery has the originals.
        let path = format!("/api/face/photos/{}/download", party.event["slug"].as_str().unwrap());
        let own = world.post(&path, &party.token, json!({})).await;
        assert_eq!(own.json()["code"], "downloads_not_offered");
    });
}

#[test]
fn what_nobody_may_see_is_in_no_zip_of_all() {
    // [FACE531]
    on_both_engines(async |world: World| {
        let party = browsable(&world).await;
        let (token, _) = all(&world, &party.event).await;
        let before = zip(&world, &token).await;
        // One that waits for its indexing is not in a new one, and later photos are in none from before.
        assert_eq!(world.upload(&party.token, &party.event, "new.jpg", &photo(&[BLUE], 0)).await.status, 201);
        assert_eq!(all(&world, &party.event).await.1, 4);
        world.drain().await;
        assert_eq!(all(&world, &party.event).await.1, 5);
        assert!(zip(&world, &token).await.bytes == before.bytes);
        // What is deleted falls out, and the others keep their names; so does what somebody has hidden.
        let id = party.matches[0]["photo_id"].as_str().unwrap();
        assert_eq!(world.delete(&format!("/api/photos/{id}"), &party.token).await.status, 200);
        let after = zip(&world, &token).await;
        assert_ne!(after.header("etag"), before.header("etag"));
        let (kept, were): (Vec<_>, Vec<_>) = (files(&after.bytes), files(&before.bytes));
        assert_eq!((kept.len(), were.len()), (3, 4));
        assert!(kept.iter().all(|file| were.contains(file)));
        crate::objections::hide(&world, &party.event, GREEN).await;
        assert_eq!(names(&world, &token).await.len(), 2);
        assert_eq!(all(&world, &party.event).await.1, 3);
        // Who is not to be found is seen among all photos, and is in their ZIP too.
        crate::objections::asks(&world, &party.event, RED, "stop_finding").await;
        let page = format!("/api/face/photos/{}", party.event["slug"].as_str().unwrap());
        let shown = world.get(&page, "").await.json()["total"].clone();
        assert_eq!((all(&world, &party.event).await.1, shown), (json!(3), json!(3)));
        assert_eq!(names(&world, &token).await.len(), 2);
        // Nothing is left.
        let path = "/api/photos/trash";
        let everything = json!({"event_id": party.event["id"], "all": true});
        assert_eq!(world.post(path, &party.token, everything).await.status, 200);
        assert_eq!(zip(&world, &token).await.error(), (404, GONE.to_owned()));
        assert_eq!(
            ask(&world, &party.event, json!({})).await.error(),
            (404, String::from("Photo not found"))
        );
    });
}

#[test]
fn a_token_of_all_photos_opens_nothing_else() {
    // [FACE530]
    on_both_engines(async |world: World| {
        let party = browsable(&world).await;
        let (token, _) = all(&world, &party.event).await;
        let slug = party.event["slug"].as_str().unwrap();
        let photo_id = party.matches[0]["photo_id"].clone();
        for (path, body, code) in [
            ("/api/face/results".to_owned(), json!({"token": token}), "results_expired"),
            (
                "/api/face/results/mail".to_owned(),
                json!({"token": token, "email": "guest@example.com"}),
                "results_expired",
            ),
            ("/api/face/not-me".to_owned(), json!({"token": token, "photo_id": photo_id}), "results_expired"),
            (
                "/api/face/download".to_owned(),
                json!({"tokens": [token], "photo_ids": [photo_id]}),
                "download_not_found",
            ),
            (
                "/api/face/subscriptions".to_owned(),
                json!({"token": token, "email": "guest@example.com", "notice_version": "2026-11"}),
                "subscription_token_expired",
            ),
            (
                "/api/face/objections".to_owned(),
                json!({"token": token, "choice": "hide", "notice_version": "2026-11"}),
                "objection_token_expired",
            ),
            (format!("/api/face/search/{slug}/again"), json!({"token": token}), "search_token_expired"),
            (
                format!("/api/face/search/{slug}/keep"),
                json!({"token": token, "notice_version": "2026-11-27"}),
                "search_token_expired",
            ),
            (format!("/api/face/hearts/{slug}"), json!({"key": token, "on": true}), "photo_not_found"),
            (
                format!("/api/face/questions/{slug}"),
                json!({"key": token, "email": "guest@example.com", "message": "Print please"}),
                "photo_not_found",
            ),
        ] {
            let answer = world.post(&path, "", body).await;
            assert_eq!(answer.json()["code"], code, "{path}");
        }
        let key = format!("/api/photos/download-by-s3?key={}", token.as_str().unwrap());
        assert_eq!(world.get(&key, "").await.status, 404);
        // Beside those of a search nothing is chosen from it either.
        let results = party.zip.strip_prefix("/api/face/download/").unwrap().strip_suffix(".zip").unwrap();
        let both = json!({"tokens": [results, token], "photo_ids": [photo_id]});
        let answer = world.post("/api/face/download", "", both).await;
        assert_eq!(answer.error(), (404, GONE.to_owned()));
    });
}

#[test]
fn a_token_of_all_photos_ends_with_the_pin_the_permission_and_its_time() {
    // [FACE532]
    on_both_engines(async |world: World| {
        let party = browsable(&world).await;
        let (token, _) = all(&world, &party.event).await;
        change(&world, &party, json!({"browsable": false})).await;
        assert_eq!(zip(&world, &token).await.json()["code"], "browsing_not_allowed");
        change(&world, &party, json!({"browsable": true})).await;
        assert_eq!(zip(&world, &token).await.status, 200);

        change(&world, &party, json!({"pin": "123412"})).await;
        assert_eq!(zip(&world, &token).await.error(), (404, GONE.to_owned()));
        assert_eq!(ask(&world, &party.event, json!({})).await.json()["code"], "event_pin_required");
        let slug = party.event["slug"].as_str().unwrap();
        let access = format!("/api/face/access/{slug}");
        let entered = world.post(&access, "", json!({"pin": "123412"})).await.json();
        let proven = Request::post(format!("/api/face/photos/{slug}/download"))
            .header("event-access", entered["access_token"].as_str().unwrap())
            .header("content-type", "application/json")
            .body(Body::from("{}"));
        let proven = world.send(proven.unwrap()).await;
        assert_eq!(proven.status, 201);
        let token = proven.json()["download_token"].clone();
        assert_eq!(zip(&world, &token).await.status, 200);
        change(&world, &party, json!({"pin": "432143"})).await;
        assert_eq!(zip(&world, &token).await.error(), (404, GONE.to_owned()));
        change(&world, &party, json!({"pin": null})).await;

        let (token, _) = all(&world, &party.event).await;
        world.clock.advance(5 * HOUR);
        assert_eq!(zip(&world, &token).await.status, 200);
        world.clock.advance(HOUR);
        assert_eq!(zip(&world, &token).await.error(), (404, GONE.to_owned()));
        let event = format!("/api/events/{}", party.event["id"].as_str().unwrap());
        let (token, _) = all(&world, &party.event).await;
        assert_eq!(world.delete(&event, &party.token).await.status, 202);
        assert_eq!(zip(&world, &token).await.error(), (404, GONE.to_owned()));
        assert_eq!(
            ask(&world, &party.event, json!({})).await.error(),
            (404, String::from("Event not found"))
        );
    });
}

#[test]
fn the_list_of_all_photos_is_stored_once_an_hour_however_many_ask() {
    // [SAFE420]
    on_both_engines(async |world: World| {
        let party = browsable(&world).await;
        let rows = async || count(&world.parts.db, "downloads").await;
        let before = rows().await;
        let (token, _) = all(&world, &party.event).await;
        for _ in 0..3 {
            assert_eq!(all(&world, &party.event).await.0, token);
        }
        assert_eq!(rows().await, before + 1);
        world.clock.advance(HOUR);
        let (later, _) = all(&world, &party.event).await;
        assert_ne!(later, token);
        // Other photos are another list, and so is the same list behind a PIN.
        let id = party.matches[0]["photo_id"].as_str().unwrap();
        assert_eq!(world.delete(&format!("/api/photos/{id}"), &party.token).await.status, 200);
        assert_ne!(all(&world, &party.event).await.0, later);
    });
}
