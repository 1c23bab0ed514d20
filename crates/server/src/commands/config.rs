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
    let values = |settings: &Settings| serde_json::to_value(settings).unwrap_or_default();
    let (now, default) = (values(settings), values(&Settings::default()));
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
        if now[name] != default[name] {
            text.push_str(&format!("  now: {}\n", as_text(&now[name])));
        }
    }
    text
}

fn as_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
