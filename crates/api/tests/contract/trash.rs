//! Deleted photos: nobody but their photographer finds them, and who deletes them can have them back for a week.

use std::time::Duration;

use serde_json::{Value, json};

use crate::downloads::{Party, files};
use crate::harness::{Answer, BLUE, Field, GREEN, PASSWORD, RED, World, on_both_engines, photo};

struct Shoot {
    token: String,
    event: Value,
    /// The red one's photos.
    matches: Vec<Value>,
}

async fn shoot(world: &World) -> Shoot {
    let Party { token, event, matches, .. } = crate::downloads::party(world).await;
    Shoot { token, event, matches }
}

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

async fn delete(world: &World, party: &Shoot, id: &str) {
    assert_eq!(world.delete(&format!("/api/photos/{id}"), &party.token).await.status, 200);
}

async fn trash(world: &World, party: &Shoot) -> Value {
    let path = format!("/api/photos/trash?event_id={}", party.event["id"].as_str().unwrap());
    let answer = world.get(&path, &party.token).await;
    assert_eq!(answer.status, 200);
    answer.json()
}

async fn change(world: &World, party: &Shoot, verb: &str, mut body: Value) -> Answer {
    body["event_id"] = party.event["id"].clone();
    world.post(&format!("/api/photos/trash/{verb}"), &party.token, body).await
}

/// The ids of the photos of a list, sorted.
fn ids(photos: &Value, field: &str) -> Vec<String> {
    let mut ids: Vec<String> =
        photos.as_array().unwrap().iter().map(|photo| photo[field].as_str().unwrap().to_owned()).collect();
    ids.sort();
    ids
}

async fn found(world: &World, party: &Shoot, person: [u8; 3]) -> Vec<String> {
    ids(&world.search(&party.event, &photo(&[person], 9)).await.json()["matches"], "photo_id")
}

async fn credits(world: &World, party: &Shoot) -> Value {
    world.get("/api/subscription/credits", &party.token).await.json()
}

async fn issues(world: &World) -> Vec<app::operations::checks::Issue> {
    app::operations::checks::inspect(&world.operator(), &world.parts.store).await.unwrap()
}

fn path_of(link: &Value) -> String {
    let link = link.as_str().unwrap();
    link.strip_prefix(crate::harness::PUBLIC_URL).unwrap_or(link).to_owned()
}

#[test]
fn no_call_of_a_guest_finds_a_deleted_photo_and_restored_it_is_as_before() {
    // [GAL151] [GAL174] [GAL152] [GAL176] [SAFE242]
    on_both_engines(async |world: World| {
        let party = shoot(&world).await;
        let other_node = world.second_process(&world.parts.db).await;
        let before = world.search(&party.event, &photo(&[RED], 9)).await.json();
        let event_before =
            world.get(&format!("/api/events/{}", party.event["slug"].as_str().unwrap()), "").await.json();
        let all_found = found(&other_node, &party, RED).await;
        let gone = &before["matches"][0];
        let id = gone["photo_id"].as_str().unwrap();
        let key = format!("/api/photos/download-by-s3?key={}", gone["s3_key"].as_str().unwrap());
        let links = world.get(&key, "").await.json();
        let files_of: Vec<String> = [
            &gone["url"],
            &gone["medium_url"],
            &gone["thumbnail_url"],
            &links["download_url"],
            &links["web_url"],
        ]
        .into_iter()
        .map(path_of)
        .collect();
        for node in [&world, &other_node] {
            for file in &files_of {
                assert_eq!(node.get(file, "").await.status, 200, "{file}");
            }
        }
        let (paid, stored) = (credits(&world, &party).await, world.stored_files().await.len());
        delete(&world, &party, id).await;
        // By then every process has dropped it from its memory.
        world.clock.advance(Duration::from_secs(10));

        let (token, selfie) = (&before["download_token"], photo(&[RED], 8));
        let slug = party.event["slug"].as_str().unwrap();
        for node in [&world, &other_node] {
            // A search, and what searches have handed out before.
            let searched = node.search(&party.event, &photo(&[RED], 9)).await.json();
            assert_eq!(ids(&searched["matches"], "photo_id").len(), all_found.len() - 1);
            assert!(!ids(&searched["matches"], "photo_id").contains(&id.to_owned()));
            assert_eq!(searched["indexing"]["total"], before["indexing"]["total"].as_i64().unwrap() - 1);
            for file in &files_of {
                assert_eq!(node.get(file, "").await.status, 404, "{file}");
            }
            for caller in ["", party.token.as_str()] {
                assert_eq!(node.get(&key, caller).await.error(), (404, String::from("Photo not found")));
            }
            let reopened = node.post("/api/face/results", "", json!({"token": token})).await.json();
            assert!(!ids(&reopened["matches"], "photo_id").contains(&id.to_owned()));
            let zip = node.get(&format!("/api/face/download/{}.zip", token.as_str().unwrap()), "").await;
            assert_eq!(files(&zip.bytes).len(), all_found.len() - 1);
            let chosen = json!({"tokens": [token], "photo_ids": [id]});
            let chosen = node.post("/api/face/download", "", chosen).await;
            if chosen.status == 201 {
                let path =
                    format!("/api/face/download/{}.zip", chosen.json()["download_token"].as_str().unwrap());
                assert_eq!(node.get(&path, "").await.status, 404);
            }
            let fields = [Field::file("image", "selfie.jpg", &selfie), Field::notice()];
            let removal = node.form(&format!("/api/face/objections/{slug}"), "", &fields).await.json();
            assert!(!ids(&removal["photos"], "photo_id").contains(&id.to_owned()));
            let page = node.get(&format!("/api/events/{slug}"), "").await.json();
            assert_eq!(page["indexing"]["total"], event_before["indexing"]["total"].as_i64().unwrap() - 1);
        }
        let report = json!({"token": token, "photo_id": id});
        assert_eq!(world.post("/api/face/not-me", "", report).await.status, 204, "and nothing is counted");

        // Nor does any call of the photographer's but those of the trash.
        let event = party.event["id"].as_str().unwrap();
        let listed = world.get(&format!("/api/photos/search?event_id={event}"), &party.token).await.json();
        assert!(!ids(&listed["photos"], "id").contains(&id.to_owned()));
        for path in ["file?size=original", "file?size=thumbnail", "faces"] {
            assert_eq!(
                world.get(&format!("/api/photos/{id}/{path}"), &party.token).await.status,
                404,
                "{path}"
            );
        }
        let fields = [Field::file("image", "selfie.jpg", &selfie)];
        let library = world.form("/api/face/search", &party.token, &fields).await.json();
        assert!(!ids(&library["matches"], "photo_id").contains(&id.to_owned()));
        app::operations::maintenance::all(&world.app).await.unwrap();
        let people = world.get(&format!("/api/events/{event}/people"), &party.token).await.json();
        for person in people["people"].as_array().unwrap() {
            let path =
                format!("/api/photos/search?event_id={event}&person_id={}", person["id"].as_str().unwrap());
            let listed = world.get(&path, &party.token).await.json();
            assert!(!ids(&listed["photos"], "id").contains(&id.to_owned()));
        }

        // The photographer sees it in the trash, and nobody else.
        let shown = trash(&world, &party).await;
        assert_eq!((ids(&shown["photos"], "id"), &shown["total_count"]), (vec![id.to_owned()], &json!(1)));
        let mut fields = shown["photos"][0].as_object().unwrap().values();
        assert!(
            fields.all(|value| value.as_str().is_none_or(|text| !text.contains('/'))),
            "there is no link"
        );
        let thumbnail = format!("/api/photos/trash/{id}/thumbnail");
        assert_eq!(world.get(&thumbnail, &party.token).await.status, 200);
        let ravi = world.photographer("ravi@example.com").await;
        assert_eq!(world.get(&thumbnail, &ravi).await.status, 404);
        assert_eq!(world.get(&thumbnail, "").await.status, 401);
        for verb in ["restore", "remove"] {
            let body = json!({"event_id": event, "photo_ids": [id]});
            let answer = world.post(&format!("/api/photos/trash/{verb}"), &ravi, body).await;
            assert_eq!(answer.error(), (404, String::from("Event not found")));
            let body = json!({"photo_ids": [id]});
            let answer = world.post(&format!("/api/photos/trash/{verb}"), &ravi, body).await;
            assert_eq!(answer.json(), json!({format!("{verb}d"): 0}), "not of the library");
        }

        // Its files wait with it, and nothing is wrong with them; its credit is not returned.
        assert_eq!(issues(&world).await, []);
        app::operations::orphans::sweep(&world.app).await.unwrap();
        assert_eq!(world.stored_files().await.len(), stored);
        assert_eq!(credits(&world, &party).await, paid);

        let restored = change(&world, &party, "restore", json!({"photo_ids": [id, "no id"]})).await;
        assert_eq!((restored.status.as_u16(), restored.json()), (200, json!({"restored": 1})));
        for node in [&world, &other_node] {
            assert_eq!(found(node, &party, RED).await, all_found);
            for file in &files_of {
                assert_eq!(node.get(file, "").await.status, 200, "{file}");
            }
        }
        assert_eq!(trash(&world, &party).await["total_count"], 0);
        assert_eq!(credits(&world, &party).await, paid);
        assert_eq!(issues(&world).await, []);
        let again = change(&world, &party, "restore", json!({"photo_ids": [id]})).await;
        assert_eq!(again.json(), json!({"restored": 0}));
    });
}

#[test]
fn a_deleted_photo_is_removed_after_a_week_or_at_once() {
    // [GAL151] [GAL175] [SAFE241]
    on_both_engines(async |world: World| {
        let party = shoot(&world).await;
        let stored = world.stored_files().await.len();
        let photos = ids(&json!(party.matches), "photo_id");
        delete(&world, &party, &photos[0]).await;
        world.clock.advance(DAY * 7 - Duration::from_secs(1));
        app::operations::maintenance::all(&world.app).await.unwrap();
        delete(&world, &party, &photos[1]).await;
        let shown = trash(&world, &party).await;
        assert_eq!(shown["total_count"], 2);
        assert_eq!(shown["photos"][0]["id"], json!(photos[1]), "what was deleted last comes first");
        world.clock.advance(Duration::from_secs(1));
        app::operations::maintenance::all(&world.app).await.unwrap();
        assert_eq!(ids(&trash(&world, &party).await["photos"], "id"), [photos[1].clone()]);
        assert_eq!(world.stored_files().await.len(), stored - 4);

        let removed = change(&world, &party, "remove", json!({"all": true})).await;
        assert_eq!((removed.status.as_u16(), removed.json()), (200, json!({"removed": 1})));
        assert_eq!(world.stored_files().await.len(), stored - 8);
        let restored = change(&world, &party, "restore", json!({"all": true})).await;
        assert_eq!(restored.json(), json!({"restored": 0}));
        assert_eq!(found(&world, &party, RED).await.len(), 1);
        assert_eq!(issues(&world).await, []);

        for body in [json!({}), json!({"all": false}), json!({"all": true, "photo_ids": []})] {
            let answer = change(&world, &party, "remove", body).await;
            assert_eq!(answer.error(), (400, String::from("Choose photos, or all of them")));
        }
        let many = json!({"photo_ids": vec!["x"; 10_001]});
        let answer = change(&world, &party, "restore", many).await;
        assert_eq!(answer.error(), (400, String::from("At most 10,000 photos can be chosen in one call")));
        let path = "/api/photos/trash?cursor=here";
        assert_eq!(
            world.get(path, &party.token).await.error(),
            (400, String::from("The cursor is not valid"))
        );
    });
}

#[test]
fn emptying_the_trash_removes_nothing_that_was_deleted_since_it_was_listed() {
    // [GAL512]
    on_both_engines(async |world: World| {
        let party = shoot(&world).await;
        let manager =
            crate::teams::join(&world, &party.token, &party.event, "lina@example.com", "manager").await;
        let photos = ids(&json!(party.matches), "photo_id");
        // A second has other moments than its first.
        world.clock.advance(Duration::from_millis(7));
        delete(&world, &party, &photos[0]).await;
        let through = trash(&world, &party).await["photos"][0]["deleted_at"].clone();
        world.clock.advance(Duration::from_millis(1));
        let late = format!("/api/photos/{}", photos[1]);
        assert_eq!(world.delete(&late, &manager).await.status, 200);

        let remove = async |body: Value| change(&world, &party, "remove", body).await;
        for (body, text) in [
            (
                json!({"all": true, "deleted_through": "yesterday"}),
                "deleted_through must be a moment in the form of RFC 3339",
            ),
            (
                json!({"photo_ids": [photos[1]], "deleted_through": through}),
                "deleted_through goes with all alone",
            ),
        ] {
            assert_eq!(remove(body).await.error(), (400, text.to_owned()));
        }
        assert_eq!(
            remove(json!({"all": true, "deleted_through": through})).await.json(),
            json!({"removed": 1})
        );
        assert_eq!(ids(&trash(&world, &party).await["photos"], "id"), [photos[1].clone()]);
        let restored = change(&world, &party, "restore", json!({"all": true})).await;
        assert_eq!(restored.json(), json!({"restored": 1}));
        assert_eq!(found(&world, &party, RED).await, photos[1..]);
    });
}

#[test]
fn the_trash_is_read_page_by_page() {
    on_both_engines(async |world: World| {
        let party = shoot(&world).await;
        let photos = ids(&json!(party.matches), "photo_id");
        for id in &photos {
            delete(&world, &party, id).await;
        }
        let event = party.event["id"].as_str().unwrap();
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let path = format!("/api/photos/trash?event_id={event}&limit=1{cursor}");
            let page = world.get(&path, &party.token).await.json();
            seen.extend(ids(&page["photos"], "id"));
            let Some(next) = page["next_cursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        seen.sort();
        assert_eq!(seen, photos);
        assert_eq!(
            world.get("/api/photos/trash", &party.token).await.json()["total_count"],
            0,
            "the library"
        );
        let restored = change(&world, &party, "restore", json!({"all": true})).await;
        assert_eq!(restored.json()["restored"], json!(photos.len()));
        assert_eq!(found(&world, &party, RED).await, photos);
    });
}

#[test]
fn the_same_bytes_restore_the_photo_and_cost_nothing() {
    // [GAL156]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let bytes = photo(&[RED], 3);
        let first = world.upload(&token, &event, "a.jpg", &bytes).await.json();
        world.drain().await;
        let paid = world.get("/api/subscription/credits", &token).await.json();
        let id = first["id"].as_str().unwrap();
        let hash = domain::photos::hash_text(&world.stored(&first["id"]).await.content_hash);
        assert_eq!(world.delete(&format!("/api/photos/{id}"), &token).await.status, 200);
        let question = json!({"event_id": event["id"], "hashes": [hash]});
        let known = world.post("/api/photos/known", &token, question).await.json();
        assert_eq!(known["known"], json!([]), "so that it is uploaded");
        let again = world.upload(&token, &event, "b.jpg", &bytes).await;
        assert_eq!(
            (again.status.as_u16(), &again.json()["id"], &again.json()["duplicate"]),
            (200, &first["id"], &json!(true))
        );
        assert_eq!(world.get("/api/subscription/credits", &token).await.json(), paid);
        world.drain().await;
        let found = world.search(&event, &photo(&[RED], 9)).await.json();
        assert_eq!(found["matches"].as_array().unwrap().len(), 1);

        // Deleted before it was indexed, it is indexed when it comes back.
        let late = world.upload(&token, &event, "late.jpg", &photo(&[GREEN], 3)).await.json();
        let late = late["id"].as_str().unwrap();
        assert_eq!(world.delete(&format!("/api/photos/{late}"), &token).await.status, 200);
        world.drain().await;
        assert_eq!(world.get(&format!("/api/photos/trash/{late}/thumbnail"), &token).await.status, 404);
        let body = json!({"event_id": event["id"], "photo_ids": [late]});
        assert_eq!(
            world.post("/api/photos/trash/restore", &token, body).await.json(),
            json!({"restored": 1})
        );
        world.drain().await;
        let found = world.search(&event, &photo(&[GREEN], 9)).await.json();
        assert_eq!(found["matches"].as_array().unwrap().len(), 1);
        assert_eq!(issues(&world).await, []);
    });
}

#[test]
fn who_deletes_an_event_or_an_account_deletes_the_trash_with_it() {
    // [GAL157]
    on_both_engines(async |world: World| {
        let party = shoot(&world).await;
        for id in ids(&world.get("/api/photos/search", &party.token).await.json()["photos"], "id") {
            delete(&world, &party, &id).await;
        }
        let blue = photo(&[BLUE], 1);
        let library = [Field::file("photos", "a.jpg", &blue)];
        let library = world.form("/api/photos/upload", &party.token, &library).await.json();
        delete(&world, &party, library["id"].as_str().unwrap()).await;
        let stored = world.stored_files().await.len();
        assert!(stored > 4);
        let event = format!("/api/events/{}", party.event["id"].as_str().unwrap());
        assert_eq!(
            world.delete(&event, &party.token).await.status,
            200,
            "all of its photos are in the trash"
        );
        let restored = change(&world, &party, "restore", json!({"all": true})).await;
        assert_eq!(restored.status, 404);
        assert_eq!(world.post(&format!("{event}/purge"), &party.token, json!({})).await.status, 204);
        world.drain().await;
        assert_eq!(world.stored_files().await.len(), 1, "that of the library");
        let body = json!({"password": PASSWORD});
        let closed = world.send(
            axum::http::Request::delete("/api/auth/me")
                .header("authorization", format!("Bearer {}", party.token))
                .header("content-type", "application/json")
                .body(axum::body::Body::from(body.to_string()))
                .unwrap(),
        );
        assert_eq!(closed.await.status, 200);
        world.drain().await;
        assert_eq!(world.stored_files().await.len(), 0);
        assert_eq!(issues(&world).await, []);
    });
}

#[test]
fn the_end_of_retention_removes_what_is_in_the_trash_too() {
    // [GAL157]
    on_both_engines(async |world: World| {
        let party = shoot(&world).await;
        let stored = world.stored_files().await.len();
        let one_day_later = async || {
            world.clock.advance(DAY);
            app::operations::maintenance::all(&world.app).await.unwrap();
            world.drain().await;
        };
        for _ in 0..29 {
            one_day_later().await;
        }
        delete(&world, &party, party.matches[0]["photo_id"].as_str().unwrap()).await;
        assert_eq!(world.stored_files().await.len(), stored, "it could be restored");
        // A day more than the 30: the warning may have moved the removal.
        for _ in 0..2 {
            one_day_later().await;
        }
        assert_eq!(world.stored_files().await, Vec::<String>::new());
        assert_eq!(trash(&world, &party).await["photos"], json!([]));
        assert_eq!(issues(&world).await, []);
    });
}

async fn objects(world: &World, party: &Shoot, person: [u8; 3], choice: &str) -> Answer {
    let path = format!("/api/face/objections/{}", party.event["slug"].as_str().unwrap());
    let selfie = photo(&[person], 8);
    let fields = [Field::file("image", "selfie.jpg", &selfie), Field::notice()];
    let shown = world.form(&path, "", &fields).await.json();
    let body = json!({"token": shown["token"], "choice": choice, "notice_version": "2026-11"});
    world.post("/api/face/objections", "", body).await
}

#[test]
fn a_request_to_be_removed_holds_for_deleted_photos_and_removes_none() {
    // [GAL153]
    on_both_engines(async |world: World| {
        for choice in ["hide", "stop_finding"] {
            let token = world.photographer(&format!("{choice}@example.com")).await;
            let event = world.event(&token, "Party").await;
            let mut uploaded = Vec::new();
            for (salt, person) in [(0, RED), (1, RED), (2, GREEN)] {
                let answer = world.upload(&token, &event, "a.jpg", &photo(&[person], salt)).await;
                uploaded.push(answer.json()["id"].as_str().unwrap().to_owned());
            }
            world.drain().await;
            let party = Shoot { token, event, matches: Vec::new() };
            delete(&world, &party, &uploaded[0]).await;
            delete(&world, &party, &uploaded[2]).await;
            assert_eq!(objects(&world, &party, RED, choice).await.status, 201);
            // Whose photos are all deleted has nothing to hide, but is not shown where they come back.
            let nothing = objects(&world, &party, GREEN, "hide").await;
            assert_eq!(nothing.status, 409);
            assert_eq!(objects(&world, &party, GREEN, "hide").await.status, 409);
            assert_eq!(trash(&world, &party).await["total_count"], 2, "nothing is removed");

            delete(&world, &party, &uploaded[1]).await;
            let restored = change(&world, &party, "restore", json!({"all": true})).await;
            assert_eq!(restored.json(), json!({"restored": 3}));
            world.drain().await;
            assert_eq!(found(&world, &party, RED).await, Vec::<String>::new(), "{choice}");
            assert_eq!(found(&world, &party, GREEN).await, Vec::<String>::new(), "{choice}");
            assert_eq!(issues(&world).await, []);
        }
    });
}
