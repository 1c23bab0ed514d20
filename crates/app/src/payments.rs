//! Payments: trusted only when the provider has signed or confirmed them, and credited once.

pub mod billing;
pub(crate) mod bookkeeping;
pub mod comparison;
pub mod coupons;
pub mod credits;
pub(crate) mod free_orders;
pub mod history;
pub mod invoices;
pub mod orders;
pub mod receipts;
pub(crate) mod reconciliation;
pub(crate) mod refunds;
mod second_payments;
pub(crate) mod settlement;
mod withdrawals;

use domain::accounts::User;
use domain::payments::orders::{Order, OrderStatus, Purpose};
use domain::{Paise, Refusal};
use gateway::payments::{ProviderPayment, WebhookEvent, WebhookKind, parse_refund_webhook, parse_webhook};
use gateway::{PaymentError, Payments};

use crate::payments::bookkeeping::Bookkeeping;
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
    let books = Bookkeeping::of(app);
    match &app.payments {
        // The provider signs what is authorised; only what is captured, and not returned, is money.
        Payments::Razorpay(_) => {
            reconciliation::ask(&books, &order).await?;
        }
        Payments::Sandbox(_) => {
            let payment = in_sandbox(proof.payment_id.clone(), order.amount);
            settlement::settle(&books, order.id, &payment).await?;
        }
    }
    let order = storage::payments::orders::by_id(&app.db, order.id).await?.ok_or(Refusal::OrderNotFound)?;
    match order.status {
        OrderStatus::Paid => Ok(Receipt::from(&order)),
        OrderStatus::Open | OrderStatus::Abandoned => Err(Refusal::PaymentPending.into()),
        OrderStatus::Failed => Err(Refusal::PaymentNotVerified.into()),
    }
}

/// A captured payment of the sandbox, which keeps no more of it.
const fn in_sandbox(payment_id: String, amount: Paise) -> ProviderPayment {
    ProviderPayment { payment_id, amount, is_captured: true, made_at: None, refunds: Vec::new() }
}

/// Handles a webhook of the provider. One about no order of ours is ignored; a refund of a payment that is not known yet is
/// kept until it is.
///
/// # Errors
/// [`Refusal::WebhookNotVerified`] for a body that the provider did not sign; also when the provider cannot be asked: it
/// sends the webhook again.
pub async fn handle_webhook(app: &App, request: &WebhookRequest<'_>) -> Result<()> {
    if !app.payments.verify_webhook(request.body, request.signature) {
        return Err(Refusal::WebhookNotVerified.into());
    }
    let provider = app.payments.provider();
    if let Some(event_id) = request.event_id
        && storage::payments::notifications::is_known(&app.db, provider, event_id).await?
    {
        return Ok(());
    }
    if let Some(refund) = parse_refund_webhook(request.body) {
        Bookkeeping::of(app).apply_report(&refund).await?;
    } else if let Some(event) = parse_webhook(request.body) {
        handle_payment(app, &event).await?;
    } else {
        return Ok(());
    }
    if let Some(event_id) = request.event_id {
        let mut tx = app.begin().await?;
        storage::payments::notifications::record(&mut tx, provider, event_id, app.now()).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// What a webhook says of a payment is a reason to ask: between the event and its report the payment may have been refunded.
async fn handle_payment(app: &App, event: &WebhookEvent) -> Result<()> {
    let WebhookEvent { kind, order_id, payment_id, amount } = event;
    if *kind == WebhookKind::PaymentFailed {
        return Ok(());
    }
    let (books, provider) = (Bookkeeping::of(app), app.payments.provider());
    let order = storage::payments::orders::by_provider_order_id(&app.db, provider, order_id).await?;
    let Some(order) = order else {
        tracing::info!(order = order_id, "a webhook about an order that is not ours");
        return Ok(());
    };
    let is_recorded = async || {
        Ok::<_, crate::Failure>(storage::payments::by_id(&app.db, provider, payment_id).await?.is_some())
    };
    if is_recorded().await? || (!kind.is_paid() && order.status == OrderStatus::Paid) {
        return Ok(());
    }
    match &app.payments {
        Payments::Sandbox(_) if kind.is_paid() => {
            let payment = in_sandbox(payment_id.clone(), *amount);
            settlement::settle(&books, order.id, &payment).await?;
        }
        Payments::Sandbox(_) | Payments::Razorpay(_) => {
            reconciliation::ask(&books, &order).await?;
            if kind.is_paid() && !is_recorded().await? {
                let text = format!("it does not list {payment_id} yet, which it has reported");
                return Err(PaymentError::Unavailable(text).into());
            }
        }
    }
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
