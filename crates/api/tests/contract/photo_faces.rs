//! What the photographer is shown of the faces found: their places in a photo, and the photos that have none.

use serde_json::{Value, json};

use crate::harness::{BLACK, GREEN, RED, World, on_both_engines, photo};

fn faces_path(photo: &Value) -> String {
    format!("/api/photos/{}/faces", photo["id"].as_str().unwrap())
}

#[test]
fn the_places_of_faces_are_for_the_photographer_alone_and_without_what_describes_them() {
    // [GAL070] [GAL164]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let two = world.upload(&token, &event, "two.jpg", &photo(&[RED, GREEN], 0)).await.json();
        let none = world.upload(&token, &event, "none.jpg", &photo(&[BLACK], 0)).await.json();
        assert_eq!(
            world.get(&faces_path(&two), &token).await.json(),
            json!({"faces": []}),
            "not yet looked at"
        );
        world.drain().await;
        let answer = world.get(&faces_path(&two), &token).await;
        assert_eq!(answer.status, 200);
        let found = answer.json();
        let faces = found["faces"].as_array().unwrap();
        assert_eq!(faces.len(), 2);
        for (face, left) in faces.iter().zip([0.0, 0.5]) {
            let keys: Vec<&String> = face.as_object().unwrap().keys().collect();
            assert_eq!(keys, ["height", "width", "x", "y"], "nothing but the place");
            let side = |key: &str| face[key].as_f64().unwrap();
            let centre = side("x") + side("width") / 2.0;
            assert!(centre > left && centre < left + 0.5, "{face}");
            assert!(side("height") > 0.1 && side("height") < 1.5, "{face}");
        }
        assert_eq!(world.get(&faces_path(&none), &token).await.json(), json!({"faces": []}));

        let ravi = world.photographer("ravi@example.com").await;
        let foreign = world.get(&faces_path(&two), &ravi).await;
        assert_eq!(foreign.error(), (404, String::from("Photo not found")));
        assert_eq!(world.get(&faces_path(&two), "").await.status, 401);
    });
}

#[test]
fn photos_without_faces_are_searched_for_in_pages() {
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        for (salt, name) in ["a.jpg", "b.jpg", "c.jpg"].into_iter().enumerate() {
            let salt = u8::try_from(salt).unwrap();
            world.upload(&token, &event, name, &photo(&[BLACK], salt)).await;
            world.upload(&token, &event, "face.jpg", &photo(&[RED], salt)).await;
            world.clock.advance(std::time::Duration::from_millis(1));
        }
        world.drain().await;
        world.upload(&token, &event, "waiting.jpg", &photo(&[BLACK], 9)).await;
        let id = event["id"].as_str().unwrap();
        let search = async |query: &str| {
            world.get(&format!("/api/photos/search?event_id={id}{query}"), &token).await.json()
        };
        let names = |page: &Value| {
            let photos = page["photos"].as_array().unwrap().iter();
            photos.map(|photo| photo["filename"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let first = search("&without_faces=true&limit=2").await;
        assert_eq!((names(&first), &first["total_count"]), (vec!["c.jpg".into(), "b.jpg".into()], &json!(3)));
        let cursor = first["next_cursor"].as_str().unwrap();
        let second = search(&format!("&without_faces=true&limit=2&cursor={cursor}")).await;
        assert_eq!((names(&second), &second["next_cursor"]), (vec![String::from("a.jpg")], &Value::Null));
        assert_eq!(search("&without_faces=false").await["total_count"], 7);
        let bad = world.get("/api/photos/search?without_faces=maybe", &token).await;
        assert_eq!((bad.status.as_u16(), &bad.json()["code"]), (400, &json!("malformed_request")));
    });
}
