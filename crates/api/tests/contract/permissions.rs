//! Who gets what: every route × every kind of caller.
//!
//! The rows are those of `hostile/endpoints.rs`, which has every operation of the contract, and [`OUTSIDE_THE_CONTRACT`];
//! that no route lacks one is read from the router itself. What a caller gets follows from the row's [`Audience`] and is
//! a rule here; where the rule leaves the code open, `permissions.txt` has it. After a change,
//! `PERMISSIONS=write cargo test --workspace --test contract permissions` writes that file; review every changed line.

mod callers;
mod requests;
mod rights;
mod scene;
mod tokens;
mod without_pin;

use std::collections::{BTreeMap, BTreeSet};

use axum::body::Body;
use axum::http::Request;
use domain::accounts::api_tokens::{Reach, Scope};
use domain::team::Right;
use serde_json::{Value, json};

use crate::harness::{Answer, World, on_both_engines};
use crate::hostile::endpoint::{self, Who};
use crate::hostile::endpoints;
use crate::hostile::session;
use requests::Wish;
use scene::{Account, Scene};
use tokens::Tokens;
use without_pin::{WEB_APP, WITHOUT_PIN};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Caller {
    Nobody,
    /// With a session of an account whose address was never verified.
    Unverified,
    /// Whom the resources of the request belong to.
    Photographer,
    AnotherPhotographer,
    ExpiredToken,
    RevokedToken,
    /// Whose links are all 31 days old and belong to an event that was deleted; also tries one of them as bearer token.
    GuestWithStaleLink,
    /// Whose links are good and belong to an event that asks for a PIN by now.
    GuestWithoutPin,
    /// A program of the photographer's, with an API token for uploads.
    UploadToken,
    /// The same with one for everything.
    FullToken,
    /// A manager of the event that the request is about, where it is about one.
    Manager,
    /// A contributor to it, who has uploaded nothing.
    Contributor,
}

impl Caller {
    const ALL: [Self; 12] = [
        Self::Nobody,
        Self::Unverified,
        Self::Photographer,
        Self::AnotherPhotographer,
        Self::ExpiredToken,
        Self::RevokedToken,
        Self::GuestWithStaleLink,
        Self::GuestWithoutPin,
        Self::UploadToken,
        Self::FullToken,
        Self::Manager,
        Self::Contributor,
    ];

    /// The order in which they call: the owner last, so that a refusal without effect is what lets them succeed.
    const IN_ORDER_OF_CALLS: [Self; 12] = [
        Self::Nobody,
        Self::Unverified,
        Self::ExpiredToken,
        Self::RevokedToken,
        Self::GuestWithStaleLink,
        Self::GuestWithoutPin,
        Self::AnotherPhotographer,
        Self::UploadToken,
        Self::Contributor,
        Self::Manager,
        Self::FullToken,
        Self::Photographer,
    ];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Audience {
    /// A bearer token makes no difference.
    Anybody,
    /// Whoever holds a session.
    SignedIn,
    /// Administrators, of whom the photographer is one there.
    Administrator,
    /// The holder of the operator's token, who is none of the callers.
    Operator,
}

struct Row {
    method: &'static str,
    route: &'static str,
    audience: Audience,
    wish: Wish,
}

const fn outside(
    method: &'static str,
    route: &'static str,
    audience: Audience,
    path: &'static str,
) -> (&'static str, &'static str, Audience, &'static str) {
    (method, route, audience, path)
}

/// The calls that an API token for uploads reaches: to find the event, to ask which files are there, to send the others, and
/// to see what became of them.
const FOR_UPLOADS: [(&str, &str); 11] = [
    ("GET", "/api/events/"),
    ("GET", "/api/events"),
    ("GET", "/api/events/search"),
    ("POST", "/api/photos/known"),
    ("POST", "/api/photos/versions"),
    ("POST", "/api/photos/upload"),
    ("POST", "/api/photos/uploads"),
    ("HEAD", "/api/photos/uploads/{id}"),
    ("PATCH", "/api/photos/uploads/{id}"),
    ("DELETE", "/api/photos/uploads/{id}"),
    ("GET", "/api/photos/{id}/status"),
];

/// What no API token reaches: the account itself, its tokens and sessions, money, where its links lead, and what administrators look after.
const FOR_SESSIONS: [&str; 6] = [
    "/api/auth/",
    "/api/payments/",
    "/api/validate-coupon",
    "/api/administration/",
    "/api/setup/",
    "/api/studio/host",
];

/// What a call needs of a member of an event's team. Of what is not about the event a member gets what a stranger gets.
fn right(row: &Row) -> Option<Right> {
    let is_about_it = row.wish.is_about_an_event() && row.audience == Audience::SignedIn;
    is_about_it.then(|| rights::of(row.method, row.route))
}

/// What a signed-in call asks of an API token.
fn reach(row: &Row) -> Reach {
    // Which of the three methods it is stands in a header.
    let overridden = ("POST", "/api/photos/uploads/{id}");
    match (row.method, row.route) {
        ("GET", "/api/auth/me") => Reach::All,
        ("PUT", "/api/events/{event}/ftp") => Reach::Session,
        call if FOR_UPLOADS.contains(&call) || call == overridden => Reach::Upload,
        (_, route) if FOR_SESSIONS.iter().any(|start| route.starts_with(start)) => Reach::Session,
        _ => Reach::All,
    }
}

/// Method, route, audience, and a path of it.
const OUTSIDE_THE_CONTRACT: [(&str, &str, Audience, &str); 19] = [
    outside("GET", "/api/events", Audience::SignedIn, "/api/events"),
    outside("POST", "/api/events", Audience::SignedIn, "/api/events"),
    outside("GET", "/metrics", Audience::Operator, "/metrics"),
    outside("POST", "/api/probe", Audience::Anybody, "/api/probe"),
    outside("GET", "/api", Audience::Anybody, "/api"),
    outside("GET", "/api/", Audience::Anybody, "/api/"),
    outside("GET", "/api/{*rest}", Audience::Anybody, "/api/no/such/path"),
    outside("POST", "/api/{*rest}", Audience::Anybody, "/api/no/such/path"),
    outside("GET", "/robots.txt", Audience::Anybody, "/robots.txt"),
    outside("GET", "/.well-known/security.txt", Audience::Anybody, "/.well-known/security.txt"),
    outside("GET", "/covers/{name}", Audience::Anybody, "/covers/{my.slug}.svg"),
    outside(
        "GET",
        "/event/{slug}/manifest.webmanifest",
        Audience::Anybody,
        "/event/{my.slug}/manifest.webmanifest",
    ),
    outside("GET", "/event/{slug}/calendar.ics", Audience::Anybody, "/event/{my.slug}/calendar.ics"),
    outside("GET", "/wall/{secret}", Audience::Anybody, "/wall/{guest.wall}"),
    outside("GET", "/renditions/{photo}/{size}/{expires}/{name}", Audience::Anybody, "{guest.rendition}"),
    outside("GET", "/", Audience::Anybody, "/"),
    outside("GET", WEB_APP, Audience::Anybody, "/admin/overview"),
    outside("GET", WEB_APP, Audience::Anybody, "/event/{my.slug}"),
    outside("GET", WEB_APP, Audience::Anybody, "/assets/none.js"),
];

fn rows() -> Vec<Row> {
    let contract = endpoints::all().into_iter().map(|endpoint| {
        let audience = match endpoint.who {
            Who::Anybody => Audience::Anybody,
            Who::SignedIn | Who::Photographer => Audience::SignedIn,
            Who::Administrator => Audience::Administrator,
        };
        Row { method: endpoint.method, route: endpoint.path, audience, wish: requests::of(endpoint) }
    });
    let others = OUTSIDE_THE_CONTRACT.iter().map(|&(method, route, audience, path)| Row {
        method,
        route,
        audience,
        wish: requests::outside(method, path),
    });
    contract.chain(others).collect()
}

fn is_open_without_pin(row: &Row) -> bool {
    WITHOUT_PIN.iter().any(|(method, route, _)| (*method, *route) == (row.method, row.route))
}

/// Where the answer differs from the rule, and why.
fn exception(row: &Row, caller: Caller) -> Option<&'static str> {
    use Caller::{AnotherPhotographer, Contributor, FullToken, GuestWithStaleLink, Manager, Photographer};
    let reason = match (row.method, row.route, caller) {
        ("DELETE", "/api/events/{event}/membership", Photographer | FullToken) => "an owner cannot leave",
        ("POST", "/api/studio/host/proof", Photographer | AnotherPhotographer | Manager | Contributor) => {
            "no host is named"
        }
        ("POST", "/api/invitations/accept", Photographer | FullToken) => "an owner is in the team already",
        ("POST", "/api/invitations/accept", Manager | Contributor) => {
            "another has accepted it, who is not of the team"
        }
        (
            "POST",
            "/api/auth/second-factor/confirm" | "/api/auth/second-factor/check",
            AnotherPhotographer | Manager | Contributor,
        )
        | ("DELETE", "/api/auth/second-factor", AnotherPhotographer | Manager | Contributor) => {
            "the code is the owner's"
        }
        ("POST", "/api/auth/passkeys/confirm", AnotherPhotographer | Manager | Contributor) => {
            "the question was the owner's"
        }
        ("POST", "/api/auth/second-factor/passkey", AnotherPhotographer | Manager | Contributor) => {
            "the passkey is the owner's"
        }
        (_, "/api/auth/oidc/link", Photographer | AnotherPhotographer | Manager | Contributor) => {
            "there is no provider in the scene"
        }
        ("GET", "/covers/{name}", GuestWithStaleLink) => {
            "a cover is drawn from the slug alone, whether or not there is such an event"
        }
        ("GET", "/api/auth/check-verification-status", GuestWithStaleLink) => {
            "says that the address is not verified"
        }
        ("POST", "/api/face/unsubscribe/{token}", GuestWithStaleLink) => {
            "what is to be deleted is deleted already"
        }
        _ => return None,
    };
    Some(reason)
}

/// A cell: the status, and the code of a refusal.
type Cell = (u16, String);

fn cell(answer: &Answer) -> Cell {
    let json = answer.header("content-type").starts_with("application/json");
    let code = (answer.status.as_u16() >= 400 && json && !answer.bytes.is_empty())
        .then(|| answer.json()["code"].as_str().unwrap().to_owned());
    (answer.status.as_u16(), code.unwrap_or_default())
}

/// The cells of a row that differ from what its audience promises.
fn violations(row: &Row, cells: &BTreeMap<usize, Cell>) -> Vec<String> {
    let of = |caller: Caller| &cells[&(caller as usize)];
    let is = |cell: &Cell, status: u16, code: &str| (cell.0, cell.1.as_str()) == (status, code);
    let mut found = Vec::new();
    for caller in Caller::ALL {
        let cell = of(caller);
        let (status, code) = cell;
        let (kept, promise) = match (row.audience, caller) {
            _ if *status >= 500 => (false, "no request is a server error"),
            _ if exception(row, caller).is_some() => continue,
            (Audience::SignedIn | Audience::Administrator, Caller::UploadToken | Caller::FullToken) => {
                let scope = if caller == Caller::FullToken { Scope::All } else { Scope::Upload };
                match reach(row).check(scope) {
                    Ok(()) => (*status < 300, "done"),
                    // An answer to HEAD has no body.
                    Err(_) if row.method == "HEAD" => (*status == 403, "refused"),
                    Err(refusal) => (is(cell, 403, refusal.code()), "refused"),
                }
            }
            (Audience::SignedIn, Caller::Manager | Caller::Contributor) if right(row).is_some() => {
                match (right(row).unwrap(), caller) {
                    (Right::Own, _) => (is(cell, 403, "owner_only"), "the owner's alone"),
                    (Right::Upload, _) | (Right::Manage, Caller::Manager) => (*status < 300, "done"),
                    // Of what is named by an id of its own, such as a photo, a contributor sees their own alone.
                    (Right::Manage, _) => {
                        (*status == 404 || is(cell, 403, "managers_only"), "the owner's and managers'")
                    }
                }
            }
            (Audience::SignedIn, Caller::AnotherPhotographer | Caller::Manager | Caller::Contributor)
                if row.wish.names_a_resource() =>
            {
                (*status == 404, "as if there were no such thing")
            }
            (
                Audience::SignedIn,
                Caller::Photographer | Caller::AnotherPhotographer | Caller::Manager | Caller::Contributor,
            ) => (*status < 300, "done"),
            (Audience::Administrator, Caller::Photographer) => (*status < 300, "done"),
            (
                Audience::Administrator,
                Caller::AnotherPhotographer | Caller::Manager | Caller::Contributor,
            ) => (is(cell, 403, "administrators_only"), "refused"),
            // An answer to HEAD has no body.
            (Audience::SignedIn, _) if row.method == "HEAD" => (*status == 401, "refused"),
            (Audience::SignedIn | Audience::Administrator, _) => {
                (is(cell, 401, "sign_in_required"), "refused")
            }
            (Audience::Operator, _) => (is(cell, 403, "metrics_not_allowed"), "refused"),
            (Audience::Anybody, Caller::GuestWithStaleLink) if row.wish.can_be_stale() => {
                ([400, 404].contains(status), "an old link opens nothing")
            }
            (Audience::Anybody, Caller::GuestWithoutPin) if row.wish.is_about_an_event() => {
                match is_open_without_pin(row) {
                    true => continue,
                    // Without a body there is no code.
                    false if row.method == "HEAD" => (*status == 403, "no photo of an event without its PIN"),
                    false => (is(cell, 403, "event_pin_required"), "no photo of an event without its PIN"),
                }
            }
            (Audience::Anybody, _) => (cell == of(Caller::Photographer), "a token makes no difference"),
        };
        if !kept {
            found.push(format!(
                "{} {} for {caller:?}: {status} {code}; promised: {promise}",
                row.method, row.route
            ));
        }
    }
    found
}

async fn send(world: &World, row: &Row, token: &str, scene: &Scene) -> Cell {
    let mut request = Request::builder().method(row.method).uri(scene.fill(&row.wish.path));
    if !token.is_empty() {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    if let Some(kind) = row.wish.kind {
        request = request.header("content-type", kind);
    }
    for (name, value) in endpoint::headers(&row.wish.path) {
        request = request.header(*name, *value);
    }
    cell(&world.send(request.body(Body::from(row.wish.body(|text| scene.fill(text)))).unwrap()).await)
}

/// A session as that which takes a second factor away has to be.
async fn session_with_second_factor(world: &World, owner: &Account) -> String {
    let token = session(world, owner.id).await;
    let hash = domain::accounts::tokens::hash_token(&token);
    let mut tx = world.parts.db.begin().await.unwrap();
    storage::accounts::sessions::prove(&mut tx, &hash, world.app.now()).await.unwrap();
    tx.commit().await.unwrap();
    token
}

async fn cells(world: &World, row: &Row, stale: &Scene) -> BTreeMap<usize, Cell> {
    let (owner, other) = (Account::verified(world).await, Account::verified(world).await);
    let team = [Account::verified(world).await, Account::verified(world).await];
    let tokens = Tokens::of(world, &owner).await;
    if row.audience == Audience::Administrator {
        owner.become_administrator(world).await;
    }
    if ["/api/studio/logo", "/api/studio/dark-logo", "/api/studio/watermark"].contains(&row.route) {
        // Everybody has a logo and a watermark of their own.
        for account in team.iter().chain([&other]) {
            account.open_studio(world).await;
        }
    }
    if row.route == "/api/studio/host" {
        for account in team.iter().chain([&owner, &other]) {
            account.open_studio(world).await;
        }
    }
    let mut scene = Scene::set(world, &owner, &team, &row.wish).await;
    let mut cells = BTreeMap::new();
    for caller in Caller::IN_ORDER_OF_CALLS {
        // What the caller may do, the one before has done.
        let by_a_token =
            [Caller::FullToken, Caller::Photographer].contains(&caller) && reach(row) != Reach::Session;
        let after_a_member = [Caller::Manager, Caller::FullToken, Caller::Photographer].contains(&caller)
            && right(row).is_some_and(|right| right != Right::Own);
        let repeated = row.audience == Audience::Anybody || by_a_token || after_a_member;
        if repeated && row.method != "GET" {
            scene = Scene::set(world, &owner, &team, &row.wish).await;
        }
        let token = match caller {
            Caller::Nobody | Caller::GuestWithoutPin => String::new(),
            Caller::Unverified => tokens.unverified.clone(),
            Caller::Photographer if row.route == "/api/auth/passkeys/{id}" => {
                session_with_second_factor(world, &owner).await
            }
            Caller::Photographer => session(world, owner.id).await,
            Caller::AnotherPhotographer => session(world, other.id).await,
            Caller::Manager => session(world, team[0].id).await,
            Caller::Contributor => session(world, team[1].id).await,
            Caller::ExpiredToken => tokens.expired.clone(),
            Caller::RevokedToken => tokens.revoked.clone(),
            Caller::GuestWithStaleLink => stale.fill("{guest.token}"),
            Caller::UploadToken => tokens.upload.clone(),
            Caller::FullToken => tokens.full.clone(),
        };
        let of_the_guest = caller == Caller::GuestWithStaleLink && row.audience == Audience::Anybody;
        let asks_pin = caller == Caller::GuestWithoutPin && row.wish.is_about_an_event();
        if asks_pin {
            scene.set_pin(world, &owner, json!("471147")).await;
        }
        let cell = send(world, row, &token, if of_the_guest { stale } else { &scene }).await;
        if asks_pin {
            scene.set_pin(world, &owner, Value::Null).await;
        }
        cells.insert(caller as usize, cell);
    }
    cells
}

fn line(row: &Row, cells: &BTreeMap<usize, Cell>) -> String {
    let mut line = format!("{} {} {}", row.method, row.route, row.wish.path);
    for caller in Caller::ALL {
        let (status, code) = &cells[&(caller as usize)];
        line.push_str(format!(" | {caller:?} {status} {code}").trim_end());
    }
    line.push('\n');
    line
}

#[test]
fn every_route_has_a_row_and_no_method_beside_its_rows() {
    // [SAFE255]
    on_both_engines(async |world: World| {
        let mut declared: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let rows = rows();
        for row in rows.iter().filter(|row| row.route != WEB_APP) {
            declared.entry(row.route).or_default().insert(row.method);
        }
        let routes = world.routes();
        assert_eq!(
            routes.iter().map(String::as_str).collect::<BTreeSet<_>>(),
            declared.keys().copied().collect(),
            "every route has a row, in hostile/endpoints.rs or in OUTSIDE_THE_CONTRACT"
        );
        for (route, methods) in declared {
            // Every method has the same answer there.
            if ["/", "/api", "/api/", "/api/{*rest}"].contains(&route) {
                continue;
            }
            for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE"] {
                let comes_with_get = method == "HEAD" && methods.contains("GET");
                if methods.contains(method) || comes_with_get {
                    continue;
                }
                let path = route.replace(['{', '}'], "");
                let request = Request::builder().method(method).uri(path).body(Body::empty()).unwrap();
                assert_eq!(world.send(request).await.status, 405, "{method} {route}");
            }
        }
    });
}
