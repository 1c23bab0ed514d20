//! Licences of npm packages, held against the list in deny.toml. Those of crates are cargo-deny's part.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::failure::Failure;
use crate::repository::Repository;

const LIST: &str = "deny.toml";
const WEB_LOCK: &str = "web/package-lock.json";

#[derive(Debug, Deserialize)]
struct Configuration {
    licenses: LicenceConfiguration,
}

#[derive(Debug, Deserialize)]
struct LicenceConfiguration {
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

pub(crate) fn run(repository: &Repository) -> Result<bool, Failure> {
    let configuration: Configuration = repository.toml(LIST)?;
    let lock: WebLock = repository.json(WEB_LOCK)?;
    let refused = refused(&lock, &configuration.licenses.allow);
    for line in &refused {
        println!("{line}");
    }
    println!("licences: {} npm packages, {} refused", third_party(&lock).count(), refused.len());
    Ok(refused.is_empty())
}

/// Names and declared licences; the empty path is the web app itself.
fn third_party(lock: &WebLock) -> impl Iterator<Item = (&str, Option<&str>)> {
    lock.packages.iter().filter_map(|(path, package)| {
        let (_, name) = path.rsplit_once("node_modules/")?;
        Some((name, package.license.as_deref()))
    })
}

fn refused(lock: &WebLock, allowed: &BTreeSet<String>) -> Vec<String> {
    third_party(lock)
        .filter_map(|(name, licence)| {
            let Some(licence) = licence else { return Some(format!("{name}: declares no licence")) };
            match spdx::Expression::parse(licence) {
                Ok(expression) if expression.evaluate(|term| allowed.contains(&term.to_string())) => None,
                Ok(_) => Some(format!("{name}: {licence} is not in {LIST}")),
                Err(error) => Some(format!("{name}: {licence} is no SPDX expression: {}", error.reason)),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused_of(licence: &str) -> Vec<String> {
        let lock = format!(
            r#"{{ "packages": {{
                "": {{ "license": "AGPL-3.0-or-later" }},
                "node_modules/outer/node_modules/inner": {licence}
            }} }}"#
        );
        let allowed = ["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned);
        refused(&serde_json::from_str(&lock).unwrap(), &BTreeSet::from(allowed))
    }

    #[test]
    fn what_the_list_allows_passes() {
        for licence in [
            "MIT",
            "GPL-2.0-only OR MIT",
            "(GPL-2.0-only OR MIT) AND Zlib",
            "GPL-2.0-only AND Zlib OR MIT",
            "Apache-2.0 WITH LLVM-exception",
        ] {
            assert_eq!(refused_of(&format!(r#"{{ "license": "{licence}" }}"#)), Vec::<String>::new());
        }
    }

    #[test]
    fn anything_else_is_refused_and_named() {
        for (package, wanted) in [
            (r#"{ "license": "GPL-2.0-only" }"#, "inner: GPL-2.0-only is not in deny.toml"),
            (r#"{ "license": "MIT AND GPL-2.0-only" }"#, "inner: MIT AND GPL-2.0-only is not in deny.toml"),
            (r#"{ "license": "Apache-2.0" }"#, "inner: Apache-2.0 is not in deny.toml"),
            ("{}", "inner: declares no licence"),
        ] {
            assert_eq!(refused_of(package), [wanted]);
        }
        for broken in ["MIT OR", "Proprietary", "SEE LICENSE IN file"] {
            let refused = refused_of(&format!(r#"{{ "license": "{broken}" }}"#));
            assert!(refused[0].contains("is no SPDX expression"), "{refused:?}");
        }
    }
}
