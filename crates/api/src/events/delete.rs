//! Deleting events.

use app::App;
use app::events::delete::{self, DeletionOutcome, Progress};
use axum::extract::State;
use axum::http::StatusCode;
use domain::{EventId, JobId, Refusal};
use serde::Serialize;
use utoipa::ToSchema;

use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, Photographer};
use crate::operations::runtime::responses::PhotographersOnly;

/// What remains known of the event.
#[derive(Serialize, ToSchema)]
pub(crate) struct DeletedEventBody {
    id: String,
    name: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct DeletionBody {
    /// The task whose progress can be asked for; left out when the event is deleted already.
    #[serde(skip_serializing_if = "Option::is_none")]
    task_id: Option<String>,
    event_data: DeletedEventBody,
}

/// Deletes an event with its photos and faces; a repeat returns the same task. For 7 days its owner can restore it.
#[utoipa::path(delete, path = "/api/events/{event}", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**")),
    responses(
        (status = 200, body = DeletionBody, description = "It was empty and is gone"),
        (status = 202, body = DeletionBody, description = "Its photos are being moved to the trash"),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller"),
    ))]
pub(crate) async fn delete_event(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<DeletionBody>)> {
    let id: EventId = id.parse().map_err(|_| Refusal::EventNotFound)?;
    let (status, event, task) = match delete::delete(&app, &owner, id).await? {
        DeletionOutcome::Completed(event) => (StatusCode::OK, event, None),
        DeletionOutcome::Started(event, task) => (StatusCode::ACCEPTED, event, Some(task.to_string())),
    };
    let event_data = DeletedEventBody { id: event.id.to_string(), name: event.name };
    Ok((status, Json(DeletionBody { task_id: task, event_data })))
}

#[derive(Serialize, ToSchema)]
pub(crate) struct TaskBody {
    /// `in_progress`, `completed` or `failed`.
    status: TaskStatusBody,
    /// A text for a person.
    message: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = TaskStatus)]
pub(crate) enum TaskStatusBody {
    InProgress,
    Completed,
    Failed,
}

/// The progress of the deletion of an event.
#[utoipa::path(get, path = "/api/events/task/{task_id}", tag = "events", security(("bearer" = [])),
    params(("task_id" = String, Path, description = "`task_id` of the deletion")),
    responses(
        (status = 200, body = TaskBody),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such deletion of the caller"),
    ))]
pub(crate) async fn task(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(task): Path<String>,
) -> Result<Json<TaskBody>> {
    let task: JobId = task.parse().map_err(|_| Refusal::TaskNotFound)?;
    let (event, progress) = delete::progress(&app, &owner, task).await?;
    let (status, message) = match progress {
        Progress::InProgress => (TaskStatusBody::InProgress, format!("\"{}\" is being deleted.", event.name)),
        Progress::Completed => (TaskStatusBody::Completed, format!("\"{}\" has been deleted.", event.name)),
        Progress::Failed => {
            (TaskStatusBody::Failed, String::from("Event deletion failed. Please try again."))
        }
    };
    Ok(Json(TaskBody { status, message }))
}
