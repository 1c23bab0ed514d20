//! The contract, call by call: status, exact text, who may. Every test runs on both engines.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod accounts;
mod analytics;
mod contact;
mod covers;
mod deletions;
mod downloads;
mod events;
mod faces;
mod files;
mod free_orders;
mod harness;
mod history;
mod hostile;
mod inputs;
mod known_photos;
mod limits;
mod losses;
mod mails;
mod maintenance;
mod media_store;
mod operation;
mod orders;
mod pages;
mod passwords;
mod payments;
mod photos;
mod profiles;
mod races;
mod refunds;
mod results;
mod snapshots;
mod specification;
mod subscriptions;
