//! Photographers' accounts, and the validation of their fields.

pub mod api_tokens;
pub(crate) mod common_passwords;
pub mod deletion_receipts;
pub mod devices;
pub mod languages;
pub mod passkeys;
pub mod second_factor;
pub mod single_sign_on;
pub mod tokens;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;

use crate::accounts::languages::AccountLanguage;
use crate::operations::runtime::texts;
use crate::{DAY, Paise, Refusal, Timestamp, UserId};

/// Longest name of a person, in Unicode code points.
pub const NAME_LENGTH: usize = 200;
/// Shortest password, in Unicode code points.
pub const PASSWORD_MIN: usize = 6;
/// Longest password, in Unicode code points; hashing takes longer for longer ones.
pub const PASSWORD_MAX: usize = 128;
/// Longest e-mail address (RFC 5321, 4.5.3.1.3 less the angle brackets).
const EMAIL_LENGTH: usize = 254;

/// A photographer's account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// Its id.
    pub id: UserId,
    /// The current address, spelled as it was entered.
    pub email: EmailAddress,
    /// A requested new address that is not in force yet.
    pub pending_email: Option<EmailAddress>,
    /// Whether the pending address has confirmed by its link.
    pub pending_confirmed: bool,
    /// Whether the pending address needs the agreement of the current one, too.
    pub pending_needs_agreement: bool,
    /// The person's name.
    pub name: String,
    /// Always true for accounts created here.
    pub is_photographer: bool,
    /// Whether it may do what concerns the whole service.
    pub is_admin: bool,
    /// When the address was verified.
    pub email_verified_at: Option<Timestamp>,
    /// The balance.
    pub credits: Paise,
    /// When the premium plan was bought.
    pub premium_since: Option<Timestamp>,
    /// When an administrator locked it; none while it is open.
    pub locked_at: Option<Timestamp>,
    /// The language of mails to the person.
    pub language: AccountLanguage,
    /// When the account was created.
    pub created_at: Timestamp,
}

/// An e-mail address as it was entered. Two that differ only in case, in how accents are written, or in the form of an
/// international domain belong to the same account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EmailAddress(String);

impl EmailAddress {
    /// Parses an address: one '@' with text on both sides, no space or control character, at most 254 characters.
    ///
    /// # Errors
    /// [`Refusal::EmailInvalid`] for anything else.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let text = texts::trimmed(text);
        let valid = text.chars().count() <= EMAIL_LENGTH
            && !text.chars().any(|c| c.is_whitespace() || c.is_control())
            && text
                .split_once('@')
                .is_some_and(|(local, host)| !local.is_empty() && !host.is_empty() && !host.contains('@'));
        if valid { Ok(Self(text.to_owned())) } else { Err(Refusal::EmailInvalid) }
    }

    /// From the database, which holds only what [`EmailAddress::parse`] accepted.
    pub fn from_trusted(text: String) -> Self {
        Self(text)
    }

    /// As it was entered.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The normalized form, by which addresses are compared: folded, and with the domain as DNS has it (UTS 46).
    pub fn key(&self) -> String {
        let text = texts::trimmed(&self.0);
        match text.split_once('@') {
            Some((local, host)) => {
                let host = idna::domain_to_ascii(host).unwrap_or_else(|_| texts::folded(host));
                format!("{}@{host}", texts::folded(local))
            }
            None => texts::folded(text),
        }
    }

    /// Whether both are one mailbox for certain. [`EmailAddress::key`] has more in common, so that nobody takes one address for
    /// another; two that differ in more than ASCII's case may have two owners.
    pub fn is_same_mailbox(&self, other: &Self) -> bool {
        self.mailbox() == other.mailbox()
    }

    fn mailbox(&self) -> (String, String) {
        let text = texts::trimmed(&self.0);
        let (local, host) = text.split_once('@').unwrap_or((text, ""));
        let local: String = local.nfc().collect();
        let host = idna::domain_to_ascii(host).unwrap_or_else(|_| host.to_ascii_lowercase());
        (local.to_ascii_lowercase(), host)
    }

    /// By what versions before compared them. Accounts that they told apart and [`EmailAddress::key`] does not are found by it.
    pub fn former_key(&self) -> String {
        self.0.to_lowercase()
    }
}

impl std::fmt::Display for EmailAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Parses a person's name: not empty after trimming, at most 200 characters.
///
/// # Errors
/// [`Refusal::NameRequired`] or [`Refusal::NameTooLong`].
pub fn parse_name(text: &str) -> Result<String, Refusal> {
    let name = texts::one_line(text);
    if name.is_empty() {
        Err(Refusal::NameRequired)
    } else if name.chars().count() > NAME_LENGTH {
        Err(Refusal::NameTooLong)
    } else {
        Ok(name)
    }
}

/// A password of 6 to 128 characters, in one form: one system types an accented letter as one character, another one as two.
/// Never shown, never logged.
#[derive(Clone)]
pub struct Password(String);

impl Password {
    /// Checks a new password.
    ///
    /// # Errors
    /// [`Refusal::PasswordRequired`], [`Refusal::PasswordTooShort`], [`Refusal::PasswordTooLong`] or
    /// [`Refusal::PasswordCommon`].
    pub fn parse(text: String) -> Result<Self, Refusal> {
        let text = prepared(&text);
        match text.chars().count() {
            0 => Err(Refusal::PasswordRequired),
            length if length < PASSWORD_MIN => Err(Refusal::PasswordTooShort),
            length if length > PASSWORD_MAX => Err(Refusal::PasswordTooLong),
            _ if common_passwords::contain(&text) => Err(Refusal::PasswordCommon),
            _ => Ok(Self(text)),
        }
    }

    /// One that was right, which keeps no rule of new ones.
    pub fn known(text: &str) -> Self {
        Self(prepared(text))
    }

    /// The forms in which a password may be stored that was entered now: that of today first, then those in which a version
    /// before took it from the same keyboard, and from one that types accents apart.
    pub fn forms(entered: String) -> Vec<String> {
        let apart = entered.nfd().collect();
        let mut forms = vec![prepared(&entered)];
        for form in [entered, apart] {
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
        forms
    }

    /// The text, for hashing only.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// A password as the profile OpaqueString has it (RFC 8265): spaces of whatever script are spaces, and accents are composed.
fn prepared(password: &str) -> String {
    let is_space = |c: char| c.is_whitespace() && !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}');
    password.chars().map(|c| if is_space(c) { ' ' } else { c }).nfc().collect()
}

impl std::fmt::Debug for Password {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Password(…)")
    }
}

/// What the owner of an account is told by mail because it outlives the session in which it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccountNews {
    /// An API token was made.
    ApiTokenMade,
    /// A login for cameras was made.
    FtpLoginMade,
    /// Two-step login was turned on with an authenticator app.
    SecondFactorOn,
    /// It was turned off, or an operator removed it.
    SecondFactorOff,
    /// A passkey was added.
    PasskeyAdded,
    /// A passkey was removed, and another second factor is left.
    PasskeyRemoved,
    /// The authenticator app was removed, and passkeys are left.
    AuthenticatorAppRemoved,
    /// Many wrong codes were tried.
    WrongCodes,
    /// Single sign-on was linked.
    SingleSignOnLinked,
    /// It was unlinked.
    SingleSignOnUnlinked,
    /// A webhook was added.
    WebhookAdded,
    /// A webhook got another address.
    WebhookAddressChanged,
    /// A password that was set in the place of another switched the webhooks off.
    WebhooksSwitchedOff,
}

/// A mail that is asked for by an address, whether or not it has an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestedMail {
    /// The link that verifies the address.
    Verification,
    /// The link that sets a new password.
    PasswordReset,
    /// The notice that many wrong passwords were tried.
    WrongPasswords,
}

impl RequestedMail {
    /// Its name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Verification => "verification",
            Self::PasswordReset => "password_reset",
            Self::WrongPasswords => "wrong_passwords",
        }
    }

    /// Parses the name in the database.
    pub fn from_stored(text: &str) -> Option<Self> {
        let all = [Self::Verification, Self::PasswordReset, Self::WrongPasswords];
        all.into_iter().find(|mail| mail.as_str() == text)
    }
}

/// What a mailed link is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkPurpose {
    /// Proves that the account's owner receives mail at an address; valid for 24 hours.
    VerifyEmail,
    /// Sets a new password; valid for one hour.
    ResetPassword,
    /// Takes a change of address back; mailed to the old one and valid for 7 days.
    RevokeEmailChange,
    /// Agrees to a change of address; mailed to the old one and valid for 24 hours, as the link to the new one is.
    AgreeToEmailChange,
}

impl LinkPurpose {
    /// Its name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::VerifyEmail => "verify_email",
            Self::ResetPassword => "reset_password",
            Self::RevokeEmailChange => "revoke_email_change",
            Self::AgreeToEmailChange => "agree_to_email_change",
        }
    }

    /// Parses the name in the database.
    pub fn from_stored(text: &str) -> Option<Self> {
        let all = [Self::VerifyEmail, Self::ResetPassword, Self::RevokeEmailChange, Self::AgreeToEmailChange];
        all.into_iter().find(|purpose| purpose.as_str() == text)
    }

    /// For how long such a link is valid.
    pub const fn lifetime(self) -> Duration {
        match self {
            Self::VerifyEmail | Self::AgreeToEmailChange => DAY,
            Self::ResetPassword => Duration::from_secs(60 * 60),
            Self::RevokeEmailChange => DAY.saturating_mul(7),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_need_one_at_with_text_on_both_sides() {
        for valid in ["a@b", "Meera.K+x@Example.com", " meera@example.com "] {
            assert!(EmailAddress::parse(valid).is_ok(), "{valid}");
        }
        let long = format!("{}@example.com", "a".repeat(250));
        for invalid in ["", "@", "a@", "@b", "a@b@c", "a b@c", "a@b\r\nBcc: x@y", &long] {
            assert_eq!(EmailAddress::parse(invalid), Err(Refusal::EmailInvalid), "{invalid}");
        }
    }

    #[test]
    fn addresses_keep_their_spelling_and_compare_without_case() {
        // [AUTH023] [AUTH025]
        let entered = EmailAddress::parse("Meera@Example.com").unwrap();
        assert_eq!(entered.as_str(), "Meera@Example.com");
        assert_eq!(entered.key(), EmailAddress::parse("meera@example.COM").unwrap().key());
    }

    #[test]
    fn one_mailbox_has_one_key() {
        // [AUTH220]
        let key = |text: &str| EmailAddress::parse(text).unwrap().key();
        for (one, other) in [
            ("jürgen@example.com", "JU\u{308}RGEN@example.com"),
            ("meera@müller.example", "meera@MU\u{308}LLER.example"),
            ("meera@müller.example", "meera@XN--mller-kva.example"),
            ("meera@example.com", "\u{feff}meera@example.com\u{200b}"),
            ("meera@example.com", "meera@ｅｘａｍｐｌｅ。com"),
            ("meera@पुणे.भारत", "meera@xn--g2bn3eza.xn--h2brj9c"),
        ] {
            assert_eq!(key(one), key(other), "{one} {other}");
        }
        assert_ne!(key("meera@faß.example"), key("meera@fass.example"), "two domains");
        assert_eq!(key("Meera.K+x@[127.0.0.1]"), "meera.k+x@[127.0.0.1]");
        assert_eq!(key("a@xn--\u{fc}"), key("A@XN--\u{dc}"), "no domain");
    }

    #[test]
    fn addresses_with_one_key_may_be_two_mailboxes() {
        // [AUTH246]
        let address = |text: &str| EmailAddress::parse(text).unwrap();
        for (one, other) in [
            ("Meera.K+x@Example.com", "meera.k+X@example.COM"),
            ("jürgen@example.com", "Ju\u{308}RGEN@example.com"),
            ("meera@müller.example", "meera@XN--mller-kva.example"),
            ("meera@[127.0.0.1]", "MEERA@[127.0.0.1]"),
        ] {
            assert!(address(one).is_same_mailbox(&address(other)), "{one} {other}");
        }
        for (one, other) in [
            ("strasse@example.com", "straße@example.com"),
            ("jürgen@example.com", "JÜRGEN@example.com"),
            ("ﬁnn@example.com", "finn@example.com"),
            ("σίσυφος@example.com", "σίσυφοσ@example.com"),
        ] {
            assert_eq!(address(one).key(), address(other).key(), "{one} {other}");
            assert!(!address(one).is_same_mailbox(&address(other)), "{one} {other}");
        }
        assert!(!address("meera@faß.example").is_same_mailbox(&address("meera@fass.example")));
        assert!(!address("meera@example.com").is_same_mailbox(&address("meera@example.org")));
    }

    #[test]
    fn a_password_is_the_same_from_every_keyboard() {
        // [AUTH221]
        let stored = |text: &str| Password::parse(text.to_owned()).unwrap().reveal().to_owned();
        assert_eq!(stored("pässwörter"), stored("pa\u{308}sswo\u{308}rter"));
        assert_eq!(stored("drei alte hüte"), stored("drei\u{a0}alte\u{3000}hüte"));
        assert_ne!(stored("Pässwörter"), stored("pässwörter"));
        assert_eq!(stored("ﬁsche und ²"), "ﬁsche und ²", "what is another character stays one");
        assert_eq!(
            Password::parse(String::from("u\u{308}u\u{308}u\u{308}")).unwrap_err(),
            Refusal::PasswordTooShort
        );
        assert_eq!(Password::forms(String::from("plain text")), ["plain text"]);
        assert_eq!(Password::forms(String::from("hüte")), ["hüte", "hu\u{308}te"]);
        assert_eq!(Password::forms(String::from("hu\u{308}te")), ["hüte", "hu\u{308}te"]);
        assert_eq!(Password::forms(String::from("a\u{a0}ü")), ["a ü", "a\u{a0}ü", "a\u{a0}u\u{308}"]);
    }

    #[test]
    fn passwords_have_6_to_128_characters() {
        // [AUTH018] [AUTH019] [AUTH020] [AUTH021] [CONST035]
        let of = |length: usize| Password::parse("ü".repeat(length));
        assert_eq!(of(0).unwrap_err(), Refusal::PasswordRequired);
        assert_eq!(of(5).unwrap_err(), Refusal::PasswordTooShort);
        assert!(of(6).is_ok() && of(128).is_ok());
        assert_eq!(of(129).unwrap_err(), Refusal::PasswordTooLong);
        assert_eq!(format!("{:?}", of(6).unwrap()), "Password(…)");
    }

    #[test]
    fn names_are_trimmed_and_validated() {
        assert_eq!(parse_name("  Meera Kapoor "), Ok(String::from("Meera Kapoor")));
        assert_eq!(parse_name(" \t"), Err(Refusal::NameRequired));
        assert!(parse_name(&"ल".repeat(200)).is_ok());
        assert_eq!(parse_name(&"ल".repeat(201)), Err(Refusal::NameTooLong));
    }
}
