//! Requests by which `afterglow doctor` learns how they arrive at the running server.

use std::time::Duration;

use domain::accounts::tokens::hash_token;

use crate::operations::operators::OperatorContext;
use crate::{App, Result};

/// For how long a token is good that was not used.
const LIFETIME: Duration = Duration::from_secs(10 * 60);

/// Makes a token that admits one request.
///
/// # Errors
/// When the database cannot be written.
pub async fn create(context: &OperatorContext) -> Result<String> {
    let (token, now) = (context.randomness.token(), context.clock.now());
    let mut tx = context.db.begin().await?;
    storage::operations::probes::create(&mut tx, &token.hash(), now.plus(LIFETIME), now).await?;
    tx.commit().await?;
    Ok(token.reveal())
}

/// Whether a request with this token is admitted, which it is once.
///
/// # Errors
/// When the database cannot be used.
pub async fn admit(app: &App, token: &str) -> Result<bool> {
    Ok(storage::operations::probes::consume(&app.db, &hash_token(token), app.now()).await?)
}
