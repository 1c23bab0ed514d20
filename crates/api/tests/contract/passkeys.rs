//! Passkeys as second factors, of an authenticator in software.

mod authenticator;
mod begun;
mod stored;

use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use crate::harness::{Answer, PASSWORD, World, on_both_engines};
use crate::second_factors::turn_on;

pub(crate) use authenticator::Authenticator;

const EMAIL: &str = "meera@example.com";
const PATH: &str = "/api/auth/passkeys";
const SECOND_FACTOR: &str = "/api/auth/second-factor";
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);

fn wrong() -> (u16, String) {
    (400, String::from("This passkey was not accepted. Please try again."))
}

fn not_given() -> (u16, String) {
    (403, String::from("Please log out, log in again with your second factor, and then do this."))
}

/// Adds a passkey; answers what the confirmation has answered.
pub(crate) async fn add(world: &World, session: &str, key: &Authenticator, name: &str) -> Value {
    let begun = world.post(PATH, session, json!({"password": PASSWORD})).await;
    assert_eq!(begun.status, 200, "{}", String::from_utf8_lossy(&begun.bytes));
    let mut body = key.create(&begun.json());
    body["name"] = json!(name);
    let added = world.post(&format!("{PATH}/confirm"), session, body).await;
    assert_eq!(added.status, 201, "{}", String::from_utf8_lossy(&added.bytes));
    added.json()
}

async fn log_in(world: &World, more: Value) -> Answer {
    let mut body = json!({"email": EMAIL, "password": PASSWORD});
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    world.post("/api/auth/login", "", body).await
}

/// What a login asks the account's passkeys.
async fn question(world: &World) -> Value {
    let asked = log_in(world, json!({})).await;
    assert_eq!(asked.status, 403);
    asked.json()["second_factor"]["passkey"].clone()
}

fn token(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
    answer.json()["token"].as_str().unwrap().to_owned()
}

async fn delete(world: &World, session: &str, id: &str, body: Value) -> Answer {
    let request = Request::delete(format!("{PATH}/{id}"))
        .header("authorization", format!("Bearer {session}"))
        .header("content-type", "application/json");
    world.send(request.body(Body::from(body.to_string())).unwrap()).await
}

async fn subjects(world: &World) -> Vec<String> {
    world.drain().await;
    world.mails.take().into_iter().map(|sent| sent.mail.subject).collect()
}

#[test]
fn a_login_asks_for_a_passkey_once_there_is_one() {
    // [AUTH205] [AUTH212] [AUTH219]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        subjects(&world).await;
        assert_eq!(world.get(PATH, &session).await.json(), json!({"available": true, "passkeys": []}));
        let refused = world.post(PATH, &session, json!({"password": "wrong horse"})).await.error();
        assert_eq!(refused, (400, String::from("Invalid current password")));
        let begun = world.post(PATH, &session, json!({"password": PASSWORD})).await.json();
        assert_eq!(begun["rp_id"], "localhost");
        assert_eq!(begun["user_name"], EMAIL);
        assert_eq!(begun["excluded"], json!([]));
        assert_eq!(log_in(&world, json!({})).await.status, 200, "not before it is confirmed");

        let mut key = Authenticator::new();
        let mut body = key.create(&begun);
        body["name"] = json!(" ");
        let confirm = format!("{PATH}/confirm");
        let nameless = world.post(&confirm, &session, body.clone()).await.error();
        assert_eq!(nameless, (400, String::from("Please give the passkey a name")));
        body["name"] = json!("Phone");
        let added = world.post(&confirm, &session, body.clone()).await;
        assert_eq!(added.status, 201);
        assert_eq!(added.json()["recovery_codes"].as_array().unwrap().len(), 10);
        let now = world.app.now().to_rfc3339();
        let id = added.json()["passkey"]["id"].clone();
        let listed = json!({"id": id, "name": "Phone", "created_at": now, "last_used_at": null});
        assert_eq!(added.json()["passkey"], listed);
        assert_eq!(world.get(PATH, &session).await.json()["passkeys"], json!([listed]));
        assert_eq!(subjects(&world).await, ["A new passkey for your Afterglow account"]);
        assert_eq!(
            world.get(SECOND_FACTOR, &session).await.json(),
            json!({"since": null, "last_used_at": null, "passkeys": 1, "passkeys_available": true,
                "recovery_codes": 10, "administration": "nothing"})
        );
        let again = world.post(&confirm, &session, body).await.error();
        assert_eq!(again.0, 400, "its challenge is used up");

        let asked = log_in(&world, json!({})).await;
        assert_eq!(asked.json()["code"], "second_factor_required");
        let text = "Please use your passkey, or enter a code of your authenticator app or a recovery code.";
        assert_eq!(asked.error(), (403, text.to_owned()));
        let second_factor = &asked.json()["second_factor"];
        assert_eq!(second_factor["authenticator_app"], false);
        let question = &second_factor["passkey"];
        assert_eq!(question["rp_id"], "localhost");
        assert_eq!(question["credentials"], json!([key.id()]));
        let wrong_password = json!({"password": "wrong horse", "passkey": key.get(question)});
        let credentials = (401, String::from("Invalid email or password"));
        assert_eq!(log_in(&world, wrong_password).await.error(), credentials);
        let answer = key.get(question);
        let here = token(&log_in(&world, json!({"passkey": answer})).await);
        assert_eq!(log_in(&world, json!({"passkey": answer})).await.error(), wrong(), "once alone");
        let sessions = world.get("/api/auth/sessions", &here).await.json();
        let current = sessions["sessions"].as_array().unwrap().iter().find(|one| one["current"] == true);
        assert_eq!(current.unwrap()["second_factor_at"], now);
        assert_eq!(world.get(PATH, &here).await.json()["passkeys"][0]["last_used_at"], now);

        let code = added.json()["recovery_codes"][0].clone();
        assert_eq!(log_in(&world, json!({"code": code})).await.status, 200);
        assert_eq!(log_in(&world, json!({"code": code})).await.status, 400);
        assert_eq!(log_in(&world, json!({"code": "123456"})).await.status, 400, "there is no app");
        assert_eq!(world.get(SECOND_FACTOR, &here).await.json()["recovery_codes"], 9);
    });
}

#[test]
fn an_answer_of_another_page_name_account_or_question_is_refused() {
    // [AUTH213] [AUTH214] [AUTH215]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let mut key = Authenticator::new();
        let confirm = format!("{PATH}/confirm");
        let invalid =
            (400, String::from("This passkey could not be added. Please try again, or use another device."));
        for wrong_key in [
            Authenticator { origin: String::from("https://photos.example"), ..Authenticator::new() },
            Authenticator { origin: String::from("http://localhost:8081"), ..Authenticator::new() },
            Authenticator { rp_id: String::from("photos.example"), ..Authenticator::new() },
            Authenticator { is_touched: false, ..Authenticator::new() },
            Authenticator { framed_by: Some(String::from("https://photos.example")), ..Authenticator::new() },
        ] {
            let begun = world.post(PATH, &session, json!({"password": PASSWORD})).await.json();
            let mut body = wrong_key.create(&begun);
            body["name"] = json!("Key");
            assert_eq!(world.post(&confirm, &session, body).await.error(), invalid);
            let mut right = key.create(&begun);
            right["name"] = json!("Key");
            assert_eq!(world.post(&confirm, &session, right).await.error(), invalid, "it is used up");
        }
        let other = world.photographer("ravi@example.com").await;
        let begun = world.post(PATH, &other, json!({"password": PASSWORD})).await.json();
        let mut body = key.create(&begun);
        body["name"] = json!("Key");
        assert_eq!(world.post(&confirm, &session, body.clone()).await.error(), invalid, "another's question");
        world.clock.advance(MINUTE * 5);
        assert_eq!(world.post(&confirm, &other, body).await.error(), invalid, "five minutes");
        let codes = add(&world, &session, &key, "Key").await["recovery_codes"].clone();

        // Another account's passkey, which has answered for that one.
        let mut others = Authenticator::new();
        add(&world, &other, &others, "Key").await;
        let right = async |key: &mut Authenticator| {
            let question = question(&world).await;
            log_in(&world, json!({"passkey": key.get(&question)})).await
        };
        assert_eq!(right(&mut others).await.error(), wrong());
        let taken = (409, String::from("This passkey was added already"));
        let begun = world.post(PATH, &other, json!({"password": PASSWORD})).await.json();
        let mut body = key.create(&begun);
        body["name"] = json!("Key");
        assert_eq!(world.post(&confirm, &other, body).await.error(), taken);

        assert_eq!(right(&mut key).await.status, 200);
        let (origin, rp_id) = (key.origin.clone(), key.rp_id.clone());
        key.origin = String::from("https://photos.example");
        assert_eq!(right(&mut key).await.error(), wrong());
        key.origin = origin;
        key.rp_id = String::from("photos.example");
        assert_eq!(right(&mut key).await.error(), wrong());
        key.rp_id = rp_id;
        key.is_touched = false;
        assert_eq!(right(&mut key).await.error(), wrong());
        key.is_touched = true;
        // A page of ours in a frame of another, which the browser says, and the passkey signs.
        key.framed_by = Some(String::from("https://photos.example"));
        assert_eq!(right(&mut key).await.error(), wrong());
        key.framed_by = None;
        assert_eq!(right(&mut key).await.status, 200);

        let asked = question(&world).await;
        let mut answer = key.get(&asked);
        answer["user_handle"] = json!("c29tZWJvZHkgZWxzZQ");
        assert_eq!(log_in(&world, json!({"passkey": answer})).await.error(), wrong());
        assert_eq!(
            log_in(&world, json!({"passkey": key.get(&asked)})).await.error(),
            wrong(),
            "it is used up"
        );
        let asked = question(&world).await;
        world.clock.advance(MINUTE * 5);
        assert_eq!(
            log_in(&world, json!({"passkey": key.get(&asked)})).await.error(),
            wrong(),
            "five minutes"
        );
        let made_up = json!({"challenge": "bWFkZSB1cA", "rp_id": "localhost"});
        assert_eq!(log_in(&world, json!({"passkey": key.get(&made_up)})).await.error(), wrong());
        for empty in [json!({}), json!({"id": "?", "client_data_json": "?"})] {
            assert_eq!(log_in(&world, json!({"passkey": empty})).await.error(), wrong());
        }

        // One for administration is none for a login, and the other way round.
        let here = token(&log_in(&world, json!({"code": codes[0]})).await);
        let asked = world.post(&format!("{SECOND_FACTOR}/passkey"), &here, json!({})).await.json();
        assert_eq!(log_in(&world, json!({"passkey": key.get(&asked)})).await.error(), wrong());
        let check = format!("{SECOND_FACTOR}/check");
        let answer = key.get(&question(&world).await);
        assert_eq!(world.post(&check, &here, json!({"passkey": answer})).await.error(), wrong());

        // Two authenticators that count from the same number are copies.
        assert_eq!(right(&mut key).await.status, 200);
        key.count -= 1;
        assert_eq!(right(&mut key).await.error(), wrong());
        key.count -= 3;
        assert_eq!(right(&mut key).await.error(), wrong());
        key.count += 10;
        assert_eq!(right(&mut key).await.status, 200);
        // One that is kept on several devices counts nothing.
        let mut synced = Authenticator {
            counts: false,
            count: 0,
            is_synced: true,
            knows_its_owner: true,
            ..Authenticator::new()
        };
        add(&world, &here, &synced, "Synced").await;
        assert_eq!(right(&mut synced).await.status, 200);
        // With the lid closed a laptop cannot verify who it is; the password was right.
        synced.knows_its_owner = false;
        assert_eq!(right(&mut synced).await.status, 200);
    });
}

#[test]
fn passkeys_are_removed_with_the_password_and_the_last_one_takes_all_along() {
    // [AUTH217] [AUTH218] [AUTH219]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let before = token(&log_in(&world, json!({})).await);
        let mut key = Authenticator::new();
        let first = add(&world, &session, &key, "First").await;
        let id = first["passkey"]["id"].as_str().unwrap().to_owned();
        // The password and a session from before are not enough to add one, nor to take one away.
        for refused in [
            world.post(PATH, &before, json!({"password": PASSWORD})).await,
            world.post(SECOND_FACTOR, &before, json!({"password": PASSWORD})).await,
            delete(&world, &before, &id, json!({"password": PASSWORD})).await,
        ] {
            assert_eq!(refused.json()["code"], "second_factor_not_given");
            assert_eq!(refused.error(), not_given());
        }
        let second = add(&world, &session, &Authenticator::new(), "Second").await;
        assert_eq!(second["recovery_codes"], json!([]), "there are some");
        let (secret, codes) = turn_on(&world, &session).await;
        assert!(codes.is_empty());
        subjects(&world).await;
        let asked = log_in(&world, json!({})).await.json();
        assert_eq!(asked["second_factor"]["authenticator_app"], true);
        let code = app::accounts::second_factors::code_at(&secret, world.app.now()).unwrap();
        assert_eq!(log_in(&world, json!({"code": code})).await.status, 200);

        let wrong_password = (400, String::from("Invalid current password"));
        let refused = delete(&world, &session, &id, json!({"password": "wrong horse"})).await.error();
        assert_eq!(refused, wrong_password);
        let gone = (404, String::from("This passkey was removed already"));
        let ravi = world.photographer("ravi@example.com").await;
        assert_eq!(delete(&world, &ravi, &id, json!({"password": PASSWORD})).await.error(), gone);
        subjects(&world).await;
        let done = json!({"success": true});
        assert_eq!(delete(&world, &session, &id, json!({"password": PASSWORD})).await.json(), done);
        assert_eq!(delete(&world, &session, &id, json!({"password": PASSWORD})).await.error(), gone);
        assert_eq!(delete(&world, &session, "made-up", json!({"password": PASSWORD})).await.error(), gone);
        assert_eq!(subjects(&world).await, ["A passkey was removed from your Afterglow account"]);
        let answer = key.get(&question(&world).await);
        assert_eq!(log_in(&world, json!({"passkey": answer})).await.error(), wrong(), "it is gone");

        // Without the app passkeys go on, and without them nothing does.
        let request = Request::delete(SECOND_FACTOR)
            .header("authorization", format!("Bearer {session}"))
            .header("content-type", "application/json");
        let body = json!({"password": PASSWORD, "code": first["recovery_codes"][0]}).to_string();
        assert_eq!(world.send(request.body(Body::from(body)).unwrap()).await.json(), done);
        assert_eq!(subjects(&world).await, ["The authenticator app was removed from your Afterglow account"]);
        assert_eq!(log_in(&world, json!({"code": first["recovery_codes"][1]})).await.status, 200);
        let id = second["passkey"]["id"].as_str().unwrap();
        assert_eq!(delete(&world, &session, id, json!({"password": PASSWORD})).await.json(), done);
        assert_eq!(subjects(&world).await, ["Two-step login is off for your Afterglow account"]);
        assert_eq!(log_in(&world, json!({})).await.status, 200);
        assert_eq!(world.get(SECOND_FACTOR, &session).await.json()["recovery_codes"], 0);

        // A change of the password keeps them, and an operator takes them away.
        let session = token(&log_in(&world, json!({})).await);
        add(&world, &session, &Authenticator::new(), "Third").await;
        let body = json!({"current_password": PASSWORD, "new_password": "newest horse"});
        assert_eq!(world.post("/api/auth/change-password", &session, body).await.status, 200);
        assert_eq!(log_in(&world, json!({"password": "newest horse"})).await.status, 403);
        subjects(&world).await;
        let operator = world.operator();
        let remove =
            async || app::operations::operator_accounts::remove_second_factor(&operator, EMAIL).await;
        assert!(remove().await.unwrap().1);
        assert!(!remove().await.unwrap().1);
        assert_eq!(subjects(&world).await, ["Two-step login is off for your Afterglow account"]);
        assert_eq!(log_in(&world, json!({"password": "newest horse"})).await.status, 200);
    });
}

#[test]
fn an_account_has_ten_passkeys_at_most() {
    // [AUTH219]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let mut keys = Vec::new();
        for n in 1..=9 {
            let key = Authenticator::new();
            add(&world, &session, &key, &format!("Key {n}")).await;
            keys.push(key.id());
        }
        // Two that are asked for at one moment.
        let mut bodies = Vec::new();
        for _ in 0..2 {
            let begun = world.post(PATH, &session, json!({"password": PASSWORD})).await.json();
            assert_eq!(begun["excluded"].as_array().unwrap().len(), 9);
            let mut body = Authenticator::new().create(&begun);
            body["name"] = json!("Key");
            bodies.push(body);
        }
        let confirm = format!("{PATH}/confirm");
        assert_eq!(world.post(&confirm, &session, bodies.remove(0)).await.status, 201);
        let too_many = (409, String::from("You have 10 passkeys already. Please remove one first."));
        assert_eq!(world.post(&confirm, &session, bodies.remove(0)).await.error(), too_many);
        assert_eq!(world.post(PATH, &session, json!({"password": PASSWORD})).await.error(), too_many);
    });
}

#[test]
fn administration_takes_a_passkey_once_in_12_hours() {
    // [AUTH210] [AUTH212]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let public = public(&world, "https://photos.example").await;
        let overview = async || public.get("/api/administration/overview", &session).await.status.as_u16();
        assert_eq!(overview().await, 403);
        let mut key = Authenticator {
            origin: String::from("https://photos.example"),
            rp_id: String::from("photos.example"),
            ..Authenticator::new()
        };
        let ask = format!("{SECOND_FACTOR}/passkey");
        let missing = (409, String::from("Your account has no passkey"));
        assert_eq!(public.post(&ask, &session, json!({})).await.error(), missing);
        add(&public, &session, &key, "Phone").await;
        assert_eq!(overview().await, 200, "adding it has proved it");
        world.clock.advance(HOUR * 12);
        assert_eq!(overview().await, 403);
        let asked = public.post(&ask, &session, json!({})).await.json();
        assert_eq!(asked["rp_id"], "photos.example");
        let answer = key.get(&asked);
        let check = format!("{SECOND_FACTOR}/check");
        let checked = public.post(&check, &session, json!({"passkey": answer})).await;
        assert_eq!(checked.json(), json!({"success": true}));
        assert_eq!(overview().await, 200);
        assert_eq!(public.post(&check, &session, json!({"passkey": answer})).await.error(), wrong());
    });
}

#[test]
fn an_address_that_can_have_none_offers_none() {
    // [AUTH216]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let codes = add(&world, &session, &Authenticator::new(), "Phone").await["recovery_codes"].clone();
        let unavailable = (
            409,
            String::from("Passkeys need an address with https and a name, which this service does not have."),
        );
        for (n, url) in ["http://photos.example", "https://192.0.2.7"].into_iter().enumerate() {
            let public = public(&world, url).await;
            assert_eq!(public.get(PATH, &session).await.json()["available"], false);
            assert_eq!(public.get(SECOND_FACTOR, &session).await.json()["passkeys_available"], false);
            let begun = public.post(PATH, &session, json!({"password": PASSWORD})).await;
            assert_eq!(begun.json()["code"], "passkeys_unavailable");
            assert_eq!(begun.error(), unavailable);
            let body = json!({"name": "Phone"});
            assert_eq!(public.post(&format!("{PATH}/confirm"), &session, body).await.error(), unavailable);
            let ask = format!("{SECOND_FACTOR}/passkey");
            assert_eq!(public.post(&ask, &session, json!({})).await.error(), unavailable);
            // Two-step login stays on, with what is left.
            let asked = log_in(&public, json!({})).await.json();
            assert_eq!(asked["second_factor"], json!({"authenticator_app": false, "passkey": null}));
            assert_eq!(log_in(&public, json!({"code": codes[n]})).await.status, 200);
        }
    });
}

#[test]
fn wrong_passkeys_wait_like_wrong_codes() {
    // [AUTH208]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let mut key = Authenticator::new();
        let codes = add(&world, &session, &key, "Phone").await["recovery_codes"].clone();
        subjects(&world).await;
        let world = {
            let mut process = world.second_process(&world.parts.db).await;
            process.parts.settings.limits.wrong_passwords = 3;
            process.restarted().await
        };
        for body in [json!({"passkey": {}}), json!({"code": "000000"}), json!({"passkey": {}})] {
            assert_eq!(log_in(&world, body).await.status, 400);
        }
        let answer = key.get(&question(&world).await);
        assert_eq!(log_in(&world, json!({"passkey": answer})).await.status, 429);
        assert_eq!(log_in(&world, json!({"code": codes[0]})).await.status, 429);
        for _ in 0..7 {
            world.clock.advance(HOUR);
            assert_eq!(log_in(&world, json!({"passkey": {}})).await.error(), wrong());
        }
        assert_eq!(subjects(&world).await, ["Somebody knows the password of your Afterglow account"]);
        world.clock.advance(HOUR);
        let answer = key.get(&question(&world).await);
        assert_eq!(log_in(&world, json!({"passkey": answer})).await.status, 200);
    });
}

/// The same service under another address.
async fn public(world: &World, url: &str) -> World {
    let mut process = world.second_process(&world.parts.db).await;
    process.parts.settings.public_url = url.to_owned();
    process.restarted().await
}
