//! Orders that are paid after they were abandoned, or after the database has lost them.

use domain::payments::orders::{OrderStatus, Purpose};
use futures::future::join_all;
use storage::Engine;
use storage::accounts::users;
use storage::payments::coupons;
use storage::payments::orders::{self, Payment};
use storage::testing::rival_before;

use crate::orders::{coupon, loaded, new_order, order, pay};
use crate::world::{NOON, worlds};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_last_use_goes_to_one_of_the_orders_that_are_paid_at_the_same_moment() {
    // [PAY205]
    for world in worlds().await {
        let id = coupon(&world, "Diwali", Some(1), None).await;
        let mut abandoned = Vec::new();
        for number in 0..6 {
            let user = world.user(&format!("{number}@example.com")).await;
            let made = order(&world, user, Purpose::PremiumPlan, Some(id)).await.unwrap();
            let mut tx = world.begin().await;
            assert!(orders::abandon(&mut tx, made, NOON).await.unwrap());
            tx.commit().await.unwrap();
            abandoned.push(made);
        }
        let payments = abandoned.into_iter().map(|order| {
            let db = world.db.clone();
            tokio::spawn(async move {
                let mut tx = db.begin().await.unwrap();
                let paid =
                    orders::mark_paid(&mut tx, order, &format!("pay_{order}"), NOON, NOON).await.unwrap();
                tx.commit().await.unwrap();
                paid
            })
        });
        let paid: Vec<_> = join_all(payments).await.into_iter().map(|paid| paid.unwrap()).collect();
        assert_eq!(paid.iter().filter(|paid| matches!(paid, Payment::Accepted { .. })).count(), 1);
        assert_eq!(paid.iter().filter(|paid| matches!(paid, Payment::NoUseLeft(_))).count(), 5);
        assert_eq!(coupons::by_code(&world.db, "diwali").await.unwrap().unwrap().uses, 1);
    }
}

#[tokio::test]
async fn an_order_that_is_missing_is_made_anew_as_an_abandoned_one() {
    // [PAY204]
    for world in worlds().await {
        let user = world.user("a@example.com").await;
        let code = coupon(&world, "TEN", Some(1), None).await;
        for (number, coupon) in [None, Some(code), Some(world.id())].into_iter().enumerate() {
            let new = new_order(&world, user, Purpose::PremiumPlan, coupon);
            let provider_id = format!("order_{number}");
            let mut tx = world.begin().await;
            orders::restore(&mut tx, &new, &provider_id, NOON).await.unwrap();
            tx.commit().await.unwrap();
            let restored = loaded(&world, new.id).await;
            assert_eq!(restored.status, OrderStatus::Abandoned);
            assert_eq!((restored.amount, restored.created_at), (new.amount, new.created_at));
            assert_eq!(restored.provider_order_id, Some(provider_id));
            let known = coupon.filter(|coupon| *coupon == code);
            assert_eq!(restored.coupon, known, "one that is not here is left out");
            let paid = pay(&world, new.id, &format!("pay_{number}")).await;
            assert!(matches!(paid, Payment::Accepted { .. }), "{paid:?}");
            let mut tx = world.begin().await;
            orders::set_payment(&mut tx, new.id, &format!("pay_other_{number}")).await.unwrap();
            tx.commit().await.unwrap();
            assert_eq!(loaded(&world, new.id).await.payment_id, Some(format!("pay_other_{number}")));
        }
        assert_eq!(coupons::by_code(&world.db, "ten").await.unwrap().unwrap().uses, 1);
    }
}

#[tokio::test]
async fn a_payment_that_buys_nothing_and_an_order_do_not_wait_for_each_other() {
    let world = worlds().await.into_iter().find(|world| world.db.engine() == Engine::Postgres).unwrap();
    let user = world.user("a@example.com").await;
    let code = coupon(&world, "MANY", None, None).await;
    // The order of locks of a settlement whose account has the plan already, and that of an order.
    let settle = async |made| {
        let mut tx = world.begin().await;
        let payment = format!("pay_{made}");
        let paid = orders::mark_paid(&mut tx, made, &payment, NOON, NOON).await.unwrap();
        assert!(matches!(paid, Payment::Accepted { .. }), "{paid:?}");
        assert!(users::lock(&mut tx, user).await.unwrap().is_some());
        coupons::release_spent(&mut tx, made).await.unwrap();
        tx.commit().await.unwrap();
    };
    let make = async || {
        let new = new_order(&world, user, Purpose::PremiumPlan, Some(code));
        let mut tx = world.begin().await;
        assert!(orders::create(&mut tx, &new).await.unwrap());
        assert!(users::lock(&mut tx, user).await.unwrap().is_some());
        tx.commit().await.unwrap();
    };
    for settles_first in [true, false] {
        for place in 0.. {
            let made = order(&world, user, Purpose::PremiumPlan, Some(code)).await.unwrap();
            let is_between = if settles_first {
                rival_before(place, settle(made), make()).await.is_between
            } else {
                rival_before(place, make(), settle(made)).await.is_between
            };
            if !is_between {
                assert!(place > 3);
                break;
            }
        }
    }
}
