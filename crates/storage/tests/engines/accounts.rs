//! Users, sessions, secrets.

use domain::UserId;
use domain::accounts::devices::Device;
use domain::accounts::tokens::hash_token;
use domain::accounts::{EmailAddress, LinkPurpose, RequestedMail};
use storage::accounts::links::{self, NewLink};
use storage::accounts::mail_requests::{self, MailRequest};
use storage::accounts::password_attempts::{self, PasswordFailures};
use storage::accounts::{known_networks, sessions, users};
use storage::operations::keys;
use storage::operations::runtime::secrets;
use storage::testing::change;

use crate::world::{DAY, World, worlds};

fn address(text: &str) -> EmailAddress {
    EmailAddress::parse(text).unwrap()
}

#[tokio::test]
async fn an_address_is_one_account_whatever_its_case() {
    // [AUTH023] [AUTH025]
    for world in worlds().await {
        let db = &world.db;
        let user = world.user("Meera@Example.com").await;
        let mut tx = world.begin().await;
        assert!(!users::create(&mut tx, &world.new_user("meera@example.COM")).await.unwrap());
        // A taken address does not abort the transaction.
        assert!(users::create(&mut tx, &world.new_user("other@example.com")).await.unwrap());
        tx.commit().await.unwrap();

        let found = users::credentials(db, &address("MEERA@EXAMPLE.COM")).await.unwrap().unwrap();
        assert_eq!(found.user.id, user);
        assert_eq!(found.user.email.as_str(), "Meera@Example.com");
        assert_eq!(found.password_hash, "$argon2id$…");
        assert!(users::credentials(db, &address("nobody@example.com")).await.unwrap().is_none());
        assert_eq!(users::credentials_by_id(db, user).await.unwrap().unwrap().user, found.user);

        let loaded = users::by_id(db, user).await.unwrap().unwrap();
        assert_eq!(loaded, found.user);
        assert!(
            loaded.is_photographer && loaded.email_verified_at.is_none() && loaded.premium_since.is_none()
        );
        assert!(users::by_id(db, world.id()).await.unwrap().is_none());
        let listed: Vec<_> = users::list(db).await.unwrap().into_iter().map(|user| user.email).collect();
        assert_eq!(listed, [address("Meera@Example.com"), address("other@example.com")]);
    }
}

#[tokio::test]
async fn the_old_address_stays_in_force_until_the_new_one_is_verified() {
    // [ACC034] [ACC036]
    for world in worlds().await {
        let db = &world.db;
        let user = world.user("old@example.com").await;
        world.user("taken@example.com").await;
        let now = world.now();

        let mut tx = world.begin().await;
        assert!(users::verify_email(&mut tx, user, &address("old@example.com"), now).await.unwrap());
        assert!(
            !users::set_pending_email(&mut tx, user, &address("Taken@example.com"), false).await.unwrap()
        );
        assert!(users::set_pending_email(&mut tx, user, &address("New@example.com"), false).await.unwrap());
        assert!(users::rename(&mut tx, user, "Meera Kapoor").await.unwrap());
        assert!(users::set_password(&mut tx, user, "$argon2id$new").await.unwrap());
        // A new password has forgotten the pending address.
        assert!(users::set_pending_email(&mut tx, user, &address("New@example.com"), false).await.unwrap());
        tx.commit().await.unwrap();
        let asked = world.loaded(user).await;
        assert_eq!(asked.email, address("old@example.com"));
        assert_eq!(asked.pending_email, Some(address("New@example.com")));
        assert_eq!(asked.name, "Meera Kapoor");
        assert!(users::credentials(db, &address("new@example.com")).await.unwrap().is_none());
        let kept = users::credentials(db, &address("old@example.com")).await.unwrap().unwrap();
        assert_eq!(kept.password_hash, "$argon2id$new");

        world.clock.advance(DAY);
        let mut tx = world.begin().await;
        assert!(users::verify_email(&mut tx, user, &address("New@example.com"), world.now()).await.unwrap());
        tx.commit().await.unwrap();
        let changed = world.loaded(user).await;
        assert_eq!((changed.email, changed.pending_email), (address("New@example.com"), None));
        assert_eq!(changed.email_verified_at, Some(now), "the first verification counts");

        let mut tx = world.begin().await;
        assert!(!users::verify_email(&mut tx, user, &address("TAKEN@example.com"), now).await.unwrap());
        tx.rollback().await.unwrap();
        assert_eq!(world.loaded(user).await.email, address("New@example.com"));
    }
}

#[tokio::test]
async fn the_premium_plan_is_given_once() {
    for world in worlds().await {
        let user = world.user("a@example.com").await;
        let now = world.now();
        let mut tx = world.begin().await;
        assert!(users::make_premium(&mut tx, user, now).await.unwrap());
        assert!(!users::make_premium(&mut tx, user, now.plus(DAY)).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(world.loaded(user).await.premium_since, Some(now));
    }
}

async fn session(world: &World, user: domain::UserId, token: &str) -> domain::accounts::tokens::TokenHash {
    let hash = hash_token(token);
    let mut tx = world.begin().await;
    sessions::create(
        &mut tx,
        &hash,
        user,
        &domain::accounts::devices::Device::default(),
        world.now(),
        world.now().plus(DAY * 30),
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();
    hash
}

#[tokio::test]
async fn sessions_last_as_long_as_they_are_renewed() {
    // [AUTH067] [AUTH068] [AUTH069] [AUTH071] [AUTH072]
    for world in worlds().await {
        let db = &world.db;
        let user = world.user("a@example.com").await;
        let other = world.user("b@example.com").await;
        let (one, two, three) = (
            session(&world, user, "1").await,
            session(&world, user, "2").await,
            session(&world, user, "3").await,
        );
        let others = session(&world, other, "4").await;
        let started = world.now();

        let found = sessions::find(db, &one, started).await.unwrap().unwrap();
        assert_eq!((found.user, found.expires_at), (world.loaded(user).await, started.plus(DAY * 30)));
        assert!(sessions::find(db, &hash_token("5"), started).await.unwrap().is_none());

        world.clock.advance(DAY * 29);
        let mut tx = world.begin().await;
        sessions::renew(&mut tx, &one, world.now(), world.now().plus(DAY * 30)).await.unwrap();
        tx.commit().await.unwrap();
        world.clock.advance(DAY);
        assert!(sessions::find(db, &one, world.now()).await.unwrap().is_some());
        assert!(sessions::find(db, &two, world.now()).await.unwrap().is_none(), "30 days without use");

        let mut tx = world.begin().await;
        sessions::end_others(&mut tx, user, &one, world.now()).await.unwrap();
        tx.commit().await.unwrap();
        for (hash, ended) in [(one, false), (two, true), (three, true), (others, false)] {
            let told = sessions::was_ended_by_password_change(db, &hash, started).await.unwrap();
            assert_eq!(told, ended);
        }
        assert!(
            !sessions::was_ended_by_password_change(db, &two, world.now()).await.unwrap(),
            "it has expired"
        );
        for (hash, there) in [(one, true), (two, false), (three, false), (others, true)] {
            assert_eq!(sessions::find(db, &hash, started).await.unwrap().is_some(), there);
        }

        let mut tx = world.begin().await;
        let expired = sessions::delete_expired(&mut tx, world.now()).await.unwrap();
        assert_eq!(expired, 3, "the other's, and the two that were ended");
        assert!(sessions::delete(&mut tx, &one).await.unwrap());
        assert!(!sessions::delete(&mut tx, &one).await.unwrap());
        tx.commit().await.unwrap();
        assert!(sessions::find(db, &one, started).await.unwrap().is_none());

        let hash = session(&world, user, "6").await;
        let mut tx = world.begin().await;
        sessions::end_all(&mut tx, user, world.now()).await.unwrap();
        tx.commit().await.unwrap();
        assert!(sessions::find(db, &hash, world.now()).await.unwrap().is_none());
        assert!(sessions::was_ended_by_password_change(db, &hash, world.now()).await.unwrap());
    }
}

#[tokio::test]
async fn sessions_are_listed_by_their_last_use() {
    // [AUTH114] [AUTH115] [AUTH130]
    for world in worlds().await {
        let db = &world.db;
        let (user, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let started = world.now();
        let device = Device { browser: Some(String::from("Chrome")), system: Some(String::from("Mac")) };
        let (old, new) = (hash_token("old"), hash_token("new"));
        let mut tx = world.begin().await;
        for (hash, whose) in [(&old, user), (&new, user), (&hash_token("other"), other)] {
            sessions::create(&mut tx, hash, whose, &device, started, started.plus(DAY * 30)).await.unwrap();
        }
        sessions::renew(&mut tx, &new, started.plus(DAY), started.plus(DAY * 31)).await.unwrap();
        tx.commit().await.unwrap();
        let listed = async |now, used_since| {
            let sessions = sessions::list(db, user, now, used_since).await.unwrap();
            sessions.into_iter().map(|session| (session.hash, session.last_used_at)).collect::<Vec<_>>()
        };
        let before = started.minus(DAY);
        assert_eq!(listed(started, before).await, [(new, started.plus(DAY)), (old, started)]);
        assert_eq!(listed(started, started).await, [(new, started.plus(DAY))], "not used since");
        assert_eq!(listed(started.plus(DAY * 30), before).await.len(), 1, "expired");
        let first = sessions::list(db, user, started, before).await.unwrap().remove(0);
        assert_eq!((first.device, first.created_at), (device, started));

        let mut tx = world.begin().await;
        assert_eq!(sessions::delete_others(&mut tx, user, &new).await.unwrap(), 1);
        tx.commit().await.unwrap();
        assert_eq!(listed(started, before).await.len(), 1);
        let others = hash_token("other");
        assert!(sessions::find(db, &others, started).await.unwrap().is_some());

        let mut tx = world.begin().await;
        assert_eq!(sessions::delete_all(&mut tx, user).await.unwrap(), 1);
        tx.commit().await.unwrap();
        assert!(listed(started, before).await.is_empty());
        assert!(sessions::find(db, &others, started).await.unwrap().is_some(), "another account's");
    }
}

#[tokio::test]
async fn a_closed_account_keeps_nothing_personal_and_its_address_is_free() {
    // [ACC052]
    for world in worlds().await {
        let db = &world.db;
        let user = world.user("a@example.com").await;
        world
            .grant(user, domain::payments::ledger::LedgerKind::Signup, domain::payments::money::SIGNUP_CREDIT)
            .await;
        let hash = session(&world, user, "1").await;
        let mut tx = world.begin().await;
        users::set_pending_email(&mut tx, user, &address("next@example.com"), false).await.unwrap();
        let link = NewLink {
            hash: hash_token("link"),
            purpose: LinkPurpose::VerifyEmail,
            user,
            new_email: None,
            email: address("next@example.com"),
            created_at: world.now(),
            expires_at: world.now().plus(DAY),
        };
        links::create(&mut tx, &link).await.unwrap();
        let other: domain::UserId = "0190163d-8694-739b-aea5-966c26f8ad91".parse().unwrap();
        assert!(users::has_others(&mut tx, other).await.unwrap());
        assert!(!users::has_others(&mut tx, user).await.unwrap());
        assert!(users::close(&mut tx, user, world.now()).await.unwrap());
        assert!(!users::has_others(&mut tx, other).await.unwrap(), "a closed account is none");
        assert!(!users::close(&mut tx, user, world.now()).await.unwrap());
        assert!(!users::rename(&mut tx, user, "Back again").await.unwrap());
        assert!(!users::make_premium(&mut tx, user, world.now()).await.unwrap());
        tx.commit().await.unwrap();

        assert!(users::by_id(db, user).await.unwrap().is_none());
        assert!(users::list(db).await.unwrap().is_empty());
        assert!(sessions::find(db, &hash, world.now()).await.unwrap().is_none());
        assert!(links::find(db, &hash_token("link")).await.unwrap().is_none());
        assert_eq!(storage::payments::ledger::entries(db, user).await.unwrap().len(), 1);
        let personal = crate::parity::rows(
            db,
            "SELECT email || name || password_hash || COALESCE(pending_email, '') || COALESCE(email_key, '') FROM users",
        )
        .await;
        assert_eq!(personal, [""]);
        world.user("a@example.com").await;
    }
}

#[tokio::test]
async fn wrong_passwords_are_counted_once_each() {
    // [SAFE102] [SAFE244]
    for world in worlds().await {
        let (db, now, key) = (&world.db, world.now(), hash_token("somebody"));
        let count = |failures| PasswordFailures { failures, last_at: now, retry_at: now.plus(DAY) };
        let replace = async |expected, new| {
            let mut tx = world.begin().await;
            let replaced = password_attempts::replace(&mut tx, &key, expected, new).await.unwrap();
            tx.commit().await.unwrap();
            replaced
        };
        assert_eq!(password_attempts::find(db, &key).await.unwrap(), None);
        assert!(replace(None, count(1)).await);
        assert!(!replace(None, count(1)).await, "another attempt came between");
        assert!(replace(Some(count(1)), count(2)).await);
        assert!(!replace(Some(count(1)), count(2)).await);
        assert_eq!(password_attempts::find(db, &key).await.unwrap(), Some(count(2)));

        let mut tx = world.begin().await;
        password_attempts::clear(&mut tx, &hash_token("another")).await.unwrap();
        assert_eq!(password_attempts::delete_before(&mut tx, now).await.unwrap(), 0);
        tx.commit().await.unwrap();
        assert!(password_attempts::find(db, &key).await.unwrap().is_some());
        let mut tx = world.begin().await;
        password_attempts::clear(&mut tx, &key).await.unwrap();
        tx.commit().await.unwrap();
        assert!(replace(None, count(1)).await);
        let mut tx = world.begin().await;
        assert_eq!(password_attempts::delete_before(&mut tx, now.plus(DAY)).await.unwrap(), 1);
        tx.commit().await.unwrap();
    }
}

#[tokio::test]
async fn networks_are_known_for_a_while() {
    // [SAFE103]
    for world in worlds().await {
        let (db, now, hash) = (&world.db, world.now(), hash_token("home"));
        let user = world.user("a@example.com").await;
        let mut tx = world.begin().await;
        known_networks::remember(&mut tx, &hash, user, now).await.unwrap();
        known_networks::remember(&mut tx, &hash, user, now.plus(DAY)).await.unwrap();
        assert_eq!(known_networks::delete_before(&mut tx, now.plus(DAY)).await.unwrap(), 0);
        tx.commit().await.unwrap();
        assert!(known_networks::is_known(db, &hash, now.plus(DAY)).await.unwrap());
        assert_eq!(known_networks::of_user(db, user).await.unwrap(), [hash]);
        assert!(!known_networks::is_known(db, &hash, now.plus(DAY * 2)).await.unwrap());
        assert!(!known_networks::is_known(db, &hash_token("elsewhere"), now).await.unwrap());
        let mut tx = world.begin().await;
        assert_eq!(known_networks::delete_before(&mut tx, now.plus(DAY * 2)).await.unwrap(), 1);
        known_networks::remember(&mut tx, &hash, user, now).await.unwrap();
        assert!(users::close(&mut tx, user, now).await.unwrap());
        tx.commit().await.unwrap();
        assert!(!known_networks::is_known(db, &hash, now).await.unwrap(), "the account is closed");
    }
}

#[tokio::test]
async fn a_mail_that_is_asked_for_is_kept_until_it_is_made() {
    // [SAFE236]
    for world in worlds().await {
        let (db, now) = (&world.db, world.now());
        let request =
            |mail| MailRequest { id: world.id(), mail, email: address("a@example.com"), created_at: now };
        for mail in [RequestedMail::Verification, RequestedMail::PasswordReset, RequestedMail::WrongPasswords]
        {
            let (asked, left) = (request(mail), request(mail));
            let mut tx = world.begin().await;
            mail_requests::create(&mut tx, &asked).await.unwrap();
            mail_requests::create(&mut tx, &left).await.unwrap();
            tx.commit().await.unwrap();
            assert_eq!(mail_requests::by_id(db, asked.id).await.unwrap().as_ref(), Some(&asked));
            mail_requests::delete(db, asked.id).await.unwrap();
            assert_eq!(mail_requests::by_id(db, asked.id).await.unwrap(), None);
            let mut tx = world.begin().await;
            assert_eq!(mail_requests::delete_before(&mut tx, now).await.unwrap(), 0);
            assert_eq!(mail_requests::delete_before(&mut tx, now.plus(DAY)).await.unwrap(), 1);
            tx.commit().await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_secret_is_created_once() {
    for world in worlds().await {
        assert_eq!(secrets::get_or_insert(&world.db, "links", &[1, 2]).await.unwrap(), [1, 2]);
        assert_eq!(secrets::get_or_insert(&world.db, "links", &[3, 4]).await.unwrap(), [1, 2]);
        assert_eq!(secrets::get_or_insert(&world.db, "sandbox", &[5]).await.unwrap(), [5]);
    }
}

#[tokio::test]
async fn a_closed_account_gets_no_event_and_leaves_no_notice() {
    // [ACC187] [ACC054] [ACC201]
    for world in worlds().await {
        let db = &world.db;
        let user = world.user("a@example.com").await;
        let (one, two) = (world.event(user, "2026-11-20").await, world.event(user, "2026-11-21").await);
        world.photo(user, Some(two)).await;
        let notice = storage::accounts::email_change_notices::Notice {
            id: world.id(),
            user,
            email: EmailAddress::parse("a@example.com").unwrap(),
            created_at: world.now(),
        };
        let other = storage::accounts::email_change_notices::Notice { id: world.id(), ..notice.clone() };
        let mut tx = world.begin().await;
        storage::accounts::email_change_notices::create(&mut tx, &notice).await.unwrap();
        storage::accounts::email_change_notices::create(&mut tx, &other).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(
            storage::accounts::email_change_notices::by_id(db, notice.id).await.unwrap(),
            Some(notice.clone())
        );
        storage::accounts::email_change_notices::delete(db, notice.id).await.unwrap();
        assert_eq!(storage::accounts::email_change_notices::by_id(db, notice.id).await.unwrap(), None);

        assert_eq!(storage::events::open_ids(db, user).await.unwrap(), [one, two]);
        let mut tx = world.begin().await;
        let (job, now) = (world.id(), world.now());
        let done = storage::events::close(&mut tx, one, user, job, now).await.unwrap();
        assert_eq!(done, storage::events::Deletion::Done);
        let begun = storage::events::close(&mut tx, two, user, world.id(), now).await.unwrap();
        assert_eq!(begun, storage::events::Deletion::Started);
        assert!(users::close(&mut tx, user, now).await.unwrap());
        tx.commit().await.unwrap();
        assert!(storage::events::open_ids(db, user).await.unwrap().is_empty());
        assert_eq!(storage::accounts::email_change_notices::by_id(db, other.id).await.unwrap(), None);

        let event = storage::events::NewEvent {
            id: world.id(),
            owner: user,
            name: String::from("Sangeet"),
            date: domain::events::parse_date("2026-11-20").unwrap(),
            slug: String::from("sangeet-late"),
            description: None,
            created_at: world.now(),
            keep_days: None,
            payment_amount: None,
            coupon_code: None,
        };
        assert!(!storage::events::create(&mut world.begin().await, &event).await.unwrap());
    }
}

/// Gives an account of a version before its key.
async fn spell(world: &World, user: UserId, email: &str) {
    let key = email.to_lowercase();
    let statement = format!("UPDATE users SET email = '{email}', email_key = '{key}' WHERE id = '{user}'");
    change(&world.db, &statement).await;
}

#[tokio::test]
async fn accounts_that_a_version_before_told_apart_stay_and_are_found_as_they_are_spelled() {
    // [AUTH222]
    for world in worlds().await {
        let db = &world.db;
        let found = async |text: &str| {
            users::credentials(db, &EmailAddress::from_trusted(text.to_owned()))
                .await
                .unwrap()
                .map(|found| found.user.id)
        };
        let spellings = [
            "J\u{fc}rgen@example.com",
            "Ju\u{308}rgen@example.com",
            "a@M\u{fc}ller.example",
            "a@xn--mller-kva.example",
            "b@m\u{fc}ller.example",
            "plain@example.com",
        ];
        let mut accounts = Vec::new();
        for (number, spelling) in spellings.iter().enumerate() {
            let user = world.user(&format!("{number}@example.com")).await;
            spell(&world, user, spelling).await;
            accounts.push(user);
        }
        assert_eq!(found("B@XN--MLLER-KVA.example").await, None, "as long as the key is the former one");
        // Twice: what is done already is not done again.
        let mut changed = Vec::new();
        for _ in 0..2 {
            changed.push(keys::renew(db).await.unwrap());
            for (spelling, account) in spellings.iter().zip(&accounts) {
                assert_eq!(found(spelling).await, Some(*account), "{spelling}");
                assert_eq!(found(&spelling.to_uppercase()).await, Some(*account), "{spelling}");
            }
        }
        assert_eq!(changed, [1, 0], "all others have their key, or an older account has it");
        assert_eq!(found("B@XN--MLLER-KVA.example").await, Some(accounts[4]));

        // Nobody else gets one of these addresses, and their owners may verify theirs.
        let mut tx = world.begin().await;
        for spelling in spellings {
            assert!(!users::create(&mut tx, &world.new_user(spelling)).await.unwrap(), "{spelling}");
        }
        for (spelling, account) in spellings.iter().zip(&accounts) {
            assert!(users::verify_email(&mut tx, *account, &address(spelling), world.now()).await.unwrap());
            let other = world.id();
            assert!(!users::verify_email(&mut tx, other, &address(spelling), world.now()).await.unwrap());
        }
        assert!(
            !users::set_pending_email(&mut tx, accounts[5], &address(spellings[1]), false).await.unwrap()
        );
        tx.commit().await.unwrap();

        // The key of an account that is closed is free for the one that had to do without.
        let mut tx = world.begin().await;
        users::close(&mut tx, accounts[0], world.now()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(found(spellings[0]).await, None);
        assert_eq!(keys::renew(db).await.unwrap(), 1);
        assert_eq!(found(spellings[0]).await, Some(accounts[1]));
        assert_eq!(found(spellings[1]).await, Some(accounts[1]));
    }
}

#[tokio::test]
async fn a_hash_is_renewed_unless_the_password_was_changed() {
    // [AUTH221]
    for world in worlds().await {
        let user = world.user("meera@example.com").await;
        let mut tx = world.begin().await;
        assert!(!users::renew_password(&mut tx, user, "$argon2id$other", "$argon2id$new").await.unwrap());
        assert!(users::renew_password(&mut tx, user, "$argon2id$…", "$argon2id$new").await.unwrap());
        tx.commit().await.unwrap();
        let stored = users::credentials_by_id(&world.db, user).await.unwrap().unwrap();
        assert_eq!(stored.password_hash, "$argon2id$new");
    }
}
