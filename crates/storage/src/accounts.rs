//! Photographers' accounts, how they get in, and what is kept of that.

pub mod api_tokens;
pub mod deletion_receipts;
pub mod email_change_notices;
pub mod exports;
pub mod known_networks;
pub mod links;
pub mod mail_requests;
pub mod passkeys;
pub mod password_attempts;
pub mod second_factors;
pub mod sessions;
pub mod setup;
pub mod single_sign_on;
pub mod users;
