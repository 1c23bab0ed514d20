//! `afterglow check`.

use std::path::Path;
use std::process::ExitCode;

use app::Failure;
use app::accounts::deletion_receipts;
use app::operations::checks;
use domain::accounts::deletion_receipts::{Receipt, Subject};

use crate::cli::{CliError, print};
use crate::commands::status;
use crate::settings::Settings;
use crate::wiring;

/// Inspects everything, prints the issues and, with `repair`, repairs them; exits with 1 when an issue is left.
pub(crate) async fn run(settings: &Settings, repair: bool) -> Result<ExitCode, CliError> {
    let (context, store) = (wiring::operator_context(settings).await?, wiring::store(settings)?);
    let mut issues = checks::inspect(&context, &store).await?;
    if let Some(payments) = wiring::payments(settings)? {
        match checks::inspect_payments(&context, &payments).await {
            Ok(found) => issues.extend(found),
            // A rehearsal of a restore may have no way to the provider.
            Err(Failure::Payment(error)) => {
                print(&format!(
                    "The payment provider was not asked about the last 30 days: {error}. [no issue]\n"
                ))?;
            }
            Err(failure) => return Err(failure.into()),
        }
    }
    let (mut found, mut left) = (0, 0);
    for issue in &issues {
        if issue.is_notice() {
            print(&format!("{issue} [no issue]\n"))?;
            continue;
        }
        let repaired = repair && checks::repair(&context, &store, issue).await?;
        let verdict = match (repair, repaired) {
            (false, _) => "",
            (true, true) => " [repaired]",
            (true, false) => " [left alone]",
        };
        found += 1;
        left += usize::from(!repaired);
        print(&format!("{issue}{verdict}\n"))?;
    }
    let waiting = checks::waiting_for_model_pack(&context).await?;
    if waiting > 0 {
        print(&format!("{waiting} photos wait to be indexed again with the model pack in use.\n"))?;
    }
    if let Some(renewal) = status::renewal(settings, &context).await? {
        print(&format!("{renewal}\n"))?;
    }
    let noun = if found == 1 { "issue" } else { "issues" };
    print(&match (found, left) {
        (0, _) => String::from("Everything is as it must be.\n"),
        (_, 0) => format!("{found} {noun}, all repaired. Jobs that were queued again need a worker.\n"),
        (_, left) if repair => format!("{found} {noun}, {left} left.\n"),
        _ => format!("{found} {noun}. `afterglow check --repair` repairs what can be repaired.\n"),
    })?;
    Ok(if left == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Verifies the receipt of a deletion; exits with 1 when this installation has not signed it as it is, or when something of what it
/// names is here.
pub(crate) async fn receipt(settings: &Settings, file: &Path) -> Result<ExitCode, CliError> {
    let document = std::fs::read_to_string(file)
        .map_err(|error| CliError::context(&format!("{} cannot be read", file.display()), &error))?;
    let context = wiring::operator_context(settings).await?;
    let Some(checked) = deletion_receipts::check(&context, &document).await? else {
        print("The receipt is not one that this installation has signed, or it was changed since.\n")?;
        return Ok(ExitCode::FAILURE);
    };
    print(&described(&checked.receipt))?;
    if checked.left > 0 {
        print(&format!(
            "{} rows of it are here again. A restored backup brings back what was removed after it was made.\n",
            checked.left
        ))?;
        return Ok(ExitCode::FAILURE);
    }
    print("Nothing of it is here.\n")?;
    Ok(ExitCode::SUCCESS)
}

fn described(receipt: &Receipt) -> String {
    let what = match receipt.subject {
        Subject::Event => "the event",
        Subject::Photos => "the photos of the event",
        Subject::Account => "the account",
        Subject::Person => "what a guest's request was about,",
    };
    let Receipt { removed, installation, requested_at, completed_at, subject_id, .. } = receipt;
    let mut lines = format!(
        "Signed by this installation ({installation}).\nRemoved: {what} {subject_id}, asked for {requested_at}, complete \
         {completed_at}: {} photos ({} bytes), {} descriptions of faces, {} subscriptions and {} requests of guests, {} keys.\n",
        removed.photos,
        removed.bytes,
        removed.faces,
        removed.subscriptions,
        removed.requests,
        receipt.destroyed_keys.len()
            + receipt.events.iter().map(|event| event.destroyed_keys.len()).sum::<usize>(),
    );
    for backup in &receipt.backups {
        let until = match &backup.removed_by {
            Some(time) => format!("until about {time}, if backups go on as before"),
            None => String::from("until newer snapshots have taken their places"),
        };
        lines.push_str(&format!(
            "A backup of {} snapshots, the newest of {}, may hold it {until}.\n",
            backup.snapshots, backup.newest_snapshot_at
        ));
    }
    lines
}
