//! Identifiers. Each is a UUIDv7 (RFC 9562), so that ids sort by the time of their creation,
//! wrapped in a type of its own, so that the compiler distinguishes them.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::Timestamp;

/// An identifier.
pub trait Id: Copy + Ord + std::fmt::Display + std::str::FromStr<Err = uuid::Error> + Send + 'static {
    /// Makes an id from a moment and 80 random bits, in the layout of UUIDv7.
    fn from_parts(at: Timestamp, random: [u8; 10]) -> Self;
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Uuid);

        impl Id for $name {
            fn from_parts(at: Timestamp, random: [u8; 10]) -> Self {
                let millis = u64::try_from(at.as_millis()).unwrap_or(0);
                Self(uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid())
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::parse_str(text).map(Self)
            }
        }
    )+};
}

ids! {
    /// A photographer's account.
    UserId;
    /// An event of one photographer.
    EventId;
    /// Photos of an event that their photographer has put together.
    AlbumId;
    /// An uploaded photo.
    PhotoId;
    /// A photo that is received in pieces.
    UploadId;
    /// A face found in a photo.
    FaceId;
    /// An API token.
    ApiTokenId;
    /// A passkey of an account.
    PasskeyId;
    /// A background job; an event deletion's `task_id` is one.
    JobId;
    /// A row of the ledger.
    LedgerId;
    /// An order for credits or the premium plan.
    OrderId;
    /// A refund of a payment.
    RefundId;
    /// A notice to the address that an account had.
    NoticeId;
    /// A mail that was asked for by an address.
    MailRequestId;
    /// A receipt of a deletion.
    DeletionReceiptId;
    /// A coupon.
    CouponId;
    /// A message of the contact form.
    MessageId;
    /// What a guest has asked about a photo.
    QuestionId;
    /// A client's choice of photos of an event.
    ClientSelectionId;
    /// A guest's wish to be told of new photos.
    SubscriptionId;
    /// A guest's objection to being found.
    ObjectionId;
    /// Somebody who was asked to work on an event.
    InvitationId;
    /// A person of an event: faces that were put together.
    PersonId;
    /// An address that is told what happens.
    WebhookEndpointId;
    /// A message on its way to such an address.
    WebhookDeliveryId;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_by_time_and_round_trip_through_text() {
        let early = PhotoId::from_parts(Timestamp::from_millis(1), [255; 10]);
        let late = PhotoId::from_parts(Timestamp::from_millis(2), [0; 10]);
        assert!(early < late);
        assert!(early.to_string() < late.to_string());
        assert_eq!(late.to_string().parse::<PhotoId>(), Ok(late));
    }
}
