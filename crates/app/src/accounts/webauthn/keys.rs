//! Public keys of passkeys as they are stored: COSE_Key (RFC 9052, 7), whichever library reads them.

use serde_cbor_2::Value;
use webauthn_rs_core::proto::{COSEKey, COSEKeyType, COSEKeyTypeId};

/// None for what is no key of a kind that the library verifies.
pub(super) fn read(bytes: &[u8]) -> Option<COSEKey> {
    let value: Value = serde_cbor_2::from_slice(bytes).ok()?;
    COSEKey::try_from(&value).ok()
}

/// As authenticators send them (CTAP2's canonical form). None for a kind that the library does not verify.
pub(super) fn write(key: &COSEKey) -> Option<Vec<u8>> {
    let bytes = |part: &[u8]| Value::Bytes(part.to_vec());
    let (kind, parts) = match &key.key {
        COSEKeyType::EC_EC2(key) => {
            let curve = Value::Integer(key.curve.clone() as i128);
            (COSEKeyTypeId::EC_EC2, vec![(-1, curve), (-2, bytes(&key.x)), (-3, bytes(&key.y))])
        }
        COSEKeyType::RSA(key) => (COSEKeyTypeId::EC_RSA, vec![(-1, bytes(&key.n)), (-2, bytes(&key.e))]),
        COSEKeyType::EC_OKP(_) => return None,
    };
    let head = [(1, Value::Integer(kind as i128)), (3, Value::Integer(key.type_ as i128))];
    let members = head.into_iter().chain(parts).map(|(label, value)| (Value::Integer(label), value));
    serde_cbor_2::to_vec(&Value::Map(members.collect())).ok()
}
