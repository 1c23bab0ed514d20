//! What is kept of an upload in pieces beside its bytes.

use std::net::IpAddr;

use domain::accounts::tokens::TokenHash;
use domain::photos::ContentHash;
use domain::{EventId, PhotoId, Timestamp, UserId};
use serde::{Deserialize, Serialize};

use crate::{Failure, Result};

/// The photo that an upload in pieces became.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taken {
    /// Its id.
    pub photo: PhotoId,
    /// Whether the same bytes were there already; then nothing was charged.
    pub duplicate: bool,
    /// Whether it has taken the place of another version; false in what a version before wrote.
    #[serde(default)]
    pub replaced: bool,
}

/// A guest who sends an upload.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct SentBy {
    /// The hash of the device's secret.
    pub(super) device: TokenHash,
    /// What the guest is called.
    pub(super) name: Option<String>,
}

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Record {
    /// Whose it is: the account that sends it, or, of a guest's, the event's owner.
    pub(super) owner: UserId,
    /// The guest who sends it; none for an account, and in what a version before wrote.
    #[serde(default)]
    pub(super) guest: Option<SentBy>,
    pub(super) event: Option<EventId>,
    pub(super) filename: String,
    /// As the client wrote it.
    pub(super) metadata: Option<String>,
    pub(super) length: u64,
    /// Whether it takes the place of the photo of the same name.
    #[serde(default)]
    pub(super) replaces: bool,
    /// What the client says that the bytes of the whole file are; none in what a version before wrote.
    #[serde(default)]
    pub(super) hash: Option<ContentHash>,
    /// The network that the upload counts for.
    pub(super) address: IpAddr,
    pub(super) created_at: Timestamp,
    /// Bytes of another run of the machine are not trusted.
    pub(super) run_of_machine: Option<String>,
    /// None while bytes are missing.
    pub(super) taken: Option<Taken>,
}

impl Record {
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(self)
            .map_err(|error| Failure::Internal(format!("an upload cannot be described: {error}")))
    }

    /// None for what no version wrote that this one knows.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }
}
