//! The binary as an operator meets it: commands, settings, signals, mails, a kill in the middle.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod administration;
mod backups;
mod bit_rot;
mod bucket;
mod cameras;
mod checks;
mod commands;
mod corpus;
mod decoders;
mod demo;
mod doctor;
mod documents;
mod harness;
mod mails;
mod media_stores;
mod memory;
mod moving;
mod packaged;
mod payments;
mod privacy;
mod rehearsal;
mod service_manager;
mod setup;
mod single_sign_on;
mod smtp_server;
mod stopping;
mod stores;
mod traces;
mod upgrades;
mod uploading;
