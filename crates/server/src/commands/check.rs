//! `afterglow check`.

use std::process::ExitCode;

use app::Failure;
use app::operations::checks;

use crate::cli::{CliError, print};
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
    let noun = if found == 1 { "issue" } else { "issues" };
    print(&match (found, left) {
        (0, _) => String::from("Everything is as it must be.\n"),
        (_, 0) => format!("{found} {noun}, all repaired. Jobs that were queued again need a worker.\n"),
        (_, left) if repair => format!("{found} {noun}, {left} left.\n"),
        _ => format!("{found} {noun}. `afterglow check --repair` repairs what can be repaired.\n"),
    })?;
    Ok(if left == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
