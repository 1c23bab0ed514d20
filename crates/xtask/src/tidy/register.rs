//! docs/dependencies.md: every third-party package has its line there, with version, licence and reason.

use std::collections::BTreeMap;

use serde::Deserialize;

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
    dependencies: BTreeMap<String, Wanted>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Wanted {
    Version(String),
    Table { version: Option<String>, path: Option<String> },
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct WebManifest {
    #[serde(default)]
    dependencies: BTreeMap<String, String>,
    #[serde(default, rename = "devDependencies")]
    dev_dependencies: BTreeMap<String, String>,
}

struct Row {
    version: String,
    reason: String,
}

pub(crate) fn check(
    page: &str,
    cargo: &CargoManifest,
    web: &WebManifest,
    crates: &[Package],
) -> Vec<Violation> {
    let mut rust: BTreeMap<&str, &str> = BTreeMap::new();
    for (name, wanted) in &cargo.workspace.dependencies {
        match wanted {
            Wanted::Version(version) => rust.insert(name, version),
            Wanted::Table { path: Some(_), .. } => None,
            Wanted::Table { version, .. } => rust.insert(name, version.as_deref().unwrap_or_default()),
        };
    }
    let mut violations = Vec::new();
    for package in crates {
        for dependency in package.dependencies.iter().filter(|dependency| dependency.path.is_none()) {
            if !rust.contains_key(dependency.name.as_str()) {
                let text = format!("names {} without [workspace.dependencies]", dependency.name);
                violations.push(Violation::new(&package.name, text));
            }
        }
    }
    let is_named = |name: &str| {
        crates.iter().flat_map(|package| &package.dependencies).any(|dependency| dependency.name == name)
    };
    for name in rust.keys().filter(|name| !is_named(name)) {
        violations.push(Violation::new(CARGO_MANIFEST, format!("{name} is named by no crate")));
    }
    violations.extend(compare(&rows(page, RUST_SECTION), &rust, RUST_SECTION));

    let packages = web.dependencies.iter().chain(&web.dev_dependencies);
    let packages = packages.map(|(name, version)| (name.as_str(), version.as_str())).collect();
    violations.extend(compare(&rows(page, WEB_SECTION), &packages, WEB_SECTION));
    violations
}

fn compare(rows: &BTreeMap<&str, Row>, wanted: &BTreeMap<&str, &str>, section: &str) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut add = |text: String| violations.push(Violation::new(PAGE, format!("{section}: {text}")));
    for (name, version) in wanted {
        match rows.get(name) {
            None => add(format!("{name} {version} has no line")),
            Some(row) if row.version != *version => add(format!("{name} is {version}, not {}", row.version)),
            Some(row) if row.reason.is_empty() => add(format!("{name} has no reason")),
            Some(_) => {}
        }
    }
    for name in rows.keys().filter(|name| !wanted.contains_key(*name)) {
        add(format!("{name} is used no more"));
    }
    violations
}

/// The table rows `| name | version | licence | reason |` below a heading.
fn rows<'a>(page: &'a str, section: &str) -> BTreeMap<&'a str, Row> {
    let below = page.lines().skip_while(|line| line.strip_prefix("## ") != Some(section)).skip(1);
    let table = below.take_while(|line| !line.starts_with("## "));
    table
        .filter_map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let [name, version, _licence, reason] = cells.as_slice() else { return None };
            let name = name.strip_prefix('`')?.strip_suffix('`')?;
            Some((name, Row { version: (*version).to_owned(), reason: (*reason).to_owned() }))
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

| crate | version | licence | reason |
|---|---|---|---|
| `axum` | 0.8.9 | MIT | HTTP. |
| `serde` | 1 | MIT | Serialisation. |

## Web packages

| package | version | licence | reason |
|---|---|---|---|
| `react` | 19.3.1 | MIT | Screens. |
";

    fn manifests() -> (CargoManifest, WebManifest) {
        let cargo = "[workspace.dependencies]\napp = { path = \"crates/app\" }\n\
                     axum = { version = \"0.8.9\" }\nserde = \"1\"\n";
        let web = r#"{ "dependencies": { "react": "19.3.1" } }"#;
        (toml::from_str(cargo).unwrap(), serde_json::from_str(web).unwrap())
    }

    fn texts(page: &str) -> Vec<String> {
        let (cargo, web) = manifests();
        check(page, &cargo, &web, &[api()]).into_iter().map(|violation| violation.text).collect()
    }

    fn api() -> Package {
        package("api", &[dependency("axum", None, false), dependency("serde", Some("dev"), false)])
    }

    #[test]
    fn a_complete_page_passes() {
        assert_eq!(texts(DOCUMENT), Vec::<String>::new());
    }

    #[test]
    fn a_missing_line_is_a_violation() {
        let page = DOCUMENT.replace("| `axum` | 0.8.9 | MIT | HTTP. |\n", "");
        assert_eq!(texts(&page), ["Rust crates: axum 0.8.9 has no line"]);
    }

    #[test]
    fn an_old_version_no_reason_and_a_stale_line_are_violations() {
        let page = DOCUMENT
            .replace("0.8.9", "0.7.0")
            .replace("Serialisation.", "")
            .replace("| `react`", "| `vue` | 3 | MIT | Gone. |\n| `react`");
        assert_eq!(
            texts(&page),
            [
                "Rust crates: axum is 0.8.9, not 0.7.0",
                "Rust crates: serde has no reason",
                "Web packages: vue is used no more"
            ]
        );
    }

    #[test]
    fn a_crate_that_nobody_names_is_a_violation() {
        let (cargo, web) = manifests();
        let api = package("api", &[dependency("axum", None, false)]);
        let violations = check(DOCUMENT, &cargo, &web, &[api]);
        assert_eq!(violations, [Violation::new("Cargo.toml", "serde is named by no crate")]);
    }

    #[test]
    fn a_crate_that_brings_its_own_version_is_a_violation() {
        let (cargo, web) = manifests();
        let app = package("app", &[dependency("left-pad", None, false)]);
        let violations = check(DOCUMENT, &cargo, &web, &[api(), app]);
        assert_eq!(violations, [Violation::new("app", "names left-pad without [workspace.dependencies]")]);
    }
}
