//! Studios' own host names: the host of a request says whose site it is for (decision 0104).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use app::App;
use app::studio::hosts;
use axum::Router;
use axum::extract::Request;
use axum::http::header::HOST;
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderMap, Uri};
use axum::response::{IntoResponse as _, Redirect, Response};
use domain::Refusal;
use domain::studio::hosts::without_port;
use tokio::time::timeout;
use tower::{ServiceExt as _, service_fn};

use crate::operations::assets::WebApp;
use crate::operations::runtime::error::Error;

/// How long a request waits to know of the hosts of this moment.
const PATIENCE: Duration = Duration::from_secs(1);
/// Sites that are kept ready.
const SITES: usize = 64;

/// Where paths begin that guests need; all others are the operator's.
const GUEST_PATHS: &[&str] = &[
    "/api/face/",
    "/api/files/",
    "/api/selections/",
    "/api/wall/",
    "/api/studio/logos/",
    "/api/studio/dark-logos/",
    "/assets/",
    "/covers/",
    "/event/",
    "/renditions/",
    "/selection/",
    "/wall/",
];
/// Those of one file or call.
const GUEST_FILES: &[&str] = &[
    "/api/health",
    // A guest saves or shares a photo.
    "/api/photos/download-by-s3",
    "/api/site",
    "/apple-touch-icon.png",
    "/favicon.ico",
    "/icon-192.png",
    "/icon-512.png",
    "/icon-maskable-512.png",
    "/icon.svg",
    "/in-app-browsers.json",
    "/robots.txt",
];
/// Where the page of an event asks what it is, and with [`INDEXING`] how many of its photos are searchable by now.
const EVENT: &str = "/api/events/";
const INDEXING: &str = "/indexing";

#[derive(Clone)]
struct Sites {
    app: App,
    web_app: WebApp,
    build: fn(App, WebApp) -> Router,
    ready: Arc<Mutex<HashMap<String, (String, Router)>>>,
}

/// Has requests for a studio's own host answered by what `build` makes of the service at that host, and all others by `router`.
pub(crate) fn with_studio_sites(
    router: Router,
    app: App,
    web_app: WebApp,
    build: fn(App, WebApp) -> Router,
) -> Router {
    if !app.settings().studio_hosts {
        return router;
    }
    let sites = Sites { app, web_app, build, ready: Arc::default() };
    // Before any route is looked for: what the outer one had matched would count in the inner one too.
    Router::new().fallback_service(service_fn(move |request| {
        let (sites, router) = (sites.clone(), router.clone());
        async move { Ok(choose(&sites, router, request).await) }
    }))
}

async fn choose(sites: &Sites, router: Router, request: Request) -> Response {
    // What was known is good enough: whether the service is alive must not hang on the database.
    match timeout(PATIENCE, hosts::refresh(&sites.app)).await {
        Ok(Ok(())) => (),
        Ok(Err(failure)) => {
            tracing::warn!(error = failure.chain(), "the hosts of studios could not be read again");
        }
        Err(_) => tracing::warn!("the hosts of studios were not read again in time"),
    }
    let site = host_of(request.uri(), request.headers()).and_then(|host| sites.at(&host));
    let chosen = match site {
        Some((operator_url, _)) if !is_for_guests(request.uri().path()) => {
            return elsewhere(&operator_url, request.uri());
        }
        Some((_, site)) => site,
        None => router,
    };
    let Ok(response) = chosen.oneshot(request).await;
    response
}

impl Sites {
    /// Where the operator is, and what answers at this host; none where it is no studio's.
    fn at(&self, host: &str) -> Option<(String, Router)> {
        let app = self.app.at_host(host)?;
        let (operator_url, url) = (app.operator_url()?.to_owned(), app.settings().public_url.clone());
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        let owner = app.site_owner()?.to_string();
        if let Some((known, router)) = ready.get(&url)
            && *known == owner
        {
            return Some((operator_url, router.clone()));
        }
        if ready.len() >= SITES {
            ready.clear();
        }
        let router = (self.build)(app, self.web_app.clone());
        ready.insert(url, (owner, router.clone()));
        Some((operator_url, router))
    }
}

/// The host that a request is for, in lower case and without its port: the target's (HTTP/2), or that of the header.
fn host_of(uri: &Uri, headers: &HeaderMap) -> Option<String> {
    let authority = match uri.authority() {
        Some(authority) => authority.as_str(),
        None => headers.get(HOST)?.to_str().ok()?,
    };
    Some(without_port(authority).trim_end_matches('.').to_ascii_lowercase())
}

fn is_for_guests(path: &str) -> bool {
    let slug = path.strip_prefix(EVENT).map(|rest| rest.strip_suffix(INDEXING).unwrap_or(rest));
    let is_event = slug.is_some_and(|slug| !slug.is_empty() && !slug.contains('/'));
    is_event || GUEST_FILES.contains(&path) || GUEST_PATHS.iter().any(|start| path.starts_with(start))
}

/// What is not for guests: calls are not there, pages are the operator's.
fn elsewhere(operator_url: &str, uri: &Uri) -> Response {
    if uri.path().starts_with("/api") {
        return Error::from(Refusal::PathNotFound).into_response();
    }
    let path = uri.path_and_query().map_or("/", PathAndQuery::as_str);
    Redirect::temporary(&format!("{operator_url}{path}")).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_is_that_of_the_target_or_of_the_header() {
        let host = |uri: &str, header: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            if let Some(header) = header {
                headers.insert(HOST, header.parse().unwrap());
            }
            host_of(&uri.parse().unwrap(), &headers)
        };
        assert_eq!(host("/event/a", Some("Bilder.Example:8443")).as_deref(), Some("bilder.example"));
        assert_eq!(host("https://bilder.example/event/a", Some("other")).as_deref(), Some("bilder.example"));
        assert_eq!(host("/", Some("bilder.example.")).as_deref(), Some("bilder.example"));
        assert_eq!(host("/", None), None);
    }

    #[test]
    fn what_is_not_for_guests_is_not_there() {
        for path in [
            "/event/a",
            "/api/events/sangeet-1",
            "/api/events/sangeet-1/indexing",
            "/api/face/search/a",
            "/api/photos/download-by-s3",
            "/assets/a.js",
            "/icon.svg",
        ] {
            assert!(is_for_guests(path), "{path}");
        }
        for path in [
            "/",
            "/login",
            "/admin/events",
            "/api/events/",
            "/api/events",
            "/api/events//indexing",
            "/api/events/a/b/indexing",
            "/api/events/a/pin",
            "/api/auth/login",
            "/metrics",
            "/api/administration/settings",
            "/api/studio",
            "/api/studio/host",
            "/api/photos/upload",
        ] {
            assert!(!is_for_guests(path), "{path}");
        }
    }
}
