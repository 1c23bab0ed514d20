//! The domain model of Afterglow: ids, entities, money, time, jobs, and every refusal.
//!
//! Nothing here does I/O or is async; every other crate may depend on this one.

pub mod accounts;
pub mod events;
pub mod faces;
pub mod guests;
pub mod operations;
pub mod payments;
pub mod photos;
pub mod statistics;
pub mod studio;
pub mod team;
pub mod uploads;
pub mod webhooks;

pub mod ids;
pub mod refusal;

pub use ids::{
    AlbumId, ApiTokenId, ClientSelectionId, CouponId, DeletionReceiptId, EventId, FaceId, InvitationId,
    JobId, LedgerId, MailRequestId, MessageId, NoticeId, ObjectionId, OrderId, PasskeyId, PersonId, PhotoId,
    QuestionId, RefundId, SubscriptionId, UploadId, UserId, WebhookDeliveryId, WebhookEndpointId,
};
pub use jiff::civil::Date;
pub use operations::runtime::clock::{Clock, DAY, Timestamp};
pub use operations::runtime::jobs::Job;
pub use operations::runtime::randomness::Randomness;
pub use payments::money::Paise;
pub use refusal::Refusal;
