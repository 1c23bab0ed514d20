//! docs/dependencies.md: every third-party package has its line there, with the reason for it.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::violation::Violation;
use crate::repository::Package;

pub(crate) const PAGE: &str = "docs/dependencies.md";
pub(crate) const CARGO_MANIFEST: &str = "Cargo.toml";
pub(crate) const WEB_MANIFEST: &str = "web/package.json";

const RUST_SECTION: &str = "Rust crates";
const WEB_SECTION: &str = "Web packages";

#[derive(Debug, Deserialize)]
pub(crate) struct CargoManifest {
    workspace: Workspace,
}

#[derive(Debug, Deserialize)]
struct Workspace {
    dependencies: BTreeMap<String, IgnoredAny>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct WebManifest {
    #[serde(default)]
    dependencies: BTreeMap<String, IgnoredAny>,
    #[serde(default, rename = "devDependencies")]
    dev_dependencies: BTreeMap<String, IgnoredAny>,
}

pub(crate) fn check(
    page: &str,
    cargo: &CargoManifest,
    web: &WebManifest,
    crates: &[Package],
) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut rust = BTreeSet::new();
    for package in crates {
        for dependency in package.dependencies.iter().filter(|dependency| dependency.path.is_none()) {
            let name = dependency.name.as_str();
            rust.insert(name);
            if !cargo.workspace.dependencies.contains_key(name) {
                let text = format!("names {name} without [workspace.dependencies]");
                violations.push(Violation::new(&package.name, text));
            }
        }
    }
    violations.extend(compare(page, RUST_SECTION, &rust));
    let web = web.dependencies.keys().chain(web.dev_dependencies.keys()).map(String::as_str);
    violations.extend(compare(page, WEB_SECTION, &web.collect()));
    violations
}

fn compare(page: &str, section: &str, used: &BTreeSet<&str>) -> Vec<Violation> {
    let reasons = reasons(page, section);
    let missing = used.iter().filter_map(|name| match reasons.get(name) {
        None => Some(format!("{name} has no line")),
        Some(&"") => Some(format!("{name} has no reason")),
        Some(_) => None,
    });
    let stale =
        reasons.keys().filter(|name| !used.contains(*name)).map(|name| format!("{name} is used no more"));
    missing.chain(stale).map(|text| Violation::new(PAGE, format!("{section}: {text}"))).collect()
}

/// The table rows `| name | reason |` below a heading.
fn reasons<'a>(page: &'a str, section: &str) -> BTreeMap<&'a str, &'a str> {
    let below = page.lines().skip_while(|line| line.strip_prefix("## ") != Some(section)).skip(1);
    let table = below.take_while(|line| !line.starts_with("## "));
    table
        .filter_map(|line| {
            let (name, reason) = line.strip_prefix('|')?.strip_suffix('|')?.split_once('|')?;
            Some((name.trim().strip_prefix('`')?.strip_suffix('`')?, reason.trim()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::fixtures::{dependency, package};

    const DOCUMENT: &str = "\
# Dependencies

## Rust crates

| crate | reason |
|---|---|
| `axum` | HTTP. |

## Web packages

| package | reason |
|---|---|
| `react` | Screens. |
";

    fn texts(page: &str) -> Vec<String> {
        let cargo =
            "[workspace.dependencies]\napp = { path = \"crates/app\" }\naxum = { version = \"0.8.9\" }\n";
        let web = r#"{ "dependencies": { "react": "19.3.1" } }"#;
        let (cargo, web) = (toml::from_str(cargo).unwrap(), serde_json::from_str(web).unwrap());
        let crates = [
            package("api", &[dependency("axum", None, false), dependency("app", None, true)]),
            package("app", &[dependency("axum", Some("dev"), false)]),
        ];
        check(page, &cargo, &web, &crates).into_iter().map(|violation| violation.text).collect()
    }

    #[test]
    fn a_complete_page_passes() {
        assert_eq!(texts(DOCUMENT), Vec::<String>::new());
    }

    #[test]
    fn a_missing_line_is_a_violation() {
        assert_eq!(texts(&DOCUMENT.replace("| `axum` | HTTP. |\n", "")), ["Rust crates: axum has no line"]);
    }

    #[test]
    fn a_missing_reason_and_a_stale_line_are_violations() {
        let page = DOCUMENT.replace("HTTP.", "").replace("| `react`", "| `vue` | Gone. |\n| `react`");
        assert_eq!(texts(&page), ["Rust crates: axum has no reason", "Web packages: vue is used no more"]);
    }

    #[test]
    fn a_crate_that_brings_its_own_version_is_a_violation() {
        let cargo = toml::from_str("[workspace.dependencies]\n").unwrap();
        let web = serde_json::from_str("{}").unwrap();
        let app = package("app", &[dependency("left-pad", None, false)]);
        let page = "## Rust crates\n\n| `left-pad` | Pads. |\n";
        assert_eq!(
            check(page, &cargo, &web, &[app]),
            [Violation::new("app", "names left-pad without [workspace.dependencies]")]
        );
    }
}
