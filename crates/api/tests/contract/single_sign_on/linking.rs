//! Accounts that are linked and unlinked by their owners.

use axum::body::Body;
use domain::accounts::single_sign_on::Passwords;
use serde_json::{Value, json};

use super::{Browser, EMAIL, person, provider, refused, sign_on, subjects, with};
use crate::harness::{Answer, PASSWORD, World, on_both_engines, request};

const PATH: &str = "/api/auth/oidc/link";

async fn unlink(world: &World, session: &str, password: &str) -> Answer {
    let request = request("DELETE", PATH, session).header("content-type", "application/json");
    world.send(request.body(Body::from(json!({"password": password}).to_string())).unwrap()).await
}

/// Where a browser lands that links the account of this session to this person.
async fn link(world: &World, provider: &super::Provider, session: &str, claims: Value) -> String {
    let begun = world.post(PATH, session, json!({"password": PASSWORD})).await;
    Browser::of(&begun).log_in(world, provider, claims).await
}

#[test]
fn an_account_is_linked_and_unlinked_by_its_owner() {
    // [AUTH229] [AUTH237]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let other = world.photographer("asha@example.com").await;
        let provider = provider(&world).await;
        let world = with(&world, &provider, |_| {}).await;
        subjects(&world).await;
        let shown = async |session: &str| world.get(PATH, session).await.json();
        let none = json!({
            "label": "Studio login", "linked": false, "can_unlink": true, "linked_at": null, "last_used_at": null,
        });
        assert_eq!(shown(&session).await, none);
        for (password, error) in [("", "Password is required"), ("wrong horse", "Invalid current password")] {
            let body = json!({"password": password});
            assert_eq!(world.post(PATH, &session, body).await.error(), (400, error.to_owned()));
        }
        // Whatever address they have there.
        let claims = json!({"sub": "p1", "email": "private@example.org"});
        assert_eq!(link(&world, &provider, &session, claims.clone()).await, "/admin/account#linked");
        assert_eq!(shown(&session).await["linked"], true);
        assert_eq!(subjects(&world).await, ["Single sign-on opens your Afterglow account"]);
        let opened = sign_on(&world, &provider, claims.clone()).await.unwrap();
        assert_eq!(opened["user"]["email"], EMAIL);
        assert_ne!(shown(&session).await["last_used_at"], Value::Null);

        // Neither side has a second one.
        let taken = link(&world, &provider, &other, claims.clone()).await;
        assert_eq!(taken, "/admin/account#refused=single_sign_on_taken");
        let twice = world.post(PATH, &session, json!({"password": PASSWORD})).await.error();
        assert_eq!(twice.0, 409);
        assert_eq!(shown(&other).await["linked"], false);
        assert_eq!(subjects(&world).await, [] as [&str; 0]);

        assert_eq!(unlink(&world, &session, "wrong horse").await.status, 400);
        assert_eq!(unlink(&world, &session, PASSWORD).await.status, 200);
        assert_eq!(subjects(&world).await, ["Single sign-on opens your Afterglow account no more"]);
        assert_eq!(unlink(&world, &session, PASSWORD).await.status, 409);
        let gone = sign_on(&world, &provider, claims).await;
        assert_eq!(refused(gone), "single_sign_on_address_unverified");
    });
}

#[test]
fn a_link_is_begun_and_ended_by_one_browser() {
    // [AUTH223] [AUTH237]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let provider = provider(&world).await;
        let world = with(&world, &provider, |_| {}).await;
        let begun = world.post(PATH, &session, json!({"password": PASSWORD})).await;
        let (owner, thief) = (Browser::of(&begun), Browser::begin(&world, "").await);
        // Somebody who lets the owner's browser link their own login would get in with it.
        let (code, state) = provider.authorize(&owner.url, person("thief", "thief@example.com"));
        let refused = "/login#refused=single_sign_on_expired";
        assert_eq!(thief.come_back(&world, &code, &state).await, refused);
        assert_eq!(world.get(PATH, &session).await.json()["linked"], false);
    });
}

#[test]
fn an_account_that_is_closed_is_linked_to_nothing() {
    // [AUTH240]
    on_both_engines(async |world: World| {
        world.photographer("admin@example.com").await;
        let session = world.photographer(EMAIL).await;
        let provider = provider(&world).await;
        let world = with(&world, &provider, |_| {}).await;
        sign_on(&world, &provider, person("p1", EMAIL)).await.unwrap();
        let browser = Browser::begin(&world, "").await;
        let page = browser.log_in(&world, &provider, person("p1", EMAIL)).await;
        let request = request("DELETE", "/api/auth/me", &session).header("content-type", "application/json");
        let closed =
            world.send(request.body(Body::from(json!({"password": PASSWORD}).to_string())).unwrap()).await;
        assert_eq!(closed.status, 200);
        assert_eq!(browser.open(&world, &page, json!({})).await.status, 400);
        assert_eq!(refused(sign_on(&world, &provider, person("p1", EMAIL)).await), "single_sign_on_unknown");
    });
}

/// What somebody with the password of an account leaves in it: their own login at the provider, a ticket that it got, and a
/// second link under way.
struct Intruder {
    world: World,
    provider: super::Provider,
    claims: Value,
    browser: Browser,
    page: String,
}

impl Intruder {
    async fn link(world: &World, session: &str) -> Self {
        let provider = provider(world).await;
        let world = with(world, &provider, |_| {}).await;
        let claims = json!({"sub": "intruder"});
        assert_eq!(link(&world, &provider, session, claims.clone()).await, "/admin/account#linked");
        let browser = Browser::begin(&world, "").await;
        let page = browser.log_in(&world, &provider, claims.clone()).await;
        Self { world, provider, claims, browser, page }
    }

    async fn is_out(&self) {
        let world = &self.world;
        assert_eq!(self.browser.open(world, &self.page, json!({})).await.status, 400, "the ticket");
        let login = sign_on(world, &self.provider, self.claims.clone()).await;
        assert_eq!(refused(login), "single_sign_on_address_unverified");
    }
}

#[test]
fn a_change_of_address_that_is_taken_back_ends_single_sign_on() {
    // [AUTH243]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let intruder = Intruder::link(&world, &session).await;
        let body = json!({"email": "intruder@example.com", "current_password": PASSWORD});
        assert_eq!(world.put("/api/auth/update-profile", &session, body).await.status, 200);
        let link = world.token_mailed_to(EMAIL, "revoke-email-change").await;
        assert_eq!(world.post("/api/auth/revoke-email-change", "", json!({"token": link})).await.status, 200);
        intruder.is_out().await;
    });
}

#[test]
fn a_password_that_a_mail_sets_ends_single_sign_on_but_for_whoever_has_the_address_there() {
    // [AUTH243]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let intruder = Intruder::link(&world, &session).await;
        world.post("/api/auth/forgot-password", "", json!({"email": EMAIL})).await;
        let link = world.token_mailed_to(EMAIL, "reset-password").await;
        let body = json!({"token": link, "password": "newest horse"});
        assert_eq!(world.post("/api/auth/reset-password", "", body).await.status, 200);
        intruder.is_out().await;
        sign_on(&intruder.world, &intruder.provider, person("owner", EMAIL)).await.unwrap();
    });
}

#[test]
fn a_changed_password_ends_a_link_under_way() {
    // [AUTH244]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let provider = provider(&world).await;
        let world = with(&world, &provider, |_| {}).await;
        let begun = world.post(PATH, &session, json!({"password": PASSWORD})).await;
        let body = json!({"current_password": PASSWORD, "new_password": "newest horse"});
        assert_eq!(world.post("/api/auth/change-password", &session, body).await.status, 200);
        let page = Browser::of(&begun).log_in(&world, &provider, json!({"sub": "intruder"})).await;
        assert_eq!(page, "/login#refused=single_sign_on_expired");
        assert_eq!(world.get(PATH, &session).await.json()["linked"], false);
    });
}

#[test]
fn what_is_unlinked_opens_nothing_with_a_ticket_from_before() {
    // [AUTH237]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let intruder = Intruder::link(&world, &session).await;
        assert_eq!(unlink(&intruder.world, &session, PASSWORD).await.status, 200);
        intruder.is_out().await;
    });
}

/// Sets this password by a mailed link, which ends every session; answers a new one.
async fn reset(world: &World, password: &str) -> String {
    world.post("/api/auth/forgot-password", "", json!({"email": EMAIL})).await;
    let link = world.token_mailed_to(EMAIL, "reset-password").await;
    let body = json!({"token": link, "password": password});
    assert_eq!(world.post("/api/auth/reset-password", "", body).await.status, 200);
    let login = world.post("/api/auth/login", "", json!({"email": EMAIL, "password": password})).await;
    login.json()["token"].as_str().unwrap().to_owned()
}

#[test]
fn an_account_that_was_unlinked_is_not_linked_again_by_its_address() {
    // [AUTH248]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let provider = provider(&world).await;
        let instead = with(&world, &provider, |settings| settings.passwords = Passwords::Instead).await;
        let world = with(&world, &provider, |_| {}).await;
        sign_on(&world, &provider, person("p1", EMAIL)).await.unwrap();
        assert_eq!(unlink(&world, &session, PASSWORD).await.status, 200);
        for subject in ["p1", "p2"] {
            let login = sign_on(&world, &provider, person(subject, EMAIL)).await;
            assert_eq!(refused(login), "single_sign_on_declined", "{subject}");
        }
        assert_eq!(world.get(PATH, &session).await.json()["linked"], false);
        reset(&world, "newest horse").await;
        let login = sign_on(&world, &provider, person("p1", EMAIL)).await;
        assert_eq!(refused(login), "single_sign_on_declined", "a reset leaves it");

        // Without passwords there is no other way in.
        sign_on(&instead, &provider, person("p1", EMAIL)).await.unwrap();
        let session = reset(&world, PASSWORD).await;
        let login = sign_on(&world, &provider, person("p1", EMAIL)).await;
        assert_eq!(refused(login), "single_sign_on_declined", "nobody has linked it from the account");

        let linked = link(&world, &provider, &session, person("p1", EMAIL)).await;
        assert_eq!(linked, "/admin/account#linked");
        sign_on(&world, &provider, person("p1", EMAIL)).await.unwrap();
        reset(&world, "newest horse").await;
        sign_on(&world, &provider, person("p1", EMAIL)).await.unwrap();
    });
}
