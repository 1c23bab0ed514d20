//! What all HTTP clients of this crate share.

use std::error::Error;
use std::net::IpAddr;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore};

/// Longest description of a failure, in characters.
const DESCRIPTION_LENGTH: usize = 300;

/// TLS by ring, with the root certificates of `webpki-roots`, and `more` of the operator's own.
pub(crate) fn tls(more: &[CertificateDer<'static>]) -> Result<ClientConfig, rustls::Error> {
    let mut roots: RootCertStore = webpki_roots::TLS_SERVER_ROOTS.iter().cloned().collect();
    for certificate in more {
        roots.add(certificate.clone())?;
    }
    let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

/// Whether a URL leads to this machine, whatever proxy the environment names.
pub(crate) fn is_loopback(url: &url::Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => IpAddr::from(address).is_loopback(),
        Some(url::Host::Ipv6(address)) => IpAddr::from(address).is_loopback(),
        None => false,
    }
}

/// An error and its causes.
pub(crate) fn describe(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    one_line(&text)
}

/// A text of somebody else's, on one line of bounded length.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(DESCRIPTION_LENGTH).collect()
}
