//! The contract, call by call: status, exact text, who may. Every test runs on both engines.

mod accounts;
mod analytics;
mod contact;
mod deletions;
mod events;
mod faces;
mod files;
mod harness;
mod inputs;
mod passwords;
mod payments;
mod photos;
mod profiles;
mod service;
