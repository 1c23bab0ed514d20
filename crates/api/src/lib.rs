//! The HTTP contract of Afterglow: HTTP in, HTTP out.
//!
//! One module per resource holds its bodies, its handlers and their description; the rules of the product are in `app`.

mod accounts;
mod contract;
mod events;
mod faces;
mod guests;
pub mod operations;
mod payments;
mod photos;
mod statistics;
mod studio;
mod team;
mod uploads;
mod webhooks;

use app::App;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{any, get, post};

use contract::contract;
pub use operations::assets::{Asset, WebApp};
use operations::runtime::state::AppState;
use operations::runtime::untrusted_proxy::UntrustedProxy;
pub use uploads::forms::UPLOAD_BYTES;

/// The largest JSON body that any call reads, in bytes.
const JSON_BYTES: usize = 64 * 1024;

/// The contract as OpenAPI 3.1, pretty JSON with a newline at the end.
pub fn openapi() -> String {
    operations::contract::document(contract().to_openapi())
}

/// The whole service: the contract under `/api`, the web app everywhere else.
pub fn router(app: App, web_app: WebApp) -> Router {
    let web_app = web_app.named(&app.settings().site_name);
    let router = site(app.clone(), web_app.clone());
    operations::runtime::studio_sites::with_studio_sites(router, app, web_app, site)
}

/// The service as it is met at one host.
fn site(app: App, web_app: WebApp) -> Router {
    let inline_script = events::pages::inline_script(&web_app);
    let state = AppState { app: app.clone(), web_app, untrusted_proxy: UntrustedProxy::default() };
    let (contract, _) = contract().split_for_parts();
    let router = contract
        // The contract has these paths with a trailing slash only; both forms work.
        .route("/api/events", get(events::list).post(events::create))
        .route("/metrics", get(operations::metrics::metrics))
        .route("/api/probe", post(operations::probes::probe))
        .route("/api", any(operations::runtime::error::path_not_found))
        .route("/api/", any(operations::runtime::error::path_not_found))
        .route("/api/{*rest}", any(operations::runtime::error::path_not_found))
        .route("/robots.txt", get(operations::web_app::robots))
        .route(operations::web_app::SECURITY_ROUTE, get(operations::web_app::security))
        .route("/covers/{name}", get(events::covers::cover))
        .route(photos::files::SHARED_ROUTE, get(photos::files::shared))
        .route(events::manifests::ROUTE, get(events::manifests::manifest))
        .route(guests::reminders::ROUTE, get(guests::reminders::calendar))
        .route(guests::walls::ROUTE, get(guests::walls::page))
        .method_not_allowed_fallback(operations::runtime::error::method_not_allowed)
        .fallback(operations::web_app::serve)
        .layer(DefaultBodyLimit::max(JSON_BYTES))
        .with_state(state);
    operations::runtime::headers::with_security_headers(
        operations::runtime::middleware::with_middleware(router, app.clone()),
        &app,
        inline_script.as_deref(),
    )
}

/// `/metrics` alone, for a process that has no other port.
pub fn metrics_router(app: App) -> Router {
    let web_app = WebApp::new(|_| None);
    let state = AppState { app: app.clone(), web_app, untrusted_proxy: UntrustedProxy::default() };
    let router = Router::new()
        .route("/metrics", get(operations::metrics::metrics))
        .fallback(operations::runtime::error::path_not_found)
        .method_not_allowed_fallback(operations::runtime::error::method_not_allowed)
        .with_state(state);
    operations::runtime::headers::with_security_headers(
        operations::runtime::middleware::with_middleware(router, app.clone()),
        &app,
        None,
    )
}

/// Serves on `listener` until `stop` resolves, then lets running requests finish.
///
/// # Errors
/// When the listener fails.
pub async fn serve(
    listener: tokio::net::TcpListener,
    router: Router,
    app: App,
    stop: impl Future<Output = ()> + Send,
) -> std::io::Result<()> {
    operations::runtime::connections::serve(listener, router, &app, stop).await
}

/// For the doc tests of the contract: every operation, as method and path.
#[doc(hidden)]
pub fn operations() -> Vec<(String, String)> {
    let openapi: serde_json::Value = serde_json::from_str(&openapi()).unwrap_or_default();
    let paths = openapi["paths"].as_object().cloned().unwrap_or_default();
    let mut all = Vec::new();
    for (path, operations) in paths {
        for method in operations.as_object().into_iter().flat_map(|operations| operations.keys()) {
            all.push((method.to_uppercase(), path.clone()));
        }
    }
    all
}
