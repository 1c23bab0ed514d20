//! Checks manifests and sources against the rules of ARCHITECTURE.md.

mod exclusive_dependencies;
mod layers;
mod names;
mod register;
mod sources;

use std::fmt;

use crate::failure::Failure;
use crate::repository::Repository;

/// A violated rule at a place: a crate, or a file with the line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    pub(crate) place: String,
    pub(crate) text: String,
}

impl Violation {
    pub(crate) fn new(place: impl Into<String>, text: impl Into<String>) -> Self {
        Self { place: place.into(), text: text.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.place, self.text)
    }
}

pub(crate) fn run(repository: &Repository) -> Result<bool, Failure> {
    let crates = repository.members()?;
    let files = repository.files()?;
    let manifest = repository.toml(register::CARGO_MANIFEST)?;
    let web_manifest = if repository.path(register::WEB_MANIFEST).is_file() {
        repository.json(register::WEB_MANIFEST)?
    } else {
        register::WebManifest::default()
    };
    let page = repository.read(register::PAGE)?;

    let mut violations = layers::check(&crates);
    violations.extend(exclusive_dependencies::check(&crates));
    violations.extend(names::check(&files));
    violations.extend(sources::check(&files));
    violations.extend(register::check(&page, &manifest, &web_manifest, &crates));

    for (path, lines) in sources::long_files(&files) {
        println!("{path}: {lines} lines; over {}, consider splitting it", sources::LONG);
    }
    for violation in &violations {
        println!("{violation}");
    }
    println!("tidy: {} files, {} crates, {} violations", files.len(), crates.len(), violations.len());
    Ok(violations.is_empty())
}
