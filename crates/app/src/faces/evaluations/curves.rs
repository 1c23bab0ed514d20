//! Recall over precision, for thresholds around the pack's: of all searches, by the width of faces, and by the size of
//! the index.

use std::collections::{BTreeMap, BTreeSet};

use domain::faces::{Embedding, Strictness};
use vision::evaluation::Tally;

use super::truth::GroundTruth;
use crate::Result;
use crate::faces::folders::{FaceIndex, FolderIndex};

/// What a curve is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Everything.
    All,
    /// The faces of some widths.
    FaceWidth,
    /// An index of some size: every second photo, every fourth, every eighth.
    IndexSize,
}

/// Searches at many thresholds.
#[derive(Clone, Debug)]
pub struct Curve {
    /// What it is of.
    pub group: Group,
    /// Which widths in pixels, or how many faces.
    pub label: String,
    /// By falling threshold.
    pub points: Vec<Point>,
}

/// Searches at one threshold.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// None of the three where a threshold is in between.
    pub strictness: Option<Strictness>,
    /// The lowest similarity that counted as the same person.
    pub threshold: f32,
    /// The outcome.
    pub tally: Tally,
}

/// Somebody who searched.
pub(super) struct Search<'a> {
    /// None when the selfie was refused.
    pub(super) queries: Option<Vec<Embedding>>,
    /// None for a stranger.
    pub(super) person: Option<&'a str>,
}

/// A photo that a search could find.
struct Found<'a> {
    photo: &'a str,
    similarity: f32,
    width: f64,
}

/// How far thresholds are tried on both sides of that of a normal search.
const REACH: i16 = 10;
const STEP: f32 = 0.02;

/// Faces are told apart by these widths in pixels.
const WIDTHS: [f64; 6] = [24.0, 32.0, 48.0, 80.0, 160.0, f64::INFINITY];

/// No index is measured that has fewer photos.
const FEWEST_PHOTOS: usize = 10;

/// The curves of an event; the first is that of all searches.
pub(super) fn draw(
    engine: &vision::Engine,
    index: &FolderIndex,
    truth: &GroundTruth,
    searches: &[Search<'_>],
) -> Result<Vec<Curve>> {
    let (mut curves, mut sizes) = (Vec::new(), Vec::new());
    for step in [1, 2, 4, 8] {
        let photos: BTreeSet<&str> = index.names(step).collect();
        if step > 1 && photos.len() < FEWEST_PHOTOS {
            break;
        }
        let face_index = FaceIndex::of_every(step, engine, index)?;
        let thresholds = thresholds(&face_index);
        let lowest = thresholds.last().map_or(0.0, |(_, threshold)| *threshold);
        let found =
            searches.iter().map(|search| found(&face_index, search, lowest)).collect::<Result<Vec<_>>>()?;
        let sum = |group, label: String, widths: Option<(f64, f64)>| {
            let tally = |threshold| tally(truth, &photos, searches, &found, threshold, widths);
            let point = |(strictness, threshold)| Point { strictness, threshold, tally: tally(threshold) };
            Curve { group, label, points: thresholds.iter().copied().map(point).collect() }
        };
        if step == 1 {
            curves.push(sum(Group::All, String::from("all"), None));
            if !truth.faces.is_empty() {
                let mut from = 0.0;
                for to in WIDTHS {
                    curves.push(sum(Group::FaceWidth, range(from, to), Some((from, to))));
                    from = to;
                }
            }
        }
        sizes.push(sum(Group::IndexSize, format!("{} faces", face_index.faces().len()), None));
    }
    curves.extend(sizes);
    let has_photos =
        |curve: &Curve| curve.points.iter().any(|point| point.tally.right + point.tally.missed > 0);
    curves.retain(|curve| curve.group == Group::All || has_photos(curve));
    Ok(curves)
}

fn range(from: f64, to: f64) -> String {
    match (from > 0.0, to.is_finite()) {
        (false, _) => format!("under {to} px"),
        (true, true) => format!("{from} to {to} px"),
        (true, false) => format!("{from} px and more"),
    }
}

/// The three of the pack and those between and beside them, falling.
fn thresholds(face_index: &FaceIndex<'_>) -> Vec<(Option<Strictness>, f32)> {
    let normal = face_index.faces().threshold(Strictness::Normal);
    let around = (-REACH..=REACH).map(|steps| (None, (normal + f32::from(steps) * STEP).clamp(0.0, 1.0)));
    let named =
        Strictness::ALL.map(|strictness| (Some(strictness), face_index.faces().threshold(strictness)));
    let mut all: Vec<_> = around.chain(named).collect();
    all.sort_by(|one, other| other.1.total_cmp(&one.1));
    all
}

/// The photos that are at least as similar as `lowest`, each once, with its best face.
fn found<'a>(face_index: &FaceIndex<'a>, search: &Search<'_>, lowest: f32) -> Result<Vec<Found<'a>>> {
    let queries = search.queries.as_deref().unwrap_or_default();
    if queries.is_empty() {
        return Ok(Vec::new());
    }
    let mut best = BTreeMap::new();
    // They come best first.
    for hit in face_index.faces().search_above(queries, &[], lowest)? {
        let photo = face_index.photo(hit.row).file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let width = face_index.width(hit.row);
        best.entry(photo).or_insert(Found { photo, similarity: hit.similarity, width });
    }
    Ok(best.into_values().collect())
}

/// What all searches come to at a threshold; of `widths`, the faces of the truth and the wrong ones of these widths alone.
fn tally(
    truth: &GroundTruth,
    photos: &BTreeSet<&str>,
    searches: &[Search<'_>],
    found: &[Vec<Found<'_>>],
    threshold: f32,
    widths: Option<(f64, f64)>,
) -> Tally {
    let of_width = |width: f64| widths.is_none_or(|(from, to)| (from..to).contains(&width));
    let mut tally = Tally::default();
    for (search, found) in searches.iter().zip(found) {
        let found = found.iter().filter(|found| found.similarity >= threshold);
        let Some(person) = search.person else {
            tally.stranger(found.filter(|found| of_width(found.width)).count());
            continue;
        };
        let there = truth.people.get(person);
        let is_there = |photo: &str| there.is_some_and(|there| there.contains(photo));
        let counts = |found: &Found<'_>| match is_there(found.photo) {
            true => widths.is_none() || truth.width(person, found.photo).is_some_and(of_width),
            false => of_width(found.width),
        };
        let expected = there.into_iter().flatten().map(String::as_str);
        let expected = expected
            .filter(|photo| photos.contains(photo))
            .filter(|photo| widths.is_none() || truth.width(person, photo).is_some_and(of_width));
        tally.attendee(
            &found.filter(|found| counts(found)).map(|found| found.photo).collect(),
            &expected.collect(),
        );
    }
    tally
}
