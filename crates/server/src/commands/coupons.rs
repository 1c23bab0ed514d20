//! `afterglow coupon`.

use app::operations::operators::{self, NewCoupon};
use domain::Paise;
use domain::payments::coupons::{Coupon, Discount};

use crate::cli::{CliError, print};
use crate::settings::Settings;
use crate::wiring;

/// What can be done with coupons.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Make a coupon for the premium plan.
    Create {
        /// What a person types; case does not matter.
        code: String,
        /// Percent it takes off the price, 1 to 100.
        #[arg(long, required_unless_present = "rupees", conflicts_with = "rupees")]
        percent: Option<i64>,
        /// Rupees it takes off the price.
        #[arg(long)]
        rupees: Option<f64>,
        /// First day on which it is good, as YYYY-MM-DD (UTC).
        #[arg(long)]
        from: Option<String>,
        /// Last day on which it is good, as YYYY-MM-DD (UTC).
        #[arg(long)]
        until: Option<String>,
        /// How often it can be used in all.
        #[arg(long)]
        uses: Option<i64>,
        /// How often one account can use it.
        #[arg(long)]
        uses_per_user: Option<i64>,
    },
    /// List every coupon, newest first.
    List,
}

/// Runs a command.
pub(crate) async fn run(command: Command, settings: &Settings) -> Result<(), CliError> {
    let context = wiring::operator_context(settings).await?;
    match command {
        Command::Create { code, percent, rupees, from, until, uses, uses_per_user } => {
            let discount = match (percent, rupees) {
                (Some(percent), _) => Discount::Percent(percent),
                (None, rupees) => Discount::Fixed(Paise::from_rupees_rounded(rupees.unwrap_or_default())?),
            };
            let new = NewCoupon { code, discount, from, until, uses, uses_per_user };
            let (coupon, too_much) = operators::create_coupon(&context, new).await?;
            if too_much {
                tracing::warn!("this coupon leaves less than 1 rupee of the price, which cannot be paid");
            }
            print(&line(&coupon))
        }
        Command::List => {
            let coupons = operators::coupons(&context).await?;
            print(&coupons.iter().map(line).collect::<String>())
        }
    }
}

fn line(coupon: &Coupon) -> String {
    let off = match coupon.discount {
        Discount::Percent(percent) => format!("{percent} %"),
        Discount::Fixed(amount) => format!("₹{amount}"),
    };
    let mut line = format!("{}  {off}  used {}", coupon.code, coupon.uses);
    if let Some(max) = coupon.max_uses {
        line.push_str(&format!(" of {max}"));
    }
    if let Some(max) = coupon.max_uses_per_user {
        line.push_str(&format!("  {max} an account"));
    }
    if let Some(from) = coupon.valid_from {
        line.push_str(&format!("  from {}", from.to_rfc3339()));
    }
    if let Some(until) = coupon.valid_until {
        line.push_str(&format!("  until {}", until.to_rfc3339()));
    }
    line.push('\n');
    line
}
