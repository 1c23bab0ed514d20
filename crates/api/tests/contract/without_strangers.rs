//! Photos without strangers: POST /api/face/without-strangers/{slug}.

use axum::http::Request;
use serde_json::{Value, json};

use crate::harness::{Answer, BLUE, GREEN, RED, World, on_both_engines, photo};
use crate::objections;

/// 17° from red: a loose search finds it, a normal one does not.
const FAR: [u8; 3] = [230, 82, 20];
const NOT_IN_PHOTO: &str = "Your face was not found in this photo";

/// 200 × 100 pixels a person, in lines of two shades of one colour: what is softened has the colour between them.
fn striped(people: &[[u8; 3]]) -> Vec<u8> {
    let width = 200 * u32::try_from(people.len()).unwrap();
    let picture = image::RgbImage::from_fn(width, 100, |x, y| {
        let colour = people[(x / 200) as usize];
        image::Rgb(if y / 8 % 2 == 0 { colour } else { colour.map(|sample| sample / 2) })
    });
    let mut bytes = std::io::Cursor::new(Vec::new());
    let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, 95);
    picture.write_with_encoder(encoder).unwrap();
    bytes.into_inner()
}

/// Who of so many people in an answered picture is softened.
fn softened(answer: &Answer, people: u32) -> Vec<bool> {
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
    let picture = image::load_from_memory(&answer.bytes).unwrap().into_rgb8();
    assert_eq!((picture.width(), picture.height()), (people * 200, 100));
    let middles = (0..people).map(|person| person * 200 + 100);
    let of_column =
        |x: u32| (30..70).map(|y| *picture.get_pixel(x, y).0.iter().max().unwrap()).collect::<Vec<u8>>();
    middles
        .map(of_column)
        .map(|column| column.iter().max().unwrap() - column.iter().min().unwrap() < 30)
        .collect()
}

struct Party {
    token: String,
    event: Value,
    /// A photo of red, green and blue.
    group: String,
}

impl Party {
    async fn new(world: &World) -> Self {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let uploaded = world.upload(&token, &event, "group.jpg", &striped(&[RED, GREEN, BLUE])).await.json();
        world.drain().await;
        Self { token, event, group: uploaded["id"].as_str().unwrap().to_owned() }
    }

    async fn change(&self, world: &World, change: Value) {
        let path = format!("/api/events/{}", self.event["id"].as_str().unwrap());
        assert_eq!(world.patch(&path, &self.token, change).await.status, 200);
    }

    async fn search(&self, world: &World, person: [u8; 3]) -> Value {
        world.search(&self.event, &photo(&[person], 9)).await.json()
    }

    fn path(&self) -> String {
        format!("/api/face/without-strangers/{}", self.event["slug"].as_str().unwrap())
    }

    async fn ask(&self, world: &World, key: &Value, searches: Value) -> Answer {
        world.post(&self.path(), "", json!({"key": key, "searches": searches})).await
    }

    /// What a guest asks who is of this colour.
    async fn of(&self, world: &World, person: [u8; 3]) -> Answer {
        let found = self.search(world, person).await;
        let searches = json!([{"token": found["search_token"]}]);
        self.ask(world, &found["matches"][0]["s3_key"], searches).await
    }
}

#[test]
fn every_face_but_the_guests_and_their_friends_is_softened_in_a_picture_of_its_own() {
    // [FACE545] [FACE547] [SAFE461]
    on_both_engines(async |world: World| {
        let party = Party::new(&world).await;
        let files = world.stored_files().await;
        let (red, blue) = (party.search(&world, RED).await, party.search(&world, BLUE).await);
        let key = &red["matches"][0]["s3_key"];
        let mine = json!({"token": red["search_token"]});
        let answer = party.ask(&world, key, json!([mine])).await;
        assert_eq!(softened(&answer, 3), [false, true, true]);
        assert_eq!(answer.header("softened-faces"), "2");
        assert_eq!(
            (answer.header("content-type"), answer.header("cache-control")),
            ("image/jpeg", "no-store")
        );
        // Nothing but the picture: the first segment that is not JFIF's is a table of it.
        assert!(!answer.bytes.windows(4).any(|part| part == b"Exif" || part == b"http"));

        // A friend's search beside.
        let friends = json!({"token": blue["search_token"]});
        let answer = party.ask(&world, key, json!([mine, friends])).await;
        assert_eq!((softened(&answer, 3), answer.header("softened-faces")), (vec![false, true, false], "1"));

        // The photo itself is as it was, and nothing is stored.
        assert_eq!(world.stored_files().await, files);
        let again = party.search(&world, RED).await;
        assert_eq!((&again["matches"][0]["similarity"], 1), (&red["matches"][0]["similarity"], 1));
        // What the device keeps of a search does as well.
        let keep = format!("/api/face/search/{}/keep", party.event["slug"].as_str().unwrap());
        let body = json!({"token": red["search_token"], "notice_version": "2026-11-27"});
        let kept = world.post(&keep, "", body).await.json();
        let answer = party.ask(&world, key, json!([{"token": kept["key"]}])).await;
        assert_eq!(softened(&answer, 3), [false, true, true]);
    });
}

#[test]
fn a_face_that_the_guest_has_rejected_is_softened() {
    // [FACE547]
    on_both_engines(async |world: World| {
        let party = Party::new(&world).await;
        let (red, blue) = (party.search(&world, RED).await, party.search(&world, BLUE).await);
        let found = &red["matches"][0];
        let mine = json!({"token": red["search_token"], "not_me": [found["face_id"], "made-up"]});
        let refused = party.ask(&world, &found["s3_key"], json!([mine])).await;
        assert_eq!(refused.error(), (422, String::from(NOT_IN_PHOTO)));
        let friends = json!({"token": blue["search_token"]});
        let answer = party.ask(&world, &found["s3_key"], json!([mine, friends])).await;
        assert_eq!(softened(&answer, 3), [true, true, false]);
        // Somebody who is in no photo.
        let yellow = party.search(&world, [230, 230, 20]).await;
        let answer = party
            .ask(&world, &blue["matches"][0]["s3_key"], json!([{"token": yellow["search_token"]}]))
            .await;
        assert_eq!(softened(&answer, 3), [true, true, false], "the face by which the photo was found");
    });
}

#[test]
fn a_face_that_the_guest_has_confirmed_stays_though_a_search_does_not_find_it() {
    // [FACE547]
    on_both_engines(async |world: World| {
        let party = Party::new(&world).await;
        party.change(&world, json!({"browsable": true})).await;
        let far = world.upload(&party.token, &party.event, "far.jpg", &striped(&[FAR, GREEN])).await.json();
        world.drain().await;
        let red = party.search(&world, RED).await;
        let listed =
            world.get(&format!("/api/face/photos/{}", party.event["slug"].as_str().unwrap()), "").await;
        let listed = listed.json();
        let mut photos = listed["photos"].as_array().unwrap().iter();
        let key = &photos.find(|listed| listed["photo_id"] == far["id"]).unwrap()["s3_key"];
        let searches = json!([{"token": red["search_token"]}]);
        assert_eq!(party.ask(&world, key, searches.clone()).await.error().1, NOT_IN_PHOTO);
        let missed = format!("/api/face/search/{}/missed", party.event["slug"].as_str().unwrap());
        let body = json!({"token": red["search_token"], "photo_id": far["id"], "confirmed": true});
        let added = world.post(&missed, "", body).await.json();
        let answer = party.ask(&world, &added["match"]["s3_key"], searches).await;
        assert_eq!(softened(&answer, 2), [false, true]);
    });
}

#[test]
fn whoever_asked_not_to_be_found_is_softened_though_nothing_of_their_face_is_stored() {
    // [FACE546]
    on_both_engines(async |world: World| {
        let party = Party::new(&world).await;
        objections::asks(&world, &party.event, GREEN, "stop_finding").await;
        world.drain().await;
        let stored = storage::faces::places(&world.parts.db, party.group.parse().unwrap()).await.unwrap();
        assert_eq!(stored.len(), 2, "the face is not stored any more");
        let answer = party.of(&world, RED).await;
        assert_eq!((softened(&answer, 3), answer.header("softened-faces")), (vec![false, true, true], "2"));
    });
}

#[test]
fn what_guests_may_not_see_or_save_is_not_drawn_for_them() {
    // [SAFE461]
    on_both_engines(async |world: World| {
        let party = Party::new(&world).await;
        let missing = (404, String::from("Photo not found"));
        let expired = "Your photos are not kept here any more. Please take a selfie again.";
        let red = party.search(&world, RED).await;
        let (key, mine) = (&red["matches"][0]["s3_key"], json!([{"token": red["search_token"]}]));
        for other in [json!("made-up"), json!(""), json!(party.group)] {
            assert_eq!(party.ask(&world, &other, mine.clone()).await.error(), missing, "{other}");
        }
        for searches in [json!([]), json!([{"token": "made-up"}]), json!([mine[0], {"token": ""}])] {
            assert_eq!(party.ask(&world, key, searches).await.error(), (404, String::from(expired)));
        }
        // A photo of another event, and a search of another.
        let elsewhere = Party {
            token: party.token.clone(),
            event: world.event(&party.token, "Elsewhere").await,
            group: String::new(),
        };
        world.upload(&party.token, &elsewhere.event, "a.jpg", &striped(&[RED, BLUE])).await;
        world.drain().await;
        let there = elsewhere.search(&world, RED).await;
        assert_eq!(party.ask(&world, &there["matches"][0]["s3_key"], mine.clone()).await.error(), missing);
        let theirs = json!([{"token": there["search_token"]}]);
        assert_eq!(party.ask(&world, key, theirs).await.error(), (404, String::from(expired)));

        // Its photographer offers photos in web size, then none; then asks for a PIN.
        party.change(&world, json!({"downloads": "web"})).await;
        assert_eq!(party.ask(&world, key, mine.clone()).await.status, 200);
        party.change(&world, json!({"downloads": "none"})).await;
        let none = "The photographer of this event does not offer downloads.";
        assert_eq!(party.ask(&world, key, mine.clone()).await.error(), (403, String::from(none)));
        party.change(&world, json!({"downloads": "original", "pin": "471147"})).await;
        assert_eq!(party.ask(&world, key, mine.clone()).await.json()["code"], "event_pin_required");
        let enter = format!("/api/face/access/{}", party.event["slug"].as_str().unwrap());
        let proof = world.post(&enter, "", json!({"pin": "471147"})).await.json();
        let request = Request::post(party.path())
            .header("content-type", "application/json")
            .header("event-access", proof["access_token"].as_str().unwrap())
            .body(axum::body::Body::from(json!({"key": key, "searches": mine}).to_string()));
        assert_eq!(world.send(request.unwrap()).await.status, 200);
        party.change(&world, json!({"pin": null})).await;

        // Somebody in it has it hidden; it is shown again, and deleted.
        objections::hide(&world, &party.event, GREEN).await;
        assert_eq!(party.ask(&world, key, mine.clone()).await.error(), missing);
        let requests = objections::requests(&world, &party.token, &party.event).await;
        let shown = objections::decide(&world, &party.token, &requests[0], json!({"in_force": false})).await;
        assert_eq!(shown.status, 200);
        assert_eq!(party.ask(&world, key, mine.clone()).await.status, 200);
        assert_eq!(world.delete(&format!("/api/photos/{}", party.group), &party.token).await.status, 200);
        assert_eq!(party.ask(&world, key, mine).await.error(), missing);
    });
}

#[test]
fn it_has_the_watermark_that_guests_save() {
    // [FACE548]
    on_both_engines(async |world: World| {
        let party = Party::new(&world).await;
        crate::watermarks::open_studio(&world, &party.token).await;
        let plain = party.of(&world, RED).await.bytes;
        assert_eq!(
            crate::watermarks::save(&world, &party.token, "Meera", "bottom_right", "false").await.status,
            200
        );
        assert!(party.of(&world, RED).await.bytes == plain, "it is seen, and not saved");
        assert_eq!(
            crate::watermarks::save(&world, &party.token, "Meera", "bottom_right", "true").await.status,
            200
        );
        assert!(party.of(&world, RED).await.bytes != plain);
    });
}

#[test]
fn it_counts_as_a_search_without_a_selfie() {
    // [SAFE462]
    on_both_engines(async |world: World| {
        let limits = app::operations::runtime::limits::LimitSettings {
            repeated_searches: 1,
            ..app::operations::runtime::limits::LimitSettings::default()
        };
        let world = World::limited(world.parts.db.clone(), limits, "").await;
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let party = Party { token, event, group: String::new() };
        assert_eq!(party.ask(&world, &json!("made-up"), json!([])).await.status, 404);
        assert_eq!(party.ask(&world, &json!("made-up"), json!([])).await.status, 429);
    });
}
