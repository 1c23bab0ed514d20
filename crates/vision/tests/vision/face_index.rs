//! Search is exact, nested by strictness, and better with more selfies.

use domain::faces::{Embedding, Strictness};
use proptest::prelude::*;
use vision::{Agreement, DimensionError, FaceIndex, Margins, Matching, Thresholds};

fn matching() -> Matching {
    let row = |faces, normal: f32| Thresholds { faces, strict: normal + 0.04, normal, loose: normal - 0.06 };
    Matching::new(vec![row(100.0, 0.5), row(10_000.0, 0.6)], 5, 0.6)
}

/// Numbers without pattern that are the same in every run.
fn noise(seed: u64, length: usize) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    };
    (0..length).map(|_| next()).collect()
}

/// A face of `person`, `spread` away from their mean.
fn face(person: u64, picture: u64, spread: f32) -> Embedding {
    let (mean, own) = (noise(person + 1, 100), noise((person + 1) * 1000 + picture, 100));
    Embedding::normalised(mean.iter().zip(own).map(|(mean, own)| mean + spread * own).collect()).unwrap()
}

#[test]
fn thresholds_rise_with_the_face_index() {
    let matching = matching();
    let at = |faces| matching.threshold(faces, Strictness::Normal);
    assert_eq!((at(1), at(100), at(10_000), at(10_000_000)), (0.5, 0.5, 0.6, 0.6));
    assert!((at(1000) - 0.55).abs() < 1e-6, "half way between a hundred and ten thousand");
    assert_eq!(at(0), 0.5);
}

#[test]
fn everyone_is_found_and_nobody_else() {
    // A face takes less memory than its embedding does in 32-bit floats.
    let people = 40;
    let faces: Vec<Embedding> = (0..people * 5).map(|at| face(at % people, at / people, 0.5)).collect();
    let face_index = FaceIndex::build(&matching(), &faces).unwrap();
    assert_eq!((face_index.len(), face_index.is_empty()), (200, false));
    assert!(face_index.bytes() >= 200 * 100 * 3 && face_index.bytes() < 200 * 100 * 4);
    for person in 0..people {
        let hits = face_index.search(&[face(person, 99, 0.5)], Strictness::Normal).unwrap();
        assert!(hits.windows(2).all(|pair| pair[0].similarity >= pair[1].similarity), "best first");
        assert!(hits.iter().all(|hit| (0.0..=1.0).contains(&hit.similarity)));
        let mut rows: Vec<usize> = hits.iter().map(|hit| hit.row).collect();
        rows.sort_unstable();
        let expected: Vec<usize> = (0..5).map(|picture| (picture * people + person) as usize).collect();
        assert_eq!(rows, expected);
    }
    assert!(
        face_index.search(&[face(people + 7, 0, 0.5)], Strictness::Loose).unwrap().is_empty(),
        "a stranger"
    );
}

#[test]
fn a_query_is_expanded_by_its_confident_matches() {
    // In degrees from the selfie: three that are like it, and one that is only like those.
    let turned = |degrees: f32| {
        let (y, x) = degrees.to_radians().sin_cos();
        Embedding::normalised(vec![x, y]).unwrap()
    };
    let selfie = turned(0.0);
    let faces = [turned(35.0), turned(40.0), turned(45.0), turned(65.0)];
    let plain = Matching::new(vec![Thresholds { faces: 1.0, strict: 0.5, normal: 0.5, loose: 0.5 }], 0, 0.6);
    let learning =
        Matching::new(vec![Thresholds { faces: 1.0, strict: 0.5, normal: 0.5, loose: 0.5 }], 5, 0.6);
    let found = |matching: &Matching| {
        let face_index = FaceIndex::build(matching, &faces).unwrap();
        face_index.search(std::slice::from_ref(&selfie), Strictness::Normal).unwrap().len()
    };
    assert_eq!((found(&plain), found(&learning)), (3, 4));
}

#[test]
fn faces_in_question_that_are_one_persons_are_looked_at_together() {
    // In degrees from the selfie; a face alone is found up to 60.
    let turned = |degrees: f32| {
        let (y, x) = degrees.to_radians().sin_cos();
        Embedding::normalised(vec![x, y]).unwrap()
    };
    let row = Thresholds { faces: 1.0, strict: 0.5, normal: 0.5, loose: 0.5 };
    let rows = |degrees: &[f32]| {
        let faces: Vec<Embedding> = degrees.iter().copied().map(turned).collect();
        let face_index = FaceIndex::build(&Matching::new(vec![row], 5, 0.72), &faces).unwrap();
        let hits = face_index.search(&[turned(0.0)], Strictness::Normal).unwrap();
        let mut rows: Vec<usize> = hits.iter().map(|hit| hit.row).collect();
        rows.sort_unstable();
        rows
    };
    assert_eq!(rows(&[58.0]), [0]);
    assert!(rows(&[58.0, 66.0, 71.0]).is_empty(), "other pictures of that person are less like the selfie");
    assert!(rows(&[61.0]).is_empty());
    assert_eq!(rows(&[61.0, 46.0]), [0, 1], "one that is surely the same person's is found");
    assert_eq!(rows(&[70.0, 46.0]), [1], "others settle doubts, and do not vouch for a face by themselves");
    assert_eq!(rows(&[58.0, -58.0]), [0, 1], "two people");
}

#[test]
fn more_faces_in_question_than_are_compared_are_found_all_the_same() {
    let faces: Vec<Embedding> = (0..1_500).map(|picture| face(3, picture, 0.5)).collect();
    let face_index = FaceIndex::build(&matching(), &faces).unwrap();
    for strictness in Strictness::ALL {
        assert_eq!(face_index.search(&[face(3, 9_999, 0.5)], strictness).unwrap().len(), 1_500);
    }
    assert!(face_index.search(&[face(4, 0, 0.5)], Strictness::Loose).unwrap().is_empty(), "somebody else");
}

#[test]
fn selfies_of_one_person_are_averaged_and_of_two_are_not() {
    // [FACE053] In degrees: what lies between two selfies of one person is as near as if it were one of them.
    let turned = |degrees: f32| {
        let (y, x) = degrees.to_radians().sin_cos();
        Embedding::normalised(vec![x, y]).unwrap()
    };
    let row = Thresholds { faces: 1.0, strict: 0.9, normal: 0.9, loose: 0.5 };
    let face_index =
        FaceIndex::build(&Matching::new(vec![row], 0, 0.9), &[turned(25.0), turned(170.0)]).unwrap();
    let search = |selfies: &[Embedding]| face_index.search(selfies, Strictness::Normal).unwrap();
    assert!((search(&[turned(0.0), turned(50.0)])[0].similarity - 1.0).abs() < 1e-5, "their mean");
    let both = search(&[turned(20.0), turned(165.0)]);
    assert_eq!(
        both.iter().map(|hit| hit.row).collect::<Vec<_>>(),
        [0, 1],
        "two people, each by their own selfie"
    );
    assert!(search(&[]).is_empty());
}

#[test]
fn what_is_nearer_to_a_rejected_face_is_neither_found_nor_learned_from() {
    // In degrees from the selfie.
    let turned = |degrees: f32| {
        let (y, x) = degrees.to_radians().sin_cos();
        Embedding::normalised(vec![x, y]).unwrap()
    };
    let row = Thresholds { faces: 1.0, strict: 0.5, normal: 0.5, loose: 0.5 };
    let faces = [turned(-10.0), turned(40.0), turned(45.0), turned(50.0), turned(-50.0)];
    let rows = |rejected: &[usize], expansion: usize, confidence: f32| {
        let face_index = FaceIndex::build(&Matching::new(vec![row], expansion, confidence), &faces).unwrap();
        let hits = face_index.search_without(&[turned(0.0)], rejected, Strictness::Normal).unwrap();
        let mut rows: Vec<usize> = hits.iter().map(|hit| hit.row).collect();
        rows.sort_unstable();
        rows
    };
    assert_eq!(rows(&[], 0, 0.9), [0, 1, 2, 3, 4]);
    assert_eq!(rows(&[3], 0, 0.9), [0, 4]);
    assert_eq!(rows(&[4], 0, 0.9), [0, 1, 2, 3]);
    assert_eq!(rows(&[3, 4], 0, 0.9), [0]);
    // A face to learn from is the person: it excludes itself alone, and the search learns from it.
    assert_eq!(rows(&[1], 5, 0.66), [0, 2, 3]);
    assert_eq!(rows(&[0], 0, 0.9), [1, 2, 3, 4]);
    assert_eq!(rows(&[3], 0, 0.6), [0, 1, 2, 4]);
    // Learning from 40° and 45° would turn the query away from -50°.
    assert_eq!(rows(&[], 5, 0.66), [0, 1, 2, 3]);
    assert_eq!(rows(&[3], 5, 0.66), [0, 4]);
    assert!(rows(&[0, 1, 2, 3, 4], 0, 0.9).is_empty() && rows(&[99], 0, 0.9).len() == 5);
}

#[test]
fn who_vouches_for_a_face_is_who_keeps_it_after_a_slip() {
    // The first number is the similarity to the selfie.
    let row = Thresholds { faces: 1.0, strict: 0.5, normal: 0.5, loose: 0.5 };
    let found = |faces: &[[f32; 3]], rejected: &[usize]| {
        let faces: Vec<Embedding> =
            faces.iter().map(|face| Embedding::normalised(face.to_vec()).unwrap()).collect();
        let face_index = FaceIndex::build(&Matching::new(vec![row], 5, 0.72), &faces).unwrap();
        let selfie = Embedding::normalised(vec![1.0, 0.0, 0.0]).unwrap();
        let hits = face_index.search_without(&[selfie], rejected, Strictness::Normal).unwrap();
        let mut rows: Vec<usize> = hits.iter().map(|hit| hit.row).collect();
        rows.sort_unstable();
        rows
    };
    // Two that are more like the guest together than each of them, 0.48, by 0.025: nobody vouches for them.
    assert!(found(&[[0.48, 0.821, 0.31], [0.48, 0.821, -0.31]], &[]).is_empty());
    // A slip: 0.595 to the second, which counts as 0.57 because of the third, and alone as 0.52.
    let guest = [[0.6, 0.331, 0.728], [0.52, 0.854, 0.0], [0.71, 0.704, 0.0]];
    assert_eq!(found(&guest, &[]), [0, 1, 2]);
    assert_eq!(found(&guest, &[0]), [1, 2], "one that others vouch for stays");
    assert_eq!(found(&guest[..2], &[0]), Vec::<usize>::new(), "one for which nobody does goes");
    // Somebody else: 0.664 to the second, which alone counts as 0.62, and as 0.515 because of the third.
    let other = [[0.52, 0.854, 0.0], [0.62, 0.4, 0.675], [0.4, 0.5, 0.768]];
    assert_eq!(found(&other, &[]), [0, 1]);
    assert!(found(&other, &[0]).is_empty(), "one that is less like the guest than it seems goes too");
    assert_eq!(found(&other[..2], &[0]), [1]);
}

/// The rows that a normal search for `[1, 0, …]` finds from 0.5 on; a face from 0.6 on is learned from.
fn found_from_half_on(change: impl FnOnce(Matching) -> Matching, faces: &[&[f32]]) -> Vec<usize> {
    let row = Thresholds { faces: 1.0, strict: 0.5, normal: 0.5, loose: 0.5 };
    let embedding = |values: &[f32]| Embedding::normalised(values.to_vec()).unwrap();
    let embeddings: Vec<Embedding> = faces.iter().map(|face| embedding(face)).collect();
    let face_index = FaceIndex::build(&change(Matching::new(vec![row], 5, 0.6)), &embeddings).unwrap();
    let mut selfie = vec![0.0; faces[0].len()];
    selfie[0] = 1.0;
    let hits = face_index.search(&[embedding(&selfie)], Strictness::Normal).unwrap();
    let mut rows: Vec<usize> = hits.iter().map(|hit| hit.row).collect();
    rows.sort_unstable();
    rows
}

#[test]
fn several_faces_that_are_alike_are_learned_from_where_none_is_sure_by_itself() {
    let agreement = |faces: usize, below: f32| {
        let agreement = Agreement { faces, below, among: 0.6 };
        move |matching: Matching| matching.with_agreement(Some(agreement))
    };
    // The first number is the similarity to the selfie. The last is the same person's as the first three.
    let alike: [&[f32]; 4] = [
        &[0.58, 0.78, 0.235, 0.0],
        &[0.58, 0.78, 0.0, 0.235],
        &[0.58, 0.815, 0.0, 0.0],
        &[0.3, 0.954, 0.0, 0.0],
    ];
    assert_eq!(found_from_half_on(|matching| matching, &alike), [0, 1, 2]);
    assert_eq!(found_from_half_on(agreement(3, 0.1), &alike), [0, 1, 2, 3]);
    assert_eq!(found_from_half_on(agreement(4, 0.1), &alike), [0, 1, 2], "they are too few");
    assert_eq!(
        found_from_half_on(agreement(3, 0.01), &alike),
        [0, 1, 2],
        "they are too little like the person"
    );
    // 0.34 to each other; the mean of all would find the last.
    let apart: [&[f32]; 4] = [
        &[0.58, 0.0, 0.0, 0.815],
        &[0.58, 0.0, 0.815, 0.0],
        &[0.58, 0.815, 0.0, 0.0],
        &[0.3, 0.55, 0.55, 0.55],
    ];
    assert_eq!(found_from_half_on(agreement(3, 0.1), &apart), [0, 1, 2], "they are three people");
    // One that is sure is learned from alone, and others beside it only where they agree with it: the second is somebody else,
    // and would turn the search to their other face.
    let sure: [&[f32]; 3] = [&[0.7, 0.714, 0.0, 0.0], &[0.65, 0.0, 0.76, 0.0], &[0.3, 0.0, 0.954, 0.0]];
    assert_eq!(found_from_half_on(|matching| matching, &sure), [0, 1, 2]);
    assert_eq!(found_from_half_on(agreement(3, 0.1), &sure), [0, 1]);
}

#[test]
fn what_only_the_learned_finds_has_to_be_more_similar() {
    // By what is learned from the first the second is 0.516 and the third 0.505 similar, by the selfie 0.45 and 0.51.
    let faces: [&[f32]; 3] = [&[0.7, 0.714, 0.0], &[0.45, 0.26, 0.854], &[0.51, 0.09, -0.855]];
    let learned = |learned: f32| {
        move |matching: Matching| matching.with_margins(Margins { learned, ..Margins::default() })
    };
    assert_eq!(found_from_half_on(learned(0.0), &faces), [0, 1, 2]);
    assert_eq!(found_from_half_on(learned(0.01), &faces), [0, 1, 2]);
    assert_eq!(found_from_half_on(learned(0.02), &faces), [0, 2]);
    assert_eq!(found_from_half_on(learned(0.3), &faces), [0, 2], "by the selfie they are found as before");
}

#[test]
fn embeddings_of_another_pack_are_refused() {
    let short = Embedding::normalised(vec![1.0; 50]).unwrap();
    let expected = DimensionError { expected: 100, found: 50 };
    assert_eq!(FaceIndex::build(&matching(), [&face(0, 0, 0.5), &short]).unwrap_err(), expected);
    let face_index = FaceIndex::build(&matching(), [&face(0, 0, 0.5)]).unwrap();
    assert_eq!(face_index.search(std::slice::from_ref(&short), Strictness::Normal).unwrap_err(), expected);
    assert!(
        FaceIndex::build(&matching(), []).unwrap().search(&[short], Strictness::Normal).unwrap().is_empty()
    );
}

#[test]
fn debug_output_shows_no_numbers() {
    // [SAFE038]
    let face_index = FaceIndex::build(&matching(), [&face(0, 0, 0.5)]).unwrap();
    assert_eq!(format!("{face_index:?}"), "FaceIndex(1 × 100-D)");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    // [FACE063]
    #[test]
    fn looser_searches_find_all_that_stricter_ones_find(
        people in 1u64..12, each in 1u64..8, spread in 0.1f32..1.5, searching in 0u64..14, selfies in 1u64..4,
    ) {
        let faces: Vec<Embedding> = (0..people * each).map(|at| face(at % people, at / people, spread)).collect();
        let face_index = FaceIndex::build(&matching(), &faces).unwrap();
        let selfies: Vec<Embedding> = (0..selfies).map(|picture| face(searching, 500 + picture, spread)).collect();
        let found = |strictness| face_index.search(&selfies, strictness).unwrap();
        let (strict, normal, loose) = (found(Strictness::Strict), found(Strictness::Normal), found(Strictness::Loose));
        // Not only the same faces: the same order and the same numbers.
        prop_assert_eq!(&strict[..], &normal[..strict.len()]);
        prop_assert_eq!(&normal[..], &loose[..normal.len()]);
    }
}

#[test]
fn what_a_search_has_learned_finds_later_what_the_search_would() {
    let faces: Vec<Embedding> =
        (0..40).flat_map(|person| (0..4).map(move |picture| face(person, picture, 0.4))).collect();
    let face_index = FaceIndex::build(&matching(), &faces).unwrap();
    let selfie = face(7, 99, 0.4);
    let learned = face_index.learn(std::slice::from_ref(&selfie)).unwrap();
    assert_eq!(learned.len(), 1);
    let found: Vec<usize> = face_index
        .search(std::slice::from_ref(&selfie), Strictness::Strict)
        .unwrap()
        .iter()
        .map(|hit| hit.row)
        .collect();
    assert!(!found.is_empty());
    let compared = face_index.compare(&learned, faces.len(), Strictness::Strict).unwrap();
    for (row, (similarity, matches)) in compared.iter().enumerate() {
        assert_eq!(*matches, found.contains(&row), "{row}: {similarity}");
    }
    let empty = FaceIndex::build(&matching(), []).unwrap();
    assert_eq!(
        empty.learn(std::slice::from_ref(&selfie)).unwrap().len(),
        1,
        "there is nothing to learn from"
    );
    assert!(empty.compare(&learned, 1, Strictness::Strict).unwrap().is_empty());
    let other = Embedding::normalised(vec![1.0, 0.0]).unwrap();
    assert!(
        face_index.learn(std::slice::from_ref(&other)).is_err()
            && face_index.compare(&[other], 1, Strictness::Strict).is_err()
    );
}
