//! The binary `afterglow`.

mod cameras;
mod capacity;
mod cli;
mod commands;
mod data_folder;
mod decoder;
mod exposure;
mod hardening;
mod invoicing;
mod logging;
mod machine;
mod owner;
mod replaced;
mod secrets;
mod service_manager;
mod serving;
mod settings;
mod settings_file;
mod settings_shown;
mod single_sign_on;
mod traces;
mod web_app;
mod wiring;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};
use commands::Command;

/// Event photos, found by a selfie.
#[derive(clap::Parser)]
#[command(name = "afterglow", version, about = "Event photos, found by a selfie.", max_term_width = 100)]
struct Arguments {
    #[command(flatten)]
    settings: settings::Flags,
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    machine::bound_allocator();
    if let Some(code) = decoder::run_if_asked() {
        return code;
    }
    machine::forbid_telemetry();
    let Arguments { settings: flags, command } = Arguments::parse();
    let ended = hardening::harden().and_then(|()| commands::run(command, &flags, Arguments::command));
    traces::finish();
    match ended {
        Ok(code) => code,
        Err(error) => {
            cli::report(&error);
            ExitCode::FAILURE
        }
    }
}
