//! `afterglow payment`.

use app::operators;

use crate::cli::{CliError, print};
use crate::settings::Settings;
use crate::wiring;

/// What can be asked about payments.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// List payments that bought nothing, oldest first: premium plans of accounts that had one already.
    ///
    /// Give the money back at the provider. Afterglow does not learn of it, so a payment stays on the list.
    Refunds,
}

/// Runs a command.
pub(crate) async fn run(command: Command, settings: &Settings) -> Result<(), CliError> {
    let context = wiring::operator_context(settings).await?;
    let Command::Refunds = command;
    let due = operators::refunds_due(&context).await?;
    if due.is_empty() {
        return print("No refund is due.\n");
    }
    let lines = due.iter().map(|due| {
        let order = &due.order;
        let email = due.user.as_ref().map_or("a closed account", |user| user.email.as_str());
        let paid_at = order.settled_at.unwrap_or(order.created_at).to_rfc3339();
        let payment = order.payment_id.as_deref().unwrap_or("unknown");
        format!("{paid_at}  {email}  ₹{}  payment {payment} of {}\n", order.amount, order.provider)
    });
    print(&lines.collect::<String>())
}
