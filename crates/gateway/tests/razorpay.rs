//! The real provider's API, as a stand-in on a real socket answers it.

#![allow(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

mod log;

use std::time::{Duration, Instant};

use domain::Paise;
use gateway::payments::{CapturedPayment, OrderState, RAZORPAY_API_URL, SettingsError};
use gateway::testing::{Fault, KEY_ID, KEY_SECRET, RazorpayStandIn, WEBHOOK_SECRET};
use gateway::{PaymentError, Payments};
use log::Log;
use secrecy::SecretString;
use serde_json::json;

const RUPEES: Paise = Paise::from_rupees(500);

async fn provider() -> (RazorpayStandIn, Payments) {
    let provider = RazorpayStandIn::start().await.unwrap();
    let payments = Payments::razorpay(provider.settings()).unwrap();
    (provider, payments)
}

/// Asserts that a provider with these faults makes exactly one order, and gives the requests it took.
async fn makes_one_order(faults: impl IntoIterator<Item = Fault>) -> Vec<String> {
    let (provider, payments) = provider().await;
    provider.fail_next(faults);
    let order = payments.create_order(RUPEES, "receipt-1", &[]).await.unwrap();
    let orders = provider.orders();
    assert_eq!(orders.len(), 1);
    assert_eq!(orders[0]["id"], order.id.as_str());
    provider.requests()
}

const MAKE: &str = "POST /v1/orders";
const LOOK: &str = "GET /v1/orders?receipt=receipt-1&count=100";

#[tokio::test]
async fn an_order_has_the_documented_shape() {
    // [RUN038]: the API's address is a setting.
    let (provider, payments) = provider().await;
    assert_eq!((payments.provider(), payments.key_id()), ("razorpay", KEY_ID));
    let order = payments.create_order(Paise::new(1_999), "receipt-1", &[]).await.unwrap();
    assert_eq!((order.amount, order.receipt.as_str()), (Paise::new(1_999), "receipt-1"));
    payments.create_order(RUPEES, "receipt-2", &[("purpose", "credits")]).await.unwrap();
    let orders = provider.orders();
    assert_eq!(orders[0]["id"], order.id.as_str());
    assert_eq!(orders[0]["amount"], 1_999);
    assert_eq!(orders[0]["currency"], "INR");
    assert_eq!(orders[0]["receipt"], "receipt-1");
    assert_eq!(orders[0]["status"], "created");
    assert_eq!(orders[0]["notes"], json!([]));
    assert_eq!(orders[1]["notes"], json!({ "purpose": "credits" }));
}

#[tokio::test]
async fn an_order_is_paid_when_a_payment_is_captured_and_not_before() {
    let (provider, payments) = provider().await;
    let order = payments.create_order(RUPEES, "receipt-1", &[]).await.unwrap().id;
    assert_eq!(payments.order_state(&order).await.unwrap(), OrderState::Open);
    for status in ["failed", "authorized"] {
        provider.attempt(&order, status).unwrap();
        assert_eq!(payments.order_state(&order).await.unwrap(), OrderState::Open, "{status}");
    }
    let proof = provider.pay(&order).unwrap();
    let paid = CapturedPayment { payment_id: proof.payment_id.clone(), amount: RUPEES };
    assert_eq!(payments.order_state(&order).await.unwrap(), OrderState::Paid(paid));
    assert!(payments.verify_signature(&order, &proof.payment_id, &proof.signature));

    let refunded = payments.create_order(RUPEES, "receipt-2", &[]).await.unwrap().id;
    provider.attempt(&refunded, "refunded").unwrap();
    assert_eq!(payments.order_state(&refunded).await.unwrap(), OrderState::Open);
}

#[tokio::test]
async fn errors_say_what_the_provider_said() {
    let (provider, payments) = provider().await;
    let unknown = payments.order_state("order_00000000000009").await.unwrap_err();
    assert_eq!(unknown, PaymentError::Refused("The id provided does not exist".to_owned()));
    provider.fail_next([Fault::Answer(400, "Line one\r\nline two")]);
    let refused = payments.create_order(RUPEES, "receipt-1", &[]).await.unwrap_err();
    assert_eq!(refused, PaymentError::Refused("Line one  line two".to_owned()));
    assert_eq!(provider.requests().len(), 2, "a refusal is not asked for again");
}

#[tokio::test]
async fn wrong_keys_make_the_provider_unavailable() {
    let (provider, _) = provider().await;
    let mut settings = provider.settings();
    settings.key_secret = SecretString::from("wrong");
    let payments = Payments::razorpay(settings).unwrap();
    let failed = payments.create_order(RUPEES, "receipt-1", &[]).await.unwrap_err();
    assert_eq!(failed, PaymentError::Unavailable("Authentication failed".to_owned()));
    assert_eq!(provider.requests().len(), 1);
    assert!(provider.orders().is_empty());
}

#[tokio::test]
async fn an_order_is_asked_for_again_after_a_429_without_looking() {
    let busy = || Fault::Answer(429, "Too many requests");
    assert_eq!(makes_one_order([busy(), busy()]).await, [MAKE, MAKE, MAKE]);
    let (provider, payments) = provider().await;
    provider.fail_next([busy(), busy(), busy()]);
    let failed = payments.create_order(RUPEES, "receipt-1", &[]).await.unwrap_err();
    assert_eq!(failed, PaymentError::Unavailable("Too many requests".to_owned()));
}

#[tokio::test]
async fn an_order_whose_answer_was_lost_is_looked_up_and_not_made_twice() {
    for lost in [Fault::DoAndClose, Fault::DoAndHang] {
        assert_eq!(makes_one_order([lost]).await, [MAKE, LOOK]);
    }
    // The look fails as well, and once more it is looked before it is made.
    assert_eq!(makes_one_order([Fault::DoAndClose, Fault::Answer(503, "Later")]).await, [MAKE, LOOK, LOOK]);
}

#[tokio::test]
async fn an_order_that_was_not_made_is_made_after_a_look() {
    for fault in [
        Fault::Close,
        Fault::Hang,
        Fault::Answer(500, "We are facing some trouble"),
        Fault::Gibberish(502, b"<html>Bad gateway</html>".to_vec()),
        Fault::Gibberish(200, b"{}".to_vec()),
        Fault::Gibberish(200, vec![b' '; 3 * 1024 * 1024]),
    ] {
        assert_eq!(makes_one_order([fault.clone()]).await, [MAKE, LOOK, MAKE], "{fault:?}");
    }
}

#[tokio::test]
async fn a_receipt_of_another_order_is_refused() {
    let (provider, payments) = provider().await;
    payments.create_order(Paise::from_rupees(1), "receipt-1", &[]).await.unwrap();
    provider.fail_next([Fault::Close]);
    let failed = payments.create_order(RUPEES, "receipt-1", &[]).await.unwrap_err();
    assert!(matches!(failed, PaymentError::Refused(_)), "{failed}");
}

#[tokio::test]
async fn a_state_is_asked_for_again_and_then_given_up() {
    let (provider, payments) = provider().await;
    let order = payments.create_order(RUPEES, "receipt-1", &[]).await.unwrap().id;
    provider.fail_next([Fault::Answer(429, "Busy"), Fault::Close]);
    assert_eq!(payments.order_state(&order).await.unwrap(), OrderState::Open);
    provider.fail_next([Fault::Close, Fault::Close, Fault::Close]);
    assert!(matches!(payments.order_state(&order).await, Err(PaymentError::Unavailable(_))));
}

#[tokio::test]
async fn a_provider_that_never_answers_is_left_in_time() {
    let (provider, _) = provider().await;
    let mut settings = provider.settings();
    settings.patience.request = Duration::from_secs(600);
    settings.patience.call = Duration::from_millis(300);
    let payments = Payments::razorpay(settings).unwrap();
    provider.fail_next([Fault::Hang]);
    let started = Instant::now();
    let failed = payments.create_order(RUPEES, "receipt-1", &[]).await.unwrap_err();
    assert_eq!(failed, PaymentError::Unavailable("it took too long to answer".to_owned()));
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[tokio::test]
async fn a_provider_that_is_away_is_unavailable() {
    let (provider, payments) = provider().await;
    drop(provider);
    tokio::time::sleep(Duration::from_millis(50)).await;
    let failed = payments.create_order(RUPEES, "receipt-1", &[]).await.unwrap_err();
    assert!(matches!(failed, PaymentError::Unavailable(_)), "{failed}");
}

#[tokio::test]
async fn a_redirect_does_not_carry_the_keys_away() {
    let (provider, payments) = provider().await;
    provider.fail_next([Fault::Gibberish(302, vec![])]);
    let failed = payments.create_order(RUPEES, "receipt-1", &[]).await.unwrap_err();
    assert!(matches!(failed, PaymentError::Unavailable(_)), "{failed}");
    assert_eq!(provider.requests(), [MAKE]);
}

#[tokio::test]
async fn secrets_are_in_no_log_line_and_no_debug_output() {
    // [SAFE037] as far as payments go.
    let (log, _guard) = Log::catch();
    let (provider, payments) = provider().await;
    provider.fail_next([Fault::Answer(503, "Later"), Fault::Close]);
    payments.create_order(RUPEES, "receipt-1", &[]).await.unwrap();
    let shown = format!("{} {payments:?} {:?}", log.text(), provider.settings());
    assert!(shown.contains("Later") && shown.contains(KEY_ID), "{shown}");
    // The second is what Basic authentication makes of the keys.
    for secret in [KEY_SECRET, "c3RhbmQtaW4ta2V5", WEBHOOK_SECRET] {
        assert!(!shown.contains(secret), "{secret} in {shown}");
    }
}

#[tokio::test]
async fn settings_that_would_give_the_keys_away_are_refused() {
    let (provider, _) = provider().await;
    for url in ["", "api.razorpay.com", "http://api.razorpay.com", "http://10.0.0.1", "file:///etc/passwd"] {
        let mut settings = provider.settings();
        settings.api_url = url.to_owned();
        assert!(matches!(Payments::razorpay(settings), Err(SettingsError::ApiUrl)), "{url}");
    }
    let mut settings = provider.settings();
    settings.api_url = RAZORPAY_API_URL.to_owned();
    assert!(Payments::razorpay(settings).is_ok());
    let mut settings = provider.settings();
    settings.key_secret = SecretString::from("");
    assert!(matches!(Payments::razorpay(settings), Err(SettingsError::Empty("key secret"))));
    let mut settings = provider.settings();
    settings.webhook_secret = Some(SecretString::from(""));
    assert!(matches!(Payments::razorpay(settings), Err(SettingsError::Empty("webhook secret"))));
}

#[tokio::test]
async fn calls_can_run_on_any_thread() {
    let (_provider, payments) = provider().await;
    let made = tokio::spawn(async move {
        let order = payments.create_order(RUPEES, "receipt-1", &[("purpose", "credits")]).await?;
        payments.order_state(&order.id).await
    });
    assert_eq!(made.await.unwrap().unwrap(), OrderState::Open);
}
