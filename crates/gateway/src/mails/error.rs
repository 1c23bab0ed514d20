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

    /// What the transport, or the mail server, said.
    pub fn reason(&self) -> &str {
        match self {
            Self::Permanent(reason) | Self::Transient(reason) => reason,
        }
    }
}

/// What stands in the way of a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The mail server cannot be reached, or does not answer.
    Unreachable,
    /// No encrypted connection, or none that is trusted.
    Encryption,
    /// The mail server takes neither this user nor this password.
    Login,
    /// The mail server refuses the sender, the recipient or the mail.
    Refused,
    /// The mail server wants it later.
    Later,
    /// The folder cannot be written to.
    Folder,
    /// The mail cannot be composed: the recipient's address is none for mails.
    Address,
}

impl Obstacle {
    /// Its name in the contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::Encryption => "encryption",
            Self::Login => "login",
            Self::Refused => "refused",
            Self::Later => "later",
            Self::Folder => "folder",
            Self::Address => "address",
        }
    }
}

/// A mail that was not delivered, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undelivered {
    /// What stood in the way.
    pub obstacle: Obstacle,
    /// What the transport says.
    pub error: MailError,
}

/// For an error that the transport did not give a cause: the mail, or the mail server's mood.
impl From<MailError> for Undelivered {
    fn from(error: MailError) -> Self {
        let obstacle = if error.is_transient() { Obstacle::Later } else { Obstacle::Refused };
        Self { obstacle, error }
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
