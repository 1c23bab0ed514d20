//! Mails to guests that fail for good.

use domain::DAY;
use gateway::MailError;

use super::{HOUR, MINUTE, subscribed, told, upload};
use crate::harness::{RED, World, on_both_engines};

#[test]
fn what_a_mail_that_failed_for_good_was_to_tell_is_told_also_where_no_photo_follows() {
    // [TELL049]
    on_both_engines(async |world: World| {
        let (party, _) = subscribed(&world).await;
        world.clock.advance(MINUTE);
        world.mails.fail_with(Some(MailError::Transient(String::from("450 later"))));
        upload(&world, &party, "last.jpg", RED, 10).await;
        assert!(told(&world).await.is_empty());
        for _ in 0..45 {
            world.clock.advance(HOUR * 4);
            assert!(told(&world).await.is_empty());
        }
        assert_eq!(failed(&world).await, 1, "after five days; the next job goes on");
        world.mails.fail_with(None);
        world.clock.advance(HOUR * 4);
        let mails = told(&world).await;
        assert_eq!(mails.len(), 1);
        assert!(mails[0].text.contains("New photos: 1."), "{}", mails[0].text);
        world.clock.advance(DAY);
        assert!(told(&world).await.is_empty(), "once");
    });
}

#[test]
fn an_address_that_refuses_mails_is_tried_once_a_day_however_many_photos_arrive() {
    // [TELL049]
    on_both_engines(async |world: World| {
        let (party, _) = subscribed(&world).await;
        world.mails.fail_with(Some(MailError::Permanent(String::from("550 no such mailbox"))));
        for salt in 10..20 {
            upload(&world, &party, &format!("{salt}.jpg"), RED, salt).await;
            world.clock.advance(MINUTE);
            assert!(told(&world).await.is_empty());
        }
        assert_eq!(failed(&world).await, 1);
        let event = party.event["id"].as_str().unwrap().parse().unwrap();
        let count = storage::guests::subscriptions::count_told(&world.parts.db, event).await.unwrap();
        assert_eq!((count.total, count.waiting), (1, 1), "no mail has gone");
        world.clock.advance(DAY);
        assert!(told(&world).await.is_empty());
        assert_eq!(failed(&world).await, 2, "of the photos since");
        world.clock.advance(DAY);
        assert!(told(&world).await.is_empty());
        assert_eq!(failed(&world).await, 2, "nothing is new");
        upload(&world, &party, "another.jpg", RED, 30).await;
        world.clock.advance(MINUTE);
        assert!(told(&world).await.is_empty());
        assert_eq!(failed(&world).await, 3);
    });
}

/// How many mails about new photos have failed for good.
async fn failed(world: &World) -> i64 {
    let jobs = "jobs WHERE kind = 'tell_guest' AND state = 'failed'";
    storage::testing::count(&world.parts.db, jobs).await
}
