//! One compiler for everybody: rust-toolchain.toml pins it, Cargo.toml asks for no other, and it is the one that runs.

use serde::Deserialize;

use super::violation::Violation;

pub(crate) const PIN: &str = "rust-toolchain.toml";
pub(crate) const CARGO_MANIFEST: &str = "Cargo.toml";

#[derive(Debug, Deserialize)]
pub(crate) struct Pin {
    toolchain: Toolchain,
}

#[derive(Debug, Deserialize)]
struct Toolchain {
    channel: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct CargoManifest {
    workspace: Workspace,
}

#[derive(Debug, Deserialize)]
struct Workspace {
    package: WorkspacePackage,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct WorkspacePackage {
    rust_version: String,
}

/// `running` is what `rustc --version` prints.
pub(crate) fn check(pin: &Pin, manifest: &CargoManifest, running: &str) -> Vec<Violation> {
    let pinned = pin.toolchain.channel.as_str();
    let wanted = manifest.workspace.package.rust_version.as_str();
    let mut violations = Vec::new();
    if pinned.rsplit_once('.').map(|(minor, _)| minor) != Some(wanted) {
        violations.push(Violation::new(
            CARGO_MANIFEST,
            format!("rust-version is {wanted}, but {PIN} pins {pinned}"),
        ));
    }
    let running = running.split(' ').nth(1).unwrap_or_default();
    if running != pinned {
        violations.push(Violation::new(PIN, format!("pins {pinned}, but rustc is {running}")));
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(pinned: &str, wanted: &str, running: &str) -> Vec<String> {
        let pin = toml::from_str(&format!("[toolchain]\nchannel = \"{pinned}\"")).unwrap();
        let manifest = toml::from_str(&format!("[workspace.package]\nrust-version = \"{wanted}\"")).unwrap();
        check(&pin, &manifest, running).into_iter().map(|violation| violation.text).collect()
    }

    #[test]
    fn the_pin_the_manifest_and_the_compiler_agree() {
        assert_eq!(texts("1.95.0", "1.95", "rustc 1.95.0 (59807616e 2026-04-14)\n"), Vec::<String>::new());
    }

    #[test]
    fn another_minor_version_and_another_compiler_are_found() {
        assert_eq!(
            texts("1.96.0", "1.95", "rustc 1.95.0 (59807616e 2026-04-14)\n"),
            ["rust-version is 1.95, but rust-toolchain.toml pins 1.96.0", "pins 1.96.0, but rustc is 1.95.0"]
        );
        assert_eq!(texts("stable", "1.95", "rustc 1.95.0\n").len(), 2);
    }
}
