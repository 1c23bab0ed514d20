//! All photos of an event, for guests who may look at them: GET /api/face/photos/{slug}

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use crate::downloads::{Party, party};
use crate::harness::{Answer, BLUE, GREEN, RED, World, on_both_engines, photo};

const NOT_ALLOWED: &str =
    "The photographer of this event shows guests the photos they are in. Take a selfie to find yours.";

/// Lets guests look at all photos of an event.
pub(crate) async fn let_guests_browse(world: &World, token: &str, event: &Value) {
    let path = format!("/api/events/{}", event["id"].as_str().unwrap());
    let answer = world.patch(&path, token, json!({"browsable": true})).await;
    assert_eq!((answer.status.as_u16(), &answer.json()["browsable"]), (200, &json!(true)));
}

async fn browse(world: &World, event: &Value, query: &str) -> Answer {
    world.get(&format!("/api/face/photos/{}{query}", event["slug"].as_str().unwrap()), "").await
}

fn names(page: &Value) -> Vec<String> {
    let photos = page["photos"].as_array().unwrap().iter();
    let mut names: Vec<String> = photos.map(|photo| photo["filename"].as_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

#[test]
fn guests_look_at_all_photos_once_their_photographer_lets_them() {
    // [EVT122] [FACE200]
    // Told as a search tells a match, without face and similarity; the first page alone has the number of all, and
    // the albums.
    on_both_engines(async |world: World| {
        let Party { token, event, matches, .. } = party(&world).await;
        assert_eq!(event["browsable"], false);
        let refused = browse(&world, &event, "").await;
        assert_eq!(refused.error(), (403, NOT_ALLOWED.to_owned()));
        assert_eq!(refused.json()["code"], "browsing_not_allowed");
        let_guests_browse(&world, &token, &event).await;
        let slug = event["slug"].as_str().unwrap();
        assert_eq!(world.get(&format!("/api/events/{slug}"), "").await.json()["browsable"], true);

        let all = browse(&world, &event, "").await.json();
        assert_eq!(names(&all), ["one.jpg", "other.jpg", "three.png", "two.jpg"]);
        assert_eq!(
            (&all["total"], &all["albums"], &all["next_cursor"]),
            (&json!(4), &json!([]), &Value::Null)
        );
        // A photo is told as a search tells it, but for the face that was found, which is in its handle too.
        let found = &matches[0];
        let mut as_found = found.clone();
        let all_photos = all["photos"].as_array().unwrap();
        let shown = all_photos.iter().find(|shown| shown["photo_id"] == found["photo_id"]).unwrap();
        let named = |photo: &Value| photo["s3_key"].as_str().unwrap().split_once('/').unwrap().1.to_owned();
        assert_eq!(named(shown), named(found));
        assert_ne!(shown["s3_key"], found["s3_key"]);
        as_found["s3_key"] = shown["s3_key"].clone();
        for of_match in ["face_id", "similarity"] {
            as_found.as_object_mut().unwrap().remove(of_match);
        }
        assert_eq!(*shown, as_found);
        for link in ["url", "thumbnail_url", "medium_url"] {
            assert_eq!(world.get(found[link].as_str().unwrap(), "").await.status, 200, "{link}");
        }

        // Each photo once, page by page; what is told of all is told once.
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = browse(&world, &event, &format!("?limit=1{cursor}")).await.json();
            assert_eq!(page.get("total").is_some(), cursor.is_empty());
            assert_eq!(page.get("albums").is_some(), cursor.is_empty());
            seen.extend(page["photos"].as_array().unwrap().clone());
            let Some(next) = page["next_cursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        assert_eq!(json!(seen), all["photos"]);

        for (query, status, text) in [
            ("?cursor=made-up", 400, "The cursor is not valid"),
            ("?cursor=made-up.5", 400, "The cursor is not valid"),
            ("?album_id=made-up", 404, "This album is no longer there"),
        ] {
            assert_eq!(browse(&world, &event, query).await.error(), (status, text.to_owned()), "{query}");
        }
        let unknown = json!({"slug": "party-2345678923"});
        assert_eq!(browse(&world, &unknown, "").await.error(), (404, String::from("Event not found")));
        let off = world
            .patch(
                &format!("/api/events/{}", event["id"].as_str().unwrap()),
                &token,
                json!({"browsable": false}),
            )
            .await;
        assert_eq!(off.status, 200);
        assert_eq!(
            browse(&world, &event, &format!("?limit=1{cursor}")).await.status,
            403,
            "a further page, too"
        );
    });
}

#[test]
fn nobody_sees_photos_that_are_hidden_deleted_or_not_ready() {
    // [FACE202]
    on_both_engines(async |world: World| {
        let Party { token, event, matches, .. } = party(&world).await;
        let_guests_browse(&world, &token, &event).await;
        // One that waits for its indexing.
        assert_eq!(world.upload(&token, &event, "new.jpg", &photo(&[BLUE], 0)).await.status, 201);
        assert_eq!(browse(&world, &event, "").await.json()["total"], 4);
        let id = matches[0]["photo_id"].as_str().unwrap();
        assert_eq!(world.delete(&format!("/api/photos/{id}"), &token).await.status, 200);
        let page = browse(&world, &event, "").await.json();
        assert_eq!((names(&page).len(), &page["total"]), (3, &json!(3)));
        assert!(!names(&page).contains(&matches[0]["filename"].as_str().unwrap().to_owned()));

        // The green one asks for their photos to be hidden.
        crate::objections::hide(&world, &event, GREEN).await;
        let page = browse(&world, &event, "").await.json();
        assert_eq!((names(&page).len(), &page["total"]), (2, &json!(2)));
        assert!(!names(&page).contains(&String::from("other.jpg")));
        world.drain().await;
        let page = browse(&world, &event, "").await.json();
        assert!(names(&page).contains(&String::from("new.jpg")));
        assert_eq!(page["total"], 3);
    });
}

#[test]
fn albums_pins_and_the_offer_hold_for_all_photos_too() {
    // [FACE204] [FACE205]
    on_both_engines(async |world: World| {
        let Party { token, event, matches, .. } = party(&world).await;
        let_guests_browse(&world, &token, &event).await;
        let in_album = json!({"id": matches[1]["photo_id"]});
        crate::albums::put_into_new(&world, &token, &event, "Ceremony", &in_album).await;
        // One without photos, and one whose only photo nobody sees yet.
        let albums = format!("/api/events/{}/albums", event["id"].as_str().unwrap());
        assert_eq!(world.post(&albums, &token, json!({"name": "Empty"})).await.status, 201);
        let new = world.upload(&token, &event, "new.jpg", &photo(&[BLUE], 0)).await.json();
        crate::albums::put_into_new(&world, &token, &event, "Not ready", &new).await;
        let page = browse(&world, &event, "").await.json();
        assert_eq!((page["albums"].as_array().unwrap().len(), &page["total"]), (1, &json!(4)));
        assert_eq!(page["albums"][0]["name"], "Ceremony");
        let new = format!("/api/photos/{}", new["id"].as_str().unwrap());
        assert_eq!(world.delete(&new, &token).await.status, 200);
        let album = page["albums"][0]["id"].as_str().unwrap();
        let page = browse(&world, &event, &format!("?album_id={album}")).await.json();
        assert_eq!((&page["photos"][0]["photo_id"], &page["total"]), (&matches[1]["photo_id"], &json!(1)));
        assert_eq!(page["photos"].as_array().unwrap().len(), 1);

        // What comes with a photo is of use as it is with a match: a heart, a question, a link to save it by.
        let slug = event["slug"].as_str().unwrap();
        let heart = json!({"key": page["photos"][0]["s3_key"], "on": true});
        assert_eq!(world.post(&format!("/api/face/hearts/{slug}"), "", heart).await.status, 204);
        let save =
            format!("/api/photos/download-by-s3?key={}", page["photos"][0]["s3_key"].as_str().unwrap());
        assert_eq!(world.get(&save, "").await.status, 200);
        let change = format!("/api/events/{}", event["id"].as_str().unwrap());
        let closed = json!({"downloads": "none", "pin": "123412"});
        assert_eq!(world.patch(&change, &token, closed).await.status, 200);

        let locked = browse(&world, &event, "").await;
        assert_eq!(locked.json()["code"], "event_pin_required");
        let entered =
            world.post(&format!("/api/face/access/{slug}"), "", json!({"pin": "123412"})).await.json();
        let get = async |path: &str| {
            let proof = entered["access_token"].as_str().unwrap();
            let request = Request::get(path).header("event-access", proof);
            world.send(request.body(Body::empty()).unwrap()).await
        };
        assert_eq!(get(&format!("/api/face/photos/{slug}")).await.json()["total"], 4);
        assert_eq!(get(&save).await.json()["code"], "downloads_not_offered");
    });
}

#[test]
fn all_photos_have_the_photographers_watermark() {
    // [FACE205]
    on_both_engines(async |world: World| {
        let Party { token, event, matches, .. } = party(&world).await;
        let_guests_browse(&world, &token, &event).await;
        assert_eq!(world.put("/api/studio", &token, json!({"name": "Meera"})).await.status, 200);
        let found =
            async || world.search(&event, &photo(&[RED], 9)).await.json()["matches"][0]["url"].clone();
        let id = matches[0]["photo_id"].clone();
        let shown = async || {
            let page = browse(&world, &event, "").await.json();
            let shown = page["photos"].as_array().unwrap().iter().find(|shown| shown["photo_id"] == id);
            shown.unwrap()["url"].clone()
        };
        let plain = shown().await;
        assert_eq!(plain, found().await);
        assert_eq!(crate::watermarks::save(&world, &token, "M", "tiled", "false").await.status, 200);
        assert_ne!(shown().await, plain);
        assert_eq!(shown().await, found().await);
    });
}
