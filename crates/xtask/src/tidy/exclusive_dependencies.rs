//! Rule 2: each heavy dependency is exclusive to the crates listed here. Tests may use it anywhere.

use super::violation::Violation;
use crate::repository::Package;

/// A heavy dependency, and the crates that may depend on it.
const EXCLUSIVE: [(&str, &[&str]); 25] = [
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
    ("kamadak-exif", &["media"]),
    ("moxcms", &["media"]),
    ("pdf-writer", &["media"]),
    ("rustybuzz", &["media"]),
    ("subsetter", &["media"]),
    ("ort", &["vision"]),
    ("hickory-resolver", &["gateway"]),
    ("lettre", &["gateway"]),
    ("openidconnect", &["gateway"]),
    ("prometheus-client", &["app"]),
    ("tokio-rustls", &["ftp"]),
    // The object store sends its requests with it, and only a direct dependency can choose its TLS stack.
    ("reqwest", &["gateway", "media"]),
];

pub(crate) fn check(crates: &[Package]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for package in crates {
        for dependency in &package.dependencies {
            let Some((name, owners)) = EXCLUSIVE.iter().find(|(name, _)| *name == dependency.name) else {
                continue;
            };
            let in_tests = dependency.kind.as_deref() == Some("dev");
            if !in_tests && !owners.contains(&package.name.as_str()) {
                let text = format!("depends on {name}, which is exclusive to {}", owners.join(" and "));
                violations.push(Violation::new(&package.name, text));
            }
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::fixtures::{dependency, package};

    #[test]
    fn an_owner_and_tests_may_depend_on_it() {
        let crates = [
            package("storage", &[dependency("sqlx", None, false)]),
            package("app", &[dependency("image", Some("dev"), false), dependency("serde", None, false)]),
        ];
        assert_eq!(check(&crates), []);
    }

    #[test]
    fn any_other_crate_is_a_violation() {
        for (own, other) in [("app", "sqlx"), ("server", "axum"), ("api", "reqwest"), ("vision", "image")] {
            let violations = check(&[package(own, &[dependency(other, None, false)])]);
            assert_eq!(violations.len(), 1, "{own} depends on {other}");
        }
        assert_eq!(check(&[package("app", &[dependency("ort", Some("build"), false)])]).len(), 1);
    }
}
