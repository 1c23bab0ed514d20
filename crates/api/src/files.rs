//! Bytes of files, with ranges and validators (RFC 9110, sections 8.8, 13 and 14).

use app::files;
use axum::body::Body;
use axum::extract::State as FromState;
use axum::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG, IF_NONE_MATCH, IF_RANGE,
    RANGE,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::Refusal;
use domain::photos::MediaKey;
use serde::Deserialize;
use std::ops::Range;
use utoipa::IntoParams;

use crate::State;
use crate::error::{Error, ErrorBody, Result};
use crate::extract::{Path, Query};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SignatureQuery {
    /// Unix seconds.
    #[serde(default)]
    expires: i64,
    #[serde(default)]
    signature: String,
}

/// The file that a signed link names; the link is good for 6 hours.
#[utoipa::path(get, path = "/api/files/{folder}/{name}", tag = "photos",
    params(
        ("folder" = String, Path, description = "First part of the file's key"),
        ("name" = String, Path, description = "Second part of the file's key"),
        SignatureQuery,
    ),
    responses(
        (status = 200, description = "The bytes", content_type = "image/*"),
        (status = 206, description = "The range that was asked for", content_type = "image/*"),
        (status = 304, description = "The caller has it already"),
        (status = 400, body = ErrorBody, description = "A parameter is missing or bad, and the text says what"),
        (status = 404, body = ErrorBody, description = "The link is changed or expired, or the file is gone"),
        (status = 416, body = ErrorBody, description = "The range lies beyond the file"),
    ))]
pub(crate) async fn signed(
    FromState(state): FromState<State>,
    Path((folder, name)): Path<(String, String)>,
    Query(query): Query<SignatureQuery>,
    headers: HeaderMap,
) -> Result<Response> {
    let key = files::by_link(&state.app, format!("{folder}/{name}"), query.expires, &query.signature).await?;
    let left = query.expires - state.app.now().as_seconds();
    send(&state.app, &key, &headers, left).await
}

/// Answers with the bytes of a file that the caller may have; `fresh` is for how many seconds a browser may keep it.
pub(crate) async fn send(app: &app::App, key: &MediaKey, asked: &HeaderMap, fresh: i64) -> Result<Response> {
    // A key's bytes never change, so its name is a strong validator.
    let name = key.as_str().rsplit('/').next().unwrap_or_default();
    let media_type = key.media_type().ok_or(Refusal::FileNotFound)?;
    let mut headers = HeaderMap::new();
    headers.insert(CACHE_CONTROL, header(&format!("private, max-age={}, immutable", fresh.max(0)))?);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    let etag = format!("\"{}-{name}\"", key.size().map_or("file", |size| size.as_str()));
    if matches_etag(asked, &etag) {
        return not_modified(headers, &etag);
    }
    let total = app.store.size(key).await?.ok_or(Refusal::FileNotFound)?;
    match wanted(asked, headers, &etag, total)? {
        Wanted::Beyond(refused) => Ok(refused),
        Wanted::Whole(mut answer) => {
            let read = app.store.read(key, None).await?.ok_or(Refusal::FileNotFound)?;
            *answer.body_mut() = Body::from_stream(read.bytes);
            Ok(answer)
        }
        Wanted::Part(mut answer, part) => {
            let read = app.store.read(key, Some(part)).await?.ok_or(Refusal::FileNotFound)?;
            *answer.body_mut() = Body::from_stream(read.bytes);
            Ok(answer)
        }
    }
}

/// An answer without its body, and what part of the whole belongs there.
pub(crate) enum Wanted {
    /// All of it.
    Whole(Response),
    /// These bytes.
    Part(Response, Range<u64>),
    /// Nothing: the range lies behind the end, and this is the whole answer.
    Beyond(Response),
}

/// That the caller has it already.
pub(crate) fn not_modified(mut headers: HeaderMap, etag: &str) -> Result<Response> {
    headers.remove(CONTENT_TYPE);
    headers.insert(ETAG, header(etag)?);
    Ok((StatusCode::NOT_MODIFIED, headers).into_response())
}

/// What a caller wants of something that has `total` bytes, with the headers that say so beside `headers`.
pub(crate) fn wanted(asked: &HeaderMap, mut headers: HeaderMap, etag: &str, total: u64) -> Result<Wanted> {
    headers.insert(ETAG, header(etag)?);
    headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    Ok(match wanted_range(asked, etag, total) {
        Asked::Whole => {
            headers.insert(CONTENT_LENGTH, HeaderValue::from(total));
            Wanted::Whole((StatusCode::OK, headers).into_response())
        }
        Asked::Part(part) => {
            headers.insert(CONTENT_LENGTH, HeaderValue::from(part.end - part.start));
            headers.insert(CONTENT_RANGE, header(&format!("bytes {}-{}/{total}", part.start, part.end - 1))?);
            Wanted::Part((StatusCode::PARTIAL_CONTENT, headers).into_response(), part)
        }
        Asked::Beyond => {
            let mut refused = Error::from(Refusal::RangeNotSatisfiable).into_response();
            refused.headers_mut().insert(CONTENT_RANGE, header(&format!("bytes */{total}"))?);
            Wanted::Beyond(refused)
        }
    })
}

pub(crate) fn header(text: &str) -> Result<HeaderValue> {
    HeaderValue::from_str(text)
        .map_err(|_| Error::from(app::Failure::Internal(format!("{text:?} is no header value"))))
}

pub(crate) fn matches_etag(asked: &HeaderMap, etag: &str) -> bool {
    asked.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok()).any(|value| {
        value
            .split(',')
            .map(str::trim)
            .any(|candidate| candidate == "*" || candidate.strip_prefix("W/").unwrap_or(candidate) == etag)
    })
}

#[derive(Debug, PartialEq, Eq)]
enum Asked {
    Whole,
    Part(Range<u64>),
    Beyond,
}

/// What part of `total` bytes is asked for. Several ranges at once, and forms nobody reads, get the whole, as
/// RFC 9110 (14.2) allows.
fn wanted_range(asked: &HeaderMap, etag: &str, total: u64) -> Asked {
    let Some(range) = asked.get(RANGE).and_then(|value| value.to_str().ok()) else { return Asked::Whole };
    if asked.get(IF_RANGE).is_some_and(|validator| validator.as_bytes() != etag.as_bytes()) {
        return Asked::Whole;
    }
    let Ok(parsed) = http_range_header::parse_range_header(range) else { return Asked::Whole };
    if parsed.ranges.len() != 1 {
        return Asked::Whole;
    }
    match parsed.validate(total) {
        Ok(ranges) => match ranges.first() {
            Some(part) => Asked::Part(*part.start()..part.end() + 1),
            None => Asked::Whole,
        },
        Err(_) => Asked::Beyond,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_the_standard_says() {
        // [GAL038]
        let wanted = |range: &str, if_range: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(RANGE, range.parse().unwrap());
            if let Some(validator) = if_range {
                headers.insert(IF_RANGE, validator.parse().unwrap());
            }
            wanted_range(&headers, "\"a\"", 100)
        };
        assert_eq!(wanted("bytes=0-9", None), Asked::Part(0..10));
        assert_eq!(wanted("bytes=90-", None), Asked::Part(90..100));
        assert_eq!(wanted("bytes=-5", None), Asked::Part(95..100));
        assert_eq!(wanted("bytes=50-500", None), Asked::Part(50..100));
        assert_eq!(wanted("bytes=100-", None), Asked::Beyond);
        assert_eq!(wanted("bytes=0-1,5-6", None), Asked::Whole);
        assert_eq!(wanted("lines=1-2", None), Asked::Whole);
        assert_eq!(wanted("bytes=9-1", None), Asked::Beyond);
        assert_eq!(wanted("bytes=0-9", Some("\"a\"")), Asked::Part(0..10));
        assert_eq!(wanted("bytes=0-9", Some("\"b\"")), Asked::Whole);
        assert_eq!(wanted_range(&HeaderMap::new(), "\"a\"", 100), Asked::Whole);
    }
}
