//! The use cases of Afterglow and their rules: one module per noun, with its verbs.
//!
//! Nothing here knows HTTP, and the layers above do not know SQL. A verb takes the [`App`] and returns its result or a
//! [`Failure`].

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

pub use operations::runtime::app::{App, Parts, sandbox};
pub use operations::runtime::capacity::{ConnectionCapacity, SearchCapacity, UploadCapacity};
pub use operations::runtime::failure::{Failure, Result};
pub use operations::runtime::settings::{
    FtpEncryption, FtpService, Operator, PasswordCost, RoleClaim, SITE_NAME, SettingInForce, Settings,
    SingleSignOn, SocialLinks,
};
