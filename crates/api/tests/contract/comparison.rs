//! Payments and refunds that no webhook has told of, or that a restored back-up lacks.

use std::time::Duration;

use app::operations::checks;
use app::operations::operators::{self, OperatorContext};
use app::payments::comparison::{Comparison, Difference, compare_lately};
use domain::payments::coupons::{Coupon, Discount};
use domain::payments::orders::OrderStatus;
use domain::{DAY, Paise};
use gateway::Payments;
use gateway::testing::{FakeRazorpay, Fault};
use serde_json::{Value, json};
use storage::testing::change;

use crate::harness::World;
use crate::payments::{coupon, credits, deliver, insert_coupons, order, with_provider};
use crate::refunds::{buy, report_refund};

const HOUR: Duration = Duration::from_secs(60 * 60);

fn context(world: &World) -> OperatorContext {
    OperatorContext {
        db: world.parts.db.clone(),
        clock: world.clock.clone(),
        randomness: world.parts.randomness.clone(),
        seller: world.parts.settings.seller.clone(),
    }
}

fn payments(world: &World) -> &Payments {
    world.parts.payments.as_ref().unwrap()
}

/// Compares the last 30 days.
async fn compare(world: &World, mends: bool) -> Comparison {
    let now = world.clock.now();
    let from = now.minus(DAY * 30);
    operators::compare_payments(&context(world), payments(world), from, now, mends).await.unwrap()
}

async fn issues(world: &World) -> usize {
    checks::inspect_payments(&context(world), payments(world)).await.unwrap().len()
}

async fn balance(world: &World, token: &str) -> f64 {
    assert!(storage::operations::integrity::unbalanced(&world.parts.db).await.unwrap().is_empty());
    credits(world, token).await["credits"].as_f64().unwrap()
}

async fn status(world: &World, order: &Value) -> OrderStatus {
    let id = order["order_id"].as_str().unwrap();
    let db = &world.parts.db;
    storage::payments::orders::by_provider_order_id(db, "razorpay", id).await.unwrap().unwrap().status
}

fn payment_of(provider: &FakeRazorpay, order: &Value) -> String {
    provider.pay(order["order_id"].as_str().unwrap()).unwrap().payment_id
}

#[test]
fn what_no_webhook_has_told_is_found_each_night_whatever_became_of_the_order() {
    // [PAY202] [PAY203] [PAY209]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let abandoned = order(&world, &token, json!({"amount": 10_000})).await.json();
        let failed = order(&world, &token, json!({"amount": 20_000})).await.json();
        world.clock.advance(HOUR);
        // The provider refuses for once to tell of the order.
        provider.inject(std::iter::repeat_n(Fault::ErrorStatus(400, "Try again"), 2));
        app::payments::reconcile(&world.app).await.unwrap();
        world.clock.advance(DAY);
        app::payments::reconcile(&world.app).await.unwrap();
        let ended = [status(&world, &abandoned).await, status(&world, &failed).await];
        assert_eq!(ended, [OrderStatus::Failed; 2]);
        change(
            &world.parts.db,
            "UPDATE orders SET status = 'abandoned', failure = NULL WHERE amount = 10000",
        )
        .await;
        let payments = [payment_of(&provider, &abandoned), payment_of(&provider, &failed)];
        let bought = buy(&world, &provider, &token, json!({"amount": 30_000})).await;
        provider.refund_in_dashboard(&bought, 10_000).unwrap();
        provider.refund_in_dashboard(&payments[1], 5_000).unwrap();
        assert_eq!(balance(&world, &token).await, 700.0);

        assert_eq!(issues(&world).await, 3);
        let found = compare(&world, false).await;
        assert_eq!((found.payments, found.found.iter().filter(|found| found.is_mended).count()), (3, 0));
        assert_eq!(balance(&world, &token).await, 700.0, "nothing is changed");
        world.clock.advance(HOUR);
        compare_lately(&world.app).await.unwrap();
        // 700, less a third of 600; 100 and three quarters of 200, which are no first recharge.
        assert_eq!(balance(&world, &token).await, 750.0);
        assert_eq!(status(&world, &abandoned).await, OrderStatus::Paid);
        assert_eq!((issues(&world).await, compare(&world, true).await.found), (0, Vec::new()));
        assert_eq!(balance(&world, &token).await, 750.0);
    });
}

#[test]
fn a_refund_of_an_old_payment_and_one_that_came_back_are_found() {
    // [PAY202]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let bought = buy(&world, &provider, &token, json!({"amount": 10_000})).await;
        let first = provider.refund_in_dashboard(&bought, 4_000).unwrap();
        report_refund(&world, &provider, "refund.processed", &first).await;
        assert_eq!(balance(&world, &token).await, 220.0);
        for _ in 0..2 {
            world.clock.advance(DAY * 20);
            assert_eq!(balance(&world, &token).await, 220.0);
        }
        let now = world.clock.now().minus(HOUR);
        provider.set_now(now.as_millis() / 1_000);
        provider.refund_in_dashboard(&bought, 6_000).unwrap();
        let found = compare(&world, true).await;
        assert_eq!((found.payments, found.found.len()), (0, 1));
        assert!(
            matches!(&found.found[0].difference, Difference::Refund { amount, status: "processed", .. } if *amount == Paise::new(6_000))
        );
        assert_eq!(balance(&world, &token).await, 100.0);
        for refund in provider.refunds() {
            provider.set_refund_status(refund["id"].as_str().unwrap(), "failed");
        }
        assert_eq!(compare(&world, true).await.found.len(), 1, "the other is not of this period");
        assert_eq!(balance(&world, &token).await, 220.0);
    });
}

#[test]
fn orders_that_a_restored_back_up_lacks_are_made_anew() {
    // [PAY204]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        insert_coupons(
            &world,
            [Coupon { max_uses: Some(1), ..coupon(&world, "HALF", Discount::Percent(50)) }],
        )
        .await;
        let plan = json!({"purpose": "premium_plan", "coupon_code": "half"});
        let (plan, recharge) = (
            order(&world, &token, plan).await.json(),
            order(&world, &token, json!({"amount": 10_000})).await.json(),
        );
        let unstored = order(&world, &token, json!({"amount": 20_000})).await.json();
        for made in [&plan, &recharge, &unstored] {
            payment_of(&provider, made);
        }
        let db = &world.parts.db;
        change(db, "DELETE FROM coupon_uses").await;
        change(db, "DELETE FROM orders WHERE amount <> 20000").await;
        change(db, "UPDATE coupons SET uses = 0").await;
        // A process ended before it stored what the provider had answered.
        change(db, "UPDATE orders SET provider_order_id = NULL").await;
        // Of another installation with the same keys, and of a shop.
        let receipt = "01936d2e-0000-7000-8000-000000000009";
        let notes = [("purpose", "credits"), ("account", receipt)];
        for (receipt, notes) in [(receipt, &notes[..]), ("shoes-7", &[])] {
            let other = payments(&world).create_order(Paise::new(700), receipt, notes).await.unwrap();
            provider.pay(&other.id).unwrap();
        }
        world.clock.advance(HOUR);
        let found = compare(&world, false).await;
        assert_eq!((found.payments, found.found.len()), (5, 4));
        assert_eq!(issues(&world).await, 4);
        let found = compare(&world, true).await;
        let mended = found.found.iter().filter(|found| found.is_mended).count();
        let unknown =
            found.found.iter().filter(|found| matches!(found.difference, Difference::Account { .. })).count();
        assert_eq!((mended, unknown), (3, 1));
        assert_eq!(balance(&world, &token).await, 500.0, "the first one is doubled");
        assert_eq!(world.get("/api/auth/me", &token).await.json()["user"]["premium"], true);
        let half = storage::payments::coupons::by_code(db, "half").await.unwrap().unwrap();
        assert_eq!(half.uses, 1);
        assert!(storage::operations::integrity::miscounted_coupons(db).await.unwrap().is_empty());
        assert_eq!(compare(&world, true).await.found.len(), 1);
        assert_eq!(balance(&world, &token).await, 500.0);
        // Late webhooks find what is there.
        let id = recharge["order_id"].as_str().unwrap();
        let again = provider.pay_again(id).unwrap();
        let captured = provider.webhook("payment.captured", &again).unwrap();
        assert_eq!(deliver(&world, &captured).await.status, 200);
        assert_eq!(balance(&world, &token).await, 500.0);
    });
}

#[test]
fn a_provider_that_does_not_answer_is_compared_with_later() {
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let made = order(&world, &token, json!({"amount": 10_000})).await.json();
        payment_of(&provider, &made);
        world.clock.advance(HOUR);
        provider.inject(std::iter::repeat_n(Fault::ErrorStatus(503, "Later"), 3));
        assert!(compare_lately(&world.app).await.is_err());
        assert_eq!(balance(&world, &token).await, 100.0);
        assert_eq!(issues(&world).await, 0, "the order is open: the reconciliation asks about it");
        compare_lately(&world.app).await.unwrap();
        assert_eq!(balance(&world, &token).await, 300.0);
    });
}
