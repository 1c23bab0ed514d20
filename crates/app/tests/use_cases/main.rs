//! The use cases over real databases, with doubles of the services around them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod account;
mod background;
mod backups;
mod histories;
mod indexing;
mod installation;
mod model;
mod moving;
mod notifications;
mod questions;
mod rivals;
mod steps;
mod upgrades;
mod webhooks;
mod world;
