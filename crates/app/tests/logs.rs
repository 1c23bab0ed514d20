//! What jobs log. A process of its own: `tracing` caches for the whole process which call sites are enabled, and other tests
//! would change that concurrently.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use app::accounts::second_factors::{self, Given};
use app::accounts::{self, registrations};
use app::events::access::Visitor;
use app::faces::search;
use app::guests::subscriptions::requests::{NewSubscription, subscribe};
use app::operations::administration::credits::{self, Change};
use app::operations::administration::{Administration, accounts as administrators};
use app::operations::runtime::worker;
use app::photos::{self, Upload};
use app::uploads::ftp;
use app::{App, events};
use domain::accounts::api_tokens::Lifetime;
use domain::accounts::devices::Device;
use domain::accounts::{RequestedMail, User};
use domain::faces::Strictness;
use domain::operations::administration::Reason;
use gateway::{MailError, Mailer};

#[tokio::test]
async fn log_lines_of_a_job_name_the_job_and_no_guest() {
    // [SAFE195] [ADMIN017] [ADMIN036] [TELL018]
    let file = tempfile::NamedTempFile::new().unwrap();
    let writer = Arc::new(file.reopen().unwrap());
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_ansi(false)
        .with_writer(writer)
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let (database, incoming) = (storage::testing::sqlite().await, tempfile::tempdir().unwrap());
    let parts = app::testing::parts(database.db.clone(), incoming.path());
    let Mailer::Memory(mails) = parts.mailer.clone() else { unreachable!("the parts keep mails in memory") };
    let app = App::new(parts).await.unwrap();
    let (name, email, password) = ("Meera".into(), "meera@example.com".into(), "correct horse".into());
    let registration = registrations::Registration { name, email, password };
    let owner = accounts::register(&app, registration.parse().unwrap()).await.unwrap().user;
    app::accounts::mail_requests::create(&app, RequestedMail::Verification, "meera@example.com")
        .await
        .unwrap();
    worker::drain(&app).await.unwrap();
    let log = std::fs::read_to_string(file.path()).unwrap();
    let lines: Vec<&str> = log.lines().filter(|line| line.contains("sending a mail")).collect();
    assert_eq!(lines.len(), 2, "{log}");
    for (line, kind) in lines.into_iter().zip(["send_verification", "answer_mail_request"]) {
        assert!(line.contains("job{id="), "{line}");
        assert!(line.contains(&format!("kind=\"{kind}\" attempt=1}}")), "{line}");
    }

    let address = std::net::IpAddr::from([192, 0, 2, 1]);
    let log_in = async |email: &str, password: &str| {
        let device = Device::default();
        let given = Given::NOTHING;
        match accounts::log_in(&app, email, password.to_owned(), given, address, device).await {
            Ok(accounts::LoggedIn::Session(token, _)) => Ok(token),
            Ok(accounts::LoggedIn::SecondFactor(_)) => panic!("there is no second factor"),
            Err(failure) => Err(failure),
        }
    };
    assert!(log_in("meera@example.com", "correct horse").await.is_err(), "the address is not verified");
    let mut tx = database.db.begin().await.unwrap();
    storage::accounts::users::verify_email(&mut tx, owner.id, &owner.email, app.now()).await.unwrap();
    tx.commit().await.unwrap();
    assert!(log_in("nobody@example.com", "correct horse").await.is_err());
    assert!(log_in("meera@example.com", "wrong horse").await.is_err());
    let token = log_in("meera@example.com", "correct horse").await.unwrap().reveal();
    let change = |current: &str| {
        let (current, new) = (current.to_owned(), String::from("another horse"));
        let change = app::accounts::passwords::Change { current, new, keeps_api_tokens: true };
        app::accounts::passwords::change(&app, &owner, &token, change)
    };
    assert!(change("wrong horse").await.is_err());
    change("correct horse").await.unwrap();
    app::accounts::sessions::end_others(&app, &owner, &token).await.unwrap();
    let (name, scope, lifetime) = ("Tether".into(), "all".into(), Lifetime::Usual);
    let wanted =
        app::accounts::api_tokens::Wanted { name, scope, lifetime, password: "another horse".into() };
    let api_token = app::accounts::api_tokens::create(&app, &owner, "", wanted).await.unwrap();
    app::accounts::api_tokens::revoke(&app, &owner, &api_token.token.id.to_string()).await.unwrap();
    give_a_second_factor(&app, &owner, &token).await;
    let camera_password = connect_a_camera(&app, &owner).await;
    app::accounts::profiles::close(&app, &owner, "", String::from("wrong horse")).await.unwrap_err();
    worker::drain(&app).await.unwrap();
    let log = std::fs::read_to_string(file.path()).unwrap();
    let told: Vec<(&str, bool)> = log
        .lines()
        .filter_map(|line| {
            let (_, rest) = line.split_once("an account security=\"")?;
            let (what, rest) = rest.split_once('"')?;
            Some((what, rest == format!(" account={}", owner.id)))
        })
        .collect();
    assert_eq!(
        told,
        [
            ("login_refused", true),
            ("login_refused", false),
            ("login_refused", true),
            ("logged_in", true),
            ("password_refused", true),
            ("password_changed", true),
            ("sessions_ended", true),
            ("api_token_made", true),
            ("api_tokens_revoked", true),
            ("second_factor_on", true),
            ("second_factor_given", true),
            ("second_factor_given", true),
            ("logged_in", true),
            ("ftp_login_made", true),
            ("ftp_logged_in", true),
            ("ftp_login_refused", true),
            ("password_refused", true),
        ]
    );
    let tokens = [token.as_str(), api_token.text.as_str(), camera_password.as_str()];
    for secret in ["meera@", "nobody@", " horse", "192.0.2.1"].into_iter().chain(tokens) {
        assert!(!log.contains(secret), "{secret} is in {log}");
    }

    let administration = Administration::of(&app, &owner);
    let (name, email, password) = ("Ravi".into(), "ravi@example.com".into(), "correct horse".into());
    let registration = registrations::Registration { name, email, password };
    let other = accounts::register(&app, registration.parse().unwrap()).await.unwrap().user.id;
    let reason = Reason::parse("Chargeback of May").unwrap();
    let change = Change { key: None, rupees: 5.0, reason: Some(reason.clone()) };
    administrators::verify(&administration, other).await.unwrap();
    administrators::lock(&administration, other, &reason).await.unwrap();
    administrators::unlock(&administration, other).await.unwrap();
    credits::change(&administration, other, change).await.unwrap();
    let log = std::fs::read_to_string(file.path()).unwrap();
    for what in ["account_verified", "account_locked", "account_unlocked", "credits_changed"] {
        let line = format!("an administrator security=\"{what}\" account={other} by=\"{}\"", owner.id);
        assert!(log.contains(&line), "{line} is not in {log}");
    }
    assert!(!log.contains("Chargeback"), "{log}");

    // A server repeats the address in its refusal.
    mails.fail_with(Some(MailError::Permanent(String::from("550 5.1.1 <Guest@example.com>: no such user"))));
    let token = searched(&app, &owner).await;
    let email = String::from("guest@example.com");
    let (notice_version, language) = (String::from("1"), String::from("en"));
    let new = NewSubscription { token: token.clone(), email, notice_version, language };
    subscribe(&app, &Visitor::default(), new).await.unwrap();
    worker::drain(&app).await.unwrap();
    let log = std::fs::read_to_string(file.path()).unwrap();
    assert!(log.contains("550 5.1.1 <(address)>: no such user"), "{log}");
    assert!(!log.to_lowercase().contains("guest@"), "{log}");
    assert!(!log.contains(&token[40..80]), "{log}");
    let failed = storage::operations::runtime::jobs::in_state(
        &database.db,
        storage::operations::runtime::jobs::JobState::Failed,
        None,
        9,
    )
    .await
    .unwrap();
    let reason = failed[0].last_error.clone().unwrap();
    assert!(reason.contains("(address)") && !reason.to_lowercase().contains("guest@"), "{reason}");
}

/// A party with a photo of the red one, who searches for it; the token of the search.
/// Turns two-step login on, and gives a code for administration and one with a login.
async fn give_a_second_factor(app: &App, owner: &User, token: &str) {
    let secret =
        second_factors::begin(app, owner, token, String::from("another horse")).await.unwrap().secret;
    let code = second_factors::code_at(&secret, app.now()).unwrap();
    let recovery_codes = second_factors::confirm(app, owner, token, &code).await.unwrap();
    let given = |code| Given { code, passkey: None };
    second_factors::prove(app, owner, token, given(&recovery_codes[0])).await.unwrap();
    let (email, password) = ("meera@example.com", String::from("another horse"));
    let (address, device) = (std::net::IpAddr::from([192, 0, 2, 1]), Device::default());
    accounts::log_in(app, email, password, given(&recovery_codes[1]), address, device).await.unwrap();
}

/// Makes a login of a camera, which logs in, once with a wrong password; answers the right one.
async fn connect_a_camera(app: &App, owner: &User) -> String {
    let (name, date) = ("Party".into(), "2026-11-14".into());
    let event = events::create(app, owner, events::NewEvent { name, date, ..events::NewEvent::default() });
    let (lifetime, password) = (Lifetime::Usual, String::from("another horse"));
    let made = ftp::replace(app, owner, "", event.await.unwrap().id, ftp::Wanted { lifetime, password });
    let ftp::Made { login, password, .. } = made.await.unwrap();
    let address = std::net::IpAddr::from([192, 0, 2, 1]);
    assert!(ftp::log_in(app, &login.name, &password, address).await.is_ok());
    assert!(ftp::log_in(app, &login.name, "wrong horse", address).await.is_err());
    password
}

async fn searched(app: &App, owner: &User) -> String {
    let (name, date) = ("Party".into(), "2026-11-14".into());
    let new = events::NewEvent { name, date, ..events::NewEvent::default() };
    let event = events::create(app, owner, new).await.unwrap();
    let mut bytes = std::io::Cursor::new(Vec::new());
    let picture = image::RgbImage::from_pixel(200, 100, image::Rgb([230, 20, 20]));
    picture.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    let bytes = bytes.into_inner();
    let mut upload = Upload::begin(app).await.unwrap();
    upload.write(&bytes).await.unwrap();
    photos::accept(app, owner, Some(event.id), "red.png", upload.finish().await.unwrap()).await.unwrap();
    worker::drain(app).await.unwrap();
    let (face, strictness, wants_preview) = (None, Strictness::Normal, false);
    let rejected = Vec::new();
    let selfies = search::Selfies {
        pictures: vec![bytes.into()],
        face,
        strictness,
        wants_preview,
        found_before: false,
        rejected,
        admission: None,
    };
    search::in_event(app, &event, &Visitor::default(), selfies).await.unwrap().subscription_token.unwrap()
}
