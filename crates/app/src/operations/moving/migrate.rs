//! The steps of a move, in their order.

use std::path::Path;

use media::stores::Store;
use storage::operations::moving;

use super::plan::{Move, Options, Target};
use super::report::{self, Step, Summary};
use super::scratch::Scratch;
use super::{files, target as claims};
use crate::operations::operators::OperatorContext;
use crate::operations::stores::{self, Bond};
use crate::{Failure, Result};

/// Copies an installation, which may be served meanwhile, to a target that is vacant or that this has filled before.
/// `scratch` is a folder for the snapshot, which holds personal data and is removed. `progress` is told of each step.
///
/// # Errors
/// A refusal when the target is somebody else's, was served since, or another move is under way;
/// [`Failure::NotOwnStore`] when the media store is not this database's.
pub async fn migrate(
    context: &OperatorContext,
    store: &Store,
    target: &Target,
    scratch: &Path,
    options: Options,
    mut progress: impl FnMut(Step<'_>),
) -> Result<Summary> {
    let bond = stores::examine(&context.db, store).await?;
    if !bond.is_own() && bond != Bond::Adoptable {
        return Err(Failure::NotOwnStore(bond));
    }
    let from = stores::known(&context.db, &context.randomness).await?.id;
    let scratch = Scratch::create(scratch)?;
    progress(Step::Snapshot);
    storage::operations::snapshots::write(&context.db, &scratch.database()).await?;
    let snapshot = storage::operations::snapshots::open(&scratch.database()).await?;
    let outcome = async {
        let before = if options.last { moving::contents(&snapshot, &snapshot).await? } else { Vec::new() };
        moving::release_leases(&snapshot).await?;
        let contents = moving::contents(&snapshot, &snapshot).await?;
        let (snapshot, contents, from) = (&snapshot, contents.as_slice(), from.as_str());
        let verify = options.verify;
        let moving = Move { context, store, target, snapshot, contents, from, verify };
        let mut summary = perform(&moving, &mut progress).await?;
        if options.last {
            report::changes(&moving, &before, &mut summary).await?;
        }
        Ok(summary)
    }
    .await;
    snapshot.close().await;
    drop(scratch);
    outcome
}

async fn perform(moving: &Move<'_>, progress: &mut impl FnMut(Step<'_>)) -> Result<Summary> {
    claims::claim(moving).await?;
    let mut summary = Summary::default();
    files::copy(moving, &mut summary, progress).await?;
    let Move { snapshot, from, contents, .. } = *moving;
    let told = |table: &str, rows| progress(Step::Rows { table, rows });
    let occupant = moving::replace(&moving.target.db, snapshot, from, contents, told).await?;
    claims::refuse(occupant)?;
    files::remove_surplus(moving, &mut summary).await?;
    progress(Step::Comparing);
    report::compare(moving, &mut summary).await?;
    Ok(summary)
}
