//! What webhooks are told, and what becomes of messages that do not come through.

use std::time::Duration;

use domain::Job;
use serde_json::{Value, json};

use super::{DAY, Message, add, cast, deliveries, path, shown};
use crate::harness::{GREEN, RED, World, on_both_engines, photo};
use crate::payments::{paid, verify};

#[test]
fn an_event_is_reported_once_it_is_made() {
    // [HOOK011]
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
    // [HOOK004]
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
        storage::operations::runtime::jobs::enqueue(&mut tx, world.app.id(), &job, now, now).await.unwrap();
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
    // [HOOK005] [HOOK044]
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
        // Of two messages of one millisecond neither is the newer one.
        world.clock.advance(Duration::from_secs(1));
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
fn a_refund_is_reported_when_its_money_is_on_its_way_and_not_before() {
    // [HOOK044]
    crate::payments::with_provider(async |world, provider| {
        let (administrator, ravi, receiver) = cast(&world).await;
        add(&world, &administrator, &receiver.url, &["payment.refunded"]).await;
        let payment = crate::refunds::buy(&world, &provider, &ravi, json!({"amount": 10_000})).await;
        let made = provider.refund_in_dashboard(&payment, 10_000).unwrap();
        for (event, status, told) in [("refund.created", "pending", 0), ("refund.processed", "processed", 1)]
        {
            provider.set_refund_status(&made, status);
            crate::refunds::report_refund(&world, &provider, event, &made).await;
            world.drain().await;
            assert_eq!(receiver.take().len(), told, "{event}");
        }
    });
}
