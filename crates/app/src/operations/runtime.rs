//! What everything else runs on.

pub(crate) mod app;
pub(crate) mod capacity;
pub(crate) mod concurrency;
pub(crate) mod decode_memory;
pub(crate) mod decoding;
pub(crate) mod failure;
pub mod idle_memory;
pub(crate) mod job_attempts;
pub mod keyed_slots;
pub mod limits;
pub mod listeners;
pub(crate) mod origins;
pub mod proxies;
pub(crate) mod queue;
pub(crate) mod rate_limiter;
pub(crate) mod settings;
pub(crate) mod shared_limits;
pub(crate) mod spreadsheets;
pub(crate) mod tasks;
pub(crate) mod wakeups;
pub mod worker;
