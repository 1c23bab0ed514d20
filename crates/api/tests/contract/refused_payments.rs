//! Orders that the provider refuses to make, and payments that it refuses to capture.

use std::time::Duration;

use domain::payments::coupons::Discount;
use domain::payments::orders::OrderStatus;
use gateway::testing::Fault;
use serde_json::json;

use crate::payments::{coupon, credits, deliver, insert_coupons, order, verify, with_provider};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

#[test]
fn an_order_that_the_provider_refuses_is_answered_with_its_reason() {
    // [PAY240]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        insert_coupons(&world, [coupon(&world, "HALF", Discount::Percent(50))]).await;
        let expected = String::from("The payment provider refused the order: The amount exceeds your limit");
        for body in [json!({"amount": 50_000_000}), json!({"purpose": "premium_plan", "coupon_code": "half"})]
        {
            provider.inject([Fault::ErrorStatus(400, "The amount exceeds your limit")]);
            assert_eq!(order(&world, &token, body).await.error(), (400, expected.clone()));
        }
        // Nothing is left of them: no order is open, and no use of the coupon is reserved.
        let later = world.app.now().plus(DAY);
        assert!(storage::payments::orders::to_check(&world.parts.db, later, 10).await.unwrap().is_empty());
        let half = storage::payments::coupons::by_code(&world.parts.db, "half").await.unwrap().unwrap();
        assert_eq!(half.uses, 0);
        assert!(provider.orders().is_empty());
        assert_eq!(order(&world, &token, json!({"amount": 50_000_000})).await.status, 200);

        // Wrong keys are the operator's to set right.
        provider.inject([Fault::ErrorStatus(401, "Authentication failed")]);
        let answer = order(&world, &token, json!({"amount": 20_000})).await.error();
        assert_eq!(answer.0, 503);
        assert!(!answer.1.contains("Authentication"), "{}", answer.1);
    });
}

#[test]
fn an_order_whose_payment_cannot_be_captured_stays_unpaid_and_is_abandoned_in_time() {
    // [PAY241]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let body = || json!({"amount": 10_000});
        let made = order(&world, &token, body()).await.json();
        let id = made["order_id"].as_str().unwrap();
        let payment = provider.attempt(id, "authorized").unwrap();
        provider.refuse_capture(&payment);
        let proof = provider.proof(id, &payment);
        let proof = json!({"razorpay_payment_id": proof.payment_id, "razorpay_order_id": proof.order_id,
            "razorpay_signature": proof.signature});
        let pending = "The payment is not confirmed yet. It is credited as soon as it is.";
        assert_eq!(verify(&world, &token, &proof).await.error(), (409, pending.to_owned()));
        let authorised = provider.webhook("payment.authorized", &payment).unwrap();
        assert_eq!(deliver(&world, &authorised).await.status, 200);
        let again = order(&world, &token, body()).await;
        assert_eq!((again.status.as_u16(), again.json()), (200, made.clone()));
        assert_eq!(credits(&world, &token).await["credits"], 100.0);

        let stored = async || {
            let order = storage::payments::orders::by_provider_order_id(&world.parts.db, "razorpay", id);
            order.await.unwrap().unwrap().status
        };
        for (wait, status) in
            [(DAY * 2, OrderStatus::Open), (DAY, OrderStatus::Open), (DAY, OrderStatus::Abandoned)]
        {
            world.clock.advance(wait);
            app::payments::reconcile(&world.app).await.unwrap();
            assert_eq!(stored().await, status);
        }
        let next = order(&world, &token, body()).await;
        assert_eq!(next.status, 200);
        assert_ne!(next.json()["order_id"], made["order_id"]);
    });
}
