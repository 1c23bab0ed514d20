//! Balances and the ledger.

use domain::payments::ledger::LedgerKind;
use domain::payments::money::{PHOTO_PRICE, SIGNUP_CREDIT};
use domain::{Paise, UserId};
use storage::accounts::users;
use storage::payments::ledger::{self, Spending, Totals};

use crate::world::worlds;

#[tokio::test]
async fn the_balance_is_the_ledgers_sum() {
    // [PAY034] [PAY035] [PAY036] [PAY037] [PAY041] [PAY042]
    for world in worlds().await {
        let db = &world.db;
        let user = world.user("a@example.com").await;
        assert_eq!(ledger::totals(db, user).await.unwrap(), Totals::default());
        assert_eq!(world.grant(user, LedgerKind::Signup, SIGNUP_CREDIT).await, SIGNUP_CREDIT);
        assert_eq!(world.grant(user, LedgerKind::Recharge, Paise::new(5_050)).await, Paise::new(15_050));
        assert_eq!(world.grant(user, LedgerKind::Premium, Paise::ZERO).await, Paise::new(15_050));
        assert_eq!(world.grant(user, LedgerKind::Adjustment, Paise::new(-50)).await, Paise::new(15_000));
        let mut tx = world.begin().await;
        let mut upload = world.entry(user, LedgerKind::Upload, PHOTO_PRICE);
        upload.reference = Some(String::from("photo-1"));
        let charged = ledger::spend(&mut tx, &upload).await.unwrap();
        assert_eq!(charged, Spending::Charged { balance: Paise::new(14_900) });
        tx.commit().await.unwrap();

        let totals = ledger::totals(db, user).await.unwrap();
        let expected = Totals {
            balance: Paise::new(14_900),
            earned: Paise::new(15_000),
            spent: PHOTO_PRICE,
            uploads: 1,
            recharges: 1,
        };
        assert_eq!(totals, expected);
        assert_eq!(world.loaded(user).await.credits, totals.balance);
        let entries = ledger::entries(db, user).await.unwrap();
        let steps: Vec<_> = entries
            .iter()
            .rev()
            .map(|entry| (entry.kind, entry.change.get(), entry.balance_after.get()))
            .collect();
        assert_eq!(
            steps,
            [
                (LedgerKind::Signup, 10_000, 10_000),
                (LedgerKind::Recharge, 5_050, 15_050),
                (LedgerKind::Premium, 0, 15_050),
                (LedgerKind::Adjustment, -50, 15_000),
                (LedgerKind::Upload, -100, 14_900),
            ]
        );
        assert_eq!(entries[0].id, upload.id);
        assert_eq!((entries[0].reference.as_deref(), entries[0].created_at), (Some("photo-1"), upload.at));
    }
}

#[tokio::test]
async fn nothing_is_spent_beyond_the_balance() {
    // [PAY073] [PAY074]
    for world in worlds().await {
        let db = &world.db;
        let (poor, premium) = (world.user("a@example.com").await, world.user("b@example.com").await);
        world.grant(poor, LedgerKind::Signup, Paise::new(99)).await;
        let mut tx = world.begin().await;
        users::make_premium(&mut tx, premium, world.now()).await.unwrap();
        let spend = async |tx: &mut storage::Tx, user: UserId| {
            ledger::spend(tx, &world.entry(user, LedgerKind::Upload, PHOTO_PRICE)).await.unwrap()
        };
        assert_eq!(spend(&mut tx, poor).await, Spending::Insufficient);
        assert_eq!(spend(&mut tx, premium).await, Spending::Free);
        assert_eq!(spend(&mut tx, world.id()).await, Spending::Insufficient);
        tx.commit().await.unwrap();
        assert_eq!(ledger::entries(db, poor).await.unwrap().len(), 1);
        assert!(ledger::entries(db, premium).await.unwrap().is_empty());
        let mut tx = world.begin().await;
        let below =
            ledger::grant(&mut tx, &world.entry(poor, LedgerKind::Adjustment, Paise::new(-100))).await;
        assert!(matches!(below, Err(storage::Error::Statement(_))));
    }
}

#[tokio::test]
async fn the_ledger_is_append_only_and_takes_a_reference_once() {
    // [PAY034] [SAFE014]
    for world in worlds().await {
        let db = &world.db;
        let user = world.user("a@example.com").await;
        world.grant(user, LedgerKind::Signup, SIGNUP_CREDIT).await;
        for statement in ["UPDATE ledger SET change = 1", "DELETE FROM ledger"] {
            assert!(crate::parity::refuses(db, statement).await, "{statement}");
        }
        let mut entry = world.entry(user, LedgerKind::Upload, PHOTO_PRICE);
        entry.reference = Some(String::from("photo-1"));
        let mut tx = world.begin().await;
        ledger::spend(&mut tx, &entry).await.unwrap();
        tx.commit().await.unwrap();
        entry.id = world.id();
        let mut tx = world.begin().await;
        assert!(ledger::spend(&mut tx, &entry).await.is_err());
        drop(tx);
        assert_eq!(ledger::totals(db, user).await.unwrap().uploads, 1);
        assert_eq!(world.loaded(user).await.credits, Paise::new(9_900));
    }
}
