//! The data connections of passive mode.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::ops::RangeInclusive;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};

/// Listens on a port of `ports` that is free, looked for from the one at `start` on; none when all are taken.
pub(crate) async fn listen(
    address: IpAddr,
    ports: &RangeInclusive<u16>,
    start: usize,
) -> Option<TcpListener> {
    let count = ports.clone().count();
    for offset in 0..count {
        let port = ports.clone().nth((start + offset) % count)?;
        if let Ok(listener) = TcpListener::bind(SocketAddr::new(address, port)).await {
            return Some(listener);
        }
    }
    None
}

/// The connection of a client. One from another address than its control connection is somebody else's, and is closed.
///
/// # Errors
/// When it does not come in time.
pub(crate) async fn accept(listener: TcpListener, from: IpAddr, patience: Duration) -> io::Result<TcpStream> {
    let accepted = async {
        loop {
            let (stream, peer) = listener.accept().await?;
            if peer.ip().to_canonical() == from {
                return Ok(stream);
            }
        }
    };
    tokio::time::timeout(patience, accepted).await.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_port_that_is_taken_is_passed_over_and_a_stranger_is_not_let_in() {
        // [FTP013] [FTP028]
        let address = IpAddr::from([127, 0, 0, 1]);
        let taken = TcpListener::bind((address, 0)).await.unwrap();
        let port = taken.local_addr().unwrap().port();
        assert!(listen(address, &(port..=port), 7).await.is_none());
        drop(taken);
        let listener = listen(address, &(port..=port), 7).await.unwrap();
        assert_eq!(listener.local_addr().unwrap().port(), port);
        let stranger = TcpStream::connect((address, port)).await.unwrap();
        let accepted = accept(listener, IpAddr::from([192, 0, 2, 1]), Duration::from_millis(100)).await;
        assert_eq!(accepted.unwrap_err().kind(), io::ErrorKind::TimedOut);
        drop(stranger);
    }
}
