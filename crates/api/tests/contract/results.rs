//! What guests do with results: POST /api/face/download, /api/face/results, /api/face/not-me

use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use gateway::MailError;
use serde_json::{Value, json};

use crate::downloads::{GONE, files, party};
use crate::harness::{Answer, BLUE, GREEN, RED, World, on_both_engines, photo};

const EXPIRED: &str = "This link has expired. Take a new selfie to find your photos again.";
const HOUR: Duration = Duration::from_secs(60 * 60);

async fn choose(world: &World, tokens: &[&Value], photos: &[&Value]) -> Answer {
    world.post("/api/face/download", "", json!({"tokens": tokens, "photo_ids": photos})).await
}

async fn reopen(world: &World, token: &Value) -> Answer {
    world.post("/api/face/results", "", json!({"token": token})).await
}

/// The answer to a search for one person.
async fn search(world: &World, event: &Value, person: [u8; 3]) -> Value {
    let answer = world.search(event, &photo(&[person], 9)).await;
    assert_eq!(answer.status, 200);
    answer.json()
}

fn ids(found: &Value) -> Vec<&Value> {
    found["matches"].as_array().unwrap().iter().map(|found| &found["photo_id"]).collect()
}

#[test]
fn a_zip_has_exactly_the_photos_that_were_chosen_in_their_order() {
    // [DOWN073] [DOWN035]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let (red, green) =
            (search(&world, &party.event, RED).await, search(&world, &party.event, GREEN).await);
        let (red_token, green_token) = (&red["download_token"], &green["download_token"]);
        let photos = [ids(&green)[0], ids(&red)[2], ids(&red)[0]];
        let answer = choose(&world, &[red_token, green_token], &photos).await;
        assert_eq!(answer.status, 201);
        let token = answer.json()["download_token"].clone();
        let zip = format!("/api/face/download/{}.zip", token.as_str().unwrap());
        let chosen = files(&world.get(&zip, "").await.bytes);
        let ending =
            |place: usize| if red["matches"][place]["filename"] == "three.png" { "png" } else { "jpg" };
        let names: Vec<&str> = chosen.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names,
            ["photo-1.jpg".to_owned(), format!("photo-2.{}", ending(2)), format!("photo-3.{}", ending(0))]
        );
        assert!(chosen[1].1 == party.originals[2] && chosen[2].1 == party.originals[0]);

        // What was chosen can be chosen from again, and be opened again in that order.
        assert_eq!(choose(&world, &[&token], &photos[..1]).await.status, 201);
        assert_eq!(ids(&reopen(&world, &token).await.json()), photos);
    });
}

#[test]
fn only_photos_of_valid_tokens_of_one_event_are_chosen() {
    // [DOWN074] [DOWN094] [DOWN095]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let red = search(&world, &party.event, RED).await;
        let green = search(&world, &party.event, GREEN).await;
        let elsewhere = world.event(&party.token, "Elsewhere").await;
        world.upload(&party.token, &elsewhere, "far.jpg", &photo(&[BLUE], 0)).await;
        world.drain().await;
        let far = search(&world, &elsewhere, BLUE).await;
        let (token, one) = (&red["download_token"], ids(&red)[0]);
        let (unknown, strange) = (json!("unknown"), json!("no id"));
        let gone = (404, String::from(GONE));
        for (tokens, photos) in [
            (vec![&unknown], vec![one]),
            (vec![token, &unknown], vec![one]),
            (vec![token], vec![one, ids(&green)[0]]),
            (vec![token], vec![&strange]),
            (vec![token, &far["download_token"]], vec![one]),
        ] {
            assert_eq!(choose(&world, &tokens, &photos).await.error(), gone, "{tokens:?} {photos:?}");
        }
        let tokens = (400, String::from("Please send between 1 and 64 download tokens"));
        assert_eq!(choose(&world, &[], &[one]).await.error(), tokens);
        assert_eq!(choose(&world, &[token; 65], &[one]).await.error(), tokens);
        assert_eq!(choose(&world, &[token; 64], &[one]).await.status, 201);
        let photos = (400, String::from("Please choose between 1 and 10,000 photos"));
        assert_eq!(choose(&world, &[token], &[]).await.error(), photos);
        assert_eq!(choose(&world, &[token], &vec![one; 10_001]).await.error(), photos);
        let repeated = (400, String::from("Please choose each photo once"));
        assert_eq!(choose(&world, &[token], &vec![one; 10_000]).await.error(), repeated);

        // The chosen are valid as long as the last of the tokens, not longer.
        world.clock.advance(HOUR * 5);
        let later = search(&world, &party.event, RED).await;
        let chosen = choose(&world, &[token], &[one]).await.json()["download_token"].clone();
        let both = choose(&world, &[token, &later["download_token"]], &[one]).await.json();
        world.clock.advance(HOUR);
        let zip = |token: &Value| format!("/api/face/download/{}.zip", token.as_str().unwrap());
        assert_eq!(world.get(&zip(&chosen), "").await.error(), gone);
        assert_eq!(choose(&world, &[token], &[one]).await.error(), gone);
        assert_eq!(world.get(&zip(&both["download_token"]), "").await.status, 200);

        let path = format!("/api/events/{}", party.event["id"].as_str().unwrap());
        assert_eq!(world.delete(&path, &party.token).await.status, 202);
        assert_eq!(choose(&world, &[&later["download_token"]], &[one]).await.error(), gone);
    });
}

#[test]
fn results_are_opened_again_without_the_selfie() {
    // [FACE110] [FACE430] [FACE111]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let found = search(&world, &party.event, RED).await;
        let token = &found["download_token"];
        world.clock.advance(HOUR);
        let again = reopen(&world, token).await;
        assert_eq!(again.status, 200);
        let again = again.json();
        assert_eq!(again["slug"], party.event["slug"]);
        assert_eq!([&again["download_token"], &again["indexing"]], [token, &found["indexing"]]);
        assert_eq!(again["faces"], json!([]));
        assert_eq!(ids(&again), ids(&found));
        for (again, found) in again["matches"].as_array().unwrap().iter().zip(&party.matches) {
            for field in ["s3_key", "photo_id", "width", "height", "filename", "size_bytes", "color", "error"]
            {
                assert_eq!(again[field], found[field], "{field}");
            }
            assert!(again.get("face_id").is_none() && again.get("similarity").is_none());
            for field in ["url", "medium_url", "thumbnail_url"] {
                assert_ne!(again[field], found[field], "the link is fresh");
                assert_eq!(world.get(again[field].as_str().unwrap(), "").await.status, 200);
            }
        }

        // A photo that was deleted since is left out.
        let gone = ids(&found)[1].as_str().unwrap();
        assert_eq!(world.delete(&format!("/api/photos/{gone}"), &party.token).await.status, 200);
        assert_eq!(ids(&reopen(&world, token).await.json()), [ids(&found)[0], ids(&found)[2]]);

        let expired = (404, String::from(EXPIRED));
        assert_eq!(reopen(&world, &json!("unknown")).await.error(), expired);
        world.clock.advance(HOUR * 5);
        let refused = reopen(&world, token).await;
        assert_eq!(refused.json()["code"], "results_expired");
        assert_eq!(refused.error(), expired);
        let later = search(&world, &party.event, RED).await;
        let path = format!("/api/events/{}", party.event["id"].as_str().unwrap());
        assert_eq!(world.delete(&path, &party.token).await.status, 202);
        assert_eq!(reopen(&world, &later["download_token"]).await.error(), expired);
    });
}

#[test]
fn the_same_choice_is_stored_once() {
    // [SAFE481]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let (found, other) =
            (search(&world, &party.event, RED).await, search(&world, &party.event, RED).await);
        let (token, photos) = (&found["download_token"], ids(&found));
        let chosen = async |tokens: &[&Value], photos: &[&Value]| {
            let answer = choose(&world, tokens, photos).await;
            assert_eq!(answer.status, 201);
            answer.json()["download_token"].clone()
        };
        let stored = async || storage::testing::count(&world.parts.db, "downloads").await;
        let before = stored().await;
        let first = chosen(&[token], &photos[..2]).await;
        for _ in 0..4 {
            world.clock.advance(HOUR);
            assert_eq!(chosen(&[token], &photos[..2]).await, first);
        }
        assert_eq!(stored().await, before + 1);
        assert_eq!(ids(&reopen(&world, &first).await.json()), photos[..2]);
        // Other photos, another order and the results of another search are another choice.
        let other = &other["download_token"];
        assert_ne!(chosen(&[token], &photos[1..]).await, first);
        assert_ne!(chosen(&[token], &[photos[1], photos[0]]).await, first);
        assert_ne!(chosen(&[other], &photos[..2]).await, first);
        assert_ne!(chosen(&[token, other], &photos[..2]).await, first);
        assert_eq!(stored().await, before + 5);
    });
}

#[test]
fn a_match_has_the_size_of_its_original_and_its_color() {
    // [FACE112]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        for (found, original) in party.matches.iter().zip(&party.originals) {
            assert_eq!(found["size_bytes"], original.len());
            let color = found["color"].as_str().unwrap();
            assert!(color.len() == 7 && color.starts_with("#e"), "{color} is no red");
        }
    });
}

#[test]
fn a_guest_who_is_not_in_a_photo_reports_it_once() {
    // [FACE115]
    // Results that are opened again leave that photo out.
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let (found, green) =
            (search(&world, &party.event, RED).await, search(&world, &party.event, GREEN).await);
        let token = &found["download_token"];
        let report = async |token: &Value, photo: &Value| {
            world.post("/api/face/not-me", "", json!({"token": token, "photo_id": photo})).await
        };
        let counts = async || {
            let photos = world.get("/api/photos/search", &party.token).await.json()["photos"].clone();
            let count = |id: &Value| {
                let mut photos = photos.as_array().unwrap().iter();
                photos.find(|photo| photo["id"] == *id).unwrap()["not_me_reports"].clone()
            };
            ids(&found).into_iter().map(count).collect::<Vec<_>>()
        };
        assert_eq!(counts().await, [0, 0, 0]);
        for _ in 0..2 {
            let answer = report(token, ids(&found)[1]).await;
            assert_eq!((answer.status.as_u16(), answer.bytes.len()), (204, 0));
        }
        assert_eq!(counts().await, [0, 1, 0], "a second time does not count");
        let other = search(&world, &party.event, RED).await;
        assert_eq!(report(&other["download_token"], ids(&found)[1]).await.status, 204);
        assert_eq!(counts().await, [0, 2, 0]);
        assert_eq!(ids(&reopen(&world, token).await.json()), [ids(&found)[0], ids(&found)[2]]);

        let unknown = (404, String::from("Photo not found"));
        for photo in [ids(&green)[0], &json!("no id")] {
            assert_eq!(report(token, photo).await.error(), unknown, "{photo}");
        }
        assert_eq!(report(&json!("unknown"), ids(&found)[0]).await.error(), (404, String::from(EXPIRED)));
        let gone = ids(&found)[2].as_str().unwrap();
        assert_eq!(world.delete(&format!("/api/photos/{gone}"), &party.token).await.status, 200);
        assert_eq!(report(token, ids(&found)[2]).await.status, 204, "there is nothing to count any more");

        // The reports go with their tokens, the count stays.
        world.clock.advance(HOUR * 6);
        assert_eq!(report(token, ids(&found)[0]).await.error(), (404, String::from(EXPIRED)));
        app::operations::maintenance::all(&world.app).await.unwrap();
        let reported = found["matches"][1]["filename"].as_str().unwrap();
        let photo = world.get(&format!("/api/photos/search?filename={reported}"), &party.token).await.json();
        assert_eq!(photo["photos"][0]["not_me_reports"], 2);
    });
}

#[test]
fn a_report_by_tokens_that_were_chosen_from_each_other_counts_once() {
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let found = search(&world, &party.event, RED).await;
        let (token, photos) = (&found["download_token"], ids(&found));
        let chosen =
            async |tokens: &[&Value]| choose(&world, tokens, &photos).await.json()["download_token"].clone();
        let report = async |token: &Value, photo: &Value| {
            let answer = world.post("/api/face/not-me", "", json!({"token": token, "photo_id": photo})).await;
            assert_eq!(answer.status, 204);
        };
        let counts = async || {
            let photos = world.get("/api/photos/search", &party.token).await.json()["photos"].clone();
            let count = |id: &Value| {
                let mut photos = photos.as_array().unwrap().iter();
                photos.find(|photo| photo["id"] == *id).unwrap()["not_me_reports"].clone()
            };
            ids(&found).into_iter().map(count).collect::<Vec<_>>()
        };
        let one = chosen(&[token]).await;
        let two = chosen(&[token]).await;
        let of_one = chosen(&[&one]).await;
        // First by the search's own, then by what was chosen from it.
        for token in [token, &one, &two, &of_one] {
            report(token, photos[0]).await;
        }
        assert_eq!(counts().await, [1, 0, 0]);
        // First by what was chosen, then by what that was chosen from, and by its sibling.
        for token in [&of_one, token, &one, &two] {
            report(token, photos[1]).await;
        }
        assert_eq!(counts().await, [1, 1, 0]);
        // Another guest's search counts for itself, also when its token is chosen from together with the first.
        let other = search(&world, &party.event, RED).await["download_token"].clone();
        report(&chosen(&[token, &other]).await, photos[2]).await;
        report(&other, photos[2]).await;
        assert_eq!(counts().await, [1, 1, 1]);
        report(&search(&world, &party.event, RED).await["download_token"], photos[2]).await;
        assert_eq!(counts().await, [1, 1, 2]);
    });
}

#[test]
fn the_link_to_results_is_mailed_and_the_address_is_stored_nowhere() {
    // [FACE525]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        world.mails.take();
        let found = search(&world, &party.event, RED).await;
        let token = &found["download_token"];
        let mail = async |email: &str, language: &str| {
            let body = json!({"token": token, "email": email, "language": language});
            world.post("/api/face/results/mail", "", body).await
        };
        for (email, code) in [("", "email_required"), ("nobody", "email_invalid")] {
            assert_eq!(mail(email, "en").await.json()["code"], code);
        }
        let unknown = json!({"token": "made-up", "email": "ravi@example.com"});
        assert_eq!(
            world.post("/api/face/results/mail", "", unknown).await.error(),
            (404, String::from(EXPIRED))
        );

        world.post("/api/face/not-me", "", json!({"token": token, "photo_id": ids(&found)[0]})).await;
        let jobs = storage::testing::count(&world.parts.db, "jobs").await;
        assert_eq!(mail("ravi@example.com", "hi-IN").await.status, 200);
        assert_eq!(storage::testing::count(&world.parts.db, "jobs").await, jobs, "none has the address");
        let sent = world.mails.take().remove(0).mail;
        assert_eq!(sent.to.as_str(), "ravi@example.com");
        assert!(sent.subject.contains("Party") && sent.subject.contains("फ़ोटो"), "{}", sent.subject);
        let mailed = json!(sent.links[0].split_once("#results=").unwrap().1);
        world.clock.advance(29 * 24 * HOUR);
        assert_eq!(reopen(&world, token).await.error(), (404, String::from(EXPIRED)));
        let opened = reopen(&world, &mailed).await.json();
        assert_eq!(ids(&opened), ids(&found)[1..], "as the guest last saw them");
        let again = json!({"token": mailed, "email": "sita@example.com"});
        assert_eq!(world.post("/api/face/results/mail", "", again).await.status, 200);
        let passed_on = world.mails.take().remove(0).mail;
        let passed_on = json!(passed_on.links[0].split_once("#results=").unwrap().1);
        assert_eq!(reopen(&world, &passed_on).await.status, 200);
        // Choosing among them, which makes another token, gives it no more time either.
        let some = json!({"tokens": [mailed], "photo_ids": [ids(&opened)[0]]});
        let some = world.post("/api/face/download", "", some).await.json();
        let again = json!({"token": some["download_token"], "email": "sita@example.com"});
        assert_eq!(world.post("/api/face/results/mail", "", again).await.status, 200);
        let chosen = world.mails.take().remove(0).mail;
        let chosen = json!(chosen.links[0].split_once("#results=").unwrap().1);
        assert_eq!(reopen(&world, &chosen).await.status, 200);
        world.clock.advance(24 * HOUR);
        for link in [&mailed, &passed_on, &chosen] {
            assert_eq!(reopen(&world, link).await.error(), (404, String::from(EXPIRED)));
        }
    });
}

#[test]
fn a_zip_of_results_is_for_those_who_know_the_pin_of_today() {
    // [FACE552]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let slug = party.event["slug"].as_str().unwrap();
        let event = format!("/api/events/{}", party.event["id"].as_str().unwrap());
        let enter = async |pin: &str| {
            assert_eq!(world.patch(&event, &party.token, json!({"pin": pin})).await.status, 200);
            let entered = world.post(&format!("/api/face/access/{slug}"), "", json!({"pin": pin})).await;
            entered.json()["access_token"].as_str().unwrap().to_owned()
        };
        let post = async |path: &str, proof: &str, body: Value| {
            let request = Request::post(path).header("event-access", proof);
            let request =
                request.header("content-type", "application/json").body(Body::from(body.to_string()));
            world.send(request.unwrap()).await
        };
        let zip = async |token: &Value| {
            world.get(&format!("/api/face/download/{}.zip", token.as_str().unwrap()), "").await
        };
        let open = search(&world, &party.event, RED).await["download_token"].clone();

        let proof = enter("123412").await;
        assert_eq!(zip(&open).await.error(), (404, String::from(GONE)), "found before there was a PIN");
        let some = json!({"tokens": [open], "photo_ids": [party.matches[0]["photo_id"]]});
        let chosen = post("/api/face/download", &proof, some.clone()).await.json()["download_token"].clone();
        assert_eq!(zip(&chosen).await.status, 200);
        world.mails.take();
        let mail = json!({"token": open, "email": "ravi@example.com", "language": "en"});
        assert_eq!(post("/api/face/results/mail", &proof, mail).await.status, 200);
        let sent = world.mails.take().remove(0).mail;
        let mailed = json!(sent.links[0].split_once("#results=").unwrap().1);
        assert_eq!(zip(&mailed).await.status, 200);

        let newer = enter("432143").await;
        for token in [&open, &chosen, &mailed] {
            assert_eq!(zip(token).await.error(), (404, String::from(GONE)));
        }
        // Whoever knows the new PIN opens the results of before, and fetches them.
        for proof in [&proof, &newer] {
            let (opened, again) = match proof == &newer {
                true => (200, 201),
                false => (403, 403),
            };
            assert_eq!(post("/api/face/results", proof, json!({"token": mailed})).await.status, opened);
            assert_eq!(post("/api/face/download", proof, some.clone()).await.status, again);
        }
        let again = post("/api/face/download", &newer, some).await.json();
        assert_eq!(zip(&again["download_token"]).await.status, 200);

        // What an earlier version has made says nothing of the PIN: good for as long as a search's.
        storage::testing::change(&world.parts.db, "UPDATE downloads SET pin_proof = NULL").await;
        world.clock.advance(5 * HOUR);
        assert_eq!(zip(&mailed).await.status, 200);
        world.clock.advance(HOUR);
        assert_eq!(zip(&mailed).await.error(), (404, String::from(GONE)));

        // Without a PIN the link is all that is needed.
        assert_eq!(world.patch(&event, &party.token, json!({"pin": null})).await.status, 200);
        assert_eq!(zip(&mailed).await.status, 200);
    });
}

#[test]
fn a_link_that_no_server_takes_is_refused_and_one_that_may_later_is_not_a_bug() {
    // [FACE525]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let found = search(&world, &party.event, RED).await;
        let mail = async || {
            let body = json!({"token": found["download_token"], "email": "ravi@example.com"});
            world.post("/api/face/results/mail", "", body).await
        };
        world.mails.fail_with(Some(MailError::Permanent(String::from("550 <ravi@example.com> unknown"))));
        assert_eq!(mail().await.error(), (400, String::from("The mail server refuses this email address")));
        world.mails.fail_with(Some(MailError::Transient(String::from("450 later"))));
        assert_eq!(mail().await.status, 503);
        world.mails.fail_with(None);
        assert_eq!(mail().await.status, 200);

        let mut world = world;
        world.parts.settings.tells_guests = false;
        let body = json!({"token": found["download_token"], "email": "ravi@example.com"});
        let refused = world.restarted().await.post("/api/face/results/mail", "", body).await;
        assert_eq!(refused.json()["code"], "results_mail_not_offered");
    });
}
