//! What everything else runs on.

pub(crate) mod client_ip;
pub(crate) mod conditional;
pub(crate) mod connections;
pub(crate) mod error;
pub(crate) mod extract;
#[doc(hidden)]
pub mod fuzzing;
pub(crate) mod handlers;
pub(crate) mod headers;
pub(crate) mod languages;
pub(crate) mod middleware;
pub(crate) mod responses;
pub(crate) mod state;
pub(crate) mod studio_sites;
pub(crate) mod timeouts;
pub(crate) mod untrusted_proxy;
