//! What a fuzz target does with its input, so that the tests replay the corpus through the same code.

use domain::photos::MAX_PIXELS;

use crate::captures;
use crate::pictures::{decode, decode_memory, inspect, inspect_memory, renditions};

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
        Ok(pixels) => drop(renditions(&pixels)),
        Err(error) => panic!("{found:?} was accepted but is {error:?}"),
    }
}
