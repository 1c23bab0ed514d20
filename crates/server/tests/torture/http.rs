//! An HTTP client that says what is known about a request that got no answer.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use gateway::testing::SignedWebhook;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::{Method, Request};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

/// Longer than any fault of a round lasts, so that a request whose time runs out is a defect.
const TIMEOUT: Duration = Duration::from_secs(15 * 60);

/// A complete response.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) body: Bytes,
}

/// Why there is no response.
#[derive(Debug)]
pub(crate) enum NoResponse {
    /// No connection was made, so the request had no effect.
    NotSent,
    /// The connection ended first: the request may have had its effect.
    Lost,
}

/// A request's body and its media type.
pub(crate) struct Body {
    media_type: &'static str,
    bytes: Bytes,
    /// Of the request that it is the body of.
    headers: Vec<(&'static str, String)>,
}

const BOUNDARY: &str = "afterglow-torture-boundary";

impl Body {
    pub(crate) fn empty() -> Self {
        Self { media_type: "text/plain", bytes: Bytes::new(), headers: Vec::new() }
    }

    pub(crate) fn json(value: &serde_json::Value) -> Self {
        Self { media_type: "application/json", bytes: value.to_string().into(), headers: Vec::new() }
    }

    /// What the payment provider sends.
    pub(crate) fn notification(sent: &SignedWebhook) -> Self {
        let headers = vec![
            ("X-Razorpay-Signature", sent.signature.clone()),
            ("X-Razorpay-Event-Id", sent.event_id.clone()),
        ];
        Self { media_type: "application/json", bytes: sent.body.clone().into(), headers }
    }

    /// A form with text fields and one file.
    /// A search by this selfie.
    pub(crate) fn search(selfie: &[u8]) -> Self {
        let notice = domain::faces::consents::NoticeVersion::CURRENT.as_str();
        Self::form(&[("notice_version", notice)], ("image", "selfie.jpg"), selfie)
    }

    pub(crate) fn form(fields: &[(&str, &str)], file: (&str, &str), content: &[u8]) -> Self {
        let mut bytes = Vec::with_capacity(content.len() + 512);
        for (name, value) in fields {
            let part =
                format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
            bytes.extend_from_slice(part.as_bytes());
        }
        let (name, filename) = file;
        let head = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"{filename}\"\r\n\r\n"
        );
        bytes.extend_from_slice(head.as_bytes());
        bytes.extend_from_slice(content);
        bytes.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
        let media_type = "multipart/form-data; boundary=afterglow-torture-boundary";
        Self { media_type, bytes: bytes.into(), headers: Vec::new() }
    }
}

/// One request on a connection of its own.
pub(crate) async fn request(
    server: SocketAddr,
    method: Method,
    path: &str,
    token: Option<&str>,
    body: Body,
) -> Result<Response, NoResponse> {
    request_from(None, server, method, path, token, body).await
}

/// One request, which is passed on for somebody at this address.
pub(crate) async fn request_from(
    client: Option<Ipv4Addr>,
    server: SocketAddr,
    method: Method,
    path: &str,
    token: Option<&str>,
    body: Body,
) -> Result<Response, NoResponse> {
    let stream = TcpStream::connect(server).await.map_err(|_| NoResponse::NotSent)?;
    let mut request = Request::builder()
        .method(method)
        .uri(path)
        .header("Host", server.to_string())
        .header("Connection", "close")
        .header("Content-Type", body.media_type);
    if let Some(token) = token {
        request = request.header("Authorization", format!("Bearer {token}"));
    }
    if let Some(client) = client {
        request = request.header("X-Forwarded-For", client.to_string());
    }
    for (name, value) in body.headers {
        request = request.header(name, value);
    }
    let request = request.body(Full::new(body.bytes)).unwrap();
    let exchange = async {
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
            .await
            .map_err(|_| NoResponse::Lost)?;
        let connection = tokio::spawn(connection);
        let response = sender.send_request(request).await.map_err(|_| NoResponse::Lost)?;
        let status = response.status().as_u16();
        // Hyper reports a body that ends before its length as an error.
        let body = response.into_body().collect().await.map_err(|_| NoResponse::Lost)?.to_bytes();
        connection.abort();
        Ok(Response { status, body })
    };
    tokio::time::timeout(TIMEOUT, exchange).await.unwrap_or(Err(NoResponse::Lost))
}
