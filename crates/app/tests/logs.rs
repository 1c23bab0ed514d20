//! What jobs log. A process of its own: `tracing` caches for the whole process which call sites are enabled, and other tests
//! would change that concurrently.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use app::{App, accounts, worker};

#[tokio::test]
async fn log_lines_of_a_job_name_the_job() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let writer = Arc::new(file.reopen().unwrap());
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(writer).finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let (database, incoming) = (storage::testing::sqlite().await, tempfile::tempdir().unwrap());
    let app = App::new(app::testing::parts(database.db.clone(), incoming.path())).await.unwrap();
    let (name, email, password) = ("Meera".into(), "meera@example.com".into(), "correct horse".into());
    accounts::register(&app, accounts::Registration { name, email, password }).await.unwrap();
    accounts::resend_verification(&app, "meera@example.com").await.unwrap();
    worker::drain(&app).await.unwrap();
    let log = std::fs::read_to_string(file.path()).unwrap();
    let mails: Vec<&str> = log.lines().filter(|line| line.contains("sending a mail")).collect();
    assert_eq!(mails.len(), 2, "{log}");
    for line in mails {
        assert!(line.contains("job{id="), "{line}");
        assert!(line.contains("kind=\"send_verification\" attempt=1}"), "{line}");
    }
}
