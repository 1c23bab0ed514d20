//! The login by which cameras send the photos of an event.

use std::time::Duration;

use app::Failure;
use app::operations::runtime::limits::LimitSettings;
use domain::Refusal;
use serde_json::{Value, json};

use crate::api_tokens;
use crate::harness::{PASSWORD, World, on_both_engines};
use crate::teams::{join, membership, of};

fn wanted() -> Value {
    json!({"password": PASSWORD})
}

#[test]
fn an_event_gets_a_login_whose_password_is_told_once() {
    // [FTP021] [FTP003]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Sangeet").await;
        let path = format!("/api/events/{}/ftp", event["id"].as_str().unwrap());
        let service = json!({"host": "localhost", "port": 2121, "encryption": "required"});
        assert_eq!(world.get(&path, &token).await.json(), json!({"service": service, "login": null}));

        let made = world.put(&path, &token, wanted()).await.json();
        assert_eq!(made["service"], service);
        assert_eq!(made["login"]["last_used_at"], Value::Null);
        let password = made["password"].as_str().unwrap().to_owned();
        assert_eq!(password.len(), 12);
        let shown = world.get(&path, &token).await;
        assert_eq!(shown.json()["login"], made["login"]);
        assert!(!String::from_utf8_lossy(&shown.bytes).contains(&password));

        let another = world.put(&path, &token, wanted()).await.json();
        assert_ne!(another["login"]["user_name"], made["login"]["user_name"]);
        assert_ne!(another["password"], made["password"]);
        let gone = (404, String::from("Event not found"));
        let ravi = world.photographer("ravi@example.com").await;
        assert_eq!(world.get(&path, &ravi).await.error(), gone);
        assert_eq!(world.put(&path, &ravi, wanted()).await.error(), gone);
        assert_eq!(world.delete(&path, &ravi).await.error(), gone);
        assert_eq!(world.get(&path, &token).await.json()["login"], another["login"]);
        for _ in 0..2 {
            assert_eq!(world.delete(&path, &token).await.json(), json!({"success": true}));
            assert_eq!(world.get(&path, &token).await.json()["login"], Value::Null);
        }
    });
}

#[test]
fn without_ftp_there_are_no_logins() {
    // [FTP015] [FTP026]
    on_both_engines(async |world: World| {
        let world = World::with_settings(world.parts.db.clone(), |settings| settings.ftp = None).await;
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Sangeet").await;
        let path = format!("/api/events/{}/ftp", event["id"].as_str().unwrap());
        assert_eq!(world.get(&path, &token).await.json(), json!({"service": null, "login": null}));
        let text = "This service takes no photos over FTP. Its operator can switch that on in the settings.";
        assert_eq!(world.put(&path, &token, wanted()).await.error(), (409, text.to_owned()));
        assert_eq!(world.delete(&path, &token).await.status, 200);
    });
}

#[test]
fn a_login_that_is_refused_is_not_made() {
    // [FTP026]
    on_both_engines(async |world: World| {
        let world = World::with_settings(world.parts.db.clone(), |settings| settings.ftp = None).await;
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Sangeet").await;
        let path = format!("/api/events/{}/ftp", event["id"].as_str().unwrap());
        assert_eq!(world.put(&path, &token, wanted()).await.status, 409);
        assert_eq!(world.get(&path, &token).await.json(), json!({"service": null, "login": null}));
    });
}

#[test]
fn a_login_is_made_with_the_password_and_told_by_mail_and_ends_after_a_year() {
    // [AUTH201] [AUTH202] [AUTH203]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Sangeet").await;
        let path = format!("/api/events/{}/ftp", event["id"].as_str().unwrap());
        world.drain().await;
        world.mails.take();
        let wrong = (400, String::from("Invalid current password"));
        assert_eq!(world.put(&path, &token, json!({"password": "wrong horse"})).await.error(), wrong);
        let missing = (400, String::from("Password is required"));
        assert_eq!(world.put(&path, &token, json!({})).await.error(), missing);
        let days = json!({"password": PASSWORD, "lifetime_days": 0});
        assert_eq!(world.put(&path, &token, days).await.status, 400);
        let program = api_tokens::make(&world, &token, "all").await;
        let never = (403, String::from("API tokens cannot do this. Please log in."));
        assert_eq!(world.put(&path, &program, wanted()).await.error(), never);
        assert_eq!(world.get(&path, &token).await.json()["login"], Value::Null);
        world.drain().await;
        world.mails.take();

        let made = world.put(&path, &token, wanted()).await.json();
        let year = Duration::from_secs(365 * 24 * 60 * 60);
        assert_eq!(made["login"]["expires_at"], world.app.now().plus(year).to_rfc3339());
        world.drain().await;
        let mails: Vec<_> = world.mails.take().into_iter().map(|sent| sent.mail).collect();
        assert_eq!(mails.len(), 1);
        assert_eq!(mails[0].to.as_str(), "meera@example.com");
        assert_eq!(mails[0].subject, "A new login for cameras in your Afterglow account");

        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let (name, secret) = (text(&made["login"]["user_name"]), text(&made["password"]));
        let gets_in = async || {
            app::uploads::ftp::log_in(&world.app, &name, &secret, [192, 0, 2, 1].into()).await.is_ok()
        };
        world.clock.advance(year - Duration::from_millis(1));
        assert!(gets_in().await);
        world.clock.advance(Duration::from_millis(1));
        assert!(!gets_in().await);

        let session = world.log_in("meera@example.com").await.json()["token"].as_str().unwrap().to_owned();
        let endless = json!({"password": PASSWORD, "lifetime_days": null});
        let made = world.put(&path, &session, endless).await.json();
        assert_eq!(made["login"]["expires_at"], Value::Null);
    });
}

#[test]
fn the_owner_is_told_of_a_login_that_a_member_of_the_team_makes() {
    // [AUTH202]
    on_both_engines(async |world: World| {
        let owner = world.photographer("meera@example.com").await;
        let event = world.event(&owner, "Sangeet").await;
        let id = event["id"].as_str().unwrap();
        let member = crate::teams::join(&world, &owner, &event, "ravi@example.com", "manager").await;
        world.drain().await;
        world.mails.take();
        assert_eq!(world.put(&format!("/api/events/{id}/ftp"), &member, wanted()).await.status, 200);
        world.drain().await;
        let mut told: Vec<_> = world.mails.take().into_iter().map(|sent| sent.mail.to.to_string()).collect();
        told.sort();
        assert_eq!(told, ["meera@example.com", "ravi@example.com"]);
    });
}

/// Whether a camera with a login that was made is let in.
async fn gets_in(world: &World, made: &Value) -> bool {
    let (name, secret) = (made["login"]["user_name"].as_str().unwrap(), made["password"].as_str().unwrap());
    app::uploads::ftp::log_in(&world.app, name, secret, [192, 0, 2, 1].into()).await.is_ok()
}

#[test]
fn a_login_ends_with_the_right_of_the_manager_who_made_it() {
    // [FTP034]
    on_both_engines(async |world: World| {
        let owner = world.photographer("meera@example.com").await;
        let event = world.event(&owner, "Sangeet").await;
        let path = of(&event, "/ftp");
        for end in ["removed", "demoted", "left", "reset", "closed"] {
            let email = format!("{end}@example.com");
            let manager = join(&world, &owner, &event, &email, "manager").await;
            let made = world.put(&path, &manager, wanted()).await.json();
            assert!(gets_in(&world, &made).await, "{end}");
            let member = membership(&world, &owner, &event, &email).await;
            let ended = match end {
                "removed" => world.delete(&member, &owner).await,
                "demoted" => world.patch(&member, &owner, json!({"role": "contributor"})).await,
                "left" => world.delete(&of(&event, "/membership"), &manager).await,
                "reset" => {
                    world.post("/api/auth/forgot-password", "", json!({"email": email})).await;
                    let link = world.token_mailed_to(&email, "reset-password").await;
                    let body = json!({"token": link, "password": "newest horse"});
                    world.post("/api/auth/reset-password", "", body).await
                }
                _ => crate::profiles::close(&world, &manager, json!({"password": PASSWORD})).await,
            };
            assert!(ended.status.is_success(), "{end}");
            assert!(!gets_in(&world, &made).await, "{end}");
            assert_eq!(world.get(&path, &owner).await.json()["login"], Value::Null, "{end}");
        }
    });
}

#[test]
fn a_login_waits_while_its_maker_is_locked_and_outlives_other_managers() {
    // [FTP034]
    on_both_engines(async |world: World| {
        let owner = world.photographer("meera@example.com").await;
        let event = world.event(&owner, "Sangeet").await;
        let path = of(&event, "/ftp");
        let manager = join(&world, &owner, &event, "first@example.com", "manager").await;
        let made = world.put(&path, &manager, wanted()).await.json();
        for (at, is_let_in) in [("1", false), ("NULL", true)] {
            let lock = format!("UPDATE users SET locked_at = {at} WHERE email_key = 'first@example.com'");
            storage::testing::change(&world.parts.db, &lock).await;
            assert_eq!(gets_in(&world, &made).await, is_let_in, "{at}");
        }

        let made = world.put(&path, &owner, wanted()).await.json();
        let remove = async |email: &str| {
            let member = membership(&world, &owner, &event, email).await;
            assert_eq!(world.delete(&member, &owner).await.status, 204, "{email}");
        };
        remove("first@example.com").await;
        assert!(gets_in(&world, &made).await, "it is the owner's");

        // An earlier version has kept nobody: it may be a manager's.
        join(&world, &owner, &event, "second@example.com", "manager").await;
        join(&world, &owner, &event, "third@example.com", "contributor").await;
        storage::testing::change(&world.parts.db, "UPDATE ftp_logins SET made_by = NULL").await;
        assert!(gets_in(&world, &made).await);
        remove("third@example.com").await;
        assert!(gets_in(&world, &made).await);
        remove("second@example.com").await;
        assert!(!gets_in(&world, &made).await);
    });
}

#[test]
fn a_name_with_a_control_character_is_one_that_no_login_has() {
    // [FTP035]
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        for database in storage::testing::engines().await {
            let limits = LimitSettings { ftp_logins: 2, ..LimitSettings::OFF };
            let world = World::limited(database.db.clone(), limits, "").await;
            let refused = async |name: &str| {
                let address = [192, 0, 2, 1].into();
                app::uploads::ftp::log_in(&world.app, name, "x", address).await.err()
            };
            for name in ["zero\0", "line\n"] {
                let wrong = refused(name).await;
                let is_wrong = matches!(wrong, Some(Failure::Refused(Refusal::FtpLoginWrong)));
                assert!(is_wrong, "{name:?}: {wrong:?}");
            }
            let more = refused("zero\0").await;
            assert!(matches!(more, Some(Failure::Refused(Refusal::TooMany { .. }))), "{more:?}");
        }
    });
}
