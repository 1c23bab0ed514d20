//! `afterglow payment`.

use std::process::ExitCode;

use api::operations::administration::{FailedOrderBody, RefundDueBody};
use app::operations::administration::payments::{self, FailedOrder, RefundDue};
use app::operations::operators::{self, OperatorContext};
use app::payments::comparison::{Comparison, Found, PERIOD};
use domain::payments::RefundStatus;
use domain::{DAY, Paise, Timestamp};
use gateway::payments::SANDBOX;

use crate::cli::{CliError, print, print_json};
use crate::settings::Settings;
use crate::wiring;

/// What can be done about payments.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// List payments that bought nothing, oldest first: of an order that was paid already, of a closed account, a second
    /// premium plan, over another amount than the order's, with a coupon that had no use left.
    Refunds {
        /// Print them as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Return the money of a payment through the provider; ends with 1 when that has failed.
    ///
    /// What it bought is taken back, the doubled part of a first recharge too, but never more than the account has. Run
    /// again after an interruption, it goes on with the same refund.
    Refund {
        /// The provider's id of the payment, `pay_…`.
        payment: String,
    },
    /// Compare payments and refunds with the provider's, and mend what differs.
    ///
    /// The service does so each night for the last 30 days. After a back-up was restored, compare from the day of the back-up
    /// on: payments that it lacks are credited, refunds taken back, orders made anew.
    Compare {
        /// The first day (UTC), as YYYY-MM-DD; 30 days ago without it.
        #[arg(long, value_name = "DAY")]
        since: Option<String>,
        /// The last day (UTC), as YYYY-MM-DD; today without it.
        #[arg(long, value_name = "DAY")]
        until: Option<String>,
        /// Print what differs, and change nothing.
        #[arg(long)]
        dry_run: bool,
    },
    /// List orders that the provider does not know, or over another amount, or whose coupon was used up, newest first.
    Failed {
        /// Print them as JSON.
        #[arg(long)]
        json: bool,
    },
}

/// Runs a command.
pub(crate) async fn run(command: Command, settings: &Settings) -> Result<ExitCode, CliError> {
    let context = wiring::operator_context(settings).await?;
    match command {
        Command::Compare { since, until, dry_run } => {
            let now = context.clock.now();
            let from = since.as_deref().map(operators::start_of_day).transpose()?;
            let last = until.as_deref().map(operators::start_of_day).transpose()?;
            let (from, to) =
                (from.unwrap_or(now.minus(PERIOD)), last.map_or(now, |day| day.plus(DAY)).min(now));
            return compare(settings, &context, from, to, !dry_run).await;
        }
        Command::Refunds { json } => {
            let provider = provider_name(settings)?;
            refunds(payments::refunds_due(&context.administration(), provider).await?, json)
        }
        Command::Refund { payment } => {
            let provider = wiring::operator_payments(settings, &context).await?;
            let refund = payments::refund(&context.administration(), &provider, &payment).await?;
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
            print(&text)?;
            let has_failed = refund.status == RefundStatus::Failed;
            return Ok(if has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS });
        }
        Command::Failed { json } => {
            let provider = provider_name(settings)?;
            failed(payments::failed_orders(&context.administration(), provider).await?, json)
        }
    }?;
    Ok(ExitCode::SUCCESS)
}

/// The name of the provider that is configured.
fn provider_name(settings: &Settings) -> Result<&'static str, CliError> {
    Ok(wiring::payments(settings)?.map_or(SANDBOX, |payments| payments.provider()))
}

/// Exits with 1 when a difference is left.
async fn compare(
    settings: &Settings,
    context: &OperatorContext,
    from: Timestamp,
    to: Timestamp,
    mends: bool,
) -> Result<ExitCode, CliError> {
    let Some(provider) = wiring::payments(settings)? else {
        print("The sandbox takes the place of the payment provider: there is nothing to compare with.\n")?;
        return Ok(ExitCode::SUCCESS);
    };
    if from >= to {
        return Err(CliError::new("The period ends before it begins."));
    }
    let Comparison { payments, found } =
        operators::compare_payments(context, &provider, from, to, mends).await?;
    for Found { difference, is_mended } in &found {
        let verdict = match (mends, is_mended) {
            (false, _) => "",
            (true, true) => " [mended]",
            (true, false) => " [left alone]",
        };
        print(&format!("{difference}{verdict}\n"))?;
    }
    let (from, to) = (from.to_rfc3339(), to.to_rfc3339());
    let left = found.iter().filter(|found| !found.is_mended).count();
    print(&match (found.len(), left) {
        (0, _) => format!("{payments} payments from {from} to {to}: all as at the provider.\n"),
        (1, left) => format!("{payments} payments from {from} to {to}: 1 difference, {left} left.\n"),
        (differences, left) => {
            format!("{payments} payments from {from} to {to}: {differences} differences, {left} left.\n")
        }
    })?;
    Ok(if left == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
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
