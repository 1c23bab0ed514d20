//! What jobs log. A process of its own: `tracing` caches for the whole process which call sites are enabled, and other tests
//! would change that concurrently.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use app::photos::Upload;
use app::subscriptions::requests::{NewSubscription, subscribe};
use app::{App, accounts, events, photos, search, worker};
use domain::accounts::{RequestedMail, User};
use domain::faces::Strictness;
use gateway::{MailError, Mailer};

#[tokio::test]
async fn log_lines_of_a_job_name_the_job_and_no_guest() {
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
    let registration = accounts::Registration { name, email, password };
    let owner = accounts::register(&app, registration.parse().unwrap()).await.unwrap().user;
    app::mail_requests::create(&app, RequestedMail::Verification, "meera@example.com").await.unwrap();
    worker::drain(&app).await.unwrap();
    let log = std::fs::read_to_string(file.path()).unwrap();
    let lines: Vec<&str> = log.lines().filter(|line| line.contains("sending a mail")).collect();
    assert_eq!(lines.len(), 2, "{log}");
    for (line, kind) in lines.into_iter().zip(["send_verification", "answer_mail_request"]) {
        assert!(line.contains("job{id="), "{line}");
        assert!(line.contains(&format!("kind=\"{kind}\" attempt=1}}")), "{line}");
    }

    // [TELL018] A server repeats the address in its refusal.
    mails.fail_with(Some(MailError::Permanent(String::from("550 5.1.1 <Guest@example.com>: no such user"))));
    let token = searched(&app, &owner).await;
    let email = String::from("guest@example.com");
    let (notice_version, language) = (String::from("1"), String::from("en"));
    let new = NewSubscription { token: token.clone(), email, notice_version, language };
    subscribe(&app, new).await.unwrap();
    worker::drain(&app).await.unwrap();
    let log = std::fs::read_to_string(file.path()).unwrap();
    assert!(log.contains("550 5.1.1 <(address)>: no such user"), "{log}");
    assert!(!log.to_lowercase().contains("guest@"), "{log}");
    assert!(!log.contains(&token[40..80]), "{log}");
    let failed =
        storage::jobs::in_state(&database.db, storage::jobs::JobState::Failed, None, 9).await.unwrap();
    let reason = failed[0].last_error.clone().unwrap();
    assert!(reason.contains("(address)") && !reason.to_lowercase().contains("guest@"), "{reason}");
}

/// A party with a photo of the red one, who searches for it; the token of the search.
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
        rejected,
        admission: None,
    };
    search::in_event(app, &event, None, selfies).await.unwrap().subscription_token.unwrap()
}
