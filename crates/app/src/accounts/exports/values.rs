//! How single values are written in `data.json`.

use domain::{Paise, Timestamp};
use serde::{Serialize, Serializer};

/// A moment, as RFC 3339.
pub(super) struct Moment(pub(super) Timestamp);

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.to_rfc3339())
    }
}

/// An amount in rupees.
pub(super) struct Rupees(pub(super) Paise);

impl Serialize for Rupees {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0.as_rupees())
    }
}

/// An id, as its text.
pub(super) struct Id<T>(pub(super) T);

impl<T: std::fmt::Display> Serialize for Id<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}
