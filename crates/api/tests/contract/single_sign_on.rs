//! Logins at a provider of OpenID Connect.

mod linking;
mod passwords_off;
mod proofs;
mod provider;

use std::time::Duration;

use app::{RoleClaim, SingleSignOn};
use axum::body::Body;
use axum::http::header::{COOKIE, SET_COOKIE};
use domain::accounts::single_sign_on::{Admission, Passwords};
use serde_json::{Value, json};

use crate::harness::{Answer, World, on_both_engines, request};
use crate::second_factors::turn_on;
use provider::{CLIENT_ID, CLIENT_SECRET, Provider, Wrong};

const EMAIL: &str = "meera@example.com";
const MINUTE: Duration = Duration::from_secs(60);

/// The operator's settings.
pub(crate) fn settings(issuer: &str) -> SingleSignOn {
    SingleSignOn {
        issuer: issuer.to_owned(),
        client_id: CLIENT_ID.to_owned(),
        client_secret: String::from(CLIENT_SECRET).into(),
        scopes: String::from("email profile"),
        label: String::from("Studio login"),
        administrators: None,
        passwords: Passwords::Beside,
        admission: Admission::Known,
        second_factors: Vec::new(),
    }
}

/// The same service with single sign-on at this provider.
async fn with(world: &World, provider: &Provider, change: impl FnOnce(&mut SingleSignOn)) -> World {
    let mut process = world.second_process(&world.parts.db).await;
    let mut single_sign_on = settings(&provider.url);
    change(&mut single_sign_on);
    process.parts.settings.single_sign_on = Some(single_sign_on);
    process.restarted().await
}

async fn provider(world: &World) -> Provider {
    Provider::start(&world.clock).await
}

/// A person with a verified address.
fn person(subject: &str, email: &str) -> Value {
    json!({"sub": subject, "email": email, "email_verified": true, "name": "Meera Krishnan"})
}

fn location(answer: &Answer) -> String {
    assert_eq!(answer.status, 302, "{}", String::from_utf8_lossy(&answer.bytes));
    assert_eq!(answer.header("cache-control"), "no-store");
    answer.header("location").to_owned()
}

async fn with_cookie(world: &World, path: &str, cookie: &str) -> Answer {
    world.send(request("GET", path, "").header(COOKIE, cookie).body(Body::empty()).unwrap()).await
}

/// A browser that has begun a login, and is at the provider.
struct Browser {
    /// Where it is.
    url: String,
    cookie: String,
}

impl Browser {
    async fn begin(world: &World, next: &str) -> Self {
        let path = format!("/api/auth/oidc/start?next={next}");
        Self::of(&world.get(&path, "").await)
    }

    fn of(answer: &Answer) -> Self {
        let url = match answer.status.as_u16() {
            200 => answer.json()["url"].as_str().unwrap().to_owned(),
            _ => location(answer),
        };
        let cookie = answer.header(SET_COOKIE.as_str());
        assert!(cookie.contains("; HttpOnly; SameSite=Lax"), "{cookie}");
        Self { url, cookie: cookie.split(';').next().unwrap().to_owned() }
    }

    /// Where the service sends it to when it comes back with this code and state.
    async fn come_back(&self, world: &World, code: &str, state: &str) -> String {
        let path = format!("/api/auth/oidc/callback?code={code}&state={state}");
        location(&with_cookie(world, &path, &self.cookie).await)
    }

    /// The same after this person has logged in at the provider.
    async fn log_in(&self, world: &World, provider: &Provider, person: Value) -> String {
        let (code, state) = provider.authorize(&self.url, person);
        self.come_back(world, &code, &state).await
    }

    /// What the page that it is sent to gets for the ticket in the fragment.
    async fn open(&self, world: &World, location: &str, more: Value) -> Answer {
        let ticket =
            location.strip_prefix("/login#ticket=").unwrap_or_else(|| panic!("no ticket: {location}"));
        let mut body = json!({"ticket": ticket});
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        let request = request("POST", "/api/auth/oidc/login", "")
            .header(COOKIE, &self.cookie)
            .header("content-type", "application/json");
        world.send(request.body(Body::from(body.to_string())).unwrap()).await
    }
}

/// What comes of a whole login at the provider: a session, or the code of a refusal.
async fn sign_on(world: &World, provider: &Provider, person: Value) -> Result<Value, String> {
    let browser = Browser::begin(world, "/admin/events").await;
    let location = browser.log_in(world, provider, person).await;
    if let Some(code) = location.strip_prefix("/login#refused=") {
        return Err(code.to_owned());
    }
    let answer = browser.open(world, &location, json!({})).await;
    match answer.status.as_u16() {
        200 => Ok(answer.json()),
        _ => Err(answer.json()["code"].as_str().unwrap().to_owned()),
    }
}

fn refused<T: std::fmt::Debug>(answer: Result<T, String>) -> String {
    answer.unwrap_err()
}

async fn me(world: &World, session: &Value) -> Value {
    let answer = world.get("/api/auth/me", session["token"].as_str().unwrap()).await;
    assert_eq!(answer.status, 200);
    answer.json()["user"].clone()
}

async fn subjects(world: &World) -> Vec<String> {
    world.drain().await;
    world.mails.take().into_iter().map(|sent| sent.mail.subject).collect()
}

#[test]
fn without_a_provider_there_is_no_single_sign_on() {
    // [AUTH223]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let off = (404, String::from("This service has no single sign-on."));
        for path in ["/api/auth/oidc/start", "/api/auth/oidc/callback?code=a&state=b"] {
            assert_eq!(world.get(path, "").await.error(), off);
        }
        assert_eq!(world.get("/api/auth/oidc/link", &session).await.error(), off);
        let body = json!({"password": crate::harness::PASSWORD});
        assert_eq!(world.post("/api/auth/oidc/link", &session, body).await.error(), off);
        let site = world.get("/api/site", "").await.json();
        assert_eq!((&site["passwords"], &site["single_sign_on"]), (&json!(true), &Value::Null));
    });
}

#[test]
fn a_person_is_known_by_the_providers_name_of_them() {
    // [AUTH223] [AUTH227] [AUTH228] [AUTH229]
    on_both_engines(async |world: World| {
        world.photographer(EMAIL).await;
        let provider = provider(&world).await;
        let world = with(&world, &provider, |_| {}).await;
        let site = world.get("/api/site", "").await.json();
        assert_eq!((&site["passwords"], &site["single_sign_on"]), (&json!(true), &json!("Studio login")));
        subjects(&world).await;

        let session = sign_on(&world, &provider, person("p1", "Meera@Example.com")).await.unwrap();
        assert_eq!(session["next"], "/admin/events");
        assert_eq!(session["user"]["email"], EMAIL);
        let account = me(&world, &session).await;
        assert_eq!(subjects(&world).await, ["Single sign-on opens your Afterglow account"]);

        // The address is nothing any more: another one, or none, changes nothing, and nobody else gets in with it.
        for claims in [
            person("p1", "meera@elsewhere.example"),
            json!({"sub": "p1"}),
            json!({"sub": "p1", "email": EMAIL, "email_verified": false}),
        ] {
            let again = sign_on(&world, &provider, claims).await.unwrap();
            assert_eq!(me(&world, &again).await["id"], account["id"]);
        }
        assert_eq!(refused(sign_on(&world, &provider, person("p2", EMAIL)).await), "single_sign_on_linked");
        assert_eq!(subjects(&world).await, [] as [&str; 0]);
        // Passwords go on.
        assert_eq!(world.log_in(EMAIL).await.status, 200);
    });
}

#[test]
fn an_account_is_found_by_an_address_that_both_sides_know() {
    // [AUTH228] [AUTH230]
    on_both_engines(async |world: World| {
        world.photographer(EMAIL).await;
        world.register("waiting@example.com").await;
        let provider = provider(&world).await;
        let world = with(&world, &provider, |_| {}).await;
        for (claims, code) in [
            (
                json!({"sub": "p1", "email": EMAIL, "email_verified": false}),
                "single_sign_on_address_unverified",
            ),
            (json!({"sub": "p1", "email": EMAIL}), "single_sign_on_address_unverified"),
            (json!({"sub": "p1"}), "single_sign_on_address_unverified"),
            (person("p1", "waiting@example.com"), "single_sign_on_account_unverified"),
            (person("p1", "nobody@example.com"), "single_sign_on_unknown"),
            // The same mailbox to us, perhaps, but the provider has not said so.
            (person("p1", "ｍeera@example.com"), "single_sign_on_unknown"),
        ] {
            assert_eq!(refused(sign_on(&world, &provider, claims.clone()).await), code, "{claims}");
        }
        // What was refused has left nothing behind.
        sign_on(&world, &provider, person("p1", EMAIL)).await.unwrap();
    });
}

#[test]
fn everybody_gets_an_account_where_the_operator_says_so() {
    // [AUTH230]
    on_both_engines(async |world: World| {
        world.photographer(EMAIL).await;
        let provider = provider(&world).await;
        let world = with(&world, &provider, |settings| settings.admission = Admission::Everybody).await;
        let asha = person("p2", "asha@example.com");
        let session = sign_on(&world, &provider, asha.clone()).await.unwrap();
        let account = me(&world, &session).await;
        assert_eq!(account["name"], "Meera Krishnan");
        assert_eq!((&account["email_verified"], &account["is_admin"]), (&json!(true), &json!(false)));
        assert_eq!(me(&world, &sign_on(&world, &provider, asha).await.unwrap()).await["id"], account["id"]);
        // It has no password, and gets one by mail.
        assert_eq!(world.log_in("asha@example.com").await.status, 401);
        let unverified = json!({"sub": "p3", "email": "ravi@example.com", "email_verified": false});
        assert_eq!(
            refused(sign_on(&world, &provider, unverified).await),
            "single_sign_on_address_unverified"
        );
    });
}

#[test]
fn what_the_provider_keeps_for_itself_is_asked_for() {
    // [AUTH228] [AUTH232]
    on_both_engines(async |world: World| {
        world.photographer(EMAIL).await;
        world.photographer("asha@example.com").await;
        let provider = provider(&world).await;
        let claim = RoleClaim { name: String::from("groups"), value: String::from("admins") };
        let world = with(&world, &provider, |settings| settings.administrators = Some(claim)).await;
        provider.keep_for_userinfo(&["email", "email_verified", "groups"]);
        let mut asha = person("p2", "asha@example.com");
        asha["groups"] = json!(["staff", "admins"]);
        let session = sign_on(&world, &provider, asha).await.unwrap();
        assert_eq!(session["user"]["is_admin"], true);
        assert!(provider.requests().iter().any(|request| request == "userinfo"));
    });
}

#[test]
fn the_role_follows_the_claim_but_the_last_administrator_stays() {
    // [AUTH232]
    on_both_engines(async |world: World| {
        world.photographer(EMAIL).await;
        world.photographer("asha@example.com").await;
        let provider = provider(&world).await;
        let plain = with(&world, &provider, |_| {}).await;
        let claim = RoleClaim { name: String::from("groups"), value: String::from("admins") };
        let world = with(&world, &provider, |settings| settings.administrators = Some(claim)).await;
        let claims = |subject: &str, email: &str, groups: Value| {
            let mut claims = person(subject, email);
            claims["groups"] = groups;
            claims
        };
        let is_admin = async |world: &World, claims: Value| {
            sign_on(world, &provider, claims).await.unwrap()["user"]["is_admin"].clone()
        };
        let (admins, staff) = (json!(["staff", "admins"]), json!(["staff"]));
        // Nobody else is an administrator.
        assert_eq!(is_admin(&world, claims("p1", EMAIL, staff.clone())).await, true);
        assert_eq!(is_admin(&world, claims("p2", "asha@example.com", admins)).await, true);
        assert_eq!(is_admin(&world, claims("p1", EMAIL, staff.clone())).await, false);
        assert_eq!(is_admin(&world, claims("p2", "asha@example.com", staff.clone())).await, true);
        assert_eq!(is_admin(&world, claims("p1", EMAIL, json!("admins"))).await, true);
        assert_eq!(is_admin(&world, person("p2", "asha@example.com")).await, false, "no claim at all");
        // Without the setting a claim is nothing.
        assert_eq!(is_admin(&plain, claims("p1", EMAIL, staff)).await, true);
    });
}

#[test]
fn the_second_factor_is_asked_for_as_after_a_password() {
    // [AUTH233] [AUTH234]
    on_both_engines(async |world: World| {
        let own = world.photographer(EMAIL).await;
        let (secret, codes) = turn_on(&world, &own).await;
        let provider = provider(&world).await;
        let strict = with(&world, &provider, |_| {}).await;
        let mut claims = person("p1", EMAIL);
        claims["amr"] = json!(["pwd", "mfa"]);

        let browser = Browser::begin(&strict, "").await;
        let location = browser.log_in(&strict, &provider, claims.clone()).await;
        let asked = browser.open(&strict, &location, json!({})).await;
        assert_eq!(asked.status, 403);
        assert_eq!(asked.json()["code"], "second_factor_required");
        assert_eq!(asked.json()["second_factor"]["authenticator_app"], true);
        let wrong = browser.open(&strict, &location, json!({"code": "000000"})).await;
        assert_eq!(wrong.json()["code"], "second_factor_wrong");
        let code = app::accounts::second_factors::code_at(&secret, strict.app.now()).unwrap();
        let right = browser.open(&strict, &location, json!({"code": code})).await;
        assert_eq!(right.status, 200);
        assert_eq!(right.json()["next"], "/admin/overview");
        let used = browser.open(&strict, &location, json!({"code": codes[0]})).await;
        assert_eq!(used.json()["code"], "single_sign_on_expired");

        // The operator takes the provider's word for it.
        let trusting =
            with(&world, &provider, |settings| settings.second_factors = vec![String::from("mfa")]).await;
        let session = sign_on(&trusting, &provider, claims.clone()).await.unwrap();
        let session = session["token"].as_str().unwrap();
        let shown = trusting.get("/api/auth/second-factor", session).await.json();
        assert_eq!(shown["administration"], "nothing");
        assert_eq!(
            refused(sign_on(&trusting, &provider, person("p1", EMAIL)).await),
            "second_factor_required"
        );
        claims["amr"] = json!(["pwd"]);
        claims["acr"] = json!("mfa");
        sign_on(&trusting, &provider, claims.clone()).await.unwrap();
        claims["acr"] = json!("urn:mfa");
        assert_eq!(refused(sign_on(&trusting, &provider, claims).await), "second_factor_required");
    });
}

#[test]
fn a_locked_account_is_not_opened() {
    // [AUTH239]
    on_both_engines(async |world: World| {
        world.photographer("admin@example.com").await;
        world.photographer(EMAIL).await;
        let provider = provider(&world).await;
        let world = with(&world, &provider, |_| {}).await;
        sign_on(&world, &provider, person("p1", EMAIL)).await.unwrap();
        let browser = Browser::begin(&world, "").await;
        let location = browser.log_in(&world, &provider, person("p1", EMAIL)).await;
        let operator = world.operator();
        let user = app::operations::operators::user(&operator, EMAIL).await.unwrap();
        let reason = domain::operations::administration::Reason::parse("A dispute").unwrap();
        let lock = app::operations::administration::accounts::lock;
        lock(&operator.administration(), user.id, &reason).await.unwrap();
        let answer = browser.open(&world, &location, json!({})).await;
        assert_eq!((answer.status.as_u16(), &answer.json()["code"]), (403, &json!("account_locked")));
        assert_eq!(refused(sign_on(&world, &provider, person("p1", EMAIL)).await), "account_locked");
    });
}

#[test]
fn the_provider_being_away_is_said_and_passwords_go_on() {
    // [AUTH231]
    on_both_engines(async |world: World| {
        world.photographer(EMAIL).await;
        let mut provider = provider(&world).await;
        let world = with(&world, &provider, |_| {}).await;
        let browser = Browser::begin(&world, "").await;
        provider.be(Wrong::Broken);
        let broken = browser.log_in(&world, &provider, person("p1", EMAIL)).await;
        assert_eq!(broken, "/login#refused=single_sign_on_unavailable");

        provider.go_away().await;
        let world = world.restarted().await;
        let away = location(&world.get("/api/auth/oidc/start?next=/admin", "").await);
        assert_eq!(away, "/login#refused=single_sign_on_unavailable");
        let session = world.log_in(EMAIL).await.json()["token"].as_str().unwrap().to_owned();
        let body = json!({"password": crate::harness::PASSWORD});
        let text = "Single sign-on is not reachable right now. Please try again in a few minutes.";
        assert_eq!(world.post("/api/auth/oidc/link", &session, body).await.error(), (503, text.to_owned()));
    });
}

#[test]
fn logins_are_limited_as_with_passwords() {
    // [AUTH242]
    on_both_engines(async |world: World| {
        let provider = provider(&world).await;
        let mut world = with(&world, &provider, |_| {}).await;
        world.parts.settings.limits.logins = 2;
        let world = world.restarted().await;
        for _ in 0..2 {
            Browser::begin(&world, "").await;
        }
        assert_eq!(
            location(&world.get("/api/auth/oidc/start", "").await),
            "/login#refused=too_many_requests"
        );
        assert_eq!(world.log_in(EMAIL).await.status, 429);
    });
}
