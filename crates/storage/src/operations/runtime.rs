//! What everything else runs on.

pub mod clock;
pub mod counted_requests;
pub(crate) mod db;
pub(crate) mod decode;
pub(crate) mod dialect;
pub(crate) mod encode;
pub(crate) mod error;
pub(crate) mod executor;
pub mod jobs;
pub(crate) mod migrations;
pub(crate) mod options;
pub(crate) mod row;
pub mod secrets;
pub(crate) mod statements;
pub(crate) mod tables;
pub mod wakeups;
