//! `afterglow config`.

use api::operations::administration::SettingBody;
use app::SettingInForce;
use serde_json::Value;

use crate::cli::{CliError, print, print_json};
use crate::settings::{FROM_FILES, Settings, TABLE};
use crate::settings_shown;

/// Prints every setting: environment variable, meaning, default and, where it differs, the value; or all of it as JSON.
pub(crate) fn run(settings: &Settings, as_json: bool) -> Result<(), CliError> {
    if as_json {
        let all: Vec<SettingBody> =
            settings_shown::in_force(settings).into_iter().map(SettingBody::from).collect();
        return print_json(&all);
    }
    print(&text(settings))
}

/// The tables of the settings, each with the first setting under its heading.
const TABLES: [(&str, &str); 17] = [
    ("listen", "Addresses"),
    ("data_dir", "Where data lies"),
    ("mail_url", "Mail"),
    ("model_dir", "Models and pages"),
    ("operator_name", "Payments"),
    ("oidc_issuer", "Single sign-on"),
    ("session_hours", "How long things are kept"),
    ("index_workers", "Work at one moment"),
    ("search_queue", "Searches"),
    ("uploads_per_user", "Uploads"),
    ("max_connections", "Connections"),
    ("decode_memory_mb", "Memory"),
    ("rate_limits", "Rate limits"),
    ("ftp_listen", "Cameras (FTP)"),
    ("private_webhooks", "Webhooks"),
    ("trusted_proxies", "Behind a proxy"),
    ("metrics_token", "Metrics and log"),
];

/// Every setting with its default and unit, as tables of Markdown.
pub(crate) fn markdown() -> String {
    let defaults = settings_shown::values(&Settings::default());
    let mut text = String::new();
    for (name, shown, meaning) in TABLE {
        if let Some((_, title)) = TABLES.iter().find(|(first, _)| first == name) {
            text.push_str(&format!(
                "\n### {title}\n\n| name | environment | default | unit | meaning |\n|---|---|---|---|---|\n"
            ));
        }
        let default = if shown.contains(' ') { (*shown).to_owned() } else { format!("`{shown}`") };
        text.push_str(&format!(
            "| `{name}` | `AFTERGLOW_{}` | {default} | {} | {} |\n",
            name.to_uppercase(),
            unit(name, &defaults[*name]),
            meaning.trim().replace('|', "\\|")
        ));
    }
    text
}

/// What a number counts, or what else a value is.
fn unit(name: &str, default: &Value) -> &'static str {
    let units = [
        ("_kb_per_second", "KiB/s"),
        ("_per_minute", "a minute"),
        ("_per_hour", "an hour"),
        ("_per_day", "a day"),
        ("_mb", "MiB"),
        ("_seconds", "s"),
        ("_hours", "h"),
        ("_days", "days"),
    ];
    match default {
        Value::Number(_) => {
            units.iter().find(|(end, _)| name.ends_with(end)).map_or("number", |(_, unit)| unit)
        }
        Value::String(value) if value == "on" || value == "off" => "on, off",
        _ => "",
    }
}

/// What is printed. Secrets hide themselves.
pub(crate) fn text(settings: &Settings) -> String {
    let mut text = String::from(
        "# Settings: afterglow.toml (`name = value`), then AFTERGLOW_NAME, then --name; the later wins.\n",
    );
    let files: Vec<String> =
        FROM_FILES.iter().map(|name| format!("AFTERGLOW_{}_FILE", name.to_uppercase())).collect();
    text.push_str(&format!("# Secrets can come from files: {}.\n", files.join(", ")));
    for setting in settings_shown::in_force(settings) {
        let SettingInForce { variable, value, default, is_changed, meaning, .. } = setting;
        text.push_str(&format!("\n{variable}\n  {meaning}\n  default: {default}\n"));
        if is_changed {
            text.push_str(&format!("  now: {value}\n"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_is_in_a_table_and_numbers_have_a_unit() {
        let text = markdown();
        let rows = text.lines().filter(|line| line.starts_with("| `"));
        assert_eq!(rows.count(), TABLE.len());
        let titles: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("### ")).collect();
        assert_eq!(titles, TABLES.map(|(_, title)| title));
        assert!(text.starts_with("\n### "), "each setting has a heading");
        for row in [
            "| `retention_days` | `AFTERGLOW_RETENTION_DAYS` | `30` | days |",
            "| `min_free_disk_mb` | `AFTERGLOW_MIN_FREE_DISK_MB` | `1024` | MiB |",
            "| `limit_logins_per_hour` | `AFTERGLOW_LIMIT_LOGINS_PER_HOUR` | `10` | an hour |",
            "| `plain_http` | `AFTERGLOW_PLAIN_HTTP` | `off` | on, off |",
        ] {
            assert!(text.contains(row), "{row} is not in\n{text}");
        }
    }
}
