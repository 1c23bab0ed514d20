//! Headers of every response.

use app::{App, files};
use axum::Router;
use axum::extract::Request;
use axum::http::HeaderValue;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::middleware::{Next, from_fn};
use tower_http::set_header::SetResponseHeaderLayer;

/// Where the provider's checkout comes from, and whom it talks to.
const CHECKOUT_SCRIPT: &str = "https://checkout.razorpay.com";
const CHECKOUT_FRAMES: &str = "https://api.razorpay.com https://checkout.razorpay.com";
const CHECKOUT_CALLS: &str = "https://api.razorpay.com https://lumberjack.razorpay.com";

/// What a document may load. Scripts come from our own files alone, and from the provider's checkout where somebody
/// can pay. Styles may stand in the page: the component library writes them there, and they cannot run. Pictures may
/// come from memory (previews of files before they are sent) and from the bucket that the links of photos lead to.
fn policy(bucket: &str, with_checkout: bool) -> String {
    let (scripts, frames, calls) =
        if with_checkout { (CHECKOUT_SCRIPT, CHECKOUT_FRAMES, CHECKOUT_CALLS) } else { ("", "", "") };
    let directives = [
        ("default-src", "'self'", [""; 2]),
        ("script-src", "'self'", [scripts, ""]),
        ("style-src", "'self' 'unsafe-inline'", [""; 2]),
        ("img-src", "'self' data: blob:", [bucket, ""]),
        ("media-src", "'self' blob:", [""; 2]),
        ("font-src", "'self'", [""; 2]),
        ("connect-src", "'self'", [bucket, calls]),
        ("frame-src", "'self'", [frames, ""]),
        ("worker-src", "'self' blob:", [""; 2]),
        ("object-src", "'none'", [""; 2]),
        ("base-uri", "'self'", [""; 2]),
        ("form-action", "'self'", [""; 2]),
        ("frame-ancestors", "'none'", [""; 2]),
    ];
    let lines = directives.iter().map(|(name, always, sometimes)| {
        let sources = [&[*always][..], &sometimes[..]].concat();
        let sources: Vec<&str> = sources.into_iter().filter(|source| !source.is_empty()).collect();
        format!("{name} {}", sources.join(" "))
    });
    lines.collect::<Vec<_>>().join("; ")
}

/// Whether somebody can pay on the document at this path. A guest's page is none of those, and neither is an answer
/// of the API. The policy belongs to the document that began the visit, so every other one allows the checkout.
fn can_pay_at(path: &str) -> bool {
    !["/event/", "/api/"].iter().any(|start| path.starts_with(start))
}

pub(crate) fn with_security_headers(router: Router, app: &App) -> Router {
    let bucket = files::origin(app).unwrap_or_default();
    // An origin is ASCII without spaces; if this one is not, nothing but our own files is allowed.
    let header = |text: String| {
        HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static("default-src 'self'"))
    };
    let strict = header(policy(bucket, false));
    let paying = header(policy(bucket, app.payments.is_real()));
    let mut router = router.layer(from_fn(move |request: Request, next: Next| {
        let policy = if can_pay_at(request.uri().path()) { paying.clone() } else { strict.clone() };
        async move {
            let mut response = next.run(request).await;
            response.headers_mut().entry(CONTENT_SECURITY_POLICY).or_insert(policy);
            response
        }
    }));
    let always = [
        (REFERRER_POLICY, "strict-origin-when-cross-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(self), microphone=(), geolocation=()"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // A response that sets none itself is meant for one caller at one moment.
        (CACHE_CONTROL, "no-store"),
    ];
    for (name, value) in always {
        router = router.layer(SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value)));
    }
    if app.settings.public_url.starts_with("https://") {
        let year = HeaderValue::from_static("max-age=31536000");
        router = router.layer(SetResponseHeaderLayer::overriding(STRICT_TRANSPORT_SECURITY, year));
    }
    router
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bucket_shows_pictures_and_answers_calls_and_runs_nothing() {
        let policy = policy("https://bucket.example.com", false);
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
