//! One request to the provider, and what its response means.

use std::sync::Arc;
use std::time::Duration;

use domain::{Paise, Timestamp};
use reqwest::{Client, RequestBuilder, Response, StatusCode, redirect};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::settings::SettingsError;
use crate::http::{describe, is_loopback, one_line, tls};
use crate::payments::orders::{ListedOrder, ListedPayment, PaymentError, ProviderPayment, is_id};

/// Longest response body in bytes; a hundred orders with all their notes are shorter.
const RESPONSE_SIZE: usize = 2 * 1024 * 1024;

/// Why one request failed.
#[derive(Debug)]
pub(super) enum RequestError {
    /// A retry would get the same response.
    Final(PaymentError),
    /// It was not applied; a retry may succeed.
    NotApplied(String),
    /// It may have been applied or not.
    Unknown(String),
}

/// The fields of an order that are used here.
#[derive(Deserialize)]
pub(super) struct OrderBody {
    pub(super) id: String,
    /// Paise.
    pub(super) amount: i64,
    pub(super) currency: String,
    pub(super) receipt: Option<String>,
    /// `created`, `attempted` or `paid`.
    pub(super) status: String,
    /// An object, or an empty list.
    #[serde(default)]
    notes: serde_json::Value,
    /// Unix seconds.
    created_at: i64,
}

impl OrderBody {
    /// The order; none when it is not in Indian rupees.
    pub(super) fn into_listed(self) -> Option<ListedOrder> {
        let notes = match self.notes {
            serde_json::Value::Object(notes) => notes,
            _ => serde_json::Map::new(),
        };
        let text = |(name, value): (String, serde_json::Value)| Some((name, value.as_str()?.to_owned()));
        (self.currency == "INR" && is_id(&self.id, "order_")).then(|| ListedOrder {
            order_id: self.id,
            amount: Paise::new(self.amount),
            receipt: self.receipt,
            notes: notes.into_iter().filter_map(text).collect(),
            created_at: moment(self.created_at),
        })
    }
}

/// A moment in Unix seconds.
fn moment(seconds: i64) -> Timestamp {
    Timestamp::from_millis(seconds.saturating_mul(1_000))
}

/// The fields of a payment that are used here.
#[derive(Deserialize)]
pub(super) struct PaymentBody {
    pub(super) id: String,
    /// Paise.
    pub(super) amount: i64,
    pub(super) currency: String,
    /// `created`, `authorized`, `captured`, `refunded` or `failed`.
    pub(super) status: String,
    /// Whether it was captured, whatever became of it; one that nobody captures is refunded by the provider.
    #[serde(default)]
    captured: Option<bool>,
    /// Paise.
    #[serde(default)]
    pub(super) amount_refunded: Option<i64>,
    order_id: Option<String>,
    /// Unix seconds.
    pub(super) created_at: i64,
}

impl PaymentBody {
    fn is_captured(&self) -> bool {
        self.status == "captured" || (self.status == "refunded" && self.captured == Some(true))
    }

    fn is_valid(&self) -> bool {
        (self.is_captured() || self.status == "authorized")
            && self.currency == "INR"
            && is_id(&self.id, "pay_")
    }

    /// What of it was refunded. The amounts of a payment that was refunded in full are equal, whatever else is told.
    pub(super) fn refunded(&self) -> Paise {
        let told = Paise::new(self.amount_refunded.unwrap_or_default());
        if self.status == "refunded" { told.max(Paise::new(self.amount)) } else { told }
    }

    /// The payment, if it is authorised or captured, in Indian rupees; without its refunds.
    pub(super) fn into_payment(self) -> Option<ProviderPayment> {
        self.is_valid().then(|| ProviderPayment {
            is_captured: self.is_captured(),
            amount: Paise::new(self.amount),
            made_at: Some(moment(self.created_at)),
            payment_id: self.id,
            refunds: Vec::new(),
        })
    }

    /// The payment, if it is authorised or captured, in Indian rupees, and for an order.
    pub(super) fn into_listed(self) -> Option<ListedPayment> {
        if !self.is_valid() {
            return None;
        }
        let (is_captured, refunded) = (self.is_captured(), self.refunded());
        let order_id = self.order_id.filter(|order| is_id(order, "order_"))?;
        Some(ListedPayment {
            payment_id: self.id,
            order_id,
            amount: Paise::new(self.amount),
            is_captured,
            refunded,
        })
    }
}

/// A list of entities.
#[derive(Deserialize)]
pub(super) struct Collection<T> {
    pub(super) items: Vec<T>,
}

#[derive(Deserialize)]
struct ErrorBody {
    error: ErrorDescription,
}

#[derive(Deserialize)]
struct ErrorDescription {
    description: String,
}

/// The provider's HTTP API, with the keys for it.
#[derive(Clone)]
pub(super) struct Api {
    client: Client,
    base: Arc<str>,
    key_id: Arc<str>,
    key_secret: SecretString,
}

impl Api {
    pub(super) fn new(
        url: &str,
        key_id: String,
        key_secret: SecretString,
        timeout: Duration,
    ) -> Result<Self, SettingsError> {
        let url = url::Url::parse(url).map_err(|_| SettingsError::ApiUrl)?;
        let loopback = is_loopback(&url);
        if url.scheme() != "https" && !(url.scheme() == "http" && loopback) {
            return Err(SettingsError::ApiUrl);
        }
        let mut client = Client::builder()
            .tls_backend_preconfigured(tls(&[]).map_err(|error| SettingsError::Client(error.into()))?)
            .timeout(timeout)
            // A redirect must not carry the keys to another host.
            .redirect(redirect::Policy::none())
            .user_agent(concat!("afterglow/", env!("CARGO_PKG_VERSION")));
        if loopback {
            client = client.no_proxy();
        }
        let client = client.build().map_err(|error| SettingsError::Client(error.into()))?;
        let base = url.as_str().trim_end_matches('/').into();
        Ok(Self { client, base, key_id: key_id.into(), key_secret })
    }

    pub(super) fn key_id(&self) -> &str {
        &self.key_id
    }

    pub(super) async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, &str)],
    ) -> Result<T, RequestError> {
        self.send(self.client.get(format!("{}{path}", self.base)).query(query)).await
    }

    pub(super) async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &serde_json::Value,
        header: Option<(&str, &str)>,
    ) -> Result<T, RequestError> {
        let mut request = self.client.post(format!("{}{path}", self.base)).json(body);
        if let Some((name, value)) = header {
            request = request.header(name, value);
        }
        self.send(request).await
    }

    async fn send<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, RequestError> {
        let request = request.basic_auth(&self.key_id, Some(self.key_secret.expose_secret()));
        let response = request.send().await.map_err(|error| {
            let connected = !error.is_connect();
            let text = describe(&error.without_url());
            if connected { RequestError::Unknown(text) } else { RequestError::NotApplied(text) }
        })?;
        let status = response.status();
        let body = read_body(response).await?;
        if status.is_success() {
            // Without the parser's error, which quotes the body.
            return serde_json::from_slice(&body)
                .map_err(|_| RequestError::Unknown(format!("its answer to {status} cannot be read")));
        }
        let text = serde_json::from_slice(&body).map_or_else(
            |_| format!("it answered {status}"),
            |body: ErrorBody| one_line(&body.error.description),
        );
        Err(match status {
            // A conflict is a request with the same idempotency key that is still being handled.
            StatusCode::TOO_MANY_REQUESTS | StatusCode::CONFLICT => RequestError::NotApplied(text),
            // The operator's keys are wrong, which the customer cannot change.
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                RequestError::Final(PaymentError::Unavailable(text))
            }
            _ if status.is_client_error() => RequestError::Final(PaymentError::Refused(text)),
            _ if status.is_server_error() => RequestError::Unknown(text),
            _ => RequestError::Final(PaymentError::Unavailable(text)),
        })
    }
}

/// The body, up to the limit.
async fn read_body(mut response: Response) -> Result<Vec<u8>, RequestError> {
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) if body.len() + chunk.len() > RESPONSE_SIZE => {
                return Err(RequestError::Unknown("its answer is too long".to_owned()));
            }
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            Ok(None) => return Ok(body),
            Err(error) => return Err(RequestError::Unknown(describe(&error.without_url()))),
        }
    }
}
