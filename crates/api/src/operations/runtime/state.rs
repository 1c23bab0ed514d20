//! What handlers and extractors are given.

use app::App;
use axum::extract::FromRef;

use crate::operations::assets::WebApp;
use crate::operations::runtime::untrusted_proxy::UntrustedProxy;

/// The state of the router; a handler takes the part it needs, such as `State<App>`.
#[derive(Clone)]
pub(crate) struct AppState {
    pub(crate) app: App,
    pub(crate) web_app: WebApp,
    pub(crate) untrusted_proxy: UntrustedProxy,
}

impl FromRef<AppState> for App {
    fn from_ref(state: &AppState) -> Self {
        state.app.clone()
    }
}

impl FromRef<AppState> for WebApp {
    fn from_ref(state: &AppState) -> Self {
        state.web_app.clone()
    }
}
