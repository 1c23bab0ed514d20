//! Every SQL statement, for SQLite and PostgreSQL.
//!
//! [`Db`] is either engine behind one name. A module for each table: what is one statement and may stand alone takes an
//! [`Executor`], which is `&Db` or `&mut Tx`; every other write takes `&mut Tx`, so that the caller decides what happens
//! together. The same text serves both engines (`statements.rs`); what cannot be the same is in `dialect.rs` and in the
//! two folders of migrations.
//!
//! A task that has begun a [`Tx`] reads with `&Db` what was there before it, and must not write with `&Db`: SQLite has one
//! writer, for which it would wait until [`ConnectOptions::acquire_timeout`] ends.
//!
//! Transactions that touch several tables lock rows in this order, so that none waits in a circle: orders, coupons,
//! events, photos, users. Who changes a payment, a refund or the use of a coupon locks its order first. An upload inserts
//! its photo before it locks the event: nobody waits for a row that is not committed, but the same bytes, whose upload has
//! locked nothing by then (decision 0025).

mod charges;
mod counters;
mod db;
mod decode;
mod dialect;
mod encode;
mod error;
mod executor;
mod migrations;
mod options;
mod row;
mod statements;
mod tables;

pub mod activity;
pub mod administration;
pub mod albums;
pub mod api_tokens;
pub mod clock;
pub mod consents;
pub mod counted_requests;
pub mod coupons;
pub mod downloads;
pub mod event_changes;
pub mod events;
pub mod exports;
pub mod faces;
pub mod ftp_logins;
pub mod galleries;
pub mod history;
pub mod integrity;
pub mod jobs;
pub mod known_networks;
pub mod ledger;
pub mod library_retention;
pub mod links;
pub mod mail_requests;
pub mod maintenance;
pub mod messages;
pub mod moves;
pub mod not_me_reports;
pub mod notices;
pub mod objections;
pub mod orders;
pub mod password_failures;
pub mod payments;
pub mod people;
pub mod photos;
pub mod probes;
pub mod processes;
pub mod questions;
pub mod redactions;
pub mod refunds;
pub mod retention;
pub mod schema;
pub mod secrets;
pub mod sessions;
pub mod setup;
pub mod snapshots;
pub mod stores;
pub mod studios;
pub mod subscriptions;
pub mod team;
pub mod trash;
pub mod upgrades;
pub mod users;
pub mod wakeups;
pub mod watermarks;
pub mod webhook_counts;
pub mod webhook_deliveries;
pub mod webhook_endpoints;
pub mod webhooks;
pub mod weekly_summaries;

#[cfg(feature = "testing")]
pub mod testing;

pub use db::{Db, Tx};
pub use error::{Error, Result};
pub use executor::Executor;
pub use options::{ConnectOptions, Engine, STATEMENT_TIMEOUT};
