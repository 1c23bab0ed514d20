//! The contract against the calls that the product specification names: additions are allowed, but nothing
//! may be renamed or go.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::Request;
use domain::payments::coupons::Discount;
use serde_json::{Value, json};

use crate::harness::{Answer, Field, PASSWORD, RED, World, on_both_engines, photo};
use crate::payments::{coupon, insert_coupons};

/// Method, path, what is sent, and what is answered; `user.name` is a field of a field or of each of a list.
const CALLS: &[(&str, &str, &str, &str)] = &[
    ("head", "/api/health", "", ""),
    ("post", "/api/auth/login", "email password", "token user.is_photographer user.name user.email"),
    ("post", "/api/auth/register", "email password name is_photographer", "email_sent"),
    ("get", "/api/auth/me", "", "user.name user.email"),
    ("put", "/api/auth/update-profile", "name email", "user"),
    ("post", "/api/auth/change-password", "current_password new_password", ""),
    ("get", "/api/auth/check-verification-status", "token", "already_verified"),
    ("post", "/api/auth/verify-email", "token", "verified message"),
    ("post", "/api/auth/resend-verification", "email", "email_sent"),
    ("post", "/api/contact/submit", "name email subject message", "success message"),
    ("get", "/api/events/", "", EVENT),
    ("post", "/api/events/", "name date payment_amount coupon_code", EVENT),
    (
        "get",
        "/api/events/analytics",
        "",
        "summary.total_events summary.active_events summary.deleted_events summary.avg_photos_per_event \
         summary.total_photos_uploaded summary.total_faces_indexed recent_deleted_events.lifetime_days all_events.id",
    ),
    ("get", "/api/events/{event}", "", EVENT),
    ("get", "/api/events/task/{task_id}", "", "status message"),
    ("delete", "/api/events/{id}", "", "task_id event_data.name"),
    (
        "get",
        "/api/subscription/credits",
        "",
        "credits total_credits_earned total_credits_spent is_first_recharge",
    ),
    ("get", "/api/photos/count", "", "total_count"),
    (
        "get",
        "/api/photos/search",
        "event_id",
        "photos.id photos.url photos.filename photos.original_filename total_count",
    ),
    ("post", "/api/photos/upload", "photos event_id", ""),
    ("post", "/api/face/search/{slug}", "image", MATCHES),
    ("post", "/api/face/search", "image", MATCHES),
    ("get", "/api/photos/download-by-s3", "key", "download_url"),
    ("post", "/api/validate-coupon", "couponCode amount", "valid discountAmount message"),
    ("post", "/api/payments/create-order", "amount", "key_id amount currency order_id"),
    (
        "post",
        "/api/payments/verify-payment",
        "razorpay_payment_id razorpay_order_id razorpay_signature",
        "success credits_added credits_received was_first_recharge",
    ),
];
const EVENT: &str = "id name date slug description created_at deleted_at total_photos_uploaded lifetime_days";
const MATCHES: &str = "matches.face_id matches.s3_key matches.url matches.thumbnail_url matches.error";

fn contract() -> Value {
    serde_json::from_str(&api::openapi()).unwrap()
}

/// The schema of a field, seen through references, lists and what may be null.
fn field<'a>(contract: &'a Value, schema: &'a Value, name: &str) -> Option<&'a Value> {
    let whole = |schema: &'a Value| field(contract, schema, name);
    if let Some(reference) = schema["$ref"].as_str() {
        return contract.pointer(reference.trim_start_matches('#')).and_then(whole);
    }
    if schema["items"].is_object() {
        return whole(&schema["items"]);
    }
    schema["properties"].get(name).or_else(|| {
        let parts = ["allOf", "oneOf", "anyOf"].iter().filter_map(|key| schema[*key].as_array()).flatten();
        parts.into_iter().find_map(whole)
    })
}

/// Paths are the same whatever their parameters are called.
fn shape(path: &str) -> String {
    path.split('/').map(|part| if part.starts_with('{') { "{}" } else { part }).collect::<Vec<_>>().join("/")
}

#[test]
fn every_call_of_the_specification_is_there_with_every_field() {
    // [API063]
    let contract = contract();
    for (method, path, sent, answered) in CALLS {
        let operations = contract["paths"].as_object().unwrap();
        let operation = operations
            .iter()
            .filter(|(known, _)| shape(known) == shape(path))
            .find_map(|(_, operations)| operations.get(*method))
            .unwrap_or_else(|| panic!("{method} {path} is not in the contract"));
        let bodies = operation["requestBody"]["content"].as_object().into_iter().flatten();
        let bodies: Vec<&Value> = bodies.map(|(_, body)| &body["schema"]).collect();
        for name in sent.split_whitespace() {
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            let in_query = parameters.into_iter().any(|parameter| parameter["name"] == name);
            let in_body = bodies.iter().any(|schema| field(&contract, schema, name).is_some());
            assert!(in_query || in_body, "{method} {path} does not take {name}");
        }
        let answers = operation["responses"].as_object().unwrap().iter();
        let answers: Vec<&Value> = answers
            .filter(|(status, _)| status.starts_with('2'))
            .map(|(_, answer)| &answer["content"]["application/json"]["schema"])
            .collect();
        for name in answered.split_whitespace() {
            let deep = |schema: &Value| {
                let found = name.split('.').try_fold(schema, |schema, part| field(&contract, schema, part));
                found.is_some()
            };
            assert!(answers.iter().any(|schema| deep(schema)), "{method} {path} does not answer {name}");
        }
    }
}

#[test]
fn a_session_is_never_taken_from_a_url() {
    // [SAFE039]
    on_both_engines(async |world| {
        let token = world.photographer("mira@example.com").await;
        assert_eq!(world.get("/api/auth/me", &token).await.status, 200);
        let contract = contract();
        let mut tried = 0;
        for (path, operations) in contract["paths"].as_object().unwrap() {
            for (method, operation) in operations.as_object().unwrap() {
                if !operation["security"].to_string().contains("bearer") {
                    continue;
                }
                let path = path.replace(['{', '}'], "");
                let address =
                    format!("{path}?token={token}&access_token={token}&authorization=Bearer%20{token}");
                let request = Request::builder().method(method.to_uppercase().as_str()).uri(address);
                let answer = world.send(request.body(Body::empty()).unwrap()).await;
                assert_eq!(answer.status, 401, "{method} {path}");
                tried += 1;
            }
        }
        assert!(tried > 15, "{tried}");
    });
}

/// Whether an answer has a field; `user.name` is a field of a field or of the first of a list.
fn has(answer: &Value, name: &str) -> bool {
    let found = name.split('.').try_fold(answer, |value, part| {
        let value = value.as_array().map_or(Some(value), |all| all.first())?;
        value.get(part)
    });
    found.is_some()
}

/// Calls of the specification that were made, each answered as it says.
struct Made<'a> {
    world: &'a World,
    calls: BTreeSet<(&'static str, &'static str)>,
}

impl Made<'_> {
    /// Notes a call, which has to be one of the specification's, to have succeeded, and to answer what it names there.
    fn note(&mut self, method: &str, path: &str, answer: &Answer) -> Value {
        let path = path.split('?').next().unwrap();
        let matches = |known: &str| {
            let (known, given) = (known.split('/'), path.split('/'));
            known.clone().count() == given.clone().count()
                && known.zip(given).all(|(known, given)| known.starts_with('{') || known == given)
        };
        let of_method = || CALLS.iter().filter(|(known, ..)| *known == method);
        let call = of_method()
            .find(|(_, known, ..)| *known == path)
            .or_else(|| of_method().find(|(_, known, ..)| matches(known)))
            .unwrap_or_else(|| panic!("{method} {path} is none of the specification's calls"));
        let text = String::from_utf8_lossy(&answer.bytes);
        assert!(answer.status.is_success(), "{method} {path}: {} {text}", answer.status);
        self.calls.insert((call.0, call.1));
        if method == "head" {
            return Value::Null;
        }
        let answered = answer.json();
        for name in call.3.split_whitespace() {
            assert!(has(&answered, name), "{method} {path} does not answer {name}: {text}");
        }
        answered
    }

    async fn send(&mut self, method: &str, path: &str, token: &str, body: Option<Value>) -> Value {
        let mut request = Request::builder().method(method.to_uppercase().as_str()).uri(path);
        if !token.is_empty() {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let body = match body {
            Some(body) => {
                request = request.header("content-type", "application/json");
                Body::from(body.to_string())
            }
            None => Body::empty(),
        };
        let answer = self.world.send(request.body(body).unwrap()).await;
        self.note(method, path, &answer)
    }

    async fn form(&mut self, path: &str, token: &str, fields: &[Field<'_>]) -> Value {
        let answer = self.world.raw_form(path, token, fields).await;
        self.note("post", path, &answer)
    }
}

#[test]
fn every_call_of_the_specification_works_with_exactly_the_fields_that_it_names() {
    // [API063]
    on_both_engines(async |world: World| {
        insert_coupons(&world, [coupon(&world, "TENTH", Discount::Percent(10))]).await;
        let mut made = Made { world: &world, calls: BTreeSet::new() };
        made.send("head", "/api/health", "", None).await;
        let email = "meera@example.com";
        let registration =
            json!({"email": email, "password": PASSWORD, "name": "Meera", "is_photographer": true});
        assert_eq!(made.send("post", "/api/auth/register", "", Some(registration)).await["email_sent"], true);
        made.send("post", "/api/auth/resend-verification", "", Some(json!({"email": email}))).await;
        let mailed = world.mailed_token(email).await;
        let status = format!("/api/auth/check-verification-status?token={mailed}");
        assert_eq!(made.send("get", &status, "", None).await["already_verified"], false);
        let verified = made.send("post", "/api/auth/verify-email", "", Some(json!({"token": mailed}))).await;
        assert_eq!(verified["verified"], true);
        let login = json!({"email": email, "password": PASSWORD});
        let token = made.send("post", "/api/auth/login", "", Some(login)).await["token"].clone();
        let token = token.as_str().unwrap();
        made.send("get", "/api/auth/me", token, None).await;
        let me = made.send("put", "/api/auth/update-profile", token, Some(json!({"name": "Meera K"}))).await;
        assert_eq!(me["user"]["name"], "Meera K");
        let change = json!({"email": "meera.kapoor@example.com"});
        let me = made.send("put", "/api/auth/update-profile", token, Some(change)).await;
        assert_eq!(me["user"]["email"], email, "the old one is in force until the new one is confirmed");
        let change = json!({"current_password": PASSWORD, "new_password": "battery staple"});
        made.send("post", "/api/auth/change-password", token, Some(change)).await;
        let message = json!({"name": "Ravi", "email": "ravi@example.com", "subject": "Hello", "message": "A question."});
        made.send("post", "/api/contact/submit", "", Some(message)).await;

        let plain = json!({"name": "Party", "date": "2026-11-14"});
        let event = made.send("post", "/api/events/", token, Some(plain)).await;
        let paid =
            json!({"name": "Paid", "date": "2026-11-15", "payment_amount": 999, "coupon_code": "TENTH"});
        made.send("post", "/api/events/", token, Some(paid)).await;
        let (id, slug) = (event["id"].as_str().unwrap(), event["slug"].as_str().unwrap());
        let red = |salt| photo(&[RED], salt);
        made.form("/api/photos/upload", token, &[Field::file("photos", "loose.jpg", &red(1))]).await;
        let bytes = red(2);
        let fields = [Field::file("photos", "of the event.jpg", &bytes), Field::text("event_id", id)];
        made.form("/api/photos/upload", token, &fields).await;
        world.drain().await;
        assert_eq!(made.send("get", "/api/photos/count", token, None).await["total_count"], 2);
        assert_eq!(made.send("get", "/api/photos/search", token, None).await["total_count"], 2);
        let of_event = format!("/api/photos/search?event_id={id}");
        assert_eq!(made.send("get", &of_event, token, None).await["total_count"], 1);
        made.send("get", "/api/events/", token, None).await;
        assert_eq!(made.send("get", &format!("/api/events/{slug}"), "", None).await["name"], "Party");

        let selfie = red(3);
        let image = [Field::file("image", "selfie.jpg", &selfie)];
        let found = made.form(&format!("/api/face/search/{slug}"), "", &image).await;
        assert_eq!(found["matches"].as_array().unwrap().len(), 1);
        let everywhere = made.form("/api/face/search", token, &image).await;
        assert_eq!(everywhere["matches"].as_array().unwrap().len(), 2);
        let key = found["matches"][0]["s3_key"].as_str().unwrap();
        let link = made.send("get", &format!("/api/photos/download-by-s3?key={key}"), "", None).await;
        let original = world.get(link["download_url"].as_str().unwrap(), "").await;
        assert_eq!((original.status.as_u16(), original.bytes.is_empty()), (200, false));

        let code = json!({"couponCode": "TENTH", "amount": 999});
        assert_eq!(made.send("post", "/api/validate-coupon", token, Some(code)).await["valid"], true);
        let order = json!({"amount": 10_000});
        let order = made.send("post", "/api/payments/create-order", token, Some(order)).await;
        let proof = json!({"order_id": order["order_id"]});
        let proof = world.post("/api/payments/sandbox", token, proof).await.json();
        let names = ["razorpay_payment_id", "razorpay_order_id", "razorpay_signature"];
        let proof: Value = names.into_iter().map(|name| (name.to_owned(), proof[name].clone())).collect();
        let credited = made.send("post", "/api/payments/verify-payment", token, Some(proof)).await;
        assert_eq!(credited["success"], true);
        made.send("get", "/api/subscription/credits", token, None).await;

        let deletion = made.send("delete", &format!("/api/events/{id}"), token, None).await;
        let task = format!("/api/events/task/{}", deletion["task_id"].as_str().unwrap());
        world.drain().await;
        assert_eq!(made.send("get", &task, token, None).await["status"], "completed");
        let analytics = made.send("get", "/api/events/analytics", token, None).await;
        assert_eq!(analytics["recent_deleted_events"][0]["id"], event["id"]);
        let all = CALLS.iter().map(|(method, path, ..)| (*method, *path)).collect::<BTreeSet<_>>();
        let missing: Vec<_> = all.difference(&made.calls).collect();
        assert!(missing.is_empty(), "{missing:?}");
    });
}
