//! Lists the migrations of both engines for `src/operations/runtime/migrations.rs`. `sqlx::migrate!` does so too, but its macro
//! crate compiles the drivers, SQLite and TLS a second time.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let crate_folder = folder("CARGO_MANIFEST_DIR")?;
    let mut lists = String::new();
    for engine in ["sqlite", "postgres"] {
        let migrations = crate_folder.join("migrations").join(engine);
        println!("cargo::rerun-if-changed={}", migrations.display());
        let name = engine.to_uppercase();
        writeln!(lists, "const {name}: &[(i64, &str, &str)] = &[\n{}];", entries(&migrations)?)
            .map_err(io::Error::other)?;
    }
    fs::write(folder("OUT_DIR")?.join("migrations.rs"), lists)
}

/// Version, description and text of each `NNNN_description.sql`, in the order of the versions.
fn entries(folder: &Path) -> io::Result<String> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>()?;
    files.sort();
    let mut list = String::new();
    for file in files {
        let invalid = || io::Error::other(format!("{} is not NNNN_description.sql", file.display()));
        let stem =
            file.file_name().and_then(|name| name.to_str()?.strip_suffix(".sql")).ok_or_else(invalid)?;
        let (version, description) = stem.split_once('_').ok_or_else(invalid)?;
        let version: i64 = version.parse().map_err(|_| invalid())?;
        let description = description.replace('_', " ");
        let path = file.to_str().ok_or_else(invalid)?;
        writeln!(list, "    ({version}, {description:?}, include_str!({path:?})),")
            .map_err(io::Error::other)?;
    }
    Ok(list)
}

/// A folder that Cargo names.
fn folder(variable: &str) -> io::Result<PathBuf> {
    env::var_os(variable).map(PathBuf::from).ok_or_else(|| io::Error::other(format!("{variable} is not set")))
}
