//! A studio's own host name, at which its events answer too (decision 0104).
//!
//! Who names one proves it by a TXT record, as RFC 8552 has such records: below a label of its own, so that the name itself may
//! be an alias (CNAME).

use std::time::Duration;

use crate::{DAY, Refusal, Timestamp};

/// For how long a record may be gone before its name answers no more: DNS of small providers is away for days.
pub const GRACE: Duration = DAY.saturating_mul(7);
/// How long the secret in a record is, in letters and digits.
pub const TOKEN_LENGTH: usize = 32;

/// The label below which the record is.
const LABEL: &str = "_afterglow";
/// Longest name that can be written with the label before it; DNS has 253 characters (RFC 1035, 2.3.4).
const NAME_LENGTH: usize = 253 - LABEL.len() - 1;
/// Longest label of a name.
const LABEL_LENGTH: usize = 63;

/// A host name in lower case, in the form that DNS has it in: international labels in Punycode.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HostName(String);

impl HostName {
    /// Parses a name, also from the address of its site. `operator` is the host of the service itself.
    ///
    /// # Errors
    /// [`Refusal::HostInvalid`], or [`Refusal::HostIsOperators`].
    pub fn parse(text: &str, operator: &str) -> Result<Self, Refusal> {
        let text = text.trim();
        let text = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).unwrap_or(text);
        let name = text.trim_end_matches('/').trim_end_matches('.');
        let name = idna::domain_to_ascii_strict(name).map_err(|_| Refusal::HostInvalid)?;
        if name.len() > NAME_LENGTH
            || !name.contains('.')
            || !name.split('.').all(is_label)
            || is_address(&name)
        {
            return Err(Refusal::HostInvalid);
        }
        if name.eq_ignore_ascii_case(operator) { Err(Refusal::HostIsOperators) } else { Ok(Self(name)) }
    }

    /// From the database, which holds only what [`HostName::parse`] accepted.
    pub const fn from_trusted(name: String) -> Self {
        Self(name)
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name of the TXT record that proves it.
    pub fn record_name(&self) -> String {
        format!("{LABEL}.{}", self.0)
    }
}

/// Letters, digits and hyphens, with no hyphen at either end (RFC 1123, 2.1).
fn is_label(label: &str) -> bool {
    (1..=LABEL_LENGTH).contains(&label.len())
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && !label.starts_with('-')
        && !label.ends_with('-')
}

/// Whether the last label is a number, as in an IPv4 address; no top-level domain is one (RFC 3696, 2).
fn is_address(name: &str) -> bool {
    name.rsplit('.').next().is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A name that a studio has given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudioHost {
    /// The name.
    pub name: HostName,
    /// What the record says, which nobody can guess.
    pub token: String,
    /// Since when it is proved; none before, and once the record was gone for [`GRACE`].
    pub proved_at: Option<Timestamp>,
    /// When the record was seen last.
    pub seen_at: Option<Timestamp>,
}

impl StudioHost {
    /// What the record says.
    pub fn record_value(&self) -> String {
        format!("afterglow-host={}", self.token)
    }

    /// Whether these are the texts of its records.
    pub fn is_proved_by(&self, records: &[String]) -> bool {
        let value = self.record_value();
        records.iter().any(|record| record.trim() == value)
    }

    /// Whether its record has been gone for so long that it is not proved any more.
    pub fn is_lost(&self, now: Timestamp) -> bool {
        self.seen_at.is_none_or(|seen| seen.plus(GRACE) <= now)
    }
}

/// The host and port of a URL such as `https://photos.example.com:8443`, in lower case.
pub fn authority_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split('/').next().unwrap_or_default().to_ascii_lowercase()
}

/// An authority without its port.
pub fn without_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => host,
        _ => authority,
    }
}

/// The URL of a host where the service is at `public_url`: by the same scheme, at the same port.
pub fn url_at(name: &HostName, public_url: &str) -> String {
    let scheme = public_url.split_once("://").map_or("https", |(scheme, _)| scheme);
    let authority = authority_of(public_url);
    let port = authority.strip_prefix(without_port(&authority)).unwrap_or_default();
    format!("{scheme}://{}{port}", name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPERATOR: &str = "photos.example.com";

    fn name(text: &str) -> Result<String, Refusal> {
        HostName::parse(text, OPERATOR).map(|name| name.as_str().to_owned())
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for (text, expected) in [
            ("bilder.studio.example", "bilder.studio.example"),
            (" Bilder.Studio.Example. ", "bilder.studio.example"),
            ("https://bilder.studio.example/", "bilder.studio.example"),
            ("fotos.müller.example", "fotos.xn--mller-kva.example"),
        ] {
            assert_eq!(name(text).as_deref(), Ok(expected), "{text}");
        }
        let long = format!("{}.example", "a.".repeat(118).trim_end_matches('.'));
        for text in [
            "",
            "localhost",
            "203.0.113.7",
            "[::1]",
            "a_b.example",
            "-a.example",
            "a-.example",
            "a..example",
            "a.example:8443",
            "a.example/path",
            "user@a.example",
            "*.example.com",
            &long,
        ] {
            assert_eq!(name(text), Err(Refusal::HostInvalid), "{text}");
        }
        assert_eq!(name("Photos.example.com"), Err(Refusal::HostIsOperators));
        assert_eq!(name("a.photos.example.com").as_deref(), Ok("a.photos.example.com"));
    }

    #[test]
    fn a_name_is_proved_by_the_record_with_its_token_alone() {
        let host = StudioHost {
            name: HostName::parse("bilder.studio.example", OPERATOR).unwrap(),
            token: String::from("x1"),
            proved_at: None,
            seen_at: None,
        };
        assert_eq!(host.name.record_name(), "_afterglow.bilder.studio.example");
        let records = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        assert!(host.is_proved_by(&records(&["v=spf1 -all", "afterglow-host=x1 "])));
        for texts in [vec![], vec!["afterglow-host=x2"], vec!["x1"], vec!["afterglow-host=x12"]] {
            assert!(!host.is_proved_by(&records(&texts)), "{texts:?}");
        }
    }

    #[test]
    fn a_name_is_lost_a_week_after_its_record_was_seen() {
        let now = Timestamp::from_millis(1_800_000_000_000);
        let host = |seen_at| StudioHost {
            name: HostName::from_trusted(String::from("bilder.studio.example")),
            token: String::from("x1"),
            proved_at: Some(now),
            seen_at,
        };
        assert!(!host(Some(now.minus(GRACE).plus(Duration::from_secs(1)))).is_lost(now));
        assert!(host(Some(now.minus(GRACE))).is_lost(now));
        assert!(host(None).is_lost(now));
    }

    #[test]
    fn a_host_is_reached_as_the_service_is() {
        let name = HostName::from_trusted(String::from("bilder.studio.example"));
        for (public_url, expected) in [
            ("https://photos.example.com", "https://bilder.studio.example"),
            ("https://photos.example.com:8443", "https://bilder.studio.example:8443"),
            ("http://localhost:8080", "http://bilder.studio.example:8080"),
            ("http://[::1]:8080", "http://bilder.studio.example:8080"),
            ("http://[::1]", "http://bilder.studio.example"),
        ] {
            assert_eq!(url_at(&name, public_url), expected);
        }
        assert_eq!(without_port("[::1]:80"), "[::1]");
    }
}
