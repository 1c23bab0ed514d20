//! What photographers' webhooks are told of.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use domain::webhooks::EventType;
use serde_json::{Value, json};

use super::insert;
use super::own::{PATH, account};
use crate::client_selections;
use crate::downloads::{Party, party};
use crate::harness::{GREEN, PUBLIC_URL, RED, World, on_both_engines, photo};
use crate::objections::live_captures::without_capture;
use crate::objections::object;
use crate::publication::publication;

const MINUTE: Duration = Duration::from_secs(60);

/// The bodies of the messages to a webhook, oldest first.
async fn told(world: &World, token: &str, id: &str) -> Vec<Value> {
    let answer = world.get(&format!("{PATH}/{id}/deliveries?limit=100"), token).await;
    assert_eq!(answer.status, 200);
    let deliveries = answer.json()["deliveries"].as_array().unwrap().clone();
    let payload = |delivery: &Value| serde_json::from_str(delivery["payload"].as_str().unwrap()).unwrap();
    deliveries.iter().rev().map(payload).collect()
}

/// What every message says of its event, with `more`.
fn of(event: &Value, more: &Value) -> Value {
    let slug = event["slug"].as_str().unwrap();
    let mut all = json!({
        "event_id": event["id"], "slug": slug, "name": event["name"],
        "url": format!("{PUBLIC_URL}/event/{slug}"),
    });
    all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    all
}

fn parts(messages: &[Value]) -> Vec<(&str, &Value)> {
    messages.iter().map(|message| (message["type"].as_str().unwrap(), &message["data"])).collect()
}

#[test]
fn photos_that_become_searchable_are_counted_for_a_minute() {
    // [HOOK048]
    on_both_engines(async |world: World| {
        let (ravi, meera) =
            (world.photographer("ravi@example.com").await, world.photographer("meera@example.com").await);
        let own = insert(&world, Some(account(&world, &ravi).await)).await;
        let others = insert(&world, Some(account(&world, &meera).await)).await;
        let event = world.event(&ravi, "Party").await;
        for number in 0..3 {
            assert_eq!(world.upload(&ravi, &event, "a.jpg", &photo(&[RED], number)).await.status, 201);
        }
        world.drain().await;
        let since = world.app.now().to_rfc3339();
        assert!(told(&world, &ravi, &own).await.is_empty(), "nothing is told yet");
        world.clock.advance(MINUTE);
        world.drain().await;
        let messages = told(&world, &ravi, &own).await;
        let data = of(&event, &json!({"photos": 3, "since": since}));
        assert_eq!(parts(&messages), [("photo.searchable", &data)]);
        assert!(told(&world, &meera, &others).await.is_empty(), "of their own events alone");

        // Nothing is counted for whoever does not ask.
        let of_meera = world.event(&meera, "Haldi").await;
        world.delete(&format!("{PATH}/{others}"), &meera).await;
        assert_eq!(world.upload(&meera, &of_meera, "a.jpg", &photo(&[RED], 1)).await.status, 201);
        world.drain().await;
        let counted = of_meera["id"].as_str().unwrap();
        let mut tx = world.parts.db.begin().await.unwrap();
        let taken = storage::webhooks::counts::take(&mut tx, EventType::PhotoSearchable, counted).await;
        assert_eq!(taken.unwrap(), None);
    });
}

#[test]
fn a_complete_event_is_told_of_whoever_of_its_team_says_so() {
    // [HOOK049]
    on_both_engines(async |world: World| {
        let crate::teams::Team { owner, manager, event, .. } = crate::teams::team(&world).await;
        let own = insert(&world, Some(account(&world, &owner).await)).await;
        let managers = insert(&world, Some(account(&world, &manager).await)).await;
        let photos = 2;
        for number in 0..photos {
            assert_eq!(world.upload(&owner, &event, "a.jpg", &photo(&[RED], number)).await.status, 201);
        }
        let say = async |token: &str, what: &str| {
            assert_eq!(publication(&world, token, &event, json!({"publication": what})).await.status, 200);
        };
        say(&manager, "complete").await;
        say(&manager, "complete").await;
        let messages = told(&world, &owner, &own).await;
        let data = of(&event, &json!({"photos": photos}));
        assert_eq!(parts(&messages), [("event.complete", &data)], "once");
        assert!(told(&world, &manager, &managers).await.is_empty(), "the owner alone is told");
        say(&owner, "as_they_arrive").await;
        world.clock.advance(MINUTE);
        say(&owner, "complete").await;
        let again = told(&world, &owner, &own).await;
        assert_eq!(again.iter().filter(|message| message["type"] == "event.complete").count(), 2);
    });
}

#[test]
fn a_finished_selection_is_told_of_once_and_without_the_clients_name() {
    // [HOOK050] [SAFE467]
    on_both_engines(async |world: World| {
        let Party { token, event, matches, .. } = party(&world).await;
        let own = insert(&world, Some(account(&world, &token).await)).await;
        let made = client_selections::make(&world, &token, &event, json!({"name": "Asha Rao"})).await;
        for photo in &matches[..2] {
            made.choose(&world, photo["photo_id"].as_str().unwrap()).await;
        }
        for _ in 0..2 {
            assert!(made.finish(&world, "Please brighten them").await.status.is_success());
        }
        let messages = told(&world, &token, &own).await;
        let data = of(&event, &json!({"selection_id": made.id, "photos": 2}));
        assert_eq!(parts(&messages), [("selection.done", &data)]);
        let text = messages[0].to_string();
        for secret in ["Asha", "brighten", &made.secret] {
            assert!(!text.contains(secret), "{secret}: {text}");
        }
    });
}

#[test]
fn a_guest_who_waits_is_told_of_without_saying_who() {
    // [HOOK051] [SAFE467]
    on_both_engines(async |world: World| {
        let Party { token, event, matches, .. } = party(&world).await;
        let own = insert(&world, Some(account(&world, &token).await)).await;
        let now = world.app.now().to_rfc3339();
        let data = |waiting: &str| of(&event, &json!({"waiting": waiting, "count": 1, "since": now}));

        let question = json!({"key": matches[0]["s3_key"], "email": "guest@example.org", "message": "Who?"});
        let path = format!("/api/face/questions/{}", event["slug"].as_str().unwrap());
        assert_eq!(world.post(&path, "", question).await.status, 202);

        let shown = without_capture(&world, &event, GREEN).await;
        assert_eq!(object(&world, &shown["token"], "hide").await.status, 201);
        // What takes effect at once waits for nobody.
        crate::objections::hide(&world, &event, GREEN).await;

        crate::guest_photos::things(&world, &token, &event).await;
        world.clock.advance(MINUTE);
        world.drain().await;

        let messages = told(&world, &token, &own).await;
        let expected = [data("question"), data("removal_request"), data("guest_photos")];
        let expected: Vec<(&str, &Value)> = expected.iter().map(|data| ("guest.waiting", data)).collect();
        assert_eq!(parts(&messages), expected);
        for message in &messages {
            assert!(!message.to_string().contains("guest@"), "{message}");
        }
    });
}

#[test]
fn a_locked_account_is_told_nothing_more() {
    // [HOOK052]
    on_both_engines(async |world: World| {
        let Party { token, event, matches, .. } = party(&world).await;
        let own = insert(&world, Some(account(&world, &token).await)).await;
        let ask = async || {
            let question =
                json!({"key": matches[0]["s3_key"], "email": "guest@example.org", "message": "Who?"});
            let path = format!("/api/face/questions/{}", event["slug"].as_str().unwrap());
            assert_eq!(world.post(&path, "", question).await.status, 202);
        };
        let lock = async |locked_at: &str| {
            let statement =
                format!("UPDATE users SET locked_at = {locked_at} WHERE email = 'meera@example.com'");
            storage::testing::change(&world.parts.db, &statement).await;
        };
        ask().await;
        lock("1").await;
        ask().await;
        world.drain().await;
        lock("NULL").await;
        world.clock.advance(Duration::from_secs(1));
        let deliveries = world.get(&format!("{PATH}/{own}/deliveries"), &token).await.json();
        let states: Vec<(&Value, &Value)> = deliveries["deliveries"]
            .as_array()
            .unwrap()
            .iter()
            .map(|delivery| (&delivery["state"], &delivery["attempts"]))
            .collect();
        assert_eq!(states, [(&json!("dropped"), &json!(0))], "what waited is dropped, and nothing is added");
        ask().await;
        world.drain().await;
        let answer = world.get(&format!("{PATH}/{own}/deliveries"), &token).await.json();
        assert_eq!(answer["deliveries"][0]["attempts"], 1, "afterwards again");
    });
}

#[test]
fn messages_to_photographers_have_workers_of_their_own() {
    // [HOOK055]
    use domain::operations::runtime::jobs::Queue;
    on_both_engines(async |world: World| {
        let ravi = world.photographer("ravi@example.com").await;
        world.drain().await;
        let id = insert(&world, Some(account(&world, &ravi).await)).await;
        assert_eq!(world.post(&format!("{PATH}/{id}/test"), &ravi, json!({})).await.status, 202);
        let (now, lease) = (world.app.now(), world.app.now().plus(MINUTE));
        for (queue, is_there) in [(Queue::Webhook, false), (Queue::OwnWebhook, true)] {
            let claimed =
                storage::operations::runtime::jobs::claim(&world.parts.db, &queue.kinds(), "w", now, lease)
                    .await
                    .unwrap();
            assert_eq!(claimed.is_some(), is_there, "{queue:?}");
        }
    });
}

#[test]
fn no_connection_is_made_into_the_operators_network_for_a_photographer() {
    // [SAFE463]
    // Not even where an address has come into the database by another way.
    on_both_engines(async |world: World| {
        let ravi = world.photographer("ravi@example.com").await;
        let world = World::with_settings(world.parts.db.clone(), |settings| {
            settings.private_webhooks = true;
        })
        .await;
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = connections.clone();
        let listening = tokio::spawn(async move {
            while listener.accept().await.is_ok() {
                counted.fetch_add(1, Ordering::SeqCst);
            }
        });
        let id = insert(&world, Some(account(&world, &ravi).await)).await;
        for scheme in ["http", "https"] {
            let to = format!("UPDATE webhook_endpoints SET url = '{scheme}://127.0.0.1:{port}/'");
            storage::testing::change(&world.parts.db, &to).await;
            assert_eq!(world.post(&format!("{PATH}/{id}/test"), &ravi, json!({})).await.status, 202);
            world.clock.advance(Duration::from_secs(1));
            world.drain().await;
            let sent = world.get(&format!("{PATH}/{id}/deliveries"), &ravi).await.json();
            let newest = &sent["deliveries"][0];
            assert_eq!((&newest["state"], &newest["attempts"]), (&json!("failed"), &json!(1)));
            assert_eq!(newest["last_attempt"]["status"], Value::Null);
        }
        listening.abort();
        assert_eq!(connections.load(Ordering::SeqCst), 0);
    });
}
