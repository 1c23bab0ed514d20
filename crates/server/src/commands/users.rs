//! `afterglow user`.

use app::registrations::Registration;
use app::{operator_accounts, operators};

use super::passwords;
use crate::cli::{CliError, print};
use crate::settings::Settings;
use crate::wiring;

/// What can be done with accounts.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// List every account, oldest first.
    List,
    /// Make an account, whose address counts as verified.
    Create {
        /// Its address.
        email: String,
        /// Make it an administrator's, as the first account always is.
        #[arg(long)]
        admin: bool,
        /// The person's name; without it what is before the @ of the address.
        #[arg(long)]
        name: Option<String>,
        #[command(flatten)]
        password: passwords::Source,
    },
    /// Set the password of an account, and end its sessions.
    Password {
        /// Address of the account.
        email: String,
        #[command(flatten)]
        password: passwords::Source,
    },
    /// Make an account an administrator's, or a photographer's like every other.
    Admin {
        /// Address of the account.
        email: String,
        /// Which of the two.
        #[arg(value_enum)]
        state: State,
    },
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

/// Whether an account is an administrator's.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum State {
    /// It is.
    On,
    /// It is not.
    Off,
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
                let admin = if user.is_admin { "  administrator" } else { "" };
                let made = user.created_at.to_rfc3339();
                format!(
                    "{}  {}  {verified}  {} credits{premium}{admin}  since {made}\n",
                    user.email, user.name, user.credits
                )
            });
            print(&lines.collect::<String>())
        }
        Command::Create { email, admin, name, password } => {
            let password = password.choose()?;
            let before = email.trim().split('@').next().unwrap_or_default();
            let name = name.unwrap_or_else(|| before.to_owned());
            let note = password.note();
            let form = Registration { name, email, password: password.text };
            let user = operator_accounts::create(&context, form, admin).await?;
            let what = if user.is_admin { "an administrator" } else { "a photographer" };
            print(&format!("{} is {what} now.\n{note}", user.email))
        }
        Command::Password { email, password } => {
            let password = password.choose()?;
            let note = password.note();
            let user = operator_accounts::set_password(&context, &email, password.text).await?;
            print(&format!("{} has a new password. Every session has ended.\n{note}", user.email))
        }
        Command::Admin { email, state } => {
            let is_admin = matches!(state, State::On);
            let user = operator_accounts::set_admin(&context, &email, is_admin).await?;
            let what = if is_admin { "an administrator" } else { "no administrator" };
            print(&format!("{} is {what} now.\n", user.email))
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
