//! `afterglow config`.

use serde_json::Value;

use crate::commands::{CliError, print};
use crate::settings::{Settings, TABLE};

/// Prints every setting: its environment variable, its default, its meaning, and its value where that is another.
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
            text.push_str(&format!("  now: {}\n", hidden(name, &now[name])));
        }
    }
    print(&text)
}

/// A value as it may be shown: secrets are hidden, addresses lose their password.
fn hidden(name: &str, value: &Value) -> String {
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
    fn addresses_lose_their_password() {
        // [SAFE037]
        assert_eq!(super::hidden("razorpay_key_secret", &Value::from("secret")), "…");
        let hidden = |text: &str| hidden("database_url", &Value::from(text));
        assert_eq!(hidden("postgres://me:secret@db/afterglow"), "postgres://…@db/afterglow");
        assert_eq!(hidden("sqlite://data/afterglow.db"), "sqlite://data/afterglow.db");
    }
}
