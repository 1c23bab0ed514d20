//! Where photos go to, and how often that is tried.

use std::time::Duration;

use gateway::photo_uploads::{NewPhoto, Service, ServiceError};

use super::pictures::{Claim, Names, Picture};
use super::report::Report;

/// How often a call is tried that the line has failed, unless a folder is watched: then for as long as it takes.
const ATTEMPTS: u32 = 8;
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Where photos go to.
pub(super) struct Destination {
    pub(super) service: Service,
    /// The id of the event.
    pub(super) event: String,
    /// Whether photos take the place of those of the same names.
    pub(super) replaces: bool,
    /// Those of the files: none of them takes the place of another.
    pub(super) names: Names,
    pub(super) report: Report,
    /// Whether a line that fails is waited for without an end.
    pub(super) is_patient: bool,
}

impl Destination {
    pub(super) fn new_photo<'a>(&'a self, filename: &'a str, replaces: bool) -> NewPhoto<'a> {
        NewPhoto { event: &self.event, filename, replaces }
    }

    /// The place of which photo a file takes.
    pub(super) fn claim_of(&self, picture: &Picture) -> Claim {
        if self.replaces { self.names.claim_of(picture) } else { Claim::Nothing }
    }

    /// Calls until there is an answer that another attempt would not change.
    pub(super) async fn persist<T, F>(&self, call: impl Fn() -> F) -> Result<T, ServiceError>
    where
        F: Future<Output = Result<T, ServiceError>>,
    {
        let mut attempts = Attempts::default();
        loop {
            match call().await {
                Ok(answer) => return Ok(answer),
                Err(error) => attempts.wait(self, error).await?,
            }
        }
    }
}

/// Attempts in a row that have brought nothing.
#[derive(Default)]
pub(super) struct Attempts(u32);

impl Attempts {
    /// Something was brought.
    pub(super) const fn succeed(&mut self) {
        self.0 = 0;
    }

    /// Waits until the next one.
    ///
    /// # Errors
    /// The error, if there is to be none.
    pub(super) async fn wait(
        &mut self,
        destination: &Destination,
        error: ServiceError,
    ) -> Result<(), ServiceError> {
        self.0 += 1;
        if !error.is_passing() || (self.0 >= ATTEMPTS && !destination.is_patient) {
            return Err(error);
        }
        let pause = pause_after(self.0, error.retry_after());
        destination.report.waits(&error.to_string(), pause);
        tokio::time::sleep(pause).await;
        Ok(())
    }
}

/// How long to wait after so many failures in a row: what the service asks for, and not less than what doubles.
fn pause_after(failures: u32, asked: Option<Duration>) -> Duration {
    let doubled = Duration::from_secs(1).saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1)));
    doubled.min(LONGEST_PAUSE).max(asked.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_a_minute_and_are_not_shorter_than_what_is_asked_for() {
        let pause =
            |failures, asked: Option<u64>| pause_after(failures, asked.map(Duration::from_secs)).as_secs();
        assert_eq!([1, 2, 3, 6, 7, 40].map(|failures| pause(failures, None)), [1, 2, 4, 32, 60, 60]);
        assert_eq!((pause(1, Some(30)), pause(7, Some(30)), pause(1, Some(300))), (30, 60, 300));
    }
}
