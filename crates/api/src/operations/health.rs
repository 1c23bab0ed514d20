//! Liveness and readiness.

use app::App;
use app::operations::monitoring;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::operations::runtime::error::Result;
use crate::operations::runtime::extract::Json;

#[derive(Serialize, ToSchema)]
pub(crate) struct HealthBody {
    /// Always `ok`.
    status: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ReadyBody {
    /// `ready`, or `unready`.
    status: String,
    /// A sentence on what cannot be used, when something cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// `not_ready`, when something cannot be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    /// What cannot be used: `database`, `media`, `models`.
    missing: Vec<String>,
    /// What the operator has to decide or look after, in sentences; the service works all the same.
    warnings: Vec<String>,
}

/// Answers while the process runs.
#[utoipa::path(get, path = "/api/health", tag = "operation", responses((status = 200, body = HealthBody)))]
pub(crate) async fn health() -> Json<HealthBody> {
    Json(HealthBody { status: String::from("ok") })
}

/// Answers while the process runs; for measuring the latency.
#[utoipa::path(head, path = "/api/health", tag = "operation", responses((status = 200)))]
pub(crate) async fn health_head() -> StatusCode {
    StatusCode::OK
}

/// Answers whether database, media store and models can be used, and names what cannot; as it was at most 5 seconds ago.
#[utoipa::path(get, path = "/api/ready", tag = "operation", responses(
    (status = 200, body = ReadyBody),
    (status = 503, body = ReadyBody, description = "Something cannot be used, and `missing` names it"),
))]
pub(crate) async fn ready(State(app): State<App>) -> Result<Response> {
    let readiness = monitoring::readiness(&app).await?;
    let (unavailable, warnings) = (&readiness.unavailable, readiness.warnings.clone());
    let missing = unavailable.iter().map(|dependency| dependency.name.to_owned()).collect();
    if unavailable.is_empty() {
        let status = String::from("ready");
        let body = ReadyBody { status, error: None, code: None, missing, warnings };
        return Ok(Json(body).into_response());
    }
    let sentences: Vec<&str> = unavailable.iter().map(|dependency| dependency.message.as_ref()).collect();
    let body = ReadyBody {
        status: String::from("unready"),
        error: Some(sentences.join(" ")),
        code: Some(String::from("not_ready")),
        missing,
        warnings,
    };
    Ok((StatusCode::SERVICE_UNAVAILABLE, Json(body)).into_response())
}
