//! The sandbox, and the rules that both providers share.

use domain::{Paise, Randomness};
use gateway::payments::{ProviderPayment, WebhookKind, is_sandbox_order, parse_webhook};
use gateway::testing::{FakeRazorpay, KEY_SECRET, WEBHOOK_SECRET, sign_webhook};
use gateway::{PaymentError, Payments};
use secrecy::SecretString;
use serde_json::json;

const KEY: &str = "a key of the sandbox's own";
const RUPEES: Paise = Paise::from_rupees(500);

fn sandbox() -> Payments {
    Payments::sandbox(SecretString::from(KEY), Randomness::seeded(1))
}

#[tokio::test]
async fn the_sandbox_takes_the_same_calls_with_the_same_signatures() {
    // [PAY061]
    let payments = sandbox();
    let Payments::Sandbox(checkout) = &payments else { panic!("sandbox() gives the sandbox") };
    assert_eq!((payments.provider(), payments.key_id()), ("sandbox", "sandbox"));
    let order = payments.create_order(RUPEES, "receipt-1", &[("purpose", "credits")]).await.unwrap();
    assert_eq!((order.amount, order.receipt.as_str()), (RUPEES, "receipt-1"));
    assert!(is_sandbox_order(&order.id));
    assert_ne!(order.id, payments.create_order(RUPEES, "receipt-2", &[]).await.unwrap().id);
    let open = payments.order_state(&order.id).await.unwrap();
    assert!(!open.attempted && open.payments.is_empty());

    let proof = checkout.pay(&order.id, RUPEES).unwrap();
    assert_eq!(proof.order_id, order.id);
    assert!(payments.verify_signature(&order.id, &proof.payment_id, &proof.signature));
    // What HMAC-SHA256 signs: "order|payment".
    let text = format!("{}|{}", proof.order_id, proof.payment_id);
    assert_eq!(proof.signature, sign_webhook(KEY, text.as_bytes()));
    let paid = payments.clone().order_state(&order.id).await.unwrap();
    let payment = ProviderPayment {
        payment_id: proof.payment_id.clone(),
        amount: RUPEES,
        is_captured: true,
        made_at: None,
        refunds: Vec::new(),
    };
    assert_eq!(paid.payments, [payment]);
    assert_eq!(checkout.pay(&order.id, RUPEES).unwrap(), proof, "paying twice is paying once");
    assert_eq!(checkout.pay("order_EKwxwAgItmmXdp", RUPEES), None);
}

#[tokio::test]
async fn the_sandbox_takes_webhooks_signed_with_its_key() {
    let payments = sandbox();
    let order = payments.create_order(RUPEES, "receipt-1", &[]).await.unwrap();
    let body = json!({
        "event": "payment.captured",
        "payload": { "payment": { "entity": {
            "id": "pay_sandbox_1", "order_id": order.id, "amount": RUPEES.get(), "currency": "INR",
        } } },
    });
    let body = body.to_string().into_bytes();
    assert!(payments.verify_webhook(&body, &sign_webhook(KEY, &body)));
    assert!(!payments.verify_webhook(&body, &sign_webhook("another key", &body)));
    assert_eq!(parse_webhook(&body).unwrap().order_id, order.id);
}

#[tokio::test]
async fn a_wrong_signature_is_refused() {
    let payments = sandbox();
    let Payments::Sandbox(checkout) = &payments else { panic!("sandbox() gives the sandbox") };
    let mine = payments.create_order(RUPEES, "receipt-1", &[]).await.unwrap().id;
    let other = payments.create_order(RUPEES, "receipt-2", &[]).await.unwrap().id;
    let proof = checkout.pay(&mine, RUPEES).unwrap();
    assert!(!payments.verify_signature(&other, &proof.payment_id, &proof.signature));
    assert!(!payments.verify_signature(&mine, "pay_sandbox_other", &proof.signature));
    for signature in ["", "00", &proof.signature[..63], &format!("{}0", proof.signature), &"g".repeat(64)] {
        assert!(!payments.verify_signature(&mine, &proof.payment_id, signature), "{signature}");
    }
}

#[tokio::test]
async fn a_sandbox_signature_is_refused_by_the_real_provider_and_the_other_way_round() {
    // [PAY064]
    let provider = FakeRazorpay::start().await.unwrap();
    let real = Payments::razorpay(provider.settings()).unwrap();
    // Even a sandbox that was given the provider's secret cannot pay for the provider's orders.
    for key in [KEY, KEY_SECRET] {
        let sandbox = Payments::sandbox(SecretString::from(key), Randomness::seeded(1));
        let Payments::Sandbox(checkout) = &sandbox else { panic!("sandbox() gives the sandbox") };
        let order = sandbox.create_order(RUPEES, "receipt-1", &[]).await.unwrap().id;
        let proof = checkout.pay(&order, RUPEES).unwrap();
        assert!(sandbox.verify_signature(&order, &proof.payment_id, &proof.signature));
        assert!(!real.verify_signature(&order, &proof.payment_id, &proof.signature));
        assert!(matches!(real.order_state(&order).await, Err(PaymentError::Refused(_))));

        let order = real.create_order(RUPEES, "receipt-1", &[]).await.unwrap().id;
        let proof = provider.pay(&order).unwrap();
        assert!(real.verify_signature(&order, &proof.payment_id, &proof.signature));
        assert!(!sandbox.verify_signature(&order, &proof.payment_id, &proof.signature));
        assert!(matches!(sandbox.order_state(&order).await, Err(PaymentError::Refused(_))));
    }
}

#[tokio::test]
async fn a_webhook_is_verified_by_its_exact_bytes_and_secret() {
    // [PAY066] as far as the gateway goes.
    let provider = FakeRazorpay::start().await.unwrap();
    let real = Payments::razorpay(provider.settings()).unwrap();
    let order = real.create_order(RUPEES, "receipt-1", &[("purpose", "credits")]).await.unwrap().id;
    let payment = provider.pay(&order).unwrap().payment_id;
    for (name, kind) in
        [("payment.captured", WebhookKind::PaymentCaptured), ("order.paid", WebhookKind::OrderPaid)]
    {
        let webhook = provider.webhook(name, &payment).unwrap();
        assert!(real.verify_webhook(&webhook.body, &webhook.signature));
        let event = parse_webhook(&webhook.body).unwrap();
        assert_eq!((event.kind, event.amount), (kind, RUPEES));
        assert_eq!((event.order_id.as_str(), event.payment_id.as_str()), (order.as_str(), payment.as_str()));

        let mut spaced = webhook.body.clone();
        spaced.push(b' ');
        assert!(!real.verify_webhook(&spaced, &webhook.signature));
        assert!(!real.verify_webhook(&webhook.body, ""));
        assert!(!real.verify_webhook(&webhook.body, &sign_webhook(KEY_SECRET, &webhook.body)));
        assert!(!sandbox().verify_webhook(&webhook.body, &webhook.signature));
    }
    let mut settings = provider.settings();
    settings.webhook_secret = None;
    let without = Payments::razorpay(settings).unwrap();
    for secret in ["", WEBHOOK_SECRET] {
        assert!(!without.verify_webhook(b"{}", &sign_webhook(secret, b"{}")));
    }
}
