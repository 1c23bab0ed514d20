//! `afterglow store`.

use app::operations::orphans::{self, Sweep};
use app::operations::stores;

use crate::cli::{CliError, print};
use crate::settings::Settings;
use crate::wiring;

/// What can be done with the media store.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Say whether the media store belongs to this database, and what the last sweep left alone.
    Show,
    /// Make the media store this database's. Another database that has it, a copy of this one too, has it no more.
    Adopt,
    /// Move every file that belongs to no photo, and is older than a day, to the trash, however many they are.
    Sweep,
}

/// Runs a command.
pub(crate) async fn run(command: Command, settings: &Settings) -> Result<(), CliError> {
    let (context, store) = (wiring::operator_context(settings).await?, wiring::store(settings)?);
    match command {
        Command::Show => {
            let status = stores::status(&context, &store).await?;
            let shown = |id: Option<String>| id.unwrap_or_else(|| String::from("none"));
            let mut text = format!(
                "Id in the database: {}\nId in the media store: {}\n{}\n",
                shown(status.id),
                shown(status.marker),
                status.bond
            );
            if let Some(held) = status.held {
                text.push_str(&format!("{}\n", orphans::explain(&held)));
            }
            print(&text)
        }
        Command::Adopt => {
            let bond = stores::adopt(&context, &store).await?;
            print(&format!("{bond} `afterglow check` says which originals are not in it.\n"))
        }
        Command::Sweep => match orphans::sweep_all(&context, &store).await? {
            Sweep::Swept(files) => print(&format!(
                "{files} files were moved to the trash, where they stay for {} days.\n",
                settings.trash_days
            )),
            Sweep::NotOwn(bond) => Err(CliError::new(bond.to_string())),
            Sweep::TooMany(held) => Err(CliError::new(orphans::explain(&held))),
            Sweep::Overtaken => Err(CliError::new("Another sweep has begun meanwhile.")),
        },
    }
}
