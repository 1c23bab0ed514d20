//! `/metrics`, and the middleware that counts requests.

use std::time::Instant;

use app::App;
use app::operations::monitoring;
use axum::extract::{FromRequestParts, MatchedPath, Request, State};
use axum::http::Method;
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use domain::Refusal;

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

/// All metrics in the text format of Prometheus. Not part of the contract: only the operator reads them.
pub(crate) async fn metrics(State(app): State<App>, _access: MetricsAccess) -> Result<Response> {
    let text = monitoring::metrics(&app).await?;
    Ok(([(CONTENT_TYPE, monitoring::MEDIA_TYPE)], text).into_response())
}

/// Counts a request by the template of its route: a path would make a time series of every id.
pub(crate) async fn count(State(app): State<App>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let method = method_label(request.method());
    let started = Instant::now();
    let response = next.run(request).await;
    // What matches no route is a page or a file of the web app.
    let route = route.as_ref().map_or("web", MatchedPath::as_str);
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
