//! Invalid requests of every kind to every endpoint of the contract; `answers.txt` has the responses, one line a case,
//! which are the same on both engines.
//!
//! A new endpoint of the contract fails this test until it has a row in [`endpoints`]. After a change of responses,
//! `ANSWERS=write cargo test --workspace --test contract hostile` rewrites the file; review every changed line.

mod access;
mod administration;
mod albums;
mod client_selections;
pub(crate) mod endpoint;
pub(crate) mod endpoints;
mod ftp_access;
mod guest_photos;
mod guests;
mod inputs;
mod invoices;
mod photo_lists;
mod programs;
mod statistics;
mod studios;
mod teams;
mod trash;
mod walls;

use std::collections::{BTreeMap, BTreeSet};

use axum::body::Body;
use axum::http::Request;
use domain::UserId;
use domain::accounts::EmailAddress;
use serde_json::json;

use crate::harness::{Answer, PASSWORD, RED, World, on_both_engines, photo};
use endpoint::{Endpoint, Who};

/// The answer of an endpoint that asks for a login.
const SIGN_IN: &str = "401 sign_in_required | Please log in to continue.";

/// The values of the placeholders: resources of Meera, the caller, and of Ravi, another photographer.
struct Cast {
    names: BTreeMap<&'static str, String>,
    meera: UserId,
    /// The token of an account that is no photographer.
    visitor: UserId,
}

pub(crate) async fn user_id(world: &World, token: &str) -> UserId {
    let me = world.get("/api/auth/me", token).await.json();
    me["user"]["id"].as_str().unwrap().parse().unwrap()
}

impl Cast {
    async fn enter(world: &World) -> Self {
        let mut names = BTreeMap::new();
        let (meera, ravi) =
            (world.photographer("meera@example.com").await, world.photographer("ravi@example.com").await);
        for (who, token) in [("my", &meera), ("their", &ravi)] {
            let account = user_id(world, token).await.to_string();
            let key: &'static str = format!("{{{who}.account}}").leak();
            names.insert(key, account);
            let event = world.event(token, "Party").await;
            crate::browsing::let_guests_browse(world, token, &event).await;
            let photo = world.upload(token, &event, "a.jpg", &photo(&[RED], 0)).await.json();
            let order =
                world.post("/api/payments/create-order", token, json!({"amount": 10_000})).await.json();
            let full = world.event(token, "Over").await;
            world.upload(token, &full, "b.jpg", &crate::harness::photo(&[RED], 1)).await;
            let path = format!("/api/events/{}", full["id"].as_str().unwrap());
            let task = world.delete(&path, token).await.json();
            for (name, value) in [
                ("event", &event["id"]),
                ("slug", &event["slug"]),
                ("photo", &photo["id"]),
                ("order", &order["order_id"]),
                ("task", &task["task_id"]),
            ] {
                let key: &'static str = format!("{{{who}.{name}}}").leak();
                names.insert(key, value.as_str().unwrap().to_owned());
            }
        }
        let visitor = world.app.id::<UserId>();
        let new = storage::accounts::users::NewUser {
            id: visitor,
            email: EmailAddress::parse("visitor@example.com").unwrap(),
            name: String::from("Visitor"),
            password_hash: String::from("none"),
            is_photographer: false,
            language: domain::accounts::languages::AccountLanguage::English,
            created_at: world.app.now(),
        };
        let mut tx = world.parts.db.begin().await.unwrap();
        assert!(storage::accounts::users::create(&mut tx, &new).await.unwrap());
        assert!(
            storage::accounts::users::verify_email(&mut tx, visitor, &new.email, world.app.now())
                .await
                .unwrap()
        );
        tx.commit().await.unwrap();
        let meera = user_id(world, &meera).await;
        Self { names, meera, visitor }
    }

    fn fill(&self, text: &str) -> String {
        self.names.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
    }
}

/// A new session, valid for a day.
pub(crate) async fn session(world: &World, user: UserId) -> String {
    session_for(world, user, domain::DAY).await
}

/// A session that has expired.
pub(crate) async fn expired_session(world: &World, user: UserId) -> String {
    session_for(world, user, std::time::Duration::ZERO).await
}

async fn session_for(world: &World, user: UserId, lifetime: std::time::Duration) -> String {
    let (token, now) = (world.parts.randomness.token(), world.app.now());
    let mut tx = world.parts.db.begin().await.unwrap();
    storage::accounts::sessions::create(
        &mut tx,
        &token.hash(),
        user,
        &domain::accounts::devices::Device::default(),
        now,
        now.plus(lifetime),
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();
    token.reveal()
}

/// The bearer tokens that are tried, by what is wrong with them.
async fn tokens(world: &World, cast: &Cast) -> Vec<(&'static str, String)> {
    let expired = expired_session(world, cast.meera).await;
    let revoked = session(world, cast.meera).await;
    assert_eq!(world.post("/api/auth/logout", &revoked, json!({})).await.status, 200);
    vec![
        ("no token", String::new()),
        ("a made-up token", String::from("made-up")),
        ("an expired token", expired),
        ("a revoked token", revoked),
    ]
}

/// A request and its description in the file.
pub(crate) struct Case {
    pub(crate) label: String,
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) token: String,
    pub(crate) kind: Option<&'static str>,
    pub(crate) body: Vec<u8>,
}

/// A response as a line of the file: the text of an error, only the status of a success.
fn shown(case: &Case, answer: &Answer) -> String {
    let status = answer.status.as_u16();
    let Case { label, method, path, .. } = case;
    assert!(status < 500, "{method} {path} < {label}: {status}: {}", String::from_utf8_lossy(&answer.bytes));
    if status < 400 {
        return status.to_string();
    }
    // An answer to HEAD has no body.
    if answer.bytes.is_empty() {
        return format!("{status} -");
    }
    let json = answer.json();
    format!("{status} {} | {}", json["code"].as_str().unwrap(), json["error"].as_str().unwrap())
}

async fn send(world: &World, case: &Case) -> Option<Answer> {
    let mut request = Request::builder().method(case.method.as_str()).uri(&case.path);
    if !case.token.is_empty() {
        request = request.header("authorization", format!("Bearer {}", case.token));
    }
    if let Some(kind) = case.kind {
        request = request.header("content-type", kind);
    }
    for (name, value) in endpoint::headers(&case.path) {
        request = request.header(*name, *value);
    }
    // An invalid URI never reaches a server.
    let request = request.body(Body::from(case.body.clone())).ok()?;
    Some(world.send(request).await)
}

async fn cases(world: &World, cast: &Cast, endpoint: &Endpoint) -> Vec<Case> {
    let path = cast.fill(endpoint.path_of_mine);
    let plain = |label: &str, token: &str| Case {
        label: label.to_owned(),
        method: endpoint.method.to_owned(),
        path: path.clone(),
        token: token.to_owned(),
        kind: endpoint.body.kind(),
        body: cast.fill_bytes(&endpoint.body.valid()),
    };
    let mut cases = Vec::new();
    let token = match endpoint.who {
        Who::Anybody => String::new(),
        Who::SignedIn | Who::Photographer | Who::Administrator => session(world, cast.meera).await,
    };
    if endpoint.who == Who::Photographer {
        cases.push(plain("no photographer", &session(world, cast.visitor).await));
    }
    if endpoint.who == Who::Administrator {
        cases.push(plain("no administrator", &session(world, cast.visitor).await));
    }
    for method in ["PATCH", "TRACE", "BREW"] {
        cases.push(Case { method: method.to_owned(), ..plain(&format!("method {method}"), &token) });
    }
    for (label, path) in endpoint.paths {
        cases.push(Case { path: cast.fill(path), ..plain(label, &token) });
    }
    for (label, path) in inputs::paths(endpoint) {
        cases.push(Case { path: cast.fill(&path), ..plain(&label, &token) });
    }
    for (label, kind, body) in inputs::bodies(endpoint) {
        cases.push(Case { kind, body: cast.fill_bytes(&body), ..plain(&label, &token) });
    }
    // Last, because it may end the session: valid requests for resources of another account.
    cases.push(plain("what the endpoint is for", &token));
    cases
}

/// What every kind of token that is not good is answered, none included: all the same. Of a public endpoint, which must ignore
/// them, that is what the file has; the others ask for a login.
async fn without_login(world: &World, cast: &Cast, endpoint: &Endpoint) -> Option<String> {
    let what = format!("{} {}", endpoint.method, endpoint.path);
    let mut answers = BTreeMap::new();
    for (label, token) in tokens(world, cast).await {
        let case = Case {
            label: label.to_owned(),
            method: endpoint.method.to_owned(),
            path: cast.fill(endpoint.path_of_mine),
            token,
            kind: endpoint.body.kind(),
            // Without a body a request to a public endpoint has no effect.
            body: if endpoint.who == Who::Anybody {
                Vec::new()
            } else {
                cast.fill_bytes(&endpoint.body.valid())
            },
        };
        let answer = send(world, &case).await.unwrap();
        answers.insert(shown(&case, &answer), label);
    }
    assert_eq!(answers.len(), 1, "{what} tells tokens apart that are not good: {answers:?}");
    let answer = answers.into_keys().next().unwrap();
    if endpoint.who == Who::Anybody {
        return Some(format!("{what} < no token, or one that is not good > {answer}\n"));
    }
    let sign_in = if endpoint.method == "HEAD" { "401 -" } else { SIGN_IN };
    assert_eq!(answer, sign_in, "{what}");
    None
}

impl Cast {
    fn fill_bytes(&self, bytes: &[u8]) -> Vec<u8> {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.fill(text).into_bytes(),
            Err(_) => bytes.to_vec(),
        }
    }
}

#[test]
fn every_endpoint_refuses_every_invalid_input_with_a_text() {
    // [ERR001] [ERR004] [ERR005] [ERR007] [ERR008] [ERR011] [ERR015] [ERR016] [SAFE028] [SAFE029] [SAFE030] [SAFE031]
    // [SAFE033] [SAFE034]
    let contract: BTreeSet<(String, String)> = api::operations().into_iter().collect();
    let rows: BTreeSet<(String, String)> = endpoints::all()
        .iter()
        .map(|endpoint| (endpoint.method.to_owned(), endpoint.path.to_owned()))
        .collect();
    assert_eq!(contract, rows, "every operation of the contract has a row in hostile/endpoints.rs");

    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/contract/answers.txt");
    let expected = std::fs::read_to_string(file).unwrap_or_default();
    on_both_engines(async |world: World| {
        let cast = Cast::enter(&world).await;
        let mut lines = String::new();
        for endpoint in endpoints::all() {
            lines.extend(without_login(&world, &cast, &endpoint).await);
            for case in cases(&world, &cast, &endpoint).await {
                let Some(answer) = send(&world, &case).await else { continue };
                let what = format!("{} {}", endpoint.method, endpoint.path);
                lines.push_str(&format!("{what} < {} > {}\n", case.label, shown(&case, &answer)));
            }
        }
        if std::env::var_os("ANSWERS").is_some_and(|what| what == "write") {
            std::fs::write(file, &lines).unwrap();
            return;
        }
        for (number, (found, wanted)) in lines.lines().zip(expected.lines()).enumerate() {
            assert_eq!(found, wanted, "{:?}, line {} of answers.txt", world.parts.db.engine(), number + 1);
        }
        assert_eq!(lines.lines().count(), expected.lines().count());
        // None of it changed the caller's account: the password is the old one.
        assert_eq!(
            world
                .post("/api/auth/login", "", json!({"email": "meera@example.com", "password": PASSWORD}))
                .await
                .status,
            200
        );
    });
}

#[test]
fn an_account_that_is_no_photographer_has_no_events() {
    // [API032]
    on_both_engines(async |world: World| {
        let cast = Cast::enter(&world).await;
        let token = session(&world, cast.visitor).await;
        let answer = world.get("/api/events/", &token).await;
        assert_eq!((answer.status.as_u16(), answer.json()), (200, json!([])));
        assert_eq!(world.get("/api/auth/me", &token).await.json()["user"]["is_photographer"], false);
    });
}
