//! What people agreed to before their selfies were looked at.

use domain::faces::consents::NoticeVersion;

use crate::App;

/// Counts an answered search by the version of the notice that the person agreed to. A failure is only logged, since the
/// search itself succeeded.
pub async fn record(app: &App, version: NoticeVersion) {
    if let Err(error) = storage::faces::consents::count(&app.db, version, app.now()).await {
        tracing::warn!(
            error = crate::operations::runtime::failure::chain(&error),
            version = version.as_str(),
            "a consent was not counted"
        );
    }
}
