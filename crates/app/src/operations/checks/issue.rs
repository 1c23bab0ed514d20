//! What can be inconsistent.

use domain::photos::MediaKey;
use domain::{CouponId, EventId, Job, JobId, PhotoId, UserId};
use storage::operations::integrity::Unbalanced;
use storage::operations::stores::Held;
use storage::payments::invoices::{PaymentKey, YearsSeries};

use crate::operations::orphans;
use crate::operations::stores::Bond;
use crate::payments::comparison::Difference;

/// An inconsistency.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Issue {
    /// The database's own check found damage.
    #[error("database: {0}")]
    Damage(String),
    /// A balance is not its ledger's sum.
    #[error("account {}: the balance is {}, the ledger's sum is {}", .0.user, .0.balance, .0.ledger)]
    Balance(Unbalanced),
    /// A photo without a charge in the ledger.
    #[error("photo {0}: nobody has paid for it")]
    Uncharged(PhotoId),
    /// A photo's number of faces is wrong.
    #[error("photo {0}: its number of faces is not the number of faces stored for it")]
    FaceCount(PhotoId),
    /// An event's number of uploads is below the number of its photos.
    #[error("event {0}: it has more photos than it counts uploads")]
    UploadCount(EventId),
    /// An event's counters are not what its photos count.
    #[error("event {0}: its counters are not what its photos count")]
    EventCounts(EventId),
    /// The counters of an account's photos without event are not what these count.
    #[error("account {0}: its library's counters are not what its photos count")]
    LibraryCounts(UserId),
    /// An account's number of charged uploads, or their price, is not what its ledger has.
    #[error("account {0}: its number of charged uploads, or their price, is not what its ledger has")]
    ChargeCounts(UserId),
    /// A refund was reported of a payment, and what it returns was not taken back.
    #[error("payment {0}: it was refunded, and what that returned was not taken back")]
    Refund(String),
    /// A series of invoices has a gap, or a number that is not counted.
    #[error("invoices {}/{}: a number is missing, or one was given that is not counted", .0.series.letter(), .0.year)]
    InvoiceSeries(YearsSeries),
    /// A payment has no invoice though those before have one, or a refund of it no note.
    #[error("payment {}: its invoice is missing, or the note of a refund", .0.payment_id)]
    Uninvoiced(PaymentKey),
    /// The payment provider has something that is not here.
    #[error("{0}; `afterglow payment compare` mends it")]
    Provider(Difference),
    /// A coupon's number of uses is wrong.
    #[error("coupon {0}: its number of uses is not the number of those reserved and spent")]
    UseCount(CouponId),
    /// An original is missing.
    #[error("photo {0}: its original {1} is not in the media store")]
    OriginalMissing(PhotoId, MediaKey),
    /// An original lies in the media store's trash.
    #[error("photo {0}: its original {1} lies in the media store's trash")]
    OriginalDiscarded(PhotoId, MediaKey),
    /// An original does not have the bytes that were uploaded.
    #[error("photo {0}: its original {1} does not have the bytes that were uploaded")]
    OriginalChanged(PhotoId, MediaKey),
    /// A photo's CRC-32 is not that of its bytes, which is this one.
    #[error("photo {0}: its CRC-32 is not that of its bytes")]
    Checksum(PhotoId, MediaKey, u32),
    /// Renditions of a ready photo are missing.
    #[error("photo {0}: {missing} not in the media store", missing = missing(.1))]
    RenditionsMissing(PhotoId, Vec<MediaKey>),
    /// A photo waits for its indexing, and no job is about it.
    #[error("photo {0}: it waits for its indexing, and no job is about it")]
    NeverQueued(PhotoId),
    /// A job failed for good.
    #[error("job {id} ({kind}): it failed: {reason}")]
    JobFailed {
        /// Which.
        id: JobId,
        /// Its kind, as it is stored.
        kind: String,
        /// What was to be done; none when this version of the program cannot read it.
        job: Option<Job>,
        /// Why it failed the last time.
        reason: String,
    },
    /// A job's worker has vanished, and no other has taken it over.
    #[error("job {0} ({1}): its worker has vanished, and no other has taken it over")]
    LeaseExpired(JobId, String),
    /// An event's deletion goes on by no job.
    #[error("event {0}: its deletion has begun, and no job goes on with it")]
    DeletionStalled(EventId),
    /// Subscriptions of an event that is closed, or whose key is gone.
    #[error("event {0}: it has subscriptions that should be deleted")]
    SubscriptionsLeft(EventId),
    /// The key of searches of an event that is closed.
    #[error("event {0}: it has a key of searches that should be destroyed")]
    SearchKeyLeft(EventId),
    /// Members or invitations of an event that is closed.
    #[error("event {0}: it has members or invitations that should be deleted")]
    TeamLeft(EventId),
    /// A photo is hidden though no guest's request says so, or the other way round.
    #[error("photo {0}: whether it is hidden is not what the guests' requests say")]
    Hidden(PhotoId),
    /// A photo is in an album of another event, or in several.
    #[error("photo {0}: an album that it is in is another event's")]
    Album(PhotoId),
    /// Requests of guests in an event that is closed, or templates whose key is gone.
    #[error("event {0}: it has requests of guests that should be deleted")]
    ObjectionsLeft(EventId),
    /// People of an event that is closed or has them switched off, without faces, or with another event's.
    #[error("event {0}: it has people that should be deleted")]
    People(EventId),
    /// The media store is not this database's, or the database is an older copy.
    #[error("{0}")]
    Store(Bond),
    /// More files belong to no photo than crashes leave.
    #[error("{}", orphans::explain(.0))]
    TooManyOrphans(Held),
    /// A file that belongs to no photo.
    #[error("file {0}: it belongs to no photo")]
    Orphan(MediaKey),
    /// A file that belongs to no photo of this database, which may be the wrong one.
    #[error("file {0}: it belongs to no photo of this database")]
    HeldOrphan(MediaKey),
    /// A file that belongs to no photo yet.
    #[error(
        "file {0}: it belongs to no photo, and may be that of an upload under way, since it is younger than a day"
    )]
    Unclaimed(MediaKey),
}

impl Issue {
    /// Whether this is told for completeness, and nothing is wrong.
    pub const fn is_notice(&self) -> bool {
        // Two installations may have the same keys of the provider.
        matches!(self, Self::Unclaimed(_) | Self::Provider(Difference::Account { .. }))
    }
}

fn missing(keys: &[MediaKey]) -> String {
    let verb = if keys.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", keys.iter().map(MediaKey::as_str).collect::<Vec<_>>().join(" and "))
}
