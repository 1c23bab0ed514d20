//! `afterglow event`.

use api::operations::administration::SizedEventBody;
use app::Failure;
use app::events::recently_deleted;
use app::operations::administration::Administration;
use app::operations::administration::events::{self, Shown};
use domain::Refusal;
use domain::events::keeping::Keeping;

use crate::cli::{CliError, print, print_json};
use crate::settings::Settings;
use crate::wiring;

/// What can be done with events.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// List the largest events of all accounts.
    List {
        /// How many.
        #[arg(long, default_value_t = 100, value_name = "EVENTS")]
        limit: usize,
        /// Print them as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Remove a deleted event for good, without waiting until its week in the trash is over.
    Purge {
        /// Its id.
        id: String,
    },
}

/// Runs a command.
pub(crate) async fn run(command: Command, settings: &Settings) -> Result<(), CliError> {
    let administration = wiring::operator_context(settings).await?.administration();
    match command {
        Command::List { limit, json } => list(&administration, wiring::keeping(settings)?, limit, json).await,
        Command::Purge { id } => {
            let id = id.parse().map_err(|_| Failure::from(Refusal::EventNotFound))?;
            recently_deleted::purge_any(&administration, id).await?;
            print("It is removed for good by the running service, or once it runs again.\n")
        }
    }
}

async fn list(
    administration: &Administration,
    keeping: Keeping,
    limit: usize,
    json: bool,
) -> Result<(), CliError> {
    let (mut all, mut cursor) = (Vec::new(), None::<String>);
    while all.len() < limit {
        let page = events::page(administration, keeping, Some(100), cursor.as_deref());
        let page = page.await?;
        all.extend(page.events);
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    all.truncate(limit);
    if json {
        return print_json(&all.into_iter().map(SizedEventBody::from).collect::<Vec<_>>());
    }
    print(&all.iter().map(line).collect::<String>())
}

fn line(Shown { sized, expires_at }: &Shown) -> String {
    let event = &sized.event;
    let expiry = expires_at.map_or_else(|| String::from("never"), |at| at.to_rfc3339());
    let deleting = if event.deleting_since.is_some() { "  being deleted" } else { "" };
    format!(
        "{} bytes  {} photos  {}  {}  {}  expires {expiry}{deleting}\n",
        sized.bytes, event.indexing.total, sized.owner_email, event.slug, event.name
    )
}
