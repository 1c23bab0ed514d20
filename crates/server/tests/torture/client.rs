//! What every photographer of a round shares: the servers' current addresses, the mails, and where defects are reported.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use gateway::testing::FakeRazorpay;
use hyper::Method;
use hyper::body::Bytes;
use serde_json::Value;
use tokio::sync::watch;

use crate::disk::{Journal, Told};
use crate::http::{self, Body, NoResponse};
use crate::pictures::Pictures;

/// How long a photographer looks for a mail at a time.
const MAIL_PATIENCE: Duration = Duration::from_secs(3);
/// How much of a response a report shows.
const SHOWN: usize = 300;

/// The outside of a round.
pub(crate) struct Client {
    /// None while no server runs; of several, each gets its turn.
    servers: watch::Receiver<Vec<SocketAddr>>,
    turn: AtomicUsize,
    /// Everybody who asks has an address of their own.
    guests: AtomicU32,
    outbox: PathBuf,
    pub(crate) pictures: Arc<Pictures>,
    defects: Mutex<Vec<String>>,
    unanswered: AtomicUsize,
    /// Where what photographers are told is added to the changes of the disk.
    journal: Option<Journal>,
    /// Where orders are paid; none where that is the sandbox of the service.
    pub(crate) provider: Option<Arc<FakeRazorpay>>,
}

/// What came of a request.
#[derive(Debug)]
pub(crate) enum Reply {
    Response(u16, Bytes),
    /// It got no answer, or 503: it may have had its effect.
    Unknown,
    /// It had no effect.
    NotSent,
}

impl Reply {
    pub(crate) fn json(bytes: &Bytes) -> Value {
        serde_json::from_slice(bytes).unwrap_or_default()
    }
}

impl Client {
    pub(crate) fn new(
        servers: watch::Receiver<Vec<SocketAddr>>,
        outbox: PathBuf,
        pictures: Arc<Pictures>,
        journal: Option<Journal>,
        provider: Option<Arc<FakeRazorpay>>,
    ) -> Self {
        let (turn, unanswered) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let guests = AtomicU32::new(Ipv4Addr::new(10, 0, 0, 1).to_bits());
        Self {
            servers,
            turn,
            guests,
            outbox,
            pictures,
            defects: Mutex::default(),
            unanswered,
            journal,
            provider,
        }
    }

    /// Sends a request as soon as a server runs.
    pub(crate) async fn send(&self, method: Method, path: &str, token: Option<&str>, body: Body) -> Reply {
        let from = Ipv4Addr::from_bits(self.guests.fetch_add(1, Ordering::Relaxed));
        self.send_from(from, method, path, token, body).await
    }

    /// Sends a request from this address as soon as a server runs.
    pub(crate) async fn send_from(
        &self,
        from: Ipv4Addr,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: Body,
    ) -> Reply {
        let mut servers = self.servers.clone();
        let Ok(addresses) =
            servers.wait_for(|addresses| !addresses.is_empty()).await.map(|list| list.clone())
        else {
            return Reply::NotSent;
        };
        let address = addresses[self.turn.fetch_add(1, Ordering::Relaxed) % addresses.len()];
        match http::request_from(Some(from), address, method.clone(), path, token, body).await {
            Ok(response) if response.status == 503 => {
                self.unanswered.fetch_add(1, Ordering::Relaxed);
                Reply::Unknown
            }
            Ok(response) => Reply::Response(response.status, response.body),
            Err(NoResponse::Lost) => {
                self.unanswered.fetch_add(1, Ordering::Relaxed);
                Reply::Unknown
            }
            Err(NoResponse::NotSent) => {
                // The server has just ended; the next one has another address.
                tokio::time::sleep(Duration::from_millis(20)).await;
                Reply::NotSent
            }
        }
    }

    /// Remembers what a photographer was told, or asks for, between the changes of the disk.
    pub(crate) fn tell(&self, told: impl FnOnce() -> Told) {
        if let Some(journal) = &self.journal {
            journal.add(&told());
        }
    }

    pub(crate) fn report(&self, defect: String) {
        self.defects.lock().unwrap().push(defect);
    }

    /// Reports a response that no state explains.
    pub(crate) fn report_reply(&self, what: &str, reply: &Reply) {
        let Reply::Response(status, body) = reply else { return };
        let text: String = String::from_utf8_lossy(body).chars().take(SHOWN).collect();
        self.report(format!("{what} was answered with {status} {text}"));
    }

    pub(crate) fn defects(&self) -> Vec<String> {
        self.defects.lock().unwrap().clone()
    }

    pub(crate) fn unanswered(&self) -> usize {
        self.unanswered.load(Ordering::Relaxed)
    }

    /// The token of the newest verification link that was mailed to this address.
    pub(crate) async fn verification_token(&self, email: &str) -> Option<String> {
        let started = Instant::now();
        loop {
            let found = self.newest_token(email);
            if found.is_some() || started.elapsed() > MAIL_PATIENCE {
                return found;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    fn newest_token(&self, email: &str) -> Option<String> {
        let mut mails: Vec<PathBuf> =
            std::fs::read_dir(&self.outbox).ok()?.flatten().map(|entry| entry.path()).collect();
        // Their names begin with their time.
        mails.sort();
        mails.iter().rev().filter(|path| path.extension().is_some_and(|ending| ending == "eml")).find_map(
            |path| {
                let mail = std::fs::read_to_string(path).ok()?;
                // Quoted-printable: soft line breaks go, =3D is an equals sign.
                let mail = mail.replace("=\r\n", "").replace("=3D", "=");
                let is_to = mail.lines().any(|line| line.starts_with("To:") && line.contains(email));
                let (_, rest) = mail.split_once("verify-email?token=").filter(|_| is_to)?;
                Some(rest.chars().take_while(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).collect())
            },
        )
    }
}
