//! Mails, independent of the transport.

use crate::accounts::EmailAddress;

/// A mail to one recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// The recipient.
    pub to: EmailAddress,
    /// Where replies go, when that is not the sender.
    pub reply_to: Option<EmailAddress>,
    /// One line.
    pub subject: String,
    /// The plain text alternative.
    pub text: String,
    /// The same as HTML.
    pub html: String,
    /// A file that comes with it.
    pub attachment: Option<Attachment>,
    /// Where one POST ends the mails (RFC 8058), for mails that somebody has subscribed to.
    pub unsubscribe_url: Option<String>,
    /// The links in it; the outbox logs them for those who run the service without a mail server.
    pub links: Vec<String>,
}

/// A file in a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// What it is called.
    pub file_name: &'static str,
    /// Its media type.
    pub media_type: &'static str,
    /// Its text.
    pub text: String,
}
