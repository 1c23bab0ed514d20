//! Errors of mail transports.

/// Why a mail was not sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailError {
    /// A retry cannot succeed: the address is wrong, or the server rejects this mail permanently.
    #[error("the mail cannot be delivered: {0}")]
    Permanent(String),
    /// A retry may succeed: the server is unreachable, busy, or rejects the connection.
    #[error("the mail cannot be delivered now: {0}")]
    Transient(String),
}

impl MailError {
    /// Whether a retry can succeed.
    pub const fn is_transient(&self) -> bool {
        matches!(self, Self::Transient(_))
    }
}

/// Why a mail URL cannot be used. Never shows the URL, which may hold a password.
#[derive(Debug, thiserror::Error)]
pub enum MailUrlError {
    /// Not `outbox://`, `smtp://` or `smtps://`.
    #[error("a mail URL starts with outbox://, smtp:// or smtps://")]
    Scheme,
    /// Not a URL at all.
    #[error("the mail URL cannot be read: {0}")]
    Syntax(#[from] url::ParseError),
    /// `outbox://` without a folder.
    #[error("outbox:// needs a folder, such as outbox://data/outbox")]
    NoFolder,
    /// `smtp://` or `smtps://` without a host.
    #[error("the mail URL names no mail server")]
    NoHost,
    /// A user without a password, or the other way round, or one that is not UTF-8.
    #[error("the mail URL needs both a user and a password, percent-encoded, or neither")]
    Credentials,
    /// A `?name=value` that means nothing here.
    #[error("the mail URL's parameter `{0}` is unknown or has an unknown value")]
    Parameter(String),
    /// The file of `?ca=` cannot be used.
    #[error("the certificate file {path} cannot be used: {reason}")]
    Certificate {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// TLS cannot be set up for this host.
    #[error("TLS cannot be set up: {0}")]
    Tls(String),
    /// The outbox cannot be made.
    #[error("the outbox {path} cannot be made")]
    Folder {
        /// The folder.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// The sender's address is not one that mail can be sent from.
    #[error("mail cannot be sent from the sender's address")]
    Sender,
}
