//! The contract against the calls that the product specification names: additions are allowed, but nothing
//! may be renamed or go.

use axum::body::Body;
use axum::http::Request;
use serde_json::Value;

use crate::harness::on_both_engines;

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
