//! What is fit for a try on one's own machine and not for the public says so before it serves.

use app::operations::runtime::proxies;

use crate::cli::CliError;
use crate::settings::{Settings, Switch};

/// Refuses to serve where others reach it, by its public URL or by the address that it listens at, with what must not be
/// there by mistake.
///
/// # Errors
/// One sentence that names the setting.
pub(crate) fn check(settings: &Settings, public_url: &str) -> Result<(), CliError> {
    let reached_by = match (proxies::is_local(public_url), settings.listen.ip().to_canonical().is_loopback())
    {
        (true, true) => return Ok(()),
        (false, _) => format!("The public URL is {public_url}"),
        (true, false) => format!("It listens at {}, where other machines reach it", settings.listen),
    };
    let refuse = |sentence: &str| Err(CliError::new(format!("{reached_by}: {sentence}")));
    if !public_url.starts_with("https://") && settings.plain_http == Switch::Off {
        return refuse(
            "without https anybody on the way can read passwords and photos. Set `public_url` to an https address, or \
             `plain_http` to on.",
        );
    }
    if settings.razorpay_key_id.is_none() && settings.sandbox_payments == Switch::Off {
        return refuse(
            "without keys of Razorpay payments are the sandbox's, in which nobody pays. Set `razorpay_key_id` and \
             `razorpay_key_secret`, or `sandbox_payments` to on.",
        );
    }
    if settings.mail_url.is_none() {
        return refuse(
            "without a mail server mails stay in a folder of this machine. Set `mail_url` to a mail server, or to an \
             outbox.",
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_unsafe_default_needs_its_setting() {
        // [RUN124]
        let refused = |settings: &Settings, url: &str| {
            check(settings, url).err().map_or_else(String::new, |error| error.to_string())
        };
        let mut settings = Settings::default();
        assert_eq!(refused(&settings, "http://localhost:8080"), "");
        let public = "http://photos.example";
        assert!(refused(&settings, public).contains("`plain_http`"));
        assert!(!refused(&settings, "https://photos.example").contains("`plain_http`"));
        settings.plain_http = Switch::On;
        assert!(refused(&settings, public).contains("`sandbox_payments`"));
        let mut with_keys = settings.clone();
        with_keys.razorpay_key_id = Some(String::from("rzp"));
        assert!(refused(&with_keys, public).contains("`mail_url`"));
        settings.sandbox_payments = Switch::On;
        assert!(refused(&settings, public).contains("`mail_url`"));
        settings.mail_url = Some(String::from("outbox:///tmp/outbox").into());
        assert_eq!(refused(&settings, public), "");
    }

    #[test]
    fn an_address_that_others_reach_counts_as_a_public_url_does() {
        // [RUN135]
        let local = "http://localhost:8080";
        let mut settings = Settings::default();
        for (listen, sentence) in [
            ("127.0.0.1:8080", None),
            ("[::1]:8080", None),
            ("[::ffff:127.0.0.1]:8080", None),
            (
                "0.0.0.0:8080",
                Some("It listens at 0.0.0.0:8080, where other machines reach it: without https"),
            ),
            ("[::]:8080", Some("It listens at [::]:8080")),
            ("192.0.2.7:8080", Some("It listens at 192.0.2.7:8080")),
        ] {
            settings.listen = listen.parse().unwrap();
            let refused = check(&settings, local).err().map(|error| error.to_string());
            assert_eq!(refused.is_some(), sentence.is_some(), "{listen}: {refused:?}");
            assert!(refused.unwrap_or_default().starts_with(sentence.unwrap_or_default()), "{listen}");
        }
        settings.plain_http = Switch::On;
        settings.sandbox_payments = Switch::On;
        settings.mail_url = Some(String::from("outbox:///tmp/outbox").into());
        assert!(check(&settings, local).is_ok());
    }
}
