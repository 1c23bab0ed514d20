//! Which photo a file is another version of, by its name: what an editing program exports has the name of what it has read, with
//! an ending of its own (`IMG_1.CR3`, `IMG_1.jpg`).

use super::file_names::is_picture_ending;
use crate::operations::runtime::texts::folded;
use crate::{PhotoId, Refusal, Timestamp};

/// Most names that may be asked for in one call.
pub const MAX_NAMES: usize = 1_000;

/// A name without the ending of a picture. What else follows a dot is part of it: `scan.001` and `scan.002` are two pictures.
fn stem(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && is_picture_ending(ending) => stem,
        _ => name,
    }
}

/// A name as it is compared with those of other versions: folded, without its ending.
pub fn stem_key(name: &str) -> String {
    folded(stem(name))
}

/// Photos of one place whose files have the same name to the letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Namesakes {
    /// The name.
    pub name: String,
    /// How many they are.
    pub photos: i64,
    /// The first of them.
    pub first: PhotoId,
    /// When that was uploaded.
    pub uploaded_at: Timestamp,
}

/// Which photo a file is another version of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VersionOf<'a> {
    /// None: it is another photo.
    Nothing,
    /// The only one that its name can mean.
    Photo(&'a Namesakes),
    /// Several have its name.
    Several,
}

/// Of the photos that are there the one that a file of this name is another version of: that of the same name to the letter, or
/// else the one whose name differs in case or in how accents are written, or else the one that differs in its ending too. Where
/// several differ in their endings alone, such as the JPEG and the HEIC of one picture, it is a photo of its own: a guess would
/// remove one.
pub fn version_of<'a>(name: &str, there: &'a [Namesakes]) -> VersionOf<'a> {
    let (key, stem) = (folded(name), stem_key(name));
    let exact = only(there.iter().filter(|each| each.name == name));
    let exact = if exact == VersionOf::Nothing {
        only(there.iter().filter(|each| folded(&each.name) == key))
    } else {
        exact
    };
    if exact != VersionOf::Nothing {
        return exact;
    }
    match only(there.iter().filter(|each| stem_key(&each.name) == stem)) {
        VersionOf::Several => VersionOf::Nothing,
        found => found,
    }
}

fn only<'a>(mut found: impl Iterator<Item = &'a Namesakes>) -> VersionOf<'a> {
    match (found.next(), found.next()) {
        (None, _) => VersionOf::Nothing,
        (Some(one), None) if one.photos == 1 => VersionOf::Photo(one),
        _ => VersionOf::Several,
    }
}

/// Refuses a call that asks for too many names.
///
/// # Errors
/// [`Refusal::TooManyNames`].
pub fn check_names(names: &[String]) -> Result<(), Refusal> {
    if names.len() > MAX_NAMES { Err(Refusal::TooManyNames) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Id as _;

    fn there(names: &[(&str, i64)]) -> Vec<Namesakes> {
        (1..)
            .zip(names)
            .map(|(number, (name, photos))| {
                let at = Timestamp::from_millis(number);
                let first = PhotoId::from_parts(at, [0; 10]);
                Namesakes { name: (*name).to_owned(), photos: *photos, first, uploaded_at: at }
            })
            .collect()
    }

    #[test]
    fn names_are_compared_without_the_endings_of_pictures() {
        // [UPL242]
        for (one, other) in [
            ("IMG_1.CR3", "IMG_1.jpg"),
            ("IMG_1.JPG", "img_1.jpeg"),
            ("IMG_1.HEIC", "IMG_1.jpg"),
            ("DSC_1.NEF", "DSC_1.tif"),
            ("Mu\u{308}ller.dng", "M\u{dc}LLER.webp"),
            ("a.final.ARW", "A.Final.png"),
        ] {
            assert_eq!(stem_key(one), stem_key(other), "{one} {other}");
        }
        for (one, other) in [
            ("scan.001", "scan.002"),
            ("IMG_1.jpg", "IMG_10.jpg"),
            ("IMG_1.jpg", "IMG_1-2.jpg"),
            ("14.11.2026", "14.11.2027"),
            (".jpg", ".png"),
            ("Dr. Rao", "Dr. Mehta"),
        ] {
            assert_ne!(stem_key(one), stem_key(other), "{one} {other}");
        }
        assert_eq!((stem_key(""), stem_key(".jpg")), (String::new(), String::from(".jpg")));
    }

    #[test]
    fn the_closest_name_is_meant_and_none_where_endings_alone_tell_several_apart() {
        // [UPL242] [UPL207]
        let meant = |name: &str, names: &[(&str, i64)]| match version_of(name, &there(names)) {
            VersionOf::Photo(found) => found.name.clone(),
            VersionOf::Several => String::from("several"),
            VersionOf::Nothing => String::new(),
        };
        let pair = [("IMG_1.HEIC", 1), ("IMG_1.JPG", 1)];
        assert_eq!(meant("IMG_1.HEIC", &pair), "IMG_1.HEIC");
        assert_eq!(meant("img_1.jpg", &pair), "IMG_1.JPG");
        assert_eq!(meant("IMG_1.png", &pair), "");
        assert_eq!(meant("IMG_1.png", &pair[..1]), "IMG_1.HEIC");
        assert_eq!(meant("IMG_1.png", &[("IMG_1.HEIC", 2)]), "");
        assert_eq!(meant("IMG_1.HEIC", &[("IMG_1.HEIC", 2)]), "several");
        assert_eq!(meant("img_1.heic", &[("IMG_1.HEIC", 1), ("IMG_1.heic", 1)]), "several");
        assert_eq!(meant("IMG_1.heic", &[("IMG_1.HEIC", 1), ("IMG_1.heic", 1)]), "IMG_1.heic");
        assert_eq!(meant("IMG_2.jpg", &pair), "");
        assert_eq!(meant("IMG_2.jpg", &[]), "");
    }

    #[test]
    fn at_most_1000_names_are_asked_for() {
        // [UPL243]
        assert_eq!(check_names(&vec![String::new(); 1_000]), Ok(()));
        assert_eq!(check_names(&vec![String::new(); 1_001]), Err(Refusal::TooManyNames));
    }
}
