//! `afterglow config`.

use serde_json::Value;

use crate::cli::{CliError, print};
use crate::settings::{Settings, TABLE};

/// Prints every setting: environment variable, meaning, default and, where it differs, the value.
pub(crate) fn run(settings: &Settings) -> Result<(), CliError> {
    let values = |settings: &Settings| serde_json::to_value(settings).unwrap_or_default();
    let (now, default) = (values(settings), values(&Settings::default()));
    let mut text = String::from(
        "# Settings: afterglow.toml (`name = value`), then AFTERGLOW_NAME, then --name; the later wins.\n",
    );
    for (name, shown, meaning) in TABLE {
        text.push_str(&format!(
            "\nAFTERGLOW_{}\n  {}\n  default: {shown}\n",
            name.to_uppercase(),
            meaning.trim()
        ));
        if now[name] != default[name] {
            text.push_str(&format!("  now: {}\n", redacted(name, &now[name])));
        }
    }
    print(&text)
}

/// A value as it may be shown: without secrets, and URLs without their password.
fn redacted(name: &str, value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    if name.ends_with("_secret") || name.ends_with("_token") {
        return String::from("…");
    }
    if !name.ends_with("_url") {
        return text;
    }
    match (text.find("://"), text.rfind('@')) {
        (Some(scheme), Some(at)) if at > scheme + 3 => format!("{}://…{}", &text[..scheme], &text[at..]),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_and_passwords_are_redacted() {
        // [SAFE037]
        assert_eq!(redacted("razorpay_key_secret", &Value::from("secret")), "…");
        let url = |text: &str| redacted("database_url", &Value::from(text));
        assert_eq!(url("postgres://me:secret@db/afterglow"), "postgres://…@db/afterglow");
        assert_eq!(url("sqlite://data/afterglow.db"), "sqlite://data/afterglow.db");
    }
}
