//! FTP and FTPS for cameras: an inbound protocol over the use cases, as `api` is for HTTP (decision 0058).
//!
//! A camera logs in with the credentials of one event and stores photos in it. That is all it can do: the folders it sees are
//! its own session's, and nothing can be read or deleted, and renamed only what the session has stored itself. The protocol is that of RFC 959 with
//! passive mode (RFC 2428) and TLS (RFC 4217).

mod certificate;
mod commands;
mod connections;
mod control;
mod dialogue;
mod folder;
mod passive;
mod replies;
mod session;
mod transfers;

use std::net::Ipv4Addr;
use std::ops::RangeInclusive;
use std::time::Duration;

pub use certificate::{Certificate, CertificateError, Resumption};
pub use connections::serve;

/// How cameras are served.
pub struct Config {
    /// The address of IPv4 that cameras are told for passive mode; without one that which they have reached.
    pub passive_address: Option<Ipv4Addr>,
    /// The ports of passive mode.
    pub passive_ports: RangeInclusive<u16>,
    /// What TLS is spoken with; without one it is not spoken.
    pub certificate: Option<Certificate>,
    /// Whether cameras may log in without TLS.
    pub allows_plain: bool,
    /// How many connections there may be.
    pub connections: usize,
    /// How long cameras may keep the service waiting.
    pub patience: Patience,
}

/// How long a camera may keep the service waiting.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For its login, from the connection on.
    pub login: Duration,
    /// For its next command.
    pub idle: Duration,
    /// For the data connection, for TLS, and for each next byte.
    pub data: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            login: Duration::from_secs(60),
            // A camera stays connected from shot to shot.
            idle: Duration::from_secs(15 * 60),
            data: Duration::from_secs(30),
        }
    }
}
