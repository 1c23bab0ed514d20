//! Running an installation: administration, checks, backups, moving.

pub mod administration;
pub mod clock_watch;
pub mod contact;
pub mod mails;
pub mod runtime;
