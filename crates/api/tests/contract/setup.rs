//! The first account, by the link that the server prints, and what its administrator looks at then.

use std::time::Duration;

use app::operations::runtime::limits::LimitSettings;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use gateway::MailError;
use serde_json::{Value, json};

use crate::harness::{Answer, PASSWORD, World, on_both_engines};

const EMAIL: &str = "meera@example.com";
const MINUTE: Duration = Duration::from_secs(60);

/// The token of the link that a start prints; none when it prints none.
async fn printed(world: &World) -> Option<String> {
    let link = app::accounts::setup::renew_link(&world.app).await.unwrap()?;
    Some(link.strip_prefix("http://localhost:8080/setup#").unwrap().to_owned())
}

async fn set_up(world: &World, token: &str, email: &str) -> Answer {
    let form = json!({"token": token, "name": "Meera Kapoor", "email": email, "password": PASSWORD});
    world.post("/api/setup", "", form).await
}

async fn check(world: &World, token: &str) -> Answer {
    world.post("/api/setup/link", "", json!({"token": token})).await
}

fn unknown() -> (u16, String) {
    (
        400,
        String::from("This set-up link is not valid. Please use the newest one that the server has printed."),
    )
}

fn already() -> (u16, String) {
    (409, String::from("This service is set up already. Please log in."))
}

async fn accounts(world: &World) -> usize {
    app::operations::operators::users(&world.operator()).await.unwrap().len()
}

#[test]
fn the_link_makes_an_administrator_who_is_logged_in() {
    // [SETUP001] [SETUP025] [SETUP006] [SETUP026] [SETUP010]
    on_both_engines(async |world: World| {
        assert_ne!(printed(&world).await, printed(&world).await, "they are random");
        let link = printed(&world).await.unwrap();
        assert_eq!(URL_SAFE_NO_PAD.decode(&link).unwrap().len(), 32, "256 bits");
        let valid = check(&world, &link).await;
        assert_eq!((valid.status.as_u16(), valid.json()), (200, json!({"has_accounts": false})));

        let made = set_up(&world, &link, EMAIL).await;
        assert_eq!(made.status, 200);
        let (token, user) = (made.json()["token"].as_str().unwrap().to_owned(), made.json()["user"].clone());
        assert_eq!((&user["is_admin"], &user["email_verified"]), (&json!(true), &json!(true)));
        assert_eq!((&user["is_photographer"], &user["name"]), (&json!(true), &json!("Meera Kapoor")));
        let me = world.get("/api/auth/me", &token).await.json();
        assert_eq!(me["user"], user);
        assert_eq!(world.get("/api/subscription/credits", &token).await.json()["credits"], 100.0);
        assert_eq!(world.log_in(EMAIL).await.status, 200);
        assert_eq!(world.drain().await, 0, "no mail has to be sent");
        // Whoever comes later is a photographer like every other.
        let other = world.photographer("ravi@example.com").await;
        assert_eq!(world.get("/api/auth/me", &other).await.json()["user"]["is_admin"], false);
    });
}

#[test]
fn a_link_is_good_until_there_is_an_administrator_or_a_newer_one() {
    // [SETUP002] [SETUP003] [SETUP004]
    on_both_engines(async |world: World| {
        let first = printed(&world).await.unwrap();
        let second = printed(&world).await.unwrap();
        for wrong in ["", "made-up", &first] {
            assert_eq!(check(&world, wrong).await.error(), unknown());
            assert_eq!(set_up(&world, wrong, EMAIL).await.error(), unknown());
        }
        assert_eq!(accounts(&world).await, 0);
        world.clock.advance(MINUTE * 60 * 24 * 90);
        assert_eq!(check(&world, &second).await.status, 200);
        assert_eq!(set_up(&world, &second, EMAIL).await.status, 200);
        for link in [&second, &first, "made-up"] {
            assert_eq!(check(&world, link).await.error(), already());
            assert_eq!(set_up(&world, link, "ravi@example.com").await.error(), already());
        }
        assert_eq!(printed(&world).await, None);
        assert_eq!(accounts(&world).await, 1);
    });
}

#[test]
fn a_form_that_is_refused_leaves_the_link_as_it_is() {
    // [SETUP007]
    on_both_engines(async |world: World| {
        let link = printed(&world).await.unwrap();
        let form = json!({"token": link, "name": "Meera", "email": EMAIL, "password": PASSWORD});
        for (field, value, text) in [
            ("name", "", "Name is required"),
            ("email", "", "Email is required"),
            ("email", "meera", "Please enter a valid email address"),
            ("password", "", "Password is required"),
            ("password", "12345", "Password must be at least 6 characters long"),
            ("password", "iloveyou", "This password is one of the most common ones. Please choose another."),
        ] {
            let mut wrong = form.clone();
            wrong[field] = Value::from(value);
            assert_eq!(world.post("/api/setup", "", wrong).await.error(), (400, text.to_owned()));
        }
        assert_eq!(world.post("/api/setup", "", form).await.status, 200);
    });
}

#[test]
fn of_two_browsers_with_the_same_link_one_wins() {
    // [SETUP005]
    on_both_engines(async |world: World| {
        let link = printed(&world).await.unwrap();
        let (one, two) =
            tokio::join!(set_up(&world, &link, EMAIL), set_up(&world, &link, "ravi@example.com"));
        let (won, lost) = if one.status == 200 { (one, two) } else { (two, one) };
        assert_eq!(won.status, 200);
        assert_eq!(lost.error(), already());
        assert_eq!(accounts(&world).await, 1);
    });
}

#[test]
fn whoever_registers_is_a_photographer_and_leaves_the_link_as_it_is() {
    // [SETUP008] [SETUP009]
    on_both_engines(async |world: World| {
        let link = printed(&world).await.unwrap();
        assert_eq!(world.register(EMAIL).await.json()["user"]["is_admin"], false, "the first one too");
        assert_eq!(check(&world, &link).await.json(), json!({"has_accounts": true}));
        let again = printed(&world).await.unwrap();
        assert_eq!(set_up(&world, &again, "ravi@example.com").await.json()["user"]["is_admin"], true);
        let token = world.photographer("asha@example.com").await;
        assert_eq!(world.get("/api/auth/me", &token).await.json()["user"]["is_admin"], false);
    });
}

#[test]
fn the_link_makes_an_account_that_is_there_an_administrators_by_its_password() {
    // [SETUP027]
    on_both_engines(async |world: World| {
        world.register(EMAIL).await;
        let link = printed(&world).await.unwrap();
        let form = json!({"token": link, "name": "Meera", "email": EMAIL, "password": "a wrong guess"});
        let wrong = world.post("/api/setup", "", form).await;
        assert_eq!(wrong.error(), (409, String::from("Email already registered")));
        let lock = async |at: &str| {
            storage::testing::change(&world.parts.db, &format!("UPDATE users SET locked_at = {at}")).await;
        };
        lock("1").await;
        assert_eq!(set_up(&world, &link, EMAIL).await.json()["code"], "account_locked");
        lock("NULL").await;
        assert_eq!(check(&world, &link).await.status, 200, "the link stays good");
        let made = set_up(&world, &link, EMAIL).await;
        assert_eq!(made.status, 200);
        let user = &made.json()["user"];
        assert_eq!((&user["is_admin"], &user["email_verified"]), (&json!(true), &json!(true)));
        assert_eq!(accounts(&world).await, 1);
        let token = made.json()["token"].as_str().unwrap().to_owned();
        assert_eq!(world.get("/api/administration/overview", &token).await.status, 200);
        assert_eq!(world.get("/api/subscription/credits", &token).await.json()["credits"], 100.0);
    });
}

#[test]
fn an_operator_makes_accounts_and_sets_passwords() {
    // [SETUP012] [SETUP013] [SETUP014] [SETUP023]
    on_both_engines(async |world: World| {
        let context = world.operator();
        let link = printed(&world).await.unwrap();
        let create = async |email: &str, password: &str, is_admin| {
            let form = app::accounts::registrations::Registration {
                name: String::from("Meera"),
                email: email.to_owned(),
                password: password.to_owned(),
            };
            app::operations::operator_accounts::create(&context, form, is_admin).await
        };
        let refused =
            async |email: &str, password: &str| create(email, password, false).await.unwrap_err().to_string();
        assert_eq!(refused("meera", PASSWORD).await, "Please enter a valid email address");
        assert_eq!(refused(EMAIL, "12345").await, "Password must be at least 6 characters long");
        assert!(!create("first@example.com", PASSWORD, false).await.unwrap().is_admin);
        assert_eq!(check(&world, &link).await.status, 200);
        assert!(create(EMAIL, PASSWORD, true).await.unwrap().is_admin);
        assert_eq!(set_up(&world, &link, "ravi@example.com").await.error(), already());
        assert_eq!(refused("MEERA@example.com", PASSWORD).await, "Email already registered");
        assert!(!create("ravi@example.com", PASSWORD, false).await.unwrap().is_admin);
        assert!(create("asha@example.com", PASSWORD, true).await.unwrap().is_admin);

        let token = world.log_in("ravi@example.com").await.json()["token"].as_str().unwrap().to_owned();
        assert_eq!(world.get("/api/subscription/credits", &token).await.json()["credits"], 100.0);
        let set = async |email: &str, password: &str| {
            app::operations::operator_accounts::set_password(&context, email, password.to_owned()).await
        };
        assert_eq!(
            set("nobody@example.com", PASSWORD).await.unwrap_err().to_string(),
            "There is no account with the address nobody@example.com."
        );
        assert_eq!(
            set("ravi@example.com", "12345").await.unwrap_err().to_string(),
            "Password must be at least 6 characters long"
        );
        assert_eq!(world.get("/api/auth/me", &token).await.status, 200);
        let generated = app::operations::operator_accounts::generate_password(&world.parts.randomness);
        set("Ravi@example.com", &generated).await.unwrap();
        let ended = (401, String::from("Your password was changed. Please log in again."));
        assert_eq!(world.get("/api/auth/me", &token).await.error(), ended);
        assert_eq!(world.log_in("ravi@example.com").await.status, 401);
        let login = json!({"email": "ravi@example.com", "password": generated});
        assert_eq!(world.post("/api/auth/login", "", login).await.status, 200);
        world.drain().await;
        let notice = world.mails.take().pop().unwrap().mail;
        assert_eq!(
            (notice.to.as_str(), notice.subject.as_str()),
            ("ravi@example.com", "Your Afterglow password was changed")
        );

        let admins = async || -> Vec<String> {
            let users = app::operations::operators::users(&context).await.unwrap();
            users.into_iter().filter(|user| user.is_admin).map(|user| user.email.to_string()).collect()
        };
        assert_eq!(admins().await, [EMAIL, "asha@example.com"]);
        app::operations::operator_accounts::set_admin(&context, "asha@example.com", false).await.unwrap();
        app::operations::operator_accounts::set_admin(&context, "ravi@example.com", true).await.unwrap();
        assert_eq!(admins().await, ["ravi@example.com", EMAIL]);
        assert!(
            app::operations::operator_accounts::set_admin(&context, "nobody@example.com", true)
                .await
                .is_err()
        );
    });
}

#[test]
fn a_password_that_an_operator_sets_lets_its_owner_in_after_wrong_ones() {
    // [SETUP024]
    on_both_engines(async |world: World| {
        let limits = LimitSettings { wrong_passwords: 5, ..LimitSettings::OFF };
        let world = World::limited(world.parts.db.clone(), limits, "").await;
        world.photographer(EMAIL).await;
        let guess = json!({"email": EMAIL, "password": "a wrong guess"});
        for _ in 0..6 {
            world.post("/api/auth/login", "", guess.clone()).await;
        }
        let login = json!({"email": EMAIL, "password": "battery staple"});
        assert_eq!(world.post("/api/auth/login", "", login.clone()).await.status, 429);
        let context = world.operator();
        let set =
            app::operations::operator_accounts::set_password(&context, EMAIL, String::from("battery staple"));
        set.await.unwrap();
        assert_eq!(world.post("/api/auth/login", "", login).await.status, 200);
    });
}

#[test]
fn an_administrator_sees_the_settings_and_tests_the_mail() {
    // [SETUP015]
    // The test goes to the administrator's own address.
    on_both_engines(async |world: World| {
        let link = printed(&world).await.unwrap();
        let made = set_up(&world, &link, EMAIL).await.json();
        let token = made["token"].as_str().unwrap();
        assert_eq!(
            world.get("/api/setup/settings", token).await.json(),
            json!({
                "public_url": "http://localhost:8080",
                "retention_days": 30,
                "longest_retention_days": 365,
                "mail": {"reaches_people": true, "place": "memory", "from": "no-reply@localhost"},
            })
        );
        let test = async || world.post("/api/setup/mail", token, json!({})).await.json();
        assert_eq!(test().await, json!({"outcome": "sent", "answer": "250 kept in memory", "to": EMAIL}));
        let mail = world.mails.take().pop().unwrap().mail;
        assert_eq!((mail.to.as_str(), mail.subject.as_str()), (EMAIL, "A test mail from Afterglow"));
        let snapshot = include_str!("mails/test.txt");
        assert_eq!(mail.text, snapshot);
        let other = world.photographer("ravi@example.com").await;
        let refusal = (403, String::from("Only administrators can do this."));
        assert_eq!(world.get("/api/setup/settings", &other).await.error(), refusal);
        assert_eq!(world.post("/api/setup/mail", &other, json!({})).await.error(), refusal);

        world.mails.fail_with(Some(MailError::Permanent(String::from("550 5.7.1 not your address"))));
        let refused = json!({"outcome": "refused", "answer": "550 5.7.1 not your address", "to": EMAIL});
        assert_eq!(test().await, refused);
    });
}
