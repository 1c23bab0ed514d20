//! Photos that members upload: whose they are, who pays, and when they are refused.

use serde_json::{Value, json};

use super::{OWNER, Team, id, of, team};
use crate::harness::{Field, GREEN, RED, World, on_both_engines, photo};
use crate::resumable_uploads::{append, begun};

async fn credits(world: &World, token: &str) -> Value {
    world.get("/api/subscription/credits", token).await.json()["credits"].clone()
}

async fn replace(world: &World, token: &str, event: &Value, name: &str, bytes: &[u8]) -> Value {
    let fields = [
        Field::file("photos", name, bytes),
        Field::text("event_id", id(event)),
        Field::text("replace", "true"),
    ];
    world.form("/api/photos/upload", token, &fields).await.json()
}

#[test]
fn the_owner_pays_for_members_photos() {
    // [TEAM009] [TEAM010]
    on_both_engines(async |world: World| {
        let Team { owner, manager, contributor, event } = team(&world).await;
        for (n, token) in (0_u8..).zip([&owner, &manager, &contributor]) {
            assert_eq!(world.upload(token, &event, "a.jpg", &photo(&[RED], n)).await.status, 201);
        }
        // In pieces too, and by a program with a token for uploads.
        let program = crate::api_tokens::make(&world, &contributor, "upload").await;
        let bytes = photo(&[GREEN], 0);
        let upload = begun(&world, &program, &event, &bytes).await;
        assert_eq!(append(&world, &upload, &program, 0, &bytes).await.status, 204);
        assert_eq!(credits(&world, &owner).await, json!(96.0));
        for token in [&manager, &contributor] {
            assert_eq!(credits(&world, token).await, json!(100.0));
        }
        world.drain().await;
        assert_eq!(world.get("/api/photos/count", &owner).await.json()["total_count"], 4);
        let listed = world.get(&of(&event, "/team"), &owner).await.json();
        assert_eq!(listed["owner"]["photos"], 1);
        let photos: Vec<&Value> =
            listed["members"].as_array().unwrap().iter().map(|member| &member["photos"]).collect();
        assert_eq!(photos, [1, 2]);
        let issues = app::operations::checks::inspect(&world.operator(), &world.parts.store).await.unwrap();
        assert!(issues.is_empty(), "{issues:?}");

        // The balance that counts is the owner's.
        app::operations::operators::grant(&world.operator(), OWNER, -96.0, Some("spent")).await.unwrap();
        let refused = world.upload(&contributor, &event, "b.jpg", &photo(&[GREEN], 1)).await;
        let text = "The photographer of this event has no credits left, and photos of it are paid with their credits. Please tell them.";
        assert_eq!(refused.error(), (402, text.to_owned()));
        let own = world.upload(&owner, &event, "b.jpg", &photo(&[GREEN], 1)).await;
        assert_eq!(own.json()["code"], "insufficient_credits");
        app::operations::operators::grant(&world.operator(), OWNER, 1.0, None).await.unwrap();
        let lock = "UPDATE users SET locked_at = 1 WHERE email_key = 'meera@example.com'";
        storage::testing::change(&world.parts.db, lock).await;
        let refused = world.upload(&contributor, &event, "b.jpg", &photo(&[GREEN], 1)).await;
        let text = "The account of the photographer whose event this is is locked. No photos can be added.";
        assert_eq!(refused.error(), (403, text.to_owned()));
    });
}

#[test]
fn members_upload_while_the_event_takes_photos() {
    // [TEAM039]
    on_both_engines(async |world: World| {
        let Team { owner, manager, contributor, event } = team(&world).await;
        assert_eq!(world.patch(&of(&event, ""), &owner, json!({"uploads_closed": true})).await.status, 200);
        let refused = world.upload(&contributor, &event, "a.jpg", &photo(&[RED], 0)).await;
        let text = "This event is closed to uploads. Ask its photographer to open it again.";
        assert_eq!(refused.error(), (409, text.to_owned()));
        let refused = world.upload(&manager, &event, "a.jpg", &photo(&[RED], 0)).await;
        assert_eq!(refused.json()["code"], "event_uploads_closed");
    });
}

#[test]
fn a_contributor_with_a_former_version_of_anothers_photo_learns_nothing_of_the_one_of_today() {
    // [TEAM011]
    on_both_engines(async |world: World| {
        let Team { owner, contributor, event, .. } = team(&world).await;
        let (first, edited) = (photo(&[RED], 0), photo(&[RED, GREEN], 1));
        let uploaded = world.upload(&owner, &event, "bride.jpg", &first).await.json();
        assert_eq!(replace(&world, &owner, &event, "bride.jpg", &edited).await["replaced"], true);
        world.drain().await;
        let own = world.upload(&owner, &event, "bride.jpg", &first).await.json();
        assert_eq!((&own["duplicate"], &own["faces"]), (&json!(true), &json!(2)));

        let sent = world.upload(&contributor, &event, "mine.jpg", &first).await;
        assert_eq!(sent.status, 200);
        let sent = sent.json();
        assert_eq!((&sent["duplicate"], &sent["id"]), (&json!(true), &uploaded["id"]));
        assert_eq!(
            (&sent["original_filename"], &sent["size_bytes"]),
            (&json!("mine.jpg"), &json!(first.len()))
        );
        for field in
            ["medium_url", "thumbnail_url", "early_url", "average_color", "captured_at", "camera", "uploader"]
        {
            assert_eq!(sent[field], Value::Null, "{field}");
        }
        assert_eq!((&sent["url"], &sent["faces"], &sent["width"]), (&json!(""), &json!(0), &json!(0)));
        assert_eq!(credits(&world, &owner).await, json!(99.0));
    });
}

#[test]
fn a_contributor_learns_nothing_of_others_photos_by_uploading() {
    // [TEAM011] [TEAM040] [TEAM041]
    on_both_engines(async |world: World| {
        let Team { owner, manager, contributor, event } = team(&world).await;
        let bytes = photo(&[RED], 0);
        let first = world.upload(&owner, &event, "bride.jpg", &bytes).await.json();
        // The same bytes are there: nothing is charged, and the answer has the name that was sent.
        let again = world.upload(&contributor, &event, "mine.jpg", &bytes).await;
        assert_eq!(again.status, 200);
        let again = again.json();
        assert_eq!((&again["duplicate"], &again["id"]), (&json!(true), &first["id"]));
        assert_eq!(
            (&again["filename"], &again["original_filename"]),
            (&json!("mine.jpg"), &json!("mine.jpg"))
        );
        assert_eq!(credits(&world, &owner).await, json!(99.0));
        assert_eq!((&again["url"], &again["thumbnail_url"]), (&json!(""), &Value::Null));
        // It is not theirs by that.
        assert_eq!(world.get(&format!("/api/photos/{}/status", id(&first)), &contributor).await.status, 404);

        // Nor is it replaced by one of the same name.
        let replaced = replace(&world, &contributor, &event, "bride.jpg", &photo(&[GREEN], 0)).await;
        assert_eq!(replaced["replaced"], false);
        assert_ne!(replaced["id"], first["id"]);
        let edited = replace(&world, &contributor, &event, "bride.jpg", &photo(&[GREEN], 1)).await;
        assert_eq!((&edited["replaced"], &edited["id"]), (&json!(true), &replaced["id"]));
        let question = json!({"event_id": id(&event), "names": ["bride.png"]});
        let told = async |token: &str| {
            world.post("/api/photos/versions", token, question.clone()).await.json()["versions"].clone()
        };
        assert_eq!(told(&contributor).await[0]["photo_id"], replaced["id"], "of others' they learn nothing");
        assert_eq!(told(&manager).await, json!([]), "two have the name");
        let ambiguous = replace(&world, &manager, &event, "bride.jpg", &photo(&[GREEN], 2)).await;
        assert_eq!(ambiguous["code"], "photo_name_ambiguous");

        // What somebody else has deleted is not restored by an upload: another photo is taken in.
        assert_eq!(world.delete(&format!("/api/photos/{}", id(&first)), &manager).await.status, 200);
        let taken = world.upload(&contributor, &event, "mine.jpg", &bytes).await;
        assert_eq!(taken.status, 201);
        assert_ne!(taken.json()["id"], first["id"]);
    });
}

#[test]
fn an_upload_in_pieces_ends_with_the_membership() {
    // [TEAM012]
    on_both_engines(async |world: World| {
        let Team { owner, contributor, event, .. } = team(&world).await;
        let bytes = photo(&[RED], 0);
        let upload = begun(&world, &contributor, &event, &bytes).await;
        assert_eq!(append(&world, &upload, &contributor, 0, &bytes[..100]).await.status, 204);
        let members = world.get(&of(&event, "/team"), &owner).await.json()["members"].clone();
        assert_eq!(
            world.delete(&of(&event, &format!("/members/{}", id(&members[1]))), &owner).await.status,
            204
        );
        let refused = append(&world, &upload, &contributor, 100, &bytes[100..200]).await;
        assert_eq!(refused.error(), (404, String::from("Event not found")));
        let refused = append(&world, &upload, &contributor, 100, &bytes[100..]).await;
        assert_eq!(refused.error(), (404, String::from("Event not found")));
        assert_eq!(world.get("/api/photos/count", &owner).await.json()["total_count"], 0);
    });
}
