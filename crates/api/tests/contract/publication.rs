//! Photos that are held, published and complete: PUT /api/events/{event}/publication

mod completion;

use std::time::Duration;

use domain::DAY;
use serde_json::{Value, json};

use crate::browsing::let_guests_browse;
use crate::downloads::{Party, files, party};
use crate::harness::{Answer, BLUE, Field, GREEN, RED, World, on_both_engines, photo};
use crate::subscriptions::{ask, confirm, mails, token_of, told};
use crate::teams::{Team, id, of, team};

const MINUTE: Duration = Duration::from_secs(60);
const BEING_DELETED: &str = "This event is being deleted";
const HELD: &str = "Photos of this event are held, and guests do not see them yet. Publish them with it.";

/// The calls by which guests see photos, or are told of them, each of which `everything_that_guests_get` asks. One that is new
/// belongs there, or here with the reason why no photo is in its answer.
const GUEST_CALLS: &[&str] = &[
    "/api/face/access/{slug}",
    "/api/face/download",
    "/api/face/download/{file}",
    // What the guest has sent themselves, which waits.
    "/api/face/guest-photos/{slug}",
    "/api/face/guest-photos/{slug}/uploads",
    "/api/face/guest-photos/{slug}/uploads/{id}",
    "/api/face/guest-photos/{slug}/{id}",
    "/api/face/guest-photos/{slug}/{id}/thumbnail",
    "/api/face/hearts/{slug}",
    "/api/face/not-me",
    "/api/face/objections",
    "/api/face/objections/{slug}",
    // Draws a side to which the head is turned.
    "/api/face/objections/{slug}/challenge",
    "/api/face/photos/{slug}",
    "/api/face/photos/{slug}/download",
    "/api/face/questions/{slug}",
    "/api/face/results",
    "/api/face/results/mail",
    // A photographer's own library.
    "/api/face/search",
    "/api/face/search/{slug}",
    "/api/face/search/{slug}/again",
    "/api/face/search/{slug}/keep",
    "/api/face/search/{slug}/missed",
    "/api/face/subscriptions",
    "/api/face/subscriptions/confirm",
    "/api/face/unsubscribe/{token}",
    // Answers one photo, or that it is not there, as while it is held: `without_strangers.rs`.
    "/api/face/without-strangers/{slug}",
];

pub(crate) async fn publication(world: &World, token: &str, event: &Value, body: Value) -> Answer {
    world.put(&of(event, "/publication"), token, body).await
}

async fn set(world: &World, token: &str, event: &Value, body: Value) -> Value {
    let answer = publication(world, token, event, body).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
    answer.json()
}

async fn hold(world: &World, party: &Party) -> Value {
    set(world, &party.token, &party.event, json!({"publication": "held"})).await
}

async fn upload(world: &World, token: &str, event: &Value, name: &str, person: [u8; 3], salt: u8) -> String {
    let answer = world.upload(token, event, name, &photo(&[person], salt)).await;
    assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.bytes));
    world.drain().await;
    answer.json()["id"].as_str().unwrap().to_owned()
}

async fn as_team(world: &World, token: &str, event: &Value) -> Value {
    let found = world.get(&format!("/api/events/search?ids={}", id(event)), token).await.json();
    found["events"][0].clone()
}

async fn found(world: &World, event: &Value, person: [u8; 3]) -> Vec<String> {
    names(&world.search(event, &photo(&[person], 9)).await.json()["matches"])
}

fn names(photos: &Value) -> Vec<String> {
    let name = |photo: &Value| photo["filename"].as_str().unwrap().to_owned();
    let mut names: Vec<String> = photos.as_array().unwrap().iter().map(name).collect();
    names.sort();
    names
}

fn slug(event: &Value) -> &str {
    event["slug"].as_str().unwrap()
}

fn text(answer: &Answer) -> String {
    String::from_utf8_lossy(&answer.bytes).into_owned()
}

/// What guests hold: of a search, a link, what a device keeps.
struct Kept {
    search: Value,
    device: Value,
    everything: Value,
}

async fn kept(world: &World, event: &Value) -> Kept {
    let search = world.search(event, &photo(&[RED], 9)).await.json();
    let body = json!({"token": search["search_token"], "notice_version": "2026-11-27"});
    let device = world.post(&format!("/api/face/search/{}/keep", slug(event)), "", body).await.json();
    let all = world.post(&format!("/api/face/photos/{}/download", slug(event)), "", json!({})).await;
    Kept { search, device: device["key"].clone(), everything: all.json()["download_token"].clone() }
}

/// All that a guest of an event is answered who looks for the red one, each answer with its call; ZIPs as the names and numbers in
/// them.
async fn everything_that_guests_get(world: &World, event: &Value, kept: &Kept) -> Vec<(String, String)> {
    let slug = slug(event);
    let mut answers = Vec::new();
    for path in [
        format!("/api/events/{slug}"),
        format!("/api/events/{slug}/indexing"),
        format!("/event/{slug}"),
        format!("/api/face/photos/{slug}"),
        format!("/covers/{slug}.svg"),
        format!("/event/{slug}/manifest.webmanifest"),
    ] {
        let answer = world.get(&path, "").await;
        answers.push((path, text(&answer)));
    }
    for selfie in [[RED], [GREEN]] {
        let answer = world.search(event, &photo(&selfie, 9)).await;
        assert_eq!(answer.status, 200);
        answers.push((format!("search {selfie:?}"), text(&answer)));
    }
    for (call, body) in [
        (format!("/api/face/search/{slug}/again"), json!({"token": kept.search["search_token"]})),
        (format!("/api/face/search/{slug}/again"), json!({"token": kept.device})),
        (String::from("/api/face/results"), json!({"token": kept.search["download_token"]})),
        (format!("/api/face/photos/{slug}/download"), json!({})),
    ] {
        let answer = world.post(&call, "", body).await;
        assert!(answer.status.is_success(), "{call}: {}", text(&answer));
        if let Some(token) = answer.json()["download_token"].as_str().filter(|_| call.ends_with("download")) {
            let zip = world.get(&format!("/api/face/download/{token}.zip"), "").await;
            answers.push((String::from("a ZIP of all"), format!("{} files", files(&zip.bytes).len())));
        }
        answers.push((call, text(&answer)));
    }
    for token in [&kept.search["download_token"], &kept.everything] {
        let zip = world.get(&format!("/api/face/download/{}.zip", token.as_str().unwrap()), "").await;
        let names: Vec<String> = files(&zip.bytes).into_iter().map(|(name, _)| name).collect();
        answers.push((String::from("a ZIP"), format!("{} files: {names:?}", names.len())));
    }
    let selfie = photo(&[RED], 8);
    let fields = [Field::file("image", "selfie.jpg", &selfie), Field::notice()];
    let removal = world.form(&format!("/api/face/objections/{slug}"), "", &fields).await;
    assert_eq!(removal.status, 200);
    answers.push((String::from("what could be hidden"), text(&removal)));
    answers
}

/// Whether guests are answered as before: the same photos, the same numbers. Links and tokens are others each time.
fn facts(answers: &[(String, String)]) -> Vec<(String, String)> {
    let of_json = |text: &str| -> Option<String> {
        let answer: Value = serde_json::from_str(text).ok()?;
        let list = [&answer["matches"], &answer["photos"]].into_iter().find(|list| list.is_array());
        let numbers =
            ["indexing", "total", "total_photos_uploaded", "photos_indexed", "faces_indexed", "albums"];
        let numbers: Vec<&Value> = numbers.iter().map(|name| &answer[*name]).collect();
        let plain = answer.as_object().filter(|object| object.len() == 4 && object.contains_key("waiting"));
        Some(format!("{:?} {} {plain:?}", list.map(names), json!(numbers)))
    };
    answers
        .iter()
        .map(|(call, text)| {
            let fact = of_json(text)
                .unwrap_or_else(|| if call.starts_with("/event/") { String::new() } else { text.clone() });
            (call.clone(), fact)
        })
        .collect()
}

#[test]
fn a_held_photo_is_in_no_answer_to_a_guest_until_it_is_published() {
    // [SAFE424] [SAFE425] [SAFE427] [EVT174] [EVT182] [EVT187]
    on_both_engines(async |world: World| {
        let calls = world.routes().into_iter().filter(|route| route.starts_with("/api/face/"));
        assert_eq!(calls.collect::<Vec<String>>(), GUEST_CALLS, "a call of guests is considered here");
        let party = party(&world).await;
        let Party { token, event, .. } = &party;
        let_guests_browse(&world, token, event).await;
        let other = world.second_process(&world.parts.db).await;
        found(&other, event, RED).await;
        let kept = kept(&world, event).await;
        let subscription = world.search(event, &photo(&[RED], 9)).await.json()["subscription_token"].clone();
        mails(&world).await;
        assert_eq!(ask(&world, &subscription, "guest@example.com").await.status, 202);
        let mail = mails(&world).await.remove(0);
        assert_eq!(confirm(&world, token_of(&mail, "confirm")).await.status, 200);
        let before = everything_that_guests_get(&world, event, &kept).await;

        hold(&world, &party).await;
        assert_eq!(
            facts(&everything_that_guests_get(&world, event, &kept).await),
            facts(&before),
            "nothing yet"
        );
        let held = upload(&world, token, event, "held.jpg", RED, 21).await;
        let pair = world.upload(token, event, "pair.jpg", &photo(&[RED, GREEN], 3)).await.json();
        world.drain().await;
        let waits = world.upload(token, event, "waits.jpg", &photo(&[RED], 22)).await.json();
        let album = world.post(&of(event, "/albums"), token, json!({"name": "First Dance"})).await.json();
        let put = json!({"photo_ids": [held], "album_id": album["id"], "event_id": event["id"]});
        assert_eq!(world.post("/api/photos/album", token, put).await.status, 200);
        world.clock.advance(MINUTE);
        assert!(
            told(&world).await.iter().all(|mail| mail.to.as_str() != "guest@example.com"),
            "nobody is told"
        );

        for node in [&world, &other] {
            let after = everything_that_guests_get(node, event, &kept).await;
            assert_eq!(facts(&after), facts(&before));
            for (call, answer) in &after {
                for told in [&held, id(&pair), id(&waits), "held.jpg", "pair.jpg", "waits.jpg", "First Dance"]
                {
                    assert!(!answer.contains(told), "{call} tells of {told}: {answer}");
                }
            }
        }
        let album_only =
            world.get(&format!("/api/face/photos/{}?album_id={}", slug(event), id(&album)), "").await;
        assert!(!text(&album_only).contains("held.jpg"));

        let missed = json!({"token": kept.search["search_token"], "photo_id": held, "confirmed": true});
        let missed = world.post(&format!("/api/face/search/{}/missed", slug(event)), "", missed).await;
        assert_eq!(missed.error(), (404, String::from("Photo not found")));

        // The team sees them, and says which they are; so does the photographer's own search.
        let listed = world.get(&format!("/api/photos/search?event_id={}", id(event)), token).await.json();
        let listed = listed["photos"].as_array().unwrap();
        assert_eq!(listed.iter().filter(|photo| photo["held"] == json!(true)).count(), 3);
        assert!(listed.iter().all(|photo| photo.get("held") != Some(&json!(false))), "left out otherwise");
        let filtered =
            world.get(&format!("/api/photos/search?event_id={}&held=true", id(event)), token).await;
        assert_eq!(
            (names(&filtered.json()["photos"]).len(), &filtered.json()["total_count"]),
            (3, &json!(3))
        );
        let selfie = photo(&[RED], 9);
        let fields = [Field::file("image", "s.jpg", &selfie)];
        let library = world.form("/api/face/search", token, &fields).await.json();
        assert!(names(&library["matches"]).contains(&String::from("held.jpg")));
        let seen = as_team(&world, token, event).await;
        assert_eq!((&seen["publication"], &seen["held_photos"]), (&json!("held"), &json!(3)));
        let cover = world.patch(&of(event, ""), token, json!({"cover_photo_id": held})).await;
        assert_eq!(cover.error(), (422, String::from("Guests do not see this photo yet. Publish it first.")));

        set(&world, token, event, json!({"publish_through": seen["held_through"]})).await;
        world.drain().await;
        for node in [&world, &other] {
            assert_eq!(
                found(node, event, RED).await,
                ["held.jpg", "one.jpg", "pair.jpg", "three.png", "two.jpg", "waits.jpg"]
            );
        }
        world.clock.advance(MINUTE);
        let mails = told(&world).await;
        let told: Vec<_> = mails.iter().filter(|mail| mail.to.as_str() == "guest@example.com").collect();
        assert_eq!(told.len(), 1, "now the guest is told");
        let problems = app::operations::checks::inspect(&world.operator(), &world.parts.store).await.unwrap();
        assert!(problems.is_empty(), "{problems:?}");
    });
}

#[test]
fn what_guests_hold_of_a_photo_opens_nothing_while_it_is_held() {
    // [SAFE428]
    // No call holds what was published. A photo that is held all the same, by whatever mistake, is not given out by what guests
    // were handed before.
    on_both_engines(async |world: World| {
        let Party { token, event, matches, .. } = party(&world).await;
        let_guests_browse(&world, &token, &event).await;
        let kept = kept(&world, &event).await;
        let handle = &matches[0]["s3_key"];
        let link = format!("/api/photos/download-by-s3?key={}", handle.as_str().unwrap());
        let saved = world.get(&link, "").await.json();
        let original = saved["download_url"].as_str().unwrap().to_owned();
        assert_eq!(world.get(&original, "").await.status, 200);
        let photo_id = matches[0]["photo_id"].as_str().unwrap();
        storage::testing::change(
            &world.parts.db,
            &format!(
                "UPDATE photos SET held = 1, hidden = TRUE WHERE id = '{photo_id}';
                 UPDATE events SET revision = revision + 1, removals = removals + 1"
            ),
        )
        .await;
        for (call, answer) in everything_that_guests_get(&world, &event, &kept).await {
            assert!(!answer.contains(photo_id), "{call}: {answer}");
        }
        assert_eq!(world.get(&link, "").await.status, 404);
        assert_eq!(world.get(&original, "").await.status, 404);
        let heart = json!({"key": handle, "on": true});
        assert_eq!(world.post(&format!("/api/face/hearts/{}", slug(&event)), "", heart).await.status, 404);
        let question = json!({"key": handle, "email": "guest@example.org", "message": "Brighter?"});
        assert_eq!(
            world.post(&format!("/api/face/questions/{}", slug(&event)), "", question).await.status,
            404
        );
        let chosen = json!({"tokens": [kept.search["download_token"]], "photo_ids": [photo_id]});
        let chosen = world.post("/api/face/download", "", chosen).await;
        if let Some(token) = chosen.json()["download_token"].as_str() {
            assert_eq!(world.get(&format!("/api/face/download/{token}.zip"), "").await.status, 404);
        }
        assert_eq!(world.get(&link, &token).await.status, 200, "the photographer has it");
    });
}

#[test]
fn what_arrives_after_the_photographer_has_looked_stays_held() {
    // [EVT176] [EVT177] [EVT178] [EVT186]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let Party { token, event, .. } = &party;
        let held = hold(&world, &party).await;
        assert_eq!((held.get("held_photos"), held.get("held_through")), (None, None));
        assert_eq!(hold(&world, &party).await["publication"], "held", "twice is once");
        upload(&world, token, event, "first.jpg", RED, 21).await;
        let looked = as_team(&world, token, event).await;
        upload(&world, token, event, "late.jpg", RED, 22).await;
        let through = json!({"publish_through": looked["held_through"]});
        for _ in 0..2 {
            let published = set(&world, token, event, through.clone()).await;
            assert_eq!((&published["publication"], &published["held_photos"]), (&json!("held"), &json!(1)));
            assert_eq!(found(&world, event, RED).await, ["first.jpg", "one.jpg", "three.png", "two.jpg"]);
        }

        // Complete is an event without a held photo; it is so with them, or nothing happens.
        for body in [
            json!({"publication": "complete"}),
            json!({"publication": "complete", "publish_through": looked["held_through"]}),
        ] {
            let refused = publication(&world, token, event, body).await;
            assert_eq!(refused.error(), (409, String::from(HELD)));
            assert_eq!(refused.json()["code"], "event_photos_held");
        }
        assert_eq!(as_team(&world, token, event).await["publication"], "held");
        // As they arrive: what arrives from now on, and of what is held that which was shown.
        let open = set(&world, token, event, json!({"publication": "as_they_arrive"})).await;
        assert_eq!((open.get("publication"), &open["held_photos"]), (None, &json!(1)));
        upload(&world, token, event, "open.jpg", RED, 23).await;
        assert!(found(&world, event, RED).await.contains(&String::from("open.jpg")));
        assert!(!found(&world, event, RED).await.contains(&String::from("late.jpg")));
        let complete = json!({"publication": "complete", "publish_through": open["held_through"]});
        let complete = set(&world, token, event, complete).await;
        assert_eq!((&complete["publication"], complete.get("held_photos")), (&json!("complete"), None));
        assert!(found(&world, event, RED).await.contains(&String::from("late.jpg")));

        // A photo that was forgotten is seen at once, and the event stays complete.
        let guest = async || world.get(&format!("/api/events/{}", slug(event)), "").await.json();
        assert_eq!(guest().await["complete"], true);
        upload(&world, token, event, "forgotten.jpg", RED, 24).await;
        assert!(found(&world, event, RED).await.contains(&String::from("forgotten.jpg")));
        assert_eq!(guest().await["complete"], true);
        set(&world, token, event, json!({"publication": "as_they_arrive"})).await;
        assert_eq!(guest().await.get("complete"), None);
    });
}

#[test]
fn only_who_manages_an_open_event_changes_what_guests_see() {
    // [EVT179] [EVT180]
    on_both_engines(async |world: World| {
        let Team { owner, manager, contributor, event } = team(&world).await;
        let held = json!({"publication": "held"});
        assert_eq!(publication(&world, "", &event, held.clone()).await.status, 401);
        let refused = publication(&world, &contributor, &event, held.clone()).await;
        let managers_only = "Only the photographer of this event and its managers can do this";
        assert_eq!(refused.error(), (403, managers_only.to_owned()));
        assert_eq!(publication(&world, &manager, &event, held.clone()).await.status, 200);
        for token in [&owner, &manager, &contributor] {
            assert_eq!(as_team(&world, token, &event).await["publication"], "held");
        }
        let guest = world.get(&format!("/api/events/{}", slug(&event)), "").await.json();
        for field in ["publication", "complete", "coming_until", "held_photos", "held_through", "more_until"]
        {
            assert_eq!(guest.get(field), None, "{field}");
        }
        // A contributor sees what they have uploaded, held as it is, and that it is.
        let own = world.upload(&contributor, &event, "own.jpg", &photo(&[BLUE], 1)).await;
        assert_eq!(own.status, 201);
        let listed =
            world.get(&format!("/api/photos/search?event_id={}", id(&event)), &contributor).await.json();
        assert_eq!(listed["photos"][0]["held"], true);

        for (body, text) in [
            (json!({"publication": "open"}), "Publication must be as_they_arrive, held or complete"),
            (json!({"publication": ""}), "Publication must be as_they_arrive, held or complete"),
        ] {
            assert_eq!(publication(&world, &owner, &event, body).await.error(), (400, text.to_owned()));
        }
        let unknown = json!({"id": "01arz3ndektsv4rrffq69g5fav"});
        let answer = publication(&world, &owner, &unknown, held.clone()).await;
        assert_eq!(answer.error(), (404, String::from("Event not found")));
        let unchanged = publication(&world, &owner, &event, json!({})).await;
        assert_eq!((unchanged.status.as_u16(), &unchanged.json()["held_photos"]), (200, &json!(1)));

        let deletion = world.delete(&of(&event, ""), &owner).await;
        assert_eq!(deletion.status, 202, "{}", text(&deletion));
        let refused = publication(&world, &owner, &event, held).await;
        assert_eq!(refused.error(), (409, String::from(BEING_DELETED)));
    });
}

#[test]
fn guests_are_told_until_when_more_photos_are_coming() {
    // [EVT183] [EVT184]
    on_both_engines(async |world: World| {
        let Party { token, event, .. } = party(&world).await;
        let change = async |body: Value| world.patch(&of(&event, ""), &token, body).await;
        let guest = async || world.get(&format!("/api/events/{}", slug(&event)), "").await.json();
        for (day, text) in [
            ("2020-01-01", "Please choose today or a later day"),
            (
                "soon",
                "The day until which more photos are coming must be a calendar date in the form YYYY-MM-DD",
            ),
        ] {
            assert_eq!(change(json!({"more_until": day})).await.error(), (400, text.to_owned()));
        }
        let today = world.clock.now();
        let day = |ahead: u32| today.plus(DAY * ahead).to_rfc3339()[..10].to_owned();
        let saved = change(json!({"more_until": day(2)})).await.json();
        assert_eq!(saved["more_until"], day(2));
        assert_eq!(guest().await["coming_until"], day(2));
        let page = world.get(&format!("/event/{}", slug(&event)), "").await;
        assert!(text(&page).contains(&format!("\"coming_until\":\"{}\"", day(2))), "the document has it");
        set(&world, &token, &event, json!({"publication": "complete"})).await;
        assert_eq!(guest().await.get("coming_until"), None, "nothing more is coming");
        set(&world, &token, &event, json!({"publication": "as_they_arrive"})).await;
        assert_eq!(guest().await["coming_until"], day(2));
        world.clock.advance(DAY * 3);
        assert_eq!(guest().await.get("coming_until"), None, "it is past");
        assert_eq!(change(json!({"name": "Ball"})).await.status, 200, "a day that is past stays");
        assert_eq!(change(json!({"more_until": null})).await.json().get("more_until"), None);
    });
}
