//! Prometheus' text format, version 0.0.4, made of OpenMetrics: some collectors read that alone.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Rewrites what the two formats spell otherwise: in the older one the description of a counter has the name of its samples, an info
/// metric is a gauge, and there are no units and no end.
pub(super) fn from_openmetrics(metrics: &str) -> String {
    let mut text = String::with_capacity(metrics.len());
    let mut help = "";
    for line in metrics.lines() {
        let Some(comment) = line.strip_prefix("# ") else {
            text.push_str(line);
            text.push('\n');
            continue;
        };
        if let Some(described) = comment.strip_prefix("HELP ") {
            help = described;
        } else if let Some((name, kind)) = comment.strip_prefix("TYPE ").and_then(|rest| rest.split_once(' '))
        {
            let (kind, suffix) = match kind {
                "counter" => ("counter", "_total"),
                "info" => ("gauge", "_info"),
                "unknown" => ("untyped", ""),
                other => (other, ""),
            };
            let family = (name, suffix);
            if let Some(words) = help.strip_prefix(name) {
                let _ = writeln!(text, "# HELP {}{words}", named(family));
            }
            let _ = writeln!(text, "# TYPE {} {kind}", named(family));
        }
    }
    text
}

fn named<'a>((name, suffix): (&'a str, &str)) -> Cow<'a, str> {
    if suffix.is_empty() { Cow::Borrowed(name) } else { Cow::Owned(format!("{name}{suffix}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_formats_spell_otherwise_is_rewritten() {
        // [RUN351]
        let metrics = "# HELP a_requests Requests.\n# TYPE a_requests counter\na_requests_total{route=\"/\"} 3\n\
            # HELP a_build Build.\n# TYPE a_build info\na_build_info{version=\"1\"} 1\n\
            # HELP a_age_seconds Age.\n# TYPE a_age_seconds gauge\n# UNIT a_age_seconds seconds\na_age_seconds 7.0\n\
            # TYPE b unknown\nb 1\n# EOF\n";
        let expected = "# HELP a_requests_total Requests.\n# TYPE a_requests_total counter\na_requests_total{route=\"/\"} 3\n\
            # HELP a_build_info Build.\n# TYPE a_build_info gauge\na_build_info{version=\"1\"} 1\n\
            # HELP a_age_seconds Age.\n# TYPE a_age_seconds gauge\na_age_seconds 7.0\n# TYPE b untyped\nb 1\n";
        assert_eq!(from_openmetrics(metrics), expected);
    }
}
