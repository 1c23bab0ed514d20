//! Albums: photos of an event that their photographer has put together, such as 'Ceremony'. A photo may be in several.

use crate::operations::runtime::texts;
use crate::{AlbumId, EventId, Refusal, Timestamp};

/// Most characters of a name.
const NAME_LENGTH: usize = 60;
/// Most albums of an event.
pub const PER_EVENT: usize = 50;

/// An album.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Album {
    /// Its id.
    pub id: AlbumId,
    /// Whose photos it has.
    pub event: EventId,
    /// What it is called; guests read it.
    pub name: String,
    /// When it was made.
    pub created_at: Timestamp,
}

/// By which album photos are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlbumFilter {
    /// Those in this one.
    In(AlbumId),
    /// Those that are in none.
    InNone,
}

impl AlbumFilter {
    /// Parses an album's id, or `none`.
    ///
    /// # Errors
    /// [`Refusal::AlbumNotFound`] for anything else.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        if text == "none" {
            return Ok(Self::InNone);
        }
        text.parse().map(Self::In).map_err(|_| Refusal::AlbumNotFound)
    }
}

/// Parses the name of an album: not empty after trimming, at most 60 characters.
///
/// # Errors
/// [`Refusal::AlbumNameRequired`] or [`Refusal::AlbumNameTooLong`].
pub fn parse_name(text: &str) -> Result<String, Refusal> {
    let name = texts::one_line(text);
    if name.is_empty() {
        Err(Refusal::AlbumNameRequired)
    } else if name.chars().count() > NAME_LENGTH {
        Err(Refusal::AlbumNameTooLong)
    } else {
        Ok(name)
    }
}

/// The albums of an event in the order of these ids. Those that are not named, such as one that was made meanwhile, come
/// last, as they were.
#[must_use]
pub fn arranged(mut albums: Vec<Album>, order: &[AlbumId]) -> Vec<Album> {
    albums.sort_by_key(|album| order.iter().position(|id| *id == album.id).unwrap_or(order.len()));
    albums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Id as _;

    #[test]
    fn a_name_is_one_line_of_at_most_60_characters() {
        assert_eq!(parse_name("  Haldi &\n Mehendi ").unwrap(), "Haldi &  Mehendi");
        assert_eq!(parse_name(" \t"), Err(Refusal::AlbumNameRequired));
        assert_eq!(parse_name(&"फे".repeat(30)).unwrap().chars().count(), 60);
        assert_eq!(parse_name(&"é".repeat(61)), Err(Refusal::AlbumNameTooLong));
    }

    #[test]
    fn albums_are_arranged_by_the_ids_that_are_named() {
        let event = EventId::from_parts(Timestamp::from_millis(1), [0; 10]);
        let albums: Vec<Album> = (1..=4)
            .map(|number| {
                let at = Timestamp::from_millis(number);
                let id = AlbumId::from_parts(at, [0; 10]);
                Album { id, event, name: number.to_string(), created_at: at }
            })
            .collect();
        let [one, two, three] = [albums[0].id, albums[1].id, albums[2].id];
        let names = |order: &[AlbumId]| -> String {
            arranged(albums.clone(), order).into_iter().map(|album| album.name).collect()
        };
        let unknown = AlbumId::from_parts(Timestamp::from_millis(9), [9; 10]);
        assert_eq!(names(&[three, unknown, one, two]), "3124");
        assert_eq!(names(&[two, two]), "2134");
        assert_eq!(names(&[]), "1234");
    }

    #[test]
    fn photos_are_looked_for_in_an_album_or_in_none() {
        let id = AlbumId::from_parts(Timestamp::from_millis(1), [7; 10]);
        assert_eq!(AlbumFilter::parse(&id.to_string()), Ok(AlbumFilter::In(id)));
        assert_eq!(AlbumFilter::parse("none"), Ok(AlbumFilter::InNone));
        assert_eq!(AlbumFilter::parse("Ceremony"), Err(Refusal::AlbumNotFound));
    }
}
