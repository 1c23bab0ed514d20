//! FTP for cameras, as the settings say.

use std::ops::RangeInclusive;

use app::{App, FtpEncryption, FtpService};
use ftp::{Certificate, Config, Patience, Resumption};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::cli::CliError;
use crate::settings::{Settings, Switch};

/// A listener, and how cameras are served on it.
pub(crate) struct Server {
    listener: TcpListener,
    config: Config,
}

/// Looks at the settings of FTP, as a start does.
///
/// # Errors
/// One sentence that names the setting.
pub(crate) fn check(settings: &Settings) -> Result<(), CliError> {
    if settings.ftp_listen.is_none() {
        return Ok(());
    }
    config(settings)?;
    host_and_port(settings, "http://localhost", 0)?;
    Ok(())
}

/// Listens for cameras; none while the settings do not ask for it.
///
/// # Errors
/// One sentence that names the setting.
pub(crate) async fn listen(settings: &Settings) -> Result<Option<Server>, CliError> {
    let Some(address) = settings.ftp_listen else { return Ok(None) };
    let config = config(settings)?;
    let listener = TcpListener::bind(address).await.map_err(|error| {
        CliError::context(&format!("{address} cannot be listened on (`ftp_listen`)"), &error)
    })?;
    Ok(Some(Server { listener, config }))
}

impl Server {
    /// What photographers are told of it.
    ///
    /// # Errors
    /// One sentence that names the setting.
    pub(crate) fn service(&self, settings: &Settings, public_url: &str) -> Result<FtpService, CliError> {
        let port = self.listener.local_addr().map_err(|error| {
            CliError::context("The address that cameras are listened for on cannot be read", &error)
        })?;
        let (host, port) = host_and_port(settings, public_url, port.port())?;
        let encryption = match (&self.config.certificate, self.config.allows_plain) {
            (Some(_), false) => FtpEncryption::Required,
            (Some(_), true) => FtpEncryption::Offered,
            (None, _) => FtpEncryption::None,
        };
        Ok(FtpService { host, port, encryption })
    }

    /// Serves cameras until `stop` is cancelled and what they send is taken in.
    pub(crate) async fn serve(self, app: App, stop: CancellationToken) {
        if self.config.allows_plain {
            tracing::warn!(
                "`ftp_plain` is on: whoever is on the way can read the passwords of cameras and the photos they send"
            );
        }
        if let Ok(address) = self.listener.local_addr() {
            tracing::info!(ftp = %address, "listening for cameras");
        }
        ftp::serve(self.listener, self.config, app, stop).await;
    }
}

fn config(settings: &Settings) -> Result<Config, CliError> {
    let allows_plain = settings.ftp_plain == Switch::On;
    let resumption = match settings.ftp_tls_resumption {
        Switch::On => Resumption::Required,
        Switch::Off => Resumption::Optional,
    };
    let certificate = match (&settings.ftp_certificate, &settings.ftp_key) {
        (Some(certificate), Some(key)) => {
            Some(Certificate::open(certificate.clone(), key.clone(), resumption).map_err(|error| {
                CliError::context(
                    "The certificate of FTP (`ftp_certificate`, `ftp_key`) cannot be used",
                    &error,
                )
            })?)
        }
        (None, None) if allows_plain => None,
        (None, None) => {
            return Err(CliError::new(
                "FTP without TLS sends passwords and photos for anybody on the way to read. Set `ftp_certificate` and \
                 `ftp_key`, or `ftp_plain` to on, or leave `ftp_listen` out.",
            ));
        }
        _ => {
            return Err(CliError::new(
                "The settings `ftp_certificate` and `ftp_key` must be set both, or neither.",
            ));
        }
    };
    Ok(Config {
        passive_address: settings.ftp_passive_address,
        passive_ports: passive_ports(&settings.ftp_passive_ports)?,
        certificate,
        allows_plain,
        connections: settings.ftp_connections.max(1),
        patience: Patience::default(),
    })
}

fn passive_ports(text: &str) -> Result<RangeInclusive<u16>, CliError> {
    let ports = text
        .split_once('-')
        .and_then(|(first, last)| Some(first.trim().parse::<u16>().ok()?..=last.trim().parse::<u16>().ok()?));
    // Port 0 would be any port.
    ports.filter(|ports| *ports.start() > 0 && !ports.is_empty()).ok_or_else(|| {
        CliError::new(format!(
            "The setting `ftp_passive_ports` is no range of ports, such as 50000-50099: `{text}`."
        ))
    })
}

/// What photographers enter into their cameras.
fn host_and_port(settings: &Settings, public_url: &str, port: u16) -> Result<(String, u16), CliError> {
    let Some(address) = settings.ftp_address.as_deref() else {
        let authority = public_url.split_once("://").map_or(public_url, |(_, rest)| rest);
        let authority = authority.split('/').next().unwrap_or(authority);
        return Ok((host_of(authority).to_owned(), port));
    };
    let host = host_of(address);
    let port = match address.strip_prefix(host).unwrap_or_default() {
        "" => Ok(port),
        rest => rest.trim_start_matches(':').parse(),
    };
    match port {
        Ok(port) if !host.is_empty() && !host.contains('/') => Ok((host.to_owned(), port)),
        _ => Err(CliError::new(format!(
            "The setting `ftp_address` is no host, or host and port, such as ftp.example.com:21: `{address}`."
        ))),
    }
}

/// The host of `host`, `host:port`, `[::1]` or `[::1]:port`, an address of IPv6 with its brackets.
fn host_of(authority: &str) -> &str {
    match authority.find(']') {
        Some(end) => &authority[..=end],
        None => authority.split(':').next().unwrap_or(authority),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(change: impl FnOnce(&mut Settings)) -> Settings {
        let mut settings = Settings { ftp_listen: "127.0.0.1:0".parse().ok(), ..Settings::default() };
        change(&mut settings);
        settings
    }

    fn refused(change: impl FnOnce(&mut Settings)) -> String {
        check(&settings(change)).err().map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn it_is_off_by_default_and_without_tls_only_when_that_is_said() {
        // [FTP015] [FTP016]
        assert!(Settings::default().ftp_listen.is_none());
        assert_eq!(refused(|settings| settings.ftp_listen = None), "");
        assert!(refused(|_| {}).contains("`ftp_plain` to on"));
        assert_eq!(refused(|settings| settings.ftp_plain = Switch::On), "");
        assert!(refused(|settings| settings.ftp_key = Some("key.pem".into())).contains("both, or neither"));
        let missing = refused(|settings| {
            settings.ftp_certificate = Some("nowhere.pem".into());
            settings.ftp_key = Some("key.pem".into());
        });
        assert!(missing.contains("nowhere.pem"), "{missing}");
    }

    #[test]
    fn ports_and_addresses_are_read() {
        for text in ["", "50000", "0-10", "60000-50000", "50000-70000", "a-b"] {
            let told = refused(|settings| {
                settings.ftp_plain = Switch::On;
                settings.ftp_passive_ports = text.to_owned();
            });
            assert!(told.contains("`ftp_passive_ports`"), "{text}: {told}");
        }
        assert_eq!(passive_ports(" 1024 - 1024").unwrap(), 1024..=1024);
        for (address, url, told) in [
            (None, "https://photos.example", Some(("photos.example", 2121))),
            (None, "http://localhost:8080/", Some(("localhost", 2121))),
            (None, "http://[::1]:8080", Some(("[::1]", 2121))),
            (Some("ftp.example"), "", Some(("ftp.example", 2121))),
            (Some("ftp.example:21"), "", Some(("ftp.example", 21))),
            (Some("ftp.example:x"), "", None),
            (Some(":21"), "", None),
            (Some("ftp://ftp.example"), "", None),
        ] {
            let settings = settings(|settings| settings.ftp_address = address.map(String::from));
            let found = host_and_port(&settings, url, 2121).ok();
            assert_eq!(found, told.map(|(host, port)| (host.to_owned(), port)), "{address:?} {url}");
        }
    }
}
