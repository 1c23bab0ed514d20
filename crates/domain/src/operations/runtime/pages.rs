//! Pages of lists.

use crate::Refusal;

/// How many entries a page has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageSize {
    /// When nobody says it.
    pub default: u32,
    /// At most.
    pub most: u32,
}

impl PageSize {
    /// As many as are asked for.
    ///
    /// # Errors
    /// [`Refusal::Malformed`] for none, and for more than there may be: whoever asks for them would take a part for all.
    pub fn of(self, asked: Option<u32>) -> Result<u32, Refusal> {
        let asked = asked.unwrap_or(self.default);
        if (1..=self.most).contains(&asked) {
            Ok(asked)
        } else {
            Err(Refusal::Malformed(format!("limit must be a number from 1 to {}", self.most)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_as_large_as_it_is_asked_for_or_refused() {
        // [API064]
        let size = PageSize { default: 50, most: 100 };
        assert_eq!([None, Some(1), Some(100)].map(|asked| size.of(asked)), [Ok(50), Ok(1), Ok(100)]);
        for asked in [0, 101, u32::MAX] {
            let refused = size.of(Some(asked)).unwrap_err();
            assert_eq!(refused.text(), "limit must be a number from 1 to 100");
        }
    }
}
