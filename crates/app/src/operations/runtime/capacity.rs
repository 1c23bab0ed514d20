//! How much this process takes on at once, and how long it waits for its clients. All of it can be set.

use std::time::Duration;

/// Searches that are let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchCapacity {
    /// How many may wait while others run.
    pub queue: usize,
    /// How many of one address run at once; 0 means no limit.
    pub per_address: usize,
    /// How many bytes all selfies may take that are in memory, encoded.
    pub memory_bytes: u64,
    /// How long one may take, from its first byte to its answer.
    pub deadline: Duration,
}

/// Uploads that are let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UploadCapacity {
    /// How many of one account are received at once; 0 means no limit.
    pub per_user: usize,
    /// How many of one address are received at once; 0 means no limit.
    pub per_address: usize,
    /// Below so many free bytes on the disk none is taken.
    pub free_disk_bytes: u64,
    /// How many of one account may wait for the rest of their bytes; 0 means no limit.
    pub unfinished_per_user: usize,
    /// How many of one address may wait for the rest of their bytes; 0 means no limit.
    pub unfinished_per_address: usize,
    /// How long all together may become that wait for the rest of their bytes.
    pub unfinished_bytes: u64,
    /// How long they wait.
    pub unfinished_lifetime: Duration,
}

/// Connections, and how long each may keep the service waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionCapacity {
    /// How many there may be.
    pub connections: usize,
    /// How many of one address, unless it is a trusted proxy's; 0 means no limit.
    pub per_address: usize,
    /// How long the head of a request may take.
    pub head: Duration,
    /// How long a connection may be idle between two requests.
    pub idle: Duration,
    /// Least bytes of a body in each [`Self::body_window`] in which the service waits for it.
    pub body_bytes: usize,
    /// The period in which [`Self::body_bytes`] are counted.
    pub body_window: Duration,
    /// How long an answer may take once the request's body is in.
    pub request: Duration,
    /// How long a client may take next to nothing of what is sent to it.
    pub stalled_write: Duration,
}

impl Default for SearchCapacity {
    fn default() -> Self {
        Self { queue: 32, per_address: 2, memory_bytes: 256 << 20, deadline: Duration::from_secs(50) }
    }
}

impl Default for UploadCapacity {
    fn default() -> Self {
        Self {
            per_user: 12,
            per_address: 48,
            free_disk_bytes: 1 << 30,
            unfinished_per_user: 48,
            unfinished_per_address: 192,
            unfinished_bytes: 8 << 30,
            unfinished_lifetime: Duration::from_secs(72 * 60 * 60),
        }
    }
}

impl Default for ConnectionCapacity {
    fn default() -> Self {
        Self {
            connections: 4_096,
            per_address: 512,
            head: Duration::from_secs(10),
            idle: Duration::from_secs(75),
            body_bytes: 30 * 4 * 1_024,
            body_window: Duration::from_secs(30),
            request: Duration::from_secs(300),
            stalled_write: Duration::from_secs(120),
        }
    }
}
