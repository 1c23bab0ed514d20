//! Photos that guests add themselves: /api/face/guest-photos/{slug} and /api/events/{event}/guest-photos

mod bounds;
mod decisions;

use axum::body::Body;
use axum::http::Request;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::harness::{Answer, GREEN, RED, World, on_both_engines, photo};

/// The secret of a guest's device.
pub(crate) const PHONE: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const OTHER_PHONE: &str = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";

struct Party {
    token: String,
    event: Value,
}

/// An event that takes photos from guests.
async fn party(world: &World) -> Party {
    let token = world.photographer("meera@example.com").await;
    let event = world.event(&token, "Party").await;
    let party = Party { token, event };
    party.change(world, json!({"takes_guest_photos": true})).await;
    party
}

impl Party {
    fn of_guests(&self, rest: &str) -> String {
        format!("/api/face/guest-photos/{}{rest}", self.event["slug"].as_str().unwrap())
    }

    fn own(&self, rest: &str) -> String {
        format!("/api/events/{}{rest}", self.event["id"].as_str().unwrap())
    }

    async fn change(&self, world: &World, change: Value) {
        assert_eq!(world.patch(&self.own(""), &self.token, change).await.status, 200);
    }

    async fn begin(&self, world: &World, phone: &str, length: usize, metadata: &str) -> Answer {
        let request = Request::post(self.of_guests("/uploads"))
            .header("tus-resumable", "1.0.0")
            .header("guest-device", phone)
            .header("upload-length", length)
            .header("upload-metadata", metadata);
        world.send(request.body(Body::empty()).unwrap()).await
    }

    /// Sends a photo in two pieces.
    async fn send(&self, world: &World, phone: &str, name: &str, bytes: &[u8]) -> Answer {
        let metadata = format!("filename {},name {}", STANDARD.encode("IMG_1.jpg"), STANDARD.encode(name));
        let begun = self.begin(world, phone, bytes.len(), &metadata).await;
        if begun.status != 201 {
            return begun;
        }
        let path = begun.header("location").to_owned();
        let (first, second) = bytes.split_at(bytes.len() / 2);
        assert_eq!(append(world, &path, phone, 0, first).await.status, 204);
        append(world, &path, phone, first.len(), second).await
    }

    /// The id of a photo that was sent and waits.
    async fn sent(&self, world: &World, phone: &str, name: &str, bytes: &[u8]) -> String {
        let answer = self.send(world, phone, name, bytes).await;
        assert_eq!(answer.status, 204, "{}", String::from_utf8_lossy(&answer.bytes));
        answer.header("photo-id").to_owned()
    }

    async fn as_guest(&self, world: &World, method: &str, phone: &str, rest: &str) -> Answer {
        let request = Request::builder().method(method).uri(self.of_guests(rest));
        world.send(request.header("guest-device", phone).body(Body::empty()).unwrap()).await
    }

    /// The states of what a device has added, by id.
    async fn states(&self, world: &World, phone: &str) -> Vec<(String, String)> {
        let listed = self.as_guest(world, "GET", phone, "").await;
        assert_eq!(listed.status, 200);
        let text = |photo: &Value, field: &str| photo[field].as_str().unwrap().to_owned();
        let listed = listed.json()["photos"].as_array().unwrap().clone();
        listed.iter().map(|photo| (text(photo, "id"), text(photo, "state"))).collect()
    }

    async fn waiting(&self, world: &World) -> Value {
        let answer = world.get(&self.own("/guest-photos"), &self.token).await;
        assert_eq!(answer.status, 200);
        answer.json()
    }

    async fn decide(&self, world: &World, decision: &str, ids: &[&str]) -> Answer {
        let path = self.own(&format!("/guest-photos/{decision}"));
        world.post(&path, &self.token, json!({"ids": ids})).await
    }

    async fn credits(&self, world: &World) -> f64 {
        let credits = world.get("/api/subscription/credits", &self.token).await.json();
        credits["credits"].as_f64().unwrap()
    }

    async fn found(&self, world: &World, person: [u8; 3]) -> usize {
        let found = world.search(&self.event, &photo(&[person], 9)).await.json();
        found["matches"].as_array().unwrap().len()
    }
}

/// For the test of permissions: an event that takes photos from guests, of which one waits, and one has none of its bytes yet.
pub(crate) async fn things(world: &World, token: &str, event: &Value) -> [(&'static str, String); 2] {
    let party = Party { token: token.to_owned(), event: event.clone() };
    party.change(world, json!({"takes_guest_photos": true})).await;
    let waiting = party.sent(world, PHONE, "", &photo(&[GREEN], 7)).await;
    let begun = party.begin(world, PHONE, 10, "filename YQ==").await;
    let upload = begun.header("location").rsplit('/').next().unwrap().to_owned();
    [("my.guest_photo", waiting), ("my.guest_upload", upload)]
}

async fn append(world: &World, path: &str, phone: &str, offset: usize, bytes: &[u8]) -> Answer {
    let request = Request::patch(path)
        .header("tus-resumable", "1.0.0")
        .header("guest-device", phone)
        .header("content-type", "application/offset+octet-stream")
        .header("upload-offset", offset)
        .header("content-length", bytes.len());
    world.send(request.body(Body::from(bytes.to_vec())).unwrap()).await
}

async fn issues(world: &World) -> Vec<app::operations::checks::Issue> {
    app::operations::checks::inspect(&world.operator(), &world.parts.store).await.unwrap()
}

#[test]
fn photos_of_guests_are_off_until_the_photographer_says_so() {
    // [UPL254] [UPL255]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        assert_eq!((&event["takes_guest_photos"], &event["guest_photo_limit"]), (&json!(false), &json!(30)));
        let party = Party { token, event };
        let refused = party.send(&world, PHONE, "Meera", &photo(&[RED], 0)).await;
        let text = "The photographer of this event takes no photos from guests";
        assert_eq!(refused.error(), (409, text.to_owned()));
        assert_eq!(party.as_guest(&world, "GET", PHONE, "").await.json()["taken"], false);

        party.change(&world, json!({"takes_guest_photos": true, "guest_photo_limit": 2})).await;
        let seen = party.as_guest(&world, "GET", PHONE, "").await.json();
        assert_eq!(seen, json!({"photos": [], "taken": true, "limit": 2}));
        for limit in [0, 201] {
            let refused =
                world.patch(&party.own(""), &party.token, json!({"guest_photo_limit": limit})).await;
            let text = "Photos from each guest must be a number from 1 to 200";
            assert_eq!(refused.error(), (400, text.to_owned()));
        }
        // An event that takes no more photos takes none from guests.
        party.change(&world, json!({"uploads_closed": true})).await;
        assert_eq!(party.send(&world, PHONE, "", &photo(&[RED], 0)).await.status, 409);
        // What began before it was switched off ends with a refusal.
        party.change(&world, json!({"uploads_closed": false})).await;
        let bytes = photo(&[RED], 0);
        let begun = party.begin(&world, PHONE, bytes.len(), "filename YQ==").await;
        party.change(&world, json!({"takes_guest_photos": false})).await;
        assert_eq!(append(&world, begun.header("location"), PHONE, 0, &bytes).await.status, 409);
    });
}

#[test]
fn what_waits_is_seen_by_the_photographer_and_the_device_that_sent_it_alone() {
    // [UPL256] [UPL257] [UPL258] [SAFE435]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let id = party.sent(&world, PHONE, " Meera ", &photo(&[RED], 0)).await;
        world.drain().await;

        // It is no photo, is found by nobody, is counted nowhere, and costs nothing.
        assert_eq!(party.found(&world, RED).await, 0);
        assert_eq!(world.get("/api/photos/count", &party.token).await.json()["total_count"], 0);
        let of_event = format!("/api/photos/search?event_id={}", party.event["id"].as_str().unwrap());
        assert_eq!(world.get(&of_event, &party.token).await.json()["total_count"], 0);
        let seen =
            world.get(&format!("/api/events/{}", party.event["slug"].as_str().unwrap()), "").await.json();
        assert_eq!((&seen["total_photos_uploaded"], &seen["indexing"]["total"]), (&json!(0), &json!(0)));
        assert_eq!(party.credits(&world).await, 100.0);
        for path in [format!("/api/photos/{id}/status"), format!("/api/photos/{id}/file?size=original")] {
            assert_eq!(world.get(&path, &party.token).await.status, 404, "{path}");
        }

        // The photographer looks at it.
        let waiting = party.waiting(&world).await;
        let listed = &waiting["photos"][0];
        assert_eq!((&listed["id"], &listed["guest_name"]), (&json!(id), &json!("Meera")));
        assert_eq!((&waiting["price"], &listed["original_filename"]), (&json!(1.0), &json!("IMG_1.jpg")));
        let file = |size: &str| party.own(&format!("/guest-photos/{id}/file?size={size}"));
        for size in ["preview", "medium", "thumbnail"] {
            let answer = world.get(&file(size), &party.token).await;
            assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, "image/jpeg"));
            assert!(answer.header("cache-control").starts_with("private"), "{size}");
        }
        assert_eq!(world.get(&file("original"), &party.token).await.status, 400);
        assert_eq!(world.get(&file("thumbnail"), "").await.status, 401);
        let stranger = world.photographer("ravi@example.com").await;
        for path in [file("thumbnail"), party.own("/guest-photos")] {
            assert_eq!(world.get(&path, &stranger).await.status, 404, "{path}");
        }

        // The device that sent it sees it, and no other.
        let own = format!("/{id}/thumbnail");
        assert_eq!(party.states(&world, PHONE).await, [(id.clone(), String::from("waiting"))]);
        assert_eq!(party.as_guest(&world, "GET", PHONE, &own).await.status, 200);
        assert_eq!(party.states(&world, OTHER_PHONE).await, []);
        assert_eq!(party.as_guest(&world, "GET", OTHER_PHONE, &own).await.status, 404);
        let refused = party.as_guest(&world, "GET", "guessable", "").await;
        let text = "Guest-Device must be 256 random bits as 43 characters of base64url";
        assert_eq!(refused.error(), (400, text.to_owned()));
        assert_eq!(issues(&world).await, []);
    });
}

#[test]
fn a_guest_takes_back_what_waits_and_nobody_elses() {
    // [UPL261]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let id = party.sent(&world, PHONE, "", &photo(&[RED], 0)).await;
        assert_eq!(world.stored_files().await.len(), 4);
        let path = format!("/{id}");
        let refused = party.as_guest(&world, "DELETE", OTHER_PHONE, &path).await;
        assert_eq!(refused.error(), (404, String::from("Photo not found")));
        assert_eq!(party.as_guest(&world, "DELETE", PHONE, &path).await.status, 204);
        assert_eq!(party.as_guest(&world, "DELETE", PHONE, &path).await.status, 404);
        assert_eq!(party.waiting(&world).await["photos"], json!([]));
        assert_eq!(world.stored_files().await, Vec::<String>::new());

        let second = party.sent(&world, PHONE, "", &photo(&[GREEN], 0)).await;
        assert_eq!(party.decide(&world, "let-in", &[&second]).await.status, 200);
        let refused = party.as_guest(&world, "DELETE", PHONE, &format!("/{second}")).await;
        assert_eq!(refused.error(), (409, String::from("This photo was let in already.")));
    });
}

#[test]
fn a_repeated_photo_is_the_one_that_is_there_and_bytes_are_refused_as_uploads_are() {
    // [UPL259] [UPL260]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let id = party.sent(&world, PHONE, "", &photo(&[RED], 0)).await;
        let again = party.send(&world, PHONE, "", &photo(&[RED], 0)).await;
        assert_eq!((again.header("photo-id"), again.header("photo-duplicate")), (id.as_str(), "true"));
        assert_eq!(party.states(&world, PHONE).await.len(), 1);
        for (bytes, text) in [
            (&b"not a picture at all"[..], "This is not an image that can be read here"),
            (&photo(&[RED], 0)[..900], "The image is incomplete"),
        ] {
            let refused = party.send(&world, PHONE, "", bytes).await;
            assert_eq!(refused.status, 400, "{text}");
            let uploaded = world.upload(&party.token, &party.event, "a.jpg", bytes).await;
            assert_eq!(refused.error(), uploaded.error());
        }
        let long = STANDARD.encode("n".repeat(61));
        let refused = party.begin(&world, PHONE, 9, &format!("filename YQ==,name {long}")).await;
        assert_eq!(refused.error(), (400, String::from("Your name must be at most 60 characters long")));
        assert_eq!(world.stored_files().await.len(), 4);
    });
}

#[test]
fn an_event_with_a_pin_takes_photos_of_those_who_know_it() {
    // [SAFE435]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        party.change(&world, json!({"pin": "246810"})).await;
        let text = "Please enter the PIN of this event first.";
        let refused = party.send(&world, PHONE, "", &photo(&[RED], 0)).await;
        assert_eq!(refused.error(), (403, text.to_owned()));
        assert_eq!(party.as_guest(&world, "GET", PHONE, "").await.error(), (403, text.to_owned()));
    });
}
