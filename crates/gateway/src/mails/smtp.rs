//! Mails handed to a mail server (RFC 5321).

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use domain::Timestamp;
use domain::operations::mails::Mail;
use lettre::message::Mailbox;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use percent_encoding::percent_decode_str;
use url::Url;

use super::error::{MailError, MailUrlError, Obstacle, Undelivered};
use super::messages::compose;

/// The submission port (RFC 6409).
const SUBMISSION_PORT: u16 = 587;
/// The submission port with TLS from the first byte (RFC 8314).
const SUBMISSIONS_PORT: u16 = 465;
/// Timeout of one mail, from the connection to the last reply.
const SEND_TIMEOUT: Duration = Duration::from_secs(60);
/// Timeout of a connection without a mail.
const PROBE_TIMEOUT: Duration = Duration::from_secs(20);
/// Longest part of a server's reply in an error, in characters.
const REPLY_LENGTH: usize = 300;

/// An SMTP client. Each mail has a connection of its own.
#[derive(Clone)]
pub struct Smtp {
    server: Arc<str>,
    sender: Mailbox,
    transport: AsyncSmtpTransport<Tokio1Executor>,
}

impl std::fmt::Debug for Smtp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Smtp").field("server", &self.server).finish_non_exhaustive()
    }
}

/// The parameters of a mail URL.
#[derive(Default)]
struct Parameters {
    tls: Option<bool>,
    certificate: Option<Certificate>,
}

impl Smtp {
    pub(super) fn open(url: &Url, sender: Mailbox) -> Result<Self, MailUrlError> {
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or(MailUrlError::NoHost)?;
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let implicit = url.scheme() == "smtps";
        let Parameters { tls, certificate } = parameters(url, implicit)?;

        let port = url.port().unwrap_or(if implicit { SUBMISSIONS_PORT } else { SUBMISSION_PORT });
        let encrypted = implicit || tls.unwrap_or(!is_loopback(host));
        let tls = if encrypted {
            let mut parameters = TlsParameters::builder(host.to_owned());
            if let Some(certificate) = certificate {
                parameters = parameters.add_root_certificate(certificate);
            }
            let parameters =
                parameters.build_rustls().map_err(|error| MailUrlError::Tls(error.to_string()))?;
            if implicit { Tls::Wrapper(parameters) } else { Tls::Required(parameters) }
        } else {
            Tls::None
        };
        let mut transport = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(host).port(port).tls(tls);
        if let Some(credentials) = credentials(url)? {
            transport = transport.credentials(credentials);
        }
        Ok(Self { server: format!("{host}:{port}").into(), sender, transport: transport.build() })
    }

    pub(super) fn server(&self) -> &str {
        &self.server
    }

    pub(super) async fn probe(&self) -> Result<(), MailError> {
        match tokio::time::timeout(PROBE_TIMEOUT, self.transport.test_connection()).await {
            Ok(Ok(true)) => Ok(()),
            Ok(Ok(false)) => Err(MailError::Transient(format!("{} hung up", self.server))),
            Ok(Err(error)) => Err(classify(&error, false)),
            Err(_) => Err(MailError::Transient(format!("{} took too long", self.server))),
        }
    }

    pub(super) async fn send(
        &self,
        mail: &Mail,
        at: Timestamp,
        message_id: [u8; 16],
    ) -> Result<String, Undelivered> {
        let composed = compose(mail, &self.sender, at, message_id);
        let message = composed.map_err(|error| Undelivered { obstacle: Obstacle::Address, error })?;
        let needs_utf8 = !mail.to.as_str().split('@').next().unwrap_or_default().is_ascii();
        let sent = tokio::time::timeout(SEND_TIMEOUT, self.transport.send(message));
        match sent.await {
            Ok(Ok(answer)) => {
                let lines: Vec<&str> = answer.message().collect();
                Ok(one_line(&format!("{} {}", answer.code(), lines.join(" "))))
            }
            Ok(Err(error)) => {
                Err(Undelivered { obstacle: obstacle(&error), error: classify(&error, needs_utf8) })
            }
            Err(_) => Err(Undelivered {
                obstacle: Obstacle::Unreachable,
                error: MailError::Transient(format!("{} took too long", self.server)),
            }),
        }
    }
}

/// Only a rejection of this very mail is permanent. A rejected password, a missing STARTTLS or an untrusted certificate
/// concerns the connection, and mails must wait until the operator has fixed it.
fn classify(error: &lettre::transport::smtp::Error, needs_utf8: bool) -> MailError {
    let text = one_line(&error.to_string());
    if (error.is_permanent() && !is_about_login(error)) || (error.is_client() && needs_utf8) {
        MailError::Permanent(text)
    } else {
        MailError::Transient(text)
    }
}

fn is_about_login(error: &lettre::transport::smtp::Error) -> bool {
    // RFC 4954: authentication required, too weak, not possible, or failed.
    error.status().is_some_and(|code| matches!(u16::from(code), 530 | 534 | 535 | 538))
}

/// What stood in the way, for whoever can remove it.
fn obstacle(error: &lettre::transport::smtp::Error) -> Obstacle {
    let text = error.to_string().to_ascii_lowercase();
    if is_about_login(error) || (error.is_client() && text.contains("auth")) {
        Obstacle::Login
    } else if error.is_permanent() {
        Obstacle::Refused
    } else if error.is_transient() {
        Obstacle::Later
    } else if error.is_tls() || ["starttls", "certificate", "tls"].iter().any(|word| text.contains(word)) {
        Obstacle::Encryption
    } else if error.is_client() {
        Obstacle::Address
    } else {
        Obstacle::Unreachable
    }
}

/// A text, such as a server's reply or an error with its causes, on one line of bounded length.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(REPLY_LENGTH).collect()
}

fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

fn credentials(url: &Url) -> Result<Option<Credentials>, MailUrlError> {
    match (url.username(), url.password()) {
        ("", None) => Ok(None),
        ("", Some(_)) | (_, None) => Err(MailUrlError::Credentials),
        (user, Some(password)) => {
            let decode = |text| percent_decode_str(text).decode_utf8().map_err(|_| MailUrlError::Credentials);
            Ok(Some(Credentials::new(decode(user)?.into_owned(), decode(password)?.into_owned())))
        }
    }
}

fn parameters(url: &Url, implicit: bool) -> Result<Parameters, MailUrlError> {
    let mut parameters = Parameters::default();
    for (name, value) in url.query_pairs() {
        match (&*name, &*value) {
            ("tls", "none") if !implicit => parameters.tls = Some(false),
            ("tls", "required") => parameters.tls = Some(true),
            ("ca", path) => parameters.certificate = Some(read_certificate(path)?),
            _ => return Err(MailUrlError::Parameter(name.into_owned())),
        }
    }
    Ok(parameters)
}

fn read_certificate(path: &str) -> Result<Certificate, MailUrlError> {
    let unusable = |reason: String| MailUrlError::Certificate { path: path.to_owned(), reason };
    let pem = std::fs::read(path).map_err(|error| unusable(error.to_string()))?;
    Certificate::from_pem(&pem).map_err(|error| unusable(error.to_string()))
}
