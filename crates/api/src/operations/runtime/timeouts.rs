//! How long a request may take: its body by the rate at which it comes in, its answer from then on.

use std::io::ErrorKind;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use app::{App, ConnectionCapacity};
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use domain::Refusal;
use hyper::body::{Bytes, Frame, SizeHint};
use tokio::time::{Duration, Instant, Sleep, sleep, sleep_until};

/// Answers 503 when the answer takes too long after the last byte of the body. What is sent with an answer has its own limit,
/// that of the connection.
pub(crate) async fn limit(State(app): State<App>, request: Request, next: Next) -> Response {
    let limits = app.settings().connection_capacity;
    let received = Arc::new(Mutex::new(Instant::now()));
    let request = request.map(|body| Body::new(TimedBody::new(body, limits, received.clone())));
    tokio::select! {
        // An answer that is there at once needs no timer.
        biased;
        response = next.run(request) => response,
        () = overdue(&received, limits.request) => {
            tracing::warn!("a request took too long");
            crate::operations::runtime::error::refused(&Refusal::Busy)
        }
    }
}

/// Resolves when nothing has come in for so long.
async fn overdue(received: &Mutex<Instant>, limit: Duration) {
    loop {
        let deadline = *received.lock().unwrap_or_else(PoisonError::into_inner) + limit;
        if deadline <= Instant::now() {
            return;
        }
        sleep_until(deadline).await;
    }
}

/// A request's body that fails when it comes in too slowly. Only the time in which it is waited for counts: the service
/// reads it when there is room for it.
struct TimedBody {
    body: Body,
    limits: ConnectionCapacity,
    /// When something came in last.
    received: Arc<Mutex<Instant>>,
    /// Bytes in this window.
    bytes: usize,
    /// How long they were waited for in this window, until the current wait.
    waited: Duration,
    wait: Option<Wait>,
}

/// A wait for bytes.
struct Wait {
    since: Instant,
    /// Ends with the window.
    end: Pin<Box<Sleep>>,
}

fn too_slow() -> axum::Error {
    axum::Error::new(std::io::Error::new(ErrorKind::TimedOut, "the body comes in too slowly"))
}

impl TimedBody {
    fn new(body: Body, limits: ConnectionCapacity, received: Arc<Mutex<Instant>>) -> Self {
        Self { body, limits, received, bytes: 0, waited: Duration::ZERO, wait: None }
    }
}

impl hyper::body::Body for TimedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        if let Poll::Ready(frame) = Pin::new(&mut this.body).poll_frame(context) {
            if let Some(wait) = this.wait.take() {
                this.waited += wait.since.elapsed();
            }
            if let Some(Ok(frame)) = &frame {
                this.bytes += frame.data_ref().map_or(0, Bytes::len);
                *this.received.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
            }
            return Poll::Ready(frame);
        }
        loop {
            let rest = this.limits.body_window.saturating_sub(this.waited);
            let wait =
                this.wait.get_or_insert_with(|| Wait { since: Instant::now(), end: Box::pin(sleep(rest)) });
            if wait.end.as_mut().poll(context).is_pending() {
                return Poll::Pending;
            }
            if this.bytes < this.limits.body_bytes {
                return Poll::Ready(Some(Err(too_slow())));
            }
            (this.bytes, this.waited, this.wait) = (0, Duration::ZERO, None);
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
