//! Calls to Razorpay's API, against a fake of it on a real socket.

use std::time::{Duration, Instant};

use crate::log::Log;
use domain::{Paise, Timestamp};
use gateway::payments::{OrderState, ProviderPayment, RAZORPAY_API_URL, RefundState, SettingsError};
use gateway::testing::{FakeRazorpay, Fault, KEY_ID, KEY_SECRET, WEBHOOK_SECRET};
use gateway::{PaymentError, Payments};
use secrecy::SecretString;
use serde_json::json;

const RUPEES: Paise = Paise::from_rupees(500);

/// A payment over 500 rupees as it is made in the fake.
fn made(id: &str, is_captured: bool) -> ProviderPayment {
    let made_at = Some(Timestamp::from_millis(1_795_167_000_000));
    ProviderPayment { payment_id: id.to_owned(), amount: RUPEES, is_captured, made_at, refunds: Vec::new() }
}

async fn provider() -> (FakeRazorpay, Payments) {
    let provider = FakeRazorpay::start().await.unwrap();
    let payments = Payments::razorpay(provider.settings()).unwrap();
    (provider, payments)
}

/// Asserts that exactly one order is created despite these faults, and returns the requests it took.
async fn create_with_faults(faults: impl IntoIterator<Item = Fault>) -> Vec<String> {
    let (provider, payments) = provider().await;
    provider.inject(faults);
    let order = payments.create_order(RUPEES, "receipt-1", &[]).await.unwrap();
    let orders = provider.orders();
    assert_eq!(orders.len(), 1);
    assert_eq!(orders[0]["id"], order.id.as_str());
    provider.requests()
}

const CREATE: &str = "POST /v1/orders";
const LOOKUP: &str = "GET /v1/orders?receipt=receipt-1&count=100";

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
    let state = payments.order_state(&order).await.unwrap();
    assert_eq!(state, OrderState { amount: Some(RUPEES), attempted: false, payments: Vec::new() });
    provider.attempt(&order, "failed").unwrap();
    let state = payments.order_state(&order).await.unwrap();
    assert!(state.attempted && state.payments.is_empty());
    let authorised = provider.attempt(&order, "authorized").unwrap();
    let state = payments.order_state(&order).await.unwrap();
    assert_eq!(
        (state.captured().count(), state.authorised().unwrap().payment_id.as_str()),
        (0, authorised.as_str())
    );
    let proof = provider.pay(&order).unwrap();
    let paid = made(&proof.payment_id, true);
    let state = payments.order_state(&order).await.unwrap();
    assert_eq!(state.captured().collect::<Vec<_>>(), [&paid]);
    assert!(payments.verify_signature(&order, &proof.payment_id, &proof.signature));

    let refunded = payments.create_order(RUPEES, "receipt-2", &[]).await.unwrap().id;
    provider.attempt(&refunded, "refunded").unwrap();
    let state = payments.order_state(&refunded).await.unwrap();
    assert!(state.attempted && state.payments.is_empty(), "nobody has captured it");
}

#[tokio::test]
async fn a_payment_comes_with_its_refunds() {
    // [PAY201]
    let (provider, payments) = provider().await;
    let order = payments.create_order(RUPEES, "receipt-1", &[]).await.unwrap().id;
    let paid = provider.pay(&order).unwrap().payment_id;
    let parts = [20_000, 10_000, 20_000].map(|part| provider.refund_in_dashboard(&paid, part).unwrap());
    provider.set_refund_status(&parts[1], "failed");
    let state = payments.order_state(&order).await.unwrap();
    let refunds = &state.captured().next().unwrap().refunds;
    let mut told: Vec<_> = refunds.iter().map(|refund| (refund.amount.get(), refund.state)).collect();
    told.sort_by_key(|(amount, _)| *amount);
    let (sent, failed) = (RefundState::Processed, RefundState::Failed);
    assert_eq!(told, [(10_000, failed), (20_000, sent), (20_000, sent)]);
    // All of it is returned: it is as captured as before.
    provider.set_refund_status(&parts[1], "processed");
    let state = payments.order_state(&order).await.unwrap();
    assert_eq!(state.captured().next().unwrap().refunds.len(), 3);
    // Its amount was returned, and not all of its refunds are listed yet.
    let listed = br#"{"entity":"collection","count":0,"items":[]}"#;
    let incomplete = payments.refunds_of(&paid, Paise::new(60_000)).await;
    assert!(matches!(incomplete, Err(PaymentError::Unavailable(_))), "{incomplete:?}");
    provider.inject([Fault::InvalidBody(200, listed.to_vec())]);
    let none = payments.refunds_of(&paid, RUPEES).await;
    assert!(matches!(none, Err(PaymentError::Unavailable(_))), "{none:?}");
    let path = payments.refunds_of("pay_../orders", RUPEES).await;
    assert!(matches!(path, Err(PaymentError::Refused(_))));
}

#[tokio::test]
async fn payments_refunds_and_orders_of_a_period_are_listed_page_by_page() {
    // [PAY202]
    let (provider, payments) = provider().await;
    let account = [("purpose", "credits"), ("account", "a")];
    let order = payments.create_order(RUPEES, "receipt-1", &account).await.unwrap().id;
    let first = provider.pay(&order).unwrap().payment_id;
    for _ in 0..249 {
        provider.pay_again(&order).unwrap();
    }
    provider.attempt(&order, "failed");
    let refund = provider.refund_in_dashboard(&first, 50_000).unwrap();
    let at = |seconds: i64| Timestamp::from_millis(seconds * 1_000);
    let (from, to) = (at(1_795_167_000), at(1_795_167_001));
    let listed = payments.payments_between(from, to).await.unwrap();
    assert_eq!(listed.len(), 250, "one that failed is none");
    let last = listed.last().unwrap();
    assert_eq!((last.payment_id.as_str(), last.order_id.as_str()), (first.as_str(), order.as_str()));
    assert_eq!((last.amount, last.refunded, last.is_captured), (RUPEES, RUPEES, true));
    assert_eq!((listed[0].refunded, listed[0].is_captured), (Paise::ZERO, true));
    let refunds = payments.refunds_between(from, to).await.unwrap();
    assert_eq!(refunds.iter().map(|refund| &refund.refund_id).collect::<Vec<_>>(), [&refund]);
    let orders = payments.orders_between(from, to).await.unwrap();
    assert_eq!(
        (orders[0].order_id.as_str(), orders[0].receipt.as_deref()),
        (order.as_str(), Some("receipt-1"))
    );
    assert_eq!((orders[0].amount, orders[0].created_at), (RUPEES, from));
    assert_eq!(orders[0].notes.get("account").map(String::as_str), Some("a"));
    assert!(payments.payments_between(to, to).await.unwrap().is_empty());
    assert!(payments.refunds_between(at(0), at(1)).await.unwrap().is_empty());
    provider.inject(std::iter::repeat_n(Fault::ErrorStatus(503, "Later"), 3));
    assert!(matches!(payments.payments_between(from, to).await, Err(PaymentError::Unavailable(_))));
    let sandbox = Payments::sandbox(SecretString::from("key"), domain::Randomness::seeded(1));
    assert!(sandbox.payments_between(from, to).await.unwrap().is_empty());
    assert!(sandbox.orders_between(from, to).await.unwrap().is_empty());
    assert!(sandbox.refunds_between(from, to).await.unwrap().is_empty());
}

#[tokio::test]
async fn an_authorised_payment_is_captured_once() {
    let (provider, payments) = provider().await;
    let order = payments.create_order(RUPEES, "receipt-1", &[]).await.unwrap().id;
    provider.attempt(&order, "authorized").unwrap();
    let state = payments.order_state(&order).await.unwrap();
    let payment = state.authorised().unwrap();
    // The response is lost, and the repeat is refused because the payment is captured.
    provider.inject([Fault::ApplyThenDisconnect]);
    payments.capture(&order, payment).await.unwrap();
    assert_eq!(payments.order_state(&order).await.unwrap().captured().count(), 1);
    payments.capture(&order, payment).await.unwrap();

    let other = payments.create_order(RUPEES, "receipt-2", &[]).await.unwrap().id;
    let failed = provider.attempt(&other, "failed").unwrap();
    let failed = made(&failed, false);
    assert!(matches!(payments.capture(&other, &failed).await, Err(PaymentError::Refused(_))));
}

#[tokio::test]
async fn a_refund_is_made_once_per_idempotency_key() {
    let (provider, payments) = provider().await;
    let order = payments.create_order(RUPEES, "receipt-1", &[]).await.unwrap().id;
    let payment = provider.pay(&order).unwrap().payment_id;
    let key = "01936d2e-0000-7000-8000-000000000001";
    provider.inject([Fault::ApplyThenDisconnect, Fault::ErrorStatus(409, "A request is being processed")]);
    let refund = payments.refund(&payment, RUPEES, key).await.unwrap();
    assert_eq!((refund.payment_id.as_str(), refund.amount), (payment.as_str(), RUPEES));
    assert_eq!((refund.receipt.as_deref(), refund.state), (Some(key), RefundState::Processed));
    assert_eq!(payments.refund(&payment, RUPEES, key).await.unwrap(), refund);
    assert_eq!(provider.refunds().len(), 1);
    let again = payments.refund(&payment, RUPEES, "01936d2e-0000-7000-8000-000000000002").await;
    assert!(matches!(again, Err(PaymentError::Refused(_))), "the payment is refunded in full");
    let unknown = payments.refund("pay_00000000000009", RUPEES, key).await;
    assert!(matches!(unknown, Err(PaymentError::Refused(_))));
    let path = payments.refund("pay_../orders", RUPEES, key).await;
    assert!(matches!(path, Err(PaymentError::Refused(_))));
}

#[tokio::test]
async fn errors_have_the_providers_description() {
    let (provider, payments) = provider().await;
    let unknown = payments.order_state("order_00000000000009").await.unwrap_err();
    assert_eq!(unknown, PaymentError::Refused("The id provided does not exist".to_owned()));
    provider.inject([Fault::ErrorStatus(400, "Line one\r\nline two")]);
    let refused = payments.create_order(RUPEES, "receipt-1", &[]).await.unwrap_err();
    assert_eq!(refused, PaymentError::Refused("Line one  line two".to_owned()));
    assert_eq!(provider.requests().len(), 2, "a refusal is not retried");
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
async fn a_429_is_retried_without_a_lookup() {
    let busy = || Fault::ErrorStatus(429, "Too many requests");
    assert_eq!(create_with_faults([busy(), busy()]).await, [CREATE, CREATE, CREATE]);
    let (provider, payments) = provider().await;
    provider.inject([busy(), busy(), busy()]);
    let failed = payments.create_order(RUPEES, "receipt-1", &[]).await.unwrap_err();
    assert_eq!(failed, PaymentError::Unavailable("Too many requests".to_owned()));
}

#[tokio::test]
async fn an_order_whose_response_was_lost_is_looked_up_and_not_created_twice() {
    for lost in [Fault::ApplyThenDisconnect, Fault::ApplyThenHang] {
        assert_eq!(create_with_faults([lost]).await, [CREATE, LOOKUP]);
    }
    // The lookup fails as well, and is repeated before another order would be created.
    assert_eq!(
        create_with_faults([Fault::ApplyThenDisconnect, Fault::ErrorStatus(503, "Later")]).await,
        [CREATE, LOOKUP, LOOKUP]
    );
}

#[tokio::test]
async fn an_order_that_was_not_created_is_created_after_a_lookup() {
    for fault in [
        Fault::Disconnect,
        Fault::Hang,
        Fault::ErrorStatus(500, "Internal server error"),
        Fault::InvalidBody(502, b"<html>Bad gateway</html>".to_vec()),
        Fault::InvalidBody(200, b"{}".to_vec()),
        Fault::InvalidBody(200, vec![b' '; 3 * 1024 * 1024]),
    ] {
        assert_eq!(create_with_faults([fault.clone()]).await, [CREATE, LOOKUP, CREATE], "{fault:?}");
    }
}

#[tokio::test]
async fn a_receipt_of_another_order_is_refused() {
    let (provider, payments) = provider().await;
    payments.create_order(Paise::from_rupees(1), "receipt-1", &[]).await.unwrap();
    provider.inject([Fault::Disconnect]);
    let failed = payments.create_order(RUPEES, "receipt-1", &[]).await.unwrap_err();
    assert!(matches!(failed, PaymentError::Refused(_)), "{failed}");
}

#[tokio::test]
async fn a_state_is_retried_a_bounded_number_of_times() {
    let (provider, payments) = provider().await;
    let order = payments.create_order(RUPEES, "receipt-1", &[]).await.unwrap().id;
    provider.inject([Fault::ErrorStatus(429, "Busy"), Fault::Disconnect]);
    assert!(!payments.order_state(&order).await.unwrap().attempted);
    provider.inject([Fault::Disconnect, Fault::Disconnect, Fault::Disconnect]);
    assert!(matches!(payments.order_state(&order).await, Err(PaymentError::Unavailable(_))));
}

#[tokio::test]
async fn a_provider_that_never_responds_times_out() {
    let (provider, _) = provider().await;
    let mut settings = provider.settings();
    settings.retry.request_timeout = Duration::from_secs(600);
    settings.retry.call_timeout = Duration::from_millis(300);
    let payments = Payments::razorpay(settings).unwrap();
    provider.inject([Fault::Hang]);
    let started = Instant::now();
    let failed = payments.create_order(RUPEES, "receipt-1", &[]).await.unwrap_err();
    assert_eq!(failed, PaymentError::Unavailable("it took too long to answer".to_owned()));
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[tokio::test]
async fn an_unreachable_provider_is_unavailable() {
    let (provider, payments) = provider().await;
    drop(provider);
    tokio::time::sleep(Duration::from_millis(50)).await;
    let failed = payments.create_order(RUPEES, "receipt-1", &[]).await.unwrap_err();
    assert!(matches!(failed, PaymentError::Unavailable(_)), "{failed}");
}

#[tokio::test]
async fn a_redirect_is_not_followed_with_the_keys() {
    let (provider, payments) = provider().await;
    provider.inject([Fault::InvalidBody(302, vec![])]);
    let failed = payments.create_order(RUPEES, "receipt-1", &[]).await.unwrap_err();
    assert!(matches!(failed, PaymentError::Unavailable(_)), "{failed}");
    assert_eq!(provider.requests(), [CREATE]);
}

#[tokio::test]
async fn secrets_are_in_no_log_line_and_no_debug_output() {
    // [SAFE037] as far as payments go.
    let (log, _guard) = Log::capture();
    let (provider, payments) = provider().await;
    provider.inject([Fault::ErrorStatus(503, "Later"), Fault::Disconnect]);
    payments.create_order(RUPEES, "receipt-1", &[]).await.unwrap();
    let shown = format!("{} {payments:?} {:?}", log.text(), provider.settings());
    assert!(shown.contains("Later") && shown.contains(KEY_ID), "{shown}");
    // The second is the beginning of the secret in the Basic credentials.
    for secret in [KEY_SECRET, "ZmFrZS1rZXkt", WEBHOOK_SECRET] {
        assert!(!shown.contains(secret), "{secret} in {shown}");
    }
}

#[tokio::test]
async fn settings_that_would_leak_the_keys_are_refused() {
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
async fn futures_are_send() {
    let (_provider, payments) = provider().await;
    let state = tokio::spawn(async move {
        let order = payments.create_order(RUPEES, "receipt-1", &[("purpose", "credits")]).await?;
        payments.order_state(&order.id).await
    });
    assert!(!state.await.unwrap().unwrap().attempted);
}
