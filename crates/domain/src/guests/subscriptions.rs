//! Guests who asked to be told of new photos of them in an event.

use std::time::Duration;

use crate::accounts::EmailAddress;
use crate::accounts::tokens::TokenHash;
use crate::operations::clock_watch::BACK;
use crate::{DAY, EventId, Refusal, SubscriptionId, Timestamp};

/// How long a link that confirms a subscription is valid. What is not confirmed by then is deleted.
pub const CONFIRMATION_LIFETIME: Duration = DAY;
/// How long a subscription lasts at most: nobody is asked for ever.
pub const LIFETIME: Duration = DAY.saturating_mul(365);
/// The least time between two mails of one subscription: after the first, what is new comes once a day.
pub const MAIL_INTERVAL: Duration = DAY;
/// Most subscriptions of one address that wait for their confirmation: each has sent a mail to somebody who may not have
/// asked for it.
pub const UNCONFIRMED_PER_ADDRESS: i64 = 3;
/// How long new photos wait for others that are being indexed, so that they come in one mail.
pub const SETTLING_TIME: Duration = Duration::from_secs(10 * 60);
/// Longest language tag; RFC 5646 recommends 35 characters.
const LANGUAGE_LENGTH: usize = 35;
/// Longest version of a notice.
const NOTICE_VERSION_LENGTH: usize = 40;

/// A guest's wish to be told of new photos.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// Its id.
    pub id: SubscriptionId,
    /// The event.
    pub event: EventId,
    /// Where mails go.
    pub email: EmailAddress,
    /// The language of the mails.
    pub language: Language,
    /// The version of the notice that the guest agreed to.
    pub notice_version: String,
    /// The template of the face, encrypted with the event's key.
    pub template: Vec<u8>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When the address was confirmed.
    pub confirmed_at: Option<Timestamp>,
    /// The event's revision that was compared last; less than every revision before the first comparison.
    pub checked_revision: i64,
    /// Since when there are photos of which no mail has told.
    pub new_since: Option<Timestamp>,
    /// When the last mails were sent.
    pub recent_mails: RecentMails,
    /// The hash of the download token of the last mail, or of the search it was made from.
    pub last_download: Option<TokenHash>,
}

/// How many guests of an event asked to be told of new photos, and confirmed it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToldGuests {
    /// All of them.
    pub total: i64,
    /// Those to whom no mail about photos has gone yet.
    pub waiting: i64,
}

/// What a mailed link does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkPurpose {
    /// Confirms the address.
    Confirm,
    /// Ends the subscription.
    Unsubscribe,
}

impl LinkPurpose {
    /// Its name, as it is stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Confirm => "confirm",
            Self::Unsubscribe => "unsubscribe",
        }
    }

    /// Parses its name.
    pub fn from_stored(text: &str) -> Option<Self> {
        [Self::Confirm, Self::Unsubscribe].into_iter().find(|purpose| purpose.as_str() == text)
    }
}

/// A language tag (BCP 47), of which only the form is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Language(String);

impl Language {
    /// Parses a tag: letters and digits in subtags of at most eight, separated by hyphens. English for anything else, since a
    /// browser's setting is no reason to refuse a guest.
    pub fn parse(text: &str) -> Self {
        let is_subtag = |part: &str| {
            (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        let is_tag = text.len() <= LANGUAGE_LENGTH && text.split('-').all(is_subtag);
        if is_tag { Self(text.to_owned()) } else { Self::default() }
    }

    /// The tag.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The language without script, region or variant, in lower case.
    pub fn primary(&self) -> String {
        self.0.split('-').next().unwrap_or_default().to_ascii_lowercase()
    }
}

impl Default for Language {
    fn default() -> Self {
        Self(String::from("en"))
    }
}

/// Checks the version of the notice that a guest has agreed to.
///
/// # Errors
/// [`Refusal::SubscriptionConsentRequired`] when there is none.
pub fn parse_notice_version(text: &str) -> Result<String, Refusal> {
    let version: String =
        text.trim().chars().filter(|c| !c.is_control()).take(NOTICE_VERSION_LENGTH).collect();
    if version.is_empty() { Err(Refusal::SubscriptionConsentRequired) } else { Ok(version) }
}

/// The moments of the last mails of a subscription, oldest first, and of the one that was refused since. Earlier versions sent several
/// a day and stored five.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecentMails {
    sent: Vec<Timestamp>,
    refused: Option<Timestamp>,
}

/// What stands before the moment of a mail that was refused, in the form in the database.
const REFUSED: char = '!';

impl RecentMails {
    /// Whether another mail may be sent: a day after the last, or where a clock that was ahead has dated that.
    pub fn allows(&self, now: Timestamp) -> bool {
        let last = self.sent.last().copied().max(self.refused);
        last.is_none_or(|last| last.plus(MAIL_INTERVAL) <= now || last > now.plus(BACK))
    }

    /// What is stored once a mail is sent at this moment.
    pub fn after(mail: Timestamp) -> Self {
        Self { sent: vec![mail], refused: None }
    }

    /// What is stored once the address has refused a mail at this moment: it is not tried again with each photo that arrives.
    #[must_use]
    pub fn refused(&self, at: Timestamp) -> Self {
        Self { sent: self.sent.clone(), refused: Some(at) }
    }

    /// The form in the database: milliseconds, separated by spaces; an exclamation mark before those of a mail that was refused.
    pub fn to_text(&self) -> String {
        let sent = self.sent.iter().map(|moment| moment.as_millis().to_string());
        let refused = self.refused.iter().map(|moment| format!("{REFUSED}{}", moment.as_millis()));
        sent.chain(refused).collect::<Vec<_>>().join(" ")
    }

    /// Parses the form in the database; none when it is not one.
    pub fn from_text(text: &str) -> Option<Self> {
        let mut mails = Self::default();
        for word in text.split_whitespace() {
            let refused = word.strip_prefix(REFUSED);
            let moment = Timestamp::from_millis(refused.unwrap_or(word).parse().ok()?);
            match refused {
                Some(_) => mails.refused = Some(moment),
                None => mails.sent.push(moment),
            }
        }
        Some(mails)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::from_millis(1_795_165_200_000);
    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn the_first_mail_goes_at_once_and_then_one_a_day() {
        let (mut mails, mut sent) = (RecentMails::default(), Vec::new());
        for minute in 0..72 * 60 {
            let now = START.plus(MINUTE * minute);
            if mails.allows(now) {
                mails = RecentMails::after(now);
                sent.push(minute);
            }
        }
        assert_eq!(sent, [0, 24 * 60, 48 * 60]);
        assert_eq!(RecentMails::from_text(&mails.to_text()), Some(mails));
    }

    #[test]
    fn an_address_that_refuses_mails_is_left_alone_for_a_day() {
        // [TELL049]
        for mails in [RecentMails::default(), RecentMails::after(START)] {
            let refused = mails.refused(START.plus(DAY * 2));
            assert!(!refused.allows(START.plus(DAY * 2 + MINUTE)));
            assert!(refused.allows(START.plus(DAY * 3)));
            assert_eq!(RecentMails::from_text(&refused.to_text()), Some(refused));
        }
        assert_eq!(RecentMails::from_text("1795165200000 !"), None);
        assert_eq!(RecentMails::default().refused(START).to_text(), "!1795165200000");
    }

    #[test]
    fn a_mail_that_a_clock_ahead_has_dated_holds_none_back() {
        // [SAFE484]
        let mails = RecentMails::after(START.plus(DAY * 30));
        assert!(mails.allows(START));
        assert!(!mails.allows(START.plus(DAY * 30)));
        let other_machine = RecentMails::after(START.plus(MINUTE));
        assert!(!other_machine.allows(START), "clocks differ a little");
    }

    #[test]
    fn mails_that_an_earlier_version_has_sent_count() {
        let text = format!("{} {}", START.as_millis(), START.plus(MINUTE * 60).as_millis());
        let mails = RecentMails::from_text(&text).unwrap();
        assert_eq!(mails.to_text(), text, "as it is stored, or no process could change it");
        assert!(!mails.allows(START.plus(DAY)));
        assert!(mails.allows(START.plus(DAY + MINUTE * 60)));
        assert_eq!(RecentMails::from_text("17 nothing"), None);
        assert_eq!(RecentMails::from_text(""), Some(RecentMails::default()));
    }

    #[test]
    fn a_language_that_is_no_tag_is_english() {
        for (text, tag, primary) in [
            ("hi", "hi", "hi"),
            ("pt-BR", "pt-BR", "pt"),
            ("zh-Hant-TW", "zh-Hant-TW", "zh"),
            ("", "en", "en"),
            ("de_DE", "en", "en"),
            ("x-y-", "en", "en"),
            ("../../etc", "en", "en"),
            ("a-b-c-d-e-f-g-h-i-j-k-l-m-n-o-p-q-r-s", "en", "en"),
        ] {
            let language = Language::parse(text);
            assert_eq!((language.as_str(), language.primary().as_str()), (tag, primary), "{text}");
        }
    }

    #[test]
    fn a_consent_names_the_notice() {
        assert_eq!(parse_notice_version(" 2026-11 \n"), Ok(String::from("2026-11")));
        assert_eq!(parse_notice_version(" \n"), Err(Refusal::SubscriptionConsentRequired));
        assert_eq!(parse_notice_version(&"9".repeat(99)).unwrap().len(), NOTICE_VERSION_LENGTH);
    }
}
