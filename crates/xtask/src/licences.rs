//! Third-party licences, held against the list in deny.toml.
//!
//! deny.toml has the form that `cargo-deny` reads, so whoever has that tool can use it too; it takes minutes to
//! install, and Cargo and npm already say what this check needs.

mod expression;

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::failure::Failure;
use crate::repository::Repository;

const LIST: &str = "deny.toml";
const WEB_LOCK: &str = "web/package-lock.json";

#[derive(Debug, Deserialize)]
struct Rules {
    licenses: LicenceRules,
}

#[derive(Debug, Deserialize)]
struct LicenceRules {
    allow: BTreeSet<String>,
}

#[derive(Debug, Deserialize)]
struct WebLock {
    packages: BTreeMap<String, WebPackage>,
}

#[derive(Debug, Deserialize)]
struct WebPackage {
    license: Option<String>,
}

/// A third-party package and the licence it declares.
struct Licensed {
    name: String,
    licence: Option<String>,
}

pub(crate) fn run(repository: &Repository) -> Result<bool, Failure> {
    let rules: Rules = repository.toml(LIST)?;
    let mut packages = Vec::new();
    for package in repository.packages()? {
        if package.source.is_some() {
            let name = format!("crate {} {}", package.name, package.version);
            packages.push(Licensed { name, licence: package.license });
        }
    }
    if repository.path(WEB_LOCK).is_file() {
        let lock: WebLock = repository.json(WEB_LOCK)?;
        for (place, package) in lock.packages {
            // The empty place is the web app itself.
            if let Some((_, name)) = place.rsplit_once("node_modules/") {
                packages.push(Licensed { name: format!("package {name}"), licence: package.license });
            }
        }
    }
    let refused = refused(&packages, &rules.licenses.allow);
    for line in &refused {
        println!("{line}");
    }
    println!("licences: {} packages, {} refused", packages.len(), refused.len());
    Ok(refused.is_empty())
}

fn refused(packages: &[Licensed], allowed: &BTreeSet<String>) -> Vec<String> {
    packages
        .iter()
        .filter_map(|Licensed { name, licence }| match licence {
            None => Some(format!("{name}: declares no licence")),
            Some(licence) => match expression::is_satisfied(licence, |term| allowed.contains(term)) {
                Ok(true) => None,
                Ok(false) => Some(format!("{name}: {licence} is not in {LIST}")),
                Err(why) => Some(format!("{name}: {licence} cannot be read: {why}")),
            },
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_list_allows_passes() {
        let package = |name: &str, licence: Option<&str>| Licensed {
            name: name.to_owned(),
            licence: licence.map(str::to_owned),
        };
        let packages = [
            package("good", Some("GPL-2.0-only OR MIT")),
            package("closed", Some("Proprietary")),
            package("silent", None),
            package("broken", Some("MIT OR")),
        ];
        let refused = refused(&packages, &BTreeSet::from(["MIT".to_owned()]));
        assert_eq!(refused.len(), 3, "{refused:?}");
        assert!(refused[0].starts_with("closed: "));
        assert_eq!(refused[1], "silent: declares no licence");
        assert!(refused[2].starts_with("broken: "));
    }
}
