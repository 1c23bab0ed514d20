//! Questions of guests on their way to the photographer.

use std::time::Duration;

use domain::accounts::EmailAddress;
use domain::guests::questions::Question;
use domain::{Job, QuestionId};
use gateway::MailError;

use crate::world::World;

/// A question about a photo that waits to be mailed.
async fn ask(world: &World) -> QuestionId {
    let (_, photo) = world.with_photo().await;
    world.drain().await;
    let question = Question {
        id: world.app.id(),
        photo: photo.id,
        email: EmailAddress::parse("guest@example.com").unwrap(),
        message: String::from("May I have a print of this one?"),
        created_at: world.clock.now(),
    };
    let (db, now) = (&world.parts.db, world.clock.now());
    let mut tx = db.begin().await.unwrap();
    storage::guests::questions::create(&mut tx, &question).await.unwrap();
    let job = Job::SendQuestion { question: question.id };
    storage::operations::runtime::jobs::enqueue(&mut tx, world.app.id(), &job, now, now).await.unwrap();
    tx.commit().await.unwrap();
    question.id
}

async fn is_kept(world: &World, question: QuestionId) -> bool {
    storage::guests::questions::by_id(&world.parts.db, question).await.unwrap().is_some()
}

#[tokio::test]
async fn a_question_waits_for_the_mail_server_and_is_forgotten_once_it_is_sent() {
    // [WISH012]
    let world = World::new().await;
    let question = ask(&world).await;
    let before = world.mails.sent().len();
    world.mails.fail_with(Some(MailError::Transient(String::from("connection refused"))));
    assert_eq!(world.drain().await, 1);
    assert!(is_kept(&world, question).await);
    assert_eq!(world.drain().await, 0, "it waits before it is tried again");
    world.mails.fail_with(None);
    world.clock.advance(Duration::from_secs(5));
    assert_eq!(world.drain().await, 1);
    let sent = world.mails.sent();
    assert_eq!(sent.len(), before + 1);
    assert_eq!(sent.last().unwrap().mail.to.as_str(), "meera@example.com");
    assert!(!is_kept(&world, question).await);
}

#[tokio::test]
async fn a_question_that_cannot_be_mailed_is_forgotten_too() {
    // [WISH017]
    let world = World::new().await;
    let question = ask(&world).await;
    let before = world.mails.sent().len();
    world.mails.fail_with(Some(MailError::Permanent(String::from("no such mailbox"))));
    assert_eq!(world.drain().await, 1);
    assert!(!is_kept(&world, question).await);
    world.mails.fail_with(None);
    world.clock.advance(Duration::from_secs(24 * 60 * 60));
    assert_eq!((world.drain().await, world.mails.sent().len()), (0, before));
}
