//! XMP packets (ISO 16684-1): when, with what and by whom the picture was taken. What is said of other pictures, from which this one
//! was made, lies deeper, and is not read.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

use super::moments::Rank;

/// Most bytes of a packet that are read. Histories make some long, behind what is read here.
const MOST_BYTES: usize = 4 << 20;
/// How deep elements may lie in each other.
const MOST_LEVELS: usize = 64;
/// Most declarations of namespaces that are remembered, and most dates.
const MOST_KEPT: usize = 64;
/// Most names of those who made the picture.
const MOST_ARTISTS: usize = 8;
/// Most bytes of a value.
const MOST_VALUE_BYTES: usize = 1_024;

/// What a packet says.
#[derive(Default)]
pub(super) struct Properties {
    pub(super) dates: Vec<(Rank, String)>,
    pub(super) make: Option<String>,
    pub(super) model: Option<String>,
    pub(super) lens: Option<String>,
    pub(super) artists: Vec<String>,
    pub(super) copyright: Option<String>,
}

/// Namespaces whose properties are read, without the slash that some programs leave out, and their usual prefixes.
const NAMESPACES: [(Namespace, &str, &str); 7] = [
    (Namespace::Exif, "http://ns.adobe.com/exif/1.0", "exif"),
    (Namespace::ExifEx, "http://cipa.jp/exif/1.0", "exifEX"),
    (Namespace::Aux, "http://ns.adobe.com/exif/1.0/aux", "aux"),
    (Namespace::Photoshop, "http://ns.adobe.com/photoshop/1.0", "photoshop"),
    (Namespace::Tiff, "http://ns.adobe.com/tiff/1.0", "tiff"),
    (Namespace::Xmp, "http://ns.adobe.com/xap/1.0", "xmp"),
    (Namespace::Dc, "http://purl.org/dc/elements/1.1", "dc"),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Namespace {
    Exif,
    ExifEx,
    Aux,
    Photoshop,
    Tiff,
    Xmp,
    Dc,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Property {
    Date(Rank),
    Make,
    Model,
    Lens,
    Artist,
    Copyright,
}

impl Property {
    fn of(namespace: Namespace, name: &[u8]) -> Option<Self> {
        Some(match (namespace, name) {
            (Namespace::Exif, b"DateTimeOriginal") => Self::Date(Rank::CameraAgain),
            (Namespace::Photoshop, b"DateCreated") => Self::Date(Rank::Created),
            (Namespace::Exif, b"DateTimeDigitized") | (Namespace::Xmp, b"CreateDate") => {
                Self::Date(Rank::DigitizedAgain)
            }
            (Namespace::Tiff, b"Make") => Self::Make,
            (Namespace::Tiff, b"Model") => Self::Model,
            (Namespace::ExifEx, b"LensModel") | (Namespace::Aux, b"Lens") => Self::Lens,
            (Namespace::Dc, b"creator") => Self::Artist,
            (Namespace::Dc, b"rights") => Self::Copyright,
            _ => return None,
        })
    }
}

/// Reads a packet as far as it goes.
pub(super) fn read(packet: &[u8]) -> Properties {
    let mut walk = Walk::default();
    let packet = &packet[..packet.len().min(MOST_BYTES)];
    let mut reader = Reader::from_reader(packet);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Start(tag) => walk.start(&tag),
            Event::Empty(tag) => {
                walk.start(&tag);
                walk.end(tag.name().as_ref());
            }
            Event::End(tag) => walk.end(tag.name().as_ref()),
            Event::Text(text) => walk.text(&String::from_utf8_lossy(&text)),
            Event::CData(text) => walk.text(&String::from_utf8_lossy(&text)),
            Event::GeneralRef(name) => {
                let reference = format!("&{};", String::from_utf8_lossy(&name));
                walk.text(&unescaped(&reference));
            }
            Event::Eof => break,
            _ => {}
        }
        if walk.levels.len() > MOST_LEVELS {
            break;
        }
    }
    walk.found
}

/// What an element is, from the outside to the inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    /// Around the description.
    Outside,
    /// `rdf:RDF`.
    Rdf,
    /// What is said of this picture.
    Description,
    /// A property, and whether it is read.
    Property(Option<Property>),
    /// Inside a property.
    Inside,
}

#[derive(Default)]
struct Walk {
    levels: Vec<(Level, Vec<u8>)>,
    /// Prefixes that were declared for a namespace which is read.
    prefixes: Vec<(Vec<u8>, Namespace)>,
    /// The value of the property so far.
    value: String,
    found: Properties,
}

impl Walk {
    fn start(&mut self, tag: &BytesStart<'_>) {
        self.declare(tag);
        let name = tag.name();
        let level = match self.levels.last().map(|(level, _)| level) {
            None | Some(Level::Outside) if name.local_name().as_ref() == b"RDF" => Level::Rdf,
            None | Some(Level::Outside) => Level::Outside,
            Some(Level::Rdf) => Level::Description,
            Some(Level::Description) => Level::Property(self.property(name.as_ref())),
            Some(Level::Property(_) | Level::Inside) => Level::Inside,
        };
        self.levels.push((level, name.as_ref().to_vec()));
        match level {
            Level::Description => {
                for attribute in tag.attributes().with_checks(false).flatten() {
                    if let Some(property) = self.property(attribute.key.as_ref()) {
                        self.keep(property, &unescaped(&String::from_utf8_lossy(&attribute.value)));
                    }
                }
            }
            Level::Property(Some(_)) => {
                self.value.clear();
                // Qualified, it stands in an attribute.
                for attribute in tag.attributes().with_checks(false).flatten() {
                    if attribute.key.local_name().as_ref() == b"value" {
                        self.text(&unescaped(&String::from_utf8_lossy(&attribute.value)));
                    }
                }
            }
            _ => {}
        }
    }

    /// Ends the element of this name, and those in it that were not ended; an end without beginning is none.
    fn end(&mut self, name: &[u8]) {
        let Some(place) = self.levels.iter().rposition(|(_, of)| of == name) else { return };
        for (level, _) in self.levels.split_off(place) {
            let ended = match level {
                Level::Property(property) => property,
                // Each item of a list is a value.
                Level::Inside => self.property_around(),
                _ => None,
            };
            if let Some(property) = ended {
                let value = std::mem::take(&mut self.value);
                self.keep(property, &value);
            }
        }
    }

    /// Of the property that is read, however deep inside it.
    fn text(&mut self, text: &str) {
        if self.property_around().is_some() {
            let room = MOST_VALUE_BYTES.saturating_sub(self.value.len());
            self.value.extend(text.chars().take(room));
        }
    }

    /// The property that is read, inside which this is.
    fn property_around(&self) -> Option<Property> {
        match self.levels.iter().rev().find(|(level, _)| *level != Level::Inside)? {
            (Level::Property(property), _) => *property,
            _ => None,
        }
    }

    fn keep(&mut self, property: Property, value: &str) {
        let value = value.trim();
        if value.is_empty() {
            return;
        }
        let slot = match property {
            Property::Date(rank) => {
                if self.found.dates.len() < MOST_KEPT {
                    self.found.dates.push((rank, value.to_owned()));
                }
                return;
            }
            Property::Make => &mut self.found.make,
            Property::Model => &mut self.found.model,
            Property::Lens => &mut self.found.lens,
            Property::Artist => {
                if self.found.artists.len() < MOST_ARTISTS {
                    self.found.artists.push(value.to_owned());
                }
                return;
            }
            Property::Copyright => &mut self.found.copyright,
        };
        slot.get_or_insert_with(|| value.to_owned());
    }

    /// Remembers the declarations of a tag.
    fn declare(&mut self, tag: &BytesStart<'_>) {
        for attribute in tag.attributes().with_checks(false).flatten() {
            let Some(prefix) = attribute.key.as_ref().strip_prefix(b"xmlns:") else { continue };
            let uri = attribute.value.trim_ascii();
            let uri = uri.strip_suffix(b"/").unwrap_or(uri);
            let known = NAMESPACES.iter().find(|(_, known, _)| known.as_bytes() == uri);
            if let Some((namespace, _, _)) = known
                && self.prefixes.len() < MOST_KEPT
            {
                self.prefixes.push((prefix.to_vec(), *namespace));
            }
        }
    }

    /// The property of a name with its prefix. One that is not declared, or for a namespace that nobody knows, stands for what
    /// it usually does: some programs write the address wrong, and ExifTool reads the name alone too.
    fn property(&self, name: &[u8]) -> Option<Property> {
        let colon = memchr::memchr(b':', name)?;
        let (prefix, name) = (&name[..colon], &name[colon + 1..]);
        let declared = self.prefixes.iter().rev().find(|(declared, _)| declared == prefix);
        let namespace = match declared {
            Some((_, namespace)) => *namespace,
            None => NAMESPACES.iter().find(|(_, _, usual)| usual.as_bytes() == prefix)?.0,
        };
        Property::of(namespace, name)
    }
}

/// A text without its entities, as far as they are known.
fn unescaped(text: &str) -> Cow<'_, str> {
    unescape(text).unwrap_or(Cow::Borrowed(text))
}
