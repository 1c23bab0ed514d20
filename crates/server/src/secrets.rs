//! Settings that are secret: wherever they are printed, they are not told.

use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize, Serializer};

/// What is printed in their place.
const HIDDEN: &str = "…";

/// A key, a password or a token.
#[derive(Clone, Deserialize)]
#[serde(from = "String")]
pub(crate) struct Secret(SecretString);

/// A URL that may have a password in it.
#[derive(Clone, Deserialize)]
#[serde(from = "String")]
pub(crate) struct SecretUrl(SecretString);

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl From<String> for SecretUrl {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl Secret {
    /// The secret, for the one that works with it.
    pub(crate) fn reveal(&self) -> SecretString {
        self.0.clone()
    }
}

impl SecretUrl {
    /// The whole URL, for the one that connects to it.
    pub(crate) fn reveal(&self) -> String {
        self.0.expose_secret().to_owned()
    }

    /// The URL without its user and password.
    fn shown(&self) -> String {
        let url = self.0.expose_secret();
        match (url.find("://"), url.rfind('@')) {
            (Some(scheme), Some(at)) if at > scheme + 3 => {
                format!("{}://{HIDDEN}{}", &url[..scheme], &url[at..])
            }
            _ => url.to_owned(),
        }
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(HIDDEN)
    }
}

impl std::fmt::Debug for SecretUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.shown())
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(HIDDEN)
    }
}

impl Serialize for SecretUrl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.shown())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_shown_without_its_password() {
        // [SAFE114]
        let shown = |url: &str| format!("{:?}", SecretUrl::from(url.to_owned()));
        assert_eq!(shown("postgres://me:secret@db/afterglow"), "postgres://…@db/afterglow");
        assert_eq!(shown("postgres://me:sec@ret@db/afterglow"), "postgres://…@db/afterglow");
        assert_eq!(shown("sqlite://data/afterglow.db"), "sqlite://data/afterglow.db");
        assert_eq!(format!("{:?}", Secret::from(String::from("secret"))), "…");
    }
}
