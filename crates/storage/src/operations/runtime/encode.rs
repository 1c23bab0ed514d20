//! The domain's types as columns store them: the reverse of `decode`.

use domain::accounts::api_tokens::Scope;
use domain::accounts::{EmailAddress, LinkPurpose, RequestedMail};
use domain::events::download_policy::Downloads;
use domain::events::pins::Pin;
use domain::operations::runtime::jobs::JobKind;
use domain::payments::ledger::LedgerKind;
use domain::payments::orders::{OrderStatus, Purpose};
use domain::payments::{PaymentOutcome, RefundStatus};
use domain::photos::{ImageFormat, MediaKey, PhotoStatus};
use domain::studio::studios::{Accent, Contact, Handle, Website};
use domain::studio::watermarks::Position;
use domain::team::MemberRole;
use domain::webhooks::{DeliveryState, DisabledBy, EventType, EventTypes, Secret};
use domain::{
    AlbumId, ApiTokenId, CouponId, EventId, FaceId, InvitationId, JobId, LedgerId, MailRequestId, MessageId,
    NoticeId, ObjectionId, OrderId, Paise, PersonId, PhotoId, QuestionId, RefundId, SubscriptionId,
    Timestamp, UserId, WebhookDeliveryId, WebhookEndpointId,
};
use jiff::civil::Date;

/// A value that a statement binds.
pub(crate) trait ToColumn {
    /// What sqlx encodes for both engines.
    type Column<'a>
    where
        Self: 'a;

    fn to_column(&self) -> Self::Column<'_>;
}

macro_rules! columns {
    ($($type:ty => $column:ty: |$value:ident| $encoded:expr;)+) => {$(
        impl ToColumn for $type {
            type Column<'a> = $column;

            fn to_column(&self) -> $column {
                let $value = self;
                $encoded
            }
        }
    )+};
}

columns! {
    bool => bool: |value| *value;
    i64 => i64: |value| *value;
    f64 => f64: |value| *value;
    Timestamp => i64: |moment| moment.as_millis();
    Paise => i64: |amount| amount.get();
    Date => String: |date| date.to_string();
    Accent => String: |accent| accent.color().to_string();
    LinkPurpose => &'static str: |purpose| purpose.as_str();
    RequestedMail => &'static str: |mail| mail.as_str();
    LedgerKind => &'static str: |kind| kind.as_str();
    Purpose => &'static str: |purpose| purpose.as_str();
    OrderStatus => &'static str: |status| status.as_str();
    PaymentOutcome => &'static str: |outcome| outcome.as_str();
    RefundStatus => &'static str: |status| status.as_str();
    PhotoStatus => &'static str: |status| status.as_str();
    ImageFormat => &'static str: |format| format.media_type();
    JobKind => &'static str: |kind| kind.as_str();
    Downloads => &'static str: |downloads| downloads.as_str();
    Scope => &'static str: |scope| scope.as_str();
    MemberRole => &'static str: |role| role.as_str();
    Position => &'static str: |position| position.as_str();
    EventType => &'static str: |event_type| event_type.as_str();
    EventTypes => String: |event_types| event_types.to_stored();
    Secret => String: |secret| secret.reveal();
    DisabledBy => &'static str: |by| by.as_str();
    DeliveryState => &'static str: |state| state.as_str();
    AlbumId => String: |id| id.to_string();
    ApiTokenId => String: |id| id.to_string();
    CouponId => String: |id| id.to_string();
    EventId => String: |id| id.to_string();
    FaceId => String: |id| id.to_string();
    InvitationId => String: |id| id.to_string();
    JobId => String: |id| id.to_string();
    LedgerId => String: |id| id.to_string();
    MailRequestId => String: |id| id.to_string();
    MessageId => String: |id| id.to_string();
    NoticeId => String: |id| id.to_string();
    ObjectionId => String: |id| id.to_string();
    QuestionId => String: |id| id.to_string();
    RefundId => String: |id| id.to_string();
    OrderId => String: |id| id.to_string();
    PersonId => String: |id| id.to_string();
    PhotoId => String: |id| id.to_string();
    SubscriptionId => String: |id| id.to_string();
    UserId => String: |id| id.to_string();
    WebhookDeliveryId => String: |id| id.to_string();
    WebhookEndpointId => String: |id| id.to_string();
}

macro_rules! borrowed {
    ($($type:ty => $column:ty: |$value:ident| $encoded:expr;)+) => {$(
        impl ToColumn for $type {
            type Column<'a> = &'a $column;

            fn to_column(&self) -> &$column {
                let $value = self;
                $encoded
            }
        }
    )+};
}

borrowed! {
    str => str: |value| value;
    String => str: |text| text.as_str();
    EmailAddress => str: |address| address.as_str();
    MediaKey => str: |key| key.as_str();
    Pin => str: |pin| pin.reveal();
    Website => str: |website| website.as_str();
    Handle => str: |handle| handle.as_str();
    Contact => str: |contact| contact.as_str();
    [u8] => [u8]: |value| value;
    Vec<u8> => [u8]: |bytes| bytes.as_slice();
    [u8; 32] => [u8]: |hash| hash.as_slice();
}

impl<T: ToColumn + ?Sized> ToColumn for &T {
    type Column<'a>
        = T::Column<'a>
    where
        Self: 'a;

    fn to_column(&self) -> T::Column<'_> {
        T::to_column(self)
    }
}

impl<T: ToColumn> ToColumn for Option<T> {
    type Column<'a>
        = Option<T::Column<'a>>
    where
        Self: 'a;

    fn to_column(&self) -> Option<T::Column<'_>> {
        self.as_ref().map(T::to_column)
    }
}

/// What to compare ids with that come after `after`: less than every id when there is none.
pub(crate) fn cursor<I: std::fmt::Display>(after: Option<I>) -> String {
    after.map_or_else(String::new, |after| after.to_string())
}

/// A moment of capture as it is stored and sorted: photos without one come last.
pub(crate) fn capture(at: Option<Timestamp>) -> i64 {
    at.map_or(i64::MAX, Timestamp::as_millis)
}
