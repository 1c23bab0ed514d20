//! How well people are found in a folder whose truth is known: everybody in it searches with their own selfie.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use domain::faces::{Embedding, Strictness};
use serde::Deserialize;
use vision::evaluation::Tally;

use crate::folders::{self, FolderIndex, Gallery, Progress};
use crate::search::{self, Selfies};
use crate::{Failure, Result};

/// Who is in which photo, as `truth.json` says.
#[derive(Deserialize)]
struct Truth {
    /// The names of the files in `photos/` in which each person is; a person's selfie is `selfies/PERSON.jpg`.
    people: BTreeMap<String, BTreeSet<String>>,
    /// People who are in no photo; a stranger's selfie is `strangers/PERSON.jpg`.
    #[serde(default)]
    strangers: Vec<String>,
}

/// What came of it.
pub struct Evaluation {
    /// The photos.
    pub index: FolderIndex,
    /// How many people searched, strangers too.
    pub searches: usize,
    /// The selfies that were refused, each with the refusal; whoever sent one found nothing.
    pub refused: Vec<(String, String)>,
    /// The outcome at each strictness, the strictest first.
    pub tallies: [(Strictness, Tally); Strictness::ALL.len()],
}

/// Searches `dir/photos` for everybody in `dir/truth.json`, by `dir/selfies` and `dir/strangers`. What is known of
/// the photos is kept in the folder `kept`, so that a second time takes less.
///
/// # Errors
/// When a file is missing or is not what it should be, or the face engine fails.
pub fn evaluate(
    engine: &vision::Engine,
    dir: &Path,
    kept: &Path,
    workers: usize,
    report: &(dyn Fn(&Progress) + Sync),
) -> Result<Evaluation> {
    let file = dir.join("truth.json");
    let text = std::fs::read(&file).map_err(|error| broken(&file, &error))?;
    let truth: Truth = serde_json::from_slice(&text).map_err(|error| broken(&file, &error))?;
    let photos = dir.join("photos");
    let index = folders::index(engine, &photos, kept, workers, report)?;
    let gallery = Gallery::of(engine, &index)?;
    let mut tallies = Strictness::ALL.map(|strictness| (strictness, Tally::default()));
    let mut refused = Vec::new();
    let mut find = |folder: &str, person: &str| -> Result<Option<Vec<Embedding>>> {
        let file = dir.join(folder).join(format!("{person}.jpg"));
        let picture = std::fs::read(&file).map_err(|error| broken(&file, &error))?;
        let selfies =
            Selfies { pictures: vec![picture.into()], face: None, strictness: Strictness::default() };
        match search::look_at(engine, &selfies) {
            Ok(seen) => Ok(Some(seen.queries)),
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

fn broken(file: &Path, error: &dyn std::error::Error) -> Failure {
    Failure::Internal(format!("{}: {error}", file.display()))
}
