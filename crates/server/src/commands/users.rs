//! `afterglow user`.

use api::operations::administration::AccountBody;
use app::accounts::registrations::Registration;
use app::operations::administration::Administration;
use app::operations::administration::accounts::{self, Query, Shown};
use app::operations::{operator_accounts, operators};
use domain::operations::administration::Reason;

use super::passwords;
use crate::cli::{CliError, print, print_json};
use crate::settings::Settings;
use crate::wiring;

/// What can be done with accounts.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// List accounts, oldest first.
    List {
        /// Those alone whose address or name has this part, whatever its case.
        #[arg(long, value_name = "TEXT")]
        find: Option<String>,
        /// Print them as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print what there is of an account.
    Show {
        /// Address of the account.
        email: String,
        /// Print it as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Make an account, whose address counts as verified.
    Create {
        /// Its address.
        email: String,
        /// Make it an administrator's.
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
    /// Print a link that logs the owner of an account in without a password, once, within an hour.
    LoginLink {
        /// Address of the account.
        email: String,
    },
    /// Make an account an administrator's, or a photographer's like every other.
    Admin {
        /// Address of the account.
        email: String,
        /// Which of the two.
        #[arg(value_enum)]
        state: State,
    },
    /// Take the second factor from an account whose owner has lost it. A mail tells of it.
    ResetSecondFactor {
        /// Address of the account.
        email: String,
    },
    /// Verify the address of an account without a mail.
    Verify {
        /// Address of the account.
        email: String,
    },
    /// Lock an account: its sessions end, and nobody logs in to it. Guests reach its events as before.
    Lock {
        /// Address of the account.
        email: String,
        /// Why, for administrators.
        #[arg(long)]
        reason: String,
    },
    /// Unlock an account.
    Unlock {
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
    // The first account may be made before the first start.
    let context = if matches!(command, Command::Create { .. }) {
        wiring::beginning_context(settings).await?
    } else {
        wiring::operator_context(settings).await?
    };
    match command {
        Command::List { find, json } => {
            let accounts = list(&context.administration(), find).await?;
            if json {
                return print_json(&accounts.into_iter().map(AccountBody::from).collect::<Vec<_>>());
            }
            print(&accounts.iter().map(line).collect::<String>())
        }
        Command::Show { email, json } => {
            let account = accounts::by_address(&context.administration(), &email).await?;
            if json {
                return print_json(&AccountBody::from(account));
            }
            print(&description(&account))
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
        Command::LoginLink { email } => {
            let (user, path) = operator_accounts::login_link(&context, &email).await?;
            let public_url = settings.public_url(settings.listen.port());
            print(&format!(
                "{} can log in with this link, once, within an hour:\n{public_url}{path}\n",
                user.email
            ))
        }
        Command::ResetSecondFactor { email } => {
            let (user, removed) = operator_accounts::remove_second_factor(&context, &email).await?;
            let what = if removed { "has no second factor any more" } else { "has no second factor" };
            print(&format!("{} {what}.\n", user.email))
        }
        Command::Verify { email } => {
            let user = operators::verify_user(&context, &email).await?;
            print(&format!("{} is verified.\n", user.email))
        }
        Command::Lock { email, reason } => {
            let user = operators::user(&context, &email).await?;
            accounts::lock(&context.administration(), user.id, &Reason::parse(&reason)?).await?;
            print(&format!("{} is locked. Every session has ended.\n", user.email))
        }
        Command::Unlock { email } => {
            let user = operators::user(&context, &email).await?;
            accounts::unlock(&context.administration(), user.id).await?;
            print(&format!("{} is not locked.\n", user.email))
        }
        Command::Logout { email, all: _ } => {
            let ended = operators::end_sessions(&context, email.as_deref()).await?;
            print(&format!("Ended {ended} {}.\n", if ended == 1 { "session" } else { "sessions" }))
        }
    }
}

/// Every account that is looked for, oldest first.
async fn list(administration: &Administration, find: Option<String>) -> Result<Vec<Shown>, CliError> {
    let (mut all, mut cursor) = (Vec::new(), None);
    loop {
        let query = Query { text: find.clone(), limit: Some(100), cursor };
        let page = accounts::page(administration, query).await?;
        all.extend(page.accounts);
        cursor = page.next_cursor;
        if cursor.is_none() {
            all.reverse();
            return Ok(all);
        }
    }
}

fn line(Shown { account, .. }: &Shown) -> String {
    let user = &account.user;
    let verified = if user.email_verified_at.is_some() { "verified" } else { "not verified" };
    let premium = if user.premium_since.is_some() { "  premium" } else { "" };
    let admin = if user.is_admin { "  administrator" } else { "" };
    let locked = if user.locked_at.is_some() { "  locked" } else { "" };
    let made = user.created_at.to_rfc3339();
    format!(
        "{}  {}  {verified}  {} credits{premium}{admin}{locked}  since {made}\n",
        user.email, user.name, user.credits
    )
}

fn description(shown: &Shown) -> String {
    let (account, events) = (&shown.account, &shown.events);
    let login = account.last_login_at.map_or_else(|| String::from("not known"), |at| at.to_rfc3339());
    let mut text = line(shown);
    if let Some(at) = account.user.locked_at {
        let reason = account.lock_reason.as_deref().unwrap_or_default();
        text.push_str(&format!("locked at {}: {reason}\n", at.to_rfc3339()));
    }
    text.push_str(&format!(
        "{} events, {} photos with {} bytes, last login {login}\n",
        events.events,
        events.photos + account.library_photos,
        events.bytes + account.library_bytes
    ));
    text
}
