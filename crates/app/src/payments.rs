//! Payments: trusted only when the provider has signed or confirmed them, and credited once.

use std::time::Duration;

use domain::accounts::User;
use domain::ledger::LedgerKind;
use domain::orders::{Order, OrderStatus, Purpose};
use domain::{DAY, LedgerId, Paise, Refusal};
use gateway::Payments;
use gateway::payments::{OrderState, WebhookEvent, parse_webhook};
use storage::orders::Payment;

use crate::queue::Tx;
use crate::{App, Failure, Result, orders};

pub use gateway::payments::{
    CheckoutSources, EVENT_ID_HEADER, PaymentProof, SIGNATURE_HEADER, WebhookRequest,
};

/// Orders younger than this are left to the browser and the webhook.
const RECONCILE_AFTER: Duration = Duration::from_secs(5 * 60);
/// An order that never reached the provider is abandoned after this.
const UNKNOWN_AFTER: Duration = Duration::from_secs(60 * 60);
/// An order is abandoned after this: a payment may be authorised up to three days late.
const ABANDON_AFTER: Duration = DAY.saturating_mul(4);
/// Orders that are reconciled in one round.
const BATCH: i64 = 100;

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
        storage::orders::by_provider_order_id(&app.db, app.payments.provider(), &proof.order_id).await?;
    let order = order.filter(|order| order.user == user.id).ok_or(Refusal::OrderNotFound)?;
    if !app.payments.verify_signature(&proof.order_id, &proof.payment_id, &proof.signature) {
        return Err(Refusal::PaymentNotVerified.into());
    }
    if order.status == OrderStatus::Paid {
        return Ok(Receipt::from(&order));
    }
    let payment_id = match &app.payments {
        // The provider signs what is authorised; only what is captured is money.
        Payments::Razorpay(_) => match app.payments.order_state(&proof.order_id).await? {
            OrderState::Paid(captured) if captured.amount == order.amount => captured.payment_id,
            OrderState::Paid(captured) => return Err(amount_mismatch(&order, captured.amount)),
            OrderState::Open => return Err(Refusal::PaymentPending.into()),
        },
        Payments::Sandbox(_) => proof.payment_id.clone(),
    };
    let tx = app.begin().await?;
    settle(app, tx, &order, &payment_id).await
}

fn amount_mismatch(order: &Order, paid: Paise) -> Failure {
    Failure::Internal(format!("order {} is over {} and was paid with {paid}", order.id, order.amount))
}

/// Marks an order as paid and credits what it is for, once, in the caller's transaction, which it commits.
async fn settle(app: &App, mut tx: Tx, order: &Order, payment_id: &str) -> Result<Receipt> {
    let now = app.now();
    let (mut order, first) = match storage::orders::mark_paid(&mut tx, order.id, payment_id, now).await? {
        Payment::Accepted { order, first_recharge } => (order, first_recharge),
        Payment::Repeated(order) => {
            tx.commit().await?;
            return Ok(Receipt::from(&order));
        }
        Payment::OfAnotherOrder => return Err(Refusal::PaymentNotVerified.into()),
        Payment::Missing => return Err(Refusal::OrderNotFound.into()),
    };
    let (kind, received) = match order.purpose {
        Purpose::Credits if first => (LedgerKind::Recharge, Paise::new(order.amount.get().saturating_mul(2))),
        Purpose::Credits => (LedgerKind::Recharge, order.amount),
        Purpose::PremiumPlan => (LedgerKind::Premium, Paise::ZERO),
    };
    let reference = Some(order.id.to_string());
    let entry = storage::ledger::Entry {
        id: app.id::<LedgerId>(),
        user: order.user,
        kind,
        amount: received,
        reference,
        at: now,
    };
    storage::ledger::grant(&mut tx, &entry).await?;
    storage::orders::record_credits(&mut tx, order.id, received).await?;
    if order.purpose == Purpose::PremiumPlan
        && !storage::users::make_premium(&mut tx, order.user, now).await?
    {
        tracing::warn!(order = %order.id, "an account that has the premium plan has paid for it again; a refund is due: see `afterglow payment refunds`");
    }
    tx.commit().await?;
    app.metrics.record_ledger_entry(kind);
    order.credits_received = received;
    tracing::info!(order = %order.id, purpose = order.purpose.as_str(), amount = %order.amount, received = %received, "a payment counts");
    Ok(Receipt::from(&order))
}

/// Handles a webhook of the provider; one about no order of ours is ignored.
///
/// # Errors
/// [`Refusal::WebhookNotVerified`] for a body that the provider did not sign.
pub async fn handle_webhook(app: &App, request: &WebhookRequest<'_>) -> Result<()> {
    if !app.payments.verify_webhook(request.body, request.signature) {
        return Err(Refusal::WebhookNotVerified.into());
    }
    let Some(event) = parse_webhook(request.body).filter(|event| event.kind.is_paid()) else {
        return Ok(());
    };
    let provider = app.payments.provider();
    let Some(order) = storage::orders::by_provider_order_id(&app.db, provider, &event.order_id).await? else {
        tracing::info!(order = event.order_id, "a webhook about an order that is not ours");
        return Ok(());
    };
    apply_webhook_event(app, &order, &event, request.event_id).await
}

async fn apply_webhook_event(
    app: &App,
    order: &Order,
    event: &WebhookEvent,
    event_id: Option<&str>,
) -> Result<()> {
    if event.amount != order.amount {
        // A retry would not change it; the operator has to resolve it.
        tracing::error!(order = %order.id, error = amount_mismatch(order, event.amount).chain(), "a webhook's amount is not the order's");
        return Ok(());
    }
    let mut tx = app.begin().await?;
    if let Some(event_id) = event_id
        && !storage::webhooks::record(&mut tx, &order.provider, event_id, app.now()).await?
    {
        return Ok(());
    }
    settle(app, tx, order, &event.payment_id).await?;
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
    let order = storage::orders::by_provider_order_id(&app.db, app.payments.provider(), order_id).await?;
    let order = order.filter(|order| order.user == user.id).ok_or(Refusal::OrderNotFound)?;
    sandbox.pay(order_id, order.amount).ok_or_else(|| Refusal::OrderNotFound.into())
}

/// Asks the provider about orders that stay open, credits those that were paid and abandons old ones.
///
/// # Errors
/// When the database fails; a provider that does not answer is asked again in the next round.
pub async fn reconcile(app: &App) -> Result<()> {
    let before = app.now().minus(RECONCILE_AFTER);
    for order in storage::orders::open(&app.db, before, BATCH).await? {
        match reconcile_order(app, &order).await {
            Ok(()) => {}
            Err(Failure::Payment(error)) => {
                tracing::warn!(order = %order.id, error = crate::failure::chain(&error), "the provider cannot be asked");
                mark_checked(app, &order).await?;
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(())
}

async fn reconcile_order(app: &App, order: &Order) -> Result<()> {
    let age = app.now().since(order.created_at);
    let state = match &order.provider_order_id {
        None if age >= UNKNOWN_AFTER => return orders::abandon(app, order.id).await,
        // Another provider's order cannot be asked about; it is abandoned in the end.
        Some(id) if order.provider == app.payments.provider() => app.payments.order_state(id).await?,
        None | Some(_) => OrderState::Open,
    };
    match state {
        OrderState::Paid(payment) if payment.amount == order.amount => {
            let tx = app.begin().await?;
            settle(app, tx, order, &payment.payment_id).await?;
            Ok(())
        }
        OrderState::Paid(payment) => {
            tracing::error!(error = amount_mismatch(order, payment.amount).chain(), "a payment does not fit");
            mark_checked(app, order).await
        }
        OrderState::Open if age >= ABANDON_AFTER => orders::abandon(app, order.id).await,
        OrderState::Open => mark_checked(app, order).await,
    }
}

async fn mark_checked(app: &App, order: &Order) -> Result<()> {
    let mut tx = app.begin().await?;
    storage::orders::mark_checked(&mut tx, order.id, app.now()).await?;
    tx.commit().await
}
