//! The certificate of the public URL.

use domain::{DAY, Timestamp};
use gateway::probes::Answer;

use super::finding::Finding;

pub(super) const NAME: &str = "certificate";
/// Days from which on it should have been renewed.
const WARNING: u64 = 14;
/// Days from which on it has to be renewed.
const FAILURE: u64 = 3;
const CURE: &str = "See why the proxy does not renew it: DNS, port 80 for its authority, and its log.";

/// How long the certificate is valid. That it is valid now was verified when the service was asked.
pub(super) fn check(url: &str, answer: &Answer, now: Timestamp) -> Finding {
    match answer.certificate_ends {
        Some(end) => judge(end, now),
        None if url.starts_with("https://") => Finding::skipped(NAME, "Its end cannot be read."),
        None => Finding::skipped(NAME, format!("{url} is without TLS.")),
    }
}

fn judge(end: Timestamp, now: Timestamp) -> Finding {
    let days = end.since(now).as_secs() / DAY.as_secs();
    let seen = format!("The certificate is valid for {days} more days, until {}.", end.to_long_date());
    match days {
        ..FAILURE => Finding::failed(NAME, seen, CURE),
        FAILURE..WARNING => Finding::warning(NAME, seen, CURE),
        WARNING.. => Finding::ok(NAME, seen),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::doctor::finding::Status;

    #[test]
    fn a_certificate_is_renewed_in_time() {
        let now = Timestamp::from_millis(1_795_165_200_000);
        let status = |days: u32| judge(now.plus(DAY * days), now).status;
        assert_eq!(
            [0, 2, 3, 13, 14].map(status),
            [Status::Failed, Status::Failed, Status::Warning, Status::Warning, Status::Ok]
        );
        let answer = Answer { status: 200, location: None, body: Vec::new(), certificate_ends: None };
        assert_eq!(check("http://localhost", &answer, now).status, Status::Skipped);
    }
}
