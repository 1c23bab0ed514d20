//! How the installation stands.

use std::path::PathBuf;
use std::sync::Arc;

use domain::events::keeping::Keeping;
use storage::Engine;

use super::context::Administration;
use crate::{App, Result};

pub use super::totals::Counted;
pub use storage::operations::administration::KeptLonger;

/// Where photos are.
pub struct Places {
    /// The media store's address, without secrets.
    pub media: String,
    /// Folders whose disks are looked at.
    pub folders: Vec<PathBuf>,
}

impl Places {
    /// Those of a server.
    pub fn of(app: &App) -> Self {
        let folder = app.store.folder();
        let media = match folder {
            Some(folder) => format!("file://{}", folder.display()),
            None => {
                let setting = app.settings.in_force.iter().find(|setting| setting.name == "media_url");
                setting.map(|setting| setting.value.clone()).unwrap_or_default()
            }
        };
        let folders = [Some(&*app.settings.incoming_dir), folder];
        Self { media, folders: folders.into_iter().flatten().map(PathBuf::from).collect() }
    }
}

/// How the installation stands.
pub struct Overview {
    /// The program's version.
    pub version: &'static str,
    /// The version of the database's schema.
    pub schema: i64,
    /// The database engine: `sqlite` or `postgres`.
    pub engine: &'static str,
    /// Accounts, events, photos and the ledger.
    pub counted: Arc<Counted>,
    /// Days that photos are kept where their photographer has chosen nothing; 0 keeps them for ever.
    pub kept_days: u32,
    /// The media store's address, without secrets.
    pub media: String,
    /// The bytes that are free where data and local media are, on the fuller one of two disks; none while there is no folder.
    pub free_bytes: Option<u64>,
}

/// How the installation stands; totals are up to a minute old.
///
/// # Errors
/// When the database or a disk cannot be asked.
pub async fn overview(administration: &Administration, keeping: Keeping, places: Places) -> Result<Overview> {
    let Administration { db, clock, totals, .. } = administration;
    let mut free_bytes: Option<u64> = None;
    for folder in &places.folders {
        let free = media::disk_space::free(folder).await?;
        free_bytes = free_bytes.into_iter().chain(free).min();
    }
    Ok(Overview {
        version: env!("CARGO_PKG_VERSION"),
        schema: storage::operations::schema::version(db).await?.known,
        engine: match db.engine() {
            Engine::Sqlite => "sqlite",
            Engine::Postgres => "postgres",
        },
        counted: totals.get(db, clock, keeping).await?,
        kept_days: keeping.default_days(),
        media: places.media,
        free_bytes,
    })
}
