//! The areas: `domain`, `storage`, `app` and `api` have the same ones, and nothing beside them at their roots.

use std::collections::BTreeSet;

use super::violation::Violation;
use crate::repository::SourceFile;

const CRATES: [&str; 4] = ["domain", "storage", "app", "api"];

const AREAS: [&str; 12] = [
    "accounts",
    "events",
    "faces",
    "guests",
    "operations",
    "payments",
    "photos",
    "statistics",
    "studio",
    "team",
    "uploads",
    "webhooks",
];

/// What is of no area: ids and refusals are those of all areas, `testing` is compiled for tests alone.
const SHARED: [(&str, &str); 4] =
    [("domain", "ids"), ("domain", "refusal"), ("storage", "testing"), ("app", "testing")];

pub(crate) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for package in CRATES {
        let root = format!("crates/{package}/src/");
        let names = files.iter().filter_map(|file| file.path.strip_prefix(&root)).filter_map(root_module);
        let names: BTreeSet<&str> = names.collect();
        for name in names.iter().filter(|name| !AREAS.contains(name) && !SHARED.contains(&(package, name))) {
            violations.push(Violation::new(format!("{root}{name}"), "is in no area"));
        }
        for area in AREAS.iter().filter(|area| !names.contains(*area)) {
            violations.push(Violation::new(&root, format!("has no area '{area}'")));
        }
    }
    violations
}

/// The module at the crate's root that a file belongs to; none for the root itself.
fn root_module(path: &str) -> Option<&str> {
    let first = path.split('/').next()?;
    let name = first.strip_suffix(".rs").unwrap_or(first);
    (name != "lib").then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::fixtures::file;

    fn complete() -> Vec<SourceFile> {
        let paths = CRATES.iter().flat_map(|package| {
            AREAS.iter().map(move |area| format!("crates/{package}/src/{area}/some_module.rs"))
        });
        paths
            .chain(CRATES.iter().map(|package| format!("crates/{package}/src/lib.rs")))
            .map(|path| file(&path, ""))
            .collect()
    }

    fn found(files: &[SourceFile]) -> Vec<String> {
        check(files).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_same_areas_in_every_crate_are_accepted() {
        assert_eq!(found(&complete()), Vec::<String>::new());
    }

    #[test]
    fn a_module_outside_the_areas_is_reported() {
        let mut files = complete();
        files.push(file("crates/app/src/galleries.rs", ""));
        files.push(file("crates/domain/src/refusal/table.rs", ""));
        files.push(file("crates/media/src/pictures.rs", ""));
        assert_eq!(found(&files), ["crates/app/src/galleries: is in no area"]);
    }

    #[test]
    fn an_area_that_one_crate_lacks_is_reported() {
        let mut files = complete();
        files.retain(|file| !file.path.starts_with("crates/api/src/webhooks"));
        assert_eq!(found(&files), ["crates/api/src/: has no area 'webhooks'"]);
    }
}
