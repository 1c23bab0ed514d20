//! The HTTP server of the fake.

use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use super::ledger;
use super::state::{Fault, KEY_ID, KEY_SECRET, State, lock};

/// Longest request body, in bytes.
const BODY_SIZE: usize = 1024 * 1024;

/// Makes the server close the connection without a response.
#[derive(Debug, thiserror::Error)]
#[error("the connection is closed by an injected fault")]
struct Disconnected;

/// Serves until the task is aborted; its connections end with it.
pub(super) async fn serve(listener: TcpListener, state: Arc<Mutex<State>>) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let state = Arc::clone(&state);
        connections.spawn(async move {
            let service = service_fn(|request| handle(request, &state));
            // An error here is a client that disconnected, or an injected fault.
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

async fn handle(
    request: Request<Incoming>,
    state: &Mutex<State>,
) -> Result<Response<Full<Bytes>>, Disconnected> {
    let (head, body) = request.into_parts();
    let body = Limited::new(body, BODY_SIZE).collect().await.map_err(|_| Disconnected)?.to_bytes();
    let fault = {
        let mut state = lock(state);
        state.requests.push(format!("{} {}", head.method, head.uri));
        state.faults.pop_front()
    };
    match &fault {
        Some(Fault::ErrorStatus(status, description)) => {
            return respond(*status, ledger::error(description, None).to_string().into_bytes());
        }
        Some(Fault::InvalidBody(status, body)) => return respond(*status, body.clone()),
        Some(Fault::Hang) => std::future::pending().await,
        Some(Fault::Disconnect) => return Err(Disconnected),
        Some(Fault::ApplyThenDisconnect | Fault::ApplyThenHang) | None => {}
    }
    let keys = format!("Basic {}", STANDARD.encode(format!("{KEY_ID}:{KEY_SECRET}")));
    let header = |name| head.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let (status, answer) = if header(AUTHORIZATION) != keys {
        (401, ledger::error("Authentication failed", None))
    } else if head.method == "POST" && header(CONTENT_TYPE) != "application/json" {
        (400, ledger::error("The request is not JSON.", None))
    } else {
        let (path, query) = (head.uri.path(), head.uri.query().unwrap_or_default());
        let key = header(HeaderName::from_static("x-refund-idempotency"));
        lock(state).ledger.handle(head.method.as_str(), path, query, key, &body)
    };
    match fault {
        Some(Fault::ApplyThenDisconnect) => Err(Disconnected),
        Some(Fault::ApplyThenHang) => std::future::pending().await,
        _ => respond(status, answer.to_string().into_bytes()),
    }
}

fn respond(status: u16, body: Vec<u8>) -> Result<Response<Full<Bytes>>, Disconnected> {
    Response::builder()
        .status(status)
        .header(CONTENT_TYPE, "application/json")
        .body(Full::from(body))
        .map_err(|_| Disconnected)
}
