//! Log lines of logins and of whatever can take an account over or along, or give it back, in one form. docs/security.md lists them.

use domain::UserId;

/// What happened to an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SecurityEvent {
    SetUp,
    LoggedIn,
    LoginRefused,
    PasswordRefused,
    PasswordChanged,
    PasswordReset,
    AddressChanged,
    AddressChangeRevoked,
    SessionsEnded,
    AccountExported,
    AccountClosed,
}

impl SecurityEvent {
    const fn as_str(self) -> &'static str {
        match self {
            Self::SetUp => "set_up",
            Self::LoggedIn => "logged_in",
            Self::LoginRefused => "login_refused",
            Self::PasswordRefused => "password_refused",
            Self::PasswordChanged => "password_changed",
            Self::PasswordReset => "password_reset",
            Self::AddressChanged => "address_changed",
            Self::AddressChangeRevoked => "address_change_revoked",
            Self::SessionsEnded => "sessions_ended",
            Self::AccountExported => "account_exported",
            Self::AccountClosed => "account_closed",
        }
    }
}

/// Writes the line, which the request's span gives its id. It names the account by its id alone, and none where there is
/// none: the address that somebody tried is nothing for a log.
pub(crate) fn record(event: SecurityEvent, account: Option<UserId>) {
    tracing::info!(security = event.as_str(), account = account.map(tracing::field::display), "an account");
}
