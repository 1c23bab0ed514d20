//! The ids of photos alone.

use serde_json::{Value, json};

use crate::harness::{BLUE, GREEN, RED, World, on_both_engines, photo};

fn ids(page: &Value) -> Vec<String> {
    page["photo_ids"].as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect()
}

fn listed(page: &Value) -> Vec<String> {
    page["photos"].as_array().unwrap().iter().map(|photo| photo["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_ids_are_those_of_the_list_for_every_filter_and_order() {
    // [GAL455] [GAL456]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let id = event["id"].as_str().unwrap();
        for (n, name) in (0_u8..).zip(["b 2.jpg", "a.jpg", "B 10.jpg", "c.png", "a2.jpg"]) {
            let color = if n == 3 { BLUE } else { RED };
            assert_eq!(world.upload(&token, &event, name, &photo(&[color], n)).await.status, 201);
            world.clock.advance(std::time::Duration::from_millis(1));
        }
        world.upload(&token, &world.event(&token, "Other").await, "a.jpg", &photo(&[GREEN], 0)).await;
        world.drain().await;
        let all = world.get(&format!("/api/photos/search?event_id={id}"), &token).await.json();
        let album =
            world.post(&format!("/api/events/{id}/albums"), &token, json!({"name": "Vows"})).await.json();
        let album = album["id"].as_str().unwrap();
        let put = json!({"event_id": id, "photo_ids": &listed(&all)[..2], "album_id": album});
        assert_eq!(world.post("/api/photos/album", &token, put).await.status, 200);

        for (filter, count) in [
            (String::new(), 6),
            (format!("event_id={id}"), 5),
            (format!("event_id={id}&sort=captured"), 5),
            (format!("event_id={id}&sort=name"), 5),
            (format!("event_id={id}&name=B"), 2),
            (format!("event_id={id}&filename=a.jpg"), 1),
            (format!("event_id={id}&status=ready&sort=name"), 5),
            (format!("event_id={id}&status=failed"), 0),
            (format!("event_id={id}&without_faces=true"), 0),
            (format!("event_id={id}&album_id={album}"), 2),
            (format!("event_id={id}&album_id=none&sort=name"), 3),
            (format!("event_id={id}&uploader_id=owner"), 5),
        ] {
            let list = world.get(&format!("/api/photos/search?{filter}"), &token).await.json();
            let path = format!("/api/photos/search/ids?{filter}");
            let whole = world.get(&path, &token).await.json();
            assert_eq!(ids(&whole), listed(&list), "{filter}");
            assert_eq!((ids(&whole).len(), &whole["next_cursor"]), (count, &Value::Null), "{filter}");
            // In pages, too.
            let (mut paged, mut cursor) = (Vec::new(), String::new());
            loop {
                let page = world.get(&format!("{path}&limit=2{cursor}"), &token).await.json();
                paged.extend(ids(&page));
                let Some(next) = page["next_cursor"].as_str() else { break };
                cursor = format!("&cursor={next}");
            }
            assert_eq!(paged, ids(&whole), "{filter}");
        }

        let other = world.photographer("ravi@example.com").await;
        let path = format!("/api/photos/search/ids?event_id={id}");
        assert_eq!(world.get(&path, &other).await.error(), (404, String::from("Event not found")));
        assert_eq!(ids(&world.get("/api/photos/search/ids", &other).await.json()), Vec::<String>::new());
        assert_eq!(world.get(&path, "").await.status, 401);
        let unsorted = world.get("/api/photos/search/ids?sort=name", &token).await.error();
        assert_eq!(unsorted, world.get("/api/photos/search?sort=name", &token).await.error());
        let bad = world.get("/api/photos/search/ids?cursor=here", &token).await.error();
        assert_eq!(bad, world.get("/api/photos/search?cursor=here", &token).await.error());
    });
}
