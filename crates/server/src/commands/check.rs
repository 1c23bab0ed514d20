//! `afterglow check`.

use std::process::ExitCode;

use app::checks;

use crate::commands::{Stopped, coupons, print};
use crate::settings::Settings;
use crate::wiring;

/// Looks at everything, prints what is off, and mends it if that is wanted; fails when anything is off in the end.
pub(crate) async fn run(settings: &Settings, repair: bool) -> Result<ExitCode, Stopped> {
    let (desk, store) = (wiring::desk(settings).await?, wiring::store(settings)?);
    let troubles = checks::look(&desk, &store).await.map_err(coupons::stopped)?;
    let mut left = 0;
    for trouble in &troubles {
        let mended = repair && checks::mend(&desk, &store, trouble).await.map_err(coupons::stopped)?;
        let verdict = match (repair, mended) {
            (false, _) => "",
            (true, true) => " [mended]",
            (true, false) => " [left alone]",
        };
        left += usize::from(!mended);
        print(&format!("{trouble}{verdict}\n"))?;
    }
    print(&match (troubles.len(), left) {
        (0, _) => String::from("Everything is as it must be.\n"),
        (found, 0) => format!("{found} troubles, all mended. Jobs that were queued again need a worker.\n"),
        (found, left) if repair => format!("{found} troubles, {left} of them left.\n"),
        (found, _) => format!("{found} troubles. `afterglow check --repair` mends what can be mended.\n"),
    })?;
    Ok(if left == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
