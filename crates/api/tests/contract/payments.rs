//! Orders, payments, coupons.

use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use domain::payments::coupons::{Coupon, Discount};
use domain::{CouponId, Paise};
use gateway::testing::{FakeRazorpay, SignedWebhook};
use serde_json::{Value, json};

use crate::harness::{Answer, RED, World, on_both_engines, photo};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

pub(crate) async fn order(world: &World, token: &str, body: Value) -> Answer {
    world.post("/api/payments/create-order", token, body).await
}

pub(crate) async fn verify(world: &World, token: &str, proof: &Value) -> Answer {
    world.post("/api/payments/verify-payment", token, proof.clone()).await
}

/// Creates an order and pays it in the sandbox; returns the proof.
pub(crate) async fn paid(world: &World, token: &str, body: Value) -> Value {
    let made = order(world, token, body).await;
    assert_eq!(made.status, 200, "{}", String::from_utf8_lossy(&made.bytes));
    let proof =
        world.post("/api/payments/sandbox", token, json!({"order_id": made.json()["order_id"]})).await;
    assert_eq!(proof.status, 200);
    proof.json()
}

pub(crate) async fn credits(world: &World, token: &str) -> Value {
    world.get("/api/subscription/credits", token).await.json()
}

#[test]
fn only_the_first_recharge_is_doubled() {
    // [API059] [API060] [API061] [API062] [PAY002] [PAY004] [PAY005] [PAY042] [PAY050] [PAY058] [PAY060] [PAY061] [CONST004]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let made = order(&world, &token, json!({"amount": 10_000})).await.json();
        assert_eq!(
            (&made["key_id"], &made["amount"], &made["currency"]),
            (&json!("sandbox"), &json!(10_000), &json!("INR"))
        );
        assert_eq!(made["provider"], "sandbox");
        let proof =
            world.post("/api/payments/sandbox", &token, json!({"order_id": made["order_id"]})).await.json();
        assert_eq!(credits(&world, &token).await["credits"], 100.0, "paid is not yet verified");
        let answer = verify(&world, &token, &proof).await;
        assert_eq!(
            answer.json(),
            json!({"success": true, "credits_added": 100.0, "credits_received": 200.0, "was_first_recharge": true})
        );
        assert_eq!(verify(&world, &token, &proof).await.json(), answer.json());
        assert_eq!(
            credits(&world, &token).await,
            json!({"credits": 300.0, "total_credits_earned": 300.0, "total_credits_spent": 0.0, "is_first_recharge": false})
        );
        let second = paid(&world, &token, json!({"amount": 1_999, "purpose": "credits"})).await;
        let answer = verify(&world, &token, &second).await.json();
        assert_eq!(
            answer,
            json!({"success": true, "credits_added": 19.99, "credits_received": 19.99, "was_first_recharge": false})
        );
        assert_eq!(credits(&world, &token).await["credits"], 319.99);
    });
}

#[test]
fn orders_are_bounded_and_whole() {
    // [PAY043] [PAY044] [PAY045] [PAY046]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        for (body, text) in [
            (json!({"amount": 99}), "Please enter an amount between ₹1 and ₹500,000"),
            (json!({"amount": -100}), "Please enter an amount between ₹1 and ₹500,000"),
            (json!({"amount": 50_000_001}), "Please enter an amount between ₹1 and ₹500,000"),
            (json!({}), "Please enter a valid amount"),
            (json!({"amount": 100, "purpose": "gifts"}), "Purpose must be credits or premium_plan"),
            (json!({"amount": 100, "coupon_code": "X"}), "A coupon can be used for the premium plan only"),
        ] {
            assert_eq!(order(&world, &token, body).await.error(), (400, text.to_owned()));
        }
        for body in [json!({"amount": 100.5}), json!({"amount": "100"}), json!({"amount": 1e300})] {
            assert_eq!(order(&world, &token, body).await.error().0, 400);
        }
        for amount in [100, 50_000_000] {
            assert_eq!(order(&world, &token, json!({"amount": amount})).await.status, 200);
        }
    });
}

#[test]
fn a_payment_is_credited_only_to_its_owner_and_with_its_signature() {
    // [PAY051] [PAY052] [PAY053] [SAFE031]
    on_both_engines(async |world: World| {
        let (meera, ravi) =
            (world.photographer("meera@example.com").await, world.photographer("ravi@example.com").await);
        let proof = paid(&world, &meera, json!({"amount": 10_000})).await;
        assert_eq!(verify(&world, &ravi, &proof).await.error(), (404, String::from("Order not found")));
        let pay =
            world.post("/api/payments/sandbox", &ravi, json!({"order_id": proof["razorpay_order_id"]})).await;
        assert_eq!(pay.error(), (404, String::from("Order not found")));
        for (field, value) in [
            ("razorpay_signature", "0".repeat(64)),
            ("razorpay_payment_id", String::from("pay_other")),
            ("razorpay_signature", String::new()),
        ] {
            let mut wrong = proof.clone();
            wrong[field] = json!(value);
            wrong["amount"] = json!(50_000_000);
            assert_eq!(
                verify(&world, &meera, &wrong).await.error(),
                (400, String::from("Payment verification failed"))
            );
        }
        assert_eq!(verify(&world, &meera, &json!({})).await.error().0, 404);
        assert_eq!(credits(&world, &meera).await["credits"], 100.0);
        // With a valid proof, the amount is the order's, whatever else is sent.
        let mut larger = proof.clone();
        larger["amount"] = json!(50_000_000);
        let verified = verify(&world, &meera, &larger).await;
        assert_eq!((verified.status.as_u16(), &verified.json()["credits_added"]), (200, &json!(100.0)));
        assert_eq!(credits(&world, &meera).await["credits"], 300.0);
        // The proof of another order is refused.
        let other = order(&world, &meera, json!({"amount": 50_000_000})).await.json();
        let mut wrong = proof.clone();
        wrong["razorpay_order_id"] = other["order_id"].clone();
        assert_eq!(verify(&world, &meera, &wrong).await.status, 400);
    });
}

#[test]
fn a_payment_verified_concurrently_is_credited_once() {
    // [PAY055] [PAY057] [PAY037]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let one = paid(&world, &token, json!({"amount": 10_000})).await;
        let two = paid(&world, &token, json!({"amount": 10_000})).await;
        let (a, b, c, d) = tokio::join!(
            verify(&world, &token, &one),
            verify(&world, &token, &two),
            verify(&world, &token, &one),
            verify(&world, &token, &two)
        );
        for answer in [&a, &b, &c, &d] {
            assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
        }
        let doubled = [&a, &b].iter().filter(|answer| answer.json()["was_first_recharge"] == true).count();
        assert_eq!(doubled, 1);
        assert_eq!(credits(&world, &token).await["credits"], 400.0);
        assert!(storage::operations::integrity::unbalanced(&world.parts.db).await.unwrap().is_empty());
    });
}

#[test]
fn the_premium_plan_makes_uploads_free() {
    // [PAY048] [PAY049] [PAY072] [PAY073] [PAY074] [CONST005]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let plan = |amount: i64| json!({"amount": amount, "purpose": "premium_plan"});
        let refused = order(&world, &token, plan(100)).await;
        assert_eq!(refused.error(), (400, String::from("The amount is not the price of the premium plan")));
        let proof = paid(&world, &token, plan(99_900)).await;
        assert_eq!(
            verify(&world, &token, &proof).await.json(),
            json!({"success": true, "credits_added": 0.0, "credits_received": 0.0, "was_first_recharge": false})
        );
        assert_eq!(world.get("/api/auth/me", &token).await.json()["user"]["premium"], true);
        let event = world.event(&token, "Party").await;
        assert_eq!(world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await.status, 201);
        let now = credits(&world, &token).await;
        assert_eq!((&now["credits"], &now["is_first_recharge"]), (&json!(100.0), &json!(true)));
        assert_eq!(order(&world, &token, plan(99_900)).await.error().0, 409);
    });
}

pub(crate) fn coupon(world: &World, code: &str, discount: Discount) -> Coupon {
    Coupon {
        id: world.app.id::<CouponId>(),
        code: code.to_owned(),
        discount,
        valid_from: None,
        valid_until: None,
        max_uses: None,
        max_uses_per_user: None,
        uses: 0,
        created_at: world.app.now(),
    }
}

pub(crate) async fn insert_coupons(world: &World, coupons: impl IntoIterator<Item = Coupon>) {
    let mut tx = world.parts.db.begin().await.unwrap();
    for coupon in coupons {
        assert!(storage::payments::coupons::create(&mut tx, &coupon).await.unwrap());
    }
    tx.commit().await.unwrap();
}

#[test]
fn a_coupon_has_a_discount_or_the_reason_why_not() {
    // [API057] [API058] [PAY075] [PAY077] [PAY080] [PAY081] [PAY082] [X30]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let now = world.app.now();
        let old = Coupon { valid_until: Some(now), ..coupon(&world, "OLD", Discount::Percent(10)) };
        let soon =
            Coupon { valid_from: Some(now.plus(DAY)), ..coupon(&world, "SOON", Discount::Percent(10)) };
        let tenth = coupon(&world, "Tenth", Discount::Percent(10));
        let much = coupon(&world, "MUCH", Discount::Fixed(Paise::from_rupees(5_000)));
        insert_coupons(&world, [old, soon, tenth, much]).await;
        let validate = |code: &'static str| {
            world.post("/api/validate-coupon", &token, json!({"couponCode": code, "amount": 999}))
        };
        for (code, valid, off, message) in [
            ("tenth", true, 99.9, "Coupon applied"),
            (" TENTH ", true, 99.9, "Coupon applied"),
            ("much", true, 999.0, "Coupon applied"),
            ("none", false, 0.0, "Invalid coupon code"),
            ("old", false, 0.0, "This coupon has expired"),
            ("soon", false, 0.0, "This coupon is not valid yet"),
        ] {
            let answer = validate(code).await;
            assert_eq!(
                answer.json(),
                json!({"valid": valid, "discountAmount": off, "message": message}),
                "{code}"
            );
        }
        assert_eq!(validate(" ").await.error(), (400, String::from("Please enter a coupon code")));
        // Valid, and of no use for an order.
        insert_coupons(&world, [coupon(&world, "NEARLY", Discount::Fixed(Paise::new(99_850)))]).await;
        let rest = json!({"purpose": "premium_plan", "coupon_code": "nearly"});
        assert_eq!(
            order(&world, &token, rest).await.error(),
            (400, String::from("This coupon leaves less than ₹1 to pay"))
        );
    });
}

#[test]
fn a_coupons_last_use_is_used_once() {
    // [PAY047] [PAY078] [PAY079] [PAY083]
    on_both_engines(async |world: World| {
        let (meera, ravi) =
            (world.photographer("meera@example.com").await, world.photographer("ravi@example.com").await);
        insert_coupons(
            &world,
            [Coupon { max_uses: Some(1), ..coupon(&world, "HALF", Discount::Percent(50)) }],
        )
        .await;
        let buy = |token: &String| {
            let token = token.clone();
            let world = &world;
            async move {
                order(
                    world,
                    &token,
                    json!({"purpose": "premium_plan", "coupon_code": "half", "amount": 49_950}),
                )
                .await
            }
        };
        let (one, two) = tokio::join!(buy(&meera), buy(&ravi));
        let (won, lost, loser) = if one.status == 200 { (one, two, &ravi) } else { (two, one, &meera) };
        assert_eq!(won.json()["amount"], 49_950);
        assert_eq!(lost.error(), (400, String::from("This coupon has been used up")));
        let answer =
            world.post("/api/validate-coupon", loser, json!({"couponCode": "half", "amount": 999})).await;
        assert_eq!(
            answer.json(),
            json!({"valid": false, "discountAmount": 0.0, "message": "This coupon has been used up"})
        );
        // An abandoned order releases the use.
        world.clock.advance(DAY * 5);
        app::payments::reconcile(&world.app).await.unwrap();
        assert_eq!((buy(&meera).await.status.as_u16(), buy(&ravi).await.status.as_u16()), (200, 400));
    });
}

/// Runs a test on both engines with a fake of the provider.
pub(crate) fn with_provider<F: Future<Output = ()>>(test: impl Fn(World, std::sync::Arc<FakeRazorpay>) -> F) {
    on_both_engines(async |world: World| {
        let provider = std::sync::Arc::new(FakeRazorpay::start().await.unwrap());
        let payments = gateway::Payments::razorpay(provider.settings()).unwrap();
        test(World::with(world.parts.db.clone(), Some(payments)).await, provider).await;
    });
}

pub(crate) async fn deliver(world: &World, webhook: &SignedWebhook) -> Answer {
    let request = Request::post("/api/payments/webhook")
        .header("content-type", "application/json")
        .header("x-razorpay-signature", &webhook.signature)
        .header("x-razorpay-event-id", &webhook.event_id);
    world.send(request.body(Body::from(webhook.body.clone())).unwrap()).await
}

#[test]
fn a_payment_is_credited_after_the_provider_confirmed_it() {
    // [PAY059]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let made = order(&world, &token, json!({"amount": 10_000})).await.json();
        assert_eq!(
            (&made["key_id"], &made["provider"]),
            (&json!(gateway::testing::KEY_ID), &json!("razorpay"))
        );
        let proof = provider.pay(made["order_id"].as_str().unwrap()).unwrap();
        let sandbox =
            world.post("/api/payments/sandbox", &token, json!({"order_id": made["order_id"]})).await;
        assert_eq!(sandbox.status, 404);
        let body = json!({"razorpay_payment_id": proof.payment_id, "razorpay_order_id": proof.order_id, "razorpay_signature": proof.signature});
        assert_eq!(verify(&world, &token, &body).await.json()["credits_received"], 200.0);
        let asked = provider.requests().len();
        assert_eq!(verify(&world, &token, &body).await.json()["credits_received"], 200.0);
        assert_eq!(provider.requests().len(), asked, "a repeat sends no request");
        assert_eq!(credits(&world, &token).await["credits"], 300.0);
    });
}

#[test]
fn a_payment_is_credited_when_the_browser_was_closed() {
    // [PAY056] [PAY065] [PAY066] [PAY067] [PAY068] [PAY069] [PAY070]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let made = order(&world, &token, json!({"amount": 10_000})).await.json();
        let proof = provider.pay(made["order_id"].as_str().unwrap()).unwrap();
        let captured = provider.webhook("payment.captured", &proof.payment_id).unwrap();
        let forged = SignedWebhook { signature: "0".repeat(64), ..captured.clone() };
        assert_eq!(deliver(&world, &forged).await.error().0, 400);
        let changed = SignedWebhook { body: [captured.body.as_slice(), b" "].concat(), ..captured.clone() };
        assert_eq!(deliver(&world, &changed).await.error().0, 400, "the raw body is signed");
        assert_eq!(credits(&world, &token).await["credits"], 100.0);

        let order_paid = provider.webhook("order.paid", &proof.payment_id).unwrap();
        let body = json!({"razorpay_payment_id": proof.payment_id, "razorpay_order_id": proof.order_id, "razorpay_signature": proof.signature});
        let (one, two, three, four) = tokio::join!(
            deliver(&world, &captured),
            deliver(&world, &order_paid),
            verify(&world, &token, &body),
            deliver(&world, &captured)
        );
        for answer in [one, two, three, four] {
            assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
        }
        assert_eq!(credits(&world, &token).await["credits"], 300.0);

        let second = order(&world, &token, json!({"amount": 5_000})).await.json();
        let proof = provider.pay(second["order_id"].as_str().unwrap()).unwrap();
        let order_paid = provider.webhook("order.paid", &proof.payment_id).unwrap();
        let known = SignedWebhook { event_id: captured.event_id.clone(), ..order_paid.clone() };
        assert_eq!(deliver(&world, &known).await.status, 200);
        assert_eq!(credits(&world, &token).await["credits"], 300.0, "an event with this id was handled");
        assert_eq!(deliver(&world, &order_paid).await.status, 200);
        assert_eq!(credits(&world, &token).await["credits"], 350.0);

        let third = order(&world, &token, json!({"amount": 7_000})).await.json();
        let proof = provider.pay(third["order_id"].as_str().unwrap()).unwrap();
        let captured = provider.webhook("payment.captured", &proof.payment_id).unwrap();
        assert_eq!(deliver(&world, &captured).await.status, 200);
        assert_eq!(credits(&world, &token).await["credits"], 420.0);
    });
}

#[test]
fn the_reconciler_credits_payments_without_a_webhook() {
    // [PAY071]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let made = order(&world, &token, json!({"amount": 10_000})).await.json();
        order(&world, &token, json!({"amount": 20_000})).await;
        provider.pay(made["order_id"].as_str().unwrap()).unwrap();
        app::payments::reconcile(&world.app).await.unwrap();
        assert_eq!(credits(&world, &token).await["credits"], 100.0, "the browser has its chance first");
        world.clock.advance(Duration::from_secs(10 * 60));
        app::payments::reconcile(&world.app).await.unwrap();
        assert_eq!(credits(&world, &token).await["credits"], 300.0);
        app::payments::reconcile(&world.app).await.unwrap();
        assert_eq!(credits(&world, &token).await["credits"], 300.0);
    });
}

#[test]
fn an_unreachable_provider_creates_no_order() {
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        provider.inject(std::iter::repeat_n(gateway::testing::Fault::ErrorStatus(503, "unavailable"), 12));
        assert_eq!(order(&world, &token, json!({"amount": 10_000})).await.error().0, 503);
        assert!(
            storage::payments::orders::to_check(&world.parts.db, world.app.now().plus(DAY), 10)
                .await
                .unwrap()
                .is_empty()
        );
    });
}

#[test]
fn a_proof_that_comes_again_needs_its_signature_too() {
    // [PAY053]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let proof = paid(&world, &token, json!({"amount": 10_000})).await;
        assert_eq!(verify(&world, &token, &proof).await.status, 200);
        let mut wrong = proof.clone();
        wrong["razorpay_signature"] = json!("0".repeat(64));
        let refused = verify(&world, &token, &wrong).await;
        assert_eq!(refused.error(), (400, String::from("Payment verification failed")));
        assert_eq!(credits(&world, &token).await["credits"], 300.0);
    });
}
