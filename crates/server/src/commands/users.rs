//! `afterglow user`.

use app::operators;

use crate::cli::{CliError, print};
use crate::settings::Settings;
use crate::wiring;

/// What can be done with accounts.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// List every account, oldest first.
    List,
    /// Verify the address of an account without a mail.
    Verify {
        /// Address of the account.
        email: String,
    },
    /// End every session of an account, or of all accounts.
    Logout {
        /// Address of the account.
        #[arg(required_unless_present = "all", conflicts_with = "all")]
        email: Option<String>,
        /// The sessions of every account.
        #[arg(long)]
        all: bool,
    },
}

/// Runs a command.
pub(crate) async fn run(command: Command, settings: &Settings) -> Result<(), CliError> {
    let context = wiring::operator_context(settings).await?;
    match command {
        Command::List => {
            let users = operators::users(&context).await?;
            let lines = users.iter().map(|user| {
                let verified = if user.email_verified_at.is_some() { "verified" } else { "not verified" };
                let premium = if user.premium_since.is_some() { "  premium" } else { "" };
                let made = user.created_at.to_rfc3339();
                format!(
                    "{}  {}  {verified}  {} credits{premium}  since {made}\n",
                    user.email, user.name, user.credits
                )
            });
            print(&lines.collect::<String>())
        }
        Command::Verify { email } => {
            let user = operators::verify_user(&context, &email).await?;
            print(&format!("{} is verified.\n", user.email))
        }
        Command::Logout { email, all: _ } => {
            let ended = operators::end_sessions(&context, email.as_deref()).await?;
            print(&format!("Ended {ended} {}.\n", if ended == 1 { "session" } else { "sessions" }))
        }
    }
}
