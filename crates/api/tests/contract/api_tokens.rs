//! API tokens: programs that act for a photographer.

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{PASSWORD, RED, World, on_both_engines, photo};

const EMAIL: &str = "meera@example.com";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn invalid() -> (u16, String) {
    (401, String::from("This API token is not valid. It was revoked, or it has expired."))
}

/// The text of a new token that does not expire.
pub(crate) async fn make(world: &World, session: &str, scope: &str) -> String {
    make_with(world, session, scope, PASSWORD).await
}

async fn make_with(world: &World, session: &str, scope: &str, password: &str) -> String {
    let body = json!({"name": "Lightroom", "scope": scope, "lifetime_days": null, "password": password});
    let made = world.post("/api/auth/tokens", session, body).await;
    assert_eq!(made.status, 201);
    made.json()["token"].as_str().unwrap().to_owned()
}

/// The subjects of the mails that were sent since the last call.
async fn mailed(world: &World) -> Vec<(String, String)> {
    world.drain().await;
    let mails = world.mails.take().into_iter();
    mails.map(|sent| (sent.mail.to.to_string(), sent.mail.subject)).collect()
}

async fn listed(world: &World, session: &str) -> Vec<Value> {
    world.get("/api/auth/tokens", session).await.json()["api_tokens"].as_array().unwrap().clone()
}

async fn works(world: &World, token: &str) -> bool {
    let answer = world.get("/api/events/", token).await;
    if answer.status == 200 {
        return true;
    }
    assert_eq!(answer.error(), invalid());
    false
}

#[test]
fn a_token_is_told_once_and_stored_as_a_hash() {
    // [AUTH119] [AUTH132] [AUTH133] [AUTH120] [AUTH134]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let body = json!({"name": " Tether ", "scope": "upload", "lifetime_days": 30, "password": PASSWORD});
        let made = world.post("/api/auth/tokens", &session, body).await;
        assert_eq!(made.status, 201);
        let made = made.json();
        let text = made["token"].as_str().unwrap();
        assert!(text.starts_with("afterglow_") && text.len() == 53, "{text}");
        let expires_at = world.app.now().plus(DAY * 30).to_rfc3339();
        assert_eq!((&made["name"], &made["scope"]), (&json!("Tether"), &json!("upload")));
        assert_eq!((&made["expires_at"], &made["last_used_at"]), (&json!(expires_at), &Value::Null));

        let list = world.get("/api/auth/tokens", &session).await;
        let listed = list.json()["api_tokens"].clone();
        assert_eq!(listed.as_array().unwrap().len(), 1);
        for field in ["id", "name", "scope", "created_at", "expires_at", "last_used_at"] {
            assert_eq!(listed[0][field], made[field], "{field}");
        }
        assert!(!listed.to_string().contains(text), "no other answer has it");
        let hash = domain::accounts::tokens::hash_token(text);
        let stored = storage::accounts::api_tokens::find(&world.parts.db, &hash).await.unwrap().unwrap();
        assert_eq!(stored.user.email.as_str(), EMAIL);
    });
}

#[test]
fn what_is_asked_of_a_new_token_is_checked() {
    // [AUTH119] [AUTH123]
    // An account has 50 tokens at most.
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let make = |name: &str, scope: &str, days: Value| {
            let body = json!({"name": name, "scope": scope, "lifetime_days": days, "password": PASSWORD});
            world.post("/api/auth/tokens", &session, body)
        };
        let days = "A token or a login is good for 1 to 3,650 days, or without an end";
        let long = "n".repeat(101);
        for (name, scope, lifetime, text) in [
            ("", "upload", Value::Null, "Please give the token a name"),
            (long.as_str(), "upload", Value::Null, "Token name must be at most 100 characters long"),
            ("Tether", "admin", Value::Null, "Scope must be upload or all"),
            ("Tether", "", Value::Null, "Scope must be upload or all"),
            ("Tether", "all", json!(0), days),
            ("Tether", "all", json!(3_651), days),
        ] {
            let refused = make(name, scope, lifetime).await.error();
            assert_eq!(refused, (400, text.to_owned()));
        }
        for _ in 0..50 {
            assert_eq!(make("Tether", "upload", Value::Null).await.status, 201);
        }
        let full = (409, String::from("You have 50 API tokens already. Please revoke one first."));
        assert_eq!(make("Tether", "upload", Value::Null).await.error(), full);
        let first = listed(&world, &session).await[0]["id"].as_str().unwrap().to_owned();
        assert_eq!(world.delete(&format!("/api/auth/tokens/{first}"), &session).await.status, 200);
        assert_eq!(make("Tether", "upload", Value::Null).await.status, 201);
    });
}

#[test]
fn a_use_is_recorded_at_most_once_a_minute() {
    // [AUTH120] [AUTH134]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let token = make(&world, &session, "upload").await;
        let last_use = async || listed(&world, &session).await[0]["last_used_at"].clone();
        assert_eq!(last_use().await, Value::Null);
        assert!(works(&world, &token).await);
        let first = last_use().await;
        assert_eq!(first, json!(world.app.now().to_rfc3339()));
        world.clock.advance(Duration::from_secs(59));
        assert!(works(&world, &token).await);
        assert_eq!(last_use().await, first, "within the minute");
        world.clock.advance(Duration::from_secs(1));
        assert!(works(&world, &token).await);
        assert_eq!(last_use().await, json!(world.app.now().to_rfc3339()));
    });
}

#[test]
fn a_token_ends_when_it_is_revoked_or_expires() {
    // [AUTH123] [AUTH137]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let stranger = world.photographer("ravi@example.com").await;
        let token = make(&world, &session, "all").await;
        let path = format!("/api/auth/tokens/{}", listed(&world, &session).await[0]["id"].as_str().unwrap());
        let gone = (404, String::from("This API token was revoked already"));
        assert_eq!(world.delete(&path, &stranger).await.error(), gone);
        assert!(works(&world, &token).await);
        assert_eq!(world.delete(&path, &session).await.json(), json!({"success": true}));
        assert!(!works(&world, &token).await);
        assert_eq!(world.delete(&path, &session).await.error(), gone);
        assert!(!works(&world, "afterglow_made-up").await);

        let body = json!({"name": "For a week", "scope": "all", "lifetime_days": 7, "password": PASSWORD});
        let made = world.post("/api/auth/tokens", &session, body).await.json();
        let token = made["token"].as_str().unwrap();
        world.clock.advance(DAY * 7 - Duration::from_millis(1));
        assert!(works(&world, token).await);
        world.clock.advance(Duration::from_millis(1));
        assert!(!works(&world, token).await);
        assert_eq!(listed(&world, &session).await.len(), 1, "and its owner sees that it has expired");
    });
}

#[test]
fn a_token_for_uploads_uploads_and_sees_no_photo() {
    // [AUTH121] [AUTH135] [AUTH122] [AUTH136] [AUTH120]
    // It learns how a photo stands, without a link to its bytes.
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let event = world.event(&session, "Party").await;
        let token = make(&world, &session, "upload").await;
        let uploaded = world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await;
        assert_eq!(uploaded.status, 201);
        let path = format!("/api/photos/{}", uploaded.json()["id"].as_str().unwrap());
        let state = async || world.get(&format!("{path}/status"), &token).await.json();
        assert_eq!(
            (&state().await["status"], &state().await["filename"]),
            (&json!("processing"), &json!("a.jpg"))
        );
        world.drain().await;
        let ready = state().await;
        assert_eq!((&ready["status"], &ready["faces"]), (&json!("ready"), &json!(1)));
        assert!(!ready.to_string().contains("http"), "no link to its bytes: {ready}");

        let only = (403, String::from("This API token may only upload photos."));
        assert_eq!(world.get("/api/photos/search", &token).await.error(), only);
        assert_eq!(world.get(&format!("{path}/file?size=original"), &token).await.error(), only);
        assert_eq!(world.delete(&path, &token).await.error(), only);
        let never = (403, String::from("API tokens cannot do this. Please log in."));
        assert_eq!(world.get("/api/auth/tokens", &token).await.error(), never);

        let full = make(&world, &session, "all").await;
        assert_eq!(world.get("/api/photos/search", &full).await.status, 200);
        assert_eq!(world.get("/api/auth/me", &full).await.json()["user"]["email"], EMAIL);
        for path in ["/api/auth/sessions", "/api/auth/tokens", "/api/payments/history"] {
            assert_eq!(world.get(path, &full).await.error(), never, "{path}");
        }
        assert_eq!(world.delete(&path, &full).await.status, 200);
    });
}

#[test]
fn tokens_of_a_locked_account_are_refused_until_it_is_unlocked() {
    // [AUTH141]
    on_both_engines(async |world: World| {
        // The first account is the administrator.
        world.photographer("admin@example.com").await;
        let session = world.photographer(EMAIL).await;
        let token = make(&world, &session, "upload").await;
        let machine = world.operator().administration();
        let user = app::operations::operators::user(&world.operator(), EMAIL).await.unwrap();
        let reason = domain::operations::administration::Reason::parse("Chargeback").unwrap();
        app::operations::administration::accounts::lock(&machine, user.id, &reason).await.unwrap();
        let locked = (403, String::from("This account is locked. Please contact support."));
        assert_eq!(world.get("/api/events/", &token).await.error(), locked);
        app::operations::administration::accounts::unlock(&machine, user.id).await.unwrap();
        assert!(works(&world, &token).await);
    });
}

#[test]
fn a_token_is_made_with_the_password_and_told_by_mail_and_ends_after_a_year() {
    // [AUTH201] [AUTH202] [AUTH203]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        mailed(&world).await;
        let ask = |password: Value| {
            let body = json!({"name": "Tether", "scope": "all", "password": password});
            world.post("/api/auth/tokens", &session, body)
        };
        let refused = (400, String::from("Password is required"));
        assert_eq!(ask(json!("")).await.error(), refused);
        let body = json!({"name": "Tether", "scope": "all"});
        assert_eq!(world.post("/api/auth/tokens", &session, body).await.error(), refused);
        let wrong = (400, String::from("Invalid current password"));
        assert_eq!(ask(json!("wrong horse")).await.error(), wrong);
        assert!(listed(&world, &session).await.is_empty());
        assert!(mailed(&world).await.is_empty());

        let made = ask(json!(PASSWORD)).await.json();
        let token = made["token"].as_str().unwrap();
        assert_eq!(made["expires_at"], world.app.now().plus(DAY * 365).to_rfc3339());
        let told = (EMAIL.to_owned(), String::from("A new API token for your Afterglow account"));
        assert_eq!(mailed(&world).await, [told]);
        world.clock.advance(DAY * 365 - Duration::from_millis(1));
        assert!(works(&world, token).await);
        world.clock.advance(Duration::from_millis(1));
        assert!(!works(&world, token).await);
    });
}

#[test]
fn wrong_passwords_for_a_token_count_with_those_for_a_change() {
    // [AUTH201]
    on_both_engines(async |world: World| {
        let world = World::with_settings(world.parts.db.clone(), |settings| {
            settings.limits.wrong_passwords = 3;
        })
        .await;
        let session = world.photographer(EMAIL).await;
        let token = json!({"name": "Tether", "scope": "all", "password": "wrong horse"});
        let change = json!({"current_password": "wrong horse", "new_password": "new horse"});
        for _ in 0..2 {
            assert_eq!(world.post("/api/auth/tokens", &session, token.clone()).await.status, 400);
        }
        assert_eq!(world.post("/api/auth/change-password", &session, change.clone()).await.status, 400);
        assert_eq!(world.post("/api/auth/change-password", &session, change).await.status, 429);
        let right = json!({"name": "Tether", "scope": "all", "password": PASSWORD});
        assert_eq!(world.post("/api/auth/tokens", &session, right).await.status, 429);
    });
}

#[test]
fn a_changed_password_ends_tokens_and_logins_of_cameras_unless_they_are_kept() {
    // [AUTH124]
    // The fields of the specification alone end them.
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let event = world.event(&session, "Party").await;
        let cameras = format!("/api/events/{}/ftp", event["id"].as_str().unwrap());
        let other = world.photographer("ravi@example.com").await;
        let others = make(&world, &other, "all").await;
        let camera_gets_in = async |login: &Value| {
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            let (name, password) = (text(&login["login"]["user_name"]), text(&login["password"]));
            app::uploads::ftp::log_in(&world.app, &name, &password, [192, 0, 2, 1].into()).await.is_ok()
        };
        let mut current = PASSWORD;
        for (new, keep, kept) in [
            ("new horse", Value::Null, false),
            ("newer horse", json!(false), false),
            ("newest horse", json!(true), true),
        ] {
            let tokens = [
                make_with(&world, &session, "all", current).await,
                make_with(&world, &session, "upload", current).await,
            ];
            let login = world.put(&cameras, &session, json!({"password": current})).await.json();
            assert!(camera_gets_in(&login).await);
            let mut change = json!({"current_password": current, "new_password": new});
            if !keep.is_null() {
                change["keep_api_tokens"] = keep.clone();
            }
            assert_eq!(world.post("/api/auth/change-password", &session, change).await.status, 200);
            for token in &tokens {
                assert_eq!(works(&world, token).await, kept, "{keep}");
            }
            assert_eq!(listed(&world, &session).await.len(), if kept { 2 } else { 0 });
            assert_eq!(world.get(&cameras, &session).await.json()["login"].is_object(), kept, "{keep}");
            assert_eq!(camera_gets_in(&login).await, kept, "{keep}");
            current = new;
        }
        assert!(works(&world, &others).await, "another account's");
    });
}

#[test]
fn a_password_that_a_mail_sets_and_a_change_of_address_that_is_taken_back_end_tokens() {
    // [AUTH138] [AUTH139]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let token = make(&world, &session, "all").await;
        world.post("/api/auth/forgot-password", "", json!({"email": EMAIL})).await;
        let link = world.token_mailed_to(EMAIL, "reset-password").await;
        let body = json!({"token": link, "password": "newest horse"});
        assert_eq!(world.post("/api/auth/reset-password", "", body).await.status, 200);
        assert!(!works(&world, &token).await);

        let body = json!({"email": EMAIL, "password": "newest horse"});
        let session =
            world.post("/api/auth/login", "", body).await.json()["token"].as_str().unwrap().to_owned();
        let token = make_with(&world, &session, "all", "newest horse").await;
        let body = json!({"email": "new@example.com", "current_password": "newest horse"});
        assert_eq!(world.put("/api/auth/update-profile", &session, body).await.status, 200);
        let link = world.token_mailed_to(EMAIL, "revoke-email-change").await;
        assert_eq!(world.post("/api/auth/revoke-email-change", "", json!({"token": link})).await.status, 200);
        assert!(!works(&world, &token).await, "whoever asked for the address knew the password");
    });
}
