//! When a picture was taken and with what, wherever a file tells it, and whatever else of the file cannot be read.

mod formats;

use domain::Timestamp;
use domain::photos::captures::Capture;
use media::captures::read;

use crate::fixtures::{encode_rgb, scene};
use domain::photos::ImageFormat;

const TAKEN: &str = "2024:03:09 17:45:12";
const OTHER: &str = "2021:01:02 03:04:05";

const GPS: u16 = 0x8825;
const EXIF: u16 = 0x8769;
const ORIGINAL: u16 = 0x9003;
const DIGITIZED: u16 = 0x9004;
const MAKER_NOTE: u16 = 0x927C;

fn taken() -> Option<Timestamp> {
    Timestamp::from_utc(2024, [3, 9, 17, 45, 12])
}

/// All that the files of this test tell.
fn all() -> Capture {
    Capture::new(taken(), Some("Example"), Some("Model 7"), Some("Example 35mm"))
}

/// An entry of a directory as it is written, true or not.
#[derive(Clone)]
struct Entry {
    tag: u16,
    kind: u16,
    count: u32,
    /// Behind the directory where it has more than four bytes.
    bytes: Vec<u8>,
}

fn text(tag: u16, text: &str) -> Entry {
    let bytes = [text.as_bytes(), b"\0"].concat();
    Entry { tag, kind: 2, count: bytes.len() as u32, bytes }
}

fn raw(tag: u16, kind: u16, count: u32, value: u32) -> Entry {
    Entry { tag, kind, count, bytes: value.to_le_bytes().to_vec() }
}

/// A directory at `at` with its values, and a pointer to the next one unless there is none at all.
fn directory(at: usize, entries: &[Entry], next: Option<u32>) -> Vec<u8> {
    let next = next.map(u32::to_le_bytes);
    let values_at = at + 2 + entries.len() * 12 + next.map_or(0, |_| 4);
    let (mut table, mut values) = ((entries.len() as u16).to_le_bytes().to_vec(), Vec::new());
    for Entry { tag, kind, count, bytes } in entries {
        table.extend([&tag.to_le_bytes()[..], &kind.to_le_bytes(), &count.to_le_bytes()].concat());
        if bytes.len() <= 4 {
            table.extend(bytes);
            table.resize(table.len() + 4 - bytes.len(), 0);
        } else {
            table.extend(((values_at + values.len()) as u32).to_le_bytes());
            values.extend(bytes);
        }
    }
    table.extend(next.unwrap_or_default().iter().take(next.map_or(0, |_| 4)));
    [table, values].concat()
}

/// What is odd about a structure.
#[derive(Clone, Default)]
struct Odd {
    /// More entries of the first directory.
    root: Vec<Entry>,
    /// More entries of the camera's.
    camera: Vec<Entry>,
    /// Where the pointers to the next directories lead.
    next: Option<u32>,
    next_of_camera: Option<u32>,
    /// What stands behind all.
    behind: Vec<u8>,
    /// The type of the pointer to the camera's directory.
    pointer: u16,
    without_date: bool,
}

impl Odd {
    /// As cameras write it.
    fn none() -> Self {
        Self { next: Some(0), next_of_camera: Some(0), pointer: 4, ..Self::default() }
    }

    fn structure(&self) -> Vec<u8> {
        let root = |camera_at: usize| {
            let mut entries = vec![text(0x010F, "Example"), text(0x0110, "Model 7")];
            entries.push(raw(EXIF, self.pointer, 1, camera_at as u32));
            entries.extend(self.root.clone());
            directory(8, &entries, self.next)
        };
        let camera_at = 8 + root(0).len();
        let mut entries = if self.without_date { vec![] } else { vec![text(ORIGINAL, TAKEN)] };
        entries.push(text(0xA434, "Example 35mm"));
        entries.extend(self.camera.clone());
        let camera = directory(camera_at, &entries, self.next_of_camera);
        [b"II*\0\x08\0\0\0".as_slice(), &root(camera_at), &camera, &self.behind].concat()
    }

    /// Where what stands behind all begins.
    fn end(&self) -> u32 {
        (self.structure().len() - self.behind.len()) as u32
    }
}

fn segment(marker: u8, content: &[u8]) -> Vec<u8> {
    [&[0xFF, marker], &(content.len() as u16 + 2).to_be_bytes()[..], content].concat()
}

fn exif_segment(structure: &[u8]) -> Vec<u8> {
    segment(0xE1, &[b"Exif\0\0".as_slice(), structure].concat())
}

/// A JPEG file with these segments.
fn jpeg(segments: &[Vec<u8>]) -> Vec<u8> {
    let picture = encode_rgb(ImageFormat::Jpeg, scene(16, 8));
    [&picture[..2], &segments.concat(), &picture[2..]].concat()
}

fn of_structure(structure: &[u8]) -> Capture {
    read(&jpeg(&[exif_segment(structure)]))
}

#[test]
fn an_entry_that_cannot_be_read_costs_itself_alone() {
    let odd = |change: &dyn Fn(&mut Odd)| {
        let mut odd = Odd::none();
        change(&mut odd);
        odd
    };
    let with_gps = |change: &dyn Fn(&mut Odd)| {
        let mut odd = Odd { root: vec![raw(GPS, 4, 1, 0)], ..Odd::none() };
        change(&mut odd);
        odd.root = vec![raw(GPS, 4, 1, odd.end())];
        odd
    };
    let latitude = raw(2, 5, 3, 0xFFFF_0000);
    let cases: Vec<(&str, Odd)> = vec![
        ("nothing is odd", Odd::none()),
        ("positions in a directory of no entries", with_gps(&|odd| odd.behind = vec![0; 6])),
        ("the same at the end", with_gps(&|odd| odd.behind = vec![0; 2])),
        ("positions outside", odd(&|odd| odd.root.push(raw(GPS, 4, 1, 0xFF_FFFF)))),
        ("positions in the first directory again", odd(&|odd| odd.root.push(raw(GPS, 4, 1, 8)))),
        (
            "a position outside",
            with_gps(&|odd| odd.behind = directory(0, std::slice::from_ref(&latitude), Some(0))),
        ),
        (
            "positions lead to a next directory",
            with_gps(&|odd| odd.behind = directory(0, &[raw(0, 1, 4, 0x0000_0302)], Some(8))),
        ),
        (
            "positions lead nowhere",
            with_gps(&|odd| odd.behind = directory(0, &[raw(0, 1, 4, 0x0000_0302)], Some(0x7FFF_FFFF))),
        ),
        ("the maker's notes outside", odd(&|odd| odd.camera.push(raw(MAKER_NOTE, 7, 9_000, 0x00FF_0000)))),
        ("the same in the first directory", odd(&|odd| odd.root.push(raw(MAKER_NOTE, 7, 9_000, 60)))),
        ("a thumbnail outside", odd(&|odd| odd.next = Some(0xFFFF))),
        ("a thumbnail far outside", odd(&|odd| odd.next = Some(0xFFFF_FFFF))),
        ("the first directory once more", odd(&|odd| odd.next = Some(8))),
        ("no pointer to a next directory", odd(&|odd| odd.next = None)),
        ("none at all", odd(&|odd| (odd.next, odd.next_of_camera) = (None, None))),
        ("the camera leads to a next directory", odd(&|odd| odd.next_of_camera = Some(8))),
        ("a type that nobody knows", odd(&|odd| odd.root.push(raw(0x0131, 99, 1, 0)))),
        ("type 0", odd(&|odd| odd.root.insert(0, raw(0x0131, 0, 1, 0)))),
        ("the same beside the date", odd(&|odd| odd.camera.insert(0, raw(0x9101, 0xFFFF, 7, 0)))),
        ("a text longer than the file", odd(&|odd| odd.root.push(raw(0x010E, 2, 0x7FFF_FFFF, 0x10)))),
        ("numbers without end", odd(&|odd| odd.root.insert(0, raw(0x011A, 5, 0xFFFF_FFFF, 0x10)))),
        ("the pointer of a type of its own", odd(&|odd| odd.pointer = 13)),
        ("a short pointer", odd(&|odd| odd.pointer = 3)),
        ("two pointers", odd(&|odd| odd.root.push(raw(EXIF, 4, 1, 0xFFFF_FF00)))),
    ];
    for (what, odd) in cases {
        assert_eq!(of_structure(&odd.structure()), all(), "{what}");
    }
    // A directory that is cut off is read up to there.
    let mut cut = Odd::none().structure();
    let entries = cut[8];
    cut[8] = entries + 200;
    assert_eq!(of_structure(&cut), all());
    // The number of TIFF is another one.
    let mut other = Odd::none().structure();
    other[2] = 0x97;
    assert_eq!(of_structure(&other), all());
    // Programs that do not know the type of a text write bytes.
    for kind in [1, 7, 129] {
        let mut odd = Odd { without_date: true, ..Odd::none() };
        odd.camera.push(Entry { kind, ..text(ORIGINAL, TAKEN) });
        assert_eq!(of_structure(&odd.structure()), all(), "type {kind}");
    }
    // The date says to be longer than the file.
    let mut odd = Odd { without_date: true, ..Odd::none() };
    odd.camera.push(Entry { count: 0x00FF_FFFF, ..text(ORIGINAL, TAKEN) });
    assert_eq!(of_structure(&odd.structure()), all());
}

#[test]
fn a_date_that_says_nothing_gives_way_to_one_that_does() {
    for nothing in
        ["    :  :     :  :  ", "0000:00:00 00:00:00", "2002:12:08 12:00:00", "1970:01:01 05:30:00", "x", ""]
    {
        let mut odd = Odd { without_date: true, ..Odd::none() };
        odd.camera.extend([text(ORIGINAL, nothing), text(DIGITIZED, TAKEN)]);
        assert_eq!(of_structure(&odd.structure()), all(), "{nothing:?}");
        let mut odd = Odd { without_date: true, ..Odd::none() };
        odd.camera.push(text(ORIGINAL, nothing));
        assert_eq!(of_structure(&odd.structure()), Capture { at: None, ..all() }, "{nothing:?}");
        let xmp = xmp_segment(
            "<rdf:Description xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:CreateDate='2024-03-09T17:45:12'/>",
        );
        assert_eq!(read(&jpeg(&[exif_segment(&odd.structure()), xmp])), all(), "{nothing:?}");
    }
    // The moment of the file's last change is none.
    let mut odd = Odd { without_date: true, ..Odd::none() };
    odd.root.push(text(0x0132, OTHER));
    assert_eq!(of_structure(&odd.structure()).at, None);
}

#[test]
fn every_segment_is_read_and_the_camera_is_believed_before_others() {
    let without = Odd { without_date: true, ..Odd::none() }.structure();
    let bare = [b"II*\0\x08\0\0\0".as_slice(), &[0; 6]].concat();
    let whole = Odd::none().structure();
    let segments = |segments: &[Vec<u8>]| read(&jpeg(segments));
    assert_eq!(segments(&[exif_segment(&without), exif_segment(&whole)]), all());
    assert_eq!(segments(&[exif_segment(&bare), exif_segment(&whole)]), all());
    assert_eq!(segments(&[exif_segment(b"nothing"), exif_segment(&whole)]), all());
    // One that is too long for a segment goes on in the next.
    let (one, other) = whole.split_at(50);
    assert_eq!(segments(&[exif_segment(one), exif_segment(other)]), all());
    assert_eq!(segments(&[segment(0xE1, &[b"Exif\0\xFF".as_slice(), &whole].concat())]), all());
    let other = xmp_segment(
        "<rdf:Description xmlns:exif='http://ns.adobe.com/exif/1.0/' exif:DateTimeOriginal='2021-01-02T03:04:05'/>",
    );
    let records = iptc_segment(&[(55, "20210102"), (60, "030405")]);
    assert_eq!(segments(&[other, records.clone(), exif_segment(&whole)]), all());
    // But what became a file later is not.
    let mut scanned = Odd { without_date: true, ..Odd::none() };
    scanned.camera.push(text(DIGITIZED, OTHER));
    let created = iptc_segment(&[(55, "20240309"), (60, "174512+0530")]);
    assert_eq!(segments(&[exif_segment(&scanned.structure()), created]), all());
}

fn packet(description: &str) -> String {
    format!(
        "<?xpacket begin='\u{feff}' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF \
         xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>{description}</rdf:RDF></x:xmpmeta><?xpacket end='w'?>"
    )
}

fn xmp_segment(description: &str) -> Vec<u8> {
    segment(0xE1, &[b"http://ns.adobe.com/xap/1.0/\0", packet(description).as_bytes()].concat())
}

fn of_xmp(description: &str) -> Capture {
    read(&jpeg(&[xmp_segment(description)]))
}

#[test]
fn dates_in_xmp_are_read_however_they_are_written() {
    const PHOTOSHOP: &str = "http://ns.adobe.com/photoshop/1.0/";
    const CAMERA: &str = "http://ns.adobe.com/exif/1.0/";
    const BASIC: &str = "http://ns.adobe.com/xap/1.0/";
    let at = "2024-03-09T17:45:12";
    for (uri, name) in [
        (PHOTOSHOP, "DateCreated"),
        (CAMERA, "DateTimeOriginal"),
        (CAMERA, "DateTimeDigitized"),
        (BASIC, "CreateDate"),
    ] {
        for prefix in ["photoshop", "exif", "xmp", "xap", "ns1", "p"] {
            for value in [at, "2024-03-09T17:45:12+05:30", "2024-03-09T17:45:12Z", "2024:03:09 17:45:12"] {
                let attribute = format!(
                    "<rdf:Description rdf:about='' xmlns:{prefix}='{uri}' {prefix}:{name}=\"{value}\"/>"
                );
                assert_eq!(of_xmp(&attribute).at, taken(), "{attribute}");
                let element = format!(
                    "<rdf:Description rdf:about=''><{prefix}:{name} xmlns:{prefix}='{uri}'>\n {value}\n</{prefix}:{name}></rdf:Description>"
                );
                assert_eq!(of_xmp(&element).at, taken(), "{element}");
            }
        }
    }
    for (description, what) in [
        (
            "<rdf:Description><exif:DateTimeOriginal>{}</exif:DateTimeOriginal></rdf:Description>",
            "no declaration",
        ),
        ("<rdf:Description xmlns:e='http://ns.adobe.com/exif/1.0' e:DateTimeOriginal='{}'/>", "no slash"),
        (
            "<rdf:Description xmlns:photoshop='http://ns.adobe.com/photoshop/1.0/'><photoshop:DateCreated><rdf:Seq><rdf:li>{}</rdf:li></rdf:Seq></photoshop:DateCreated></rdf:Description>",
            "a list",
        ),
        (
            "<rdf:Description xmlns:photoshop='http://ns.adobe.com/photoshop/1.0/'><photoshop:DateCreated rdf:value='{}'/></rdf:Description>",
            "a value with qualifiers",
        ),
        (
            "<rdf:Description xmlns:a='b'><a:c><a:d></a:c></a:d></a:unopened></rdf:Description><rdf:Description xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:CreateDate='{}'/>",
            "elements across each other",
        ),
        (
            "<rdf:Description xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:CreateDate='{}'><broken",
            "it breaks off",
        ),
        (
            "<rdf:Description xmlns:xmp='http://ns.adobe.com/xap/1.0/'><xmp:CreateDate><![CDATA[{}]]></xmp:CreateDate></rdf:Description>",
            "literal",
        ),
    ] {
        let description = description.replace("{}", at);
        assert_eq!(of_xmp(&description).at, taken(), "{what}");
    }
    // What is said of other pictures is not said of this one, and the file's last change is no moment.
    let others = format!(
        "<rdf:Description xmlns:xmp='{BASIC}' xmlns:xmpMM='http://ns.adobe.com/xap/1.0/mm/' xmp:ModifyDate='{at}'>\
         <xmpMM:Pantry><rdf:Bag><rdf:li><rdf:Description xmp:CreateDate='{at}'/></rdf:li><rdf:li rdf:parseType='Resource'>\
         <xmp:CreateDate>{at}</xmp:CreateDate></rdf:li></rdf:Bag></xmpMM:Pantry></rdf:Description>"
    );
    assert_eq!(of_xmp(&others).at, None);
    let foreign = format!("<rdf:Description xmlns:a='http://example.com/' a:DateTimeOriginal='{at}'/>");
    assert_eq!(of_xmp(&foreign).at, None);
    // As ExifTool reads it: the name counts where nobody knows the address.
    let mistyped =
        format!("<rdf:Description xmlns:exif='http://ns.adobe.com/exf/1.0/' exif:DateTimeOriginal='{at}'/>");
    assert_eq!(of_xmp(&mistyped).at, taken());
    // Camera and lens too.
    let camera = "<rdf:Description xmlns:tiff='http://ns.adobe.com/tiff/1.0/' xmlns:aux='http://ns.adobe.com/exif/1.0/aux/' \
                  tiff:Make='Example &amp; Sons' aux:Lens='Example 35mm'><tiff:Model>Model &#55;</tiff:Model></rdf:Description>";
    let named = Capture::new(None, Some("Example & Sons"), Some("Model 7"), Some("Example 35mm"));
    assert_eq!(of_xmp(camera), named);
    // Without the name before it, without the zero behind that, or with another.
    for name in ["", "http://ns.adobe.com/xap/1.0/", "XMP\0", "http://ns.example.com/xap/1.0/\0"] {
        let description = format!("<rdf:Description xmlns:p='{BASIC}' p:CreateDate='{at}'/>");
        let content = format!("{name}{}", packet(&description));
        assert_eq!(read(&jpeg(&[segment(0xE1, content.as_bytes())])).at, taken(), "{name:?}");
    }
}

#[test]
fn what_had_no_room_in_a_packet_is_put_together_again() {
    let description = "<rdf:Description xmlns:exif='http://ns.adobe.com/exif/1.0/' exif:DateTimeOriginal='2024-03-09T17:45:12'/>";
    let whole = packet(description).into_bytes();
    let main = xmp_segment(
        "<rdf:Description xmlns:xmpNote='http://ns.adobe.com/xmp/note/' xmpNote:HasExtendedXMP='0'/>",
    );
    for size in [whole.len(), whole.len() / 2, 40] {
        let mut segments = vec![main.clone()];
        for (number, piece) in whole.chunks(size).enumerate() {
            let head = [
                [b'0'; 32].as_slice(),
                &(whole.len() as u32).to_be_bytes(),
                &((number * size) as u32).to_be_bytes(),
            ];
            segments.push(segment(
                0xE1,
                &[b"http://ns.adobe.com/xmp/extension/\0", &head.concat()[..], piece].concat(),
            ));
        }
        assert_eq!(read(&jpeg(&segments)).at, taken(), "pieces of {size} bytes");
    }
    // What is no piece costs nothing.
    let short = segment(0xE1, b"http://ns.adobe.com/xmp/extension/\0short");
    assert_eq!(read(&jpeg(&[short, xmp_segment(description)])).at, taken());
}

fn iptc(records: &[(u8, &str)]) -> Vec<u8> {
    let record = |(dataset, text): &(u8, &str)| {
        [&[0x1C, 2, *dataset], &(text.len() as u16).to_be_bytes()[..], text.as_bytes()].concat()
    };
    records.iter().flat_map(record).collect()
}

fn resource(number: u16, content: &[u8]) -> Vec<u8> {
    let length = (content.len() as u32).to_be_bytes();
    let mut out = [b"8BIM".as_slice(), &number.to_be_bytes(), &[0, 0], &length, content].concat();
    out.resize(out.len().next_multiple_of(2), 0);
    out
}

fn iptc_segment(records: &[(u8, &str)]) -> Vec<u8> {
    segment(0xED, &[b"Photoshop 3.0\0".as_slice(), &resource(0x0404, &iptc(records))].concat())
}

#[test]
fn who_made_a_picture_and_whose_it_is_are_read_from_exif_then_xmp_then_iptc() {
    // [UPL246]
    let rights = |capture: Capture| (capture.artist, capture.copyright);
    let some = |text: &str| Some(String::from(text));
    let bytes = |tag, bytes: &[u8]| Entry { tag, kind: 2, count: bytes.len() as u32, bytes: bytes.to_vec() };
    let exif = |artist: &[u8], copyright: &[u8]| {
        let root = vec![bytes(0x013B, artist), bytes(0x8298, copyright)];
        exif_segment(&Odd { root, ..Odd::none() }.structure())
    };
    let xmp = xmp_segment(
        "<rdf:Description xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:creator><rdf:Seq><rdf:li>Asha Rao</rdf:li>\
         <rdf:li>Zoë &amp; Co.</rdf:li></rdf:Seq></dc:creator><dc:rights><rdf:Alt><rdf:li xml:lang='x-default'>© 2026 \
         Asha</rdf:li><rdf:li xml:lang='de'>Alle Rechte</rdf:li></rdf:Alt></dc:rights></rdf:Description>",
    );
    let iptc = iptc_segment(&[(80, "By Meera"), (116, "Meera 2026"), (120, "At the lake")]);
    let of =
        |segments: &[&Vec<u8>]| rights(read(&jpeg(&segments.iter().copied().cloned().collect::<Vec<_>>())));
    let (of_xmp, of_iptc) =
        ((some("Asha Rao; Zoë & Co."), some("© 2026 Asha")), (some("By Meera"), some("Meera 2026")));
    let camera = exif(b"Ravi\0", b"\xC2\xA9 Ravi\0The editor\0");
    assert_eq!(of(&[&iptc, &xmp, &camera]), (some("Ravi"), some("© Ravi")));
    assert_eq!(of(&[&iptc, &xmp]), of_xmp);
    assert_eq!(of(&[&iptc]), of_iptc);
    // In Latin-1, as many cameras write it, and spaces that stand for nothing.
    assert_eq!(of(&[&exif(b"Zo\xEB\0", b"\xA9 Zo\xEB\0")]), (some("Zoë"), some("© Zoë")));
    assert_eq!(of(&[&exif(b"        \0", b" \0"), &iptc]), of_iptc);
    assert_eq!(of(&[&exif(b"Ravi\0", b"\0"), &xmp]), (some("Ravi"), some("© 2026 Asha")));
    // What the camera's owner is called is no artist's name.
    assert_eq!(of(&[&exif_segment(&Odd::none().structure())]), (None, None));
}

#[test]
fn dates_in_records_of_iptc_are_read() {
    let at = |records: &[(u8, &str)]| read(&jpeg(&[iptc_segment(records)])).at;
    for time in ["174512+0530", "174512", "174512-0800", "17:45:12", "17:45:12+05:30", "174512Z"] {
        assert_eq!(at(&[(55, "20240309"), (60, time)]), taken(), "{time}");
        assert_eq!(at(&[(5, "Title"), (60, time), (55, "2024-03-09"), (120, "Caption")]), taken(), "{time}");
        assert_eq!(at(&[(62, "20240309"), (63, time)]), taken(), "{time}");
    }
    let midnight = Timestamp::from_utc(2024, [3, 9, 0, 0, 0]);
    for time in ["", "x", "250000", "17"] {
        let told = at(&[(55, "20240309"), (60, time)]);
        assert_eq!(told, if time == "250000" { None } else { midnight }, "{time:?}");
    }
    assert_eq!(at(&[(55, "20240309")]), midnight);
    for date in ["00000000", "20240000", "2024", "", "20241340"] {
        assert_eq!(at(&[(55, date), (60, "174512")]), None, "{date:?}");
    }
    // A day alone is less than a moment, whoever tells it.
    let xmp = xmp_segment(
        "<rdf:Description xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:CreateDate='2024-03-09T17:45:12'/>",
    );
    assert_eq!(read(&jpeg(&[iptc_segment(&[(55, "20240309")]), xmp])).at, taken());
    // Resources that go on in the next segment, and a length that has a length.
    let long =
        [&[0x1C, 2, 120, 0x80, 2, 0, 3], b"abc".as_slice(), &iptc(&[(55, "20240309"), (60, "174512")])]
            .concat();
    let resources = [resource(0x03ED, b"odd"), resource(0x0404, &long)].concat();
    let (one, other) = resources.split_at(30);
    let parts = [one, other].map(|part| segment(0xED, &[b"Photoshop 3.0\0".as_slice(), part].concat()));
    assert_eq!(read(&jpeg(&parts)).at, taken());
    // EXIF and XMP among Photoshop's resources.
    for (number, content) in [(0x0422, Odd::none().structure()), (0x0424, packet("<rdf:Description xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:CreateDate='2024-03-09T17:45:12'/>").into_bytes())] {
        let content = [b"Photoshop 3.0\0".as_slice(), &resource(number, &content)].concat();
        assert_eq!(read(&jpeg(&[segment(0xED, &content)])).at, taken());
    }
}
