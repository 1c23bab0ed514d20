//! Rule 1: a crate depends only on crates of lower layers, never on one of its own layer.

use super::violation::Violation;
use crate::repository::Package;

/// From the lowest up; crates of one layer do not know each other.
const LAYERS: [&[&str]; 5] =
    [&["domain"], &["storage", "media", "vision", "gateway"], &["app"], &["api", "ftp"], &["server"]];

/// Development tasks: no crate depends on it and it depends on none.
const STANDALONE: &str = "xtask";

pub(crate) fn check(crates: &[Package]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for package in crates {
        let layer = layer_of(&package.name);
        if layer.is_none() && package.name != STANDALONE {
            violations.push(Violation::new(&package.name, "has no layer in crates/xtask/src/tidy/layers.rs"));
        }
        if package.description.as_deref().unwrap_or_default().trim().is_empty() {
            violations.push(Violation::new(&package.name, "has no description in its Cargo.toml"));
        }
        for dependency in package.dependencies.iter().filter(|dependency| dependency.path.is_some()) {
            if dependency.name == package.name {
                // Cargo's way to switch on a crate's own feature for its tests; it refuses every other kind.
                continue;
            }
            let is_lower = layer_of(&dependency.name).zip(layer).is_some_and(|(lower, own)| lower < own);
            if !is_lower {
                let text = format!("depends on {}, which is not in a lower layer", dependency.name);
                violations.push(Violation::new(&package.name, text));
            }
        }
    }
    violations
}

fn layer_of(name: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::fixtures::{dependency, package};

    #[test]
    fn a_lower_layer_is_allowed() {
        let own_feature = dependency("app", Some("dev"), true);
        let dependencies =
            [dependency("storage", None, true), dependency("domain", Some("dev"), true), own_feature];
        let app = package("app", &dependencies);
        assert_eq!(check(&[package("domain", &[]), package("xtask", &[]), app]), []);
    }

    #[test]
    fn the_same_or_a_higher_layer_is_a_violation() {
        for (own, other) in [("media", "vision"), ("domain", "app"), ("xtask", "domain")] {
            let violations = check(&[package(own, &[dependency(other, Some("dev"), true)])]);
            assert_eq!(violations.len(), 1, "{own} depends on {other}");
            assert!(violations[0].text.contains(other));
        }
    }

    #[test]
    fn no_crate_depends_on_the_development_tasks() {
        assert_eq!(check(&[package("server", &[dependency("xtask", None, true)])]).len(), 1);
    }

    #[test]
    fn a_crate_without_layer_or_description_is_a_violation() {
        let mut unknown = package("leftovers", &[]);
        assert!(check(std::slice::from_ref(&unknown))[0].text.contains("no layer"));
        unknown.name = "domain".to_owned();
        unknown.description = Some(String::new());
        assert!(check(&[unknown])[0].text.contains("description"));
    }
}
