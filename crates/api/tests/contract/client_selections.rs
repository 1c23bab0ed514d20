//! What clients choose: /api/events/{event}/selections, and /api/selections/{secret} of their page.

mod choosing;

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::downloads::{Party, party};
use crate::harness::{Answer, PUBLIC_URL, World, on_both_engines};

/// A selection that was made.
pub(crate) struct Made {
    pub(crate) id: String,
    pub(crate) secret: String,
}

fn list_of(event: &Value) -> String {
    format!("/api/events/{}/selections", event["id"].as_str().unwrap())
}

/// Asks a client to choose.
pub(crate) async fn make(world: &World, token: &str, event: &Value, wanted: Value) -> Made {
    let made = world.post(&list_of(event), token, wanted).await;
    assert_eq!(made.status, 200);
    let made = made.json();
    let secret = made["url"].as_str().unwrap().strip_prefix(&format!("{PUBLIC_URL}/selection/")).unwrap();
    Made { id: made["id"].as_str().unwrap().to_owned(), secret: secret.to_owned() }
}

/// Adds a selection, whose client has chosen a photo, to what the tests of permissions have.
pub(crate) async fn add(
    world: &World,
    token: &str,
    event: &Value,
    scene: &mut BTreeMap<&'static str, String>,
) {
    let made = make(world, token, event, json!({"name": "Asha"})).await;
    made.choose(world, &scene["my.photo"]).await;
    scene.insert("my.selection", made.id);
    scene.insert("guest.selection", made.secret);
}

impl Made {
    fn path(&self) -> String {
        format!("/api/selections/{}", self.secret)
    }

    fn of(&self, event: &Value) -> String {
        format!("{}/{}", list_of(event), self.id)
    }

    async fn opened(&self, world: &World) -> Value {
        let opened = world.get(&self.path(), "").await;
        assert_eq!(opened.status, 200);
        opened.json()["selection"].clone()
    }

    async fn photos(&self, world: &World, query: &str) -> Vec<Value> {
        let page = world.get(&format!("{}/photos{query}", self.path()), "").await;
        assert_eq!(page.status, 200);
        page.json()["photos"].as_array().unwrap().clone()
    }

    async fn ids(&self, world: &World, query: &str) -> Vec<String> {
        let photos = self.photos(world, query).await;
        photos.iter().map(|photo| photo["photo_id"].as_str().unwrap().to_owned()).collect()
    }

    async fn mark(&self, world: &World, photo: &str, body: Value) -> Answer {
        world.put(&format!("{}/photos/{photo}", self.path()), "", body).await
    }

    pub(crate) async fn choose(&self, world: &World, photo: &str) {
        assert_eq!(self.mark(world, photo, json!({"chosen": true})).await.status, 200);
    }

    pub(crate) async fn finish(&self, world: &World, message: &str) -> Answer {
        world.post(&format!("{}/done", self.path()), "", json!({"message": message})).await
    }

    /// As the photographer sees it.
    async fn listed(&self, world: &World, token: &str, event: &Value) -> Value {
        let all = world.get(&list_of(event), token).await.json()["selections"].clone();
        all.as_array().unwrap().iter().find(|listed| listed["id"] == *self.id).unwrap().clone()
    }
}

fn conflict(text: &str) -> (u16, String) {
    (409, text.to_owned())
}

fn ended() -> (u16, String) {
    (404, String::from("This link no longer works. Please ask your photographer for a new one."))
}

#[test]
fn a_photographer_asks_clients_to_choose_and_keeps_their_addresses() {
    // [EVT191] [EVT192]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Sangeet").await;
        let path = list_of(&event);
        assert_eq!(world.get(&path, &token).await.json(), json!({"selections": []}), "off by default");
        let album_path = format!("/api/events/{}/albums", event["id"].as_str().unwrap());
        let album = world.post(&album_path, &token, json!({"name": "Dinner"})).await.json();
        let wanted = json!({"name": " Asha & Ravi ", "photo_limit": 60, "due_on": "2027-01-31", "pin": "47 11 47",
            "album_id": album["id"]});
        let made = world.post(&path, &token, wanted.clone()).await.json();
        let secret = made["url"].as_str().unwrap().strip_prefix(&format!("{PUBLIC_URL}/selection/")).unwrap();
        assert_eq!(secret.len(), 20);
        let expected = json!({"id": made["id"], "name": "Asha & Ravi", "url": made["url"], "photo_limit": 60,
            "due_on": "2027-01-31", "pin": "471147", "album_id": album["id"], "album_deleted": false, "chosen": 0,
            "comments": 0, "created_at": world.app.now().to_rfc3339(), "done_at": null, "message": null,
            "is_new": false});
        assert_eq!(made, expected);
        assert_eq!(world.get(&path, &token).await.json(), json!({"selections": [made]}));

        // It is changed as a whole; its address stays.
        let one = format!("{path}/{}", made["id"].as_str().unwrap());
        let changed = world.put(&one, &token, json!({"name": "Asha", "due_on": "", "pin": " "})).await.json();
        let mut plain = made.clone();
        for (field, value) in [
            ("name", json!("Asha")),
            ("photo_limit", Value::Null),
            ("due_on", Value::Null),
            ("pin", Value::Null),
            ("album_id", Value::Null),
        ] {
            plain[field] = value;
        }
        assert_eq!(changed, plain);

        for (field, value, text) in [
            ("name", json!(" "), "Please enter the client's name"),
            ("name", json!("x".repeat(61)), "The client's name must be at most 60 characters long"),
            ("photo_limit", json!(0), "The number of photos must be from 1 to 10,000"),
            ("photo_limit", json!(10_001), "The number of photos must be from 1 to 10,000"),
            (
                "due_on",
                json!("31.1.2027"),
                "The last day for choosing must be a calendar date in the form YYYY-MM-DD",
            ),
            ("due_on", json!("2020-01-31"), "Please choose today or a later day for choosing"),
            ("pin", json!("4711"), "The PIN must have 6 to 8 digits"),
        ] {
            let mut bad = wanted.clone();
            bad[field] = value;
            for answer in [world.post(&path, &token, bad.clone()).await, world.put(&one, &token, bad).await] {
                assert_eq!(answer.error(), (400, text.to_owned()), "{field}");
            }
        }
        let other = world.event(&token, "Haldi").await;
        for (event, album) in [(&other, album["id"].clone()), (&event, json!("none"))] {
            let answer =
                world.post(&list_of(event), &token, json!({"name": "Asha", "album_id": album})).await;
            assert_eq!(answer.error(), (404, String::from("This album is no longer there")));
        }

        let gone = (404, String::from("This selection is no longer there"));
        let elsewhere = format!("{}/{}", list_of(&other), made["id"].as_str().unwrap());
        for path in [&elsewhere, &format!("{path}/none")] {
            assert_eq!(world.put(path, &token, json!({"name": "Asha"})).await.error(), gone);
            assert_eq!(world.delete(path, &token).await.error(), gone);
            assert_eq!(world.post(&format!("{path}/reopen"), &token, json!({})).await.error(), gone);
        }
        assert_eq!(world.delete(&one, &token).await.json(), json!({"success": true}));
        assert_eq!(world.delete(&one, &token).await.error(), gone);

        for number in 0..50 {
            assert_eq!(
                world.post(&path, &token, json!({"name": format!("Client {number}")})).await.status,
                200
            );
        }
        let full = "This event has 50 selections already. Please delete one first.";
        assert_eq!(world.post(&path, &token, json!({"name": "Asha"})).await.error(), conflict(full));
    });
}

#[test]
fn only_who_manages_an_event_sees_or_changes_its_selections() {
    // [SAFE451]
    on_both_engines(async |world: World| {
        let Party { token, event, .. } = party(&world).await;
        let made = make(&world, &token, &event, json!({"name": "Asha"})).await;
        let ravi = world.photographer("ravi@example.com").await;
        let one = made.of(&event);
        let tried = async |token: &str| {
            [
                world.get(&list_of(&event), token).await.error(),
                world.post(&list_of(&event), token, json!({"name": "Ravi"})).await.error(),
                world.put(&one, token, json!({"name": "Ravi"})).await.error(),
                world.post(&format!("{one}/reopen"), token, json!({})).await.error(),
                world.post(&format!("{one}/seen"), token, json!({})).await.error(),
                world.delete(&one, token).await.error(),
            ]
        };
        assert!(tried(&ravi).await.iter().all(|error| *error == (404, String::from("Event not found"))));
        let ravi = crate::teams::join(&world, &token, &event, "lina@example.com", "contributor").await;
        let managers = "Only the photographer of this event and its managers can do this";
        assert!(tried(&ravi).await.iter().all(|error| *error == (403, managers.to_owned())));
        let path =
            format!("/api/photos/search?event_id={}&selection_id={}", event["id"].as_str().unwrap(), made.id);
        assert_eq!(world.get(&path, &ravi).await.error(), (403, managers.to_owned()));
    });
}

#[test]
fn the_photographer_finds_what_was_chosen_among_the_photos_with_the_comments() {
    // [EVT200]
    on_both_engines(async |world: World| {
        let Party { token, event, .. } = party(&world).await;
        let made = make(&world, &token, &event, json!({"name": "Asha"})).await;
        let ids = made.ids(&world, "").await;
        assert_eq!(
            made.mark(&world, &ids[0], json!({"chosen": true, "comment": "Crop it"})).await.status,
            200
        );
        made.choose(&world, &ids[1]).await;
        assert_eq!(made.mark(&world, &ids[2], json!({"comment": "Not this one"})).await.status, 200);
        let search = async |query: &str| {
            let event = event["id"].as_str().unwrap();
            let answer = world.get(&format!("/api/photos/search?event_id={event}{query}"), &token).await;
            assert_eq!(answer.status, 200);
            answer.json()
        };
        let of = |photos: &Value| {
            let mut found: Vec<(String, Value)> = photos["photos"]
                .as_array()
                .unwrap()
                .iter()
                .map(|photo| {
                    let comment = photo.get("client_comment").cloned().unwrap_or_default();
                    (photo["id"].as_str().unwrap().to_owned(), comment)
                })
                .collect();
            found.sort_by_key(|(id, _)| ids.iter().position(|known| known == id));
            found
        };
        let chosen = search(&format!("&selection_id={}&sort=name", made.id)).await;
        let expected = [(ids[0].clone(), json!("Crop it")), (ids[1].clone(), Value::Null)];
        assert_eq!((of(&chosen), &chosen["total_count"]), (expected.to_vec(), &json!(2)));
        let said = search(&format!("&selection_id={}&commented=true", made.id)).await;
        let expected = [(ids[0].clone(), json!("Crop it")), (ids[2].clone(), json!("Not this one"))];
        assert_eq!(of(&said), expected.to_vec());
        let named = format!(
            "/api/photos/search/ids?event_id={}&selection_id={}",
            event["id"].as_str().unwrap(),
            made.id
        );
        assert_eq!(world.get(&named, &token).await.json()["photo_ids"].as_array().unwrap().len(), 2);
        assert!(
            search("").await["photos"]
                .as_array()
                .unwrap()
                .iter()
                .all(|photo| photo.get("client_comment").is_none())
        );
        let bad = world.get("/api/photos/search?selection_id=none", &token).await;
        assert_eq!(bad.error(), (404, String::from("This selection is no longer there")));
        let listed = made.listed(&world, &token, &event).await;
        assert_eq!((&listed["chosen"], &listed["comments"]), (&json!(2), &json!(2)));
        // Another photographer learns nothing by the id.
        let ravi = world.photographer("ravi@example.com").await;
        let theirs = world.get(&format!("/api/photos/search?selection_id={}", made.id), &ravi).await.json();
        assert_eq!(theirs["total_count"], 0);
    });
}

#[test]
fn a_deleted_photo_comes_back_as_it_was_chosen() {
    // [EVT201]
    on_both_engines(async |world: World| {
        let Party { token, event, .. } = party(&world).await;
        let made = make(&world, &token, &event, json!({"name": "Asha", "photo_limit": 1})).await;
        let ids = made.ids(&world, "").await;
        assert_eq!(
            made.mark(&world, &ids[0], json!({"chosen": true, "comment": "Crop it"})).await.status,
            200
        );
        assert_eq!(world.delete(&format!("/api/photos/{}", ids[0]), &token).await.status, 200);
        assert_eq!(made.opened(&world).await["chosen"], 0);
        made.choose(&world, &ids[1]).await;
        let back = json!({"event_id": event["id"], "photo_ids": [ids[0]]});
        assert_eq!(world.post("/api/photos/trash/restore", &token, back).await.status, 200);
        let restored = made.photos(&world, "?chosen=true").await;
        assert_eq!((restored.len(), made.opened(&world).await["chosen"].clone()), (2, json!(2)));
        assert!(restored.iter().any(|photo| photo["comment"] == "Crop it"));
        let many = conflict("You have chosen more photos than you can. Take some back first.");
        assert_eq!(made.finish(&world, "").await.error(), many);
    });
}

#[test]
fn the_deletion_of_its_album_ends_no_selection_and_shows_nothing_more() {
    // [EVT202]
    on_both_engines(async |world: World| {
        let Party { token, event, matches, .. } = party(&world).await;
        let first = json!({"id": matches[0]["photo_id"]});
        crate::albums::put_into_new(&world, &token, &event, "Dinner", &first).await;
        let albums = format!("/api/events/{}/albums", event["id"].as_str().unwrap());
        let album = world.get(&albums, &token).await.json()["albums"][0].clone();
        let second =
            json!({"event_id": event["id"], "photo_ids": [matches[1]["photo_id"]], "album_id": album["id"]});
        assert_eq!(world.post("/api/photos/album", &token, second).await.status, 200);
        let made = make(&world, &token, &event, json!({"name": "Asha", "album_id": album["id"]})).await;
        let ids = made.ids(&world, "").await;
        assert_eq!(ids.len(), 2);
        made.choose(&world, &ids[0]).await;
        let gone = format!("/api/albums/{}", album["id"].as_str().unwrap());
        assert_eq!(world.delete(&gone, &token).await.status, 200);
        assert_eq!(made.ids(&world, "").await, [ids[0].clone()]);
        // Taken back by mistake, it is chosen again.
        for chosen in [false, true] {
            assert_eq!(made.mark(&world, &ids[0], json!({"chosen": chosen})).await.status, 200);
        }
        let listed = made.listed(&world, &token, &event).await;
        let state = (&listed["album_id"], &listed["album_deleted"], &listed["chosen"]);
        assert_eq!(state, (&Value::Null, &json!(true), &json!(1)));
        let changed = world.put(&made.of(&event), &token, json!({"name": "Asha"})).await.json();
        assert_eq!(changed["album_deleted"], false);
        assert_eq!(made.ids(&world, "").await.len(), 4, "all of the event, as its photographer says now");
    });
}

#[test]
fn an_address_leads_nowhere_once_its_selection_event_or_account_is_gone() {
    // [SAFE449] [EVT204]
    on_both_engines(async |world: World| {
        let administrator = world.photographer("admin@example.com").await;
        world.clock.advance(Duration::from_secs(1));
        let Party { token, event, .. } = party(&world).await;
        let made = make(&world, &token, &event, json!({"name": "Asha"})).await;
        let id = made.ids(&world, "").await[0].clone();
        made.choose(&world, &id).await;
        let is_open = async |made: &Made| {
            let answers = [
                world.get(&made.path(), "").await,
                world.get(&format!("{}/photos", made.path()), "").await,
                made.mark(&world, &id, json!({"chosen": true})).await,
                world.post(&format!("{}/access", made.path()), "", json!({"pin": "471147"})).await,
            ];
            if answers.iter().all(|answer| answer.status == 200) {
                return true;
            }
            assert!(answers.iter().all(|answer| answer.error() == ended()));
            assert_eq!(made.finish(&world, "").await.error(), ended());
            false
        };
        assert!(is_open(&made).await);
        for secret in ["none", "aaaaaaaaaaaaaaaaaaaa", "%3Cscript%3E"] {
            assert!(!is_open(&Made { id: String::new(), secret: secret.to_owned() }).await);
        }
        let me = world.get("/api/auth/me", &token).await.json()["user"]["id"].as_str().unwrap().to_owned();
        let account = format!("/api/administration/accounts/{me}");
        let reason = json!({"reason": "Chargeback"});
        assert_eq!(world.post(&format!("{account}/lock"), &administrator, reason).await.status, 200);
        assert!(!is_open(&made).await, "the account is locked");
        assert_eq!(world.post(&format!("{account}/unlock"), &administrator, json!({})).await.status, 200);
        let token = world.log_in("meera@example.com").await.json()["token"].as_str().unwrap().to_owned();
        assert!(is_open(&made).await);

        let path = format!("/api/events/{}", event["id"].as_str().unwrap());
        assert_eq!(world.delete(&path, &token).await.status, 202);
        assert!(!is_open(&made).await, "the event is deleted");
        world.drain().await;
        assert!(!is_open(&made).await);
        assert_eq!(world.post(&format!("{path}/restore"), &token, json!({})).await.status.as_u16() / 100, 2);
        world.drain().await;
        assert!(is_open(&made).await, "it is restored with what was chosen");
        assert_eq!(made.opened(&world).await["chosen"], 1);
        assert_eq!(world.delete(&made.of(&event), &token).await.status, 200);
        assert!(!is_open(&made).await);
    });
}

#[test]
fn the_page_is_found_by_no_search_engine_and_tells_its_address_to_nobody() {
    // [SAFE449]
    on_both_engines(async |world: World| {
        let web_app = api::WebApp::new(|path| {
            let document = format!("<title>{path}</title><!-- head --><!-- /head -->");
            let media_type = String::from("text/html; charset=utf-8");
            ["index.html", "event.html"]
                .contains(&path)
                .then(|| api::Asset::new(document.into_bytes(), media_type))
        });
        let page = world.get_with(web_app, "/selection/aaaaaaaaaaaaaaaaaaaa", &[]).await;
        assert_eq!(page.status, 200);
        for (name, value) in [("x-robots-tag", "noindex"), ("referrer-policy", "no-referrer")] {
            assert_eq!(page.header(name), value);
        }
        let html = String::from_utf8(page.bytes.to_vec()).unwrap();
        assert!(html.contains("<title>event.html</title>") && html.contains("Choose your photos"), "{html}");
        assert!(!html.contains("aaaaaaaaaaaaaaaaaaaa"), "a preview repeats no address");
        let checkout = page.header("content-security-policy");
        assert!(!checkout.contains("razorpay"), "{checkout}");
    });
}

#[test]
fn data_json_has_what_clients_were_asked_and_have_marked_and_nothing_that_opens_their_pages() {
    // [EVT205]
    on_both_engines(async |world: World| {
        let Party { token, event, matches, .. } = party(&world).await;
        let made = make(&world, &token, &event, json!({"name": "Asha"})).await;
        let photo = matches[0]["photo_id"].as_str().unwrap();
        let marked = made.mark(&world, photo, json!({"chosen": true, "comment": "For the cover"})).await;
        assert!(marked.status.is_success(), "{}", String::from_utf8_lossy(&marked.bytes));
        let changed = json!({"name": "Asha", "photo_limit": 2, "pin": "482915"});
        assert_eq!(world.put(&made.of(&event), &token, changed).await.status, 200);
        let zip = world.get(&crate::exports::export(&world, &token).await, "").await;
        let (_, data) = crate::exports::unpacked(&zip);
        let events = data["events"].as_array().unwrap();
        let party = events.iter().find(|each| each["id"] == event["id"]).unwrap();
        let kept = &party["selections_of_clients"][0];
        assert_eq!((&kept["client"], &kept["at_most"]), (&json!("Asha"), &json!(2)));
        assert_eq!(kept["marks"], json!([{"photo": photo, "chosen": true, "comment": "For the cover"}]));
        assert!(!data.to_string().contains(&made.secret) && !data.to_string().contains("482915"));
    });
}
