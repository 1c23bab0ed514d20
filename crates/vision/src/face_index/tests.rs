//! What a search finds is what comparing every face finds, to the last bit.

use domain::faces::is_rejected;
use proptest::prelude::*;

use super::neighbours::MOST;
use super::searches::people;
use super::vectors::{add, normalise};
use super::*;

fn matching(normal: f32) -> Matching {
    let row = Thresholds { faces: 1.0, strict: normal + 0.04, normal, loose: normal - 0.1 };
    // Not those of packs that name none.
    let margins =
        Margins { lift: 0.04, reach: 0.17, surer: 0.03, rejection: 0.06, learned: 0.05, grouping_share: 0.8 };
    let agreement = Agreement { faces: 2, below: 0.1, among: normal };
    Matching::new(vec![row], 5, normal + 0.02).with_margins(margins).with_agreement(Some(agreement))
}

/// The search as it is told: every face is read whole and compared.
fn plain(
    face_index: &FaceIndex,
    selfies: &[Embedding],
    rejected: &[usize],
    strictness: Strictness,
) -> Vec<Hit> {
    let faces: Vec<Vec<f32>> = (0..face_index.len()).map(|row| face_index.face(row)).collect();
    let people = people(&face_index.matching, selfies);
    let confidence = face_index.matching.confidence(face_index.rows);
    let others = rejected.iter().filter_map(|row| faces.get(*row));
    let others: Vec<_> =
        others.filter(|face| people.iter().all(|query| dot(face, query) <= confidence)).collect();
    let Margins { lift, reach, surer, rejection, learned: margin, .. } = face_index.matching.margins;
    let agreement = face_index.matching.agreement;
    let most = face_index.matching.expansion_matches;
    let excludes = |face: &[f32], similarity: f32| {
        others.iter().any(|other| is_rejected(similarity, dot(face, other), rejection))
    };
    let learn = |query: &Vec<f32>| {
        let similar = faces.iter().enumerate().map(|(row, face)| Hit { row, similarity: dot(face, query) });
        let least = confidence - agreement.map_or(0.0, |agreement| agreement.below);
        let sure = |hit: &Hit| hit.similarity > least && !excludes(&faces[hit.row], hit.similarity);
        let mut confident: Vec<Hit> = similar.filter(sure).collect();
        confident.sort_by(best_first);
        if let Some(Agreement { faces: enough, among, .. }) = agreement {
            let mut agreeing: Vec<Hit> = Vec::new();
            for hit in confident.iter().take(4 * most) {
                if agreeing.iter().all(|other| dot(&faces[hit.row], &faces[other.row]) >= among) {
                    agreeing.push(*hit);
                }
            }
            agreeing.truncate(most);
            let is_sure = confident.first().is_some_and(|best| best.similarity > confidence);
            confident = if is_sure || agreeing.len() >= enough { agreeing } else { Vec::new() };
        }
        let mut sum = query.clone();
        confident.iter().take(most).for_each(|hit| add(&mut sum, &faces[hit.row]));
        normalise(&mut sum);
        sum
    };
    let queries: Vec<Vec<f32>> = people.iter().map(learn).collect();
    let threshold = |strictness| face_index.matching.threshold(face_index.rows, strictness);
    let floor = (threshold(Strictness::Loose) - reach).min(threshold(strictness));
    // To each of the people.
    let alone = |face: &[f32]| -> Vec<f32> {
        let both = queries.iter().zip(&people);
        both.map(|(query, person)| {
            let learned = dot(face, query);
            (learned - margin).max(learned.min(dot(face, person)))
        })
        .collect()
    };
    let nearest = |similarities: &[f32]| similarities.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut doubtful = Vec::new();
    for (row, face) in faces.iter().enumerate() {
        let similarity = nearest(&alone(face));
        if similarity >= floor {
            doubtful.push(Hit { row, similarity });
        }
    }
    let doubt = |hit: &Hit| (hit.similarity - threshold(Strictness::Normal)).abs();
    doubtful.sort_by(|one, other| doubt(one).total_cmp(&doubt(other)).then(one.row.cmp(&other.row)));
    let sure = doubtful.split_off(doubtful.len().min(MOST));
    let together = |hit: &Hit| {
        let face = &faces[hit.row];
        let similar = |other: &Hit| Hit { row: other.row, similarity: dot(face, &faces[other.row]) };
        let mut others: Vec<Hit> =
            doubtful.iter().filter(|other| other.row != hit.row).map(similar).collect();
        others.retain(|other| other.similarity > confidence + surer);
        others.sort_by(best_first);
        others.truncate(most);
        let (mut sum, own) = (face.clone(), alone(face));
        let mut all = own.clone();
        for other in &others {
            add(&mut sum, &faces[other.row]);
            add(&mut all, &alone(&faces[other.row]));
        }
        let length = dot(&sum, &sum).sqrt();
        let is_loose = |other: &Hit| nearest(&alone(&faces[other.row])) >= threshold(Strictness::Loose);
        let lift = if others.iter().any(is_loose) { lift } else { 0.0 };
        let best: Vec<f32> = all.iter().zip(&own).map(|(all, own)| (all / length).min(own + lift)).collect();
        let similarity = if others.is_empty() { hit.similarity } else { nearest(&best) };
        Hit { row: hit.row, similarity }
    };
    let mut hits: Vec<Hit> = doubtful.iter().map(together).chain(sure).collect();
    hits.retain(|hit| hit.similarity >= threshold(strictness) && !rejected.contains(&hit.row));
    hits.retain(|hit| !excludes(&faces[hit.row], hit.similarity));
    hits.iter_mut().for_each(|hit| hit.similarity = hit.similarity.clamp(0.0, 1.0));
    hits.sort_by(best_first);
    hits
}

/// Numbers of every shape: alike, of very different size, a single large one, none, and with the largest rounding.
fn numbers(dimension: usize) -> impl Strategy<Value = Vec<f32>> {
    let number = prop_oneof![
        6 => -1.0f32..1.0,
        1 => Just(0.0f32),
        1 => -1e-6f32..1e-6,
        1 => (-254i16..254).prop_map(|halves| (f32::from(halves) + 0.998) / 254.0),
    ];
    prop_oneof![
        8 => proptest::collection::vec(number, dimension),
        1 => (0..dimension, -1.0f32..1.0).prop_map(move |(place, small)| {
            (0..dimension).map(|at| if at == place { 1.0 } else { small * 1e-3 }).collect()
        }),
    ]
}

fn embedding(numbers: &[f32]) -> Embedding {
    Embedding::normalised(numbers.to_vec())
        .unwrap_or_else(|| Embedding::normalised(vec![1.0; numbers.len()]).expect("it has a direction"))
}

/// A few people, many of their faces close to the threshold, each with their selfie.
fn crowd() -> impl Strategy<Value = (Vec<Embedding>, Vec<Embedding>, Vec<usize>)> {
    (prop_oneof![Just(2usize), Just(16), Just(100), Just(192), Just(700)]).prop_flat_map(|dimension| {
        let people = proptest::collection::vec(numbers(dimension), 1..5);
        let faces =
            proptest::collection::vec((any::<prop::sample::Index>(), numbers(dimension), 0.0f32..2.0), 0..40);
        let rejected = proptest::collection::vec(0usize..70, 0..4);
        (people, faces, rejected).prop_map(|(people, faces, rejected)| {
            let face = |(person, own, share): (prop::sample::Index, Vec<f32>, f32)| {
                let mean: &Vec<f32> = person.get(&people);
                let mean = embedding(mean);
                let own = embedding(&own);
                let values = mean.values().iter().zip(own.values()).map(|(mean, own)| mean + share * own);
                embedding(&values.collect::<Vec<f32>>())
            };
            let faces = faces.into_iter().map(face).collect();
            (faces, people.iter().map(|person| embedding(person)).collect(), rejected)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_search_finds_what_comparing_every_face_finds(
        (faces, selfies, rejected) in crowd(), copies in prop_oneof![9 => Just(1usize), 1 => Just(60)], normal in 0.2f32..0.9,
    ) {
        // More than a block of them, so that ties are decided across blocks too.
        let all = faces.iter().cycle().take(faces.len() * copies);
        let face_index = FaceIndex::build(&matching(normal), all).unwrap();
        for strictness in Strictness::ALL {
            let expected = plain(&face_index, &selfies, &rejected, strictness);
            let found = face_index.search_without(&selfies, &rejected, strictness).unwrap();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn face_indexes_one_after_the_other_find_what_one_of_all_faces_finds(
        (faces, selfies, rejected) in crowd(), size in 1usize..30, normal in 0.2f32..0.9,
    ) {
        // It matters how many faces there are in all.
        let few = Thresholds { faces: 2.0, strict: normal + 0.04, normal, loose: normal - 0.1 };
        let many = Thresholds { faces: 60.0, strict: 0.97, normal: 0.95, loose: normal };
        let agreement = Agreement { faces: 2, below: 0.1, among: normal };
        let margins = Margins { learned: 0.05, ..Margins::default() };
        let matching = Matching::new(vec![few, many], 5, normal + 0.02);
        let matching = matching.with_margins(margins).with_agreement(Some(agreement));
        let whole = FaceIndex::build(&matching, &faces).unwrap();
        let parts: Vec<FaceIndex> =
            faces.chunks(size).map(|part| FaceIndex::build(&matching, part).unwrap()).collect();
        for strictness in Strictness::ALL {
            let others: Vec<Embedding> = rejected.iter().filter_map(|row| faces.get(*row)).cloned().collect();
            let mut search = FaceIndex::begin(&matching, faces.len(), &selfies, &others, strictness).unwrap();
            for part in &parts {
                part.teach(&mut search).unwrap();
            }
            let finds_nothing = search.finds_nothing();
            search.expand();
            let mut candidates = Vec::new();
            for (number, part) in parts.iter().enumerate() {
                let here = part.candidates(&search).unwrap().into_iter();
                candidates.extend(here.map(|face| {
                    let row = number * size + face.row();
                    face.at(row)
                }));
            }
            let mut found = search.decide(&candidates);
            found.retain(|hit| !rejected.contains(&hit.row));
            found.sort_by(best_first);
            let expected = whole.search_without(&selfies, &rejected, strictness).unwrap();
            prop_assert!(expected.is_empty() || !finds_nothing);
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn no_face_is_lost_at_its_own_similarity((faces, selfies, _) in crowd()) {
        // The hardest threshold is the similarity itself: whatever the coarse numbers lack loses the face.
        let face_index = FaceIndex::build(&matching(0.5), &faces).unwrap();
        for query in people(&face_index.matching, &selfies) {
            for row in 0..face_index.len() {
                let similarity = dot(&face_index.face(row), &query);
                let mut visited = Vec::new();
                face_index.walk(std::slice::from_ref(&query), similarity, |row, _, _| visited.push(row));
                prop_assert!(visited.contains(&row));
            }
        }
    }

    #[test]
    fn what_is_kept_of_an_embedding_is_as_similar_to_everything((faces, selfies, _) in crowd()) {
        let face_index = FaceIndex::build(&matching(0.5), &faces).unwrap();
        for (row, face) in faces.iter().enumerate() {
            let kept = face_index.face(row);
            for selfie in &selfies {
                let exact = |values: &[f32]| -> f64 {
                    values.iter().zip(selfie.values()).map(|(face, selfie)| f64::from(*face) * f64::from(*selfie)).sum()
                };
                prop_assert!((exact(&kept) - exact(face.values())).abs() < 1e-6);
            }
        }
    }
}

#[test]
fn a_copy_stays_as_it_was_while_faces_are_appended() {
    let turned = |degrees: f32| {
        let (y, x) = degrees.to_radians().sin_cos();
        Embedding::normalised(vec![x, y]).unwrap()
    };
    let rows = |face_index: &FaceIndex| face_index.search(&[turned(0.0)], Strictness::Normal).unwrap().len();
    let mut face_index = FaceIndex::build(&matching(0.5), &[turned(10.0)]).unwrap();
    let before = face_index.clone();
    for count in 1..2 * blocks::ROWS {
        face_index.push(&turned(10.0)).unwrap();
        assert_eq!(face_index.len(), count + 1);
    }
    assert_eq!((rows(&before), rows(&face_index)), (1, 2 * blocks::ROWS));
    assert!(face_index.push(&Embedding::normalised(vec![1.0; 3]).unwrap()).is_err());
}

#[test]
fn a_face_index_can_be_copied_and_grow_at_every_size() {
    let face = |number: usize| Embedding::normalised(vec![number as f32, 1.0, 0.5]).unwrap();
    let faces: Vec<Embedding> = (0..2 * blocks::ROWS + 3).map(face).collect();
    let built = FaceIndex::build(&matching(0.5), &faces).unwrap();
    let selfies = [face(3)];
    for steps in [&[1][..], &[3, 500, 1, 13, 1_017, 7], &[1_023, 1, 2, 29], &[1_100, 40]] {
        let (mut grown, mut rest) = (FaceIndex::build(&matching(0.5), []).unwrap(), faces.as_slice());
        for step in steps.iter().cycle() {
            let (next, later) = rest.split_at(rest.len().min(*step));
            // A copy has no room to spare, and searches read the index meanwhile.
            let before = grown.clone();
            next.iter().for_each(|face| grown.push(face).unwrap());
            assert_eq!(before.len() + next.len(), grown.len());
            rest = later;
            if rest.is_empty() {
                break;
            }
        }
        let found = grown.search(&selfies, Strictness::Normal).unwrap();
        assert_eq!(found, built.search(&selfies, Strictness::Normal).unwrap(), "in steps of {steps:?}");
        assert_eq!(grown.len(), faces.len());
    }
}

#[test]
fn the_bound_is_tight_enough_to_leave_strangers_out() {
    // Otherwise a search would still be right, and as slow as comparing everything.
    let mut state = 1u64;
    let mut face = || {
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        };
        Embedding::normalised((0..192).map(|_| next()).collect()).unwrap()
    };
    let faces: Vec<Embedding> = (0..5000).map(|_| face()).collect();
    let face_index = FaceIndex::build(&matching(0.5), &faces).unwrap();
    let mut read = Vec::new();
    face_index.walk(&[faces[7].values().to_vec()], 0.5, |row, _, _| read.push(row));
    assert_eq!(read, [7]);
    assert!(face_index.bytes() < 5000 * 192 * 4 * 8 / 10, "{} bytes", face_index.bytes());
}
