//! Balances, and the append-only list of their changes.

use domain::payments::ledger::LedgerKind;
use domain::{EventId, LedgerId, Paise, Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::dialect::for_update;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_one, fetch_optional};
use crate::payments::charges::{self, Charge};
use crate::{Executor, Result, Tx};

/// A change of a balance that is to be made.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The id of its row.
    pub id: LedgerId,
    /// Whose balance.
    pub user: UserId,
    /// Why.
    pub kind: LedgerKind,
    /// How much is taken or given.
    pub amount: Paise,
    /// What it is about, such as a photo's or an order's id. Of a kind other than adjustment, the database allows one
    /// row for each reference.
    pub reference: Option<String>,
    /// The event whose photo is charged for.
    pub event: Option<EventId>,
    /// When.
    pub at: Timestamp,
}

/// The outcome of a charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spending {
    /// It was taken.
    Charged {
        /// What is left.
        balance: Paise,
    },
    /// The account has the premium plan: nothing was taken, and there is no row.
    Free,
    /// The account is locked: nothing was taken.
    Locked,
    /// The balance does not suffice, or the account is closed: nothing was taken.
    Insufficient,
}

/// What an account has, had and has spent; `balance` is always `earned` less `spent`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// What is left.
    pub balance: Paise,
    /// All that was granted or bought, less what an operator took back.
    pub earned: Paise,
    /// What uploads cost.
    pub spent: Paise,
    /// How many uploads were paid for.
    pub uploads: i64,
    /// How many recharges were credited.
    pub recharges: i64,
}

/// A change of a balance that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerEntry {
    /// Its id.
    pub id: LedgerId,
    /// Why.
    pub kind: LedgerKind,
    /// By how much the balance changed.
    pub change: Paise,
    /// The balance after it.
    pub balance_after: Paise,
    /// What it is about.
    pub reference: Option<String>,
    /// The event whose photo was charged for.
    pub event: Option<EventId>,
    /// When.
    pub created_at: Timestamp,
}

row! {
    pub(crate) struct EntryRow {
        id: String,
        kind: String,
        change: i64,
        balance_after: i64,
        reference: Option<String>,
        event_id: Option<String>,
        created_at: i64,
    }
}

impl FromColumns for LedgerEntry {
    type Columns = EntryRow;

    fn from_columns(row: EntryRow) -> Result<Self> {
        Ok(Self {
            id: decode::id(&row.id, "ledger.id")?,
            kind: decode::known(LedgerKind::from_stored(&row.kind), "ledger.kind")?,
            change: Paise::new(row.change),
            balance_after: Paise::new(row.balance_after),
            reference: row.reference,
            event: decode::optional_id(row.event_id.as_deref(), "ledger.event_id")?,
            created_at: Timestamp::from_millis(row.created_at),
        })
    }
}

row! {
    pub(crate) struct TotalsRow {
        balance: i64,
        earned: i64,
        spent: i64,
        uploads: i64,
        recharges: i64,
    }
}

impl FromColumns for Totals {
    type Columns = TotalsRow;

    fn from_columns(row: TotalsRow) -> Result<Self> {
        Ok(Self {
            balance: Paise::new(row.balance),
            earned: Paise::new(row.earned),
            spent: Paise::new(row.spent),
            uploads: row.uploads,
            recharges: row.recharges,
        })
    }
}

row! {
    /// Why an account is not charged.
    pub(crate) struct Plan {
        premium_since: Option<i64>,
        locked_at: Option<i64>,
    }
}

impl FromColumns for Plan {
    type Columns = Self;

    fn from_columns(row: Self) -> Result<Self> {
        Ok(row)
    }
}

/// Charges `entry.amount` if the balance suffices. Concurrent callers never spend the same credit.
pub async fn spend(tx: &mut Tx, entry: &Entry) -> Result<Spending> {
    let is_upload = entry.kind == LedgerKind::Upload;
    let balance = fetch_optional!(
        tx,
        i64,
        "UPDATE users SET credits = credits - $2, credits_spent = credits_spent + $3, uploads_charged = uploads_charged + $4
         WHERE id = $1 AND credits >= $2 AND premium_since IS NULL AND closed_at IS NULL AND locked_at IS NULL
         RETURNING credits",
        entry.user,
        entry.amount,
        if is_upload { entry.amount } else { Paise::ZERO },
        i64::from(is_upload),
    )?;
    if let Some(balance) = balance {
        append(tx, entry, entry.amount.negated(), balance).await?;
        return Ok(Spending::Charged { balance: Paise::new(balance) });
    }
    // The row is locked, so that the account is neither closed nor locked before the transaction ends.
    let statement = for_update!(
        tx.engine(),
        "SELECT premium_since, locked_at FROM users WHERE id = $1 AND closed_at IS NULL"
    );
    Ok(match fetch_optional!(tx, Plan, statement, entry.user)? {
        Some(plan) if plan.locked_at.is_some() => Spending::Locked,
        Some(plan) if plan.premium_since.is_some() => Spending::Free,
        Some(_) | None => Spending::Insufficient,
    })
}

/// Adds `entry.amount`, which may be zero or, for an adjustment, negative; answers the balance after it.
///
/// # Errors
/// When the database fails, there is no such account, or the balance would be negative.
pub async fn grant(tx: &mut Tx, entry: &Entry) -> Result<Paise> {
    let balance = fetch_one!(
        tx,
        i64,
        "UPDATE users SET credits = credits + $2 WHERE id = $1 RETURNING credits",
        entry.user,
        entry.amount,
    )?;
    append(tx, entry, entry.amount, balance).await?;
    Ok(Paise::new(balance))
}

/// Takes `entry.amount` whatever plan the account has; none, and nothing has changed, when the balance does not suffice
/// or there is no such account. Answers the balance after it.
pub async fn withdraw(tx: &mut Tx, entry: &Entry) -> Result<Option<Paise>> {
    let balance = fetch_optional!(
        &mut *tx,
        i64,
        "UPDATE users SET credits = credits - $2 WHERE id = $1 AND credits >= $2 RETURNING credits",
        entry.user,
        entry.amount,
    )?;
    if let Some(balance) = balance {
        append(tx, entry, entry.amount.negated(), balance).await?;
    }
    Ok(balance.map(Paise::new))
}

/// Takes `entry.amount`, or what the balance holds of it, and answers how much that is.
pub async fn withdraw_up_to(tx: &mut Tx, entry: &Entry) -> Result<Paise> {
    let statement = for_update!(tx.engine(), "SELECT credits FROM users WHERE id = $1");
    let balance = fetch_optional!(&mut *tx, i64, statement, entry.user)?;
    let amount = entry.amount.min(Paise::new(balance.unwrap_or_default()));
    if amount == Paise::ZERO {
        return Ok(amount);
    }
    let taken = withdraw(tx, &Entry { amount, ..entry.clone() }).await?;
    Ok(if taken.is_some() { amount } else { Paise::ZERO })
}

/// Appends a row. Of uploads the day's sum moves too; the owner's row, which is locked, guards it.
async fn append(tx: &mut Tx, entry: &Entry, change: Paise, balance_after: i64) -> Result<()> {
    execute!(
        &mut *tx,
        "INSERT INTO ledger (id, user_id, kind, change, balance_after, reference, event_id, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        entry.id,
        entry.user,
        entry.kind,
        change,
        balance_after,
        entry.reference,
        entry.event,
        entry.at,
    )?;
    if entry.kind == LedgerKind::Upload {
        let (row, user, event, price, at) = (entry.id, entry.user, entry.event, change.negated(), entry.at);
        charges::add(tx, &Charge { row, user, event, price, at }).await?;
    }
    Ok(())
}

/// The sums of an account's ledger; all zero for an account that does not exist.
pub async fn totals(db: &dyn Executor, user: UserId) -> Result<Totals> {
    let totals = fetch_optional!(
        db,
        Totals,
        "SELECT credits AS balance, credits + credits_spent AS earned, credits_spent AS spent, uploads_charged AS uploads,
             (SELECT COUNT(*) FROM ledger WHERE user_id = users.id AND kind = 'recharge') AS recharges
         FROM users WHERE id = $1",
        user,
    )?;
    Ok(totals.unwrap_or_default())
}

/// Every change of an account's balance, newest first.
pub async fn entries(db: &dyn Executor, user: UserId) -> Result<Vec<LedgerEntry>> {
    fetch_all!(
        db,
        LedgerEntry,
        "SELECT id, kind, change, balance_after, reference, event_id, created_at FROM ledger
         WHERE user_id = $1 ORDER BY id DESC",
        user,
    )
}
