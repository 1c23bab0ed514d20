//! Counters and histograms, for Prometheus.
//!
//! Labels are names from closed sets and templates of routes, never an id, a slug, an address or the name of a person.

mod text;

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use domain::Timestamp;
use domain::operations::runtime::jobs::JobKind;
use domain::payments::ledger::LedgerKind;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use storage::operations::runtime::jobs::Backlog;
use tracing::Span;

use crate::operations::runtime::queue::Outcome;
use crate::operations::runtime::rate_limiter::Limit;
use crate::{Failure, Result};

/// The target of spans that are for collectors alone: the log has lines that say as much.
pub const TRACES: &str = "traces";

/// How metrics are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// OpenMetrics 1.0, which Prometheus reads as its own.
    OpenMetrics,
    /// The text format of Prometheus that is older, version 0.0.4.
    Text,
}

impl Format {
    /// Its media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            Self::Text => "text/plain; version=0.0.4; charset=utf-8",
        }
    }
}

/// Upper bounds of the histograms' buckets, in seconds.
const BUCKETS: [f64; 13] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0];

fn durations() -> Histogram {
    Histogram::new(BUCKETS)
}

type DurationsBy<L> = Family<L, Histogram, fn() -> Histogram>;

fn durations_by<L: Clone + std::hash::Hash + Eq>() -> DurationsBy<L> {
    Family::new_with_constructor(durations as fn() -> Histogram)
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RequestLabels {
    route: String,
    method: &'static str,
    status: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RouteLabels {
    route: String,
    method: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OutcomeLabels {
    outcome: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct SourceLabels {
    source: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct KindLabels {
    kind: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct KindAndOutcomeLabels {
    kind: &'static str,
    outcome: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct KindAndStateLabels {
    kind: &'static str,
    state: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct LimitLabels {
    limit: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct StageLabels {
    stage: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct ArithmeticLabels {
    arithmetic: &'static str,
}

/// A part of the work that makes a photo searchable.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The original comes from the media store.
    Load,
    /// Its bytes become pixels.
    Decode,
    /// Preview and thumbnail.
    Renditions,
    /// Faces are found and described.
    Faces,
    /// Renditions and faces are stored.
    Store,
}

impl Stage {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Decode => "decode",
            Self::Renditions => "renditions",
            Self::Faces => "faces",
            Self::Store => "store",
        }
    }

    /// The span of this part, for a collector.
    pub(crate) fn span(self) -> Span {
        tracing::debug_span!(target: TRACES, "index stage", otel.name = self.as_str())
    }
}

/// A part of a search by selfie.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq)]
pub(crate) enum SearchStage {
    /// Other searches, or large pictures, are before it.
    Wait,
    /// A selfie's bytes become pixels.
    Decode,
    /// Its faces are found.
    Detect,
    /// They are described.
    Describe,
    /// They are compared with all faces of the event or library, which may be read for that.
    Compare,
}

impl SearchStage {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Wait => "wait",
            Self::Decode => "decode",
            Self::Detect => "detect",
            Self::Describe => "describe",
            Self::Compare => "compare",
        }
    }
}

/// How a search came by the embeddings of its event or library.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq)]
pub(crate) enum IndexLookup {
    /// They were in memory.
    Current,
    /// Another search read what was missing.
    Shared,
    /// Those that came since were read.
    Extended,
    /// All were read.
    Read,
}

impl IndexLookup {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Shared => "shared",
            Self::Extended => "extended",
            Self::Read => "read",
        }
    }
}

/// Where the bytes of a rendition came from.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq)]
pub(crate) enum RenditionSource {
    /// They were in memory.
    Memory,
    /// They were read.
    Store,
}

impl RenditionSource {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Store => "store",
        }
    }
}

/// Everything that is counted; one for each process.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    request_durations: DurationsBy<RouteLabels>,
    upload_bytes: Counter,
    index_durations: DurationsBy<StageLabels>,
    searches: Family<OutcomeLabels, Counter>,
    search_durations: Histogram,
    search_stages: DurationsBy<StageLabels>,
    face_index_lookups: Family<OutcomeLabels, Counter>,
    face_index_memory: Gauge<u64, AtomicU64>,
    renditions: Family<SourceLabels, Counter>,
    face_detector: Family<ArithmeticLabels, Gauge>,
    ledger_entries: Family<KindLabels, Counter>,
    mails: Family<OutcomeLabels, Counter>,
    limited_requests: Family<LimitLabels, Counter>,
    attempts: Family<KindAndOutcomeLabels, Counter>,
    queued_jobs: Family<KindAndStateLabels, Gauge>,
    oldest_job: Family<KindLabels, Gauge<f64, AtomicU64>>,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut metrics = Self {
            registry: Registry::with_prefix("afterglow"),
            requests: Family::default(),
            request_durations: durations_by(),
            upload_bytes: Counter::default(),
            index_durations: durations_by(),
            searches: Family::default(),
            search_durations: durations(),
            search_stages: durations_by(),
            face_index_lookups: Family::default(),
            face_index_memory: Gauge::default(),
            renditions: Family::default(),
            face_detector: Family::default(),
            ledger_entries: Family::default(),
            mails: Family::default(),
            limited_requests: Family::default(),
            attempts: Family::default(),
            queued_jobs: Family::default(),
            oldest_job: Family::default(),
        };
        let registry = &mut metrics.registry;
        registry.register("requests", "Answered requests", metrics.requests.clone());
        let help = "Time from a request's head to its answer's head";
        registry.register_with_unit("request", help, Unit::Seconds, metrics.request_durations.clone());
        registry.register_with_unit(
            "upload",
            "Bytes of photos that came in",
            Unit::Bytes,
            metrics.upload_bytes.clone(),
        );
        let help = "Time that the stages of making a photo searchable took";
        registry.register_with_unit("index_stage", help, Unit::Seconds, metrics.index_durations.clone());
        registry.register("searches", "Searches by selfie", metrics.searches.clone());
        registry.register_with_unit(
            "search",
            "Time of a search",
            Unit::Seconds,
            metrics.search_durations.clone(),
        );
        let help = "Time that the stages of a search took, for each selfie where there are several";
        registry.register_with_unit("search_stage", help, Unit::Seconds, metrics.search_stages.clone());
        let help = "Looks at the embeddings in memory, by whether they were there";
        registry.register("gallery_lookups", help, metrics.face_index_lookups.clone());
        let help = "What embeddings in memory take";
        registry.register_with_unit("gallery_memory", help, Unit::Bytes, metrics.face_index_memory.clone());
        let help = "Thumbnails and previews that were sent in one piece, by where they came from";
        registry.register("renditions", help, metrics.renditions.clone());
        let help = "1 for the numbers that the face detector computes with on this processor";
        registry.register("face_detector", help, metrics.face_detector.clone());
        registry.register("ledger_entries", "Changes of balances", metrics.ledger_entries.clone());
        registry.register("mails", "Mails handed to the transport", metrics.mails.clone());
        registry.register(
            "limited_requests",
            "Requests refused since they came too often",
            metrics.limited_requests.clone(),
        );
        registry.register("jobs", "Attempts at jobs", metrics.attempts.clone());
        registry.register("queued_jobs", "Jobs in the database now", metrics.queued_jobs.clone());
        let help = "Since when the job that waits longest could be done";
        registry.register_with_unit("oldest_job_age", help, Unit::Seconds, metrics.oldest_job.clone());
        metrics
    }

    /// Counts an answered request. `route` is a template, never a path.
    pub(crate) fn record_request(&self, route: &str, method: &'static str, status: u16, took: Duration) {
        let labels = RouteLabels { route: route.to_owned(), method };
        self.request_durations.get_or_create(&labels).observe(took.as_secs_f64());
        self.requests.get_or_create(&RequestLabels { route: labels.route, method, status }).inc();
    }

    pub(crate) fn record_upload(&self, bytes: u64) {
        self.upload_bytes.inc_by(bytes);
    }

    pub(crate) fn record_index_stage(&self, stage: Stage, took: Duration) {
        self.index_durations
            .get_or_create(&StageLabels { stage: stage.as_str() })
            .observe(took.as_secs_f64());
    }

    /// Counts a search: what was found, or the code of the refusal.
    pub(crate) fn record_search(&self, matches: std::result::Result<usize, &Failure>, took: Duration) {
        let outcome = match matches {
            Ok(0) => "nothing",
            Ok(_) => "found",
            Err(Failure::Refused(refusal)) => refusal.code(),
            Err(_) => "failed",
        };
        self.searches.get_or_create(&OutcomeLabels { outcome }).inc();
        self.search_durations.observe(took.as_secs_f64());
    }

    pub(crate) fn record_search_stage(&self, stage: SearchStage, took: Duration) {
        self.search_stages.get_or_create(&StageLabels { stage: stage.as_str() }).observe(took.as_secs_f64());
    }

    pub(crate) fn record_face_index_lookup(&self, lookup: IndexLookup) {
        self.face_index_lookups.get_or_create(&OutcomeLabels { outcome: lookup.as_str() }).inc();
    }

    pub(crate) fn set_face_index_memory(&self, bytes: u64) {
        self.face_index_memory.set(bytes);
    }

    pub(crate) fn record_rendition(&self, source: RenditionSource) {
        self.renditions.get_or_create(&SourceLabels { source: source.as_str() }).inc();
    }

    pub(crate) fn set_face_detector(&self, arithmetic: &vision::Arithmetic) {
        self.face_detector.get_or_create(&ArithmeticLabels { arithmetic: arithmetic.name() }).set(1);
    }

    pub(crate) fn record_ledger_entry(&self, kind: LedgerKind) {
        self.ledger_entries.get_or_create(&KindLabels { kind: kind.as_str() }).inc();
    }

    pub(crate) fn record_mail(&self, outcome: &std::result::Result<(), gateway::MailError>) {
        let outcome = match outcome {
            Ok(()) => "sent",
            Err(error) if error.is_transient() => "retrying",
            Err(_) => "refused",
        };
        self.mails.get_or_create(&OutcomeLabels { outcome }).inc();
    }

    pub(crate) fn record_rate_limited(&self, limit: Limit) {
        self.limited_requests.get_or_create(&LimitLabels { limit: limit.as_str() }).inc();
    }

    pub(crate) fn record_attempt(&self, kind: JobKind, outcome: Outcome) {
        self.attempts
            .get_or_create(&KindAndOutcomeLabels { kind: kind.as_str(), outcome: outcome.as_str() })
            .inc();
    }

    /// Everything that is counted, and the backlog of jobs.
    pub(crate) fn encode(&self, backlog: &[Backlog], now: Timestamp, format: Format) -> Result<String> {
        for kind in JobKind::ALL.iter().map(|kind| kind.as_str()) {
            let jobs = backlog.iter().find(|jobs| jobs.kind == kind);
            let counts = jobs.map_or([0; 3], |jobs| [jobs.queued, jobs.running, jobs.failed]);
            for (state, count) in ["queued", "running", "failed"].into_iter().zip(counts) {
                self.queued_jobs.get_or_create(&KindAndStateLabels { kind, state }).set(count);
            }
            let age = jobs.and_then(|jobs| jobs.oldest_run_at).map(|due| now.since(due));
            self.oldest_job.get_or_create(&KindLabels { kind }).set(age.unwrap_or_default().as_secs_f64());
        }
        let mut metrics = String::new();
        encode(&mut metrics, &self.registry)
            .map_err(|error| Failure::Internal(format!("the metrics cannot be encoded: {error}")))?;
        Ok(match format {
            Format::OpenMetrics => metrics,
            Format::Text => text::from_openmetrics(&metrics),
        })
    }
}

#[cfg(test)]
mod tests;
