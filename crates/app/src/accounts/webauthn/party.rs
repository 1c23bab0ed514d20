//! The name that passkeys are bound to.

use domain::accounts::passkeys::CHALLENGE_LIFETIME;
use url::{Host, Url};
use webauthn_rs_core::WebauthnCore;

/// By which the library would name the service to authenticators; pages do that with the operator's name for it.
const NAME: &str = "Afterglow";

/// Who passkeys are made for: the service at its public URL.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RelyingParty {
    /// The host's name.
    pub(crate) id: String,
    /// Of which the library compares scheme, host and port with where a page is from.
    origin: Url,
}

impl RelyingParty {
    /// The one of a public URL. None for an address in numbers, which cannot name one, and for plain http, over which browsers
    /// give pages no passkeys but on the machine itself.
    pub(crate) fn of(public_url: &str) -> Option<Self> {
        let url = Url::parse(public_url).ok()?;
        let Some(Host::Domain(name)) = url.host() else { return None };
        let is_this_machine = name == "localhost" || name.ends_with(".localhost");
        let is_secure = url.scheme() == "https" || (url.scheme() == "http" && is_this_machine);
        is_secure.then(|| Self { id: name.to_owned(), origin: url.clone() })
    }

    /// The library for this one: no other port, and no name below.
    pub(super) fn library(&self) -> WebauthnCore {
        let origins = vec![self.origin.clone()];
        WebauthnCore::new_unsafe_experts_only(
            NAME,
            &self.id,
            origins,
            CHALLENGE_LIFETIME,
            Some(false),
            Some(false),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passkeys_need_https_and_a_name_or_the_machine_itself() {
        // [AUTH216]
        for (url, id, origin) in [
            ("https://photos.example", "photos.example", "https://photos.example"),
            ("https://photos.example:8443/", "photos.example", "https://photos.example:8443"),
            ("https://Bücher.example", "xn--bcher-kva.example", "https://xn--bcher-kva.example"),
            ("http://localhost:8080", "localhost", "http://localhost:8080"),
            ("http://photos.localhost", "photos.localhost", "http://photos.localhost"),
        ] {
            let party = RelyingParty::of(url).unwrap();
            assert_eq!(
                (party.id.as_str(), party.origin.origin().ascii_serialization().as_str()),
                (id, origin)
            );
        }
        for url in [
            "http://photos.example",
            "http://localhost.example",
            "https://192.168.1.7",
            "http://127.0.0.1:8080",
            "https://[::1]:1/",
            "photos.example",
        ] {
            assert_eq!(RelyingParty::of(url), None, "{url}");
        }
    }
}
