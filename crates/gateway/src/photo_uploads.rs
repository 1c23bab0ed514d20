//! The service itself, as a program asks it that uploads photos with an API token. The calls are those of the browser.

use std::collections::HashMap;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use domain::Refusal;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::header::HeaderMap;
use reqwest::{Client, RequestBuilder, Response, redirect};
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use serde_json::json;

use crate::http::{describe, is_loopback, one_line, tls};

/// How long a connection may take to open.
const CONNECT: Duration = Duration::from_secs(15);
/// How long an answer may take, beside what its body takes to be sent.
const ANSWER: Duration = Duration::from_secs(60);
/// The slowest line that is waited for, in bytes a second.
const SLOWEST: u64 = 20_000;
const TUS_VERSION: (&str, &str) = ("tus-resumable", "1.0.0");

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The service refuses it.
    #[error("{text}")]
    Refused {
        /// The status.
        status: u16,
        /// The stable name of the refusal; empty where what answered is not the service.
        code: String,
        /// The service's own words.
        text: String,
        /// When to ask again.
        retry_after: Option<Duration>,
    },
    /// The line failed, or nothing listens.
    #[error("{0}")]
    Unreachable(String),
}

impl ServiceError {
    /// Whether the same question can succeed later.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Unreachable(_) => true,
            Self::Refused { status, code, .. } => {
                matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504)
                    // An upload in pieces: it has expired, or more has come of a piece that was cut than was known.
                    || matches!(code.as_str(), "upload_not_found" | "upload_offset_wrong")
            }
        }
    }

    /// When to ask again, if the service has said so.
    pub const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Refused { retry_after, .. } => *retry_after,
            Self::Unreachable(_) => None,
        }
    }
}

type Result<T> = std::result::Result<T, ServiceError>;

/// An event of the token's photographer.
#[derive(Clone, Debug, Deserialize)]
pub struct Event {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
}

/// A photo that was taken in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Its id.
    pub photo: String,
    /// Whether the same bytes were there already.
    pub duplicate: bool,
    /// Whether it has taken the place of another version.
    pub replaced: bool,
}

/// A photo that is to be uploaded.
#[derive(Clone, Copy, Debug)]
pub struct NewPhoto<'a> {
    /// The id of its event.
    pub event: &'a str,
    /// The name of its file.
    pub filename: &'a str,
    /// Whether it takes the place of the photo of the same name.
    pub replaces: bool,
}

/// How an upload in pieces stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// How many bytes are there.
    pub offset: u64,
    /// The photo, once it is taken in.
    pub taken: Option<Taken>,
}

/// A service under an address.
#[derive(Clone)]
pub struct Service {
    client: Client,
    base: String,
    token: SecretString,
}

impl Service {
    /// Asks the service at `base`, such as `https://photos.example.com`, with an API token.
    ///
    /// # Errors
    /// When the address is none, or TLS cannot be set up.
    pub fn new(base: &str, token: SecretString) -> Result<Self> {
        let failed = |text: String| ServiceError::Unreachable(text);
        let url = url::Url::parse(base).map_err(|error| failed(format!("{base} is no address: {error}")))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(failed(format!(
                "{base} is no address of a service: it begins with http:// or https://"
            )));
        }
        let tls = tls(&[]).map_err(|error| failed(describe(&error)))?;
        let mut client = Client::builder()
            .tls_backend_preconfigured(tls)
            // A token goes to nobody but whom it was meant for.
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECT)
            .user_agent(concat!("afterglow/", env!("CARGO_PKG_VERSION")));
        if is_loopback(&url) {
            client = client.no_proxy();
        }
        let client = client.build().map_err(|error| failed(describe(&error)))?;
        Ok(Self { client, base: url.as_str().trim_end_matches('/').to_owned(), token })
    }

    /// Whether others can read the token on its way.
    pub fn is_open_to_readers(&self) -> bool {
        url::Url::parse(&self.base).is_ok_and(|url| url.scheme() == "http" && !is_loopback(&url))
    }

    /// The event with this name in links, of the token's photographer.
    ///
    /// # Errors
    /// Refused with `event_not_found` for another's too.
    pub async fn event(&self, slug: &str) -> Result<Event> {
        #[derive(Deserialize)]
        struct Events {
            events: Vec<Event>,
        }
        let slug = utf8_percent_encode(slug, NON_ALPHANUMERIC);
        let event: Event = read(self.send(self.get(&format!("/api/events/{slug}"))).await?).await?;
        // Anybody may open that one; this list has the photographer's own alone.
        let own = self.get(&format!("/api/events/search?ids={}", event.id));
        let own: Events = read(self.send(own).await?).await?;
        own.events.into_iter().next().ok_or_else(|| ServiceError::Refused {
            status: 404,
            code: String::from(Refusal::EventNotFound.code()),
            text: Refusal::EventNotFound.to_string(),
            retry_after: None,
        })
    }

    /// Those of the hashes whose files an event has already; for uploads that replace, not those that were replaced themselves.
    ///
    /// # Errors
    /// See [`ServiceError`].
    pub async fn known(&self, event: &str, hashes: &[&str], replaces: bool) -> Result<Vec<String>> {
        #[derive(Deserialize)]
        struct Known {
            known: Vec<String>,
        }
        let question = json!({"event_id": event, "hashes": hashes, "replace": replaces});
        let request = self.post("/api/photos/known").json(&question);
        let known: Known = read(self.send(request).await?).await?;
        Ok(known.known)
    }

    /// The names of the photos of an event that files of these names would take the place of, by the files' names.
    ///
    /// # Errors
    /// See [`ServiceError`].
    pub async fn versions(&self, event: &str, names: &[&str]) -> Result<HashMap<String, String>> {
        #[derive(Deserialize)]
        struct Version {
            name: String,
            filename: String,
        }
        #[derive(Deserialize)]
        struct Versions {
            versions: Vec<Version>,
        }
        let request = self.post("/api/photos/versions").json(&json!({"event_id": event, "names": names}));
        let Versions { versions } = read(self.send(request).await?).await?;
        Ok(versions.into_iter().map(|Version { name, filename }| (name, filename)).collect())
    }

    /// Uploads a photo in one piece. `mark` is a text that its bytes do not have, such as their hash.
    ///
    /// # Errors
    /// See [`ServiceError`].
    pub async fn upload(&self, photo: &NewPhoto<'_>, mark: &str, bytes: &[u8]) -> Result<Taken> {
        #[derive(Deserialize)]
        struct Uploaded {
            id: String,
            duplicate: bool,
            // A service of a version before replaces nothing, and does not say so.
            #[serde(default)]
            replaced: bool,
        }
        let NewPhoto { event, filename, replaces } = photo;
        // As browsers write names in forms.
        let filename = filename.replace('\r', "%0D").replace('\n', "%0A").replace('"', "%22");
        let head = format!(
            "--{mark}\r\nContent-Disposition: form-data; name=\"event_id\"\r\n\r\n{event}\r\n\
             --{mark}\r\nContent-Disposition: form-data; name=\"replace\"\r\n\r\n{replaces}\r\n\
             --{mark}\r\nContent-Disposition: form-data; name=\"photos\"; filename=\"{filename}\"\r\n\
             Content-Type: application/octet-stream\r\n\r\n"
        );
        let body = [head.as_bytes(), bytes, format!("\r\n--{mark}--\r\n").as_bytes()].concat();
        let request = self
            .post("/api/photos/upload")
            .timeout(time_for(body.len()))
            .header("content-type", format!("multipart/form-data; boundary={mark}"))
            .body(body);
        let uploaded: Uploaded = read(self.send(request).await?).await?;
        Ok(Taken { photo: uploaded.id, duplicate: uploaded.duplicate, replaced: uploaded.replaced })
    }

    /// Begins an upload in pieces, and answers its path. `hash` is the BLAKE3 of the whole file in hexadecimal, which the
    /// service compares at the end.
    ///
    /// # Errors
    /// See [`ServiceError`].
    pub async fn begin(&self, photo: &NewPhoto<'_>, length: u64, hash: &str) -> Result<String> {
        let (event, filename) = (STANDARD.encode(photo.event), STANDARD.encode(photo.filename));
        let replaces = STANDARD.encode(photo.replaces.to_string());
        let hash = STANDARD.encode(hash);
        let metadata = format!("event_id {event},filename {filename},replace {replaces},blake3 {hash}");
        let request = self
            .post("/api/photos/uploads")
            .header(TUS_VERSION.0, TUS_VERSION.1)
            .header("upload-length", length)
            .header("upload-metadata", metadata);
        let response = self.send(request).await?;
        let location = header(response.headers(), "location").unwrap_or_default();
        // An address or a path; the token goes to this service alone.
        let path = location.find("/api/photos/uploads/").map(|at| location[at..].to_owned());
        path.ok_or_else(|| ServiceError::Unreachable(String::from("The answer is not that of Afterglow.")))
    }

    /// How an upload in pieces stands; none when it is not there any more.
    ///
    /// # Errors
    /// See [`ServiceError`].
    pub async fn progress(&self, upload: &str) -> Result<Option<Progress>> {
        let request = self.authorized(self.client.head(format!("{}{upload}", self.base)));
        match self.send(request.header(TUS_VERSION.0, TUS_VERSION.1)).await {
            Ok(response) => progress(response.headers()).map(Some),
            Err(ServiceError::Refused { status: 404 | 410, .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Sends a piece of an upload, which begins at `offset`.
    ///
    /// # Errors
    /// See [`ServiceError`].
    pub async fn append(&self, upload: &str, offset: u64, piece: Bytes) -> Result<Progress> {
        let request = self
            .authorized(self.client.patch(format!("{}{upload}", self.base)))
            .timeout(time_for(piece.len()))
            .header(TUS_VERSION.0, TUS_VERSION.1)
            .header("upload-offset", offset)
            .header("content-type", "application/offset+octet-stream")
            .body(piece);
        progress(self.send(request).await?.headers())
    }

    fn get(&self, path: &str) -> RequestBuilder {
        self.authorized(self.client.get(format!("{}{path}", self.base)))
    }

    fn post(&self, path: &str) -> RequestBuilder {
        self.authorized(self.client.post(format!("{}{path}", self.base)))
    }

    fn authorized(&self, request: RequestBuilder) -> RequestBuilder {
        request.bearer_auth(self.token.expose_secret()).timeout(ANSWER)
    }

    async fn send(&self, request: RequestBuilder) -> Result<Response> {
        let response = request.send().await.map_err(unreachable)?;
        if response.status().is_success() { Ok(response) } else { Err(refusal(response).await) }
    }
}

fn time_for(bytes: usize) -> Duration {
    ANSWER + Duration::from_secs(u64::try_from(bytes).unwrap_or(u64::MAX) / SLOWEST)
}

fn unreachable(error: reqwest::Error) -> ServiceError {
    ServiceError::Unreachable(format!("{}.", describe(&error.without_url())))
}

async fn read<T: serde::de::DeserializeOwned>(response: Response) -> Result<T> {
    let not_ours = |error: reqwest::Error| {
        ServiceError::Unreachable(format!(
            "What answers there is not Afterglow: {}.",
            describe(&error.without_url())
        ))
    };
    response.json().await.map_err(not_ours)
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn progress(headers: &HeaderMap) -> Result<Progress> {
    let offset = header(headers, "upload-offset").and_then(|offset| offset.parse().ok());
    let offset = offset.ok_or_else(|| {
        ServiceError::Unreachable(String::from("The answer does not say how much has arrived."))
    })?;
    let taken = header(headers, "photo-id").map(|photo| Taken {
        photo: photo.to_owned(),
        duplicate: header(headers, "photo-duplicate") == Some("true"),
        replaced: header(headers, "photo-replaced") == Some("true"),
    });
    Ok(Progress { offset, taken })
}

async fn refusal(response: Response) -> ServiceError {
    #[derive(Default, Deserialize)]
    struct Body {
        #[serde(default)]
        error: String,
        #[serde(default)]
        code: String,
    }
    let status = response.status().as_u16();
    let retry_after = header(response.headers(), "retry-after").and_then(|after| after.parse().ok());
    let body: Body = response.json().await.unwrap_or_default();
    // What answers may be a proxy before the service, or another program.
    let text = if body.error.is_empty() {
        format!("What answers there is not Afterglow, or a proxy before it: status {status}.")
    } else {
        one_line(&body.error)
    };
    ServiceError::Refused { status, code: body.code, text, retry_after: retry_after.map(Duration::from_secs) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_that_of_a_service() {
        // [UPL180]
        let open = |base: &str| Service::new(base, SecretString::from("afterglow_x"));
        assert!(!open("http://localhost:8080").unwrap().is_open_to_readers());
        assert!(!open("https://photos.example.com/").unwrap().is_open_to_readers());
        assert!(open("http://photos.example.com").unwrap().is_open_to_readers());
        for wrong in ["photos.example.com", "ftp://photos.example.com", ""] {
            assert!(open(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_passes_is_asked_again() {
        let refused = |status| ServiceError::Refused {
            status,
            code: String::new(),
            text: String::new(),
            retry_after: None,
        };
        for (status, passes) in
            [(429, true), (503, true), (502, true), (400, false), (402, false), (507, false)]
        {
            assert_eq!(refused(status).is_passing(), passes, "{status}");
        }
        assert!(ServiceError::Unreachable(String::new()).is_passing());
    }
}
