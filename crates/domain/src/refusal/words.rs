//! Durations as refusals say them.

use std::time::Duration;

/// A duration in words, rounded up.
pub(super) fn in_words(time: Duration) -> String {
    let (count, unit) = match time.as_secs().max(1) {
        seconds @ ..=90 => (seconds, "second"),
        seconds @ ..=5_400 => (seconds.div_ceil(60), "minute"),
        seconds => (seconds.div_ceil(3_600), "hour"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural}")
}
