//! Contact messages, and webhook events of payment providers.

use domain::accounts::EmailAddress;
use storage::operations::contact::{self, Message};
use storage::payments::notifications;

use crate::world::{DAY, NOON, worlds};

#[tokio::test]
async fn a_message_is_kept_until_it_is_sent() {
    for world in worlds().await {
        let db = &world.db;
        let message = Message {
            id: world.id(),
            name: String::from("Rohan"),
            email: EmailAddress::parse("rohan@example.com").unwrap(),
            subject: String::from("A question"),
            message: String::from("Kitne din?\n\nकब तक"),
            created_at: NOON,
            sent_at: None,
        };
        let mut tx = world.begin().await;
        contact::create(&mut tx, &message).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(contact::by_id(db, message.id).await.unwrap().as_ref(), Some(&message));
        assert_eq!(contact::by_id(db, world.id()).await.unwrap(), None);

        let mut tx = world.begin().await;
        assert_eq!(contact::delete_sent(&mut tx, NOON.plus(DAY * 900)).await.unwrap(), 0, "it waits");
        assert!(contact::mark_sent(&mut tx, message.id, NOON.plus(DAY)).await.unwrap());
        assert!(!contact::mark_sent(&mut tx, message.id, NOON.plus(DAY)).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(contact::by_id(db, message.id).await.unwrap().unwrap().sent_at, Some(NOON.plus(DAY)));
        let mut tx = world.begin().await;
        assert_eq!(contact::delete_sent(&mut tx, NOON.plus(DAY)).await.unwrap(), 0);
        assert_eq!(contact::delete_sent(&mut tx, NOON.plus(DAY * 2)).await.unwrap(), 1);
        tx.commit().await.unwrap();
    }
}

#[tokio::test]
async fn a_webhook_event_is_recorded_once() {
    // [PAY067]
    for world in worlds().await {
        let mut tx = world.begin().await;
        assert!(notifications::record(&mut tx, "razorpay", "evt_1", NOON).await.unwrap());
        assert!(!notifications::record(&mut tx, "razorpay", "evt_1", NOON.plus(DAY)).await.unwrap());
        assert!(notifications::record(&mut tx, "sandbox", "evt_1", NOON.plus(DAY)).await.unwrap());
        assert!(notifications::is_known(&mut tx, "sandbox", "evt_1").await.unwrap());
        assert!(!notifications::is_known(&mut tx, "sandbox", "evt_2").await.unwrap());
        tx.commit().await.unwrap();
        let mut tx = world.begin().await;
        assert_eq!(notifications::delete_before(&mut tx, NOON.plus(DAY)).await.unwrap(), 1);
        assert!(notifications::record(&mut tx, "razorpay", "evt_1", NOON).await.unwrap(), "it was forgotten");
        assert!(!notifications::record(&mut tx, "sandbox", "evt_1", NOON).await.unwrap());
        tx.commit().await.unwrap();
    }
}
