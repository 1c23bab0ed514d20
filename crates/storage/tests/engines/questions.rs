//! Questions of guests, until they are mailed.

use domain::accounts::EmailAddress;
use domain::guests::questions::Question;
use storage::events::changes;
use storage::guests::questions;
use storage::photos::{self, Collection};

use crate::world::{NOON, worlds};

#[tokio::test]
async fn a_question_is_there_until_it_is_deleted_and_goes_with_its_photo() {
    // [WISH012] [WISH018]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let photo = world.photo(owner, Some(event)).await.id;
        let question = |id| Question {
            id,
            photo,
            email: EmailAddress::parse("guest@example.com").unwrap(),
            message: String::from("Print please"),
            created_at: NOON,
        };
        let (first, second) = (question(world.id()), question(world.id()));
        let mut tx = world.begin().await;
        for question in [&first, &second] {
            questions::create(&mut tx, question).await.unwrap();
        }
        tx.commit().await.unwrap();
        assert_eq!(questions::by_id(db, first.id).await.unwrap().as_ref(), Some(&first));
        assert!(questions::delete(db, first.id).await.unwrap());
        assert!(!questions::delete(db, first.id).await.unwrap());
        assert_eq!(questions::by_id(db, first.id).await.unwrap(), None);

        let mut tx = world.begin().await;
        photos::delete_many(&mut tx, Collection::Event(event), &[photo]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(questions::by_id(db, second.id).await.unwrap(), None);
    }
}

#[tokio::test]
async fn new_events_take_questions_until_their_photographer_says_no() {
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let mut tx = world.begin().await;
        let mut locked = changes::lock(&mut tx, event).await.unwrap().unwrap();
        assert!(locked.flags.takes_questions);
        locked.flags.takes_questions = false;
        changes::save(&mut tx, &locked).await.unwrap();
        tx.commit().await.unwrap();
        assert!(!world.seen(event).await.flags.takes_questions);
    }
}
