//! `/metrics`, and the counting of every request.

use std::time::Instant;

use app::monitoring;
use axum::extract::{FromRequestParts, MatchedPath, Request, State as FromState};
use axum::http::Method;
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use domain::Refusal;

use crate::State;
use crate::clients::{is_forwarded, peer};
use crate::error::{Error, Result};
use crate::extract::bearer;

/// Somebody who may read the metrics: on this machine, or with the token of the settings.
pub(crate) struct MetricsAccess;

impl FromRequestParts<State> for MetricsAccess {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self> {
        // What a proxy on this machine passes on does not come from this machine.
        let is_here = peer(parts).is_loopback() && !is_forwarded(&parts.headers);
        let knows = bearer(parts).is_some_and(|token| state.app.settings.is_metrics_token(token));
        if is_here || knows { Ok(Self) } else { Err(Refusal::MetricsNotAllowed.into()) }
    }
}

/// Everything that is counted, for Prometheus. It is no part of the contract: only the operator asks for it.
pub(crate) async fn metrics(FromState(state): FromState<State>, _access: MetricsAccess) -> Result<Response> {
    let text = monitoring::metrics(&state.app).await?;
    Ok(([(CONTENT_TYPE, monitoring::MEDIA_TYPE)], text).into_response())
}

/// Counts a request by the template of its route, never by its path.
pub(crate) async fn count(FromState(app): FromState<app::App>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let method = name_of(request.method());
    let started = Instant::now();
    let response = next.run(request).await;
    // What matches no route is a page or a file of the web app.
    let route = route.as_ref().map_or("web", MatchedPath::as_str);
    monitoring::record_request(&app, route, method, response.status().as_u16(), started.elapsed());
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
