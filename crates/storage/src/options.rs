//! The engines, and how connections to them are kept.

use std::time::Duration;

/// How long one statement may take before it is cancelled.
pub const STATEMENT_TIMEOUT: Duration = Duration::from_secs(60);

/// Which engine keeps the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// A file beside the program.
    Sqlite,
    /// A server, shared by any number of machines.
    Postgres,
}

impl Engine {
    /// The name that OpenTelemetry has for it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgresql",
        }
    }
}

/// How connections are kept.
#[derive(Clone, Copy, Debug)]
pub struct ConnectOptions {
    /// Most connections held at once; SQLite adds one more, which writes.
    pub max_connections: u32,
    /// How long a caller waits for a connection before that is an error.
    pub acquire_timeout: Duration,
}

impl Default for ConnectOptions {
    fn default() -> Self {
        Self { max_connections: 10, acquire_timeout: Duration::from_secs(10) }
    }
}
