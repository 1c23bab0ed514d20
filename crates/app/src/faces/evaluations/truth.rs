//! The ground truth of `truth.json`: who is in which photo.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

#[derive(Deserialize)]
pub(super) struct GroundTruth {
    /// The names of the files in `photos/` in which each person is; a person's selfie is `selfies/PERSON.jpg`.
    pub(super) people: BTreeMap<String, BTreeSet<String>>,
    /// People who are in no photo; a stranger's selfie is `strangers/PERSON.jpg`.
    #[serde(default)]
    pub(super) strangers: Vec<String>,
    /// How wide each person's face is in each photo, in pixels, where that is known.
    #[serde(default)]
    pub(super) faces: BTreeMap<String, BTreeMap<String, f64>>,
}

impl GroundTruth {
    pub(super) fn width(&self, person: &str, photo: &str) -> Option<f64> {
        self.faces.get(photo)?.get(person).copied()
    }
}
