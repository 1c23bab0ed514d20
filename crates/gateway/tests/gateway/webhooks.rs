//! Messages of webhooks over real connections to this machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use domain::webhooks::{Reach, Secret};
use gateway::webhooks::{Message, Sender, Sent};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

const PAYLOAD: &str = "{\"type\":\"webhook.test\"}";

/// Answers each connection with `answer`, and says what was asked. A connection without answer stays open.
async fn endpoint(answer: Option<Vec<u8>>) -> (u16, UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (asked, requests) = unbounded_channel();
    tokio::spawn(async move {
        let mut kept = Vec::new();
        while let Ok((mut stream, _)) = listener.accept().await {
            let (mut bytes, mut chunk) = (Vec::new(), [0; 4_096]);
            while !String::from_utf8_lossy(&bytes).ends_with(PAYLOAD) {
                match stream.read(&mut chunk).await {
                    Ok(read) if read > 0 => bytes.extend_from_slice(&chunk[..read]),
                    _ => break,
                }
            }
            let _ = asked.send(String::from_utf8(bytes).unwrap());
            match &answer {
                Some(answer) => {
                    // Who reads no more hangs up.
                    let _ = stream.write_all(answer).await;
                    let _ = stream.shutdown().await;
                }
                None => kept.push(stream),
            }
        }
    });
    (port, requests)
}

async fn send(reach: Reach, url: &str) -> Sent {
    send_as(reach, false, url).await
}

async fn send_as(reach: Reach, is_public_only: bool, url: &str) -> Sent {
    let (new, former) = (Secret::from_bytes([1; 32]), Secret::from_bytes([2; 32]));
    let secrets = &[&new, &former][..];
    let message =
        Message { url, id: "msg_1", timestamp: 1_795_165_200, payload: PAYLOAD, is_public_only, secrets };
    Sender::new(reach).unwrap().send(&message).await
}

fn answer(status: &str, headers: &str, body: &str) -> Option<Vec<u8>> {
    let length = body.len();
    let text = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\n{headers}\r\n{body}");
    Some(text.into_bytes())
}

#[tokio::test]
async fn a_message_has_the_headers_of_the_specification() {
    // [HOOK011] [HOOK012]
    let (port, mut requests) = endpoint(answer("204 No Content", "", "")).await;
    let sent = send(Reach::Loopback, &format!("http://localhost:{port}/hook?a=b")).await;
    assert_eq!((sent.status, sent.answer.as_str(), sent.retry_after), (Some(204), "", None));
    let request = requests.recv().await.unwrap();
    let head = request.to_lowercase();
    assert!(head.starts_with("post /hook?a=b http/1.1\r\n"), "{request}");
    for line in ["content-type: application/json", "webhook-id: msg_1", "webhook-timestamp: 1795165200"] {
        assert!(head.contains(&format!("{line}\r\n")), "{line}: {request}");
    }
    let signature = request.lines().find_map(|line| line.strip_prefix("webhook-signature: ")).unwrap();
    assert_eq!(signature.matches("v1,").count(), 2, "{signature}");
    assert!(request.ends_with(PAYLOAD));
}

#[tokio::test]
async fn an_answer_is_kept_in_one_line_of_bounded_length() {
    let body = "no\r\nthanks ".repeat(10_000);
    let headers = "Retry-After: 120\r\n";
    let (port, _requests) = endpoint(answer("503 Service Unavailable", headers, &body)).await;
    let sent = send(Reach::Loopback, &format!("http://127.0.0.1:{port}/")).await;
    assert_eq!((sent.status, sent.retry_after), (Some(503), Some(Duration::from_secs(120))));
    assert!(sent.answer.starts_with("no  thanks no  thanks"), "{}", sent.answer);
    assert_eq!(sent.answer.chars().count(), 300);
}

#[tokio::test]
async fn no_redirect_is_followed() {
    // [HOOK032]
    let (target, mut reached) = endpoint(answer("200 OK", "", "")).await;
    let headers = format!("Location: http://127.0.0.1:{target}/\r\n");
    for status in ["301 Moved Permanently", "307 Temporary Redirect", "308 Permanent Redirect"] {
        let (port, _requests) = endpoint(answer(status, &headers, "")).await;
        let sent = send(Reach::Loopback, &format!("http://127.0.0.1:{port}/")).await;
        assert_eq!(sent.status.map(|status| status.to_string()).as_deref(), status.split(' ').next());
    }
    assert!(reached.try_recv().is_err(), "nobody has come");
}

/// Counts connections to a port of this machine.
async fn counted_connections() -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    tokio::spawn(async move {
        while listener.accept().await.is_ok() {
            counted.fetch_add(1, Ordering::SeqCst);
        }
    });
    (port, connections)
}

#[tokio::test]
async fn a_message_for_the_internet_alone_goes_to_no_private_network_whatever_the_operator_allows() {
    // [SAFE463] [SAFE464]
    let (port, connections) = counted_connections().await;
    for reach in [Reach::Public, Reach::Loopback, Reach::Private] {
        for url in [
            format!("http://127.0.0.1:{port}/"),
            format!("https://127.0.0.1:{port}/"),
            format!("https://[::1]:{port}/"),
            format!("https://localhost:{port}/"),
            format!("https://10.0.0.1:{port}/"),
        ] {
            let sent = send_as(reach, true, &url).await;
            assert_eq!(sent.status, None, "{url}");
            assert!(sent.answer.contains("webhooks are"), "{url}: {}", sent.answer);
        }
    }
    // The machine's own name is no name of 'localhost', and leads here all the same.
    let name = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    for name in [name.trim(), "no-such-name.invalid"] {
        let sent = send_as(Reach::Private, true, &format!("https://{name}:{port}/")).await;
        assert_eq!(sent.status, None);
        assert!(sent.answer.contains("leads to no public network"), "{name}: {}", sent.answer);
    }
    assert_eq!(connections.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn no_connection_is_made_to_where_messages_must_not_go() {
    // [HOOK030]
    let (port, connections) = counted_connections().await;
    for url in [
        format!("https://127.0.0.1:{port}/"),
        format!("https://[::ffff:127.0.0.1]:{port}/"),
        format!("https://localhost:{port}/"),
        format!("http://127.0.0.1:{port}/"),
    ] {
        let sent = send(Reach::Public, &url).await;
        assert_eq!(sent.status, None, "{url}");
        assert!(sent.answer.contains("webhooks are"), "{url}: {}", sent.answer);
    }
    assert_eq!(connections.load(Ordering::SeqCst), 0);
}

#[tokio::test(start_paused = true)]
async fn an_endpoint_that_does_not_answer_is_left_after_15_seconds() {
    let (port, _requests) = endpoint(None).await;
    let sent = send(Reach::Loopback, &format!("http://127.0.0.1:{port}/")).await;
    assert_eq!((sent.status, sent.answer.as_str()), (None, "no answer within 15 seconds"));
}

#[tokio::test]
async fn that_nobody_listens_is_said() {
    let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let sent = send(Reach::Loopback, &format!("http://127.0.0.1:{port}/")).await;
    assert_eq!(sent.status, None);
    assert!(sent.answer.to_lowercase().contains("connect"), "{}", sent.answer);
    assert!(!sent.answer.contains("127.0.0.1"), "the address is known: {}", sent.answer);
}
