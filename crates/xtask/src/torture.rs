//! Runs the fault injection of the built binary, `crates/server/tests/torture`.

use std::process::Command;

use clap::Args;

use crate::failure::Failure;
use crate::repository::Repository;

/// Of the whole workspace, so that Cargo shares what the other tests compiled.
pub(crate) const COMMAND: &str = "cargo test --workspace --test torture -- run";
/// What `make test` runs: a round or two of each fault.
pub(crate) const SHORT: &str = "--sqlite 2 --postgres 1 --faults 1 --machines 1 --outage 2";

#[derive(Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Options {
    /// The harness's own options; `--help` lists them. None: the short run of `make test`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTION")]
    arguments: Vec<String>,
}

pub(crate) fn run(repository: &Repository, options: &Options) -> Result<bool, Failure> {
    let mut words = COMMAND.split(' ');
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).current_dir(repository.path(""));
    if options.arguments.is_empty() {
        command.args(SHORT.split(' '));
    } else {
        command.args(&options.arguments);
    }
    let status = command.status().map_err(|source| Failure::Spawn { command: COMMAND.to_owned(), source })?;
    Ok(status.success())
}
