//! Files that are served as they are: those of the built web app, and the pictures beside it.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use app::SITE_NAME;
use axum::body::{Body, Bytes};
use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::operations::runtime::conditional::matches_etag;

/// A file with what a response says about it.
pub struct Asset {
    /// Its bytes.
    pub bytes: Cow<'static, [u8]>,
    /// The same compressed with Brotli, if that was done beforehand.
    pub brotli: Option<Cow<'static, [u8]>>,
    /// Its media type.
    pub media_type: String,
    /// Something that changes with the bytes; its `ETag` is made of it.
    pub version: String,
}

impl Asset {
    /// A file that is made at run time: its version is a hash of its bytes.
    pub fn new(bytes: Vec<u8>, media_type: String) -> Self {
        let mut version = DefaultHasher::new();
        bytes.hash(&mut version);
        Self { version: format!("{:016x}", version.finish()), bytes: bytes.into(), brotli: None, media_type }
    }
}

/// Looks an asset up by its path without a slash at the front.
type FindAsset = dyn Fn(&str) -> Option<Asset> + Send + Sync;

/// The files of the built web app, by their path without a slash at the front.
#[derive(Clone)]
pub struct WebApp(Arc<FindAsset>);

impl WebApp {
    /// A web app whose files `find` looks up.
    pub fn new(find: impl Fn(&str) -> Option<Asset> + Send + Sync + 'static) -> Self {
        Self(Arc::new(find))
    }

    pub(crate) fn find(&self, path: &str) -> Option<Asset> {
        (self.0)(path)
    }

    /// The same with what the service is called in the place of its usual name, in every document and in its manifest.
    pub(crate) fn named(self, site_name: &str) -> Self {
        if site_name == SITE_NAME {
            return self;
        }
        let in_html = escape_html(site_name);
        let in_json = serde_json::Value::from(site_name).to_string();
        let in_json = in_json.trim_matches('"').to_owned();
        Self::new(move |path| {
            let asset = self.find(path)?;
            let name = match asset.media_type.split(';').next() {
                Some("text/html") => &in_html,
                Some("application/manifest+json") => &in_json,
                _ => return Some(asset),
            };
            let Ok(text) = std::str::from_utf8(&asset.bytes) else { return Some(asset) };
            Some(Asset::new(text.replace(SITE_NAME, name).into_bytes(), asset.media_type))
        })
    }
}

/// A text as the content of an element or an attribute in quotes.
pub(crate) fn escape_html(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut escaped, c| {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(c),
        }
        escaped
    })
}

/// Whether a response may be compressed with Brotli. Weights other than 0 are ignored: no client prefers more bytes.
fn accepts_brotli(request: &HeaderMap) -> bool {
    request.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok()).any(|value| {
        value.split(',').any(|each| {
            let (coding, weight) = each.split_once(';').unwrap_or((each, ""));
            let weight = weight.trim().strip_prefix("q=").unwrap_or("1");
            coding.trim().eq_ignore_ascii_case("br") && weight.parse().is_ok_and(|weight: f32| weight > 0.0)
        })
    })
}

/// An asset with its status; instead of 200 it is 304 when the client has the asset already.
pub(crate) fn respond(
    status: StatusCode,
    asset: Asset,
    cache_control: &'static str,
    request: &HeaderMap,
) -> Response {
    let is_compressed_beforehand = asset.brotli.is_some();
    let brotli = asset.brotli.filter(|_| accepts_brotli(request));
    let coding = brotli.is_some().then(|| HeaderValue::from_static("br"));
    let suffix = if coding.is_some() { "-br" } else { "" };
    let etag = format!("\"{}{suffix}\"", asset.version);
    let mut response = if status == StatusCode::OK && matches_etag(request, &etag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let bytes = match brotli.unwrap_or(asset.bytes) {
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => Bytes::from(bytes),
        };
        (status, Body::from(bytes)).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache_control));
    if is_compressed_beforehand {
        headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    }
    if let Some(coding) = coding {
        // The middleware leaves what has a coding as it is.
        headers.insert(CONTENT_ENCODING, coding);
    }
    if let Ok(etag) = HeaderValue::from_str(&etag) {
        headers.insert(ETAG, etag);
    }
    if let Ok(media_type) = HeaderValue::from_str(&asset.media_type) {
        headers.insert(CONTENT_TYPE, media_type);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brotli_is_sent_to_clients_that_accept_it() {
        for (value, expected) in [
            ("gzip, deflate, br, zstd", true),
            ("BR;q=0.5", true),
            ("gzip, br;q=0", false),
            ("gzip, br; q=0.000", false),
            ("br;q=much", false),
            ("gzip, brotli", false),
            ("", false),
        ] {
            let request = HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(value))]);
            assert_eq!(accepts_brotli(&request), expected, "{value}");
        }
        assert!(!accepts_brotli(&HeaderMap::new()));
    }
}
