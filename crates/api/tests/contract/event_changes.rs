//! Changing events.

use axum::body::Body;
use axum::http::Request;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use domain::DAY;
use domain::events::keeping::Keeping;
use serde_json::{Value, json};

use crate::harness::{Answer, GREEN, RED, World, on_both_engines, photo};

struct Party {
    token: String,
    id: String,
    slug: String,
}

impl Party {
    async fn new(world: &World) -> Self {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let text = |name: &str| event[name].as_str().unwrap().to_owned();
        Self { id: text("id"), slug: text("slug"), token }
    }

    async fn change(&self, world: &World, body: Value) -> Answer {
        world.patch(&format!("/api/events/{}", self.id), &self.token, body).await
    }

    async fn changed(&self, world: &World, body: Value) -> Value {
        let answer = self.change(world, body).await;
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
        let mut changed = answer.json();
        // Photographers alone are told whose it is.
        let fields = changed.as_object_mut().unwrap();
        assert_eq!(
            [fields.remove("role"), fields.remove("owner_name")],
            [Some(json!("owner")), Some(Value::Null)]
        );
        changed
    }

    /// What guests get of the event itself.
    async fn public(&self, world: &World) -> Value {
        let mut shown = world.get(&format!("/api/events/{}", self.slug), "").await.json();
        assert_eq!(shown.as_object_mut().unwrap().remove("studio"), Some(Value::Null));
        shown
    }

    async fn page(&self, world: &World) -> Answer {
        world.get(&format!("/event/{}", self.slug), "").await
    }

    async fn upload(&self, world: &World, name: &str, color: [u8; 3], seed: u8) -> String {
        let event = json!({"id": self.id});
        let uploaded = world.upload(&self.token, &event, name, &photo(&[color], seed)).await;
        world.drain().await;
        uploaded.json()["id"].as_str().unwrap().to_owned()
    }
}

fn text(answer: &Answer) -> String {
    String::from_utf8(answer.bytes.to_vec()).unwrap()
}

#[test]
fn a_change_leaves_the_rest_and_the_public_page_follows_at_once() {
    on_both_engines(async |world: World| {
        let party = Party::new(&world).await;
        let (before, page) = (party.public(&world).await, party.page(&world).await);
        assert_eq!(party.changed(&world, json!({})).await, before);

        let changes = json!({"name": "Asha & Vikram", "date": "2026-11-15", "description": " In the garden ",
            "time_zone": "asia/kolkata"});
        let changed = party.changed(&world, changes).await;
        let mut expected = before.clone();
        for (field, value) in [
            ("name", "Asha & Vikram"),
            ("date", "2026-11-15"),
            ("description", "In the garden"),
            ("time_zone", "Asia/Kolkata"),
            ("latest_expires_on", "2026-12-15"),
            // The day begins there five and a half hours earlier.
            ("expires_at", "2026-12-14T18:30:00.000Z"),
        ] {
            expected[field] = json!(value);
        }
        assert_eq!(changed, expected);
        assert_eq!(party.public(&world).await, changed);
        let renamed = party.page(&world).await;
        assert!(text(&page).contains("<title>Party · Afterglow</title>"));
        assert!(
            text(&renamed).contains("<title>Asha &#38; Vikram · Afterglow</title>"),
            "{}",
            text(&renamed)
        );
        assert!(text(&renamed).contains("In the garden") && renamed.header("etag") != page.header("etag"));
        let manifest = world.get(&format!("/event/{}/manifest.webmanifest", party.slug), "").await.json();
        assert_eq!(manifest["name"], "Asha & Vikram");

        assert_eq!(party.changed(&world, json!({"description": null})).await["description"], Value::Null);
        let both = json!({"keeps_metadata": true, "tells_guests": false});
        let both = party.changed(&world, both).await;
        assert_eq!((&both["keeps_metadata"], &both["tells_guests"]), (&json!(true), &json!("off")));
        assert_eq!(both["name"], "Asha & Vikram");
    });
}

#[test]
fn a_message_to_guests_is_kept_for_the_event_and_shown_to_its_team_alone() {
    // [EVT190] The link is none of it: it follows where the message is sent.
    on_both_engines(async |world: World| {
        let party = Party::new(&world).await;
        assert!(party.changed(&world, json!({})).await.get("invitation").is_none());
        let message = json!({"language": "hi", "text": " आइए!\n\nअपनी तस्वीरें पाइए "});
        let kept = json!({"language": "hi", "text": "आइए!\n\nअपनी तस्वीरें पाइए"});
        assert_eq!(party.changed(&world, json!({"invitation": message})).await["invitation"], kept);
        let listed = world.get("/api/events/", &party.token).await.json();
        assert_eq!(listed[0]["invitation"], kept);
        assert!(party.public(&world).await.get("invitation").is_none());
        assert!(!text(&party.page(&world).await).contains("अपनी तस्वीरें पाइए"));
        // What is sent in a language that nobody knows is sent all the same.
        let odd = json!({"invitation": {"language": "no language", "text": "Come"}});
        let odd = party.changed(&world, odd).await;
        assert_eq!(odd["invitation"], json!({"language": "en", "text": "Come"}));
        for usual in [Value::Null, json!({"language": "en", "text": " "})] {
            party.changed(&world, json!({"invitation": kept})).await;
            let changed = party.changed(&world, json!({"invitation": usual})).await;
            assert!(changed.get("invitation").is_none(), "{changed}");
        }
    });
}

#[test]
fn a_bad_change_is_refused_and_changes_nothing() {
    // [EVT125]
    on_both_engines(async |world: World| {
        let party = Party::new(&world).await;
        let before = party.public(&world).await;
        for (body, refusal) in [
            (json!({"name": " "}), "Event name is required"),
            (json!({"name": "n".repeat(201)}), "Event name must be at most 200 characters long"),
            (json!({"date": ""}), "Event date is required"),
            (json!({"date": "14/11/2026"}), "Event date must be a calendar date in the form YYYY-MM-DD"),
            (
                json!({"date": "0026-11-14"}),
                "Event date must be between the year 2000 and five years from now",
            ),
            (
                json!({"description": "n".repeat(2_001)}),
                "Event description must be at most 2,000 characters long",
            ),
            (json!({"time_zone": "Mars/Olympus"}), "Event time zone must be a name such as Asia/Kolkata"),
            (
                json!({"expires_on": "soon"}),
                "The day of removal must be a calendar date in the form YYYY-MM-DD",
            ),
            (
                json!({"expires_on": "2026-11-27"}),
                "Please choose a day at least 8 days ahead: a mail warns you a week before photos are removed",
            ),
            (
                json!({"invitation": {"language": "en", "text": "n".repeat(1_001)}}),
                "The message must be at most 1,000 characters long",
            ),
            (
                json!({"expires_on": "2026-12-15"}),
                "Photos are not kept here until that day. Please choose an earlier one.",
            ),
        ] {
            // What is well in the same change is not taken either.
            let mut body = body;
            body["keeps_metadata"] = json!(true);
            assert_eq!(party.change(&world, body).await.error(), (400, refusal.to_owned()));
        }
        assert_eq!(party.public(&world).await, before);

        let path = format!("/api/events/{}", party.id);
        let ravi = world.photographer("ravi@example.com").await;
        let renamed = json!({"name": "Mine"});
        let refused = world.patch(&path, &ravi, renamed.clone()).await;
        assert_eq!(refused.error(), (404, String::from("Event not found")));
        assert_eq!(world.patch(&path, "", renamed.clone()).await.status, 401);
        let by_slug =
            world.patch(&format!("/api/events/{}", party.slug), &party.token, renamed.clone()).await;
        assert_eq!(by_slug.error().0, 404);
        party.upload(&world, "a.jpg", RED, 0).await;
        assert_eq!(world.delete(&path, &party.token).await.status, 202);
        let refused = party.change(&world, renamed).await;
        assert_eq!(refused.error(), (409, String::from("This event is being deleted")));
    });
}

#[test]
fn a_photo_becomes_the_cover_for_as_long_as_all_guests_may_see_it() {
    // [EVT095]
    on_both_engines(async |world: World| {
        let party = Party::new(&world).await;
        let sky = world.get(&format!("/covers/{}.jpg", party.slug), "").await;
        let chosen = party.upload(&world, "a.jpg", RED, 0).await;
        let other = world.event(&party.token, "Other").await;
        let elsewhere = world.upload(&party.token, &other, "b.jpg", &photo(&[GREEN], 0)).await.json();
        for unfit in [json!("nonsense"), elsewhere["id"].clone()] {
            let refused = party.change(&world, json!({"cover_photo_id": unfit})).await;
            let text = "The cover must be a searchable photo of this event that no guest has asked to hide";
            assert_eq!(refused.error(), (422, String::from(text)));
        }

        let shown = party.changed(&world, json!({"cover_photo_id": chosen})).await;
        let link = shown["cover_url"].as_str().unwrap();
        let picture = world.get(link, "").await;
        assert_eq!((picture.status.as_u16(), picture.header("content-type")), (200, "image/jpeg"));
        assert_eq!(party.public(&world).await["cover_url"], link);
        // Link previews show it too, at an address of its own.
        let preview = format!("http://localhost:8080/covers/{}.jpg?photo={chosen}", party.slug);
        let page = text(&party.page(&world).await);
        assert!(page.contains(&format!("<meta property=\"og:image\" content=\"{preview}\" />")), "{page}");
        assert!(page.contains("content=\"A photo of the event\""), "{page}");
        assert!(page.contains("<meta property=\"og:image:width\" content=\"1200\" />"), "{page}");
        let own = link.strip_prefix("http://localhost:8080").unwrap().replace('&', "&#38;");
        assert!(page.contains(&format!("<link rel=\"preload\" as=\"image\" href=\"{own}\"")), "{page}");
        let jpeg = world.get(&preview, "").await;
        assert_eq!(jpeg.header("content-type"), "image/jpeg");
        assert!(jpeg.bytes != sky.bytes && jpeg.header("etag") != sky.header("etag"));
        assert!(world.get(&preview, "").await.bytes == jpeg.bytes);

        // Another change leaves it; a photo that is deleted is no cover any more.
        let renamed = party.changed(&world, json!({"name": "Ball"})).await;
        assert_eq!(renamed["cover_url"], link);
        assert_eq!(party.changed(&world, json!({"cover_photo_id": null})).await["cover_url"], Value::Null);
        party.changed(&world, json!({"cover_photo_id": chosen})).await;
        assert_eq!(world.delete(&format!("/api/photos/{chosen}"), &party.token).await.status, 200);
        assert_eq!(party.public(&world).await["cover_url"], Value::Null);
        assert!(world.get(&format!("/covers/{}.jpg", party.slug), "").await.bytes == sky.bytes);
    });
}

#[test]
fn photos_go_on_the_chosen_day_after_a_warning_and_a_late_upload_stays_for_a_week() {
    // [EVT094] [EVT127]
    on_both_engines(async |world: World| {
        let party = Party::new(&world).await;
        party.upload(&world, "a.jpg", RED, 0).await;
        let chosen = json!({"expires_on": "2026-12-02", "time_zone": "Asia/Kolkata"});
        let shown = party.changed(&world, chosen).await;
        assert_eq!(shown["expires_on"], "2026-12-02");
        assert_eq!(shown["expires_at"], "2026-12-01T18:30:00.000Z");
        let mails = || {
            let sent = world.mails.sent().into_iter().map(|sent| sent.mail);
            sent.filter(|mail| mail.subject == "Photos of your event will be removed soon")
                .collect::<Vec<_>>()
        };
        let day = async || {
            world.clock.advance(DAY);
            app::operations::maintenance::all(&world.app).await.unwrap();
            world.drain().await;
        };
        // It is 20 November, 9:00.
        for _ in 0..4 {
            day().await;
        }
        assert_eq!(mails().len(), 0);
        day().await;
        let warning = mails().pop().unwrap().text;
        assert!(warning.contains("(1 now) will be removed on 2 December 2026"), "{warning}");
        assert!(warning.contains("You have chosen the day of the removal."), "{warning}");
        // On 30 November, in a week at the earliest.
        for _ in 0..5 {
            day().await;
        }
        party.upload(&world, "b.jpg", GREEN, 0).await;
        let shown = party.public(&world).await;
        assert_eq!(shown["expires_at"], "2026-12-07T09:00:00.000Z");
        day().await;
        assert_eq!(mails().len(), 2);
        for _ in 0..6 {
            day().await;
            assert_eq!(world.stored_files().await.len(), 8);
        }
        day().await;
        assert_eq!((world.stored_files().await.len(), mails().len()), (0, 2));
        assert_eq!(party.public(&world).await["name"], "Party");
    });
}

#[test]
fn a_chosen_day_counts_where_photos_are_kept_for_ever() {
    // [EVT126]
    on_both_engines(async |world: World| {
        let world =
            World::with_settings(world.parts.db.clone(), |settings| settings.keeping = Keeping::fixed(0))
                .await;
        let party = Party::new(&world).await;
        party.upload(&world, "a.jpg", RED, 0).await;
        let other = world.event(&party.token, "Other").await;
        world.upload(&party.token, &other, "b.jpg", &photo(&[GREEN], 0)).await;
        world.drain().await;
        let shown = party.changed(&world, json!({"expires_on": "2028-01-01"})).await;
        assert_eq!(
            (&shown["expires_at"], &shown["latest_expires_on"]),
            (&json!("2028-01-01T00:00:00.000Z"), &Value::Null)
        );
        for days in [300, 100, 8] {
            world.clock.advance(DAY * days);
            app::operations::maintenance::all(&world.app).await.unwrap();
            world.drain().await;
        }
        assert_eq!(world.stored_files().await.len(), 4, "those of the other event");
        assert_eq!(party.public(&world).await["photos_indexed"], 0);
    });
}

#[test]
fn an_event_that_is_closed_to_uploads_takes_no_new_photo_and_keeps_the_others() {
    // Neither whole nor in pieces; the same bytes as before are answered as before.
    on_both_engines(async |world: World| {
        let party = Party::new(&world).await;
        let event = json!({"id": party.id});
        party.upload(&world, "a.jpg", RED, 0).await;
        assert_eq!(party.changed(&world, json!({"uploads_closed": true})).await["uploads_closed"], true);
        let credits =
            async || world.get("/api/subscription/credits", &party.token).await.json()["credits"].clone();
        let before = credits().await;
        let closed = (
            409,
            String::from("This event is closed to uploads. You can open it again on its card in Events."),
        );
        let refused = world.upload(&party.token, &event, "b.jpg", &photo(&[GREEN], 0)).await;
        assert_eq!(refused.error(), closed);
        let create = |filename: &str| {
            let metadata = [("event_id", party.id.as_str()), ("filename", filename)]
                .map(|(name, value)| format!("{name} {}", BASE64.encode(value)));
            Request::post("/api/photos/uploads")
                .header("authorization", format!("Bearer {}", party.token))
                .header("tus-resumable", "1.0.0")
                .header("upload-length", "1000")
                .header("upload-metadata", metadata.join(","))
                .body(Body::empty())
                .unwrap()
        };
        assert_eq!(world.send(create("b.jpg")).await.error(), closed);
        // What is there already is answered as before, and found.
        let again = world.upload(&party.token, &event, "a.jpg", &photo(&[RED], 0)).await;
        assert_eq!((again.status.as_u16(), &again.json()["duplicate"]), (200, &json!(true)));
        let found = world.search(&json!({"slug": party.slug}), &photo(&[RED], 9)).await.json();
        assert_eq!(found["matches"].as_array().unwrap().len(), 1);
        assert_eq!(credits().await, before);
        party.changed(&world, json!({"uploads_closed": false})).await;
        assert_eq!(world.send(create("b.jpg")).await.status, 201);
        assert_eq!(world.upload(&party.token, &event, "b.jpg", &photo(&[GREEN], 0)).await.status, 201);
    });
}
