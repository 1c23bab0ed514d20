//! Hashing of passwords: Argon2id with the parameters OWASP recommends first for 19 MiB of memory
//! (m = 19456 KiB, t = 2, p = 1; OWASP Password Storage Cheat Sheet).

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use domain::accounts::Password;

use crate::{App, Failure, Result, blocking};

/// The hash of a password that nobody has. An unknown address is checked against it, so that it takes as long
/// as a wrong password.
const NOBODY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5J3Mgc2FsdCE$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

fn argon2() -> Argon2<'static> {
    let params = Params::new(19_456, 2, 1, None).unwrap_or_default();
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// The hash to keep of a password, in the PHC string format.
pub(crate) async fn hash(app: &App, password: Password) -> Result<String> {
    let salt: [u8; 16] = app.randomness.bytes();
    let _permit = app.inner.hashings.acquire().await.map_err(|_| shutting_down())?;
    blocking(move || {
        argon2().hash_password_with_salt(password.reveal().as_bytes(), &salt).map(|hash| hash.to_string())
    })
    .await?
    .map_err(|error| Failure::Broken(format!("a password could not be hashed: {error}")))
}

/// Whether `presented` is the password behind `kept`; takes as long, and answers no, when there is no `kept`.
pub(crate) async fn verify(app: &App, presented: String, kept: Option<String>) -> Result<bool> {
    let _permit = app.inner.hashings.acquire().await.map_err(|_| shutting_down())?;
    blocking(move || {
        let known = kept.is_some();
        let kept = kept.unwrap_or_else(|| String::from(NOBODY));
        let parsed = PasswordHash::new(&kept)
            .map_err(|error| Failure::Broken(format!("a kept password hash cannot be read: {error}")))?;
        Ok(argon2().verify_password(presented.as_bytes(), &parsed).is_ok() && known)
    })
    .await?
}

fn shutting_down() -> Failure {
    Failure::Refused(domain::Refusal::Busy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobodys_hash_can_be_read_and_costs_the_same() {
        // [AUTH009] [AUTH073]
        let nobody = PasswordHash::new(NOBODY).unwrap();
        assert_eq!(nobody.algorithm.as_str(), "argon2id");
        let made = argon2().hash_password_with_salt(b"secret", &[7; 16]).unwrap();
        assert_eq!(made.params.to_string(), nobody.params.to_string());
        assert_eq!(made.params.to_string(), "m=19456,t=2,p=1");
        assert!(argon2().verify_password(b"secret", &made).is_ok());
        assert!(argon2().verify_password(b"Secret", &made).is_err());
    }
}
