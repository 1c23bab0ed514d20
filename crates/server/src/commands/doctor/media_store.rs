//! The media store: whether it is this database's, and whether it takes, gives and removes a file.

use std::path::Path;
use std::time::Duration;

use app::operations::operators::OperatorContext;
use app::operations::stores::{self, Bond};
use domain::Clock;

use super::clock;
use super::finding::{Finding, ended};
use crate::settings::Settings;
use crate::wiring;

const NAME: &str = "media_store";
const ADOPT: &str = "Correct `media_url` or `database_url`, or mount the disk; `afterglow store adopt` is for a store that is the right one.";
const BUCKET: &str =
    "Look at the bucket's name, at the AWS_* variables, and whether its key may put, get and delete objects.";

/// Tries the store out; answers by how much a bucket's clock differs from this machine's.
pub(super) async fn check(
    settings: &Settings,
    context: Option<&OperatorContext>,
) -> (Finding, Option<Duration>) {
    let url = settings.media_url();
    let folder = url.strip_prefix("file://");
    if folder.is_some_and(|folder| !Path::new(folder).exists()) {
        return (Finding::skipped(NAME, "Its folder is not there yet."), None);
    }
    let cure = if folder.is_some() { "Look at the folder, its owner and its disk." } else { BUCKET };
    let failed = |error: String| (Finding::failed(NAME, ended(&error), cure), None);
    let store = match wiring::store(settings) {
        Ok(store) => store,
        Err(error) => return failed(error.to_string()),
    };
    let mut bond = None;
    if let Some(context) = context {
        match stores::status(context, &store).await {
            Ok(status) if status.bond.is_own() || status.bond == Bond::Adoptable => bond = Some(status.bond),
            // Nothing is written to a store that is another database's.
            Ok(status) => return (Finding::failed(NAME, status.bond.to_string(), ADOPT), None),
            Err(failure) => return failed(failure.chain()),
        }
    }
    let before = Clock::System.now();
    let at = match store.probe().await {
        Ok(at) => at,
        Err(error) => return failed(app::Failure::from(error).chain()),
    };
    let skew = at.map(|at| clock::skew(before.minus(clock::SECOND), at, Clock::System.now()));
    let whose = bond.map_or_else(String::new, |bond| format!(" {bond}"));
    (Finding::ok(NAME, format!("A file was put, read and removed.{whose}")), skew)
}
