//! Whether the service is ready, and for how long that is known.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use domain::Timestamp;
use tokio::sync::Mutex;

/// For how long an answer about readiness holds. Anybody can ask, and finding out writes to the store and runs a model.
pub(crate) const READINESS_HOLDS: Duration = Duration::from_secs(5);

/// What was found out last, and when. Who asks while it is found out waits for that answer.
pub(crate) type ReadinessCache = Mutex<Option<(Timestamp, Arc<Readiness>)>>;

/// A dependency that cannot be used.
pub struct Unavailable {
    /// `database`, `media` or `models`.
    pub name: &'static str,
    /// The same as a sentence.
    pub message: Cow<'static, str>,
}

/// Whether the service is ready.
#[derive(Default)]
pub struct Readiness {
    /// The dependencies that cannot be used now; none when the service is ready.
    pub unavailable: Vec<Unavailable>,
    /// What an operator has to decide or look after, in sentences. The service is ready all the same.
    pub warnings: Vec<String>,
}

impl Readiness {
    pub(crate) fn add_unavailable(&mut self, name: &'static str, message: impl Into<Cow<'static, str>>) {
        self.unavailable.push(Unavailable { name, message: message.into() });
    }
}
