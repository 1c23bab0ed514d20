//! Mail: handed to an SMTP server, written to a folder, or kept in memory for tests.

mod error;
mod memory;
mod messages;
mod outbox;
mod smtp;

use domain::Timestamp;
use domain::accounts::EmailAddress;
use domain::operations::mails::Mail;
use lettre::message::Mailbox;

pub use error::{MailError, MailUrlError, Obstacle, Undelivered};
pub use memory::{Held, Memory, SentMail};
pub use outbox::Outbox;
pub use smtp::Smtp;

/// Where mails go.
#[derive(Clone, Debug)]
pub enum Mailer {
    /// A folder, for trying the product out.
    Outbox(Outbox),
    /// A mail server.
    Smtp(Smtp),
    /// In memory, for tests.
    Memory(Memory),
}

impl Mailer {
    /// Opens the transport that `url` names; mails are sent from `name <sender>`.
    ///
    /// - `outbox://DIR`: one `.eml` file a mail in DIR, relative to the working directory or absolute; created if missing.
    /// - `smtp://[user:password@]host[:587]`: STARTTLS with a trusted certificate, and no mail without it. `?tls=none`
    ///   sends in clear text, which is the default for a host on the loopback, where `?tls=required` switches TLS on.
    /// - `smtps://[user:password@]host[:465]`: TLS from the first byte.
    ///
    /// Trusted are the root certificates of `webpki-roots` and, with `?ca=FILE`, the PEM certificate in that file.
    /// User and password are percent-encoded.
    ///
    /// # Errors
    /// [`MailUrlError`] says what is wrong with the URL. No mail server is contacted.
    pub fn open(url: &str, name: &str, sender: &EmailAddress) -> Result<Self, MailUrlError> {
        let address = messages::address(sender).map_err(|_| MailUrlError::Sender)?;
        let sender = Mailbox::new(Some(name.to_owned()), address);
        if let Some(folder) = url.strip_prefix("outbox://") {
            Outbox::open(folder, sender).map(Self::Outbox)
        } else if url.starts_with("smtp://") || url.starts_with("smtps://") {
            Smtp::open(&url::Url::parse(url)?, sender).map(Self::Smtp)
        } else {
            Err(MailUrlError::Scheme)
        }
    }

    /// A transport that keeps mails in memory, for tests.
    pub fn memory() -> Self {
        Self::Memory(Memory::default())
    }

    /// Whether mails reach the people they are addressed to: not those in a folder.
    pub const fn reaches_people(&self) -> bool {
        match self {
            Self::Outbox(_) => false,
            Self::Smtp(_) | Self::Memory(_) => true,
        }
    }

    /// Connects as if to send a mail, with TLS and login where they are set, and sends none. The folder of an outbox is not
    /// looked at.
    ///
    /// # Errors
    /// What the mail server refused, or why it cannot be reached.
    pub async fn probe(&self) -> Result<(), MailError> {
        match self {
            Self::Outbox(_) | Self::Memory(_) => Ok(()),
            Self::Smtp(smtp) => smtp.probe().await,
        }
    }

    /// The mail server, as host and port; none without one.
    pub fn server(&self) -> Option<&str> {
        match self {
            Self::Smtp(smtp) => Some(smtp.server()),
            Self::Outbox(_) | Self::Memory(_) => None,
        }
    }

    /// Sends one mail, dated `at`. The Message-ID is made of `message_id`: the same one on a retry lets the receiving
    /// server deduplicate the mail.
    ///
    /// # Errors
    /// [`MailError::Permanent`] when a retry cannot succeed, [`MailError::Transient`] when it can.
    pub async fn send(&self, mail: &Mail, at: Timestamp, message_id: [u8; 16]) -> Result<(), MailError> {
        self.deliver(mail, at, message_id).await.map(|_| ()).map_err(|undelivered| undelivered.error)
    }

    /// Sends one mail as [`Mailer::send`] does, and answers what became of it: what the mail server said, or the file.
    ///
    /// # Errors
    /// What stood in the way.
    pub async fn deliver(
        &self,
        mail: &Mail,
        at: Timestamp,
        message_id: [u8; 16],
    ) -> Result<String, Undelivered> {
        match self {
            Self::Outbox(outbox) => outbox.send(mail, at, message_id).await,
            Self::Smtp(smtp) => smtp.send(mail, at, message_id).await,
            Self::Memory(memory) => memory.send(mail, at, message_id).await.map_err(Undelivered::from),
        }
    }

    /// Where mails go: the folder, or host and port of the mail server. No user and no password are in it.
    pub fn place(&self) -> String {
        match self {
            Self::Outbox(outbox) => outbox.folder(),
            Self::Smtp(smtp) => smtp.server().to_owned(),
            Self::Memory(_) => String::from("memory"),
        }
    }
}
