//! Running an installation: administration, checks, backups, moving.

pub mod administration;
pub mod backups;
pub mod clock_watch;
pub mod contact;
pub mod integrity;
pub mod keys;
pub mod maintenance;
pub mod moving;
pub mod probes;
pub mod processes;
pub mod runtime;
pub mod schema;
pub mod snapshots;
pub mod stores;
pub mod upgrades;
