//! Files that are served as they are: those of the built web app, and the pictures beside it.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::conditional::matches_etag;

/// A file with what a response says about it.
pub struct Asset {
    /// Its bytes.
    pub bytes: Cow<'static, [u8]>,
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
        Self { version: format!("{:016x}", version.finish()), bytes: bytes.into(), media_type }
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
}

/// An asset with its status; instead of 200 it is 304 when the client has the asset already.
pub(crate) fn respond(
    status: StatusCode,
    asset: Asset,
    cache_control: &'static str,
    request: &HeaderMap,
) -> Response {
    let etag = format!("\"{}\"", asset.version);
    let mut response = if status == StatusCode::OK && matches_etag(request, &etag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let bytes = match asset.bytes {
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => Bytes::from(bytes),
        };
        (status, Body::from(bytes)).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(cache_control));
    if let Ok(etag) = HeaderValue::from_str(&etag) {
        headers.insert(ETAG, etag);
    }
    if let Ok(media_type) = HeaderValue::from_str(&asset.media_type) {
        headers.insert(CONTENT_TYPE, media_type);
    }
    response
}
