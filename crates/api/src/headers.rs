//! Headers that every answer carries.

use axum::Router;
use axum::http::HeaderValue;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY,
    X_CONTENT_TYPE_OPTIONS,
};
use tower_http::set_header::SetResponseHeaderLayer;

/// Scripts come from our own files alone. Styles may stand in the page: the component library writes them there,
/// and they cannot run. Pictures may come from memory (previews of files before they are sent).
const POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data: blob:; media-src 'self' blob:; font-src 'self'; connect-src 'self'; worker-src 'self' blob:; \
    object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'";

pub(crate) fn layered(routes: Router, app: &app::App) -> Router {
    let always = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (REFERRER_POLICY, "strict-origin-when-cross-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(self), microphone=(), geolocation=()"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // What sets none itself is an answer to one caller at one moment.
        (CACHE_CONTROL, "no-store"),
    ];
    let mut routes = routes;
    for (name, value) in always {
        routes = routes.layer(SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value)));
    }
    if app.settings.public_url.starts_with("https://") {
        let year = HeaderValue::from_static("max-age=31536000");
        routes = routes.layer(SetResponseHeaderLayer::overriding(STRICT_TRANSPORT_SECURITY, year));
    }
    routes
}
