//! Comparing the payments and refunds that the provider has of a period with what is here, and mending what differs: what no
//! webhook has told, and what a restored back-up lacks.

use std::collections::{BTreeMap, HashSet};

use domain::payments::Payment;
use domain::payments::money::PREMIUM_PRICE;
use domain::payments::orders::{Order, OrderStatus, Purpose};
use domain::{DAY, OrderId, Paise, Timestamp, UserId};
use gateway::payments::{ListedOrder, ListedPayment, ProviderRefund};
use storage::payments::orders::NewOrder;

use crate::payments::bookkeeping::Bookkeeping;
use crate::payments::orders::{ACCOUNT_NOTE, COUPON_NOTE, PURPOSE_NOTE};
use crate::payments::reconciliation;
use crate::payments::refunds::{is_about, status};
use crate::payments::withdrawals::returned;
use crate::{App, Result};

/// How far back the provider's payments and refunds are compared each night.
pub const PERIOD: std::time::Duration = DAY.saturating_mul(30);
/// How long before its payment an order may have been made.
const PAID_WITHIN: std::time::Duration = DAY.saturating_mul(5);

/// Something that the provider has and that is not here, or is otherwise.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Difference {
    /// A captured payment.
    #[error("payment {payment} of ₹{amount}: the provider has captured it, and it is not recorded here")]
    Payment {
        /// Its id.
        payment: String,
        /// What was paid.
        amount: Paise,
    },
    /// A refund.
    #[error("payment {payment}: its refund {refund} of ₹{amount} is {status} at the provider, and not here")]
    Refund {
        /// The payment's id.
        payment: String,
        /// The refund's id.
        refund: String,
        /// What it returns.
        amount: Paise,
        /// Its state at the provider.
        status: &'static str,
    },
    /// A captured payment of an account that is not here.
    #[error("payment {payment} of ₹{amount}: it is for the account {account}, which is not here")]
    Account {
        /// The payment's id.
        payment: String,
        /// What was paid.
        amount: Paise,
        /// The account that the order was made for.
        account: String,
    },
}

/// A difference that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What differs.
    pub difference: Difference,
    /// Whether it is as at the provider now.
    pub is_mended: bool,
}

/// What a comparison has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// How many payments the provider has of the period.
    pub payments: usize,
    /// What differs, in the order in which it was paid.
    pub found: Vec<Found>,
}

impl Comparison {
    fn add(&mut self, difference: Difference, is_mended: bool) {
        if !self.found.iter().any(|found| found.difference == difference) {
            self.found.push(Found { difference, is_mended });
        }
    }
}

/// Compares the last 30 days with the provider, orders that were abandoned or have failed included, and mends what differs.
///
/// # Errors
/// When the provider or the database cannot be asked.
pub async fn compare_lately(app: &App) -> Result<()> {
    let now = app.now();
    let comparison = compare(&Bookkeeping::of(app), now.minus(PERIOD), now, true).await?;
    for Found { difference, is_mended } in comparison.found {
        tracing::error!(%difference, is_mended, "the payment provider has something that is not here");
    }
    Ok(())
}

/// Compares what the provider has from `from` to `to` with what is here, and mends it if asked to. Without mending, payments
/// of open orders are no difference: the service asks about these by itself.
///
/// # Errors
/// When the provider or the database cannot be asked. A payment that cannot be mended stops no other.
pub(crate) async fn compare(
    books: &Bookkeeping<'_>,
    from: Timestamp,
    to: Timestamp,
    mends: bool,
) -> Result<Comparison> {
    // The oldest comes first: it decides which recharge is doubled.
    let (mut listed, mut seen) = (books.payments.payments_between(from, to).await?, HashSet::new());
    listed.reverse();
    listed.retain(|payment| seen.insert(payment.payment_id.clone()));
    let mut refunds: BTreeMap<String, Vec<ProviderRefund>> = BTreeMap::new();
    for refund in books.payments.refunds_between(from, to).await? {
        refunds.entry(refund.payment_id.clone()).or_default().push(refund);
    }
    let mut orders = Orders { from: from.minus(PAID_WITHIN), to, listed: None };
    let mut comparison = Comparison { payments: listed.len(), found: Vec::new() };
    let mut failure = None;
    for payment in &listed {
        let compared = compare_payment(books, payment, &mut orders, mends, &mut comparison).await;
        failure = failure.or(compared.err());
    }
    let provider = books.payments.provider();
    for (payment_id, reports) in &refunds {
        if let Some(payment) = storage::payments::by_id(books.db, provider, payment_id).await? {
            let compared = compare_refunds(books, &payment, reports, mends, &mut comparison).await;
            failure = failure.or(compared.err());
        }
    }
    failure.map_or(Ok(comparison), Err)
}

async fn compare_payment(
    books: &Bookkeeping<'_>,
    listed: &ListedPayment,
    orders: &mut Orders,
    mends: bool,
    comparison: &mut Comparison,
) -> Result<()> {
    let (provider, id) = (books.payments.provider(), &listed.payment_id);
    if let Some(payment) = storage::payments::by_id(books.db, provider, id).await? {
        let here = storage::payments::refunds::of_payment(books.db, provider, id).await?;
        if returned(&here) == listed.refunded {
            return Ok(());
        }
        let reports = books.payments.refunds_of(id, listed.refunded).await?;
        return compare_refunds(books, &payment, &reports, mends, comparison).await;
    }
    let (payment, amount) = (id.clone(), listed.amount);
    let known = storage::payments::orders::by_provider_order_id(books.db, provider, &listed.order_id).await?;
    let order = match known {
        Some(order) if order.status == OrderStatus::Open && !mends => return Ok(()),
        Some(order) => order,
        None => match orders.origin(books, &listed.order_id, mends).await? {
            Origin::Elsewhere => return Ok(()),
            Origin::Unknown(account) => {
                if listed.is_captured {
                    comparison.add(Difference::Account { payment, amount, account }, false);
                }
                return Ok(());
            }
            Origin::Missing => {
                if listed.is_captured {
                    comparison.add(Difference::Payment { payment, amount }, false);
                }
                return Ok(());
            }
            Origin::Restored(order) => *order,
        },
    };
    if mends {
        reconciliation::ask(books, &order).await?;
    }
    let is_mended = mends && storage::payments::by_id(books.db, provider, id).await?.is_some();
    // One that nobody has captured yet is money only if it was captured now.
    if listed.is_captured || is_mended {
        comparison.add(Difference::Payment { payment, amount }, is_mended);
    }
    Ok(())
}

async fn compare_refunds(
    books: &Bookkeeping<'_>,
    payment: &Payment,
    reports: &[ProviderRefund],
    mends: bool,
    comparison: &mut Comparison,
) -> Result<()> {
    let Payment { provider, payment_id, .. } = payment;
    let here = storage::payments::refunds::of_payment(books.db, provider, payment_id).await?;
    let mut changes = false;
    for report in reports {
        let (known, next) = (here.iter().find(|refund| is_about(report, refund)), status(report.state));
        let is_new = known.is_none_or(|refund| refund.status.can_become(next));
        changes |= is_new;
        let is_returned = known.is_some_and(|refund| refund.status.returns_money());
        if is_new && is_returned != next.returns_money() {
            let difference = Difference::Refund {
                payment: payment_id.clone(),
                refund: report.refund_id.clone(),
                amount: report.amount,
                status: next.as_str(),
            };
            comparison.add(difference, mends);
        }
    }
    if mends && changes {
        books.apply_reports(payment, reports).await?;
    }
    Ok(())
}

/// The provider's orders of the period, which are listed once a payment is for one that is not here.
struct Orders {
    from: Timestamp,
    to: Timestamp,
    listed: Option<BTreeMap<String, ListedOrder>>,
}

/// Where an order comes from that is not here.
enum Origin {
    /// It is of something else that is sold with the same keys.
    Elsewhere,
    /// It was made for this account, which is not here.
    Unknown(String),
    /// It was made here and is missing.
    Missing,
    /// It was made here, and is again.
    Restored(Box<Order>),
}

impl Orders {
    /// Looks for an order that is not here among the provider's, whose notes tell who made it, and makes it anew if it was
    /// made here.
    async fn origin(&mut self, books: &Bookkeeping<'_>, order_id: &str, mends: bool) -> Result<Origin> {
        let listed = match &mut self.listed {
            Some(listed) => listed,
            none => {
                let orders = books.payments.orders_between(self.from, self.to).await?;
                none.insert(orders.into_iter().map(|order| (order.order_id.clone(), order)).collect())
            }
        };
        let Some(found) = listed.get(order_id) else { return Ok(Origin::Elsewhere) };
        let note = |name: &str| found.notes.get(name).map(String::as_str);
        let id: Option<OrderId> = found.receipt.as_deref().and_then(|receipt| receipt.parse().ok());
        let account: Option<UserId> = note(ACCOUNT_NOTE).and_then(|account| account.parse().ok());
        let purpose = note(PURPOSE_NOTE).and_then(Purpose::parse);
        let (Some(id), Some(user), Some(purpose)) = (id, account, purpose) else {
            return Ok(Origin::Elsewhere);
        };
        let mut tx = books.begin().await?;
        let known = storage::payments::orders::lock(&mut tx, id).await?;
        if known.as_ref().is_some_and(|order| order.provider_order_id.is_some() || order.user != user) {
            return Ok(Origin::Elsewhere);
        }
        if storage::accounts::users::lock(&mut tx, user).await?.is_none() {
            return Ok(Origin::Unknown(user.to_string()));
        }
        if !mends {
            return Ok(Origin::Missing);
        }
        if known.is_some() {
            // The process ended before the provider's answer was stored.
            storage::payments::orders::set_provider_order_id(&mut tx, id, order_id).await?;
        } else {
            let price = if purpose == Purpose::PremiumPlan { PREMIUM_PRICE } else { found.amount };
            let new = NewOrder {
                id,
                user,
                provider: books.payments.provider().to_owned(),
                purpose,
                amount: found.amount,
                discount: Paise::new((price.get() - found.amount.get()).max(0)),
                coupon: note(COUPON_NOTE).and_then(|coupon| coupon.parse().ok()),
                created_at: found.created_at,
                check_at: books.now(),
            };
            storage::payments::orders::restore(&mut tx, &new, order_id, books.now()).await?;
        }
        let order = storage::payments::orders::by_id(&mut *tx, id).await?;
        tx.commit().await?;
        tracing::warn!(order = %id, "an order that was missing is made anew from the provider's");
        Ok(order.map_or(Origin::Missing, |order| Origin::Restored(Box::new(order))))
    }
}
