//! The texts of mails.

use domain::Timestamp;
use domain::accounts::{EmailAddress, User};
use domain::events::Event;
use domain::mails::Mail;
use domain::tokens::Token;
use storage::messages::Message;

use crate::{App, Result, Settings};

/// Hands a mail to the transport.
pub(crate) async fn deliver(app: &App, mail: &Mail) -> Result<()> {
    tracing::info!(subject = mail.subject, "sending a mail");
    let sent = app.mailer.send(mail, app.now(), app.randomness.bytes()).await;
    app.metrics.record_mail(&sent);
    Ok(sent?)
}

/// The mail with the link that verifies an address.
pub(crate) fn verification(settings: &Settings, name: &str, to: EmailAddress, token: &Token) -> Mail {
    let link = format!("{}/verify-email?token={}", settings.public_url, token.reveal());
    Letter {
        subject: "Verify your email for Afterglow",
        greeting: format!("Hello {name},"),
        before: String::from("Welcome to Afterglow. Please confirm that this is your email address:"),
        button: "Verify my email",
        link,
        after: "The link is good for 24 hours. If you did not create an account, you can ignore this mail.",
    }
    .to(to)
}

/// The mail to the address in force when another is asked for.
pub(crate) fn email_change_notice(settings: &Settings, name: &str, to: EmailAddress) -> Mail {
    let link = format!("{}/forgot-password", settings.public_url);
    Letter {
        subject: "Your Afterglow email is about to change",
        greeting: format!("Hello {name},"),
        before: String::from(
            "Somebody asked to use another email address for your Afterglow account. This address stays in force until \
             the new one is confirmed. If it was not you, set a new password now:",
        ),
        button: "Set a new password",
        link,
        after: "If it was you, there is nothing to do here.",
    }
    .to(to)
}

/// The mail with the link that sets a new password.
pub(crate) fn password_reset(settings: &Settings, name: &str, to: EmailAddress, token: &Token) -> Mail {
    let link = format!("{}/reset-password?token={}", settings.public_url, token.reveal());
    Letter {
        subject: "Set a new password for Afterglow",
        greeting: format!("Hello {name},"),
        before: String::from(
            "Somebody asked to set a new password for your Afterglow account. Choose one here:",
        ),
        button: "Set a new password",
        link,
        after: "The link is good for one hour and works once. If it was not you, you can ignore this mail.",
    }
    .to(to)
}

/// The mail that photos of an event will be removed.
pub(crate) fn removal_warning(settings: &Settings, owner: &User, event: &Event, at: Timestamp) -> Mail {
    let (photos, name) = (event.indexing.total, &event.name);
    Letter {
        subject: "Photos of your event will be removed soon",
        greeting: format!("Hello {},", owner.name),
        before: format!(
            "The photos of \"{name}\" ({photos} now) will be removed on {}. Please save what you want to keep.",
            at.to_long_date()
        ),
        button: "Open the gallery",
        link: format!("{}/admin/gallery", settings.public_url),
        after: "A new upload to the event moves this date.",
    }
    .to(owner.email.clone())
}

/// A message of the contact form; an answer to it goes to whoever wrote it.
pub(crate) fn contact(settings: &Settings, message: &Message) -> Mail {
    let Message { name, email, subject, message: said, .. } = message;
    let text = format!("{name} <{email}> wrote:\n\n{said}\n");
    let html = format!(
        "<!doctype html><html lang=\"en\"><body><p>{} &lt;{}&gt; wrote:</p><p style=\"white-space:pre-wrap\">{}</p></body></html>",
        escape_html(name),
        escape_html(email.as_str()),
        escape_html(said),
    );
    Mail {
        to: settings.support_email.clone(),
        reply_to: Some(email.clone()),
        subject: format!("Afterglow contact: {subject}"),
        text,
        html,
        links: Vec::new(),
    }
}

/// A short mail around one link.
struct Letter {
    subject: &'static str,
    greeting: String,
    before: String,
    /// What the button says.
    button: &'static str,
    /// Where it leads.
    link: String,
    after: &'static str,
}

impl Letter {
    fn to(self, to: EmailAddress) -> Mail {
        let Self { subject, greeting, before, button, link, after } = self;
        let text = format!("{greeting}\n\n{before}\n\n{link}\n\n{after}\n\nAfterglow\n");
        let html = format!(
            "<!doctype html><html lang=\"en\"><body style=\"margin:0;padding:32px 16px;background:#F4F4F3;color:#141413;\
             font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif\">\
             <div style=\"max-width:480px;margin:0 auto;background:#FFFFFF;border:1px solid #DFDFDD;border-radius:16px;padding:28px\">\
             <p>{}</p><p>{}</p>{}{}{}{}</div></body></html>",
            escape_html(&greeting),
            escape_html(&before),
            Self::button(button, &link),
            Self::small(after),
            Self::small(&escape_html(&link)),
            Self::small("Afterglow"),
        );
        Mail { to, reply_to: None, subject: subject.to_owned(), text, html, links: vec![link] }
    }

    fn button(text: &str, link: &str) -> String {
        format!(
            "<p style=\"margin:24px 0\"><a href=\"{}\" style=\"display:inline-block;background:#C9410E;color:#FFFFFF;\
             text-decoration:none;font-weight:600;border-radius:10px;padding:12px 20px\">{text}</a></p>",
            escape_html(link)
        )
    }

    fn small(html: &str) -> String {
        format!("<p style=\"color:#55554F;font-size:14px;word-break:break-word\">{html}</p>")
    }
}

/// Text as HTML shows it, safe in content and in quoted attributes.
pub fn escape_html(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            other => html.push(other),
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_write_html_into_a_mail() {
        assert_eq!(escape_html("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
    }
}
