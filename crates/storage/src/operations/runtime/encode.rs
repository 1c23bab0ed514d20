//! The domain's types as columns store them: the reverse of `decode`.

use domain::accounts::api_tokens::Scope;
use domain::accounts::{EmailAddress, LinkPurpose, RequestedMail};
use domain::events::download_policy::Downloads;
use domain::events::pins::Pin;
use domain::operations::runtime::jobs::JobKind;
use domain::payments::gst::{Gstin, State};
use domain::payments::invoices::Series;
use domain::payments::ledger::LedgerKind;
use domain::payments::orders::{OrderStatus, Purpose};
use domain::payments::{PaymentOutcome, RefundStatus};
use domain::photos::{ImageFormat, MediaKey, PhotoStatus};
use domain::studio::studios::{Accent, Contact, Handle, Website};
use domain::studio::watermarks::Position;
use domain::team::MemberRole;
use domain::webhooks::{DeliveryState, DisabledBy, EventType, EventTypes, Secret};
use domain::{
    AlbumId, ApiTokenId, ClientSelectionId, CouponId, DeletionReceiptId, EventId, FaceId, InvitationId,
    JobId, LedgerId, MailRequestId, MessageId, NoticeId, ObjectionId, OrderId, Paise, PasskeyId, PersonId,
    PhotoId, QuestionId, RefundId, SubscriptionId, Timestamp, UserId, WebhookDeliveryId, WebhookEndpointId,
};
use jiff::civil::Date;
use sqlx::{Arguments, Encode, Type};

/// A value that a statement binds: the types of the portable subset of SQL that the schema keeps to.
pub(crate) enum Value {
    Text(Option<String>),
    Integer(Option<i64>),
    Real(Option<f64>),
    Boolean(Option<bool>),
    Bytes(Option<Vec<u8>>),
}

/// What is stored in a column.
pub(crate) trait ToColumn {
    /// What stands for a value that is missing. PostgreSQL asks for its type too.
    const NULL: Value;

    fn to_column(&self) -> Value;
}

impl<T: ToColumn> From<T> for Value {
    fn from(value: T) -> Self {
        value.to_column()
    }
}

/// Adds values to the arguments of one engine.
pub(crate) fn add_all<A>(arguments: &mut A, values: &[Value]) -> sqlx::Result<()>
where
    A: Arguments,
    for<'q> Option<&'q str>: Encode<'q, A::Database> + Type<A::Database>,
    for<'q> Option<i64>: Encode<'q, A::Database> + Type<A::Database>,
    for<'q> Option<f64>: Encode<'q, A::Database> + Type<A::Database>,
    for<'q> Option<bool>: Encode<'q, A::Database> + Type<A::Database>,
    for<'q> Option<&'q [u8]>: Encode<'q, A::Database> + Type<A::Database>,
{
    for value in values {
        match value {
            Value::Text(value) => arguments.add(value.as_deref()),
            Value::Integer(value) => arguments.add(*value),
            Value::Real(value) => arguments.add(*value),
            Value::Boolean(value) => arguments.add(*value),
            Value::Bytes(value) => arguments.add(value.as_deref()),
        }
        .map_err(sqlx::Error::Encode)?;
    }
    Ok(())
}

macro_rules! columns {
    ($($type:ty => $kind:ident: |$value:ident| $encoded:expr;)+) => {$(
        impl ToColumn for $type {
            const NULL: Value = Value::$kind(None);

            fn to_column(&self) -> Value {
                let $value = self;
                Value::$kind(Some($encoded.into()))
            }
        }
    )+};
}

columns! {
    bool => Boolean: |value| *value;
    i64 => Integer: |value| *value;
    f64 => Real: |value| *value;
    Timestamp => Integer: |moment| moment.as_millis();
    Paise => Integer: |amount| amount.get();
    Date => Text: |date| date.to_string();
    Accent => Text: |accent| accent.color().to_string();
    LinkPurpose => Text: |purpose| purpose.as_str();
    RequestedMail => Text: |mail| mail.as_str();
    LedgerKind => Text: |kind| kind.as_str();
    Purpose => Text: |purpose| purpose.as_str();
    OrderStatus => Text: |status| status.as_str();
    PaymentOutcome => Text: |outcome| outcome.as_str();
    RefundStatus => Text: |status| status.as_str();
    Gstin => Text: |gstin| gstin.as_str();
    State => Text: |state| state.code();
    Series => Text: |series| series.letter();
    PhotoStatus => Text: |status| status.as_str();
    ImageFormat => Text: |format| format.media_type();
    JobKind => Text: |kind| kind.as_str();
    Downloads => Text: |downloads| downloads.as_str();
    Scope => Text: |scope| scope.as_str();
    MemberRole => Text: |role| role.as_str();
    Position => Text: |position| position.as_str();
    EventType => Text: |event_type| event_type.as_str();
    EventTypes => Text: |event_types| event_types.to_stored();
    Secret => Text: |secret| secret.reveal();
    DisabledBy => Text: |by| by.as_str();
    DeliveryState => Text: |state| state.as_str();
    AlbumId => Text: |id| id.to_string();
    ApiTokenId => Text: |id| id.to_string();
    ClientSelectionId => Text: |id| id.to_string();
    CouponId => Text: |id| id.to_string();
    DeletionReceiptId => Text: |id| id.to_string();
    EventId => Text: |id| id.to_string();
    FaceId => Text: |id| id.to_string();
    InvitationId => Text: |id| id.to_string();
    JobId => Text: |id| id.to_string();
    LedgerId => Text: |id| id.to_string();
    MailRequestId => Text: |id| id.to_string();
    MessageId => Text: |id| id.to_string();
    NoticeId => Text: |id| id.to_string();
    ObjectionId => Text: |id| id.to_string();
    QuestionId => Text: |id| id.to_string();
    RefundId => Text: |id| id.to_string();
    OrderId => Text: |id| id.to_string();
    PasskeyId => Text: |id| id.to_string();
    PersonId => Text: |id| id.to_string();
    PhotoId => Text: |id| id.to_string();
    SubscriptionId => Text: |id| id.to_string();
    UserId => Text: |id| id.to_string();
    WebhookDeliveryId => Text: |id| id.to_string();
    WebhookEndpointId => Text: |id| id.to_string();
    str => Text: |value| value;
    String => Text: |text| text.as_str();
    EmailAddress => Text: |address| address.as_str();
    MediaKey => Text: |key| key.as_str();
    Pin => Text: |pin| pin.reveal();
    Website => Text: |website| website.as_str();
    Handle => Text: |handle| handle.as_str();
    Contact => Text: |contact| contact.as_str();
    [u8] => Bytes: |value| value;
    Vec<u8> => Bytes: |bytes| bytes.as_slice();
    [u8; 32] => Bytes: |hash| hash.as_slice();
}

impl<T: ToColumn + ?Sized> ToColumn for &T {
    const NULL: Value = T::NULL;

    fn to_column(&self) -> Value {
        T::to_column(self)
    }
}

impl<T: ToColumn> ToColumn for Option<T> {
    const NULL: Value = T::NULL;

    fn to_column(&self) -> Value {
        self.as_ref().map_or(T::NULL, T::to_column)
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
