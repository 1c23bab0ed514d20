//! Multipart forms (RFC 7578), read as a stream.

mod frames;

use app::App;
use app::faces::search::Admission;
use app::photos::{TempFile, Upload};
use axum::extract::multipart::{self, Multipart, MultipartError, MultipartRejection};
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::http::header::CONTENT_DISPOSITION;
use bytes::{Bytes, BytesMut};
use domain::Refusal;
use percent_encoding::percent_decode;

use crate::operations::runtime::error::{Error, Result};
use crate::operations::runtime::extract::nul_character;
use crate::operations::runtime::state::AppState;
use frames::Pace;

/// What a form adds to the files in it, in bytes.
pub(crate) const FORM_BYTES: usize = 64 * 1024;
/// The largest form with a photo. The photo itself is measured as it comes in.
#[allow(clippy::cast_possible_truncation, reason = "100 MB fit every machine's usize")]
pub const UPLOAD_BYTES: usize = domain::photos::MAX_BYTES as usize + FORM_BYTES;
/// Longest text field in bytes; all of them are ids, numbers and keywords.
const TEXT_BYTES: usize = 1_000;

/// A multipart body.
pub(crate) struct Form {
    multipart: Multipart,
    pace: Pace,
}

/// A field of a form. What is not read of one is to be passed by ([`skip`]): it counts as what comes before the next.
pub(crate) struct Field<'a> {
    field: multipart::Field<'a>,
    pace: &'a Pace,
}

impl FromRequest<AppState> for Form {
    type Rejection = Error;

    async fn from_request(request: Request, _: &AppState) -> Result<Self> {
        Self::open(request).await
    }
}

impl Form {
    /// The form in the body of a request.
    pub(crate) async fn open(request: Request) -> Result<Self> {
        let pace = Pace::default();
        match Multipart::from_request(request.map(|body| pace.body(body)), &()).await {
            Ok(multipart) => Ok(Self { multipart, pace }),
            Err(MultipartRejection::InvalidBoundary(_)) => Err(Refusal::FormUnreadable.into()),
            Err(rejection) => Err(Refusal::Malformed(rejection.body_text()).into()),
        }
    }

    /// The next field; none at the end of the body.
    pub(crate) async fn next(&mut self, too_large: &Refusal) -> Result<Option<Field<'_>>> {
        let next = self.pace.step(self.multipart.next_field()).await;
        let field = next.map_err(|error| body_error(&error, &self.pace, too_large))?;
        Ok(field.map(|field| Field { field, pace: &self.pace }))
    }
}

impl Field<'_> {
    pub(crate) fn name(&self) -> Option<&str> {
        self.field.name()
    }

    async fn chunk(&mut self, too_large: &Refusal) -> Result<Option<Bytes>> {
        let chunk = self.pace.step(self.field.chunk()).await;
        chunk.map_err(|error| body_error(&error, self.pace, too_large))
    }
}

/// Reads a text field.
pub(crate) async fn text(mut field: Field<'_>) -> Result<String> {
    let mut bytes = BytesMut::new();
    while let Some(chunk) = field.chunk(&Refusal::BodyTooLarge).await? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > TEXT_BYTES {
            return Err(Refusal::Malformed(String::from("A text field of the form is too long.")).into());
        }
    }
    if bytes.contains(&0) {
        return Err(nul_character());
    }
    String::from_utf8(bytes.to_vec())
        .map_err(|_| Refusal::Malformed(String::from("A text field of the form is not UTF-8.")).into())
}

/// Reads a field that says yes or no. What is neither is refused: taken for no, it would let an edited version be paid for as
/// another photo.
pub(crate) async fn flag(field: Field<'_>) -> Result<bool> {
    let name = field.name().unwrap_or_default().to_owned();
    Ok(parse_flag(&name, &text(field).await?)?)
}

/// Yes or no, as a form or an upload in pieces says it in a field of this name.
pub(crate) fn parse_flag(name: &str, text: &str) -> std::result::Result<bool, Refusal> {
    match text.trim() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(Refusal::Malformed(format!("The field {name} must be true or false."))),
    }
}

/// The name of the file in a field, as its sender's system has it; empty where it has none.
pub(crate) fn file_name(field: &Field<'_>) -> String {
    let header = field.field.headers().get(CONTENT_DISPOSITION);
    header.and_then(|value| named_file(value.as_bytes())).unwrap_or_default()
}

/// The name in a `Content-Disposition`. The form's own parser knows neither how browsers encode quotes and the ends of lines,
/// nor names that are not UTF-8, nor `filename*`, which some clients send though RFC 7578 has none.
fn named_file(header: &[u8]) -> Option<String> {
    let (mut plain, mut extended) = (None, None);
    let mut rest = header;
    while let Some(start) = rest.iter().position(|byte| *byte == b';') {
        let (name, value, after) = parameter(&rest[start + 1..]);
        if name.eq_ignore_ascii_case(b"filename") {
            plain = plain.or_else(|| Some(from_browser(&readable(&value))));
        } else if name.eq_ignore_ascii_case(b"filename*") {
            extended = extended.or_else(|| from_extended(&value));
        }
        rest = after;
    }
    extended.or(plain)
}

/// The name and the value of a parameter, and what follows it: nothing, or a semicolon and more.
fn parameter(text: &[u8]) -> (&[u8], Vec<u8>, &[u8]) {
    let end = text.iter().position(|byte| matches!(byte, b'=' | b';')).unwrap_or(text.len());
    let name = text[..end].trim_ascii();
    let Some(value) = text[end..].strip_prefix(b"=").map(<[u8]>::trim_ascii_start) else {
        return (name, Vec::new(), &text[end..]);
    };
    let Some(quoted) = value.strip_prefix(b"\"") else {
        let end = value.iter().position(|byte| *byte == b';').unwrap_or(value.len());
        return (name, value[..end].trim_ascii().to_vec(), &value[end..]);
    };
    let (mut unquoted, mut at) = (Vec::new(), 0);
    while let Some(&byte) = quoted.get(at) {
        match (byte, quoted.get(at + 1)) {
            (b'"', _) => break,
            // Nothing but a quote is escaped: a backslash separates folders on Windows.
            (b'\\', Some(b'"')) => at += 1,
            _ => {}
        }
        unquoted.push(quoted[at]);
        at += 1;
    }
    (name, unquoted, &quoted[at..])
}

/// UTF-8, or Latin-1 where it is none.
fn readable(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// Without what browsers encode in the names of files, which is this alone (HTML, 4.10.22.8).
fn from_browser(name: &str) -> String {
    [("%22", "\""), ("%0D", "\r"), ("%0d", "\r"), ("%0A", "\n"), ("%0a", "\n")]
        .iter()
        .fold(name.to_owned(), |name, (encoded, plain)| name.replace(encoded, plain))
}

/// A character set, a language and the encoded name (RFC 8187); none for what is of another form.
fn from_extended(value: &[u8]) -> Option<String> {
    let mut parts = value.splitn(3, |byte| *byte == b'\'');
    let (charset, _language, encoded) = (parts.next()?, parts.next()?, parts.next()?);
    let bytes: Vec<u8> = percent_decode(encoded).collect();
    if charset.eq_ignore_ascii_case(b"utf-8") {
        String::from_utf8(bytes).ok()
    } else {
        charset
            .eq_ignore_ascii_case(b"iso-8859-1")
            .then(|| bytes.iter().map(|byte| char::from(*byte)).collect())
    }
}

/// Reads a file into memory, at most `limit` bytes, each of which is reserved with `admission` as it comes in.
pub(crate) async fn bytes(
    mut field: Field<'_>,
    limit: usize,
    too_large: &Refusal,
    admission: &mut Option<Admission>,
) -> Result<Bytes> {
    let mut bytes = BytesMut::new();
    while let Some(chunk) = field.chunk(too_large).await? {
        if bytes.len() + chunk.len() > limit {
            return Err(too_large.clone().into());
        }
        if let Some(admission) = admission {
            admission.reserve(chunk.len())?;
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes.freeze())
}

/// Streams a photo to disk.
pub(crate) async fn photo(app: &App, mut field: Field<'_>) -> Result<TempFile> {
    let mut upload = Upload::begin(app).await?;
    while let Some(chunk) = field.chunk(&Refusal::PhotoTooLarge).await? {
        upload.write(&chunk).await?;
    }
    Ok(upload.finish().await?)
}

/// Passes a field by that is not known.
pub(crate) async fn skip(mut field: Field<'_>, too_large: &Refusal) -> Result<()> {
    while field.chunk(too_large).await?.is_some() {}
    Ok(())
}

fn body_error(error: &MultipartError, pace: &Pace, too_large: &Refusal) -> Error {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return too_large.clone().into();
    }
    if pace.is_exceeded() {
        let text = "The form has too much before one of its fields, or has no fields.";
        return Refusal::Malformed(text.to_owned()).into();
    }
    // Every other error means an incomplete form; the framework's text says no more.
    Refusal::Malformed(String::from("The upload was interrupted before it was complete.")).into()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use axum::body::Body;
    use axum::extract::DefaultBodyLimit;
    use axum::http::HeaderValue;
    use axum::http::header::CONTENT_TYPE;
    use axum::response::IntoResponse as _;
    use futures::StreamExt as _;

    use super::frames::HEAD_BYTES;
    use super::*;

    const TOO_LARGE: Refusal = Refusal::PhotoTooLarge;
    /// What each frame of an endless head has.
    const FRAME: usize = 8 * 1024;

    /// The form with the boundary `line` whose body comes in these frames, and how many bytes of it were read.
    async fn open<F>(frames: F) -> (Form, Arc<AtomicUsize>)
    where
        F: IntoIterator<Item = Vec<u8>, IntoIter: Send + 'static>,
    {
        let read = Arc::new(AtomicUsize::new(0));
        let counter = read.clone();
        let body = futures::stream::iter(frames).then(move |frame| {
            counter.fetch_add(frame.len(), Ordering::Relaxed);
            // As from a network: each is waited for.
            async move {
                tokio::task::yield_now().await;
                Ok::<_, std::io::Error>(frame)
            }
        });
        let mut request = Request::new(Body::from_stream(body));
        let kind = HeaderValue::from_static("multipart/form-data; boundary=line");
        request.headers_mut().insert(CONTENT_TYPE, kind);
        DefaultBodyLimit::max(UPLOAD_BYTES).apply(&mut request);
        let Ok(form) = Form::open(request).await else { panic!("it has a boundary") };
        (form, read)
    }

    /// A part of a form.
    fn part(name: &str, content: &[u8]) -> Vec<u8> {
        let head = format!("--line\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
        [head.as_bytes(), content, b"\r\n"].concat()
    }

    /// A body that begins like this and goes on for 10 MB in which nothing ends.
    fn endless(start: Vec<u8>) -> impl Iterator<Item = Vec<u8>> + Send + 'static {
        std::iter::once(start).chain(std::iter::repeat_n(vec![b'a'; FRAME], 1_280))
    }

    async fn next(form: &mut Form) -> Field<'_> {
        let Ok(Some(field)) = form.next(&TOO_LARGE).await else { panic!("there is no field") };
        field
    }

    #[tokio::test]
    async fn a_form_whose_fields_do_not_begin_is_refused_before_much_of_it_is_read() {
        // [SAFE479]
        let small = part("a", b"b").repeat(1_000);
        for (start, fields) in [
            (Vec::new(), 0),
            (b"--line".to_vec(), 0),
            (b"--line\r\nx: ".to_vec(), 0),
            // They are used before more is read, or what is kept would grow with each.
            ([small.as_slice(), b"--line\r\nx: "].concat(), 1_000),
        ] {
            let most = start.len() + HEAD_BYTES + 2 * FRAME;
            let (mut form, read) = open(endless(start)).await;
            for _ in 0..fields {
                assert!(matches!(text(next(&mut form).await).await.as_deref(), Ok("b")));
            }
            let Err(error) = form.next(&TOO_LARGE).await else { panic!("there is no other field") };
            assert_eq!(error.into_response().status(), StatusCode::BAD_REQUEST);
            let read = read.load(Ordering::Relaxed);
            assert!(read <= most, "{read} bytes were read");
        }
    }

    #[tokio::test]
    async fn fields_are_read_whole_however_the_form_is_cut_into_frames() {
        // [SAFE479]
        let (large, small) = (vec![7_u8; 30 << 20], vec![7_u8; 3_000]);
        for (content, frame) in [(&large, 64 << 10), (&large, usize::MAX), (&small, 1), (&small, 61)] {
            let body = [
                // What is passed by may be large too.
                part("unknown", &content[..content.len() / 10]),
                part("event_id", b"1"),
                part("photos", content),
                b"--line--\r\n".to_vec(),
            ]
            .concat();
            let frames: Vec<Vec<u8>> = body.chunks(frame).map(<[u8]>::to_vec).collect();
            let (mut form, _) = open(frames).await;
            let unknown = next(&mut form).await;
            assert_eq!(unknown.name(), Some("unknown"));
            assert!(skip(unknown, &TOO_LARGE).await.is_ok());
            assert!(matches!(text(next(&mut form).await).await.as_deref(), Ok("1")));
            let received = bytes(next(&mut form).await, content.len(), &TOO_LARGE, &mut None).await;
            assert!(received.is_ok_and(|received| received == *content), "in frames of {frame} bytes");
            assert!(matches!(form.next(&TOO_LARGE).await, Ok(None)));
        }
    }

    #[test]
    fn names_of_files_are_read_as_clients_write_them() {
        // [UPL235]
        for (header, name) in [
            (&b"form-data; name=\"photos\"; filename=\"a;b c.jpg\""[..], "a;b c.jpg"),
            (b"form-data; filename=a.jpg; name=photos", "a.jpg"),
            (b"form-data; name=\"filename=x\"; FileName = \"a.jpg\"", "a.jpg"),
            (b"form-data; name=\"photos\"; filename=\"5%22 x%0D%0A%0d%0ay.jpg\"", "5\" x\r\n\r\ny.jpg"),
            (b"form-data; name=\"photos\"; filename=\"50%25 %41.jpg\"", "50%25 %41.jpg"),
            (b"form-data; name=\"photos\"; filename=\"5\\\" x.jpg\"", "5\" x.jpg"),
            (b"form-data; name=\"photos\"; filename=\"C:\\a.jpg\"", "C:\\a.jpg"),
            ("form-data; name=\"photos\"; filename=\"Müller.jpg\"".as_bytes(), "Müller.jpg"),
            (b"form-data; name=\"photos\"; filename=\"M\xfcller.jpg\"", "Müller.jpg"),
            (b"form-data; name=\"photos\"; filename*=UTF-8''M%C3%BCller%20%28%22%29.jpg", "Müller (\").jpg"),
            (
                b"form-data; name=\"photos\"; filename=\"M_ller.jpg\"; filename*=utf-8'de'M%C3%BCller.jpg",
                "Müller.jpg",
            ),
            (
                b"form-data; name=\"photos\"; filename*=iso-8859-1''M%FCller.jpg; filename=\"x.jpg\"",
                "Müller.jpg",
            ),
            (b"form-data; name=\"photos\"; filename*=utf-8''%FF.jpg; filename=\"x.jpg\"", "x.jpg"),
            (b"form-data; name=\"photos\"; filename*=koi8-r''%FF; filename=\"x.jpg\"", "x.jpg"),
            (b"form-data; name=\"photos\"; filename=\"", ""),
            (b"form-data; name=\"photos\"; filename", ""),
        ] {
            assert_eq!(named_file(header).as_deref(), Some(name), "{}", String::from_utf8_lossy(header));
        }
        for header in
            [&b""[..], b"form-data", b"form-data; name=\"photos\"", b";;=;", b"form-data; filename*=x"]
        {
            assert_eq!(named_file(header), None);
        }
    }

    #[test]
    fn what_is_neither_yes_nor_no_is_refused() {
        // [UPL236]
        assert_eq!(parse_flag("replace", " true "), Ok(true));
        assert_eq!(parse_flag("replace", "false"), Ok(false));
        for text in ["", "1", "0", "yes", "on", "True", "TRUE", "true true"] {
            let refusal = parse_flag("replace", text).unwrap_err();
            assert!(refusal.text().contains("replace"), "{text}");
        }
    }
}
