//! Photos in which guests find themselves that their search has not: POST /api/face/search/{slug}/missed.

use serde_json::{Value, json};

use crate::harness::{Answer, BLUE, Field, GREEN, RED, World, on_both_engines, photo};

/// 17° from red: a loose search finds it, a normal one does not.
const FAR: [u8; 3] = [230, 82, 20];

struct Party {
    token: String,
    event: Value,
    same: String,
    far: String,
    stranger: String,
    search: Value,
}

impl Party {
    async fn new(world: &World) -> Self {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let path = format!("/api/events/{}", event["id"].as_str().unwrap());
        assert_eq!(world.patch(&path, &token, json!({"browsable": true})).await.status, 200);
        let upload = async |name: &str, bytes: &[u8]| {
            world.upload(&token, &event, name, bytes).await.json()["id"].as_str().unwrap().to_owned()
        };
        let same = upload("same.jpg", &photo(&[RED], 0)).await;
        let far = upload("far.jpg", &photo(&[FAR, GREEN], 0)).await;
        let stranger = upload("stranger.jpg", &photo(&[GREEN], 0)).await;
        world.drain().await;
        let found = world.search(&event, &photo(&[RED], 9)).await.json();
        assert_eq!(found["matches"].as_array().unwrap().len(), 1);
        Self { search: found["search_token"].clone(), token, event, same, far, stranger }
    }

    async fn ask(&self, world: &World, photo: &str, confirmed: bool) -> Answer {
        let path = format!("/api/face/search/{}/missed", self.event["slug"].as_str().unwrap());
        world.post(&path, "", json!({"token": self.search, "photo_id": photo, "confirmed": confirmed})).await
    }

    async fn statistics(&self, world: &World, path: &str) -> Answer {
        let path = format!("/api/events/{}/{path}", self.event["id"].as_str().unwrap());
        world.get(&path, &self.token).await
    }

    /// Photos shown, called wrong and missed, on the first day.
    async fn said(&self, world: &World) -> String {
        let csv = self.statistics(world, "statistics.csv").await;
        let text = String::from_utf8(csv.bytes.to_vec()).unwrap();
        let row: Vec<&str> = text.lines().nth(1).unwrap().split(',').collect();
        row[row.len() - 3..].join(",")
    }
}

#[test]
fn a_photo_that_was_missed_is_shown_first_and_added_once_it_is_confirmed() {
    // [FACE544]
    on_both_engines(async |world: World| {
        let party = Party::new(&world).await;
        let shown = party.ask(&world, &party.far, false).await;
        assert_eq!(shown.status, 200);
        let shown = shown.json();
        assert_eq!((&shown["match"], &shown["download_token"]), (&Value::Null, &Value::Null));
        // The left one of two.
        assert!(shown["face"]["x"].as_f64().unwrap() < 0.3, "{shown}");
        assert_eq!(party.said(&world).await, "1,0,0", "nothing counts before it is confirmed");

        let added = party.ask(&world, &party.far, true).await.json();
        assert_eq!(
            (&added["match"]["photo_id"], &added["match"]["filename"]),
            (&json!(party.far), &json!("far.jpg"))
        );
        assert!(added["match"]["face_id"].is_string() && added["match"]["thumbnail_url"].is_string());
        let zip = format!("/api/face/download/{}.zip", added["download_token"].as_str().unwrap());
        assert_eq!(crate::downloads::files(&world.get(&zip, "").await.bytes).len(), 1);
        assert_eq!(party.said(&world).await, "1,0,1");
        // Whoever says it again says the same of the same face.
        assert_eq!(party.ask(&world, &party.far, true).await.status, 200);
        assert_eq!(party.said(&world).await, "1,0,1");
        // A photo that the search has found is no miss.
        assert_eq!(party.ask(&world, &party.same, true).await.status, 200);
        assert_eq!(party.said(&world).await, "1,0,1");
    });
}

#[test]
fn a_photo_in_which_nobody_is_like_the_guest_is_not_theirs() {
    // [FACE544]
    on_both_engines(async |world: World| {
        let party = Party::new(&world).await;
        for confirmed in [false, true] {
            let refused = party.ask(&world, &party.stranger, confirmed).await;
            assert_eq!(refused.error(), (422, String::from("No face in this photo is like yours")));
        }
        assert_eq!(party.said(&world).await, "1,0,0");
    });
}

#[test]
fn what_guests_may_not_see_is_not_looked_at_for_them() {
    // [SAFE446]
    on_both_engines(async |world: World| {
        let party = Party::new(&world).await;
        let gone = |answer: Answer| assert_eq!(answer.error(), (404, String::from("Photo not found")));
        let elsewhere = world.event(&party.token, "Elsewhere").await;
        let other = world.upload(&party.token, &elsewhere, "a.jpg", &photo(&[FAR], 3)).await.json();
        world.drain().await;
        for photo in [other["id"].as_str().unwrap(), "made-up", ""] {
            gone(party.ask(&world, photo, true).await);
        }
        // Somebody in it asks for it to be hidden.
        let slug = party.event["slug"].as_str().unwrap();
        let selfie = photo(&[FAR], 9);
        let fields = [Field::file("image", "selfie.jpg", &selfie), Field::notice()];
        let preview = world.form(&format!("/api/face/objections/{slug}"), "", &fields).await.json();
        let objection = json!({"token": preview["token"], "choice": "hide", "notice_version": "2026-11"});
        assert_eq!(world.post("/api/face/objections", "", objection).await.status, 201);
        gone(party.ask(&world, &party.far, true).await);
        assert_eq!(party.said(&world).await, "1,0,0");

        let path = format!("/api/events/{}", party.event["id"].as_str().unwrap());
        assert_eq!(world.patch(&path, &party.token, json!({"browsable": false})).await.status, 200);
        assert_eq!(party.ask(&world, &party.same, false).await.status, 403);
        assert_eq!(
            world.patch(&path, &party.token, json!({"browsable": true, "pin": "471147"})).await.status,
            200
        );
        assert_eq!(party.ask(&world, &party.same, false).await.json()["code"], "event_pin_required");
    });
}

#[test]
fn how_well_searches_are_is_said_from_ten_answers_on() {
    // [FACE543]
    on_both_engines(async |world: World| {
        let party = Party::new(&world).await;
        let accuracy = async || party.statistics(&world, "statistics").await.json()["accuracy"].clone();
        assert_eq!(accuracy().await, Value::Null);
        // Ten devices find the one photo; a guest calls it wrong, and nine faces were missed.
        for seed in 10..20 {
            let found = world.search(&party.event, &photo(&[RED], seed)).await.json();
            if seed == 10 {
                let report = json!({"token": found["download_token"], "photo_id": party.same});
                assert_eq!(world.post("/api/face/not-me", "", report.clone()).await.status, 204);
                assert_eq!(world.post("/api/face/not-me", "", report).await.status, 204, "it counts once");
            }
        }
        for seed in 1..10 {
            let late = world
                .upload(&party.token, &party.event, &format!("{seed}.jpg"), &photo(&[FAR, BLUE], seed))
                .await;
            world.drain().await;
            assert_eq!(accuracy().await, Value::Null, "{seed}");
            let id = late.json()["id"].as_str().unwrap().to_owned();
            assert_eq!(party.ask(&world, &id, true).await.status, 200);
        }
        assert_eq!(party.said(&world).await, "11,1,9");
        let said = accuracy().await;
        assert_eq!(said["answers"], 10);
        assert!((said["found"]["at"].as_f64().unwrap() - 10.0 / 19.0).abs() < 1e-9, "{said}");
        assert!((said["wrong"]["at"].as_f64().unwrap() - 1.0 / 11.0).abs() < 1e-9, "{said}");
        assert!(said["found"]["low"].as_f64() < said["found"]["at"].as_f64());
        assert!(said["wrong"]["high"].as_f64() > said["wrong"]["at"].as_f64());
    });
}
