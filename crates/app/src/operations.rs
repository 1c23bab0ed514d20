//! Running an installation: administration, checks, backups, moving.

pub mod administration;
pub mod backups;
pub mod checks;
pub mod clock_watch;
pub mod contact;
pub mod mail_tests;
pub(crate) mod mails;
pub mod maintenance;
pub(crate) mod metrics;
pub mod monitoring;
pub mod moving;
pub mod operator_accounts;
pub mod operators;
pub mod orphans;
pub mod probes;
pub(crate) mod readiness;
pub mod runtime;
pub mod stores;
pub mod upgrades;
