//! /api/events

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use crate::harness::{RED, World, on_both_engines, photo};

#[test]
fn an_event_has_the_fields_of_the_specification() {
    // [API030] [API033] [API034] [API035] [API037] [EVT049] [EVT050] [EVT051] [EVT052] [EVT053] [EVT056] [EVT081]
    // [EVT073]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let body = json!({
            "name": " Aanya & Rohan ", "date": "2026-11-14", "description": "Sangeet night",
            "payment_amount": 999, "coupon_code": "LAUNCH",
        });
        let answer = world.post("/api/events/", &token, body).await;
        assert_eq!(answer.status, 201);
        let event = answer.json();
        let slug = event["slug"].as_str().unwrap();
        assert!(slug.starts_with("aanya-rohan-") && slug.len() == "aanya-rohan-".len() + 10, "{slug}");
        let mut rest = event.clone();
        let rest = rest.as_object_mut().unwrap();
        rest.remove("slug");
        rest.remove("id");
        assert_eq!(
            serde_json::to_value(rest).unwrap(),
            json!({
                "name": "Aanya & Rohan", "date": "2026-11-14", "description": "Sangeet night",
                "created_at": "2026-11-20T09:00:00.000Z", "deleted_at": null, "total_photos_uploaded": 0,
                "lifetime_days": 0, "photos_indexed": 0, "faces_indexed": 0,
                "expires_at": "2026-12-14T00:00:00.000Z", "indexing": {"indexed": 0, "waiting": 0, "failed": 0, "total": 0},
                "keeps_metadata": false, "tells_guests": "on", "deleting": false, "task_id": null, "restorable_until": null,
                "expires_on": null, "latest_expires_on": "2026-12-14", "keep_days": 30, "time_zone": "UTC", "cover_url": null, "uploads_closed": false, "takes_questions": true, "browsable": false, "keeps_names": false, "takes_guest_photos": false, "stacks_photos": false, "guest_photo_limit": 30, "asks_pin": false, "downloads": "original",
                "role": "owner", "owner_name": null,
            })
        );
        // The amount that the client says was paid bought nothing.
        let credits = world.get("/api/subscription/credits", &token).await.json();
        assert_eq!(credits["credits"], 100.0);
        assert_eq!(world.get("/api/auth/me", &token).await.json()["user"]["premium"], false);

        let public = world.get(&format!("/api/events/{slug}"), "").await;
        assert_eq!(public.status, 200);
        let mut shown = event.clone();
        shown["studio"] = Value::Null;
        // Who works on it is nothing for guests.
        for photographers in ["role", "owner_name"] {
            shown.as_object_mut().unwrap().remove(photographers);
        }
        assert_eq!(public.json(), shown);
        assert!(!String::from_utf8_lossy(&public.bytes).contains("meera"));
        // A guest with an expired token is still a guest.
        assert_eq!(world.get(&format!("/api/events/{slug}"), "stale").await.status, 200);
    });
}

#[test]
fn events_need_a_name_and_a_date() {
    // [EVT004] [EVT005] [EVT054] [EVT055]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let create = |body| world.post("/api/events/", &token, body);
        let long = "n".repeat(201);
        for (body, text) in [
            (json!({}), "Event name is required"),
            (json!({"name": "  ", "date": "2026-11-14"}), "Event name is required"),
            (json!({"name": "Party"}), "Event date is required"),
            (json!({"name": "Party", "date": ""}), "Event date is required"),
            (
                json!({"name": "Party", "date": "2026-02-30"}),
                "Event date must be a calendar date in the form YYYY-MM-DD",
            ),
            (
                json!({"name": "Party", "date": "0026-11-20"}),
                "Event date must be between the year 2000 and five years from now",
            ),
            (json!({"name": long, "date": "2026-11-14"}), "Event name must be at most 200 characters long"),
            (
                json!({"name": "Party", "date": "2026-11-14", "description": "d".repeat(2_001)}),
                "Event description must be at most 2,000 characters long",
            ),
            (
                json!({"name": "Party", "date": "2026-11-14", "payment_amount": -1}),
                "Please enter a valid amount",
            ),
        ] {
            assert_eq!(create(body).await.error(), (400, text.to_owned()));
        }
        let longest =
            json!({"name": "n".repeat(200), "date": "2026-11-14", "description": "d".repeat(2_000)});
        assert_eq!(create(longest).await.status, 201);
    });
}

#[test]
fn a_photographer_sees_their_own_events_newest_first() {
    // [API029] [API030] [SAFE028]
    on_both_engines(async |world: World| {
        let (meera, ravi) =
            (world.photographer("meera@example.com").await, world.photographer("ravi@example.com").await);
        for name in ["One", "Two", "Three"] {
            world.event(&meera, name).await;
            world.clock.advance(std::time::Duration::from_secs(1));
        }
        let theirs = world.event(&ravi, "Other").await;
        let names = async |path: &str| {
            let list = world.get(path, &meera).await.json();
            list.as_array()
                .unwrap()
                .iter()
                .map(|event| event["name"].as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(names("/api/events/").await, ["Three", "Two", "One"]);
        assert_eq!(names("/api/events").await, ["Three", "Two", "One"]);
        assert_eq!(world.get("/api/events/", "").await.status, 401);

        let upload = world.upload(&meera, &theirs, "a.jpg", &photo(&[RED], 0)).await;
        assert_eq!(upload.error(), (404, String::from("Event not found")));
        let search = world
            .get(&format!("/api/photos/search?event_id={}", theirs["id"].as_str().unwrap()), &meera)
            .await;
        assert_eq!(search.error(), (404, String::from("Event not found")));
    });
}

#[test]
fn events_are_found_page_by_page_and_by_their_name() {
    // [SAFE028]
    on_both_engines(async |world: World| {
        let (meera, ravi) =
            (world.photographer("meera@example.com").await, world.photographer("ravi@example.com").await);
        for name in ["Mehendi", "ÉTÉ à Nîmes", "Sangeet Night", "शादी", "100 % fun"] {
            world.event(&meera, name).await;
            world.clock.advance(std::time::Duration::from_secs(1));
        }
        let theirs = world.event(&ravi, "Sangeet").await;
        let page = async |query: &str| {
            let answer = world.get(&format!("/api/events/search{query}"), &meera).await.json();
            let names = answer["events"].as_array().unwrap().iter();
            let names: Vec<String> = names.map(|event| event["name"].as_str().unwrap().to_owned()).collect();
            (names, answer["next_cursor"].as_str().map(str::to_owned))
        };
        let all = ["100 % fun", "शादी", "Sangeet Night", "ÉTÉ à Nîmes", "Mehendi"];
        assert_eq!(page("").await, (all.map(String::from).to_vec(), None));
        let listed = world.get("/api/events/", &meera).await.json();
        assert_eq!(world.get("/api/events/search", &meera).await.json()["events"], listed);

        let (first, cursor) = page("?limit=2").await;
        assert_eq!(first, all[..2]);
        // What is created meanwhile moves nothing to the next page.
        world.event(&meera, "Reception").await;
        let (second, cursor) = page(&format!("?limit=2&cursor={}", cursor.unwrap())).await;
        assert_eq!(second, all[2..4]);
        assert_eq!(
            page(&format!("?limit=2&cursor={}", cursor.unwrap())).await,
            (vec![all[4].to_owned()], None)
        );

        for (part, found) in [
            ("sangeet", vec!["Sangeet Night"]),
            ("%C3%A9t%C3%A9", vec!["ÉTÉ à Nîmes"]),
            ("%E0%A4%B6%E0%A4%BE", vec!["शादी"]),
            ("%25", vec!["100 % fun"]),
            ("_", vec![]),
            ("%20NIGHT%20", vec!["Sangeet Night"]),
        ] {
            assert_eq!(
                page(&format!("?name={part}")).await,
                (found.into_iter().map(String::from).collect(), None)
            );
        }
        let (found, cursor) = page("?name=N&limit=2").await;
        assert_eq!(found, ["Reception", "100 % fun"]);
        let (found, cursor) = page(&format!("?name=N&limit=2&cursor={}", cursor.unwrap())).await;
        assert_eq!(found, ["Sangeet Night", "ÉTÉ à Nîmes"]);
        assert_eq!(page(&format!("?name=N&limit=2&cursor={}", cursor.unwrap())).await.0, ["Mehendi"]);

        for cursor in ["nonsense", theirs["id"].as_str().unwrap()] {
            let answer = world.get(&format!("/api/events/search?cursor={cursor}"), &meera).await;
            assert_eq!(answer.error(), (400, String::from("The cursor is not valid")));
        }
    });
}

#[test]
fn events_are_looked_up_by_their_ids_and_while_they_are_deleted() {
    // [SAFE028]
    // Somebody else's are left out.
    on_both_engines(async |world: World| {
        let (meera, ravi) =
            (world.photographer("meera@example.com").await, world.photographer("ravi@example.com").await);
        let mut ids = Vec::new();
        for name in ["One", "Two", "Three", "Four"] {
            let event = world.event(&meera, name).await;
            ids.push(event["id"].as_str().unwrap().to_owned());
            if name != "Four" {
                world.upload(&meera, &event, "a.jpg", &photo(&[RED], 0)).await;
            }
            world.clock.advance(std::time::Duration::from_secs(1));
        }
        let theirs = world.event(&ravi, "Sangeet").await;
        world.upload(&ravi, &theirs, "a.jpg", &photo(&[RED], 0)).await;
        let theirs = theirs["id"].as_str().unwrap();
        let page = async |query: &str| {
            let answer = world.get(&format!("/api/events/search?{query}"), &meera).await.json();
            let names = answer["events"].as_array().unwrap().iter();
            let names: Vec<String> = names.map(|event| event["name"].as_str().unwrap().to_owned()).collect();
            (names.join(" "), answer["next_cursor"].as_str().map(str::to_owned))
        };
        let [one, two, three, four] = [0, 1, 2, 3].map(|place: usize| ids[place].as_str());
        let found = |names: &str| (names.to_owned(), None);
        assert_eq!(page(&format!("ids={two}")).await, found("Two"));
        assert_eq!(page(&format!("ids={one},nonsense,{three},{theirs},{one}")).await, found("Three One"));
        assert_eq!(page(&format!("ids={theirs}")).await, found(""));
        assert_eq!(page("ids=").await, found(""));
        assert_eq!(page(&format!("ids={one},{two},{three}&name=t")).await, found("Three Two"));
        let (first, cursor) = page(&format!("ids={one},{two},{three}&limit=2")).await;
        assert_eq!(first, "Three Two");
        let rest = format!("ids={one},{two},{three}&limit=2&cursor={}", cursor.unwrap());
        assert_eq!(page(&rest).await, found("One"));

        assert_eq!(page("deleting=true").await, found(""));
        for (owner, id, status) in
            [(&meera, one, 202), (&meera, three, 202), (&meera, four, 200), (&ravi, theirs, 202)]
        {
            assert_eq!(world.delete(&format!("/api/events/{id}"), owner).await.status, status);
        }
        assert_eq!(page("deleting=true").await, found("Three One"));
        assert_eq!(page("deleting=true&limit=1").await, (String::from("Three"), Some(three.to_owned())));
        assert_eq!(page(&format!("deleting=true&limit=1&cursor={three}")).await, found("One"));
        assert_eq!(page("deleting=true&name=on").await, found("One"));
        assert_eq!(page(&format!("deleting=true&ids={one},{two}")).await, found("One"));
        assert_eq!(page(&format!("ids={one},{four}")).await, found("One"), "the deleted one is not found");
        assert_eq!(page("deleting=false").await, found("Three Two One"));
    });
}

#[test]
fn an_unknown_slug_is_a_404_with_a_text() {
    // [API038]
    on_both_engines(async |world: World| {
        let answer = world.get("/api/events/nothing-here-aaaaaaaaaa", "").await;
        assert_eq!(answer.error(), (404, String::from("Event not found")));
    });
}

#[test]
fn how_far_photos_are_is_told_cheaply_and_not_again_while_nothing_changes() {
    // [FACE526]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let path = format!("/api/events/{}/indexing", event["slug"].as_str().unwrap());
        let first = world.get(&path, "").await;
        assert_eq!(first.json(), json!({"indexed": 0, "waiting": 0, "failed": 0, "total": 0}));
        assert_eq!(first.header("cache-control"), "no-cache");
        assert!(first.bytes.len() < 200);
        let tag = first.header("etag").to_owned();
        let ask = async || {
            let request = Request::get(&path).header("if-none-match", &tag).body(Body::empty());
            world.send(request.unwrap()).await
        };
        let unchanged = ask().await;
        assert_eq!((unchanged.status.as_u16(), unchanged.bytes.len()), (304, 0));
        world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await;
        for expected in [json!([0, 1]), json!([1, 0])] {
            let changed = ask().await;
            assert_eq!(changed.status, 200);
            assert_eq!(json!([changed.json()["indexed"], changed.json()["waiting"]]), expected);
            world.drain().await;
        }
    });
}
