//! Names for files and folders that people unpack, on whatever system.

use std::collections::HashMap;

use crate::operations::runtime::texts::folded;

/// Longest name in Unicode code points: a folder and a file in it fit the paths of 260 characters that some programs of
/// Windows are limited to.
const LENGTH: usize = 100;
/// Longest name in bytes of UTF-8. File systems have names of 255 bytes; the rest is left for a number.
const BYTES: usize = 240;
/// Longest ending, without its dot.
const ENDING: usize = 5;

/// What no name of Windows may have; the first two separate folders everywhere.
const FORBIDDEN: [char; 9] = ['/', '\\', ':', '*', '?', '"', '<', '>', '|'];
/// Names of devices on Windows, whatever ending follows.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
/// The same with a digit from 1 to 9, of which Windows takes the superscript ones of Latin-1 too.
const NUMBERED_DEVICES: [&str; 2] = ["COM", "LPT"];

/// A name that every system can store, as close to `text` as that allows: one path segment, never empty, hidden or `..`.
/// `fallback` stands for a text of which nothing is left.
pub fn safe_name(text: &str, fallback: &str) -> String {
    let clean: String = text
        .chars()
        .filter(|c| !c.is_control() && !turns_text(*c))
        .map(|c| if FORBIDDEN.contains(&c) { '_' } else { c })
        .collect();
    // Windows drops dots and spaces at the end; a dot at the beginning hides a file elsewhere.
    let clean = clean.trim_matches(|c: char| c == '.' || c.is_whitespace());
    let name = if clean.is_empty() { fallback } else { clean };
    let name = if is_device(name) { format!("_{name}") } else { name.to_owned() };
    shortened(&name)
}

/// Whether a character makes the text behind it run the other way, by which `gpj.exe` can be made to look like `exe.jpg`.
const fn turns_text(c: char) -> bool {
    matches!(c, '\u{200E}' | '\u{200F}' | '\u{061C}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_uppercase();
    let numbered = |device: &&str| {
        let mut rest = stem.strip_prefix(*device).unwrap_or_default().chars();
        matches!((rest.next(), rest.next()), (Some('1'..='9' | '¹' | '²' | '³'), None))
    };
    DEVICES.contains(&stem.as_str()) || NUMBERED_DEVICES.iter().any(numbered)
}

/// The name with its end cut off, but not its ending.
fn shortened(name: &str) -> String {
    if name.chars().count() <= LENGTH && name.len() <= BYTES {
        return name.to_owned();
    }
    let (stem, ending) = split(name);
    let mut short = String::new();
    let (mut length, mut bytes) = (ending.chars().count() + 1, ending.len() + '…'.len_utf8());
    for c in stem.chars() {
        (length, bytes) = (length + 1, bytes + c.len_utf8());
        if length > LENGTH || bytes > BYTES {
            break;
        }
        short.push(c);
    }
    format!("{}…{ending}", short.trim_end())
}

/// A name and its ending with the dot; what follows the dot of `Dr. Rao` is none.
fn split(name: &str) -> (&str, &str) {
    let is_ending = |text: &str| {
        (1..=ENDING).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    match name.rfind('.') {
        Some(dot) if dot > 0 && is_ending(&name[dot + 1..]) => name.split_at(dot),
        _ => (name, ""),
    }
}

/// Endings of pictures, those of one format together: by the first of each this service knows it.
const PICTURE_ENDINGS: [&[&str]; 10] = [
    &["jpg", "jpeg", "jpe", "jfif"],
    &["png"],
    &["gif"],
    &["bmp", "dib"],
    &["tiff", "tif"],
    &["webp"],
    &["heic", "heif", "hif"],
    &["avif"],
    &["jp2", "j2k"],
    &["jxl"],
];

/// Endings of what cameras' sensors saw and of what editing programs keep, from which pictures are developed.
const RAW_ENDINGS: [&str; 27] = [
    "3fr", "arw", "cr2", "cr3", "crw", "dcr", "dng", "erf", "fff", "gpr", "iiq", "kdc", "mos", "mrw", "nef",
    "nrw", "orf", "pef", "raf", "raw", "rw2", "rwl", "sr2", "srf", "srw", "x3f", "psd",
];

/// Whether a picture, or what it is developed from, ends so, whatever its case.
pub(super) fn is_picture_ending(ending: &str) -> bool {
    let ending = ending.to_ascii_lowercase();
    PICTURE_ENDINGS.iter().any(|endings| endings.contains(&ending.as_str()))
        || RAW_ENDINGS.contains(&ending.as_str())
}

/// The name of a picture of the format whose ending is `ending`, by which systems know what to open it with: another format's
/// ending, which phones and programs leave on what they convert, gives way to it, and behind any other it is put.
pub fn with_true_ending(name: &str, ending: &str) -> String {
    let (stem, given) = split(name);
    let given = given.trim_start_matches('.').to_ascii_lowercase();
    let of = |wanted: &str| PICTURE_ENDINGS.iter().find(|endings| endings.contains(&wanted));
    match of(&given) {
        Some(endings) if endings.contains(&ending) => name.to_owned(),
        Some(_) => format!("{stem}.{ending}"),
        None => format!("{name}.{ending}"),
    }
}

/// The name of a file without its ending.
pub fn without_ending(name: &str) -> &str {
    split(name).0
}

/// The name of a file with `ending` in place of its own.
pub fn with_other_ending(name: &str, ending: &str) -> String {
    format!("{}.{ending}", split(name).0)
}

/// The names of one folder, none of them twice.
#[derive(Debug, Default)]
pub struct Names {
    /// By the folded name, since some systems tell neither cases nor ways to write accents apart: the number that its next
    /// double may have.
    taken: HashMap<String, usize>,
}

impl Names {
    /// The name itself, or with a number behind it: `IMG_1.jpg`, `IMG_1 (2).jpg`.
    pub fn add(&mut self, name: &str) -> String {
        let key = folded(name);
        let Some(mut number) = self.taken.get(&key).copied() else {
            self.taken.insert(key, 2);
            return name.to_owned();
        };
        let (stem, ending) = split(name);
        loop {
            let numbered = format!("{stem} ({number}){ending}");
            number += 1;
            let numbered_key = folded(&numbered);
            if !self.taken.contains_key(&numbered_key) {
                self.taken.insert(numbered_key, 2);
                self.taken.insert(key, number);
                return numbered;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_kept_as_far_as_every_system_can_store_them() {
        // [ACC180]
        for (text, name) in [
            ("DSC_0001.JPG", "DSC_0001.JPG"),
            ("मीरा और अर्जुन.jpg", "मीरा और अर्जुन.jpg"),
            ("👩‍👩‍👧 क्‍ष.png", "👩‍👩‍👧 क्‍ष.png"),
            ("../../etc/passwd", "_.._etc_passwd"),
            ("..\\..\\autorun.inf", "_.._autorun.inf"),
            ("..", "photo"),
            (" . ", "photo"),
            ("", "photo"),
            (".hidden.jpg", "hidden.jpg"),
            ("end. ", "end"),
            ("C:\\a.jpg", "C__a.jpg"),
            ("what? \"this\" <is> a|b*.jpg", "what_ _this_ _is_ a_b_.jpg"),
            ("a\r\nb\0.jpg", "ab.jpg"),
            ("\u{202E}gpj.exe", "gpj.exe"),
            ("con", "_con"),
            ("NUL.jpg", "_NUL.jpg"),
            ("Com1 .tar.gz", "_Com1 .tar.gz"),
            ("COM0.jpg", "COM0.jpg"),
            ("COM¹.jpg", "_COM¹.jpg"),
            ("lpt²", "_lpt²"),
            ("Com³ .jpg", "_Com³ .jpg"),
            ("COM⁴.jpg", "COM⁴.jpg"),
            ("COM12.jpg", "COM12.jpg"),
            ("CONIN$.jpg", "_CONIN$.jpg"),
            ("conout$", "_conout$"),
            ("Console.jpg", "Console.jpg"),
        ] {
            assert_eq!(safe_name(text, "photo"), name, "{text:?}");
        }
    }

    #[test]
    fn long_names_are_cut_before_their_ending() {
        // [ACC180]
        assert_eq!(safe_name(&format!("{}.jpg", "a".repeat(96)), ""), format!("{}.jpg", "a".repeat(96)));
        assert_eq!(safe_name(&format!("{}.jpg", "a".repeat(97)), ""), format!("{}….jpg", "a".repeat(95)));
        let hindi = safe_name(&format!("{}.jpg", "न".repeat(255)), "");
        assert!(hindi.len() <= BYTES && hindi.ends_with("न….jpg"), "{hindi}");
        assert_eq!(safe_name(&"b".repeat(300), "").chars().count(), LENGTH);
        assert_eq!(safe_name(&format!("a.{}", "c".repeat(200)), "").chars().count(), LENGTH);
    }

    #[test]
    fn doubles_are_numbered_before_their_ending_whatever_their_case() {
        // [ACC180]
        let mut names = Names::default();
        let mut add = |name: &str| names.add(name);
        assert_eq!(add("a.jpg"), "a.jpg");
        assert_eq!(add("a (2).jpg"), "a (2).jpg");
        assert_eq!(add("A.JPG"), "A (3).JPG");
        assert_eq!(add("a.jpg"), "a (4).jpg");
        assert_eq!(add("a (2).jpg"), "a (2) (2).jpg");
        assert_eq!(add("Party"), "Party");
        assert_eq!(add("party"), "party (2)");
        assert_eq!(add("Dr. Rao"), "Dr. Rao");
        assert_eq!(add("Dr. Rao"), "Dr. Rao (2)");
        assert_eq!(add("Müller.jpg"), "Müller.jpg");
        assert_eq!(add("MU\u{308}LLER.JPG"), "MU\u{308}LLER (2).JPG");
    }

    #[test]
    fn a_file_has_the_ending_of_its_format() {
        // [ACC180]
        for (name, ending, with) in [
            ("a.jpg", "jpg", "a.jpg"),
            ("a.JPEG", "jpg", "a.JPEG"),
            ("a.tif", "tiff", "a.tif"),
            ("IMG_1.HIF", "heic", "IMG_1.HIF"),
            ("a", "png", "a.png"),
            ("Dr. Rao", "png", "Dr. Rao.png"),
            ("a.é", "png", "a.é.png"),
            ("14.11.2026 18 Uhr", "png", "14.11.2026 18 Uhr.png"),
            // What it is called is not what it is.
            ("IMG_0001.JPG", "heic", "IMG_0001.heic"),
            ("IMG_0001.HEIC", "jpg", "IMG_0001.jpg"),
            ("a.final.png", "webp", "a.final.webp"),
            ("a.jpg", "avif", "a.avif"),
            ("DSC_1.NEF", "jpg", "DSC_1.NEF.jpg"),
            ("Party.2026", "jpg", "Party.2026.jpg"),
        ] {
            assert_eq!(with_true_ending(name, ending), with, "{name}");
        }
        for format in crate::photos::files::ImageFormat::ALL {
            let endings = PICTURE_ENDINGS.iter().find(|endings| endings.contains(&format.extension()));
            assert!(endings.is_some(), "{format:?}");
        }
    }

    proptest! {
        #[test]
        fn any_name_is_one_segment_that_fits(text in "\\PC{0,300}|[./\\\\ a]{0,20}|[\\x00-\\x20a]{0,9}") {
            // [ACC180]
            let name = safe_name(&text, "photo");
            prop_assert!(!name.is_empty() && name.len() <= BYTES && name.chars().count() <= LENGTH);
            prop_assert!(!name.chars().any(|c| c.is_control() || FORBIDDEN.contains(&c)), "{name:?}");
            prop_assert!(!name.starts_with('.') && !name.ends_with(['.', ' ']), "{name:?}");
            prop_assert_eq!(safe_name(&name, "photo"), name);
        }
    }
}
