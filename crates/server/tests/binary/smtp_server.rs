//! A mail server on a real socket, as simple as RFC 5321 allows.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

pub(crate) struct SmtpServer {
    pub(crate) port: u16,
    received: Arc<Mutex<Vec<String>>>,
    attempts: Arc<Mutex<usize>>,
}

impl SmtpServer {
    /// A server that answers the first `busy` mails with a temporary failure, and refuses every recipient at
    /// `nowhere.example` for good.
    pub(crate) fn start(busy: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = Self { port, received: Arc::default(), attempts: Arc::default() };
        let (received, attempts) = (server.received.clone(), server.attempts.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (received, attempts) = (received.clone(), attempts.clone());
                // A peer that disconnects ends only its own session.
                std::thread::spawn(move || serve(stream, busy, &received, &attempts));
            }
        });
        server
    }

    /// The mails that were taken, as they came.
    pub(crate) fn received(&self) -> Vec<String> {
        self.received.lock().unwrap().clone()
    }

    /// How many mails were offered.
    pub(crate) fn attempts(&self) -> usize {
        *self.attempts.lock().unwrap()
    }
}

fn serve(
    stream: TcpStream,
    busy: usize,
    received: &Mutex<Vec<String>>,
    attempts: &Mutex<usize>,
) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let mut out = stream;
    out.write_all(b"220 test ESMTP\r\n")?;
    while let Some(line) = lines.next().transpose()? {
        let answer: &[u8] = match line.split(' ').next().unwrap_or_default() {
            "EHLO" => b"250-test\r\n250 8BITMIME\r\n",
            "MAIL" => {
                let mut attempts = attempts.lock().unwrap();
                *attempts += 1;
                if *attempts <= busy { b"451 try again later\r\n" } else { b"250 ok\r\n" }
            }
            "RCPT" if line.contains("nowhere.example") => b"550 no such mailbox\r\n",
            "DATA" => {
                out.write_all(b"354 go on\r\n")?;
                let mut mail = String::new();
                for line in lines.by_ref() {
                    let line = line?;
                    if line == "." {
                        break;
                    }
                    mail.push_str(line.strip_prefix('.').unwrap_or(&line));
                    mail.push_str("\r\n");
                }
                received.lock().unwrap().push(mail);
                b"250 queued\r\n"
            }
            "QUIT" => {
                out.write_all(b"221 bye\r\n")?;
                return Ok(());
            }
            _ => b"250 ok\r\n",
        };
        out.write_all(answer)?;
    }
    Ok(())
}
