//! Every public function of the crate, on a SQLite file and on a PostgreSQL server.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod accounts;
mod clock;
mod completeness;
mod concurrency;
mod connections;
mod consents;
mod counters;
mod deletion;
mod downloads;
mod events;
mod exports;
mod galleries;
mod history;
mod integrity;
mod jobs;
mod links;
mod maintenance;
mod messages;
mod money;
mod moves;
mod objections;
mod orders;
mod parity;
mod payments;
mod people;
mod photos;
mod plans;
mod redactions;
mod retention;
mod snapshots;
mod spans;
mod stores;
mod subscriptions;
mod wakeups;
mod world;
