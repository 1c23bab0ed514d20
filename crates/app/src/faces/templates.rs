//! The template of a face: what a search compares, as bytes that are encrypted wherever they go.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::accounts::tokens::TokenHash;
use domain::faces::{Embedding, Strictness};
use domain::{EventId, ObjectionId, SubscriptionId, Timestamp};
use serde::{Deserialize, Serialize};
use std::time::Duration;

use crate::faces::sealing::Key;
use crate::{App, Failure, Result};

/// What a search compares.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Template {
    /// The model pack that described the face.
    pub(crate) pack: String,
    pub(crate) strictness: Strictness,
    pub(crate) embeddings: Vec<Embedding>,
}

/// A search that can be made a subscription or an objection.
#[derive(Debug, PartialEq)]
pub(crate) struct Search {
    pub(crate) event: EventId,
    expires_at: Timestamp,
    /// The hash of its download token, if it found photos.
    pub(crate) download: Option<TokenHash>,
    /// Whether the pictures were a live capture.
    pub(crate) live: bool,
    pub(crate) template: Template,
}

/// All but the numbers of a template, as JSON in front of them.
#[derive(Serialize, Deserialize)]
struct Header {
    pack: String,
    strictness: String,
    embeddings: usize,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    expires_at: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    download: Option<TokenHash>,
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    live: bool,
}

impl Template {
    /// Encrypts the template for the one that it is kept for.
    pub(crate) fn seal(&self, app: &App, key: &Key, event: EventId, holder: Holder) -> Result<Vec<u8>> {
        key.seal(app, &holder.context(event), &self.to_bytes(None, None, false)?)
    }

    /// Decrypts a template; none when it was altered, or is kept for something else.
    pub(crate) fn open(key: &Key, event: EventId, holder: Holder, sealed: &[u8]) -> Option<Self> {
        let (_, template) = Self::from_bytes(&key.open(&holder.context(event), sealed)?)?;
        Some(template)
    }

    /// Encrypts the template for the guest's own device, for as long as the event lives.
    pub(crate) fn seal_for_device(&self, app: &App, key: &Key, event: EventId) -> Result<String> {
        Ok(token_of(event, &self.seal(app, key, event, Holder::Device)?))
    }

    /// Decrypts what a device holds: what [`Template::seal_for_device`] made, or a [`Search`] that has not expired. None when it
    /// was altered, or is another event's.
    pub(crate) fn of_device(app: &App, key: &Key, event: EventId, token: &str) -> Option<Self> {
        let kept = || Self::open(key, event, Holder::Device, &sealed_in(token)?);
        Search::open(app, key, event, token).map(|search| search.template).or_else(kept)
    }

    fn to_bytes(
        &self,
        expires_at: Option<Timestamp>,
        download: Option<TokenHash>,
        live: bool,
    ) -> Result<Vec<u8>> {
        let header = Header {
            pack: self.pack.clone(),
            strictness: self.strictness.as_str().to_owned(),
            embeddings: self.embeddings.len(),
            expires_at: expires_at.map(Timestamp::as_millis),
            download,
            live,
        };
        let mut bytes = serde_json::to_vec(&header)
            .map_err(|error| Failure::Internal(format!("the header of a template: {error}")))?;
        bytes.push(b'\n');
        bytes.extend(self.embeddings.iter().flat_map(Embedding::to_bytes));
        Ok(bytes)
    }

    fn from_bytes(bytes: &[u8]) -> Option<(Header, Self)> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let (header, numbers) = (bytes.get(..end)?, bytes.get(end + 1..)?);
        let header: Header = serde_json::from_slice(header).ok()?;
        if header.embeddings == 0 || !numbers.len().is_multiple_of(header.embeddings) {
            return None;
        }
        let embeddings = numbers.chunks_exact(numbers.len() / header.embeddings).map(Embedding::from_bytes);
        let template = Self {
            pack: header.pack.clone(),
            strictness: Strictness::parse(&header.strictness)?,
            embeddings: embeddings.collect::<Option<_>>()?,
        };
        Some((header, template))
    }
}

impl Search {
    /// The token is good for `lifetime`.
    pub(crate) fn new(
        app: &App,
        event: EventId,
        lifetime: Duration,
        download: Option<TokenHash>,
        template: Template,
    ) -> Self {
        Self { event, expires_at: app.now().plus(lifetime), download, live: false, template }
    }

    /// The same, of pictures that were a live capture or were not.
    pub(crate) fn with_capture(self, live: bool) -> Self {
        Self { live, ..self }
    }

    /// The token that the guest's page holds: the event's id, and the rest encrypted.
    pub(crate) fn seal(&self, app: &App, key: &Key) -> Result<String> {
        let plain = self.template.to_bytes(Some(self.expires_at), self.download, self.live)?;
        let sealed = key.seal(app, &context_of_search(self.event), &plain)?;
        Ok(token_of(self.event, &sealed))
    }

    /// The event that a token names.
    pub(crate) fn event_of(token: &str) -> Option<EventId> {
        token.split_once('.')?.0.parse().ok()
    }

    /// Decrypts a token of that event; none when it was altered or has expired.
    pub(crate) fn open(app: &App, key: &Key, event: EventId, token: &str) -> Option<Self> {
        let sealed = sealed_in(token)?;
        let (header, template) = Template::from_bytes(&key.open(&context_of_search(event), &sealed)?)?;
        let expires_at = Timestamp::from_millis(header.expires_at?);
        let Header { download, live, .. } = header;
        (app.now() < expires_at).then_some(Self { event, expires_at, download, live, template })
    }
}

/// What a template is kept for: that of another cannot take its place.
#[derive(Clone, Copy)]
pub(crate) enum Holder {
    Subscription(SubscriptionId),
    Objection(ObjectionId),
    /// The device of a guest who wants to come back without another selfie.
    Device,
}

impl Holder {
    fn context(self, event: EventId) -> String {
        match self {
            Self::Subscription(id) => format!("subscription {event} {id}"),
            Self::Objection(id) => format!("objection {event} {id}"),
            Self::Device => format!("kept search {event}"),
        }
    }
}

/// A token: the event's id, and what is encrypted.
fn token_of(event: EventId, sealed: &[u8]) -> String {
    format!("{event}.{}", URL_SAFE_NO_PAD.encode(sealed))
}

fn sealed_in(token: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(token.split_once('.')?.1).ok()
}

fn context_of_search(event: EventId) -> String {
    format!("search {event}")
}
