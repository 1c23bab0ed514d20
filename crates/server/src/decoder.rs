//! `afterglow decoder`: what the service starts to have strangers' pictures read (`media/decoders.rs`). It is no command of
//! the operator's, has no settings, and opens nothing.

use std::process::ExitCode;

use crate::cli::{CliError, report};
use crate::hardening;

/// Its name as the first argument.
const NAME: &str = "decoder";
/// The second, when nobody waits for what it does.
const IN_BACKGROUND: &str = "--background";

/// Runs a decoder to its end, if that is what this process was started for; to be called before the first thread is started.
pub(crate) fn run_if_asked() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != NAME {
        return None;
    }
    let in_background = arguments.next().is_some_and(|argument| argument == IN_BACKGROUND);
    Some(match run(in_background) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error);
            ExitCode::FAILURE
        }
    })
}

fn run(in_background: bool) -> Result<(), CliError> {
    close_inherited();
    ignore_stop_signals();
    hardening::harden()?;
    if in_background {
        lower_priority();
    }
    media::decoders::serve().map_err(|error| CliError::context("Pictures cannot be read", &error))
}

/// Closes what whoever has started the service left open in all its descendants.
fn close_inherited() {
    #[allow(unsafe_code, reason = "no safe call closes descriptors that nothing in this process owns")]
    // SAFETY: this process has just begun and has opened nothing but the standard streams, which stay.
    unsafe {
        libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, 0);
    }
}

/// A service manager may signal all processes of the service. This one goes when the service goes, which finishes first what
/// it has begun.
fn ignore_stop_signals() {
    for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP] {
        #[allow(unsafe_code, reason = "no safe call has a signal ignored")]
        // SAFETY: to ignore a signal installs no handler, and no other thread runs.
        unsafe {
            libc::signal(signal, libc::SIG_IGN);
        }
    }
}

/// As that of the threads on which the service does what nobody waits for.
fn lower_priority() {
    use rustix::process::{getpriority_process, setpriority_process};
    let lowered = getpriority_process(None)
        .and_then(|niceness| setpriority_process(None, niceness + media::decoders::NICENESS));
    // Where that is denied it is as good as others.
    let _ = lowered;
}
