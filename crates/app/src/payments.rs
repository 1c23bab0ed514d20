//! Payments: trusted only when the provider has signed or confirmed them, and credited once.

pub mod coupons;
pub mod credits;
pub(crate) mod free_orders;
pub mod history;
pub mod orders;
pub mod receipts;
pub(crate) mod reconciliation;
pub(crate) mod refunds;
pub(crate) mod settlement;

use domain::accounts::User;
use domain::payments::orders::{Order, OrderStatus, Purpose};
use domain::{Paise, Refusal};
use gateway::Payments;
use gateway::payments::{ProviderPayment, WebhookEvent, WebhookKind, parse_refund_webhook, parse_webhook};

use crate::{App, Result};

pub use gateway::payments::{
    CheckoutSources, EVENT_ID_HEADER, PaymentProof, SIGNATURE_HEADER, WebhookRequest,
};
pub use reconciliation::reconcile;

/// What a payment was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// What was paid for credits.
    pub added: Paise,
    /// What that added to the balance, doubled for the first recharge.
    pub received: Paise,
    /// Whether it was the first recharge.
    pub first_recharge: bool,
}

impl From<&Order> for Receipt {
    fn from(order: &Order) -> Self {
        let added = if order.purpose == Purpose::Credits { order.amount } else { Paise::ZERO };
        Self { added, received: order.credits_received, first_recharge: order.was_first_recharge }
    }
}

/// The name of the payment provider: `razorpay` or `sandbox`.
pub fn provider(app: &App) -> &'static str {
    app.payments.provider()
}

/// The public half of the provider's keys, which its checkout asks for; `sandbox` without a provider.
pub fn key_id(app: &App) -> &str {
    app.payments.key_id()
}

/// The origins that a page with a checkout has to allow.
pub fn checkout_sources(app: &App) -> CheckoutSources {
    app.payments.checkout_sources()
}

/// Verifies what the provider's checkout returned to the page, and credits it. Idempotent.
///
/// # Errors
/// [`Refusal::OrderNotFound`] for another's order, [`Refusal::PaymentNotVerified`] for a wrong signature,
/// [`Refusal::PaymentPending`] while the provider has not captured the payment.
pub async fn verify(app: &App, user: &User, proof: &PaymentProof) -> Result<Receipt> {
    let order =
        storage::payments::orders::by_provider_order_id(&app.db, app.payments.provider(), &proof.order_id)
            .await?;
    let order = order.filter(|order| order.user == user.id).ok_or(Refusal::OrderNotFound)?;
    if !app.payments.verify_signature(&proof.order_id, &proof.payment_id, &proof.signature) {
        return Err(Refusal::PaymentNotVerified.into());
    }
    if order.status == OrderStatus::Paid {
        return Ok(Receipt::from(&order));
    }
    match &app.payments {
        // The provider signs what is authorised; only what is captured is money.
        Payments::Razorpay(_) => {
            reconciliation::ask(app, &order).await?;
        }
        Payments::Sandbox(_) => {
            let payment_id = proof.payment_id.clone();
            let payment = ProviderPayment { payment_id, amount: order.amount, is_captured: true };
            settlement::settle(app, app.begin().await?, &order, &payment).await?;
        }
    }
    let order = storage::payments::orders::by_id(&app.db, order.id).await?.ok_or(Refusal::OrderNotFound)?;
    match order.status {
        OrderStatus::Paid => Ok(Receipt::from(&order)),
        OrderStatus::Open | OrderStatus::Abandoned => Err(Refusal::PaymentPending.into()),
        OrderStatus::Failed => Err(Refusal::PaymentNotVerified.into()),
    }
}

/// Handles a webhook of the provider; one about no order of ours is ignored.
///
/// # Errors
/// [`Refusal::WebhookNotVerified`] for a body that the provider did not sign.
pub async fn handle_webhook(app: &App, request: &WebhookRequest<'_>) -> Result<()> {
    if !app.payments.verify_webhook(request.body, request.signature) {
        return Err(Refusal::WebhookNotVerified.into());
    }
    if let Some(refund) = parse_refund_webhook(request.body) {
        return refunds::apply_report(app, &refund).await;
    }
    let Some(event) = parse_webhook(request.body) else { return Ok(()) };
    let provider = app.payments.provider();
    let Some(order) =
        storage::payments::orders::by_provider_order_id(&app.db, provider, &event.order_id).await?
    else {
        tracing::info!(order = event.order_id, "a webhook about an order that is not ours");
        return Ok(());
    };
    match event.kind {
        WebhookKind::PaymentFailed => Ok(()),
        WebhookKind::PaymentAuthorised if order.status == OrderStatus::Paid => Ok(()),
        WebhookKind::PaymentAuthorised => reconciliation::ask(app, &order).await.map(|_| ()),
        WebhookKind::PaymentCaptured | WebhookKind::OrderPaid => {
            apply_captured(app, &order, &event, request.event_id).await
        }
    }
}

async fn apply_captured(
    app: &App,
    order: &Order,
    event: &WebhookEvent,
    event_id: Option<&str>,
) -> Result<()> {
    let mut tx = app.begin().await?;
    if let Some(event_id) = event_id
        && !storage::payments::notifications::record(&mut tx, &order.provider, event_id, app.now()).await?
    {
        return Ok(());
    }
    let payment_id = event.payment_id.clone();
    let payment = ProviderPayment { payment_id, amount: event.amount, is_captured: true };
    settlement::settle(app, tx, order, &payment).await?;
    Ok(())
}

/// Pays an order of the sandbox, as the page's test dialog does.
///
/// # Errors
/// [`Refusal::OrderNotFound`] for another's order, or with a real provider.
pub async fn pay_in_sandbox(app: &App, user: &User, order_id: &str) -> Result<PaymentProof> {
    let Payments::Sandbox(sandbox) = &app.payments else {
        return Err(Refusal::OrderNotFound.into());
    };
    let order =
        storage::payments::orders::by_provider_order_id(&app.db, app.payments.provider(), order_id).await?;
    let order = order.filter(|order| order.user == user.id).ok_or(Refusal::OrderNotFound)?;
    sandbox.pay(order_id, order.amount).ok_or_else(|| Refusal::OrderNotFound.into())
}
