//! Passwords that an operator enters: none is an argument, which other users of the machine could read.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use domain::{Randomness, Refusal};
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

use crate::cli::CliError;

/// Where a password comes from.
#[derive(clap::Args)]
pub(crate) struct Source {
    /// Generate the password, and print it once. Without this it is asked for, or read from standard input.
    #[arg(long)]
    generate: bool,
}

/// A password, and whether it was generated.
pub(crate) struct Chosen {
    pub(crate) text: String,
    is_generated: bool,
}

impl Source {
    /// Generates the password, asks for it, or reads one line.
    pub(crate) fn choose(&self) -> Result<Chosen, CliError> {
        if self.generate {
            let text = app::operations::operator_accounts::generate_password(&Randomness::System);
            return Ok(Chosen { text, is_generated: true });
        }
        let text = if std::io::stdin().is_terminal() { ask_twice()? } else { read_line()? };
        Ok(Chosen { text, is_generated: false })
    }
}

impl Chosen {
    /// What is printed about it.
    pub(crate) fn note(&self) -> String {
        if self.is_generated { format!("The password is {}\n", self.text) } else { String::new() }
    }
}

fn ask_twice() -> Result<String, CliError> {
    let (first, second) = (ask("Password: ")?, ask("Password, once more: ")?);
    if first == second { Ok(first) } else { Err(CliError::new("Passwords do not match")) }
}

/// Asks at the terminal, which does not show what is typed.
fn ask(prompt: &str) -> Result<String, CliError> {
    let stdin = std::io::stdin();
    let no_terminal = |error: rustix::io::Errno| CliError::context("The terminal cannot be used", &error);
    let shown = tcgetattr(&stdin).map_err(no_terminal)?;
    let mut hidden = shown.clone();
    hidden.local_modes.remove(LocalModes::ECHO);
    hidden.local_modes.insert(LocalModes::ECHONL);
    let mut terminal = std::io::stderr();
    // Where the question cannot be shown, it can still be answered.
    let _ = terminal.write_all(prompt.as_bytes()).and_then(|()| terminal.flush());
    tcsetattr(&stdin, OptionalActions::Flush, &hidden).map_err(no_terminal)?;
    let line = read_line();
    tcsetattr(&stdin, OptionalActions::Now, &shown).map_err(no_terminal)?;
    line
}

fn read_line() -> Result<String, CliError> {
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    read.map_err(|error| CliError::context("The password cannot be read", &error))?;
    let password = line.trim_end_matches(['\r', '\n']);
    if password.is_empty() { Err(Refusal::PasswordRequired.into()) } else { Ok(password.to_owned()) }
}
