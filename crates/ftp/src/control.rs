//! The control connection: lines of commands in, replies out.

use std::io::{self, ErrorKind};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;

use crate::replies::Reply;

/// A connection with or without TLS.
pub(crate) type Stream = Either<TcpStream, TlsStream<TcpStream>>;

/// Longest line of a command. Paths are the longest, and no camera's comes near.
const LINE: usize = 2_048;
/// From here on bytes are commands of Telnet, which clients send before ABOR (RFC 854).
const TELNET: u8 = 0xF0;

pub(crate) struct Control {
    stream: Stream,
    received: Vec<u8>,
    patience: Duration,
}

impl Control {
    pub(crate) fn new(stream: TcpStream, patience: Duration) -> Self {
        Self { stream: Either::Left(stream), received: Vec::new(), patience }
    }

    pub(crate) const fn is_encrypted(&self) -> bool {
        matches!(self.stream, Either::Right(_))
    }

    /// The next line; none when the client has closed the connection. Nothing is lost when this is dropped before it has one.
    ///
    /// # Errors
    /// When the connection fails, or the line is too long.
    pub(crate) async fn read_line(&mut self) -> io::Result<Option<String>> {
        loop {
            if let Some(end) = self.received.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.received.drain(..=end).collect();
                let is_telnet = |byte: &&u8| **byte >= TELNET;
                let start = line.iter().take_while(is_telnet).count();
                return Ok(Some(
                    String::from_utf8_lossy(&line[start..]).trim_end_matches(['\r', '\n']).to_owned(),
                ));
            }
            if self.received.len() >= LINE {
                return Err(ErrorKind::InvalidData.into());
            }
            let room = LINE - self.received.len();
            if (&mut self.stream).take(room as u64).read_buf(&mut self.received).await? == 0 {
                return Ok(None);
            }
        }
    }

    /// Sends a reply.
    ///
    /// # Errors
    /// When the connection fails, or the client does not read.
    pub(crate) async fn send(&mut self, reply: &Reply) -> io::Result<()> {
        let patience = self.patience;
        let sent = async {
            self.stream.write_all(reply.to_string().as_bytes()).await?;
            self.stream.flush().await
        };
        tokio::time::timeout(patience, sent).await.map_err(|_| io::Error::from(ErrorKind::TimedOut))?
    }

    /// Speaks TLS from now on.
    ///
    /// # Errors
    /// When the client does not, or has sent commands before, which somebody on the way may have put there.
    pub(crate) async fn encrypt(self, acceptor: &TlsAcceptor) -> io::Result<Self> {
        let Self { stream, received, patience } = self;
        let Either::Left(stream) = stream else { return Err(ErrorKind::InvalidInput.into()) };
        if !received.is_empty() {
            return Err(ErrorKind::InvalidData.into());
        }
        let stream = encrypt(stream, acceptor, patience).await?;
        Ok(Self { stream: Either::Right(stream), received, patience })
    }

    /// Says that nothing follows.
    pub(crate) async fn close(mut self) {
        if let Ok(Err(error)) = tokio::time::timeout(self.patience, self.stream.shutdown()).await {
            tracing::debug!(%error, "a control connection was closed by its client");
        }
    }
}

/// Accepts TLS from a client.
///
/// # Errors
/// When it does not come, or not in time.
pub(crate) async fn encrypt(
    stream: TcpStream,
    acceptor: &TlsAcceptor,
    patience: Duration,
) -> io::Result<TlsStream<TcpStream>> {
    let accepted = tokio::time::timeout(patience, acceptor.accept(stream)).await;
    accepted.map_err(|_| io::Error::from(ErrorKind::TimedOut))?
}
