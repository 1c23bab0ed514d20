//! Payments and refunds.

use domain::payments::ledger::LedgerKind;
use domain::payments::orders::Purpose;
use domain::payments::{Payment, PaymentOutcome, Refund, RefundStatus};
use domain::{OrderId, Paise, UserId};
use storage::accounts::users::{self, Standing};
use storage::operations::integrity;
use storage::payments::early_refunds::{self, EarlyRefund, Refunded};
use storage::payments::orders::{self, NewOrder};
use storage::payments::{self, ledger, refunds};

use crate::parity::change;
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
        assert_eq!(payments::refunds_due(db, "razorpay").await.unwrap(), nothing);
        assert_eq!(payments::by_user(db, user).await.unwrap(), [good.clone(), plan]);
        assert_eq!(payments::by_id(db, "razorpay", "pay_1").await.unwrap(), Some(good));
        assert_eq!(payments::by_id(db, "sandbox", "pay_1").await.unwrap(), None);

        let mut first = refund(&world, &nothing[0], 60).await;
        assert_eq!(payments::refunds_due(db, "razorpay").await.unwrap().len(), 5, "it is only asked for");
        first.refund_id = Some(String::from("rfnd_1"));
        set(&world, &mut first, RefundStatus::Pending).await;
        assert_eq!(payments::refunds_due(db, "razorpay").await.unwrap().len(), 5, "a part is left");
        let mut second = refund(&world, &nothing[0], 40).await;
        set(&world, &mut second, RefundStatus::Processed).await;
        assert_eq!(payments::refunds_due(db, "razorpay").await.unwrap(), nothing[1..]);
        second.failure = Some(String::from("the bank said no"));
        set(&world, &mut second, RefundStatus::Failed).await;
        assert_eq!(payments::refunds_due(db, "razorpay").await.unwrap().len(), 5);
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
async fn what_the_sandbox_has_left_is_listed_only_where_it_is_in_use() {
    // [PAY243]
    for world in worlds().await {
        let db = &world.db;
        let user = world.user("a@example.com").await;
        let real = record(&world, user, "pay_1", PaymentOutcome::OrderAlreadyPaid).await;
        let of_sandbox = record(&world, user, "pay_2", PaymentOutcome::OrderAlreadyPaid).await;
        let mut tx = world.begin().await;
        for order in [real.order, of_sandbox.order] {
            assert!(orders::fail(&mut tx, order, "a test", world.now()).await.unwrap());
        }
        tx.commit().await.unwrap();
        let (payment, order) = (&of_sandbox.payment_id, of_sandbox.order);
        change(db, &format!("UPDATE payments SET provider = 'sandbox' WHERE payment_id = '{payment}'")).await;
        change(db, &format!("UPDATE orders SET provider = 'sandbox' WHERE id = '{order}'")).await;
        for (provider, both) in [("sandbox", true), ("razorpay", false)] {
            let due = payments::refunds_due(db, provider).await.unwrap();
            let due: Vec<_> = due.iter().map(|due| due.payment_id.as_str()).collect();
            assert_eq!(due, if both { vec!["pay_1", "pay_2"] } else { vec!["pay_1"] });
            let failed = orders::failed(db, provider).await.unwrap();
            assert!(failed.iter().any(|failed| failed.id == real.order));
            assert_eq!(failed.iter().any(|failed| failed.id == order), both);
        }
    }
}

#[tokio::test]
async fn a_second_premium_payment_takes_the_place_of_a_refunded_one() {
    // [PAY113]
    for world in worlds().await {
        let db = &world.db;
        let user = world.user("a@example.com").await;
        assert!(payments::spare_premium(db, user).await.unwrap().is_empty());
        let mut tx = world.begin().await;
        assert!(users::make_premium(&mut tx, user, world.now()).await.unwrap());
        tx.commit().await.unwrap();
        let first = record(&world, user, "pay_1", PaymentOutcome::PremiumPlan).await;
        let second = record(&world, user, "pay_2", PaymentOutcome::AlreadyPremium).await;
        record(&world, user, "pay_3", PaymentOutcome::OrderAlreadyPaid).await;
        assert_eq!(payments::of_order(db, first.order).await.unwrap(), std::slice::from_ref(&first));
        let mut refunded = refund(&world, &second, 100).await;
        set(&world, &mut refunded, RefundStatus::Processed).await;
        assert!(payments::spare_premium(db, user).await.unwrap().is_empty(), "it is refunded");
        set(&world, &mut refunded, RefundStatus::Failed).await;
        assert_eq!(payments::spare_premium(db, user).await.unwrap(), std::slice::from_ref(&second));
        assert!(!payments::has_other_premium(db, user, "pay_1").await.unwrap());
        assert!(payments::has_other_premium(db, user, "pay_2").await.unwrap());
        let mut of_first = refund(&world, &first, 100).await;
        set(&world, &mut of_first, RefundStatus::Pending).await;
        assert!(!payments::has_other_premium(db, user, "pay_2").await.unwrap(), "it is returned in full");

        let mut tx = world.begin().await;
        let (plan, credits) = (PaymentOutcome::PremiumPlan, Paise::new(5));
        payments::set_bought(&mut tx, &second, plan, credits).await.unwrap();
        let standing = users::lock(&mut tx, user).await.unwrap();
        assert_eq!(standing, Some(Standing { is_closed: false, is_premium: true }));
        assert!(users::end_premium(&mut tx, user).await.unwrap());
        assert!(!users::end_premium(&mut tx, user).await.unwrap());
        assert_eq!(users::lock(&mut tx, world.id()).await.unwrap(), None);
        tx.commit().await.unwrap();
        let second = payments::by_id(db, "razorpay", "pay_2").await.unwrap().unwrap();
        assert_eq!((second.outcome, second.credits), (plan, credits));
        assert_eq!(world.loaded(user).await.premium_since, None);
    }
}

fn early(world: &World, refund_id: &str, status: RefundStatus) -> EarlyRefund {
    EarlyRefund {
        provider: String::from("razorpay"),
        refund_id: refund_id.to_owned(),
        payment_id: String::from("pay_1"),
        amount: Paise::from_rupees(40),
        receipt: None,
        status,
        received_at: world.now(),
    }
}

#[tokio::test]
async fn a_refund_is_kept_until_its_payment_is_known_in_its_last_state() {
    // [PAY200]
    use RefundStatus::{Failed, Pending, Processed};
    for world in worlds().await {
        let db = &world.db;
        let reports = [
            ("rfnd_1", [Pending, Processed].as_slice(), Processed),
            ("rfnd_2", [Processed, Pending, Processed].as_slice(), Processed),
            ("rfnd_3", [Failed, Processed, Pending].as_slice(), Failed),
            ("rfnd_4", [Processed, Failed].as_slice(), Failed),
        ];
        for (id, statuses, _) in reports {
            for status in statuses {
                let mut tx = world.begin().await;
                early_refunds::keep(&mut tx, &early(&world, id, *status)).await.unwrap();
                tx.commit().await.unwrap();
            }
        }
        assert!(early_refunds::applicable(db).await.unwrap().is_empty());
        let user = world.user("a@example.com").await;
        record(&world, user, "pay_1", PaymentOutcome::Credits).await;
        let waiting = early_refunds::applicable(db).await.unwrap();
        let known = Refunded { provider: String::from("razorpay"), payment_id: String::from("pay_1") };
        assert_eq!(waiting, [known]);
        assert_eq!(integrity::unapplied_refunds(db).await.unwrap(), ["pay_1"]);
        let mut tx = world.begin().await;
        assert!(early_refunds::take(&mut tx, "sandbox", "pay_1").await.unwrap().is_empty());
        let taken = early_refunds::take(&mut tx, "razorpay", "pay_1").await.unwrap();
        assert!(early_refunds::take(&mut tx, "razorpay", "pay_1").await.unwrap().is_empty());
        tx.commit().await.unwrap();
        let ended: Vec<_> = taken.iter().map(|refund| (refund.refund_id.as_str(), refund.status)).collect();
        assert_eq!(ended, reports.map(|(id, _, last)| (id, last)));
        assert!(integrity::unapplied_refunds(db).await.unwrap().is_empty());

        // What is of nothing here is forgotten.
        let mut tx = world.begin().await;
        early_refunds::keep(&mut tx, &early(&world, "rfnd_9", Processed)).await.unwrap();
        assert_eq!(early_refunds::delete_before(&mut tx, world.now()).await.unwrap(), 0);
        let later = world.now().plus(std::time::Duration::from_secs(1));
        assert_eq!(early_refunds::delete_before(&mut tx, later).await.unwrap(), 1);
        tx.commit().await.unwrap();
    }
}

#[tokio::test]
async fn a_payment_that_was_credited_though_it_was_refunded_is_found() {
    // [PAY203]
    for world in worlds().await {
        let db = &world.db;
        let user = world.user("a@example.com").await;
        let payment = record(&world, user, "pay_1", PaymentOutcome::Credits).await;
        let nothing = record(&world, user, "pay_2", PaymentOutcome::AlreadyPremium).await;
        let mut of_nothing = refund(&world, &nothing, 100).await;
        set(&world, &mut of_nothing, RefundStatus::Processed).await;
        let mut part = refund(&world, &payment, 33).await;
        assert!(integrity::unapplied_refunds(db).await.unwrap().is_empty(), "it is only asked for");
        set(&world, &mut part, RefundStatus::Processed).await;
        assert_eq!(integrity::unapplied_refunds(db).await.unwrap(), ["pay_1"]);
        (part.credits_taken, part.credits_missing) = (Paise::from_rupees(60), Paise::from_rupees(6));
        set(&world, &mut part, RefundStatus::Processed).await;
        assert!(integrity::unapplied_refunds(db).await.unwrap().is_empty());
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
