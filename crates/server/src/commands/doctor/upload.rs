//! Whether the largest upload comes through.

use std::time::{Duration, Instant};

use app::operations::operators::OperatorContext;
use gateway::probes::Probe;

use super::arrival::{self, Arrival, Lost};
use super::finding::Finding;

pub(super) const NAME: &str = "upload";
const MEGABYTE: f64 = 1e6;
const TIMEOUT: Duration = Duration::from_secs(300);

/// Sends as many bytes as the largest form with a photo has; the server reads them and keeps nothing.
pub(super) async fn check(probe: &Probe, context: &OperatorContext) -> Finding {
    let started = Instant::now();
    let arrived = arrival::send(NAME, probe, context, &[], api::UPLOAD_BYTES, TIMEOUT).await;
    judge(arrived, started.elapsed())
}

fn judge(arrived: Result<Arrival, Lost>, took: Duration) -> Finding {
    let megabytes = api::UPLOAD_BYTES as f64 / MEGABYTE;
    match arrived {
        Ok(arrival) if arrival.bytes == api::UPLOAD_BYTES => {
            let seconds = took.as_secs_f64();
            Finding::ok(NAME, format!("An upload of {megabytes:.0} MB arrived in {seconds:.1} s."))
        }
        Ok(arrival) => Finding::failed(
            NAME,
            format!("Of an upload of {megabytes:.0} MB {} bytes arrived.", arrival.bytes),
            "Have the proxy pass bodies on as they are.",
        ),
        Err(Lost::Refused(413)) => Finding::failed(
            NAME,
            format!("An upload of {megabytes:.0} MB was refused as too large (status 413)."),
            format!(
                "Let the proxy take bodies of {megabytes:.0} MB (nginx: `client_max_body_size {megabytes:.0}m`)."
            ),
        ),
        Err(Lost::Refused(status)) => Finding::failed(
            NAME,
            format!("An upload of {megabytes:.0} MB was answered with status {status}."),
            "Look at the proxy's log, its time-outs and its limit of a body.",
        ),
        Err(Lost::Other(finding)) => *finding,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::doctor::finding::Status;

    #[test]
    fn a_proxys_limit_is_named() {
        let refused = judge(Err(Lost::Refused(413)), Duration::ZERO);
        assert!(refused.cure.unwrap().contains("`client_max_body_size 105m`"));
        assert_eq!(judge(Err(Lost::Refused(502)), Duration::ZERO).status, Status::Failed);
    }
}
