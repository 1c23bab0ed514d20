//! Authenticated encryption with a key of an event, or of the installation.

use domain::EventId;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};

use crate::{App, Failure, Result};

/// The length of a nonce.
const NONCE: usize = 12;

/// What a key encrypts. Each kind has its own key in the event's row, so that a token of one is nothing to the other, and
/// each goes with the rows that it is for.
#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    Subscriptions,
    Objections,
    /// What guests' devices hold: for a while, or as long as the event lives.
    Searches,
}

/// A key of an event, or of the installation.
pub(crate) struct Key(LessSafeKey);

impl Key {
    fn new(bytes: &[u8]) -> Result<Self> {
        let key = UnboundKey::new(&CHACHA20_POLY1305, bytes)
            .map_err(|_| Failure::Internal(String::from("a key does not have 32 bytes")))?;
        Ok(Self(LessSafeKey::new(key)))
    }

    /// A key of the installation, which is made when it is asked for the first time.
    pub(crate) async fn of_installation(app: &App, name: &str) -> Result<Self> {
        let fresh = app.randomness.bytes::<32>();
        let key = storage::operations::runtime::secrets::get_or_insert(&app.db, name, &fresh).await?;
        Self::new(&key)
    }

    /// The key of an event; none when none was made, or the event is closed.
    pub(crate) async fn of(app: &App, event: EventId, purpose: Purpose) -> Result<Option<Self>> {
        let key = match purpose {
            Purpose::Subscriptions => storage::guests::subscriptions::key(&app.db, event).await?,
            Purpose::Objections => storage::guests::objections::key(&app.db, event).await?,
            Purpose::Searches => storage::guests::kept_searches::key(&app.db, event).await?,
        };
        key.map(|key| Self::new(&key)).transpose()
    }

    /// The key of an open event, which is made if there is none.
    pub(crate) async fn of_open(app: &App, event: EventId, purpose: Purpose) -> Result<Option<Self>> {
        let fresh = app.randomness.bytes::<32>();
        let key = match purpose {
            Purpose::Subscriptions => {
                storage::guests::subscriptions::key_or_insert(&app.db, event, &fresh).await?
            }
            Purpose::Objections => storage::guests::objections::key_or_insert(&app.db, event, &fresh).await?,
            Purpose::Searches => {
                storage::guests::kept_searches::key_or_insert(&app.db, event, &fresh).await?
            }
        };
        key.map(|key| Self::new(&key)).transpose()
    }

    /// Encrypts `plain`, which can be decrypted only with the same `context`.
    pub(crate) fn seal(&self, app: &App, context: &str, plain: &[u8]) -> Result<Vec<u8>> {
        let nonce = app.randomness.bytes::<NONCE>();
        let mut sealed = nonce.to_vec();
        let mut text = plain.to_vec();
        self.0
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(context.as_bytes()),
                &mut text,
            )
            .map_err(|_| Failure::Internal(String::from("a text cannot be encrypted")))?;
        sealed.append(&mut text);
        Ok(sealed)
    }

    /// Decrypts what [`Key::seal`] made; none when it was altered, or made with another key or context.
    pub(crate) fn open(&self, context: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, text) = sealed.split_first_chunk::<NONCE>()?;
        let mut text = text.to_vec();
        let plain = self
            .0
            .open_in_place(Nonce::assume_unique_for_key(*nonce), Aad::from(context.as_bytes()), &mut text)
            .ok()?;
        Some(plain.to_vec())
    }
}
