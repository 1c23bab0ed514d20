//! The checksum that a client sends with a piece.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::Refusal;
use ring::digest::{Algorithm, Context, SHA1_FOR_LEGACY_USE_ONLY, SHA256};
use subtle::ConstantTimeEq as _;

/// The algorithms, by their names in the protocol.
const ALGORITHMS: [(&str, &Algorithm); 2] = [("sha1", &SHA1_FOR_LEGACY_USE_ONLY), ("sha256", &SHA256)];

/// A checksum that the bytes of a piece have to have.
pub struct Checksum {
    expected: Vec<u8>,
    context: Context,
}

impl Checksum {
    /// The names of the algorithms, as the protocol lists them.
    pub fn algorithms() -> String {
        ALGORITHMS.map(|(name, _)| name).join(",")
    }

    /// Reads an algorithm and a checksum in Base64.
    ///
    /// # Errors
    /// [`Refusal::UploadChecksumInvalid`].
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let (name, expected) = text.split_once(' ').ok_or(Refusal::UploadChecksumInvalid)?;
        let known = ALGORITHMS.iter().find(|(known, _)| *known == name);
        let (_, algorithm) = known.ok_or(Refusal::UploadChecksumInvalid)?;
        let expected = STANDARD.decode(expected.trim()).map_err(|_| Refusal::UploadChecksumInvalid)?;
        if expected.len() != algorithm.output_len() {
            return Err(Refusal::UploadChecksumInvalid);
        }
        Ok(Self { expected, context: Context::new(algorithm) })
    }

    pub(super) fn update(&mut self, chunk: &[u8]) {
        self.context.update(chunk);
    }

    pub(super) fn matches(self) -> bool {
        self.context.finish().as_ref().ct_eq(&self.expected).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checksum_is_an_algorithm_and_a_base64_text_of_its_length() {
        // [UPL162]
        let mut checksum = Checksum::parse("sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=").unwrap();
        checksum.update(b"hello ");
        checksum.update(b"world");
        assert!(checksum.matches());
        assert!(!Checksum::parse("sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=").unwrap().matches());
        for bad in
            ["", "sha1", "sha1 ", "sha1 Kq5s", "md5 Kq5sNclPz7QV2+lfQIuc6R7oRu0=", "SHA1 x", "sha1 ???"]
        {
            assert_eq!(Checksum::parse(bad).err(), Some(Refusal::UploadChecksumInvalid), "{bad}");
        }
    }
}
