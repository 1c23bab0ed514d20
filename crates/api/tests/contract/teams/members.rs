//! What members see and do, until they are members no more.

use serde_json::{Value, json};

use super::{SECOND, Team, id, invited, of, team};
use crate::harness::{Answer, GREEN, RED, World, on_both_engines, photo};

const OWNERS: (u16, &str) = (403, "Only the photographer whose event this is can do this");
const MANAGERS: (u16, &str) = (403, "Only the photographer of this event and its managers can do this");

fn is(answer: &Answer, refusal: (u16, &str)) {
    assert_eq!(answer.error(), (refusal.0, refusal.1.to_owned()));
}

/// A photo by the owner and one by the contributor.
async fn photos(world: &World, team: &Team) -> (Value, Value) {
    let own = world.upload(&team.owner, &team.event, "own.jpg", &photo(&[RED], 0)).await;
    world.clock.advance(SECOND);
    let theirs = world.upload(&team.contributor, &team.event, "theirs.jpg", &photo(&[GREEN], 0)).await;
    assert_eq!((own.status.as_u16(), theirs.status.as_u16()), (201, 201));
    world.drain().await;
    (own.json(), theirs.json())
}

async fn names(world: &World, token: &str, event: &Value, more: &str) -> (Value, Vec<String>) {
    let found = world.get(&format!("/api/photos/search?event_id={}{more}", id(event)), token).await;
    assert_eq!(found.status, 200, "{}", String::from_utf8_lossy(&found.bytes));
    let found = found.json();
    let names = found["photos"].as_array().unwrap().iter();
    (
        found["total_count"].clone(),
        names.map(|photo| photo["filename"].as_str().unwrap().to_owned()).collect(),
    )
}

#[test]
fn shared_events_are_listed_apart_and_found_by_id() {
    // [TEAM008] [TEAM037] [TEAM038]
    on_both_engines(async |world: World| {
        let Team { owner, manager, contributor, event } = team(&world).await;
        let own = world.event(&contributor, "Own").await;
        assert_eq!((&own["role"], &own["owner_name"]), (&json!("owner"), &Value::Null));
        let listed = async |token: &str, path: &str| {
            let answer = world.get(path, token).await.json();
            let events = answer.get("events").unwrap_or(&answer).as_array().unwrap().clone();
            let told = |event: &Value| format!("{} {} {}", event["name"], event["role"], event["owner_name"]);
            events.iter().map(told).collect::<Vec<_>>()
        };
        let (mine, shared) = (r#""Own" "owner" null"#, r#""Party" "contributor" "Meera Kapoor""#);
        let mut both = listed(&contributor, "/api/events/").await;
        both.sort();
        assert_eq!(both, [mine, shared]);
        assert_eq!(listed(&contributor, "/api/events/search").await, [mine]);
        assert_eq!(listed(&contributor, "/api/events/search?shared=true").await, [shared]);
        assert_eq!(listed(&contributor, "/api/events/search?shared=true&name=art").await, [shared]);
        assert!(listed(&contributor, "/api/events/search?shared=true&name=ball").await.is_empty());
        let ids = format!("/api/events/search?ids={},{}", id(&event), id(&own));
        assert_eq!(listed(&contributor, &ids).await.len(), 2);
        assert_eq!(listed(&contributor, &format!("{ids}&shared=true")).await, [shared]);
        assert_eq!(listed(&manager, "/api/events/").await, [r#""Party" "manager" "Meera Kapoor""#]);
        assert_eq!(listed(&owner, "/api/events/").await, [r#""Party" "owner" null"#]);
        // The cursor is any event's that the caller sees.
        let after = format!("/api/events/search?shared=true&cursor={}", id(&event));
        assert!(listed(&contributor, &after).await.is_empty());
        assert_eq!(world.get(&format!("/api/events/search?cursor={}", id(&own)), &owner).await.status, 400);
        // Guests are told nothing of it.
        let seen = world.get(&format!("/api/events/{}", event["slug"].as_str().unwrap()), "").await.json();
        assert!(seen.get("role").is_none() && seen.get("owner_name").is_none());
    });
}

#[test]
fn a_contributor_sees_and_deletes_own_photos_alone() {
    // [TEAM006] [TEAM035] [TEAM036] [GAL481]
    on_both_engines(async |world: World| {
        let team = team(&world).await;
        let (own, theirs) = photos(&world, &team).await;
        let Team { owner, manager, contributor, event } = &team;
        assert_eq!(own["uploader"], Value::Null);
        assert_eq!(theirs["uploader"]["name"], "Meera Kapoor");
        assert_eq!(names(&world, contributor, event, "").await, (json!(1), vec![String::from("theirs.jpg")]));
        for token in [owner, manager] {
            assert_eq!(names(&world, token, event, "").await.0, 2);
        }
        let by_member = format!("&uploader_id={}", theirs["uploader"]["id"].as_str().unwrap());
        assert_eq!(names(&world, owner, event, &by_member).await.1, ["theirs.jpg"]);
        assert_eq!(names(&world, manager, event, "&uploader_id=owner").await.1, ["own.jpg"]);
        assert_eq!(names(&world, contributor, event, "&uploader_id=owner").await.1, ["theirs.jpg"]);
        let path = format!("/api/photos/search?event_id={}&uploader_id=x", id(event));
        is(&world.get(&path, owner).await, (404, "This person is not in the event's team"));

        let missing = (404, "Photo not found");
        for (photo, found) in [(&own, false), (&theirs, true)] {
            for path in ["/file?size=original", "/status"] {
                let answer = world.get(&format!("/api/photos/{}{path}", id(photo)), contributor).await;
                if found { assert_eq!(answer.status, 200) } else { is(&answer, missing) }
            }
        }
        is(&world.get(&format!("/api/photos/{}/faces", id(&theirs)), contributor).await, MANAGERS);
        assert_eq!(world.get(&format!("/api/photos/{}/faces", id(&theirs)), manager).await.status, 200);
        let retried = world.post(&format!("/api/photos/{}/retry", id(&theirs)), contributor, json!({})).await;
        assert_eq!(retried.status, 200);
        for filter in ["album_id=none", &format!("person_id={}", id(&own)), "hearted=true", "sort=hearts"] {
            let path = format!("/api/photos/search?event_id={}&{filter}", id(event));
            is(&world.get(&path, contributor).await, MANAGERS);
        }

        storage::testing::change(&world.parts.db, "UPDATE photos SET hearts = 3").await;
        let table = json!({"event_id": id(event), "all": true, "format": "csv"});
        let table = world.post("/api/photos/names", contributor, table).await;
        let table = String::from_utf8(table.bytes.to_vec()).unwrap();
        let (_, rows) = table.split_once("\r\n").unwrap();
        assert!(rows.lines().count() == 1 && rows.starts_with("theirs.jpg,,0,0,"), "{table}");

        // A ZIP of all is one of the contributor's own.
        let all = json!({"event_id": id(event), "all": true});
        let made = world.post("/api/photos/download", contributor, all.clone()).await;
        assert_eq!((made.status.as_u16(), &made.json()["photos"]), (201, &json!(1)));
        let zip = format!("/api/face/download/{}.zip", made.json()["download_token"].as_str().unwrap());
        let files = crate::downloads::files(&world.get(&zip, "").await.bytes);
        assert_eq!(files.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["theirs.jpg"]);
        let others = json!({"event_id": id(event), "photo_ids": [id(&own)]});
        is(&world.post("/api/photos/download", contributor, others.clone()).await, missing);

        // Deleting all deletes no other's.
        is(&world.delete(&format!("/api/photos/{}", id(&own)), contributor).await, missing);
        let choose = async |path: &str, told: &str, token: &str, body: &Value| {
            world.post(path, token, body.clone()).await.json()[told].clone()
        };
        assert_eq!(choose("/api/photos/trash", "deleted", contributor, &others).await, 0);
        assert_eq!(choose("/api/photos/trash", "deleted", contributor, &all).await, 1);
        assert_eq!(names(&world, owner, event, "").await.1, ["own.jpg"]);
        assert_eq!(choose("/api/photos/trash", "deleted", owner, &all).await, 1);
        let trash = format!("/api/photos/trash?event_id={}", id(event));
        let trashed = async |token: &str| world.get(&trash, token).await.json()["total_count"].clone();
        assert_eq!((trashed(contributor).await, trashed(manager).await), (json!(1), json!(2)));
        let thumbnail = async |photo: &Value| {
            world
                .get(&format!("/api/photos/trash/{}/thumbnail", id(photo)), contributor)
                .await
                .status
                .as_u16()
        };
        assert_eq!((thumbnail(&own).await, thumbnail(&theirs).await), (404, 200));
        is(&world.post("/api/photos/trash/remove", contributor, all.clone()).await, OWNERS);
        assert_eq!(choose("/api/photos/trash/restore", "restored", contributor, &others).await, 0);
        assert_eq!(choose("/api/photos/trash/restore", "restored", contributor, &all).await, 1);
        assert_eq!(names(&world, owner, event, "").await.1, ["theirs.jpg"]);
    });
}

#[test]
fn a_manager_does_what_the_owner_does_but_for_what_is_the_owners() {
    // [TEAM003] [TEAM031] [TEAM032] [TEAM007] [TEAM015] [TEAM044] [TEAM036] [TEAM045]
    on_both_engines(async |world: World| {
        let team = team(&world).await;
        let (own, theirs) = photos(&world, &team).await;
        let Team { owner, manager, contributor, event } = &team;
        for (rest, status) in [
            ("/albums", 200),
            ("/people", 200),
            ("/objections", 200),
            ("/statistics", 200),
            ("/pin", 200),
            ("/team", 200),
        ] {
            assert_eq!(world.get(&of(event, rest), manager).await.status, status, "{rest}");
            is(&world.get(&of(event, rest), contributor).await, MANAGERS);
        }
        let album = world.post(&of(event, "/albums"), manager, json!({"name": "Ceremony"})).await;
        assert_eq!(album.status, 201);
        let rename = format!("/api/albums/{}", id(&album.json()));
        assert_eq!(world.patch(&rename, manager, json!({"name": "Vows"})).await.status, 200);
        is(
            &world.patch(&rename, contributor, json!({"name": "Own"})).await,
            (404, "This album is no longer there"),
        );
        let own_ids = format!("/api/photos/search/ids?event_id={}", id(event));
        let seen = world.get(&own_ids, contributor).await.json();
        assert_eq!(seen["photo_ids"], json!([id(&theirs)]), "a contributor is told own photos alone");
        let put = json!({"event_id": id(event), "photo_ids": [id(&own)], "album_id": id(&album.json())});
        assert_eq!(world.post("/api/photos/album", manager, put).await.status, 200);
        let changed = world.patch(&of(event, ""), manager, json!({"name": "Ball", "pin": "471147"})).await;
        assert_eq!(changed.status, 200);
        let changed = changed.json();
        assert_eq!((&changed["role"], &changed["owner_name"]), (&json!("manager"), &json!("Meera Kapoor")));
        is(&world.patch(&of(event, ""), contributor, json!({"name": "Mine"})).await, MANAGERS);
        // The day on which photos go is the owner's to choose, as the deletion.
        for change in
            [json!({"expires_on": Value::Null}), json!({"keep_days": Value::Null}), json!({"keep_days": 90})]
        {
            is(&world.patch(&of(event, ""), manager, change.clone()).await, OWNERS);
            is(&world.patch(&of(event, ""), contributor, change.clone()).await, MANAGERS);
            assert_eq!(world.patch(&of(event, ""), owner, change).await.status, 200);
        }
        for token in [manager, contributor] {
            is(&world.delete(&of(event, ""), token).await, OWNERS);
        }

        // A manager can look the PIN up, and needs none on the page of guests.
        let selfie = photo(&[RED], 9);
        let path = format!("/api/face/search/{}", event["slug"].as_str().unwrap());
        let search = async |token: &str| {
            let fields = [crate::harness::Field::file("image", "selfie.jpg", &selfie)];
            world.form(&path, token, &fields).await.status.as_u16()
        };
        assert_eq!((search(owner).await, search(manager).await), (200, 200));
        assert_eq!((search(contributor).await, search("").await), (403, 403));

        assert_eq!(world.delete(&format!("/api/photos/{}", id(&own)), manager).await.status, 200);
        let all = json!({"event_id": id(event), "all": true});
        is(&world.post("/api/photos/trash/remove", manager, all.clone()).await, OWNERS);
        assert_eq!(world.post("/api/photos/trash/remove", owner, all).await.json()["removed"], 1);
        assert_eq!(world.get("/api/photos/count", manager).await.json()["total_count"], 0, "the owner's");
    });
}

#[test]
fn roles_are_the_owners_to_change_and_managers_remove_contributors() {
    // [TEAM004] [TEAM033]
    on_both_engines(async |world: World| {
        let Team { owner, manager, contributor, event } = team(&world).await;
        let listed = world.get(&of(&event, "/team"), &manager).await.json();
        let members = listed["members"].as_array().unwrap().clone();
        assert_eq!((&members[0]["role"], &members[0]["is_you"]), (&json!("manager"), &json!(true)));
        let one = |n: usize| of(&event, &format!("/members/{}", id(&members[n])));
        is(&world.patch(&one(1), &manager, json!({"role": "manager"})).await, OWNERS);
        is(&world.patch(&one(1), &contributor, json!({"role": "manager"})).await, OWNERS);
        is(&world.delete(&one(1), &contributor).await, MANAGERS);
        is(&world.delete(&one(0), &manager).await, OWNERS);
        is(
            &world.patch(&one(1), &owner, json!({"role": "owner"})).await,
            (400, "Role must be manager or contributor"),
        );
        let unknown = (404, "This person is not in the event's team");
        for member in ["none", id(&event)] {
            let path = of(&event, &format!("/members/{member}"));
            is(&world.patch(&path, &owner, json!({"role": "manager"})).await, unknown);
            is(&world.delete(&path, &owner).await, unknown);
        }
        let made = world.patch(&one(1), &owner, json!({"role": "manager"})).await;
        assert_eq!((made.status.as_u16(), &made.json()["role"]), (200, &json!("manager")));
        assert_eq!(world.get(&of(&event, "/team"), &contributor).await.status, 200);
        is(&world.delete(&one(1), &manager).await, OWNERS);
        assert_eq!(world.patch(&one(1), &owner, json!({"role": "contributor"})).await.status, 200);
        assert_eq!(world.delete(&one(1), &manager).await.status, 204);
        is(&world.get(&of(&event, "/team"), &contributor).await, (404, "Event not found"));
        assert_eq!(world.delete(&one(0), &owner).await.status, 204);
    });
}

#[test]
fn leaving_and_removal_end_all_access_at_once_and_keep_the_photos() {
    // [TEAM012] [TEAM042] [TEAM043]
    on_both_engines(async |world: World| {
        let team = team(&world).await;
        let (own, theirs) = photos(&world, &team).await;
        let Team { owner, manager, contributor, event } = &team;
        let program = crate::api_tokens::make(&world, contributor, "all").await;
        let all = json!({"event_id": id(event), "all": true});
        let mut zips = Vec::new();
        for token in [contributor, manager] {
            let made = world.post("/api/photos/download", token, all.clone()).await.json();
            zips.push(format!("/api/face/download/{}.zip", made["download_token"].as_str().unwrap()));
            assert_eq!(world.get(zips.last().unwrap(), "").await.status, 200);
        }
        is(
            &world.delete(&of(event, "/membership"), owner).await,
            (409, "This event is yours. You can delete it instead."),
        );
        let members = world.get(&of(event, "/team"), owner).await.json()["members"].clone();
        assert_eq!(
            world.delete(&of(event, &format!("/members/{}", id(&members[1]))), owner).await.status,
            204
        );
        assert_eq!(world.delete(&of(event, "/membership"), manager).await.status, 204);
        for token in [contributor, manager, &program] {
            is(&world.delete(&of(event, "/membership"), contributor).await, (404, "Event not found"));
            assert_eq!(world.get("/api/events/", token).await.json(), json!([]));
            let path = format!("/api/photos/search?event_id={}", id(event));
            is(&world.get(&path, token).await, (404, "Event not found"));
            for photo in [&own, &theirs] {
                assert_eq!(world.get(&format!("/api/photos/{}/status", id(photo)), token).await.status, 404);
                assert_eq!(world.delete(&format!("/api/photos/{}", id(photo)), token).await.status, 404);
            }
            is(&world.upload(token, event, "more.jpg", &photo(&[RED], 5)).await, (404, "Event not found"));
        }
        for zip in zips {
            assert_eq!(world.get(&zip, "").await.status, 404, "a ZIP that was made before");
        }
        assert_eq!(names(&world, owner, event, "").await.0, 2);
        // Who has uploaded it is told for as long as the account is there.
        let by = async || {
            let found = world.get(&format!("/api/photos/search?event_id={}", id(event)), owner).await.json();
            found["photos"][0]["uploader"].clone()
        };
        assert_eq!(by().await["name"], "Meera Kapoor");
        let close = axum::http::Request::builder()
            .method("DELETE")
            .uri("/api/auth/me")
            .header("authorization", format!("Bearer {contributor}"))
            .header("content-type", "application/json")
            .body(axum::body::Body::from(json!({"password": crate::harness::PASSWORD}).to_string()))
            .unwrap();
        assert_eq!(world.send(close).await.status, 200);
        world.drain().await;
        assert_eq!(by().await, json!({"id": theirs["uploader"]["id"], "name": null}));
        assert_eq!(names(&world, owner, event, "").await.0, 2, "they are the owner's event's");
    });
}

#[test]
fn teams_end_with_the_event_and_locked_accounts_are_no_members() {
    // [TEAM013] [TEAM016]
    on_both_engines(async |world: World| {
        let team = team(&world).await;
        photos(&world, &team).await;
        let Team { owner, manager, contributor, event } = &team;
        super::invite(&world, owner, event, "new@example.com", "contributor").await;
        let waiting = invited(&world, "new@example.com").await;
        let lock = async |at: &str| {
            let update = format!("UPDATE users SET locked_at = {at} WHERE email_key = 'second@example.com'");
            storage::testing::change(&world.parts.db, &update).await;
        };
        lock("1").await;
        let path = format!("/api/photos/search?event_id={}", id(event));
        is(&world.get(&path, contributor).await, (401, "Please log in to continue."));
        lock("NULL").await;
        assert_eq!(names(&world, contributor, event, "").await.0, 1);

        assert_eq!(world.delete(&of(event, ""), owner).await.status, 202);
        for token in [manager, contributor] {
            assert_eq!(world.get("/api/events/", token).await.json(), json!([]));
            is(&world.get(&of(event, "/team"), token).await, (404, "Event not found"));
        }
        assert_eq!(super::answer(&world, "look", "", &waiting).await.status, 404);
        world.drain().await;
        let left = async || {
            let count = async |table| storage::testing::count(&world.parts.db, table).await;
            (count("event_members").await, count("event_invitations").await)
        };
        assert_eq!(world.post(&of(event, "/purge"), owner, json!({})).await.status, 204);
        world.drain().await;
        assert_eq!(left().await, (0, 0));

        // And with their owner's account.
        let second = world.event(owner, "Second party").await;
        super::join(&world, owner, &second, "third@example.com", "manager").await;
        super::invite(&world, owner, &second, "new@example.com", "contributor").await;
        assert_eq!(left().await, (1, 1));
        // Not the last administrator.
        storage::testing::change(&world.parts.db, "UPDATE users SET is_admin = TRUE").await;
        let close = axum::http::Request::delete("/api/auth/me")
            .header("authorization", format!("Bearer {owner}"))
            .header("content-type", "application/json")
            .body(axum::body::Body::from(json!({"password": crate::harness::PASSWORD}).to_string()));
        let closed = world.send(close.unwrap()).await;
        assert_eq!(closed.status, 200, "{}", String::from_utf8_lossy(&closed.bytes));
        world.drain().await;
        assert_eq!(left().await, (0, 0));
    });
}

#[test]
fn an_export_names_the_teams_that_an_account_is_in() {
    // [TEAM014]
    on_both_engines(async |world: World| {
        let team = team(&world).await;
        photos(&world, &team).await;
        let path = crate::exports::export(&world, &team.contributor).await;
        let (files, data) = crate::exports::unpacked(&world.get(&path, "").await);
        assert!(files.is_empty(), "the photos are the owner's");
        assert_eq!(
            data["memberships"],
            json!([{"event": id(&team.event), "event_name": "Party", "owner_name": "Meera Kapoor",
                "role": "contributor", "since": "2026-11-20T09:00:01.000Z"}])
        );
        let path = crate::exports::export(&world, &team.owner).await;
        let (files, data) = crate::exports::unpacked(&world.get(&path, "").await);
        assert_eq!((files.len(), &data["memberships"]), (2, &json!([])));
        let by_members: Vec<&Value> = data["events"][0]["photos"]
            .as_array()
            .unwrap()
            .iter()
            .map(|photo| &photo["uploaded_by_a_member"])
            .collect();
        assert_eq!(by_members, [false, true]);
    });
}
