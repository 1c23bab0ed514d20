//! Invoices, and what is on them about the buyer.

use app::App;
use app::payments::billing::{self, Form};
use app::payments::invoices::{self, Pdf};
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use domain::payments::billing::Billing;
use domain::payments::gst::{self, Gstin, STATES};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, PhotographerWithSession};
use crate::operations::runtime::responses::{InvalidBody, PhotographersOnly};

fn sent(pdf: Pdf) -> Response {
    // Its name has letters, digits and hyphens alone.
    let disposition = HeaderValue::try_from(format!("attachment; filename=\"{}\"", pdf.file_name));
    let disposition = disposition.unwrap_or(HeaderValue::from_static("attachment"));
    let headers =
        [(CONTENT_TYPE, HeaderValue::from_static("application/pdf")), (CONTENT_DISPOSITION, disposition)];
    (headers, pdf.bytes).into_response()
}

/// The invoice of one of the caller's payments, in the language of the caller's mails. What it says never changes; there is one where the installation made invoices when the
/// payment came.
#[utoipa::path(get, path = "/api/payments/{payment_id}/invoice.pdf", tag = "payments", security(("bearer" = [])),
    params(("payment_id" = String, Path, description = "`payment_id` of a line of the history with an `invoice`")),
    responses(
        (status = 200, description = "The invoice", content_type = "application/pdf"),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such payment of the caller, or it has no invoice"),
        (status = 503, body = ErrorBody, description = "The server was built without the web app, which brings the typefaces"),
    ))]
pub(crate) async fn invoice(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
    Path(payment_id): Path<String>,
) -> Result<Response> {
    Ok(sent(invoices::pdf(&app, &user, &payment_id).await?))
}

/// A note about a refund of one of the caller's payments, in the language of the caller's mails, or about a refund that could not be paid out after its note.
#[utoipa::path(get, path = "/api/payments/{payment_id}/notes/{file}", tag = "payments", security(("bearer" = [])),
    params(
        ("payment_id" = String, Path, description = "`payment_id` of a line of the history with an `invoice`"),
        ("file" = String, Path, description = "The number of the note with hyphens for slashes, and `.pdf`: `C-2026-27-000001.pdf`"),
    ),
    responses(
        (status = 200, description = "The note", content_type = "application/pdf"),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such payment of the caller, or no such note about it"),
        (status = 503, body = ErrorBody, description = "The server was built without the web app, which brings the typefaces"),
    ))]
pub(crate) async fn note(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
    Path((payment_id, file)): Path<(String, String)>,
) -> Result<Response> {
    Ok(sent(invoices::note_pdf(&app, &user, &payment_id, &file).await?))
}

/// What is on the invoices to come about the buyer. What is empty is not on them.
#[derive(Serialize, Deserialize, ToSchema)]
#[schema(as = Billing)]
pub(crate) struct BillingBody {
    /// The account's where it is empty.
    #[serde(default)]
    #[schema(max_length = 200)]
    name: String,
    /// In one or more lines.
    #[serde(default)]
    #[schema(max_length = 500)]
    address: String,
    /// The code of a state; with a GSTIN its own.
    #[serde(default)]
    state: String,
    #[serde(default)]
    gstin: String,
}

impl From<Billing> for BillingBody {
    fn from(billing: Billing) -> Self {
        Self {
            name: billing.name,
            address: billing.address,
            state: billing.state.map(gst::State::code).unwrap_or_default().to_owned(),
            gstin: billing.gstin.as_ref().map(Gstin::as_str).unwrap_or_default().to_owned(),
        }
    }
}

/// A state or a union territory.
#[derive(Serialize, ToSchema)]
#[schema(as = TaxState)]
pub(crate) struct StateBody {
    code: &'static str,
    name: &'static str,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct BillingAnswerBody {
    /// Whether the installation makes invoices.
    makes_invoices: bool,
    /// Null where nothing was entered.
    billing: Option<BillingBody>,
    /// Those that can be chosen.
    states: Vec<StateBody>,
}

fn answer(app: &App, billing: Option<Billing>) -> Json<BillingAnswerBody> {
    let states = STATES.map(|state| StateBody { code: state.code(), name: state.name() });
    Json(BillingAnswerBody {
        makes_invoices: invoices::are_made(app),
        billing: billing.map(BillingBody::from),
        states: states.into(),
    })
}

/// The caller's billing details.
#[utoipa::path(get, path = "/api/payments/billing", tag = "payments", security(("bearer" = [])), responses(
    (status = 200, body = BillingAnswerBody),
    PhotographersOnly,
))]
pub(crate) async fn billing(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
) -> Result<Json<BillingAnswerBody>> {
    let billing = billing::get(&app, &user).await?;
    Ok(answer(&app, billing))
}

/// Changes what is on the invoices to come; those that there are stay as they are. Where all is empty, nothing is kept.
#[utoipa::path(put, path = "/api/payments/billing", tag = "payments", security(("bearer" = [])),
    request_body = BillingBody, responses(
        (status = 200, body = BillingAnswerBody),
        InvalidBody,
        PhotographersOnly,
    ))]
pub(crate) async fn save_billing(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
    Json(body): Json<BillingBody>,
) -> Result<Json<BillingAnswerBody>> {
    let BillingBody { name, address, state, gstin } = body;
    let billing = billing::put(&app, &user, &Form { name, address, state, gstin }).await?;
    Ok(answer(&app, billing))
}
