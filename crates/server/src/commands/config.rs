//! `afterglow config`.

use serde_json::Value;

use crate::cli::{CliError, print};
use crate::settings::{FROM_FILES, Settings, TABLE};

/// Prints every setting: environment variable, meaning, default and, where it differs, the value.
pub(crate) fn run(settings: &Settings) -> Result<(), CliError> {
    print(&text(settings))
}

/// What is printed. Secrets hide themselves.
pub(crate) fn text(settings: &Settings) -> String {
    let changed = changed(settings);
    let mut text = String::from(
        "# Settings: afterglow.toml (`name = value`), then AFTERGLOW_NAME, then --name; the later wins.\n",
    );
    let files: Vec<String> =
        FROM_FILES.iter().map(|name| format!("AFTERGLOW_{}_FILE", name.to_uppercase())).collect();
    text.push_str(&format!("# Secrets can come from files: {}.\n", files.join(", ")));
    for (name, shown, meaning) in TABLE {
        text.push_str(&format!(
            "\nAFTERGLOW_{}\n  {}\n  default: {shown}\n",
            name.to_uppercase(),
            meaning.trim()
        ));
        if let Some((_, value)) = changed.iter().find(|(changed, _)| changed == name) {
            text.push_str(&format!("  now: {value}\n"));
        }
    }
    text
}

/// The settings that are not the defaults, with their values. Secrets hide themselves.
pub(crate) fn changed(settings: &Settings) -> Vec<(&'static str, String)> {
    let (now, default) = (values(settings), values(&Settings::default()));
    let names = TABLE.iter().map(|(name, _, _)| *name).filter(|name| now[*name] != default[*name]);
    names.map(|name| (name, as_text(&now[name]))).collect()
}

/// All settings by their names. Secrets hide themselves.
pub(crate) fn values(settings: &Settings) -> Value {
    serde_json::to_value(settings).unwrap_or_default()
}

fn as_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
