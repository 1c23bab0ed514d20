//! `afterglow healthcheck`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::process::ExitCode;
use std::time::Duration;

use gateway::probes::{Answer, Probe};
use serde_json::Value;

use crate::cli::{CliError, print};
use crate::settings::Settings;

/// How the server on this machine is.
pub(crate) enum Health {
    /// It is ready, with what an operator has to look after.
    Ready(Vec<String>),
    /// It answers, and something cannot be used.
    Unready(String),
    /// It does not answer, and why.
    Silent(String),
}

/// Asks the server that listens on the configured address whether it is ready; exits with 1 when it is not.
pub(crate) async fn run(settings: &Settings, seconds: u64) -> Result<ExitCode, CliError> {
    let address = address(settings)?;
    match ask(address, Duration::from_secs(seconds.max(1))).await {
        Health::Ready(warnings) => {
            print("Ready.\n")?;
            for warning in warnings {
                print(&format!("{warning}\n"))?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Health::Unready(why) => {
            print(&format!("Not ready: {why}\n"))?;
            Ok(ExitCode::FAILURE)
        }
        Health::Silent(why) => {
            print(&format!("No answer from {address}: {why}\n"))?;
            Ok(ExitCode::FAILURE)
        }
    }
}

/// The address at which the server answers on this machine.
///
/// # Errors
/// When the settings do not say its port.
pub(crate) fn address(settings: &Settings) -> Result<SocketAddr, CliError> {
    let listen = settings.listen;
    if listen.port() == 0 {
        return Err(CliError::new(
            "The setting `listen` leaves the port to the system: set it to the one in the server's log.",
        ));
    }
    // Who listens on all addresses listens on this one.
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    Ok(SocketAddr::new(ip, listen.port()))
}

/// Asks the server at an address of this machine.
pub(crate) async fn ask(address: SocketAddr, timeout: Duration) -> Health {
    let probe = match Probe::direct(address) {
        Ok(probe) => probe,
        Err(error) => return Health::Silent(error.to_string()),
    };
    match probe.get("/api/ready", timeout).await {
        Ok(answer) => judge(&answer),
        Err(error) => Health::Silent(error.to_string()),
    }
}

fn judge(answer: &Answer) -> Health {
    let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let warnings = || body["warnings"].as_array().into_iter().flatten().filter_map(Value::as_str);
    match (answer.status, body["status"].as_str(), body["error"].as_str()) {
        (200, Some("ready"), _) => Health::Ready(warnings().map(str::to_owned).collect()),
        (_, _, Some(error)) => Health::Unready(error.to_owned()),
        (status, _, None) => {
            Health::Unready(format!("it answers with status {status}, as Afterglow does not."))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_listens_everywhere_is_asked_on_this_machine() {
        let asked = |listen: &str| {
            let settings = Settings { listen: listen.parse().unwrap(), ..Settings::default() };
            address(&settings).map_or_else(|error| error.to_string(), |address| address.to_string())
        };
        assert_eq!(asked("0.0.0.0:80"), "127.0.0.1:80");
        assert_eq!(asked("[::]:80"), "[::1]:80");
        assert_eq!(asked("192.0.2.7:80"), "192.0.2.7:80");
        assert!(asked("127.0.0.1:0").contains("`listen`"));
    }
}
