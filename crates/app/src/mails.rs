//! The texts of mails.

use domain::accounts::EmailAddress;
use domain::mails::Mail;
use domain::tokens::Token;

use crate::Settings;

/// The mail with the link that verifies an address.
pub(crate) fn verification(settings: &Settings, name: &str, to: EmailAddress, token: &Token) -> Mail {
    let link = format!("{}/verify-email?token={}", settings.public_url, token.reveal());
    Letter {
        subject: "Verify your email for Afterglow",
        greeting: format!("Hello {name},"),
        before: "Welcome to Afterglow. Please confirm that this is your email address:",
        button: "Verify my email",
        link,
        after: "The link is good for 24 hours. If you did not create an account, you can ignore this mail.",
    }
    .to(to)
}

/// A short mail around one link.
struct Letter {
    subject: &'static str,
    greeting: String,
    before: &'static str,
    button: &'static str,
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
             <p>{greeting}</p><p>{before}</p>\
             <p style=\"margin:24px 0\"><a href=\"{href}\" style=\"display:inline-block;background:#C9410E;color:#FFFFFF;\
             text-decoration:none;font-weight:600;border-radius:10px;padding:12px 20px\">{button}</a></p>\
             <p style=\"color:#55554F;font-size:14px\">{after}</p>\
             <p style=\"color:#55554F;font-size:14px;word-break:break-all\">{href}</p>\
             <p style=\"color:#55554F;font-size:14px\">Afterglow</p></div></body></html>",
            greeting = escape(&greeting),
            href = escape(&link),
        );
        Mail { to, reply_to: None, subject: subject.to_owned(), text, html, links: vec![link] }
    }
}

/// Text as HTML shows it, safe in content and in quoted attributes.
fn escape(text: &str) -> String {
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
        assert_eq!(escape("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
    }
}
