//! Credits.

use app::App;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::operations::runtime::error::Result;
use crate::operations::runtime::extract::{Json, Photographer};
use crate::operations::runtime::responses::PhotographersOnly;

/// A photographer's credits; amounts are rupees with at most two decimals.
#[derive(Serialize, ToSchema)]
pub(crate) struct CreditsBody {
    credits: f64,
    /// All that was granted or bought.
    total_credits_earned: f64,
    /// What uploads cost.
    total_credits_spent: f64,
    /// Whether the next recharge is the first, which is doubled.
    is_first_recharge: bool,
}

/// The caller's credits.
#[utoipa::path(get, path = "/api/subscription/credits", tag = "credits", security(("bearer" = [])), responses(
    (status = 200, body = CreditsBody),
    PhotographersOnly,
))]
pub(crate) async fn credits(
    State(app): State<App>,
    Photographer(user): Photographer,
) -> Result<Json<CreditsBody>> {
    let credits = app::payments::credits::totals(&app, &user).await?;
    Ok(Json(CreditsBody {
        credits: credits.balance.as_rupees(),
        total_credits_earned: credits.earned.as_rupees(),
        total_credits_spent: credits.spent.as_rupees(),
        is_first_recharge: credits.first_recharge_ahead,
    }))
}
