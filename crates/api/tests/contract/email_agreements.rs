//! Changing the address of an account without the password: the old address has to agree, as the new one has to confirm.

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{Answer, PASSWORD, World, on_both_engines};

const OLD: &str = "meera@example.com";
const NEW: &str = "new@example.com";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const STALE: &str =
    "This link is no longer valid. If you still want the new email, please ask for it again in your account.";

async fn ask(world: &World, token: &str, email: &str) -> Answer {
    world.put("/api/auth/update-profile", token, json!({"email": email})).await
}

async fn verify(world: &World, link: &str) -> Answer {
    world.post("/api/auth/verify-email", "", json!({"token": link})).await
}

async fn agree(world: &World, link: &str) -> Answer {
    world.post("/api/auth/agree-email-change", "", json!({"token": link})).await
}

/// The token of the newest link by which an address agrees to another one.
async fn agreement(world: &World, email: &str) -> String {
    world.token_mailed_to(email, "agree-email-change").await
}

async fn change_password(world: &World, token: &str) {
    let body = json!({"current_password": PASSWORD, "new_password": "another horse"});
    assert_eq!(world.post("/api/auth/change-password", token, body).await.status, 200);
}

/// The address in force, the pending one, and whether that waits for an agreement.
async fn standing(world: &World, token: &str) -> (Value, Value, Value) {
    let me = world.get("/api/auth/me", token).await.json();
    let user = &me["user"];
    (user["email"].clone(), user["pending_email"].clone(), user["pending_email_needs_agreement"].clone())
}

fn stale() -> (u16, String) {
    (400, STALE.to_owned())
}

#[test]
fn an_address_alone_takes_effect_once_both_addresses_have_said_so() {
    // [API017] [ACC202] [ACC203] [ACC210]
    on_both_engines(async |world: World| {
        let token = world.photographer(OLD).await;
        let answer = ask(&world, &token, NEW).await;
        assert_eq!(answer.status, 200);
        let user = &answer.json()["user"];
        assert_eq!((&user["email"], &user["pending_email"]), (&json!(OLD), &json!(NEW)));
        assert_eq!(standing(&world, &token).await, (json!(OLD), json!(NEW), json!(true)));

        let (link, old) = (world.mailed_token(NEW).await, agreement(&world, OLD).await);
        let confirmed = verify(&world, &link).await.json();
        assert_eq!((&confirmed["verified"], &confirmed["needs_agreement"]), (&json!(true), &json!(true)));
        assert_eq!(verify(&world, &link).await.json(), confirmed, "it says the same again");
        let status = world.get(&format!("/api/auth/check-verification-status?token={link}"), "").await.json();
        assert_eq!(status, json!({"already_verified": false}), "nobody can log in with it");
        assert_eq!(standing(&world, &token).await, (json!(OLD), json!(NEW), json!(true)));
        assert_eq!(world.log_in(NEW).await.status, 401);
        assert_eq!(world.log_in(OLD).await.status, 200);

        assert_eq!(agree(&world, &old).await.json(), json!({"success": true, "in_force": true}));
        assert_eq!(standing(&world, &token).await, (json!(NEW), Value::Null, json!(false)));
        assert_eq!(world.log_in(NEW).await.status, 200);
        assert_eq!(world.log_in(OLD).await.status, 401);
        // Pressed again, each link says so and changes nothing.
        assert_eq!(agree(&world, &old).await.json(), json!({"success": true, "in_force": true}));
        assert_eq!(verify(&world, &link).await.json()["needs_agreement"], json!(false));
        world.drain().await;
        let told = world.mails.sent();
        let last = told.iter().rev().find(|sent| sent.mail.to.as_str() == OLD).unwrap();
        assert_eq!(last.mail.subject, "Your Afterglow email was changed");
    });
}

#[test]
fn the_old_address_may_agree_before_the_new_one_confirms() {
    // [ACC203]
    on_both_engines(async |world: World| {
        let token = world.photographer(OLD).await;
        ask(&world, &token, NEW).await;
        let (link, old) = (world.mailed_token(NEW).await, agreement(&world, OLD).await);
        let waits = json!({"success": true, "in_force": false});
        assert_eq!(agree(&world, &old).await.json(), waits);
        assert_eq!(agree(&world, &old).await.json(), waits, "agreed twice is agreed");
        assert_eq!(standing(&world, &token).await, (json!(OLD), json!(NEW), json!(false)));
        assert_eq!(world.log_in(NEW).await.status, 401);
        assert_eq!(verify(&world, &link).await.json()["needs_agreement"], json!(false));
        assert_eq!(standing(&world, &token).await, (json!(NEW), Value::Null, json!(false)));
    });
}

#[test]
fn with_the_password_the_new_address_alone_suffices() {
    // [ACC204]
    on_both_engines(async |world: World| {
        let token = world.photographer(OLD).await;
        ask(&world, &token, NEW).await;
        let old = agreement(&world, OLD).await;
        let body = json!({"email": NEW, "current_password": PASSWORD});
        assert_eq!(world.put("/api/auth/update-profile", &token, body).await.status, 200);
        assert_eq!(standing(&world, &token).await, (json!(OLD), json!(NEW), json!(false)));
        world.drain().await;
        let sent = world.mails.sent();
        let notice = sent.iter().rev().find(|sent| sent.mail.to.as_str() == OLD).unwrap();
        assert_eq!(notice.mail.links.len(), 1, "there is nothing to agree to: {:?}", notice.mail.links);
        assert_eq!(verify(&world, &world.mailed_token(NEW).await).await.status, 200);
        assert_eq!(standing(&world, &token).await, (json!(NEW), Value::Null, json!(false)));
        assert_eq!(agree(&world, &old).await.json()["in_force"], json!(true));
    });
}

#[test]
fn a_wrong_password_changes_nothing() {
    // [ACC206]
    on_both_engines(async |world: World| {
        let token = world.photographer(OLD).await;
        ask(&world, &token, NEW).await;
        world.drain().await;
        let sent = world.mails.sent().len();
        for (password, text) in [("", "Password is required"), ("wrong horse", "Invalid current password")] {
            let body = json!({"email": "third@example.com", "current_password": password});
            let answer = world.put("/api/auth/update-profile", &token, body).await;
            assert_eq!(answer.error(), (400, text.to_owned()));
        }
        assert_eq!(standing(&world, &token).await, (json!(OLD), json!(NEW), json!(true)));
        world.drain().await;
        assert_eq!(world.mails.sent().len(), sent);
    });
}

#[test]
fn the_old_address_is_told_and_can_agree_or_stop_the_change() {
    // [ACC205] [ACC207] [ACC208] [ACC209]
    on_both_engines(async |world: World| {
        let token = world.photographer(OLD).await;
        ask(&world, &token, NEW).await;
        let (link, old) = (world.mailed_token(NEW).await, agreement(&world, OLD).await);
        let sent = world.mails.sent();
        let mail = &sent.iter().rev().find(|sent| sent.mail.to.as_str() == OLD).unwrap().mail;
        assert_eq!(mail.links.len(), 2);
        assert!(
            mail.text.contains("new\u{ff20}example\u{2024}com"),
            "it is named, and no link: {}",
            mail.text
        );
        let revocation = world.token_mailed_to(OLD, "revoke-email-change").await;
        assert_eq!(agree(&world, "").await.error(), stale());
        for other in [&link, &revocation] {
            assert_eq!(agree(&world, other).await.error(), stale(), "a link for another purpose");
        }
        assert_eq!(world.get(&format!("/api/auth/agree-email-change?token={old}"), "").await.status, 405);
        assert_eq!(standing(&world, &token).await, (json!(OLD), json!(NEW), json!(true)));

        assert_eq!(verify(&world, &link).await.status, 200);
        let answer = world.post("/api/auth/revoke-email-change", "", json!({"token": revocation})).await;
        assert_eq!(answer.status, 200);
        assert_eq!(agree(&world, &old).await.error(), stale());
        assert_eq!(world.get("/api/auth/me", &token).await.status, 401);
        let reset = world.token_mailed_to(OLD, "reset-password").await;
        let body = json!({"token": reset, "password": PASSWORD});
        assert_eq!(world.post("/api/auth/reset-password", "", body).await.status, 200);
        let token = world.log_in(OLD).await.json()["token"].as_str().unwrap().to_owned();
        assert_eq!(standing(&world, &token).await, (json!(OLD), Value::Null, json!(false)));
    });
}

#[test]
fn an_agreement_counts_for_the_address_that_its_mail_names_and_no_other() {
    // [ACC207]
    on_both_engines(async |world: World| {
        let token = world.photographer(OLD).await;
        ask(&world, &token, NEW).await;
        let (link, old) = (world.mailed_token(NEW).await, agreement(&world, OLD).await);
        assert_eq!(verify(&world, &link).await.status, 200);
        // Somebody else with the session asks for theirs, before the owner has opened the mail.
        ask(&world, &token, "thief@example.com").await;
        let theirs = world.mailed_token("thief@example.com").await;
        assert_eq!(verify(&world, &theirs).await.status, 200);
        assert_eq!(agree(&world, &old).await.error(), stale());
        assert_eq!(standing(&world, &token).await, (json!(OLD), json!("thief@example.com"), json!(true)));

        // Asked for once more, the first address confirms again: what was said before does not count.
        ask(&world, &token, NEW).await;
        let (later, again) = (world.mailed_token(NEW).await, agreement(&world, OLD).await);
        assert_eq!(
            verify(&world, &link).await.error(),
            (400, String::from("Invalid or expired verification token"))
        );
        assert_eq!(agree(&world, &again).await.json()["in_force"], json!(false));
        assert_eq!(verify(&world, &later).await.json()["needs_agreement"], json!(false));
        assert_eq!(standing(&world, &token).await.0, json!(NEW));
    });
}

#[test]
fn only_the_address_in_force_agrees() {
    // [ACC207]
    on_both_engines(async |world: World| {
        let token = world.photographer(OLD).await;
        ask(&world, &token, "third@example.com").await;
        let old = agreement(&world, OLD).await;
        let body = json!({"email": NEW, "current_password": PASSWORD});
        world.put("/api/auth/update-profile", &token, body).await;
        assert_eq!(verify(&world, &world.mailed_token(NEW).await).await.status, 200);
        ask(&world, &token, "third@example.com").await;
        assert_eq!(verify(&world, &world.mailed_token("third@example.com").await).await.status, 200);
        assert_eq!(agree(&world, &old).await.error(), stale());
        assert_eq!(standing(&world, &token).await, (json!(NEW), json!("third@example.com"), json!(true)));
        assert_eq!(agree(&world, &agreement(&world, NEW).await).await.status, 200);
        assert_eq!(standing(&world, &token).await.0, json!("third@example.com"));
    });
}

#[test]
fn an_agreement_ends_with_a_day_a_new_password_and_the_account() {
    // [ACC086] [ACC208]
    on_both_engines(async |world: World| {
        let token = world.photographer(OLD).await;
        ask(&world, &token, NEW).await;
        let first = agreement(&world, OLD).await;
        world.clock.advance(DAY);
        assert_eq!(agree(&world, &first).await.error(), stale());
        assert_eq!(standing(&world, &token).await, (json!(OLD), json!(NEW), json!(true)));

        ask(&world, &token, NEW).await;
        let (link, second) = (world.mailed_token(NEW).await, agreement(&world, OLD).await);
        verify(&world, &link).await;
        change_password(&world, &token).await;
        assert_eq!(agree(&world, &second).await.error(), stale());
        ask(&world, &token, NEW).await;
        assert_eq!(agree(&world, &second).await.error(), stale(), "a later request does not revive it");

        let third = agreement(&world, OLD).await;
        let closed = crate::profiles::close(&world, &token, json!({"password": "another horse"})).await;
        assert_eq!(closed.status, 200);
        assert_eq!(agree(&world, &third).await.error(), stale());
    });
}

#[test]
fn an_address_that_another_account_has_meanwhile_is_not_put_in_force() {
    // [ACC203]
    on_both_engines(async |world: World| {
        let token = world.photographer(OLD).await;
        ask(&world, &token, NEW).await;
        let (link, old) = (world.mailed_token(NEW).await, agreement(&world, OLD).await);
        assert_eq!(verify(&world, &link).await.status, 200);
        let other = world.photographer(NEW).await;
        assert_eq!(agree(&world, &old).await.error(), (409, String::from("Email already registered")));
        assert_eq!(standing(&world, &token).await, (json!(OLD), json!(NEW), json!(true)));
        assert_eq!(standing(&world, &other).await.0, json!(NEW));
    });
}

#[test]
fn both_addresses_at_one_moment_complete_the_change_once() {
    // [ACC203]
    on_both_engines(async |world: World| {
        let token = world.photographer(OLD).await;
        let (one, other) = tokio::join!(ask(&world, &token, NEW), ask(&world, &token, NEW));
        assert_eq!((one.status, other.status), (other.status, one.status));
        assert_eq!(one.status, 200, "two requests at one moment");
        let (link, old) = (world.mailed_token(NEW).await, agreement(&world, OLD).await);
        let (confirmed, agreed) = tokio::join!(verify(&world, &link), agree(&world, &old));
        assert_eq!((confirmed.status.as_u16(), agreed.status.as_u16()), (200, 200));
        assert_eq!(standing(&world, &token).await, (json!(NEW), Value::Null, json!(false)));
        world.drain().await;
        let sent = world.mails.sent();
        let told = sent.iter().filter(|sent| sent.mail.subject == "Your Afterglow email was changed").count();
        assert_eq!(told, 1);
    });
}

#[test]
fn another_spelling_of_the_address_needs_no_agreement() {
    // [ACC203]
    on_both_engines(async |world: World| {
        let token = world.photographer(OLD).await;
        let spelling = "Meera@Example.com";
        ask(&world, &token, spelling).await;
        assert_eq!(standing(&world, &token).await, (json!(OLD), json!(spelling), json!(false)));
        assert_eq!(verify(&world, &world.mailed_token(spelling).await).await.status, 200);
        assert_eq!(standing(&world, &token).await, (json!(spelling), Value::Null, json!(false)));
    });
}

#[test]
fn the_first_link_of_an_account_does_not_cancel_a_change() {
    // [ACC203]
    on_both_engines(async |world: World| {
        assert_eq!(world.register(OLD).await.status, 200);
        let first = world.mailed_token(OLD).await;
        world.post("/api/auth/resend-verification", "", json!({"email": OLD})).await;
        let second = world.mailed_token(OLD).await;
        assert_eq!(verify(&world, &second).await.status, 200);
        let token = world.log_in(OLD).await.json()["token"].as_str().unwrap().to_owned();
        ask(&world, &token, NEW).await;
        assert_eq!(verify(&world, &first).await.status, 200);
        assert_eq!(standing(&world, &token).await, (json!(OLD), json!(NEW), json!(true)));
    });
}

#[test]
fn another_mailbox_whose_address_compares_equal_needs_agreement() {
    // [AUTH246]
    on_both_engines(async |world: World| {
        let (old, new) = ("strasse@example.com", "straße@example.com");
        let token = world.photographer(old).await;
        ask(&world, &token, new).await;
        let waits = (json!(old), json!(new), json!(true));
        assert_eq!(standing(&world, &token).await, waits);
        let (link, agreed) = (world.mailed_token(new).await, agreement(&world, old).await);
        for _ in 0..2 {
            assert_eq!(verify(&world, &link).await.json()["needs_agreement"], json!(true));
            assert_eq!(standing(&world, &token).await, waits);
        }
        assert_eq!(agree(&world, &agreed).await.json(), json!({"success": true, "in_force": true}));
        assert_eq!(standing(&world, &token).await, (json!(new), Value::Null, json!(false)));
        world.drain().await;
        let told = world.mails.sent();
        let last = told.iter().rev().find(|sent| sent.mail.to.as_str() == old).unwrap();
        assert_eq!(last.mail.subject, "Your Afterglow email was changed");
    });
}

#[test]
fn an_agreement_to_one_mailbox_is_none_to_another_whose_address_compares_equal() {
    // [AUTH246]
    on_both_engines(async |world: World| {
        let (named, other) = ("straße@example.com", "strasse@example.com");
        let token = world.photographer(OLD).await;
        ask(&world, &token, named).await;
        let old = agreement(&world, OLD).await;
        ask(&world, &token, other).await;
        assert_eq!(verify(&world, &world.mailed_token(other).await).await.status, 200);
        assert_eq!(agree(&world, &old).await.error(), stale());
        assert_eq!(standing(&world, &token).await, (json!(OLD), json!(other), json!(true)));
    });
}
