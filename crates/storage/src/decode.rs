//! Columns read back into the domain's types.

use domain::Timestamp;
use domain::accounts::EmailAddress;

use crate::{Error, Result};

/// An identifier, such as `users.id`.
pub(crate) fn id<I: std::str::FromStr>(text: &str, column: &'static str) -> Result<I> {
    known(text.parse().ok(), column)
}

/// An identifier that may be missing.
pub(crate) fn optional_id<I: std::str::FromStr>(
    text: Option<&str>,
    column: &'static str,
) -> Result<Option<I>> {
    text.map(|text| id(text, column)).transpose()
}

/// 32 bytes: a token's or a file's hash.
pub(crate) fn hash(bytes: &[u8], column: &'static str) -> Result<[u8; 32]> {
    known(bytes.try_into().ok(), column)
}

/// A CRC-32 that may be missing.
pub(crate) fn crc32(value: Option<i64>, column: &'static str) -> Result<Option<u32>> {
    value.map(|value| known(value.try_into().ok(), column)).transpose()
}

/// A value that this program knows, such as a word of a closed set.
pub(crate) fn known<T>(value: Option<T>, column: &'static str) -> Result<T> {
    value.ok_or(Error::Unreadable { column })
}

/// A moment that may be missing.
pub(crate) fn time(millis: Option<i64>) -> Option<Timestamp> {
    millis.map(Timestamp::from_millis)
}

/// An address that may be missing.
pub(crate) fn email(text: Option<String>) -> Option<EmailAddress> {
    text.map(EmailAddress::from_trusted)
}
