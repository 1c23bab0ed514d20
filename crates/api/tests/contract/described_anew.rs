//! A change of the model pack to one that carries the recogniser before it: what guests and photographers notice of it is nothing.

use app::faces::reindexing;
use serde_json::{Value, json};
use vision::{Engine, FakeEngine};

use crate::downloads::{Party, party};
use crate::harness::{BLACK, BLUE, Field, GREEN, RED, World, on_both_engines, photo, picture};
use crate::objections::live_captures::without_capture;
use crate::objections::{asks, decide, object, preview, requests};
use crate::people::group;
use crate::subscriptions::{GUEST, ask, confirm, mails, token_of, told};

const SEARCH_EXPIRED: &str = "Your photos are not kept here any more. Please take a selfie again.";

/// The service after the change.
async fn upgraded(mut world: World) -> World {
    world.parts.engine = Engine::Fake(FakeEngine::successor());
    let world = world.restarted().await;
    reindexing::mark_outdated(&world.app).await.unwrap();
    world
}

fn fake(world: &World) -> &FakeEngine {
    let Engine::Fake(fake) = &world.parts.engine else { unreachable!("tests have the double") };
    fake
}

/// Describes what waits for it; at most `most` photos, as if the process ended then.
async fn describe(world: &World, most: u64) {
    reindexing::queue_previous(&world.app).await.unwrap();
    let others = format!(
        "DELETE FROM jobs WHERE kind = 'describe_photo' AND state = 'queued' AND id NOT IN (
             SELECT id FROM jobs WHERE kind = 'describe_photo' AND state = 'queued' ORDER BY id LIMIT {most})"
    );
    storage::testing::change(&world.parts.db, &others).await;
    world.drain().await;
}

/// How many photos wait to be described anew.
async fn waiting(world: &World) -> i64 {
    storage::photos::count_described(&world.parts.db, FakeEngine::PACK_ID).await.unwrap()
}

async fn upload(world: &World, party: &Party, name: &str, bytes: &[u8]) {
    assert_eq!(world.upload(&party.token, &party.event, name, bytes).await.status, 201);
    world.drain().await;
}

fn names(found: &Value) -> Vec<String> {
    let name = |found: &Value| found["filename"].as_str().unwrap().to_owned();
    let mut names: Vec<String> = found["matches"].as_array().unwrap().iter().map(name).collect();
    names.sort();
    names
}

async fn found(world: &World, event: &Value, person: [u8; 3]) -> Vec<String> {
    names(&world.search(event, &photo(&[person], 9)).await.json())
}

async fn again(world: &World, event: &Value, token: &Value) -> crate::harness::Answer {
    let path = format!("/api/face/search/{}/again", event["slug"].as_str().unwrap());
    world.post(&path, "", json!({"token": token})).await
}

#[test]
fn a_search_finds_photos_of_both_packs_at_every_moment() {
    // [FACE536] [FACE535] [FACE533] [FACE534] Whatever is interrupted. At the end nothing is left of the pack before.
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let event: domain::EventId = party.event["id"].as_str().unwrap().parse().unwrap();
        let before = world.search(&party.event, &photo(&[RED], 9)).await.json();
        let mut world = upgraded(world).await;
        upload(&world, &party, "late.jpg", &photo(&[RED], 17)).await;
        let all = ["late.jpg", "one.jpg", "three.png", "two.jpg"];
        let looks = fake(&world).photo_calls().begun;
        for left in (0..=4).rev() {
            assert_eq!(waiting(&world).await, left);
            let search = world.search(&party.event, &photo(&[RED], 9)).await.json();
            assert_eq!(names(&search), all, "{left} left");
            assert_eq!(search["indexing"]["indexed"], json!(5), "none waits for being found");
            assert_eq!(found(&world, &party.event, GREEN).await, ["other.jpg"]);
            assert!(found(&world, &party.event, BLUE).await.is_empty());
            let bytes = photo(&[RED], 9);
            let selfie = [Field::file("image", "a.jpg", &bytes)];
            let library = world.form("/api/face/search", &party.token, &selfie).await;
            assert_eq!(names(&library.json()), all);
            world = world.restarted().await;
            describe(&world, 1).await;
        }
        assert_eq!(fake(&world).photo_calls().begun, looks, "nothing was looked for");
        assert_eq!(fake(&world).description_calls().begun, 4);
        let stored = storage::faces::of_event(&world.parts.db, event).await.unwrap();
        assert!(stored.len() == 5 && stored.iter().all(|face| face.pack == FakeEngine::SUCCESSOR_ID));

        // Faces are the same: 'That's not me' of before holds.
        let ids = |found: &Value| -> Vec<String> {
            let matches = found["matches"].as_array().unwrap().iter();
            let mut ids: Vec<_> =
                matches.map(|found| found["face_id"].as_str().unwrap().to_owned()).collect();
            ids.sort();
            ids
        };
        let after = world.search(&party.event, &photo(&[RED], 9)).await.json();
        assert!(ids(&before).iter().all(|id| ids(&after).contains(id)));
        assert!(
            app::operations::checks::inspect(&world.operator(), &world.parts.store).await.unwrap().is_empty()
        );
    });
}

#[test]
fn a_photo_whose_rendition_is_lost_or_that_cannot_be_described_is_found_all_the_same() {
    // [FACE534] [FACE537]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let world = upgraded(world).await;
        let event: domain::EventId = party.event["id"].as_str().unwrap().parse().unwrap();
        fake(&world).set_broken(true);
        describe(&world, 9).await;
        fake(&world).set_broken(false);
        assert_eq!(waiting(&world).await, 4);
        assert_eq!(found(&world, &party.event, RED).await.len(), 3);

        let faces = storage::faces::of_event(&world.parts.db, event).await.unwrap();
        let ids: Vec<_> = faces.iter().map(|face| face.photo).collect();
        let photos = storage::photos::by_ids(&world.parts.db, &ids).await.unwrap();
        let medium = |place: usize| photos[place].key.sized(domain::photos::Size::Medium);
        world.parts.store.delete(&medium(0)).await.unwrap();
        let grey = media::stores::Source::Bytes(picture(200, |_| BLACK).into());
        world.parts.store.put(&medium(1), grey).await.unwrap();
        world.clock.advance(std::time::Duration::from_secs(60));
        world.drain().await;
        assert_eq!(waiting(&world).await, 0);
        assert_eq!(found(&world, &party.event, RED).await.len(), 3, "the originals have the faces");
    });
}

#[test]
fn people_stay_as_the_photographer_has_decided() {
    // [GAL457] [GAL458]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        upload(&world, &party, "blue.jpg", &photo(&[BLUE], 0)).await;
        group(&world).await;
        let path = format!("/api/events/{}/people", party.event["id"].as_str().unwrap());
        let people = async |world: &World, query: &str| {
            world.get(&format!("{path}{query}"), &party.token).await.json()
        };
        let id = |listed: &Value, place: usize| listed["people"][place]["id"].as_str().unwrap().to_owned();
        let listed = people(&world, "").await;
        let (red, other, hidden) = (id(&listed, 0), id(&listed, 1), id(&listed, 2));
        let merged =
            world.post(&format!("/api/people/{other}/merge"), &party.token, json!({"into": red})).await;
        assert_eq!(merged.status, 204);
        let aside = world.put(&format!("/api/people/{hidden}"), &party.token, json!({"hidden": true})).await;
        assert_eq!(aside.status, 204);
        let decided = (people(&world, "").await, people(&world, "?hidden=true").await);
        assert_eq!(
            (decided.0["people"][0]["photos"].clone(), decided.1["people"].as_array().unwrap().len()),
            (json!(4), 1)
        );
        let ids = |listed: &Value| -> Vec<(Value, Value)> {
            let people = listed["people"].as_array().unwrap().iter();
            people.map(|person| (person["id"].clone(), person["photos"].clone())).collect()
        };

        let world = upgraded(world).await;
        // A new photo waits for the others of its event: nobody becomes two people.
        upload(&world, &party, "late.jpg", &photo(&[RED], 17)).await;
        group(&world).await;
        assert_eq!(ids(&people(&world, "").await), ids(&decided.0));
        assert_eq!(people(&world, "").await["waiting_faces"], json!(1));
        describe(&world, 2).await;
        group(&world).await;
        assert_eq!(people(&world, "").await["waiting_faces"], json!(1));
        describe(&world, 9).await;
        assert_eq!((ids(&people(&world, "").await), waiting(&world).await), (ids(&decided.0), 0));
        assert_eq!(ids(&people(&world, "?hidden=true").await), ids(&decided.1));
        group(&world).await;
        assert_eq!(ids(&people(&world, "").await), [(json!(red), json!(5))], "it joins them");
        // Also when it is indexed as a new photo is.
        storage::testing::change(&world.parts.db, "UPDATE photos SET pack = 'older', outdated = TRUE").await;
        reindexing::queue_outdated(&world.app).await.unwrap();
        world.drain().await;
        assert_eq!(ids(&people(&world, "").await), [(json!(red), json!(5))]);
        assert_eq!(ids(&people(&world, "?hidden=true").await), ids(&decided.1));
    });
}

#[test]
fn whoever_is_not_to_be_found_is_found_in_no_photo_of_after_the_change() {
    // [SAFE421] [FACE433] Also one who was in no photo, and whom the new recogniser could not know from any.
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        asks(&world, &party.event, RED, "stop_finding").await;
        asks(&world, &party.event, BLUE, "stop_finding").await;
        let world = upgraded(world).await;
        upload(&world, &party, "early.jpg", &photo(&[RED, GREEN], 3)).await;
        describe(&world, 2).await;
        upload(&world, &party, "blue.jpg", &photo(&[BLUE], 3)).await;
        describe(&world, 9).await;
        assert_eq!(waiting(&world).await, 0);
        upload(&world, &party, "late.jpg", &photo(&[BLUE, RED], 7)).await;
        for person in [RED, BLUE] {
            assert!(found(&world, &party.event, person).await.is_empty());
            assert_eq!(preview(&world, &party.event, person).await["photos"], json!([]));
        }
        assert_eq!(found(&world, &party.event, GREEN).await, ["early.jpg", "other.jpg"]);
        // Neither when photos are indexed as new ones.
        storage::testing::change(&world.parts.db, "UPDATE photos SET pack = 'older', outdated = TRUE").await;
        reindexing::queue_outdated(&world.app).await.unwrap();
        world.drain().await;
        for person in [RED, BLUE] {
            assert!(found(&world, &party.event, person).await.is_empty());
        }
        assert_eq!(found(&world, &party.event, GREEN).await, ["early.jpg", "other.jpg"]);
    });
}

#[test]
fn a_request_that_is_made_meanwhile_is_about_photos_of_both_packs() {
    // [SAFE422]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let old = preview(&world, &party.event, RED).await;
        let world = upgraded(world).await;
        let answer = object(&world, &old["token"], "hide").await;
        assert_eq!(answer.status, 404, "it knows of one pack alone");
        describe(&world, 2).await;
        assert_eq!(asks(&world, &party.event, RED, "stop_finding").await, json!(3));
        assert!(found(&world, &party.event, RED).await.is_empty());
        describe(&world, 9).await;
        upload(&world, &party, "late.jpg", &photo(&[RED], 7)).await;
        assert!(found(&world, &party.event, RED).await.is_empty());
        assert_eq!(found(&world, &party.event, GREEN).await, ["other.jpg"]);
    });
}

#[test]
fn a_request_that_has_waited_over_the_change_holds_for_what_came_since() {
    // [SAFE423] For one who was in photos, and for one who was in none.
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        for person in [RED, BLUE] {
            let shown = without_capture(&world, &party.event, person).await;
            let asked = object(&world, &shown["token"], "stop_finding").await.json();
            assert_eq!(asked["waits"], json!(true));
        }
        let world = upgraded(world).await;
        describe(&world, 9).await;
        upload(&world, &party, "red.jpg", &photo(&[RED, GREEN], 3)).await;
        upload(&world, &party, "blue.jpg", &photo(&[BLUE], 3)).await;
        assert_eq!(found(&world, &party.event, RED).await.len(), 4, "nothing holds yet");
        for request in requests(&world, &party.token, &party.event).await {
            let answer = decide(&world, &party.token, &request, json!({"in_force": true})).await;
            assert_eq!(answer.status, 200);
            world.drain().await;
        }
        upload(&world, &party, "late.jpg", &photo(&[BLUE, RED], 7)).await;
        for person in [RED, BLUE] {
            assert!(found(&world, &party.event, person).await.is_empty());
        }
        assert_eq!(found(&world, &party.event, GREEN).await, ["other.jpg", "red.jpg"]);
    });
}

#[test]
fn guests_are_told_of_new_photos_as_before() {
    // [FACE538] One who was in photos, and one who was in none.
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        mails(&world).await;
        for (person, guest) in [(RED, GUEST), (BLUE, "blue@example.com")] {
            let found = world.search(&party.event, &photo(&[person], 9)).await.json();
            assert_eq!(ask(&world, &found["subscription_token"], guest).await.status, 202);
            let mail = mails(&world).await.remove(0);
            assert_eq!(confirm(&world, token_of(&mail, "confirm")).await.status, 200);
        }
        let stale = world.search(&party.event, &photo(&[GREEN], 9)).await.json();
        let world = upgraded(world).await;
        assert_eq!(ask(&world, &stale["subscription_token"], "late@example.com").await.status, 404);
        let day = std::time::Duration::from_secs(25 * 60 * 60);
        let to = |mails: &[domain::operations::mails::Mail]| -> Vec<String> {
            mails.iter().map(|mail| mail.to.as_str().to_owned()).collect()
        };
        assert!(told(&world).await.is_empty(), "nothing is new");
        upload(&world, &party, "early.jpg", &photo(&[RED], 3)).await;
        world.clock.advance(day);
        assert_eq!(to(&told(&world).await), [GUEST], "before anything is described anew");
        describe(&world, 9).await;
        world.clock.advance(day);
        assert!(told(&world).await.is_empty(), "what was known is no news");
        for (name, person, guest) in [
            ("red.jpg", RED, GUEST),
            ("blue.jpg", BLUE, "blue@example.com"),
            ("blue 2.jpg", BLUE, "blue@example.com"),
        ] {
            upload(&world, &party, name, &photo(&[person], 11 + u8::from(name.contains('2')))).await;
            world.clock.advance(day);
            assert_eq!(to(&told(&world).await), [guest], "{name}");
            world.clock.advance(day);
            assert!(told(&world).await.is_empty());
        }
    });
}

#[test]
fn what_a_device_holds_of_a_search_finds_all_photos_or_asks_for_another_picture() {
    // [FACE539]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let search =
            async |world: &World, person| world.search(&party.event, &photo(&[person], 9)).await.json();
        let (red, blue) = (search(&world, RED).await, search(&world, BLUE).await);
        let world = upgraded(world).await;
        // As long as nothing is described anew, what it holds is all that is needed.
        let unchanged = again(&world, &party.event, &blue["search_token"]).await;
        assert_eq!((unchanged.status.as_u16(), names(&unchanged.json()).len()), (200, 0));
        upload(&world, &party, "late.jpg", &photo(&[RED], 3)).await;
        describe(&world, 2).await;
        let carried = again(&world, &party.event, &red["search_token"]).await.json();
        assert_eq!(names(&carried), ["late.jpg", "one.jpg", "three.png", "two.jpg"]);
        // Who is in no photo cannot be known by one.
        let answer = again(&world, &party.event, &blue["search_token"]).await;
        assert_eq!(answer.error(), (404, String::from(SEARCH_EXPIRED)));
        describe(&world, 9).await;
        assert_eq!(
            again(&world, &party.event, &red["search_token"]).await.error().0,
            404,
            "it could not tell"
        );
        let later = again(&world, &party.event, &carried["search_token"]).await.json();
        assert_eq!(names(&later), ["late.jpg", "one.jpg", "three.png", "two.jpg"]);
    });
}
