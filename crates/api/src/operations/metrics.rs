//! `/metrics`, and the middleware that counts requests.

use std::time::Instant;

use app::App;
use app::operations::monitoring::{self, Format, TRACES};
use axum::extract::{FromRequestParts, MatchedPath, Request, State};
use axum::http::header::{ACCEPT, CONTENT_TYPE, VARY};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use domain::Refusal;
use tracing::Instrument as _;
use tracing::field::Empty;

use crate::operations::runtime::client_ip::{is_forwarded, peer_ip};
use crate::operations::runtime::error::{Error, Result};
use crate::operations::runtime::extract::bearer;
use crate::operations::runtime::state::AppState;

/// Permission to read the metrics: a client on this machine, unless a proxy on it may have forwarded the request, or one
/// with the settings' token.
pub(crate) struct MetricsAccess;

impl FromRequestParts<AppState> for MetricsAccess {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self> {
        let settings = state.app.settings();
        // A proxy on this machine forwards requests from elsewhere, and not every one says so in a header.
        let is_local = peer_ip(parts).is_loopback() && !is_forwarded(&parts.headers) && settings.is_local();
        let has_token = bearer(parts).is_some_and(|token| settings.is_metrics_token(token));
        if is_local || has_token { Ok(Self) } else { Err(Refusal::MetricsNotAllowed.into()) }
    }
}

/// All metrics, in the format that the collector prefers. Not part of the contract: only the operator reads them.
pub(crate) async fn metrics(
    State(app): State<App>,
    headers: HeaderMap,
    _access: MetricsAccess,
) -> Result<Response> {
    let format = preferred(&headers);
    let text = monitoring::metrics(&app, format).await?;
    Ok(([(CONTENT_TYPE, format.media_type()), (VARY, "accept")], text).into_response())
}

/// OpenMetrics, unless the older format alone is named, or with a higher weight (RFC 9110, section 12.5.1).
fn preferred(headers: &HeaderMap) -> Format {
    let weight = |wanted: &str| {
        let values = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
        let weights = values.flat_map(|value| value.split(',')).filter_map(|range| {
            let mut parts = range.split(';').map(str::trim);
            parts.next().filter(|name| name.eq_ignore_ascii_case(wanted))?;
            Some(parts.find_map(|part| part.strip_prefix("q=")?.parse().ok()).unwrap_or(1.0_f32))
        });
        weights.fold(0.0, f32::max)
    };
    if weight("text/plain") > weight("application/openmetrics-text") {
        Format::Text
    } else {
        Format::OpenMetrics
    }
}

/// Counts a request by the template of its route: a path would make a time series of every id.
pub(crate) async fn count(State(app): State<App>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let method = method_label(request.method());
    // What matches no route is a page or a file of the web app.
    let route = route.as_ref().map_or("web", MatchedPath::as_str);
    let span = tracing::debug_span!(
        target: TRACES,
        "route",
        otel.name = format!("{method} {route}"),
        otel.kind = "server",
        http.request.method = method,
        http.route = route,
        http.response.status_code = Empty,
    );
    let started = Instant::now();
    let response = next.run(request).instrument(span.clone()).await;
    span.record("http.response.status_code", response.status().as_u16());
    monitoring::record_request(&app, route, method, response.status().as_u16(), started.elapsed());
    response
}

/// Clients can send any method; only these become a label, so that the number of time series stays bounded.
fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::PATCH => "PATCH",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn the_older_format_is_written_where_it_is_asked_for() {
        // [RUN351]
        let prometheus =
            "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1";
        for (accept, expected) in [
            ("", Format::OpenMetrics),
            ("*/*", Format::OpenMetrics),
            (prometheus, Format::OpenMetrics),
            ("text/plain", Format::Text),
            ("Text/Plain; version=0.0.4; charset=utf-8", Format::Text),
            ("application/openmetrics-text;q=0.2, text/plain;q=0.4", Format::Text),
            ("text/plain;q=0", Format::OpenMetrics),
        ] {
            let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(accept))]);
            assert_eq!(preferred(&headers), expected, "{accept}");
        }
    }
}
