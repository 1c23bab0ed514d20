//! Chores and laws of this repository: `cargo xtask --help`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool speaks to a terminal")]

mod failure;
mod licences;
mod repository;
mod requirements;
mod suites;
mod tidy;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::repository::Repository;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Chores and laws of this repository")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Which requirements are held by a test, which are open, and which citations name none
    Requirements(requirements::Options),
    /// The laws of the architecture, held against manifests and sources
    Tidy,
    /// Every third-party licence, held against the list in deny.toml
    Licences,
    /// All test suites, their output in target/test-logs, and one line of sums
    Test(suites::Options),
}

fn main() -> ExitCode {
    let repository = Repository::of_this_build();
    let outcome = match Arguments::parse().chore {
        Chore::Requirements(options) => requirements::run(&repository, &options),
        Chore::Tidy => tidy::run(&repository),
        Chore::Licences => licences::run(&repository),
        Chore::Test(options) => suites::run(&repository, &options),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::from(2)
        }
    }
}
