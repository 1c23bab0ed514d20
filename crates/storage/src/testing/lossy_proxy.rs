//! A proxy between a client and the PostgreSQL server of the tests, which can lose the answer to a COMMIT.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{UnixListener, UnixStream};
use tokio::task::JoinHandle;

use super::TestDb;
use crate::{ConnectOptions, Db};

/// The file name by which clients find a server's Unix socket in its folder.
const SOCKET: &str = ".s.PGSQL.5432";
/// COMMIT as a simple query: message type, length, text, terminator.
const COMMIT: &[u8] = b"Q\0\0\0\x0bCOMMIT\0";

/// A connection to a test's PostgreSQL database that can be cut between a commit and its answer.
#[derive(Debug)]
pub struct LossyProxy {
    /// The database, through the proxy.
    pub db: Db,
    lose: Arc<AtomicBool>,
    accepting: JoinHandle<()>,
    _folder: tempfile::TempDir,
}

impl LossyProxy {
    /// Puts a proxy before a database made by [`super::postgres`].
    ///
    /// # Panics
    /// When the socket cannot be made or the database does not answer through it.
    pub async fn before(database: &TestDb) -> Self {
        let (_, rest) = database.url.split_once("host=").expect("the address names the socket's folder");
        let server = rest.split('&').next().unwrap_or(rest);
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let listener = UnixListener::bind(folder.path().join(SOCKET)).expect("a socket can be made");
        let (lose, target) = (Arc::<AtomicBool>::default(), Path::new(server).join(SOCKET));
        let accepting = tokio::spawn({
            let lose = lose.clone();
            async move {
                while let Ok((client, _)) = listener.accept().await {
                    let (lose, target) = (lose.clone(), target.clone());
                    tokio::spawn(async move {
                        // A connection that ends badly is what this is for: its client notices.
                        let _ended = forward(client, &target, &lose).await;
                    });
                }
            }
        });
        let url = database.url.replace(server, &folder.path().to_string_lossy());
        let db = Db::connect(&url, ConnectOptions::default()).await.expect("the proxy passes on");
        Self { db, lose, accepting, _folder: folder }
    }

    /// The next commit happens, and the connection ends before its answer.
    pub fn lose_next_commit(&self) {
        self.lose.store(true, Ordering::SeqCst);
    }

    /// Whether the answer to a commit has been lost since [`Self::lose_next_commit`].
    pub fn has_lost(&self) -> bool {
        !self.lose.load(Ordering::SeqCst)
    }
}

impl Drop for LossyProxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn forward(mut client: UnixStream, server: &Path, lose: &AtomicBool) -> io::Result<()> {
    let mut server = UnixStream::connect(server).await?;
    let (mut request, mut answer) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        tokio::select! {
            length = client.read(&mut request) => {
                let sent = &request[..length?];
                if sent.is_empty() {
                    return Ok(());
                }
                server.write_all(sent).await?;
                if sent.ends_with(COMMIT) && lose.swap(false, Ordering::SeqCst) {
                    // The first byte of its answer says that it has happened.
                    server.read_u8().await?;
                    return Ok(());
                }
            }
            length = server.read(&mut answer) => {
                let answered = &answer[..length?];
                if answered.is_empty() {
                    return Ok(());
                }
                client.write_all(answered).await?;
            }
        }
    }
}
