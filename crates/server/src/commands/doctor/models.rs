//! The face models, with their self-test, and how fast this machine runs them.

use std::num::NonZeroUsize;

use app::faces::pace::{MEASURED, Pace};

use super::finding::{Finding, ended};
use crate::cli::CliError;
use crate::settings::Settings;
use crate::wiring;

const NAME: &str = "models";
const PACE: &str = "pace";

/// What was seen of models that work.
struct Opened {
    pack: String,
    previous: Option<String>,
    arithmetic: String,
    pace: Result<Pace, String>,
}

/// Loads the models as the service does, which has them find and describe the faces of a picture with a known answer, and indexes a
/// picture with as many threads as the service.
pub(super) async fn check(settings: &Settings) -> Vec<Finding> {
    let (own, folder) = (settings.clone(), settings.model_dir.display().to_string());
    let failed = |error: String| {
        let cure = "Install the model pack again, or point `model_dir` to it.";
        vec![Finding::failed(NAME, ended(&error), cure), Finding::skipped(PACE, "It needs the models.")]
    };
    match tokio::task::spawn_blocking(move || open(&own)).await {
        Ok(Ok(Opened { pack, previous, arithmetic, pace })) => {
            let carried = previous.map(|previous| format!(" and carries the recogniser of {previous}"));
            let seen = format!(
                "{folder} has the pack {pack}, which passes its self-test{}; it computes with {arithmetic}.",
                carried.unwrap_or_default()
            );
            let pace = match pace {
                Ok(pace) => {
                    Finding::ok(PACE, format!("Photos of 24 megapixels become searchable at {pace}."))
                }
                Err(error) => {
                    let cure = "Photos wait until they can be indexed: look at the service's log.";
                    Finding::failed(PACE, ended(&format!("A picture cannot be indexed: {error}")), cure)
                }
            };
            vec![Finding::ok(NAME, seen), pace]
        }
        Ok(Err(error)) => failed(error.to_string()),
        Err(error) => failed(format!("The models end the program: {error}")),
    }
}

fn open(settings: &Settings) -> Result<Opened, CliError> {
    let engine = wiring::engine(settings)?;
    let threads = NonZeroUsize::new(settings.index_workers()).unwrap_or(NonZeroUsize::MIN);
    let pace = Pace::measure(&engine, threads, MEASURED).map_err(|failure| failure.chain());
    let (pack, previous) = (engine.pack_id().to_owned(), engine.previous_id().map(str::to_owned));
    Ok(Opened { pack, previous, arithmetic: engine.arithmetic().to_string(), pace })
}
