//! What a move did, and whether both sides are the same afterwards.

use domain::UserId;
use storage::operations::moving::{self, Contents, Sums};

use super::plan::Move;
use crate::Result;
use crate::operations::backups::Problem;

/// Where a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// All rows are written to a snapshot.
    Snapshot,
    /// The files of photos are compared and copied.
    Files {
        /// Photos whose files are there.
        photos: u64,
        /// All photos.
        of: u64,
        /// Bytes that were copied so far.
        bytes: u64,
    },
    /// The rows of a table are replaced.
    Rows {
        /// Which.
        table: &'a str,
        /// How many it has.
        rows: u64,
    },
    /// Both sides are compared.
    Comparing,
}

/// What a move did.
#[derive(Debug, Default)]
pub struct Summary {
    /// Files of the snapshot's photos that are in the target.
    pub files: u64,
    /// Those of them that were copied; the others were there.
    pub copied: u64,
    /// Bytes that were copied.
    pub bytes: u64,
    /// Files that were removed from the target, since their photos are gone.
    pub removed: u64,
    /// Photos that were deleted while they were to be copied: their rows go with the next run.
    pub deleted_meanwhile: u64,
    /// Files in the target that belong to photos.
    pub found: u64,
    /// What the tables of the target hold.
    pub tables: Vec<Contents>,
    /// The sums of balances and ledger in the target.
    pub sums: Option<Sums>,
    /// Files that are not as the database says.
    pub problems: Vec<Problem>,
    /// What differs between the two sides.
    pub differences: Vec<Difference>,
    /// Tables of the installation that have changed since its snapshot, where nothing was to happen any more.
    pub changed_since: Vec<String>,
}

impl Summary {
    /// Whether the target has all that it was to have.
    pub fn is_complete(&self) -> bool {
        self.problems.is_empty() && self.differences.is_empty() && self.changed_since.is_empty()
    }
}

/// What differs between the two sides.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Difference {
    /// The rows of a table are not the same.
    #[error("table {table}: {expected} rows were moved, and the target has {found}, or some of them differ")]
    Rows {
        /// Which.
        table: String,
        /// How many were moved.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// Balances or ledger have another sum.
    #[error(
        "money: balances and ledger are {} and {}, and in the target {} and {}",
        expected.balances, expected.ledger, found.balances, found.ledger
    )]
    Money {
        /// Of the snapshot.
        expected: Sums,
        /// Of the target.
        found: Sums,
    },
    /// An account's balance in the target is not its ledger's sum.
    #[error("account {0}: its balance in the target is not its ledger's sum")]
    Balance(UserId),
    /// Files are missing in the target.
    #[error("files: {expected} were copied or there, and the target has {found}")]
    Files {
        /// How many there should be.
        expected: u64,
        /// How many there are.
        found: u64,
    },
}

/// Reads the target's rows again and compares them with the snapshot's.
pub(super) async fn compare(moving: &Move<'_>, summary: &mut Summary) -> Result<()> {
    let db = &moving.target.db;
    summary.tables = moving::contents(db, moving.snapshot).await?;
    for (expected, found) in moving.contents.iter().zip(&summary.tables) {
        if expected != found {
            summary.differences.push(Difference::Rows {
                table: expected.table.clone(),
                expected: expected.rows,
                found: found.rows,
            });
        }
    }
    let (expected, found) = (moving::sums(moving.snapshot).await?, moving::sums(db).await?);
    summary.sums = Some(found);
    if expected != found {
        summary.differences.push(Difference::Money { expected, found });
    }
    // An account that is not balanced here is one for `check`.
    let known = storage::operations::integrity::unbalanced(moving.snapshot).await?;
    for account in storage::operations::integrity::unbalanced(db).await? {
        if !known.contains(&account) {
            summary.differences.push(Difference::Balance(account.user));
        }
    }
    if summary.found < summary.files {
        summary.differences.push(Difference::Files { expected: summary.files, found: summary.found });
    }
    Ok(())
}

/// Reads the installation's own rows again and compares them with those `before`, of the snapshot as it was taken: whoever still
/// serves the installation changes some, and what they take would be left behind.
pub(super) async fn changes(moving: &Move<'_>, before: &[Contents], summary: &mut Summary) -> Result<()> {
    let now = moving::contents(&moving.context.db, moving.snapshot).await?;
    let changed = before.iter().zip(now).filter(|(before, now)| *before != now);
    summary.changed_since = changed.map(|(_, now)| now.table).collect();
    Ok(())
}
