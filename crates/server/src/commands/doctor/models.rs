//! The face models, with their self-test.

use super::finding::{Finding, ended};
use crate::settings::Settings;
use crate::wiring;

const NAME: &str = "models";

/// Loads the models as the service does, which has them find and describe the faces of a picture with a known answer.
pub(super) async fn check(settings: &Settings) -> Finding {
    let (own, folder) = (settings.clone(), settings.model_dir.display().to_string());
    let opened = tokio::task::spawn_blocking(move || {
        wiring::engine(&own).map(|engine| (engine.pack_id().to_owned(), engine.arithmetic().to_string()))
    });
    let failed = |error: String| {
        let cure = "Install the model pack again, or point `model_dir` to it.";
        Finding::failed(NAME, ended(&error), cure)
    };
    match opened.await {
        Ok(Ok((pack, arithmetic))) => Finding::ok(
            NAME,
            format!(
                "{folder} has the pack {pack}, which passes its self-test; it computes with {arithmetic}."
            ),
        ),
        Ok(Err(error)) => failed(error.to_string()),
        Err(error) => failed(format!("The models end the program: {error}")),
    }
}
