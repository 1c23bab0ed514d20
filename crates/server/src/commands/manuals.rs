//! `afterglow completions` and `afterglow manual`: what shells and `man` know of the command line.

use std::io;
use std::path::Path;

use clap_complete::aot::Shell as Syntax;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::cli::{CliError, print};
use crate::settings::TABLE;

/// A shell for which there is a script.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum Shell {
    /// Bash.
    Bash,
    /// Zsh.
    Zsh,
    /// Fish.
    Fish,
}

const FILES: [(&str, &str); 3] = [
    ("/etc/afterglow/afterglow.toml", "The settings. `afterglow config` prints them, and what is in force."),
    (
        "/var/lib/afterglow",
        "Everything that is kept: database, photos, and mails where no mail server is set.",
    ),
    ("/usr/lib/afterglow/models", "The face models and the library that computes them."),
];
const NOTES: [(&str, &str); 3] = [
    (
        "USER",
        "The service runs as the user afterglow. Commands that work on its data are run as this user too: \
         sudo -u afterglow afterglow user list",
    ),
    (
        "ENVIRONMENT",
        "Each setting can be given as AFTERGLOW_NAME, which wins over the file, and as an option, which wins over both. \
         AFTERGLOW_SETTINGS names another file.",
    ),
    ("EXIT STATUS", "0 on success, 1 where something failed or was found, 2 for a wrong option."),
];

/// Prints the script that lets a shell complete commands and options.
pub(crate) fn completions(shell: Shell, command: clap::Command) -> Result<(), CliError> {
    let syntax = match shell {
        Shell::Bash => Syntax::Bash,
        Shell::Zsh => Syntax::Zsh,
        Shell::Fish => Syntax::Fish,
    };
    let mut script = Vec::new();
    clap_complete::generate(syntax, &mut brief(command), "afterglow", &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// The settings as options of the program, of `serve` and of `worker`. They can stand behind every command, which would
/// make each script repeat all of them for each.
fn brief(command: clap::Command) -> clap::Command {
    let is_setting = |arg: &clap::Arg| TABLE.iter().any(|(name, _, _)| *name == arg.get_id().as_str());
    let settings: Vec<clap::Arg> =
        command.get_arguments().filter(|arg| is_setting(arg)).map(|arg| arg.clone().global(false)).collect();
    let mut command = command.mut_args(|arg| if is_setting(&arg) { arg.global(false) } else { arg });
    for name in ["serve", "worker"] {
        command = command.mut_subcommand(name, |command| command.args(settings.clone()));
    }
    command
}

/// Writes a page for the program, and one for each command.
pub(crate) fn manual(folder: &Path, command: clap::Command) -> Result<(), CliError> {
    let source = format!("afterglow {}", command.get_version().unwrap_or_default());
    // Its first lines need not have all options, and a page is no short help.
    let command = command.display_name("afterglow").override_usage("afterglow [OPTIONS] <COMMAND>");
    let command = command.mut_args(|arg| arg.hide_short_help(false));
    let written = std::fs::create_dir_all(folder).and_then(|()| {
        pages(command, &source, folder)?;
        append(&folder.join("afterglow.1"))
    });
    written.map_err(|error| {
        CliError::context(&format!("The pages cannot be written to {}", folder.display()), &error)
    })
}

/// Before clap builds them: then each command has the settings too.
fn pages(command: clap::Command, source: &str, folder: &Path) -> io::Result<()> {
    let command = command.disable_help_subcommand(true);
    let title = command.get_display_name().unwrap_or_default().to_owned();
    for command in command.get_subcommands() {
        let title = format!("{title}-{}", command.get_name());
        let line = title.replace('-', " ");
        pages(command.clone().display_name(title).bin_name(line), source, folder)?;
    }
    Man::new(command).source(source).generate_to(folder).map(|_| ())
}

/// What clap does not know.
fn append(page: &Path) -> io::Result<()> {
    let mut roff = Roff::new();
    roff.control("SH", ["FILES"]);
    for (name, meaning) in FILES {
        roff.control("TP", []).text([bold(name)]).text([roman(meaning)]);
    }
    for (title, text) in NOTES {
        roff.control("SH", [title]).text([roman(text)]);
    }
    let text = std::fs::read_to_string(page)?;
    std::fs::write(page, text + &roff.to_roff())
}
