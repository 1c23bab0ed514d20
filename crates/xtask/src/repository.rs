//! What the tasks read: the files under version control, and Cargo's metadata of the workspace.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::failure::Failure;

pub(crate) struct Repository {
    root: PathBuf,
}

/// A text file that is tracked, or is new and not ignored; `path` is relative to the root, with slashes.
#[derive(Debug, Clone)]
pub(crate) struct SourceFile {
    pub(crate) path: String,
    pub(crate) text: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Metadata {
    pub(crate) packages: Vec<Package>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    #[serde(default)]
    pub(crate) dependencies: Vec<Dependency>,
    /// Libraries, binaries, tests, examples, benchmarks and build scripts.
    #[serde(default)]
    pub(crate) targets: Vec<Target>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Target {
    /// The root file.
    pub(crate) src_path: PathBuf,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// `dev`, `build`, or absent for a normal dependency.
    pub(crate) kind: Option<String>,
    /// Present for a crate of this workspace.
    pub(crate) path: Option<String>,
}

impl Repository {
    pub(crate) fn containing_this_crate() -> Self {
        let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        Self { root: crate_folder.ancestors().nth(2).unwrap_or(crate_folder).to_path_buf() }
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    pub(crate) fn read(&self, relative: &str) -> Result<String, Failure> {
        let path = self.path(relative);
        fs::read_to_string(&path).map_err(|source| Failure::File { path, source })
    }

    pub(crate) fn toml<T: DeserializeOwned>(&self, relative: &str) -> Result<T, Failure> {
        toml::from_str(&self.read(relative)?).map_err(|error| Failure::invalid(relative, error))
    }

    pub(crate) fn json<T: DeserializeOwned>(&self, relative: &str) -> Result<T, Failure> {
        serde_json::from_str(&self.read(relative)?).map_err(|error| Failure::invalid(relative, error))
    }

    /// Every text file that is tracked, or new and not ignored, in the order of its path.
    pub(crate) fn files(&self) -> Result<Vec<SourceFile>, Failure> {
        let listed = self.output("git", &["ls-files", "-z", "--cached", "--others", "--exclude-standard"])?;
        let mut paths: Vec<&str> = listed.split('\0').filter(|path| !path.is_empty()).collect();
        paths.sort_unstable();
        paths.dedup();
        let mut files = Vec::new();
        for relative in paths {
            let path = self.path(relative);
            // A tracked file may be gone from the working tree, and a link may lead to a folder.
            if !path.is_file() {
                continue;
            }
            let bytes = fs::read(&path).map_err(|source| Failure::File { path, source })?;
            if let Ok(text) = String::from_utf8(bytes) {
                files.push(SourceFile { path: relative.to_owned(), text });
            }
        }
        Ok(files)
    }

    /// The workspace's own crates, their target roots relative to the repository's root.
    pub(crate) fn members(&self) -> Result<Vec<Package>, Failure> {
        let printed = self.output("cargo", &["metadata", "--format-version", "1", "--no-deps"])?;
        let mut metadata: Metadata =
            serde_json::from_str(&printed).map_err(|error| Failure::invalid("cargo metadata", error))?;
        for target in metadata.packages.iter_mut().flat_map(|package| &mut package.targets) {
            if let Ok(relative) = target.src_path.strip_prefix(&self.root) {
                target.src_path = relative.to_path_buf();
            }
        }
        Ok(metadata.packages)
    }

    /// What a program prints, run in the root.
    pub(crate) fn output(&self, program: &str, arguments: &[&str]) -> Result<String, Failure> {
        let command = || format!("{program} {}", arguments.join(" "));
        let output = Command::new(program)
            .args(arguments)
            .current_dir(&self.root)
            .output()
            .map_err(|source| Failure::Spawn { command: command(), source })?;
        if !output.status.success() {
            let stderr = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(Failure::Command { command: command(), stderr });
        }
        String::from_utf8(output.stdout).map_err(|error| Failure::invalid(command(), error))
    }
}

#[cfg(test)]
pub(crate) mod fixtures {
    use super::*;

    pub(crate) fn package(name: &str, dependencies: &[Dependency]) -> Package {
        Package {
            name: name.to_owned(),
            description: Some("Made up.".to_owned()),
            dependencies: dependencies.to_vec(),
            targets: Vec::new(),
        }
    }

    pub(crate) fn dependency(name: &str, kind: Option<&str>, in_workspace: bool) -> Dependency {
        Dependency {
            name: name.to_owned(),
            kind: kind.map(str::to_owned),
            path: in_workspace.then(|| format!("/crates/{name}")),
        }
    }

    pub(crate) fn target(root: &str) -> Target {
        Target { src_path: PathBuf::from(root) }
    }

    pub(crate) fn file(path: &str, text: &str) -> SourceFile {
        SourceFile { path: path.to_owned(), text: text.to_owned() }
    }
}
