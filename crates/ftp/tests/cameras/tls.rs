//! Cameras that speak TLS.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use app::operations::runtime::limits::LimitSettings;
use ftp::{Certificate, Config, Resumption};
use suppaftp::types::FileType;
use suppaftp::{RustlsConnector, RustlsFtpStream};
use tokio::io::{AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

use crate::{Client, PATIENCE, Service, picture};

const STORED: [&str; 4] = ["IMG_0001.JPG", "IMG_0002.JPG", "IMG_0003.JPG", "IMG_0004.JPG"];

/// A service that takes nothing without TLS, and what its clients speak TLS with.
async fn encrypted(resumption: Resumption) -> (Service, rustls::ClientConfig) {
    let folder = tempfile::tempdir().unwrap();
    let made = rcgen::generate_simple_self_signed([String::from("localhost")]).unwrap();
    let (chain, key) = (folder.path().join("chain.pem"), folder.path().join("key.pem"));
    std::fs::write(&chain, made.cert.pem()).unwrap();
    std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    let certificate = Certificate::open(chain, key, resumption).unwrap();
    let mut roots = rustls::RootCertStore::empty();
    roots.add(made.cert.der().clone()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let change = |config: &mut Config| {
        (config.certificate, config.allows_plain) = (Some(certificate), false);
    };
    (Service::with(change, LimitSettings::OFF).await, tls)
}

/// A control connection whose camera has logged in and encrypts its data, read and written with blocking calls.
struct Camera(std::io::BufReader<rustls::StreamOwned<rustls::ClientConnection, std::net::TcpStream>>);

impl Camera {
    fn log_in(
        address: std::net::SocketAddr,
        tls: &Arc<rustls::ClientConfig>,
        name: &str,
        password: &str,
    ) -> Self {
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut greeting = [0; 256];
        assert!(std::io::Read::read(&mut stream, &mut greeting).unwrap() > 0);
        std::io::Write::write_all(&mut stream, b"AUTH TLS\r\n").unwrap();
        assert!(std::io::Read::read(&mut stream, &mut greeting).unwrap() > 0);
        let (session, stream) = speak_tls(stream, tls);
        let mut camera = Self(std::io::BufReader::new(rustls::StreamOwned::new(session, stream)));
        camera.ask(&format!("USER {name}"));
        for command in [format!("PASS {password}").as_str(), "PBSZ 0", "PROT P"] {
            let told = camera.ask(command);
            assert!(told.starts_with('2'), "{told}");
        }
        camera
    }

    /// Sends a command, or none, and reads a reply.
    fn ask(&mut self, command: &str) -> String {
        if !command.is_empty() {
            std::io::Write::write_all(self.0.get_mut(), format!("{command}\r\n").as_bytes()).unwrap();
        }
        let mut line = String::new();
        std::io::BufRead::read_line(&mut self.0, &mut line).unwrap();
        line
    }

    /// Begins to store a file, and opens its data connection.
    fn store(&mut self, name: &str) -> std::net::TcpStream {
        let told = self.ask("EPSV");
        let port = told.split('|').nth(3).unwrap().parse::<u16>().unwrap();
        let data = std::net::TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        assert!(self.ask(&format!("STOR {name}")).starts_with("150"));
        data
    }
}

/// A connection that speaks TLS, and reads no more than it is told to.
fn speak_tls(
    mut stream: std::net::TcpStream,
    tls: &Arc<rustls::ClientConfig>,
) -> (rustls::ClientConnection, std::net::TcpStream) {
    let host = rustls::pki_types::ServerName::try_from("localhost").unwrap();
    let mut session = rustls::ClientConnection::new(tls.clone(), host).unwrap();
    while session.is_handshaking() {
        session.complete_io(&mut stream).unwrap();
    }
    (session, stream)
}

#[tokio::test(flavor = "multi_thread")]
async fn over_tls_1_3_a_client_may_close_without_reading() {
    // [FTP031]
    // What it has not read when it closes makes its system reset the connection. With the end of TLS and without it.
    let (service, tls) = encrypted(Resumption::Optional).await;
    let (address, name, password) = (service.address, service.name.clone(), service.password.clone());
    let stored = tokio::task::spawn_blocking(move || {
        let tls = Arc::new(tls);
        let mut camera = Camera::log_in(address, &tls, &name, &password);
        let mut stored = Vec::new();
        for number in 0..20 {
            let name = format!("IMG_{number:04}.JPG");
            let data = camera.store(&name);
            let (mut session, mut data) = speak_tls(data, &tls);
            assert_eq!(session.protocol_version(), Some(rustls::ProtocolVersion::TLSv1_3));
            std::io::Write::write_all(&mut session.writer(), &picture(number)).unwrap();
            if number % 2 == 0 {
                session.send_close_notify();
            }
            while session.wants_write() {
                session.write_tls(&mut data).unwrap();
            }
            // Until what the service sends of itself has arrived.
            std::thread::sleep(Duration::from_millis(50));
            drop(data);
            let told = camera.ask("");
            assert!(told.starts_with("226"), "{name}: {told}");
            stored.push(name);
        }
        stored
    })
    .await
    .unwrap();
    let mut photos = service.photos().await;
    photos.sort();
    assert_eq!(photos, stored);
}

#[tokio::test(flavor = "multi_thread")]
async fn with_tls_passwords_and_photos_are_encrypted_or_not_taken() {
    // [FTP017] [FTP027]
    let (service, tls) = encrypted(Resumption::Required).await;
    let mut plain = Client::connect(service.address).await;
    assert_eq!(plain.ask(&format!("USER {}", service.name)).await.0, 530);
    assert_eq!(plain.ask("PASS x").await.0, 503);
    // Commands that somebody on the way puts before TLS are not obeyed after it.
    let mut injected = TcpStream::connect(service.address).await.unwrap();
    injected.write_all(b"AUTH TLS\r\nUSER x\r\n").await.unwrap();
    let mut injected = Client(BufReader::new(injected));
    assert_eq!((injected.reply().await.0, injected.reply().await.0), (220, 234));
    assert_eq!(injected.reply_or_end().await, None);

    let (address, name, password) = (service.address, service.name.clone(), service.password.clone());
    tokio::task::spawn_blocking(move || {
        let camera = RustlsFtpStream::connect(address).unwrap();
        let mut camera = camera.into_secure(RustlsConnector::from(Arc::new(tls)), "localhost").unwrap();
        camera.login(name.as_str(), password.as_str()).unwrap();
        camera.transfer_type(FileType::Binary).unwrap();
        for (salt, name) in (1..).zip(STORED) {
            camera.put_file(name, &mut picture(salt).as_slice()).unwrap();
        }
        assert_eq!(camera.nlst(None).unwrap(), STORED);
        camera.quit().unwrap();
    })
    .await
    .unwrap();
    let mut photos = service.photos().await;
    photos.sort();
    assert_eq!(photos, STORED);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_data_connection_resumes_the_session_of_its_own_control_connection() {
    // [FTP032]
    let (service, tls) = encrypted(Resumption::Required).await;
    let (address, name, password) = (service.address, service.name.clone(), service.password.clone());
    tokio::task::spawn_blocking(move || {
        // Each has sessions of its own.
        let client = || {
            let mut own = tls.clone();
            own.resumption = rustls::client::Resumption::in_memory_sessions(8);
            Arc::new(own)
        };
        let (own, stranger, other) = (client(), client(), client());
        let mut camera = Camera::log_in(address, &own, &name, &password);
        // One with the same login, on a control connection of its own.
        let second = Camera::log_in(address, &other, &name, &password);
        // A stranger tries to resume what was refused, too.
        let clients = [&own, &stranger, &stranger, &other, &other, &own, &own];
        for tls in clients {
            let expected = if Arc::ptr_eq(tls, &own) { "226" } else { "522" };
            let data = camera.store(&format!("IMG_{expected}.JPG"));
            let (mut session, mut data) = speak_tls(data, tls);
            assert_eq!(session.protocol_version(), Some(rustls::ProtocolVersion::TLSv1_2));
            std::io::Write::write_all(&mut session.writer(), &picture(1)).unwrap();
            session.send_close_notify();
            while session.wants_write() {
                // Who is refused is not read to the end.
                if session.write_tls(&mut data).is_err() {
                    break;
                }
            }
            let told = camera.ask("");
            assert!(told.starts_with(expected), "{told}");
        }
        drop(second);
    })
    .await
    .unwrap();
    assert_eq!(service.photos().await, ["IMG_226.JPG"]);
}
