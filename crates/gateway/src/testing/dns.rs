//! A name server that answers TXT records, for tests.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use hickory_resolver::proto::op::{Message, MessageType, ResponseCode};
use hickory_resolver::proto::rr::rdata::TXT;
use hickory_resolver::proto::rr::{RData, Record, RecordType};
use tokio::net::UdpSocket;
use tokio::task::JoinHandle;

/// A character string of a record has at most 255 bytes.
const STRING: usize = 255;

#[derive(Default)]
struct Zone {
    texts: HashMap<String, Vec<String>>,
    fails: bool,
}

/// The server at a loopback port of its own. Stops when dropped.
pub struct FakeDns {
    address: SocketAddr,
    zone: Arc<Mutex<Zone>>,
    server: JoinHandle<()>,
}

impl FakeDns {
    /// Starts without records.
    ///
    /// # Errors
    /// When no port can be opened.
    pub async fn start() -> std::io::Result<Self> {
        let socket = UdpSocket::bind("127.0.0.1:0").await?;
        let address = socket.local_addr()?;
        let zone = Arc::<Mutex<Zone>>::default();
        let server = tokio::spawn(serve(socket, zone.clone()));
        Ok(Self { address, zone, server })
    }

    /// Where it answers.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Gives a name these TXT records, in the place of those it had.
    pub fn set(&self, name: &str, texts: &[&str]) {
        let texts = texts.iter().map(|&text| text.to_owned()).collect();
        self.zone.lock().unwrap_or_else(PoisonError::into_inner).texts.insert(name.to_owned(), texts);
    }

    /// Answers every question with a failure from now on (`SERVFAIL`).
    pub fn fail(&self) {
        self.zone.lock().unwrap_or_else(PoisonError::into_inner).fails = true;
    }
}

impl Drop for FakeDns {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn serve(socket: UdpSocket, zone: Arc<Mutex<Zone>>) {
    let mut buffer = [0; 4096];
    while let Ok((length, client)) = socket.recv_from(&mut buffer).await {
        let question = buffer.get(..length).and_then(|bytes| Message::from_vec(bytes).ok());
        let answer = question.and_then(|question| answer(&question, &zone).to_vec().ok());
        if let Some(answer) = answer
            && socket.send_to(&answer, client).await.is_err()
        {
            return;
        }
    }
}

fn answer(question: &Message, zone: &Mutex<Zone>) -> Message {
    let zone = zone.lock().unwrap_or_else(PoisonError::into_inner);
    let mut answer = question.clone();
    answer.metadata.message_type = MessageType::Response;
    answer.metadata.recursion_available = true;
    let query = question.queries.first();
    let asked = query.map(|query| query.name().to_lowercase().to_ascii());
    let texts = asked.as_deref().and_then(|name| zone.texts.get(name.trim_end_matches('.')));
    match (query, texts) {
        _ if zone.fails => answer.metadata.response_code = ResponseCode::ServFail,
        (Some(query), Some(texts)) if query.query_type() == RecordType::TXT => {
            for text in texts {
                let strings =
                    text.as_bytes().chunks(STRING).map(|part| String::from_utf8_lossy(part).into_owned());
                let data = RData::TXT(TXT::new(strings.collect()));
                answer.add_answer(Record::from_rdata(query.name().clone(), 300, data));
            }
        }
        _ => answer.metadata.response_code = ResponseCode::NXDomain,
    }
    answer
}
