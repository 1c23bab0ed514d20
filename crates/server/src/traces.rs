//! Spans for a collector, where one is named: requests, jobs, the stages of indexing, and statements of the database.

use std::sync::OnceLock;

use opentelemetry::trace::TracerProvider as _;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::{Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;

use crate::cli::CliError;

/// Until the process ends, when what is left is sent.
static PROVIDER: OnceLock<SdkTracerProvider> = OnceLock::new();

/// The layer that sends spans; none where no collector is named.
///
/// # Errors
/// When the variables name no collector that can be reached by HTTP.
pub(crate) fn layer<S>() -> Result<Option<impl Layer<S>>, CliError>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    let provider = gateway::traces::provider(env!("CARGO_PKG_VERSION"))
        .map_err(|error| CliError::context("Traces cannot be sent", &error))?;
    let Some(provider) = provider else { return Ok(None) };
    let tracer = provider.tracer("afterglow");
    // Of libraries nothing: the client that sends spans would make some of its own for each.
    let own = ["afterglow", "api", "app", "ftp", "gateway", "media", "server", "vision"];
    let targets = own.into_iter().map(|target| (target, Level::INFO));
    let targets = Targets::new().with_targets(targets).with_target("storage", Level::DEBUG);
    let targets = targets.with_target(app::operations::monitoring::TRACES, Level::DEBUG);
    drop(PROVIDER.set(provider));
    let layer = tracing_opentelemetry::layer().with_tracer(tracer).with_location(false).with_threads(false);
    Ok(Some(layer.with_filter(targets)))
}

/// Sends what is left.
pub(crate) fn finish() {
    if let Some(Err(error)) = PROVIDER.get().map(SdkTracerProvider::shutdown) {
        tracing::warn!(%error, "the last spans were not sent");
    }
}
