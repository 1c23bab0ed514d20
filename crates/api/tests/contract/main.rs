//! The contract, call by call: status, exact text, who may. Every test runs on both engines.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod accounts;
mod analytics;
mod connections;
mod contact;
mod covers;
mod damaged;
mod deletions;
mod downloads;
mod email_changes;
mod erasure;
mod events;
mod exports;
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
mod metadata;
mod objections;
mod operation;
mod orders;
mod overload;
mod pages;
mod passwords;
mod payments;
mod permissions;
mod photos;
mod profiles;
mod races;
mod refunds;
mod results;
mod sessions;
mod snapshots;
mod specification;
mod subscriptions;
mod wrong_passwords;
