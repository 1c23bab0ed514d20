//! The server on this machine.

use std::time::Duration;

use super::finding::{Finding, ended};
use crate::commands::healthcheck::{self, Health};
use crate::settings::Settings;

const NAME: &str = "service";
/// What the server itself tries out takes its time on a slow machine.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Asks the server whether it is ready; true with it when it answers at all.
pub(super) async fn check(settings: &Settings) -> (Finding, bool) {
    let address = match healthcheck::address(settings) {
        Ok(address) => address,
        Err(error) => return (Finding::skipped(NAME, error.to_string()), false),
    };
    match healthcheck::ask(address, TIMEOUT).await {
        Health::Ready(warnings) if warnings.is_empty() => {
            (Finding::ok(NAME, format!("The server at {address} is ready.")), true)
        }
        Health::Ready(warnings) => {
            let seen = format!("The server at {address} is ready, and warns: {}", warnings.join(" "));
            (Finding::warning(NAME, seen, "Look after what it names; the log says more."), true)
        }
        Health::Unready(why) => {
            let seen = format!("The server at {address} is not ready: {}", ended(&why));
            (Finding::failed(NAME, seen, "Look at the check of what it names, and at its log."), true)
        }
        Health::Silent(why) => {
            let seen = format!("No server answers at {address}: {}", ended(&why));
            let cure = "Start it with `afterglow serve`, unless this machine has workers alone.";
            (Finding::warning(NAME, seen, cure), false)
        }
    }
}
