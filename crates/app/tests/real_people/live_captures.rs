//! The live capture on real faces: how far heads are turned in pictures of people, and whether the recogniser tells two people apart
//! when one of them is seen from the side.

use std::num::NonZeroUsize;
use std::path::Path;

use domain::faces::{Embedding, Strictness};
use domain::guests::objections::live_capture::{Side, check_turn, turn_of};
use domain::photos::pixels::Pixels;

use crate::{folder, pictures};

/// People of whom there are at least two pictures, and pictures of each.
const PEOPLE: usize = 120;
const PICTURES: usize = 5;

/// A picture of a person in which one face can be searched with.
struct Picture {
    person: usize,
    turn: f64,
    embedding: Embedding,
}

fn look(engine: &vision::Engine, person: usize, file: &Path) -> Option<Picture> {
    let decoded = image::open(file).unwrap().to_rgb8();
    let pixels = Pixels::new(decoded.width(), decoded.height(), decoded.into_raw()).unwrap();
    let faces = engine.selfie(&pixels).unwrap().faces;
    // Many of these pictures have others at their edge; the person is the first.
    let face = faces.into_iter().next().filter(|face| face.quality.flaw().is_none())?;
    Some(Picture { person, turn: turn_of(&face.landmarks), embedding: face.embedding })
}

/// Below which so many of the numbers are.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a place"
    )]
    let place = (part * sorted.len() as f64) as usize;
    sorted.get(place.min(sorted.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
}

#[test]
fn a_head_that_is_turned_is_told_and_two_people_are_not_taken_for_one() {
    // [FACE514]
    let Some(people) = folder() else { return };
    let one = NonZeroUsize::new(1).unwrap();
    let options = vision::EngineOptions { index_threads: one, selfie_threads: NonZeroUsize::new(2).unwrap() };
    let pack = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let engine = vision::Engine::open(&pack, options).unwrap_or_else(|error| panic!("{error}"));
    let several: Vec<_> =
        pictures(&people).into_values().filter(|files| files.len() >= 2).take(PEOPLE).collect();
    let (even, odd): (Vec<_>, Vec<_>) =
        several.into_iter().enumerate().partition(|(number, _)| number % 2 == 0);
    let all: Vec<Picture> = std::thread::scope(|scope| {
        let looks = [even, odd].map(|part| {
            let engine = &engine;
            scope.spawn(move || {
                let files = part.into_iter().flat_map(|(person, files)| {
                    files.into_iter().take(PICTURES).map(move |file| (person, file))
                });
                files.filter_map(|(person, file)| look(engine, person, &file)).collect::<Vec<_>>()
            })
        });
        looks.into_iter().flat_map(|each| each.join().unwrap()).collect()
    });

    let mut turns: Vec<f64> = all.iter().map(|picture| picture.turn.abs()).collect();
    turns.sort_by(f64::total_cmp);
    let parts = [0.25, 0.5, 0.75, 0.9, 0.95, 0.99].map(|part| format!("{:.2}", quantile(&turns, part)));
    eprintln!("{} pictures; turned by: 25, 50, 75, 90, 95, 99 % below {}", all.len(), parts.join(", "));

    // Each picture from the front with each that is turned enough, as whoever has pictures could send them.
    let (mut own, mut others) = (Vec::new(), Vec::new());
    let similarity = |one: &Embedding, other: &Embedding| {
        let pairs = one.values().iter().zip(other.values());
        f64::from(pairs.map(|(one, other)| one * other).sum::<f32>())
    };
    let mut pairs = 0;
    let mut fit = 0;
    for first in &all {
        for second in &all {
            if std::ptr::eq(first, second) {
                continue;
            }
            let same = first.person == second.person;
            pairs += usize::from(same);
            let sides = [Side::Left, Side::Right];
            let turned = sides.into_iter().any(|side| check_turn(first.turn, second.turn, side).is_ok());
            fit += usize::from(same && turned);
            if turned {
                let similar = similarity(&first.embedding, &second.embedding);
                if same { own.push(similar) } else { others.push(similar) }
            }
        }
    }
    own.sort_by(f64::total_cmp);
    others.sort_by(f64::total_cmp);
    eprintln!("{fit} of {pairs} pairs of pictures of one person fit, to either side");
    eprintln!(
        "{} such pairs; similar: 1, 2, 5, 10, 50 % below {:?}",
        own.len(),
        [0.01, 0.02, 0.05, 0.1, 0.5].map(|part| quantile(&own, part))
    );
    eprintln!(
        "{} pairs of two people; similar: 99, 99.9, 99.99, 100 % below {:?}",
        others.len(),
        [0.99, 0.999, 0.9999, 1.0].map(|part| quantile(&others, part))
    );
    for strictness in Strictness::ALL {
        let empty = engine.face_index(std::iter::empty::<&Embedding>()).unwrap();
        let threshold = f64::from(empty.threshold(strictness));
        let passed = own.iter().filter(|similar| **similar >= threshold).count();
        let wrong = others.iter().filter(|similar| **similar >= threshold).count();
        eprintln!(
            "{}: {threshold:.2}: {passed} of {} pass, {wrong} of {} wrongly",
            strictness.as_str(),
            own.len(),
            others.len()
        );
        // That of `live_captures.rs`.
        if strictness == Strictness::Normal {
            assert!(own.len() > 50 && passed * 10 >= own.len() * 9, "{passed} of {}", own.len());
            assert!(wrong * 1000 <= others.len(), "{wrong} of {}", others.len());
        }
    }
    // Who is photographed by the press looks into the camera about as often as not, and seldom far aside.
    assert!(turns[turns.len() / 2] < 0.12 && quantile(&turns, 0.95) > 0.16);
}
