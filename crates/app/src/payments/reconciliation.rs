//! Asking the provider about open orders: credits what was paid, captures what is authorised, ends what is over.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::payments::orders::{COUPON_RESERVATION, Order, OrderStatus, Purpose, next_check};
use domain::{DAY, OrderId, UserId};
use futures::StreamExt as _;
use gateway::PaymentError;
use gateway::payments::{OrderState, ProviderPayment};

use crate::payments::bookkeeping::Bookkeeping;
use crate::payments::settlement;
use crate::{App, Failure, Result};

/// An order that never reached the provider is abandoned after this.
const UNKNOWN_AFTER: Duration = Duration::from_secs(60 * 60);
/// An order that nobody tried to pay is abandoned after this: no checkout stays open for longer.
const UNATTEMPTED_AFTER: Duration = DAY;
/// An order is abandoned after this: a payment may be authorised up to three days late.
const ABANDON_AFTER: Duration = DAY.saturating_mul(4);
/// Orders that are looked at in one round.
const BATCH: i64 = 100;
/// Accounts about whose orders the provider is asked at once.
const CONCURRENCY: usize = 4;

/// What the provider says about an order, once what follows from it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It is paid and credited.
    Paid,
    /// It is not paid, as far as is known.
    Unpaid {
        /// Whether somebody has tried to.
        attempted: bool,
    },
    /// The provider does not know it as it is here: it has failed.
    Failed,
}

/// Releases the coupons of orders that were not paid in time, and asks the provider about orders that stay open: the one
/// whose last look is longest ago first, the older ones less often. Of one account, the orders of a round are settled in the
/// order in which they were made: not chance decides which recharge is the first, and doubled. What is kept of refunds is
/// applied where their payment was recorded at the moment at which they were reported.
///
/// # Errors
/// When the database fails; a provider that does not answer is asked again later.
pub async fn reconcile(app: &App) -> Result<()> {
    release_coupons(app).await?;
    apply_early_refunds(app).await?;
    let mut accounts: BTreeMap<UserId, Vec<Order>> = BTreeMap::new();
    for order in storage::payments::orders::to_check(&app.db, app.now(), BATCH).await? {
        accounts.entry(order.user).or_default().push(order);
    }
    let mut checks = futures::stream::iter(accounts.into_values())
        .map(|orders| check_account(app, orders))
        .buffer_unordered(CONCURRENCY);
    let mut failure = None;
    while let Some(checked) = checks.next().await {
        failure = failure.or(checked.err());
    }
    failure.map_or(Ok(()), Err)
}

async fn check_account(app: &App, mut orders: Vec<Order>) -> Result<()> {
    orders.sort_by_key(|order| order.created_at);
    let mut failure = None;
    for order in &orders {
        // One order that fails stops no other.
        failure = failure.or(check(app, order).await.err());
    }
    failure.map_or(Ok(()), Err)
}

async fn release_coupons(app: &App) -> Result<()> {
    let before = app.now().minus(COUPON_RESERVATION);
    loop {
        let orders = storage::payments::coupons::reserved_before(&app.db, before, BATCH).await?;
        for order in &orders {
            release_coupon(app, *order).await?;
        }
        if orders.is_empty() {
            return Ok(());
        }
    }
}

async fn apply_early_refunds(app: &App) -> Result<()> {
    for early in storage::payments::early_refunds::applicable(&app.db).await? {
        let payment = storage::payments::by_id(&app.db, &early.provider, &early.payment_id).await?;
        if let Some(payment) = payment {
            Bookkeeping::of(app).apply_reports(&payment, &[]).await?;
        }
    }
    Ok(())
}

async fn check(app: &App, order: &Order) -> Result<()> {
    let age = app.now().since(order.created_at);
    let standing = if order.provider_order_id.is_none() {
        if age >= UNKNOWN_AFTER {
            return abandon(app, order.id).await;
        }
        Standing::Unpaid { attempted: true }
    } else if order.provider == app.payments.provider() {
        match ask(&Bookkeeping::of(app), order).await {
            Ok(standing) => standing,
            Err(Failure::Payment(error)) => {
                tracing::warn!(order = %order.id, error = crate::operations::runtime::failure::chain(&error), "the provider cannot be asked");
                return mark_checked(app, order).await;
            }
            Err(failure) => return Err(failure),
        }
    } else {
        // Another provider's order cannot be asked about; it is abandoned in the end.
        Standing::Unpaid { attempted: true }
    };
    match standing {
        Standing::Paid | Standing::Failed => Ok(()),
        Standing::Unpaid { attempted: false } if age >= UNATTEMPTED_AFTER => abandon(app, order.id).await,
        Standing::Unpaid { .. } if age >= ABANDON_AFTER => abandon(app, order.id).await,
        Standing::Unpaid { .. } => mark_checked(app, order).await,
    }
}

async fn mark_checked(app: &App, order: &Order) -> Result<()> {
    let now = app.now();
    let mut tx = app.begin().await?;
    storage::payments::orders::mark_checked(&mut tx, order.id, now, next_check(order.created_at, now))
        .await?;
    tx.commit().await
}

/// Asks the provider about an order that it has, and does what follows from the answer.
///
/// # Errors
/// [`Failure::Payment`] when the provider cannot be asked.
pub(crate) async fn ask(books: &Bookkeeping<'_>, order: &Order) -> Result<Standing> {
    let Some(id) = &order.provider_order_id else { return Ok(Standing::Unpaid { attempted: false }) };
    let state = match books.payments.order_state(id).await {
        Ok(state) => state,
        Err(PaymentError::Refused(text)) => {
            return fail(books, order.id, &format!("the provider does not know it: {text}")).await;
        }
        Err(error) => return Err(error.into()),
    };
    apply(books, order, id, &state).await
}

/// Credits what was paid for an order and not returned, and captures a payment that is only authorised.
async fn apply(books: &Bookkeeping<'_>, order: &Order, id: &str, state: &OrderState) -> Result<Standing> {
    let mut payments: Vec<ProviderPayment> = state.captured().cloned().collect();
    if payments.is_empty()
        && let Some(authorised) = state.authorised().filter(|payment| payment.amount == order.amount)
        && wants_payment(books, order, authorised).await?
        && capture(books, order, id, authorised).await?
    {
        payments.push(authorised.clone());
    }
    // One over the order's amount pays for it, whichever comes first.
    payments.sort_by_key(|payment| payment.amount != order.amount);
    let mut standing = Standing::Unpaid { attempted: state.attempted };
    for payment in &payments {
        let settled = settlement::settle(books, order.id, payment).await?;
        match settled.status {
            OrderStatus::Paid => standing = Standing::Paid,
            OrderStatus::Failed if standing != Standing::Paid => standing = Standing::Failed,
            OrderStatus::Open | OrderStatus::Abandoned | OrderStatus::Failed => {}
        }
    }
    match state.amount {
        Some(amount) if payments.is_empty() && amount != order.amount => {
            fail(books, order.id, &format!("it is over {}, and over {amount} at the provider", order.amount))
                .await
        }
        _ => Ok(standing),
    }
}

/// Captures an authorised payment; false where the provider refuses. It returns the money by itself then, and the order is one
/// that somebody has tried to pay.
async fn capture(
    books: &Bookkeeping<'_>,
    order: &Order,
    id: &str,
    authorised: &ProviderPayment,
) -> Result<bool> {
    let payment = &authorised.payment_id;
    match books.payments.capture(id, authorised).await {
        Ok(()) => {
            tracing::info!(order = %order.id, payment, "captured an authorised payment");
            Ok(true)
        }
        Err(PaymentError::Refused(text)) => {
            tracing::warn!(order = %order.id, payment, reason = text, "the provider refused to capture a payment");
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}

/// Whether an authorised payment of the order would buy something. The use of its coupon is reserved until it is captured.
async fn wants_payment(books: &Bookkeeping<'_>, order: &Order, authorised: &ProviderPayment) -> Result<bool> {
    let user = storage::accounts::users::by_id(books.db, order.user).await?;
    let Some(user) = user else { return Ok(false) };
    if order.purpose == Purpose::PremiumPlan && user.premium_since.is_some() {
        return Ok(false);
    }
    if order.coupon.is_none() {
        return Ok(true);
    }
    let now = books.now();
    let mut tx = books.begin().await?;
    storage::payments::orders::lock(&mut tx, order.id).await?;
    let paid_at = authorised.made_at.unwrap_or(now);
    let reserved = storage::payments::coupons::reserve_again(&mut tx, order.id, paid_at, now).await?;
    tx.commit().await?;
    Ok(reserved)
}

async fn fail(books: &Bookkeeping<'_>, order: OrderId, reason: &str) -> Result<Standing> {
    let mut tx = books.begin().await?;
    storage::payments::orders::lock(&mut tx, order).await?;
    let failed = storage::payments::orders::fail(&mut tx, order, reason, books.now()).await?;
    tx.commit().await?;
    if failed {
        tracing::error!(%order, reason, "an order has failed: see `afterglow payment failed`");
    }
    Ok(Standing::Failed)
}

/// Releases the coupon of an order, which stays open: a payment that was begun may still arrive.
pub(crate) async fn release_coupon(app: &App, order: OrderId) -> Result<()> {
    let mut tx = app.begin().await?;
    storage::payments::orders::lock(&mut tx, order).await?;
    storage::payments::coupons::release(&mut tx, order).await?;
    tx.commit().await
}

/// Abandons an order, which releases its use of a coupon.
pub(crate) async fn abandon(app: &App, order: OrderId) -> Result<()> {
    let mut tx = app.begin().await?;
    storage::payments::orders::abandon(&mut tx, order, app.now()).await?;
    tx.commit().await
}
