//! Heads of pages, for programs that do not run the web app.

use axum::body::Body;
use axum::http::Request;
use serde_json::json;

use crate::harness::{PAGE, World, on_both_engines};
use crate::snapshots::assert_html;

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The built page with another head.
fn page_with(head: &str) -> String {
    let built = "<!-- head: replaced --><title>Afterglow</title><!-- /head -->";
    assert!(PAGE.contains(built));
    PAGE.replace(built, head)
}

#[test]
fn the_link_of_no_event_is_answered_404_with_the_web_app() {
    // [PUB053]
    on_both_engines(async |world: World| {
        for path in ["/event/", "/event/none-abcdefghjk", "/event/a/b", "/event/%00", "/event/%3Cscript%3E"] {
            let answer = world.get(path, "").await;
            assert_eq!((answer.status.as_u16(), text(&answer.bytes)), (404, String::from(PAGE)), "{path}");
        }
        // Only the event is missing there; any other path is the web app's.
        for path in ["/event", "/events", "/nowhere"] {
            assert_eq!(world.get(path, "").await.status, 200, "{path}");
        }
    });
}

#[test]
fn a_shared_link_shows_the_events_name_and_a_drawn_picture() {
    // [PUB049] [PUB050] [PUB051]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Priya <3 \"Rahul\" & Söhne").await;
        let slug = event["slug"].as_str().unwrap();
        let answer = world.get(&format!("/event/{slug}"), "").await;
        let page = text(&answer.bytes);
        let public = world.get(&format!("/api/events/{slug}"), "").await;
        let data = text(&public.bytes).replace('<', "\\u003c");
        let head = include_str!("heads/event.html").replace("{slug}", slug).replace("{event}", &data);
        assert_html(&page, &page_with(&head));
        let picture = format!("http://localhost:8080/covers/{slug}.jpg");
        assert_eq!(answer.header("x-robots-tag"), "noindex");
        assert_eq!(answer.header("cache-control"), "no-cache");
        let known = Request::get(format!("/event/{slug}")).header("if-none-match", answer.header("etag"));
        assert_eq!(world.send(known.body(Body::empty()).unwrap()).await.status, 304);

        // The picture is a JPEG of the size in the head, the same each time, and no photo.
        let cover = world.get(&picture, "").await;
        assert_eq!(cover.header("content-type"), "image/jpeg");
        assert_eq!(cover.header("cache-control"), "public, max-age=86400");
        let decoded = image::load_from_memory(&cover.bytes).unwrap();
        assert_eq!((decoded.width(), decoded.height()), (1200, 630));
        assert!(world.get(&picture, "").await.bytes == cover.bytes);

        // The page of a deleted event does not name it.
        assert_eq!(
            world.delete(&format!("/api/events/{}", event["id"].as_str().unwrap()), &token).await.status,
            200
        );
        let gone = world.get(&format!("/event/{slug}"), "").await;
        assert_eq!((gone.status.as_u16(), text(&gone.bytes)), (404, String::from(PAGE)));
        assert_eq!(gone.header("x-robots-tag"), "noindex");
        assert_eq!(gone.header("content-type"), "text/html; charset=utf-8");
        // A browser that has the page of another dead link is not told that it is still good.
        let known = Request::get(format!("/event/{slug}")).header("if-none-match", gone.header("etag"));
        assert_eq!(world.send(known.body(Body::empty()).unwrap()).await.status, 404);
        assert_eq!(world.get(&picture, "").await.error(), (404, String::from("Event not found")));
    });
}

#[test]
fn the_home_page_has_its_own_head_and_the_others_the_built_one() {
    // [PUB049]
    on_both_engines(async |world: World| {
        let front = world.get("/", "").await;
        let page = text(&front.bytes);
        assert_html(&page, &page_with(include_str!("heads/home.html")));
        assert_eq!(front.header("x-robots-tag"), "");
        assert_eq!(world.get("/covers/site.jpg", "").await.status, 200);
        for path in ["/login", "/pricing", "/admin/events"] {
            assert_eq!(text(&world.get(path, "").await.bytes), PAGE, "{path}");
        }
        for path in ["/covers/none.jpg", "/covers/site.png", "/covers/.jpg"] {
            assert_eq!(world.get(path, "").await.error().0, 404, "{path}");
        }
        assert_eq!(world.post("/covers/site.jpg", "", json!({})).await.error().0, 405);
    });
}

#[test]
fn crawlers_may_read_the_site_but_no_event_no_admin_page_and_no_api() {
    // [PUB051]
    on_both_engines(async |world: World| {
        let answer = world.get("/robots.txt", "").await;
        assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
        let robots = text(&answer.bytes);
        let (previews, others) = robots.split_once("\n\n").unwrap();
        assert!(previews.contains("User-agent: WhatsApp\n") && !previews.contains("/event/"));
        assert_eq!(
            others,
            "User-agent: *\nDisallow: /admin\nDisallow: /api/\nDisallow: /event/\nDisallow: /wall/\nDisallow: /selection/\n"
        );
    });
}

#[test]
fn an_event_has_a_document_of_its_own_and_a_dead_link_that_of_the_app() {
    // [PUB060]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let path = format!("/event/{}", event["slug"].as_str().unwrap());
        let document = |body: &str| format!("<!-- head --><!-- /head --><body>{body}</body>");
        let (app_page, guest_page) = (document("the app"), document("a guest"));
        let web_app = || {
            let (app_page, guest_page) = (app_page.clone(), guest_page.clone());
            api::WebApp::new(move |path| {
                let page = match path {
                    "index.html" => app_page.clone(),
                    "event.html" => guest_page.clone(),
                    _ => return None,
                };
                let media_type = String::from("text/html; charset=utf-8");
                Some(api::Asset::new(page.into_bytes(), media_type))
            })
        };
        for (path, status, body) in [
            (path.as_str(), 200, "a guest"),
            ("/event/none-abcdefghjk", 404, "the app"),
            ("/", 200, "the app"),
            ("/event.html", 200, "the app"),
        ] {
            let answer = world.get_with(web_app(), path, &[]).await;
            assert_eq!(answer.status, status, "{path}");
            let page = text(&answer.bytes);
            assert!(page.ends_with(&format!("<body>{body}</body>")), "{path}: {page}");
            let has_manifest = page.contains("<link rel=\"manifest\" href=\"/event/");
            assert_eq!(has_manifest, body == "a guest", "{path}");
        }
    });
}

#[test]
fn a_rendered_page_is_in_the_language_of_its_reader() {
    // [NAV082]
    on_both_engines(async |world: World| {
        const FILES: [(&str, &str); 6] = [
            ("index.html", "the app"),
            ("pages/home.en.html", "<!-- head --><!-- /head -->home"),
            ("pages/pricing.en.html", "prices"),
            ("pages/pricing.hi.html", "prices in Hindi"),
            ("pages/pricing.ar.html", "prices in Arabic"),
            ("pages/script-src.txt", "'sha256-abc='\n"),
        ];
        let web_app = || {
            api::WebApp::new(|path| {
                let (_, text) = FILES.iter().find(|(name, _)| *name == path)?;
                Some(api::Asset::new(text.as_bytes().to_vec(), String::from("text/html; charset=utf-8")))
            })
        };
        for (path, languages, expected) in [
            ("/pricing", "hi-IN,hi;q=0.9,en;q=0.8", "prices in Hindi"),
            ("/pricing/", "ta, en;q=0.5, ar;q=0.6", "prices in Arabic"),
            ("/pricing", "ja", "prices"),
            ("/pricing", "", "prices"),
            ("/login", "hi", "the app"),
            ("/pages/pricing.hi.html", "", "the app"),
            ("/pages/script-src.txt", "", "the app"),
            ("/../pages/pricing", "", "the app"),
        ] {
            let answer = world.get_with(web_app(), path, &[("accept-language", languages)]).await;
            assert_eq!(
                (answer.status.as_u16(), text(&answer.bytes)),
                (200, expected.into()),
                "{path} {languages}"
            );
            assert!(answer.header("vary").contains("accept-language"), "{path}");
            let policy = answer.header("content-security-policy");
            assert!(policy.contains("; script-src 'self' 'sha256-abc='"), "{policy}");
        }
        let home = world.get_with(web_app(), "/", &[]).await;
        let home = text(&home.bytes);
        assert!(home.contains("<title>") && home.ends_with("home"), "{home}");

        // A guest's page has no script of its own.
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let path = format!("/event/{}", event["slug"].as_str().unwrap());
        let answer = world.get_with(web_app(), &path, &[]).await;
        assert!(!answer.header("content-security-policy").contains("sha256"));
    });
}

#[test]
fn a_file_that_the_build_compressed_is_sent_so_to_those_who_accept_it() {
    on_both_engines(async |world: World| {
        let script = "let photos = []; ".repeat(100);
        let send = async |accepted: &str, known: &str| {
            let script = script.clone();
            let web_app = api::WebApp::new(move |path| {
                let (bytes, media_type) = (script.clone().into_bytes(), String::from("text/javascript"));
                let brotli = Some(b"compressed".as_slice().into());
                (path == "assets/a.js").then(|| api::Asset { brotli, ..api::Asset::new(bytes, media_type) })
            });
            let headers = [("accept-encoding", accepted), ("if-none-match", known)];
            world.get_with(web_app, "/assets/a.js", &headers).await
        };
        let plain = send("identity", "").await;
        assert_eq!((plain.status.as_u16(), text(&plain.bytes)), (200, script.clone()));
        assert_eq!((plain.header("vary"), plain.header("content-encoding")), ("accept-encoding", ""));

        let compressed = send("gzip, br", "").await;
        assert_eq!((compressed.status.as_u16(), text(&compressed.bytes)), (200, String::from("compressed")));
        for (name, value) in [
            ("content-encoding", "br"),
            ("content-type", "text/javascript"),
            ("vary", "accept-encoding"),
            ("cache-control", "public, max-age=31536000, immutable"),
        ] {
            assert_eq!(compressed.header(name), value, "{name}");
        }
        // Each form has a tag of its own: a cache must not take one for the other.
        assert_ne!(compressed.header("etag"), plain.header("etag"));
        assert_eq!(send("gzip, br", compressed.header("etag")).await.status, 304);
        assert_eq!(send("gzip, br", plain.header("etag")).await.status, 200);

        // Others get it compressed while it is sent, as all responses.
        let zipped = send("gzip", "").await;
        assert_eq!((zipped.header("content-encoding"), zipped.header("vary")), ("gzip", "accept-encoding"));
        assert!(zipped.bytes.len() < script.len());
    });
}

#[test]
fn an_event_has_a_manifest_that_opens_it() {
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Priya <3 \"Rahul\"").await;
        let page = format!("/event/{}", event["slug"].as_str().unwrap());
        let path = format!("{page}/manifest.webmanifest");
        let answer = world.get(&path, "").await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("content-type"), "application/manifest+json");
        assert_eq!((answer.header("cache-control"), answer.header("x-robots-tag")), ("no-cache", "noindex"));
        assert!(answer.header("content-security-policy").contains("manifest-src 'self'"));
        let manifest = answer.json();
        for field in ["id", "start_url", "scope"] {
            assert_eq!(manifest[field], page, "{field}");
        }
        for field in ["name", "short_name"] {
            assert_eq!(manifest[field], "Priya <3 \"Rahul\"", "{field}");
        }
        assert_eq!(manifest["display"], "standalone");
        assert_eq!([&manifest["theme_color"], &manifest["background_color"]], ["#0E0E0E"; 2]);
        // The icons are the web app's.
        let public = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/public");
        let icons = manifest["icons"].as_array().unwrap();
        assert!(icons.iter().any(|icon| icon["purpose"] == "maskable"));
        for icon in icons {
            let file = format!("{public}{}", icon["src"].as_str().unwrap());
            assert!(std::path::Path::new(&file).exists(), "{file}");
        }
        let known = Request::get(&path).header("if-none-match", answer.header("etag"));
        assert_eq!(world.send(known.body(Body::empty()).unwrap()).await.status, 304);

        let unknown = world.get("/event/none-abcdefghjk/manifest.webmanifest", "").await;
        assert_eq!(unknown.error(), (404, String::from("Event not found")));
        assert_eq!(world.post(&path, "", json!({})).await.error().0, 405);
        let own = format!("/api/events/{}", event["id"].as_str().unwrap());
        assert_eq!(world.delete(&own, &token).await.status, 200);
        assert_eq!(world.get(&path, "").await.status, 404, "the event is deleted");
    });
}

#[test]
fn an_event_opens_with_its_words_before_its_scripts_are_there_and_no_other_page_does() {
    // [PUB064]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Priya & Rahul").await;
        let (id, slug) = (event["id"].as_str().unwrap(), event["slug"].as_str().unwrap());
        let path = format!("/event/{slug}");
        let change = async |change| {
            assert_eq!(world.patch(&format!("/api/events/{id}"), &token, change).await.status, 200);
        };
        change(json!({ "description": "At the <lake>" })).await;
        let web_app = || {
            api::WebApp::new(|path| {
                let root = match path {
                    "event.html" => {
                        "<!-- opening --><main dir={direction}><!-- sky --><img src=\"{cover}\"><!-- /sky --><!-- photo -->a photo<!-- /photo --><h1>{name}</h1><!-- description --><p>{description}</p><!-- /description --><!-- studio -->{studio}<!-- /studio --></main><!-- /opening -->"
                    }
                    "index.html" => "the app",
                    _ => return None,
                };
                let page = format!("<!-- head --><!-- /head --><body>{root}</body>");
                Some(api::Asset::new(page.into_bytes(), String::from("text/html; charset=utf-8")))
            })
        };
        let document = async |path: &str, languages: &'static str| {
            text(&world.get_with(web_app(), path, &[("accept-language", languages)]).await.bytes)
        };
        let body = async |path: &str, languages: &'static str| {
            document(path, languages).await.split_once("<body>").unwrap().1.replace(slug, "SLUG")
        };
        let opening = |direction: &str, description: &str| {
            format!(
                "<main dir={direction}><img src=\"/covers/SLUG.svg\"><h1>Priya &amp; Rahul</h1>{description}</main></body>"
            )
        };
        let described = "<p>At the &lt;lake&gt;</p>";
        assert_eq!(body(&path, "en").await, opening("ltr", described));
        assert_eq!(
            document(&path, "en").await.matches("lake").count(),
            2,
            "the answer of the API has it too"
        );
        assert_eq!(body(&path, "ur, ar;q=0.9, en;q=0.8").await, opening("rtl", described));
        for (path, expected) in [
            ("/selection/", "</body>"),
            ("/event/none-abcdefghjk", "the app</body>"),
            ("/", "the app</body>"),
        ] {
            assert_eq!(body(path, "en").await, expected, "{path}");
        }
        // What an event with a PIN is about is for those who have it.
        change(json!({ "pin": "482915" })).await;
        assert_eq!(body(&path, "en").await, opening("ltr", ""));
        assert!(!document(&path, "en").await.contains("lake"));
    });
}
