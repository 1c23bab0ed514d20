//! The settings, as far as they can be judged by themselves.

use super::finding::Finding;
use crate::cli::CliError;
use crate::settings::Settings;
use crate::{exposure, wiring};

const NAME: &str = "settings";

/// The settings cannot be read at all.
pub(super) fn unreadable(error: &CliError) -> Finding {
    Finding::failed(NAME, error.to_string(), "Correct it; `afterglow config` lists every setting.")
}

/// What `serve` refuses to start with.
pub(super) fn check(settings: &Settings, public_url: &str) -> Finding {
    match wiring::check(settings).and_then(|()| exposure::check(settings, public_url)) {
        Ok(()) => Finding::ok(NAME, format!("The service starts with these settings, under {public_url}.")),
        Err(error) => {
            let cure = "Set what the sentence names; `afterglow config` lists every setting.";
            Finding::failed(NAME, error.to_string(), cure)
        }
    }
}
