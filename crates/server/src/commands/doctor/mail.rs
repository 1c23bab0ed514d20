//! The mail server: connection, TLS and login, without a mail.

use app::operations::runtime::proxies;

use super::finding::{Finding, ended};
use crate::settings::Settings;
use crate::wiring;

const NAME: &str = "mail";

/// Connects to the mail server as if there were a mail to send.
pub(super) async fn check(settings: &Settings, public_url: &str) -> Finding {
    // To open it would make the folder.
    if settings.mail_url().starts_with("outbox://") {
        let seen = "Mails are written to a folder, and reach nobody.";
        return if proxies::is_local(public_url) {
            Finding::ok(NAME, seen)
        } else {
            Finding::warning(NAME, seen, "Set `mail_url` to a mail server, so that people get their mails.")
        };
    }
    let mailer = match wiring::mailer(settings) {
        Ok(mailer) => mailer,
        Err(error) => {
            let cure = "Correct `mail_url`, such as smtp://USER:PASSWORD@HOST:587.";
            return Finding::failed(NAME, ended(&error.to_string()), cure);
        }
    };
    let server = mailer.server().unwrap_or_default();
    match mailer.probe().await {
        Ok(()) => Finding::ok(NAME, format!("{server} takes the connection and the login.")),
        Err(error) => Finding::failed(
            NAME,
            format!("{server}: {}", ended(&error.to_string())),
            "Look at host, port, user and password in `mail_url`, and whether a firewall lets this machine reach that port.",
        ),
    }
}
