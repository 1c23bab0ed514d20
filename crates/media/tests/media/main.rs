//! Pictures, their metadata, and archives.
#![allow(clippy::unwrap_used, reason = "a test fails at what it did not expect")]

mod avif;
mod captures;
mod damage;
mod formats;
mod kinds;
mod metadata;
mod zip;

#[path = "../fixtures/mod.rs"]
mod fixtures;
