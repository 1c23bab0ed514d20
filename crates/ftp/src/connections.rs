//! Which connections of cameras are let in, and their end.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use app::App;
use app::operations::runtime::keyed_slots::KeyedSlots;
use app::operations::runtime::limits::block_of;
use app::operations::runtime::listeners;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Instrument as _;

use crate::Config;
use crate::replies::Reply;
use crate::session::{self, Shared};

/// Connections of one address at once: the cameras of a venue share it.
const PER_ADDRESS: usize = 32;

/// Serves cameras until `stop` is cancelled, then waits until what they are sending is taken in.
pub async fn serve(listener: TcpListener, config: Config, app: App, stop: CancellationToken) {
    let (all, addresses) = (Arc::new(Semaphore::new(config.connections)), KeyedSlots::new(PER_ADDRESS, 0));
    let shared = Arc::new(Shared { app, config, ports_used: AtomicUsize::new(0) });
    let sessions = TaskTracker::new();
    loop {
        let (stream, peer) = tokio::select! {
            accepted = listeners::accept(&listener) => accepted,
            () = stop.cancelled() => break,
        };
        let slot = all.clone().try_acquire_owned().ok();
        let place = addresses.enter(block_of(peer.ip().to_canonical()));
        let (Some(slot), Some(place)) = (slot, place) else {
            refuse(&stream);
            continue;
        };
        let (shared, stop) = (shared.clone(), stop.clone());
        let connection = async move {
            let _admitted = (slot, place);
            if let Err(error) = session::run(stream, shared, stop).await {
                tracing::debug!(%error, "the connection of a camera has failed");
            }
        };
        sessions.spawn(connection.instrument(tracing::info_span!("ftp")));
    }
    drop(listener);
    sessions.close();
    sessions.wait().await;
}

/// Says why, as far as the system takes it at once.
fn refuse(stream: &TcpStream) {
    let reply = Reply::new(421, "There are too many connections. Please try again later.").to_string();
    if let Err(error) = stream.try_write(reply.as_bytes()) {
        tracing::debug!(%error, "a connection of a camera is refused without a word");
    }
}
