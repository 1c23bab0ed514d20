//! Invoices: numbers without gaps, rows that never change, and what is wrong with a series.

use std::collections::BTreeSet;

use domain::UserId;
use domain::payments::billing::Billing;
use domain::payments::gst::{Gstin, Rate, Reach, Sac, Split, State};
use domain::payments::invoices::{Buyer, FinancialYear, Invoice, Kind, Month, Seller, Series};
use domain::payments::{Payment, PaymentOutcome, Refund, RefundStatus};
use futures::future::join_all;
use storage::accounts::users;
use storage::payments::{billing, invoices, refunds};

use crate::payments::{record, refund};
use crate::world::{World, worlds};

const YEAR: FinancialYear = FinancialYear::beginning_in(2026);
const INVOICES: Series = Series { kind: Kind::Invoice, is_test: false };
const CREDIT_NOTES: Series = Series { kind: Kind::CreditNote, is_test: false };

fn invoice(world: &World, payment: &Payment, serial: i64) -> Invoice {
    let seller = Seller {
        name: String::from("Sundar & Sons"),
        address: String::from("1 Lake Road\nPune 411001"),
        gstin: Gstin::parse("27AAPFU0939F1ZV").unwrap(),
        sac: Sac::parse("998439").unwrap(),
        rate: Rate::new(18).unwrap(),
    };
    Invoice {
        series: INVOICES,
        year: YEAR,
        serial,
        provider: payment.provider.clone(),
        payment_id: payment.payment_id.clone(),
        refund: None,
        user: payment.user,
        issued_at: world.now(),
        split: Split::of(payment.amount, seller.rate, Reach::BetweenStates),
        seller,
        buyer: Buyer {
            name: String::from("Meera"),
            address: String::from("Bengaluru"),
            gstin: Some(Gstin::parse("29AAGCB7383J1Z4").unwrap()),
        },
        place_of_supply: State::parse("29").unwrap(),
        item: String::from("Credits"),
        about: None,
    }
}

fn note(of: &Invoice, refund: &Refund, serial: i64) -> Invoice {
    let about = Some(of.number());
    Invoice { series: CREDIT_NOTES, serial, refund: Some(refund.id), about, ..of.clone() }
}

async fn issue(world: &World, invoice: &Invoice) {
    let mut tx = world.begin().await;
    let serial = invoices::next_serial(&mut tx, invoice.series, invoice.year).await.unwrap();
    invoices::add(&mut tx, &Invoice { serial, ..invoice.clone() }).await.unwrap();
    tx.commit().await.unwrap();
}

async fn settle(world: &World, refund: &Refund, status: RefundStatus) {
    let mut tx = world.begin().await;
    let settled = Refund { status, settled_at: Some(world.now()), ..refund.clone() };
    refunds::update(&mut tx, &settled).await.unwrap();
    tx.commit().await.unwrap();
}

/// The ids of the payments whose invoice or note is missing.
async fn missing(db: &storage::Db) -> Vec<String> {
    let missing = invoices::payments_without(db).await.unwrap();
    missing.into_iter().map(|payment| payment.payment_id).collect()
}

async fn paid(world: &World, user: UserId, id: &str) -> Payment {
    record(world, user, id, PaymentOutcome::Credits).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_payments_have_consecutive_numbers_and_a_rollback_skips_none() {
    // [PAY221]
    for world in worlds().await {
        let taking = (0..60).map(|turn| {
            let db = world.db.clone();
            tokio::spawn(async move {
                let mut tx = db.begin().await.unwrap();
                // Notes and invoices, in either order.
                let kinds = if turn % 2 == 0 { [INVOICES, CREDIT_NOTES] } else { [CREDIT_NOTES, INVOICES] };
                let mut taken = Vec::new();
                for series in kinds {
                    taken
                        .push((series.letter(), invoices::next_serial(&mut tx, series, YEAR).await.unwrap()));
                }
                if turn % 3 == 0 {
                    return Vec::new();
                }
                tx.commit().await.unwrap();
                taken
            })
        });
        let taken: Vec<_> = join_all(taking).await.into_iter().flat_map(|taken| taken.unwrap()).collect();
        for series in [INVOICES, CREDIT_NOTES] {
            let numbers =
                taken.iter().filter(|(letter, _)| *letter == series.letter()).map(|(_, serial)| *serial);
            assert_eq!(numbers.collect::<BTreeSet<i64>>(), (1..=40).collect(), "{series:?}");
        }
        assert_eq!(taken.len(), 80, "none is given twice");
        let mut tx = world.begin().await;
        let next = FinancialYear::beginning_in(2027);
        assert_eq!(invoices::next_serial(&mut tx, INVOICES, next).await.unwrap(), 1, "each year begins anew");
        let test = Series { is_test: true, ..INVOICES };
        assert_eq!(
            invoices::next_serial(&mut tx, test, YEAR).await.unwrap(),
            1,
            "and the sandbox counts apart"
        );
    }
}

#[tokio::test]
async fn an_invoice_is_read_as_it_was_made_and_never_changes() {
    // [PAY222] [PAY227]
    for world in worlds().await {
        let db = &world.db;
        let user = world.user("a@example.com").await;
        let (first, second) = (paid(&world, user, "pay_1").await, paid(&world, user, "pay_2").await);
        let returned = refund(&world, &first, 100).await;
        let made = invoice(&world, &first, 1);
        let noted = note(&made, &returned, 1);
        let other = Invoice {
            buyer: Buyer { address: String::new(), gstin: None, ..made.buyer.clone() },
            ..invoice(&world, &second, 2)
        };
        for invoice in [&made, &noted, &other] {
            issue(&world, invoice).await;
        }
        assert_eq!(
            invoices::of_payment(db, "razorpay", "pay_1").await.unwrap(),
            [noted.clone(), made.clone()]
        );
        assert_eq!(invoices::of_payment(db, "sandbox", "pay_1").await.unwrap(), []);
        assert_eq!(invoices::by_user(db, user).await.unwrap().len(), 3);
        assert_eq!(invoices::by_user(db, world.id()).await.unwrap(), []);
        let month = Month::parse("2026-11").unwrap();
        let all = invoices::of_month(db, "razorpay", month).await.unwrap();
        assert_eq!(all, [made.clone(), other, noted.clone()]);
        assert_eq!(invoices::of_month(db, "sandbox", month).await.unwrap(), []);
        assert_eq!(invoices::of_month(db, "razorpay", Month::parse("2026-10").unwrap()).await.unwrap(), []);

        for statement in ["UPDATE invoices SET buyer_name = 'x'", "DELETE FROM invoices"] {
            assert!(crate::parity::refuses(db, statement).await, "{statement}");
        }
        for again in [Invoice { serial: 3, ..made }, Invoice { serial: 2, ..noted }] {
            let mut tx = world.begin().await;
            assert!(invoices::add(&mut tx, &again).await.is_err(), "a payment and a refund have one");
        }
    }
}

#[tokio::test]
async fn gaps_and_payments_without_an_invoice_are_found() {
    // [PAY230]
    for world in worlds().await {
        let db = &world.db;
        let user = world.user("a@example.com").await;
        let before = paid(&world, user, "pay_before").await;
        assert_eq!(missing(db).await, [""; 0], "without the first there is none to miss");
        world.clock.advance(std::time::Duration::from_secs(1));
        let first = paid(&world, user, "pay_1").await;
        let made = invoice(&world, &first, 1);
        issue(&world, &made).await;
        assert_eq!(missing(db).await, [""; 0]);
        paid(&world, user, "pay_2").await;
        record(&world, user, "pay_nothing", PaymentOutcome::AccountClosed).await;
        assert_eq!(missing(db).await, ["pay_2"]);

        let returned = refund(&world, &first, 100).await;
        let earlier = refund(&world, &before, 100).await;
        for refund in [&returned, &earlier] {
            settle(&world, refund, RefundStatus::Processed).await;
        }
        assert_eq!(missing(db).await, ["pay_1", "pay_2"]);
        let noted = note(&made, &returned, 1);
        issue(&world, &noted).await;
        assert_eq!(missing(db).await, ["pay_2"]);
        settle(&world, &returned, RefundStatus::Failed).await;
        assert_eq!(missing(db).await, ["pay_1", "pay_2"]);
        let debit = Series { kind: Kind::DebitNote, is_test: false };
        issue(&world, &Invoice { series: debit, ..noted }).await;
        assert_eq!(missing(db).await, ["pay_2"]);

        assert_eq!(invoices::broken_series(db).await.unwrap(), []);
        let mut tx = world.begin().await;
        invoices::next_serial(&mut tx, INVOICES, YEAR).await.unwrap();
        tx.commit().await.unwrap();
        let broken = |series| invoices::YearsSeries { series, year: YEAR };
        assert_eq!(invoices::broken_series(db).await.unwrap(), [broken(INVOICES)]);
        let second = paid(&world, user, "pay_3").await;
        let mut tx = world.begin().await;
        let test = Series { is_test: true, ..INVOICES };
        invoices::add(&mut tx, &Invoice { series: test, ..invoice(&world, &second, 1) }).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(invoices::broken_series(db).await.unwrap(), [broken(INVOICES), broken(test)]);
    }
}

#[tokio::test]
async fn an_account_has_billing_details_until_it_removes_them_or_is_closed() {
    // [PAY228] [PAY229]
    for world in worlds().await {
        let db = &world.db;
        let (user, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let full = Billing::parse("Meera", "Pune", "", "27AAPFU0939F1ZV").unwrap().unwrap();
        let bare = Billing::parse("", "", "33", "").unwrap().unwrap();
        assert_eq!(billing::of_user(db, user).await.unwrap(), None);
        for (user, details) in [(user, &bare), (user, &full), (other, &bare)] {
            let mut tx = world.begin().await;
            assert!(billing::save(&mut tx, user, details).await.unwrap());
            tx.commit().await.unwrap();
            assert_eq!(billing::of_user(db, user).await.unwrap().as_ref(), Some(details));
        }
        billing::delete(db, user).await.unwrap();
        assert_eq!(billing::of_user(db, user).await.unwrap(), None);
        let paid = paid(&world, other, "pay_1").await;
        issue(&world, &invoice(&world, &paid, 1)).await;

        let mut tx = world.begin().await;
        assert!(users::close(&mut tx, other, world.now()).await.unwrap());
        assert!(!billing::save(&mut tx, other, &full).await.unwrap(), "a closed account");
        tx.commit().await.unwrap();
        assert_eq!(billing::of_user(db, other).await.unwrap(), None);
        assert_eq!(invoices::by_user(db, other).await.unwrap().len(), 1, "invoices stay");
    }
}
