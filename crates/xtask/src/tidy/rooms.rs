//! Law 2: each heavy dependency lives in one crate. Tests may use it anywhere.

use super::Breach;
use crate::repository::Package;

/// A heavy dependency, and the crates that may name it.
const ROOMS: [(&str, &[&str]); 20] = [
    ("axum", &["api"]),
    ("axum-extra", &["api"]),
    ("utoipa", &["api"]),
    ("utoipa-axum", &["api"]),
    ("sqlx", &["storage"]),
    ("object_store", &["media"]),
    ("image", &["media"]),
    ("image-webp", &["media"]),
    ("gif", &["media"]),
    ("png", &["media"]),
    ("tiff", &["media"]),
    ("mozjpeg", &["media"]),
    ("mozjpeg-sys", &["media"]),
    ("fast_image_resize", &["media"]),
    ("kamadak-exif", &["media"]),
    ("moxcms", &["media"]),
    ("ort", &["vision"]),
    ("lettre", &["gateway"]),
    ("prometheus-client", &["app"]),
    // The object store calls out by it, and only who names it can choose its TLS.
    ("reqwest", &["gateway", "media"]),
];

pub(crate) fn check(crates: &[Package]) -> Vec<Breach> {
    let mut breaches = Vec::new();
    for package in crates {
        for dependency in &package.dependencies {
            let Some((name, rooms)) = ROOMS.iter().find(|(name, _)| *name == dependency.name) else {
                continue;
            };
            let in_tests = dependency.kind.as_deref() == Some("dev");
            if !in_tests && !rooms.contains(&package.name.as_str()) {
                let text = format!("names {name}, which lives in {}", rooms.join(" and "));
                breaches.push(Breach::new(&package.name, text));
            }
        }
    }
    breaches
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::repository::Dependency;

    pub(crate) fn package(name: &str, dependencies: &[Dependency]) -> Package {
        Package {
            name: name.to_owned(),
            version: "0.1.0".to_owned(),
            description: Some("Made up.".to_owned()),
            license: None,
            source: None,
            dependencies: dependencies.to_vec(),
        }
    }

    pub(crate) fn named(name: &str, kind: Option<&str>, in_workspace: bool) -> Dependency {
        Dependency {
            name: name.to_owned(),
            kind: kind.map(str::to_owned),
            path: in_workspace.then(|| format!("/crates/{name}")),
        }
    }

    #[test]
    fn a_heavy_dependency_at_home_is_lawful() {
        let crates = [
            package("storage", &[named("sqlx", None, false)]),
            package("app", &[named("image", Some("dev"), false), named("serde", None, false)]),
        ];
        assert_eq!(check(&crates), []);
    }

    #[test]
    fn a_heavy_dependency_elsewhere_is_a_breach() {
        for (own, other) in [("app", "sqlx"), ("server", "axum"), ("api", "reqwest"), ("vision", "image")] {
            let breaches = check(&[package(own, &[named(other, None, false)])]);
            assert_eq!(breaches.len(), 1, "{own} names {other}");
        }
        assert_eq!(check(&[package("app", &[named("ort", Some("build"), false)])]).len(), 1);
    }
}
