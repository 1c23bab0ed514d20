//! /api/auth/deletion-receipts, and the receipt of a closed account.

use app::accounts::deletion_receipts::{Checked, check};
use app::operations::backups::{self, Options};
use axum::body::Body;
use axum::http::Request;
use domain::accounts::deletion_receipts::{DestroyedKey, Subject};
use serde_json::{Value, json};
use storage::photos::Collection;

use crate::downloads::party;
use crate::harness::{GREEN, PASSWORD, RED, World, on_both_engines, photo};

const PATH: &str = "/api/auth/deletion-receipts";

async fn receipts(world: &World, token: &str) -> Vec<Value> {
    let answer = world.get(PATH, token).await;
    assert_eq!(answer.status, 200);
    answer.json()["receipts"].as_array().unwrap().clone()
}

async fn checked(world: &World, document: &str) -> Option<Checked> {
    check(&world.operator(), document).await.unwrap()
}

async fn purge(world: &World, token: &str, event: &Value) {
    let path = format!("/api/events/{}", event["id"].as_str().unwrap());
    let before = receipts(world, token).await;
    assert!(world.delete(&path, token).await.status.is_success());
    world.drain().await;
    assert_eq!(receipts(world, token).await, before, "it can be restored");
    assert!(world.post(&format!("{path}/purge"), token, json!({})).await.status.is_success());
}

#[test]
fn the_receipt_of_an_event_says_what_was_removed_and_is_signed() {
    // [SAFE356] [SAFE357]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let (token, event) = (party.token.as_str(), &party.event);
        crate::objections::hide(&world, event, GREEN).await;
        let id = event["id"].as_str().unwrap().parse().unwrap();
        let key = storage::guests::objections::key(&world.parts.db, id).await.unwrap().unwrap();
        let photos = storage::testing::count(&world.parts.db, "photos").await;
        let faces = storage::testing::count(&world.parts.db, "faces").await;
        assert!(photos > 1 && faces > 1);
        purge(&world, token, event).await;
        assert_eq!(receipts(&world, token).await, [] as [Value; 0], "its photos are there");
        world.drain().await;

        let listed = receipts(&world, token).await;
        assert_eq!(listed.len(), 1);
        assert_eq!((&listed[0]["event_name"], &listed[0]["photos"]), (&event["name"], &json!(photos)));
        let document = listed[0]["document"].as_str().unwrap();
        let found = checked(&world, document).await.unwrap();
        assert_eq!(found.left, 0);
        let receipt = found.receipt;
        assert_eq!(
            (receipt.subject, Some(receipt.subject_id.as_str())),
            (Subject::Event, event["id"].as_str())
        );
        assert_eq!((receipt.removed.photos, receipt.removed.requests), (photos, 1));
        assert!(receipt.removed.faces > 0 && receipt.removed.bytes > 0);
        assert!(receipt.destroyed_keys.contains(&DestroyedKey::of("requests", &key)));
        assert!(receipt.backups.is_empty(), "none was made");

        for changed in [
            document.replacen(&format!("\"photos\": {photos}"), "\"photos\": 1", 1),
            document.replacen("\"jws\": \"ey", "\"jws\": \"eY", 1),
            document.replacen("\"subject\": \"event\"", "\"subject\": \"account\"", 1),
            String::from("{}"),
        ] {
            assert_ne!(changed, document);
            assert!(checked(&world, &changed).await.is_none());
        }
        let database = storage::testing::sqlite().await;
        let elsewhere = World::new(database.db.clone()).await;
        assert!(checked(&elsewhere, document).await.is_none(), "another installation has not signed it");

        let other = world.photographer("ravi@example.com").await;
        assert_eq!(receipts(&world, &other).await, [] as [Value; 0]);
        assert_eq!(world.get(PATH, "").await.status, 401);
    });
}

#[test]
fn a_receipt_knows_of_the_backup_that_is_being_written() {
    // [SAFE489]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let folder = tempfile::tempdir().unwrap();
        let media::stores::Store::Memory(files) = &world.parts.store else {
            unreachable!("the harness keeps files in memory")
        };
        // It has frozen the rows, and gets no further.
        files.set_broken(true);
        let options = Options { keep: 7, verify: false };
        let cut = backups::create(&world.operator(), &world.parts.store, folder.path(), options).await;
        assert!(cut.is_err());
        files.set_broken(false);
        let begun = world.clock.now().to_rfc3339();
        purge(&world, &party.token, &party.event).await;
        world.drain().await;
        let listed = receipts(&world, &party.token).await;
        let found = checked(&world, listed[0]["document"].as_str().unwrap()).await.unwrap();
        let [copies] = &found.receipt.backups[..] else { panic!("{:?}", found.receipt.backups) };
        assert_eq!((copies.snapshots, copies.keeps), (1, 7));
        // Its name has seconds.
        assert_eq!(copies.newest_snapshot_at.get(..19), begun.get(..19));
    });
}

#[test]
fn the_receipt_of_an_event_whose_week_is_over_counts_all_photos_and_leaves_no_file() {
    // [SAFE472]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let (token, id) = (party.token.as_str(), party.event["id"].as_str().unwrap());
        let collection = Collection::Event(id.parse().unwrap());
        let photos = storage::photos::batch(&world.parts.db, collection, 9).await.unwrap();
        let number = i64::try_from(photos.len()).unwrap();
        let faces: i64 = photos.iter().map(|photo| photo.faces).sum();
        let bytes: i64 = photos.iter().map(|photo| photo.size_bytes).sum();
        assert!(number > 1 && faces > 1);
        assert!(world.delete(&format!("/api/events/{id}"), token).await.status.is_success());
        world.drain().await;
        world.clock.advance(domain::DAY * 7);

        let media::stores::Store::Memory(files) = &world.parts.store else {
            unreachable!("the harness keeps files in memory")
        };
        files.set_broken(true);
        assert!(app::operations::maintenance::all(&world.app).await.is_err());
        let left = storage::testing::count(&world.parts.db, "trashed_photos").await;
        assert_eq!(left, number, "no row goes before its files");
        files.set_broken(false);
        app::operations::maintenance::all(&world.app).await.unwrap();
        world.drain().await;
        assert_eq!(world.stored_files().await.len(), 0);
        let listed = receipts(&world, token).await;
        assert_eq!(listed.len(), 1);
        let found = checked(&world, listed[0]["document"].as_str().unwrap()).await.unwrap();
        let removed = found.receipt.removed;
        assert_eq!((removed.photos, removed.faces, removed.bytes), (number, faces, bytes));
        assert_eq!(found.left, 0);
    });
}

#[test]
fn the_receipt_of_an_account_is_mailed_once_all_of_it_is_removed() {
    // [SAFE358]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let token = party.token.as_str();
        let photos = storage::testing::count(&world.parts.db, "photos").await;
        let early = world.event(token, "Early").await;
        let id = early["id"].as_str().unwrap();
        assert!(world.delete(&format!("/api/events/{id}"), token).await.status.is_success());
        let email =
            world.get("/api/auth/me", token).await.json()["user"]["email"].as_str().unwrap().to_owned();
        let close = Request::delete("/api/auth/me")
            .header("authorization", format!("Bearer {token}"))
            .header("content-type", "application/json")
            .body(Body::from(json!({"password": PASSWORD}).to_string()));
        assert_eq!(world.send(close.unwrap()).await.status, 200);
        world.drain().await;

        let sent = world.mails.sent();
        let with_file: Vec<_> =
            sent.iter().filter_map(|sent| Some((&sent.mail, sent.mail.attachment.as_ref()?))).collect();
        let [(mail, file)] = with_file[..] else { panic!("{} mails have a file", with_file.len()) };
        assert_eq!((mail.to.as_str(), file.file_name), (email.as_str(), "deletion-receipt.json"));
        let found = checked(&world, &file.text).await.unwrap();
        assert_eq!((found.left, found.receipt.subject), (0, Subject::Account));
        assert_eq!(found.receipt.removed.photos, photos);
        let mut events: Vec<_> = found.receipt.events.iter().map(|part| part.id.as_str()).collect();
        events.sort_unstable();
        let mut expected = [id, party.event["id"].as_str().unwrap()];
        expected.sort_unstable();
        assert_eq!(events, expected);
        assert_eq!(
            storage::testing::count(&world.parts.db, "deletion_receipts").await,
            0,
            "the address went"
        );
    });
}

#[test]
fn a_guest_who_is_found_no_more_gets_a_receipt() {
    // [SAFE360]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let shown = crate::objections::preview(&world, &party.event, GREEN).await;
        let asked = crate::objections::object(&world, &shown["token"], "stop_finding").await.json();
        let found = checked(&world, asked["receipt"].as_str().unwrap()).await.unwrap();
        assert_eq!((found.left, found.receipt.subject), (0, Subject::Person));
        assert_eq!(json!(found.receipt.removed.photos), asked["photos"]);
        assert!(
            found.receipt.removed.faces >= found.receipt.removed.photos && found.receipt.removed.photos > 0
        );
        let again = crate::objections::object(&world, &shown["token"], "stop_finding").await.json();
        assert_eq!(again["receipt"], Value::Null, "nothing was removed");
    });
}

#[test]
fn photos_whose_time_is_over_leave_a_receipt_though_their_event_stays() {
    // [SAFE364]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let event = &party.event;
        let id = event["id"].as_str().unwrap().parse().unwrap();
        let found = world.search(event, &photo(&[RED], 9)).await.json();
        let ask = json!({"token": found["subscription_token"], "email": "guest@example.com", "notice_version": "1"});
        assert_eq!(world.post("/api/face/subscriptions", "", ask).await.status, 202);
        let keys = [
            (
                "subscriptions",
                storage::guests::subscriptions::key(&world.parts.db, id).await.unwrap().unwrap(),
            ),
            ("searches", storage::guests::kept_searches::key(&world.parts.db, id).await.unwrap().unwrap()),
        ];
        let photos = storage::testing::count(&world.parts.db, "photos").await;
        for days in [23, 8] {
            world.clock.advance(domain::DAY * days);
            app::operations::maintenance::all(&world.app).await.unwrap();
            world.drain().await;
        }
        assert_eq!(storage::testing::count(&world.parts.db, "photos").await, 0);

        let session = world.log_in("meera@example.com").await.json()["token"].clone();
        let token = session.as_str().unwrap();
        let listed = receipts(&world, token).await;
        assert_eq!(listed.len(), 1);
        assert_eq!((&listed[0]["event_name"], &listed[0]["photos"]), (&event["name"], &json!(photos)));
        let found = checked(&world, listed[0]["document"].as_str().unwrap()).await.unwrap();
        let receipt = found.receipt;
        assert_eq!((receipt.subject, found.left), (Subject::Photos, 0));
        assert!(receipt.subject_id.starts_with(event["id"].as_str().unwrap()), "{}", receipt.subject_id);
        assert_eq!(receipt.removed.photos, photos);
        assert!(receipt.removed.faces > 0 && receipt.removed.bytes > 0);
        for (purpose, key) in keys {
            assert!(receipt.destroyed_keys.contains(&DestroyedKey::of(purpose, &key)), "{purpose}");
        }

        // The event goes later, with a receipt of its own.
        purge(&world, token, event).await;
        world.drain().await;
        let subjects = async || {
            let mut subjects = Vec::new();
            for receipt in receipts(&world, token).await {
                let document = receipt["document"].as_str().unwrap().to_owned();
                subjects.push(checked(&world, &document).await.unwrap().receipt.subject);
            }
            subjects
        };
        assert_eq!(subjects().await, [Subject::Event, Subject::Photos]);
    });
}
