//! Free space.

use std::path::{Path, PathBuf};

use super::finding::{Finding, ended};
use crate::settings::Settings;

const NAME: &str = "disk";
const GIGABYTE: f64 = 1e9;

/// The space for data and media, beside what uploads leave free.
pub(super) async fn check(settings: &Settings) -> Finding {
    let media = settings.media_url().strip_prefix("file://").map(PathBuf::from);
    let mut least: Option<(u64, PathBuf)> = None;
    for folder in [Some(settings.data_dir.clone()), media].into_iter().flatten() {
        let folder = nearest(&folder);
        match media::disk_space::free(&folder).await {
            Ok(Some(free)) if least.as_ref().is_none_or(|(known, _)| free < *known) => {
                least = Some((free, folder))
            }
            Ok(_) => {}
            Err(error) => {
                let seen = format!(
                    "The disk of {} cannot be asked: {}",
                    folder.display(),
                    ended(&error.to_string())
                );
                return Finding::failed(NAME, seen, "Look at the disk, and at the system's log.");
            }
        }
    }
    match least {
        Some((free, folder)) => judge(free, &folder, settings.min_free_disk_mb.saturating_mul(1 << 20)),
        None => Finding::skipped(NAME, "There is no folder yet."),
    }
}

fn judge(free: u64, folder: &Path, kept_free: u64) -> Finding {
    let (free_gb, kept_gb) = (free as f64 / GIGABYTE, kept_free as f64 / GIGABYTE);
    let seen = format!("{free_gb:.1} GB are free for {}.", folder.display());
    let cure = format!(
        "Free some space or use a larger disk: uploads are refused below {kept_gb:.1} GB (`min_free_disk_mb`)."
    );
    if free < kept_free {
        Finding::failed(NAME, seen, cure)
    } else if free / 2 < kept_free {
        Finding::warning(NAME, seen, cure)
    } else {
        Finding::ok(NAME, seen)
    }
}

/// The folder, or the one in which it will be made.
fn nearest(folder: &Path) -> PathBuf {
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    absolute.ancestors().find(|folder| folder.exists()).unwrap_or(&absolute).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::doctor::finding::Status;

    #[test]
    fn too_little_space_is_told_before_uploads_are_refused() {
        let status = |free| judge(free, Path::new("/srv"), 1 << 30).status;
        assert_eq!(status(1 << 31), Status::Ok);
        assert_eq!(status((1 << 31) - 2), Status::Warning);
        assert_eq!(status((1 << 30) - 1), Status::Failed);
        assert_eq!(nearest(Path::new("/no/such/folder")), Path::new("/"));
    }
}
