//! Webhooks: added and looked after by administrators.

mod messages;
mod own;
mod own_messages;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::UserId;
use domain::webhooks::{Endpoint, EventType, EventTypes, Secret};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::harness::{World, on_both_engines};

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

/// A webhook to which nothing can be delivered, and its id: of operators, or of a photographer.
pub(crate) async fn insert(world: &World, owner: Option<UserId>) -> String {
    let (types, choices) = match owner {
        None => (vec!["payment.refunded"], &EventType::OPERATORS[..]),
        Some(_) => (EventType::PHOTOGRAPHERS.map(EventType::as_str).to_vec(), &EventType::PHOTOGRAPHERS[..]),
    };
    let endpoint = Endpoint {
        id: world.app.id(),
        owner,
        url: String::from("http://127.0.0.1:9/"),
        description: String::new(),
        event_types: EventTypes::parse(&types, choices).unwrap(),
        secret: Secret::from_bytes([1; 32]),
        former_secret: None,
        failing_since: None,
        disabled: None,
        created_at: world.app.now(),
    };
    let mut tx = world.parts.db.begin().await.unwrap();
    storage::webhooks::endpoints::create(&mut tx, &endpoint).await.unwrap();
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
    // [HOOK045]
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
    // [HOOK043]
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
    // [HOOK030] [HOOK043] [HOOK031]
    on_both_engines(async |world: World| {
        let (administrator, _, _) = cast(&world).await;
        let enter = async |world: &World| {
            let body = json!({"url": "http://127.0.0.1:9/", "event_types": ["event.created"]});
            world.post(PATH, &administrator, body).await.status.as_u16()
        };
        assert_eq!(enter(&world).await, 201, "it is tried out on this machine");
        // A public service asks administrators for it.
        crate::second_factors::turn_on(&world, &administrator).await;
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
fn a_test_is_sent_once_and_counts_for_nothing() {
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
        app::operations::maintenance::all(&world.app).await.unwrap();
        let administrator =
            world.log_in("admin@example.com").await.json()["token"].as_str().unwrap().to_owned();
        assert!(deliveries(&world, &administrator, &webhook).await.is_empty());
    });
}
