//! The template of a face: what a search compares, as bytes that are encrypted wherever they go.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::accounts::tokens::TokenHash;
use domain::faces::{Embedding, Strictness};
use domain::{EventId, ObjectionId, SubscriptionId, Timestamp};
use serde::{Deserialize, Serialize};
use std::time::Duration;

use crate::faces::descriptions::Descriptions;
use crate::faces::sealing::Key;
use crate::{App, Failure, Result};

/// What a search compares.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Template {
    pub(crate) strictness: Strictness,
    /// One for each model pack whose photos it can be compared with.
    descriptions: Vec<Description>,
}

/// What the recogniser of a model pack says of a person.
#[derive(Clone, Debug, PartialEq)]
struct Description {
    pack: String,
    embeddings: Vec<Embedding>,
    /// Whether it is of faces in photos that were taken for the person, and not of the person's own pictures.
    is_learned: bool,
}

/// Faces of photos that the description of a person has at most.
const LEARNED: usize = 5;

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
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    learned: bool,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    others: Vec<OtherHeader>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    expires_at: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    download: Option<TokenHash>,
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    live: bool,
}

/// The same of the descriptions after the first.
#[derive(Serialize, Deserialize)]
struct OtherHeader {
    pack: String,
    embeddings: usize,
    dimension: usize,
    learned: bool,
}

impl Template {
    /// Of a person in pictures of their own.
    pub(crate) fn new(app: &App, strictness: Strictness, person: Descriptions) -> Self {
        let Descriptions { current, previous } = person;
        let described = [(Some(app.engine.pack_id()), current), (app.engine.previous_id(), previous)];
        let descriptions = described.into_iter().filter_map(|(pack, embeddings)| {
            let pack = pack.filter(|_| !embeddings.is_empty())?.to_owned();
            Some(Description { pack, embeddings, is_learned: false })
        });
        Self { strictness, descriptions: descriptions.collect() }
    }

    /// What the recogniser of a pack says of the person; nothing where that has not described them.
    pub(crate) fn by(&self, pack: &str) -> &[Embedding] {
        let description = self.descriptions.iter().find(|description| description.pack == pack);
        description.map_or(&[], |description| &description.embeddings)
    }

    /// What can be compared with photos now.
    pub(crate) fn descriptions(&self, app: &App) -> Descriptions {
        let by = |pack: Option<&str>| pack.map_or_else(Vec::new, |pack| self.by(pack).to_vec());
        Descriptions { current: by(Some(app.engine.pack_id())), previous: by(app.engine.previous_id()) }
    }

    /// Whether the person would be known better by more faces of photos: those are all that it knows of them, and few.
    pub(crate) fn learns(&self, pack: &str) -> bool {
        let description = self.descriptions.iter().find(|description| description.pack == pack);
        description.is_none_or(|known| known.is_learned && known.embeddings.len() < LEARNED)
    }

    /// Whether a pack's description of the person has room for a face that it does not take for theirs, and that is.
    pub(crate) fn learns_more(&self, pack: &str) -> bool {
        self.by(pack).len() < LEARNED
    }

    /// Makes it know the person by faces of photos too, as a pack has described them.
    pub(crate) fn learn(&mut self, pack: &str, embeddings: Vec<Embedding>) {
        if embeddings.is_empty() {
            return;
        }
        let known = match self.descriptions.iter().position(|description| description.pack == pack) {
            Some(place) => self.descriptions.get_mut(place),
            None => {
                // The pack's own first, as in a new one.
                let fresh = Description { pack: pack.to_owned(), embeddings: Vec::new(), is_learned: true };
                self.descriptions.insert(0, fresh);
                self.descriptions.first_mut()
            }
        };
        if let Some(known) = known {
            let room = LEARNED.saturating_sub(known.embeddings.len());
            known.embeddings.extend(embeddings.into_iter().take(room));
        }
    }

    /// Another for each person and strictness, the same each time.
    pub(crate) fn digest(&self) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.strictness.as_str().as_bytes());
        for Description { pack, embeddings, is_learned } in &self.descriptions {
            hasher.update(format!("\n{pack}\n{} {is_learned}\n", embeddings.len()).as_bytes());
            for embedding in embeddings {
                hasher.update(&embedding.to_bytes());
            }
        }
        hasher.finalize()
    }

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
        let plain = self.to_bytes(None, None, false)?;
        Ok(token_of(event, &key.seal(app, &context_of_device(app, event), &plain)?))
    }

    /// Decrypts what a device holds: what [`Template::seal_for_device`] made, or a [`Search`] that has not expired. None when it
    /// was altered, or is another event's.
    pub(crate) fn of_device(app: &App, key: &Key, event: EventId, token: &str) -> Option<Self> {
        let kept = || Self::from_bytes(&key.open(&context_of_device(app, event), &sealed_in(token)?)?);
        let search = Search::open(app, key, event, token).map(|search| search.template);
        search.or_else(|| Some(kept()?.1))
    }

    fn to_bytes(
        &self,
        expires_at: Option<Timestamp>,
        download: Option<TokenHash>,
        live: bool,
    ) -> Result<Vec<u8>> {
        let [first, others @ ..] = self.descriptions.as_slice() else {
            return Err(Failure::Internal(String::from("a template describes nobody")));
        };
        let other = |other: &Description| OtherHeader {
            pack: other.pack.clone(),
            embeddings: other.embeddings.len(),
            dimension: other.embeddings.first().map_or(0, |embedding| embedding.values().len()),
            learned: other.is_learned,
        };
        let header = Header {
            pack: first.pack.clone(),
            strictness: self.strictness.as_str().to_owned(),
            embeddings: first.embeddings.len(),
            learned: first.is_learned,
            others: others.iter().map(other).collect(),
            expires_at: expires_at.map(Timestamp::as_millis),
            download,
            live,
        };
        let mut bytes = serde_json::to_vec(&header)
            .map_err(|error| Failure::Internal(format!("the header of a template: {error}")))?;
        bytes.push(b'\n');
        let embeddings = self.descriptions.iter().flat_map(|description| &description.embeddings);
        bytes.extend(embeddings.flat_map(Embedding::to_bytes));
        Ok(bytes)
    }

    fn from_bytes(bytes: &[u8]) -> Option<(Header, Self)> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let (header, numbers) = (bytes.get(..end)?, bytes.get(end + 1..)?);
        let header: Header = serde_json::from_slice(header).ok()?;
        let mut of_others = 0_usize;
        for OtherHeader { embeddings, dimension, .. } in &header.others {
            of_others =
                embeddings.checked_mul(*dimension)?.checked_mul(size_of::<f32>())?.checked_add(of_others)?;
        }
        let (of_first, mut rest) = numbers.split_at_checked(numbers.len().checked_sub(of_others)?)?;
        let mut descriptions = vec![Description {
            pack: header.pack.clone(),
            embeddings: embeddings_in(of_first, header.embeddings)?,
            is_learned: header.learned,
        }];
        for other in &header.others {
            let (numbers, after) =
                rest.split_at_checked(other.embeddings * other.dimension * size_of::<f32>())?;
            rest = after;
            descriptions.push(Description {
                pack: other.pack.clone(),
                embeddings: embeddings_in(numbers, other.embeddings)?,
                is_learned: other.learned,
            });
        }
        let strictness = Strictness::parse(&header.strictness)?;
        Some((header, Self { strictness, descriptions }))
    }
}

/// So many embeddings of one length.
fn embeddings_in(numbers: &[u8], count: usize) -> Option<Vec<Embedding>> {
    if count == 0 || !numbers.len().is_multiple_of(count) {
        return None;
    }
    numbers.chunks_exact(numbers.len() / count).map(Embedding::from_bytes).collect()
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
        let sealed = key.seal(app, &context_of_search(app, self.event), &plain)?;
        Ok(token_of(self.event, &sealed))
    }

    /// The event that a token names.
    pub(crate) fn event_of(token: &str) -> Option<EventId> {
        token.split_once('.')?.0.parse().ok()
    }

    /// Decrypts a token of that event; none when it was altered or has expired.
    pub(crate) fn open(app: &App, key: &Key, event: EventId, token: &str) -> Option<Self> {
        let sealed = sealed_in(token)?;
        let (header, template) = Template::from_bytes(&key.open(&context_of_search(app, event), &sealed)?)?;
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
}

impl Holder {
    fn context(self, event: EventId) -> String {
        match self {
            Self::Subscription(id) => format!("subscription {event} {id}"),
            Self::Objection(id) => format!("objection {event} {id}"),
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

fn context_of_device(app: &App, event: EventId) -> String {
    app.context_here(format!("kept search {event}"))
}

fn context_of_search(app: &App, event: EventId) -> String {
    app.context_here(format!("search {event}"))
}
