//! The engines, and the options of connections to them.

use std::time::Duration;

/// How long one statement may take before it is cancelled.
pub const STATEMENT_TIMEOUT: Duration = Duration::from_secs(60);

/// The database engine.
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

/// The options of the connection pools.
#[derive(Clone, Copy, Debug)]
pub struct ConnectOptions {
    /// Most connections open at once; SQLite adds one more, which writes.
    pub max_connections: u32,
    /// How long a caller waits for a connection before that is an error.
    pub acquire_timeout: Duration,
}

impl Default for ConnectOptions {
    fn default() -> Self {
        Self { max_connections: 10, acquire_timeout: Duration::from_secs(10) }
    }
}
