//! How orders end, and what their coupons do meanwhile.

use std::time::Duration;

use domain::Paise;
use domain::payments::PaymentOutcome;
use domain::payments::coupons::{Coupon, Discount};
use domain::payments::orders::{Order, OrderStatus};
use gateway::testing::FakeRazorpay;
use serde_json::{Value, json};

use crate::harness::{Answer, World, on_both_engines};
use crate::payments::{coupon, credits, deliver, insert_coupons, order, verify, with_provider};

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

async fn dismiss(world: &World, token: &str, order: &Value) -> Answer {
    world.post("/api/payments/dismiss-order", token, json!({"order_id": order["order_id"]})).await
}

async fn stored(world: &World, order: &Value) -> Order {
    let (provider, id) = (app::payments::provider(&world.app), order["order_id"].as_str().unwrap());
    storage::payments::orders::by_provider_order_id(&world.parts.db, provider, id).await.unwrap().unwrap()
}

async fn reconcile(world: &World) {
    app::payments::reconcile(&world.app).await.unwrap();
}

/// How often the provider was asked about this order.
fn checks_of(provider: &FakeRazorpay, order: &Value) -> usize {
    let line = format!("GET /v1/orders/{}", order["order_id"].as_str().unwrap());
    provider.requests().iter().filter(|request| **request == line).count()
}

#[test]
fn a_dismissed_checkout_releases_its_coupon() {
    // [PAY085]
    on_both_engines(async |world: World| {
        let (meera, ravi) =
            (world.photographer("meera@example.com").await, world.photographer("ravi@example.com").await);
        insert_coupons(
            &world,
            [Coupon { max_uses: Some(1), ..coupon(&world, "HALF", Discount::Percent(50)) }],
        )
        .await;
        let plan = || json!({"purpose": "premium_plan", "coupon_code": "half"});
        let made = order(&world, &meera, plan()).await.json();
        assert_eq!(order(&world, &ravi, plan()).await.status, 400, "its only use is reserved");
        assert_eq!(dismiss(&world, &ravi, &made).await.error(), (404, String::from("Order not found")));
        for _ in 0..2 {
            assert_eq!(dismiss(&world, &meera, &made).await.status, 200);
        }
        assert_eq!(stored(&world, &made).await.status, OrderStatus::Abandoned, "nobody has tried to pay");
        assert_eq!(order(&world, &ravi, plan()).await.status, 200);
        assert_eq!(order(&world, &meera, plan()).await.status, 400);
    });
}

#[test]
fn a_reservation_ends_after_half_an_hour_and_the_order_stays_open() {
    // [PAY107]
    with_provider(async |world, provider| {
        let (meera, ravi) =
            (world.photographer("meera@example.com").await, world.photographer("ravi@example.com").await);
        let half = Coupon {
            max_uses: Some(1),
            max_uses_per_user: Some(1),
            ..coupon(&world, "HALF", Discount::Percent(50))
        };
        insert_coupons(&world, [half]).await;
        let plan = || json!({"purpose": "premium_plan", "coupon_code": "half"});
        let made = order(&world, &meera, plan()).await.json();
        let validate = async |token: &str| {
            let body = json!({"couponCode": "half", "amount": 999});
            world.post("/api/validate-coupon", token, body).await.json()["valid"] == true
        };
        assert!(validate(&meera).await, "the use is hers");
        assert!(!validate(&ravi).await);
        world.clock.advance(MINUTE * 29);
        reconcile(&world).await;
        assert!(!validate(&ravi).await);
        world.clock.advance(MINUTE);
        reconcile(&world).await;
        assert!(validate(&ravi).await);
        assert_eq!(stored(&world, &made).await.status, OrderStatus::Open);

        // The same order again reserves it again; a payment that comes late takes a use while one is left.
        assert_eq!(order(&world, &meera, plan()).await.json(), made);
        assert!(!validate(&ravi).await);
        world.clock.advance(MINUTE * 31);
        reconcile(&world).await;
        let proof = provider.pay(made["order_id"].as_str().unwrap()).unwrap();
        let captured = provider.webhook("payment.captured", &proof.payment_id).unwrap();
        assert_eq!(deliver(&world, &captured).await.status, 200);
        assert!(!validate(&ravi).await, "spent");
    });
}

#[test]
fn an_open_order_of_the_same_content_is_used_again() {
    // [PAY086]
    with_provider(async |world, provider| {
        let (meera, ravi) =
            (world.photographer("meera@example.com").await, world.photographer("ravi@example.com").await);
        let body = || json!({"amount": 10_000});
        let first = order(&world, &meera, body()).await.json();
        assert_eq!(order(&world, &meera, body()).await.json(), first);
        assert_ne!(order(&world, &ravi, body()).await.json()["order_id"], first["order_id"]);
        assert_ne!(
            order(&world, &meera, json!({"amount": 10_100})).await.json()["order_id"],
            first["order_id"]
        );
        assert_eq!(provider.orders().len(), 3);

        // It was paid meanwhile: it is credited, and the next order is another one.
        provider.pay(first["order_id"].as_str().unwrap()).unwrap();
        let second = order(&world, &meera, body()).await.json();
        assert_ne!(second["order_id"], first["order_id"]);
        assert_eq!(credits(&world, &meera).await["credits"], 300.0);

        let plan = || json!({"purpose": "premium_plan"});
        let made = order(&world, &meera, plan()).await.json();
        provider.pay(made["order_id"].as_str().unwrap()).unwrap();
        let refused = order(&world, &meera, plan()).await.error();
        assert_eq!(refused, (409, String::from("This account already has the premium plan")));
        assert_eq!(world.get("/api/auth/me", &meera).await.json()["user"]["premium"], true);
    });
}

#[test]
fn an_account_has_at_most_ten_open_orders() {
    // [PAY087]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let orders = (0..14).map(|number| order(&world, &token, json!({"amount": 10_000 + number})));
        let answers = futures::future::join_all(orders).await;
        let (made, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
        assert_eq!(made.len(), 10);
        let text = "There are 10 unfinished payments on this account. Please finish one of them, or try again tomorrow.";
        for answer in refused {
            assert_eq!(answer.error(), (409, text.to_owned()));
        }
        assert_eq!(dismiss(&world, &token, &made[0].json()).await.status, 200);
        assert_eq!(order(&world, &token, json!({"amount": 20_000})).await.status, 200);
        assert_eq!(order(&world, &token, json!({"amount": 30_000})).await.status, 409);
        world.clock.advance(DAY);
        reconcile(&world).await;
        assert_eq!(
            order(&world, &token, json!({"amount": 30_000})).await.status,
            200,
            "nobody paid in a day"
        );
    });
}

#[test]
fn the_least_recently_checked_order_comes_first_and_old_ones_are_checked_less_often() {
    // [PAY088]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let old = order(&world, &token, json!({"amount": 10_000})).await.json();
        provider.attempt(old["order_id"].as_str().unwrap(), "failed").unwrap();
        let before = checks_of(&provider, &old);
        let (mut now, mut by_hour) = (0, Vec::new());
        for hour in 0..48 {
            while now < (hour + 1) * 60 {
                now += 1;
                world.clock.advance(MINUTE);
                reconcile(&world).await;
            }
            by_hour.push(checks_of(&provider, &old) - before);
        }
        assert!(by_hour[0] >= 5 && by_hour[0] <= 15, "{by_hour:?}");
        let second_day = by_hour[47] - by_hour[23];
        assert!((8..=9).contains(&second_day), "every three hours: {by_hour:?}");
    });
}

#[test]
fn the_orders_of_one_account_are_settled_in_the_order_in_which_they_were_made() {
    // [PAY110]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let first = order(&world, &token, json!({"amount": 10_000})).await.json();
        world.clock.advance(MINUTE);
        let second = order(&world, &token, json!({"amount": 20_000})).await.json();
        world.clock.advance(MINUTE * 4);
        reconcile(&world).await;
        assert!(stored(&world, &first).await.checked_at.is_some());
        assert!(stored(&world, &second).await.checked_at.is_none(), "the last look at it is longer ago");
        for order in [&second, &first] {
            provider.pay(order["order_id"].as_str().unwrap()).unwrap();
        }
        world.clock.advance(MINUTE * 10);
        reconcile(&world).await;
        assert!(stored(&world, &first).await.was_first_recharge);
        assert_eq!(credits(&world, &token).await["credits"], 500.0);
    });
}

#[test]
fn a_provider_that_does_not_answer_for_one_order_delays_no_other() {
    // [PAY109]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let silent = order(&world, &token, json!({"amount": 10_000})).await.json();
        let paid = order(&world, &token, json!({"amount": 20_000})).await.json();
        provider.pay(paid["order_id"].as_str().unwrap()).unwrap();
        world.clock.advance(MINUTE * 6);
        // The look at the first order ends without an answer after three attempts; two of them go on at once.
        provider.inject([gateway::testing::Fault::Hang]);
        reconcile(&world).await;
        assert_eq!(credits(&world, &token).await["credits"], 500.0);
        assert_eq!(stored(&world, &silent).await.status, OrderStatus::Open);
        assert!(stored(&world, &silent).await.checked_at.is_some());
    });
}

#[test]
fn an_order_that_the_provider_does_not_know_as_it_is_fails_with_the_reason() {
    // [PAY089]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let unknown = order(&world, &token, json!({"amount": 10_000})).await.json();
        let changed = order(&world, &token, json!({"amount": 20_000})).await.json();
        let overpaid = order(&world, &token, json!({"amount": 30_000})).await.json();
        provider.forget(unknown["order_id"].as_str().unwrap());
        provider.set_amount(changed["order_id"].as_str().unwrap(), 20_100);
        provider.set_amount(overpaid["order_id"].as_str().unwrap(), 30_100);
        let proof = provider.pay(overpaid["order_id"].as_str().unwrap()).unwrap();
        world.clock.advance(MINUTE * 6);
        for _ in 0..2 {
            reconcile(&world).await;
            world.clock.advance(DAY);
        }
        let reasons = async |order: &Value| {
            let order = stored(&world, order).await;
            assert_eq!(order.status, OrderStatus::Failed);
            order.failure.unwrap()
        };
        assert_eq!(reasons(&unknown).await, "the provider does not know it: The id provided does not exist");
        assert_eq!(reasons(&changed).await, "it is over 200.00, and over 201.00 at the provider");
        let text = format!("payment {} is over 301.00, the order over 300.00", proof.payment_id);
        assert_eq!(reasons(&overpaid).await, text);
        assert_eq!(checks_of(&provider, &changed), 1, "it is not asked about again");
        assert_eq!(storage::payments::orders::failed(&world.parts.db, "razorpay").await.unwrap().len(), 3);
        assert_eq!(credits(&world, &token).await["credits"], 100.0);
        let due = storage::payments::refunds_due(&world.parts.db, "razorpay").await.unwrap();
        assert_eq!(due.len(), 1);
        assert_eq!(due[0].payment_id, proof.payment_id);
        let body = json!({"razorpay_payment_id": proof.payment_id, "razorpay_order_id": proof.order_id, "razorpay_signature": proof.signature});
        assert_eq!(
            verify(&world, &token, &body).await.error(),
            (400, String::from("Payment verification failed"))
        );
    });
}

#[test]
fn an_authorised_payment_is_captured_by_whoever_sees_it_first() {
    // [PAY094]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let by_reconciler = order(&world, &token, json!({"amount": 10_000})).await.json();
        provider.attempt(by_reconciler["order_id"].as_str().unwrap(), "authorized").unwrap();
        world.clock.advance(MINUTE * 6);
        reconcile(&world).await;
        assert_eq!(credits(&world, &token).await["credits"], 300.0);

        let by_webhook = order(&world, &token, json!({"amount": 20_000})).await.json();
        let payment = provider.attempt(by_webhook["order_id"].as_str().unwrap(), "authorized").unwrap();
        let authorised = provider.webhook("payment.authorized", &payment).unwrap();
        for _ in 0..2 {
            assert_eq!(deliver(&world, &authorised).await.status, 200);
        }
        assert_eq!(credits(&world, &token).await["credits"], 500.0);
        let captured = provider.webhook("payment.captured", &payment).unwrap();
        assert_eq!(deliver(&world, &captured).await.status, 200);
        assert_eq!(credits(&world, &token).await["credits"], 500.0);

        // Nothing is captured that would buy nothing.
        let (one, two) =
            (json!({"purpose": "premium_plan"}), json!({"purpose": "premium_plan", "coupon_code": "x"}));
        insert_coupons(&world, [coupon(&world, "X", Discount::Percent(10))]).await;
        let (one, two) = (order(&world, &token, one).await.json(), order(&world, &token, two).await.json());
        provider.attempt(two["order_id"].as_str().unwrap(), "authorized").unwrap();
        let proof = provider.pay(one["order_id"].as_str().unwrap()).unwrap();
        let captured = provider.webhook("payment.captured", &proof.payment_id).unwrap();
        assert_eq!(deliver(&world, &captured).await.status, 200);
        world.clock.advance(MINUTE * 6);
        reconcile(&world).await;
        assert_eq!(stored(&world, &two).await.status, OrderStatus::Open);
        assert!(storage::payments::refunds_due(&world.parts.db, "razorpay").await.unwrap().is_empty());
    });
}

/// Lets the provider report that an order is paid; answers the payment's id.
async fn pay(world: &World, provider: &FakeRazorpay, order: &Value) -> String {
    let payment = provider.pay(order["order_id"].as_str().unwrap()).unwrap().payment_id;
    let captured = provider.webhook("payment.captured", &payment).unwrap();
    assert_eq!(deliver(world, &captured).await.status, 200);
    payment
}

async fn is_premium(world: &World, token: &str) -> bool {
    world.get("/api/auth/me", token).await.json()["user"]["premium"] == true
}

async fn uses(world: &World, code: &str) -> i64 {
    storage::payments::coupons::by_code(&world.parts.db, code).await.unwrap().unwrap().uses
}

fn half() -> Value {
    json!({"purpose": "premium_plan", "coupon_code": "half"})
}

#[test]
fn a_payment_whose_coupon_has_no_use_left_buys_nothing() {
    // [PAY205] [PAY090]
    with_provider(async |world, provider| {
        let coupon = Coupon { max_uses: Some(1), ..coupon(&world, "HALF", Discount::Percent(50)) };
        insert_coupons(&world, [coupon]).await;
        let mut orders = Vec::new();
        for name in ["meera", "ravi", "asha"] {
            let token = world.photographer(&format!("{name}@example.com")).await;
            let made = order(&world, &token, half()).await.json();
            assert_eq!(dismiss(&world, &token, &made).await.status, 200);
            orders.push((token, made));
        }
        let mut payments = Vec::new();
        for (_, made) in &orders {
            payments.push(pay(&world, &provider, made).await);
        }
        let mut premium = Vec::new();
        for (token, _) in &orders {
            premium.push(is_premium(&world, token).await);
        }
        assert_eq!((premium, uses(&world, "half").await), (vec![true, false, false], 1));
        let due = storage::payments::refunds_due(&world.parts.db, "razorpay").await.unwrap();
        let due: Vec<_> = due.iter().map(|due| (due.payment_id.as_str(), due.outcome)).collect();
        let nothing = PaymentOutcome::CouponUsedUp;
        assert_eq!(due, [(payments[1].as_str(), nothing), (payments[2].as_str(), nothing)]);

        // The browser is told, the operator too, and the history has what is to come back.
        let (token, made) = &orders[1];
        let proof = provider.proof(made["order_id"].as_str().unwrap(), &payments[1]);
        let body = json!({"razorpay_payment_id": proof.payment_id, "razorpay_order_id": proof.order_id, "razorpay_signature": proof.signature});
        let refused = verify(&world, token, &body).await.error();
        assert_eq!(refused, (400, String::from("Payment verification failed")));
        let failed = stored(&world, made).await;
        let reason = format!("payment {} came when the coupon had no use left", payments[1]);
        assert_eq!((failed.status, failed.failure), (OrderStatus::Failed, Some(reason)));
        let told = world.get("/api/payments/history", token).await.json()["history"].clone();
        let told: Vec<_> = told.as_array().unwrap().iter().map(|line| line["kind"].clone()).collect();
        assert!(told.contains(&json!("unused")) && !told.contains(&json!("premium")), "{told:?}");

        // Returned, it is as if nothing had been; a use that is free later gives it nothing.
        let refund = crate::refunds::refund(&world, &payments[1]).await.unwrap();
        assert_eq!(refund.credits_taken, Paise::ZERO);
        crate::refunds::refund(&world, &payments[0]).await.unwrap();
        assert!(!is_premium(&world, &orders[0].0).await);
        assert_eq!(uses(&world, "half").await, 1, "a refund gives no use back");
        let again = provider.webhook("order.paid", &payments[2]).unwrap();
        assert_eq!(deliver(&world, &again).await.status, 200);
        assert!(!is_premium(&world, &orders[2].0).await);
        assert!(
            storage::operations::integrity::miscounted_coupons(&world.parts.db).await.unwrap().is_empty()
        );
    });
}

#[test]
fn a_coupon_that_has_ended_counts_for_what_was_paid_before_or_within_its_reservation() {
    // [PAY207]
    with_provider(async |world, provider| {
        let ends = world.app.now().plus(MINUTE * 10);
        let coupon = Coupon { valid_until: Some(ends), ..coupon(&world, "HALF", Discount::Percent(50)) };
        insert_coupons(&world, [coupon]).await;
        let mut orders = Vec::new();
        for name in ["held", "early", "late"] {
            let token = world.photographer(&format!("{name}@example.com")).await;
            let made = order(&world, &token, half()).await.json();
            if name != "held" {
                assert_eq!(dismiss(&world, &token, &made).await.status, 200);
            }
            orders.push((token, made));
        }
        world.clock.advance(MINUTE * 20);
        let second = |moment: domain::Timestamp| moment.as_millis() / 1_000;
        provider.set_now(second(ends.plus(MINUTE)));
        pay(&world, &provider, &orders[0].1).await;
        assert!(is_premium(&world, &orders[0].0).await, "its use is reserved");
        provider.set_now(second(ends.minus(MINUTE)));
        pay(&world, &provider, &orders[1].1).await;
        assert!(is_premium(&world, &orders[1].0).await, "it was paid before, and is reported late");
        provider.set_now(second(ends));
        pay(&world, &provider, &orders[2].1).await;
        assert!(!is_premium(&world, &orders[2].0).await);
        let due = storage::payments::refunds_due(&world.parts.db, "razorpay").await.unwrap();
        assert_eq!(due.iter().map(|due| due.outcome).collect::<Vec<_>>(), [PaymentOutcome::CouponUsedUp]);
    });
}

#[test]
fn a_payment_that_buys_nothing_spends_no_coupon_and_is_not_captured_without_a_use() {
    // [PAY208] [PAY094] [PAY113]
    with_provider(async |world, provider| {
        let coupon = Coupon {
            max_uses: Some(1),
            max_uses_per_user: Some(1),
            ..coupon(&world, "HALF", Discount::Percent(50))
        };
        insert_coupons(&world, [coupon]).await;
        let (meera, ravi) =
            (world.photographer("meera@example.com").await, world.photographer("ravi@example.com").await);
        let with_coupon = order(&world, &meera, half()).await.json();
        let without = order(&world, &meera, json!({"purpose": "premium_plan"})).await.json();
        let plan = pay(&world, &provider, &without).await;
        let second = pay(&world, &provider, &with_coupon).await;
        assert_eq!(uses(&world, "half").await, 0, "the account had the plan");
        // Another takes the use; when the first payment is returned, the second is no substitute.
        let of_ravi = order(&world, &ravi, half()).await.json();
        provider.attempt(of_ravi["order_id"].as_str().unwrap(), "authorized").unwrap();
        world.clock.advance(MINUTE * 31);
        reconcile(&world).await;
        assert_eq!((is_premium(&world, &ravi).await, uses(&world, "half").await), (true, 1));
        crate::refunds::refund(&world, &plan).await.unwrap();
        assert!(!is_premium(&world, &meera).await);
        let due = storage::payments::refunds_due(&world.parts.db, "razorpay").await.unwrap();
        assert_eq!(due.iter().map(|due| due.payment_id.clone()).collect::<Vec<_>>(), [second]);

        // One that is only authorised stays so: the provider returns it by itself.
        let asha = world.photographer("asha@example.com").await;
        insert_coupons(
            &world,
            [Coupon { max_uses: Some(1), ..crate::payments::coupon(&world, "ONE", Discount::Percent(50)) }],
        )
        .await;
        let one = json!({"purpose": "premium_plan", "coupon_code": "one"});
        let late = order(&world, &asha, one.clone()).await.json();
        assert_eq!(dismiss(&world, &asha, &late).await.status, 200);
        order(&world, &meera, one).await;
        let payment = provider.attempt(late["order_id"].as_str().unwrap(), "authorized").unwrap();
        let authorised = provider.webhook("payment.authorized", &payment).unwrap();
        assert_eq!(deliver(&world, &authorised).await.status, 200);
        let now = provider.webhook("payment.captured", &payment).unwrap();
        let now: Value = serde_json::from_slice(&now.body).unwrap();
        assert_eq!(now["payload"]["payment"]["entity"]["status"], "authorized");
        assert!(!is_premium(&world, &asha).await);
    });
}
