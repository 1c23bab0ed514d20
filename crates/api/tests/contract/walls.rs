//! Walls: /api/events/{event}/wall, /wall/{secret} and what its page calls.

use std::time::Duration;

use app::App;
use app::operations::runtime::limits::LimitSettings;
use axum::body::Body;
use axum::http::Request;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::downloads::{Party, party};
use crate::harness::{Answer, BLUE, GREEN, PUBLIC_URL, World, on_both_engines, photo};

fn ended() -> (u16, String) {
    (404, String::from("This wall has ended."))
}

fn path_of(event: &Value) -> String {
    format!("/api/events/{}/wall", event["id"].as_str().unwrap())
}

/// Makes the wall of an event, or changes it, and answers its path.
pub(crate) async fn make(world: &World, token: &str, event: &Value, album: Value) -> String {
    let made = world.put(&path_of(event), token, json!({"album_id": album})).await;
    assert_eq!(made.status, 200);
    made.json()["wall"]["url"].as_str().unwrap().strip_prefix(PUBLIC_URL).unwrap().to_owned()
}

async fn photos(world: &World, wall: &str) -> Value {
    let answer = world.get(&format!("/api{wall}"), "").await;
    assert_eq!(answer.status, 200);
    answer.json()
}

fn ids(shown: &Value) -> Vec<String> {
    shown["photos"].as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect()
}

async fn ask(world: &World, path: &str, headers: &[(&str, &str)]) -> Answer {
    let request = headers.iter().fold(Request::get(path), |all, (name, value)| all.header(*name, *value));
    world.send(request.body(Body::empty()).unwrap()).await
}

fn text(answer: &Answer) -> String {
    String::from_utf8(answer.bytes.to_vec()).unwrap()
}

/// What stands in the only element of this name.
fn element<'a>(html: &'a str, name: &str) -> &'a str {
    let (_, rest) = html.split_once(&format!("<{name}>")).unwrap();
    rest.split_once(&format!("</{name}>")).unwrap().0
}

#[test]
fn a_photographer_makes_a_wall_and_is_shown_its_address_until_it_is_ended() {
    // [GAL459] [GAL461] [GAL462] [GAL463]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Sangeet").await;
        let path = path_of(&event);
        assert_eq!(world.get(&path, &token).await.json(), json!({"wall": null}), "off by default");
        let made = world.put(&path, &token, json!({})).await;
        let wall = made.json()["wall"].clone();
        assert_eq!(wall["album_id"], Value::Null);
        assert_eq!(wall["created_at"], world.app.now().to_rfc3339());
        let url = wall["url"].as_str().unwrap();
        let secret = url.strip_prefix(&format!("{PUBLIC_URL}/wall/")).unwrap();
        assert_eq!(secret.len(), 20);
        assert_eq!(world.get(&path, &token).await.json(), made.json());
        // Asked for again it is the same one, with other photos.
        let albums = format!("/api/events/{}/albums", event["id"].as_str().unwrap());
        let album = world.post(&albums, &token, json!({"name": "Dinner"})).await.json();
        let changed = world.put(&path, &token, json!({"album_id": album["id"]})).await.json();
        assert_eq!((&changed["wall"]["url"], &changed["wall"]["album_id"]), (&wall["url"], &album["id"]));
        let unknown = (404, String::from("This album is no longer there"));
        let other = world.event(&token, "Haldi").await;
        assert_eq!(
            world.put(&path_of(&other), &token, json!({"album_id": album["id"]})).await.error(),
            unknown
        );
        assert_eq!(world.put(&path, &token, json!({"album_id": "none"})).await.error(), unknown);
        assert_eq!(world.get(&path, &token).await.json(), changed);

        let ravi = world.photographer("ravi@example.com").await;
        let gone = (404, String::from("Event not found"));
        assert_eq!(world.get(&path, &ravi).await.error(), gone);
        assert_eq!(world.put(&path, &ravi, json!({})).await.error(), gone);
        assert_eq!(world.delete(&path, &ravi).await.error(), gone);

        for _ in 0..2 {
            assert_eq!(world.delete(&path, &token).await.json(), json!({"success": true}));
            assert_eq!(world.get(&path, &token).await.json(), json!({"wall": null}));
        }
        let again = world.put(&path, &token, json!({})).await.json();
        assert_ne!(again["wall"]["url"], wall["url"], "a new one has another address");
    });
}

#[test]
fn a_photo_that_is_held_is_on_the_wall_once_it_is_published() {
    // [SAFE433]
    on_both_engines(async |world: World| {
        let Party { token, event, .. } = party(&world).await;
        let wall = make(&world, &token, &event, Value::Null).await;
        let before = ids(&photos(&world, &wall).await);
        let publish = async |body: Value| {
            let answer = crate::publication::publication(&world, &token, &event, body).await;
            assert_eq!(answer.status, 200);
            answer.json()
        };
        publish(json!({"publication": "held"})).await;
        let held = world.upload(&token, &event, "held.jpg", &photo(&[BLUE], 0)).await.json();
        world.drain().await;
        let held = held["id"].as_str().unwrap();
        assert_eq!(ids(&photos(&world, &wall).await), before);
        assert_eq!(world.get(&format!("/api{wall}/photos/{held}"), "").await.status, 404);
        let path = format!("/api/events/search?ids={}", event["id"].as_str().unwrap());
        let through = world.get(&path, &token).await.json()["events"][0]["held_through"].clone();
        publish(json!({"publish_through": through})).await;
        assert!(ids(&photos(&world, &wall).await).iter().any(|id| id == held));
        assert_eq!(world.get(&format!("/api{wall}/photos/{held}"), "").await.status, 307);
    });
}

#[test]
fn pictures_come_from_the_name_that_the_wall_was_opened_under_unless_another_service_has_them() {
    // [RUN283]
    on_both_engines(async |world: World| {
        let Party { token, event, .. } = party(&world).await;
        let wall = make(&world, &token, &event, Value::Null).await;
        let first = ids(&photos(&world, &wall).await)[0].clone();
        let path = format!("/api{wall}/photos/{first}");
        let own = world.get(&path, "").await;
        assert!(own.header("location").starts_with("/api/files/"), "{}", own.header("location"));
        // Begins as the service's own address does.
        let mut parts = world.parts.clone();
        parts.settings.public_url = String::from("https://photos.example");
        parts.settings.files_url = Some(String::from("https://photos.example.net"));
        let cached = App::new(parts).await.unwrap();
        let shared = world.get_from(cached, &path).await;
        let location = shared.header("location");
        assert!(location.starts_with("https://photos.example.net/renditions/"), "{location}");
    });
}

#[test]
fn headings_have_the_letters_of_the_built_web_app() {
    // [GAL460]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Sangeet").await;
        let wall = make(&world, &token, &event, Value::Null).await;
        let style = async |head: &str| {
            let document = format!("<!-- head -->{head}<!-- /head -->");
            let web_app = api::WebApp::new(move |path| {
                let media_type = String::from("text/html; charset=utf-8");
                (path == "index.html").then(|| api::Asset::new(document.clone().into_bytes(), media_type))
            });
            let page = text(&world.get_with(web_app, &wall, &[]).await);
            element(&page, "style").to_owned()
        };
        let file = "/assets/familjen-grotesk-latin-wght-normal-Dq0_x1.woff2";
        let named = style(&format!("<link rel=\"preload\" as=\"font\" href=\"{file}\">")).await;
        assert!(named.starts_with("@font-face{font-family:Familjen;"), "{named}");
        assert!(named.contains(&format!("src:url({file}) format(\"woff2\")")), "{named}");
        // What could end the style, or is another's.
        for other in [
            "",
            "<link href=\"/assets/familjen-grotesk-latin-wght);x{.woff2\">",
            "<link href=\"https://x/assets/familjen-grotesk-latin-wght.woff2\">",
        ] {
            assert!(!style(other).await.contains("@font-face"), "{other}");
        }
    });
}

#[test]
fn a_wall_shows_what_guests_may_see_and_nothing_else() {
    // [GAL464] [GAL465] [GAL466] [SAFE433]
    on_both_engines(async |world: World| {
        let Party { token, event, matches, .. } = party(&world).await;
        let wall = make(&world, &token, &event, Value::Null).await;
        // No PIN is asked for, and the photographer need not let guests look at all photos.
        let settings = format!("/api/events/{}", event["id"].as_str().unwrap());
        assert_eq!(world.patch(&settings, &token, json!({"pin": "471147"})).await.status, 200);
        assert_eq!(world.upload(&token, &event, "new.jpg", &photo(&[BLUE], 0)).await.status, 201);
        let shown = photos(&world, &wall).await;
        assert_eq!((&shown["name"], &shown["total"]), (&json!("Party"), &json!(4)), "one is not ready");
        let mut newest = ids(&shown);
        newest.sort();
        newest.reverse();
        assert_eq!(ids(&shown), newest);

        // Nobody asks for more than has changed.
        let list = format!("/api{wall}");
        let etag = world.get(&list, "").await.header("etag").to_owned();
        let known = ask(&world, &list, &[("if-none-match", &etag)]).await;
        assert_eq!((known.status.as_u16(), known.bytes.len()), (304, 0));
        world.drain().await;
        let more = ask(&world, &list, &[("if-none-match", &etag)]).await;
        assert_eq!((more.status.as_u16(), &more.json()["total"]), (200, &json!(5)));
        let new = ids(&more.json())[0].clone();

        // Deleted, and hidden for somebody who is in it.
        let deleted = matches[0]["photo_id"].as_str().unwrap().to_owned();
        assert_eq!(world.delete(&format!("/api/photos/{deleted}"), &token).await.status, 200);
        let none = world.patch(&settings, &token, json!({"pin": null})).await;
        assert_eq!(none.status, 200);
        crate::objections::hide(&world, &event, GREEN).await;
        let left = photos(&world, &wall).await;
        assert_eq!((ids(&left).len(), &left["total"]), (3, &json!(3)));
        let missing = (404, String::from("This photo is not on the wall"));
        for id in ids(&more.json()) {
            let picture = world.get(&format!("{list}/photos/{id}"), "").await;
            match ids(&left).contains(&id) {
                true => assert_eq!(picture.status, 307),
                false => assert_eq!(picture.error(), missing, "{id}"),
            }
        }
        for id in ["none", event["id"].as_str().unwrap()] {
            assert_eq!(world.get(&format!("{list}/photos/{id}"), "").await.error(), missing, "{id}");
        }
        let other = world.event(&token, "Other").await;
        let other = make(&world, &token, &other, Value::Null).await;
        assert_eq!(world.get(&format!("/api{other}/photos/{new}"), "").await.error(), missing);

        // Those of an album alone.
        let in_album = json!({"id": matches[1]["photo_id"]});
        crate::albums::put_into_new(&world, &token, &event, "Ceremony", &in_album).await;
        let albums = format!("{settings}/albums");
        let album = world.get(&albums, &token).await.json()["albums"][0].clone();
        assert_eq!(make(&world, &token, &event, album["id"].clone()).await, wall);
        let shown = photos(&world, &wall).await;
        assert_eq!(
            (ids(&shown), &shown["total"]),
            (vec![matches[1]["photo_id"].as_str().unwrap().to_owned()], &json!(1))
        );
        assert_eq!(world.get(&format!("{list}/photos/{new}"), "").await.error(), missing, "of no album");
    });
}

#[test]
fn pictures_are_those_of_guests_with_the_watermark_by_links_that_expire() {
    // [GAL467] [SAFE434]
    on_both_engines(async |world: World| {
        let Party { token, event, .. } = party(&world).await;
        let wall = make(&world, &token, &event, Value::Null).await;
        let id = ids(&photos(&world, &wall).await)[0].clone();
        let picture = format!("/api{wall}/photos/{id}");
        let led = world.get(&picture, "").await;
        assert_eq!((led.status.as_u16(), led.header("cache-control")), (307, "no-store"));
        let link = led.header("location").to_owned();
        assert!(link.starts_with(&format!("/api/files/{id}/medium?expires=")), "{link}");
        let plain = world.get(&link, "").await;
        assert_eq!((plain.status.as_u16(), plain.header("content-type")), (200, "image/jpeg"));

        crate::watermarks::open_studio(&world, &token).await;
        assert_eq!(crate::watermarks::save(&world, &token, "Meera", "tiled", "false").await.status, 200);
        let marked = world.get(&picture, "").await.header("location").to_owned();
        assert!(marked.starts_with(&format!("/api/files/{id}/marked-medium-")), "{marked}");
        assert!(world.get(&marked, "").await.bytes != plain.bytes);
        world.clock.advance(world.app.settings().link_lifetime + Duration::from_secs(1_800));
        assert_eq!(world.get(&marked, "").await.status, 404);
    });
}

#[test]
fn an_ended_wall_is_404_at_once_whatever_ended_it() {
    // [GAL468] [SAFE431] [SAFE432]
    on_both_engines(async |world: World| {
        let administrator = world.photographer("admin@example.com").await;
        world.clock.advance(Duration::from_secs(1));
        let Party { token, event, .. } = party(&world).await;
        let opens = async |wall: &str, id: &str| {
            let document = world.get(wall, "").await;
            let list = world.get(&format!("/api{wall}"), "").await;
            let picture = world.get(&format!("/api{wall}/photos/{id}"), "").await;
            let all = [document.status.as_u16(), list.status.as_u16(), picture.status.as_u16()];
            if all == [200, 200, 307] {
                return true;
            }
            assert_eq!((list.error(), picture.error()), (ended(), ended()));
            assert_eq!(list.json()["code"], "wall_ended");
            // The page says so, in a language of its reader, and asks nothing more.
            assert_eq!(document.status, 404);
            assert!(
                text(&document).contains(">This wall has ended.<") && !text(&document).contains("<script")
            );
            for (name, value) in [("x-robots-tag", "noindex"), ("cache-control", "no-store")] {
                assert_eq!(document.header(name), value);
            }
            let german = text(&ask(&world, wall, &[("accept-language", "de-AT,en;q=0.5")]).await);
            assert!(german.contains("<html lang=\"de\"") && german.contains(">Diese Fotowand ist zu Ende.<"));
            false
        };
        let wall = make(&world, &token, &event, Value::Null).await;
        let id = ids(&photos(&world, &wall).await)[0].clone();
        assert!(
            opens(&wall, &id).await && opens(&wall.to_uppercase().replace("/WALL/", "/wall/"), &id).await
        );
        for other in ["/wall/none", "/wall/aaaaaaaaaaaaaaaaaaaa", "/wall/%3Cscript%3E"] {
            assert!(!opens(other, &id).await);
        }
        assert_eq!(world.delete(&path_of(&event), &token).await.status, 200);
        assert!(!opens(&wall, &id).await, "ended");

        let again = make(&world, &token, &event, Value::Null).await;
        assert!(opens(&again, &id).await && !opens(&wall, &id).await);
        let albums = format!("/api/events/{}/albums", event["id"].as_str().unwrap());
        let album = world.post(&albums, &token, json!({"name": "Dinner"})).await.json();
        assert_eq!(make(&world, &token, &event, album["id"].clone()).await, again);
        assert_eq!(
            world.delete(&format!("/api/albums/{}", album["id"].as_str().unwrap()), &token).await.status,
            200
        );
        assert!(!opens(&again, &id).await, "its album is gone");

        let third = make(&world, &token, &event, Value::Null).await;
        assert!(opens(&third, &id).await);
        let me = world.get("/api/auth/me", &token).await.json()["user"]["id"].as_str().unwrap().to_owned();
        let account = format!("/api/administration/accounts/{me}");
        let locked =
            world.post(&format!("{account}/lock"), &administrator, json!({"reason": "Chargeback"})).await;
        assert_eq!(locked.status, 200);
        assert!(!opens(&third, &id).await, "the account is locked");
        assert_eq!(world.post(&format!("{account}/unlock"), &administrator, json!({})).await.status, 200);
        assert!(opens(&third, &id).await);

        let token = world.log_in("meera@example.com").await.json()["token"].as_str().unwrap().to_owned();
        let path = format!("/api/events/{}", event["id"].as_str().unwrap());
        assert_eq!(world.delete(&path, &token).await.status, 202);
        assert!(!opens(&third, &id).await, "the event is being deleted");
        world.drain().await;
        assert_eq!(world.post(&format!("{path}/restore"), &token, json!({})).await.status, 200);
        world.drain().await;
        assert!(!opens(&third, &id).await, "what is restored has no wall");
    });
}

#[test]
fn the_page_is_one_small_document_that_loads_nothing_but_photos() {
    // [GAL460] [GAL470] [GAL471] [SAFE430]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, &format!("</script> & \"{}", "शादी ".repeat(37).trim())).await;
        let wall = make(&world, &token, &event, Value::Null).await;
        let answer = world.get(&wall, "").await;
        let html = text(&answer);
        assert!(html.len() <= 15_000, "{} bytes", html.len());
        assert!(html.contains("&#60;/script&#62; &#38; &#34;शादी"), "{html}");
        assert_eq!(html.matches("<script").count(), 1);
        assert!(html.contains("<p class=\"hint\">Photos appear here as they arrive.</p>"));
        let guests = format!("{PUBLIC_URL}/event/{}", event["slug"].as_str().unwrap());
        assert!(html.contains(&format!("aria-label=\"{guests}\"><svg viewBox=")), "{html}");
        for outside in ["<link", " src=", "@import", "url("] {
            assert!(!html.contains(outside), "{outside}");
        }

        let source = |name| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(element(&html, name))));
        let policy = answer.header("content-security-policy");
        for directive in [
            String::from("default-src 'none'"),
            format!("script-src {}", source("script")),
            format!("style-src {}", source("style")),
            String::from("connect-src 'self'"),
            String::from("frame-ancestors 'none'"),
        ] {
            assert!(policy.split("; ").any(|part| part == directive), "{directive} is not in {policy}");
        }
        for (name, value) in [
            ("content-type", "text/html; charset=utf-8"),
            ("cache-control", "no-store"),
            ("referrer-policy", "no-referrer"),
            ("x-robots-tag", "noindex"),
            ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
        ] {
            assert_eq!(answer.header(name), value, "{name}");
        }
        let arabic = text(&ask(&world, &wall, &[("accept-language", "ar")]).await);
        assert!(arabic.contains("<html lang=\"ar\" dir=\"rtl\" class=\"tall\">"));
        assert!(arabic.len() <= 15_000, "{} bytes", arabic.len());
    });
}

#[test]
fn a_wall_is_counted_apart_from_the_guests_at_its_address() {
    // [GAL472]
    on_both_engines(async |world: World| {
        let limits = LimitSettings { results: 3, ..LimitSettings::OFF };
        let world = World::limited(world.parts.db.clone(), limits, "").await;
        let token = world.photographer("meera@example.com").await;
        let (event, other) = (world.event(&token, "Sangeet").await, world.event(&token, "Haldi").await);
        let wall = make(&world, &token, &event, Value::Null).await;
        let another = make(&world, &token, &other, Value::Null).await;
        for _ in 0..3 {
            assert_eq!(world.get(&format!("/api{wall}"), "").await.status, 200);
        }
        for path in [format!("/api{wall}"), format!("/api{wall}/photos/none")] {
            let refused = world.get(&path, "").await;
            assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "60"));
        }
        assert_eq!(world.get(&format!("/api{another}"), "").await.status, 200);
        let slug = event["slug"].as_str().unwrap();
        assert_eq!(world.get(&format!("/api/face/photos/{slug}"), "").await.status, 403, "not 429");
    });
}
