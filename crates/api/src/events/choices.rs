//! What photographers choose for an event, in the words of the contract.

use domain::events::download_policy::Downloads;
use domain::events::publication::Publication;
use serde::Serialize;
use utoipa::ToSchema;

/// Whether guests can ask to be told of new photos by mail.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = TellsGuests)]
pub(crate) enum TellsGuestsBody {
    /// They can.
    On,
    /// The photographer does not want it.
    Off,
    /// This installation does not offer it.
    Unavailable,
}

/// What the guests of an event can save.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Downloads)]
pub(crate) enum DownloadsBody {
    /// Originals, and the web size.
    Original,
    /// The web size alone.
    Web,
    /// Nothing: they look at photos.
    None,
}

impl From<Downloads> for DownloadsBody {
    fn from(downloads: Downloads) -> Self {
        match downloads {
            Downloads::Original => Self::Original,
            Downloads::Web => Self::Web,
            Downloads::None => Self::None,
        }
    }
}

/// What becomes of photos that arrive in an event, as guests see it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Publication)]
pub(crate) enum PublicationBody {
    /// They see them at once.
    AsTheyArrive,
    /// They see them once they are published.
    Held,
    /// At once, and they are told that no more are expected.
    Complete,
}

impl From<Publication> for PublicationBody {
    fn from(publication: Publication) -> Self {
        match publication {
            Publication::AsTheyArrive => Self::AsTheyArrive,
            Publication::Held => Self::Held,
            Publication::Complete => Self::Complete,
        }
    }
}
