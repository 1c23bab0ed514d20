//! Second payments of an account that is closed when the first is returned.

use axum::body::Body;
use domain::payments::PaymentOutcome;
use domain::payments::coupons::Discount;
use gateway::testing::FakeRazorpay;
use serde_json::json;
use storage::payments::invoices;

use crate::harness::{PASSWORD, World, request};
use crate::invoices::with_invoices;
use crate::payments::{coupon, insert_coupons, order};
use crate::refunds::{buy, due, report, report_refund};

/// Closes the account of a token.
async fn close(world: &World, token: &str) {
    let close = request("DELETE", "/api/auth/me", token).header("content-type", "application/json");
    let body = Body::from(json!({"password": PASSWORD}).to_string());
    assert_eq!(world.send(close.body(body).unwrap()).await.status, 200);
}

/// Lets the provider return all of a payment, and report it twice.
async fn return_all(world: &World, provider: &FakeRazorpay, payment: &str, amount: i64) {
    let whole = provider.refund_in_dashboard(payment, amount).unwrap();
    for _ in 0..2 {
        report_refund(world, provider, "refund.processed", &whole).await;
    }
}

/// The numbers of a payment's invoices and notes.
async fn numbers(world: &World, payment: &str) -> Vec<String> {
    let documents = invoices::of_payment(&world.parts.db, "razorpay", payment).await.unwrap();
    documents.iter().map(|document| document.number()).collect()
}

#[test]
fn a_second_payment_of_an_order_stays_due_when_its_account_is_closed() {
    // [PAY239]
    with_invoices(async |world, provider| {
        world.photographer("admin@example.com").await;
        let leaving = world.photographer("ravi@example.com").await;
        let made = order(&world, &leaving, json!({"amount": 10_000})).await.json();
        let id = made["order_id"].as_str().unwrap();
        let first = provider.pay(id).unwrap().payment_id;
        let second = provider.pay_again(id).unwrap();
        for payment in [&first, &second] {
            report(&world, &provider, payment).await;
        }
        let second_is_due = [(second.clone(), PaymentOutcome::OrderAlreadyPaid)];
        assert_eq!(due(&world).await, second_is_due);
        close(&world, &leaving).await;
        return_all(&world, &provider, &first, 10_000).await;
        assert_eq!(due(&world).await, second_is_due);
        assert_eq!(numbers(&world, &first).await, ["C/2026-27/000001", "I/2026-27/000001"]);
        assert_eq!(numbers(&world, &second).await, [""; 0]);
        assert_eq!(invoices::payments_without(&world.parts.db).await.unwrap(), []);
        assert!(storage::operations::integrity::unbalanced(&world.parts.db).await.unwrap().is_empty());
        // It can be returned too.
        return_all(&world, &provider, &second, 10_000).await;
        assert!(due(&world).await.is_empty());
    });
}

#[test]
fn a_second_payment_for_the_plan_stays_due_when_its_account_is_closed() {
    // [PAY239]
    with_invoices(async |world, provider| {
        world.photographer("admin@example.com").await;
        let leaving = world.photographer("ravi@example.com").await;
        insert_coupons(&world, [coupon(&world, "X", Discount::Percent(10))]).await;
        // Two orders, and one of them paid twice.
        let other = json!({"purpose": "premium_plan", "coupon_code": "x"});
        let other = order(&world, &leaving, other).await.json();
        let first = buy(&world, &provider, &leaving, json!({"purpose": "premium_plan"})).await;
        let of_first = storage::payments::by_id(&world.parts.db, "razorpay", &first).await.unwrap().unwrap();
        let of_first = storage::payments::orders::by_id(&world.parts.db, of_first.order).await.unwrap();
        let again = provider.pay_again(&of_first.unwrap().provider_order_id.unwrap()).unwrap();
        let second = provider.pay(other["order_id"].as_str().unwrap()).unwrap().payment_id;
        for payment in [&again, &second] {
            report(&world, &provider, payment).await;
        }
        let mut both_are_due = vec![
            (again.clone(), PaymentOutcome::OrderAlreadyPaid),
            (second.clone(), PaymentOutcome::AlreadyPremium),
        ];
        both_are_due.sort_by(|(one, _), (two, _)| one.cmp(two));
        assert_eq!(due(&world).await, both_are_due);
        close(&world, &leaving).await;
        return_all(&world, &provider, &first, 99_900).await;
        assert_eq!(due(&world).await, both_are_due);
        assert_eq!(numbers(&world, &first).await, ["C/2026-27/000001", "I/2026-27/000001"]);
        for payment in [&again, &second] {
            assert_eq!(numbers(&world, payment).await, [""; 0]);
        }
        assert_eq!(invoices::payments_without(&world.parts.db).await.unwrap(), []);
        let uses = storage::payments::coupons::by_code(&world.parts.db, "x").await.unwrap().unwrap().uses;
        assert_eq!(uses, 0, "nothing was bought with the coupon");
    });
}
