//! How requests get to the provider.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use openidconnect::http::{Response, response};
use openidconnect::{AsyncHttpClient, HttpRequest, HttpResponse};
use reqwest::{Client, redirect};
use url::Url;

use crate::http::{describe, is_loopback, tls};

/// How long the provider may take for an answer.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Longest answer that is read, in bytes.
const ANSWER_SIZE: usize = 1 << 20;

/// Why there is no answer, in words.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct TransportError(String);

#[derive(Clone, Debug)]
pub(super) struct Transport {
    client: Client,
    /// Whether the provider is on this machine, to which no TLS is needed.
    is_here: bool,
}

impl Transport {
    pub(super) fn new(issuer: &Url) -> Result<Self, String> {
        let is_here = is_loopback(issuer);
        let mut client = Client::builder()
            .tls_backend_preconfigured(tls(&[]).map_err(|error| describe(&error))?)
            // What the provider redirects to is not the provider.
            .redirect(redirect::Policy::none())
            .timeout(TIMEOUT)
            .user_agent(concat!("afterglow/", env!("CARGO_PKG_VERSION")));
        if is_here {
            client = client.no_proxy();
        }
        Ok(Self { client: client.build().map_err(|error| describe(&error))?, is_here })
    }

    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, TransportError> {
        let failed = |text: String| TransportError(text);
        let request =
            reqwest::Request::try_from(request).map_err(|error| failed(describe(&error.without_url())))?;
        // The provider names these addresses itself.
        let url = request.url();
        if url.scheme() != "https" && !(self.is_here && is_loopback(url)) {
            return Err(failed(String::from("an address of the provider has no https")));
        }
        let answer = self.client.execute(request).await;
        let mut answer = answer.map_err(|error| failed(describe(&error.without_url())))?;
        let mut response: response::Builder = Response::builder().status(answer.status());
        for (name, value) in answer.headers() {
            response = response.header(name, value);
        }
        let mut body = Vec::new();
        while let Some(part) = answer.chunk().await.map_err(|error| failed(describe(&error.without_url())))? {
            if body.len() + part.len() > ANSWER_SIZE {
                return Err(failed(String::from("the answer is too long")));
            }
            body.extend_from_slice(&part);
        }
        response.body(body).map_err(|error| failed(describe(&error)))
    }
}

impl<'c> AsyncHttpClient<'c> for Transport {
    type Error = TransportError;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, TransportError>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(self.send(request))
    }
}
