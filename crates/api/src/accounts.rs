//! Photographers' accounts, how they get in, and what is kept of that.

pub(crate) mod api_tokens;
pub(crate) mod auth;
pub(crate) mod deletion_receipts;
pub(crate) mod exports;
pub(crate) mod languages;
pub(crate) mod passkeys;
pub(crate) mod passwords;
pub(crate) mod profiles;
pub(crate) mod registrations;
pub(crate) mod second_factors;
pub(crate) mod sessions;
pub(crate) mod setup;
pub(crate) mod single_sign_on;
