//! Guests who ask to be told of new photos: POST /api/face/subscriptions and what follows.

mod ending;
mod failing;

use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use domain::DAY;
use domain::operations::mails::Mail;
use gateway::MailError;
use serde_json::{Value, json};

use crate::downloads::{Party, party};
use crate::harness::{Answer, Field, GREEN, RED, World, on_both_engines, photo};

pub(crate) const GUEST: &str = "Guest@example.com";
const HOUR: Duration = Duration::from_secs(60 * 60);
const MINUTE: Duration = Duration::from_secs(60);
const LINK_EXPIRED: &str = "This link has expired. Please search again, and then ask to be told.";
const LINK_UNKNOWN: &str = "This link is not complete. Please open it from the mail again.";
const TOKEN_EXPIRED: &str = "Too much time has passed. Please search again, and then ask to be told.";

async fn search(world: &World, event: &Value, person: [u8; 3]) -> Value {
    world.search(event, &photo(&[person], 9)).await.json()
}

pub(crate) async fn ask(world: &World, token: &Value, email: &str) -> Answer {
    let body = json!({"token": token, "email": email, "notice_version": "2026-11", "language": "en-IN"});
    world.post("/api/face/subscriptions", "", body).await
}

async fn post(world: &World, path: &str, token: &str) -> Answer {
    world.post(path, "", json!({"token": token})).await
}

pub(crate) async fn confirm(world: &World, token: &str) -> Answer {
    post(world, "/api/face/subscriptions/confirm", token).await
}

/// What a mail program's button sends.
async fn unsubscribe(world: &World, token: &str) -> Answer {
    let request = Request::post(format!("/api/face/unsubscribe/{token}"))
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Body::from("List-Unsubscribe=One-Click"));
    world.send(request.unwrap()).await
}

/// The mails that were sent since the last call.
pub(crate) async fn mails(world: &World) -> Vec<Mail> {
    world.drain().await;
    world.mails.take().into_iter().map(|sent| sent.mail).collect()
}

/// The mails to guests after maintenance and jobs.
pub(crate) async fn told(world: &World) -> Vec<Mail> {
    world.run_due().await;
    mails(world).await
}

pub(crate) fn token_of<'a>(mail: &'a Mail, part: &str) -> &'a str {
    mail.links.iter().find_map(|link| Some(link.split_once(&format!("#{part}="))?.1)).unwrap()
}

/// A party, and a guest who has confirmed that they want to be told.
pub(crate) async fn subscribed(world: &World) -> (Party, Value) {
    let party = party(world).await;
    mails(world).await;
    let found = search(world, &party.event, RED).await;
    assert_eq!(ask(world, &found["subscription_token"], GUEST).await.status, 202);
    let mail = mails(world).await.remove(0);
    assert_eq!(confirm(world, token_of(&mail, "confirm")).await.status, 200);
    (party, found)
}

pub(crate) async fn upload(world: &World, party: &Party, name: &str, person: [u8; 3], salt: u8) {
    let answer = world.upload(&party.token, &party.event, name, &photo(&[person], salt)).await;
    assert_eq!(answer.status, 201);
    world.drain().await;
}

fn filenames(found: &Value) -> Vec<&str> {
    found["matches"].as_array().unwrap().iter().map(|found| found["filename"].as_str().unwrap()).collect()
}

async fn results(world: &World, mail: &Mail) -> Value {
    post(world, "/api/face/results", token_of(mail, "results")).await.json()
}

#[test]
fn a_guest_is_told_of_new_photos_once_confirmed_and_until_unsubscribed() {
    // [TELL001] [TELL002] [TELL028] [TELL004] [TELL029] [TELL012] [TELL036] [TELL016] [TELL037]
    // The link of a mail opens all photos of the guest for 7 days, the new ones first; one POST without a body ends
    // the mails.
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        mails(&world).await;
        let found = search(&world, &party.event, RED).await;
        let again = search(&world, &party.event, RED).await;
        assert_ne!(
            found["subscription_token"], again["subscription_token"],
            "sealed, with a nonce of its own"
        );
        let mut forged = found["subscription_token"].as_str().unwrap().to_owned();
        forged.replace_range(40..41, if &forged[40..41] == "A" { "B" } else { "A" });
        assert_eq!(ask(&world, &json!(forged), GUEST).await.error(), (404, String::from(TOKEN_EXPIRED)));
        let answer = ask(&world, &found["subscription_token"], GUEST).await;
        assert_eq!((answer.status.as_u16(), answer.json()), (202, json!({"success": true})));
        let confirmation = mails(&world).await.remove(0);
        assert_eq!((confirmation.to.as_str(), &confirmation.unsubscribe_url), (GUEST, &None));
        let slug = party.event["slug"].as_str().unwrap();
        let token = token_of(&confirmation, "confirm");
        assert_eq!(confirmation.links, [format!("http://localhost:8080/event/{slug}#confirm={token}")]);

        world.clock.advance(MINUTE);
        upload(&world, &party, "before.jpg", RED, 6).await;
        assert!(told(&world).await.is_empty(), "nothing is told before the address is confirmed");
        assert_eq!(confirm(&world, token).await.status, 200);
        assert_eq!(confirm(&world, token).await.status, 200, "a second tap says the same");
        world.clock.advance(MINUTE);
        let mail = told(&world).await.remove(0);
        assert_eq!(mail.to.as_str(), GUEST);
        let unsubscribe_token = token_of(&mail, "unsubscribe").to_owned();
        assert_eq!(
            mail.unsubscribe_url.as_deref(),
            Some(&*format!("http://localhost:8080/api/face/unsubscribe/{unsubscribe_token}"))
        );
        let opened = results(&world, &mail).await;
        assert_eq!(opened["slug"], party.event["slug"]);
        assert_eq!((filenames(&opened)[0], filenames(&opened).len()), ("before.jpg", 4), "the new one first");
        world.clock.advance(DAY * 6);
        assert_eq!(results(&world, &mail).await["matches"].as_array().unwrap().len(), 4);
        assert!(told(&world).await.is_empty(), "once");
        upload(&world, &party, "other.jpg", GREEN, 7).await;
        assert!(told(&world).await.is_empty(), "nobody else's photos");

        let none = (400, String::from(LINK_UNKNOWN));
        assert_eq!(unsubscribe(&world, token).await.error(), none, "another link");
        assert_eq!(unsubscribe(&world, &unsubscribe_token[1..]).await.error(), none);
        for _ in 0..2 {
            assert_eq!(unsubscribe(&world, &unsubscribe_token).await.status, 200);
        }
        world.clock.advance(MINUTE);
        upload(&world, &party, "late.jpg", RED, 7).await;
        assert!(told(&world).await.is_empty());
        assert_eq!(confirm(&world, token).await.error(), (400, String::from(LINK_EXPIRED)));
    });
}

#[test]
fn a_mail_about_new_photos_opens_no_zip_while_the_event_has_a_pin_but_results_for_who_enters_it() {
    // [FACE556]
    on_both_engines(async |world: World| {
        let (party, _) = subscribed(&world).await;
        let event = format!("/api/events/{}", party.event["id"].as_str().unwrap());
        let set = async |pin: Value| {
            assert_eq!(world.patch(&event, &party.token, json!({"pin": pin})).await.status, 200);
        };
        set(json!("432143")).await;
        world.clock.advance(MINUTE);
        upload(&world, &party, "new.jpg", RED, 6).await;
        let mail = told(&world).await.remove(0);
        let token = token_of(&mail, "results");
        let zip = async |token: &str| {
            world.get(&format!("/api/face/download/{token}.zip"), "").await.status.as_u16()
        };
        assert_eq!(zip(token).await, 404, "the guest was never asked for this PIN");
        assert_eq!(post(&world, "/api/face/results", token).await.status, 403);

        let access = format!("/api/face/access/{}", party.event["slug"].as_str().unwrap());
        let entered = world.post(&access, "", json!({"pin": "432143"})).await.json();
        let proved = async |path: &str, body: Value| {
            let request = Request::post(path).header("content-type", "application/json");
            let request = request.header("event-access", entered["access_token"].as_str().unwrap());
            world.send(request.body(Body::from(body.to_string())).unwrap()).await.json()
        };
        let opened = proved("/api/face/results", json!({"token": token})).await;
        assert_eq!(filenames(&opened)[0], "new.jpg");
        let some = json!({"tokens": [token], "photo_ids": [opened["matches"][0]["photo_id"]]});
        let chosen = proved("/api/face/download", some).await;
        assert_eq!(zip(chosen["download_token"].as_str().unwrap()).await, 200);
        set(Value::Null).await;
        assert_eq!(zip(token).await, 200);
    });
}

#[test]
fn a_search_answers_a_token_only_where_the_event_offers_it() {
    // [TELL001]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        assert!(search(&world, &party.event, RED).await["subscription_token"].is_string());
        let selfie = photo(&[RED], 9);
        let fields = [Field::file("image", "selfie.jpg", &selfie), Field::notice()];
        let library = world.form("/api/face/search", &party.token, &fields).await.json();
        assert_eq!(
            (library["matches"].as_array().unwrap().len(), &library["subscription_token"]),
            (3, &Value::Null)
        );
        let event = format!("/api/events/{}", party.event["id"].as_str().unwrap());
        let off = world.patch(&event, &party.token, json!({"tells_guests": false})).await;
        assert_eq!(off.status, 200);
        let found = search(&world, &party.event, RED).await;
        assert_eq!(
            (found["matches"].as_array().unwrap().len(), &found["subscription_token"]),
            (3, &Value::Null)
        );
    });
}

#[test]
fn mails_of_new_photos_leave_hidden_ones_out() {
    // [FACE427]
    on_both_engines(async |world: World| {
        let (party, _) = subscribed(&world).await;
        world.clock.advance(MINUTE);
        upload(&world, &party, "told.jpg", RED, 20).await;
        let mail = told(&world).await.remove(0);
        assert_eq!(results(&world, &mail).await["matches"].as_array().unwrap().len(), 4);
        world.clock.advance(DAY);
        let waiting = world.upload(&party.token, &party.event, "waits.jpg", &photo(&[RED], 21)).await;
        assert_eq!(waiting.status, 201);
        world.drain().await;
        crate::objections::hide(&world, &party.event, RED).await;
        let to_guest = told(&world).await.into_iter().filter(|mail| mail.to.as_str() == GUEST).count();
        assert_eq!(to_guest, 0, "the new photo is hidden");
        assert_eq!(results(&world, &mail).await["matches"], json!([]), "and so are those told before");
    });
}

#[test]
fn what_the_limit_holds_back_comes_with_the_next_mail() {
    // [TELL041]
    on_both_engines(async |world: World| {
        let (party, _) = subscribed(&world).await;
        for salt in 10..13 {
            world.clock.advance(MINUTE);
            upload(&world, &party, &format!("{salt}.jpg"), RED, salt).await;
            let mails = told(&world).await;
            assert_eq!(mails.len(), usize::from(salt == 10), "{salt}");
        }
        world.clock.advance(DAY);
        let mail = told(&world).await.remove(0);
        assert!(mail.text.contains("New photos: 2."), "{}", mail.text);
        assert_eq!(results(&world, &mail).await["matches"].as_array().unwrap().len(), 6);
        for salt in 13..18 {
            upload(&world, &party, &format!("{salt}.jpg"), RED, salt).await;
            world.clock.advance(HOUR * 4);
            assert_eq!(told(&world).await.len(), 0, "{salt}");
        }
        world.clock.advance(HOUR * 4);
        let mail = told(&world).await.remove(0);
        assert!(mail.text.contains("New photos: 5."), "{}", mail.text);
    });
}

#[test]
fn photos_that_arrive_together_are_told_of_together() {
    // A mail waits for photos that are being indexed, ten minutes at most.
    on_both_engines(async |world: World| {
        let (party, _) = subscribed(&world).await;
        world.clock.advance(MINUTE);
        upload(&world, &party, "one.jpg", RED, 20).await;
        let waiting = world.upload(&party.token, &party.event, "two.jpg", &photo(&[RED], 21)).await;
        assert_eq!(waiting.status, 201);
        world.run_due().await;
        assert!(world.mails.take().is_empty(), "a photo is being indexed");
        world.clock.advance(MINUTE);
        world.drain().await;
        assert!(told(&world).await[0].text.contains("New photos: 2."));

        // But not for ever.
        world.clock.advance(DAY);
        upload(&world, &party, "three.jpg", RED, 22).await;
        world.upload(&party.token, &party.event, "four.jpg", &photo(&[RED], 23)).await;
        for minutes in [0, 9, 1] {
            world.clock.advance(MINUTE * minutes);
            world.run_due().await;
        }
        // The job of the mail is due, and that of the photo.
        assert_eq!(mails(&world).await.len(), 1);
    });
}

#[test]
fn nothing_is_lost_when_the_mail_server_fails_or_the_process_ends() {
    // [TELL017]
    on_both_engines(async |world: World| {
        let (party, _) = subscribed(&world).await;
        world.clock.advance(MINUTE);
        world.mails.fail_with(Some(MailError::Transient(String::from("450 later"))));
        upload(&world, &party, "one.jpg", RED, 30).await;
        assert!(told(&world).await.is_empty());
        world.clock.advance(MINUTE);
        upload(&world, &party, "two.jpg", RED, 31).await;
        assert!(told(&world).await.is_empty());
        world.mails.fail_with(None);
        world.clock.advance(MINUTE);
        let mails = told(&world).await;
        assert_eq!(mails.len(), 1, "one job, however long it takes");
        assert!(mails[0].text.contains("New photos: 2."));

        // It dies while it sends: the mail counts, and the photos are told of when the limit allows it.
        world.clock.advance(DAY);
        upload(&world, &party, "three.jpg", RED, 32).await;
        world.mails.panic_once("killed");
        assert!(told(&world).await.is_empty());
        world.clock.advance(MINUTE);
        assert!(told(&world).await.is_empty());
        world.clock.advance(DAY);
        assert!(told(&world).await[0].text.contains("New photos: 1."));
    });
}

#[test]
fn a_photo_that_shows_somebody_else_is_not_told_of_again() {
    // [TELL036]
    on_both_engines(async |world: World| {
        let (party, found) = subscribed(&world).await;
        let not_me = async |token: &Value, photo: &Value| {
            let body = json!({"token": token, "photo_id": photo});
            assert_eq!(world.post("/api/face/not-me", "", body).await.status, 204);
        };
        not_me(&found["download_token"], &found["matches"][0]["photo_id"]).await;
        world.clock.advance(MINUTE);
        upload(&world, &party, "new.jpg", RED, 38).await;
        let mail = told(&world).await.remove(0);
        let opened = results(&world, &mail).await;
        assert_eq!(opened["matches"].as_array().unwrap().len(), 3);
        assert!(!filenames(&opened).contains(&found["matches"][0]["filename"].as_str().unwrap()));

        not_me(&json!(token_of(&mail, "results")), &opened["matches"][0]["photo_id"]).await;
        world.clock.advance(DAY);
        upload(&world, &party, "newer.jpg", RED, 39).await;
        let opened = results(&world, &told(&world).await[0]).await;
        assert_eq!(filenames(&opened).len(), 3);
        assert!(!filenames(&opened).contains(&"new.jpg"));
    });
}

#[test]
fn a_subscription_needs_a_consent_an_address_and_a_search_of_its_own() {
    // [TELL003] [TELL005] [TELL006] [TELL030]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        mails(&world).await;
        let token = search(&world, &party.event, RED).await["subscription_token"].clone();
        let body = |changes: Value| {
            let mut body = json!({"token": token, "email": GUEST, "notice_version": "1", "language": "hi"});
            body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
            body
        };
        let elsewhere = world.event(&party.token, "Elsewhere").await;
        let text = token.as_str().unwrap();
        let (_, sealed) = text.split_once('.').unwrap();
        let last = if text.ends_with('A') { "B" } else { "A" };
        for (changes, status, refusal) in [
            (json!({"notice_version": " "}), 400, "Please tick the box to agree"),
            (json!({"email": ""}), 400, "Email is required"),
            (json!({"email": "nobody"}), 400, "Please enter a valid email address"),
            (json!({"token": "made-up"}), 404, TOKEN_EXPIRED),
            (json!({"token": format!("{}.{sealed}", elsewhere["id"].as_str().unwrap())}), 404, TOKEN_EXPIRED),
            (json!({"token": format!("{}{last}", &text[..text.len() - 6])}), 404, TOKEN_EXPIRED),
        ] {
            let answer = world.post("/api/face/subscriptions", "", body(changes.clone())).await;
            let (found, told) = answer.error();
            assert_eq!(found, status, "{changes}");
            assert!(told == refusal || changes["email"] == "nobody", "{changes}: {told}");
        }
        assert!(mails(&world).await.is_empty());

        // The address gets few mails that nobody asked for, and the answer does not tell.
        for _ in 0..5 {
            assert_eq!(world.post("/api/face/subscriptions", "", body(json!({}))).await.status, 202);
        }
        assert_eq!(mails(&world).await.len(), 3);
        world.clock.advance(HOUR * 6);
        let late = world.post("/api/face/subscriptions", "", body(json!({}))).await;
        assert_eq!(late.error(), (404, String::from(TOKEN_EXPIRED)));
    });
}

#[test]
fn a_photographer_sees_how_many_guests_wait_and_not_who_they_are() {
    on_both_engines(async |world: World| {
        let (guests, _) = subscribed(&world).await;
        let path = format!("/api/events/{}/subscriptions", guests.event["id"].as_str().unwrap());
        let counted = async || world.get(&path, &guests.token).await.json();
        assert_eq!(counted().await, json!({"total": 1, "waiting": 1}));
        world.clock.advance(MINUTE);
        upload(&world, &guests, "new.jpg", RED, 35).await;
        assert_eq!(told(&world).await.len(), 1);
        assert_eq!(counted().await, json!({"total": 1, "waiting": 0}));
    });
}

#[test]
fn a_selfie_left_before_there_are_photos_is_told_of_the_first_ones() {
    // [TELL042]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Sangeet").await;
        mails(&world).await;
        let found = search(&world, &event, RED).await;
        assert_eq!(found["matches"], json!([]));
        assert_eq!(ask(&world, &found["subscription_token"], GUEST).await.status, 202);
        let confirmation = mails(&world).await.remove(0);
        assert_eq!(confirm(&world, token_of(&confirmation, "confirm")).await.status, 200);
        assert!(told(&world).await.is_empty(), "there is nothing to tell");
        for (name, person, salt) in [("a.jpg", RED, 36), ("b.jpg", GREEN, 37), ("c.jpg", RED, 38)] {
            assert_eq!(world.upload(&token, &event, name, &photo(&[person], salt)).await.status, 201);
        }
        world.drain().await;
        world.clock.advance(MINUTE);
        let mail = told(&world).await.remove(0);
        let mut names: Vec<String> =
            filenames(&results(&world, &mail).await).into_iter().map(String::from).collect();
        names.sort();
        assert_eq!(names, ["a.jpg", "c.jpg"]);
    });
}

#[test]
fn a_calendar_brings_guests_back_the_day_after_the_event() {
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let wedding = json!({"name": "Priya & Arjun; \"Sangeet\", the evening", "date": "2027-02-28"});
        let event = world.post("/api/events/", &token, wedding).await.json();
        let slug = event["slug"].as_str().unwrap();
        let path = format!("/event/{slug}/calendar.ics");
        let answer = world.get(&format!("{path}?language=de"), "").await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("content-type"), "text/calendar; charset=utf-8");
        // Long lines are folded (RFC 5545, 3.1).
        let text = String::from_utf8(answer.bytes.to_vec()).unwrap().replace("\r\n ", "");
        let lines: Vec<&str> = text.split("\r\n").collect();
        for line in [
            "BEGIN:VCALENDAR",
            "PRODID:-//Afterglow//EN",
            "BEGIN:VEVENT",
            "DTSTART;VALUE=DATE:20270301",
            "SUMMARY:Ihre Fotos aus „Priya & Arjun\\; \"Sangeet\"\\, the evening“",
            &format!("URL:http://localhost:8080/event/{slug}"),
            "END:VCALENDAR",
        ] {
            assert!(lines.contains(&line), "{line} in {text}");
        }
        assert_eq!(world.get("/event/nothing-here/calendar.ics", "").await.status, 404);
        // A day that is past brings nobody back.
        world.clock.advance(DAY * 900);
        let late = world.get(&path, "").await;
        let tomorrow = world.clock.now().date().tomorrow().unwrap();
        let start = format!("DTSTART;VALUE=DATE:{}", tomorrow.strftime("%Y%m%d"));
        assert!(String::from_utf8_lossy(&late.bytes).contains(&start));
    });
}
