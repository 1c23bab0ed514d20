//! A mail server for tests: real SMTP over real sockets, with the replies that a test sets.

use std::sync::{Arc, Mutex};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufStream};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer;

/// The TLS mode.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Security {
    Plain,
    StartTls,
    Implicit,
}

/// One mail transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Received {
    /// The argument of AUTH PLAIN, base64.
    pub(crate) login: Option<String>,
    pub(crate) from: String,
    pub(crate) to: Vec<String>,
    pub(crate) data: String,
    pub(crate) encrypted: bool,
}

/// Replies that differ from success, by the command they answer (`AUTH`, `RCPT`, `DATA`, `.`, and `CONNECT`).
pub(crate) type Replies = Vec<(&'static str, &'static str)>;

pub(crate) struct SmtpServer {
    pub(crate) port: u16,
    /// The server's own certificate, PEM.
    pub(crate) certificate: String,
    received: Arc<Mutex<Vec<Received>>>,
    commands: Arc<Mutex<Vec<String>>>,
}

struct Session {
    replies: Replies,
    security: Security,
    received: Arc<Mutex<Vec<Received>>>,
    commands: Arc<Mutex<Vec<String>>>,
}

enum SessionEnd {
    Quit,
    StartTls,
}

impl SmtpServer {
    pub(crate) async fn start(security: Security, replies: Replies) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(["localhost".to_owned(), "127.0.0.1".to_owned()]).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(
                vec![cert.der().clone()],
                PrivatePkcs8KeyDer::from(signing_key.serialize_der()).into(),
            )
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let server =
            Self { port, certificate: cert.pem(), received: Arc::default(), commands: Arc::default() };
        let session = Arc::new(Session {
            replies,
            security,
            received: Arc::clone(&server.received),
            commands: Arc::clone(&server.commands),
        });
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (session, acceptor) = (Arc::clone(&session), acceptor.clone());
                tokio::spawn(async move {
                    if session.security == Security::Implicit {
                        if let Ok(stream) = acceptor.accept(stream).await {
                            session.serve(&mut BufStream::new(stream), true, true).await;
                        }
                        return;
                    }
                    let mut plain = BufStream::new(stream);
                    if let Some(SessionEnd::StartTls) = session.serve(&mut plain, true, false).await
                        && let Ok(stream) = acceptor.accept(plain.into_inner()).await
                    {
                        session.serve(&mut BufStream::new(stream), false, true).await;
                    }
                });
            }
        });
        server
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    pub(crate) fn commands(&self) -> Vec<String> {
        self.commands.lock().unwrap().clone()
    }
}

impl Session {
    /// None when the client disconnected.
    async fn serve<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        stream: &mut BufStream<S>,
        greet: bool,
        encrypted: bool,
    ) -> Option<SessionEnd> {
        if greet {
            self.reply(stream, "CONNECT", "220 test ESMTP").await?;
        }
        let mut mail = Received { encrypted, ..Received::default() };
        loop {
            let line = read_line(stream).await?;
            self.commands.lock().unwrap().push(line.clone());
            let (command, rest) = line.split_once([' ', ':']).unwrap_or((&line, ""));
            match command {
                "EHLO" => {
                    let offer = if self.security == Security::StartTls && !encrypted {
                        "250-test\r\n250-8BITMIME\r\n250-AUTH PLAIN\r\n250 STARTTLS"
                    } else {
                        "250-test\r\n250-8BITMIME\r\n250 AUTH PLAIN"
                    };
                    self.reply(stream, command, offer).await?;
                }
                "STARTTLS" => {
                    self.reply(stream, command, "220 go ahead").await?;
                    return Some(SessionEnd::StartTls);
                }
                "AUTH" => {
                    mail.login = rest.strip_prefix("PLAIN ").map(str::to_owned);
                    self.reply(stream, command, "235 welcome").await?;
                }
                "MAIL" => {
                    mail.from = rest.to_owned();
                    self.reply(stream, command, "250 ok").await?;
                }
                "RCPT" => {
                    mail.to.push(rest.to_owned());
                    self.reply(stream, command, "250 ok").await?;
                }
                "DATA" => {
                    if !self.reply(stream, command, "354 go on").await? {
                        continue;
                    }
                    loop {
                        let line = read_line(stream).await?;
                        if line == "." {
                            break;
                        }
                        mail.data.push_str(line.strip_prefix('.').unwrap_or(&line));
                        mail.data.push_str("\r\n");
                    }
                    if self.reply(stream, ".", "250 queued").await? {
                        self.received.lock().unwrap().push(std::mem::take(&mut mail));
                    }
                }
                "NOOP" => {
                    self.reply(stream, command, "250 ok").await?;
                }
                "QUIT" => {
                    self.reply(stream, command, "221 bye").await?;
                    return Some(SessionEnd::Quit);
                }
                _ => {
                    self.reply(stream, command, "502 unknown").await?;
                }
            }
        }
    }

    /// Whether the reply was a success; none when the client disconnected.
    async fn reply<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        stream: &mut BufStream<S>,
        command: &str,
        default: &str,
    ) -> Option<bool> {
        let set = self.replies.iter().find(|(of, _)| *of == command).map(|(_, reply)| *reply);
        let reply = set.unwrap_or(default);
        stream.write_all(reply.as_bytes()).await.ok()?;
        stream.write_all(b"\r\n").await.ok()?;
        stream.flush().await.ok()?;
        Some(reply.starts_with(['2', '3']))
    }
}

async fn read_line<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut BufStream<S>) -> Option<String> {
    let mut line = String::new();
    if stream.read_line(&mut line).await.ok()? == 0 {
        return None;
    }
    Some(line.trim_end_matches(['\r', '\n']).to_owned())
}
