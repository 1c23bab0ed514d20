//! Payments and refunds.

use domain::payments::ledger::LedgerKind;
use domain::payments::orders::Purpose;
use domain::payments::{Payment, PaymentOutcome, Refund, RefundStatus};
use domain::{OrderId, Paise, UserId};
use storage::accounts::users::{self, Standing};
use storage::payments::orders::{self, NewOrder};
use storage::payments::{self, ledger, refunds};

use crate::world::{World, worlds};

async fn order(world: &World, user: UserId) -> OrderId {
    let order = NewOrder {
        id: world.id(),
        user,
        provider: String::from("razorpay"),
        purpose: Purpose::Credits,
        amount: Paise::from_rupees(100),
        discount: Paise::ZERO,
        coupon: None,
        created_at: world.now(),
        check_at: world.now(),
    };
    let mut tx = world.begin().await;
    assert!(orders::create(&mut tx, &order).await.unwrap());
    tx.commit().await.unwrap();
    order.id
}

pub(crate) async fn record(
    world: &World,
    user: UserId,
    payment_id: &str,
    outcome: PaymentOutcome,
) -> Payment {
    let payment = Payment {
        provider: String::from("razorpay"),
        payment_id: payment_id.to_owned(),
        order: order(world, user).await,
        user,
        amount: Paise::from_rupees(100),
        outcome,
        credits: Paise::from_rupees(200),
        captured_at: world.now(),
    };
    let mut tx = world.begin().await;
    assert!(payments::record(&mut tx, &payment).await.unwrap());
    assert!(!payments::record(&mut tx, &payment).await.unwrap());
    tx.commit().await.unwrap();
    payment
}

pub(crate) async fn refund(world: &World, payment: &Payment, amount: i64) -> Refund {
    let refund = Refund {
        id: world.id(),
        provider: payment.provider.clone(),
        payment_id: payment.payment_id.clone(),
        refund_id: None,
        amount: Paise::from_rupees(amount),
        status: RefundStatus::Requested,
        failure: None,
        credits_taken: Paise::ZERO,
        credits_missing: Paise::ZERO,
        created_at: world.now(),
        settled_at: None,
    };
    let mut tx = world.begin().await;
    refunds::create(&mut tx, &refund).await.unwrap();
    tx.commit().await.unwrap();
    refund
}

async fn set(world: &World, refund: &mut Refund, status: RefundStatus) {
    refund.status = status;
    refund.settled_at = Some(world.now());
    let mut tx = world.begin().await;
    refunds::update(&mut tx, refund).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn what_bought_nothing_is_due_until_it_is_refunded_in_full() {
    // [PAY090]
    for world in worlds().await {
        let db = &world.db;
        let (user, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let good = record(&world, user, "pay_1", PaymentOutcome::Credits).await;
        let plan = record(&world, user, "pay_2", PaymentOutcome::PremiumPlan).await;
        let mut nothing = Vec::new();
        for (number, outcome) in
            PaymentOutcome::ALL.into_iter().filter(|outcome| outcome.refund_reason().is_some()).enumerate()
        {
            nothing.push(record(&world, other, &format!("pay_1{number}"), outcome).await);
        }
        assert_eq!(payments::refunds_due(db).await.unwrap(), nothing);
        assert_eq!(payments::by_user(db, user).await.unwrap(), [good.clone(), plan]);
        assert_eq!(payments::by_id(db, "razorpay", "pay_1").await.unwrap(), Some(good));
        assert_eq!(payments::by_id(db, "sandbox", "pay_1").await.unwrap(), None);

        let mut first = refund(&world, &nothing[0], 60).await;
        assert_eq!(payments::refunds_due(db).await.unwrap().len(), 4, "it is only asked for");
        first.refund_id = Some(String::from("rfnd_1"));
        set(&world, &mut first, RefundStatus::Pending).await;
        assert_eq!(payments::refunds_due(db).await.unwrap().len(), 4, "a part is left");
        let mut second = refund(&world, &nothing[0], 40).await;
        set(&world, &mut second, RefundStatus::Processed).await;
        assert_eq!(payments::refunds_due(db).await.unwrap(), nothing[1..]);
        second.failure = Some(String::from("the bank said no"));
        set(&world, &mut second, RefundStatus::Failed).await;
        assert_eq!(payments::refunds_due(db).await.unwrap().len(), 4);
        assert_eq!(refunds::by_id(db, first.id).await.unwrap().as_ref(), Some(&first));
        assert_eq!(
            refunds::of_payment(db, "razorpay", "pay_10").await.unwrap(),
            [first.clone(), second.clone()]
        );
        assert_eq!(refunds::by_user(db, other).await.unwrap(), [first, second]);
        assert!(refunds::by_user(db, user).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_second_premium_payment_takes_the_place_of_a_refunded_one() {
    for world in worlds().await {
        let user = world.user("a@example.com").await;
        let mut tx = world.begin().await;
        assert!(!payments::promote_premium(&mut tx, user).await.unwrap());
        assert!(users::make_premium(&mut tx, user, world.now()).await.unwrap());
        tx.commit().await.unwrap();
        record(&world, user, "pay_1", PaymentOutcome::PremiumPlan).await;
        let second = record(&world, user, "pay_2", PaymentOutcome::AlreadyPremium).await;
        record(&world, user, "pay_3", PaymentOutcome::OrderAlreadyPaid).await;
        let mut refunded = refund(&world, &second, 100).await;
        set(&world, &mut refunded, RefundStatus::Processed).await;
        let mut tx = world.begin().await;
        assert!(!payments::promote_premium(&mut tx, user).await.unwrap(), "it is refunded");
        tx.commit().await.unwrap();
        set(&world, &mut refunded, RefundStatus::Failed).await;
        let mut tx = world.begin().await;
        assert!(payments::promote_premium(&mut tx, user).await.unwrap());
        assert!(!payments::promote_premium(&mut tx, user).await.unwrap());
        let standing = users::lock(&mut tx, user).await.unwrap();
        assert_eq!(standing, Some(Standing { is_closed: false, is_premium: true }));
        assert!(users::end_premium(&mut tx, user).await.unwrap());
        assert!(!users::end_premium(&mut tx, user).await.unwrap());
        assert_eq!(users::lock(&mut tx, world.id()).await.unwrap(), None);
        tx.commit().await.unwrap();
        let second = payments::by_id(&world.db, "razorpay", "pay_2").await.unwrap().unwrap();
        assert_eq!(second.outcome, PaymentOutcome::PremiumPlan);
        assert_eq!(world.loaded(user).await.premium_since, None);
    }
}

#[tokio::test]
async fn a_refund_withdraws_no_more_than_the_balance() {
    // [PAY112]
    for world in worlds().await {
        let user = world.user("a@example.com").await;
        world.grant(user, LedgerKind::Signup, Paise::from_rupees(100)).await;
        let entry = |rupees| world.entry(user, LedgerKind::Adjustment, Paise::from_rupees(rupees));
        let mut tx = world.begin().await;
        assert_eq!(ledger::withdraw(&mut tx, &entry(101)).await.unwrap(), None);
        assert_eq!(ledger::withdraw(&mut tx, &entry(30)).await.unwrap(), Some(Paise::from_rupees(70)));
        assert_eq!(ledger::withdraw_up_to(&mut tx, &entry(20)).await.unwrap(), Paise::from_rupees(20));
        assert_eq!(ledger::withdraw_up_to(&mut tx, &entry(80)).await.unwrap(), Paise::from_rupees(50));
        assert_eq!(ledger::withdraw_up_to(&mut tx, &entry(80)).await.unwrap(), Paise::ZERO);
        let nobody = ledger::Entry { user: world.id(), ..entry(1) };
        assert_eq!(ledger::withdraw(&mut tx, &nobody).await.unwrap(), None);
        assert_eq!(ledger::withdraw_up_to(&mut tx, &nobody).await.unwrap(), Paise::ZERO);
        tx.commit().await.unwrap();
        assert_eq!(world.loaded(user).await.credits, Paise::ZERO);
        let changes: Vec<_> =
            ledger::entries(&world.db, user).await.unwrap().iter().map(|entry| entry.change.get()).collect();
        assert_eq!(changes, [-5_000, -2_000, -3_000, 10_000]);
    }
}
