//! Measures searches in a folder with ground truth: every person in it searches with their own selfie.

mod curves;
mod truth;

use std::collections::BTreeSet;
use std::path::Path;

use domain::faces::{Embedding, Strictness};
use media::decoders::Decoders;
use vision::Recognisers;

pub use curves::{Curve, Group, Point};
pub use vision::evaluation::Tally;

use crate::faces::folders::{self, FaceIndex, FolderIndex, Progress};
use crate::faces::search::{self, Selfies};
use crate::{Failure, Result};
use curves::Search;
use truth::GroundTruth;

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
    /// The outcome at other thresholds, by the width of faces and in smaller indexes; the first is that of everything.
    pub curves: Vec<Curve>,
    /// What 'That's not me' does at each strictness, the strictest first.
    pub rejections: [(Strictness, Rejections); Strictness::ALL.len()],
}

/// What searches find after one face of their result was rejected, added up over every face of every result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rejections {
    /// Rejected faces of somebody else.
    pub rightly: u64,
    /// Photos of the person that were found before and are not found after these.
    pub lost: u64,
    /// Other photos of somebody else that were found before these.
    pub wrong_before: u64,
    /// Those of them that are found after.
    pub wrong_after: u64,
    /// Rejected faces of the person: a slip.
    pub by_mistake: u64,
    /// Other photos of the person that were found before these.
    pub right_before: u64,
    /// Those of them that are found after.
    pub right_after: u64,
}

impl Rejections {
    /// Counts the searches of a person who is in the photos `truth`, after each of their hits is rejected.
    fn count(
        &mut self,
        face_index: &FaceIndex<'_>,
        queries: &[Embedding],
        strictness: Strictness,
        truth: &BTreeSet<String>,
    ) -> Result<()> {
        let name =
            |row: usize| face_index.photo(row).file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let search = |rejected: &[usize]| -> Result<BTreeSet<&str>> {
            let hits = face_index.faces().search_without(queries, rejected, strictness)?;
            Ok(hits.iter().map(|hit| name(hit.row)).collect())
        };
        let before = search(&[])?;
        for hit in face_index.faces().search(queries, strictness)? {
            let after = search(&[hit.row])?;
            let others = before.iter().filter(|photo| **photo != name(hit.row));
            let (right, wrong): (Vec<&str>, Vec<&str>) = others.partition(|photo| truth.contains(**photo));
            let found =
                |photos: &[&str]| photos.iter().filter(|photo| after.contains(**photo)).count() as u64;
            if truth.contains(name(hit.row)) {
                self.by_mistake += 1;
                self.right_before += right.len() as u64;
                self.right_after += found(&right);
            } else {
                self.rightly += 1;
                self.lost += right.len() as u64 - found(&right);
                self.wrong_before += wrong.len() as u64;
                self.wrong_after += found(&wrong);
            }
        }
        Ok(())
    }
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
    let face_index = FaceIndex::of(engine, &index)?;
    let mut rejections = Strictness::ALL.map(|strictness| (strictness, Rejections::default()));
    let mut refused = Vec::new();
    let mut find = |folder: &str, person: &str| -> Result<Option<Vec<Embedding>>> {
        let file = dir.join(folder).join(format!("{person}.jpg"));
        let picture = std::fs::read(&file).map_err(|error| unreadable(&file, &error))?;
        let selfies = Selfies {
            pictures: vec![picture.into()],
            face: None,
            strictness: Strictness::default(),
            rejected: Vec::new(),
            wants_preview: false,
            found_before: false,
            admission: None,
        };
        let mut pictures = search::open(&Decoders::in_process(), &selfies)?;
        match search::detect_faces(engine, &mut pictures, &selfies, Recognisers::Current, &|_, _| {}) {
            Ok(detected) => Ok(Some(detected.person.current)),
            Err(Failure::Refused(refusal)) => {
                refused.push((person.to_owned(), refusal.to_string()));
                Ok(None)
            }
            Err(failure) => Err(failure),
        }
    };
    let mut searches = Vec::new();
    for (person, there) in &truth.people {
        let queries = find("selfies", person)?;
        for (strictness, counted) in &mut rejections {
            counted.count(&face_index, queries.as_deref().unwrap_or_default(), *strictness, there)?;
        }
        searches.push(Search { queries, person: Some(person) });
    }
    for person in &truth.strangers {
        searches.push(Search { queries: find("strangers", person)?, person: None });
    }
    drop(face_index);
    let curves = curves::draw(engine, &index, &truth, &searches)?;
    let tallies = Strictness::ALL.map(|strictness| {
        let mut points = curves.iter().take(1).flat_map(|curve| &curve.points);
        let point = points.find(|point| point.strictness == Some(strictness));
        (strictness, point.map(|point| point.tally).unwrap_or_default())
    });
    let searches = searches.len();
    Ok(Evaluation { index, searches, refused, tallies, rejections, curves })
}

fn unreadable(file: &Path, error: &dyn std::error::Error) -> Failure {
    Failure::Internal(format!("{}: {error}", file.display()))
}
