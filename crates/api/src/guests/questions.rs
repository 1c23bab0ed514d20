//! Questions of guests to the photographer.

use app::App;
use app::guests::questions::{self, Submission};
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::events::access::{ProofHeader, Visitor};
use crate::operations::runtime::client_ip::ClientIp;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path};
use crate::operations::runtime::responses::{InvalidBody, PinRequired, RateLimited, Unavailable};

#[derive(Deserialize, ToSchema)]
pub(crate) struct QuestionBody {
    /// The `s3_key` of the photo that it is about.
    key: String,
    /// Where the photographer's answer goes.
    #[schema(max_length = 254)]
    email: String,
    #[schema(min_length = 1, max_length = 1000)]
    message: String,
}

/// Mails a guest's question about a photo of the event to its photographer, whose answer goes to the guest. It is stored until
/// it is mailed. Questions are counted by address, by event and by photographer.
#[utoipa::path(post, path = "/api/face/questions/{slug}", tag = "faces", request_body = QuestionBody,
    params(("slug" = String, Path, description = "The event's name in links"), ProofHeader),
    responses(
        (status = 202, description = "It is on its way"),
        InvalidBody,
        RateLimited,
        PinRequired,
        (status = 404, body = ErrorBody, description = "No such event, or no such photo of it, and the text says which"),
        (status = 409, body = ErrorBody, description = "The photographer takes no questions"),
        Unavailable,
    ))]
pub(crate) async fn ask(
    State(app): State<App>,
    client: ClientIp,
    Visitor(visitor): Visitor,
    Path(slug): Path<String>,
    Json(QuestionBody { key, email, message }): Json<QuestionBody>,
) -> Result<StatusCode> {
    questions::ask(&app, &visitor, &slug, client.address(), Submission { key, email, message }).await?;
    Ok(StatusCode::ACCEPTED)
}
