//! The settings of single sign-on, which are there together or not at all.

use app::{RoleClaim, SingleSignOn};
use domain::accounts::single_sign_on::{Admission, Passwords};

use crate::cli::CliError;
use crate::settings::{OidcAccounts, OidcPasswords, Settings};

/// The provider at which people log in; none without settings.
///
/// # Errors
/// One sentence that names what is missing.
pub(crate) fn read(settings: &Settings) -> Result<Option<SingleSignOn>, CliError> {
    let text = |setting: &Option<String>| setting.as_deref().map(str::trim).unwrap_or_default().to_owned();
    let secret = settings.oidc_client_secret.as_ref();
    let (issuer, client_id) = (text(&settings.oidc_issuer), text(&settings.oidc_client_id));
    let (claim, value) = (text(&settings.oidc_admin_claim), text(&settings.oidc_admin_value));
    let needed = [
        ("oidc_issuer", !issuer.is_empty()),
        ("oidc_client_id", !client_id.is_empty()),
        ("oidc_client_secret", secret.is_some()),
    ];
    let has_choices = !claim.is_empty()
        || !value.is_empty()
        || !settings.oidc_second_factor.trim().is_empty()
        || settings.oidc_passwords == OidcPasswords::Instead
        || settings.oidc_accounts == OidcAccounts::Everybody;
    if needed.iter().all(|(_, is_set)| !is_set) && !has_choices {
        return Ok(None);
    }
    let missing: Vec<String> =
        needed.iter().filter(|(_, is_set)| !is_set).map(|(name, _)| format!("`{name}`")).collect();
    let Some(secret) = secret.filter(|_| missing.is_empty()) else {
        return Err(CliError::new(format!("Single sign-on lacks the setting {}.", missing.join(" and "))));
    };
    let administrators = match (claim.is_empty(), value.is_empty()) {
        (true, true) => None,
        (false, false) => Some(RoleClaim { name: claim, value }),
        (true, false) => return Err(lacks_half("oidc_admin_claim")),
        (false, true) => return Err(lacks_half("oidc_admin_value")),
    };
    let label = settings.oidc_label.trim();
    let methods = settings.oidc_second_factor.split(',').map(str::trim).filter(|method| !method.is_empty());
    Ok(Some(SingleSignOn {
        issuer,
        client_id,
        client_secret: secret.reveal(),
        scopes: settings.oidc_scopes.clone(),
        label: if label.is_empty() { Settings::default().oidc_label } else { label.to_owned() },
        administrators,
        passwords: match settings.oidc_passwords {
            OidcPasswords::Beside => Passwords::Beside,
            OidcPasswords::Instead => Passwords::Instead,
        },
        admission: match settings.oidc_accounts {
            OidcAccounts::Known => Admission::Known,
            OidcAccounts::Everybody => Admission::Everybody,
        },
        second_factors: methods.map(str::to_owned).collect(),
    }))
}

fn lacks_half(name: &str) -> CliError {
    CliError::new(format!(
        "Single sign-on lacks the setting `{name}`, the other half of what makes administrators."
    ))
}

/// Whether the provider's address can be used.
///
/// # Errors
/// One sentence that names the setting.
pub(crate) fn check_address(settings: &app::Settings) -> Result<(), CliError> {
    match settings.provider() {
        Some(Err(error)) => Err(CliError::context("The setting `oidc_issuer` cannot be used", &error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secrets::Secret;

    fn complete() -> Settings {
        Settings {
            oidc_issuer: Some(String::from("https://login.example.com")),
            oidc_client_id: Some(String::from("afterglow")),
            oidc_client_secret: Some(serde_json::from_str::<Secret>("\"s3cret\"").unwrap()),
            ..Settings::default()
        }
    }

    fn refused(settings: &Settings) -> String {
        read(settings).map_or_else(|error| error.to_string(), |_| String::new())
    }

    #[test]
    fn half_of_the_settings_is_an_error_that_names_what_is_missing() {
        // [AUTH224]
        assert!(read(&Settings::default()).unwrap().is_none());
        assert!(read(&complete()).unwrap().is_some());
        let without = |change: fn(&mut Settings)| {
            let mut settings = complete();
            change(&mut settings);
            refused(&settings)
        };
        assert_eq!(without(|s| s.oidc_issuer = None), "Single sign-on lacks the setting `oidc_issuer`.");
        assert_eq!(
            without(|s| s.oidc_client_id = Some(String::from(" "))),
            "Single sign-on lacks the setting `oidc_client_id`."
        );
        assert_eq!(
            without(|s| (s.oidc_client_id, s.oidc_client_secret) = (None, None)),
            "Single sign-on lacks the setting `oidc_client_id` and `oidc_client_secret`."
        );
        assert!(
            without(|s| s.oidc_admin_claim = Some(String::from("groups"))).contains("`oidc_admin_value`")
        );
        assert!(
            without(|s| s.oidc_admin_value = Some(String::from("admins"))).contains("`oidc_admin_claim`")
        );
        // A choice alone does not do nothing in silence.
        let alone = Settings { oidc_passwords: OidcPasswords::Instead, ..Settings::default() };
        assert!(refused(&alone).contains("`oidc_issuer` and `oidc_client_id` and `oidc_client_secret`"));
    }

    #[test]
    fn what_is_chosen_is_read() {
        let settings = Settings {
            oidc_admin_claim: Some(String::from("realm_access.roles")),
            oidc_admin_value: Some(String::from("afterglow-admin")),
            oidc_passwords: OidcPasswords::Instead,
            oidc_accounts: OidcAccounts::Everybody,
            oidc_second_factor: String::from("mfa, otp,"),
            oidc_label: String::from(" "),
            ..complete()
        };
        let read = read(&settings).unwrap().unwrap();
        assert_eq!(read.label, "Single sign-on");
        assert_eq!(read.second_factors, ["mfa", "otp"]);
        assert_eq!(read.passwords, Passwords::Instead);
        assert_eq!(read.admission, Admission::Everybody);
        let claim =
            RoleClaim { name: String::from("realm_access.roles"), value: String::from("afterglow-admin") };
        assert_eq!(read.administrators, Some(claim));
    }
}
