//! Damaged pictures of every format, through uploads and searches.

use serde_json::Value;

use crate::harness::{Field, World, on_both_engines};

/// How many damaged files each `make test` tries; `DAMAGED=2000` tries as many as that (`make damaged`).
const FILES: usize = 210;

/// What damages are drawn from: the same in every run, so that a find can be repeated.
struct Draws(u64);

impl Draws {
    /// A number below `bound` (xorshift64).
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(bound.max(1)).unwrap()).unwrap()
    }

    fn byte(&mut self) -> u8 {
        u8::try_from(self.below(256)).unwrap()
    }
}

/// Whole files of every format: those that the fuzzer starts with.
fn whole_files() -> Vec<(String, Vec<u8>)> {
    const NAMES: [&str; 10] =
        ["bmp", "exif", "gif", "heic", "jpg", "lossy-webp", "png", "progressive", "tiff", "webp"];
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus/pictures");
    NAMES.map(|name| (name.to_owned(), std::fs::read(format!("{folder}/{name}")).unwrap())).into()
}

fn damage(draws: &mut Draws, mut bytes: Vec<u8>) -> Vec<u8> {
    let at = draws.below(bytes.len());
    match draws.below(6) {
        0 => bytes.truncate(at),
        1 => bytes[at..].fill(0),
        2 => {
            let end = (at + 1 + draws.below(64)).min(bytes.len());
            drop(bytes.drain(at..end));
        }
        3 => {
            let piece = bytes[at..(at + 64).min(bytes.len())].to_vec();
            bytes.splice(at..at, piece);
        }
        4 => (0..=draws.below(8)).for_each(|_| {
            let at = draws.below(bytes.len());
            bytes[at] = draws.byte();
        }),
        // Near the start, where sizes are.
        _ => (0..=draws.below(3)).for_each(|_| {
            let at = draws.below(bytes.len().min(64));
            bytes[at] = draws.byte();
        }),
    }
    bytes
}

#[test]
fn damaged_pictures_are_refused_without_a_trace_or_taken_whole() {
    // [SAFE194] [SAFE220]
    let files = std::env::var_os("DAMAGED").map_or(FILES, |number| number.to_str().unwrap().parse().unwrap());
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        app::operations::operators::grant(&world.operator(), "meera@example.com", 10_000.0, None)
            .await
            .unwrap();
        let event = world.event(&token, "Party").await;
        let search = format!("/api/face/search/{}", event["slug"].as_str().unwrap());
        let credits = async || {
            let answer = world.get("/api/subscription/credits", &token).await.json();
            answer["credits"].as_f64().unwrap()
        };
        let (mut draws, whole) = (Draws(0x9E37_79B9_7F4A_7C15), whole_files());
        let (mut charged, mut kept, mut refused) = (credits().await, 0, 0);
        for number in 0..files {
            let (name, bytes) = &whole[number % whole.len()];
            let bytes = damage(&mut draws, bytes.clone());
            let what = format!("{name}, file {number} of {files}");
            let answer = world.upload(&token, &event, "a.jpg", &bytes).await;
            let now = credits().await;
            match answer.status.as_u16() {
                // Damage that leaves a picture, or bytes that are there already.
                200 | 201 => kept = world.stored_files().await.len(),
                status => {
                    assert!((400..500).contains(&status), "{what}: {status}");
                    assert_eq!(answer.json()["code"].as_str().map(str::is_empty), Some(false), "{what}");
                    assert_eq!(world.stored_files().await.len(), kept, "{what}: nothing is kept");
                    assert!((now - charged).abs() < f64::EPSILON, "{what}: nothing is charged");
                    let incoming = std::fs::read_dir(&world.parts.settings.incoming_dir).unwrap();
                    assert_eq!(incoming.count(), 0, "{what}: no temporary file is left");
                    refused += 1;
                }
            }
            charged = now;
            let found = world.form(&search, "", &[Field::file("image", "selfie", &bytes)]).await;
            let status = found.status.as_u16();
            assert!(status == 200 || (400..500).contains(&status), "{what}: the search answers {status}");
        }
        assert!(refused > files / 4, "{refused} of {files} were refused");
        // What was taken is what is counted, and what indexing fails on is said.
        world.drain().await;
        let count = world.get("/api/photos/count", &token).await.json();
        assert_ne!(count["total_count"], Value::from(0));
    });
}
