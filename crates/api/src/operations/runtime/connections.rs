//! How many connections there may be, and how long each may keep the service waiting.

mod activity;

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use app::operations::runtime::keyed_slots::{KeyedSlot, KeyedSlots};
use app::operations::runtime::limits::block_of;
use app::operations::runtime::listeners;
use app::operations::runtime::proxies::TrustedProxies;
use app::{App, ConnectionCapacity};
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use domain::Refusal;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower::ServiceExt as _;

use activity::{Activity, ResponseBody, Watched};

/// Connections that are refused in words at once. Beyond them they are closed without a word.
const REFUSED_AT_ONCE: usize = 256;
/// How long a connection that is refused may take to ask.
const REFUSED_FOR: Duration = Duration::from_secs(2);
/// When an address with too many connections may try again.
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// Accepts connections until `stop` resolves, then lets running requests finish.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    app: &App,
    stop: impl Future<Output = ()>,
) -> std::io::Result<()> {
    let limits = app.settings().connection_capacity;
    let admission = Admission::new(app);
    let refused = Arc::new(Semaphore::new(REFUSED_AT_ONCE));
    let graceful = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let (stream, peer) = tokio::select! {
            accepted = listeners::accept(&listener) => accepted,
            () = &mut stop => break,
        };
        // Answers are written whole: waiting for more to send would only delay them.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection cannot be set to send at once");
        }
        let watcher = graceful.watcher();
        match admission.admit(peer) {
            Ok(slot) => {
                let connection = Connection { stream, peer, router: router.clone(), limits };
                tokio::spawn(async move {
                    let _slot = slot;
                    connection.serve(watcher, true).await;
                });
            }
            Err(refusal) => {
                let Ok(permit) = refused.clone().try_acquire_owned() else { continue };
                let router = Router::new().fallback(move || {
                    std::future::ready(crate::operations::runtime::error::refused(&refusal))
                });
                let limits = ConnectionCapacity { head: REFUSED_FOR, stalled_write: REFUSED_FOR, ..limits };
                let connection = Connection { stream, peer, router, limits };
                tokio::spawn(async move {
                    let _permit = permit;
                    connection.serve(watcher, false).await;
                });
            }
        }
    }
    drop(listener);
    graceful.shutdown().await;
    Ok(())
}

/// Which connections are let in.
struct Admission {
    all: Arc<Semaphore>,
    addresses: KeyedSlots<IpAddr>,
    /// Each of them has the connections of all its clients.
    proxies: TrustedProxies,
}

/// A connection that is let in.
struct Admitted {
    _one_of_all: OwnedSemaphorePermit,
    _of_address: Option<KeyedSlot<IpAddr>>,
}

impl Admission {
    fn new(app: &App) -> Self {
        let settings = app.settings();
        let limits = &settings.connection_capacity;
        Self {
            all: Arc::new(Semaphore::new(limits.connections)),
            addresses: KeyedSlots::new(limits.per_address, 0),
            proxies: settings.trusted_proxies.clone(),
        }
    }

    fn admit(&self, peer: SocketAddr) -> Result<Admitted, Refusal> {
        let one_of_all = self.all.clone().try_acquire_owned().map_err(|_| Refusal::Busy)?;
        let address = peer.ip().to_canonical();
        let of_address = if self.proxies.contains(address) {
            None
        } else {
            let slot = self.addresses.enter(block_of(address));
            Some(slot.ok_or(Refusal::TooMany { retry_after: RETRY_AFTER })?)
        };
        Ok(Admitted { _one_of_all: one_of_all, _of_address: of_address })
    }
}

/// A connection, and what answers its requests.
struct Connection {
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    limits: ConnectionCapacity,
}

impl Connection {
    /// Answers its requests until the client ends it, keeps it waiting for too long, or the service stops.
    async fn serve(self, watcher: Watcher, keep_alive: bool) {
        let Self { stream, peer, router, limits } = self;
        let activity = Arc::new(Activity::new(limits));
        let watched = Watched::new(stream, activity.clone());
        let requests = activity.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            let running = requests.begin_request();
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            let response = router.clone().oneshot(request);
            async move {
                let Ok(response) = response.await;
                Ok::<_, Infallible>(response.map(|body| ResponseBody { body, _request: running }))
            }
        });
        // Its time limit for heads would end idle connections as well.
        let connection = http1::Builder::new()
            .header_read_timeout(None::<Duration>)
            .keep_alive(keep_alive)
            .serve_connection(TokioIo::new(watched), service);
        tokio::select! {
            ended = watcher.watch(connection) => {
                if let Err(error) = ended {
                    tracing::debug!(error = %error, "a connection ended early");
                }
            }
            waited_for = activity.expired() => tracing::debug!(waited_for, "a connection was ended"),
        }
    }
}
