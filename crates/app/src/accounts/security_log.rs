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
    ApiTokenMade,
    ApiTokensRevoked,
    FtpLoggedIn,
    FtpLoginMade,
    FtpLoginRefused,
    FtpLoginRemoved,
    SecondFactorOn,
    SecondFactorOff,
    SecondFactorGiven,
    SecondFactorRefused,
    PasskeyAdded,
    PasskeyRemoved,
    PasskeyCopied,
    SingleSignOnLinked,
    SingleSignOnUnlinked,
    AdministratorMade,
    AdministratorRemoved,
    AccountExported,
    AccountClosed,
    AccountVerified,
    AccountLocked,
    AccountUnlocked,
    CreditsChanged,
    JobsTriedAgain,
    EventPurged,
    PaymentRefunded,
    WebhookAdded,
    WebhookChanged,
    WebhookSecretMade,
    WebhookDeleted,
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
            Self::ApiTokenMade => "api_token_made",
            Self::ApiTokensRevoked => "api_tokens_revoked",
            Self::FtpLoggedIn => "ftp_logged_in",
            Self::FtpLoginMade => "ftp_login_made",
            Self::FtpLoginRefused => "ftp_login_refused",
            Self::FtpLoginRemoved => "ftp_login_removed",
            Self::SecondFactorOn => "second_factor_on",
            Self::SecondFactorOff => "second_factor_off",
            Self::SecondFactorGiven => "second_factor_given",
            Self::SecondFactorRefused => "second_factor_refused",
            Self::PasskeyAdded => "passkey_added",
            Self::PasskeyRemoved => "passkey_removed",
            Self::PasskeyCopied => "passkey_copied",
            Self::SingleSignOnLinked => "single_sign_on_linked",
            Self::SingleSignOnUnlinked => "single_sign_on_unlinked",
            Self::AdministratorMade => "administrator_made",
            Self::AdministratorRemoved => "administrator_removed",
            Self::AccountExported => "account_exported",
            Self::AccountClosed => "account_closed",
            Self::AccountVerified => "account_verified",
            Self::AccountLocked => "account_locked",
            Self::AccountUnlocked => "account_unlocked",
            Self::CreditsChanged => "credits_changed",
            Self::JobsTriedAgain => "jobs_tried_again",
            Self::EventPurged => "event_purged",
            Self::PaymentRefunded => "payment_refunded",
            Self::WebhookAdded => "webhook_added",
            Self::WebhookChanged => "webhook_changed",
            Self::WebhookSecretMade => "webhook_secret_made",
            Self::WebhookDeleted => "webhook_deleted",
        }
    }
}

/// Writes the line, which the request's span gives its id. It names the account by its id alone, and none where there is
/// none: the address that somebody tried is nothing for a log.
pub(crate) fn record(event: SecurityEvent, account: Option<UserId>) {
    tracing::info!(security = event.as_str(), account = account.map(tracing::field::display), "an account");
}

/// Writes the line of what an administrator has done, or an operator on the machine itself (none).
pub(crate) fn record_administration(event: SecurityEvent, account: Option<UserId>, by: Option<UserId>) {
    let by = by.map_or_else(|| String::from("operator"), |by| by.to_string());
    let account = account.map(tracing::field::display);
    tracing::info!(security = event.as_str(), account, by, "an administrator");
}
