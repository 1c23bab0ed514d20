//! How a request of ours arrives at the server, as it tells whoever has a token.

use std::time::Duration;

use app::operations::operators::OperatorContext;
use app::operations::probes;
use gateway::probes::Probe;
use serde::Deserialize;

use super::finding::{Finding, ended};

/// What the server says of a request.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Arrival {
    /// The machine that the connection comes from.
    pub(super) peer: String,
    /// Whether it is a trusted proxy.
    pub(super) is_trusted: bool,
    /// What the configured forwarding header says.
    pub(super) hops: Vec<String>,
    /// Whether any header says that a proxy has forwarded it.
    pub(super) is_forwarded: bool,
    /// The address that it counts for.
    pub(super) client: String,
    /// The scheme that the client used, as a proxy says.
    pub(super) scheme: Option<String>,
    /// How many bytes its body had.
    pub(super) bytes: usize,
}

/// Why a request did not arrive.
pub(super) enum Lost {
    /// Somebody refused it with this status.
    Refused(u16),
    /// The finding says why.
    Other(Box<Finding>),
}

/// Sends a request of so many bytes with a token that is good once.
pub(super) async fn send(
    name: &'static str,
    probe: &Probe,
    context: &OperatorContext,
    headers: &[(&str, &str)],
    bytes: usize,
    timeout: Duration,
) -> Result<Arrival, Lost> {
    let token = probes::create(context).await.map_err(|failure| {
        let cure = "Look at the check of the database.";
        Lost::Other(Box::new(Finding::failed(name, ended(&failure.chain()), cure)))
    })?;
    let answer = probe.post("/api/probe", &token, headers, bytes, timeout).await.map_err(|error| {
        let seen = format!("The line was cut: {}", ended(&error.to_string()));
        let cure = "Raise the proxy's time-outs, and its limit of a body.";
        Lost::Other(Box::new(Finding::failed(name, seen, cure)))
    })?;
    match (answer.status, serde_json::from_slice(&answer.body)) {
        (200, Ok(arrival)) => Ok(arrival),
        (404, _) => Err(Lost::Other(Box::new(Finding::failed(
            name,
            "The service behind the public URL has another database than the one that is configured here.",
            "Run this with the settings of that service, or let the public URL lead to this one; a server of an earlier version is to be started anew.",
        )))),
        (status, _) => Err(Lost::Refused(status)),
    }
}
