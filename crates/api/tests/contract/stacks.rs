//! Photos that are alike: PUT /api/photos/{id}/top-of-stack, and the stacks of lists and searches

use serde_json::{Value, json};

use crate::browsing::let_guests_browse;
use crate::downloads::files;
use crate::harness::{BLUE, GREEN, RED, World, on_both_engines};
use crate::sorting::taken_of;

struct Burst {
    token: String,
    event: Value,
    /// Two that are alike, and one that is not.
    ids: Vec<Value>,
}

async fn burst(world: &World) -> Burst {
    let token = world.photographer("meera@example.com").await;
    let event = world.event(&token, "Party").await;
    let mut ids = Vec::new();
    let files = [
        ("a.jpg", taken_of(&[RED, GREEN], 7)),
        ("b.jpg", taken_of(&[RED, GREEN], 9)),
        ("c.jpg", taken_of(&[BLUE, GREEN, RED], 9)),
    ];
    for (name, bytes) in files {
        ids.push(world.upload(&token, &event, name, &bytes).await.json()["id"].clone());
    }
    world.drain().await;
    Burst { token, event, ids }
}

impl Burst {
    async fn switch(&self, world: &World, on: bool) {
        let path = format!("/api/events/{}", self.event["id"].as_str().unwrap());
        let answer = world.patch(&path, &self.token, json!({"stacks_photos": on})).await;
        assert_eq!((answer.status.as_u16(), &answer.json()["stacks_photos"]), (200, &json!(on)));
        app::operations::maintenance::all(&world.app).await.unwrap();
    }

    /// The stacks of the photos, as their photographer sees them.
    async fn stacks(&self, world: &World) -> Vec<Option<(Value, i64)>> {
        let path = format!("/api/photos/search?event_id={}", self.event["id"].as_str().unwrap());
        let listed = world.get(&path, &self.token).await.json();
        let of = |id: &Value| {
            let photo = listed["photos"].as_array().unwrap().iter().find(|photo| photo["id"] == *id)?;
            Some((photo.get("stack")?["id"].clone(), photo["stack"]["place"].as_i64()?))
        };
        self.ids.iter().map(of).collect()
    }

    async fn stand_for(&self, world: &World, place: usize, token: &str) -> (u16, String) {
        let path = format!("/api/photos/{}/top-of-stack", self.ids[place].as_str().unwrap());
        let answer = world.put(&path, token, json!(null)).await;
        if answer.status == 204 { (204, String::new()) } else { answer.error() }
    }
}

#[test]
fn photos_that_are_alike_are_put_together_where_the_event_wants_it() {
    // [GAL495] [GAL499]
    on_both_engines(async |world: World| {
        let burst = burst(&world).await;
        app::operations::maintenance::all(&world.app).await.unwrap();
        assert_eq!(burst.stacks(&world).await, [None, None, None], "nobody has asked for it");
        burst.switch(&world, true).await;
        let stacks = burst.stacks(&world).await;
        let [Some((stack, one)), Some((same, two)), None] = &stacks[..] else { panic!("{stacks:?}") };
        assert!(stack == same && one + two == 1, "{stacks:?}");

        // Guests see the stack of a photo, and nothing of the figures.
        let_guests_browse(&world, &burst.token, &burst.event).await;
        let path = format!("/api/face/photos/{}", burst.event["slug"].as_str().unwrap());
        let seen = world.get(&path, "").await.json();
        let seen = seen["photos"].as_array().unwrap();
        let of_photos: Vec<&Value> = seen.iter().filter_map(|photo| photo.get("stack")).collect();
        assert_eq!(of_photos.len(), 2);
        assert!(of_photos.iter().all(|of| of["id"] == *stack));
        assert!(seen.iter().all(|photo| photo.get("sharpness").is_none()));

        burst.switch(&world, false).await;
        assert_eq!(burst.stacks(&world).await, [None, None, None]);
    });
}

#[test]
fn lists_say_how_many_moments_there_are_and_guests_save_the_best_of_each() {
    // [GAL502] [GAL503] [FACE550]
    on_both_engines(async |world: World| {
        let burst = burst(&world).await;
        let event = burst.event["id"].as_str().unwrap();
        let counts = async |filter: &str| {
            let path = format!("/api/photos/search?event_id={event}{filter}");
            let page = world.get(&path, &burst.token).await.json();
            (page["total_count"].as_i64().unwrap(), page.get("moments").and_then(Value::as_i64))
        };
        assert_eq!(counts("").await, (3, None));
        burst.switch(&world, true).await;
        assert_eq!(counts("").await, (3, Some(2)));
        assert_eq!(counts("&name=a.jpg").await, (1, None), "of some photos nothing is counted");
        assert_eq!(burst.stand_for(&world, 1, &burst.token).await.0, 204);

        let_guests_browse(&world, &burst.token, &burst.event).await;
        let path = format!("/api/face/photos/{}", burst.event["slug"].as_str().unwrap());
        let first = world.get(&format!("{path}?limit=2"), "").await.json();
        assert_eq!((&first["total"], &first["moments"]), (&json!(3), &json!(2)));
        let next = format!("{path}?cursor={}", first["next_cursor"].as_str().unwrap());
        assert!(world.get(&next, "").await.json().get("moments").is_none(), "with the first page alone");

        let names = async |body: Value| {
            let made = world.post(&format!("{path}/download"), "", body).await.json();
            let zip = format!("/api/face/download/{}.zip", made["download_token"].as_str().unwrap());
            let zip = world.get(&zip, "").await.bytes;
            let names: Vec<String> = files(&zip).into_iter().map(|(name, _)| name).collect();
            assert_eq!(made["photos"], names.len());
            names
        };
        assert_eq!(names(json!({})).await.len(), 3);
        let kept = names(json!({"only_best": true})).await;
        assert_eq!(kept.len(), 2, "{kept:?}");
        let changed =
            world.patch(&format!("/api/events/{event}"), &burst.token, json!({"keeps_names": true})).await;
        assert_eq!(changed.status, 200);
        assert_eq!(names(json!({"only_best": true})).await, ["b.jpg", "c.jpg"]);
    });
}

#[test]
fn the_best_of_a_stack_is_chosen_by_hand_and_stays() {
    // [GAL497] [GAL500]
    on_both_engines(async |world: World| {
        let burst = burst(&world).await;
        assert_eq!(burst.stand_for(&world, 0, &burst.token).await.0, 204, "it stands for itself");
        burst.switch(&world, true).await;
        let places =
            async || burst.stacks(&world).await.into_iter().map(|of| of.map(|of| of.1)).collect::<Vec<_>>();
        for best in [1, 0, 1] {
            assert_eq!(burst.stand_for(&world, best, &burst.token).await.0, 204);
            let found = places().await;
            assert!(found[best] < found[1 - best], "{found:?}");
        }
        // Also when they are compared again.
        burst.switch(&world, false).await;
        burst.switch(&world, true).await;
        assert_eq!(places().await, [Some(1), Some(0), None]);
        assert_eq!(burst.stand_for(&world, 2, &burst.token).await.0, 204);
        assert_eq!(places().await, [Some(1), Some(0), None]);
        let ravi = world.photographer("ravi@example.com").await;
        assert_eq!(burst.stand_for(&world, 0, &ravi).await, (404, String::from("Photo not found")));
    });
}
