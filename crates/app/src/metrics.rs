//! What an operator watches: counts and times, for Prometheus.
//!
//! Labels are names from closed sets and templates of routes. No id, slug, address or name of a person is ever one.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use domain::jobs::JobKind;
use domain::ledger::LedgerKind;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::limits::Limit;
use crate::{App, Failure, Result};

/// The media type of [`text`]: OpenMetrics, which Prometheus reads as its own.
pub const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Upper ends of the time buckets, in seconds.
const TIMES: [f64; 13] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0];

fn times() -> Histogram {
    Histogram::new(TIMES)
}

type Times<L> = Family<L, Histogram, fn() -> Histogram>;

fn times_by<L: Clone + std::hash::Hash + Eq>() -> Times<L> {
    Family::new_with_constructor(times as fn() -> Histogram)
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Request {
    route: String,
    method: &'static str,
    status: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Route {
    route: String,
    method: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Outcome {
    outcome: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Kind {
    kind: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct KindAndOutcome {
    kind: &'static str,
    outcome: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct KindAndState {
    kind: &'static str,
    state: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Limited {
    limit: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OfStage {
    stage: &'static str,
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
    /// Renditions and faces are kept.
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
}

/// Everything that is counted; one for each process.
pub struct Metrics {
    registry: Registry,
    requests: Family<Request, Counter>,
    request_times: Times<Route>,
    upload_bytes: Counter,
    index_times: Times<OfStage>,
    searches: Family<Outcome, Counter>,
    search_times: Histogram,
    ledger: Family<Kind, Counter>,
    mails: Family<Outcome, Counter>,
    refused: Family<Limited, Counter>,
    jobs: Family<KindAndOutcome, Counter>,
    queue: Family<KindAndState, Gauge>,
    oldest: Family<Kind, Gauge<f64, AtomicU64>>,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut metrics = Self {
            registry: Registry::with_prefix("afterglow"),
            requests: Family::default(),
            request_times: times_by(),
            upload_bytes: Counter::default(),
            index_times: times_by(),
            searches: Family::default(),
            search_times: times(),
            ledger: Family::default(),
            mails: Family::default(),
            refused: Family::default(),
            jobs: Family::default(),
            queue: Family::default(),
            oldest: Family::default(),
        };
        let of = &mut metrics.registry;
        of.register("requests", "Answered requests", metrics.requests.clone());
        let help = "Time from a request's head to its answer's head";
        of.register_with_unit("request", help, Unit::Seconds, metrics.request_times.clone());
        of.register_with_unit(
            "upload",
            "Bytes of photos that came in",
            Unit::Bytes,
            metrics.upload_bytes.clone(),
        );
        let help = "Time that the stages of making a photo searchable took";
        of.register_with_unit("index_stage", help, Unit::Seconds, metrics.index_times.clone());
        of.register("searches", "Searches by selfie", metrics.searches.clone());
        of.register_with_unit("search", "Time of a search", Unit::Seconds, metrics.search_times.clone());
        of.register("ledger_entries", "Changes of balances", metrics.ledger.clone());
        of.register("mails", "Mails handed to the transport", metrics.mails.clone());
        of.register(
            "limited_requests",
            "Requests refused since they came too often",
            metrics.refused.clone(),
        );
        of.register("jobs", "Attempts at jobs", metrics.jobs.clone());
        of.register("queued_jobs", "Jobs in the database now", metrics.queue.clone());
        let help = "Since when the job that waits longest could be done";
        of.register_with_unit("oldest_job_age", help, Unit::Seconds, metrics.oldest.clone());
        metrics
    }

    /// Counts an answered request. `route` is a template, never a path.
    pub fn answered(&self, route: &str, method: &'static str, status: u16, took: Duration) {
        let labels = Route { route: route.to_owned(), method };
        self.request_times.get_or_create(&labels).observe(took.as_secs_f64());
        self.requests.get_or_create(&Request { route: labels.route, method, status }).inc();
    }

    pub(crate) fn uploaded(&self, bytes: u64) {
        self.upload_bytes.inc_by(bytes);
    }

    pub(crate) fn indexed(&self, stage: Stage, took: Duration) {
        self.index_times.get_or_create(&OfStage { stage: stage.as_str() }).observe(took.as_secs_f64());
    }

    /// Counts a search: what was found, or the code of the refusal.
    pub(crate) fn searched(&self, matches: std::result::Result<usize, &Failure>, took: Duration) {
        let outcome = match matches {
            Ok(0) => "nothing",
            Ok(_) => "found",
            Err(Failure::Refused(refusal)) => refusal.code(),
            Err(_) => "failed",
        };
        self.searches.get_or_create(&Outcome { outcome }).inc();
        self.search_times.observe(took.as_secs_f64());
    }

    pub(crate) fn booked(&self, kind: LedgerKind) {
        self.ledger.get_or_create(&Kind { kind: kind.as_str() }).inc();
    }

    pub(crate) fn mailed(&self, outcome: &std::result::Result<(), gateway::MailError>) {
        let outcome = match outcome {
            Ok(()) => "sent",
            Err(error) if error.is_transient() => "retrying",
            Err(_) => "refused",
        };
        self.mails.get_or_create(&Outcome { outcome }).inc();
    }

    pub(crate) fn limited(&self, limit: Limit) {
        self.refused.get_or_create(&Limited { limit: limit.as_str() }).inc();
    }

    pub(crate) fn attempted(&self, kind: &'static str, outcome: &'static str) {
        self.jobs.get_or_create(&KindAndOutcome { kind, outcome }).inc();
    }
}

/// Everything that is counted, and how the queue stands now, in the text that [`MEDIA_TYPE`] names.
///
/// # Errors
/// When the database cannot say how the queue stands.
pub async fn text(app: &App) -> Result<String> {
    let (metrics, now) = (&app.metrics, app.now());
    let backlog = storage::jobs::backlog(&app.db, now).await?;
    for kind in JobKind::ALL.iter().map(|kind| kind.as_str()) {
        let waiting = backlog.iter().find(|waiting| waiting.kind == kind);
        let counts = waiting.map_or([0; 3], |waiting| [waiting.queued, waiting.running, waiting.failed]);
        for (state, count) in ["queued", "running", "failed"].into_iter().zip(counts) {
            metrics.queue.get_or_create(&KindAndState { kind, state }).set(count);
        }
        let age = waiting.and_then(|waiting| waiting.oldest_run_at).map(|due| now.since(due));
        metrics.oldest.get_or_create(&Kind { kind }).set(age.unwrap_or_default().as_secs_f64());
    }
    let mut text = String::new();
    encode(&mut text, &metrics.registry)
        .map_err(|error| Failure::Internal(format!("the metrics cannot be written: {error}")))?;
    Ok(text)
}
