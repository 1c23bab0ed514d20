//! Traces: spans that are sent to a collector by the OpenTelemetry protocol (OTLP 1, protobuf over HTTP).
//!
//! They are off unless a standard variable names the collector. How they are sent is up to the other variables that the OpenTelemetry
//! specification names ("OpenTelemetry Protocol Exporter", "OpenTelemetry Environment Variable Specification"): headers, timeout, the
//! name of the service, attributes of the resource, and the share of traces that is kept.

use opentelemetry::KeyValue;
use opentelemetry_otlp::{SpanExporter, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use rustls::ClientConfig;

use crate::http::tls;

/// The variables that name a collector: the one of all signals, and that of traces alone.
const ENDPOINTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];
/// With `none` here there are no traces, whatever collector is named.
const EXPORTER: &str = "OTEL_TRACES_EXPORTER";
/// What the service is called where no variable says it.
const SERVICE_NAME: &str = "afterglow";

/// Why traces cannot be sent.
#[derive(Debug, thiserror::Error)]
pub enum TracesError {
    /// The client for HTTP.
    #[error("the client for the collector cannot be made")]
    Client(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A variable that cannot be read.
    #[error("the variables whose names begin with OTEL_EXPORTER_OTLP do not name a collector")]
    Exporter(#[from] opentelemetry_otlp::ExporterBuildError),
}

/// Where spans go, or none where no collector is named. Spans are sent by a thread of its own, in batches; a collector that does not
/// answer holds nothing up, and what it misses is lost.
///
/// # Errors
/// [`TracesError`]. The collector is not asked.
#[allow(
    clippy::disallowed_methods,
    reason = "the variables are OpenTelemetry's, whose libraries read the others themselves"
)]
pub fn provider(version: &'static str) -> Result<Option<SdkTracerProvider>, TracesError> {
    let value = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let is_named = ENDPOINTS.into_iter().any(|name| value(name).is_some());
    if !is_named || value(EXPORTER).is_some_and(|exporter| exporter == "none") {
        return Ok(None);
    }
    let tls = tls(&[]).map_err(|error| TracesError::Client(error.into()))?;
    // A client that blocks makes a runtime of its own, which a thread of another runtime may not.
    let made = std::thread::scope(|scope| scope.spawn(|| client(tls)).join());
    let client = match made {
        Ok(client) => client.map_err(|error| TracesError::Client(error.into()))?,
        Err(_) => return Err(TracesError::Client("its thread has panicked".into())),
    };
    let exporter = SpanExporter::builder().with_http().with_http_client(client).build()?;
    let resource = Resource::builder().with_attribute(KeyValue::new("service.version", version));
    let resource = match value("OTEL_SERVICE_NAME") {
        Some(_) => resource,
        None => resource.with_service_name(SERVICE_NAME),
    };
    let provider =
        SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource.build()).build();
    Ok(Some(provider))
}

fn client(tls: ClientConfig) -> reqwest::Result<reqwest::blocking::Client> {
    reqwest::blocking::Client::builder().tls_backend_preconfigured(tls).build()
}
