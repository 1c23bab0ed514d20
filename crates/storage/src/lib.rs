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

pub mod accounts;
pub mod events;
pub mod faces;
pub mod guests;
pub mod operations;
pub mod payments;
pub mod photos;
pub mod statistics;
pub mod studio;
pub mod team;
pub mod uploads;
pub mod webhooks;

#[cfg(feature = "testing")]
pub mod testing;

pub use operations::runtime::db::{Db, Tx};
pub use operations::runtime::error::{Error, Result};
pub use operations::runtime::executor::Executor;
pub use operations::runtime::options::{ConnectOptions, Engine, STATEMENT_TIMEOUT};
