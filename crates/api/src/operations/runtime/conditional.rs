//! Conditional requests and ranges (RFC 9110, sections 8.8, 13 and 14).

use std::ops::Range;

use axum::http::header::{
    ACCEPT_RANGES, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG, IF_NONE_MATCH, IF_RANGE, RANGE,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::Refusal;

use crate::operations::runtime::error::{Error, Result};

/// A response to which the caller adds the body.
pub(crate) enum RangeResponse {
    /// 200: the body is all bytes.
    Full(Response),
    /// 206: the body is these bytes.
    Partial(Response, Range<u64>),
    /// 416: complete as it is.
    NotSatisfiable(Response),
}

/// Whether the client has the version that `etag` names.
pub(crate) fn matches_etag(request: &HeaderMap, etag: &str) -> bool {
    request.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok()).any(|value| {
        value
            .split(',')
            .map(str::trim)
            .any(|candidate| candidate == "*" || candidate.strip_prefix("W/").unwrap_or(candidate) == etag)
    })
}

/// 304, with the `headers` that the full response would have.
pub(crate) fn not_modified(mut headers: HeaderMap, etag: &str) -> Result<Response> {
    headers.remove(CONTENT_TYPE);
    headers.insert(ETAG, header_value(etag)?);
    Ok((StatusCode::NOT_MODIFIED, headers).into_response())
}

/// The response to a request for all or part of `total` bytes, with `headers` and those about the range.
pub(crate) fn range_response(
    request: &HeaderMap,
    mut headers: HeaderMap,
    etag: &str,
    total: u64,
) -> Result<RangeResponse> {
    headers.insert(ETAG, header_value(etag)?);
    headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    Ok(match requested_range(request, etag, total) {
        RequestedRange::Full => {
            headers.insert(CONTENT_LENGTH, HeaderValue::from(total));
            RangeResponse::Full((StatusCode::OK, headers).into_response())
        }
        RequestedRange::Partial(range) => {
            headers.insert(CONTENT_LENGTH, HeaderValue::from(range.end - range.start));
            let content_range = format!("bytes {}-{}/{total}", range.start, range.end - 1);
            headers.insert(CONTENT_RANGE, header_value(&content_range)?);
            RangeResponse::Partial((StatusCode::PARTIAL_CONTENT, headers).into_response(), range)
        }
        RequestedRange::NotSatisfiable => {
            let mut refused = Error::from(Refusal::RangeNotSatisfiable).into_response();
            refused.headers_mut().insert(CONTENT_RANGE, header_value(&format!("bytes */{total}"))?);
            RangeResponse::NotSatisfiable(refused)
        }
    })
}

/// Whether this answer has the first byte of a file: of a download that is resumed only the first one has.
pub(crate) fn is_beginning(response: &Response) -> bool {
    let is_first = |range: &HeaderValue| range.as_bytes().starts_with(b"bytes 0-");
    match response.status() {
        StatusCode::OK => true,
        StatusCode::PARTIAL_CONTENT => response.headers().get(CONTENT_RANGE).is_some_and(is_first),
        _ => false,
    }
}

/// A text as the value of a header.
pub(crate) fn header_value(text: &str) -> Result<HeaderValue> {
    HeaderValue::from_str(text)
        .map_err(|_| Error::from(app::Failure::Internal(format!("{text:?} is no header value"))))
}

#[derive(Debug, PartialEq, Eq)]
enum RequestedRange {
    Full,
    Partial(Range<u64>),
    NotSatisfiable,
}

/// Several ranges at once, and a `Range` header that cannot be parsed, get the full response, as RFC 9110 (14.2)
/// allows.
fn requested_range(request: &HeaderMap, etag: &str, total: u64) -> RequestedRange {
    let Some(range) = request.get(RANGE).and_then(|value| value.to_str().ok()) else {
        return RequestedRange::Full;
    };
    if request.get(IF_RANGE).is_some_and(|validator| validator.as_bytes() != etag.as_bytes()) {
        return RequestedRange::Full;
    }
    let Ok(parsed) = http_range_header::parse_range_header(range) else { return RequestedRange::Full };
    if parsed.ranges.len() != 1 {
        return RequestedRange::Full;
    }
    match parsed.validate(total) {
        Ok(ranges) => match ranges.first() {
            Some(range) => RequestedRange::Partial(*range.start()..range.end() + 1),
            None => RequestedRange::Full,
        },
        Err(_) => RequestedRange::NotSatisfiable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_the_standard_says() {
        // [GAL038]
        let requested = |range: &str, if_range: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(RANGE, range.parse().unwrap());
            if let Some(validator) = if_range {
                headers.insert(IF_RANGE, validator.parse().unwrap());
            }
            requested_range(&headers, "\"a\"", 100)
        };
        assert_eq!(requested("bytes=0-9", None), RequestedRange::Partial(0..10));
        assert_eq!(requested("bytes=90-", None), RequestedRange::Partial(90..100));
        assert_eq!(requested("bytes=-5", None), RequestedRange::Partial(95..100));
        assert_eq!(requested("bytes=50-500", None), RequestedRange::Partial(50..100));
        assert_eq!(requested("bytes=100-", None), RequestedRange::NotSatisfiable);
        assert_eq!(requested("bytes=0-1,5-6", None), RequestedRange::Full);
        assert_eq!(requested("lines=1-2", None), RequestedRange::Full);
        assert_eq!(requested("bytes=9-1", None), RequestedRange::NotSatisfiable);
        assert_eq!(requested("bytes=0-9", Some("\"a\"")), RequestedRange::Partial(0..10));
        assert_eq!(requested("bytes=0-9", Some("\"b\"")), RequestedRange::Full);
        assert_eq!(requested_range(&HeaderMap::new(), "\"a\"", 100), RequestedRange::Full);
    }
}
