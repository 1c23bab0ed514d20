//! What administrators are shown: accounts, the largest events, and totals.

use domain::events::keeping::Keeping;
use domain::payments::PaymentOutcome;
use domain::payments::ledger::LedgerKind;
use domain::{EventId, Paise, UserId};
use storage::accounts::users;
use storage::operations::administration::{self, CreditChange, EventSums, KeptLonger, Totals};
use storage::payments::ledger::{Entry, Spending};

use crate::parity::change;
use crate::payments::{record, refund};
use crate::world::{World, worlds};

async fn addresses(world: &World, before: Option<UserId>, limit: i64) -> Vec<String> {
    let found = administration::accounts(&world.db, before, limit).await.unwrap();
    found.into_iter().map(|account| account.user.email.to_string()).collect()
}

#[tokio::test]
async fn accounts_are_read_page_by_page_newest_first() {
    for world in worlds().await {
        let mut ids = Vec::new();
        for name in ["a", "b", "c", "d"] {
            ids.push(world.user(&format!("{name}@example.com")).await);
        }
        let mut tx = world.begin().await;
        assert!(users::close(&mut tx, ids[2], world.now()).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(addresses(&world, None, 9).await, ["d@example.com", "b@example.com", "a@example.com"]);
        assert_eq!(addresses(&world, None, 1).await, ["d@example.com"]);
        assert_eq!(addresses(&world, Some(ids[3]), 1).await, ["b@example.com"]);
        assert!(addresses(&world, Some(ids[0]), 1).await.is_empty());
        assert_eq!(administration::account(&world.db, ids[2]).await.unwrap(), None, "it is closed");
    }
}

#[tokio::test]
async fn an_account_has_its_photos_in_events_and_in_none() {
    for world in worlds().await {
        let (meera, ravi) = (world.user("meera@example.com").await, world.user("ravi@example.com").await);
        let (full, empty) = (world.event(meera, "2026-11-14").await, world.event(meera, "2026-11-15").await);
        let deleted = world.event(meera, "2026-11-16").await;
        world.photo(meera, Some(full)).await;
        world.photo(meera, Some(full)).await;
        world.photo(meera, None).await;
        change(&world.db, &format!("UPDATE events SET deleted_at = 1 WHERE id = '{deleted}'")).await;
        let account = administration::account(&world.db, meera).await.unwrap().unwrap();
        assert_eq!((account.library_photos, account.library_bytes), (1, 5_000_000));
        assert_eq!(account.user, world.loaded(meera).await);
        assert_eq!((account.lock_reason, account.last_login_at), (None, None));
        let sums = administration::event_sums(&world.db, &[meera, ravi]).await.unwrap();
        assert_eq!(sums, [(meera, EventSums { events: 2, photos: 2, bytes: 10_000_000 })]);
        assert!(administration::event_sums(&world.db, &[]).await.unwrap().is_empty());
        assert_eq!(world.seen(empty).await.indexing.total, 0);
    }
}

#[tokio::test]
async fn events_are_read_page_by_page_largest_first() {
    for world in worlds().await {
        let owner = world.user("meera@example.com").await;
        let mut events = Vec::new();
        for (bytes, gone) in [(10, false), (30, false), (30, false), (20, true), (20, false)] {
            let event = world.event(owner, "2026-11-14").await;
            let deleted = if gone { "1" } else { "NULL" };
            change(
                &world.db,
                &format!(
                    "UPDATE events SET bytes_stored = {bytes}, deleted_at = {deleted} WHERE id = '{event}'"
                ),
            )
            .await;
            events.push(event);
        }
        let page = async |before: Option<(i64, EventId)>, limit| {
            let found = administration::largest_events(&world.db, before, limit).await.unwrap();
            found.into_iter().map(|sized| (sized.bytes, sized.event.id)).collect::<Vec<_>>()
        };
        let all = [(30, events[2]), (30, events[1]), (20, events[4]), (10, events[0])];
        assert_eq!(page(None, 9).await, all);
        assert_eq!(page(Some(all[0]), 2).await, all[1..3]);
        assert!(page(Some(all[3]), 2).await.is_empty());
        let first = administration::largest_events(&world.db, None, 1).await.unwrap().remove(0);
        assert_eq!(first.event, world.seen(events[2]).await);
        assert_eq!((first.owner_email.as_str(), first.owner_name.as_str()), ("meera@example.com", "Meera"));
    }
}

#[tokio::test]
async fn the_totals_prove_the_ledger_equal_to_the_balances() {
    for world in worlds().await {
        assert_eq!(
            administration::totals(&world.db, Keeping::of(30, 365), world.now()).await.unwrap(),
            Totals::default()
        );
        let (meera, ravi) = (world.user("meera@example.com").await, world.user("ravi@example.com").await);
        let event = world.event(meera, "2026-11-14").await;
        world.photo(meera, Some(event)).await;
        world.photo(ravi, None).await;
        let address = world.loaded(ravi).await.email;
        let mut tx = world.begin().await;
        assert!(users::set_admin(&mut tx, ravi, true).await.unwrap());
        assert!(users::verify_email(&mut tx, ravi, &address, world.now()).await.unwrap());
        tx.commit().await.unwrap();

        let rupees = Paise::from_rupees;
        world.grant(meera, LedgerKind::Signup, rupees(100)).await;
        world.grant(ravi, LedgerKind::Recharge, rupees(500)).await;
        world.grant(ravi, LedgerKind::Premium, Paise::ZERO).await;
        world.grant(ravi, LedgerKind::Adjustment, rupees(7)).await;
        let taken = world.entry(meera, LedgerKind::Adjustment, rupees(3));
        let charged = world.entry(meera, LedgerKind::Upload, rupees(1));
        let payment = record(&world, ravi, "pay_1", PaymentOutcome::Credits).await;
        let refund = refund(&world, &payment, 50).await;
        let returned = world.entry(ravi, LedgerKind::Adjustment, rupees(50));
        let returned = Entry { reference: Some(refund.id.to_string()), ..returned };
        let mut tx = world.begin().await;
        storage::payments::ledger::withdraw(&mut tx, &taken).await.unwrap().unwrap();
        storage::payments::ledger::spend(&mut tx, &charged).await.unwrap();
        storage::payments::ledger::withdraw(&mut tx, &returned).await.unwrap().unwrap();
        tx.commit().await.unwrap();

        let totals = administration::totals(&world.db, Keeping::of(30, 365), world.now()).await.unwrap();
        let expected = Totals {
            accounts: 2,
            administrators: 1,
            verified: 1,
            locked: 0,
            events: 1,
            photos: 2,
            original_bytes: 10_000_000,
            kept_longer: KeptLonger::default(),
            bought: rupees(500),
            granted: rupees(107),
            taken: rupees(3),
            returned: rupees(50),
            charged: rupees(1),
            balances: rupees(553),
        };
        assert_eq!(totals, expected);
        assert_eq!(totals.balance(), totals.balances);
        change(&world.db, "UPDATE users SET credits = credits + 1 WHERE is_admin").await;
        let wrong = administration::totals(&world.db, Keeping::of(30, 365), world.now()).await.unwrap();
        assert_ne!(wrong.balance(), wrong.balances);
    }
}

#[tokio::test]
async fn the_size_of_the_database_is_known() {
    for world in worlds().await {
        let size = storage::operations::schema::size(&world.db).await.unwrap();
        assert!(size > 100_000, "{size} bytes");
    }
}

async fn lock(world: &World, user: UserId, reason: &str) -> bool {
    let mut tx = world.begin().await;
    let locked = administration::lock_account(&mut tx, user, reason, world.now()).await.unwrap();
    tx.commit().await.unwrap();
    locked
}

#[tokio::test]
async fn a_lock_keeps_its_moment_and_ends_what_an_account_may_do() {
    // [ADMIN014]
    for world in worlds().await {
        let user = world.user("meera@example.com").await;
        world.grant(user, LedgerKind::Signup, Paise::from_rupees(9)).await;
        let log_in_with = async |hash: &str| {
            let mut tx = world.begin().await;
            let open = users::record_login(&mut tx, user, hash, world.now()).await.unwrap();
            tx.commit().await.unwrap();
            open
        };
        let log_in = async || log_in_with("$argon2id$…").await;
        let spend = async || {
            let mut tx = world.begin().await;
            let entry = world.entry(user, LedgerKind::Upload, Paise::from_rupees(1));
            let spending = storage::payments::ledger::spend(&mut tx, &entry).await.unwrap();
            tx.commit().await.unwrap();
            spending
        };
        let shown = async || administration::account(&world.db, user).await.unwrap().unwrap();
        assert!(!log_in_with("$argon2id$former").await, "the password was changed");
        let mut tx = world.begin().await;
        assert!(users::lock_with_password(&mut tx, user, "$argon2id$…").await.unwrap());
        assert!(!users::lock_with_password(&mut tx, user, "$argon2id$former").await.unwrap());
        assert!(!users::lock_with_password(&mut tx, world.id(), "$argon2id$…").await.unwrap());
        drop(tx);
        assert!(log_in().await);
        assert_eq!(shown().await.last_login_at, Some(world.now()));
        let (token, first) = (domain::accounts::tokens::hash_token("token"), world.now());
        let mut tx = world.begin().await;
        let device = domain::accounts::devices::Device::default();
        let later = world.now().plus(crate::world::DAY);
        storage::accounts::sessions::create(&mut tx, &token, user, &device, world.now(), later)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        let session = async || storage::accounts::sessions::find(&world.db, &token, first).await.unwrap();
        assert!(session().await.is_some());

        assert!(lock(&world, user, "Chargeback").await);
        world.clock.advance(crate::world::DAY);
        assert!(lock(&world, user, "Again").await);
        let account = shown().await;
        assert_eq!(account.user.locked_at, Some(first));
        assert_eq!(account.lock_reason.as_deref(), Some("Again"));
        assert!(session().await.is_none(), "even one that was not ended");
        assert!(!log_in().await);
        assert_eq!(spend().await, Spending::Locked);
        let mut tx = world.begin().await;
        assert!(users::make_premium(&mut tx, user, world.now()).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(spend().await, Spending::Locked);

        let mut tx = world.begin().await;
        assert!(administration::unlock_account(&mut tx, user).await.unwrap());
        assert!(!administration::unlock_account(&mut tx, world.id()).await.unwrap());
        tx.commit().await.unwrap();
        let account = shown().await;
        assert_eq!((account.user.locked_at, account.lock_reason), (None, None));
        assert_eq!(spend().await, Spending::Free);
        assert!(!lock(&world, world.id(), "x").await);
    }
}

#[tokio::test]
async fn administrators_are_those_who_can_log_in() {
    // [ADMIN038]
    for world in worlds().await {
        let mut all = Vec::new();
        for name in ["a", "b", "c"] {
            all.push(world.user(&format!("{name}@example.com")).await);
        }
        let mut tx = world.begin().await;
        for user in &all[..2] {
            assert!(users::set_admin(&mut tx, *user, true).await.unwrap());
        }
        assert_eq!(administration::administrators(&mut tx).await.unwrap(), all[..2]);
        tx.commit().await.unwrap();
        assert!(lock(&world, all[0], "x").await);
        let mut tx = world.begin().await;
        assert_eq!(administration::administrators(&mut tx).await.unwrap(), [all[1]]);
    }
}

#[tokio::test]
async fn a_change_of_credits_is_recorded_once() {
    // [ADMIN043]
    for world in worlds().await {
        let user = world.user("meera@example.com").await;
        let change = CreditChange {
            key: String::from("3f0c1e0a-77d5-4f7b-9d0c-8f6d6d3c5b11"),
            user,
            change: Paise::new(-250),
            reason: Some(String::from("Chargeback")),
            by: Some(user),
            at: world.now(),
        };
        assert_eq!(administration::credit_change(&world.db, &change.key).await.unwrap(), None);
        let other = CreditChange { change: Paise::new(7), reason: None, by: None, ..change.clone() };
        for (wanted, made) in [(&change, true), (&change, false), (&other, false)] {
            let mut tx = world.begin().await;
            assert_eq!(administration::record_credit_change(&mut tx, wanted).await.unwrap(), made);
            tx.commit().await.unwrap();
        }
        assert_eq!(administration::credit_change(&world.db, &change.key).await.unwrap(), Some(change));
    }
}
