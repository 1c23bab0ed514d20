//! Webhooks when things go wrong: workers that die, jobs that run twice, endpoints that go away meanwhile.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use app::webhooks::endpoints::{self, Entered};
use app::webhooks::keepers::Keeper;
use domain::accounts::User;
use domain::webhooks::{DeliveryState, EventType};
use domain::{Job, WebhookDeliveryId, WebhookEndpointId};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::world::World;

const LEASE: Duration = Duration::from_secs(60);

/// A receiver that says yes, and keeps the ids of what it gets.
async fn receiver() -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://127.0.0.1:{}/", listener.local_addr().unwrap().port());
    let ids = Arc::<Mutex<Vec<String>>>::default();
    let got = Arc::clone(&ids);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let (mut text, mut chunk) = (String::new(), [0; 4_096]);
            // The body ends with the object in it.
            while !text.ends_with("}}") {
                let read = stream.read(&mut chunk).await.unwrap();
                text.push_str(&String::from_utf8_lossy(&chunk[..read]));
            }
            let id = text.lines().find_map(|line| line.strip_prefix("webhook-id: ")).unwrap();
            got.lock().unwrap().push(id.to_owned());
            stream
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                .await
                .unwrap();
        }
    });
    (url, ids)
}

async fn add(world: &World, url: &str, event_type: EventType) -> (User, WebhookEndpointId) {
    let administrator = world.register().await;
    world.drain().await;
    let event_types = vec![event_type.as_str().to_owned()];
    let entered = Entered { url: url.to_owned(), description: String::new(), event_types };
    let created = endpoints::create(&world.app, Keeper::Administrator(&administrator), None, &entered).await;
    (administrator, created.unwrap().endpoint.id)
}

async fn test(world: &World, (by, endpoint): &(User, WebhookEndpointId)) -> WebhookDeliveryId {
    endpoints::test(&world.app, Keeper::Administrator(by), &endpoint.to_string()).await.unwrap().id
}

async fn state(world: &World, id: WebhookDeliveryId) -> Option<(DeliveryState, i64)> {
    let delivery = storage::webhooks::deliveries::by_id(&world.parts.db, id).await.unwrap();
    delivery.map(|delivery| (delivery.state, delivery.attempts))
}

/// Enqueues a job once more.
async fn again(world: &World, job: &Job) {
    let (now, mut tx) = (world.clock.now(), world.parts.db.begin().await.unwrap());
    storage::operations::runtime::jobs::enqueue(&mut tx, world.app.id(), job, now, now).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_message_of_a_crashed_worker_is_sent_by_another_with_its_id_and_then_never_again() {
    let world = World::new().await;
    let (url, ids) = receiver().await;
    let added = add(&world, &url, EventType::EventCreated).await;
    let delivery = test(&world, &added).await;
    // A worker has taken the job, and dies after it has sent the message.
    let (kinds, now) = (domain::operations::runtime::jobs::Queue::Webhook.kinds(), world.clock.now());
    let claimed =
        storage::operations::runtime::jobs::claim(&world.parts.db, &kinds, "dead", now, now.plus(LEASE))
            .await
            .unwrap();
    assert!(claimed.is_some());
    assert_eq!((world.drain().await, state(&world, delivery).await), (0, Some((DeliveryState::Waiting, 0))));
    world.clock.advance(LEASE);
    assert_eq!(world.drain().await, 1);
    assert_eq!(state(&world, delivery).await, Some((DeliveryState::Delivered, 1)));
    again(&world, &Job::DeliverWebhook { delivery }).await;
    assert_eq!(world.drain().await, 1, "it changes nothing");
    assert_eq!(*ids.lock().unwrap(), [format!("msg_{delivery}")]);
    assert_eq!(state(&world, delivery).await, Some((DeliveryState::Delivered, 1)));
}

#[tokio::test]
async fn a_message_whose_webhook_is_gone_goes_too() {
    let world = World::new().await;
    let (url, ids) = receiver().await;
    let added = add(&world, &url, EventType::EventCreated).await;
    let delivery = test(&world, &added).await;
    // As when it is deleted while a message is written.
    let gone = format!("DELETE FROM webhook_endpoints WHERE id = '{}'", added.1);
    storage::testing::change(&world.parts.db, &gone).await;
    assert_eq!(world.drain().await, 1);
    assert_eq!((state(&world, delivery).await, ids.lock().unwrap().len()), (None, 0));
}

#[tokio::test]
async fn what_was_counted_is_told_once_however_often_its_job_runs() {
    let world = World::new().await;
    let (url, ids) = receiver().await;
    add(&world, &url, EventType::PhotoIndexed).await;
    let owner = app::testing::rows::photographer(&world.app).await.unwrap();
    let event = app::testing::rows::event(&world.app, owner).await.unwrap();
    let mut tx = world.parts.db.begin().await.unwrap();
    let counted = storage::webhooks::counts::Counted { photos: 3, ..Default::default() };
    let (now, kind) = (world.clock.now(), EventType::PhotoIndexed);
    storage::webhooks::counts::add(&mut tx, kind, Some(event), owner, counted, now).await.unwrap();
    tx.commit().await.unwrap();
    let job = Job::ReportCounts { event_type: kind, collection: event.to_string() };
    again(&world, &job).await;
    again(&world, &job).await;
    // The two jobs, and the message of the first.
    assert_eq!(world.drain().await, 3);
    assert_eq!(ids.lock().unwrap().len(), 1);
}
