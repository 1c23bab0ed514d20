//! The processes that read pictures: whether they start, and whether they are kept from files and the network.

use media::decoders::{Decoders, Error, Priority, Trial};
use media::temp_files::Contents;

use super::finding::{Finding, ended};
use crate::settings::{Settings, Switch};
use crate::wiring;

const NAME: &str = "decoders";

/// What a decoder must not be able to do.
const DENIED: [(Trial, &str); 3] = [
    (Trial::OpenFile, "opens files"),
    (Trial::OpenSocket, "opens sockets"),
    (Trial::RunProgram, "starts programs"),
];

/// Starts one as the service does, and has it try what it must not be able to do.
pub(super) async fn check(settings: &Settings) -> Finding {
    if settings.decoder_processes == Switch::Off {
        let seen = "Pictures are read in the process that has the database and the keys.";
        return Finding::warning(NAME, seen, "Set `decoder_processes` to on.");
    }
    let failed = |error: String| {
        let cure = "Allow the service to start processes of its own program; /proc has to be mounted.";
        Finding::failed(NAME, ended(&error), cure)
    };
    match tokio::task::spawn_blocking(examine).await {
        Ok(Ok(finding)) => finding,
        Ok(Err(error)) => {
            failed(crate::cli::CliError::context("No decoder can be started", &error).to_string())
        }
        Err(error) => failed(error.to_string()),
    }
}

fn examine() -> Result<Finding, Error> {
    let decoders = Decoders::processes(wiring::own_program())?;
    if decoders.confinement()?.is_none_or(|confinement| !confinement.is_filtered) {
        let seen =
            "Pictures are read in processes of their own, whose system calls the kernel does not filter.";
        return Ok(Finding::warning(NAME, seen, "Use a kernel with filters of system calls (seccomp)."));
    }
    let mut picture = decoders.open(Contents::InMemory(Vec::new().into()), Priority::Foreground);
    for (trial, what) in DENIED {
        if picture.attempt(trial)?.is_ok_and(|told| told == media::decoders::SUCCEEDED) {
            let seen = format!("A process that reads pictures {what}.");
            return Ok(Finding::failed(NAME, seen, "Report it as SECURITY.md says."));
        }
    }
    let seen = "Pictures are read in processes of their own, without files, network and secrets.";
    Ok(Finding::ok(NAME, seen))
}
