//! What a check reports.

use std::fmt;

/// A violated rule at a place: a crate, or a file with the line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    pub(crate) place: String,
    pub(crate) text: String,
}

impl Violation {
    pub(crate) fn new(place: impl Into<String>, text: impl Into<String>) -> Self {
        Self { place: place.into(), text: text.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.place, self.text)
    }
}
