//! Receipts of what was removed of the caller's account.

use app::App;
use app::accounts::deletion_receipts;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::operations::runtime::error::Result;
use crate::operations::runtime::extract::{Json, SignedIn};
use crate::operations::runtime::responses::Unauthenticated;

/// The receipt of the deletion of an event.
#[derive(Serialize, ToSchema)]
pub(crate) struct DeletionReceiptBody {
    /// Its id.
    id: String,
    /// The name of the event.
    event_name: String,
    /// When everything of it was removed, RFC 3339.
    completed_at: String,
    /// How many photos were removed.
    photos: i64,
    /// The document: JSON, signed by the installation, which `afterglow check --receipt` verifies.
    document: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct DeletionReceiptsBody {
    receipts: Vec<DeletionReceiptBody>,
}

/// The receipts of the caller's events that were removed for good, the newest first.
#[utoipa::path(get, path = "/api/auth/deletion-receipts", tag = "accounts", security(("bearer" = [])), responses(
    (status = 200, body = DeletionReceiptsBody),
    Unauthenticated,
))]
pub(crate) async fn list_deletion_receipts(
    State(app): State<App>,
    SignedIn(user): SignedIn,
) -> Result<Json<DeletionReceiptsBody>> {
    let listed = deletion_receipts::list(&app, &user).await?.into_iter();
    let receipts = listed.map(|listed| DeletionReceiptBody {
        id: listed.id.to_string(),
        event_name: listed.event_name,
        completed_at: listed.completed_at.to_rfc3339(),
        photos: listed.photos,
        document: listed.document,
    });
    Ok(Json(DeletionReceiptsBody { receipts: receipts.collect() }))
}
