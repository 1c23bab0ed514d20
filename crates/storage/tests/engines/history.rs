//! The history of an account's money.

use domain::payments::history::{Change, Entry, Position};
use domain::payments::ledger::LedgerKind;
use domain::payments::money::{PHOTO_PRICE, SIGNUP_CREDIT};
use domain::payments::orders::Purpose;
use domain::payments::{Payment, PaymentOutcome, Refund, RefundStatus};
use domain::{EventId, OrderId, Paise, Timestamp, UserId};
use storage::operations::integrity;
use storage::payments::orders::{self, NewOrder};
use storage::payments::{self, history, ledger, refunds};

use crate::parity::{change, refuses};
use crate::world::{DAY, NOON, World, worlds};

/// A payment of an order of its own, as it is recorded when it is settled.
async fn paid(
    world: &World,
    user: UserId,
    payment_id: &str,
    outcome: PaymentOutcome,
    credits: i64,
) -> Payment {
    let order = NewOrder {
        id: world.id::<OrderId>(),
        user,
        provider: String::from("razorpay"),
        purpose: Purpose::Credits,
        amount: Paise::from_rupees(100),
        discount: Paise::ZERO,
        coupon: None,
        created_at: world.now(),
        check_at: world.now(),
    };
    let payment = Payment {
        provider: order.provider.clone(),
        payment_id: payment_id.to_owned(),
        order: order.id,
        user,
        amount: order.amount,
        outcome,
        credits: Paise::from_rupees(credits),
        captured_at: world.now(),
    };
    let kind = match outcome {
        PaymentOutcome::Credits => Some(LedgerKind::Recharge),
        PaymentOutcome::PremiumPlan => Some(LedgerKind::Premium),
        _ => None,
    };
    let mut tx = world.begin().await;
    assert!(orders::create(&mut tx, &order).await.unwrap());
    if let Some(kind) = kind {
        let reference = Some(order.id.to_string());
        let entry = ledger::Entry { reference, ..world.entry(user, kind, payment.credits) };
        ledger::grant(&mut tx, &entry).await.unwrap();
    }
    assert!(payments::record(&mut tx, &payment).await.unwrap());
    tx.commit().await.unwrap();
    payment
}

async fn refunded(world: &World, payment: &Payment, status: RefundStatus, taken: i64) {
    let refund = Refund {
        id: world.id(),
        provider: payment.provider.clone(),
        payment_id: payment.payment_id.clone(),
        refund_id: None,
        amount: payment.amount,
        status,
        failure: None,
        credits_taken: Paise::from_rupees(taken),
        credits_missing: Paise::from_rupees(200 - taken),
        created_at: world.now(),
        settled_at: None,
    };
    let mut tx = world.begin().await;
    refunds::create(&mut tx, &refund).await.unwrap();
    if taken > 0 {
        let reference = Some(refund.id.to_string());
        let entry = world.entry(payment.user, LedgerKind::Adjustment, refund.credits_taken);
        assert!(ledger::withdraw(&mut tx, &ledger::Entry { reference, ..entry }).await.unwrap().is_some());
    }
    tx.commit().await.unwrap();
}

async fn charge(world: &World, user: UserId, event: Option<EventId>) {
    let entry = world.entry(user, LedgerKind::Upload, PHOTO_PRICE);
    let reference = Some(entry.id.to_string());
    let mut tx = world.begin().await;
    ledger::spend(&mut tx, &ledger::Entry { event, reference, ..entry }).await.unwrap();
    tx.commit().await.unwrap();
}

async fn adjust(world: &World, user: UserId, rupees: i64, reason: &str) {
    let entry = world.entry(user, LedgerKind::Adjustment, Paise::from_rupees(rupees));
    let mut tx = world.begin().await;
    ledger::grant(&mut tx, &ledger::Entry { reference: Some(reason.to_owned()), ..entry }).await.unwrap();
    tx.commit().await.unwrap();
}

/// All entries by pages of `limit`.
async fn all(world: &World, user: UserId, limit: i64) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    loop {
        let before: Option<Position> = entries.last().map(|entry| entry.position.clone());
        let page = history::page(&world.db, user, before.as_ref(), limit).await.unwrap();
        if page.is_empty() {
            return entries;
        }
        entries.extend(page);
    }
}

fn uploaded(event: Option<&str>, photos: i64) -> Change {
    let price = Paise::new(PHOTO_PRICE.get() * photos);
    Change::Uploaded { event: event.map(str::to_owned), photos, price }
}

fn granted(kind: LedgerKind, credits: Paise, note: Option<&str>) -> Change {
    Change::Granted { kind, credits, note: note.map(str::to_owned) }
}

fn payment(payment_id: &str, outcome: PaymentOutcome, credits: i64, returned: i64) -> Change {
    Change::Paid {
        payment_id: payment_id.to_owned(),
        amount: Paise::from_rupees(100),
        outcome,
        credits: Paise::from_rupees(credits),
        returned: Paise::from_rupees(returned),
    }
}

#[tokio::test]
async fn the_history_has_every_change_once_in_pages_of_any_size() {
    // [PAY099] [PAY100] [PAY236]
    for world in worlds().await {
        let user = world.user("a@example.com").await;
        let other = world.user("b@example.com").await;
        world.grant(user, LedgerKind::Signup, SIGNUP_CREDIT).await;
        world.grant(other, LedgerKind::Signup, SIGNUP_CREDIT).await;
        let event = world.event(user, "2026-11-20").await;
        let first = paid(&world, user, "pay_1", PaymentOutcome::Credits, 200).await;
        charge(&world, user, Some(event)).await;
        charge(&world, user, None).await;
        charge(&world, user, Some(event)).await;
        charge(&world, other, None).await;
        let second = paid(&world, user, "pay_2", PaymentOutcome::OrderAlreadyPaid, 0).await;
        adjust(&world, user, -150, "Chargeback").await;
        refunded(&world, &first, RefundStatus::Failed, 0).await;
        refunded(&world, &first, RefundStatus::Requested, 0).await;
        refunded(&world, &first, RefundStatus::Processed, 147).await;
        refunded(&world, &second, RefundStatus::Pending, 0).await;
        world.clock.advance(DAY);
        adjust(&world, user, 5, "Sorry").await;
        charge(&world, user, Some(event)).await;
        paid(&world, user, "pay_3", PaymentOutcome::PremiumPlan, 0).await;
        // A plan, and a recharge, that were given without a payment.
        world.grant(user, LedgerKind::Premium, Paise::ZERO).await;
        world.grant(user, LedgerKind::Recharge, Paise::from_rupees(7)).await;

        let returned = |payment: &str, taken: i64| Change::Refunded {
            payment_id: payment.to_owned(),
            amount: Paise::from_rupees(100),
            taken: Paise::from_rupees(taken),
            missing: Paise::from_rupees(200 - taken),
        };
        let expected = [
            granted(LedgerKind::Recharge, Paise::from_rupees(7), None),
            granted(LedgerKind::Premium, Paise::ZERO, None),
            payment("pay_3", PaymentOutcome::PremiumPlan, 0, 0),
            uploaded(Some("Sangeet"), 1),
            granted(LedgerKind::Adjustment, Paise::from_rupees(5), Some("Sorry")),
            returned("pay_2", 0),
            returned("pay_1", 147),
            granted(LedgerKind::Adjustment, Paise::from_rupees(-150), Some("Chargeback")),
            payment("pay_2", PaymentOutcome::OrderAlreadyPaid, 0, 100),
            uploaded(None, 1),
            uploaded(Some("Sangeet"), 2),
            payment("pay_1", PaymentOutcome::Credits, 200, 100),
            granted(LedgerKind::Signup, SIGNUP_CREDIT, None),
        ];
        let whole = all(&world, user, 100).await;
        let told: Vec<_> = whole.iter().map(|entry| entry.change.clone()).collect();
        assert_eq!(told, expected);
        assert!(whole.windows(2).all(|two| two[0].position > two[1].position));
        for limit in [1, 2, 5] {
            assert_eq!(all(&world, user, limit).await, whole, "{limit}");
        }
        let lines = whole.into_iter().flat_map(Entry::into_lines);
        assert_eq!(Paise::new(lines.map(|line| line.credits.get()).sum()), world.loaded(user).await.credits);
        assert_eq!(all(&world, other, 100).await.len(), 2, "another's rows are not shown");
    }
}

#[tokio::test]
async fn entries_of_one_moment_are_on_one_page_each() {
    // [PAY100]
    for world in worlds().await {
        let user = world.user("a@example.com").await;
        let at = world.now();
        for _ in 0..5 {
            let entry = world.entry(user, LedgerKind::Adjustment, Paise::new(1));
            let mut tx = world.begin().await;
            ledger::grant(&mut tx, &ledger::Entry { at, ..entry }).await.unwrap();
            tx.commit().await.unwrap();
        }
        assert_eq!(all(&world, user, 2).await, all(&world, user, 100).await);
        assert_eq!(all(&world, user, 2).await.len(), 5);
    }
}

#[tokio::test]
async fn charges_of_an_older_installation_get_the_event_of_their_photo() {
    // [PAY099]
    for world in worlds().await {
        let db = &world.db;
        let user = world.user("a@example.com").await;
        world.grant(user, LedgerKind::Signup, SIGNUP_CREDIT).await;
        let event = world.event(user, "2026-11-20").await;
        let photo = world.photo(user, Some(event)).await;
        for reference in [photo.id.to_string(), String::from("a deleted photo")] {
            let entry = world.entry(user, LedgerKind::Upload, PHOTO_PRICE);
            let mut tx = world.begin().await;
            ledger::spend(&mut tx, &ledger::Entry { reference: Some(reference), ..entry }).await.unwrap();
            tx.commit().await.unwrap();
        }
        change(db, "ALTER TABLE ledger DROP COLUMN event_id").await;
        // The sums of days are made of what that migration has left.
        change(db, "DROP TABLE charges; DROP INDEX ledger_but_uploads").await;
        change(db, "DELETE FROM _sqlx_migrations WHERE version IN (8, 28)").await;
        db.migrate().await.unwrap();
        assert_eq!(integrity::miscounted_charges(db).await.unwrap(), []);
        let told: Vec<_> = all(&world, user, 100).await.into_iter().map(|entry| entry.change).collect();
        let signup = granted(LedgerKind::Signup, SIGNUP_CREDIT, None);
        assert_eq!(told, [uploaded(None, 1), uploaded(Some("Sangeet"), 1), signup]);
        assert!(refuses(db, "UPDATE ledger SET change = 0").await, "the ledger is append-only again");
    }
}

#[tokio::test]
async fn the_sums_of_days_are_those_of_the_ledger() {
    // [PAY106] [PAY120] [RUN256]
    for world in worlds().await {
        let db = &world.db;
        let (user, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        for user in [user, other] {
            world.grant(user, LedgerKind::Signup, SIGNUP_CREDIT).await;
        }
        let (event, second) = (world.event(user, "2026-11-20").await, world.event(user, "2026-11-21").await);
        for _ in 0..3 {
            for event in [Some(event), Some(second), None, Some(event)] {
                charge(&world, user, event).await;
            }
            charge(&world, other, None).await;
            world.clock.advance(DAY);
        }
        // A clock that was set back: the row is of a day before, and comes before its first.
        let entry = world.entry(user, LedgerKind::Upload, PHOTO_PRICE);
        let reference = Some(entry.id.to_string());
        let at = Timestamp::from_millis(NOON.as_millis() - 1_000);
        let late = ledger::Entry { event: Some(event), reference, at, ..entry };
        let mut tx = world.begin().await;
        ledger::spend(&mut tx, &late).await.unwrap();
        // What is not committed has moved nothing.
        drop(tx);
        assert_eq!(integrity::miscounted_charges(db).await.unwrap(), []);
        let mut tx = world.begin().await;
        ledger::spend(&mut tx, &late).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(integrity::miscounted_charges(db).await.unwrap(), []);

        let before = all(&world, user, 4).await;
        assert_eq!(before.len(), 1 + 3 * 3);
        for damage in [
            format!("UPDATE charges SET photos = photos + 1 WHERE user_id = '{user}'"),
            format!("UPDATE charges SET price = price + 1 WHERE collection = '{second}'"),
            format!("UPDATE charges SET first_at = first_at + 1 WHERE collection = '{user}'"),
            format!("UPDATE charges SET first_id = '' WHERE collection = '{event}'"),
            format!("DELETE FROM charges WHERE collection = '{event}'"),
            format!("UPDATE charges SET day = day + 100 WHERE collection = '{event}'"),
        ] {
            change(db, &damage).await;
            assert_eq!(integrity::miscounted_charges(db).await.unwrap(), [user], "{damage}");
            let mut tx = world.begin().await;
            integrity::recount_charges(&mut tx, user).await.unwrap();
            tx.commit().await.unwrap();
            assert_eq!(integrity::miscounted_charges(db).await.unwrap(), [], "{damage}");
            assert_eq!(all(&world, user, 3).await, before, "{damage}");
        }
    }
}
