//! Two-step login, and the second factor that administration asks for.

use std::time::Duration;

use app::accounts::second_factors::code_at;
use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use crate::harness::{Answer, PASSWORD, World, on_both_engines};

const EMAIL: &str = "meera@example.com";
const PATH: &str = "/api/auth/second-factor";
const STEP: Duration = Duration::from_secs(30);
const HOUR: Duration = Duration::from_secs(60 * 60);

fn wrong() -> (u16, String) {
    (400, String::from("This code is wrong, or was used before. Please enter the newest one."))
}

fn required() -> (u16, String) {
    (
        403,
        String::from(
            "Please use your passkey, or enter a code of your authenticator app or a recovery code.",
        ),
    )
}

/// What an authenticator app shows now.
fn code(world: &World, secret: &str) -> String {
    code_at(secret, world.app.now()).unwrap()
}

async fn begin(world: &World, session: &str) -> String {
    let begun = world.post(PATH, session, json!({"password": PASSWORD})).await;
    assert_eq!(begun.status, 200);
    begun.json()["secret"].as_str().unwrap().to_owned()
}

/// Turns it on; answers the secret and the recovery codes. The next code is good at once.
pub(crate) async fn turn_on(world: &World, session: &str) -> (String, Vec<String>) {
    let secret = begin(world, session).await;
    let body = json!({"code": code(world, &secret)});
    let answer = world.post(&format!("{PATH}/confirm"), session, body).await.json();
    let codes = answer["recovery_codes"].as_array().unwrap().iter();
    world.clock.advance(STEP);
    (secret, codes.map(|code| code.as_str().unwrap().to_owned()).collect())
}

async fn log_in(world: &World, password: &str, code: Option<&str>) -> Answer {
    let mut body = json!({"email": EMAIL, "password": password});
    if let Some(code) = code {
        body["code"] = json!(code);
    }
    world.post("/api/auth/login", "", body).await
}

fn token(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
    answer.json()["token"].as_str().unwrap().to_owned()
}

async fn subjects(world: &World) -> Vec<String> {
    world.drain().await;
    world.mails.take().into_iter().map(|sent| sent.mail.subject).collect()
}

/// The same service under an address that others reach.
async fn public(world: &World) -> World {
    let mut process = world.second_process(&world.parts.db).await;
    process.parts.settings.public_url = String::from("https://photos.example");
    process.restarted().await
}

#[test]
fn a_login_asks_for_a_code_once_two_step_login_is_on() {
    // [AUTH205] [AUTH206]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        subjects(&world).await;
        let state = async || world.get(PATH, &session).await.json();
        assert_eq!(
            state().await,
            json!({"since": null, "last_used_at": null, "passkeys": 0, "passkeys_available": true,
                "recovery_codes": 0, "administration": "nothing"})
        );
        assert_eq!(log_in(&world, PASSWORD, Some("123456")).await.status, 200, "nothing asks for it");

        let refused = world.post(PATH, &session, json!({"password": "wrong horse"})).await.error();
        assert_eq!(refused, (400, String::from("Invalid current password")));
        let begun = world.post(PATH, &session, json!({"password": PASSWORD})).await.json();
        let secret = begun["secret"].as_str().unwrap();
        assert_eq!(secret.len(), 32);
        let uri = format!("otpauth://totp/Afterglow:meera%40example%2Ecom?secret={secret}&issuer=Afterglow");
        assert!(begun["uri"].as_str().unwrap().starts_with(&uri), "{begun}");
        assert_eq!(state().await["since"], Value::Null);
        assert_eq!(log_in(&world, PASSWORD, None).await.status, 200, "not before a code has confirmed it");
        let confirm = format!("{PATH}/confirm");
        assert_eq!(world.post(&confirm, &session, json!({"code": "000000"})).await.error(), wrong());
        assert!(subjects(&world).await.is_empty());

        let first = code(&world, secret);
        let on = world.post(&confirm, &session, json!({"code": first})).await;
        assert_eq!(on.json()["recovery_codes"].as_array().unwrap().len(), 10);
        assert_eq!(subjects(&world).await, ["Two-step login is on for your Afterglow account"]);
        let now = world.app.now().to_rfc3339();
        assert_eq!(
            state().await,
            json!({"since": now, "last_used_at": now, "passkeys": 0, "passkeys_available": true,
                "recovery_codes": 10, "administration": "nothing"})
        );
        let already = (409, String::from("Two-step login is on already"));
        assert_eq!(world.post(PATH, &session, json!({"password": PASSWORD})).await.error(), already);
        assert_eq!(world.post(&confirm, &session, json!({"code": first})).await.error(), already);

        let asked = log_in(&world, PASSWORD, None).await;
        assert_eq!(asked.json()["code"], "second_factor_required");
        let kinds = json!({"authenticator_app": true, "passkey": null});
        assert_eq!(asked.json()["second_factor"], kinds);
        assert_eq!(asked.error(), required());
        assert_eq!(log_in(&world, PASSWORD, Some(" ")).await.error(), required());
        let credentials = (401, String::from("Invalid email or password"));
        assert_eq!(log_in(&world, "wrong horse", None).await.error(), credentials);
        let next = code_at(secret, world.app.now().plus(STEP)).unwrap();
        assert_eq!(log_in(&world, "wrong horse", Some(&next)).await.error(), credentials);
        assert_eq!(log_in(&world, PASSWORD, Some(&first)).await.error(), wrong(), "it was taken");

        world.clock.advance(STEP);
        let code = code(&world, secret);
        let spaced = format!("{} {}", &code[..3], &code[3..]);
        let here = token(&log_in(&world, PASSWORD, Some(&spaced)).await);
        assert_eq!(log_in(&world, PASSWORD, Some(&code)).await.error(), wrong(), "once alone");
        let sessions = world.get("/api/auth/sessions", &here).await.json();
        let of = |is_current: bool| {
            let sessions = sessions["sessions"].as_array().unwrap().iter();
            let mut found = sessions.filter(|session| session["current"] == is_current);
            found.next().unwrap()["second_factor_at"].clone()
        };
        assert_eq!(of(true), world.app.now().to_rfc3339());

        // Of the step before and of the one behind too, and no further.
        world.clock.advance(STEP * 4);
        let at = |steps: u32, world: &World| {
            code_at(secret, world.app.now().minus(STEP * 2).plus(STEP * steps)).unwrap()
        };
        assert_eq!(log_in(&world, PASSWORD, Some(&at(0, &world))).await.error(), wrong());
        assert_eq!(log_in(&world, PASSWORD, Some(&at(4, &world))).await.error(), wrong());
        for steps in 1..=3 {
            assert_eq!(log_in(&world, PASSWORD, Some(&at(steps, &world))).await.status, 200, "{steps}");
        }
    });
}

#[test]
fn a_recovery_code_takes_the_place_of_an_app_once() {
    // [AUTH207]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let (_, codes) = turn_on(&world, &session).await;
        assert_eq!(log_in(&world, PASSWORD, Some(&codes[3].to_uppercase())).await.status, 200);
        assert_eq!(log_in(&world, PASSWORD, Some(&codes[3])).await.error(), wrong());
        assert_eq!(world.get(PATH, &session).await.json()["recovery_codes"], 9);
        assert_eq!(log_in(&world, PASSWORD, Some(&codes[4])).await.status, 200);

        // Neither the secret nor a code is stored in clear.
        let secret = begin(&world, &world.photographer("ravi@example.com").await).await;
        let ravi = domain::accounts::EmailAddress::parse("ravi@example.com").unwrap();
        let ravi = storage::accounts::users::credentials(&world.parts.db, &ravi).await.unwrap().unwrap();
        let stored = storage::accounts::second_factors::find(&world.parts.db, ravi.user.id).await.unwrap();
        let stored = stored.unwrap().secret;
        assert_eq!(stored.len(), 12 + 20 + 16, "a nonce, the secret, and what authenticates it");
        assert!(!String::from_utf8_lossy(&stored).contains(&secret));
    });
}

#[test]
fn wrong_codes_wait_like_wrong_passwords_and_are_told() {
    // [AUTH208]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let (secret, codes) = turn_on(&world, &session).await;
        subjects(&world).await;
        let world = {
            let mut process = world.second_process(&world.parts.db).await;
            process.parts.settings.limits.wrong_passwords = 3;
            process.restarted().await
        };
        for _ in 0..3 {
            assert_eq!(log_in(&world, PASSWORD, Some("000000")).await.error(), wrong());
        }
        assert_eq!(log_in(&world, PASSWORD, Some(&code(&world, &secret))).await.status, 429);
        let check = format!("{PATH}/check");
        assert_eq!(world.post(&check, &session, json!({"code": codes[0]})).await.status, 429);
        for _ in 0..7 {
            world.clock.advance(HOUR);
            assert_eq!(log_in(&world, PASSWORD, Some("000000")).await.error(), wrong());
        }
        let told = "Somebody knows the password of your Afterglow account";
        assert_eq!(subjects(&world).await, [told]);
        world.clock.advance(HOUR);
        assert_eq!(log_in(&world, PASSWORD, Some(&code(&world, &secret))).await.status, 200);
        assert_eq!(log_in(&world, PASSWORD, Some("000000")).await.error(), wrong(), "and counts anew");
    });
}

#[test]
fn it_is_turned_off_with_password_and_code() {
    // [AUTH209]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let off = async |body: Value| {
            let request = Request::delete(PATH)
                .header("authorization", format!("Bearer {session}"))
                .header("content-type", "application/json");
            world.send(request.body(Body::from(body.to_string())).unwrap()).await
        };
        let (secret, codes) = turn_on(&world, &session).await;
        subjects(&world).await;
        let wrong_password = (400, String::from("Invalid current password"));
        let digits = code(&world, &secret);
        assert_eq!(off(json!({"password": "wrong horse", "code": digits})).await.error(), wrong_password);
        assert_eq!(off(json!({"password": PASSWORD})).await.error(), wrong());
        assert_eq!(off(json!({"password": PASSWORD, "code": "000000"})).await.error(), wrong());
        assert_eq!(log_in(&world, PASSWORD, None).await.error(), required());
        assert!(subjects(&world).await.is_empty());
        assert_eq!(off(json!({"password": PASSWORD, "code": digits})).await.json(), json!({"success": true}));
        assert_eq!(subjects(&world).await, ["Two-step login is off for your Afterglow account"]);
        assert_eq!(log_in(&world, PASSWORD, None).await.status, 200);
        let not_on = (409, String::from("Two-step login is not on"));
        assert_eq!(off(json!({"password": PASSWORD, "code": codes[0]})).await.error(), not_on);

        // A new one has nothing of the old one, and a password that a mail sets does not end it.
        let (_, new) = turn_on(&world, &session).await;
        assert_eq!(log_in(&world, PASSWORD, Some(&codes[0])).await.error(), wrong());
        world.post("/api/auth/forgot-password", "", json!({"email": EMAIL})).await;
        let link = world.token_mailed_to(EMAIL, "reset-password").await;
        let body = json!({"token": link, "password": "newest horse"});
        assert_eq!(world.post("/api/auth/reset-password", "", body).await.status, 200);
        assert_eq!(log_in(&world, "newest horse", None).await.error(), required());
        let session = token(&log_in(&world, "newest horse", Some(&new[0])).await);

        // An operator takes it away.
        subjects(&world).await;
        let operator = world.operator();
        let remove =
            async || app::operations::operator_accounts::remove_second_factor(&operator, EMAIL).await;
        assert!(remove().await.unwrap().1);
        assert!(!remove().await.unwrap().1);
        assert_eq!(subjects(&world).await, ["Two-step login is off for your Afterglow account"]);
        assert_eq!(log_in(&world, "newest horse", None).await.status, 200);
        assert_eq!(world.get(PATH, &session).await.json()["since"], Value::Null);
    });
}

#[test]
fn administration_asks_for_a_code_once_in_12_hours() {
    // [AUTH210] [AUTH211]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let overview = async |world: &World, token: &str| {
            let answer = world.get("/api/administration/overview", token).await;
            match answer.status.as_u16() {
                200 => String::from("open"),
                403 => answer.json()["code"].as_str().unwrap().to_owned(),
                status => panic!("{status}"),
            }
        };
        assert_eq!(overview(&world, &session).await, "open", "at a loopback address nothing is asked for");
        let public = public(&world).await;
        assert_eq!(overview(&public, &session).await, "administration_asks_for_second_factor");
        assert_eq!(public.get(PATH, &session).await.json()["administration"], "set_up");
        assert_eq!(public.get("/api/setup/settings", &session).await.status, 200, "the end of the set-up");
        let accounts = public.get("/api/administration/accounts", &session).await;
        assert_eq!(
            accounts.error(),
            (403, String::from("Administration needs two-step login. Please set it up."))
        );

        let (secret, codes) = turn_on(&public, &session).await;
        for world in [&world, &public] {
            assert_eq!(overview(world, &session).await, "open", "setting it up has proved it");
        }
        world.clock.advance(HOUR * 12 - STEP - Duration::from_millis(1));
        assert_eq!(overview(&public, &session).await, "open");
        world.clock.advance(Duration::from_millis(1));
        for world in [&world, &public] {
            assert_eq!(overview(world, &session).await, "administration_asks_for_code");
        }
        assert_eq!(public.get(PATH, &session).await.json()["administration"], "code");
        assert_eq!(public.get("/api/events/", &session).await.status, 200, "nothing else asks");
        let other = token(&log_in(&public, PASSWORD, Some(&code(&public, &secret))).await);
        assert_eq!(overview(&public, &other).await, "open", "the login has proved it");
        assert_eq!(
            overview(&public, &session).await,
            "administration_asks_for_code",
            "each session for itself"
        );

        let check = format!("{PATH}/check");
        let wrong_code = public.post(&check, &session, json!({"code": "000000"})).await.error();
        assert_eq!(wrong_code, wrong());
        assert_eq!(overview(&public, &session).await, "administration_asks_for_code");
        let right = public.post(&check, &session, json!({"code": codes[0]})).await;
        assert_eq!(right.json(), json!({"success": true}));
        assert_eq!(overview(&public, &session).await, "open");

        let program = crate::api_tokens::make(&public, &session, "all").await;
        assert_eq!(overview(&public, &program).await, "session_required", "an API token never reaches it");
        let photographer = world.photographer("ravi@example.com").await;
        assert_eq!(overview(&public, &photographer).await, "administrators_only");
    });
}

#[test]
fn a_set_up_that_is_not_confirmed_ends_after_15_minutes_and_with_the_password() {
    // [AUTH247]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let confirm = async |secret: &str| {
            let body = json!({"code": code(&world, secret)});
            world.post(&format!("{PATH}/confirm"), &session, body).await
        };
        let not_on = (409, String::from("Two-step login is not on"));
        let quarter = HOUR / 4;
        let secret = begin(&world, &session).await;
        world.clock.advance(quarter);
        assert_eq!(confirm(&secret).await.error(), not_on);

        let secret = begin(&world, &session).await;
        let new = "newest horse";
        let change = json!({"current_password": PASSWORD, "new_password": new});
        assert_eq!(world.post("/api/auth/change-password", &session, change).await.status, 200);
        assert_eq!(confirm(&secret).await.error(), not_on);
        assert_eq!(log_in(&world, new, None).await.status, 200, "nothing asks for it");

        let begun = world.post(PATH, &session, json!({"password": new})).await.json();
        world.clock.advance(quarter - Duration::from_millis(1));
        assert_eq!(confirm(begun["secret"].as_str().unwrap()).await.status, 200);
    });
}
