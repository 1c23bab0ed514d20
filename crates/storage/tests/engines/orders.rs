//! Orders and coupons.

use domain::payments::coupons::{Coupon, Discount};
use domain::payments::orders::{Order, OrderStatus, Purpose};
use domain::{CouponId, OrderId, Paise, UserId};
use futures::future::join_all;
use std::time::Duration;
use storage::payments::coupons;
use storage::payments::orders::{self, NewOrder, Payment};

use crate::parity::{change, refuses};
use crate::world::{DAY, NOON, World, worlds};

const MINUTE: Duration = Duration::from_secs(60);

pub(crate) fn new_order(world: &World, user: UserId, purpose: Purpose, coupon: Option<CouponId>) -> NewOrder {
    NewOrder {
        id: world.id(),
        user,
        provider: String::from("razorpay"),
        purpose,
        amount: Paise::from_rupees(100),
        discount: Paise::new(if coupon.is_some() { 500 } else { 0 }),
        coupon,
        created_at: world.now(),
        check_at: world.now().plus(MINUTE * 5),
    }
}

pub(crate) async fn order(
    world: &World,
    user: UserId,
    purpose: Purpose,
    coupon: Option<CouponId>,
) -> Option<OrderId> {
    let order = new_order(world, user, purpose, coupon);
    let mut tx = world.begin().await;
    let made = orders::create(&mut tx, &order).await.unwrap();
    tx.commit().await.unwrap();
    made.then_some(order.id)
}

pub(crate) async fn pay(world: &World, order: OrderId, payment: &str) -> Payment {
    let mut tx = world.begin().await;
    let paid = orders::mark_paid(&mut tx, order, payment, world.now(), world.now()).await.unwrap();
    tx.commit().await.unwrap();
    paid
}

pub(crate) async fn loaded(world: &World, order: OrderId) -> Order {
    orders::by_id(&world.db, order).await.unwrap().unwrap()
}

pub(crate) async fn coupon(
    world: &World,
    code: &str,
    max_uses: Option<i64>,
    max_uses_per_user: Option<i64>,
) -> CouponId {
    let coupon = Coupon {
        id: world.id(),
        code: code.to_owned(),
        discount: Discount::Percent(10),
        valid_from: None,
        valid_until: Some(NOON.plus(DAY)),
        max_uses,
        max_uses_per_user,
        uses: 0,
        created_at: world.now(),
    };
    let mut tx = world.begin().await;
    assert!(coupons::create(&mut tx, &coupon).await.unwrap());
    tx.commit().await.unwrap();
    coupon.id
}

#[tokio::test]
async fn paying_an_order_is_idempotent() {
    // [PAY055] [PAY058]
    for world in worlds().await {
        let db = &world.db;
        let user = world.user("a@example.com").await;
        let id = order(&world, user, Purpose::Credits, None).await.unwrap();
        let open = loaded(&world, id).await;
        assert_eq!((open.status, open.user, open.purpose), (OrderStatus::Open, user, Purpose::Credits));
        assert_eq!(
            (open.amount, open.provider.as_str(), open.settled_at),
            (Paise::new(10_000), "razorpay", None)
        );
        let mut tx = world.begin().await;
        assert!(orders::set_provider_order_id(&mut tx, id, "order_1").await.unwrap());
        assert!(!orders::set_provider_order_id(&mut tx, id, "order_2").await.unwrap());
        tx.commit().await.unwrap();
        let found = orders::by_provider_order_id(db, "razorpay", "order_1").await.unwrap().unwrap();
        assert_eq!(found.id, id);
        assert_eq!(orders::by_provider_order_id(db, "sandbox", "order_1").await.unwrap(), None);

        let Payment::Accepted { order: paid, first_recharge: true } = pay(&world, id, "pay_1").await else {
            panic!("the first payment of the account");
        };
        assert_eq!((paid.status, paid.payment_id.as_deref()), (OrderStatus::Paid, Some("pay_1")));
        let mut tx = world.begin().await;
        orders::record_credits(&mut tx, id, Paise::new(20_000)).await.unwrap();
        tx.commit().await.unwrap();
        for payment in ["pay_1", "pay_other"] {
            let Payment::Repeated(again) = pay(&world, id, payment).await else { panic!("it was paid") };
            assert_eq!((again.credits_received, again.was_first_recharge), (Paise::new(20_000), true));
            assert_eq!(again, loaded(&world, id).await);
        }
        assert_eq!(pay(&world, world.id(), "pay_9").await, Payment::Missing);

        let next = order(&world, user, Purpose::Credits, None).await.unwrap();
        let mut tx = world.begin().await;
        let stolen = orders::mark_paid(&mut tx, next, "pay_1", NOON, NOON).await.unwrap();
        assert_eq!(stolen, Payment::OfAnotherOrder);
        tx.rollback().await.unwrap();
        assert_eq!(loaded(&world, next).await.status, OrderStatus::Open);
        assert!(matches!(pay(&world, next, "pay_2").await, Payment::Accepted { first_recharge: false, .. }));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_first_payments_at_the_same_moment_double_once() {
    // [PAY056] [PAY057]
    for world in worlds().await {
        let user = world.user("a@example.com").await;
        let premium = order(&world, user, Purpose::PremiumPlan, None).await.unwrap();
        assert!(matches!(
            pay(&world, premium, "pay_0").await,
            Payment::Accepted { first_recharge: false, .. }
        ));
        let mut deliveries = Vec::new();
        for number in 0..4 {
            let id = order(&world, user, Purpose::Credits, None).await.unwrap();
            // Each payment is reported by the browser and by the provider.
            for _ in 0..2 {
                let db = world.db.clone();
                deliveries.push(tokio::spawn(async move {
                    let mut tx = db.begin().await.unwrap();
                    let paid = orders::mark_paid(&mut tx, id, &format!("pay_{id}_{number}"), NOON, NOON)
                        .await
                        .unwrap();
                    tx.commit().await.unwrap();
                    paid
                }));
            }
        }
        let paid: Vec<_> = join_all(deliveries).await.into_iter().map(|paid| paid.unwrap()).collect();
        let accepted = |first| move |paid: &&Payment| matches!(paid, Payment::Accepted { first_recharge, .. } if *first_recharge == first);
        assert_eq!(paid.iter().filter(accepted(true)).count(), 1);
        assert_eq!(paid.iter().filter(accepted(false)).count(), 3);
        assert_eq!(paid.iter().filter(|paid| matches!(paid, Payment::Repeated(_))).count(), 4);
    }
}

#[tokio::test]
async fn orders_stay_open_until_they_are_settled() {
    // [PAY071]
    for world in worlds().await {
        let db = &world.db;
        let user = world.user("a@example.com").await;
        let (one, two, three) = (
            order(&world, user, Purpose::Credits, None).await.unwrap(),
            order(&world, user, Purpose::Credits, None).await.unwrap(),
            order(&world, user, Purpose::Credits, None).await.unwrap(),
        );
        let open = async |now| {
            let open = orders::to_check(db, now, 9).await.unwrap();
            open.into_iter().map(|order| order.id).collect::<Vec<_>>()
        };
        assert!(open(NOON).await.is_empty(), "they are younger");
        let later = world.now().plus(DAY);
        assert_eq!(open(later).await, [one, two, three]);
        let mut tx = world.begin().await;
        orders::mark_checked(&mut tx, one, later, later.plus(MINUTE)).await.unwrap();
        orders::mark_checked(&mut tx, two, later.minus(MINUTE), later).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(open(later).await, [three, two], "the longest unasked comes first");
        assert_eq!(open(later.plus(DAY)).await, [three, two, one]);
        pay(&world, one, "pay_1").await;
        let mut tx = world.begin().await;
        assert!(orders::abandon(&mut tx, three, later).await.unwrap());
        assert!(!orders::abandon(&mut tx, three, later).await.unwrap());
        assert!(!orders::abandon(&mut tx, one, later).await.unwrap());
        assert!(orders::fail(&mut tx, two, "it is unknown", later).await.unwrap());
        assert!(!orders::fail(&mut tx, one, "it is unknown", later).await.unwrap());
        tx.commit().await.unwrap();
        assert!(open(later.plus(DAY)).await.is_empty());
        assert_eq!(loaded(&world, three).await.settled_at, Some(later));
        let failed = orders::failed(db, "razorpay").await.unwrap();
        assert_eq!(failed, [loaded(&world, two).await]);
        assert_eq!(
            (failed[0].status, failed[0].failure.as_deref()),
            (OrderStatus::Failed, Some("it is unknown"))
        );
        for (order, payment) in [(three, "pay_3"), (two, "pay_2")] {
            let paid = pay(&world, order, payment).await;
            assert!(matches!(paid, Payment::Accepted { .. }), "money that comes late counts");
        }
        assert!(orders::failed(db, "razorpay").await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn an_open_order_of_the_same_content_is_found_and_open_ones_are_counted() {
    // [PAY086]
    for world in worlds().await {
        let db = &world.db;
        let (one, two) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let diwali = coupon(&world, "Diwali", None, None).await;
        let find = async |user, purpose, amount, coupon| {
            let amount = Paise::from_rupees(amount);
            orders::reusable(db, user, "razorpay", purpose, amount, coupon)
                .await
                .unwrap()
                .map(|order| order.id)
        };
        let plain = order(&world, one, Purpose::Credits, None).await.unwrap();
        assert_eq!(find(one, Purpose::Credits, 100, None).await, None, "the provider does not know it");
        let with_coupon = order(&world, one, Purpose::PremiumPlan, Some(diwali)).await.unwrap();
        let mut tx = world.begin().await;
        orders::set_provider_order_id(&mut tx, plain, "order_1").await.unwrap();
        orders::set_provider_order_id(&mut tx, with_coupon, "order_2").await.unwrap();
        assert_eq!(orders::count_open(&mut tx, one).await.unwrap(), 2);
        assert_eq!(orders::count_open(&mut tx, two).await.unwrap(), 0);
        assert_eq!(orders::lock(&mut tx, plain).await.unwrap().unwrap().id, plain);
        assert_eq!(orders::lock(&mut tx, world.id()).await.unwrap(), None);
        tx.commit().await.unwrap();
        assert_eq!(find(one, Purpose::Credits, 100, None).await, Some(plain));
        assert_eq!(find(one, Purpose::PremiumPlan, 100, Some(diwali)).await, Some(with_coupon));
        for (user, purpose, amount, coupon) in [
            (two, Purpose::Credits, 100, None),
            (one, Purpose::Credits, 101, None),
            (one, Purpose::PremiumPlan, 100, None),
            (one, Purpose::PremiumPlan, 100, Some(world.id())),
        ] {
            assert_eq!(find(user, purpose, amount, coupon).await, None);
        }
        pay(&world, plain, "pay_1").await;
        assert_eq!(find(one, Purpose::Credits, 100, None).await, None);
    }
}

#[tokio::test]
async fn a_reservation_ends_and_is_taken_again_while_a_use_is_left() {
    // [PAY107] [PAY108]
    for world in worlds().await {
        let db = &world.db;
        let (one, two) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let id = coupon(&world, "Diwali", Some(1), None).await;
        let uses = async || coupons::by_code(db, "diwali").await.unwrap().unwrap().uses;
        let release = async |order| {
            let mut tx = world.begin().await;
            orders::lock(&mut tx, order).await.unwrap();
            coupons::release(&mut tx, order).await.unwrap();
            tx.commit().await.unwrap();
        };
        let reserve_again = async |order, now| {
            let mut tx = world.begin().await;
            orders::lock(&mut tx, order).await.unwrap();
            let reserved = coupons::reserve_again(&mut tx, order, NOON, now).await.unwrap();
            tx.commit().await.unwrap();
            reserved
        };
        let first = order(&world, one, Purpose::PremiumPlan, Some(id)).await.unwrap();
        assert_eq!(coupons::reserved_by(db, id, one).await.unwrap(), 1);
        let made = loaded(&world, first).await.created_at;
        assert!(coupons::reserved_before(db, made.minus(MINUTE), 9).await.unwrap().is_empty());
        assert_eq!(coupons::reserved_before(db, made, 9).await.unwrap(), [first]);
        assert!(reserve_again(first, made.plus(MINUTE)).await);
        assert!(coupons::reserved_before(db, made, 9).await.unwrap().is_empty(), "it lasts from now on");
        assert_eq!(uses().await, 1);

        release(first).await;
        release(first).await;
        assert_eq!((uses().await, coupons::reserved_by(db, id, one).await.unwrap()), (0, 0));
        assert!(reserve_again(first, made).await);
        assert_eq!(uses().await, 1);
        release(first).await;
        let second = order(&world, two, Purpose::PremiumPlan, Some(id)).await.unwrap();
        assert!(!reserve_again(first, made).await, "its use went to another");
        release(second).await;
        assert!(matches!(pay(&world, first, "pay_1").await, Payment::Accepted { .. }));
        assert_eq!((uses().await, coupons::uses_by(db, id, one).await.unwrap()), (1, 1), "a use was left");
        assert!(!reserve_again(second, made).await);
        let without = order(&world, two, Purpose::Credits, None).await.unwrap();
        assert!(!reserve_again(without, made).await);
    }
}

#[tokio::test]
async fn a_coupon_is_found_in_any_case() {
    // [PAY075] [PAY076] [PAY077] [PAY078]
    for world in worlds().await {
        let db = &world.db;
        let made = coupon(&world, "Diwali26", Some(2), Some(1)).await;
        let fixed = Coupon {
            id: world.id(),
            code: String::from("Flat50"),
            discount: Discount::Fixed(Paise::from_rupees(50)),
            valid_from: Some(NOON),
            valid_until: None,
            max_uses: None,
            max_uses_per_user: None,
            uses: 0,
            created_at: world.now(),
        };
        let mut tx = world.begin().await;
        let taken = Coupon { code: String::from("DIWALI26"), id: world.id(), ..fixed.clone() };
        assert!(!coupons::create(&mut tx, &taken).await.unwrap());
        assert!(coupons::create(&mut tx, &fixed).await.unwrap());
        tx.commit().await.unwrap();
        let found = coupons::by_code(db, " dIWALI26").await.unwrap().unwrap();
        assert_eq!(
            (found.id, found.code.as_str(), found.discount),
            (made, "Diwali26", Discount::Percent(10))
        );
        assert_eq!((found.valid_from, found.valid_until), (None, Some(NOON.plus(DAY))));
        assert_eq!((found.max_uses, found.max_uses_per_user), (Some(2), Some(1)));
        assert_eq!(coupons::by_code(db, "flat50").await.unwrap(), Some(fixed.clone()));
        assert_eq!(coupons::by_code(db, "holi").await.unwrap(), None);
        assert_eq!(coupons::list(db).await.unwrap(), [fixed, found]);
    }
}

#[tokio::test]
async fn a_use_is_reserved_spent_or_released() {
    // [PAY078]
    for world in worlds().await {
        let db = &world.db;
        let (one, two, three) = (
            world.user("a@example.com").await,
            world.user("b@example.com").await,
            world.user("c@example.com").await,
        );
        let id = coupon(&world, "Diwali", Some(2), Some(1)).await;
        let uses = async || coupons::by_code(db, "diwali").await.unwrap().unwrap().uses;
        let take = async |user| order(&world, user, Purpose::PremiumPlan, Some(id)).await;

        let first = take(one).await.unwrap();
        assert_eq!((uses().await, coupons::uses_by(db, id, one).await.unwrap()), (1, 1));
        assert_eq!(take(one).await, None, "one for each account");
        let second = take(two).await.unwrap();
        assert_eq!(take(three).await, None, "none is left");
        assert_eq!(uses().await, 2);

        pay(&world, first, "pay_1").await;
        let mut tx = world.begin().await;
        assert!(orders::abandon(&mut tx, second, NOON).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!((uses().await, coupons::uses_by(db, id, two).await.unwrap()), (1, 0));
        let third = take(three).await.unwrap();
        assert_eq!(loaded(&world, third).await.coupon, Some(id));
        // The order that was abandoned is paid after all; its use went to another.
        assert_eq!(pay(&world, second, "pay_2").await, Payment::NoUseLeft(loaded(&world, second).await));
        assert_eq!((uses().await, coupons::uses_by(db, id, two).await.unwrap()), (2, 0));
        assert_eq!(loaded(&world, second).await.status, OrderStatus::Abandoned);
        let mut tx = world.begin().await;
        assert!(orders::fail(&mut tx, second, "no use was left", NOON).await.unwrap());
        assert!(!coupons::spend(&mut tx, second, NOON, NOON).await.unwrap());
        // What was spent for nothing is there again, for whoever comes first, until the coupon ends.
        coupons::release_spent(&mut tx, first).await.unwrap();
        coupons::release_spent(&mut tx, first).await.unwrap();
        assert!(!coupons::spend(&mut tx, second, NOON.plus(DAY), NOON).await.unwrap(), "it has ended");
        assert!(coupons::spend(&mut tx, second, NOON, NOON.plus(DAY)).await.unwrap(), "it was paid before");
        assert!(coupons::spend(&mut tx, second, NOON, NOON).await.unwrap(), "it is spent");
        assert!(!coupons::spend(&mut tx, first, NOON, NOON).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!((uses().await, coupons::uses_by(db, id, two).await.unwrap()), (2, 1));
        let unknown = order(&world, one, Purpose::PremiumPlan, Some(world.id())).await;
        assert_eq!(unknown, None);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_last_use_goes_to_one_order() {
    // [PAY079]
    for world in worlds().await {
        let id = coupon(&world, "Diwali", Some(3), None).await;
        let mut attempts = Vec::new();
        for number in 0..10 {
            let user = world.user(&format!("{number}@example.com")).await;
            let (db, order) = (world.db.clone(), new_order(&world, user, Purpose::PremiumPlan, Some(id)));
            attempts.push(tokio::spawn(async move {
                let mut tx = db.begin().await.unwrap();
                let made = orders::create(&mut tx, &order).await.unwrap();
                tx.commit().await.unwrap();
                made
            }));
        }
        let made = join_all(attempts).await.into_iter().filter(|made| *made.as_ref().unwrap()).count();
        assert_eq!(made, 3);
        assert_eq!(coupons::by_code(&world.db, "diwali").await.unwrap().unwrap().uses, 3);
    }
}

#[tokio::test]
async fn a_free_order_is_marked_once_and_spends_its_coupon() {
    // [PAY116]
    for world in worlds().await {
        let db = &world.db;
        let user = world.user("a@example.com").await;
        let code = coupon(&world, "ALL", Some(1), None).await;
        let priced = order(&world, user, Purpose::PremiumPlan, None).await.unwrap();
        let free = new_order(&world, user, Purpose::PremiumPlan, Some(code));
        let free = NewOrder { amount: Paise::ZERO, ..free };
        assert_eq!(orders::free_by_coupon(db, user, code).await.unwrap(), None);
        let mut tx = world.begin().await;
        assert!(orders::create(&mut tx, &free).await.unwrap());
        assert!(!orders::mark_free(&mut tx, priced, world.now()).await.unwrap(), "something is to pay");
        assert!(orders::mark_free(&mut tx, free.id, world.now()).await.unwrap());
        assert!(!orders::mark_free(&mut tx, free.id, world.now()).await.unwrap());
        tx.commit().await.unwrap();
        let paid = loaded(&world, free.id).await;
        assert_eq!(
            (paid.status, paid.amount, paid.payment_id.clone()),
            (OrderStatus::Paid, Paise::ZERO, None)
        );
        assert_eq!(loaded(&world, priced).await.status, OrderStatus::Open);
        assert_eq!(orders::free_by_coupon(db, user, code).await.unwrap(), Some(paid));
        assert_eq!(coupons::by_code(db, "all").await.unwrap().unwrap().uses, 1);
        assert_eq!(coupons::reserved_by(db, code, user).await.unwrap(), 0, "the use is spent");
        let other = world.user("b@example.com").await;
        assert_eq!(orders::free_by_coupon(db, other, code).await.unwrap(), None);
    }
}

#[tokio::test]
async fn orders_of_an_older_installation_keep_their_amounts() {
    // [PAY104]
    for world in worlds().await {
        let db = &world.db;
        let user = world.user("a@example.com").await;
        let code = coupon(&world, "TEN", None, None).await;
        let open = order(&world, user, Purpose::Credits, Some(code)).await.unwrap();
        let before = loaded(&world, open).await;
        // As the versions before made the column.
        for statement in [
            "ALTER TABLE orders ADD COLUMN old BIGINT NOT NULL DEFAULT 1 CHECK (old > 0)",
            "UPDATE orders SET old = amount",
            "ALTER TABLE orders DROP COLUMN amount",
            "ALTER TABLE orders RENAME COLUMN old TO amount",
            "DELETE FROM _sqlx_migrations WHERE version = 10",
        ] {
            change(db, statement).await;
        }
        db.migrate().await.unwrap();
        assert_eq!(loaded(&world, open).await, before);
        assert!(refuses(db, "UPDATE orders SET amount = -1").await);
        change(db, "UPDATE orders SET amount = 0").await;
    }
}
