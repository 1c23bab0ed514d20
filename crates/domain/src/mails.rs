//! Mails, ready to be handed to a mail transport.

use crate::accounts::EmailAddress;

/// One mail to one person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// Who gets it.
    pub to: EmailAddress,
    /// Where an answer goes, when that is not the sender.
    pub reply_to: Option<EmailAddress>,
    /// One line.
    pub subject: String,
    /// The text for readers that show no HTML.
    pub text: String,
    /// The same as HTML.
    pub html: String,
    /// The links in it that somebody trying the product out needs; the outbox logs them.
    pub links: Vec<String>,
}
