//! Backups and moves of whole installations.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod backups;
mod installation;
mod moving;
