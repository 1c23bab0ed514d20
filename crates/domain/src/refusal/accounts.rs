//! The refusals of accounts, the first rows of the table.

macro_rules! with_accounts {
    ($($others:tt)*) => {
        with_clients! {
            // Accounts
            /// A registration or profile without a name.
            NameRequired => InvalidInput, "name_required", "Name is required";
            /// A person's name beyond 200 characters.
            NameTooLong => InvalidInput, "name_too_long", "Name must be at most 200 characters long";
            /// A language in which there are no mails.
            LanguageUnknown => InvalidInput, "language_unknown", "Language must be en or hi";
            /// A form without an address.
            EmailRequired => InvalidInput, "email_required", "Email is required";
            /// Not an e-mail address.
            EmailInvalid => InvalidInput, "email_invalid", "Please enter a valid email address";
            /// The address already has an account.
            EmailTaken => Conflict, "email_taken", "Email already registered";
            /// A form without a password.
            PasswordRequired => InvalidInput, "password_required", "Password is required";
            /// Under 6 characters.
            PasswordTooShort => InvalidInput, "password_too_short", "Password must be at least 6 characters long";
            /// Over 128 characters.
            PasswordTooLong => InvalidInput, "password_too_long", "Password must be at most 128 characters long";
            /// One of the 10,000 most common ones.
            PasswordCommon => InvalidInput, "password_common", "This password is one of the most common ones. Please choose another.";
            /// Login: wrong address or wrong password, never which.
            WrongCredentials => Unauthenticated, "wrong_credentials", "Invalid email or password";
            /// Login with an address that is not verified.
            EmailNotVerified => Forbidden, "email_not_verified", "Please verify your email before logging in.";
            /// A verification without a token.
            VerificationTokenRequired => InvalidInput, "verification_token_required", "Verification token is required";
            /// A link older than 24 hours.
            VerificationExpired => InvalidInput, "verification_expired", "Verification link has expired";
            /// A token that was never sent.
            VerificationUnknown => InvalidInput, "verification_unknown", "Invalid or expired verification token";
            /// A profile change with both a name and an address, or with neither.
            ProfileChangeUnclear => InvalidInput, "profile_change_unclear", "Please change either your name or your email";
            /// A profile change to an address that has an account; the form shows a text for bad input alone.
            EmailInUse => InvalidInput, "email_in_use", "Email already registered";
            /// The current password, which a change or a deletion asks for, is wrong.
            CurrentPasswordWrong => InvalidInput, "current_password_wrong", "Invalid current password";
            /// Login: the password is right, and the account has a second factor.
            SecondFactorRequired => Forbidden, "second_factor_required", "Please use your passkey, or enter a code of your authenticator app or a recovery code.";
            /// A code that is not the one of now, or was taken before.
            SecondFactorWrong => InvalidInput, "second_factor_wrong", "This code is wrong, or was used before. Please enter the newest one.";
            /// A second factor is to be set up, and there is one.
            SecondFactorOn => Conflict, "second_factor_on", "Two-step login is on already";
            /// A code, and there is no second factor that it could belong to.
            SecondFactorOff => Conflict, "second_factor_off", "Two-step login is not on";
            /// Another second factor, or none, and this session has not given the one that there is.
            SecondFactorNotGiven => Forbidden, "second_factor_not_given", "Please log out, log in again with your second factor, and then do this.";
            /// An answer of a passkey that is not the account's, or not to the challenge, the address or the purpose that was asked for.
            PasskeyWrong => InvalidInput, "passkey_wrong", "This passkey was not accepted. Please try again.";
            /// What a browser has sent of a new passkey cannot be used.
            PasskeyInvalid => InvalidInput, "passkey_invalid", "This passkey could not be added. Please try again, or use another device.";
            /// A challenge for a passkey where the public URL can have none.
            PasskeysUnavailable => Conflict, "passkeys_unavailable", "Passkeys need an address with https and a name, which this service does not have.";
            /// A passkey is asked for, and the account has none.
            PasskeyMissing => Conflict, "passkey_missing", "Your account has no passkey";
            /// A passkey that is on an account already.
            PasskeyTaken => Conflict, "passkey_taken", "This passkey was added already";
            /// One passkey more than an account may have.
            PasskeysTooMany => Conflict, "passkeys_too_many", "You have 10 passkeys already. Please remove one first.";
            /// A new passkey without a name.
            PasskeyNameRequired => InvalidInput, "passkey_name_required", "Please give the passkey a name";
            /// A name of a passkey beyond 100 characters.
            PasskeyNameTooLong => InvalidInput, "passkey_name_too_long", "Passkey name must be at most 100 characters long";
            /// No such passkey, or another account's.
            PasskeyNotFound => NotFound, "passkey_not_found", "This passkey was removed already";
            /// Administration, and the last second factor of this session is older than 12 hours.
            AdministrationAsksForCode => Forbidden, "administration_asks_for_code", "Administration asks for your second factor once in 12 hours.";
            /// Administration, and the administrator has no second factor.
            AdministrationAsksForSecondFactor => Forbidden, "administration_asks_for_second_factor", "Administration needs two-step login. Please set it up.";
            /// A new password without a token.
            ResetTokenRequired => InvalidInput, "reset_token_required", "Reset token is required";
            /// A link older than an hour.
            ResetExpired => InvalidInput, "reset_expired", "Reset link has expired";
            /// A token that was never sent, or was used.
            ResetUnknown => InvalidInput, "reset_unknown", "Invalid or expired reset token";
            /// A link of a notice that was never sent, was used, or is older than a week.
            RevocationUnknown => InvalidInput, "revocation_unknown", "This link has expired or was used. If somebody else uses your account, please ask for a new password.";
            /// A link of a mail to the old address that was never sent, is older than 24 hours, or whose change was cancelled or replaced by another one.
            AgreementUnknown => InvalidInput, "agreement_unknown", "This link is no longer valid. If you still want the new email, please ask for it again in your account.";
            /// No bearer token, or one that is not valid any more.
            SignInRequired => Unauthenticated, "sign_in_required", "Please log in to continue.";
            /// The token of a session that a change of the password ended.
            PasswordChanged => Unauthenticated, "password_changed", "Your password was changed. Please log in again.";
            /// No such session, or another account's.
            SessionNotFound => NotFound, "session_not_found", "This session has ended already";
            /// The link of an export that is unknown, has expired or was replaced, or whose session has ended.
            ExportNotFound => NotFound, "export_not_found", "This download is no longer available. Please ask for your data again.";
            /// An API token that was never made, was revoked, or has expired.
            ApiTokenInvalid => Unauthenticated, "api_token_invalid", "This API token is not valid. It was revoked, or it has expired.";
            /// An API token for uploads, in a call that no upload needs.
            ApiTokenForUploads => Forbidden, "api_token_for_uploads", "This API token may only upload photos.";
            /// An API token, in a call that asks for a login.
            SessionRequired => Forbidden, "session_required", "API tokens cannot do this. Please log in.";
            /// A new API token without a name.
            ApiTokenNameRequired => InvalidInput, "api_token_name_required", "Please give the token a name";
            /// A name of an API token beyond 100 characters.
            ApiTokenNameTooLong => InvalidInput, "api_token_name_too_long", "Token name must be at most 100 characters long";
            /// Not a scope.
            ApiTokenScopeUnknown => InvalidInput, "api_token_scope_unknown", "Scope must be upload or all";
            /// An API token or a camera's login that would be good for no day, or for longer than ten years.
            ApiTokenLifetimeInvalid => InvalidInput, "api_token_lifetime_invalid", "A token or a login is good for 1 to 3,650 days, or without an end";
            /// One API token more than an account may have.
            ApiTokensTooMany => Conflict, "api_tokens_too_many", "You have 50 API tokens already. Please revoke one first.";
            /// No such API token, or another account's.
            ApiTokenNotFound => NotFound, "api_token_not_found", "This API token was revoked already";
            /// Single sign-on, which the operator has not set up.
            SingleSignOnOff => NotFound, "single_sign_on_off", "This service has no single sign-on.";
            /// The provider does not answer, or answers with an error of its own.
            SingleSignOnUnavailable => Unavailable, "single_sign_on_unavailable", "Single sign-on is not reachable right now. Please try again in a few minutes.";
            /// The provider has refused, or what it has sent proves nothing.
            SingleSignOnRefused => Forbidden, "single_sign_on_refused", "Single sign-on did not confirm who you are. Please try again.";
            /// A login by single sign-on that is older than 10 minutes, was used, or was begun in another browser.
            SingleSignOnExpired => InvalidInput, "single_sign_on_expired", "This login has expired, or was begun in another browser. Please begin again.";
            /// The first login of a person of whom the provider knows no address, or only one that it does not vouch for.
            SingleSignOnAddressUnverified => Forbidden, "single_sign_on_address_unverified", "Single sign-on does not confirm your email, so no account can be found by it.";
            /// The first login to an account that has not verified its address.
            SingleSignOnAccountUnverified => Forbidden, "single_sign_on_account_unverified", "The email of your account is not verified yet. Please verify it by the link in our mail, then log in again.";
            /// The first login of a person without an account, where everybody has to have one.
            SingleSignOnUnknown => Forbidden, "single_sign_on_unknown", "There is no account with your email. Please ask the operator of this service.";
            /// A login at the provider that is linked to another account.
            SingleSignOnTaken => Conflict, "single_sign_on_taken", "This single sign-on is linked to another account.";
            /// Another login at the provider for an account that has one.
            SingleSignOnLinked => Conflict, "single_sign_on_linked", "This account is linked to another single sign-on. Please unlink that first.";
            /// A login whose person has the address of an account that its owner has unlinked.
            SingleSignOnDeclined => Forbidden, "single_sign_on_declined", "This account was unlinked from single sign-on. Please log in with your password, and link it again in your account.";
            /// Unlinking what is not linked.
            SingleSignOnNotLinked => Conflict, "single_sign_on_not_linked", "This account is not linked to single sign-on.";
            /// Unlinking the only way in.
            SingleSignOnNeeded => Conflict, "single_sign_on_needed", "Without single sign-on you could not log in any more.";
            /// What concerns passwords, where single sign-on takes their place.
            PasswordsOff => Forbidden, "passwords_off", "There are no passwords here. Please log in with single sign-on.";
            /// What asks for the password elsewhere, in a session that began more than 15 minutes ago.
            LoginTooOld => Forbidden, "login_too_old", "Please log out, log in again with single sign-on, and do this within 15 minutes.";
            /// Signed in, but not as a photographer.
            PhotographersOnly => Forbidden, "photographers_only", "Only photographers can do this.";
            /// Signed in, but not as an administrator.
            AdministratorsOnly => Forbidden, "administrators_only", "Only administrators can do this.";

            $($others)*
        }
    };
}

pub(super) use with_accounts;
