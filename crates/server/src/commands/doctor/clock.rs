//! Whether this machine's clock agrees with those that it works with.

use std::time::Duration;

use app::operations::operators::OperatorContext;
use domain::{Clock, Timestamp};
use storage::{Db, Engine};

use super::finding::{Finding, ended};

const NAME: &str = "clock";
/// How exactly a bucket tells its time.
pub(super) const SECOND: Duration = Duration::from_secs(1);
/// From which difference on `/api/ready` warns.
const TOLERATED: Duration = Duration::from_secs(30);
/// From which difference on leases and signatures come to harm.
const HARMFUL: Duration = Duration::from_secs(300);
const CURE: &str = "Have both machines take their time from a time server (`timedatectl`, chrony).";

/// Compares the clock with the database's and the bucket's, from which it differs by `bucket`.
pub(super) async fn check(db: Option<&Db>, bucket: Option<Duration>) -> Finding {
    let mut differences: Vec<(&str, Duration)> =
        bucket.map(|skew| ("the bucket's", skew)).into_iter().collect();
    if let Some(db) = db.filter(|db| db.engine() == Engine::Postgres) {
        let before = Clock::System.now();
        match storage::operations::runtime::clock::of_postgres(db).await {
            Ok(at) => differences.push(("PostgreSQL's", skew(before, at, Clock::System.now()))),
            Err(error) => {
                let seen = ended(&app::Failure::from(error).chain());
                return Finding::failed(NAME, seen, "Look at the database's log.");
            }
        }
    }
    judge(&differences)
}

/// Whether the clock has jumped since the service last looked at it, or lately.
pub(super) async fn jump(context: Option<&OperatorContext>) -> Option<Finding> {
    let now = Clock::System.now();
    let watch = match app::operations::clock_watch::show(context?).await {
        Ok(watch) => watch?,
        Err(failure) => {
            return Some(Finding::failed(NAME, ended(&failure.chain()), "Look at the database's log."));
        }
    };
    let warning = watch.observed(now).warning(now)?;
    Some(Finding::warning(NAME, warning, "Compare this machine's clock with the true time (`timedatectl`)."))
}

fn judge(differences: &[(&str, Duration)]) -> Finding {
    let Some((_, worst)) = differences.iter().max_by_key(|(_, skew)| *skew) else {
        return Finding::skipped(NAME, "There is no other clock to compare this machine's with.");
    };
    let texts: Vec<String> = differences
        .iter()
        .map(|(whose, skew)| format!("from {whose} by {:.1} s", skew.as_secs_f64()))
        .collect();
    let seen = format!("This machine's clock differs {}.", texts.join(" and "));
    if *worst > HARMFUL {
        Finding::failed(NAME, seen, CURE)
    } else if *worst > TOLERATED {
        Finding::warning(NAME, seen, CURE)
    } else {
        Finding::ok(NAME, seen)
    }
}

/// By how much a clock differs that was read between two moments.
pub(super) fn skew(before: Timestamp, at: Timestamp, after: Timestamp) -> Duration {
    before.since(at).max(at.since(after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::doctor::finding::Status;

    #[test]
    fn the_worse_of_two_clocks_counts() {
        let status = |seconds: &[u64]| {
            let all: Vec<_> =
                seconds.iter().map(|seconds| ("another", Duration::from_secs(*seconds))).collect();
            judge(&all).status
        };
        assert_eq!(status(&[]), Status::Skipped);
        assert_eq!(status(&[30, 1]), Status::Ok);
        assert_eq!(status(&[1, 31]), Status::Warning);
        assert_eq!(status(&[301, 1]), Status::Failed);
        let at = |millis| Timestamp::from_millis(millis);
        assert_eq!(skew(at(1_000), at(1_500), at(2_000)), Duration::ZERO);
        assert_eq!(skew(at(1_000), at(500), at(2_000)), Duration::from_millis(500));
        assert_eq!(skew(at(1_000), at(5_000), at(2_000)), Duration::from_secs(3));
    }
}
