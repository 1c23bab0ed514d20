//! Middleware of every request: an id, a log line, metrics, compression, and a 500 for a handler that panics.

use std::time::Duration;

use app::App;
use axum::Router;
use axum::extract::{MatchedPath, Request};
use axum::http::HeaderValue;
use axum::http::header::HeaderName;
use axum::response::Response;
use tower::ServiceBuilder;
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate as _};
use tower_http::request_id::{MakeRequestId, PropagateRequestIdLayer, RequestId, SetRequestIdLayer};
use tower_http::trace::TraceLayer;
use tracing::Span;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

#[derive(Clone)]
struct NewRequestId(App);

impl MakeRequestId for NewRequestId {
    fn make_request_id<B>(&mut self, _: &axum::http::Request<B>) -> Option<RequestId> {
        HeaderValue::from_str(&self.0.request_id()).ok().map(RequestId::new)
    }
}

pub(crate) fn with_middleware(router: Router, app: App) -> Router {
    // Without the query, which may hold the token of a link.
    let trace = TraceLayer::new_for_http()
        .make_span_with(|request: &Request| {
            let id = request.headers().get(REQUEST_ID).and_then(|id| id.to_str().ok()).unwrap_or_default();
            tracing::info_span!("request", id, method = %request.method(), path = path_for_log(request))
        })
        .on_request(())
        .on_response(|response: &Response, took: Duration, _: &Span| {
            tracing::info!(status = response.status().as_u16(), ms = took.as_millis(), "answered");
        })
        .on_failure(());
    // Photos do not compress, and compression would drop the length that a phone shows its progress by.
    let compressible = DefaultPredicate::new().and(NotForContentType::const_new("application/zip"));
    // One layer for the router, which boxes each of its own and clones what is below it for every request.
    router.layer(
        ServiceBuilder::new()
            // The next one keeps an id that is there: accepting a client's would let anybody write into the log.
            .layer(axum::middleware::map_request(without_request_id))
            .layer(SetRequestIdLayer::new(REQUEST_ID, NewRequestId(app.clone())))
            .layer(PropagateRequestIdLayer::new(REQUEST_ID))
            .layer(trace)
            .layer(axum::middleware::from_fn_with_state(app.clone(), crate::operations::metrics::count))
            .layer(axum::middleware::from_fn_with_state(app, crate::operations::runtime::timeouts::limit))
            // Level 6 of both algorithms: a guest's mobile network is slower than this machine.
            .layer(CompressionLayer::new().quality(CompressionLevel::Precise(6)).compress_when(compressible))
            .layer(CatchPanicLayer::custom(|_| crate::operations::runtime::error::internal())),
    )
}

async fn without_request_id(mut request: Request) -> Request {
    request.headers_mut().remove(REQUEST_ID);
    request
}

/// The parameters of a route that may be logged: numbers that open nothing by themselves.
const LOGGED: [&str; 3] = ["{id}", "{task_id}", "{payment_id}"];

/// The path, or of one with a token or with an event's name in links, which opens photos, the route.
fn path_for_log(request: &Request) -> &str {
    let path = request.uri().path();
    match request.extensions().get::<MatchedPath>().map(MatchedPath::as_str) {
        Some(route) => {
            let may_be_logged = |segment: &str| !segment.contains('{') || LOGGED.contains(&segment);
            if route.split('/').all(may_be_logged) { path } else { route }
        }
        None if path.starts_with("/event/") => "/event/{slug}",
        None if path.starts_with("/wall/") => crate::guests::walls::ROUTE,
        None if path.starts_with("/selection/") => crate::guests::client_selections::PAGE,
        None => path,
    }
}
