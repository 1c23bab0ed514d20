//! Law 1: a crate names only crates on lower floors, never one on its own floor.

use super::Breach;
use crate::repository::Package;

/// From the ground up; crates on one floor do not know each other.
const FLOORS: [&[&str]; 5] =
    [&["domain"], &["storage", "media", "vision", "gateway"], &["app"], &["api"], &["server"]];

/// Chores: no crate names it and it names none.
const APART: &str = "xtask";

pub(crate) fn check(crates: &[Package]) -> Vec<Breach> {
    let mut breaches = Vec::new();
    for package in crates {
        let floor = floor_of(&package.name);
        if floor.is_none() && package.name != APART {
            breaches.push(Breach::new(&package.name, "has no floor in crates/xtask/src/tidy/floors.rs"));
        }
        if package.description.as_deref().unwrap_or_default().trim().is_empty() {
            breaches.push(Breach::new(&package.name, "has no description in its Cargo.toml"));
        }
        for dependency in package.dependencies.iter().filter(|dependency| dependency.path.is_some()) {
            if dependency.name == package.name {
                // Cargo's way to switch on a crate's own feature for its tests; it refuses every other kind.
                continue;
            }
            let below = floor_of(&dependency.name).zip(floor).is_some_and(|(lower, own)| lower < own);
            if !below {
                let text = format!("names {}, which is not on a lower floor", dependency.name);
                breaches.push(Breach::new(&package.name, text));
            }
        }
    }
    breaches
}

fn floor_of(name: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::rooms::tests::{named, package};

    #[test]
    fn downwards_is_lawful() {
        let own_feature = named("app", Some("dev"), true);
        let app =
            package("app", &[named("storage", None, true), named("domain", Some("dev"), true), own_feature]);
        assert_eq!(check(&[package("domain", &[]), package("xtask", &[]), app]), []);
    }

    #[test]
    fn a_crate_on_the_same_floor_or_above_is_a_breach() {
        for (own, other) in [("media", "vision"), ("domain", "app"), ("xtask", "domain")] {
            let breaches = check(&[package(own, &[named(other, Some("dev"), true)])]);
            assert_eq!(breaches.len(), 1, "{own} names {other}");
            assert!(breaches[0].text.contains(other));
        }
    }

    #[test]
    fn nobody_names_the_chores() {
        assert_eq!(check(&[package("server", &[named("xtask", None, true)])]).len(), 1);
    }

    #[test]
    fn a_crate_without_floor_or_description_is_a_breach() {
        let mut stray = package("leftovers", &[]);
        assert!(check(std::slice::from_ref(&stray))[0].text.contains("no floor"));
        stray.name = "domain".to_owned();
        stray.description = Some(String::new());
        assert!(check(&[stray])[0].text.contains("description"));
    }
}
