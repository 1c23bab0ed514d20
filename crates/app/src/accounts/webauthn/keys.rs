//! Public keys of passkeys: COSE_Key (RFC 9052, 7), and signatures by them, which ring verifies.

use minicbor::Decoder;
use minicbor::data::Type;
use ring::signature::{
    ECDSA_P256_SHA256_ASN1, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};

/// A public key of one of the three algorithms that authenticators have.
pub(super) enum PublicKey {
    /// ECDSA with P-256 and SHA-256.
    Es256([u8; 65]),
    /// Ed25519.
    EdDsa([u8; 32]),
    /// RSA, PKCS #1 v1.5 with SHA-256.
    Rs256 { n: Vec<u8>, e: Vec<u8> },
}

/// What stands in a COSE_Key under the labels that count.
#[derive(Default)]
struct Members<'a> {
    kind: Option<i64>,
    algorithm: Option<i64>,
    curve: Option<i64>,
    /// Under -1, -2 and -3.
    parts: [Option<&'a [u8]>; 3],
}

impl PublicKey {
    /// Reads one from where a decoder stands. None for what is no key of these algorithms.
    pub(super) fn read(decoder: &mut Decoder<'_>) -> Option<Self> {
        let members = Members::read(decoder)?;
        let [first, second, third] = members.parts;
        match (members.kind?, members.algorithm?, members.curve) {
            (2, -7, Some(1)) => {
                let (x, y): (&[u8; 32], &[u8; 32]) = (second?.try_into().ok()?, third?.try_into().ok()?);
                let mut point = [4; 65];
                point[1..33].copy_from_slice(x);
                point[33..].copy_from_slice(y);
                Some(Self::Es256(point))
            }
            (1, -8, Some(6)) => Some(Self::EdDsa(second?.try_into().ok()?)),
            (3, -257, None) => Some(Self::Rs256 { n: first?.to_vec(), e: second?.to_vec() }),
            _ => None,
        }
    }

    /// Whether this is the signature of a message.
    pub(super) fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        let verified = match self {
            Self::Es256(point) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, point).verify(message, signature)
            }
            Self::EdDsa(key) => UnparsedPublicKey::new(&ED25519, key).verify(message, signature),
            Self::Rs256 { n, e } => {
                RsaPublicKeyComponents { n, e }.verify(&RSA_PKCS1_2048_8192_SHA256, message, signature)
            }
        };
        verified.is_ok()
    }
}

impl<'a> Members<'a> {
    fn read(decoder: &mut Decoder<'a>) -> Option<Self> {
        let mut members = Self::default();
        for _ in 0..decoder.map().ok()?? {
            let label = decoder.i64().ok()?;
            let part = match label {
                -1 => Some(0),
                -2 => Some(1),
                -3 => Some(2),
                _ => None,
            };
            match (label, part, decoder.datatype().ok()?) {
                (1, ..) => members.kind = Some(decoder.i64().ok()?),
                (3, ..) => members.algorithm = Some(decoder.i64().ok()?),
                (_, Some(part), Type::Bytes) => members.parts[part] = Some(decoder.bytes().ok()?),
                (-1, ..) => members.curve = Some(decoder.i64().ok()?),
                _ => decoder.skip().ok()?,
            }
        }
        Some(members)
    }
}
