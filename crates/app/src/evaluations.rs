//! Measures searches in a folder with ground truth: every person in it searches with their own selfie.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use domain::faces::{Embedding, Strictness};
use serde::Deserialize;
use vision::evaluation::Tally;

use crate::folders::{self, FolderIndex, Gallery, Progress};
use crate::search::{self, Selfies};
use crate::{Failure, Result};

/// The ground truth of `truth.json`: who is in which photo.
#[derive(Deserialize)]
struct GroundTruth {
    /// The names of the files in `photos/` in which each person is; a person's selfie is `selfies/PERSON.jpg`.
    people: BTreeMap<String, BTreeSet<String>>,
    /// People who are in no photo; a stranger's selfie is `strangers/PERSON.jpg`.
    #[serde(default)]
    strangers: Vec<String>,
}

/// The result of an evaluation.
pub struct Evaluation {
    /// The photos.
    pub index: FolderIndex,
    /// How many people searched, including strangers.
    pub searches: usize,
    /// The people whose selfies were refused, each with the refusal; they count as finding nothing.
    pub refused: Vec<(String, String)>,
    /// The outcome at each strictness, the strictest first.
    pub tallies: [(Strictness, Tally); Strictness::ALL.len()],
}

/// Searches `dir/photos` for everybody in `dir/truth.json`, by `dir/selfies` and `dir/strangers`. The index of the photos
/// is stored in the folder `cache`, so that the next run is faster.
///
/// # Errors
/// When a file is missing or malformed, or the face engine fails.
pub fn evaluate(
    engine: &vision::Engine,
    dir: &Path,
    cache: &Path,
    workers: usize,
    report: &(dyn Fn(&Progress) + Sync),
) -> Result<Evaluation> {
    let file = dir.join("truth.json");
    let text = std::fs::read(&file).map_err(|error| unreadable(&file, &error))?;
    let truth: GroundTruth = serde_json::from_slice(&text).map_err(|error| unreadable(&file, &error))?;
    let photos = dir.join("photos");
    let index = folders::index(engine, &photos, cache, workers, report)?;
    let gallery = Gallery::of(engine, &index)?;
    let mut tallies = Strictness::ALL.map(|strictness| (strictness, Tally::default()));
    let mut refused = Vec::new();
    let mut find = |folder: &str, person: &str| -> Result<Option<Vec<Embedding>>> {
        let file = dir.join(folder).join(format!("{person}.jpg"));
        let picture = std::fs::read(&file).map_err(|error| unreadable(&file, &error))?;
        let selfies = Selfies {
            pictures: vec![picture.into()],
            face: None,
            strictness: Strictness::default(),
            wants_preview: false,
        };
        match search::detect_faces(engine, &selfies) {
            Ok(detected) => Ok(Some(detected.queries)),
            Err(Failure::Refused(refusal)) => {
                refused.push((person.to_owned(), refusal.to_string()));
                Ok(None)
            }
            Err(failure) => Err(failure),
        }
    };
    let names = |queries: &Option<Vec<Embedding>>, strictness| -> Result<BTreeSet<String>> {
        let Some(queries) = queries else { return Ok(BTreeSet::new()) };
        let hits = gallery.search(queries, strictness)?;
        Ok(hits.iter().filter_map(|hit| Some(hit.path.file_name()?.to_str()?.to_owned())).collect())
    };
    for (person, there) in &truth.people {
        let queries = find("selfies", person)?;
        for (strictness, tally) in &mut tallies {
            tally.attendee(&names(&queries, *strictness)?, there);
        }
    }
    for person in &truth.strangers {
        let queries = find("strangers", person)?;
        for (strictness, tally) in &mut tallies {
            tally.stranger(names(&queries, *strictness)?.len());
        }
    }
    let searches = truth.people.len() + truth.strangers.len();
    drop(gallery);
    Ok(Evaluation { index, searches, refused, tallies })
}

fn unreadable(file: &Path, error: &dyn std::error::Error) -> Failure {
    Failure::Internal(format!("{}: {error}", file.display()))
}
