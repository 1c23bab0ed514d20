//! Limits that all processes of one PostgreSQL database have together.

use std::time::Duration;

use app::operations::runtime::limits::{self, Limit, LimitSettings, Subject};
use futures::future::join_all;
use serde_json::json;
use storage::testing::TestDb;
use storage::{ConnectOptions, Db};

use crate::harness::{Answer, PASSWORD, World};
use crate::limits::{ELSEWHERE, From, HOME, assert_refused};

const HOUR: u64 = 60 * 60;
/// An event that is not there: its searches count for the address.
const NOWHERE: &str = "/api/face/search/nowhere";

/// Two processes, each with connections of its own.
async fn two_processes() -> (TestDb, [World; 2]) {
    let database = storage::testing::postgres().await;
    let one = World::limited(database.db.clone(), LimitSettings::default(), "").await;
    let connections = Db::connect(&database.url, ConnectOptions::default()).await.unwrap();
    let other = one.second_process(&connections).await;
    (database, [one, other])
}

/// A search without a picture, which counts like any other.
async fn search(from: From<'_>, world: &World, path: &str) -> Answer {
    let kind = "multipart/form-data; boundary=line";
    from.send(world, path, "", kind, b"--line--\r\n".to_vec()).await
}

/// The address at which an event is searched.
async fn party(world: &World) -> String {
    let token = world.photographer("meera@example.com").await;
    let event = world.event(&token, "Party").await;
    format!("/api/face/search/{}", event["slug"].as_str().unwrap())
}

#[tokio::test]
async fn one_search_too_many_waits_whichever_process_is_asked() {
    // [SAFE005] [SAFE208]
    let (_database, worlds) = two_processes().await;
    let (clock, path) = (&worlds[0].clock, party(&worlds[0]).await);
    for number in 0..300 {
        assert_eq!(search(HOME, &worlds[number % 2], &path).await.status, 400, "{number}");
        clock.advance(Duration::from_millis(100));
    }
    for world in &worlds {
        assert_refused(&search(HOME, world, &path).await, 30, "30 seconds");
        assert_eq!(search(ELSEWHERE, world, &path).await.status, 400);
    }
    clock.advance(Duration::from_secs(29));
    // Each has another minute's oldest search in mind, whether it has refused already or not.
    for world in &worlds {
        assert_refused(&search(HOME, world, &path).await, 1, "1 second");
    }
    clock.advance(Duration::from_millis(1_000));
    assert_eq!(search(HOME, &worlds[0], &path).await.status, 400);
    assert_refused(&search(HOME, &worlds[1], &path).await, 1, "1 second");
}

#[tokio::test(flavor = "multi_thread")]
async fn searches_at_one_moment_are_300_in_all() {
    // [SAFE208]
    let (_database, worlds) = two_processes().await;
    let path = party(&worlds[0]).await;
    let answers = join_all((0..350).map(|number| search(HOME, &worlds[number % 2], &path))).await;
    let admitted = answers.iter().filter(|answer| answer.status == 400).count();
    assert_eq!(admitted, 300);
    assert!(answers.iter().all(|answer| answer.status == 400 || answer.status == 429));
}

#[tokio::test]
async fn logins_mails_and_coupons_are_counted_together_too() {
    // [SAFE006] [SAFE105] [SAFE108] [SAFE208]
    let (_database, worlds) = two_processes().await;
    let token = worlds[0].photographer("meera@example.com").await;
    for number in 0..10 {
        assert_eq!(HOME.log_in(&worlds[number % 2], PASSWORD).await.status, 200, "{number}");
    }
    let ask = async |number: usize| {
        let (address, body) = (format!("198.51.100.{number}"), json!({"email": "ravi@example.com"}));
        From(&address, "").json(&worlds[number % 2], "/api/auth/forgot-password", "", body).await
    };
    for number in 0..5 {
        assert_eq!(ask(number).await.status, 200, "{number}");
    }
    let coupon = async |world: &World| {
        let body = json!({"couponCode": "NONE", "amount": 999});
        HOME.json(world, "/api/validate-coupon", &token, body).await
    };
    for number in 0..30 {
        assert_eq!(coupon(&worlds[number % 2]).await.status, 200, "{number}");
    }
    for (number, world) in worlds.iter().enumerate() {
        assert_refused(&HOME.log_in(world, PASSWORD).await, HOUR, "60 minutes");
        assert_refused(&ask(6 + number).await, HOUR, "60 minutes");
        assert_refused(&coupon(world).await, HOUR, "60 minutes");
    }
}

#[tokio::test]
async fn who_was_refused_beside_a_right_pin_is_let_in_once_that_does_not_count() {
    // [SAFE473]
    let (database, worlds) = two_processes().await;
    let token = worlds[0].photographer("meera@example.com").await;
    let event = worlds[0].event(&token, "Party").await;
    let path = format!("/api/events/{}", event["id"].as_str().unwrap());
    assert_eq!(worlds[0].patch(&path, &token, json!({"pin": "471147"})).await.status, 200);
    let path = format!("/api/face/access/{}", event["slug"].as_str().unwrap());
    let enter = async |world: &World, pin: &str| HOME.json(world, &path, "", json!({"pin": pin})).await;
    let attempt = async |world: &World, limit: Limit| {
        let subjects = [(Subject::Address(HOME.0.parse().unwrap()), 1)];
        limits::check(&world.app, limit, &subjects).await.is_ok()
    };
    // What the process does that has counted an attempt, of every subject.
    let take_back = async || {
        let newest = "UPDATE counted_requests SET moments = substr(moments, 1, length(moments) - 13)
             WHERE length(moments) > 13";
        storage::testing::change(&database.db, newest).await;
    };

    for number in 0..19 {
        assert_eq!(enter(&worlds[number % 2], "471247").await.status, 403, "{number}");
    }
    // It is not known yet whether this one is right.
    assert!(attempt(&worlds[0], Limit::Pins).await);
    for world in &worlds {
        assert_refused(&enter(world, "471147").await, HOUR, "60 minutes");
    }
    take_back().await;
    for world in &worlds {
        assert_eq!(enter(world, "471147").await.status, 200);
    }
    for limit in [Limit::FirstPins, Limit::FtpLogins] {
        while attempt(&worlds[0], limit).await {}
        assert!(!attempt(&worlds[1], limit).await);
        take_back().await;
        assert!(attempt(&worlds[1], limit).await, "{limit:?}");
        take_back().await;
        assert!(attempt(&worlds[0], limit).await, "{limit:?}");
    }
}

#[tokio::test]
async fn networks_of_ipv6_are_counted_together_too() {
    // [SAFE106] [SAFE208]
    let (_database, worlds) = two_processes().await;
    let contact = async |network: usize, number: usize| {
        let address = format!("2001:db8:0:{network:x}::1");
        From(&address, "").contact(&worlds[number % 2]).await
    };
    for network in 0..4 {
        for number in 0..5 {
            assert_eq!(contact(network, number).await.status, 200, "{network} {number}");
        }
        assert_refused(&contact(network, network).await, HOUR, "60 minutes");
    }
    for number in 0..2 {
        assert_refused(&contact(4, number).await, HOUR, "60 minutes");
        assert_eq!(contact(0x100, number).await.status, 200, "another household");
    }
}

#[tokio::test]
async fn what_was_counted_is_forgotten_once_it_does_not_count() {
    // [SAFE237]
    let (database, worlds) = two_processes().await;
    assert_eq!(search(HOME, &worlds[0], NOWHERE).await.status, 404);
    assert_eq!(HOME.contact(&worlds[0]).await.status, 200);
    worlds[0].clock.advance(Duration::from_secs(HOUR));
    app::operations::maintenance::all(&worlds[1].app).await.unwrap();
    let in_a_year = worlds[0].clock.now().plus(domain::DAY * 365);
    let left = storage::operations::runtime::counted_requests::delete_expired(&database.db, in_a_year)
        .await
        .unwrap();
    assert_eq!(left, 1, "the search counts for a day");
}

#[tokio::test]
async fn a_search_that_cannot_be_counted_is_answered_503() {
    // [SAFE250]
    let (_database, worlds) = two_processes().await;
    worlds[1].parts.db.close().await;
    assert_eq!(search(HOME, &worlds[1], NOWHERE).await.status, 503);
    assert_eq!(search(HOME, &worlds[0], NOWHERE).await.status, 404);
}
