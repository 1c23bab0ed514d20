//! The history of a photographer's money, and receipts.

use app::App;
use app::payments::{history, receipts};
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, HeaderName};
use axum::response::IntoResponse;
use domain::payments::history::{Line, LineKind};
use serde::{Deserialize, Serialize};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{IntoParams, ToSchema};

use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, PhotographerWithSession, Query};
use crate::operations::runtime::responses::PhotographersOnly;

fn kinds() -> RefOr<Schema> {
    let values = LineKind::ALL.map(LineKind::as_str);
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(values)).into()
}

/// A line of the history; amounts are rupees with at most two decimals.
#[derive(Serialize, ToSchema)]
pub(crate) struct HistoryLineBody {
    /// RFC 3339; of uploads the first.
    #[schema(format = DateTime)]
    date: String,
    /// `unused` is a payment that bought nothing, `photos` are the uploads of one day (UTC) to one event.
    #[schema(schema_with = kinds)]
    kind: &'static str,
    /// By how much the balance changed.
    credits: f64,
    /// The money that was paid; negative for a refund.
    paid: f64,
    /// Credits that a refund should have taken back and that were spent.
    missing: f64,
    /// How many photos were charged for.
    photos: i64,
    /// The event to which they were uploaded; null for photos without event.
    event: Option<String>,
    /// The payment, under which there is a receipt.
    payment_id: Option<String>,
    /// The number of the invoice of the payment, or of the credit note of the refund; null where there is none.
    invoice: Option<String>,
    /// The notes about refunds of the payment that came back, which have no line of their own.
    notes: Vec<NoteBody>,
    /// The operator's reason, or the coupon that paid.
    note: Option<String>,
    /// Whether all of a payment that bought nothing is returned, or on its way back; null for any other line.
    returned: Option<bool>,
}

/// A credit or debit note.
#[derive(Serialize, ToSchema)]
pub(crate) struct NoteBody {
    /// `credit_note` or `debit_note`.
    kind: &'static str,
    /// Its number.
    number: String,
}

impl From<Line> for HistoryLineBody {
    fn from(line: Line) -> Self {
        Self {
            date: line.at.to_rfc3339(),
            kind: line.kind.as_str(),
            credits: line.credits.as_rupees(),
            paid: line.paid.as_rupees(),
            missing: line.missing.as_rupees(),
            photos: line.photos,
            event: line.event,
            payment_id: line.payment,
            invoice: line.invoice,
            notes: line
                .notes
                .into_iter()
                .map(|(kind, number)| NoteBody { kind: kind.as_str(), number })
                .collect(),
            note: line.note,
            returned: line.is_returned,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct HistoryQuery {
    /// Entries a page, 50 when left out, at most 500; a first recharge is one entry with two lines.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct HistoryBody {
    /// Newest first. The credits of all pages add up to the balance.
    history: Vec<HistoryLineBody>,
    /// Null on the last page.
    next_cursor: Option<String>,
}

/// Every recharge, doubling, charge by event and refund of the caller.
#[utoipa::path(get, path = "/api/payments/history", tag = "payments", security(("bearer" = [])), params(HistoryQuery),
    responses(
        (status = 200, body = HistoryBody),
        PhotographersOnly,
        (status = 400, body = ErrorBody, description = "A parameter is bad, and the text says what"),
    ))]
pub(crate) async fn history(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
    Query(query): Query<HistoryQuery>,
) -> Result<Json<HistoryBody>> {
    let page = history::page(&app, &user, query.limit, query.cursor.as_deref()).await?;
    let history = page.lines.into_iter().map(HistoryLineBody::from).collect();
    Ok(Json(HistoryBody { history, next_cursor: page.next_cursor }))
}

/// The whole history as CSV (RFC 4180) with a header line and a byte order mark. A text that a spreadsheet would take for a
/// formula begins with an apostrophe.
#[utoipa::path(get, path = "/api/payments/history.csv", tag = "payments", security(("bearer" = [])), responses(
    (status = 200, content_type = "text/csv", body = String),
    PhotographersOnly,
))]
pub(crate) async fn history_csv(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
) -> Result<impl IntoResponse> {
    let headers = [
        (CONTENT_TYPE, "text/csv; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"afterglow-payments.csv\""),
    ];
    Ok((headers, history::csv(&app, &user).await?))
}

/// The receipt of one of the caller's payments, as a page that prints.
#[utoipa::path(get, path = "/api/payments/receipts/{payment_id}", tag = "payments", security(("bearer" = [])),
    params(("payment_id" = String, Path, description = "`payment_id` of a line of the history")), responses(
        (status = 200, content_type = "text/html", body = String),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such payment of the caller"),
    ))]
pub(crate) async fn receipt(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
    Path(payment_id): Path<String>,
) -> Result<impl IntoResponse> {
    let page = receipts::html(&app, &user, &payment_id).await?;
    let headers: [(HeaderName, &str); 2] = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_DISPOSITION, "inline; filename=\"receipt.html\""),
    ];
    Ok((headers, page))
}
