//! Deleted events: nobody finds them, and their owner can have them back for a week.

use std::time::Duration;

use serde_json::{Value, json};

use crate::downloads::party;
use crate::harness::{Answer, Field, GREEN, PASSWORD, RED, World, on_both_engines, photo};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const TOO_LATE: &str = "This event can no longer be restored.";

fn path(event: &Value, verb: &str) -> String {
    format!("/api/events/{}{verb}", event["id"].as_str().unwrap())
}

async fn delete(world: &World, token: &str, event: &Value) {
    let answer = world.delete(&path(event, ""), token).await;
    assert!([200, 202].contains(&answer.status.as_u16()), "{}", answer.status);
    world.drain().await;
}

async fn restore(world: &World, token: &str, event: &Value) -> Answer {
    let answer = world.post(&path(event, "/restore"), token, json!({})).await;
    world.drain().await;
    answer
}

/// The event in the dashboard's list of deleted ones.
async fn listed(world: &World, token: &str, event: &Value) -> Option<Value> {
    let analytics = world.get("/api/events/analytics", token).await.json();
    let deleted = analytics["recent_deleted_events"].as_array().unwrap();
    deleted.iter().find(|listed| listed["id"] == event["id"]).cloned()
}

async fn issues(world: &World) -> Vec<app::operations::checks::Issue> {
    app::operations::checks::inspect(&world.operator(), &world.parts.store).await.unwrap()
}

async fn found(world: &World, event: &Value, person: [u8; 3]) -> usize {
    let answer = world.search(event, &photo(&[person], 9)).await;
    assert_eq!(answer.status, 200);
    answer.json()["matches"].as_array().unwrap().len()
}

#[test]
fn a_deleted_event_is_restored_with_its_photos_and_what_guests_and_team_have_left() {
    // [EVT150] [EVT151] [EVT152]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let (token, event) = (party.token.as_str(), &party.event);
        let before = world.get("/api/photos/search?limit=100", token).await.status;
        assert_eq!(before, 200);
        let album = world.post(&path(event, "/albums"), token, json!({"name": "Ceremony"})).await;
        assert_eq!(album.status, 201);
        crate::objections::hide(&world, event, GREEN).await;
        assert_eq!(found(&world, event, GREEN).await, 0);
        let reds = found(&world, event, RED).await;
        assert!(reds > 0);
        let slug = event["slug"].as_str().unwrap();
        let shown = world.get(&format!("/api/events/{slug}"), "").await.json();
        let credits = world.get("/api/subscription/credits", token).await.json();
        let files = world.stored_files().await;

        delete(&world, token, event).await;
        assert_eq!(world.get(&format!("/api/events/{slug}"), "").await.json()["photos_indexed"], json!(null));
        assert_eq!(world.search(event, &photo(&[RED], 9)).await.status, 404);
        assert_eq!(world.get("/api/photos/count", token).await.json()["total_count"], 0);
        assert!(world.get("/api/events/", token).await.json().as_array().unwrap().is_empty());
        assert_eq!(world.get(&path(event, "/albums"), token).await.status, 404);
        let deleted = listed(&world, token, event).await.unwrap();
        assert!(deleted["restorable_until"].as_str().is_some() && deleted["deleted_at"].as_str().is_some());
        assert_eq!(world.stored_files().await, files, "they wait");
        assert_eq!(issues(&world).await, []);

        let restored = restore(&world, token, event).await;
        assert_eq!((restored.status.as_u16(), &restored.json()["deleted_at"]), (200, &json!(null)));
        assert_eq!(restored.json()["restorable_until"], json!(null));
        assert_eq!(listed(&world, token, event).await, None);
        let again = world.get(&format!("/api/events/{slug}"), "").await.json();
        for field in ["photos_indexed", "faces_indexed", "total_photos_uploaded", "name", "slug"] {
            assert_eq!(again[field], shown[field], "{field}");
        }
        assert_eq!(found(&world, event, RED).await, reds);
        assert_eq!(found(&world, event, GREEN).await, 0, "what a guest has asked for holds");
        let albums = world.get(&path(event, "/albums"), token).await.json();
        assert_eq!(albums["albums"][0]["name"], "Ceremony");
        assert_eq!(world.get("/api/subscription/credits", token).await.json(), credits, "nothing is charged");
        assert_eq!(world.stored_files().await, files);
        assert_eq!(issues(&world).await, []);
        assert_eq!(restore(&world, token, event).await.status, 200, "a repeat changes nothing");
    });
}

#[test]
fn links_to_the_files_of_a_deleted_event_end_before_its_job_runs() {
    // [EVT216]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let found = world.search(&party.event, &photo(&[RED], 9)).await.json();
        let matched = &found["matches"][0];
        let links = ["thumbnail_url", "url"].map(|link| matched[link].as_str().unwrap());
        for link in links {
            assert_eq!(world.get(link, "").await.status, 200);
        }
        assert_eq!(world.delete(&path(&party.event, ""), &party.token).await.status, 202);
        // A process asks again for what it has in memory after this time (decision 0026).
        world.clock.advance(Duration::from_secs(11));
        for link in links {
            assert_eq!(world.get(link, "").await.status, 404);
        }
        world.drain().await;
        assert_eq!(restore(&world, &party.token, &party.event).await.status, 200);
        for link in links {
            assert_eq!(world.get(link, "").await.status, 200);
        }
    });
}

#[test]
fn a_version_of_a_photo_that_is_still_on_its_way_back_is_not_charged_as_a_new_one() {
    // [UPL270]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let id = event["id"].as_str().unwrap();
        let [first, second, third, other] = [0, 1, 2, 3].map(|seed| photo(&[RED], seed));
        let upload = async |replaces: &str, name: &str, bytes: &[u8]| {
            let replaces = Field::text("replace", replaces);
            let fields = [replaces, Field::file("photos", name, bytes), Field::text("event_id", id)];
            world.form("/api/photos/upload", &token, &fields).await
        };
        let versions = async || {
            let question = json!({"event_id": id, "names": ["a.jpg"]});
            world.post("/api/photos/versions", &token, question).await
        };
        let credits = async || {
            let credits = world.get("/api/subscription/credits", &token).await.json();
            credits["credits"].as_f64().unwrap()
        };
        assert_eq!(upload("false", "a.jpg", &first).await.status, 201);
        assert_eq!(upload("true", "a.jpg", &second).await.json()["replaced"], true);
        world.drain().await;
        let before = credits().await;
        delete(&world, &token, &event).await;

        // Its job has not run yet.
        assert_eq!(world.post(&path(&event, "/restore"), &token, json!({})).await.status, 200);
        let busy = (503, String::from("The service is busy. Please try again in a moment."));
        assert_eq!(upload("true", "a.jpg", &third).await.error(), busy);
        assert_eq!(upload("false", "a.jpg", &first).await.error(), busy);
        assert_eq!(versions().await.error(), busy);
        assert_eq!(credits().await, before);
        assert_eq!(upload("false", "b.jpg", &other).await.status, 201, "any other file is taken");

        world.drain().await;
        assert_eq!(versions().await.json()["versions"].as_array().unwrap().len(), 1);
        assert_eq!(upload("false", "a.jpg", &first).await.json()["duplicate"], true);
        assert_eq!(upload("true", "a.jpg", &third).await.json()["replaced"], true);
        assert_eq!(credits().await, before - 1.0, "for b.jpg alone");
    });
}

#[test]
fn after_a_week_a_deleted_event_is_gone_for_good() {
    // [EVT153]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let (token, event) = (party.token.as_str(), &party.event);
        crate::objections::hide(&world, event, GREEN).await;
        delete(&world, token, event).await;
        world.clock.advance(DAY * 7 - Duration::from_secs(1));
        app::operations::maintenance::all(&world.app).await.unwrap();
        world.drain().await;
        assert!(!world.stored_files().await.is_empty());
        assert!(listed(&world, token, event).await.unwrap()["restorable_until"].is_string());
        world.clock.advance(Duration::from_secs(1));
        assert_eq!(restore(&world, token, event).await.error(), (409, String::from(TOO_LATE)));
        app::operations::maintenance::all(&world.app).await.unwrap();
        world.drain().await;
        assert_eq!(world.stored_files().await.len(), 0);
        for table in
            ["photos", "trashed_photos", "faces", "trashed_faces", "objections", "subscriptions", "albums"]
        {
            assert_eq!(storage::testing::count(&world.parts.db, table).await, 0, "{table}");
        }
        assert_eq!(restore(&world, token, event).await.error(), (409, String::from(TOO_LATE)));
        assert_eq!(listed(&world, token, event).await.unwrap()["restorable_until"], json!(null));
        assert_eq!(issues(&world).await, []);
    });
}

#[test]
fn a_deleted_event_is_removed_at_once_by_its_owner_and_by_an_administrator() {
    // [EVT154]
    on_both_engines(async |world: World| {
        for by_owner in [true, false] {
            let email = if by_owner { "ravi@example.com" } else { "devi@example.com" };
            let token = world.photographer(email).await;
            let stranger = world.photographer(&format!("stranger-{email}")).await;
            let event = world.event(&token, "Party").await;
            world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await;
            world.drain().await;
            let purge = async |token: &str| world.post(&path(&event, "/purge"), token, json!({})).await;
            assert_eq!(purge(&token).await.status, 404, "it is not deleted");
            let files = world.stored_files().await.len();
            assert_eq!(world.delete(&path(&event, ""), &token).await.status, 202);
            assert_eq!(purge(&token).await.status, 409, "it is still being deleted");
            world.drain().await;
            for verb in ["/purge", "/restore"] {
                let refused = world.post(&path(&event, verb), &stranger, json!({})).await;
                assert_eq!(refused.error(), (404, String::from("Event not found")));
            }
            if by_owner {
                for _ in 0..2 {
                    assert_eq!(purge(&token).await.status, 204);
                }
            } else {
                let id = event["id"].as_str().unwrap().parse().unwrap();
                let administration = world.operator().administration();
                app::events::recently_deleted::purge_any(&administration, id).await.unwrap();
            }
            assert_eq!(restore(&world, &token, &event).await.error(), (409, String::from(TOO_LATE)));
            world.drain().await;
            assert_eq!(world.stored_files().await.len(), files - 4);
        }
    });
}

#[test]
fn a_restoration_that_was_cut_goes_on_and_a_deletion_meanwhile_takes_all_photos_along() {
    // [EVT155]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        for salt in 0..3 {
            world.upload(&token, &event, "a.jpg", &photo(&[RED], salt)).await;
        }
        world.drain().await;
        delete(&world, &token, &event).await;
        let begin = async || world.post(&path(&event, "/restore"), &token, json!({})).await.status.as_u16();
        let lose_jobs = async || storage::testing::change(&world.parts.db, "DELETE FROM jobs").await;
        assert_eq!(begin().await, 200);
        lose_jobs().await;
        assert_eq!(found(&world, &event, RED).await, 0);
        // Deleted again before a photo is back, and restored: all of them come.
        world.clock.advance(DAY);
        delete(&world, &token, &event).await;
        assert_eq!(begin().await, 200);
        lose_jobs().await;
        app::operations::maintenance::all(&world.app).await.unwrap();
        world.drain().await;
        assert_eq!(found(&world, &event, RED).await, 3);
        assert_eq!(storage::testing::count(&world.parts.db, "trashed_photos").await, 0);
    });
}

#[test]
fn who_closes_the_account_leaves_no_deleted_event_behind() {
    // [EVT156]
    on_both_engines(async |world: World| {
        // The administrator, who is the first, stays.
        world.photographer("other@example.com").await;
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await;
        world.drain().await;
        delete(&world, &token, &event).await;
        assert_eq!(crate::profiles::close(&world, &token, json!({"password": PASSWORD})).await.status, 200);
        world.drain().await;
        assert_eq!(world.stored_files().await.len(), 0);
        assert_eq!(storage::testing::count(&world.parts.db, "trashed_photos").await, 0);
    });
}

#[test]
fn photos_on_their_way_back_are_not_removed_meanwhile() {
    // [SAFE347]
    on_both_engines(async |world: World| {
        for empties in [false, true] {
            let token = world.photographer(&format!("meera{empties}@example.com")).await;
            let event = world.event(&token, "Party").await;
            assert_eq!(world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await.status, 201);
            world.drain().await;
            delete(&world, &token, &event).await;
            world.clock.advance(DAY * 7 - Duration::from_secs(1));
            // No worker has taken its job yet.
            assert_eq!(world.post(&path(&event, "/restore"), &token, json!({})).await.status, 200);
            if empties {
                let all = json!({"event_id": event["id"], "all": true});
                let answer = world.post("/api/photos/trash/remove", &token, all).await;
                assert_eq!(answer.json()["removed"], 0, "it is not in the trash");
            } else {
                world.clock.advance(Duration::from_secs(2));
                app::operations::maintenance::all(&world.app).await.unwrap();
            }
            world.drain().await;
            assert_eq!(found(&world, &event, RED).await, 1, "the trash is emptied: {empties}");
        }
    });
}

#[test]
fn a_deleted_event_keeps_its_photos_until_the_day_that_its_owner_was_told() {
    // [SAFE348]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        assert_eq!(world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await.status, 201);
        world.drain().await;
        // The service did not run when the warning was due.
        world.clock.advance(DAY * 32);
        let token = world.log_in("meera@example.com").await.json()["token"].as_str().unwrap().to_owned();
        app::operations::maintenance::all(&world.app).await.unwrap();
        world.drain().await;
        delete(&world, &token, &event).await;
        app::operations::maintenance::all(&world.app).await.unwrap();
        assert_eq!(restore(&world, &token, &event).await.status, 200);
        assert_eq!(found(&world, &event, RED).await, 1);
    });
}
