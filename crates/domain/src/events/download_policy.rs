//! What the guests of an event can save.

use crate::Refusal;

/// What guests get of the photos that they see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Downloads {
    /// Originals, and the web size.
    #[default]
    Original,
    /// The web size alone.
    Web,
    /// Nothing.
    None,
}

impl Downloads {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Original, Self::Web, Self::None];

    /// Its name in the contract and the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Original => "original",
            Self::Web => "web",
            Self::None => "none",
        }
    }

    /// What has this name in the database.
    pub fn from_stored(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|downloads| downloads.as_str() == text)
    }

    /// What a photographer has chosen.
    ///
    /// # Errors
    /// [`Refusal::EventDownloadsUnknown`].
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        Self::from_stored(text).ok_or(Refusal::EventDownloadsUnknown)
    }

    /// Lets an original go to a guest.
    ///
    /// # Errors
    /// [`Refusal::OriginalsNotOffered`] or [`Refusal::DownloadsNotOffered`].
    pub const fn check_original(self) -> Result<(), Refusal> {
        match self {
            Self::Original => Ok(()),
            Self::Web => Err(Refusal::OriginalsNotOffered),
            Self::None => Err(Refusal::DownloadsNotOffered),
        }
    }

    /// Lets a photo be saved by a guest in some size.
    ///
    /// # Errors
    /// [`Refusal::DownloadsNotOffered`].
    pub const fn check_any(self) -> Result<(), Refusal> {
        match self {
            Self::Original | Self::Web => Ok(()),
            Self::None => Err(Refusal::DownloadsNotOffered),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guests_get_originals_web_size_or_nothing() {
        // [EVT111] [EVT112]
        let none = Err(Refusal::DownloadsNotOffered);
        for (name, downloads, original, any) in [
            ("original", Downloads::Original, Ok(()), Ok(())),
            ("web", Downloads::Web, Err(Refusal::OriginalsNotOffered), Ok(())),
            ("none", Downloads::None, none.clone(), none),
        ] {
            assert_eq!(Downloads::parse(name), Ok(downloads));
            assert_eq!(
                (downloads.as_str(), downloads.check_original(), downloads.check_any()),
                (name, original, any)
            );
        }
        for text in ["", "Original", "originals", " web"] {
            assert_eq!(Downloads::parse(text), Err(Refusal::EventDownloadsUnknown), "{text}");
        }
        assert_eq!(Downloads::default(), Downloads::Original);
    }
}
