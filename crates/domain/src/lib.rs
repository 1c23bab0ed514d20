//! The domain model of Afterglow: ids, entities, money, time, jobs, and every refusal.
//!
//! Nothing here does I/O or is async; every other crate may depend on this one.

pub mod accounts;
pub mod administration;
pub mod albums;
pub mod api_tokens;
pub mod captures;
pub mod clock;
mod colors;
mod common_passwords;
pub mod consents;
pub mod coupons;
pub mod devices;
pub mod downloads;
pub mod event_changes;
pub mod events;
pub mod faces;
pub mod file_names;
pub mod ftp;
pub mod history;
pub mod ids;
pub mod jobs;
pub mod ledger;
pub mod mails;
pub mod messages;
pub mod money;
pub mod objections;
pub mod orders;
pub mod payments;
pub mod people;
pub mod photo_failures;
mod photo_files;
pub mod photos;
pub mod pins;
pub mod pixels;
pub mod questions;
pub mod randomness;
pub mod redactions;
pub mod refusal;
pub mod slugs;
pub mod statistics;
pub mod studios;
pub mod subscriptions;
pub mod team;
pub mod texts;
pub mod tokens;
pub mod watermarks;
pub mod webhooks;
pub mod zones;

pub use clock::{Clock, DAY, Timestamp};
pub use ids::{
    AlbumId, ApiTokenId, CouponId, EventId, FaceId, InvitationId, JobId, LedgerId, MailRequestId, MessageId,
    NoticeId, ObjectionId, OrderId, PersonId, PhotoId, QuestionId, RefundId, SubscriptionId, UploadId,
    UserId, WebhookDeliveryId, WebhookEndpointId,
};
pub use jobs::Job;
pub use money::Paise;
pub use randomness::Randomness;
pub use refusal::Refusal;
