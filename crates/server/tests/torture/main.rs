//! Fault injection on the built binary (`cargo xtask torture`).
//!
//! A round starts a server with a database of its own and some photographers who register, upload, pay, delete, search
//! and change their address, while a fault is injected. What is acknowledged to them is recorded in a ledger outside the service. When the
//! fault is over, everything has to come to an end, and an oracle compares the service with the ledger.
//!
//! A seed draws the requests and the moments of the fault; how they fall together is up to the machine, so that a
//! replay of a rare defect may take several runs.

#![allow(clippy::unwrap_used, reason = "a harness that cannot go on has failed")]
#![allow(clippy::print_stdout, reason = "the report of a run")]

mod account_work;
mod binary;
mod bucket;
mod client;
mod clock;
mod commit_proxy;
mod convergence;
mod deployment;
mod disk;
mod http;
mod injection;
mod ledger;
mod options;
mod oracle;
mod photographer;
mod pictures;
mod postgres;
mod power_cut;
mod report;
mod round;
mod scenario;

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::Parser as _;
use tokio::sync::Semaphore;

use crate::deployment::Machine;
use crate::options::Options;
use crate::pictures::Pictures;
use crate::report::Report;
use crate::round::Load;
use crate::scenario::{Engine, Round};

fn main() -> ExitCode {
    // [SAFE064] Whatever fails, the oracle finds everything that was acknowledged.
    // [SAFE207] With several machines it asks each server alone: what one of them has taken, all have.
    // [SAFE340] Of what no fsync has put on the disk any part is lost, and nothing that was acknowledged.
    // [SAFE341] The disk fails or is mounted for reading alone: refusals that say so, and no restart afterwards.
    // [SAFE208] There, searches from one address are limited by all servers together.
    commit_proxy::self_test();
    oracle::self_test();
    power_cut::self_test();
    scenario::self_test();
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() != Some("run") {
        println!("The harness is in order; `cargo xtask torture` runs it.");
        return ExitCode::SUCCESS;
    }
    let options = Options::parse_from(std::iter::once(String::from("torture")).chain(arguments));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let report = runtime.block_on(run(&options));
    println!("{report}");
    if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs every round, several at a time; those with a defect leave their folder behind.
async fn run(options: &Options) -> Report {
    let rounds = options.rounds();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let folder = tempfile::Builder::new().prefix("afterglow-torture-").tempdir().unwrap();
    // PostgreSQL runs as a user of its own.
    let anybody = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(folder.path(), anybody).unwrap();
    let machine = Arc::new(Machine {
        models: root.join("models"),
        clock_library: clock::compile(folder.path()),
        disk_library: disk::compile(folder.path()),
        postgres: rounds
            .iter()
            .any(|round| round.engine == Engine::Postgres)
            .then(|| postgres::Template::initialise(folder.path())),
    });
    let pictures = Arc::new(Pictures::load(&root.join(".cache/pictures")));
    let failures = root.join("target/torture");

    let slots = Arc::new(Semaphore::new(options.parallel));
    let mut running = Vec::new();
    for (number, round) in rounds.into_iter().enumerate() {
        let permit = slots.clone().acquire_owned().await.unwrap();
        let (machine, pictures) = (machine.clone(), pictures.clone());
        let load = Load {
            steps: options.steps,
            photos: options.photos,
            outage: options.outage(round.fault),
            cuts: options.cuts,
        };
        let (own, kept) = (folder.path().join(number.to_string()), failures.clone());
        running.push((
            round,
            tokio::spawn(async move {
                let _permit = permit;
                std::fs::create_dir(&own).unwrap();
                let started = Instant::now();
                let outcome = round::run(round, load, &own, &machine, pictures).await;
                report::print_line(round, &outcome, started.elapsed());
                if outcome.defects.is_empty() {
                    std::fs::remove_dir_all(&own).unwrap();
                } else {
                    keep(&own, &kept, round);
                }
                outcome
            }),
        ));
    }
    let mut report = Report::default();
    for (round, outcome) in running {
        match outcome.await {
            Ok(outcome) => report.add(round, &outcome),
            Err(panic) => report.add_broken(round, &panic),
        }
    }
    report
}

/// Moves what a round with a defect leaves to `target/torture`.
fn keep(folder: &Path, kept: &Path, round: Round) {
    std::fs::create_dir_all(kept).unwrap();
    let kept = kept.join(round.to_string().replace('/', "-"));
    let moved = std::process::Command::new("sh")
        .args(["-c", "rm -rf \"$2\" && mv \"$1\" \"$2\"", "sh"])
        .args([folder, &kept])
        .status();
    assert!(moved.unwrap().success());
}
