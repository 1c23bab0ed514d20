//! The way to the service that guests take.

use std::time::Duration;

use gateway::probes::{Answer, Probe, ProbeError};
use serde_json::Value;

use super::finding::{Finding, ended};

const NAME: &str = "public_url";
pub(super) const TIMEOUT: Duration = Duration::from_secs(20);

/// Asks the service through the public URL; its answer with it when there was one of Afterglow.
pub(super) async fn check(
    url: &str,
    probe: Result<&Probe, &ProbeError>,
    is_serving: bool,
) -> (Finding, Option<Answer>) {
    let probe = match probe {
        Ok(probe) => probe,
        Err(error) => {
            let cure = "Correct `public_url`, such as https://photos.example.com.";
            return (Finding::failed(NAME, ended(&error.to_string()), cure), None);
        }
    };
    match probe.get("/api/health", TIMEOUT).await {
        Ok(answer) if is_healthy(&answer) => {
            (Finding::ok(NAME, format!("{url} leads to the service.")), Some(answer))
        }
        Ok(answer) => (unexpected(url, &answer, is_serving), None),
        Err(error) => (unreachable(url, &error.to_string(), is_serving), None),
    }
}

fn is_healthy(answer: &Answer) -> bool {
    let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    answer.status == 200 && body["status"] == "ok"
}

fn unexpected(url: &str, answer: &Answer, is_serving: bool) -> Finding {
    if let Some(location) = &answer.location {
        let seen = format!("{url} redirects to {location}.");
        return Finding::failed(NAME, seen, "Set `public_url` to the address that it redirects to.");
    }
    let seen = format!("{url} answers with status {}, and not as Afterglow does.", answer.status);
    if is_serving {
        Finding::failed(
            NAME,
            seen,
            "Let the proxy pass all paths of this host on to the address of `listen`.",
        )
    } else {
        Finding::warning(NAME, seen, "Start the server, and run this again.")
    }
}

fn unreachable(url: &str, error: &str, is_serving: bool) -> Finding {
    let seen = format!("{url} cannot be reached: {}", ended(error));
    if error.to_lowercase().contains("certificate") {
        let cure = "Renew or correct the proxy's certificate, with its whole chain; `--ca FILE` names an authority of your own.";
        return Finding::failed(NAME, seen, cure);
    }
    if !is_serving {
        return Finding::skipped(NAME, seen);
    }
    let cure = "Look at DNS, the proxy and the firewall; where this machine cannot reach its own public address, run this on another one.";
    Finding::failed(NAME, seen, cure)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::doctor::finding::Status;

    fn answer(status: u16, body: &str, location: Option<&str>) -> Answer {
        Answer { status, body: body.into(), location: location.map(str::to_owned), certificate_ends: None }
    }

    #[test]
    fn only_afterglow_is_taken_for_it() {
        assert!(is_healthy(&answer(200, r#"{"status":"ok"}"#, None)));
        assert!(!is_healthy(&answer(200, "<html>", None)));
        assert!(!is_healthy(&answer(502, r#"{"status":"ok"}"#, None)));
        let url = "https://photos.example";
        let moved = unexpected(url, &answer(301, "", Some("https://www.photos.example/")), true);
        assert!(moved.seen.ends_with("redirects to https://www.photos.example/."), "{moved:?}");
        assert_eq!(unexpected(url, &answer(502, "", None), true).status, Status::Failed);
        assert_eq!(unexpected(url, &answer(502, "", None), false).status, Status::Warning);
        assert_eq!(unreachable(url, "refused", false).status, Status::Skipped);
        assert_eq!(unreachable(url, "refused", true).status, Status::Failed);
        assert_eq!(unreachable(url, "invalid peer certificate: Expired", false).status, Status::Failed);
    }
}
