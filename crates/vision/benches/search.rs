//! A search against comparing every face in 32-bit floats, over indexes of growing size.
//!
//! `cargo bench --workspace --bench search`; each number is a median of searches on one processor.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use divan::Bencher;
use domain::faces::{Embedding, Strictness};
use vision::{FaceIndex, Matching, Thresholds};

const DIMENSION: usize = 192;
const FACES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
const THRESHOLD: f32 = 0.56;
/// Above which a search learns from a face.
const CONFIDENCE: f32 = 0.6;
/// Faces of each person.
const EACH: usize = 40;

fn main() {
    divan::main();
}

/// Numbers without pattern, the same in every run.
struct Noise(u64);

impl Noise {
    fn number(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    fn numbers(&mut self) -> Vec<f32> {
        (0..DIMENSION).map(|_| self.number()).collect()
    }
}

fn face(person: usize, picture: usize) -> Embedding {
    let mean = Noise(person as u64 + 1).numbers();
    let own = Noise((person as u64 + 1) * 100_003 + picture as u64).numbers();
    Embedding::normalised(mean.iter().zip(own).map(|(mean, own)| mean + 0.7 * own).collect())
        .expect("it has a direction")
}

fn matching() -> Matching {
    let row = Thresholds { faces: 1.0, strict: 0.6, normal: THRESHOLD, loose: 0.5 };
    Matching::new(vec![row], 5, CONFIDENCE)
}

/// One size at a time: the largest takes gigabytes while it is made.
struct FaceIndexes {
    plain: Vec<f32>,
    face_index: FaceIndex,
}

fn with<T>(faces: usize, measure: impl FnOnce(&FaceIndexes) -> T) -> T {
    static MADE: LazyLock<Mutex<HashMap<usize, FaceIndexes>>> = LazyLock::new(Mutex::default);
    let mut made = MADE.lock().expect("no benchmark panicked");
    if !made.contains_key(&faces) {
        made.clear();
        let people = faces / EACH;
        let mut plain = Vec::with_capacity(faces * DIMENSION);
        let mut face_index = FaceIndex::build(&matching(), []).expect("nothing is of the wrong size");
        for at in 0..faces {
            let face = face(at % people, at / people);
            plain.extend_from_slice(face.values());
            face_index.push(&face).expect("all faces are of one size");
        }
        made.insert(faces, FaceIndexes { plain, face_index });
    }
    measure(&made[&faces])
}

fn selfies(people: usize) -> Vec<Embedding> {
    (0..people).map(|person| face(person, 1_000_000)).collect()
}

fn dot(one: &[f32], other: &[f32]) -> f32 {
    let (one, other) = (one.as_chunks::<16>().0, other.as_chunks::<16>().0);
    let mut sums = [0.0f32; 16];
    for (left, right) in one.iter().zip(other) {
        for index in 0..16 {
            sums[index] += left[index] * right[index];
        }
    }
    sums.iter().sum()
}

/// What the search was before: it reads every number of every face, once to learn and once to find.
fn compare_all(plain: &[f32], queries: &[Embedding]) -> Vec<usize> {
    let mut confident: Vec<Vec<(f32, usize)>> = vec![Vec::new(); queries.len()];
    for (row, face) in plain.chunks_exact(DIMENSION).enumerate() {
        for (query, confident) in queries.iter().zip(&mut confident) {
            let similarity = dot(face, query.values());
            if similarity > CONFIDENCE {
                confident.push((similarity, row));
            }
        }
    }
    let learned: Vec<Embedding> = queries
        .iter()
        .zip(confident)
        .map(|(query, mut confident)| {
            confident.sort_by(|one, other| other.0.total_cmp(&one.0));
            let mut sum = query.values().to_vec();
            for (_, row) in confident.into_iter().take(5) {
                let face = &plain[row * DIMENSION..(row + 1) * DIMENSION];
                sum.iter_mut().zip(face).for_each(|(sum, value)| *sum += value);
            }
            Embedding::normalised(sum).expect("it has a direction")
        })
        .collect();
    let is_found = |face: &[f32]| learned.iter().any(|query| dot(face, query.values()) >= THRESHOLD);
    let faces = plain.chunks_exact(DIMENSION).enumerate();
    faces.filter(|(_, face)| is_found(face)).map(|(row, _)| row).collect()
}

#[divan::bench(args = FACES, consts = [1, 3], sample_count = 25, sample_size = 1)]
fn plain<const QUERIES: usize>(bencher: Bencher<'_, '_>, faces: usize) {
    let selfies = selfies(QUERIES);
    with(faces, |made| bencher.bench_local(|| compare_all(&made.plain, &selfies)));
}

#[divan::bench(args = FACES, consts = [1, 3], sample_count = 25, sample_size = 1)]
fn search<const QUERIES: usize>(bencher: Bencher<'_, '_>, faces: usize) {
    let selfies = selfies(QUERIES);
    with(faces, |made| {
        let find =
            || made.face_index.search(&selfies, Strictness::Normal).expect("selfies are of the same size");
        let mut rows: Vec<usize> = find().iter().map(|hit| hit.row).collect();
        rows.sort_unstable();
        assert_eq!(rows, compare_all(&made.plain, &selfies), "both find the same");
        assert!(rows.len() > QUERIES * EACH / 2, "they find the people");
        bencher.bench_local(find);
    });
}
