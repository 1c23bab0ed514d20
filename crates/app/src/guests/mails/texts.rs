//! The wording of the mails to guests: a file for each language in `texts/guest_mails`.

use domain::guests::subscriptions::Language;
use serde::Deserialize;

use crate::{Failure, Result};

/// The languages, English first: what is not there is written in English.
const LANGUAGES: &[(&str, &str)] = &[
    ("en", include_str!("../../../texts/guest_mails/en.json")),
    ("hi", include_str!("../../../texts/guest_mails/hi.json")),
    ("bn", include_str!("../../../texts/guest_mails/bn.json")),
    ("ta", include_str!("../../../texts/guest_mails/ta.json")),
    ("te", include_str!("../../../texts/guest_mails/te.json")),
    ("mr", include_str!("../../../texts/guest_mails/mr.json")),
    ("gu", include_str!("../../../texts/guest_mails/gu.json")),
    ("es", include_str!("../../../texts/guest_mails/es.json")),
    ("fr", include_str!("../../../texts/guest_mails/fr.json")),
    ("de", include_str!("../../../texts/guest_mails/de.json")),
    ("pt", include_str!("../../../texts/guest_mails/pt.json")),
    ("ar", include_str!("../../../texts/guest_mails/ar.json")),
];

/// All texts in one language. `{event}` stands for the event's name, `{count}` for a number.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Texts {
    /// `ltr` or `rtl`.
    pub(super) direction: String,
    pub(super) confirmation: Wording,
    pub(super) new_photos: NewPhotos,
    pub(super) results_link: Wording,
    /// That an event is complete in which no photo of the guest was found; the end of the subscription reads as in `new_photos`.
    pub(super) completion: Wording,
}

/// A mail with one link.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wording {
    pub(super) subject: String,
    pub(super) intro: String,
    pub(super) action: String,
    pub(super) outro: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewPhotos {
    pub(super) subject: String,
    pub(super) intro: String,
    pub(super) action: String,
    pub(super) outro: String,
    pub(super) unsubscribe: String,
}

/// The texts for a language, and the tag of the language that they are in.
pub(super) fn of(language: &Language) -> Result<(&'static str, Texts)> {
    let primary = language.primary();
    let found = LANGUAGES.iter().find(|(tag, _)| *tag == primary).or(LANGUAGES.first());
    let (tag, json) = found.ok_or_else(|| Failure::Internal(String::from("there are no texts of mails")))?;
    let texts = serde_json::from_str(json)
        .map_err(|error| Failure::Internal(format!("the texts of mails in `{tag}`: {error}")))?;
    Ok((tag, texts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_every_text_and_placeholder() {
        // A language without texts gets those in English.
        for (tag, _) in LANGUAGES {
            let (found, texts) = of(&Language::parse(tag)).unwrap();
            assert_eq!(found, *tag);
            assert!(["ltr", "rtl"].contains(&texts.direction.as_str()), "{tag}");
            let Texts { confirmation, new_photos, results_link, completion, .. } = &texts;
            for text in [
                &confirmation.subject,
                &confirmation.intro,
                &new_photos.subject,
                &new_photos.intro,
                &results_link.subject,
                &results_link.intro,
                &completion.subject,
                &completion.intro,
            ] {
                assert!(text.contains("{event}"), "{tag}: {text}");
            }
            assert!(new_photos.intro.contains("{count}"), "{tag}");
            for text in [
                &confirmation.action,
                &confirmation.outro,
                &new_photos.action,
                &new_photos.outro,
                &new_photos.unsubscribe,
                &results_link.action,
                &results_link.outro,
                &completion.action,
                &completion.outro,
            ] {
                assert!(!text.trim().is_empty() && !text.contains('{'), "{tag}: {text}");
            }
        }
        assert_eq!(of(&Language::parse("tlh")).unwrap().0, "en");
        assert_eq!(of(&Language::parse("en-IN")).unwrap().0, "en");
    }
}
