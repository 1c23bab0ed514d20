//! What backups there are of this installation, as far as it has written them itself.

use domain::Timestamp;

use crate::operations::runtime::decode::FromColumns;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all};
use crate::{Executor, Result};

/// A folder of backups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupFolder {
    /// Its path on the machine that wrote the backup.
    pub folder: String,
    /// How many snapshots it keeps.
    pub keeps: i64,
    /// How many it has.
    pub snapshots: i64,
    /// When the oldest of them was made.
    pub oldest_at: Timestamp,
    /// When the newest was made.
    pub newest_at: Timestamp,
}

row! {
    pub(crate) struct BackupFolderRow {
        folder: String,
        keeps: i64,
        snapshots: i64,
        oldest_at: i64,
        newest_at: i64,
    }
}

impl FromColumns for BackupFolder {
    type Columns = BackupFolderRow;

    fn from_columns(row: BackupFolderRow) -> Result<Self> {
        Ok(Self {
            folder: row.folder,
            keeps: row.keeps,
            snapshots: row.snapshots,
            oldest_at: Timestamp::from_millis(row.oldest_at),
            newest_at: Timestamp::from_millis(row.newest_at),
        })
    }
}

/// Records what a folder has after a backup.
pub async fn record(db: &dyn Executor, folder: &BackupFolder) -> Result<()> {
    execute!(
        db,
        "INSERT INTO backup_folders (folder, keeps, snapshots, oldest_at, newest_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (folder) DO UPDATE SET keeps = excluded.keeps, snapshots = excluded.snapshots,
             oldest_at = excluded.oldest_at, newest_at = excluded.newest_at",
        folder.folder,
        folder.keeps,
        folder.snapshots,
        folder.oldest_at,
        folder.newest_at,
    )?;
    Ok(())
}

/// All folders, in the order of their paths.
pub async fn folders(db: &dyn Executor) -> Result<Vec<BackupFolder>> {
    fetch_all!(
        db,
        BackupFolder,
        "SELECT folder, keeps, snapshots, oldest_at, newest_at FROM backup_folders ORDER BY folder",
    )
}
