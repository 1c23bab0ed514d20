//! The laws of ARCHITECTURE.md, held against manifests and sources.

mod floors;
mod names;
mod register;
mod rooms;
mod sources;

use std::fmt;

use crate::failure::Failure;
use crate::repository::Repository;

/// A law broken at a place: a crate, or a file with the line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Breach {
    pub(crate) place: String,
    pub(crate) text: String,
}

impl Breach {
    pub(crate) fn new(place: impl Into<String>, text: impl Into<String>) -> Self {
        Self { place: place.into(), text: text.into() }
    }
}

impl fmt::Display for Breach {
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

    let mut breaches = floors::check(&crates);
    breaches.extend(rooms::check(&crates));
    breaches.extend(names::check(&files));
    breaches.extend(sources::check(&files));
    breaches.extend(register::check(&page, &manifest, &web_manifest, &crates));

    for (path, lines) in sources::long_files(&files) {
        println!("{path}: {lines} lines; over {} is asking to be two", sources::LONG);
    }
    for breach in &breaches {
        println!("{breach}");
    }
    println!("tidy: {} files, {} crates, {} breaches", files.len(), crates.len(), breaches.len());
    Ok(breaches.is_empty())
}
