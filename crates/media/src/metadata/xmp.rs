//! XMP packets (ISO 16684-1): properties that tell a position, a place, who is in the picture, keywords or a serial number
//! become spaces. The author, the rights and the caption stay.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::QName;

use super::edits::Edits;

/// What the name of such a property contains, in lower case and whatever its namespace. The last four lead to what is
/// overwritten behind the picture.
const REMOVED: [&str; 24] = [
    "gps",
    "latitude",
    "longitude",
    "altitude",
    "geotag",
    "location",
    "serial",
    "ownername",
    "imageuniqueid",
    // Who is in the picture: of IPTC (Extension), PRISM and Getty Images, and information about models.
    "person",
    "people",
    "modelinfo",
    // Parts of the picture, with the names of those in them: of the Metadata Working Group, Microsoft and IPTC.
    "imageregion",
    "regioninfo",
    // Keywords, and what programs keep beside them.
    "keyword",
    "hierarchicalsubject",
    "flatsubject",
    "categor",
    "taglist",
    "tagslist",
    "thumbnails",
    "hasextendedxmp",
    "motionphoto",
    "microvideo",
];

/// Names of such properties as they stand, in lower case and whatever their namespace; parts of them are in the names of others,
/// such as the distance of the subject, or the city of the author.
const REMOVED_NAMES: [&str; 19] = [
    "regions",
    "subject",
    "subjectcode",
    "aboutcvterm",
    "catalogsets",
    "tagstructure",
    "city",
    "state",
    "country",
    "countrycode",
    "countryname",
    "provincestate",
    "stateprovince",
    "sublocation",
    "worldregion",
    "county",
    "municipality",
    "locality",
    "coverage",
];

fn is_removed(name: QName<'_>) -> bool {
    // The declaration of a namespace is no property, whatever its prefix.
    if name.as_namespace_binding().is_some() {
        return false;
    }
    let name = String::from_utf8_lossy(name.local_name().into_inner()).to_ascii_lowercase();
    REMOVED_NAMES.contains(&name.as_str()) || REMOVED.iter().any(|part| name.contains(part))
}

/// Overwrites such properties of a packet that begins at `base` of the file; a packet that cannot be read goes as a whole.
pub(super) fn redact(packet: &[u8], base: usize, edits: &mut Edits) {
    let mut found = Edits::new(packet.len());
    // UTF-16 and UTF-32 have zeros.
    let text = packet.trim_ascii_end();
    let text = text.strip_suffix(b"\0").unwrap_or(text);
    if text.contains(&0) || find(text, &mut found).is_none() {
        edits.fill(base..base + packet.len(), b' ');
    } else {
        edits.append(base, found);
    }
}

fn find(text: &[u8], edits: &mut Edits) -> Option<()> {
    let mut reader = Reader::from_reader(text);
    let mut depth = 0_usize;
    // Where the element begins that goes, and how deep it is.
    let mut removed: Option<(usize, usize)> = None;
    loop {
        let start = position(&reader)?;
        let event = reader.read_event().ok()?;
        let end = position(&reader)?;
        match event {
            Event::Start(tag) => {
                if removed.is_none() {
                    if is_removed(tag.name()) {
                        removed = Some((start, depth));
                    } else {
                        attributes(text, &tag, edits)?;
                    }
                }
                depth += 1;
            }
            Event::Empty(tag) if removed.is_none() => {
                if is_removed(tag.name()) {
                    edits.fill(start..end, b' ');
                } else {
                    attributes(text, &tag, edits)?;
                }
            }
            Event::End(_) => {
                depth = depth.checked_sub(1)?;
                if let Some((start, _)) = removed.take_if(|(_, level)| *level == depth) {
                    edits.fill(start..end, b' ');
                }
            }
            Event::Eof => return (depth == 0).then_some(()),
            _ => {}
        }
    }
}

fn position(reader: &Reader<&[u8]>) -> Option<usize> {
    usize::try_from(reader.buffer_position()).ok()
}

/// Overwrites such properties among the attributes of a tag.
fn attributes(text: &[u8], tag: &BytesStart<'_>, edits: &mut Edits) -> Option<()> {
    for attribute in tag.attributes().with_checks(false) {
        let attribute = attribute.ok()?;
        if is_removed(attribute.key) {
            let start = offset_in(text, attribute.key.as_ref())?;
            // With the quotation mark behind it.
            let end = offset_in(text, &attribute.value)? + attribute.value.len() + 1;
            edits.fill(start..end, b' ');
        }
    }
    Some(())
}

/// Where `part`, which was borrowed from `text`, begins in it.
fn offset_in(text: &[u8], part: &[u8]) -> Option<usize> {
    let offset = (part.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    (offset + part.len() <= text.len()).then_some(offset)
}
