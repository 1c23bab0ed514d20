//! The settings in force.

use app::{App, SettingInForce};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::operations::runtime::extract::{Administrator, Json};
use crate::operations::runtime::responses::AdministratorsOnly;

/// A setting as `afterglow config` prints it.
#[derive(Serialize, ToSchema)]
pub struct SettingBody {
    /// Its name in afterglow.toml.
    name: String,
    /// Its environment variable.
    variable: String,
    /// What is in force. Secrets are masked.
    value: String,
    /// What is in force when nothing is set, in words.
    default: String,
    /// Whether what is in force is not the default.
    changed: bool,
    /// What it does.
    meaning: String,
}

impl From<SettingInForce> for SettingBody {
    fn from(setting: SettingInForce) -> Self {
        let SettingInForce { name, variable, value, default, is_changed, meaning } = setting;
        Self {
            name: name.to_owned(),
            variable,
            value,
            default: default.to_owned(),
            changed: is_changed,
            meaning: meaning.to_owned(),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct SettingsBody {
    settings: Vec<SettingBody>,
}

/// The settings in force. They are set where the service is started.
#[utoipa::path(get, path = "/api/administration/settings", tag = "administration", security(("bearer" = [])), responses(
    (status = 200, body = SettingsBody),
    AdministratorsOnly,
))]
pub(crate) async fn settings_in_force(State(app): State<App>, _caller: Administrator) -> Json<SettingsBody> {
    let settings = app.settings().in_force.iter().cloned().map(SettingBody::from).collect();
    Json(SettingsBody { settings })
}
