//! What links to files lead to, and how it is named in them.

use domain::FaceId;
use domain::photos::{Photo, Size};

/// The name, in links, of an original as guests get it.
const FOR_GUESTS: &str = "shared";
/// The name, in links, of the web size as guests save it.
const WEB_FOR_GUESTS: &str = "shared-web";
/// How the name of a face's picture begins.
const FACE: &str = "face-";
/// The name of the picture of a photo that is not indexed yet.
const EARLY: &str = "early";
/// How the name of a rendition with a watermark begins.
const MARKED: &str = "marked-";
/// What follows a name in links to a photo that was replaced, before how often it was.
const REVISION: char = '.';

/// What a link leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Linked {
    /// A file as it is stored.
    Stored(Size),
    /// The original as guests get it.
    ForGuests,
    /// The preview as guests save it.
    WebForGuests,
    /// A rendition as guests see it, and the name of the watermark that it had when the link was made. It is there so that
    /// another watermark has another link; what is sent has the one of today.
    Marked(Size, String),
    /// The picture of a face in it.
    Face(FaceId),
    /// Its picture while it is not indexed; its thumbnail from then on.
    Early,
}

impl Linked {
    /// Its name in a link.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Stored(size) => size.as_str().to_owned(),
            Self::ForGuests => FOR_GUESTS.to_owned(),
            Self::WebForGuests => WEB_FOR_GUESTS.to_owned(),
            Self::Marked(size, watermark) => format!("{MARKED}{}-{watermark}", size.as_str()),
            Self::Face(face) => format!("{FACE}{face}"),
            Self::Early => EARLY.to_owned(),
        }
    }

    /// Its name in a link to a file of this photo. Browsers and caches keep what they have under a link: the files of a photo
    /// that was replaced have others than those before. Any of them leads to the file of today.
    pub(crate) fn name_for(&self, photo: &Photo) -> String {
        self.name_at(photo.key.revision())
    }

    /// Its name in a link to a file of a photo that was replaced so often.
    pub(crate) fn name_at(&self, revision: u32) -> String {
        match revision {
            0 => self.name(),
            revision => format!("{}{REVISION}{revision}", self.name()),
        }
    }

    /// Whether it is a file that a shared cache may have.
    pub(crate) fn is_rendition(&self) -> bool {
        matches!(self, Self::Stored(size) | Self::Marked(size, _) if *size != Size::Original)
    }

    /// What has this name in a link.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.split_once(REVISION).map_or(text, |(name, _)| name);
        if let Some(marked) = text.strip_prefix(MARKED) {
            let (size, watermark) = marked.split_once('-')?;
            let size = Size::parse(size).filter(|size| *size != Size::Original)?;
            return Some(Self::Marked(size, watermark.to_owned()));
        }
        match (text, text.strip_prefix(FACE)) {
            (FOR_GUESTS, _) => Some(Self::ForGuests),
            (WEB_FOR_GUESTS, _) => Some(Self::WebForGuests),
            (EARLY, _) => Some(Self::Early),
            (_, Some(face)) => face.parse().ok().map(Self::Face),
            (_, None) => Size::parse(text).map(Self::Stored),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_to_what_it_is_of() {
        // [BRAND033]
        let marked = Linked::Marked(Size::Medium, String::from("k7M2"));
        assert_eq!(marked.name(), "marked-medium-k7M2");
        for linked in
            [marked, Linked::Stored(Size::Preview), Linked::ForGuests, Linked::WebForGuests, Linked::Early]
        {
            assert_eq!(Linked::parse(&format!("{}.3", linked.name())), Some(linked.clone()));
            assert_eq!(Linked::parse(&linked.name()), Some(linked));
        }
        for name in ["marked-original-k7M2", "marked-preview", "marked-", "huge", "face-x"] {
            assert_eq!(Linked::parse(name), None, "{name}");
        }
        assert!(!Linked::Stored(Size::Original).is_rendition() && !Linked::WebForGuests.is_rendition());
        // No cache may share what is not what is stored.
        assert!(!Linked::Early.is_rendition());
    }
}
