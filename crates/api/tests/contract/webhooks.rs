//! Webhooks: added and looked after by administrators, told of what happens, signed, tried again, given up.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::Job;
use domain::webhooks::{Endpoint, EventTypes, Secret};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::harness::{GREEN, RED, World, on_both_engines, photo};
use crate::payments::{paid, verify};

const PATH: &str = "/api/administration/webhooks";
const SECOND: Duration = Duration::from_secs(1);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A message as a receiver gets it.
#[derive(Clone)]
struct Message {
    id: String,
    timestamp: String,
    signature: String,
    body: String,
}

impl Message {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// How many of its signatures a secret has made, as a receiver verifies it.
    fn signed_by(&self, secret: &str) -> usize {
        let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
        mac.update(format!("{}.{}.{}", self.id, self.timestamp, self.body).as_bytes());
        let expected = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
        self.signature.split(' ').filter(|signature| *signature == expected).count()
    }
}

/// A receiver on this machine, which answers what it is told to, and 204 when it is told nothing.
struct Receiver {
    url: String,
    messages: Arc<Mutex<Vec<Message>>>,
    answers: Arc<Mutex<VecDeque<&'static str>>>,
}

impl Receiver {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://127.0.0.1:{}/hook", listener.local_addr().unwrap().port());
        let (messages, answers) =
            (Arc::<Mutex<Vec<Message>>>::default(), Arc::<Mutex<VecDeque<_>>>::default());
        let (got, next) = (messages.clone(), answers.clone());
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (mut bytes, mut chunk) = (Vec::new(), [0; 4_096]);
                let (head, body) = loop {
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    if let Some((head, body)) = text.split_once("\r\n\r\n")
                        && body.len() >= header(head, "content-length").parse::<usize>().unwrap()
                    {
                        break (head.to_owned(), body.to_owned());
                    }
                    let read = stream.read(&mut chunk).await.unwrap();
                    assert!(read > 0, "the request is whole");
                    bytes.extend_from_slice(&chunk[..read]);
                };
                got.lock().unwrap().push(Message {
                    id: header(&head, "webhook-id"),
                    timestamp: header(&head, "webhook-timestamp"),
                    signature: header(&head, "webhook-signature"),
                    body,
                });
                let answer = next.lock().unwrap().pop_front().unwrap_or("204 No Content\r\n");
                let answer = format!("HTTP/1.1 {answer}Connection: close\r\n\r\n");
                stream.write_all(answer.as_bytes()).await.unwrap();
                stream.shutdown().await.unwrap();
            }
        });
        Self { url, messages, answers }
    }

    fn answer(&self, answers: &[&'static str]) {
        self.answers.lock().unwrap().extend(answers);
    }

    fn take(&self) -> Vec<Message> {
        std::mem::take(&mut *self.messages.lock().unwrap())
    }
}

fn header(head: &str, name: &str) -> String {
    let line = head.lines().find(|line| line.to_lowercase().starts_with(&format!("{name}: ")));
    line.map_or_else(String::new, |line| line[name.len() + 2..].to_owned())
}

/// The tokens of an administrator and of a photographer, and a receiver.
async fn cast(world: &World) -> (String, String, Receiver) {
    let administrator = world.photographer("admin@example.com").await;
    world.clock.advance(SECOND);
    (administrator, world.photographer("ravi@example.com").await, Receiver::start().await)
}

/// Adds a webhook; answers it with its secret.
async fn add(world: &World, token: &str, url: &str, event_types: &[&str]) -> Value {
    let body = json!({"url": url, "description": "Chat", "event_types": event_types});
    let answer = world.post(PATH, token, body).await;
    assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.bytes));
    answer.json()
}

/// A webhook to which nothing can be delivered, and its id.
pub(crate) async fn insert(world: &World) -> String {
    let endpoint = Endpoint {
        id: world.app.id(),
        url: String::from("http://127.0.0.1:9/"),
        description: String::new(),
        event_types: EventTypes::parse(&["payment.refunded"]).unwrap(),
        secret: Secret::from_bytes([1; 32]),
        former_secret: None,
        failing_since: None,
        disabled: None,
        created_at: world.app.now(),
    };
    let mut tx = world.parts.db.begin().await.unwrap();
    storage::webhook_endpoints::create(&mut tx, &endpoint).await.unwrap();
    tx.commit().await.unwrap();
    endpoint.id.to_string()
}

fn path(webhook: &Value, rest: &str) -> String {
    format!("{PATH}/{}{rest}", webhook["id"].as_str().unwrap())
}

async fn shown(world: &World, token: &str) -> Value {
    world.get(PATH, token).await.json()["webhooks"][0].clone()
}

async fn deliveries(world: &World, token: &str, webhook: &Value) -> Vec<Value> {
    let answer = world.get(&path(webhook, "/deliveries"), token).await;
    answer.json()["deliveries"].as_array().unwrap().clone()
}

#[test]
fn administrators_look_after_webhooks() {
    // [HOOK010] [HOOK011] [HOOK014]
    on_both_engines(async |world: World| {
        let (administrator, ravi, _) = cast(&world).await;
        let none = world.get(PATH, &administrator).await.json();
        let types =
            json!(["event.created", "photo.indexed", "search.done", "payment.captured", "payment.refunded"]);
        assert_eq!(none, json!({"webhooks": [], "event_types": types}));
        let not_allowed = (403, String::from("Only administrators can do this."));
        assert_eq!(world.get(PATH, &ravi).await.error(), not_allowed);

        let made =
            add(&world, &administrator, "https://example.com/hook", &["search.done", "event.created"]).await;
        let secret = made["secret"].as_str().unwrap();
        assert!(secret.starts_with("whsec_") && secret.len() == 50, "{secret}");
        let mut listed = made.clone();
        listed.as_object_mut().unwrap().remove("secret");
        let expected = json!({
            "id": made["id"], "url": "https://example.com/hook", "description": "Chat",
            "event_types": ["event.created", "search.done"], "disabled": null, "failing_since": null,
            "former_secret_until": null, "created_at": world.app.now().to_rfc3339(), "newest": null,
        });
        assert_eq!(
            (&shown(&world, &administrator).await, &listed),
            (&expected, &expected),
            "without its secret"
        );

        let body =
            json!({"url": "https://example.org/", "description": " ", "event_types": ["photo.indexed"]});
        let changed = world.put(&path(&made, ""), &administrator, body).await.json();
        assert_eq!(changed["url"], "https://example.org/");
        assert_eq!(
            (&changed["description"], &changed["event_types"]),
            (&json!(""), &json!(["photo.indexed"]))
        );

        assert_eq!(world.delete(&path(&made, ""), &administrator).await.status, 200);
        let unknown = (404, String::from("There is no such webhook"));
        assert_eq!(world.delete(&path(&made, ""), &administrator).await.error(), unknown);
        assert_eq!(world.get(&path(&made, "/deliveries"), &administrator).await.error(), unknown);
        for rest in ["/test", "/secret"] {
            assert_eq!(world.post(&path(&made, rest), &administrator, json!({})).await.error(), unknown);
        }
        let switch = world.put(&path(&made, "/switch"), &administrator, json!({"on": true})).await;
        assert_eq!(switch.error(), unknown);
        let body = json!({"url": "https://example.org/", "event_types": ["photo.indexed"]});
        assert_eq!(world.put(&format!("{PATH}/x"), &administrator, body).await.error(), unknown);
    });
}

#[test]
fn what_is_entered_is_checked() {
    // [HOOK010] [HOOK030]
    on_both_engines(async |world: World| {
        let (administrator, _, _) = cast(&world).await;
        let enter = async |url: &str, description: &str, event_types: Value| {
            let body = json!({"url": url, "description": description, "event_types": event_types});
            world.post(PATH, &administrator, body).await.error()
        };
        let (good, chosen) = ("https://example.com/", json!(["event.created"]));
        let refused = |text: &str| (400, text.to_owned());
        let invalid = refused(
            "The address must be a URL that begins with https://, without a login, at most 500 characters long",
        );
        for url in ["", "example.com", "ftp://example.com", "https://me@example.com/"] {
            assert_eq!(enter(url, "", chosen.clone()).await, invalid, "{url}");
        }
        let private = refused(
            "This address is in a private or reserved network, where webhooks are not sent. An operator can allow private networks in the settings.",
        );
        for url in ["https://10.0.0.1/", "https://169.254.169.254/latest", "http://8.8.8.8/"] {
            assert_eq!(enter(url, "", chosen.clone()).await, private, "{url}");
        }
        let long = refused("Description must be at most 200 characters long");
        assert_eq!(enter(good, &"x".repeat(201), chosen.clone()).await, long);
        assert_eq!(enter(good, "", json!([])).await, refused("Please choose at least one event"));
        let unknown = refused("There is no such event of webhooks");
        assert_eq!(enter(good, "", json!(["webhook.test"])).await, unknown);
        for _ in 0..20 {
            add(&world, &administrator, good, &["event.created"]).await;
        }
        let many = (409, String::from("There are 20 webhooks already. Please delete one first."));
        assert_eq!(enter(good, "", chosen).await, many);
    });
}

#[test]
fn a_public_service_sends_to_no_private_network_unless_its_operator_says_so() {
    // [HOOK030] [HOOK031]
    on_both_engines(async |world: World| {
        let (administrator, _, _) = cast(&world).await;
        let enter = async |world: &World| {
            let body = json!({"url": "http://127.0.0.1:9/", "event_types": ["event.created"]});
            world.post(PATH, &administrator, body).await.status.as_u16()
        };
        assert_eq!(enter(&world).await, 201, "it is tried out on this machine");
        let db = world.parts.db.clone();
        let public = |private_webhooks| {
            World::with_settings(db.clone(), move |settings| {
                settings.public_url = String::from("https://photos.example");
                settings.private_webhooks = private_webhooks;
            })
        };
        assert_eq!(enter(&public(false).await).await, 400);
        assert_eq!(enter(&public(true).await).await, 201);
    });
}

#[test]
fn an_event_is_reported_once_it_is_made() {
    // [HOOK001] [HOOK002] [HOOK011]
    on_both_engines(async |world: World| {
        let (administrator, ravi, receiver) = cast(&world).await;
        let webhook = add(&world, &administrator, &receiver.url, &["event.created"]).await;
        let event = world.event(&ravi, "Party").await;
        assert!(receiver.take().is_empty(), "the request does not wait for it");
        assert!(world.drain().await >= 1);
        let [message] = &receiver.take()[..] else { panic!("one message") };
        let owner = world.get("/api/auth/me", &ravi).await.json()["user"]["id"].clone();
        let now = world.app.now();
        assert_eq!(
            message.json(),
            json!({"type": "event.created", "timestamp": now.to_rfc3339(), "data": {
                "event_id": event["id"], "owner_id": owner, "name": "Party", "date": "2026-11-14",
                "url": format!("http://localhost:8080/event/{}", event["slug"].as_str().unwrap()),
            }})
        );
        assert_eq!(message.signed_by(webhook["secret"].as_str().unwrap()), 1);
        assert_eq!(message.timestamp, now.as_seconds().to_string());
        let [delivery] = &deliveries(&world, &administrator, &webhook).await[..] else {
            panic!("one delivery")
        };
        assert_eq!(delivery["message_id"], *message.id);
        assert_eq!(delivery["payload"], *message.body);
        assert_eq!((&delivery["state"], &delivery["attempts"]), (&json!("delivered"), &json!(1)));
        assert_eq!(
            (&delivery["next_attempt_at"], &delivery["last_attempt"]["status"]),
            (&Value::Null, &json!(204))
        );
        assert_eq!(shown(&world, &administrator).await["newest"], *delivery);
        assert_eq!(world.drain().await, 0);
    });
}

#[test]
fn photos_and_searches_are_counted_for_a_minute() {
    // [HOOK003] [HOOK004]
    on_both_engines(async |world: World| {
        let (administrator, ravi, receiver) = cast(&world).await;
        add(&world, &administrator, &receiver.url, &["photo.indexed", "search.done"]).await;
        let event = world.event(&ravi, "Party").await;
        for number in 0..3 {
            assert_eq!(world.upload(&ravi, &event, "a.jpg", &photo(&[RED], number)).await.status, 201);
        }
        world.drain().await;
        for selfie in [RED, GREEN] {
            assert_eq!(world.search(&event, &photo(&[selfie], 9)).await.status, 200);
        }
        let since = world.app.now().to_rfc3339();
        app::statistics::write(&world.app).await.unwrap();
        assert_eq!((world.drain().await, receiver.take().len()), (0, 0), "nothing is told yet");
        world.clock.advance(Duration::from_secs(60));
        world.drain().await;
        let mut told: Vec<Value> = receiver.take().iter().map(Message::json).collect();
        told.sort_by_key(|message| message["type"].to_string());
        let data: Vec<&Value> = told.iter().map(|message| &message["data"]).collect();
        let id = &event["id"];
        assert_eq!(
            data,
            [
                &json!({"event_id": id, "photos": 3, "since": since}),
                &json!({"event_id": id, "searches": 2, "found": 1, "since": since}),
            ]
        );

        // Indexed again, as with another model pack, a photo is not new.
        let known = world.upload(&ravi, &event, "a.jpg", &photo(&[RED], 0)).await.json();
        let job = Job::IndexPhoto { photo: known["id"].as_str().unwrap().parse().unwrap() };
        let mut tx = world.parts.db.begin().await.unwrap();
        let now = world.app.now();
        storage::jobs::enqueue(&mut tx, world.app.id(), &job, now, now).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(world.drain().await, 1);
        world.clock.advance(Duration::from_secs(60));
        assert_eq!((world.drain().await, receiver.take().len()), (0, 0));
        // Of an event that is gone nobody is told.
        assert_eq!(world.upload(&ravi, &event, "b.jpg", &photo(&[RED], 7)).await.status, 201);
        world.drain().await;
        let deleted = world.delete(&format!("/api/events/{}", event["id"].as_str().unwrap()), &ravi).await;
        assert!(deleted.status.is_success());
        world.clock.advance(Duration::from_secs(60));
        world.drain().await;
        assert!(receiver.take().is_empty());
    });
}

#[test]
fn a_payment_is_reported_once() {
    // [HOOK005]
    on_both_engines(async |world: World| {
        let (administrator, ravi, receiver) = cast(&world).await;
        add(&world, &administrator, &receiver.url, &["payment.captured", "payment.refunded"]).await;
        let proof = paid(&world, &ravi, json!({"amount": 10_000})).await;
        for _ in 0..2 {
            assert_eq!(verify(&world, &ravi, &proof).await.status, 200);
        }
        world.drain().await;
        let [captured] = &receiver.take()[..] else { panic!("one message") };
        let captured = captured.json();
        assert_eq!(captured["type"], "payment.captured");
        let data = &captured["data"];
        assert_eq!((&data["amount_paise"], &data["currency"]), (&json!(10_000), &json!("INR")));
        assert_eq!((&data["purpose"], &data["outcome"]), (&json!("credits"), &json!("credits")));
        assert_eq!((&data["credits_paise"], &data["refund_due"]), (&json!(20_000), &json!(false)));
        assert_eq!(data["provider"], "sandbox");

        let payment = data["payment_id"].as_str().unwrap();
        let refund = format!("/api/administration/payments/{payment}/refund");
        assert_eq!(world.post(&refund, &administrator, json!({})).await.status, 200);
        world.drain().await;
        let [refunded] = &receiver.take()[..] else { panic!("one message") };
        let refunded = refunded.json();
        assert_eq!(refunded["type"], "payment.refunded");
        assert_eq!(refunded["data"]["payment_id"], payment);
        assert_eq!(refunded["data"]["amount_paise"], 10_000);
    });
}

#[test]
fn a_message_that_fails_comes_again_with_its_id() {
    // [HOOK020] [HOOK021] [HOOK022]
    on_both_engines(async |world: World| {
        let (administrator, ravi, receiver) = cast(&world).await;
        let webhook = add(&world, &administrator, &receiver.url, &["event.created"]).await;
        let secret = webhook["secret"].as_str().unwrap();
        receiver.answer(&[
            "500 Internal Server Error\r\n",
            "302 Found\r\nLocation: /elsewhere\r\n",
            "429 Too Many Requests\r\nRetry-After: 3600\r\n",
        ]);
        let start = world.app.now();
        world.event(&ravi, "Party").await;
        world.drain().await;
        let failing = shown(&world, &administrator).await;
        assert_eq!(failing["failing_since"], start.to_rfc3339());
        let newest = &failing["newest"];
        assert_eq!((&newest["state"], &newest["last_attempt"]["status"]), (&json!("waiting"), &json!(500)));
        assert_eq!(world.drain().await, 0, "it waits");
        let mut ids = vec![receiver.take().remove(0).id];
        // With the tenth that is added at most; the third failure asks for an hour.
        for wait in [6, 330, 3_600] {
            world.clock.advance(Duration::from_secs(wait));
            assert_eq!(world.drain().await, 1, "{wait}");
            let [message] = &receiver.take()[..] else { panic!("one message") };
            assert_eq!(message.timestamp, world.app.now().as_seconds().to_string(), "the attempt's own");
            assert_eq!(message.signed_by(secret), 1);
            ids.push(message.id.clone());
        }
        ids.dedup();
        assert_eq!(ids.len(), 1, "{ids:?}");
        let delivered = shown(&world, &administrator).await;
        assert_eq!(
            (&delivered["newest"]["state"], &delivered["newest"]["attempts"]),
            (&json!("delivered"), &json!(4))
        );
        assert_eq!(delivered["failing_since"], Value::Null);
    });
}

#[test]
fn a_webhook_that_fails_for_days_is_switched_off() {
    // [HOOK013] [HOOK023]
    on_both_engines(async |world: World| {
        let (administrator, ravi, receiver) = cast(&world).await;
        let webhook = add(&world, &administrator, &receiver.url, &["event.created"]).await;
        receiver.answer(&["500 Internal Server Error\r\n"; 50]);
        world.event(&ravi, "First").await;
        world.drain().await;
        // Its ten attempts take three days; the next message finds the endpoint as it was.
        world.clock.advance(DAY * 4);
        while world.drain().await > 0 {
            world.clock.advance(DAY);
        }
        let off = shown(&world, &administrator).await;
        assert_eq!(off["disabled"]["by"], "failures", "{off}");
        assert_eq!(off["newest"]["state"], "dropped");
        receiver.take();

        world.event(&ravi, "Second").await;
        world.drain().await;
        assert!(receiver.take().is_empty(), "it is off");
        receiver.answers.lock().unwrap().clear();
        let on = world.put(&path(&webhook, "/switch"), &administrator, json!({"on": true})).await.json();
        assert_eq!((&on["disabled"], &on["failing_since"]), (&Value::Null, &Value::Null));
        world.event(&ravi, "Third").await;
        world.drain().await;
        let [message] = &receiver.take()[..] else { panic!("one message") };
        assert_eq!(message.json()["data"]["name"], "Third");

        // Switched off, it gives up what waits.
        receiver.answer(&["500 Internal Server Error\r\n"]);
        world.event(&ravi, "Fourth").await;
        world.drain().await;
        let off = world.put(&path(&webhook, "/switch"), &administrator, json!({"on": false})).await.json();
        assert_eq!(off["disabled"], json!({"at": world.app.now().to_rfc3339(), "by": "administrator"}));
        assert_eq!(
            (&off["newest"]["state"], &off["newest"]["next_attempt_at"]),
            (&json!("dropped"), &Value::Null)
        );
        let again = world.put(&path(&webhook, "/switch"), &administrator, json!({"on": false})).await;
        assert_eq!(again.json(), off, "also when it is off");
        receiver.take();
        world.clock.advance(DAY);
        world.drain().await;
        assert!(receiver.take().is_empty());
    });
}

#[test]
fn a_webhook_that_is_gone_is_switched_off_at_once() {
    // [HOOK022] [HOOK023]
    on_both_engines(async |world: World| {
        let (administrator, ravi, receiver) = cast(&world).await;
        add(&world, &administrator, &receiver.url, &["event.created"]).await;
        receiver.answer(&["410 Gone\r\n"]);
        world.event(&ravi, "First").await;
        world.event(&ravi, "Second").await;
        world.drain().await;
        assert_eq!(receiver.take().len(), 1, "the other one is dropped");
        let off = shown(&world, &administrator).await;
        assert_eq!(off["disabled"]["by"], "gone");
    });
}

#[test]
fn a_test_is_sent_once_and_counts_for_nothing() {
    // [HOOK015]
    on_both_engines(async |world: World| {
        let (administrator, _, receiver) = cast(&world).await;
        let webhook = add(&world, &administrator, &receiver.url, &["event.created"]).await;
        let test = path(&webhook, "/test");
        receiver.answer(&["500 Internal Server Error\r\n", "410 Gone\r\n"]);
        for state in ["failed", "failed", "delivered"] {
            let answer = world.post(&test, &administrator, json!({})).await;
            assert_eq!((answer.status.as_u16(), &answer.json()["state"]), (202, &json!("waiting")));
            world.clock.advance(SECOND);
            assert_eq!(world.drain().await, 1);
            let after = shown(&world, &administrator).await;
            assert_eq!(after["newest"]["state"], state);
            assert_eq!((&after["failing_since"], &after["disabled"]), (&Value::Null, &Value::Null));
        }
        let body = receiver.take()[0].json();
        assert_eq!(
            (&body["type"], &body["data"]),
            (&json!("webhook.test"), &json!({"webhook_id": webhook["id"]}))
        );
        // Also before it is switched on.
        world.put(&path(&webhook, "/switch"), &administrator, json!({"on": false})).await;
        world.post(&test, &administrator, json!({})).await;
        world.drain().await;
        assert_eq!(receiver.take().len(), 1);
    });
}

#[test]
fn a_new_secret_signs_beside_the_one_before_for_a_day() {
    // [HOOK012]
    on_both_engines(async |world: World| {
        let (administrator, _, receiver) = cast(&world).await;
        let webhook = add(&world, &administrator, &receiver.url, &["event.created"]).await;
        let former = webhook["secret"].as_str().unwrap().to_owned();
        let rotated = world.post(&path(&webhook, "/secret"), &administrator, json!({})).await.json();
        let new = rotated["secret"].as_str().unwrap().to_owned();
        assert_ne!(new, former);
        let until = world.app.now().plus(DAY);
        assert_eq!(rotated["former_secret_until"], until.to_rfc3339());
        let signed = async || {
            world.post(&path(&webhook, "/test"), &administrator, json!({})).await;
            world.drain().await;
            let message = receiver.take().remove(0);
            (message.signed_by(&new), message.signed_by(&former), message.signature.split(' ').count())
        };
        assert_eq!(signed().await, (1, 1, 2));
        world.clock.advance(DAY);
        assert_eq!(signed().await, (1, 0, 1));
        assert_eq!(shown(&world, &administrator).await["former_secret_until"], Value::Null);
    });
}

#[test]
fn deliveries_come_page_by_page_and_are_forgotten_after_30_days() {
    // [HOOK016]
    on_both_engines(async |world: World| {
        let (administrator, _, receiver) = cast(&world).await;
        let webhook = add(&world, &administrator, &receiver.url, &["event.created"]).await;
        for _ in 0..3 {
            world.clock.advance(SECOND);
            world.post(&path(&webhook, "/test"), &administrator, json!({})).await;
            world.drain().await;
        }
        let all = deliveries(&world, &administrator, &webhook).await;
        assert_eq!(all.len(), 3);
        let mut paged = Vec::new();
        let mut cursor = String::new();
        loop {
            let query = format!("/deliveries?limit=2{cursor}");
            let page = world.get(&path(&webhook, &query), &administrator).await.json();
            paged.extend(page["deliveries"].as_array().unwrap().clone());
            let Some(next) = page["next_cursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        assert_eq!(paged, all);
        let bad = world.get(&path(&webhook, "/deliveries?cursor=x"), &administrator).await;
        assert_eq!(bad.status, 400);

        world.clock.advance(DAY * 31);
        app::maintenance::all(&world.app).await.unwrap();
        let administrator =
            world.log_in("admin@example.com").await.json()["token"].as_str().unwrap().to_owned();
        assert!(deliveries(&world, &administrator, &webhook).await.is_empty());
    });
}
