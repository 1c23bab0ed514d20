//! Where settings come from, and what is said of one that cannot be read.

use std::ffi::OsString;

use figment::providers::{Env, Format};
use figment::value::{Dict, Map, Value};
use figment::{Metadata, Profile, Provider};
use serde::de::DeserializeOwned;

use crate::cli::CliError;

/// What the names of variables begin with.
pub(super) const PREFIX: &str = "AFTERGLOW_";

/// TOML by the `toml` crate that the rest uses; figment's own feature brings an older one.
pub(super) struct Toml;

impl Format for Toml {
    type Error = toml::de::Error;

    const NAME: &'static str = "TOML";

    fn from_str<T: DeserializeOwned>(text: &str) -> Result<T, Self::Error> {
        toml::from_str(text)
    }
}

/// The variables of the environment that are settings.
pub(super) struct Environment {
    pub(super) variables: Env,
    /// The value of a setting, from its name and the text.
    pub(super) typed: fn(&str, String) -> Value,
}

impl Provider for Environment {
    fn metadata(&self) -> Metadata {
        self.variables.metadata()
    }

    fn data(&self) -> figment::Result<Map<Profile, Dict>> {
        let mut settings = Dict::new();
        for (name, text) in self.variables.iter() {
            let name = name.as_str().to_lowercase();
            let value = (self.typed)(&name, text);
            settings.insert(name, value);
        }
        Ok(Profile::Default.collect(settings))
    }
}

/// Refuses variables that are no text, which would be left out as if they were not set.
pub(super) fn check_variables(variables: impl Iterator<Item = (OsString, OsString)>) -> Result<(), CliError> {
    for (name, value) in variables {
        let name = name.to_string_lossy();
        if name.starts_with(PREFIX) && value.to_str().is_none() {
            return Err(CliError::new(format!("The setting {name} is not in UTF-8.")));
        }
    }
    Ok(())
}

/// Refuses what is no TOML, by the number of the line: the line itself may have a secret.
pub(super) fn check_form(text: &str) -> Result<(), CliError> {
    let Err(error) = toml::from_str::<toml::Table>(text) else { return Ok(()) };
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    Err(CliError::new(format!("afterglow.toml cannot be read: its line {line} is not as TOML has it.")))
}

/// One sentence that names the key and where it stands.
pub(super) fn explain(error: &figment::Error, is_text: fn(&str) -> bool) -> String {
    use figment::error::Kind;
    let from_environment = error.metadata.as_ref().is_some_and(|source| source.name.contains("environment"));
    let named = |key: &str| {
        if from_environment { format!("{PREFIX}{}", key.to_uppercase()) } else { format!("`{key}`") }
    };
    let key = error.path.join(".");
    match &error.kind {
        Kind::UnknownField(field, _) => {
            let place = if from_environment { "in the environment" } else { "in afterglow.toml" };
            format!(
                "The setting {} {place} is not known. `afterglow config` lists every setting.",
                named(field)
            )
        }
        // A secret must not be printed, as the next sentence would.
        Kind::InvalidType(..) | Kind::InvalidValue(..) if is_text(&key) => {
            format!("The setting {} is a text and must stand in quotes.", named(&key))
        }
        kind if key.is_empty() => format!("The settings cannot be read: {kind}."),
        kind => format!("The setting {} cannot be read: {kind}.", named(&key)),
    }
}
