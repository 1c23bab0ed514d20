//! A TCP proxy in front of PostgreSQL that cuts connections at COMMIT.
//!
//! It understands as much of the protocol as that takes: a first message without a type, then messages of a type
//! byte and a length that counts itself; a simple query is of type `Q` and holds its text.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::Mutex;

/// The proxy; it ends with the runtime.
#[derive(Clone)]
pub(crate) struct CommitProxy {
    pub(crate) address: SocketAddr,
    state: Arc<State>,
}

struct State {
    socket: PathBuf,
    /// The percentage of commits that are cut.
    percentage: AtomicU32,
    cuts: AtomicU32,
    rng: Mutex<StdRng>,
}

/// Where a commit is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    /// Before the database has seen it: nothing happened.
    BeforeRequest,
    /// After the database has answered: it happened, and the client does not know.
    BeforeResponse,
}

impl CommitProxy {
    pub(crate) async fn start(socket: PathBuf, seed: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let rng = Mutex::new(StdRng::seed_from_u64(seed));
        let state = Arc::new(State { socket, percentage: AtomicU32::new(0), cuts: AtomicU32::new(0), rng });
        let proxy = Self { address, state: state.clone() };
        tokio::spawn(async move {
            loop {
                let (client, _) = listener.accept().await.unwrap();
                let state = state.clone();
                // A connection that either side ends is closed; there is no peer to notify.
                tokio::spawn(async move { state.pass(client).await });
            }
        });
        proxy
    }

    /// The address of the database behind it.
    pub(crate) fn url(&self) -> String {
        format!("postgres://postgres@{}/postgres?sslmode=disable", self.address)
    }

    /// Sets the percentage of commits that are cut.
    pub(crate) fn cut(&self, percentage: u32) {
        self.state.percentage.store(percentage, Ordering::Relaxed);
    }

    /// How many it has cut.
    pub(crate) fn cuts(&self) -> u32 {
        self.state.cuts.load(Ordering::Relaxed)
    }
}

impl State {
    async fn pass(&self, client: TcpStream) -> io::Result<()> {
        let (mut from_client, mut to_client) = client.into_split();
        let (mut from_server, mut to_server) = UnixStream::connect(&self.socket).await?.into_split();
        let startup = read_body(&mut from_client).await?;
        to_server.write_all(&startup).await?;
        let mut message = Vec::new();
        let mut response = [0; 8192];
        loop {
            // Only the type is waited for together with the server: one byte is read or not, so none gets lost.
            let kind = tokio::select! {
                kind = from_client.read_u8() => kind?,
                read = from_server.read(&mut response) => {
                    let length = read?;
                    if length == 0 {
                        return Ok(());
                    }
                    to_client.write_all(&response[..length]).await?;
                    continue;
                }
            };
            message.clear();
            message.push(kind);
            message.extend_from_slice(&read_body(&mut from_client).await?);
            let cut = if is_commit(&message) { self.draw().await } else { None };
            if cut == Some(Cut::BeforeRequest) {
                return Ok(());
            }
            to_server.write_all(&message).await?;
            if cut == Some(Cut::BeforeResponse) {
                from_server.read_exact(&mut response[..1]).await?;
                return Ok(());
            }
        }
    }

    async fn draw(&self) -> Option<Cut> {
        let percentage = self.percentage.load(Ordering::Relaxed);
        let mut rng = self.rng.lock().await;
        if rng.random_range(0..100) >= percentage {
            return None;
        }
        self.cuts.fetch_add(1, Ordering::Relaxed);
        Some(if rng.random() { Cut::BeforeRequest } else { Cut::BeforeResponse })
    }
}

/// A length that counts itself, and what it announces.
async fn read_body(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<Vec<u8>> {
    let length = stream.read_u32().await?;
    let mut body = length.to_be_bytes().to_vec();
    body.resize(usize::try_from(length).map_err(io::Error::other)?.max(4), 0);
    stream.read_exact(&mut body[4..]).await?;
    Ok(body)
}

/// Whether a message is a simple query `COMMIT`.
fn is_commit(message: &[u8]) -> bool {
    message.first() == Some(&b'Q')
        && message.get(5..11).is_some_and(|text| text.eq_ignore_ascii_case(b"commit"))
}

/// What the proxy has to tell apart; called before every run.
pub(crate) fn self_test() {
    let query =
        |text: &[u8]| [b"Q", &u32::try_from(text.len() + 5).unwrap().to_be_bytes()[..], text, b"\0"].concat();
    assert!(is_commit(&query(b"COMMIT")) && is_commit(&query(b"commit; ")));
    assert!(!is_commit(&query(b"ROLLBACK")) && !is_commit(b"Q") && !is_commit(b"PCOMM"));
}
