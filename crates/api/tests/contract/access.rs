//! Events that ask their guests for a PIN.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use crate::harness::{Answer, Field, RED, World, encode, on_both_engines, photo};

const REQUIRED: &str = "Please enter the PIN of this event first.";
const WRONG: &str = "This is not the PIN of this event. Please check it and try again.";

struct Party {
    token: String,
    event: Value,
}

impl Party {
    async fn new(world: &World) -> Self {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        assert_eq!(world.upload(&token, &event, "a.jpg", &photo(&[RED], 1)).await.status, 201);
        world.drain().await;
        Self { token, event }
    }

    fn text(&self, name: &str) -> &str {
        self.event[name].as_str().unwrap()
    }

    async fn set_pin(&self, world: &World, pin: Value) -> Answer {
        world.patch(&format!("/api/events/{}", self.text("id")), &self.token, json!({"pin": pin})).await
    }

    async fn pin(&self, world: &World, token: &str) -> Answer {
        world.get(&format!("/api/events/{}/pin", self.text("id")), token).await
    }

    async fn enter(&self, world: &World, pin: &str) -> Answer {
        world.post(&format!("/api/face/access/{}", self.text("slug")), "", json!({"pin": pin})).await
    }

    /// The proof for this PIN.
    async fn proof(&self, world: &World, pin: &str) -> String {
        let entered = self.enter(world, pin).await;
        assert_eq!(entered.status, 200);
        entered.json()["access_token"].as_str().unwrap().to_owned()
    }

    async fn search(&self, world: &World, headers: &[(&str, &str)]) -> Answer {
        let body = encode(&[Field::file("image", "selfie.jpg", &photo(&[RED], 9)), Field::notice()]);
        let kind = "multipart/form-data; boundary=line";
        send(world, &format!("/api/face/search/{}", self.text("slug")), kind, headers, body).await
    }
}

async fn send(world: &World, path: &str, kind: &str, headers: &[(&str, &str)], body: Vec<u8>) -> Answer {
    let mut request = Request::builder().method("POST").uri(path).header("content-type", kind);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    world.send(request.body(Body::from(body)).unwrap()).await
}

#[test]
fn what_an_event_is_about_is_for_those_who_have_its_pin() {
    // [EVT214]
    on_both_engines(async |world: World| {
        let party = Party::new(&world).await;
        let path = format!("/api/events/{}", party.text("id"));
        let change = json!({"description": "At the lake", "pin": "482915"});
        assert_eq!(world.patch(&path, &party.token, change).await.status, 200);
        let described = async |headers: &[(&str, &str)]| {
            let path = format!("/api/events/{}", party.text("slug"));
            let mut request = Request::builder().uri(path);
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            let answer = world.send(request.body(Body::empty()).unwrap()).await;
            assert_eq!(answer.status, 200);
            answer.json()["description"].clone()
        };
        let proof = party.proof(&world, "482915").await;
        assert_eq!(described(&[]).await, Value::Null);
        assert_eq!(described(&[("event-access", "made-up")]).await, Value::Null);
        assert_eq!(described(&[("event-access", &proof)]).await, "At the lake");
        let owner = format!("Bearer {}", party.token);
        assert_eq!(described(&[("authorization", &owner)]).await, "At the lake");
        let stranger = format!("Bearer {}", world.photographer("ravi@example.com").await);
        assert_eq!(described(&[("authorization", &stranger)]).await, Value::Null);
        assert_eq!(party.set_pin(&world, Value::Null).await.status, 200);
        assert_eq!(described(&[]).await, "At the lake");
    });
}

fn refused(text: &str) -> (u16, String) {
    (403, text.to_owned())
}

#[test]
fn a_pin_is_set_read_and_removed_by_the_owner_alone() {
    // [EVT102] [EVT128] [EVT160]
    on_both_engines(async |world: World| {
        let party = Party::new(&world).await;
        let pin = async || party.pin(&world, &party.token).await.json()["pin"].clone();
        assert_eq!(party.event["asks_pin"], false);
        assert_eq!(pin().await, Value::Null);
        for (entered, kept) in [("004242", "004242"), ("१२३ ४५६", "123456")] {
            let changed = party.set_pin(&world, json!(entered)).await.json();
            assert_eq!((&changed["asks_pin"], pin().await), (&json!(true), json!(kept)));
        }
        for bad in ["1234", "12345", "123456789", "12a456"] {
            let answer = party.set_pin(&world, json!(bad)).await;
            assert_eq!(answer.error(), (400, String::from("The PIN must have 6 to 8 digits")));
        }
        let other = world.photographer("ravi@example.com").await;
        assert_eq!(party.pin(&world, &other).await.error(), (404, String::from("Event not found")));
        assert_eq!(party.pin(&world, "").await.status, 401);
        assert_eq!(pin().await, "123456");
        for none in [Value::Null, json!(" ")] {
            assert_eq!(party.set_pin(&world, json!("004242")).await.status, 200);
            assert_eq!(party.set_pin(&world, none).await.json()["asks_pin"], false);
            assert_eq!(pin().await, Value::Null);
        }

        // One that was chosen before a new one needed six digits stays, also when all is saved again.
        storage::testing::change(&world.parts.db, "UPDATE events SET pin = '0042'").await;
        assert_eq!(party.set_pin(&world, json!("0042")).await.status, 200);
        assert!(party.enter(&world, "0042").await.json()["access_token"].is_string());
    });
}

#[test]
fn whoever_has_entered_the_pin_is_let_in_until_it_changes() {
    // [EVT103] [EVT129] [EVT104] [EVT130]
    on_both_engines(async |world: World| {
        let party = Party::new(&world).await;
        assert_eq!(party.enter(&world, "1234").await.json()["access_token"], Value::Null, "it asks for none");
        assert_eq!(party.search(&world, &[]).await.status, 200);

        assert_eq!(party.set_pin(&world, json!("123456")).await.status, 200);
        assert_eq!(party.search(&world, &[]).await.error(), refused(REQUIRED));
        for wrong in ["", "1234567", "123457", "abc", &"1".repeat(10_000)] {
            assert_eq!(party.enter(&world, wrong).await.error(), refused(WRONG), "{wrong:.10}");
        }
        let proof = party.proof(&world, " 123 456").await;
        let with = |proof: &str| [("event-access", proof.to_owned())];
        let search = async |proof: &str| {
            let [(name, value)] = with(proof);
            party.search(&world, &[(name, value.as_str())]).await
        };
        let found = search(&proof).await;
        assert_eq!(found.status, 200);
        for wrong in ["", "123456", &proof[1..], &format!("{proof}A")] {
            assert_eq!(search(wrong).await.error(), refused(REQUIRED), "{wrong}");
        }

        // What was found is opened again with the proof, too.
        let body = json!({"token": found.json()["download_token"]}).to_string();
        let reopen = async |headers: &[(&str, &str)]| {
            send(&world, "/api/face/results", "application/json", headers, body.clone().into_bytes()).await
        };
        assert_eq!(reopen(&[]).await.error(), refused(REQUIRED));
        assert_eq!(reopen(&[("event-access", &proof)]).await.json()["matches"][0]["filename"], "a.jpg");

        // The owner needs none, another photographer does.
        let bearer = |token: &str| format!("Bearer {token}");
        let other = world.photographer("ravi@example.com").await;
        assert_eq!(party.search(&world, &[("authorization", &bearer(&party.token))]).await.status, 200);
        let asked = party.search(&world, &[("authorization", &bearer(&other))]).await;
        assert_eq!(asked.error(), refused(REQUIRED));

        // Another event with the same PIN has a proof of its own.
        let theirs = world.event(&other, "Other").await;
        let path = format!("/api/events/{}", theirs["id"].as_str().unwrap());
        assert_eq!(world.patch(&path, &other, json!({"pin": "123456"})).await.status, 200);
        let theirs = Party { token: other, event: theirs };
        let asked = theirs.search(&world, &[("event-access", &proof)]).await;
        assert_eq!(asked.error(), refused(REQUIRED));

        assert_eq!(party.set_pin(&world, json!("654321")).await.status, 200);
        assert_eq!(search(&proof).await.error(), refused(REQUIRED), "it was of the PIN before");
        assert_eq!(search(&party.proof(&world, "654321").await).await.status, 200);
        assert_eq!(party.set_pin(&world, Value::Null).await.status, 200);
        assert_eq!(party.search(&world, &[]).await.status, 200);
    });
}

#[test]
fn no_answer_but_one_has_the_pin() {
    // [EVT108]
    on_both_engines(async |world: World| {
        let party = Party::new(&world).await;
        let (id, slug) = (party.text("id"), party.text("slug"));
        let changed = party.set_pin(&world, json!("97531864")).await;
        let page = format!("/event/{slug}");
        let own = ["/api/events/", "/api/events/search", "/api/photos/search"];
        let mut answers =
            vec![changed, party.enter(&world, "97531865").await, party.enter(&world, "97531864").await];
        for path in own {
            answers.push(world.get(path, &party.token).await);
        }
        for path in [format!("/api/events/{slug}"), page.clone(), format!("{page}/manifest.webmanifest")] {
            answers.push(world.get(&path, "").await);
        }
        for answer in answers {
            let text = String::from_utf8_lossy(&answer.bytes).into_owned();
            assert!(!text.contains("97531864"), "{text}");
        }
        assert_eq!(world.get(&format!("/api/events/{id}/pin"), &party.token).await.json()["pin"], "97531864");
        // The page says what it is the page of, before the PIN.
        let public = world.get(&format!("/api/events/{slug}"), "").await.json();
        assert_eq!((&public["name"], &public["asks_pin"]), (&json!("Party"), &json!(true)));
    });
}
