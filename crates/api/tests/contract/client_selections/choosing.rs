//! What a client does at the address of a selection.

use std::sync::Arc;
use std::time::Duration;

use app::operations::runtime::limits::LimitSettings;
use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use super::{conflict, make};
use crate::downloads::{Party, party};
use crate::harness::{BLUE, Field, GREEN, World, on_both_engines, photo};

const DONE: &str = "You have finished choosing. To change something, ask your photographer to reopen it.";
const OVER: &str = "The last day for choosing has passed. Please ask your photographer for more time.";
const FULL: &str = "You have chosen as many photos as you can. Take one back to choose another.";

#[test]
fn a_client_chooses_photos_and_says_something_of_them() {
    // [EVT193] [EVT194]
    on_both_engines(async |world: World| {
        let Party { token, event, .. } = party(&world).await;
        crate::watermarks::open_studio(&world, &token).await;
        let wanted = json!({"name": "Asha", "photo_limit": 3, "due_on": "2027-01-31"});
        let made = make(&world, &token, &event, wanted).await;
        // An event that shows its guests their own photos alone, and has a PIN, shows a client all the same.
        let settings = format!("/api/events/{}", event["id"].as_str().unwrap());
        assert_eq!(world.patch(&settings, &token, json!({"pin": "471147"})).await.status, 200);
        let page = world.get(&made.path(), "").await.json();
        assert_eq!((&page["event_name"], &page["studio"]["name"]), (&json!("Party"), &json!("Meera")));
        let expected = json!({"name": "Asha", "photo_limit": 3, "due_on": "2027-01-31", "is_over": false,
            "is_done": false, "total": 4, "chosen": 0});
        assert_eq!(page["selection"], expected);

        let photos = made.photos(&world, "").await;
        assert_eq!(photos.len(), 4);
        let mut names: Vec<&str> = photos.iter().map(|photo| photo["filename"].as_str().unwrap()).collect();
        names.sort_unstable();
        assert_eq!(names, ["one.jpg", "other.jpg", "three.png", "two.jpg"]);
        assert!(photos.iter().all(|photo| photo["chosen"] == false && photo["comment"] == ""));
        let first = world.get(&format!("{}/photos?limit=3", made.path()), "").await.json();
        let cursor = first["next_cursor"].as_str().unwrap();
        let rest = world.get(&format!("{}/photos?limit=3&cursor={cursor}", made.path()), "").await.json();
        assert_eq!((rest["photos"].as_array().unwrap().len(), &rest["next_cursor"]), (1, &Value::Null));
        let bad = world.get(&format!("{}/photos?cursor=none", made.path()), "").await;
        assert_eq!(bad.status, 400);

        let ids = made.ids(&world, "").await;
        let marked = made.mark(&world, &ids[1], json!({"chosen": true, "comment": " Crop it "})).await.json();
        assert_eq!(marked, json!({"chosen": true, "comment": "Crop it", "chosen_count": 1}));
        let again = made.mark(&world, &ids[1], json!({"chosen": true})).await.json();
        assert_eq!(again, marked, "what is left out stays, and so does the number");
        let said = made.mark(&world, &ids[0], json!({"comment": "Not this one"})).await.json();
        assert_eq!(said, json!({"chosen": false, "comment": "Not this one", "chosen_count": 1}));
        // Another device with the address sees it.
        let seen = made.photos(&world, "").await;
        assert_eq!((&seen[1]["chosen"], &seen[1]["comment"]), (&json!(true), &json!("Crop it")));
        assert_eq!(made.ids(&world, "?chosen=true").await, [ids[1].clone()]);
        assert_eq!(made.opened(&world).await["chosen"], 1);
        let taken = made.mark(&world, &ids[1], json!({"chosen": false, "comment": ""})).await.json();
        assert_eq!(taken, json!({"chosen": false, "comment": "", "chosen_count": 0}));
        let long = made.mark(&world, &ids[1], json!({"comment": "x".repeat(501)})).await;
        assert_eq!(long.error(), (400, String::from("A comment must be at most 500 characters long")));

        // With the watermark, as guests see it, and by links that expire.
        assert_eq!(crate::watermarks::save(&world, &token, "Meera", "tiled", "false").await.status, 200);
        for photo in made.photos(&world, "").await {
            for link in ["url", "medium_url", "thumbnail_url"] {
                let link = photo[link].as_str().unwrap();
                assert!(link.contains("expires="), "{link}");
            }
            assert!(photo["url"].as_str().unwrap().contains("/marked-"), "{photo}");
            assert!(photo.get("s3_key").is_none(), "nothing leads to the original");
        }
    });
}

#[test]
fn a_client_never_sees_or_marks_what_guests_do_not_see() {
    // [SAFE448]
    on_both_engines(async |world: World| {
        let Party { token, event, matches, .. } = party(&world).await;
        let made = make(&world, &token, &event, json!({"name": "Asha"})).await;
        let all = made.ids(&world, "").await;
        for id in &all {
            made.choose(&world, id).await;
        }
        // Hidden for somebody who is in it, deleted, held, of another event, and not ready.
        crate::objections::hide(&world, &event, GREEN).await;
        let deleted = matches[0]["photo_id"].as_str().unwrap().to_owned();
        assert_eq!(world.delete(&format!("/api/photos/{deleted}"), &token).await.status, 200);
        let answer =
            crate::publication::publication(&world, &token, &event, json!({"publication": "held"})).await;
        assert_eq!(answer.status, 200);
        let held = world.upload(&token, &event, "held.jpg", &photo(&[BLUE], 0)).await.json();
        let other = world.event(&token, "Other").await;
        let elsewhere = world.upload(&token, &other, "b.jpg", &photo(&[BLUE], 1)).await.json();
        world.drain().await;
        let left = made.ids(&world, "").await;
        assert_eq!(left.len(), 2);
        assert!(!left.contains(&deleted));
        assert_eq!(
            (made.opened(&world).await["total"].clone(), made.opened(&world).await["chosen"].clone()),
            (json!(2), json!(2))
        );
        assert_eq!(made.ids(&world, "?chosen=true").await, left);
        let missing = (404, String::from("This photo is no longer here"));
        let unseen = all.iter().filter(|id| !left.contains(id)).cloned().collect::<Vec<_>>();
        assert_eq!(unseen.len(), 2);
        let others = [&held, &elsewhere].map(|photo| photo["id"].as_str().unwrap().to_owned());
        for id in unseen.iter().chain(&others).chain([&String::from("none"), &made.id]) {
            for body in [json!({"chosen": true}), json!({"comment": "?"}), json!({"chosen": false})] {
                assert_eq!(made.mark(&world, id, body).await.error(), missing, "{id}");
            }
        }
    });
}

#[test]
fn the_limit_is_exact_however_many_devices_choose_at_once() {
    // [EVT195]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        for number in 0..8 {
            let bytes = photo(&[BLUE], number);
            assert_eq!(world.upload(&token, &event, &format!("{number}.jpg"), &bytes).await.status, 201);
        }
        world.drain().await;
        let made = make(&world, &token, &event, json!({"name": "Asha", "photo_limit": 3})).await;
        let ids = made.ids(&world, "").await;
        let (world, made) = (Arc::new(world), Arc::new(made));
        let choosing: Vec<_> = ids
            .iter()
            .cloned()
            .map(|id| {
                let (world, made) = (world.clone(), made.clone());
                tokio::spawn(async move { made.mark(&world, &id, json!({"chosen": true})).await })
            })
            .collect();
        let mut chosen = 0;
        for answer in choosing {
            let answer = answer.await.unwrap();
            if answer.status == 200 {
                chosen += 1;
            } else {
                assert_eq!(answer.error(), conflict(FULL));
            }
        }
        assert_eq!((chosen, made.opened(&world).await["chosen"].clone()), (3, json!(3)));
        let chosen = made.ids(&world, "?chosen=true").await;
        let other = ids.iter().find(|id| !chosen.contains(id)).unwrap();
        assert_eq!(made.mark(&world, other, json!({"chosen": true})).await.error(), conflict(FULL));
        assert_eq!(
            made.mark(&world, other, json!({"comment": "Nice"})).await.status,
            200,
            "said, not chosen"
        );
        assert_eq!(
            made.mark(&world, &chosen[0], json!({"chosen": true})).await.status,
            200,
            "chosen already"
        );
        assert_eq!(made.mark(&world, &chosen[0], json!({"chosen": false})).await.status, 200);
        assert_eq!(made.mark(&world, other, json!({"chosen": true})).await.status, 200);
    });
}

#[test]
fn done_tells_the_photographer_once_and_nothing_changes_until_it_is_reopened() {
    // [EVT197] [EVT198] [EVT199] [EVT203] [EVT219]
    on_both_engines(async |world: World| {
        let Party { token, event, .. } = party(&world).await;
        let made = make(&world, &token, &event, json!({"name": "Asha", "photo_limit": 2})).await;
        let ids = made.ids(&world, "").await;
        let empty = conflict("Please choose a photo first");
        assert_eq!(made.finish(&world, "").await.error(), empty);
        made.choose(&world, &ids[0]).await;
        made.choose(&world, &ids[1]).await;
        let lower =
            world.put(&made.of(&event), &token, json!({"name": "Asha", "photo_limit": 1})).await.json();
        assert_eq!(
            (&lower["chosen"], &lower["photo_limit"]),
            (&json!(2), &json!(1)),
            "nothing is taken away"
        );
        let many = conflict("You have chosen more photos than you can. Take some back first.");
        assert_eq!(made.finish(&world, "").await.error(), many);
        assert_eq!(
            world.put(&made.of(&event), &token, json!({"name": "Asha", "photo_limit": 2})).await.status,
            200
        );
        let long = (400, String::from("The message must be at most 1,000 characters long"));
        assert_eq!(made.finish(&world, &"x".repeat(1_001)).await.error(), long);

        let before = world.mails.sent().len();
        assert_eq!(
            made.finish(&world, " The first one large, please. ").await.json(),
            json!({"success": true})
        );
        for repeated in ["The first one large, please.", ""] {
            let answer = made.finish(&world, repeated).await;
            assert_eq!(answer.json(), json!({"success": true}), "it may be repeated");
        }
        // Somebody else's message, who has the address too, is not thrown away as if it were sent.
        assert_eq!(made.finish(&world, "Another one").await.error(), conflict(DONE));
        world.drain().await;
        let sent = world.mails.sent();
        assert_eq!(sent.len(), before + 1);
        let mail = &sent[before].mail;
        assert_eq!(
            (mail.to.as_str(), mail.subject.as_str()),
            ("meera@example.com", "A client has chosen photos")
        );
        for part in [
            "Asha has finished choosing from \"Party\": 2 photos of at most 2. They wrote: \"The first one large, please.\"",
            &format!("/admin/gallery?event={}&selection={}", event["id"].as_str().unwrap(), made.id),
        ] {
            assert!(mail.text.contains(part), "{part} is not in {}", mail.text);
        }
        let opened = made.opened(&world).await;
        assert_eq!((&opened["is_done"], &opened["chosen"]), (&json!(true), &json!(2)));
        for body in [json!({"chosen": false}), json!({"comment": "Wait"})] {
            assert_eq!(made.mark(&world, &ids[0], body).await.error(), conflict(DONE));
        }
        let listed = made.listed(&world, &token, &event).await;
        assert_eq!(
            (&listed["is_new"], &listed["message"]),
            (&json!(true), &json!("The first one large, please."))
        );
        assert_eq!(listed["done_at"], world.app.now().to_rfc3339());
        let seen = world.post(&format!("{}/seen", made.of(&event)), &token, json!({})).await;
        assert_eq!(seen.json(), json!({"success": true}));
        assert_eq!(made.listed(&world, &token, &event).await["is_new"], false);

        let reopened = world.post(&format!("{}/reopen", made.of(&event)), &token, json!({})).await.json();
        assert_eq!((&reopened["done_at"], &reopened["chosen"]), (&Value::Null, &json!(2)));
        assert_eq!(made.opened(&world).await["is_done"], false);
        assert_eq!(made.mark(&world, &ids[0], json!({"chosen": false})).await.status, 200);
        assert_eq!(made.finish(&world, "").await.status, 200);
        assert_eq!(made.listed(&world, &token, &event).await["is_new"], true);
        // Reopened before the mail went out, nobody is told.
        assert_eq!(world.post(&format!("{}/reopen", made.of(&event)), &token, json!({})).await.status, 200);
        world.drain().await;
        assert_eq!(world.mails.sent().len(), before + 1);
    });
}

#[test]
fn a_chosen_photo_counts_only_while_the_client_sees_it() {
    // [EVT218]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        for (name, person) in [("x.jpg", BLUE), ("y.jpg", GREEN)] {
            assert_eq!(world.upload(&token, &event, name, &photo(&[person], 0)).await.status, 201);
        }
        world.drain().await;
        let made = make(&world, &token, &event, json!({"name": "Asha", "photo_limit": 1})).await;
        let photos = made.photos(&world, "").await;
        let id_of = |name: &str| {
            let photo = photos.iter().find(|photo| photo["filename"] == name).unwrap();
            photo["photo_id"].as_str().unwrap().to_owned()
        };
        let (x, y) = (id_of("x.jpg"), id_of("y.jpg"));
        made.choose(&world, &x).await;
        let edited = photo(&[BLUE], 1);
        let fields = [
            Field::text("replace", "true"),
            Field::file("photos", "x.jpg", &edited),
            Field::text("event_id", event["id"].as_str().unwrap()),
        ];
        let replaced = world.form("/api/photos/upload", &token, &fields).await;
        assert_eq!(replaced.json()["replaced"], true);
        // It is not indexed yet.
        assert_eq!(made.opened(&world).await["chosen"], 0);
        assert_eq!(made.finish(&world, "").await.error(), conflict("Please choose a photo first"));
        let marked = made.mark(&world, &y, json!({"chosen": true})).await;
        assert_eq!((marked.status.as_u16(), &marked.json()["chosen_count"]), (200, &json!(1)));

        world.drain().await;
        assert_eq!(made.opened(&world).await["chosen"], 2);
        let many = conflict("You have chosen more photos than you can. Take some back first.");
        assert_eq!(made.finish(&world, "").await.error(), many);
    });
}

#[test]
fn after_the_last_day_nothing_can_be_changed_until_there_is_a_later_one() {
    // [EVT196]
    on_both_engines(async |world: World| {
        let Party { token, event, .. } = party(&world).await;
        let today = domain::events::zones::Zone::parse("Asia/Kolkata").unwrap().date(world.app.now());
        let zone = format!("/api/events/{}", event["id"].as_str().unwrap());
        assert_eq!(world.patch(&zone, &token, json!({"time_zone": "Asia/Kolkata"})).await.status, 200);
        let wanted = json!({"name": "Asha", "due_on": today.to_string()});
        let made = make(&world, &token, &event, wanted.clone()).await;
        let ids = made.ids(&world, "").await;
        made.choose(&world, &ids[0]).await;
        world.clock.advance(Duration::from_secs(24 * 60 * 60));
        assert_eq!(made.opened(&world).await["is_over"], true);
        assert_eq!(made.ids(&world, "").await, ids, "the photos are still there to look at");
        assert_eq!(made.mark(&world, &ids[0], json!({"chosen": false})).await.error(), conflict(OVER));
        assert_eq!(made.finish(&world, "").await.error(), conflict(OVER));
        // The name is changed, and the past day stays; then there is another one.
        assert_eq!(world.put(&made.of(&event), &token, wanted).await.status, 200);
        let later = today.tomorrow().unwrap().to_string();
        let more = json!({"name": "Asha", "due_on": later});
        assert_eq!(world.put(&made.of(&event), &token, more).await.status, 200);
        assert_eq!(made.mark(&world, &ids[0], json!({"chosen": false})).await.status, 200);
    });
}

#[test]
fn photos_are_shown_and_chosen_with_the_pin_alone_where_there_is_one() {
    // [SAFE450]
    on_both_engines(async |world: World| {
        let Party { token, event, .. } = party(&world).await;
        let made = make(&world, &token, &event, json!({"name": "Asha", "pin": "471147"})).await;
        let page = world.get(&made.path(), "").await.json();
        assert_eq!((&page["event_name"], &page["selection"]), (&json!("Party"), &Value::Null));
        let with = async |method: &str, path: &str, proof: &str, body: Value| {
            let request =
                Request::builder().method(method).uri(path).header("content-type", "application/json");
            let request = request.header("event-access", proof);
            world.send(request.body(Body::from(body.to_string())).unwrap()).await
        };
        let (photos, done) = (format!("{}/photos", made.path()), format!("{}/done", made.path()));
        let refused = (403, String::from("Please enter the PIN that your photographer gave you."));
        let all = world
            .get(&format!("/api/photos/search?event_id={}", event["id"].as_str().unwrap()), &token)
            .await;
        let one = format!("{photos}/{}", all.json()["photos"][0]["id"].as_str().unwrap());
        for proof in ["", "made-up"] {
            assert_eq!(with("GET", &photos, proof, Value::Null).await.error(), refused);
            assert_eq!(with("PUT", &one, proof, json!({"chosen": true})).await.error(), refused);
            assert_eq!(with("POST", &done, proof, json!({})).await.error(), refused);
        }
        let access = format!("{}/access", made.path());
        let wrong = (403, String::from("This is not the PIN. Please check it and try again."));
        for pin in ["471148", "", "four"] {
            assert_eq!(world.post(&access, "", json!({"pin": pin})).await.error(), wrong);
        }
        let entered = world.post(&access, "", json!({"pin": "47 11 47"})).await.json();
        let proof = entered["access_token"].as_str().unwrap().to_owned();
        assert_eq!(with("GET", &photos, &proof, Value::Null).await.status, 200);
        assert_eq!(with("PUT", &one, &proof, json!({"chosen": true})).await.status, 200);
        assert_eq!(with("GET", &made.path(), &proof, Value::Null).await.json()["selection"]["chosen"], 1);
        assert_eq!(world.get(&photos, &token).await.status, 200, "who manages the event needs none");
        // The proof is of this selection and this PIN.
        let other = make(&world, &token, &event, json!({"name": "Ravi", "pin": "471147"})).await;
        assert_eq!(
            with("GET", &format!("{}/photos", other.path()), &proof, Value::Null).await.error(),
            refused
        );
        let changed = json!({"name": "Asha", "pin": "998877"});
        assert_eq!(world.put(&made.of(&event), &token, changed).await.status, 200);
        assert_eq!(with("GET", &photos, &proof, Value::Null).await.error(), refused);
        let none = make(&world, &token, &event, json!({"name": "Ravi"})).await;
        let open = world.post(&format!("{}/access", none.path()), "", json!({"pin": "471147"})).await;
        assert_eq!(open.json(), json!({"access_token": null}));
    });
}

#[test]
fn wrong_pins_and_calls_of_one_address_are_limited() {
    // [SAFE450] [SAFE452]
    on_both_engines(async |world: World| {
        let limits = LimitSettings { pins: 3, results: 5, ..LimitSettings::OFF };
        let world = World::limited(world.parts.db.clone(), limits, "").await;
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let made = make(&world, &token, &event, json!({"name": "Asha", "pin": "471147"})).await;
        let access = format!("{}/access", made.path());
        for _ in 0..3 {
            assert_eq!(world.post(&access, "", json!({"pin": "000000"})).await.status, 403);
        }
        assert_eq!(world.post(&access, "", json!({"pin": "471147"})).await.status, 429);
        let open = make(&world, &token, &event, json!({"name": "Ravi"})).await;
        let mut statuses = Vec::new();
        for _ in 0..3 {
            statuses.push(world.get(&open.path(), "").await.status.as_u16());
            statuses.push(world.get(&format!("{}/photos", open.path()), "").await.status.as_u16());
        }
        assert_eq!(statuses, [200, 200, 200, 200, 200, 429]);
    });
}
