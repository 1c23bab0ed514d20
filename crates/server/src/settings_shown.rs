//! The settings as they are shown to operators and administrators. Secrets hide themselves.

use app::SettingInForce;
use serde_json::Value;

use crate::settings::{Settings, TABLE};

/// Every setting with the value that is in force.
pub(crate) fn in_force(settings: &Settings) -> Vec<SettingInForce> {
    let (now, default) = (values(settings), values(&Settings::default()));
    let all = TABLE.iter().map(|&(name, shown, meaning)| SettingInForce {
        name,
        variable: format!("AFTERGLOW_{}", name.to_uppercase()),
        value: if now[name].is_null() { shown.to_owned() } else { as_text(&now[name]) },
        default: shown,
        is_changed: now[name] != default[name],
        meaning: meaning.trim(),
    });
    all.collect()
}

/// The settings that are not the defaults, with their values.
pub(crate) fn changed(settings: &Settings) -> Vec<(&'static str, String)> {
    let changed = in_force(settings).into_iter().filter(|setting| setting.is_changed);
    changed.map(|setting| (setting.name, setting.value)).collect()
}

/// All settings by their names.
pub(crate) fn values(settings: &Settings) -> Value {
    serde_json::to_value(settings).unwrap_or_default()
}

fn as_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
