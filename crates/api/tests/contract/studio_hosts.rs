//! Studios' own host names: /api/studio/host, /api/site/host-allowed, and what answers at such a host.

use axum::body::Body;
use gateway::testing::FakeDns;
use serde_json::{Value, json};

use crate::harness::{Answer, BLUE, Field, RED, World, bucket, encode, photo, request};
use crate::subscriptions::{ask, mails, token_of};

const HOST: &str = "bilder.red-fort.example";
const OPERATOR: &str = "http://localhost:8080";
const OWN: &str = "http://bilder.red-fort.example:8080";
const MISSING: &str = "The TXT record is not there yet. A new record can take an hour to be seen.";

struct Studio {
    token: String,
    event: Value,
}

impl Studio {
    async fn new(world: &World, email: &str, person: [u8; 3]) -> Self {
        let token = world.photographer(email).await;
        let event = world.event(&token, "Sangeet").await;
        assert_eq!(world.upload(&token, &event, "a.jpg", &photo(&[person], 1)).await.status, 201);
        world.drain().await;
        world.put("/api/studio", &token, json!({"name": "Red Fort"})).await;
        Self { token, event }
    }

    fn slug(&self) -> &str {
        self.event["slug"].as_str().unwrap()
    }

    /// Names the host, answers the record of it that is to be made, and makes it.
    async fn prove(&self, world: &World, dns: &FakeDns) -> Answer {
        let named = world.put("/api/studio/host", &self.token, json!({"name": HOST})).await.json();
        let record = &named["host"]["record"];
        dns.set(record["name"].as_str().unwrap(), &[record["value"].as_str().unwrap()]);
        world.post("/api/studio/host/proof", &self.token, json!({})).await
    }
}

/// A service that offers hosts, and the DNS that it asks.
async fn offering(db: storage::Db) -> (World, FakeDns) {
    let dns = FakeDns::start().await.unwrap();
    let world = World::with_settings(db, |settings| {
        settings.studio_hosts = true;
        settings.dns_server = Some(dns.address());
    });
    (world.await, dns)
}

/// The links of an answer, whatever they are called.
fn links(answer: &Value) -> Vec<&str> {
    match answer {
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(name, value)| match value.as_str() {
                Some(link) if name.ends_with("url") => vec![link],
                _ => links(value),
            })
            .collect(),
        Value::Array(values) => values.iter().flat_map(links).collect(),
        _ => Vec::new(),
    }
}

async fn at(
    world: &World,
    host: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: Vec<u8>,
) -> Answer {
    let request = request(method, path, "").header("host", host);
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    world.send(request.body(Body::from(body)).unwrap()).await
}

async fn get_at(world: &World, host: &str, path: &str) -> Answer {
    at(world, host, "GET", path, &[], Vec::new()).await
}

async fn search_at(world: &World, host: &str, studio: &Studio, proof: &str) -> Answer {
    let body = encode(&[Field::file("image", "selfie.jpg", &photo(&[RED], 9)), Field::notice()]);
    let headers = [("content-type", "multipart/form-data; boundary=line"), ("event-access", proof)];
    at(world, host, "POST", &format!("/api/face/search/{}", studio.slug()), &headers, body).await
}

#[tokio::test]
async fn hosts_are_off_until_the_operator_offers_them() {
    // [BRAND050]
    for database in storage::testing::engines().await {
        let world = World::new(database.db.clone()).await;
        let studio = Studio::new(&world, "meera@example.com", RED).await;
        let shown = world.get("/api/studio/host", &studio.token).await.json();
        assert_eq!(shown, json!({"offered": false, "host": null, "target": "localhost"}));
        let refused = world.put("/api/studio/host", &studio.token, json!({"name": HOST})).await;
        assert_eq!(refused.error(), (404, String::from("There is no own address")));
        assert_eq!(world.get("/api/site/host-allowed?host=localhost", "").await.status, 204);
        assert_eq!(world.get(&format!("/api/site/host-allowed?host={HOST}"), "").await.status, 404);
        assert_eq!(get_at(&world, HOST, "/api/health").await.status, 200, "it is the service's own page");
    }
}

#[tokio::test]
async fn a_host_answers_once_its_record_is_seen() {
    // [BRAND051]
    for database in storage::testing::engines().await {
        let (world, dns) = offering(database.db.clone()).await;
        let studio = Studio::new(&world, "meera@example.com", RED).await;
        for (name, status, text) in [
            ("meera", 400, "Please enter a host name such as photos.your-studio.com"),
            ("Localhost.", 400, "Please enter a host name such as photos.your-studio.com"),
        ] {
            let refused = world.put("/api/studio/host", &studio.token, json!({"name": name})).await;
            assert_eq!(refused.error(), (status, text.to_owned()), "{name}");
        }
        let missing = world.post("/api/studio/host/proof", &studio.token, json!({})).await;
        assert_eq!(missing.error(), (404, String::from("There is no own address")));

        let named =
            world.put("/api/studio/host", &studio.token, json!({"name": format!("https://{HOST}/")})).await;
        let host = named.json()["host"].clone();
        assert_eq!((&host["name"], &host["proved_at"]), (&json!(HOST), &json!(null)));
        assert_eq!(host["record"]["name"], format!("_afterglow.{HOST}"));
        let unproved = world.post("/api/studio/host/proof", &studio.token, json!({})).await;
        assert_eq!(unproved.error(), (409, MISSING.to_owned()));
        dns.set(&format!("_afterglow.{HOST}"), &["afterglow-host=somebody-elses"]);
        assert_eq!(world.post("/api/studio/host/proof", &studio.token, json!({})).await.status, 409);
        assert_eq!(world.get(&format!("/api/site/host-allowed?host={HOST}"), "").await.status, 404);

        let again = world.put("/api/studio/host", &studio.token, json!({"name": HOST})).await.json();
        assert_eq!(again["host"], host, "the same name keeps its record");
        let proved = studio.prove(&world, &dns).await;
        assert_eq!((proved.status.as_u16(), proved.json()["host"]["proved_at"].is_string()), (200, true));
        for question in ["host=Bilder.Red-Fort.Example", "domain=bilder.red-fort.example"] {
            assert_eq!(world.get(&format!("/api/site/host-allowed?{question}"), "").await.status, 204);
        }
        let path = format!("/api/events/{}", studio.slug());
        for host in [HOST, "bilder.red-fort.example:8080", "localhost:8080", "127.0.0.1"] {
            assert_eq!(get_at(&world, host, &path).await.status, 200, "{host}");
        }
        // Another process knows of it too.
        let other = world.second_process(&world.parts.db).await;
        assert_eq!(get_at(&other, HOST, "/api/studio").await.status, 404, "what is not for guests");
        let removed = world.delete("/api/studio/host", &studio.token).await.json();
        assert_eq!(removed["host"], json!(null));
        assert_eq!(get_at(&world, HOST, "/api/studio").await.status, 401, "it is the service's own again");
    }
}

#[tokio::test]
async fn links_codes_and_mails_of_a_studio_lead_to_its_host() {
    // [BRAND052]
    for database in storage::testing::engines().await {
        let (world, dns) = offering(database.db.clone()).await;
        let studio = Studio::new(&world, "meera@example.com", RED).await;
        let listed = async || world.get("/api/events/", &studio.token).await.json()[0].clone();
        assert!(listed().await.get("guest_url").is_none());
        assert_eq!(studio.prove(&world, &dns).await.status, 200);
        assert_eq!(listed().await["guest_url"], OWN);
        let wall = format!("/api/events/{}/wall", studio.event["id"].as_str().unwrap());
        let wall = world.put(&wall, &studio.token, json!({})).await.json()["wall"]["url"].clone();
        assert!(wall.as_str().unwrap().starts_with(&format!("{OWN}/wall/")), "{wall}");
        let selections = format!("/api/events/{}/selections", studio.event["id"].as_str().unwrap());
        let selection = world.post(&selections, &studio.token, json!({"name": "Bride"})).await.json();
        assert!(selection["url"].as_str().unwrap().starts_with(&format!("{OWN}/selection/")), "{selection}");

        mails(&world).await;
        let found = search_at(&world, HOST, &studio, "").await.json();
        let photo = found["matches"][0]["url"].as_str().unwrap().to_owned();
        assert!(photo.starts_with(&format!("{OWN}/api/files/")), "{photo}");
        let found = search_at(&world, "localhost", &studio, "").await.json();
        assert_eq!(ask(&world, &found["subscription_token"], "guest@example.com").await.status, 202);
        let mail = mails(&world).await.remove(0);
        let page = format!("{OWN}/event/{}", studio.slug());
        assert!(mail.links.iter().all(|link| link.starts_with(&page)), "{:?}", mail.links);

        let page = get_at(&world, HOST, &format!("/event/{}", studio.slug())).await;
        assert_eq!(page.status, 200);
        let policy = page.header("content-security-policy");
        assert!(policy.contains("img-src 'self' data: blob:;") && !policy.contains("localhost"), "{policy}");
        let card = String::from_utf8(page.bytes).unwrap();
        assert!(
            card.contains(&format!("<meta property=\"og:url\" content=\"{OWN}/event/{}\"", studio.slug())),
            "{card}"
        );
    }
}

#[tokio::test]
async fn a_guest_saves_photos_at_a_studios_host_and_hears_of_new_ones() {
    // [BRAND056]
    for database in storage::testing::engines().await {
        let (world, dns) = offering(database.db.clone()).await;
        let studio = Studio::new(&world, "meera@example.com", RED).await;
        let other = Studio::new(&world, "arjun@example.com", BLUE).await;
        assert_eq!(studio.prove(&world, &dns).await.status, 200);
        let found = search_at(&world, HOST, &studio, "").await.json();
        let handle = found["matches"][0]["s3_key"].as_str().unwrap();
        let saved = get_at(&world, HOST, &format!("/api/photos/download-by-s3?key={handle}")).await;
        assert_eq!(saved.status, 200);
        let saved = saved.json();
        assert_eq!(links(&saved).len(), 2, "the original and the web size");
        for link in links(&saved) {
            let file = link.strip_prefix(OWN).unwrap();
            assert_eq!(get_at(&world, HOST, file).await.status, 200, "{link}");
        }
        let indexing = |studio: &Studio| format!("/api/events/{}/indexing", studio.slug());
        let answer = get_at(&world, HOST, &indexing(&studio)).await;
        assert_eq!((answer.status.as_u16(), &answer.json()["indexed"]), (200, &json!(1)));
        assert_eq!(get_at(&world, HOST, &indexing(&other)).await.status, 404);
    }
}

#[tokio::test]
async fn files_of_a_bucket_come_through_the_server_at_a_studios_host() {
    // [BRAND057] The bucket's CORS rules name the service's own origin.
    for database in storage::testing::engines().await {
        let (mut world, dns) = offering(database.db.clone()).await;
        let studio = Studio::new(&world, "meera@example.com", RED).await;
        assert_eq!(studio.prove(&world, &dns).await.status, 200);
        world.parts.store = bucket();
        let elsewhere = world.restarted().await;
        for (host, start) in [("localhost", "https://objects.example/"), (HOST, OWN)] {
            let found = search_at(&elsewhere, host, &studio, "").await.json();
            let handle = found["matches"][0]["s3_key"].as_str().unwrap();
            let saved = get_at(&elsewhere, host, &format!("/api/photos/download-by-s3?key={handle}")).await;
            let saved = saved.json();
            for link in links(&found["matches"]).into_iter().chain(links(&saved)) {
                assert!(link.starts_with(start), "{host}: {link}");
            }
            let page = get_at(&elsewhere, host, &format!("/event/{}", studio.slug())).await;
            let policy = page.header("content-security-policy");
            assert_eq!(policy.contains("objects.example"), host == "localhost", "{policy}");
        }
    }
}

#[tokio::test]
async fn what_one_host_has_given_is_worth_nothing_at_the_other() {
    // [SAFE471]
    for database in storage::testing::engines().await {
        let (world, dns) = offering(database.db.clone()).await;
        let studio = Studio::new(&world, "meera@example.com", RED).await;
        let other = Studio::new(&world, "arjun@example.com", BLUE).await;
        assert_eq!(studio.prove(&world, &dns).await.status, 200);
        let path = |studio: &Studio| format!("/api/events/{}", studio.slug());

        // A studio's host knows its own events, and nobody's account.
        assert_eq!(get_at(&world, HOST, &path(&other)).await.status, 404);
        assert_eq!(get_at(&world, "localhost", &path(&other)).await.status, 200);
        let change = format!("/api/events/{}", studio.event["id"].as_str().unwrap());
        let bearer = format!("Bearer {}", studio.token);
        let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
        let changed = at(&world, HOST, "PATCH", &change, &headers, b"{\"pin\":\"471147\"}".to_vec()).await;
        assert_eq!(changed.status, 401, "a session opens nothing there");
        for (method, path) in [("POST", "/api/auth/login"), ("GET", "/api/events/"), ("GET", "/metrics")] {
            let answer = at(&world, HOST, method, path, &headers, b"{}".to_vec()).await;
            assert!([404, 307].contains(&answer.status.as_u16()), "{path}: {}", answer.status);
        }
        let pages = get_at(&world, HOST, "/admin/events?a=b").await;
        assert_eq!(
            (pages.status.as_u16(), pages.header("location")),
            (307, "http://localhost:8080/admin/events?a=b")
        );

        // The proof that a guest knows the PIN, and the links to files.
        let set = world.patch(&change, &studio.token, json!({"pin": "471147"})).await;
        assert_eq!(set.status, 200, "{}", set.error().1);
        let enter = async |host: &str| {
            let path = format!("/api/face/access/{}", studio.slug());
            let headers = [("content-type", "application/json")];
            let entered = at(&world, host, "POST", &path, &headers, b"{\"pin\":\"471147\"}".to_vec()).await;
            entered.json()["access_token"].as_str().unwrap().to_owned()
        };
        for (one, another) in [(HOST, "localhost:8080"), ("localhost:8080", HOST)] {
            let proof = enter(one).await;
            let found = search_at(&world, one, &studio, &proof).await;
            assert_eq!(found.status, 200);
            assert_eq!(search_at(&world, another, &studio, &proof).await.status, 403, "{another}");
            let url = found.json()["matches"][0]["url"].as_str().unwrap().to_owned();
            let file = url.trim_start_matches(OWN).trim_start_matches(OPERATOR);
            assert_eq!(get_at(&world, one, file).await.status, 200, "{url}");
            assert_ne!(get_at(&world, another, file).await.status, 200, "{url}");
        }
    }
}

#[tokio::test]
async fn tokens_that_one_host_has_given_open_nothing_at_the_other() {
    // [SAFE471]
    for database in storage::testing::engines().await {
        let (world, dns) = offering(database.db.clone()).await;
        let studio = Studio::new(&world, "meera@example.com", RED).await;
        assert_eq!(studio.prove(&world, &dns).await.status, 200);
        let slug = studio.slug();
        let post = async |host: &str, path: &str, body: Value| {
            let headers = [("content-type", "application/json")];
            at(&world, host, "POST", path, &headers, body.to_string().into_bytes()).await
        };
        let refused = |answer: Answer, text: &str| {
            assert_eq!(answer.error().1, text);
            assert!((400..500).contains(&answer.status.as_u16()), "{}", answer.status);
        };
        for (one, another) in [(HOST, "localhost:8080"), ("localhost:8080", HOST)] {
            mails(&world).await;
            let found = search_at(&world, one, &studio, "").await.json();
            let results = json!({"token": found["download_token"]});
            assert_eq!(post(one, "/api/face/results", results.clone()).await.status, 200);
            refused(
                post(another, "/api/face/results", results).await,
                "This link has expired. Take a new selfie to find your photos again.",
            );
            let zip = format!("/api/face/download/{}.zip", found["download_token"].as_str().unwrap());
            assert_eq!(get_at(&world, one, &zip).await.status, 200);
            assert_eq!(get_at(&world, another, &zip).await.status, 404);
            let chosen =
                json!({"tokens": [found["download_token"]], "photo_ids": [found["matches"][0]["photo_id"]]});
            assert_eq!(post(one, "/api/face/download", chosen.clone()).await.status, 201);
            assert_eq!(post(another, "/api/face/download", chosen).await.status, 404);

            let again = format!("/api/face/search/{slug}/again");
            let mut keys = vec![found["search_token"].clone()];
            let keep = json!({"token": found["search_token"], "notice_version": "2026-11-29"});
            let kept = post(one, &format!("/api/face/search/{slug}/keep"), keep).await;
            assert_eq!(kept.status, 200, "{}", kept.error().1);
            keys.push(kept.json()["key"].clone());
            for key in keys {
                assert_eq!(post(one, &again, json!({"token": key})).await.status, 200);
                assert_eq!(post(another, &again, json!({"token": key})).await.status, 404);
            }
            let ask = json!({
                "token": found["subscription_token"], "email": "guest@example.com",
                "notice_version": "2026-11", "language": "en-IN",
            });
            assert_eq!(post(another, "/api/face/subscriptions", ask.clone()).await.status, 404);
            assert_eq!(post(one, "/api/face/subscriptions", ask).await.status, 202);

            // What is mailed leads to the studio's host, wherever it was asked for.
            let mail = mails(&world).await.remove(0);
            let confirmation = json!({"token": token_of(&mail, "confirm")});
            assert_eq!(
                post("localhost", "/api/face/subscriptions/confirm", confirmation.clone()).await.status,
                400
            );
            assert_eq!(post(HOST, "/api/face/subscriptions/confirm", confirmation).await.status, 200);
            let address = json!({
                "token": found["download_token"], "email": "guest@example.com", "language": "en-IN",
            });
            assert_eq!(post(one, "/api/face/results/mail", address).await.status, 200);
            let mail = mails(&world).await.remove(0);
            let results = json!({"token": token_of(&mail, "results")});
            assert_eq!(post("localhost", "/api/face/results", results.clone()).await.status, 404);
            assert_eq!(post(HOST, "/api/face/results", results).await.status, 200);
        }
    }
}

#[tokio::test]
async fn hosts_that_cannot_be_read_again_stay_as_they_were() {
    // [BRAND055]
    for database in storage::testing::engines().await {
        let (world, dns) = offering(database.db.clone()).await;
        let studio = Studio::new(&world, "meera@example.com", RED).await;
        assert_eq!(studio.prove(&world, &dns).await.status, 200);
        world.parts.db.close().await;
        for _ in 0..2 {
            world.clock.advance(domain::DAY);
            for host in [HOST, "localhost:8080"] {
                assert_eq!(get_at(&world, host, "/api/health").await.status, 200, "{host}");
            }
            assert_eq!(get_at(&world, HOST, "/api/studio").await.status, 404, "what is not for guests");
        }
    }
}

#[tokio::test]
async fn a_record_that_is_gone_for_a_week_ends_its_host() {
    // [BRAND053]
    for database in storage::testing::engines().await {
        let (world, dns) = offering(database.db.clone()).await;
        let studio = Studio::new(&world, "meera@example.com", RED).await;
        let other = Studio::new(&world, "arjun@example.com", BLUE).await;
        assert_eq!(studio.prove(&world, &dns).await.status, 200);
        let allowed =
            async || world.get(&format!("/api/site/host-allowed?host={HOST}"), "").await.status == 204;
        let mut records =
            vec![world.get("/api/studio/host", &studio.token).await.json()["host"]["record"].clone()];

        // Another studio's record beside the first one's takes nothing from it; in its place it does.
        let named = world.put("/api/studio/host", &other.token, json!({"name": HOST})).await.json();
        records.push(named["host"]["record"].clone());
        let texts: Vec<&str> = records.iter().map(|record| record["value"].as_str().unwrap()).collect();
        let name = records[0]["name"].as_str().unwrap();
        dns.set(name, &texts);
        let taken = world.post("/api/studio/host/proof", &other.token, json!({})).await;
        assert_eq!(
            taken.error(),
            (409, String::from("Another studio has proved that this address is theirs"))
        );

        for _ in 0..6 {
            world.clock.advance(domain::DAY);
            dns.set(name, &["v=spf1 -all"]);
            world.run_due().await;
            assert!(allowed().await);
        }
        dns.set(name, &texts[..1]);
        world.clock.advance(domain::DAY);
        world.run_due().await;
        dns.set(name, &texts[1..]);
        for is_allowed in [true, true, true, true, true, true, false] {
            world.clock.advance(domain::DAY);
            world.run_due().await;
            assert_eq!(allowed().await, is_allowed);
        }
        let shown = world.get("/api/studio/host", &studio.token).await;
        assert!(shown.status == 401 || shown.json()["host"]["proved_at"].is_null());
        dns.fail();
        let token =
            world.log_in("arjun@example.com").await.json()["token"].as_str().unwrap_or_default().to_owned();
        let failed = world.post("/api/studio/host/proof", &token, json!({})).await;
        assert_eq!(failed.error(), (503, String::from("DNS did not answer. Please try again.")));
    }
}
