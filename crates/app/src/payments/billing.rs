//! What photographers want on their invoices.

use domain::Refusal;
use domain::accounts::User;
use domain::payments::billing::Billing;

use crate::{App, Result};

/// What was entered; a state by its code.
pub struct Form {
    /// The name.
    pub name: String,
    /// The address.
    pub address: String,
    /// The state's code.
    pub state: String,
    /// The registration.
    pub gstin: String,
}

/// The billing details of an account; none where it has none.
pub async fn get(app: &App, user: &User) -> Result<Option<Billing>> {
    Ok(storage::payments::billing::of_user(&app.db, user.id).await?)
}

/// Stores what was entered for the invoices to come, or removes what there was where nothing was entered.
///
/// # Errors
/// The refusals of [`Billing::parse`].
pub async fn put(app: &App, user: &User, form: &Form) -> Result<Option<Billing>> {
    let billing = Billing::parse(&form.name, &form.address, &form.state, &form.gstin)?;
    let Some(billing) = billing else {
        storage::payments::billing::delete(&app.db, user.id).await?;
        return Ok(None);
    };
    let mut tx = app.begin().await?;
    if !storage::payments::billing::save(&mut tx, user.id, &billing).await? {
        return Err(Refusal::SignInRequired.into());
    }
    tx.commit().await?;
    Ok(Some(billing))
}
