//! A photographer's credits.

use domain::Paise;
use domain::accounts::User;

use crate::{App, Result};

/// An account's balance and totals.
pub struct Credits {
    /// The current balance.
    pub balance: Paise,
    /// All credits that were granted or bought.
    pub earned: Paise,
    /// What uploads have cost.
    pub spent: Paise,
    /// Whether no recharge was credited yet: the first one is doubled.
    pub first_recharge_ahead: bool,
}

/// A photographer's credits.
pub async fn totals(app: &App, user: &User) -> Result<Credits> {
    let totals = storage::payments::ledger::totals(&app.db, user.id).await?;
    Ok(Credits {
        balance: totals.balance,
        earned: totals.earned,
        spent: totals.spent,
        first_recharge_ahead: totals.recharges == 0,
    })
}
