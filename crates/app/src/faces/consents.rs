//! What people agreed to before their selfies were looked at.

use domain::faces::consents::{NO_NOTICE, NoticeVersion};

use crate::App;

/// Counts an answered search by the version of the notice that the person agreed to, where the call named one. A failure is
/// only logged, since the search itself succeeded.
pub async fn record(app: &App, version: Option<NoticeVersion>) {
    let version = version.map_or(NO_NOTICE, NoticeVersion::as_str);
    if let Err(error) = storage::faces::consents::count(&app.db, version, app.now()).await {
        tracing::warn!(
            error = crate::operations::runtime::failure::chain(&error),
            version,
            "a consent was not counted"
        );
    }
}
