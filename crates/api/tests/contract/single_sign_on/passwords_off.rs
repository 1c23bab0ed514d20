//! Single sign-on in the place of passwords.

use axum::body::Body;
use domain::accounts::single_sign_on::Passwords;
use serde_json::{Value, json};

use super::{EMAIL, MINUTE, person, provider, sign_on, with};
use crate::harness::{PASSWORD, World, on_both_engines, request};

async fn delete(world: &World, path: &str, session: &str) -> (u16, String) {
    let request = request("DELETE", path, session).header("content-type", "application/json");
    let answer = world.send(request.body(Body::from("{}")).unwrap()).await;
    let code = answer.json()["code"].as_str().unwrap_or_default().to_owned();
    (answer.status.as_u16(), code)
}

#[test]
fn passwords_are_off_where_single_sign_on_takes_their_place() {
    // [AUTH235]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        world.post("/api/auth/forgot-password", "", json!({"email": EMAIL})).await;
        let reset = world.token_mailed_to(EMAIL, "reset-password").await;
        let provider = provider(&world).await;
        let world = with(&world, &provider, |settings| settings.passwords = Passwords::Instead).await;
        assert_eq!(world.get("/api/site", "").await.json()["passwords"], false);
        let off = (403, String::from("There are no passwords here. Please log in with single sign-on."));
        assert_eq!(world.log_in(EMAIL).await.error(), off);
        assert_eq!(world.register("new@example.com").await.error(), off);
        let forgot = world.post("/api/auth/forgot-password", "", json!({"email": EMAIL})).await;
        assert_eq!(forgot.error(), off);
        let body = json!({"token": reset, "password": "another horse"});
        assert_eq!(world.post("/api/auth/reset-password", "", body).await.error(), off);
        let body = json!({"current_password": PASSWORD, "new_password": "another horse"});
        assert_eq!(world.post("/api/auth/change-password", &session, body).await.error(), off);

        // Sessions go on, and the provider opens new ones.
        assert_eq!(world.get("/api/auth/me", &session).await.status, 200);
        sign_on(&world, &provider, person("p1", EMAIL)).await.unwrap();
        let unlinked = delete(&world, "/api/auth/oidc/link", &session).await;
        assert_eq!(unlinked, (409, String::from("single_sign_on_needed")));
    });
}

#[test]
fn what_asks_for_the_password_asks_for_a_new_login_then() {
    // [AUTH238]
    on_both_engines(async |world: World| {
        world.photographer("admin@example.com").await;
        world.photographer(EMAIL).await;
        let provider = provider(&world).await;
        let world = with(&world, &provider, |settings| settings.passwords = Passwords::Instead).await;
        let session = async || {
            let session = sign_on(&world, &provider, person("p1", EMAIL)).await.unwrap();
            session["token"].as_str().unwrap().to_owned()
        };
        let token = json!({"name": "Lightroom", "scope": "upload", "lifetime_days": 30});
        let old = session().await;
        world.clock.advance(14 * MINUTE);
        assert_eq!(world.post("/api/auth/tokens", &old, token.clone()).await.status, 201);
        world.clock.advance(MINUTE);
        let text = "Please log out, log in again with single sign-on, and do this within 15 minutes.";
        let refused = world.post("/api/auth/tokens", &old, token).await;
        assert_eq!(refused.error(), (403, text.to_owned()));
        // A password opens nothing.
        let body = json!({"password": PASSWORD});
        assert_eq!(world.post("/api/auth/export", &old, body).await.json()["code"], "login_too_old");
        let too_old = (403, String::from("login_too_old"));
        assert_eq!(delete(&world, "/api/auth/me", &old).await, too_old);
        assert_eq!(delete(&world, "/api/auth/me", &session().await).await.0, 200);
    });
}

#[test]
fn the_operators_link_logs_in_without_the_provider() {
    // [AUTH236]
    on_both_engines(async |world: World| {
        world.photographer(EMAIL).await;
        let mut provider = provider(&world).await;
        let world = with(&world, &provider, |settings| settings.passwords = Passwords::Instead).await;
        provider.go_away().await;
        let link = async || {
            let link = app::operations::operator_accounts::login_link(&world.operator(), EMAIL).await;
            link.unwrap().1.strip_prefix("/login#ticket=").unwrap().to_owned()
        };
        let open =
            async |ticket: &str| world.post("/api/auth/oidc/login", "", json!({"ticket": ticket})).await;
        let ticket = link().await;
        world.clock.advance(59 * MINUTE);
        let opened = open(&ticket).await;
        assert_eq!((opened.status.as_u16(), &opened.json()["user"]["email"]), (200, &json!(EMAIL)));
        assert_eq!(open(&ticket).await.status, 400, "it was used");
        let late = link().await;
        world.clock.advance(60 * MINUTE);
        assert_eq!(open(&late).await.status, 400);
        for other in ["", " ", "another"] {
            assert_eq!(open(other).await.json()["code"], "single_sign_on_expired");
        }
        let unknown =
            app::operations::operator_accounts::login_link(&world.operator(), "no@example.com").await;
        assert!(unknown.is_err());
        let site: Value = world.get("/api/site", "").await.json();
        assert_eq!(site["single_sign_on"], "Studio login");
    });
}
