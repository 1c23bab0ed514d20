//! The language in which the service writes to a photographer.

use crate::Refusal;

/// One of the languages of photographers' screens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AccountLanguage {
    /// English, which an account has that says nothing else.
    #[default]
    English,
    /// Hindi.
    Hindi,
}

impl AccountLanguage {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::English, Self::Hindi];

    /// Its tag (BCP 47), which is its name in the contract and in the database.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Hindi => "hi",
        }
    }

    /// The language of a tag in the database.
    pub fn from_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.tag() == tag)
    }

    /// The language that a photographer has chosen.
    ///
    /// # Errors
    /// [`Refusal::LanguageUnknown`] for any other.
    pub fn parse(tag: &str) -> Result<Self, Refusal> {
        Self::from_tag(tag).ok_or(Refusal::LanguageUnknown)
    }

    /// The first language of a list of primary subtags, the preferred ones first, as `Accept-Language` has them; English where none is
    /// one.
    pub fn preferred(tags: &[String]) -> Self {
        tags.iter().find_map(|tag| Self::from_tag(tag)).unwrap_or_default()
    }

    /// Whether a number takes the form of one in it (CLDR's plural rules, whole numbers).
    pub const fn is_one(self, count: i64) -> bool {
        match self {
            Self::English => count == 1,
            Self::Hindi => count == 0 || count == 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_language_that_is_known_is_preferred() {
        use AccountLanguage::{English, Hindi};
        for (tags, language) in
            [(&[][..], English), (&["ta", "hi", "en"], Hindi), (&["en", "hi"], English), (&["ta"], English)]
        {
            let tags: Vec<_> = tags.iter().map(|tag| String::from(*tag)).collect();
            assert_eq!(AccountLanguage::preferred(&tags), language, "{tags:?}");
        }
    }

    #[test]
    fn a_language_is_known_by_its_tag() {
        for language in AccountLanguage::ALL {
            assert_eq!(AccountLanguage::parse(language.tag()), Ok(language));
        }
        for tag in ["", "EN", "hi-IN", "ta"] {
            assert_eq!(AccountLanguage::parse(tag), Err(Refusal::LanguageUnknown), "{tag}");
        }
    }

    #[test]
    fn none_is_one_in_hindi_alone() {
        let ones = |language: AccountLanguage| [0, 1, 2, 21].map(|count| language.is_one(count));
        assert_eq!(ones(AccountLanguage::English), [false, true, false, false]);
        assert_eq!(ones(AccountLanguage::Hindi), [true, true, false, false]);
    }
}
