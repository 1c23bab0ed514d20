//! Questions to a service that speaks HTTP, as anybody could ask them: for the checks of an installation.

mod certificates;

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use bytes::Bytes;
use domain::Timestamp;
use reqwest::{Client, RequestBuilder, redirect, tls::TlsInfo};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;

use crate::http::{describe, is_loopback, tls};

/// Longest answer that is read, in bytes.
const ANSWER_SIZE: usize = 64 * 1024;

/// Why a question has no answer, in words.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ProbeError(String);

/// The answer to a question.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// Where a redirect leads to.
    pub location: Option<String>,
    /// The beginning of the body.
    pub body: Vec<u8>,
    /// Until when the certificate of the answering machine is valid; none without TLS.
    pub certificate_ends: Option<Timestamp>,
}

/// A service under an address.
#[derive(Clone, Debug)]
pub struct Probe {
    client: Client,
    base: String,
}

impl Probe {
    /// Asks the service at `base`, such as `https://photos.example.com`. A certificate is trusted that a public authority
    /// has signed, or one in the PEM file `authorities`.
    ///
    /// # Errors
    /// When the address is none, or the file cannot be read.
    pub fn new(base: &str, authorities: Option<&Path>) -> Result<Self, ProbeError> {
        Self::open(base, authorities, false)
    }

    /// Asks the service that listens on this address, whatever proxy the environment names.
    ///
    /// # Errors
    /// When TLS cannot be set up.
    pub fn direct(address: SocketAddr) -> Result<Self, ProbeError> {
        Self::open(&format!("http://{address}"), None, true)
    }

    fn open(base: &str, authorities: Option<&Path>, is_direct: bool) -> Result<Self, ProbeError> {
        let url =
            url::Url::parse(base).map_err(|error| ProbeError(format!("{base} is no address: {error}")))?;
        let own = authorities.map_or_else(|| Ok(Vec::new()), read_certificates)?;
        let tls = tls(&own).map_err(|error| ProbeError(describe(&error)))?;
        let mut client = Client::builder()
            .tls_backend_preconfigured(tls)
            .tls_info(true)
            // What an address redirects to is another address.
            .redirect(redirect::Policy::none())
            .user_agent(concat!("afterglow/", env!("CARGO_PKG_VERSION")));
        if is_direct || is_loopback(&url) {
            client = client.no_proxy();
        }
        let client = client.build().map_err(|error| ProbeError(describe(&error)))?;
        Ok(Self { client, base: url.as_str().trim_end_matches('/').to_owned() })
    }

    /// GET of a path.
    ///
    /// # Errors
    /// When there is no answer in time.
    pub async fn get(&self, path: &str, timeout: Duration) -> Result<Answer, ProbeError> {
        ask(self.client.get(format!("{}{path}", self.base)), timeout).await
    }

    /// POST of so many bytes, all of them 0, with a bearer token and other headers.
    ///
    /// # Errors
    /// When there is no answer in time.
    pub async fn post(
        &self,
        path: &str,
        token: &str,
        headers: &[(&str, &str)],
        bytes: usize,
        timeout: Duration,
    ) -> Result<Answer, ProbeError> {
        let mut request = self.client.post(format!("{}{path}", self.base)).bearer_auth(token);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        // The system hands out such memory only when it is written to.
        let body = Bytes::from(vec![0; bytes]);
        ask(request.header("content-type", "application/octet-stream").body(body), timeout).await
    }
}

async fn ask(request: RequestBuilder, timeout: Duration) -> Result<Answer, ProbeError> {
    let failed = |error: reqwest::Error| ProbeError(describe(&error.without_url()));
    let mut response = request.timeout(timeout).send().await.map_err(failed)?;
    let certificate = response.extensions().get::<TlsInfo>().and_then(TlsInfo::peer_certificate);
    let certificate_ends = certificate.and_then(certificates::valid_until);
    let location = response.headers().get("location").and_then(|to| to.to_str().ok()).map(str::to_owned);
    let status = response.status().as_u16();
    let mut body = Vec::new();
    while body.len() < ANSWER_SIZE
        && let Some(chunk) = response.chunk().await.map_err(failed)?
    {
        body.extend_from_slice(&chunk);
    }
    body.truncate(ANSWER_SIZE);
    Ok(Answer { status, location, body, certificate_ends })
}

fn read_certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, ProbeError> {
    let unusable = |reason: String| ProbeError(format!("{} has no certificate: {reason}", file.display()));
    let certificates = CertificateDer::pem_file_iter(file).map_err(|error| unusable(error.to_string()))?;
    let certificates: Result<Vec<_>, _> = certificates.collect();
    let certificates = certificates.map_err(|error| unusable(error.to_string()))?;
    if certificates.is_empty() {
        return Err(unusable(String::from("it is not in the form PEM")));
    }
    Ok(certificates)
}
