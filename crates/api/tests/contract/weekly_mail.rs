//! The mail on Mondays: /api/auth/weekly-summary, and what it tells.

use std::time::Duration;

use domain::DAY;
use domain::operations::mails::Mail;
use serde_json::{Value, json};

use crate::client_selections::make;
use crate::downloads::{Party, party};
use crate::harness::{BLUE, GREEN, World, on_both_engines, photo};
use crate::{guest_photos, objections, profiles, publication, snapshots};

const SUBJECT: &str = "What your events need from you";

async fn want(world: &World, token: &str, wanted: bool) {
    let answer = world.put("/api/auth/weekly-summary", token, json!({"wanted": wanted})).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!({"wanted": wanted})));
    assert_eq!(world.get("/api/auth/weekly-summary", token).await.json(), json!({"wanted": wanted}));
}

/// The weekly mails that are sent when this time has passed.
async fn mails_after(world: &World, time: Duration) -> Vec<Mail> {
    world.clock.advance(time);
    world.run_due().await;
    world.drain().await;
    let sent = world.mails.take().into_iter().map(|sent| sent.mail);
    sent.filter(|mail| [SUBJECT, "आपके इवेंट को आपसे क्या चाहिए"].contains(&mail.subject.as_str())).collect()
}

fn id(value: &Value) -> &str {
    value["id"].as_str().unwrap()
}

/// A client of a party's event, who is called so, has chosen a photo, and is done if it says so.
async fn client(world: &World, party: &Party, wanted: Value, done: bool) -> String {
    let made = make(world, &party.token, &party.event, wanted).await;
    let path = format!("/api/selections/{}", made.secret);
    let photo = party.matches[0]["photo_id"].as_str().unwrap();
    let marked = world.put(&format!("{path}/photos/{photo}"), "", json!({"chosen": true})).await;
    assert_eq!(marked.status, 200);
    if done {
        assert_eq!(world.post(&format!("{path}/done"), "", json!({})).await.status, 200);
    }
    made.id
}

/// A party about which there is something to do under each heading; with the id of the client's choice.
async fn busy_party(world: &World) -> (Party, String) {
    let party = party(world).await;
    let selection = client(world, &party, json!({"name": "Asha"}), true).await;
    client(world, &party, json!({"name": "Ravi", "due_on": "2026-11-25"}), false).await;
    objections::hide(world, &party.event, GREEN).await;
    guest_photos::things(world, &party.token, &party.event).await;
    let held = publication::publication(world, &party.token, &party.event, json!({"publication": "held"}));
    assert_eq!(held.await.status, 200);
    let uploaded = world.upload(&party.token, &party.event, "five.jpg", &photo(&[BLUE], 3)).await;
    assert_eq!(uploaded.status, 201);
    let path = format!("/api/events/{}", id(&party.event));
    let removal = world.patch(&path, &party.token, json!({"expires_on": "2026-12-05"})).await;
    assert_eq!(removal.status, 200, "{:?}", removal.json());
    world.drain().await;
    (party, selection)
}

#[test]
fn the_mail_tells_what_is_to_be_done_with_a_link_to_each() {
    // [STAT018]
    on_both_engines(async |world: World| {
        let (party, selection) = busy_party(&world).await;
        want(&world, &party.token, true).await;
        let grant = app::operations::operators::grant;
        let credits = world.get("/api/subscription/credits", &party.token).await.json();
        let taken = 12.0 - credits["credits"].as_f64().unwrap();
        grant(&world.operator(), "meera@example.com", taken, Some("Test")).await.unwrap();
        // It is Friday, the 20th, at nine.
        let mails = mails_after(&world, DAY * 3).await;
        let [mail] = &mails[..] else { panic!("{} mails", mails.len()) };
        assert_eq!((mail.to.as_str(), mail.subject.as_str()), ("meera@example.com", SUBJECT));
        let expected =
            |text: &str| text.replace("{event}", id(&party.event)).replace("{selection}", &selection);
        assert_eq!(mail.text, expected(include_str!("mails/digest.txt")));
        let in_html = expected(include_str!("mails/digest.html"));
        snapshots::assert_html(&mail.html, &in_html);
        assert_eq!(mail.links.len(), 7);
        for link in &mail.links {
            assert_eq!(mail.text.matches(&format!("  {link}\n")).count(), 1, "{link}");
        }
    });
}

#[test]
fn nothing_is_mailed_where_nothing_is_to_be_done() {
    // [STAT019]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        want(&world, &party.token, true).await;
        let helped = format!("/api/events/{}/statistics", id(&party.event));
        assert_eq!(world.get(&helped, &party.token).await.json()["totals"]["guests_helped"], 1);
        assert!(mails_after(&world, DAY * 3).await.is_empty(), "guests found photos, and that is all");
        client(&world, &party, json!({"name": "Asha"}), true).await;
        assert_eq!(mails_after(&world, DAY * 7).await.len(), 1);
    });
}

#[test]
fn what_was_looked_at_or_decided_is_not_told_again() {
    // [STAT020]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let token = party.token.as_str();
        let selection = client(&world, &party, json!({"name": "Asha"}), true).await;
        objections::hide(&world, &party.event, GREEN).await;
        let [(_, waiting), _] = guest_photos::things(&world, token, &party.event).await;
        want(&world, token, true).await;
        let mails = mails_after(&world, DAY * 3).await;
        assert_eq!(mails[0].links.len(), 3, "{}", mails[0].text);

        let event = format!("/api/events/{}", id(&party.event));
        let seen = world.post(&format!("{event}/selections/{selection}/seen"), token, json!({})).await;
        assert!(seen.status.is_success());
        let mails = mails_after(&world, DAY * 7).await;
        assert_eq!(mails[0].links.len(), 2, "{}", mails[0].text);

        let request = &objections::requests(&world, token, &party.event).await[0];
        let seen = world.put(&format!("/api/objections/{}/seen", id(request)), token, json!({})).await;
        assert!(seen.status.is_success());
        let declined = json!({"ids": [waiting]});
        let declined = world.post(&format!("{event}/guest-photos/decline"), token, declined).await;
        assert!(declined.status.is_success());
        let mails = mails_after(&world, DAY * 7).await;
        // By now the photos of the event are about to go.
        assert_eq!(mails.iter().map(|mail| mail.links.len()).collect::<Vec<_>>(), [1]);
        assert!(mails[0].links[0].ends_with("#keeping"), "{}", mails[0].text);
    });
}

#[test]
fn it_goes_to_whoever_wants_it_once_on_mondays() {
    // [STAT011]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let unasked = world.get("/api/auth/weekly-summary", &party.token).await.json();
        assert_eq!(unasked, json!({"wanted": false}), "nobody gets it unasked");
        client(&world, &party, json!({"name": "Asha"}), true).await;
        assert!(mails_after(&world, Duration::ZERO).await.is_empty());
        want(&world, &party.token, true).await;
        assert!(mails_after(&world, DAY * 2).await.is_empty(), "before Monday");
        assert_eq!(mails_after(&world, DAY).await.len(), 1);
        assert!(mails_after(&world, DAY).await.is_empty(), "once");
        let hindi = world.put("/api/auth/language", &party.token, json!({"language": "hi"})).await;
        assert_eq!(hindi.status, 200);
        let mails = mails_after(&world, DAY * 6).await;
        assert_eq!(mails[0].subject, "आपके इवेंट को आपसे क्या चाहिए");
        assert!(mails[0].text.contains("Asha ने “Party” से 1 फ़ोटो चुनी है।"), "{}", mails[0].text);
        want(&world, &party.token, false).await;
        assert!(mails_after(&world, DAY * 7).await.is_empty(), "it is not wanted any more");
        want(&world, &party.token, true).await;
        let body = json!({"password": crate::harness::PASSWORD});
        assert_eq!(profiles::close(&world, &party.token, body).await.status, 200);
        assert!(mails_after(&world, DAY * 7).await.is_empty(), "the account is closed");
    });
}
