//! What accounts want on their invoices.

use domain::UserId;
use domain::payments::billing::Billing;
use domain::payments::gst::{Gstin, State};

use crate::accounts::users;
use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_optional};
use crate::{Executor, Result, Tx};

row! {
    pub(crate) struct BillingRow {
        name: String,
        address: String,
        state: Option<String>,
        gstin: Option<String>,
    }
}

impl FromColumns for Billing {
    type Columns = BillingRow;

    fn from_columns(row: BillingRow) -> Result<Self> {
        let state = row.state.map(|code| decode::known(State::parse(&code), "billing_details.state"));
        let gstin = row.gstin.map(|text| decode::known(Gstin::parse(&text).ok(), "billing_details.gstin"));
        Ok(Self {
            name: row.name,
            address: row.address,
            state: state.transpose()?,
            gstin: gstin.transpose()?,
        })
    }
}

/// The billing details of an account; none where it has none.
pub async fn of_user(db: &dyn Executor, user: UserId) -> Result<Option<Billing>> {
    fetch_optional!(
        db,
        Billing,
        "SELECT name, address, state, gstin FROM billing_details WHERE user_id = $1",
        user
    )
}

/// Gives an account billing details in place of those that it has; false when the account is closed.
pub async fn save(tx: &mut Tx, user: UserId, billing: &Billing) -> Result<bool> {
    if users::lock(tx, user).await?.is_none_or(|account| account.is_closed) {
        return Ok(false);
    }
    execute!(
        tx,
        "INSERT INTO billing_details (user_id, name, address, state, gstin) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (user_id) DO UPDATE SET name = excluded.name, address = excluded.address,
             state = excluded.state, gstin = excluded.gstin",
        user,
        billing.name,
        billing.address,
        billing.state,
        billing.gstin,
    )?;
    Ok(true)
}

/// Takes the billing details from an account.
pub async fn delete(db: &dyn Executor, user: UserId) -> Result<()> {
    execute!(db, "DELETE FROM billing_details WHERE user_id = $1", user)?;
    Ok(())
}
