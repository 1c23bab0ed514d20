//! Opaque secrets: bearer tokens and the tokens of mailed links.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// A secret of 256 random bits. Only its owner is told; the database stores its hash.
#[derive(Clone, PartialEq, Eq)]
pub struct Token([u8; 32]);

/// The SHA-256 of a [`Token`]. A plain hash suffices, since 256 random bits cannot be guessed.
pub type TokenHash = [u8; 32];

impl Token {
    /// From 256 random bits.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The text that its owner holds: 43 characters of unpadded base64url (RFC 4648).
    pub fn reveal(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// The hash under which it is stored.
    pub fn hash(&self) -> TokenHash {
        hash_token(&self.reveal())
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

/// Hashes a text that a caller presents as a token; any text has a hash, so nothing needs parsing.
pub fn hash_token(presented: &str) -> TokenHash {
    Sha256::digest(presented.as_bytes()).into()
}

/// The hash of what a caller presents at a site of its own: neither [`hash_token`] nor another site's hash of any text, so that what
/// one site has given opens nothing at another.
pub fn hash_token_at(site: &str, presented: &str) -> TokenHash {
    // No text in UTF-8 has the byte 0xff, so that none is hashed to this as a token.
    let hash = Sha256::new().chain_update([0xff]).chain_update(site).chain_update([0xff]);
    hash.chain_update(presented).finalize().into()
}

/// The name by which the owner of a token is shown what it opens: it neither is the token nor leads to it.
pub fn handle(hash: &TokenHash) -> String {
    URL_SAFE_NO_PAD.encode(&Sha256::digest(hash)[..12])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_43_characters_and_hides_in_debug_output() {
        let token = Token::from_bytes([7; 32]);
        assert_eq!(token.reveal().len(), 43);
        assert_eq!(token.hash(), hash_token(&token.reveal()));
        assert_eq!(format!("{token:?}"), "Token(…)");
    }

    #[test]
    fn each_site_has_a_hash_of_its_own() {
        let hashes =
            [hash_token("cd"), hash_token_at("", "cd"), hash_token_at("b", "cd"), hash_token_at("bc", "d")];
        let different: std::collections::HashSet<TokenHash> = hashes.into_iter().collect();
        assert_eq!(different.len(), 4);
    }
}
