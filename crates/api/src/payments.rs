//! Buying credits and the premium plan.

pub(crate) mod credits;
pub(crate) mod history;
pub(crate) mod invoices;

use std::borrow::Cow;

use app::App;
use app::operations::runtime::limits::{self, Limit};
use app::payments::{
    self, EVENT_ID_HEADER, PaymentProof, Receipt, SIGNATURE_HEADER, WebhookRequest, coupons, orders,
};
use axum::extract::State;
use axum::http::HeaderMap;
use bytes::Bytes;
use domain::payments::orders::{OrderStatus, Purpose};
use domain::{Paise, Refusal};
use serde::{Deserialize, Serialize};
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{RefOr, Required};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, PhotographerWithSession};
use crate::operations::runtime::responses::{
    DoneBody, InvalidBody, PhotographersOnly, RateLimited, Unavailable, done,
};

#[derive(Deserialize, ToSchema)]
pub(crate) struct CouponBody {
    #[serde(default, rename = "couponCode")]
    coupon_code: String,
    /// Rupees.
    #[serde(default)]
    amount: f64,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct CouponAnswerBody {
    valid: bool,
    /// Rupees; never more than the amount.
    #[serde(rename = "discountAmount")]
    discount_amount: f64,
    /// Why the coupon is not valid.
    message: String,
}

/// What a coupon takes off an amount, or why it cannot be used.
#[utoipa::path(post, path = "/api/validate-coupon", tag = "payments", security(("bearer" = [])),
    request_body = CouponBody, responses(
        (status = 200, body = CouponAnswerBody),
        InvalidBody,
        PhotographersOnly,
        RateLimited,
    ))]
pub(crate) async fn validate_coupon(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
    Json(body): Json<CouponBody>,
) -> Result<Json<CouponAnswerBody>> {
    let amount = Paise::from_rupees_rounded(body.amount)?;
    limits::check_account(&app, Limit::Coupons, user.id).await?;
    Ok(Json(match coupons::validate(&app, &user, &body.coupon_code, amount).await? {
        Ok(discount) => CouponAnswerBody {
            valid: true,
            discount_amount: discount.as_rupees(),
            message: String::from("Coupon applied"),
        },
        Err(refusal) => {
            CouponAnswerBody { valid: false, discount_amount: 0.0, message: refusal.text().into_owned() }
        }
    }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct NewOrderBody {
    /// Paise, 100 to 50,000,000; 0 when a coupon leaves nothing to pay. May be left out for the premium plan, whose price
    /// the server knows.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 50_000_000)]
    amount: Option<i64>,
    /// `credits` when left out.
    #[serde(default)]
    purpose: Option<PurposeBody>,
    /// For the premium plan alone.
    #[serde(default)]
    coupon_code: Option<String>,
}

/// The purpose of an order as it was sent: an unknown one has a refusal of its own.
#[derive(Deserialize)]
#[serde(transparent)]
pub(crate) struct PurposeBody(String);

impl PartialSchema for PurposeBody {
    fn schema() -> RefOr<Schema> {
        let values = Purpose::ALL.map(Purpose::as_str);
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(values)).into()
    }
}

impl ToSchema for PurposeBody {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Purpose")
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct OrderBody {
    /// The public half of the provider's keys; `sandbox` without a provider.
    key_id: String,
    /// Paise; 0 when a coupon leaves nothing to pay.
    amount: i64,
    /// Always `INR`.
    currency: String,
    /// The provider's id; our own of an order about which there is nothing to pay.
    order_id: String,
    /// `razorpay` or `sandbox`.
    provider: String,
    /// Nothing is to pay: the account has what it ordered, and no checkout is needed.
    is_paid: bool,
}

/// Creates an order, or returns the open one of the same content; nothing is credited before its payment is verified. An
/// order for which a coupon leaves nothing to pay is fulfilled at once, and returned again however often it is repeated.
#[utoipa::path(post, path = "/api/payments/create-order", tag = "payments", security(("bearer" = [])),
    request_body = NewOrderBody, responses(
        (status = 200, body = OrderBody),
        InvalidBody,
        PhotographersOnly,
        RateLimited,
        (status = 409, body = ErrorBody, description = "The account has the premium plan, or 10 open orders"),
        (status = 503, body = ErrorBody, description = "The provider cannot be reached"),
    ))]
pub(crate) async fn create_order(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
    Json(body): Json<NewOrderBody>,
) -> Result<Json<OrderBody>> {
    let purpose = match &body.purpose {
        None => Purpose::Credits,
        Some(PurposeBody(text)) => Purpose::parse(text).ok_or(Refusal::PurposeUnknown)?,
    };
    let request =
        orders::OrderRequest { purpose, amount: body.amount.map(Paise::new), coupon: body.coupon_code };
    limits::check_account(&app, Limit::Orders, user.id).await?;
    let order = orders::create(&app, &user, request).await?;
    Ok(Json(OrderBody {
        key_id: payments::key_id(&app).to_owned(),
        amount: order.amount.get(),
        currency: String::from("INR"),
        is_paid: order.status == OrderStatus::Paid,
        order_id: order.provider_order_id.unwrap_or_else(|| order.id.to_string()),
        provider: payments::provider(&app).to_owned(),
    }))
}

/// What the provider's checkout gives to the page.
#[derive(Serialize, Deserialize, ToSchema)]
pub(crate) struct PaymentBody {
    #[serde(default)]
    #[schema(required = true)]
    razorpay_payment_id: String,
    #[serde(default)]
    #[schema(required = true)]
    razorpay_order_id: String,
    #[serde(default)]
    #[schema(required = true)]
    razorpay_signature: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct PaymentAnswerBody {
    /// Always true.
    success: bool,
    /// Rupees that were paid for credits.
    credits_added: f64,
    /// Credits that the balance grew by; double for a first recharge.
    credits_received: f64,
    was_first_recharge: bool,
}

impl From<Receipt> for PaymentAnswerBody {
    fn from(receipt: Receipt) -> Self {
        Self {
            success: true,
            credits_added: receipt.added.as_rupees(),
            credits_received: receipt.received.as_rupees(),
            was_first_recharge: receipt.first_recharge,
        }
    }
}

/// Credits a payment once; a repeat returns the same.
#[utoipa::path(post, path = "/api/payments/verify-payment", tag = "payments", security(("bearer" = [])),
    request_body = PaymentBody, responses(
        (status = 200, body = PaymentAnswerBody),
        InvalidBody,
        PhotographersOnly,
        (status = 400, body = ErrorBody, description = "The provider did not sign this"),
        (status = 404, body = ErrorBody, description = "No such order of the caller"),
        (status = 409, body = ErrorBody, description = "The provider has not captured the payment yet"),
        (status = 503, body = ErrorBody, description = "The provider cannot be reached"),
    ))]
pub(crate) async fn verify_payment(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
    Json(body): Json<PaymentBody>,
) -> Result<Json<PaymentAnswerBody>> {
    let proof = PaymentProof {
        order_id: body.razorpay_order_id,
        payment_id: body.razorpay_payment_id,
        signature: body.razorpay_signature,
    };
    Ok(Json(payments::verify(&app, &user, &proof).await?.into()))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct SandboxPaymentBody {
    /// `order_id` of the order.
    #[serde(default)]
    order_id: String,
}

/// Pays an order of the built-in sandbox, as the page's test dialog does. The answer is what `verify-payment` takes.
#[utoipa::path(post, path = "/api/payments/sandbox", tag = "payments", security(("bearer" = [])),
    request_body = SandboxPaymentBody, responses(
        (status = 200, body = PaymentBody),
        InvalidBody,
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such order, or the sandbox is not in use"),
    ))]
pub(crate) async fn pay_in_sandbox(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
    Json(body): Json<SandboxPaymentBody>,
) -> Result<Json<PaymentBody>> {
    let proof = payments::pay_in_sandbox(&app, &user, &body.order_id).await?;
    Ok(Json(PaymentBody {
        razorpay_payment_id: proof.payment_id,
        razorpay_order_id: proof.order_id,
        razorpay_signature: proof.signature,
    }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct DismissedOrderBody {
    /// `order_id` of the order.
    #[serde(default)]
    order_id: String,
}

/// The checkout of an order was dismissed: its coupon can be used for another order.
#[utoipa::path(post, path = "/api/payments/dismiss-order", tag = "payments", security(("bearer" = [])),
    request_body = DismissedOrderBody, responses(
        (status = 200, body = DoneBody),
        InvalidBody,
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such order of the caller"),
        Unavailable,
    ))]
pub(crate) async fn dismiss_order(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
    Json(body): Json<DismissedOrderBody>,
) -> Result<Json<DoneBody>> {
    orders::dismiss(&app, &user, &body.order_id).await?;
    Ok(done())
}

/// The headers of a webhook; their names are the provider's.
struct WebhookHeaders;

impl IntoParams for WebhookHeaders {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let header = |name: &str, required: Required, schema_type: SchemaType, description: &str| {
            let schema = ObjectBuilder::new().schema_type(schema_type);
            let parameter = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Header);
            parameter.required(required).description(Some(description)).schema(Some(schema)).build()
        };
        let (text, optional_text) = (Type::String.into(), SchemaType::from_iter([Type::String, Type::Null]));
        vec![
            header(SIGNATURE_HEADER, Required::True, text, "Hexadecimal HMAC-SHA256 of the body"),
            header(
                EVENT_ID_HEADER,
                Required::False,
                optional_text,
                "The same for every delivery of an event",
            ),
        ]
    }
}

/// Handles the provider's webhooks, signed over the raw body.
#[utoipa::path(post, path = "/api/payments/webhook", tag = "payments",
    request_body(content = String, content_type = "application/json"),
    params(WebhookHeaders),
    responses(
        (status = 200, body = DoneBody),
        (status = 400, body = ErrorBody, description = "The provider did not sign this"),
        (status = 413, body = ErrorBody, description = "The body is larger than such a call may be"),
        Unavailable,
    ))]
pub(crate) async fn webhook(
    State(app): State<App>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<DoneBody>> {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    payments::handle_webhook(&app, &WebhookRequest::new(&body, header)).await?;
    Ok(done())
}
