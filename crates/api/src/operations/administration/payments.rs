//! Payments and orders that need an operator.

use app::App;
use app::operations::administration::Administration;
use app::operations::administration::payments::{self, FailedOrder, RefundDue};
use app::payments::{invoices, provider};
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use domain::payments::invoices::Month;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::accounts::HolderBody;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Administrator, Json, Path, Query};
use crate::operations::runtime::responses::{AdministratorsOnly, Unavailable};

/// A payment that bought nothing and is to be refunded.
#[derive(Serialize, ToSchema)]
pub struct RefundDueBody {
    /// The provider's id.
    payment_id: String,
    provider: String,
    /// Rupees.
    amount: f64,
    /// Why it bought nothing.
    reason: String,
    /// Null when it is closed.
    account: Option<HolderBody>,
    #[schema(format = DateTime)]
    paid_at: String,
}

impl From<RefundDue> for RefundDueBody {
    fn from(RefundDue { payment, user }: RefundDue) -> Self {
        Self {
            reason: payment.outcome.refund_reason().unwrap_or_default().to_owned(),
            amount: payment.amount.as_rupees(),
            paid_at: payment.captured_at.to_rfc3339(),
            payment_id: payment.payment_id,
            provider: payment.provider,
            account: user.map(HolderBody::from),
        }
    }
}

/// An order that the provider does not know, or over another amount.
#[derive(Serialize, ToSchema)]
pub struct FailedOrderBody {
    order_id: String,
    provider: String,
    provider_order_id: Option<String>,
    /// Rupees.
    amount: f64,
    reason: Option<String>,
    /// Null when it is closed.
    account: Option<HolderBody>,
    #[schema(format = DateTime)]
    failed_at: String,
}

impl From<FailedOrder> for FailedOrderBody {
    fn from(FailedOrder { order, user }: FailedOrder) -> Self {
        Self {
            order_id: order.id.to_string(),
            amount: order.amount.as_rupees(),
            failed_at: order.settled_at.unwrap_or(order.created_at).to_rfc3339(),
            provider: order.provider,
            provider_order_id: order.provider_order_id,
            reason: order.failure,
            account: user.map(HolderBody::from),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct PaymentsToSettleBody {
    /// Oldest first.
    refunds_due: Vec<RefundDueBody>,
    /// Newest first.
    failed_orders: Vec<FailedOrderBody>,
    /// Whether the installation makes invoices.
    makes_invoices: bool,
}

/// The payments and orders that need an operator.
#[utoipa::path(get, path = "/api/administration/payments", tag = "administration", security(("bearer" = [])), responses(
    (status = 200, body = PaymentsToSettleBody),
    AdministratorsOnly,
    Unavailable,
))]
pub(crate) async fn payments_to_settle(
    State(app): State<App>,
    Administrator(user): Administrator,
) -> Result<Json<PaymentsToSettleBody>> {
    let administration = Administration::of(&app, &user);
    let refunds_due = payments::refunds_due(&administration, provider(&app)).await?;
    let failed_orders = payments::failed_orders(&administration, provider(&app)).await?;
    Ok(Json(PaymentsToSettleBody {
        refunds_due: refunds_due.into_iter().map(RefundDueBody::from).collect(),
        failed_orders: failed_orders.into_iter().map(FailedOrderBody::from).collect(),
        makes_invoices: invoices::are_made(&app),
    }))
}

/// What became of a refund.
#[derive(Serialize, ToSchema)]
pub(crate) struct RefundBody {
    payment_id: String,
    /// `requested`, `pending`, `processed` or `failed`.
    status: String,
    /// Rupees that are returned.
    amount: f64,
    /// What is taken back of the credits that it bought.
    credits_taken: f64,
    /// What should have been taken, and was spent.
    credits_missing: f64,
}

/// Returns the money of a payment through the provider. Repeated after an interruption, it goes on with the same refund.
#[utoipa::path(post, path = "/api/administration/payments/{payment_id}/refund", tag = "administration",
    security(("bearer" = [])),
    params(("payment_id" = String, Path, description = "The provider's id of the payment")),
    responses(
        (status = 200, body = RefundBody),
        AdministratorsOnly,
        (status = 400, body = ErrorBody, description = "The provider refused, and the text says why"),
        (status = 404, body = ErrorBody, description = "There is no such payment"),
        (status = 409, body = ErrorBody, description = "It is refunded already"),
        (status = 503, body = ErrorBody, description = "The provider cannot be reached"),
    ))]
pub(crate) async fn refund_payment(
    State(app): State<App>,
    Administrator(user): Administrator,
    Path(payment_id): Path<String>,
) -> Result<Json<RefundBody>> {
    let refund = payments::refund_by(&app, &user, &payment_id).await?;
    Ok(Json(RefundBody {
        payment_id,
        status: refund.status.as_str().to_owned(),
        amount: refund.amount.as_rupees(),
        credits_taken: refund.credits_taken.as_rupees(),
        credits_missing: refund.credits_missing.as_rupees(),
    }))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct RegisterQuery {
    /// A month in India, such as `2026-11`.
    #[serde(default)]
    #[param(required = true)]
    month: String,
}

/// The invoices and notes of a month as CSV (RFC 4180) with a header line and a byte order mark. A text that a spreadsheet would
/// take for a formula begins with an apostrophe.
#[utoipa::path(get, path = "/api/administration/invoices", tag = "administration", security(("bearer" = [])),
    params(RegisterQuery), responses(
        (status = 200, content_type = "text/csv", body = String),
        AdministratorsOnly,
        (status = 400, body = ErrorBody, description = "That is no month"),
    ))]
pub(crate) async fn invoice_register(
    State(app): State<App>,
    _caller: Administrator,
    Query(query): Query<RegisterQuery>,
) -> Result<Response> {
    let month = Month::parse(&query.month)?;
    let disposition = HeaderValue::try_from(format!("attachment; filename=\"invoices-{month}.csv\""));
    let disposition = disposition.unwrap_or(HeaderValue::from_static("attachment"));
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8")),
        (CONTENT_DISPOSITION, disposition),
    ];
    Ok((headers, invoices::register(&app, month).await?).into_response())
}
