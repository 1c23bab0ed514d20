//! The history of the money, its CSV, receipts, and the operator's grants.

use std::time::Duration;

use app::operations::operators;
use serde_json::{Value, json};

use crate::harness::{RED, World, on_both_engines, photo};
use crate::payments::{credits, deliver, order, with_provider};
use crate::refunds::{buy, refund, report_refund};

const HOSTILE: &str = "=HYPERLINK(\"http://x\"), <script>alert(1)</script> & \"Party\"";

async fn history(world: &World, token: &str, query: &str) -> Value {
    let answer = world.get(&format!("/api/payments/history{query}"), token).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
    answer.json()
}

fn told(lines: &[Value]) -> Vec<(&str, f64, f64)> {
    let number = |line: &Value, field: &str| line[field].as_f64().unwrap();
    lines
        .iter()
        .map(|line| (line["kind"].as_str().unwrap(), number(line, "credits"), number(line, "paid")))
        .collect()
}

#[test]
fn the_history_tells_every_change_with_its_date_and_adds_up() {
    // [PAY099] [PAY115] [PAY100] [PAY101]
    with_provider(async |world, provider| {
        let minute = || world.clock.advance(Duration::from_secs(60));
        let token = world.photographer("meera@example.com").await;
        minute();
        let first = buy(&world, &provider, &token, json!({"amount": 10_000})).await;
        minute();
        let event = world.event(&token, HOSTILE).await;
        for salt in 0..3 {
            let name = format!("{salt}.jpg");
            assert_eq!(world.upload(&token, &event, &name, &photo(&[RED], salt)).await.status, 201);
        }
        minute();
        operators::grant(&world.operator(), "meera@example.com", -200.0, Some("Chargeback, 2%"))
            .await
            .unwrap();
        minute();
        refund(&world, &first).await.unwrap();
        // The photos are deleted; what they cost stays in the history.
        assert_eq!(
            world.delete(&format!("/api/events/{}", event["id"].as_str().unwrap()), &token).await.status,
            202
        );
        world.drain().await;

        let answer = history(&world, &token, "").await;
        let lines = answer["history"].as_array().unwrap().clone();
        assert_eq!(answer["next_cursor"], Value::Null);
        let expected = [
            ("refund", -97.0, -100.0),
            ("adjustment", -200.0, 0.0),
            ("photos", -3.0, 0.0),
            ("doubling", 100.0, 0.0),
            ("recharge", 100.0, 100.0),
            ("signup", 100.0, 0.0),
        ];
        assert_eq!(told(&lines), expected);
        assert_eq!((&lines[0]["missing"], &lines[1]["note"]), (&json!(103.0), &json!("Chargeback, 2%")));
        assert_eq!((&lines[2]["photos"], &lines[2]["event"]), (&json!(3), &json!(HOSTILE)));
        assert_eq!((&lines[0]["payment_id"], &lines[4]["payment_id"]), (&json!(first), &json!(first)));
        let moment = |line: &Value| line["date"].as_str().unwrap().to_owned();
        assert!(lines.windows(2).all(|two| moment(&two[0]) >= moment(&two[1])));
        let sum: f64 = told(&lines).iter().map(|(_, credits, _)| credits).sum();
        assert_eq!(credits(&world, &token).await["credits"], sum);

        let mut paged = Vec::new();
        let mut query = String::from("?limit=2");
        loop {
            let page = history(&world, &token, &query).await;
            paged.extend(page["history"].as_array().unwrap().iter().cloned());
            let Some(cursor) = page["next_cursor"].as_str() else { break };
            query = format!("?limit=2&cursor={}", cursor.replace(' ', "%20"));
        }
        assert_eq!(paged, lines);

        let csv = world.get("/api/payments/history.csv", &token).await;
        assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
        assert_eq!(csv.header("content-disposition"), "attachment; filename=\"afterglow-payments.csv\"");
        assert_eq!(csv.header("cache-control"), "no-store");
        let text = String::from_utf8(csv.bytes.to_vec()).unwrap();
        let rows: Vec<_> = text.strip_prefix('\u{feff}').unwrap().split_terminator("\r\n").collect();
        assert_eq!(
            rows[0],
            "date,time_utc,kind,event,photos,credits,paid_rupees,missing_credits,payment,note"
        );
        assert_eq!(rows.len(), 7);
        let stamp = |line: &Value| moment(line)[..19].replace('T', ",");
        assert_eq!(rows[1], format!("{},refund,,,-97.00,-100.00,103.00,{first},", stamp(&lines[0])));
        assert_eq!(rows[2], format!("{},adjustment,,,-200.00,,,,\"Chargeback, 2%\"", stamp(&lines[1])));
        let quoted = HOSTILE.replace('"', "\"\"");
        assert_eq!(rows[3], format!("{},photos,\"'{quoted}\",3,-3.00,,,,", stamp(&lines[2])));
    });
}

#[test]
fn the_history_is_the_callers_alone() {
    // [PAY114] [PAY100] [PAY101]
    with_provider(async |world, provider| {
        let (meera, ravi) =
            (world.photographer("meera@example.com").await, world.photographer("ravi@example.com").await);
        buy(&world, &provider, &meera, json!({"amount": 10_000})).await;
        let theirs = history(&world, &ravi, "").await;
        assert_eq!(told(theirs["history"].as_array().unwrap()), [("signup", 100.0, 0.0)]);
        let csv = world.get("/api/payments/history.csv", &ravi).await;
        assert_eq!(String::from_utf8_lossy(&csv.bytes).lines().count(), 2);
        for path in ["/api/payments/history", "/api/payments/history.csv"] {
            assert_eq!(world.get(path, "").await.status, 401, "{path}");
        }
        for cursor in ["x", "1", "1.", ".1", "99999999999999999999.a"] {
            let answer = world.get(&format!("/api/payments/history?cursor={cursor}"), &meera).await;
            assert_eq!(answer.error(), (400, String::from("The cursor is not valid")), "{cursor}");
        }
        // A cursor of another's history shows the caller's own rows.
        let page = history(&world, &meera, "?limit=1").await;
        let cursor = page["next_cursor"].as_str().unwrap().replace(' ', "%20");
        let own = history(&world, &ravi, &format!("?cursor={cursor}")).await;
        assert!(own["history"].as_array().unwrap().len() <= 1);
    });
}

#[test]
fn a_receipt_has_the_operators_name_address_and_tax_number() {
    // [PAY102] [PAY119]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let name = json!({"name": "<img src=x onerror=alert(1)> \"M\" & Sons"});
        assert_eq!(world.put("/api/auth/update-profile", &token, name).await.status, 200);
        let payment = buy(&world, &provider, &token, json!({"amount": 1_234_500})).await;
        let path = format!("/api/payments/receipts/{payment}");
        let receipt = world.get(&path, &token).await;
        assert_eq!(receipt.status, 200);
        assert_eq!(receipt.header("content-type"), "text/html; charset=utf-8");
        let page = String::from_utf8(receipt.bytes.to_vec()).unwrap();
        for text in [
            payment.as_str(),
            "20 November 2026",
            "Sundar &#38; Sons &#60;Studios&#62;",
            "1 Lake Road\nPune 411001",
            "Tax number 27ABCDE1234F1Z5",
            "&#60;img src=x onerror=alert(1)&#62; &#34;M&#34; &#38; Sons",
            "meera@example.com",
            "Credits for photo uploads",
            "The first recharge counts double",
            "₹12,345.00",
            "Paid through Razorpay",
        ] {
            assert!(page.contains(text), "{text} is not in\n{page}");
        }
        for text in ["<img", "<Studios>", "Refunded", "Test mode", "<script"] {
            assert!(!page.contains(text), "{text} is in\n{page}");
        }
        let part = provider.refund_in_dashboard(&payment, 2_550).unwrap();
        report_refund(&world, &provider, "refund.processed", &part).await;
        let page = String::from_utf8(world.get(&path, &token).await.bytes.to_vec()).unwrap();
        for text in ["Refunded on 20 November 2026", "−₹25.50", "₹12,319.50"] {
            assert!(page.contains(text), "{text} is not in\n{page}");
        }
        let other = world.photographer("ravi@example.com").await;
        assert_eq!(world.get(&path, &other).await.error(), (404, String::from("Payment not found")));
        assert_eq!(world.get(&path, "").await.status, 401);
        let unknown = world.get("/api/payments/receipts/pay_none", &token).await;
        assert_eq!(unknown.error(), (404, String::from("Payment not found")));
    });
}

#[test]
fn a_receipt_has_the_days_in_india_as_invoices_have() {
    // [PAY244]
    with_provider(async |world, provider| {
        // It is April in India.
        let evening = domain::Timestamp::from_utc(2027, [3, 31, 20, 0, 0]).unwrap();
        let ahead = evening.as_millis() - world.clock.now().as_millis();
        world.clock.advance(Duration::from_millis(u64::try_from(ahead).unwrap()));
        let token = world.photographer("meera@example.com").await;
        let payment = buy(&world, &provider, &token, json!({"amount": 10_000})).await;
        refund(&world, &payment).await.unwrap();
        let receipt = world.get(&format!("/api/payments/receipts/{payment}"), &token).await;
        let page = String::from_utf8(receipt.bytes.to_vec()).unwrap();
        for text in [format!("No. {payment}, 1 April 2027"), String::from("Refunded on 1 April 2027")] {
            assert!(page.contains(&text), "{text} is not in\n{page}");
        }
        assert!(!page.contains("March"), "{page}");
    });
}

#[test]
fn nothing_promises_a_refund_that_is_made() {
    // [PAY236]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        // The second payment of an order, and the first, in whose place the second counts then.
        for (amount, refunded) in [(50_000, 1), (60_000, 0)] {
            let made = order(&world, &token, json!({"amount": amount})).await.json();
            let id = made["order_id"].as_str().unwrap();
            let mut payments = Vec::new();
            for again in [false, true] {
                let payment = match again {
                    false => provider.pay(id).unwrap().payment_id,
                    true => provider.pay_again(id).unwrap(),
                };
                let captured = provider.webhook("payment.captured", &payment).unwrap();
                assert_eq!(deliver(&world, &captured).await.status, 200);
                payments.push(payment);
            }
            let told = async |payment: &str| {
                let lines = history(&world, &token, "").await["history"].as_array().unwrap().clone();
                let line =
                    lines.iter().find(|line| line["payment_id"] == payment && line["kind"] != "refund");
                let line = line.unwrap().clone();
                let receipt = world.get(&format!("/api/payments/receipts/{payment}"), &token).await;
                let page = String::from_utf8(receipt.bytes.to_vec()).unwrap();
                (line["kind"].clone(), line["returned"].clone(), page.contains("It is to be refunded."))
            };
            assert_eq!(told(&payments[0]).await, (json!("recharge"), Value::Null, false));
            assert_eq!(told(&payments[1]).await, (json!("unused"), json!(false), true));
            refund(&world, &payments[refunded]).await.unwrap();
            assert_eq!(told(&payments[refunded]).await, (json!("unused"), json!(true), false));
            assert_eq!(told(&payments[1 - refunded]).await, (json!("recharge"), Value::Null, false));
        }
    });
}

#[test]
fn a_receipt_is_in_the_language_of_its_account() {
    // [ACC215]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let payment = buy(&world, &provider, &token, json!({"amount": 1_234_500})).await;
        let hindi = world.put("/api/auth/language", &token, json!({"language": "hi"})).await;
        assert_eq!(hindi.status, 200);
        let receipt = world.get(&format!("/api/payments/receipts/{payment}"), &token).await;
        let page = String::from_utf8(receipt.bytes.to_vec()).unwrap();
        for text in ["<html lang=\"hi\">", "रसीद", "20 नवंबर 2026", "फ़ोटो अपलोड के लिए क्रेडिट", "₹12,345.00"]
        {
            assert!(page.contains(text), "{text} is not in\n{page}");
        }
    });
}

#[test]
fn an_operator_takes_credits_with_a_reason_and_never_below_zero() {
    // [PAY095]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let grant = async |rupees: f64, reason: Option<&str>| {
            let granted = operators::grant(&world.operator(), "Meera@example.com", rupees, reason).await;
            granted.map(domain::Paise::as_rupees).map_err(|failure| failure.to_string())
        };
        let balance = async || credits(&world, &token).await["credits"].as_f64().unwrap();
        for reason in [None, Some(""), Some("  ")] {
            assert_eq!(
                grant(-1.0, reason).await,
                Err(String::from("Taking credits needs a reason (--reason)."))
            );
        }
        let too_much = "Meera@example.com has only 100.00 credits.";
        assert_eq!(grant(-100.01, Some("Chargeback")).await, Err(too_much.to_owned()));
        assert_eq!(grant(0.0, Some("Nothing")).await, Err(String::from("Please enter a valid amount")));
        assert_eq!(balance().await, 100.0);
        assert_eq!(grant(-40.5, Some("Chargeback")).await, Ok(59.5));
        assert_eq!(grant(-59.5, Some("Chargeback")).await, Ok(0.0));
        assert!(grant(-0.01, Some("Chargeback")).await.is_err());
        assert_eq!((balance().await, grant(12.25, None).await), (0.0, Ok(12.25)));
        assert!(storage::operations::integrity::unbalanced(&world.parts.db).await.unwrap().is_empty());
    });
}
