//! The operator's commands that need only the database.

use domain::accounts::{EmailAddress, User};
use domain::operations::administration::Reason;
use domain::payments::coupons::{CODE_LENGTH, Coupon, Discount};
use domain::payments::invoices::Seller;
use domain::payments::money::{ORDER_MIN, PREMIUM_PRICE};
use domain::{Clock, CouponId, DAY, Paise, Randomness, Refusal, Timestamp, events};

use gateway::Payments;

use crate::operations::administration::credits::{self, Change};
use crate::operations::administration::{Administration, accounts};
use crate::operations::runtime::queue::JobQueue;
use crate::payments::comparison::{self, Comparison};
use crate::{Failure, Result};

/// The state that the operator's commands work with.
pub struct OperatorContext {
    /// The database.
    pub db: storage::Db,
    /// The source of the current time.
    pub clock: Clock,
    /// The source of ids.
    pub randomness: Randomness,
    /// Who is named on invoices; without one there are none.
    pub seller: Option<Seller>,
}

impl OperatorContext {
    /// The job queue; workers in other processes find by themselves what is added to it.
    pub(crate) fn queue(&self) -> JobQueue {
        JobQueue::new(self.db.clone(), self.clock.clone(), self.randomness.clone())
    }

    /// What the operator does as an administrator, on the machine itself.
    pub fn administration(&self) -> Administration {
        let Self { db, clock, randomness, seller } = self;
        Administration::on_the_machine(db.clone(), clock.clone(), randomness.clone(), seller.clone())
    }
}

/// Every open account, oldest first.
pub async fn users(context: &OperatorContext) -> Result<Vec<User>> {
    Ok(storage::accounts::users::list(&context.db).await?)
}

/// How many searches were answered under which version of the notice about selfies, by day, oldest first.
pub async fn consents(context: &OperatorContext) -> Result<Vec<storage::faces::consents::Agreed>> {
    Ok(storage::faces::consents::all(&context.db).await?)
}

/// The account whose address in force this is.
///
/// # Errors
/// A refusal when there is none.
pub async fn user(context: &OperatorContext, email: &str) -> Result<User> {
    let email = EmailAddress::parse(email)?;
    let found = storage::accounts::users::credentials(&context.db, &email).await?;
    let unknown = || Refusal::Malformed(format!("There is no account with the address {email}."));
    Ok(found.ok_or_else(unknown)?.user)
}

/// Verifies the address in force of an account without a mail.
///
/// # Errors
/// A refusal when there is no such account.
pub async fn verify_user(context: &OperatorContext, email: &str) -> Result<User> {
    let user = user(context, email).await?;
    accounts::verify(&context.administration(), user.id).await?;
    Ok(user)
}

/// Ends every session of an account, or of every account, and answers their number.
///
/// # Errors
/// A refusal when there is no such account.
pub async fn end_sessions(context: &OperatorContext, email: Option<&str>) -> Result<u64> {
    let accounts = match email {
        Some(email) => vec![user(context, email).await?],
        None => users(context).await?,
    };
    let mut tx = context.db.begin().await?;
    let mut ended = 0;
    for account in accounts {
        ended += storage::accounts::sessions::delete_all(&mut tx, account.id).await?;
    }
    tx.commit().await?;
    Ok(ended)
}

/// Compares what the provider has from `from` to `to` with what is here, and mends it if asked to.
///
/// # Errors
/// When the provider or the database cannot be asked.
pub async fn compare_payments(
    context: &OperatorContext,
    payments: &Payments,
    from: Timestamp,
    to: Timestamp,
    mends: bool,
) -> Result<Comparison> {
    comparison::compare(&context.administration().books(payments), from, to, mends).await
}

/// Adds credits to an account as an adjustment of its ledger, or takes them from it, and returns the balance.
///
/// # Errors
/// A refusal when there is no such account, the amount is 0, the balance does not suffice, or credits are taken without a
/// reason.
pub async fn grant(
    context: &OperatorContext,
    email: &str,
    rupees: f64,
    reason: Option<&str>,
) -> Result<Paise> {
    let reason = reason.filter(|reason| !reason.trim().is_empty()).map(Reason::parse).transpose()?;
    if rupees < 0.0 && reason.is_none() {
        return Err(Refusal::Malformed(String::from("Taking credits needs a reason (--reason).")).into());
    }
    let user = user(context, email).await?;
    let too_few = || Refusal::Malformed(format!("{email} has only {} credits.", user.credits));
    let change = Change { key: None, rupees, reason };
    match credits::change(&context.administration(), user.id, change).await {
        Ok(_) => {}
        Err(Failure::Refused(Refusal::CreditsTooFew)) => return Err(too_few().into()),
        Err(failure) => return Err(failure),
    }
    let after = storage::accounts::users::by_id(&context.db, user.id).await?;
    Ok(after.map_or(user.credits, |user| user.credits))
}

/// The data of a new coupon.
pub struct NewCoupon {
    /// The code that a customer enters.
    pub code: String,
    /// By how much it reduces the price.
    pub discount: Discount,
    /// The first day on which it is valid, as YYYY-MM-DD (UTC).
    pub from: Option<String>,
    /// The last day on which it is valid, as YYYY-MM-DD (UTC).
    pub until: Option<String>,
    /// How often it can be used in all.
    pub uses: Option<i64>,
    /// How often one account can use it.
    pub uses_per_user: Option<i64>,
}

/// Creates a coupon. Also returns whether it leaves something of the premium plan's price, but less than the smallest payment.
///
/// # Errors
/// A refusal that says what is wrong with it.
pub async fn create_coupon(context: &OperatorContext, new: NewCoupon) -> Result<(Coupon, bool)> {
    let no = |text: &str| Refusal::Malformed(text.to_owned());
    let code = new.code.trim().to_owned();
    let length = code.chars().count();
    if length == 0 || length > CODE_LENGTH || code.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err(no("A code has 1 to 50 characters and no spaces.").into());
    }
    let good = match new.discount {
        Discount::Percent(percent) => (1..=100).contains(&percent),
        Discount::Fixed(amount) => amount > Paise::ZERO,
    };
    if !good {
        return Err(no("A discount is 1 to 100 percent, or more than 0 rupees.").into());
    }
    if [new.uses, new.uses_per_user].into_iter().flatten().any(|uses| uses < 1) {
        return Err(no("A coupon can be used at least once.").into());
    }
    let valid_from = new.from.as_deref().map(start_of_day).transpose()?;
    let valid_until = new.until.as_deref().map(start_of_day).transpose()?.map(|last_day| last_day.plus(DAY));
    if let (Some(from), Some(until)) = (valid_from, valid_until)
        && from >= until
    {
        return Err(no("A coupon ends after it begins.").into());
    }
    let coupon = Coupon {
        id: context.randomness.id::<CouponId>(&context.clock),
        code,
        discount: new.discount,
        valid_from,
        valid_until,
        max_uses: new.uses,
        max_uses_per_user: new.uses_per_user,
        uses: 0,
        created_at: context.clock.now(),
    };
    let mut tx = context.db.begin().await?;
    if !storage::payments::coupons::create(&mut tx, &coupon).await? {
        return Err(no("There is a coupon with this code.").into());
    }
    tx.commit().await?;
    let rest = PREMIUM_PRICE.get() - coupon.discount.of(PREMIUM_PRICE).get();
    Ok((coupon, rest > 0 && Paise::new(rest) < ORDER_MIN))
}

/// The beginning of a day that is written as YYYY-MM-DD (UTC).
///
/// # Errors
/// A refusal for what is not such a day.
pub fn start_of_day(date: &str) -> Result<Timestamp> {
    Ok(Timestamp::start_of_day(events::parse_date(date)?))
}

/// Every coupon, newest first.
pub async fn coupons(context: &OperatorContext) -> Result<Vec<Coupon>> {
    Ok(storage::payments::coupons::list(&context.db).await?)
}

#[cfg(test)]
mod tests {
    use domain::payments::ledger::LedgerKind;

    use super::*;

    fn coupon(code: &str, discount: Discount) -> NewCoupon {
        NewCoupon {
            code: code.to_owned(),
            discount,
            from: None,
            until: None,
            uses: None,
            uses_per_user: None,
        }
    }

    #[tokio::test]
    async fn coupons_are_made_once_and_only_when_they_make_sense() {
        // [PAY076] [PAY077] [PAY078] [RUN011] [RUN012] [X30]
        for database in storage::testing::engines().await {
            let clock = Clock::fixed(Timestamp::from_millis(1_795_165_200_000));
            let context = OperatorContext {
                db: database.db.clone(),
                clock,
                randomness: Randomness::seeded(1),
                seller: None,
            };
            let until =
                NewCoupon { until: Some(String::from("2026-12-31")), ..coupon("NY", Discount::Percent(50)) };
            let (made, too_much) = create_coupon(&context, until).await.unwrap();
            assert_eq!(made.valid_until.unwrap().to_rfc3339(), "2027-01-01T00:00:00.000Z");
            assert!(!too_much);
            // What leaves nothing to pay needs no payment, what leaves too little for one is warned about.
            let all = coupon("ALL", Discount::Percent(100));
            assert!(!create_coupon(&context, all).await.unwrap().1);
            let nearly = coupon("NEARLY", Discount::Fixed(Paise::new(PREMIUM_PRICE.get() - 1)));
            assert!(create_coupon(&context, nearly).await.unwrap().1);
            for bad in [
                coupon("ny", Discount::Percent(10)),
                coupon(" ", Discount::Percent(10)),
                coupon("A B", Discount::Percent(10)),
                coupon("A", Discount::Percent(0)),
                coupon("A", Discount::Percent(101)),
                coupon("A", Discount::Fixed(Paise::ZERO)),
                NewCoupon { uses: Some(0), ..coupon("A", Discount::Percent(10)) },
                NewCoupon { from: Some(String::from("soon")), ..coupon("A", Discount::Percent(10)) },
                NewCoupon {
                    from: Some(String::from("2026-12-02")),
                    until: Some(String::from("2026-12-01")),
                    ..coupon("A", Discount::Percent(10))
                },
            ] {
                assert!(create_coupon(&context, bad).await.is_err());
            }
            let codes: Vec<_> =
                coupons(&context).await.unwrap().into_iter().map(|coupon| coupon.code).collect();
            assert_eq!(codes.len(), 3);
        }
    }

    #[tokio::test]
    async fn credits_are_granted_as_an_adjustment() {
        // [RUN013] [RUN014] [RUN015]
        for database in storage::testing::engines().await {
            let clock = Clock::fixed(Timestamp::from_millis(1_795_165_200_000));
            let context = OperatorContext {
                db: database.db.clone(),
                clock,
                randomness: Randomness::seeded(1),
                seller: None,
            };
            let email = EmailAddress::parse("meera@example.com").unwrap();
            let new = storage::accounts::users::NewUser {
                id: context.randomness.id(&context.clock),
                email,
                name: String::from("Meera"),
                password_hash: String::from("none"),
                is_photographer: true,
                language: domain::accounts::languages::AccountLanguage::English,
                created_at: context.clock.now(),
            };
            let mut tx = context.db.begin().await.unwrap();
            assert!(storage::accounts::users::create(&mut tx, &new).await.unwrap());
            tx.commit().await.unwrap();
            assert_eq!(grant(&context, "Meera@example.com", 12.5, None).await.unwrap(), Paise::new(1_250));
            assert!(grant(&context, "meera@example.com", 0.0, None).await.is_err());
            assert!(grant(&context, "nobody@example.com", 1.0, None).await.is_err());
            context.clock.advance(std::time::Duration::from_millis(1));
            let take = async |rupees, reason| grant(&context, "meera@example.com", rupees, reason).await;
            assert!(take(-2.5, None).await.is_err(), "credits are taken with a reason");
            assert!(take(-2.5, Some(" ")).await.is_err());
            let more = take(-12.51, Some("Too many")).await.unwrap_err().to_string();
            assert_eq!(more, "meera@example.com has only 12.50 credits.");
            assert_eq!(take(-2.5, Some("Chargeback of May")).await.unwrap(), Paise::new(1_000));
            let entries = storage::payments::ledger::entries(&context.db, new.id).await.unwrap();
            assert_eq!(entries.len(), 2);
            assert!(entries.iter().all(|entry| entry.kind == LedgerKind::Adjustment));
            assert_eq!(entries[0].change, Paise::new(-250));
            assert_eq!(entries[0].reference.as_deref(), Some("Chargeback of May"));
            verify_user(&context, "meera@example.com").await.unwrap();
            assert!(users(&context).await.unwrap()[0].email_verified_at.is_some());
        }
    }
}
