//! Concurrent identical requests: what must happen once happens once.

use app::operations::monitoring::Format;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::body::Body;
use axum::http::Request;
use domain::payments::coupons::{Coupon, Discount};
use domain::{CouponId, EventId, UserId};
use gateway::testing::{FakeRazorpay, SignedWebhook};
use serde_json::{Value, json};

use crate::harness::{Answer, PASSWORD, RED, World, on_both_engines, photo};

/// Runs `count` futures concurrently, each in a task of its own.
async fn concurrently<F>(count: usize, thing: impl Fn(usize) -> F) -> Vec<Answer>
where
    F: Future<Output = Answer> + Send + 'static,
{
    let tasks: Vec<_> = (0..count).map(|number| tokio::spawn(thing(number))).collect();
    let mut answers = Vec::with_capacity(count);
    for task in tasks {
        answers.push(task.await.unwrap());
    }
    answers
}

/// How many responses have each status.
fn statuses(answers: &[Answer]) -> BTreeMap<u16, usize> {
    let mut statuses = BTreeMap::new();
    for answer in answers {
        *statuses.entry(answer.status.as_u16()).or_default() += 1;
    }
    statuses
}

async fn balance(world: &World, token: &str) -> f64 {
    world.get("/api/subscription/credits", token).await.json()["credits"].as_f64().unwrap()
}

async fn assert_balanced(world: &World) {
    assert!(storage::operations::integrity::unbalanced(&world.parts.db).await.unwrap().is_empty());
}

/// A picture unlike those of other numbers.
fn picture(number: usize) -> Vec<u8> {
    let width = 200 + u32::try_from(number).unwrap();
    let mut bytes = std::io::Cursor::new(Vec::new());
    let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, 80);
    image::RgbImage::from_pixel(width, 60, image::Rgb(RED)).write_with_encoder(encoder).unwrap();
    bytes.into_inner()
}

#[test]
fn a_hundred_credits_buy_a_hundred_photos() {
    // [PAY001] [PAY039] [PAY037] [SAFE014] [SAFE015] [SAFE016]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let world = Arc::new(world);
        let upload = |number: usize| {
            let (world, token, event) = (world.clone(), token.clone(), event.clone());
            async move { world.upload(&token, &event, &format!("{number}.jpg"), &picture(number)).await }
        };
        let answers = concurrently(140, upload).await;
        let found = statuses(&answers);
        let photos = world.get("/api/photos/count", &token).await.json()["total_count"].clone();
        let (left, files) = (balance(&world, &token).await, world.stored_files().await.len());
        assert_eq!(found, BTreeMap::from([(201, 100), (402, 40)]));
        assert_eq!((photos, files), (json!(100), 100));
        assert!(left.abs() < f64::EPSILON);
        assert_balanced(&world).await;
    });
}

#[test]
fn the_same_bytes_at_the_same_moment_are_one_photo() {
    // [UPL073]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let world = Arc::new(world);
        let answers = concurrently(30, |_| {
            let (world, token, event) = (world.clone(), token.clone(), event.clone());
            async move { world.upload(&token, &event, "a.jpg", &picture(0)).await }
        })
        .await;
        let ids: BTreeSet<String> = answers.iter().map(|answer| answer.json()["id"].to_string()).collect();
        let found = statuses(&answers);
        let left = balance(&world, &token).await;
        assert_eq!(found, BTreeMap::from([(200, 29), (201, 1)]));
        assert_eq!((ids.len(), world.stored_files().await.len()), (1, 1));
        assert!((left - 99.0).abs() < f64::EPSILON);
    });
}

async fn deliver(world: Arc<World>, webhook: SignedWebhook) -> Answer {
    let request = Request::post("/api/payments/webhook")
        .header("content-type", "application/json")
        .header("x-razorpay-signature", &webhook.signature)
        .header("x-razorpay-event-id", &webhook.event_id);
    world.send(request.body(Body::from(webhook.body)).unwrap()).await
}

#[test]
fn a_payment_with_concurrent_webhooks_and_proofs_is_credited_once() {
    // [PAY055] [PAY056] [PAY058]
    on_both_engines(async |world: World| {
        let provider = FakeRazorpay::start().await.unwrap();
        let payments = gateway::Payments::razorpay(provider.settings()).unwrap();
        let world = Arc::new(World::with(world.parts.db.clone(), Some(payments)).await);
        let token = world.photographer("meera@example.com").await;
        let order = world.post("/api/payments/create-order", &token, json!({"amount": 10_000})).await.json();
        let proof = provider.pay(order["order_id"].as_str().unwrap()).unwrap();
        let body = json!({"razorpay_payment_id": proof.payment_id, "razorpay_order_id": proof.order_id, "razorpay_signature": proof.signature});
        let events = ["payment.captured", "order.paid"]
            .map(|event| provider.webhook(event, &proof.payment_id).unwrap());
        let answers = concurrently(70, |number| {
            let (world, token, body) = (world.clone(), token.clone(), body.clone());
            let webhook = events[number % 2].clone();
            async move {
                match number {
                    // Twenty deliveries of two webhook events, among fifty verifications.
                    20..40 => deliver(world, webhook).await,
                    _ => world.post("/api/payments/verify-payment", &token, body).await,
                }
            }
        })
        .await;
        let received: BTreeSet<String> = answers
            .iter()
            .map(Answer::json)
            .filter(|answer| answer.get("credits_received").is_some())
            .map(|answer| answer.to_string())
            .collect();
        let (found, credits) = (statuses(&answers), balance(&world, &token).await);
        assert_eq!(found, BTreeMap::from([(200, 70)]));
        assert_eq!(received.len(), 1, "every verification answers the same: {received:?}");
        assert!((credits - 300.0).abs() < f64::EPSILON, "100 of the start and 200 of the first recharge");
        assert_balanced(&world).await;
    });
}

#[test]
fn one_of_many_concurrent_first_recharges_is_doubled() {
    // [PAY057]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let mut proofs: Vec<Value> = Vec::new();
        for _ in 0..10 {
            let order =
                world.post("/api/payments/create-order", &token, json!({"amount": 10_000})).await.json();
            let paid = json!({"order_id": order["order_id"]});
            proofs.push(world.post("/api/payments/sandbox", &token, paid).await.json());
        }
        let world = Arc::new(world);
        let answers = concurrently(10, |number| {
            let (world, token, proof) = (world.clone(), token.clone(), proofs[number].clone());
            async move { world.post("/api/payments/verify-payment", &token, proof).await }
        })
        .await;
        let doubled = answers.iter().filter(|answer| answer.json()["was_first_recharge"] == true).count();
        let credits = balance(&world, &token).await;
        assert_eq!(statuses(&answers), BTreeMap::from([(200, 10)]));
        assert_eq!(doubled, 1);
        assert!((credits - 1_200.0).abs() < f64::EPSILON);
        assert_balanced(&world).await;
    });
}

#[test]
fn many_deletions_of_one_event_are_one_task() {
    // [EVT071]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        world.upload(&token, &event, "a.jpg", &picture(0)).await;
        let path = format!("/api/events/{}", event["id"].as_str().unwrap());
        let world = Arc::new(world);
        let answers = concurrently(20, |_| {
            let (world, token, path) = (world.clone(), token.clone(), path.clone());
            async move { world.delete(&path, &token).await }
        })
        .await;
        let tasks: BTreeSet<String> =
            answers.iter().map(|answer| answer.json()["task_id"].to_string()).collect();
        assert_eq!(statuses(&answers), BTreeMap::from([(202, 20)]));
        assert_eq!(tasks.len(), 1);
        let id: EventId = event["id"].as_str().unwrap().parse().unwrap();
        world.drain().await;
        assert!(storage::events::by_id(&world.parts.db, id).await.unwrap().unwrap().deleted_at.is_some());
        let photos = storage::testing::count(&world.parts.db, "trashed_photos").await;
        assert_eq!((photos, world.stored_files().await.is_empty()), (1, false), "it can be restored");
    });
}

#[test]
fn many_registrations_of_one_address_are_one_account() {
    // [AUTH022] [AUTH023] [CONST003]
    on_both_engines(async |world: World| {
        let world = Arc::new(world);
        let answers = concurrently(20, |number| {
            let world = world.clone();
            let email = if number % 2 == 0 { "meera@example.com" } else { "MEERA@Example.com" };
            async move { world.register(email).await }
        })
        .await;
        let accounts = storage::accounts::users::list(&world.parts.db).await.unwrap();
        assert_eq!(statuses(&answers), BTreeMap::from([(200, 1), (409, 19)]));
        assert_eq!(accounts.len(), 1);
        let id: UserId = accounts[0].id;
        assert_eq!(
            storage::payments::ledger::entries(&world.parts.db, id).await.unwrap().len(),
            1,
            "one free credit"
        );
    });
}

#[test]
fn a_coupons_last_use_goes_to_one_of_many() {
    // [PAY079] [PAY083]
    on_both_engines(async |world: World| {
        let mut tokens = Vec::new();
        for number in 0..8 {
            tokens.push(world.photographer(&format!("m{number}@example.com")).await);
        }
        let coupon = Coupon {
            id: world.app.id::<CouponId>(),
            code: String::from("HALF"),
            discount: Discount::Percent(50),
            valid_from: None,
            valid_until: None,
            max_uses: Some(1),
            max_uses_per_user: None,
            uses: 0,
            created_at: world.app.now(),
        };
        let mut tx = world.parts.db.begin().await.unwrap();
        assert!(storage::payments::coupons::create(&mut tx, &coupon).await.unwrap());
        tx.commit().await.unwrap();
        let world = Arc::new(world);
        let answers = concurrently(8, |number| {
            let (world, token) = (world.clone(), tokens[number].clone());
            let body = json!({"purpose": "premium_plan", "coupon_code": "half"});
            async move { world.post("/api/payments/create-order", &token, body).await }
        })
        .await;
        let found = statuses(&answers);
        assert_eq!(found, BTreeMap::from([(200, 1), (400, 7)]));
        for lost in answers.iter().filter(|answer| answer.status != 200) {
            assert_eq!(lost.error().1, "This coupon has been used up");
        }
    });
}

/// How many jobs of a kind this machine has done, or lost while it did them.
async fn attempts(app: &app::App, kind: &str) -> u64 {
    let text = app::operations::monitoring::metrics(app, Format::OpenMetrics).await.unwrap();
    let start = format!("afterglow_jobs_total{{kind=\"{kind}\",");
    let counts = text.lines().filter(|line| line.starts_with(&start));
    counts.map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap()).sum()
}

#[test]
fn several_machines_do_no_job_twice() {
    // [RUN006]
    on_both_engines(async |world: World| {
        const PHOTOS: u64 = 60;
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        for number in 0..PHOTOS {
            let bytes = picture(usize::try_from(number).unwrap());
            assert_eq!(world.upload(&token, &event, "a.jpg", &bytes).await.status, 201);
        }
        let stop = tokio_util::sync::CancellationToken::new();
        let mut machines = Vec::new();
        for number in 0..4 {
            let mut machine = World::new(world.parts.db.clone()).await;
            machine.parts.store = world.parts.store.clone();
            machine.parts.randomness = domain::Randomness::seeded(100 + number);
            machine.app = app::App::new(machine.parts.clone()).await.unwrap();
            let (app, stop) = (machine.app.clone(), stop.clone());
            machines.push((
                machine,
                tokio::spawn(async move { app::operations::runtime::worker::run(&app, stop).await }),
            ));
        }
        let slug = event["slug"].as_str().unwrap();
        loop {
            let indexing = world.get(&format!("/api/events/{slug}"), "").await.json()["indexing"].clone();
            if indexing["indexed"] == PHOTOS {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        stop.cancel();
        let mut done = Vec::new();
        for (machine, run) in machines {
            run.await.unwrap();
            done.push(attempts(&machine.app, "index_photo").await);
        }
        assert_eq!(done.iter().sum::<u64>(), PHOTOS);
    });
}

#[test]
fn an_account_is_closed_while_photos_and_events_arrive() {
    // [ACC053] [ACC187]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let user = storage::accounts::users::list(&world.parts.db).await.unwrap()[0].id;
        let mut events = Vec::new();
        for number in 0..6 {
            events.push(world.event(&token, &format!("Party {number}")).await);
        }
        let pictures: Vec<_> = (0..12).map(|salt| photo(&[RED], salt)).collect();
        // Newest first, which is not the order in which the closing locks them.
        let uploads =
            events.iter().rev().cycle().zip(&pictures).enumerate().map(|(number, (event, picture))| {
                let (world, token) = (&world, &token);
                async move { world.upload(token, event, &format!("{number}.jpg"), picture).await }
            });
        let made = (0..8).map(|number| {
            let body = serde_json::json!({"name": format!("Late {number}"), "date": "2026-11-14"});
            world.post("/api/events/", &token, body)
        });
        let close = axum::http::Request::delete("/api/auth/me")
            .header("authorization", format!("Bearer {token}"))
            .header("content-type", "application/json")
            .body(axum::body::Body::from(serde_json::json!({"password": PASSWORD}).to_string()))
            .unwrap();
        let (uploads, made, closed) = tokio::join!(
            futures::future::join_all(uploads),
            futures::future::join_all(made),
            world.send(close)
        );
        for answer in uploads.iter().chain(&made) {
            let text = String::from_utf8_lossy(&answer.bytes);
            let is_busy = answer.status == 503 && text.contains("\"code\":\"busy\"");
            assert!(answer.status.as_u16() < 500 || is_busy, "{} {text}", answer.status);
        }
        assert_eq!(closed.status, 200, "{}", String::from_utf8_lossy(&closed.bytes));
        world.drain().await;
        let left = storage::events::all_by_owner(&world.parts.db, user).await.unwrap();
        assert!(left.iter().all(|event| event.deleted_at.is_some()), "{left:?}");
        assert!(world.stored_files().await.is_empty());
    });
}
