//! The use cases of Afterglow and their rules: one module per noun, with its verbs.
//!
//! Nothing here knows HTTP, and the layers above do not know SQL. A verb takes the [`App`] and returns its result or a
//! [`Failure`].

pub mod accounts;
pub mod analytics;
mod app;
mod attempts;
pub mod backups;
pub mod checks;
pub mod coupons;
pub mod covers;
pub mod credits;
mod decode_memory;
pub mod deletions;
pub mod downloads;
pub mod evaluations;
pub mod events;
mod failure;
pub mod files;
pub mod folders;
mod free_orders;
mod gallery_cache;
pub mod history;
pub mod indexing;
pub mod library_retention;
pub mod limits;
mod mails;
pub mod maintenance;
mod matching;
pub mod messages;
mod metrics;
pub mod monitoring;
pub mod operators;
pub mod orders;
pub mod passwords;
pub mod payments;
pub mod photos;
pub mod profiles;
pub mod proxies;
mod queue;
mod rate_limiter;
pub mod receipts;
mod reconciliation;
mod refunds;
pub mod reindexing;
mod rendering;
pub mod results;
pub mod retention;
pub mod search;
mod settings;
mod settlement;
mod signed_links;
pub mod stores;
pub mod subscriptions;
pub mod sweeping;
mod tasks;
#[cfg(feature = "testing")]
pub mod testing;
pub mod worker;

pub use app::{App, Parts, sandbox};
pub use failure::{Failure, Result};
pub use settings::{Operator, Settings, SocialLinks};
