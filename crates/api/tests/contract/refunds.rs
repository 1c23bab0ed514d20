//! Payments that bought nothing, and refunds.

use app::operations::administration::payments;
use app::operations::operators::{self, OperatorContext};
use domain::Paise;
use domain::payments::coupons::Discount;
use domain::payments::{PaymentOutcome, RefundStatus};
use gateway::testing::{FakeRazorpay, Fault};
use serde_json::{Value, json};

use crate::harness::{PASSWORD, RED, World, photo};
use crate::payments::{coupon, credits, deliver, insert_coupons, order, with_provider};

fn context(world: &World) -> OperatorContext {
    OperatorContext {
        db: world.parts.db.clone(),
        clock: world.clock.clone(),
        randomness: world.parts.randomness.clone(),
        seller: world.parts.settings.seller.clone(),
    }
}

pub(crate) async fn due(world: &World) -> Vec<(String, PaymentOutcome)> {
    let administration = context(world).administration();
    let due = payments::refunds_due(&administration, app::payments::provider(&world.app)).await.unwrap();
    due.into_iter().map(|due| (due.payment.payment_id, due.payment.outcome)).collect()
}

pub(crate) async fn refund(world: &World, payment: &str) -> app::Result<domain::payments::Refund> {
    payments::refund(&context(world).administration(), world.parts.payments.as_ref().unwrap(), payment).await
}

/// Orders, pays and lets the provider say so; answers the payment's id.
pub(crate) async fn buy(world: &World, provider: &FakeRazorpay, token: &str, body: Value) -> String {
    let made = order(world, token, body).await.json();
    let payment = provider.pay(made["order_id"].as_str().unwrap()).unwrap().payment_id;
    report(world, provider, &payment).await;
    payment
}

pub(crate) async fn report(world: &World, provider: &FakeRazorpay, payment: &str) {
    let captured = provider.webhook("payment.captured", payment).unwrap();
    assert_eq!(deliver(world, &captured).await.status, 200);
}

pub(crate) async fn report_refund(world: &World, provider: &FakeRazorpay, event: &str, refund: &str) {
    let webhook = provider.refund_webhook(event, refund).unwrap();
    assert_eq!(deliver(world, &webhook).await.status, 200);
}

async fn balance(world: &World, token: &str) -> f64 {
    assert!(storage::operations::integrity::unbalanced(&world.parts.db).await.unwrap().is_empty());
    credits(world, token).await["credits"].as_f64().unwrap()
}

#[test]
fn every_payment_that_bought_nothing_is_listed_until_it_is_refunded() {
    // [PAY090] [PAY091]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let closing = world.photographer("ravi@example.com").await;
        insert_coupons(&world, [coupon(&world, "X", Discount::Percent(10))]).await;
        // A second captured payment of a paid order.
        let made = order(&world, &token, json!({"amount": 10_000})).await.json();
        let id = made["order_id"].as_str().unwrap();
        let first = provider.pay(id).unwrap().payment_id;
        report(&world, &provider, &first).await;
        let again = provider.pay_again(id).unwrap();
        for _ in 0..2 {
            report(&world, &provider, &again).await;
        }
        // The premium plan twice: the second order was open when the first was paid.
        let with_coupon = json!({"purpose": "premium_plan", "coupon_code": "x"});
        let other = order(&world, &token, with_coupon).await.json();
        buy(&world, &provider, &token, json!({"purpose": "premium_plan"})).await;
        let plan = provider.pay(other["order_id"].as_str().unwrap()).unwrap().payment_id;
        report(&world, &provider, &plan).await;
        // A payment of an account that is closed meanwhile.
        let late = order(&world, &closing, json!({"amount": 20_000})).await.json();
        let late = provider.pay(late["order_id"].as_str().unwrap()).unwrap().payment_id;
        let close = axum::http::Request::delete("/api/auth/me")
            .header("authorization", format!("Bearer {closing}"))
            .header("content-type", "application/json")
            .body(axum::body::Body::from(json!({"password": PASSWORD}).to_string()));
        assert_eq!(world.send(close.unwrap()).await.status, 200);
        report(&world, &provider, &late).await;

        let all = [
            (again.clone(), PaymentOutcome::OrderAlreadyPaid),
            (plan.clone(), PaymentOutcome::AlreadyPremium),
            (late.clone(), PaymentOutcome::AccountClosed),
        ];
        assert_eq!(due(&world).await, all);
        assert_eq!(balance(&world, &token).await, 300.0);
        for payment in [again, plan, late] {
            let refunded = refund(&world, &payment).await.unwrap();
            assert_eq!(refunded.status, RefundStatus::Processed);
            assert_eq!((refunded.credits_taken, refunded.credits_missing), (Paise::ZERO, Paise::ZERO));
            assert!(!due(&world).await.iter().any(|(due, _)| *due == payment));
        }
        assert!(due(&world).await.is_empty());
        assert_eq!(provider.refunds().len(), 3);
        assert_eq!(balance(&world, &token).await, 300.0);
        assert_eq!(world.get("/api/auth/me", &token).await.json()["user"]["premium"], true);
    });
}

#[test]
fn a_refunded_recharge_takes_its_credits_and_their_doubling_back() {
    // [PAY092] [PAY112] [PAY091]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let first = buy(&world, &provider, &token, json!({"amount": 10_000})).await;
        let second = buy(&world, &provider, &token, json!({"amount": 5_000})).await;
        let event = world.event(&token, "Party").await;
        assert_eq!(world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await.status, 201);
        assert_eq!(balance(&world, &token).await, 349.0);
        let refunded = refund(&world, &second).await.unwrap();
        assert_eq!((refunded.amount, refunded.credits_taken), (Paise::new(5_000), Paise::new(5_000)));
        assert_eq!(balance(&world, &token).await, 299.0);

        // The first recharge had doubled, and the account has spent some of it.
        operators::grant(&context(&world), "meera@example.com", -149.0, Some("A test")).await.unwrap();
        let refunded = refund(&world, &first).await.unwrap();
        assert_eq!(refunded.credits_taken, Paise::new(15_000));
        assert_eq!(refunded.credits_missing, Paise::new(5_000));
        assert_eq!(balance(&world, &token).await, 0.0);
        let again = refund(&world, &first).await.unwrap_err().to_string();
        assert_eq!(again, "This payment is refunded already.");
        let unknown = refund(&world, "pay_none").await.unwrap_err().to_string();
        assert_eq!(unknown, "Payment not found");
        assert_eq!(provider.refunds().len(), 2);
        // The reports of the provider change nothing any more.
        report_refund(&world, &provider, "refund.created", refunded.refund_id.as_deref().unwrap()).await;
        assert_eq!(balance(&world, &token).await, 0.0);
        assert_eq!(credits(&world, &token).await["is_first_recharge"], false);
    });
}

#[test]
fn an_interrupted_refund_is_resumed_and_made_once() {
    // [PAY111] [PAY093] [PAY118]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let payment = buy(&world, &provider, &token, json!({"amount": 10_000})).await;
        // The request is applied, and no answer ever comes.
        provider.inject([
            Fault::ApplyThenDisconnect,
            Fault::ErrorStatus(503, "Later"),
            Fault::ErrorStatus(503, "Later"),
        ]);
        assert!(matches!(refund(&world, &payment).await, Err(app::Failure::Payment(_))));
        assert_eq!(balance(&world, &token).await, 300.0);
        let made = provider.refunds()[0]["id"].as_str().unwrap().to_owned();
        // The webhook and the command may both find it.
        let (reported, asked) = tokio::join!(
            report_refund(&world, &provider, "refund.processed", &made),
            refund(&world, &payment)
        );
        let () = reported;
        match asked {
            Ok(refund) => assert_eq!(refund.refund_id.as_deref(), Some(made.as_str())),
            // The webhook was first.
            Err(failure) => assert_eq!(failure.to_string(), "This payment is refunded already."),
        }
        assert_eq!(provider.refunds().len(), 1);
        assert_eq!(balance(&world, &token).await, 100.0);

        // One that the provider refuses is recorded as failed, and can be asked for again.
        let other = buy(&world, &provider, &token, json!({"amount": 7_000})).await;
        provider.inject([Fault::ErrorStatus(400, "Your account does not have enough balance")]);
        let refused = refund(&world, &other).await.unwrap_err().to_string();
        assert_eq!(
            refused,
            "The payment provider refused the refund: Your account does not have enough balance"
        );
        assert_eq!(balance(&world, &token).await, 170.0);
        assert_eq!(refund(&world, &other).await.unwrap().status, RefundStatus::Processed);
        assert_eq!(balance(&world, &token).await, 100.0);
    });
}

#[test]
fn dashboard_refunds_are_applied_once_in_any_order() {
    // [PAY093] [PAY118]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let payment = buy(&world, &provider, &token, json!({"amount": 10_000})).await;
        let part = provider.refund_in_dashboard(&payment, 2_550).unwrap();
        let created = provider.refund_webhook("refund.created", &part).unwrap();
        let (one, two) = tokio::join!(deliver(&world, &created), deliver(&world, &created));
        assert_eq!((one.status.as_u16(), two.status.as_u16()), (200, 200));
        assert_eq!(balance(&world, &token).await, 249.0, "twice 25.50, since it was doubled");
        let rest = provider.refund_in_dashboard(&payment, 7_450).unwrap();
        for (event, status) in [("refund.processed", "processed"), ("refund.created", "pending")] {
            provider.set_refund_status(&rest, status);
            report_refund(&world, &provider, event, &rest).await;
        }
        assert_eq!(balance(&world, &token).await, 100.0);
        // The bank sends one back: what it took is there again.
        provider.set_refund_status(&part, "failed");
        for _ in 0..2 {
            report_refund(&world, &provider, "refund.failed", &part).await;
        }
        assert_eq!(balance(&world, &token).await, 151.0);
        let foreign = world.photographer("ravi@example.com").await;
        assert_eq!(balance(&world, &foreign).await, 100.0);
    });
}

#[test]
fn a_refunded_premium_plan_ends_unless_another_payment_covers_it() {
    // [PAY113]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        insert_coupons(&world, [coupon(&world, "X", Discount::Percent(10))]).await;
        let premium = async || world.get("/api/auth/me", &token).await.json()["user"]["premium"] == true;
        let other =
            order(&world, &token, json!({"purpose": "premium_plan", "coupon_code": "x"})).await.json();
        let first = buy(&world, &provider, &token, json!({"purpose": "premium_plan"})).await;
        let event = world.event(&token, "Party").await;
        assert_eq!(world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await.status, 201);
        let second = provider.pay(other["order_id"].as_str().unwrap()).unwrap().payment_id;
        report(&world, &provider, &second).await;
        refund(&world, &first).await.unwrap();
        assert!(premium().await, "the second payment holds it");
        assert!(due(&world).await.is_empty());
        refund(&world, &second).await.unwrap();
        assert!(!premium().await);
        world.clock.advance(std::time::Duration::from_secs(1));
        assert_eq!(world.upload(&token, &event, "b.jpg", &photo(&[RED], 1)).await.status, 201);
        assert_eq!(balance(&world, &token).await, 99.0, "uploads cost again");
        // What was uploaded free of charge is not missed.
        assert!(storage::operations::integrity::uncharged_photos(&world.parts.db).await.unwrap().is_empty());
    });
}

#[test]
fn a_payment_that_is_refunded_at_the_same_moment_does_not_hold_the_premium_plan() {
    // [PAY113]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        insert_coupons(&world, [coupon(&world, "X", Discount::Percent(10))]).await;
        // Another order, since its price is another.
        let other =
            order(&world, &token, json!({"purpose": "premium_plan", "coupon_code": "x"})).await.json();
        let first = buy(&world, &provider, &token, json!({"purpose": "premium_plan"})).await;
        let second = provider.pay(other["order_id"].as_str().unwrap()).unwrap();
        report(&world, &provider, &second.payment_id).await;
        let db = &world.parts.db;
        let payment = async |id: &str| storage::payments::by_id(db, "razorpay", id).await.unwrap().unwrap();
        let (counting, spare) = (payment(&first).await, payment(&second.payment_id).await);
        assert_eq!(spare.outcome, PaymentOutcome::AlreadyPremium);
        let whole = provider.refund_in_dashboard(&first, counting.amount.get()).unwrap();
        let webhook = provider.refund_webhook("refund.processed", &whole).unwrap();

        // What another server does with a report about the second one, and has not committed yet.
        let refund = domain::payments::Refund {
            id: world.parts.randomness.id(&world.clock),
            provider: spare.provider.clone(),
            payment_id: spare.payment_id.clone(),
            refund_id: Some(String::from("rfnd_of_the_second")),
            amount: spare.amount,
            status: RefundStatus::Processed,
            failure: None,
            credits_taken: Paise::ZERO,
            credits_missing: Paise::ZERO,
            created_at: world.app.now(),
            settled_at: None,
        };
        let mut tx = db.begin().await.unwrap();
        storage::payments::orders::lock(&mut tx, spare.order).await.unwrap();
        storage::payments::refunds::create(&mut tx, &refund).await.unwrap();
        let commit = async {
            tokio::time::sleep(std::time::Duration::from_millis(500)).await;
            tx.commit().await.unwrap();
        };
        let (answer, ()) = tokio::join!(deliver(&world, &webhook), commit);
        assert_eq!(answer.status, 200);
        assert_eq!(world.get("/api/auth/me", &token).await.json()["user"]["premium"], false);
        assert_eq!(payment(&second.payment_id).await.outcome, PaymentOutcome::AlreadyPremium);
    });
}

#[test]
fn a_refund_that_is_reported_before_its_payment_is_taken_back_with_it() {
    // [PAY200] [PAY201]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let paid = async || {
            let made = order(&world, &token, json!({"amount": 50_000})).await.json();
            world.clock.advance(std::time::Duration::from_secs(1));
            provider.pay(made["order_id"].as_str().unwrap()).unwrap()
        };
        let payment = paid().await.payment_id;
        let whole = provider.refund_in_dashboard(&payment, 50_000).unwrap();
        report_refund(&world, &provider, "refund.processed", &whole).await;
        report(&world, &provider, &payment).await;
        assert_eq!(balance(&world, &token).await, 100.0);
        let history = world.get("/api/payments/history", &token).await.json();
        let kinds: Vec<_> =
            history["history"].as_array().unwrap().iter().map(|line| line["kind"].clone()).collect();
        assert_eq!(kinds, ["refund", "doubling", "recharge", "signup"].map(Value::from));

        // A part of one, before anything but the reconciliation has seen the payment.
        let payment = paid().await.payment_id;
        let part = provider.refund_in_dashboard(&payment, 20_000).unwrap();
        report_refund(&world, &provider, "refund.processed", &part).await;
        world.clock.advance(std::time::Duration::from_secs(600));
        app::payments::reconcile(&world.app).await.unwrap();
        assert_eq!(balance(&world, &token).await, 400.0);

        // No report came at all: the provider says so when it is asked by the browser's verification.
        let proof = paid().await;
        provider.refund_in_dashboard(&proof.payment_id, 40_000).unwrap();
        let body = json!({"razorpay_payment_id": proof.payment_id, "razorpay_order_id": proof.order_id, "razorpay_signature": proof.signature});
        assert_eq!(crate::payments::verify(&world, &token, &body).await.status, 200);
        assert_eq!(balance(&world, &token).await, 500.0);

        // Nothing is credited while the provider cannot say what was returned; it sends the webhook again.
        let payment = paid().await.payment_id;
        let captured = provider.webhook("payment.captured", &payment).unwrap();
        provider.refund_in_dashboard(&payment, 50_000).unwrap();
        provider.inject(std::iter::repeat_n(Fault::ErrorStatus(503, "Later"), 3));
        assert_eq!(deliver(&world, &captured).await.error().0, 503);
        assert_eq!(balance(&world, &token).await, 500.0);
        assert_eq!(deliver(&world, &captured).await.status, 200);
        assert_eq!(balance(&world, &token).await, 500.0);
    });
}

#[test]
fn a_refund_that_came_at_the_same_moment_as_its_payment_is_applied_by_the_reconciliation() {
    // [PAY200] [PAY203]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let payment = buy(&world, &provider, &token, json!({"amount": 10_000})).await;
        let early = storage::payments::early_refunds::EarlyRefund {
            provider: String::from("razorpay"),
            refund_id: String::from("rfnd_00000000000001"),
            payment_id: payment,
            amount: Paise::new(10_000),
            receipt: None,
            status: RefundStatus::Processed,
            received_at: world.app.now(),
        };
        let mut tx = world.parts.db.begin().await.unwrap();
        storage::payments::early_refunds::keep(&mut tx, &early).await.unwrap();
        tx.commit().await.unwrap();
        let unapplied =
            async || storage::operations::integrity::unapplied_refunds(&world.parts.db).await.unwrap();
        assert_eq!(unapplied().await.len(), 1);
        app::payments::reconcile(&world.app).await.unwrap();
        assert!(unapplied().await.is_empty());
        assert_eq!(balance(&world, &token).await, 100.0);
    });
}

#[test]
fn another_payment_of_an_order_counts_when_the_first_is_returned() {
    // [PAY210]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let made = order(&world, &token, json!({"amount": 10_000})).await.json();
        let id = made["order_id"].as_str().unwrap();
        let first = provider.pay(id).unwrap().payment_id;
        report(&world, &provider, &first).await;
        let second = provider.pay_again(id).unwrap();
        report(&world, &provider, &second).await;
        assert_eq!(due(&world).await, [(second.clone(), PaymentOutcome::OrderAlreadyPaid)]);
        operators::grant(&context(&world), "meera@example.com", -150.0, Some("A test")).await.unwrap();
        refund(&world, &first).await.unwrap();
        assert_eq!(balance(&world, &token).await, 150.0, "one of the two is left");
        assert!(due(&world).await.is_empty());
        let refunded = refund(&world, &second).await.unwrap();
        assert_eq!(
            (refunded.credits_taken, refunded.credits_missing),
            (Paise::new(15_000), Paise::new(5_000))
        );
        assert_eq!(balance(&world, &token).await, 0.0);
    });
}

#[test]
fn a_premium_plan_comes_back_when_its_refund_fails() {
    // [PAY118]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let premium = async || world.get("/api/auth/me", &token).await.json()["user"]["premium"] == true;
        let payment = buy(&world, &provider, &token, json!({"purpose": "premium_plan"})).await;
        assert!(premium().await);
        let made = provider.refund_in_dashboard(&payment, 99_900).unwrap();
        provider.set_refund_status(&made, "pending");
        report_refund(&world, &provider, "refund.created", &made).await;
        assert!(!premium().await);
        provider.set_refund_status(&made, "failed");
        report_refund(&world, &provider, "refund.failed", &made).await;
        assert!(premium().await);
    });
}

#[test]
fn a_refund_that_the_provider_made_and_then_refused_is_applied_when_it_is_reported() {
    // [PAY234]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let payment = buy(&world, &provider, &token, json!({"amount": 10_000})).await;
        // The first request is applied, and its answer is lost; the repeated one is refused.
        provider.inject([
            Fault::ApplyThenDisconnect,
            Fault::ErrorStatus(400, "Another operation is in progress"),
        ]);
        let refused = refund(&world, &payment).await.unwrap_err().to_string();
        assert!(refused.contains("Another operation is in progress"), "{refused}");
        assert_eq!(balance(&world, &token).await, 300.0);
        let made = provider.refunds()[0]["id"].as_str().unwrap().to_owned();
        for _ in 0..2 {
            report_refund(&world, &provider, "refund.processed", &made).await;
            assert_eq!(balance(&world, &token).await, 100.0);
        }
        let again = refund(&world, &payment).await.unwrap_err().to_string();
        assert_eq!(again, "This payment is refunded already.");
        assert_eq!(provider.refunds().len(), 1);
    });
}

#[test]
fn a_plan_by_a_coupon_stays_when_a_former_payment_is_refunded_again() {
    // [PAY235] [PAY242]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        insert_coupons(&world, [coupon(&world, "ALL", Discount::Percent(100))]).await;
        let premium = async || world.get("/api/auth/me", &token).await.json()["user"]["premium"] == true;
        let payment = buy(&world, &provider, &token, json!({"purpose": "premium_plan"})).await;
        let event = world.event(&token, "Party").await;
        assert_eq!(world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await.status, 201);
        world.clock.advance(std::time::Duration::from_secs(1));
        let made = provider.refund_in_dashboard(&payment, 99_900).unwrap();
        provider.set_refund_status(&made, "pending");
        report_refund(&world, &provider, "refund.created", &made).await;
        assert!(!premium().await);
        let free = json!({"purpose": "premium_plan", "coupon_code": "all", "amount": 0});
        assert_eq!(order(&world, &token, free).await.status, 200);
        assert!(premium().await);
        provider.set_refund_status(&made, "failed");
        report_refund(&world, &provider, "refund.failed", &made).await;
        assert_eq!(due(&world).await, [(payment.clone(), PaymentOutcome::AlreadyPremium)]);
        // The payment gave the plan when the photo was uploaded.
        let db = &world.parts.db;
        assert!(storage::operations::integrity::uncharged_photos(db).await.unwrap().is_empty());
        assert_eq!(refund(&world, &payment).await.unwrap().status, RefundStatus::Processed);
        assert!(premium().await);
        assert!(due(&world).await.is_empty());
    });
}
