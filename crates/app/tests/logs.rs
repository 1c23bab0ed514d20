//! What jobs log. A process of its own: `tracing` remembers for the whole process which events nobody listens to, and other
//! tests would decide that at the same moment.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[allow(dead_code, reason = "the stories use the rest")]
#[path = "stories/world.rs"]
mod world;

use std::sync::Arc;

use app::accounts;

use world::World;

#[tokio::test]
async fn what_a_job_logs_names_the_job() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let writer = Arc::new(file.reopen().unwrap());
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(writer).finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let world = World::new().await;
    let user = world.register().await;
    accounts::resend_verification(&world.app, user.email.as_str()).await.unwrap();
    world.drain().await;
    let log = std::fs::read_to_string(file.path()).unwrap();
    let mails: Vec<&str> = log.lines().filter(|line| line.contains("sending a mail")).collect();
    assert_eq!(mails.len(), 2, "{log}");
    for line in mails {
        assert!(line.contains("job{id="), "{line}");
        assert!(line.contains("kind=\"send_verification\" attempt=1}"), "{line}");
    }
}
