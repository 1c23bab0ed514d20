//! Whether the database can be opened.

use std::path::Path;

use storage::Db;

use super::finding::{Finding, ended};
use crate::settings::Settings;
use crate::{replaced, wiring};

const NAME: &str = "database";
/// One connection would do; a second one keeps a slow statement from hiding what the others find.
const CONNECTIONS: u32 = 2;

/// Opens the database; makes none.
pub(super) async fn check(settings: &Settings) -> (Finding, Option<Db>) {
    if let Err(interrupted) = replaced::check(settings) {
        let cure = "Run `afterglow restore FOLDER --replace` again, with the folder of the backup.";
        return (Finding::failed(NAME, ended(&interrupted.to_string()), cure), None);
    }
    let url = settings.database_url();
    let file = url.strip_prefix("sqlite://");
    if let Some(file) = file.filter(|file| !Path::new(file).exists()) {
        let cure =
            "The first start makes it; if the service has run before, mount its disk or correct `data_dir`.";
        return (Finding::warning(NAME, format!("{file} is not there yet."), cure), None);
    }
    let cure = if file.is_some() {
        "Run this as the user that the service runs as, and look at the disk."
    } else {
        "See that PostgreSQL runs, and that address, user, password and database name in `database_url` are its own."
    };
    let db = match wiring::connect(settings, CONNECTIONS).await {
        Ok(db) => db,
        Err(error) => return (Finding::failed(NAME, ended(&error.to_string()), cure), None),
    };
    match storage::operations::schema::engine(&db).await {
        Ok(engine) => (Finding::ok(NAME, format!("{engine} answers.")), Some(db)),
        Err(error) => (Finding::failed(NAME, ended(&app::Failure::from(error).chain()), cure), None),
    }
}
