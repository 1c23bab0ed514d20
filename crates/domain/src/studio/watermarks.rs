//! The mark on what guests see of photos.

use crate::Refusal;
use crate::operations::runtime::texts;
use crate::studio::studios::Ground;

/// Longest text of a watermark, in Unicode code points.
const TEXT_LENGTH: usize = 60;
/// How much of a mark is seen, in hundredths: less is not seen at all.
const OPACITIES: std::ops::RangeInclusive<i64> = 10..=100;

/// A photographer's watermark. It is on what guests see of the photos, and never on an original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watermark {
    /// Its name in links: random, and another one after each change.
    pub name: String,
    /// What it is a mark of.
    pub sign: Sign,
    /// Where it is.
    pub position: Position,
    /// How much of it is seen.
    pub opacity: Opacity,
    /// Whether it is on what guests save in web size, too.
    pub on_downloads: bool,
}

/// What a watermark shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Letters.
    Text(String),
    /// The studio's logo for such a ground.
    Logo(Ground),
}

impl Sign {
    /// What is entered: a text, or without one the logo for a ground that is called `light` or `dark`; `light` where nothing
    /// is said.
    ///
    /// # Errors
    /// [`Refusal::WatermarkTextTooLong`] or [`Refusal::WatermarkInvalid`].
    pub fn parse(text: &str, logo: &str) -> Result<Self, Refusal> {
        let ground = match logo {
            "" | "light" => Ground::Light,
            "dark" => Ground::Dark,
            _ => return Err(Refusal::WatermarkInvalid),
        };
        Ok(parse_text(text)?.map_or(Self::Logo(ground), Self::Text))
    }

    /// What it says.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Logo(_) => None,
        }
    }

    /// Which logo it is.
    pub const fn logo(&self) -> Option<Ground> {
        match self {
            Self::Text(_) => None,
            Self::Logo(ground) => Some(*ground),
        }
    }
}

/// Where a watermark is on a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// In the lower right corner.
    BottomRight,
    /// In the lower left corner.
    BottomLeft,
    /// In the middle.
    Center,
    /// All over.
    Tiled,
}

impl Position {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::BottomRight, Self::BottomLeft, Self::Center, Self::Tiled];

    /// Its name in the contract and the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BottomRight => "bottom_right",
            Self::BottomLeft => "bottom_left",
            Self::Center => "center",
            Self::Tiled => "tiled",
        }
    }

    /// What has this name.
    ///
    /// # Errors
    /// [`Refusal::WatermarkInvalid`].
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let named = Self::ALL.into_iter().find(|position| position.as_str() == text);
        named.ok_or(Refusal::WatermarkInvalid)
    }
}

/// How much of a watermark is seen, in hundredths: 10 to 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opacity(u8);

impl Opacity {
    /// From hundredths.
    ///
    /// # Errors
    /// [`Refusal::WatermarkInvalid`].
    pub fn new(hundredths: i64) -> Result<Self, Refusal> {
        let known = Some(hundredths).filter(|hundredths| OPACITIES.contains(hundredths));
        known.and_then(|known| u8::try_from(known).ok()).map(Self).ok_or(Refusal::WatermarkInvalid)
    }

    /// In hundredths.
    pub const fn hundredths(self) -> u8 {
        self.0
    }
}

/// What a watermark says: one line of at most 60 characters; none where it is empty.
fn parse_text(text: &str) -> Result<Option<String>, Refusal> {
    let text = texts::one_line(text);
    match text.chars().count() {
        0 => Ok(None),
        length if length > TEXT_LENGTH => Err(Refusal::WatermarkTextTooLong),
        _ => Ok(Some(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_line_of_at_most_60_characters_or_the_logo() {
        assert_eq!(parse_text(" © Studio\nमीरा ").unwrap().as_deref(), Some("© Studio मीरा"));
        assert_eq!(parse_text(" \t").unwrap(), None);
        assert!(parse_text(&"म".repeat(TEXT_LENGTH)).unwrap().is_some());
        assert_eq!(parse_text(&"a".repeat(TEXT_LENGTH + 1)), Err(Refusal::WatermarkTextTooLong));
    }

    #[test]
    fn a_mark_without_a_text_is_a_logo() {
        assert_eq!(Sign::parse("Meera", "dark"), Ok(Sign::Text(String::from("Meera"))));
        for (logo, ground) in [("", Ground::Light), ("light", Ground::Light), ("dark", Ground::Dark)] {
            assert_eq!(Sign::parse(" ", logo), Ok(Sign::Logo(ground)));
        }
        assert_eq!(Sign::parse("", "white"), Err(Refusal::WatermarkInvalid));
    }

    #[test]
    fn positions_and_opacities_are_those_there_are() {
        for position in Position::ALL {
            assert_eq!(Position::parse(position.as_str()), Ok(position));
        }
        assert_eq!(Position::parse("top"), Err(Refusal::WatermarkInvalid));
        for hundredths in [10, 40, 100] {
            assert_eq!(i64::from(Opacity::new(hundredths).unwrap().hundredths()), hundredths);
        }
        for hundredths in [i64::MIN, 0, 9, 101, 266, i64::MAX] {
            assert_eq!(Opacity::new(hundredths), Err(Refusal::WatermarkInvalid), "{hundredths}");
        }
    }
}
