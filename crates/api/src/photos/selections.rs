//! Which photos a call is about.

use app::photos::selections::Chosen;
use domain::{EventId, Refusal};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::operations::runtime::error::Result;

/// The largest body that chooses photos: 10,000 ids of 36 characters, and what separates them.
pub(crate) const BYTES: usize = 512 * 1024;

#[derive(Deserialize, ToSchema)]
pub(crate) struct PhotoChoice {
    /// The event; left out or null, the library.
    #[serde(default)]
    event_id: Option<String>,
    /// The photos, at most 10,000; left out with `all`.
    #[serde(default)]
    #[schema(max_items = 10_000)]
    photo_ids: Option<Vec<String>>,
    /// All photos there are of the event, or of the library.
    #[serde(default)]
    all: bool,
}

impl PhotoChoice {
    /// The event, or none for the library, and the photos.
    pub(crate) fn parse(&self) -> Result<(Option<EventId>, Chosen)> {
        let chosen = Chosen::parse(self.photo_ids.as_deref(), self.all)?;
        Ok((self.event_id.as_deref().map(event_id).transpose()?, chosen))
    }
}

pub(crate) fn event_id(text: &str) -> Result<EventId> {
    text.parse().map_err(|_| Refusal::EventNotFound.into())
}
