//! Measures how long a search takes over galleries of growing size.
//!
//! `cargo run --release -p vision --example search_speed`
#![allow(clippy::print_stdout, reason = "the output of a command")]

use std::error::Error;
use std::time::Instant;

use domain::faces::{Embedding, Strictness};
use vision::{Gallery, Matching, Thresholds};

const DIMENSION: usize = 192;

fn main() -> Result<(), Box<dyn Error>> {
    let matching =
        Matching::new(vec![Thresholds { faces: 1.0, strict: 0.6, normal: 0.56, loose: 0.5 }], 5, 0.6);
    println!("faces     selfies   p50 ms   p95 ms");
    for faces in [1_000, 10_000, 100_000] {
        let mut noise = Noise(faces as u64);
        let embeddings: Vec<Embedding> = (0..faces).filter_map(|_| noise.embedding()).collect();
        let gallery = Gallery::build(&matching, &embeddings)?;
        for selfies in [1, 3] {
            let mut times = Vec::new();
            for round in 0..100 {
                let queries = &embeddings[round * selfies..(round + 1) * selfies];
                let started = Instant::now();
                let hits = gallery.search(queries, Strictness::Normal)?;
                times.push(started.elapsed().as_secs_f64() * 1e3);
                assert!(hits.len() >= selfies, "every query is in the gallery");
            }
            times.sort_by(f64::total_cmp);
            println!("{faces:7} {selfies:9} {:8.2} {:8.2}", times[50], times[95]);
        }
    }
    Ok(())
}

/// Numbers without pattern, the same in every run.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    fn embedding(&mut self) -> Option<Embedding> {
        Embedding::normalised((0..DIMENSION).map(|_| self.next()).collect())
    }
}
