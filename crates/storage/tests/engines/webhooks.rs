//! Endpoints of webhooks, their messages, and what is counted for them.

use std::time::Duration;

use domain::webhooks::{
    Attempt, Delivery, DeliveryState, Disabled, DisabledBy, Endpoint, EventType, EventTypes, Secret,
};
use domain::{UserId, WebhookDeliveryId, WebhookEndpointId};
use storage::webhooks::counts::{self, Batch, Counted};
use storage::webhooks::{deliveries, endpoints};

use crate::world::{DAY, NOON, World, worlds};

async fn add(world: &World, event_types: &[&str]) -> Endpoint {
    let event_types = EventTypes::parse(event_types, &EventType::OPERATORS).unwrap();
    insert(world, None, event_types).await
}

async fn add_own(world: &World, owner: UserId, event_types: &[&str]) -> Endpoint {
    let event_types = EventTypes::parse(event_types, &EventType::PHOTOGRAPHERS).unwrap();
    insert(world, Some(owner), event_types).await
}

async fn insert(world: &World, owner: Option<UserId>, event_types: EventTypes) -> Endpoint {
    let endpoint = Endpoint {
        id: world.id(),
        owner,
        url: String::from("https://example.com/hook"),
        description: String::from("Chat of the team"),
        event_types,
        secret: Secret::from_bytes([1; 32]),
        former_secret: None,
        failing_since: None,
        disabled: None,
        created_at: NOON,
    };
    let mut tx = world.begin().await;
    endpoints::create(&mut tx, &endpoint).await.unwrap();
    tx.commit().await.unwrap();
    endpoint
}

async fn stored(world: &World, id: WebhookEndpointId) -> Endpoint {
    endpoints::by_id(&world.db, id).await.unwrap().unwrap()
}

async fn message(world: &World, endpoint: WebhookEndpointId) -> Delivery {
    let delivery = Delivery {
        id: world.id(),
        endpoint,
        event_type: EventType::EventCreated,
        payload: String::from("{}"),
        created_at: world.now(),
        state: DeliveryState::Waiting,
        attempts: 0,
        next_attempt_at: Some(NOON),
        last: None,
    };
    let mut tx = world.begin().await;
    deliveries::create(&mut tx, &delivery).await.unwrap();
    tx.commit().await.unwrap();
    delivery
}

async fn sent(world: &World, id: WebhookDeliveryId) -> Option<Delivery> {
    deliveries::by_id(&world.db, id).await.unwrap()
}

#[tokio::test]
async fn endpoints_are_kept_as_they_are_entered_and_deleted_with_their_messages() {
    // [HOOK012]
    for world in worlds().await {
        let (first, second) = (add(&world, &["event.created"]).await, add(&world, &["search.done"]).await);
        assert_eq!(endpoints::list(&world.db).await.unwrap(), [first.clone(), second.clone()]);

        let types = EventTypes::parse(&["payment.captured", "photo.indexed"], &EventType::OPERATORS);
        let types = types.unwrap();
        let (new, until) = (Secret::from_bytes([2; 32]), NOON.plus(DAY));
        let mut tx = world.begin().await;
        assert!(endpoints::change(&mut tx, first.id, "https://a.example/", "A", &types).await.unwrap());
        assert!(endpoints::rotate(&mut tx, first.id, &new, until).await.unwrap());
        tx.commit().await.unwrap();
        let changed = Endpoint {
            url: String::from("https://a.example/"),
            description: String::from("A"),
            event_types: types.clone(),
            secret: new.clone(),
            former_secret: Some((first.secret.clone(), until)),
            ..first.clone()
        };
        assert_eq!(stored(&world, first.id).await, changed);
        assert_eq!(stored(&world, second.id).await, second, "each for itself");

        let (gone, kept) = (message(&world, first.id).await, message(&world, second.id).await);
        let mut tx = world.begin().await;
        assert!(endpoints::delete(&mut tx, first.id).await.unwrap());
        assert!(!endpoints::delete(&mut tx, first.id).await.unwrap());
        assert!(!endpoints::change(&mut tx, first.id, "https://a.example/", "A", &types).await.unwrap());
        assert!(!endpoints::rotate(&mut tx, first.id, &new, until).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(endpoints::by_id(&world.db, first.id).await.unwrap(), None);
        assert_eq!((sent(&world, gone.id).await, sent(&world, kept.id).await), (None, Some(kept)));
    }
}

#[tokio::test]
async fn those_that_are_switched_on_are_told_of_what_was_chosen() {
    for world in worlds().await {
        let both = add(&world, &["event.created", "payment.captured"]).await.id;
        let one = add(&world, &["payment.captured"]).await.id;
        let told_of = async |event_type| endpoints::told_of(&world.db, event_type).await.unwrap();
        assert_eq!(told_of(EventType::PaymentCaptured).await, [both, one]);
        assert_eq!(told_of(EventType::EventCreated).await, [both]);
        assert!(
            told_of(EventType::PaymentRefunded).await.is_empty() && told_of(EventType::Test).await.is_empty()
        );

        let (mut tx, later) = (world.begin().await, NOON.plus(DAY));
        for at in [NOON, later] {
            let since = endpoints::record_failure(&mut tx, both, at).await.unwrap();
            assert_eq!(since, Some(NOON), "the first counts");
        }
        endpoints::record_success(&mut tx, both).await.unwrap();
        let since = endpoints::record_failure(&mut tx, both, later).await.unwrap();
        assert_eq!(since, Some(later), "again");
        assert_eq!(endpoints::record_failure(&mut tx, world.id(), NOON).await.unwrap(), None);
        let disabled = Disabled { at: NOON, by: DisabledBy::Failures };
        assert!(endpoints::disable(&mut tx, both, disabled).await.unwrap());
        let again = Disabled { at: NOON.plus(DAY), by: DisabledBy::Administrator };
        assert!(!endpoints::disable(&mut tx, both, again).await.unwrap(), "it is off");
        assert!(!endpoints::enable(&mut tx, one).await.unwrap(), "it is on");
        tx.commit().await.unwrap();
        assert_eq!(stored(&world, both).await.disabled, Some(disabled));
        assert_eq!(told_of(EventType::PaymentCaptured).await, [one]);

        let mut tx = world.begin().await;
        assert!(endpoints::enable(&mut tx, both).await.unwrap());
        tx.commit().await.unwrap();
        let enabled = stored(&world, both).await;
        assert_eq!((enabled.disabled, enabled.failing_since), (None, None));
        assert_eq!(told_of(EventType::PaymentCaptured).await, [both, one]);
    }
}

#[tokio::test]
async fn an_attempt_is_recorded_once_and_what_waits_can_be_given_up() {
    for world in worlds().await {
        let (endpoint, other) =
            (add(&world, &["event.created"]).await.id, add(&world, &["event.created"]).await.id);
        let first = message(&world, endpoint).await;
        let attempt = Attempt { at: NOON, took_ms: 12, status: Some(503), answer: String::from("later") };
        let (later, waiting) = (NOON.plus(DAY), DeliveryState::Waiting);
        let mut tx = world.begin().await;
        for (attempts, recorded) in [(1, false), (0, true), (0, false)] {
            let done =
                deliveries::record_attempt(&mut tx, first.id, attempts, &attempt, waiting, Some(later));
            assert_eq!(done.await.unwrap(), recorded, "{attempts}");
        }
        tx.commit().await.unwrap();
        let tried = Delivery {
            attempts: 1,
            next_attempt_at: Some(later),
            last: Some(attempt.clone()),
            ..first.clone()
        };
        assert_eq!(sent(&world, first.id).await, Some(tried.clone()));

        let (second, theirs) = (message(&world, endpoint).await, message(&world, other).await);
        let unanswered = Attempt { status: None, ..attempt };
        let (mut tx, delivered) = (world.begin().await, DeliveryState::Delivered);
        assert!(
            deliveries::record_attempt(&mut tx, second.id, 0, &unanswered, delivered, None).await.unwrap()
        );
        assert_eq!(deliveries::drop_waiting(&mut tx, endpoint).await.unwrap(), 1);
        tx.commit().await.unwrap();
        let dropped = Delivery { state: DeliveryState::Dropped, next_attempt_at: None, ..tried };
        let listed = deliveries::page(&world.db, endpoint, None, 9).await.unwrap();
        let states: Vec<_> = listed.iter().map(|each| (each.id, each.state)).collect();
        assert_eq!(states, [(second.id, delivered), (first.id, DeliveryState::Dropped)], "the newest first");
        assert_eq!(listed[1], dropped);
        assert_eq!(listed[0].last, Some(unanswered.clone()));
        assert_eq!(sent(&world, theirs.id).await, Some(theirs.clone()), "another endpoint's");
        let page = deliveries::page(&world.db, endpoint, Some(second.id), 1).await.unwrap();
        assert_eq!(page, [dropped]);

        let mut tx = world.begin().await;
        let recorded = deliveries::record_attempt(&mut tx, first.id, 1, &unanswered, waiting, None);
        assert!(!recorded.await.unwrap(), "it does not wait any more");
        deliveries::delete(&mut tx, theirs.id).await.unwrap();
        assert_eq!(deliveries::delete_before(&mut tx, second.created_at).await.unwrap(), 1);
        tx.commit().await.unwrap();
        assert_eq!((sent(&world, first.id).await, sent(&world, theirs.id).await), (None, None));
        assert!(sent(&world, second.id).await.is_some());
    }
}

#[tokio::test]
async fn numbers_are_added_up_for_endpoints_that_are_told_of_them() {
    // [HOOK004]
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let photo = Counted { photos: 1, ..Counted::default() };
        let add_photo = async |event| {
            let mut tx = world.begin().await;
            let first = counts::add(&mut tx, EventType::PhotoIndexed, event, owner, photo, NOON).await;
            tx.commit().await.unwrap();
            first.unwrap()
        };
        let take = async |event_type, event| {
            let collection = counts::collection_of(event, owner);
            let mut tx = world.begin().await;
            let taken = counts::take(&mut tx, event_type, &collection).await.unwrap();
            tx.commit().await.unwrap();
            taken
        };
        assert!(!add_photo(Some(event)).await, "nobody asks");
        let endpoint = add(&world, &["photo.indexed"]).await.id;
        let first = [add_photo(Some(event)).await, add_photo(Some(event)).await, add_photo(None).await];
        assert_eq!(first, [true, false, true]);
        let batch = |event, photos| Batch { event, counted: Counted { photos, ..photo }, since: NOON };
        assert_eq!(take(EventType::SearchDone, Some(event)).await, None);
        assert_eq!(take(EventType::PhotoIndexed, Some(event)).await, Some(batch(Some(event), 2)));
        assert_eq!(take(EventType::PhotoIndexed, Some(event)).await, None, "it is taken");
        assert_eq!(take(EventType::PhotoIndexed, None).await, Some(batch(None, 1)));
        assert!(add_photo(Some(event)).await, "the next ones");

        let searches = Counted { photos: 0, searches: 5, searches_found: 4 };
        add(&world, &["search.done"]).await;
        let mut tx = world.begin().await;
        for first in [true, false] {
            let added = counts::add(&mut tx, EventType::SearchDone, Some(event), owner, searches, NOON);
            assert_eq!(added.await.unwrap(), first);
        }
        tx.commit().await.unwrap();
        let taken = take(EventType::SearchDone, Some(event)).await.unwrap();
        assert_eq!(taken.counted, Counted { photos: 0, searches: 10, searches_found: 8 });

        let mut tx = world.begin().await;
        let off = Disabled { at: NOON, by: DisabledBy::Administrator };
        assert!(endpoints::disable(&mut tx, endpoint, off).await.unwrap());
        assert_eq!(counts::delete_before(&mut tx, NOON).await.unwrap(), 0);
        let later = NOON.plus(Duration::from_millis(1));
        assert_eq!(counts::delete_before(&mut tx, later).await.unwrap(), 1);
        tx.commit().await.unwrap();
        assert!(!add_photo(Some(event)).await, "nobody asks any more");
    }
}

#[tokio::test]
async fn photographers_endpoints_are_told_of_their_own_and_go_with_their_account() {
    // [HOOK046] [HOOK052] [HOOK053]
    for world in worlds().await {
        let (ravi, meera) = (world.user("ravi@example.com").await, world.user("meera@example.com").await);
        let operators = add(&world, &["photo.indexed"]).await;
        let own = add_own(&world, ravi, &["photo.searchable", "event.complete"]).await;
        let others = add_own(&world, meera, &["event.complete"]).await;
        assert_eq!(endpoints::list(&world.db).await.unwrap(), std::slice::from_ref(&operators));
        assert_eq!(endpoints::of_owner(&world.db, ravi).await.unwrap(), std::slice::from_ref(&own));
        assert_eq!(stored(&world, own.id).await, own);
        let told = async |owner| {
            endpoints::of_owner_told_of(&world.db, owner, EventType::EventComplete).await.unwrap()
        };
        assert_eq!((told(ravi).await, told(meera).await), (vec![own.id], vec![others.id]));
        let told_of = endpoints::told_of(&world.db, EventType::EventComplete).await.unwrap();
        assert!(told_of.is_empty(), "no operator is");

        // What is counted is so for those who ask.
        let photo = Counted { photos: 1, ..Counted::default() };
        let mut tx = world.begin().await;
        for (owner, counted) in [(ravi, true), (meera, false)] {
            let first = counts::add(&mut tx, EventType::PhotoSearchable, None, owner, photo, NOON).await;
            assert_eq!(first.unwrap(), counted);
        }
        tx.commit().await.unwrap();

        let lock = format!("UPDATE users SET locked_at = 1 WHERE id = '{meera}'");
        storage::testing::change(&world.db, &lock).await;
        assert_eq!(told(meera).await, []);

        let (gone, kept) = (message(&world, own.id).await, message(&world, others.id).await);
        let mut tx = world.begin().await;
        assert!(storage::accounts::users::close(&mut tx, ravi, NOON).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(endpoints::of_owner(&world.db, ravi).await.unwrap(), []);
        assert_eq!((sent(&world, gone.id).await, sent(&world, kept.id).await), (None, Some(kept)));
        assert_eq!(endpoints::list(&world.db).await.unwrap(), [operators]);
        assert_eq!(endpoints::of_owner(&world.db, meera).await.unwrap(), [others]);
    }
}

#[tokio::test]
async fn the_endpoints_of_a_photographer_are_switched_off_together() {
    // [AUTH250]
    for world in worlds().await {
        let (ravi, meera) = (world.user("ravi@example.com").await, world.user("meera@example.com").await);
        let operators = add(&world, &["photo.indexed"]).await;
        let (first, second) = (
            add_own(&world, ravi, &["event.complete"]).await,
            add_own(&world, ravi, &["photo.searchable"]).await,
        );
        let others = add_own(&world, meera, &["event.complete"]).await;
        let dropped = [message(&world, first.id).await, message(&world, second.id).await];
        let kept = [message(&world, operators.id).await, message(&world, others.id).await];
        let earlier = Disabled { at: NOON.minus(DAY), by: DisabledBy::Gone };
        let disabled = Disabled { at: NOON, by: DisabledBy::Photographer };
        let mut tx = world.begin().await;
        assert!(endpoints::disable(&mut tx, second.id, earlier).await.unwrap());
        assert_eq!(endpoints::disable_of_owner(&mut tx, ravi, disabled).await.unwrap(), 1);
        assert_eq!(endpoints::disable_of_owner(&mut tx, ravi, disabled).await.unwrap(), 0);
        tx.commit().await.unwrap();
        assert_eq!(stored(&world, first.id).await.disabled, Some(disabled));
        assert_eq!(stored(&world, second.id).await.disabled, Some(earlier), "it was off");
        for delivery in dropped {
            let after = sent(&world, delivery.id).await.unwrap();
            assert_eq!((after.state, after.next_attempt_at), (DeliveryState::Dropped, None));
        }
        for (endpoint, delivery) in [operators, others].into_iter().zip(kept) {
            assert_eq!(stored(&world, endpoint.id).await, endpoint);
            assert_eq!(sent(&world, delivery.id).await, Some(delivery));
        }
    }
}
