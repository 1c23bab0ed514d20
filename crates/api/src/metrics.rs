//! `/metrics`, and the counting of every request.

use std::time::Instant;

use app::{App, metrics};
use axum::extract::{FromRequestParts, MatchedPath, Request, State};
use axum::http::Method;
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use domain::Refusal;

use crate::clients::{is_forwarded, peer};
use crate::error::{Error, Result};
use crate::extract::bearer;
use crate::state::AppState;

/// Somebody who may read the metrics: on this machine, or with the token of the settings.
pub(crate) struct MetricsAccess;

impl FromRequestParts<AppState> for MetricsAccess {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self> {
        // What a proxy on this machine passes on does not come from this machine.
        let is_here = peer(parts).is_loopback() && !is_forwarded(&parts.headers);
        let knows = bearer(parts).is_some_and(|token| app.settings.is_metrics_token(token));
        if is_here || knows { Ok(Self) } else { Err(Refusal::MetricsNotAllowed.into()) }
    }
}

/// Everything that is counted, for Prometheus. It is no part of the contract: only the operator asks for it.
pub(crate) async fn metrics(State(app): State<App>, _access: MetricsAccess) -> Result<Response> {
    let text = metrics::text(&app).await?;
    Ok(([(CONTENT_TYPE, metrics::MEDIA_TYPE)], text).into_response())
}

/// Counts a request by the template of its route, never by its path.
pub(crate) async fn count(State(app): State<App>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let method = name_of(request.method());
    let started = Instant::now();
    let response = next.run(request).await;
    // What matches no route is a page or a file of the web app.
    let route = route.as_ref().map_or("web", MatchedPath::as_str);
    app.metrics.answered(route, method, response.status().as_u16(), started.elapsed());
    response
}

/// Callers can make methods up; these are the ones that are counted by name.
fn name_of(method: &Method) -> &'static str {
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
