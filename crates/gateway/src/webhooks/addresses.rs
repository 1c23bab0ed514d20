//! Addresses of endpoints, as they are entered.

use std::net::IpAddr;

use domain::webhooks::{Reach, URL_LENGTH};
use url::{Host, Url};

/// Why a message cannot be sent to an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// It is no URL of a kind that is sent to.
    #[error("the address is not one that webhooks are sent to")]
    Invalid,
    /// It is in a network that messages are not sent to.
    #[error("the address is in a private or reserved network, where webhooks are not sent")]
    Forbidden,
    /// It has a name that leads nowhere, or into a network that messages are not sent to.
    #[error("the address leads to no public network")]
    NotPublic,
}

/// An address of an endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(Url);

impl Address {
    /// Parses an address: https, or http where `reach` permits it; without a login and a fragment, at most 500 characters
    /// long. What a name leads to is looked at when a message is sent.
    ///
    /// # Errors
    /// [`AddressError`]
    pub fn parse(text: &str, reach: Reach) -> Result<Self, AddressError> {
        let text = text.trim();
        let url = Url::parse(text).map_err(|_| AddressError::Invalid)?;
        let is_plain = match url.scheme() {
            "https" => false,
            "http" if reach.permits_plain() => true,
            _ => return Err(AddressError::Invalid),
        };
        let has_login = !url.username().is_empty() || url.password().is_some();
        let is_long = text.chars().count().max(url.as_str().len()) > URL_LENGTH;
        if has_login || url.fragment().is_some() || is_long {
            return Err(AddressError::Invalid);
        }
        let permits = |address: IpAddr| reach.permits(address, is_plain);
        let is_permitted = match url.host().ok_or(AddressError::Invalid)? {
            Host::Ipv4(address) => permits(address.into()),
            Host::Ipv6(address) => permits(address.into()),
            Host::Domain(name) => {
                let name = name.trim_end_matches('.');
                let is_own = name == "localhost" || name.ends_with(".localhost");
                !is_own || reach != Reach::Public
            }
        };
        if is_permitted { Ok(Self(url)) } else { Err(AddressError::Forbidden) }
    }

    /// The whole address.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Whether others can read what is sent.
    pub fn is_plain(&self) -> bool {
        self.0.scheme() == "http"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_https_and_public_unless_the_operator_says_so() {
        // [HOOK031]
        let parse =
            |text: &str, reach| Address::parse(text, reach).map(|address| address.as_str().to_owned());
        let ok = |text: &str| Ok(text.to_owned());
        assert_eq!(parse(" https://Example.com/a?b=c ", Reach::Public), ok("https://example.com/a?b=c"));
        assert_eq!(parse("https://8.8.8.8", Reach::Public), ok("https://8.8.8.8/"));
        for text in [
            "",
            "example.com",
            "http://example.com/",
            "ftp://example.com/",
            "https://",
            "https://user@example.com/",
            "https://:secret@example.com/",
            "https://example.com/#part",
            &format!("https://example.com/{}", "x".repeat(481)),
            &format!("https://example.com/{}", "é".repeat(200)),
        ] {
            assert_eq!(parse(text, Reach::Public), Err(AddressError::Invalid), "{text}");
        }
        for text in [
            "https://localhost/",
            "https://LOCALHOST./",
            "https://a.localhost/",
            "https://127.0.0.1/",
            // Other ways to write it.
            "https://2130706433/",
            "https://0x7f.1/",
            "https://[::1]/",
            "https://[::ffff:127.0.0.1]/",
            "https://10.0.0.1/",
            "https://169.254.169.254/",
        ] {
            assert_eq!(parse(text, Reach::Public), Err(AddressError::Forbidden), "{text}");
        }
        for (text, reach, result) in [
            ("http://localhost:9000/", Reach::Loopback, ok("http://localhost:9000/")),
            ("http://127.0.0.1/", Reach::Loopback, ok("http://127.0.0.1/")),
            ("http://10.0.0.1/", Reach::Loopback, Err(AddressError::Forbidden)),
            ("http://10.0.0.1/", Reach::Private, ok("http://10.0.0.1/")),
            ("http://8.8.8.8/", Reach::Private, Err(AddressError::Forbidden)),
            ("https://169.254.169.254/", Reach::Private, Err(AddressError::Forbidden)),
        ] {
            assert_eq!(parse(text, reach), result, "{text} {reach:?}");
        }
    }
}
