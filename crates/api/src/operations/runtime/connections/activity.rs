//! What a connection waits for, and since when.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use app::ConnectionCapacity;
use axum::body::Body;
use hyper::body::{Bytes, Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

/// Least bytes that a client must take in each period of [`ConnectionCapacity::stalled_write`] in which its connection is full.
const LEAST_TAKEN: usize = 16 * 1_024;

/// Most bytes of a refused body that are dropped, so that its client can read why.
const MOST_DROPPED: usize = 64 << 20;

/// What one connection waits for.
pub(super) struct Activity {
    limits: ConnectionCapacity,
    state: Mutex<State>,
    changed: Notify,
}

struct State {
    phase: Phase,
    since: Instant,
    /// When the connection looks next whether it has waited for too long; none while it waits for a change.
    looks_at: Option<Instant>,
    /// Since when the client has taken fewer than [`LEAST_TAKEN`] bytes of those that wait for it.
    full_since: Option<Instant>,
    taken: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// A request's head is awaited, or has begun.
    Head,
    /// A request is handled; its body has a limit of its own.
    Request,
    /// Nothing has come since the last request.
    Idle,
    /// The last response is sent, and what the client was still sending is dropped.
    Closing,
}

impl Activity {
    pub(super) fn new(limits: ConnectionCapacity) -> Self {
        let state =
            State { phase: Phase::Head, since: Instant::now(), looks_at: None, full_since: None, taken: 0 };
        Self { limits, state: Mutex::new(state), changed: Notify::new() }
    }

    /// Resolves when the client has kept the connection waiting for too long; says for what.
    pub(super) async fn expired(&self) -> &'static str {
        loop {
            match self.look() {
                None => self.changed.notified().await,
                Some((deadline, reason)) if deadline <= Instant::now() => return reason,
                Some((deadline, _)) => tokio::select! {
                    () = self.changed.notified() => {}
                    () = sleep_until(deadline) => {}
                },
            }
        }
    }

    fn look(&self) -> Option<(Instant, &'static str)> {
        let mut state = self.lock();
        let next = self.deadline(&state);
        state.looks_at = next.map(|(deadline, _)| deadline);
        next
    }

    /// Has the connection look earlier where it has to. A later moment is found out when it looks: waking it for each request
    /// would set its timer twice.
    fn announce(&self, state: MutexGuard<'_, State>) {
        let next = self.deadline(&state).map(|(deadline, _)| deadline);
        let is_sooner = next.is_some_and(|next| state.looks_at.is_none_or(|looks_at| next < looks_at));
        drop(state);
        if is_sooner {
            self.changed.notify_one();
        }
    }

    /// The next moment at which the connection has waited for too long.
    fn deadline(&self, state: &State) -> Option<(Instant, &'static str)> {
        let reading = match state.phase {
            Phase::Head => Some((state.since + self.limits.head, "the head of a request")),
            Phase::Idle => Some((state.since + self.limits.idle, "another request")),
            Phase::Closing => Some((state.since + self.limits.head, "the client to end")),
            Phase::Request => None,
        };
        let writing = state
            .full_since
            .map(|since| (since + self.limits.stalled_write, "the client to take what is sent"));
        reading.into_iter().chain(writing).min()
    }

    /// Bytes came in.
    fn received(&self) {
        let mut state = self.lock();
        if state.phase == Phase::Idle {
            state.enter(Phase::Head);
            self.announce(state);
        }
    }

    /// The service has ended its side.
    fn close(&self) {
        let mut state = self.lock();
        if state.phase != Phase::Closing {
            state.enter(Phase::Closing);
            self.announce(state);
        }
    }

    /// A request's head is complete. Until what this returns is dropped, it is handled.
    pub(super) fn begin_request(self: &Arc<Self>) -> RunningRequest {
        self.lock().enter(Phase::Request);
        RunningRequest(self.clone())
    }

    /// `written` bytes of `offered` ones were taken; none when the connection is full.
    fn wrote(&self, written: Option<usize>, offered: usize) {
        let mut state = self.lock();
        match written {
            Some(written) if written >= offered => state.full_since = None,
            Some(written) => {
                state.taken += written;
                if state.taken >= LEAST_TAKEN {
                    state.full_since = None;
                }
            }
            None if state.full_since.is_none() => {
                state.full_since = Some(Instant::now());
                state.taken = 0;
                self.announce(state);
            }
            None => {}
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn enter(&mut self, phase: Phase) {
        (self.phase, self.since) = (phase, Instant::now());
    }
}

/// A request that is handled, until its response is written.
pub(super) struct RunningRequest(Arc<Activity>);

impl Drop for RunningRequest {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.enter(Phase::Idle);
        self.0.announce(state);
    }
}

/// The body of a response; with it the request ends.
pub(super) struct ResponseBody {
    pub(super) body: Body,
    pub(super) _request: RunningRequest,
}

impl hyper::body::Body for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A connection that tells its [`Activity`] what it does.
pub(super) struct Watched<S> {
    stream: S,
    activity: Arc<Activity>,
    /// Bytes that came after the end.
    dropped: usize,
}

impl<S> Watched<S> {
    pub(super) const fn new(stream: S, activity: Arc<Activity>) -> Self {
        Self { stream, activity, dropped: 0 }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        if buffer.filled().len() > before {
            self.activity.received();
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> Watched<S> {
    fn record(&self, outcome: Poll<io::Result<usize>>, offered: usize) -> Poll<io::Result<usize>> {
        match &outcome {
            Poll::Pending => self.activity.wrote(None, offered),
            Poll::Ready(Ok(written)) => self.activity.wrote(Some(*written), offered),
            Poll::Ready(Err(_)) => {}
        }
        outcome
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.record(outcome, bytes.len())
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.record(outcome, slices.iter().map(|slice| slice.len()).sum())
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    /// Ends this side, and drops what the client still sends until it ends the other. Closed with unread bytes, a connection
    /// is reset, and the client may lose the answer to a request whose body was refused.
    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.stream).poll_shutdown(context))?;
        self.activity.close();
        let mut dropped = [0; 8 * 1_024];
        loop {
            let mut buffer = ReadBuf::new(&mut dropped);
            let read = ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer));
            self.dropped += buffer.filled().len();
            if read.is_err() || buffer.filled().is_empty() || self.dropped > MOST_DROPPED {
                return Poll::Ready(Ok(()));
            }
        }
    }
}
