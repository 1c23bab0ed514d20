//! Exports of accounts, and what only they read.

use std::time::Duration;

use domain::accounts::devices::Device;
use domain::accounts::tokens::{TokenHash, hash_token};
use domain::accounts::{EmailAddress, LinkPurpose};
use domain::payments::coupons::{Coupon, Discount};
use domain::payments::orders::Purpose;
use domain::{CouponId, OrderId, Paise, Timestamp, UserId};
use storage::accounts::exports::{self, Export};
use storage::accounts::links::{self, NewLink};
use storage::accounts::{sessions, users};
use storage::events::{self, NewEvent};
use storage::payments::coupons;
use storage::payments::orders::{self, NewOrder};
use storage::photos::library_retention::{self, Removal};

use crate::parity::rows;
use crate::world::{DAY, World, worlds};

const NEVER: Timestamp = Timestamp::from_millis(0);

async fn session(world: &World, user: UserId, name: &str) -> TokenHash {
    let (hash, now) = (hash_token(name), world.now());
    let mut tx = world.begin().await;
    sessions::create(&mut tx, &hash, user, &Device::default(), now, now.plus(DAY * 30)).await.unwrap();
    tx.commit().await.unwrap();
    hash
}

fn of(world: &World, user: UserId) -> Export {
    let (one, two) = (world.id(), world.id());
    let now = world.now();
    Export {
        user,
        data: vec![0, 159, 255],
        files: vec![(two, String::from("events/14 Party/a b.jpg")), (one, String::from("library/मीरा.png"))],
        created_at: now,
        expires_at: now.plus(DAY),
    }
}

async fn put(world: &World, token: &str, session: &TokenHash, export: &Export) -> bool {
    let mut tx = world.begin().await;
    let is_put = exports::replace(&mut tx, &hash_token(token), session, export).await.unwrap();
    tx.commit().await.unwrap();
    is_put
}

async fn is_there(world: &World, token: &str) -> bool {
    exports::find(&world.db, &hash_token(token), world.now(), NEVER).await.unwrap().is_some()
}

#[tokio::test]
async fn an_account_has_one_export_for_as_long_as_its_session_lives() {
    for world in worlds().await {
        let db = &world.db;
        let (user, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let (here, there) = (session(&world, user, "here").await, session(&world, user, "there").await);
        let others = session(&world, other, "other").await;
        let first = of(&world, user);
        assert!(put(&world, "first", &here, &first).await);
        assert!(put(&world, "theirs", &others, &of(&world, other)).await);
        let found = exports::find(db, &hash_token("first"), world.now(), NEVER).await.unwrap();
        assert!(found.unwrap() == first);
        assert!(!is_there(&world, "third").await);

        // Another session of the account takes its place; not another account's.
        let second = of(&world, user);
        assert!(put(&world, "second", &there, &second).await);
        assert!(!is_there(&world, "first").await && is_there(&world, "second").await);
        assert!(is_there(&world, "theirs").await);
        assert!(!put(&world, "stolen", &others, &second).await, "the session is another account's");
        assert!(!is_there(&world, "stolen").await && is_there(&world, "second").await);

        // It expires, and its session is used.
        for (now, used_since, found) in [
            (second.expires_at.minus(Duration::from_millis(1)), NEVER, true),
            (second.expires_at, NEVER, false),
            (second.created_at, second.created_at, false),
        ] {
            let export = exports::find(db, &hash_token("second"), now, used_since).await.unwrap();
            assert_eq!(export.is_some(), found);
        }
        let mut tx = world.begin().await;
        sessions::delete(&mut tx, &here).await.unwrap();
        tx.commit().await.unwrap();
        assert!(is_there(&world, "second").await, "it is not that session's any more");
        let mut tx = world.begin().await;
        sessions::end_all(&mut tx, user, world.now()).await.unwrap();
        tx.commit().await.unwrap();
        assert!(!is_there(&world, "second").await, "the password was changed");

        let mut tx = world.begin().await;
        assert_eq!(exports::delete_expired(&mut tx, second.created_at).await.unwrap(), 0);
        assert_eq!(exports::delete_expired(&mut tx, second.expires_at).await.unwrap(), 2);
        tx.commit().await.unwrap();
    }
}

#[tokio::test]
async fn an_export_goes_with_its_session_and_its_account() {
    for world in worlds().await {
        let (user, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let (mine, theirs) = (session(&world, user, "mine").await, session(&world, other, "theirs").await);
        assert!(put(&world, "mine", &mine, &of(&world, user)).await);
        assert!(put(&world, "theirs", &theirs, &of(&world, other)).await);
        let count = async || rows(&world.db, "SELECT user_id FROM exports").await.len();
        assert_eq!(count().await, 2);
        let mut tx = world.begin().await;
        sessions::delete(&mut tx, &mine).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(count().await, 1);
        let mut tx = world.begin().await;
        assert!(users::close(&mut tx, other, world.now()).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(count().await, 0);
    }
}

#[tokio::test]
async fn what_an_account_ordered_was_mailed_and_said_is_read_by_account() {
    for world in worlds().await {
        let db = &world.db;
        let (user, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let coupon = |code: &str| Coupon {
            id: world.id::<CouponId>(),
            code: code.to_owned(),
            discount: Discount::Percent(50),
            valid_from: None,
            valid_until: None,
            max_uses: None,
            max_uses_per_user: None,
            uses: 0,
            created_at: world.now(),
        };
        let (used, unused) = (coupon("USED"), coupon("UNUSED"));
        let order = |owner: UserId, coupon: Option<CouponId>| NewOrder {
            id: world.id::<OrderId>(),
            user: owner,
            provider: String::from("sandbox"),
            purpose: Purpose::PremiumPlan,
            amount: Paise::new(49_950),
            discount: Paise::new(49_950),
            coupon,
            created_at: world.now(),
            check_at: world.now(),
        };
        let ordered = [order(user, Some(used.id)), order(user, None), order(other, Some(unused.id))];
        let link = |owner: UserId, name: &str| NewLink {
            hash: hash_token(name),
            purpose: LinkPurpose::ResetPassword,
            user: owner,
            email: EmailAddress::parse("a@example.com").unwrap(),
            new_email: None,
            created_at: world.now(),
            expires_at: world.now().plus(DAY),
        };
        let id = world.id();
        let event = NewEvent {
            id,
            owner: user,
            name: String::from("Sangeet"),
            date: domain::events::parse_date("2026-11-14").unwrap(),
            slug: format!("sangeet-{id}"),
            description: None,
            created_at: world.now(),
            keep_days: None,
            payment_amount: Some(Paise::new(99_900)),
            coupon_code: Some(String::from("NEW")),
        };
        let mut tx = world.begin().await;
        for coupon in [&used, &unused] {
            assert!(coupons::create(&mut tx, coupon).await.unwrap());
        }
        for order in &ordered {
            assert!(orders::create(&mut tx, order).await.unwrap());
        }
        for link in [link(user, "one"), link(other, "two")] {
            links::create(&mut tx, &link).await.unwrap();
        }
        assert!(events::create(&mut tx, &event).await.unwrap());
        tx.commit().await.unwrap();
        world.event(user, "2026-11-14").await;

        let found = orders::by_user(db, user).await.unwrap();
        let ids: Vec<OrderId> = found.iter().map(|order| order.id).collect();
        assert_eq!(ids, [ordered[0].id, ordered[1].id]);
        let codes: Vec<String> =
            coupons::of_orders(db, user).await.unwrap().into_iter().map(|coupon| coupon.code).collect();
        assert_eq!(codes, ["USED"]);
        let mailed = links::of_user(db, user).await.unwrap();
        assert_eq!((mailed.len(), mailed[0].user, mailed[0].used_at), (1, user, None));
        let stated = events::stated(db, user).await.unwrap();
        assert_eq!(stated.len(), 1, "of the other event nothing was said");
        assert_eq!(
            (stated[0].event, stated[0].payment_amount, stated[0].coupon_code.as_deref()),
            (id, Some(Paise::new(99_900)), Some("NEW"))
        );
        assert!(events::stated(db, other).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn announced_removals_are_those_of_the_library() {
    for world in worlds().await {
        let db = &world.db;
        let user = world.user("a@example.com").await;
        let event = world.event(user, "2026-11-14").await;
        let (told, _) = (world.photo(user, None).await, world.photo(user, Some(event)).await);
        let (period, at) = (DAY * 30, told.created_at.plus(DAY * 40));
        library_retention::confirm_warning(db, user, period, told.created_at, at).await.unwrap();
        world.photo(user, None).await;
        assert_eq!(library_retention::announced(db, user).await.unwrap(), [Removal { photo: told.id, at }]);
    }
}
