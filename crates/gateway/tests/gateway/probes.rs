//! Questions to a service, over plain HTTP and over TLS.

use std::sync::Arc;
use std::time::Duration;

use gateway::probes::Probe;
use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer;

const TIMEOUT: Duration = Duration::from_secs(20);

/// Reads one request to its end and answers with its head and the number of bytes that followed.
async fn answer(mut stream: impl AsyncRead + AsyncWrite + Unpin, redirect: bool) {
    let (mut bytes, mut chunk) = (Vec::new(), vec![0; 65_536]);
    let end = loop {
        let read = stream.read(&mut chunk).await.unwrap();
        assert!(read > 0, "the request is whole");
        bytes.extend_from_slice(&chunk[..read]);
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
    let length = head.split("content-length: ").nth(1).map_or("0", |rest| rest.lines().next().unwrap());
    let length: usize = length.parse().unwrap();
    let mut read = bytes.len() - end;
    while read < length {
        let more = stream.read(&mut chunk).await.unwrap();
        assert!(more > 0, "the body is whole");
        read += more;
    }
    let body = format!("{head}{read}");
    let status = if redirect { "301 Moved\r\nLocation: https://elsewhere.example/" } else { "200 OK" };
    let answer =
        format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len());
    stream.write_all(answer.as_bytes()).await.unwrap();
    stream.flush().await.unwrap();
    // Its end is the client's.
    let _ = stream.shutdown().await;
}

async fn listen(tls: Option<TlsAcceptor>, redirect: bool) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            match &tls {
                None => answer(stream, redirect).await,
                Some(tls) => {
                    if let Ok(stream) = tls.accept(stream).await {
                        answer(stream, redirect).await;
                    }
                }
            }
        }
    });
    port
}

#[tokio::test]
async fn questions_carry_token_headers_and_bytes() {
    let probe = Probe::new(&format!("http://127.0.0.1:{}/", listen(None, false).await), None).unwrap();
    let answer = probe.get("/api/health", TIMEOUT).await.unwrap();
    assert!(answer.body.starts_with(b"get /api/health http/1.1"), "{answer:?}");
    assert_eq!((answer.status, answer.certificate_ends, answer.location), (200, None, None));
    let headers = [("x-forwarded-for", "192.0.2.1")];
    let answer = probe.post("/api/probe", "secret", &headers, 3_000_000, TIMEOUT).await.unwrap();
    let body = String::from_utf8(answer.body).unwrap();
    assert!(
        body.contains("authorization: bearer secret") && body.contains("x-forwarded-for: 192.0.2.1"),
        "{body}"
    );
    assert!(body.ends_with("3000000"), "{body}");
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_silence_ends() {
    let probe = Probe::new(&format!("http://127.0.0.1:{}", listen(None, true).await), None).unwrap();
    let answer = probe.get("/", TIMEOUT).await.unwrap();
    assert_eq!((answer.status, answer.location.as_deref()), (301, Some("https://elsewhere.example/")));
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let probe = Probe::direct(silent.local_addr().unwrap()).unwrap();
    assert!(probe.get("/", Duration::from_millis(50)).await.is_err());
    assert!(Probe::new("localhost", None).is_err());
}

#[tokio::test]
async fn the_certificate_is_verified_and_its_end_is_told() {
    let key = KeyPair::generate().unwrap();
    let mut parameters = CertificateParams::new(vec![String::from("localhost")]).unwrap();
    parameters.not_after = date_time_ymd(2049, 1, 2);
    let certificate = parameters.self_signed(&key).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(
            vec![certificate.der().clone()],
            PrivatePkcs8KeyDer::from(key.serialize_der()).into(),
        )
        .unwrap();
    let port = listen(Some(TlsAcceptor::from(Arc::new(config))), false).await;
    let base = format!("https://localhost:{port}");
    let refused = Probe::new(&base, None).unwrap().get("/", TIMEOUT).await.unwrap_err().to_string();
    assert!(refused.to_lowercase().contains("certificate"), "{refused}");

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("authority.pem");
    std::fs::write(&file, certificate.pem()).unwrap();
    let answer = Probe::new(&base, Some(&file)).unwrap().get("/", TIMEOUT).await.unwrap();
    assert_eq!(answer.certificate_ends.unwrap().to_rfc3339(), "2049-01-02T00:00:00.000Z");
    std::fs::write(&file, "nothing").unwrap();
    let unusable = Probe::new(&base, Some(&file)).unwrap_err().to_string();
    assert!(unusable.contains("has no certificate"), "{unusable}");
    assert!(Probe::new(&base, Some(&folder.path().join("none"))).is_err());
}
