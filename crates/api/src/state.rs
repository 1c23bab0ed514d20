//! What handlers and extractors are given.

use app::App;
use axum::extract::FromRef;

use crate::assets::WebApp;

/// The state of the router; a handler takes the part it needs, such as `State<App>`.
#[derive(Clone, FromRef)]
pub(crate) struct AppState {
    pub(crate) app: App,
    pub(crate) web_app: WebApp,
}
