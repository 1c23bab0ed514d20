//! What a fuzz target does with its input, so that the tests replay the corpus through the same code.

use domain::photos::captures::Capture;
use domain::photos::redactions::apply;
use domain::photos::{ImageFormat, MAX_PIXELS};

use crate::captures;
use crate::metadata::redact;
use crate::pictures::{decode, decode_memory, inspect, inspect_memory, preview, renditions};

/// More is waited for in turn (`app::operations::runtime::decode_memory`), and would only make the fuzzer slow.
const WORKING_BYTES: u64 = 64 << 20;

/// A picture as it was uploaded: what is accepted decodes, is within the limits, and can be rendered.
pub fn picture(bytes: &[u8]) {
    if inspect_memory(bytes).max(decode_memory(bytes, 64)) > WORKING_BYTES {
        return;
    }
    drop(captures::read(bytes));
    let Ok(found) = inspect(bytes) else {
        // Decoding checks less than judging, but must stand the same bytes.
        drop(decode(bytes, 64));
        return;
    };
    assert!(found.width > 0 && found.height > 0);
    assert!(u64::from(found.width) * u64::from(found.height) <= MAX_PIXELS);
    match decode(bytes, 64) {
        Ok(pixels) => drop(renditions(&preview(&pixels))),
        Err(error) => panic!("{found:?} was accepted but is {error:?}"),
    }
}

/// What a file tells beside its picture: it is read and overwritten for guests, whatever it is, and the moment and the rights can be written
/// into the web size.
pub fn metadata(bytes: &[u8]) {
    let told = captures::read(bytes);
    let tagged = captures::read(&captures::tagged(vec![0xFF, 0xD8, 0xFF, 0xD9], &told));
    let seconds = |capture: &Capture| capture.at.map(|at| at.as_millis() / 1_000);
    assert_eq!(seconds(&tagged), seconds(&told));
    assert_eq!((tagged.artist, tagged.copyright), (told.artist, told.copyright));
    for format in ImageFormat::ALL {
        let Ok(redaction) = redact(bytes, format) else { continue };
        let mut redacted = bytes.to_vec();
        apply(&redaction.patches, 0, &mut redacted);
        assert_eq!(redaction.crc32, crc32fast::hash(&redacted), "{format:?}");
        drop(captures::read(&redacted));
    }
}
