use std::collections::BTreeSet;

use super::*;

/// The names of all series. Nothing is told of a family without a label, so each gets one.
fn names() -> BTreeSet<String> {
    let (metrics, took) = (Metrics::new(), Duration::ZERO);
    metrics.record_request("web", "GET", 200, took);
    metrics.record_index_stage(Stage::Load, took);
    metrics.record_search(Ok(1), took);
    metrics.record_search_stage(SearchStage::Wait, took);
    metrics.record_face_index_lookup(IndexLookup::Read);
    metrics.record_rendition(RenditionSource::Store);
    metrics.face_detector.get_or_create(&ArithmeticLabels { arithmetic: "float32" }).set(1);
    metrics.record_ledger_entry(LedgerKind::Upload);
    metrics.record_mail(&Ok(()));
    metrics.record_rate_limited(Limit::Logins);
    metrics.record_attempt(JobKind::IndexPhoto, Outcome::Completed);
    let text = metrics.encode(&[], Timestamp::from_millis(0), Format::OpenMetrics).unwrap();
    let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '));
    let suffixes = |kind| match kind {
        "counter" => &["_total"][..],
        "histogram" => &["_bucket", "_sum", "_count"],
        _ => &[""],
    };
    types
        .flat_map(|(name, kind)| suffixes(kind).iter().map(move |suffix| format!("{name}{suffix}")))
        .collect()
}

#[test]
fn dashboard_and_alerts_name_metrics_that_there_are() {
    let names = names();
    for file in [
        include_str!("../../../../../deploy/monitoring/grafana-dashboard.json"),
        include_str!("../../../../../deploy/monitoring/afterglow-alerts.yml"),
        include_str!("../../../../../deploy/monitoring/afterglow-alerts-test.yml"),
    ] {
        let words = file.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let named: BTreeSet<&str> = words.filter(|word| word.starts_with("afterglow_")).collect();
        assert!(named.len() > 2, "{named:?}");
        for name in named {
            assert!(names.contains(name), "{name} is none of {names:?}");
        }
    }
}
