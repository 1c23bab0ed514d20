//! Single sign-on: what a provider says of a person, and what follows from it (decision 0101).

use std::time::Duration;

use crate::Refusal;
use crate::accounts::EmailAddress;

/// For how long somebody has time at the provider, and then for the second factor.
pub const TIME_TO_LOG_IN: Duration = Duration::from_secs(10 * 60);
/// For how long the operator's link that logs somebody in is good.
pub const LINK_LIFETIME: Duration = Duration::from_secs(60 * 60);
/// For how long after its login a session may do what asks for the password elsewhere, where there are no passwords.
pub const FRESH: Duration = Duration::from_secs(15 * 60);

/// Where a login leads when it was begun nowhere in particular.
const HOME: &str = "/admin/overview";
/// Longest path that a login comes back to, in bytes.
const PATH_LENGTH: usize = 500;

/// Whether there are passwords beside single sign-on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Passwords {
    /// There are.
    #[default]
    Beside,
    /// Single sign-on takes their place.
    Instead,
}

/// Who gets in whom nobody here knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Admission {
    /// Nobody: an account has to be there.
    #[default]
    Known,
    /// Everybody whom the provider vouches for gets an account.
    Everybody,
}

/// A person as a provider has proved them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Person {
    /// The provider's own name for them, which never changes and is nobody else's.
    pub subject: String,
    /// Their address, as the provider knows it.
    pub email: Option<String>,
    /// Whether the provider says that the address is theirs.
    pub is_email_verified: bool,
    /// What they are called.
    pub name: Option<String>,
    /// The values of the claim that makes administrators; none where it was not asked for or is not there.
    pub roles: Vec<String>,
    /// How they have logged in there: the values of `amr`, and that of `acr`.
    pub methods: Vec<String>,
}

impl Person {
    /// The address, where the provider says that it is theirs.
    ///
    /// # Errors
    /// [`Refusal::SingleSignOnAddressUnverified`]
    pub fn verified_email(&self) -> Result<EmailAddress, Refusal> {
        let email = self.email.as_deref().filter(|_| self.is_email_verified);
        email.and_then(|email| EmailAddress::parse(email).ok()).ok_or(Refusal::SingleSignOnAddressUnverified)
    }

    /// What a new account is called: the person's name, or what is before the @ of their address.
    pub fn account_name(&self, email: &EmailAddress) -> String {
        let named = self.name.as_deref().and_then(|name| super::parse_name(name).ok());
        named.unwrap_or_else(|| email.as_str().split('@').next().unwrap_or_default().to_owned())
    }

    /// Whether one of the values of the claim is the one that makes an administrator.
    pub fn is_administrator(&self, value: &str) -> bool {
        self.roles.iter().any(|role| role == value)
    }

    /// Whether the login at the provider was in one of these ways.
    pub fn has_logged_in_by(&self, accepted: &[String]) -> bool {
        self.methods.iter().any(|method| accepted.contains(method))
    }
}

/// The path of this site to which a login leads back. Another site's address is none, whatever a browser makes of it.
pub fn path_of_this_site(wanted: &str) -> &str {
    let is_path = wanted.starts_with('/') && !wanted[1..].starts_with('/');
    let is_plain = wanted.len() <= PATH_LENGTH
        && wanted.chars().all(|c| c.is_ascii_graphic() && !matches!(c, '\\' | '#' | '"' | '<' | '>'));
    if is_path && is_plain { wanted } else { HOME }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person() -> Person {
        Person {
            subject: String::from("248289761001"),
            email: Some(String::from("Meera@Studio.example")),
            is_email_verified: true,
            ..Person::default()
        }
    }

    #[test]
    fn only_a_path_of_this_site_is_come_back_to() {
        // [AUTH226]
        for path in ["/", "/admin/events?sort=name&x=%2F%2Fevil", "/admin/event/abc/photos", "/a//b"] {
            assert_eq!(path_of_this_site(path), path);
        }
        let long = format!("/{}", "a".repeat(500));
        for other in [
            "",
            "admin",
            "//evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "https://evil.example",
            "javascript:alert(1)",
            "/\t/evil.example",
            "/\n/evil.example",
            "/admin\r\nSet-Cookie: a=b",
            "/admin#ticket=x",
            " /admin",
            "/ä",
            &long,
        ] {
            assert_eq!(path_of_this_site(other), "/admin/overview", "{other:?}");
        }
    }

    #[test]
    fn an_address_counts_only_where_the_provider_vouches_for_it() {
        // [AUTH228]
        assert_eq!(person().verified_email().unwrap().as_str(), "Meera@Studio.example");
        for other in [
            Person { is_email_verified: false, ..person() },
            Person { email: None, ..person() },
            Person { email: Some(String::from("no address")), ..person() },
        ] {
            assert_eq!(other.verified_email().unwrap_err(), Refusal::SingleSignOnAddressUnverified);
        }
    }

    #[test]
    fn a_new_account_has_a_name() {
        let email = person().verified_email().unwrap();
        assert_eq!(person().account_name(&email), "Meera");
        let named = |name: &str| Person { name: Some(name.to_owned()), ..person() }.account_name(&email);
        assert_eq!(named(" Meera Krishnan "), "Meera Krishnan");
        assert_eq!(named("  "), "Meera");
        assert_eq!(named(&"a".repeat(201)), "Meera");
    }

    #[test]
    fn a_role_and_a_method_are_compared_to_the_letter() {
        // [AUTH232] [AUTH234]
        let list = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>();
        let person = Person { roles: list(&["users", "admins"]), methods: list(&["pwd", "mfa"]), ..person() };
        assert!(person.is_administrator("admins"));
        assert!(!person.is_administrator("Admins") && !person.is_administrator("admin"));
        assert!(person.has_logged_in_by(&list(&["otp", "mfa"])));
        assert!(!person.has_logged_in_by(&list(&["otp"])) && !person.has_logged_in_by(&[]));
    }
}
