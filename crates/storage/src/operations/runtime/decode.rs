//! Columns read back into the domain's types: the reverse of `encode`.

use domain::accounts::EmailAddress;
use domain::photos::appearance::Sharpness;
use domain::photos::focus::Focus;
use domain::photos::pixels::Color;
use domain::photos::stacks::Stack;
use domain::{
    CouponId, DeletionReceiptId, EventId, FaceId, InvitationId, JobId, OrderId, PhotoId, Timestamp, UserId,
    WebhookEndpointId,
};

use crate::{Error, Result};

/// What a statement answers.
pub(crate) trait FromColumns: Sized {
    /// What sqlx decodes from a row of either engine.
    type Columns;

    fn from_columns(columns: Self::Columns) -> Result<Self>;
}

macro_rules! single_columns {
    ($($type:ty = $column:ty: |$value:ident| $decoded:expr;)+) => {$(
        impl FromColumns for $type {
            type Columns = ($column,);

            fn from_columns(($value,): ($column,)) -> Result<Self> {
                $decoded
            }
        }
    )+};
}

single_columns! {
    i64 = i64: |value| Ok(value);
    String = String: |value| Ok(value);
    Vec<u8> = Vec<u8>: |value| Ok(value);
    CouponId = String: |value| id(&value, "coupons.id");
    EventId = String: |value| id(&value, "events.id");
    FaceId = String: |value| id(&value, "faces.id");
    InvitationId = String: |value| id(&value, "event_invitations.id");
    JobId = String: |value| id(&value, "jobs.id");
    DeletionReceiptId = String: |value| id(&value, "deletion_receipts.id");
    OrderId = String: |value| id(&value, "orders.id");
    PhotoId = String: |value| id(&value, "photos.id");
    UserId = String: |value| id(&value, "users.id");
    WebhookEndpointId = String: |value| id(&value, "webhook_endpoints.id");
}

/// A row, or none.
pub(crate) fn optional<T: FromColumns>(row: Option<T::Columns>) -> Result<Option<T>> {
    row.map(T::from_columns).transpose()
}

/// Rows.
pub(crate) fn all<T: FromColumns>(rows: Vec<T::Columns>) -> Result<Vec<T>> {
    rows.into_iter().map(T::from_columns).collect()
}

/// Identifiers with spaces between them.
pub(crate) fn ids<I: std::str::FromStr>(text: Option<&str>, column: &'static str) -> Result<Vec<I>> {
    text.unwrap_or_default().split_ascii_whitespace().map(|text| id(text, column)).collect()
}

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

/// A color that may be missing.
pub(crate) fn color(value: Option<i64>, column: &'static str) -> Result<Option<Color>> {
    value.map(|value| known(value.try_into().ok().and_then(Color::from_number), column)).transpose()
}

/// Where a photo is looked at, which may not be known.
pub(crate) fn focus(x: Option<i64>, y: Option<i64>, column: &'static str) -> Result<Option<Focus>> {
    x.zip(y).map(|(x, y)| known(Focus::from_thousandths(x, y), column)).transpose()
}

/// How sharp a photo is, which may not be measured.
pub(crate) fn sharpness(value: Option<i64>, column: &'static str) -> Result<Option<Sharpness>> {
    value.map(|value| known(Sharpness::from_thousandths(value), column)).transpose()
}

/// The stack of a photo, if it is of one.
pub(crate) fn stack(photo: Option<&str>, place: Option<i64>, column: &'static str) -> Result<Option<Stack>> {
    photo.zip(place).map(|(photo, place)| Ok(Stack { id: id(photo, column)?, place })).transpose()
}

/// A value that this program knows, such as a word of a closed set.
pub(crate) fn known<T>(value: Option<T>, column: &'static str) -> Result<T> {
    value.ok_or(Error::Unreadable { column })
}

/// A moment of capture, see [`crate::operations::runtime::encode::capture`].
pub(crate) fn capture(millis: i64) -> Option<Timestamp> {
    (millis != i64::MAX).then(|| Timestamp::from_millis(millis))
}

/// A moment that may be missing.
pub(crate) fn time(millis: Option<i64>) -> Option<Timestamp> {
    millis.map(Timestamp::from_millis)
}

/// An address that may be missing.
pub(crate) fn email(text: Option<String>) -> Option<EmailAddress> {
    text.map(EmailAddress::from_trusted)
}
