//! Headers of every response.

use std::sync::Arc;

use app::App;
use app::payments::{self, CheckoutSources};
use app::photos::files;
use axum::Router;
use axum::extract::Request;
use axum::http::HeaderValue;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::middleware::{Next, from_fn};

/// What a document may load. Scripts come from our own files alone, one that stands in documents of the build included, and
/// from the provider's checkout where somebody can pay. Inline styles are allowed: the component library writes them, and they cannot run code. Pictures may come
/// from memory (previews of files before they are sent) and from the bucket or cache that the links of photos lead to.
fn policy(files: &[&str], inline: &[&str], checkout: CheckoutSources) -> String {
    let directives: [(&str, &str, &[&[&str]]); 14] = [
        ("default-src", "'self'", &[]),
        ("script-src", "'self'", &[inline, checkout.script_src]),
        ("style-src", "'self' 'unsafe-inline'", &[]),
        ("img-src", "'self' data: blob:", &[files]),
        ("media-src", "'self' blob:", &[]),
        ("font-src", "'self'", &[]),
        ("connect-src", "'self'", &[files, checkout.connect_src]),
        ("frame-src", "'self'", &[checkout.frame_src]),
        ("worker-src", "'self' blob:", &[]),
        ("manifest-src", "'self'", &[]),
        ("object-src", "'none'", &[]),
        ("base-uri", "'none'", &[]),
        ("form-action", "'self'", &[]),
        ("frame-ancestors", "'none'", &[]),
    ];
    let directives = directives.map(|(name, own, others)| {
        let mut directive = vec![name, own];
        directive.extend(others.iter().copied().flatten());
        directive.join(" ")
    });
    directives.join("; ")
}

/// The policy of a script's response, which is that of the worker that it starts; documents have their own. A worker
/// may compile WebAssembly (decision 0011), loads nothing and calls nobody.
const WORKER_POLICY: &str =
    "default-src 'none'; script-src 'wasm-unsafe-eval'; base-uri 'none'; frame-ancestors 'none'";

fn is_script(path: &str) -> bool {
    path.starts_with("/assets/") && path.ends_with(".js")
}

/// Whether somebody can pay on the document at this path. Nobody can on a guest's page or on a response of the API. The
/// web app navigates without loading another document, so the policy of the first one has to serve all its pages.
fn can_pay_at(path: &str) -> bool {
    !["/event/", "/selection/", "/api/"].iter().any(|start| path.starts_with(start))
}

pub(crate) fn with_security_headers(router: Router, app: &App, inline_script: Option<&str>) -> Router {
    let files = files::origins(app);
    // An origin is ASCII without spaces; if this one is not, nothing but our own files is allowed.
    let header = |text: String| {
        HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static("default-src 'self'"))
    };
    let strict = header(policy(&files, &[], CheckoutSources::NONE));
    let paying = header(policy(&files, inline_script.as_slice(), payments::checkout_sources(app)));
    let mut always = vec![
        (REFERRER_POLICY, "strict-origin-when-cross-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(self), microphone=(), geolocation=()"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // A response that sets none itself is meant for one caller at one moment.
        (CACHE_CONTROL, "no-store"),
    ];
    if app.settings().public_url.starts_with("https://") {
        always.push((STRICT_TRANSPORT_SECURITY, "max-age=31536000"));
    }
    let always: Arc<[_]> =
        always.into_iter().map(|(name, value)| (name, HeaderValue::from_static(value))).collect();
    router.layer(from_fn(move |request: Request, next: Next| {
        let policy = match request.uri().path() {
            path if is_script(path) => HeaderValue::from_static(WORKER_POLICY),
            path if can_pay_at(path) => paying.clone(),
            _ => strict.clone(),
        };
        let always = always.clone();
        async move {
            let mut response = next.run(request).await;
            let headers = response.headers_mut();
            headers.entry(CONTENT_SECURITY_POLICY).or_insert(policy);
            for (name, value) in &*always {
                headers.entry(name).or_insert_with(|| value.clone());
            }
            response
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bucket_shows_pictures_and_answers_calls_and_runs_nothing() {
        let policy = policy(&["https://bucket.example.com"], &[], CheckoutSources::NONE);
        for directive in [
            "img-src 'self' data: blob: https://bucket.example.com",
            "connect-src 'self' https://bucket.example.com",
            "script-src 'self'",
            "frame-src 'self'",
        ] {
            assert!(policy.split("; ").any(|part| part == directive), "{directive} is not in {policy}");
        }
    }
}
