//! The texts of mails to photographers and of receipts, as the files in `texts/photographer_mails` have them. Each says what the service
//! is called by its usual name. `{event}` and the like stand for values; [`Plural`] has a form for one and a form for more.

use domain::accounts::languages::AccountLanguage;
use serde::Deserialize;

use crate::{Failure, Result};

/// The file of a language.
const fn file(language: AccountLanguage) -> &'static str {
    match language {
        AccountLanguage::English => include_str!("../../../texts/photographer_mails/en.json"),
        AccountLanguage::Hindi => include_str!("../../../texts/photographer_mails/hi.json"),
    }
}

/// The texts of a language.
pub(super) fn of(language: AccountLanguage) -> Result<Texts> {
    serde_json::from_str(file(language)).map_err(|error| {
        Failure::Internal(format!("the texts of mails to photographers in `{}`: {error}", language.tag()))
    })
}

macro_rules! texts {
    ($($(#[$about:meta])* $name:ident { $($field:ident: $type:ty,)* })*) => {
        $(
            $(#[$about])*
            #[derive(Deserialize)]
            #[serde(deny_unknown_fields)]
            pub(crate) struct $name {
                $(pub(crate) $field: $type,)*
            }
        )*
    };
}

texts! {
    /// All texts in one language.
    Texts {
        months: [String; 12],
        hello: String,
        hello_unnamed: String,
        verification: DoubleWording,
        deletion_receipt: Wording,
        password_changed: Wording,
        password_reset: Wording,
        wrong_passwords: Wording,
        test: Wording,
        email_changes: EmailChanges,
        account_news: News,
        removal_warning: RemovalWarning,
        library_removal_warning: Wording,
        guest_requests: GuestRequests,
        guest_photos: GuestPhotos,
        question: Question,
        selection_finished: SelectionFinished,
        team: Team,
        digest: Digest,
        receipt: Receipt,
        invoice: Invoice,
    }
    /// A text with a number.
    Plural {
        one: String,
        other: String,
    }
    /// A mail with one link.
    Wording {
        subject: String,
        intro: String,
        action: String,
        outro: String,
    }
    /// A mail with two links.
    DoubleWording {
        subject: String,
        intro: String,
        action: String,
        other: OtherWording,
        outro: String,
    }
    /// The second link of a mail.
    OtherWording {
        intro: String,
        action: String,
    }
    /// About another address of an account.
    EmailChanges {
        new_address: Wording,
        notice: Wording,
        agreement: DoubleWording,
        changed: Wording,
    }
    /// What was done with an account.
    News {
        action: String,
        outro: String,
        api_token_made: Piece,
        second_factor_on: Piece,
        second_factor_off: Piece,
        passkey_added: Piece,
        passkey_removed: Piece,
        authenticator_app_removed: Piece,
        wrong_codes: Piece,
        single_sign_on_linked: Piece,
        single_sign_on_unlinked: Piece,
        ftp_login_made: Piece,
        webhook_added: Piece,
        webhook_address_changed: Piece,
        webhooks_switched_off: Piece,
    }
    /// One thing that was done.
    Piece {
        subject: String,
        intro: String,
    }
    /// That photos of an event will be removed.
    RemovalWarning {
        subject: String,
        intro: String,
        action: String,
        outro: String,
        outro_longer: String,
        outro_chosen: String,
    }
    /// What guests asked for.
    GuestRequests {
        subject: String,
        subject_waiting: String,
        waiting: Plural,
        unproven: Plural,
        in_force: String,
        hide: Plural,
        stop_finding: Plural,
        both: String,
        action: String,
        outro: String,
    }
    /// That photos from guests will go.
    GuestPhotos {
        subject: String,
        intro: Plural,
        action: String,
        outro: String,
    }
    /// A question of a guest; the link is for the text part alone.
    Question {
        subject: String,
        intro: String,
        link: String,
        action: String,
        outro: String,
    }
    /// That a client has chosen.
    SelectionFinished {
        subject: String,
        intro: Plural,
        intro_limited: Plural,
        message: String,
        action: String,
        outro: String,
    }
    /// About the teams of events.
    Team {
        invitation: ByRole,
        accepted: ByRole,
    }
    /// A mail that says what a role can do.
    ByRole {
        subject: String,
        intro_manager: String,
        intro_contributor: String,
        action: String,
        outro: String,
    }
    /// The weekly mail.
    Digest {
        subject: String,
        intro: String,
        headings: Headings,
        chosen: Plural,
        requests: Plural,
        guest_photos: Plural,
        held: Plural,
        failed: Plural,
        choosing_ends: String,
        removal: Plural,
        credits: String,
        more: Plural,
        week: String,
        helped: Plural,
        saved: Plural,
        end: String,
    }
    /// The headings of the weekly mail.
    Headings {
        chosen: String,
        asked: String,
        waiting: String,
        running_out: String,
    }
    /// The printable receipt of a payment.
    Receipt {
        title: String,
        heading: String,
        test_mode: String,
        number: String,
        from: String,
        tax_number: String,
        to: String,
        credits: String,
        premium_plan: String,
        first_recharge: String,
        bought_nothing: String,
        coupon: String,
        paid: String,
        refunded: String,
        left: String,
        paid_through: String,
        paid_through_sandbox: String,
    }
    /// The words of an invoice and of its notes, beside those of a receipt.
    Invoice {
        invoice: String,
        credit_note: String,
        debit_note: String,
        place_of_supply: String,
        about: String,
        payment: String,
        reverse_charge: String,
        no: String,
        service: String,
        amount: String,
        paid: String,
        returned: String,
        not_returned: String,
        about_invoice: String,
        about_credit_note: String,
        about_debit_note: String,
        made_by: String,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use serde_json::Value;

    use super::*;

    /// Each text by its place in the file, with its placeholders.
    fn placeholders(place: &str, value: &Value, found: &mut BTreeMap<String, BTreeSet<String>>) {
        match value {
            Value::String(text) => {
                assert!(!text.trim().is_empty(), "{place}");
                let (mut names, mut rest) = (BTreeSet::new(), text.as_str());
                while let Some((_, opened)) = rest.split_once('{') {
                    let (name, after) = opened.split_once('}').unwrap_or_else(|| panic!("{place}: {text}"));
                    names.insert(name.to_owned());
                    rest = after;
                }
                found.insert(place.to_owned(), names);
            }
            Value::Array(values) => {
                for (index, value) in values.iter().enumerate() {
                    placeholders(&format!("{place}.{index}"), value, found);
                }
            }
            Value::Object(values) => {
                for (key, value) in values {
                    placeholders(&format!("{place}.{key}"), value, found);
                }
            }
            _ => panic!("{place} is no text"),
        }
    }

    fn read(language: AccountLanguage) -> BTreeMap<String, BTreeSet<String>> {
        let mut found = BTreeMap::new();
        placeholders("", &serde_json::from_str(file(language)).unwrap(), &mut found);
        found
    }

    #[test]
    fn every_language_has_every_text_with_its_placeholders() {
        // [ACC215]
        let english = read(AccountLanguage::English);
        for language in AccountLanguage::ALL {
            of(language).unwrap();
            assert_eq!(read(language), english, "{}", language.tag());
        }
    }
}
