//! What administrators look after. The operator's commands print the same bodies.

pub(crate) mod accounts;
pub(crate) mod events;
pub(crate) mod jobs;
pub(crate) mod overview;
pub(crate) mod payments;
pub(crate) mod settings;

pub use accounts::AccountBody;
pub use events::SizedEventBody;
pub use jobs::{FailedJobBody, JobKindBody};
pub use overview::OverviewBody;
pub use payments::{FailedOrderBody, RefundDueBody};
pub use settings::SettingBody;
