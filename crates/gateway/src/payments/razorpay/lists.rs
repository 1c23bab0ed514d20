//! Lists of Razorpay: all payments and refunds of a period, and the refunds of a payment, page by page.

use domain::{Paise, Timestamp};
use serde::de::DeserializeOwned;

use super::Razorpay;
use super::api::{Collection, OrderBody, PaymentBody};
use crate::payments::orders::{ListedOrder, ListedPayment, PaymentError, ProviderRefund};
use crate::payments::refunds::RefundBody;

/// Most items of a page that the provider gives.
const PAGE: usize = 100;

impl Razorpay {
    /// The payments for orders that were made from `from` to `to` and are authorised or captured.
    pub(in crate::payments) async fn payments_between(
        &self,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Vec<ListedPayment>, PaymentError> {
        let found: Vec<PaymentBody> = self.pages("/v1/payments", &between(from, to)).await?;
        Ok(found.into_iter().filter_map(PaymentBody::into_listed).collect())
    }

    /// The refunds that were made from `from` to `to`.
    pub(in crate::payments) async fn refunds_between(
        &self,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Vec<ProviderRefund>, PaymentError> {
        Ok(refunds(self.pages("/v1/refunds", &between(from, to)).await?))
    }

    /// The refunds of a payment, whose id must be one, since it becomes part of the path. They are of `refunded` in all: a
    /// list that the last one is missing from would leave what that has returned with the customer's account.
    pub(in crate::payments) async fn refunds_of(
        &self,
        payment_id: &str,
        refunded: Paise,
    ) -> Result<Vec<ProviderRefund>, PaymentError> {
        let found = refunds(self.pages(&format!("/v1/payments/{payment_id}/refunds"), &[]).await?);
        let listed: i64 = found.iter().map(|refund| refund.amount.get()).sum();
        if listed < refunded.get() || found.iter().any(|refund| refund.payment_id != payment_id) {
            let text = format!("its refunds of {payment_id} are not those of {refunded}");
            return Err(PaymentError::Unavailable(text));
        }
        Ok(found)
    }

    /// The orders that were made from `from` to `to`.
    pub(in crate::payments) async fn orders_between(
        &self,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Vec<ListedOrder>, PaymentError> {
        let found: Vec<OrderBody> = self.pages("/v1/orders", &between(from, to)).await?;
        Ok(found.into_iter().filter_map(OrderBody::into_listed).collect())
    }

    /// All items of a list, page by page. What is added meanwhile comes first, so that an item may be told twice and none is
    /// missed.
    async fn pages<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, String)],
    ) -> Result<Vec<T>, PaymentError> {
        let mut items = Vec::new();
        loop {
            let (count, skip) = (PAGE.to_string(), items.len().to_string());
            let mut query: Vec<(&str, &str)> =
                query.iter().map(|(name, text)| (*name, text.as_str())).collect();
            query.extend([("count", count.as_str()), ("skip", skip.as_str())]);
            let page: Collection<T> = self.with_timeout(self.get_with_retries(path, &query)).await?;
            let is_last = page.items.len() < PAGE;
            items.extend(page.items);
            if is_last {
                return Ok(items);
            }
        }
    }
}

/// A period in Unix seconds, its ends included.
fn between(from: Timestamp, to: Timestamp) -> [(&'static str, String); 2] {
    let seconds = |moment: Timestamp| moment.as_millis().div_euclid(1_000).to_string();
    [("from", seconds(from)), ("to", seconds(to))]
}

/// The refunds, oldest first.
fn refunds(mut found: Vec<RefundBody>) -> Vec<ProviderRefund> {
    found.sort_by_key(|refund| refund.created_at);
    found.into_iter().filter_map(RefundBody::into_refund).collect()
}
