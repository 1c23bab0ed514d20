//! What pictures take at their worst, measured by the kernel: the high-water mark of this process's memory, which
//! counts libjpeg's own allocations too. One test, because the mark is the whole process's.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "what a test calls is part of the test")]
#![cfg(target_os = "linux")]

mod fixtures;

use fixtures::*;
use media::pictures::{Unreadable, decode, decode_memory, inspect, inspect_memory};

const MIB: u64 = 1_048_576;

/// The most memory, in bytes, that `work` took above what the process held before.
fn peak<T>(work: impl FnOnce() -> T) -> (T, u64) {
    // 5 resets the mark (proc(5)).
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    let before = status("VmRSS:");
    let result = work();
    (result, status("VmHWM:").saturating_sub(before))
}

fn status(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

#[track_caller]
fn assert_below<T>(limit: u64, what: &str, work: impl FnOnce() -> T) -> T {
    let (result, peak) = peak(work);
    eprintln!("{what}: {:.1} MiB", peak as f64 / MIB as f64);
    assert!(peak <= limit, "{what} took {peak} bytes");
    result
}

#[test]
fn memory_stays_bounded() {
    // [UPL191] [SAFE061]
    let large = white_png(20_000, 10_000);
    assert_below(8 * MIB, "PNG of 200 megapixels, inspected", || inspect(&large)).unwrap();
    let pixels =
        assert_below(64 * MIB, "PNG of 200 megapixels, decoded to 2048", || decode(&large, 2048)).unwrap();
    assert_eq!((pixels.width(), pixels.height()), (2223, 1112));

    // Pixels of 200 megapixels hidden behind a header of 8 by 8.
    let hidden = claiming(&large, 8, 8);
    let _ = assert_below(8 * MIB, "PNG with more inside than it says", || inspect(&hidden));

    let photo = jpeg(&scene(6000, 4000), false);
    assert_below(16 * MIB, "JPEG of 24 megapixels, inspected", || inspect(&photo)).unwrap();
    assert_below(48 * MIB, "JPEG of 24 megapixels, decoded to 2048", || decode(&photo, 2048)).unwrap();

    for progressive in [false, true] {
        let mut bomb = jpeg(&scene(32, 20), progressive);
        let at = frame_size_at(&bomb);
        bomb[at..at + 4].copy_from_slice(&[0x36, 0xB0, 0x36, 0xB0]);
        let refused = assert_below(4 * MIB, "JPEG of 196 megapixels in a few bytes", || inspect(&bomb));
        assert_eq!(refused, Err(Unreadable::Truncated));
    }
    for format in domain::photos::ImageFormat::ALL {
        let mut bytes = encode_rgb(format, scene(60, 40));
        bytes.truncate(bytes.len() / 2);
        let refused = assert_below(4 * MIB, "half a file", || inspect(&bytes));
        assert_eq!(refused, Err(Unreadable::Truncated));
    }

    // What is set aside for a picture of 24 megapixels is enough: 6 bytes a pixel of a JPEG, which arrives at
    // half its size, 18 where it is averaged down to that, and what the decoder takes.
    let large_of = [
        ("JPEG", jpeg(&scene(6000, 4000), false), 36_000_000),
        ("progressive JPEG", jpeg(&scene(6000, 4000), true), 36_000_000 + 2 * 24_000_000 * 3 / 2),
        ("PNG", white_png(6000, 4000), 108_000_000),
        (
            "WebP",
            encode_rgb(domain::photos::ImageFormat::WebP, scene(6000, 4000)),
            108_000_000 + 7 * 24_000_000,
        ),
        (
            "BMP",
            encode_rgb(domain::photos::ImageFormat::Bmp, scene(6000, 4000)),
            108_000_000 + 4 * 24_000_000,
        ),
    ];
    for (name, bytes, about) in &large_of {
        let (expected, (_, taken)) = (decode_memory(bytes, 3000), peak(|| decode(bytes, 3000).unwrap()));
        eprintln!("{name} decoded: {} MiB expected, {} MiB taken", expected / MIB, taken / MIB);
        assert!(expected >= *about && expected <= about * 2, "{name}: {expected} bytes");
        assert!(taken <= expected + 16 * MIB, "{name}: {taken} bytes instead of {expected}");
        let (expected, (_, taken)) = (inspect_memory(bytes), peak(|| inspect(bytes).unwrap()));
        eprintln!("{name} inspected: {} MiB expected, {} MiB taken", expected / MIB, taken / MIB);
        assert!(taken <= expected + 16 * MIB, "{name}: {taken} bytes instead of {expected}");
    }
    assert_eq!((decode_memory(b"no picture", 9), inspect_memory(b"no picture")), (0, 0));
}
