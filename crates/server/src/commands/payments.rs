//! `afterglow payment`.

use api::operations::administration::{FailedOrderBody, RefundDueBody};
use app::operations::administration::payments::{self, FailedOrder, RefundDue};
use app::operations::operators;
use domain::Paise;
use domain::payments::RefundStatus;

use crate::cli::{CliError, print, print_json};
use crate::settings::Settings;
use crate::wiring;

/// What can be done about payments.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// List payments that bought nothing, oldest first: of an order that was paid already, of a closed account, a second
    /// premium plan, over another amount than the order's.
    Refunds {
        /// Print them as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Return the money of a payment through the provider.
    ///
    /// What it bought is taken back, the doubled part of a first recharge too, but never more than the account has. Run
    /// again after an interruption, it goes on with the same refund.
    Refund {
        /// The provider's id of the payment, `pay_…`.
        payment: String,
    },
    /// List orders that the provider does not know, or over another amount, newest first.
    Failed {
        /// Print them as JSON.
        #[arg(long)]
        json: bool,
    },
}

/// Runs a command.
pub(crate) async fn run(command: Command, settings: &Settings) -> Result<(), CliError> {
    let context = wiring::operator_context(settings).await?;
    match command {
        Command::Refunds { json } => refunds(payments::refunds_due(&context.administration()).await?, json),
        Command::Refund { payment } => {
            let payments = wiring::operator_payments(settings, &context).await?;
            let refund = operators::refund(&context, &payments, &payment).await?;
            let state = match refund.status {
                RefundStatus::Processed => "is refunded",
                RefundStatus::Requested | RefundStatus::Pending => "is being refunded",
                RefundStatus::Failed => "could not be refunded",
            };
            let mut text = format!("Payment {payment} {state}: ₹{}.\n", refund.amount);
            if refund.credits_taken > Paise::ZERO {
                text.push_str(&format!("{} credits are taken back.\n", refund.credits_taken));
            }
            if refund.credits_missing > Paise::ZERO {
                let missing = refund.credits_missing;
                text.push_str(&format!("{missing} credits are missing: the account has spent them.\n"));
            }
            print(&text)
        }
        Command::Failed { json } => failed(payments::failed_orders(&context.administration()).await?, json),
    }
}

fn failed(orders: Vec<FailedOrder>, json: bool) -> Result<(), CliError> {
    if json {
        return print_json(&orders.into_iter().map(FailedOrderBody::from).collect::<Vec<_>>());
    }
    if orders.is_empty() {
        return print("No order has failed.\n");
    }
    let lines = orders.iter().map(|FailedOrder { order, .. }| {
        let failed_at = order.settled_at.unwrap_or(order.created_at).to_rfc3339();
        let id = order.provider_order_id.as_deref().unwrap_or("unknown");
        let reason = order.failure.as_deref().unwrap_or("unknown");
        format!("{failed_at}  ₹{}  order {id} of {}: {reason}\n", order.amount, order.provider)
    });
    print(&lines.collect::<String>())
}

fn refunds(due: Vec<RefundDue>, json: bool) -> Result<(), CliError> {
    if json {
        return print_json(&due.into_iter().map(RefundDueBody::from).collect::<Vec<_>>());
    }
    if due.is_empty() {
        return print("No refund is due.\n");
    }
    let lines = due.iter().map(|due| {
        let payment = &due.payment;
        let email = due.user.as_ref().map_or("a closed account", |user| user.email.as_str());
        let paid_at = payment.captured_at.to_rfc3339();
        let reason = payment.outcome.refund_reason().unwrap_or_default();
        format!(
            "{paid_at}  {email}  ₹{}  payment {} of {}: {reason}\n",
            payment.amount, payment.payment_id, payment.provider
        )
    });
    print(&lines.collect::<String>())
}
