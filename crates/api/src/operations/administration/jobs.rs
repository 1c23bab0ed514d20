//! Background jobs, for administrators.

use app::App;
use app::operations::administration::Administration;
use app::operations::administration::jobs::{self, Backlog, FailedJob, Page, Retried};
use axum::extract::State;
use domain::Refusal;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Administrator, Json, Path, Query};
use crate::operations::runtime::responses::{AdministratorsOnly, InvalidBody, Unavailable};

/// How many jobs of a kind there are.
#[derive(Serialize, ToSchema)]
pub struct JobKindBody {
    kind: String,
    waiting: i64,
    running: i64,
    failed: i64,
    /// For how long the oldest that waits has been due; null when none waits.
    oldest_seconds: Option<u64>,
}

impl From<Backlog> for JobKindBody {
    fn from(Backlog { kind, waiting, running, failed, oldest }: Backlog) -> Self {
        Self { kind, waiting, running, failed, oldest_seconds: oldest.map(|oldest| oldest.as_secs()) }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct JobsBody {
    /// Those kinds of which there are any, by name.
    kinds: Vec<JobKindBody>,
}

/// How many jobs wait, run and have failed.
#[utoipa::path(get, path = "/api/administration/jobs", tag = "administration", security(("bearer" = [])), responses(
    (status = 200, body = JobsBody),
    AdministratorsOnly,
    Unavailable,
))]
pub(crate) async fn job_kinds(
    State(app): State<App>,
    Administrator(user): Administrator,
) -> Result<Json<JobsBody>> {
    let kinds = jobs::backlog(&Administration::of(&app, &user)).await?;
    Ok(Json(JobsBody { kinds: kinds.into_iter().map(JobKindBody::from).collect() }))
}

/// A job that has failed.
#[derive(Serialize, ToSchema)]
pub struct FailedJobBody {
    id: String,
    kind: String,
    /// Why it failed the last time.
    error: String,
    /// How often it was tried.
    attempts: i64,
    /// The photo that it is about.
    photo_id: Option<String>,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(format = DateTime)]
    failed_at: Option<String>,
}

impl From<FailedJob> for FailedJobBody {
    fn from(FailedJob { row, photo }: FailedJob) -> Self {
        Self {
            id: row.id.to_string(),
            kind: row.kind,
            error: row.last_error.unwrap_or_default(),
            attempts: row.attempts,
            photo_id: photo.map(|photo| photo.to_string()),
            created_at: row.created_at.to_rfc3339(),
            failed_at: row.finished_at.map(|at| at.to_rfc3339()),
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FailedJobsQuery {
    /// One kind alone.
    kind: Option<String>,
    /// Jobs a page, 50 when left out, at most 100.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct FailedJobPageBody {
    /// Oldest first.
    jobs: Vec<FailedJobBody>,
    /// Null on the last page.
    next_cursor: Option<String>,
}

/// The jobs that have failed.
#[utoipa::path(get, path = "/api/administration/jobs/failed", tag = "administration", security(("bearer" = [])),
    params(FailedJobsQuery),
    responses(
        (status = 200, body = FailedJobPageBody),
        AdministratorsOnly,
        (status = 400, body = ErrorBody, description = "A parameter is bad, and the text says what"),
        Unavailable,
    ))]
pub(crate) async fn failed_jobs(
    State(app): State<App>,
    Administrator(user): Administrator,
    Query(FailedJobsQuery { kind, limit, cursor }): Query<FailedJobsQuery>,
) -> Result<Json<FailedJobPageBody>> {
    let administration = Administration::of(&app, &user);
    let Page { jobs, next_cursor } =
        jobs::failed(&administration, kind.as_deref(), limit, cursor.as_deref()).await?;
    let jobs = jobs.into_iter().map(FailedJobBody::from).collect();
    Ok(Json(FailedJobPageBody { jobs, next_cursor }))
}

#[derive(Serialize, ToSchema)]
pub(crate) struct RetriedBody {
    /// How many jobs are queued again.
    retried: usize,
    /// Whether there may be more, for another call.
    more: bool,
}

/// Tries a failed job again.
#[utoipa::path(post, path = "/api/administration/jobs/{id}/retry", tag = "administration", security(("bearer" = [])),
    params(("id" = String, Path, description = "The job's id")),
    responses(
        (status = 200, body = RetriedBody),
        AdministratorsOnly,
        (status = 404, body = ErrorBody, description = "There is no such failed job"),
        Unavailable,
    ))]
pub(crate) async fn retry_job(
    State(app): State<App>,
    Administrator(user): Administrator,
    Path(id): Path<String>,
) -> Result<Json<RetriedBody>> {
    let id = id.parse().map_err(|_| Refusal::FailedJobNotFound)?;
    jobs::retry(&Administration::of(&app, &user), id).await?;
    Ok(Json(RetriedBody { retried: 1, more: false }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct RetryRequest {
    /// The kind of jobs.
    #[serde(default)]
    kind: String,
}

/// Tries the failed jobs of a kind again, 2,000 at most.
#[utoipa::path(post, path = "/api/administration/jobs/retry", tag = "administration", security(("bearer" = [])),
    request_body = RetryRequest,
    responses(
        (status = 200, body = RetriedBody),
        InvalidBody,
        AdministratorsOnly,
        Unavailable,
    ))]
pub(crate) async fn retry_jobs(
    State(app): State<App>,
    Administrator(user): Administrator,
    Json(RetryRequest { kind }): Json<RetryRequest>,
) -> Result<Json<RetriedBody>> {
    let Retried { jobs, is_more } = jobs::retry_kind(&Administration::of(&app, &user), &kind).await?;
    Ok(Json(RetriedBody { retried: jobs, more: is_more }))
}
