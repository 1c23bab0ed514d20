//! The body of a form as its parser gets it: frame by frame, and no more than it makes something of.
//!
//! The parser keeps all that has come since it last found something, and looks through all of it whenever more comes. Left to
//! itself it reads whatever has come in; of a form without its boundary, or with a part whose head does not end, it would keep a
//! hundred megabytes, and go through them for each packet.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll};

use axum::body::{Body, BodyDataStream, Bytes};
use futures::Stream;

/// Beyond so many bytes nothing more is read while the parser makes nothing of what it has: what comes before the first part, or
/// the head of a part, is longer than any client's.
pub(super) const HEAD_BYTES: usize = 16 * 1024;

/// Leave to read from a body, shared by those who ask the parser for something and what the parser reads from.
#[derive(Clone, Default)]
pub(super) struct Pace(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// Whether the next frame may be read.
    may_read: AtomicBool,
    /// Whether one was read since the parser was last asked: before the first part it reads after it has looked.
    has_read: AtomicBool,
    /// Bytes that were read since the parser last made something of them.
    held: AtomicUsize,
    is_exceeded: AtomicBool,
}

impl Pace {
    /// The body, of which a frame is read where [`Self::step`] gives leave.
    pub(super) fn body(&self, body: Body) -> Body {
        Body::from_stream(Frames { frames: body.into_data_stream(), pace: self.clone() })
    }

    /// Whether the parser would have kept too much.
    pub(super) fn is_exceeded(&self) -> bool {
        self.0.is_exceeded.load(Ordering::Relaxed)
    }

    /// Has the parser find something. It reads a frame only once it finds nothing in what it has.
    pub(super) async fn step<T>(&self, step: impl Future<Output = T>) -> T {
        let mut step = pin!(step);
        poll_fn(|context| {
            loop {
                if let Poll::Ready(found) = step.as_mut().poll(context) {
                    self.0.may_read.store(false, Ordering::Relaxed);
                    self.0.held.store(0, Ordering::Relaxed);
                    return Poll::Ready(found);
                }
                if self.0.has_read.swap(false, Ordering::Relaxed) {
                    continue;
                }
                // With leave that it did not use it waits for the body itself.
                if self.0.may_read.swap(true, Ordering::Relaxed) {
                    return Poll::Pending;
                }
            }
        })
        .await
    }
}

struct Frames {
    frames: BodyDataStream,
    pace: Pace,
}

impl Stream for Frames {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        let shared = &this.pace.0;
        if !shared.may_read.load(Ordering::Relaxed) {
            // Nobody needs to be woken: `step` polls again.
            return Poll::Pending;
        }
        if shared.held.load(Ordering::Relaxed) > HEAD_BYTES {
            shared.is_exceeded.store(true, Ordering::Relaxed);
            return Poll::Ready(Some(Err(axum::Error::new("too much of a form comes before a field"))));
        }
        let polled = Pin::new(&mut this.frames).poll_next(context);
        if let Poll::Ready(frame) = &polled {
            shared.may_read.store(false, Ordering::Relaxed);
            shared.has_read.store(true, Ordering::Relaxed);
            if let Some(Ok(frame)) = frame {
                shared.held.fetch_add(frame.len(), Ordering::Relaxed);
            }
        }
        polled
    }
}
