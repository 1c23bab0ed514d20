//! Changing the address of an account, and taking it back.

use std::time::Duration;

use domain::accounts::EmailAddress;
use serde_json::{Value, json};

use crate::harness::{Answer, PASSWORD, World, on_both_engines};

const OLD: &str = "meera@example.com";
const NEW: &str = "new@example.com";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const STALE: &str =
    "This link has expired or was used. If somebody else uses your account, please ask for a new password.";

async fn ask(world: &World, token: &str, email: &str) -> Answer {
    let body = json!({"email": email, "current_password": PASSWORD});
    world.put("/api/auth/update-profile", token, body).await
}

async fn verify(world: &World, link: &str) -> Answer {
    world.post("/api/auth/verify-email", "", json!({"token": link})).await
}

async fn revoke(world: &World, link: &str) -> Answer {
    world.post("/api/auth/revoke-email-change", "", json!({"token": link})).await
}

/// The token of the newest 'This wasn't me' link to an address.
async fn revocation(world: &World, email: &str) -> String {
    world.token_mailed_to(email, "revoke-email-change").await
}

async fn addresses(world: &World, token: &str) -> (Value, Value) {
    let me = world.get("/api/auth/me", token).await.json();
    (me["user"]["email"].clone(), me["user"]["pending_email"].clone())
}

fn subjects(world: &World, email: &str) -> Vec<String> {
    let sent = world.mails.sent();
    let to = sent.iter().filter(|sent| sent.mail.to.as_str() == email);
    to.map(|sent| sent.mail.subject.clone()).collect()
}

#[test]
fn a_new_password_cancels_a_pending_address_and_its_links() {
    // [ACC086]
    on_both_engines(async |world: World| {
        let token = world.photographer(OLD).await;
        assert_eq!(ask(&world, &token, NEW).await.status, 200);
        let link = world.mailed_token(NEW).await;
        let body = json!({"current_password": PASSWORD, "new_password": "another horse"});
        assert_eq!(world.post("/api/auth/change-password", &token, body).await.status, 200);
        assert_eq!(addresses(&world, &token).await, (json!(OLD), Value::Null));
        let unknown = (400, String::from("Invalid or expired verification token"));
        assert_eq!(verify(&world, &link).await.error(), unknown);

        // A later request for the same address does not revive the link.
        let body = json!({"email": NEW, "current_password": "another horse"});
        assert_eq!(world.put("/api/auth/update-profile", &token, body).await.status, 200);
        assert_eq!(verify(&world, &link).await.error(), unknown);
        let later = world.mailed_token(NEW).await;
        world.post("/api/auth/forgot-password", "", json!({"email": OLD})).await;
        let reset = world.token_mailed_to(OLD, "reset-password").await;
        let body = json!({"token": reset, "password": PASSWORD});
        assert_eq!(world.post("/api/auth/reset-password", "", body).await.status, 200);
        assert_eq!(verify(&world, &later).await.error(), unknown);
        let status =
            world.get(&format!("/api/auth/check-verification-status?token={later}"), "").await.json();
        assert_eq!(status, json!({"already_verified": false}));
        let token = world.log_in(OLD).await.json()["token"].as_str().unwrap().to_owned();
        assert_eq!(addresses(&world, &token).await, (json!(OLD), Value::Null));
    });
}

#[test]
fn the_old_address_stops_a_change_that_is_pending() {
    // [ACC087] [ACC188] [ACC189] [ACC190] [ACC090]
    on_both_engines(async |world: World| {
        let token = world.photographer(OLD).await;
        ask(&world, &token, NEW).await;
        let (link, wrong) = (revocation(&world, OLD).await, world.mailed_token(NEW).await);
        assert_eq!(revoke(&world, "").await.error(), (400, STALE.to_owned()));
        assert_eq!(
            revoke(&world, &wrong).await.error(),
            (400, STALE.to_owned()),
            "a link for another purpose"
        );
        assert_eq!(world.get(&format!("/api/auth/revoke-email-change?token={link}"), "").await.status, 405);
        assert_eq!(addresses(&world, &token).await, (json!(OLD), json!(NEW)), "nothing has changed");

        assert_eq!(revoke(&world, &link).await.json(), json!({"success": true}));
        assert_eq!(verify(&world, &wrong).await.status, 400);
        // Whoever asked knows the password: it opens nothing any more, and no session is left.
        assert_eq!(world.get("/api/auth/me", &token).await.status, 401);
        assert_eq!(world.log_in(OLD).await.status, 401);
        assert_eq!(world.log_in(NEW).await.status, 401);
        let reset = world.token_mailed_to(OLD, "reset-password").await;
        assert_eq!(revoke(&world, &link).await.error(), (400, STALE.to_owned()), "it works once");
        let body = json!({"token": reset, "password": "another horse"});
        assert_eq!(world.post("/api/auth/reset-password", "", body).await.status, 200);
        let body = json!({"email": OLD, "password": "another horse"});
        assert_eq!(world.post("/api/auth/login", "", body).await.status, 200);
    });
}

#[test]
fn the_old_address_hears_of_the_change_and_takes_it_back() {
    // [ACC088] [ACC089]
    on_both_engines(async |world: World| {
        let token = world.photographer(OLD).await;
        ask(&world, &token, NEW).await;
        let before = revocation(&world, OLD).await;
        assert_eq!(verify(&world, &world.mailed_token(NEW).await).await.status, 200);
        world.drain().await;
        assert_eq!(subjects(&world, OLD).last().unwrap(), "Your Afterglow email was changed");
        assert_ne!(revocation(&world, OLD).await, before, "it has a link of its own");

        // Whoever has taken the account goes on, and registers the address that is free now.
        ask(&world, &token, "third@example.com").await;
        let theirs = revocation(&world, NEW).await;
        let third = world.mailed_token("third@example.com").await;
        assert_eq!(verify(&world, &third).await.status, 200);
        assert_eq!(world.register(OLD).await.status, 200);

        assert_eq!(revoke(&world, &before).await.status, 200);
        assert_eq!(revoke(&world, &theirs).await.error(), (400, STALE.to_owned()));
        let reset = world.token_mailed_to(OLD, "reset-password").await;
        let body = json!({"token": reset, "password": "another horse"});
        assert_eq!(world.post("/api/auth/reset-password", "", body).await.status, 200);
        let body = json!({"email": OLD, "password": "another horse"});
        let back = world.post("/api/auth/login", "", body).await.json();
        assert_eq!(back["user"]["email"], OLD);
        let third = json!({"email": "third@example.com", "password": PASSWORD});
        assert_eq!(world.post("/api/auth/login", "", third).await.status, 401);
    });
}

#[test]
fn a_mail_that_was_queued_before_a_change_was_taken_back_brings_no_link_after_it() {
    // [ACC218]
    on_both_engines(async |world: World| {
        let token = world.photographer(OLD).await;
        ask(&world, &token, NEW).await;
        let before = revocation(&world, OLD).await;
        assert_eq!(verify(&world, &world.mailed_token(NEW).await).await.status, 200);
        world.drain().await;
        // The notice of this one is for the address that is taken back, and waits in the queue.
        assert_eq!(ask(&world, &token, "third@example.com").await.status, 200);
        assert_eq!(revoke(&world, &before).await.status, 200);
        world.drain().await;
        let start = "http://localhost:8080/revoke-email-change#token=";
        let sent = world.mails.sent();
        let to_new = sent.iter().filter(|sent| sent.mail.to.as_str() == NEW);
        for link in to_new.flat_map(|sent| &sent.mail.links).filter_map(|link| link.strip_prefix(start)) {
            assert_eq!(revoke(&world, link).await.error(), (400, STALE.to_owned()));
        }
        let reset = world.token_mailed_to(OLD, "reset-password").await;
        let body = json!({"token": reset, "password": "another horse"});
        assert_eq!(world.post("/api/auth/reset-password", "", body).await.status, 200);
        let body = json!({"email": OLD, "password": "another horse"});
        assert_eq!(world.post("/api/auth/login", "", body).await.status, 200);
    });
}

#[test]
fn an_address_of_before_outranks_one_that_came_after_it() {
    // [ACC220]
    on_both_engines(async |world: World| {
        let token = world.photographer(OLD).await;
        ask(&world, &token, NEW).await;
        let owners = revocation(&world, OLD).await;
        assert_eq!(verify(&world, &world.mailed_token(NEW).await).await.status, 200);
        world.drain().await;
        world.clock.advance(Duration::from_secs(60));
        // Whoever has the second address asks for a third, and takes that back.
        assert_eq!(ask(&world, &token, "third@example.com").await.status, 200);
        assert_eq!(revoke(&world, &revocation(&world, NEW).await).await.status, 200);
        world.drain().await;
        assert_eq!(revoke(&world, &owners).await.status, 200);
        let account =
            storage::accounts::users::credentials(&world.parts.db, &EmailAddress::parse(OLD).unwrap()).await;
        assert!(account.unwrap().is_some(), "the owner has the account again");
    });
}

#[test]
fn an_address_that_has_become_another_persons_is_not_taken_back() {
    // [ACC089]
    on_both_engines(async |world: World| {
        let token = world.photographer(OLD).await;
        ask(&world, &token, NEW).await;
        let link = revocation(&world, OLD).await;
        verify(&world, &world.mailed_token(NEW).await).await;
        let other = world.photographer(OLD).await;
        assert_eq!(revoke(&world, &link).await.error(), (409, String::from("Email already registered")));
        assert_eq!(addresses(&world, &token).await.0, json!(NEW));
        assert_eq!(addresses(&world, &other).await.0, json!(OLD));
    });
}

#[test]
fn a_change_can_be_taken_back_for_a_week() {
    // [ACC090]
    on_both_engines(async |world: World| {
        let token = world.photographer(OLD).await;
        ask(&world, &token, NEW).await;
        let link = revocation(&world, OLD).await;
        verify(&world, &world.mailed_token(NEW).await).await;
        world.clock.advance(DAY * 7);
        assert_eq!(revoke(&world, &link).await.error(), (400, STALE.to_owned()));
        assert_eq!(addresses(&world, &token).await.0, json!(NEW));
    });
}
