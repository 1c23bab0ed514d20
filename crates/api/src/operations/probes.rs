//! How a request arrives here: for `afterglow doctor`, which alone has a token for it.

use app::App;
use app::operations::probes;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::Refusal;
use futures::StreamExt as _;
use serde::Serialize;

use crate::operations::runtime::client_ip::{self, Hops};
use crate::operations::runtime::error::Result;
use crate::operations::runtime::extract::{Json, bearer};
use crate::uploads::forms::UPLOAD_BYTES;

/// What arrived. Not part of the contract: only this version's own command reads it.
#[derive(Serialize)]
struct Arrival {
    /// The machine that the connection comes from.
    peer: String,
    /// Whether it is a trusted proxy.
    is_trusted: bool,
    /// What the configured forwarding header says, from the client to this server.
    hops: Vec<String>,
    /// Whether any header says that a proxy has forwarded the request.
    is_forwarded: bool,
    /// The address that the request counts for.
    client: String,
    /// The scheme that the client used, as a proxy says.
    scheme: Option<String>,
    /// How many bytes the body had.
    bytes: usize,
}

/// Reads the request to its end, keeps nothing of it, and says how it arrived. Without a token, and with one that was used,
/// there is no such path, and the body is not read.
pub(crate) async fn probe(State(app): State<App>, request: Request) -> Result<Response> {
    let (parts, body) = request.into_parts();
    match bearer(&parts) {
        Some(token) if probes::admit(&app, token).await? => {}
        _ => return Err(Refusal::PathNotFound.into()),
    }
    let mut bytes = 0;
    let mut body = body.into_data_stream();
    while let Some(chunk) = body.next().await {
        let Ok(chunk) = chunk else { return Ok(StatusCode::BAD_REQUEST.into_response()) };
        bytes += chunk.len();
        if bytes > UPLOAD_BYTES {
            return Ok(StatusCode::PAYLOAD_TOO_LARGE.into_response());
        }
    }
    let Hops { peer, is_trusted, hops, client, scheme } = client_ip::hops(&parts, app.settings());
    let arrival = Arrival {
        peer: peer.to_string(),
        is_trusted,
        hops,
        is_forwarded: client_ip::is_forwarded(&parts.headers),
        client: client.to_string(),
        scheme,
        bytes,
    };
    Ok(Json(arrival).into_response())
}
