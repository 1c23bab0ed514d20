//! Running an installation: administration, checks, backups, moving.

pub mod administration;
pub(crate) mod assets;
pub(crate) mod contact;
pub(crate) mod contract;
pub(crate) mod health;
pub(crate) mod metrics;
pub(crate) mod probes;
pub mod runtime;
pub(crate) mod site;
pub(crate) mod web_app;
