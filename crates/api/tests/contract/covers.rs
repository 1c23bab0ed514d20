//! The generated pictures of events.

use axum::body::Body;
use axum::http::Request;

use crate::harness::{World, on_both_engines};

#[test]
fn the_svg_of_any_slug_is_drawn_and_can_be_cached() {
    // [PUB052]
    on_both_engines(async |world: World| {
        let longest = "x".repeat(71);
        for name in ["aanya-rohan", "mira-turns-one-h2fn8qzy3w", "site", "2", &longest] {
            let path = format!("/covers/{name}.svg");
            let cover = world.get(&path, "").await;
            assert_eq!(cover.status, 200, "{name}");
            assert_eq!(cover.header("content-type"), "image/svg+xml");
            assert_eq!(cover.header("cache-control"), "public, max-age=2592000");
            assert!(cover.bytes.starts_with(b"<svg xmlns=\"http://www.w3.org/2000/svg\""));
            assert!(world.get(&path, "").await.bytes == cover.bytes);
            let known = Request::get(&path).header("if-none-match", cover.header("etag"));
            let known = world.send(known.body(Body::empty()).unwrap()).await;
            assert_eq!((known.status.as_u16(), known.bytes.len()), (304, 0));
            let other = world.get("/covers/another-slug.svg", "").await;
            assert!(other.bytes != cover.bytes && other.header("etag") != cover.header("etag"), "{name}");
        }
    });
}

#[test]
fn what_cannot_be_a_slug_has_no_picture() {
    // [PUB052]
    on_both_engines(async |world: World| {
        let too_long = format!("{}.svg", "x".repeat(72));
        for file in [
            ".svg",
            "svg",
            "site",
            "a.b.svg",
            "Aanya.svg",
            "a%20b.svg",
            "a%2Fb.svg",
            "%3Csvg%3E.svg",
            "%C3%BC.svg",
            "a%00.svg",
            "a.SVG",
            "a.png",
            &too_long,
        ] {
            assert_eq!(world.get(&format!("/covers/{file}"), "").await.error().0, 404, "{file}");
        }
    });
}

#[test]
fn an_unchanged_link_preview_is_not_sent_again() {
    // [PUB050]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Priya & Rahul").await;
        let slug = event["slug"].as_str().unwrap();
        for path in [String::from("/covers/site.jpg"), format!("/covers/{slug}.jpg")] {
            let cover = world.get(&path, "").await;
            let known = Request::get(&path).header("if-none-match", cover.header("etag"));
            let known = world.send(known.body(Body::empty()).unwrap()).await;
            assert_eq!((cover.status.as_u16(), known.status.as_u16(), known.bytes.len()), (200, 304, 0));
        }
    });
}
