//! One request to the provider, and what its response means.

use std::sync::Arc;
use std::time::Duration;

use domain::Paise;
use reqwest::{Client, RequestBuilder, Response, StatusCode, redirect};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::settings::SettingsError;
use crate::http::{describe, is_loopback, one_line, tls};
use crate::payments::orders::{PaymentError, ProviderPayment, is_id};

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
    /// Unix seconds.
    pub(super) created_at: i64,
}

impl PaymentBody {
    /// The payment, if it is authorised or captured, in Indian rupees.
    pub(super) fn into_payment(self) -> Option<ProviderPayment> {
        let is_captured = self.status == "captured";
        let valid = (is_captured || self.status == "authorized") && self.currency == "INR";
        (valid && is_id(&self.id, "pay_")).then(|| ProviderPayment {
            payment_id: self.id,
            amount: Paise::new(self.amount),
            is_captured,
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
