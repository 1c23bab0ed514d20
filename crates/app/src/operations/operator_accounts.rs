//! The operator's commands about single accounts: who can log in, and as what.

use domain::Randomness;
use domain::accounts::{Password, User};

use crate::PasswordCost;
use crate::Result;
use crate::accounts;
use crate::accounts::passwords;
use crate::accounts::registrations::{self, Registration, Row};
use crate::accounts::second_factors;
use crate::accounts::single_sign_on;
use crate::operations::operators::{self, OperatorContext};
use crate::operations::runtime::tasks;

/// Length of a generated password: almost 100 bits.
const GENERATED_LENGTH: usize = 20;

/// A password that nobody has to think of.
pub fn generate_password(randomness: &Randomness) -> String {
    randomness.alphanumeric(GENERATED_LENGTH)
}

/// Makes an account with its free credit; the operator vouches for the address.
///
/// # Errors
/// The refusals of the fields, and [`domain::Refusal::EmailTaken`].
pub async fn create(context: &OperatorContext, form: Registration, is_admin: bool) -> Result<User> {
    let account = form.parse()?;
    let password_hash = hash(context, account.password).await?;
    let OperatorContext { clock, randomness, .. } = context;
    let now = clock.now();
    let mut tx = context.queue().begin().await?;
    let row = Row {
        id: randomness.id(clock),
        credit: randomness.id(clock),
        name: account.name,
        email: account.email,
        password_hash,
        is_admin,
        is_verified: true,
        language: account.language,
    };
    let user = registrations::create(&mut tx, row, now).await?;
    tx.commit().await?;
    Ok(user)
}

/// Sets the password of an account: every session ends, a notice is mailed, and wrong passwords that were tried are forgotten,
/// so that its owner can log in at once.
///
/// # Errors
/// The refusals of the password, and one when there is no such account.
pub async fn set_password(context: &OperatorContext, email: &str, password: String) -> Result<User> {
    let password = Password::parse(password)?;
    let user = operators::user(context, email).await?;
    let hash = hash(context, password).await?;
    let OperatorContext { db, clock, randomness, .. } = context;
    let known = storage::accounts::known_networks::of_user(db, user.id).await?;
    let mut tx = context.queue().begin().await?;
    passwords::replace(&mut tx, &user, &hash, [randomness.id(clock), randomness.id(clock)], clock.now())
        .await?;
    for key in [accounts::login_of(&user.email), passwords::check_of(user.id)].iter().chain(&known) {
        storage::accounts::password_attempts::clear(&mut tx, key).await?;
    }
    tx.commit().await?;
    Ok(user)
}

/// Takes the second factor from an account whose owner has lost it, and mails that it was; false when there is none. Wrong codes
/// that were tried are forgotten.
///
/// # Errors
/// A refusal when there is no such account.
pub async fn remove_second_factor(context: &OperatorContext, email: &str) -> Result<(User, bool)> {
    let user = operators::user(context, email).await?;
    let OperatorContext { clock, randomness, .. } = context;
    let mut tx = context.queue().begin().await?;
    let removed = second_factors::take_away(&mut tx, &user, randomness.id(clock), clock.now()).await?;
    storage::accounts::password_attempts::clear(&mut tx, &second_factors::codes_of(user.id)).await?;
    tx.commit().await?;
    Ok((user, removed))
}

/// Makes an account an administrator's, or a photographer's like every other.
///
/// # Errors
/// A refusal when there is no such account, and [`domain::Refusal::LastAdministrator`].
pub async fn set_admin(context: &OperatorContext, email: &str, is_admin: bool) -> Result<User> {
    let user = operators::user(context, email).await?;
    let mut tx = context.queue().begin().await?;
    if !is_admin {
        let administrators = storage::operations::administration::administrators(&mut tx).await?;
        domain::operations::administration::check_not_last(user.id, &administrators)?;
    }
    storage::accounts::users::set_admin(&mut tx, user.id, is_admin).await?;
    tx.commit().await?;
    Ok(user)
}

/// Makes a link that logs the owner of an account in without a password, once, within an hour; answers its path.
///
/// # Errors
/// A refusal when there is no such account.
pub async fn login_link(context: &OperatorContext, email: &str) -> Result<(User, String)> {
    let user = operators::user(context, email).await?;
    let OperatorContext { clock, randomness, .. } = context;
    let mut tx = context.queue().begin().await?;
    let path = single_sign_on::login_path(&mut tx, user.id, randomness, clock).await?;
    tx.commit().await?;
    Ok((user, path))
}

async fn hash(context: &OperatorContext, password: Password) -> Result<String> {
    let salt = context.randomness.bytes();
    tasks::blocking(move || passwords::hash_blocking(&password, &salt, PasswordCost::Recommended)).await?
}
