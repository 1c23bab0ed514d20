//! Checks manifests and sources against the rules of ARCHITECTURE.md.

mod areas;
mod exclusive_dependencies;
mod import_cycles;
mod layers;
mod names;
mod references;
mod register;
mod sources;
mod toolchain;
mod violation;

use crate::failure::Failure;
use crate::repository::Repository;

pub(crate) fn run(repository: &Repository) -> Result<bool, Failure> {
    let crates = repository.members()?;
    let files = repository.files()?;
    let cargo_manifest = repository.toml(register::CARGO_MANIFEST)?;
    let web_manifest = repository.json(register::WEB_MANIFEST)?;
    let pin = repository.toml(toolchain::PIN)?;
    let manifest = repository.toml(toolchain::CARGO_MANIFEST)?;
    let running = repository.output("rustc", &["--version"])?;
    let page = repository.read(register::PAGE)?;

    let mut violations = layers::check(&crates);
    violations.extend(areas::check(&files));
    violations.extend(exclusive_dependencies::check(&crates));
    violations.extend(
        import_cycles::check(&crates, &files).map_err(|reason| Failure::invalid("import cycles", reason))?,
    );
    violations.extend(names::check(&files));
    violations.extend(sources::check(&files));
    violations.extend(references::check(&files));
    violations.extend(register::check(&page, &cargo_manifest, &web_manifest, &crates));
    violations.extend(toolchain::check(&pin, &manifest, &running));

    for (path, lines) in sources::long_files(&files) {
        println!("{path}: {lines} lines; over {}, consider splitting it", sources::LONG);
    }
    for violation in &violations {
        println!("{violation}");
    }
    println!("tidy: {} files, {} crates, {} violations", files.len(), crates.len(), violations.len());
    Ok(violations.is_empty())
}
