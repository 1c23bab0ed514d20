//! Credits that are given to an account, or taken from it.

use domain::operations::administration::{ChangeKey, Reason};
use domain::payments::ledger::LedgerKind;
use domain::{LedgerId, Paise, Refusal, UserId};
use storage::operations::administration::CreditChange;

use super::context::Administration;
use crate::Result;
use crate::accounts::security_log::SecurityEvent;

/// How a balance is to change.
pub struct Change {
    /// Made by the client, once for each change.
    pub key: Option<ChangeKey>,
    /// How many credits are given, or taken where it is negative.
    pub rupees: f64,
    /// Why, as the photographer reads it in the account's history.
    pub reason: Option<Reason>,
}

/// Gives credits to an account as an adjustment of its ledger, or takes them. With a key it happens once, however often it is
/// asked for; true when it had happened before.
///
/// # Errors
/// [`Refusal::AmountInvalid`], [`Refusal::AccountNotFound`], [`Refusal::CreditsTooFew`], and [`Refusal::CreditsKeyUsed`] for
/// the key of another change.
pub async fn change(administration: &Administration, user: UserId, change: Change) -> Result<bool> {
    let Change { key, rupees, reason } = change;
    let amount = Paise::from_rupees_rounded(rupees.abs())?;
    if amount == Paise::ZERO {
        return Err(Refusal::AmountInvalid.into());
    }
    let is_taken = rupees < 0.0;
    let reason = reason.map(|reason| reason.as_str().to_owned());
    let Administration { db, clock, randomness, queue, by, .. } = administration;
    if storage::accounts::users::by_id(db, user).await?.is_none() {
        return Err(Refusal::AccountNotFound.into());
    }
    let mut tx = queue.begin().await?;
    if let Some(key) = key {
        let wanted = CreditChange {
            key: key.to_string(),
            user,
            change: if is_taken { amount.negated() } else { amount },
            reason: reason.clone(),
            by: *by,
            at: clock.now(),
        };
        if !storage::operations::administration::record_credit_change(&mut tx, &wanted).await? {
            let made = storage::operations::administration::credit_change(&mut *tx, &wanted.key).await?;
            let same = made.is_some_and(|made| {
                (made.user, made.change, &made.reason) == (user, wanted.change, &wanted.reason)
            });
            return if same { Ok(true) } else { Err(Refusal::CreditsKeyUsed.into()) };
        }
    }
    let entry = storage::payments::ledger::Entry {
        id: randomness.id::<LedgerId>(clock),
        user,
        kind: LedgerKind::Adjustment,
        amount,
        reference: reason,
        event: None,
        at: clock.now(),
    };
    if is_taken {
        storage::payments::ledger::withdraw(&mut tx, &entry).await?.ok_or(Refusal::CreditsTooFew)?;
    } else {
        storage::payments::ledger::grant(&mut tx, &entry).await?;
    }
    tx.commit().await?;
    administration.record(SecurityEvent::CreditsChanged, Some(user));
    Ok(false)
}
