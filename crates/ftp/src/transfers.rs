//! What goes over a data connection.

use std::io::ErrorKind;
use std::time::Duration;

use app::photos::{TempFile, Upload};
use app::{App, Failure};
use rustls::HandshakeKind;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_util::either::Either;

use crate::certificate::Resumption;
use crate::control::{Stream, encrypt};

/// Bytes that are read at a time.
const CHUNK: usize = 1 << 16;

/// A data connection whose client waits for the first reply.
pub(crate) struct Data {
    pub(crate) stream: TcpStream,
    /// When it is to be encrypted.
    pub(crate) tls: Option<(TlsAcceptor, Resumption)>,
    pub(crate) patience: Duration,
}

/// Why a file is not here.
pub(crate) enum Stopped {
    /// Its connection failed, or nothing came for a while, or less than was announced.
    Cut,
    /// It does not resume the TLS session of its control connection: it may be somebody else's.
    NotResumed,
    /// It is too large, or cannot be kept.
    Failed(Failure),
}

impl Data {
    async fn open(self) -> Result<Stream, Stopped> {
        let Some((acceptor, resumption)) = self.tls else { return Ok(Either::Left(self.stream)) };
        let stream = encrypt(self.stream, &acceptor, self.patience).await.map_err(|_| Stopped::Cut)?;
        let is_resumed = stream.get_ref().1.handshake_kind() == Some(HandshakeKind::Resumed);
        if resumption == Resumption::Required && !is_resumed {
            return Err(Stopped::NotResumed);
        }
        Ok(Either::Right(stream))
    }

    /// Receives a file, of which the client may have said how many bytes it has.
    pub(crate) async fn receive(self, app: &App, announced: Option<u64>) -> Result<TempFile, Stopped> {
        let patience = self.patience;
        let mut stream = self.open().await?;
        let mut upload = Upload::begin(app).await.map_err(Stopped::Failed)?;
        let mut chunk = vec![0; CHUNK];
        loop {
            let read = tokio::time::timeout(patience, stream.read(&mut chunk)).await;
            match read.map_err(|_| Stopped::Cut)? {
                Ok(0) => break,
                Ok(read) => upload.write(&chunk[..read]).await.map_err(Stopped::Failed)?,
                // TLS without its end, which some clients leave out: the picture says whether it is whole.
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => break,
                Err(_) => return Err(Stopped::Cut),
            }
        }
        // Some clients wait for the end of TLS from this side before they read the reply, and fail without it.
        match tokio::time::timeout(patience, stream.shutdown()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::debug!(%error, "a data connection was closed by its client"),
            Err(_) => return Err(Stopped::Cut),
        }
        let file = upload.finish().await.map_err(Stopped::Failed)?;
        if announced.is_some_and(|announced| file.size() < announced) {
            return Err(Stopped::Cut);
        }
        Ok(file)
    }

    /// Sends a text to its end.
    pub(crate) async fn send(self, text: &str) -> Result<(), Stopped> {
        let patience = self.patience;
        let sent = async {
            let mut stream = self.open().await?;
            let written = async {
                stream.write_all(text.as_bytes()).await?;
                stream.shutdown().await
            };
            written.await.map_err(|_| Stopped::Cut)
        };
        tokio::time::timeout(patience, sent).await.map_err(|_| Stopped::Cut)?
    }
}
