//! Spans that are sent to a collector: OTLP 1, protobuf over HTTP.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use serde_json::json;

use crate::harness::{Server, picture, wait_for};

/// What a collector was sent: the spans, and the name of the service.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<(Vec<Span>, Vec<String>)>>);

impl Collector {
    /// Takes what is sent to the address that it answers.
    fn start(&self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let collector = self.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let collector = collector.clone();
                std::thread::spawn(move || while collector.take(stream.as_ref().unwrap()).is_some() {});
            }
        });
        format!("http://{address}")
    }

    /// One request of a connection; none once it is closed.
    fn take(&self, mut stream: &TcpStream) -> Option<()> {
        let mut lines = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if lines.read_line(&mut head).unwrap() == 0 {
                return None;
            }
        }
        assert!(head.starts_with("POST /v1/traces HTTP/1.1\r\n"), "{head}");
        let head = head.to_ascii_lowercase();
        assert!(head.contains("content-type: application/x-protobuf"), "{head}");
        let length = head.split("content-length: ").nth(1).unwrap().split("\r\n").next().unwrap();
        let mut body = vec![0; length.parse().unwrap()];
        lines.read_exact(&mut body).unwrap();
        let mut kept = self.0.lock().unwrap();
        for sent in ExportTraceServiceRequest::decode(&body[..]).unwrap().resource_spans {
            for attribute in sent.resource.unwrap().attributes {
                kept.1.push(format!("{} {:?}", attribute.key, attribute.value));
            }
            kept.0.extend(sent.scope_spans.into_iter().flat_map(|scope| scope.spans));
        }
        drop(kept);
        stream
            .write_all(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/x-protobuf\r\nContent-Length: 0\r\n\r\n",
            )
            .unwrap();
        Some(())
    }

    fn spans(&self) -> Vec<Span> {
        self.0.lock().unwrap().0.clone()
    }
}

/// The span of this name that is in the trace of another one.
fn within<'a>(spans: &'a [Span], trace: &Span, name: &str) -> Option<&'a Span> {
    spans.iter().find(|span| span.name == name && span.trace_id == trace.trace_id)
}

#[test]
fn a_collector_is_sent_the_spans_of_an_upload_and_of_its_indexing() {
    // [RUN354]
    let folder = tempfile::tempdir().unwrap();
    let collector = Collector::default();
    let settings = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", collector.start()),
        // In milliseconds.
        ("OTEL_BSP_SCHEDULE_DELAY", String::from("200")),
    ];
    let settings: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let mut server = Server::start_with(folder.path(), &["serve"], &settings);
    let token = server.photographer();
    let event = server.json("/api/events/", &token, &json!({"name": "Party", "date": "2026-11-20"}));
    let (status, _) = server.upload(&token, event["id"].as_str().unwrap(), &picture("obama.jpg"));
    assert_eq!(status, 201);
    let (spans, request) = wait_for("the spans", || {
        let spans = collector.spans();
        let request = spans.iter().find(|span| span.name == "POST /api/photos/upload").cloned()?;
        let job = spans.iter().find(|span| span.name == "store")?;
        // What is in a span is sent before it.
        let is_whole = spans.iter().any(|span| span.span_id == job.parent_span_id);
        is_whole.then_some((spans, request))
    });
    assert_eq!(request.kind, 2, "a server's");
    let attribute = |name: &str| request.attributes.iter().find(|attribute| attribute.key == name);
    for name in ["http.route", "http.request.method", "http.response.status_code"] {
        assert!(attribute(name).is_some(), "{name}: {request:?}");
    }
    assert!(within(&spans, &request, "INSERT photos").is_some(), "{:?}", names(&spans));
    let store = spans.iter().find(|span| span.name == "store").unwrap();
    for stage in ["load", "decode", "renditions", "faces"] {
        assert!(within(&spans, store, stage).is_some(), "{stage}: {:?}", names(&spans));
    }
    assert!(
        collector
            .0
            .lock()
            .unwrap()
            .1
            .iter()
            .any(|attribute| attribute.contains("service.name") && attribute.contains("afterglow"))
    );
    // Neither an address nor a token is in them.
    let all = format!("{spans:?}");
    assert!(!all.contains("meera@example.com") && !all.contains(&token));
    // What is left is sent when the process ends.
    server.get("/api/health", "");
    server.signal("-TERM");
    server.end();
    assert!(collector.spans().iter().any(|span| span.name == "GET /api/health"));
}

fn names(spans: &[Span]) -> Vec<&str> {
    spans.iter().map(|span| span.name.as_str()).collect()
}

#[test]
fn a_collector_that_is_away_holds_nothing_up() {
    // [RUN355]
    let folder = tempfile::tempdir().unwrap();
    // Nobody listens there.
    let settings = [("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://127.0.0.1:9/v1/traces")];
    let mut server = Server::start_with(folder.path(), &["serve"], &settings);
    server.photographer();
    server.signal("-TERM");
    assert_eq!(server.end(), Some(0));
}
