//! /api/events/{id}/statistics and its CSV

use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use domain::DAY;
use futures::FutureExt as _;
use serde_json::{Value, json};

use crate::downloads::party;
use crate::harness::{BLUE, Field, RED, World, on_both_engines, photo};

async fn open(world: &World, event: &Value, headers: &[(&str, &str)]) {
    let mut request = Request::get(format!("/event/{}", event["slug"].as_str().unwrap()));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    assert_eq!(world.send(request.body(Body::empty()).unwrap()).await.status, 200);
}

async fn search_again(world: &World, event: &Value) {
    let path = format!("/api/face/search/{}", event["slug"].as_str().unwrap());
    let selfie = photo(&[RED], 9);
    let fields =
        [Field::file("image", "me.jpg", &selfie), Field::text("found_before", "true"), Field::notice()];
    assert_eq!(world.form(&path, "", &fields).await.status, 200);
}

async fn statistics(world: &World, event: &Value, token: &str) -> Value {
    let answer = world.get(&format!("/api/events/{}/statistics", event["id"].as_str().unwrap()), token).await;
    assert_eq!(answer.status, 200);
    answer.json()
}

const OPENED: (&str, &str) = ("sec-fetch-dest", "document");

#[test]
fn what_guests_do_is_counted_by_day() {
    // [STAT001] [STAT017] [STAT004]
    // Previews of links, pages that are fetched ahead and other requests are no visits.
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let (event, token) = (&party.event, &party.token);
        open(&world, event, &[OPENED]).await;
        open(&world, event, &[("upgrade-insecure-requests", "1")]).await;
        // A preview in a chat, a page that is fetched ahead, a picture's request: nobody looks.
        open(&world, event, &[]).await;
        open(&world, event, &[OPENED, ("sec-purpose", "prefetch;prerender")]).await;
        open(&world, event, &[("sec-fetch-dest", "empty"), ("upgrade-insecure-requests", "1")]).await;
        assert_eq!(world.search(event, &photo(&[BLUE], 1)).await.status, 200);
        search_again(&world, event).await;
        let counts = json!({"visits": 2, "searches": 3, "searches_found": 2, "searches_empty": 1, "found_percent": 67,
            "guests_helped": 1, "downloads": 0, "browsed": 0, "hearts": 0});
        let answered = statistics(&world, event, token).await;
        assert_eq!(answered["totals"], counts);

        world.clock.advance(DAY);
        open(&world, event, &[OPENED]).await;
        let answered = statistics(&world, event, token).await;
        assert_eq!(answered["totals"]["visits"], 3);
        let days: Vec<_> = answered["days"].as_array().unwrap().iter().map(|day| &day["date"]).collect();
        assert_eq!(days, ["2026-11-20", "2026-11-21"]);
        assert_eq!(answered["days"][0]["uploads"], 4);
        assert_eq!(answered["days"][1]["visits"], 1);
    });
}

#[test]
fn a_saved_photo_is_counted_once_however_it_is_fetched() {
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let of_photo = async |name: &str| {
            app::statistics::write(&world.app).await.unwrap();
            let path = format!("/api/photos/search?filename={name}");
            world.get(&path, &party.token).await.json()["photos"][0]["downloads"].clone()
        };
        let downloads =
            async || statistics(&world, &party.event, &party.token).await["totals"]["downloads"].clone();
        let zip = async |range: &str| {
            let request = Request::get(&party.zip).header("range", range);
            world.send(request.body(Body::empty()).unwrap()).await.status.as_u16()
        };
        assert_eq!(world.get(&party.zip, "").await.status, 200);
        assert_eq!(downloads().await, 3);
        assert_eq!((zip("bytes=100-").await, zip("bytes=0-99").await), (206, 206));
        let head = Request::head(&party.zip).body(Body::empty()).unwrap();
        assert_eq!(world.send(head).await.status, 200);
        assert_eq!(downloads().await, 6, "a ZIP that goes on, and one that is only asked about, are none");

        let key = party.matches[0]["s3_key"].as_str().unwrap();
        let links = world.get(&format!("/api/photos/download-by-s3?key={key}"), "").await.json();
        assert_eq!(downloads().await, 6, "a link is no download");
        for link in ["download_url", "web_url"] {
            assert_eq!(world.get(links[link].as_str().unwrap(), "").await.status, 200);
        }
        assert_eq!(world.get(party.matches[0]["url"].as_str().unwrap(), "").await.status, 200);
        assert_eq!(downloads().await, 8, "a photo that is shown is none");

        let saved = party.matches[0]["filename"].as_str().unwrap();
        assert_eq!((of_photo(saved).await, of_photo("other.jpg").await), (json!(4), json!(0)));
        assert_eq!(of_photo(party.matches[1]["filename"].as_str().unwrap()).await, 2);
        let id = party.matches[0]["photo_id"].as_str().unwrap();
        assert_eq!(world.delete(&format!("/api/photos/{id}"), &party.token).await.status, 200);
        let body = json!({"event_id": party.event["id"], "photo_ids": [id]});
        assert_eq!(world.post("/api/photos/trash/restore", &party.token, body).await.status, 200);
        assert_eq!(of_photo(saved).await, 4, "it waits in the trash with the photo");
    });
}

#[test]
fn hearts_and_looks_at_all_photos_are_counted_by_day() {
    // A heart that is taken back is not subtracted; of looks the first page counts, where it was not refused.
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let (event, token) = (&party.event, &party.token);
        let (id, slug) = (event["id"].as_str().unwrap(), event["slug"].as_str().unwrap());
        let browse = async |query: &str| world.get(&format!("/api/face/photos/{slug}{query}"), "").await;
        assert_eq!(browse("").await.status, 403, "one that is refused is none");
        let allowed = world.patch(&format!("/api/events/{id}"), token, json!({"browsable": true})).await;
        assert_eq!(allowed.status, 200);
        let first = browse("?limit=1").await.json();
        let next = format!("?limit=1&cursor={}", first["next_cursor"].as_str().unwrap());
        assert_eq!(browse(&next).await.status, 200);
        let heart = async |on: bool| {
            let body = json!({"key": party.matches[0]["s3_key"], "on": on});
            world.post(&format!("/api/face/hearts/{slug}"), "", body).await.status.as_u16()
        };
        assert_eq!((heart(true).await, heart(true).await, heart(false).await), (204, 204, 204));
        world.clock.advance(DAY);
        assert_eq!(heart(true).await, 204);
        let missing = json!({"key": "made-up", "on": true});
        assert_eq!(world.post(&format!("/api/face/hearts/{slug}"), "", missing).await.status, 404);

        let answered = statistics(&world, event, token).await;
        let of = |counts: &Value| (counts["browsed"].clone(), counts["hearts"].clone());
        assert_eq!(
            of(&answered["totals"]),
            (json!(1), json!(3)),
            "a further page and a heart taken back are none"
        );
        assert_eq!(of(&answered["days"][0]), (json!(1), json!(2)));
        assert_eq!(of(&answered["days"][1]), (json!(0), json!(1)));
        let csv = world.get(&format!("/api/events/{id}/statistics.csv"), token).await;
        let csv = String::from_utf8(csv.bytes.to_vec()).unwrap();
        assert!(csv.ends_with(",4,1,2,3,0,0\r\n2026-11-21,0,0,0,0,,0,0,0,0,1,0,0,0\r\n"), "{csv}");
    });
}

#[test]
fn a_search_of_the_owner_prepares_no_guests_download() {
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let path = format!("/api/face/search/{}", party.event["slug"].as_str().unwrap());
        let selfie = photo(&[RED], 9);
        let fields = [Field::file("image", "me.jpg", &selfie), Field::notice()];
        let found = world.form(&path, &party.token, &fields).await.json();
        let zip = format!("/api/face/download/{}.zip", found["download_token"].as_str().unwrap());
        assert_eq!(world.get(&zip, "").await.status, 200);
        assert_eq!(statistics(&world, &party.event, &party.token).await["totals"]["downloads"], 0);
    });
}

#[test]
fn the_days_come_as_csv() {
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let id = party.event["id"].as_str().unwrap();
        let answer = world.get(&format!("/api/events/{id}/statistics.csv"), &party.token).await;
        assert_eq!(answer.header("content-type"), "text/csv; charset=utf-8");
        let slug = party.event["slug"].as_str().unwrap();
        assert_eq!(
            answer.header("content-disposition"),
            format!("attachment; filename=\"{slug}-statistics.csv\"")
        );
        assert_eq!(
            String::from_utf8(answer.bytes.to_vec()).unwrap(),
            "\u{feff}date,visits,searches,searches_found,searches_empty,found_percent,guests_helped,downloads,uploads,browsed,hearts,shown,not_me,missed\r\n\
             2026-11-20,0,1,1,0,100,1,0,4,0,0,3,0,0\r\n"
        );
    });
}

#[test]
fn numbers_outlive_whoever_asked_for_them_and_is_gone() {
    // [SAFE474]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        open(&world, &party.event, &[OPENED]).await;
        // It is dropped while it waits for the database, unless another thread was so quick that there is nothing to wait for.
        drop(app::statistics::write(&world.app).now_or_never());
        let totals = async || statistics(&world, &party.event, &party.token).await["totals"].clone();
        let written = async {
            while totals().await["visits"] == 0 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), written).await.expect("the visit is written");
        app::statistics::write(&world.app).await.unwrap();
        let totals = totals().await;
        assert_eq!((&totals["visits"], &totals["searches"]), (&json!(1), &json!(1)));
    });
}

#[test]
fn numbers_outlive_a_database_that_fails_and_an_event_that_is_deleted() {
    // They are added in memory, and written once: every ten seconds, and before they are read. Those of a deleted
    // event stay in the totals alone.
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        open(&world, &party.event, &[OPENED]).await;
        let of_process = async |world: &World| {
            let path = format!("/api/events/{}/statistics", party.event["id"].as_str().unwrap());
            world.get(&path, &party.token).await
        };
        // Another process knows of it once it is written.
        let other = world.second_process(&world.parts.db).await;
        assert_eq!(of_process(&other).await.json()["totals"]["visits"], 0);
        app::statistics::write(&world.app).await.unwrap();
        app::statistics::write(&world.app).await.unwrap();
        assert_eq!(of_process(&other).await.json()["totals"]["visits"], 1);

        let path = format!("/api/events/{}", party.event["id"].as_str().unwrap());
        world.delete(&path, &party.token).await;
        world.drain().await;
        assert_eq!(of_process(&world).await.error(), (404, String::from("Event not found")));
        let export = storage::statistics::activity::of_event(
            &world.parts.db,
            party.event["id"].as_str().unwrap().parse().unwrap(),
        );
        assert_eq!(export.await.unwrap()[0].counts.visits, 1, "the dashboard's totals keep it");
    });
}
