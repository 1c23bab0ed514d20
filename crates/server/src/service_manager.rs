//! What the service manager is told, where there is one (`Type=notify` of systemd): that the service starts, serves and stops.

use std::time::Duration;

use sd_notify::NotifyState;
use tokio::task::JoinHandle;

/// How often a start asks for more time, and for how much: a migration may take longer than any limit that is set.
const INTERVAL: Duration = Duration::from_secs(20);
const MICROSECONDS: u32 = 60_000_000;

/// A start that is under way. Dropped, it asks for no more time.
pub(crate) struct Start(JoinHandle<()>);

impl Start {
    /// Asks for time until the service is ready.
    pub(crate) fn begin() -> Self {
        Self(tokio::spawn(async {
            let mut ticks = tokio::time::interval(INTERVAL);
            loop {
                ticks.tick().await;
                tell(&[
                    NotifyState::ExtendTimeoutUsec(MICROSECONDS),
                    NotifyState::Status("Opening database and models"),
                ]);
            }
        }))
    }

    /// Says that the service does what it is there for.
    pub(crate) fn ready(self, status: &str) {
        self.0.abort();
        tell(&[NotifyState::Ready, NotifyState::Status(status)]);
    }
}

impl Drop for Start {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Whether there is one.
pub(crate) fn is_there() -> bool {
    std::env::var_os("NOTIFY_SOCKET").is_some()
}

/// Says that the service ends what is under way.
pub(crate) fn stopping() {
    tell(&[NotifyState::Stopping, NotifyState::Status("Ending requests and jobs")]);
}

fn tell(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!(%error, "the service manager cannot be told");
    }
}
