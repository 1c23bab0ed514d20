//! Covers that nobody has chosen, and who is shown them.

use domain::PhotoId;
use serde_json::{Value, json};

use crate::browsing::let_guests_browse;
use crate::harness::{BLACK, GREEN, RED, World, on_both_engines, photo};
use crate::teams::{Team, team};
use crate::watermarks;

/// Fills an event with 19 photos of one person alone, and one of two, whose id it answers.
async fn fill(world: &World, token: &str, event: &Value) -> String {
    for number in 0..19 {
        let one = photo(&[RED], number);
        assert_eq!(world.upload(token, event, &format!("{number}.jpg"), &one).await.status, 201);
    }
    world.drain().await;
    let pair = world.upload(token, event, "pair.jpg", &photo(&[RED, BLACK, GREEN], 0)).await;
    pair.json()["id"].as_str().unwrap().to_owned()
}

async fn as_team(world: &World, token: &str, event: &Value) -> Value {
    let id = event["id"].as_str().unwrap();
    let found = world.get(&format!("/api/events/search?ids={id}"), token).await.json();
    found["events"][0].clone()
}

async fn as_guest(world: &World, event: &Value) -> Value {
    world.get(&format!("/api/events/{}", event["slug"].as_str().unwrap()), "").await.json()
}

async fn preview(world: &World, event: &Value) -> Vec<u8> {
    world.get(&format!("/covers/{}.jpg", event["slug"].as_str().unwrap()), "").await.bytes.to_vec()
}

async fn change(world: &World, token: &str, event: &Value, body: Value) -> Value {
    let answer = world.patch(&format!("/api/events/{}", event["id"].as_str().unwrap()), token, body).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
    answer.json()
}

/// The photo whose rendition a link leads to.
fn photo_of(link: &Value) -> String {
    let link = link.as_str().unwrap();
    let path = link.split("/api/files/").nth(1).unwrap_or(link);
    path.split('/').find(|part| part.parse::<PhotoId>().is_ok()).unwrap().to_owned()
}

#[test]
fn an_event_of_twenty_photos_has_a_cover_that_guests_see_only_where_they_may_look_at_all() {
    // [EVT161] [EVT162]
    on_both_engines(async |world: World| {
        let Team { owner, manager, contributor, event } = team(&world).await;
        let sky = preview(&world, &event).await;
        let pair = fill(&world, &owner, &event).await;
        let shown = as_team(&world, &owner, &event).await;
        assert_eq!((&shown["cover_url"], shown.get("cover_is_automatic")), (&Value::Null, None), "19 photos");
        world.drain().await;

        for token in [&owner, &manager] {
            let shown = as_team(&world, token, &event).await;
            assert_eq!(
                (photo_of(&shown["cover_url"]), &shown["cover_is_automatic"]),
                (pair.clone(), &json!(true))
            );
            assert_eq!(shown["cover_focus"]["x"], json!(0.5));
        }
        let is_hidden_from_guests = async |why: &str| {
            let guest = as_guest(&world, &event).await;
            assert_eq!((&guest["cover_url"], guest.get("cover_focus")), (&Value::Null, None), "{why}");
            let colleague = as_team(&world, &contributor, &event).await;
            assert_eq!(colleague["cover_url"], Value::Null, "{why}");
            assert!(preview(&world, &event).await == sky, "{why}");
            let page = world.get(&format!("/event/{}", event["slug"].as_str().unwrap()), "").await;
            assert!(!String::from_utf8_lossy(&page.bytes).contains(&pair), "{why}");
        };
        is_hidden_from_guests("they see the photos they are in").await;

        let_guests_browse(&world, &owner, &event).await;
        let guest = as_guest(&world, &event).await;
        assert_eq!(photo_of(&guest["cover_url"]), pair);
        assert!(preview(&world, &event).await != sky);
        assert_eq!(photo_of(&as_team(&world, &contributor, &event).await["cover_url"]), pair);

        change(&world, &owner, &event, json!({"pin": "482913"})).await;
        is_hidden_from_guests("they enter a PIN before they look").await;
        change(&world, &owner, &event, json!({"pin": null, "browsable": false})).await;
        is_hidden_from_guests("they may not look at all photos any more").await;
        change(&world, &owner, &event, json!({"browsable": true})).await;
        watermarks::open_studio(&world, &owner).await;
        assert_eq!(watermarks::save(&world, &owner, "Meera", "bottom_right", "false").await.status, 200);
        assert_eq!(as_guest(&world, &event).await["cover_url"], Value::Null, "it would have no watermark");
        assert_eq!(photo_of(&as_team(&world, &owner, &event).await["cover_url"]), pair);
    });
}

#[test]
fn a_cover_that_nobody_has_chosen_gives_way_at_once() {
    // [EVT163] [EVT164]
    on_both_engines(async |world: World| {
        let Team { owner, event, .. } = team(&world).await;
        let pair = fill(&world, &owner, &event).await;
        let second =
            world.upload(&owner, &event, "second.jpg", &photo(&[RED, BLACK, BLACK, GREEN], 0)).await.json();
        let single = world.upload(&owner, &event, "single.jpg", &photo(&[GREEN], 0)).await.json();
        world.drain().await;
        let_guests_browse(&world, &owner, &event).await;
        let cover = async || photo_of(&as_guest(&world, &event).await["cover_url"]);
        let first = cover().await;
        let other = if first == pair { second["id"].as_str().unwrap().to_owned() } else { pair.clone() };

        // A guest has it hidden; then it is shown again, and deleted.
        let hide = async |hidden: &str| {
            let text = format!("UPDATE photos SET hidden = {hidden} WHERE id = '{first}'");
            storage::testing::change(&world.parts.db, &text).await;
        };
        hide("TRUE").await;
        assert_eq!(cover().await, other);
        hide("FALSE").await;
        assert_eq!(cover().await, first);
        assert_eq!(world.delete(&format!("/api/photos/{first}"), &owner).await.status, 200);
        assert_eq!(cover().await, other);

        // The photographer's choice takes its place, whatever it is.
        let shown = change(&world, &owner, &event, json!({"cover_photo_id": single["id"]})).await;
        assert_eq!(shown.get("cover_is_automatic"), None);
        assert_eq!(json!(cover().await), single["id"]);
        let none = change(&world, &owner, &event, json!({"cover_photo_id": null})).await;
        assert_eq!((&none["cover_url"], none.get("cover_is_automatic")), (&Value::Null, None));
        world.upload(&owner, &event, "late.jpg", &photo(&[GREEN, BLACK, RED], 0)).await;
        world.drain().await;
        assert_eq!(as_guest(&world, &event).await["cover_url"], Value::Null, "none is what was chosen");
        assert_eq!(as_team(&world, &owner, &event).await["cover_url"], Value::Null);
    });
}
