//! A coupon that leaves nothing to pay.

use std::sync::Arc;

use domain::Paise;
use domain::payments::coupons::{Coupon, Discount};
use serde_json::{Value, json};

use crate::harness::{RED, World, on_both_engines, photo};
use crate::payments::{coupon, credits, insert_coupons, order, with_provider};

fn free() -> Value {
    json!({"purpose": "premium_plan", "coupon_code": "all", "amount": 0})
}

async fn uses(world: &World) -> i64 {
    storage::payments::coupons::by_code(&world.parts.db, "ALL").await.unwrap().unwrap().uses
}

async fn is_premium(world: &World, token: &str) -> bool {
    world.get("/api/auth/me", token).await.json()["user"]["premium"] == true
}

async fn plans(world: &World, token: &str) -> Vec<Value> {
    let history = world.get("/api/payments/history", token).await.json();
    let lines = history["history"].as_array().unwrap().iter();
    lines.filter(|line| line["kind"] == "premium").cloned().collect()
}

#[test]
fn a_coupon_over_the_whole_price_upgrades_at_once() {
    // [PAY104]
    with_provider(async |world, provider| {
        let token = world.photographer("meera@example.com").await;
        let all = Coupon { max_uses: Some(1), ..coupon(&world, "ALL", Discount::Percent(100)) };
        insert_coupons(&world, [all]).await;
        for (body, refusal) in [
            (
                json!({"amount": 10_000, "coupon_code": "all"}),
                "A coupon can be used for the premium plan only",
            ),
            (json!({"amount": 0, "coupon_code": "all"}), "A coupon can be used for the premium plan only"),
            (json!({"amount": 0}), "Please enter an amount between ₹1 and ₹500,000"),
            (
                json!({"purpose": "premium_plan", "coupon_code": "all", "amount": 99_900}),
                "The amount is not the price of the premium plan",
            ),
        ] {
            let (status, text) = order(&world, &token, body.clone()).await.error();
            assert!(status == 400 || status == 409, "{body}: {status}");
            assert_eq!(text, refusal, "{body}");
        }
        assert!(!is_premium(&world, &token).await);
        assert_eq!(uses(&world).await, 0);

        let made = order(&world, &token, free()).await;
        assert_eq!(made.status, 200);
        let made = made.json();
        assert_eq!(
            (&made["amount"], &made["is_paid"], &made["currency"]),
            (&json!(0), &json!(true), &json!("INR"))
        );
        assert!(is_premium(&world, &token).await);
        assert_eq!(uses(&world).await, 1);
        assert!(provider.requests().is_empty(), "the provider is not asked");
        // Repeated after a lost answer, it is the same order, also when the coupon has ended.
        for _ in 0..2 {
            assert_eq!(order(&world, &token, free()).await.json(), made);
        }
        assert_eq!(uses(&world).await, 1);
        let told = plans(&world, &token).await;
        assert_eq!(told.len(), 1);
        assert_eq!(
            (&told[0]["paid"], &told[0]["credits"], &told[0]["note"], &told[0]["payment_id"]),
            (&json!(0.0), &json!(0.0), &json!("Coupon ALL"), &Value::Null)
        );
        // Uploads are free, the first recharge still doubles, and another account finds the coupon used up.
        let event = world.event(&token, "Party").await;
        assert_eq!(world.upload(&token, &event, "1.jpg", &photo(&[RED], 1)).await.status, 201);
        let now = credits(&world, &token).await;
        assert_eq!((&now["credits"], &now["is_first_recharge"]), (&json!(100.0), &json!(true)));
        let other = world.photographer("ravi@example.com").await;
        assert_eq!(
            order(&world, &other, free()).await.error(),
            (400, String::from("This coupon has been used up"))
        );
        assert!(!is_premium(&world, &other).await);
        assert_eq!(order(&world, "", free()).await.status, 401);
        let checked = app::payments::reconcile(&world.app).await;
        assert!(
            checked.is_ok()
                && storage::operations::integrity::unbalanced(&world.parts.db).await.unwrap().is_empty()
        );
    });
}

#[test]
fn a_fixed_coupon_over_more_than_the_price_upgrades_and_a_bought_plan_uses_none() {
    // [PAY104]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        insert_coupons(&world, [coupon(&world, "ALL", Discount::Fixed(Paise::from_rupees(5_000)))]).await;
        let made =
            order(&world, &token, json!({"purpose": "premium_plan", "coupon_code": "all"})).await.json();
        assert_eq!((&made["amount"], &made["is_paid"]), (&json!(0), &json!(true)));
        assert!(is_premium(&world, &token).await);
        // An account that has the plan otherwise keeps its use of the coupon.
        insert_coupons(&world, [coupon(&world, "OTHER", Discount::Percent(100))]).await;
        let again = json!({"purpose": "premium_plan", "coupon_code": "other"});
        assert_eq!(order(&world, &token, again).await.status, 409);
        let other = storage::payments::coupons::by_code(&world.parts.db, "other").await.unwrap().unwrap();
        assert_eq!((other.uses, plans(&world, &token).await.len()), (0, 1));
    });
}

#[test]
fn concurrent_upgrades_by_one_coupon_give_one_plan() {
    // [PAY116] [PAY117]
    on_both_engines(async |world: World| {
        let (meera, ravi) =
            (world.photographer("meera@example.com").await, world.photographer("ravi@example.com").await);
        insert_coupons(
            &world,
            [Coupon { max_uses: Some(1), ..coupon(&world, "ALL", Discount::Percent(100)) }],
        )
        .await;
        let world = Arc::new(world);
        let tasks: Vec<_> = (0..12)
            .map(|number| {
                let (world, token) =
                    (Arc::clone(&world), if number % 2 == 0 { &meera } else { &ravi }.clone());
                tokio::spawn(async move { (token.clone(), order(&world, &token, free()).await) })
            })
            .collect();
        let mut orders = Vec::new();
        for task in tasks {
            let (token, answer) = task.await.unwrap();
            if answer.status == 200 {
                orders.push((token, answer.json()["order_id"].clone()));
            } else {
                assert_eq!(answer.error(), (400, String::from("This coupon has been used up")));
            }
        }
        assert_eq!(orders.len(), 6, "each call of the account that was first returns its order");
        assert!(orders.iter().all(|order| *order == orders[0]));
        assert_eq!(uses(&world).await, 1);
        assert_eq!(is_premium(&world, &meera).await, orders[0].0 == meera);
        assert_eq!(is_premium(&world, &ravi).await, orders[0].0 == ravi);
        assert_eq!(plans(&world, &meera).await.len() + plans(&world, &ravi).await.len(), 1);
        let abandoned =
            storage::payments::orders::to_check(&world.parts.db, world.app.now(), 100).await.unwrap();
        assert!(abandoned.is_empty(), "no order stays open");
    });
}
