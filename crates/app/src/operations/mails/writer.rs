//! Writes texts in the language of a photographer.

use domain::Date;
use domain::accounts::languages::AccountLanguage;

use super::texts::{self, Plural, Texts};
use crate::operations::runtime::settings::named;
use crate::{Result, Settings};

/// The texts of one language, and how their blanks are filled in.
pub(crate) struct Writer<'a> {
    /// The texts, as they are in the file.
    pub(crate) texts: Texts,
    /// What the service is called.
    pub(super) site: &'a str,
    language: AccountLanguage,
}

impl<'a> Writer<'a> {
    /// For a service of this name.
    pub(super) fn new(site: &'a str, language: AccountLanguage) -> Result<Self> {
        Ok(Self { texts: texts::of(language)?, site, language })
    }

    /// For a photographer of this service.
    pub(crate) fn of(settings: &'a Settings, language: AccountLanguage) -> Result<Self> {
        Self::new(&settings.site_name, language)
    }

    /// The tag of the language.
    pub(crate) const fn tag(&self) -> &'static str {
        self.language.tag()
    }

    /// A text with what the service is called, and with values in the place of its placeholders.
    pub(crate) fn fill(&self, text: &str, values: &[(&str, &str)]) -> String {
        fill(&named(text, self.site), values)
    }

    /// The form of a text for a number, which is `{count}`.
    pub(crate) fn count(&self, text: &Plural, count: i64, values: &[(&str, &str)]) -> String {
        let form = if self.language.is_one(count) { &text.one } else { &text.other };
        let number = count.to_string();
        let values: Vec<_> = values.iter().copied().chain([("count", number.as_str())]).collect();
        self.fill(form, &values)
    }

    /// A day as a person writes it, such as `20 November 2026`.
    pub(crate) fn day(&self, day: Date) -> String {
        let month = usize::from(day.month().unsigned_abs()).checked_sub(1);
        let month = month.and_then(|month| self.texts.months.get(month)).map_or("", String::as_str);
        format!("{} {month} {}", day.day(), day.year())
    }

    /// The first line of a mail.
    pub(super) fn hello(&self, name: &str) -> String {
        if name.is_empty() {
            self.texts.hello_unnamed.clone()
        } else {
            self.fill(&self.texts.hello, &[("name", name)])
        }
    }
}

/// Replaces the placeholders of a text. What replaces one is not looked at again.
pub(crate) fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        let (before, from) = rest.split_at(start);
        filled.push_str(before);
        let known = values.iter().find_map(|(name, value)| {
            Some((from.strip_prefix('{')?.strip_prefix(name)?.strip_prefix('}')?, *value))
        });
        match known {
            Some((after, value)) => {
                filled.push_str(value);
                rest = after;
            }
            None => {
                filled.push('{');
                rest = &from[1..];
            }
        }
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled_once() {
        let values = [("event", "{count} {x"), ("count", "3")];
        assert_eq!(fill("{event}: {count} {other} {", &values), "{count} {x: 3 {other} {");
    }

    #[test]
    fn no_text_of_somebody_is_taken_for_the_services_name() {
        let writer = Writer::new("Wedding Photos", AccountLanguage::English).unwrap();
        assert_eq!(writer.fill("Afterglow: {name}", &[("name", "Afterglow")]), "Wedding Photos: Afterglow");
    }

    #[test]
    fn numbers_and_days_are_written_as_the_language_does() {
        let writer = |language| Writer::new("Afterglow", language).unwrap();
        let (english, hindi) = (writer(AccountLanguage::English), writer(AccountLanguage::Hindi));
        let day: Date = "2026-11-05".parse().unwrap();
        assert_eq!(english.day(day), "5 November 2026");
        assert_eq!(hindi.day(day), "5 नवंबर 2026");
        let saved = |writer: &Writer<'_>, count| writer.count(&writer.texts.digest.saved, count, &[]);
        assert_eq!(
            [0, 1, 2].map(|count| saved(&english, count)),
            ["0 photos were saved", "1 photo was saved", "2 photos were saved"]
        );
        assert_eq!(saved(&hindi, 2), "2 फ़ोटो सहेजी गईं");
    }
}
