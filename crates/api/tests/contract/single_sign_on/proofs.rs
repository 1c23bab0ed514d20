//! What proves nobody.

use axum::http::header::SET_COOKIE;
use serde_json::json;

use super::{
    Browser, EMAIL, MINUTE, Provider, Wrong, location, person, provider, refused, sign_on, with, with_cookie,
};
use crate::harness::{World, on_both_engines};

#[test]
fn an_id_token_that_is_not_right_logs_nobody_in() {
    // [AUTH225]
    on_both_engines(async |world: World| {
        world.photographer(EMAIL).await;
        let provider = provider(&world).await;
        let world = with(&world, &provider, |_| {}).await;
        let now = world.app.now().as_millis() / 1_000;
        for wrong in [
            Wrong::Claims(json!({"nonce": "another"})),
            Wrong::Claims(json!({"nonce": null})),
            Wrong::Claims(json!({"aud": "another client"})),
            Wrong::Claims(json!({"aud": ["afterglow", "another client"]})),
            Wrong::Claims(json!({"iss": "https://another.example"})),
            Wrong::Claims(json!({"exp": now - 1, "iat": now - 600})),
            Wrong::Unsigned,
            Wrong::SignedWithSecret,
            Wrong::OtherKey,
            Wrong::NoToken,
        ] {
            provider.be(wrong.clone());
            let answer = sign_on(&world, &provider, person("p1", EMAIL)).await;
            assert_eq!(refused(answer), "single_sign_on_refused", "{wrong:?}");
        }
        // The same is right once nothing is wrong.
        provider.be(Wrong::Nothing);
        sign_on(&world, &provider, person("p1", EMAIL)).await.unwrap();
    });
}

#[test]
fn keys_are_read_once_and_again_where_one_is_unknown() {
    // [AUTH225]
    on_both_engines(async |world: World| {
        world.photographer(EMAIL).await;
        let provider = provider(&world).await;
        let world = with(&world, &provider, |_| {}).await;
        let read =
            |provider: &Provider| provider.requests().iter().filter(|request| *request == "keys").count();
        for _ in 0..3 {
            sign_on(&world, &provider, person("p1", EMAIL)).await.unwrap();
        }
        assert_eq!(read(&provider), 1);
        provider.change_keys();
        for _ in 0..2 {
            sign_on(&world, &provider, person("p1", EMAIL)).await.unwrap();
        }
        assert_eq!(read(&provider), 2);
    });
}

#[test]
fn a_login_is_good_once_for_ten_minutes_in_the_browser_that_began_it() {
    // [AUTH223]
    on_both_engines(async |world: World| {
        world.photographer(EMAIL).await;
        let provider = provider(&world).await;
        let world = with(&world, &provider, |_| {}).await;
        let expired = "/login#refused=single_sign_on_expired";
        let (one, other) = (Browser::begin(&world, "").await, Browser::begin(&world, "").await);
        let (code, state) = provider.authorize(&one.url, person("p1", EMAIL));
        assert_eq!(other.come_back(&world, &code, &state).await, expired, "another browser");
        let path = format!("/api/auth/oidc/callback?code={code}&state={state}");
        assert_eq!(location(&world.get(&path, "").await), expired, "no cookie");
        assert_eq!(one.come_back(&world, &code, "another").await, expired);
        assert_eq!(one.come_back(&world, &code, "").await, expired);
        assert!(one.come_back(&world, &code, &state).await.starts_with("/login#ticket="));
        assert_eq!(one.come_back(&world, &code, &state).await, expired, "it was used");

        // Somebody else's code does not fit: PKCE.
        let (_, state) = provider.authorize(&other.url, person("p1", EMAIL));
        let victim = Browser::begin(&world, "").await;
        let (code, _) = provider.authorize(&victim.url, person("p1", EMAIL));
        let mixed = other.come_back(&world, &code, &state).await;
        assert_eq!(mixed, "/login#refused=single_sign_on_refused");

        let late = Browser::begin(&world, "").await;
        let (code, state) = provider.authorize(&late.url, person("p1", EMAIL));
        world.clock.advance(10 * MINUTE);
        assert_eq!(late.come_back(&world, &code, &state).await, expired);
    });
}

#[test]
fn the_provider_may_refuse() {
    // [AUTH223]
    on_both_engines(async |world: World| {
        let provider = provider(&world).await;
        let world = with(&world, &provider, |_| {}).await;
        let browser = Browser::begin(&world, "").await;
        let (_, state) = provider.authorize(&browser.url, person("p1", EMAIL));
        let path = format!("/api/auth/oidc/callback?error=access_denied&state={state}");
        let refused = location(&with_cookie(&world, &path, &browser.cookie).await);
        assert_eq!(refused, "/login#refused=single_sign_on_refused");
    });
}

#[test]
fn a_ticket_is_good_once_in_the_browser_that_got_it() {
    // [AUTH226] [AUTH227]
    on_both_engines(async |world: World| {
        world.photographer(EMAIL).await;
        let provider = provider(&world).await;
        let world = with(&world, &provider, |_| {}).await;
        let other = Browser::begin(&world, "").await;
        for (next, path) in [
            ("/admin/event/a1?tab=photos", "/admin/event/a1?tab=photos"),
            ("https://evil.example", "/admin/overview"),
            ("//evil.example", "/admin/overview"),
            ("%2F%5Cevil.example", "/admin/overview"),
        ] {
            let browser = Browser::begin(&world, next).await;
            let page = browser.log_in(&world, &provider, person("p1", EMAIL)).await;
            let stolen = other.open(&world, &page, json!({})).await;
            assert_eq!(
                (stolen.status.as_u16(), &stolen.json()["code"]),
                (400, &json!("single_sign_on_expired"))
            );
            let opened = browser.open(&world, &page, json!({})).await;
            assert_eq!(opened.json()["next"], path);
            assert!(opened.header(SET_COOKIE.as_str()).contains("=; Path=/api/auth/oidc; Max-Age=0"));
            assert_eq!(browser.open(&world, &page, json!({})).await.status, 400, "it was used");
        }
        let browser = Browser::begin(&world, "").await;
        let page = browser.log_in(&world, &provider, person("p1", EMAIL)).await;
        world.clock.advance(10 * MINUTE);
        assert_eq!(browser.open(&world, &page, json!({})).await.status, 400, "it has expired");
    });
}

#[test]
fn the_cookie_is_for_https_alone_where_the_service_is() {
    // [AUTH227]
    on_both_engines(async |world: World| {
        let provider = provider(&world).await;
        let mut world = with(&world, &provider, |_| {}).await;
        let cookie = |answer: &crate::harness::Answer| answer.header(SET_COOKIE.as_str()).to_owned();
        let plain = cookie(&world.get("/api/auth/oidc/start", "").await);
        assert!(
            plain.contains("Max-Age=600; HttpOnly; SameSite=Lax") && !plain.contains("Secure"),
            "{plain}"
        );
        world.parts.settings.public_url = String::from("https://photos.example");
        let world = world.restarted().await;
        let answer = world.get("/api/auth/oidc/start", "").await;
        assert!(cookie(&answer).ends_with("; Secure"));
        let redirect = "redirect_uri=https%3A%2F%2Fphotos.example%2Fapi%2Fauth%2Foidc%2Fcallback";
        assert!(location(&answer).contains(redirect));
    });
}
