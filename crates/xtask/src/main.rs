//! Development tasks of this repository: `cargo xtask --help`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool prints to a terminal")]

mod failure;
mod licences;
mod repository;
mod requirements;
mod suites;
mod tidy;
mod torture;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::repository::Repository;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Development tasks of this repository")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Lists which requirements a test covers, which are open, and which cited ids are unknown
    Requirements(requirements::Options),
    /// Checks manifests and sources against the rules of ARCHITECTURE.md
    Tidy,
    /// Checks every npm package's licence against the list in deny.toml
    Licences,
    /// Runs all test suites, writes their output to target/test-logs and prints the totals
    Test(suites::Options),
    /// Kills and cuts the built binary under load and compares it with what it acknowledged
    Torture(torture::Options),
}

fn main() -> ExitCode {
    let repository = Repository::containing_this_crate();
    let outcome = match Arguments::parse().task {
        Task::Requirements(options) => requirements::run(&repository, &options),
        Task::Tidy => tidy::run(&repository),
        Task::Licences => licences::run(&repository),
        Task::Test(options) => suites::run(&repository, &options),
        Task::Torture(options) => torture::run(&repository, &options),
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
