//! A photographer's credits.

use domain::Paise;
use domain::accounts::User;

use crate::{App, Result};

/// What an account has, had, and has spent.
pub struct Credits {
    /// What is left.
    pub balance: Paise,
    /// All that was granted or bought.
    pub earned: Paise,
    /// What uploads cost.
    pub spent: Paise,
    /// Whether no recharge was credited yet: the first one is doubled.
    pub first_recharge_ahead: bool,
}

/// A photographer's credits.
pub async fn of(app: &App, user: &User) -> Result<Credits> {
    let totals = storage::ledger::totals(&app.db, user.id).await?;
    Ok(Credits {
        balance: totals.balance,
        earned: totals.earned,
        spent: totals.spent,
        first_recharge_ahead: totals.recharges == 0,
    })
}
