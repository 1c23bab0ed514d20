//! Webhooks of photographers: added and looked after by whose they are.

use domain::webhooks::{Delivery, DeliveryState, EventType};
use serde_json::{Value, json};

use super::insert;
use crate::harness::{PASSWORD, World, on_both_engines};

pub(super) const PATH: &str = "/api/auth/webhooks";
const SECOND: std::time::Duration = std::time::Duration::from_secs(1);

fn path(id: &str, rest: &str) -> String {
    format!("{PATH}/{id}{rest}")
}

pub(super) async fn account(world: &World, token: &str) -> domain::UserId {
    world.get("/api/auth/me", token).await.json()["user"]["id"].as_str().unwrap().parse().unwrap()
}

async fn listed(world: &World, token: &str) -> Vec<Value> {
    world.get(PATH, token).await.json()["webhooks"].as_array().unwrap().clone()
}

fn entered(url: &str, event_types: &[&str]) -> Value {
    json!({"url": url, "description": "Chat", "event_types": event_types})
}

#[test]
fn a_photographer_looks_after_webhooks_of_their_own() {
    // [HOOK046] [HOOK045]
    on_both_engines(async |world: World| {
        let ravi = world.photographer("ravi@example.com").await;
        let types = json!(["photo.searchable", "event.complete", "selection.done", "guest.waiting"]);
        let none = world.get(PATH, &ravi).await.json();
        assert_eq!(none, json!({"webhooks": [], "event_types": types}));

        let body = entered("https://example.com/hook", &["selection.done", "event.complete"]);
        let answer = world.post(PATH, &ravi, body).await;
        assert_eq!(answer.status, 201);
        let made = answer.json();
        let secret = made["secret"].as_str().unwrap();
        assert!(secret.starts_with("whsec_") && secret.len() == 50, "{secret}");
        let id = made["id"].as_str().unwrap();
        let mut expected = made.clone();
        expected.as_object_mut().unwrap().remove("secret");
        assert_eq!(listed(&world, &ravi).await, [expected], "without its secret");
        assert_eq!(made["event_types"], json!(["event.complete", "selection.done"]));

        let body = entered("https://example.org/", &["guest.waiting"]);
        let changed = world.put(&path(id, ""), &ravi, body).await.json();
        assert_eq!(
            (&changed["url"], &changed["event_types"]),
            (&json!("https://example.org/"), &json!(["guest.waiting"]))
        );
        let rotated = world.post(&path(id, "/secret"), &ravi, json!({})).await.json();
        assert_ne!(rotated["secret"], made["secret"]);
        let off = world.put(&path(id, "/switch"), &ravi, json!({"on": false})).await.json();
        assert_eq!(off["disabled"]["by"], "photographer");
        let tried = world.post(&path(id, "/test"), &ravi, json!({})).await;
        assert_eq!((tried.status.as_u16(), &tried.json()["event_type"]), (202, &json!("webhook.test")));
        let deliveries = world.get(&path(id, "/deliveries"), &ravi).await.json();
        assert_eq!(deliveries["deliveries"][0]["id"], tried.json()["id"]);
        assert_eq!(world.put(&path(id, "/switch"), &ravi, json!({"on": true})).await.status, 200);
        assert_eq!(world.delete(&path(id, ""), &ravi).await.status, 200);
        assert!(listed(&world, &ravi).await.is_empty());
    });
}

#[test]
fn nobody_looks_after_webhooks_of_others() {
    // [SAFE465]
    on_both_engines(async |world: World| {
        let administrator = world.photographer("admin@example.com").await;
        world.clock.advance(SECOND);
        let (ravi, meera) =
            (world.photographer("ravi@example.com").await, world.photographer("meera@example.com").await);
        let own = insert(&world, Some(account(&world, &ravi).await)).await;
        let operators = insert(&world, None).await;
        let administration = "/api/administration/webhooks";
        let unknown = (404, String::from("There is no such webhook"));
        for (path, token) in [
            (format!("{PATH}/{own}"), &meera),
            (format!("{PATH}/{own}"), &administrator),
            (format!("{administration}/{own}"), &administrator),
            (format!("{PATH}/{operators}"), &administrator),
            (format!("{PATH}/{operators}"), &ravi),
        ] {
            let types = if path.starts_with(PATH) { "event.complete" } else { "event.created" };
            let body = entered("https://example.org/", &[types]);
            assert_eq!(world.put(&path, token, body).await.error(), unknown, "{path}");
            assert_eq!(world.delete(&path, token).await.error(), unknown, "{path}");
            for rest in ["/secret", "/test"] {
                assert_eq!(world.post(&format!("{path}{rest}"), token, json!({})).await.error(), unknown);
            }
            let switch = world.put(&format!("{path}/switch"), token, json!({"on": false})).await;
            assert_eq!(switch.error(), unknown);
            assert_eq!(world.get(&format!("{path}/deliveries"), token).await.error(), unknown);
        }
        assert!(listed(&world, &meera).await.is_empty() && listed(&world, &administrator).await.is_empty());
        let all = world.get(administration, &administrator).await.json();
        let ids: Vec<&Value> =
            all["webhooks"].as_array().unwrap().iter().map(|webhook| &webhook["id"]).collect();
        assert_eq!(ids, [&json!(operators)], "administrators see their own alone");

        // What a program was given does not add what outlives it.
        let program = crate::api_tokens::make(&world, &ravi, "all").await;
        let refused = world.post(PATH, &program, entered("https://example.org/", &["event.complete"])).await;
        assert_eq!(refused.status, 403);
        assert_eq!(world.get(PATH, &program).await.status, 403);
    });
}

#[test]
fn what_a_photographer_enters_is_checked() {
    // [SAFE463] [HOOK046] [HOOK047]
    on_both_engines(async |world: World| {
        let ravi = world.photographer("ravi@example.com").await;
        // Whatever is allowed to operators.
        let world = World::with_settings(world.parts.db.clone(), |settings| {
            settings.private_webhooks = true;
        })
        .await;
        let enter = async |url: &str, event_types: &[&str]| {
            world.post(PATH, &ravi, entered(url, event_types)).await.error()
        };
        let good = "https://example.com/";
        let private = (
            400,
            String::from(
                "This address is in a private or reserved network. Webhooks are sent to public addresses only.",
            ),
        );
        for url in [
            "https://10.0.0.1/",
            "https://127.0.0.1/",
            "https://localhost/",
            "https://[::1]/",
            "https://169.254.169.254/latest",
            "https://2130706433/",
        ] {
            assert_eq!(enter(url, &["event.complete"]).await, private, "{url}");
        }
        let invalid = (
            400,
            String::from(
                "The address must be a URL that begins with https://, without a login, at most 500 characters long",
            ),
        );
        for url in ["http://example.com/", "http://127.0.0.1/", "https://me@example.com/", ""] {
            assert_eq!(enter(url, &["event.complete"]).await, invalid, "{url}");
        }
        let unknown = (400, String::from("There is no such event of webhooks"));
        for event_type in
            ["event.created", "photo.indexed", "search.done", "payment.captured", "payment.refunded"]
        {
            assert_eq!(enter(good, &[event_type]).await, unknown, "{event_type}");
        }
        for _ in 0..5 {
            let added = world.post(PATH, &ravi, entered(good, &["event.complete"])).await;
            assert_eq!(added.status, 201);
        }
        let many = (409, String::from("You have 5 webhooks already. Please delete one first."));
        assert_eq!(enter(good, &["event.complete"]).await, many);
    });
}

#[test]
fn a_photographer_has_20_tests_sent_an_hour() {
    // [SAFE466]
    on_both_engines(async |world: World| {
        let ravi = world.photographer("ravi@example.com").await;
        let id = insert(&world, Some(account(&world, &ravi).await)).await;
        for _ in 0..20 {
            assert_eq!(world.post(&path(&id, "/test"), &ravi, json!({})).await.status, 202);
        }
        assert_eq!(world.post(&path(&id, "/test"), &ravi, json!({})).await.status, 429);
        world.clock.advance(SECOND * 3_600);
        assert_eq!(world.post(&path(&id, "/test"), &ravi, json!({})).await.status, 202);
    });
}

#[test]
fn webhooks_go_with_their_account_and_an_export_names_them() {
    // [HOOK053] [HOOK054]
    on_both_engines(async |world: World| {
        let ravi = world.photographer("ravi@example.com").await;
        let owner = account(&world, &ravi).await;
        let id = insert(&world, Some(owner)).await;
        let kept = insert(&world, None).await;
        assert_eq!(world.post(&path(&id, "/test"), &ravi, json!({})).await.status, 202);
        let export = crate::exports::export(&world, &ravi).await;
        let (_, data) = crate::exports::unpacked(&world.get(&export, "").await);
        assert_eq!(
            data["webhooks"],
            json!([{
                "url": "http://127.0.0.1:9/", "description": "",
                "told_of": ["photo.searchable", "event.complete", "selection.done", "guest.waiting"],
                "created_at": data["webhooks"][0]["created_at"], "switched_off_at": null,
            }])
        );
        assert!(!data.to_string().contains("whsec_"), "no secret");

        let close = crate::harness::request("DELETE", "/api/auth/me", &ravi)
            .header("content-type", "application/json")
            .body(axum::body::Body::from(json!({"password": PASSWORD}).to_string()))
            .unwrap();
        assert_eq!(world.send(close).await.status, 200);
        let mut tx = world.parts.db.begin().await.unwrap();
        assert!(storage::webhooks::endpoints::of_owner(&mut tx, owner).await.unwrap().is_empty());
        let id = id.parse().unwrap();
        assert!(storage::webhooks::deliveries::page(&mut tx, id, None, 9).await.unwrap().is_empty());
        let operators = storage::webhooks::endpoints::list(&mut tx).await.unwrap();
        assert_eq!(operators.iter().map(|each| each.id.to_string()).collect::<Vec<_>>(), [kept]);
    });
}

async fn subjects(world: &World) -> Vec<String> {
    world.drain().await;
    world.mails.take().into_iter().map(|sent| sent.mail.subject).collect()
}

#[test]
fn a_mail_tells_of_a_webhook_that_is_added_or_gets_another_address() {
    // [AUTH250]
    on_both_engines(async |world: World| {
        let ravi = world.photographer("ravi@example.com").await;
        subjects(&world).await;
        let body = entered("https://example.com/hook", &["event.complete"]);
        let made = world.post(PATH, &ravi, body).await.json();
        let id = made["id"].as_str().unwrap();
        assert_eq!(subjects(&world).await, ["A new webhook in your Afterglow account"]);
        let body = entered("https://example.com/hook", &["guest.waiting"]);
        assert_eq!(world.put(&path(id, ""), &ravi, body).await.status, 200);
        assert_eq!(subjects(&world).await, [] as [&str; 0], "the address is the same");
        let body = entered("https://example.org/hook", &["guest.waiting"]);
        assert_eq!(world.put(&path(id, ""), &ravi, body).await.status, 200);
        assert_eq!(subjects(&world).await, ["A webhook of your Afterglow account has another address"]);
    });
}

/// A webhook of an account with a message that waits.
async fn waiting(world: &World, owner: domain::UserId) -> String {
    let id = insert(world, Some(owner)).await;
    let now = world.app.now();
    let delivery = Delivery {
        id: world.app.id(),
        endpoint: id.parse().unwrap(),
        event_type: EventType::EventComplete,
        payload: String::from("{}"),
        created_at: now,
        state: DeliveryState::Waiting,
        attempts: 1,
        next_attempt_at: Some(now.plus(SECOND)),
        last: None,
    };
    let mut tx = world.parts.db.begin().await.unwrap();
    storage::webhooks::deliveries::create(&mut tx, &delivery).await.unwrap();
    tx.commit().await.unwrap();
    id
}

/// Whether a webhook is on, and its newest message.
async fn state(world: &World, id: &str) -> (bool, DeliveryState) {
    let (db, id) = (&world.parts.db, id.parse().unwrap());
    let endpoint = storage::webhooks::endpoints::by_id(db, id).await.unwrap().unwrap();
    let newest = storage::webhooks::deliveries::page(db, id, None, 1).await.unwrap().pop().unwrap();
    (endpoint.disabled.is_none(), newest.state)
}

#[test]
fn webhooks_are_switched_off_by_a_password_that_a_mail_sets_or_takes_away() {
    // [AUTH250]
    const EMAIL: &str = "ravi@example.com";
    on_both_engines(async |world: World| {
        let ravi = world.photographer(EMAIL).await;
        let meera = world.photographer("meera@example.com").await;
        let owner = account(&world, &ravi).await;
        let own = waiting(&world, owner).await;
        let others = waiting(&world, account(&world, &meera).await).await;
        let (on, off) = ((true, DeliveryState::Waiting), (false, DeliveryState::Dropped));
        let body = json!({"current_password": PASSWORD, "new_password": "another horse"});
        assert_eq!(world.post("/api/auth/change-password", &ravi, body).await.status, 200);
        assert_eq!(state(&world, &own).await, on, "whoever is logged in can look at it");

        world.post("/api/auth/forgot-password", "", json!({"email": EMAIL})).await;
        let link = world.token_mailed_to(EMAIL, "reset-password").await;
        let body = json!({"token": link, "password": PASSWORD});
        assert_eq!(world.post("/api/auth/reset-password", "", body).await.status, 200);
        assert_eq!(state(&world, &own).await, off);
        world.drain().await;
        let told =
            world.mails.sent().into_iter().filter(|sent| sent.mail.subject.contains("are switched off"));
        let told: Vec<_> = told.map(|sent| sent.mail.to.as_str().to_owned()).collect();
        assert_eq!(told, [EMAIL], "once");
        let ravi = world.log_in(EMAIL).await.json()["token"].as_str().unwrap().to_owned();
        let shown = listed(&world, &ravi).await;
        assert_eq!((shown.len(), &shown[0]["disabled"]["by"]), (1, &json!("photographer")));

        let second = waiting(&world, owner).await;
        let body = json!({"email": "intruder@example.com", "current_password": PASSWORD});
        assert_eq!(world.put("/api/auth/update-profile", &ravi, body).await.status, 200);
        let link = world.token_mailed_to(EMAIL, "revoke-email-change").await;
        assert_eq!(state(&world, &second).await, on);
        assert_eq!(world.post("/api/auth/revoke-email-change", "", json!({"token": link})).await.status, 200);
        assert_eq!(state(&world, &second).await, off);
        assert_eq!(state(&world, &others).await, on, "another account's");
    });
}
