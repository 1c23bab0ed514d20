//! Free space on local disks.

use std::io;
use std::path::Path;

use crate::local_disk::{blocking, found};

/// How many bytes this process can still write to the disk that has `folder`; none while there is no such folder.
pub async fn free(folder: &Path) -> io::Result<Option<u64>> {
    let folder = folder.to_owned();
    blocking(move || {
        let disk = found(rustix::fs::statvfs(&folder).map_err(io::Error::from))?;
        Ok(disk.map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize)))
    })
    .await
}
