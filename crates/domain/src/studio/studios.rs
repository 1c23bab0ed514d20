//! The studio of a photographer: what guests see of who took their photos.

use std::fmt::Write as _;

use crate::Refusal;
use crate::accounts::EmailAddress;
use crate::operations::runtime::texts;
use crate::photos::pixels::Color;
use crate::studio::oklch::Oklch;

/// Longest name of a studio, in Unicode code points.
const NAME_LENGTH: usize = 80;
/// Longest address of a website, in Unicode code points.
const WEBSITE_LENGTH: usize = 200;
/// Longest handle at Instagram.
const HANDLE_LENGTH: usize = 30;
/// How many digits a phone number has: E.164 has 15 at most.
const PHONE_DIGITS: std::ops::RangeInclusive<usize> = 6..=15;
/// Longest phone number as it is written.
const PHONE_LENGTH: usize = 30;
/// The least contrast of a text with what is behind it (WCAG 2.2, 1.4.3).
const TEXT_CONTRAST: f64 = 4.5;
/// The least contrast of a button with what is around it (WCAG 2.2, 1.4.11).
const SHAPE_CONTRAST: f64 = 3.0;

/// Steps of lightness in which a shade is looked for: each is less than one can tell apart.
const STEPS: u16 = 400;
/// A colour with less chroma is a grey, and stays one.
const LEAST_COLOR: f64 = 0.02;
/// The least chroma of a shade: with less, a button on it looks like one that is switched off.
const LEAST_CHROMA: f64 = 0.09;

/// A photographer's studio.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Studio {
    /// What it is called.
    pub name: String,
    /// The colour of its buttons; none for the design's own.
    pub accent: Option<Accent>,
    /// Its website.
    pub website: Option<Website>,
    /// Its handle at Instagram.
    pub instagram: Option<Handle>,
    /// How it is reached.
    pub contact: Option<Contact>,
    /// Its logo, which is seen on white.
    pub logo: Option<Logo>,
    /// Its logo for dark grounds.
    pub dark_logo: Option<Logo>,
}

impl Studio {
    /// The logo for such a ground.
    pub const fn logo_for(&self, ground: Ground) -> Option<&Logo> {
        match ground {
            Ground::Light => self.logo.as_ref(),
            Ground::Dark => self.dark_logo.as_ref(),
        }
    }
}

/// What a logo is made to lie on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ground {
    /// White. The logo is a JPEG file on it.
    #[default]
    Light,
    /// Dark themes, covers and photos. The logo is a PNG file with its transparency.
    Dark,
}

/// A studio's logo: a file in the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logo {
    /// Its name in links: random, and another one for each file.
    pub name: String,
    /// Width in pixels.
    pub width: i64,
    /// Height in pixels.
    pub height: i64,
}

/// Parses a studio's name: not empty after trimming, at most 80 characters.
///
/// # Errors
/// [`Refusal::StudioNameRequired`] or [`Refusal::StudioNameTooLong`].
pub fn parse_name(text: &str) -> Result<String, Refusal> {
    let name = texts::one_line(text);
    match name.chars().count() {
        0 => Err(Refusal::StudioNameRequired),
        length if length > NAME_LENGTH => Err(Refusal::StudioNameTooLong),
        _ => Ok(name),
    }
}

/// The colour that a photographer has chosen for buttons, of which each theme gets a shade that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accent(Color);

/// A button's colour, and that of its label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shade {
    /// The colour of the button.
    pub background: Color,
    /// The colour of the text on it.
    pub label: Color,
}

/// One of the two themes of the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark texts on light surfaces.
    Light,
    /// Light texts on dark surfaces.
    Dark,
}

impl Theme {
    /// What buttons lie on, as in `web/src/ui/theme/tokens.ts`.
    const fn surfaces(self) -> [Color; 3] {
        match self {
            Self::Light => {
                [Color::new(0xf4, 0xf4, 0xf3), Color::new(0xff, 0xff, 0xff), Color::new(0xec, 0xec, 0xeb)]
            }
            Self::Dark => {
                [Color::new(0x0e, 0x0e, 0x0e), Color::new(0x17, 0x17, 0x16), Color::new(0x21, 0x21, 0x20)]
            }
        }
    }

    /// The lightness that is furthest away from its surfaces.
    const fn away(self) -> f64 {
        match self {
            Self::Light => 0.0,
            Self::Dark => 1.0,
        }
    }
}

impl Accent {
    /// Parses `#RRGGBB`.
    ///
    /// # Errors
    /// [`Refusal::StudioColorInvalid`].
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        Color::parse(text.trim()).map(Self).ok_or(Refusal::StudioColorInvalid)
    }

    /// The colour that was chosen.
    pub const fn color(self) -> Color {
        self.0
    }

    /// The chosen colour where a button of it is seen on each surface of a theme, and otherwise the nearest one that is: of
    /// the same hue, so much darker or lighter as it takes, with the chroma that the chosen one has, or as much of it as
    /// screens have there. A pastel gets a little more, since what has so little of a colour looks grey once it is darker.
    /// Its label is white, or black where white cannot be read. One of the two always can.
    pub fn shade(self, theme: Theme) -> Shade {
        let is_seen = |color: &Color| theme.surfaces().iter().all(|on| color.contrast(*on) >= SHAPE_CONTRAST);
        let chosen = Oklch::from(self.0);
        let chroma =
            if chosen.chroma < LEAST_COLOR { chosen.chroma } else { chosen.chroma.max(LEAST_CHROMA) };
        let nearest = || {
            let steps = (1..=STEPS).map(|step| f64::from(step) / f64::from(STEPS));
            let lightnesses = steps.map(|part| chosen.lightness + part * (theme.away() - chosen.lightness));
            let mut shades = lightnesses.map(|lightness| Oklch { lightness, chroma, ..chosen }.on_screen());
            // The last of them is black or white.
            shades.find(is_seen).unwrap_or(self.0)
        };
        let background = Some(self.0).filter(is_seen).unwrap_or_else(nearest);
        let is_read = background.contrast(Color::WHITE) >= TEXT_CONTRAST;
        Shade { background, label: if is_read { Color::WHITE } else { Color::BLACK } }
    }
}

/// The https address of a website.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Website(String);

impl Website {
    /// Parses an address, with or without its `https://`: a name of a host in the public system of names, and what follows.
    /// There is neither a user nor a port in it, so that the host is what it seems to be.
    ///
    /// # Errors
    /// [`Refusal::StudioWebsiteInvalid`].
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let text = text.trim();
        let address = match text.split_once("://") {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("https") => rest,
            Some(_) => return Err(Refusal::StudioWebsiteInvalid),
            None => text,
        };
        let end = address.find(['/', '?', '#']).unwrap_or(address.len());
        let (host, rest) = address.split_at(end);
        let is_bad =
            |c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | '<' | '>' | '\\' | '`');
        if !is_host(host) || rest.contains(is_bad) || text.chars().count() > WEBSITE_LENGTH {
            return Err(Refusal::StudioWebsiteInvalid);
        }
        let rest = if rest == "/" { "" } else { rest };
        Ok(Self(format!("https://{}{rest}", host.to_lowercase())))
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether a text is a name of a host: labels of letters and digits, the last of which is no number.
fn is_host(host: &str) -> bool {
    let labels: Vec<&str> = host.split('.').collect();
    let is_label = |label: &&str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            // Vowel signs of Indic scripts are no letters, but parts of names in them.
            && label.chars().all(|c| c == '-' || c.is_ascii_alphanumeric() || !c.is_ascii() && !c.is_whitespace() && !c.is_control())
    };
    labels.len() >= 2
        && labels.iter().all(is_label)
        && labels.last().is_some_and(|last| !last.starts_with(|c: char| c.is_numeric()))
}

/// A name of an account at Instagram, without the `@`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handle(String);

impl Handle {
    /// Parses a handle, with or without its `@`, or the address of its page.
    ///
    /// # Errors
    /// [`Refusal::StudioInstagramInvalid`].
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let text = text.trim();
        let page = ["https://www.instagram.com/", "https://instagram.com/"]
            .iter()
            .find_map(|site| text.strip_prefix(site));
        let handle = page.map_or(text, |page| page.split(['/', '?', '#']).next().unwrap_or_default());
        let handle = handle.strip_prefix('@').unwrap_or(handle);
        let is_valid = (1..=HANDLE_LENGTH).contains(&handle.len())
            && handle.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_'))
            && !handle.starts_with('.')
            && !handle.ends_with('.')
            && !handle.contains("..");
        if is_valid { Ok(Self(handle.to_owned())) } else { Err(Refusal::StudioInstagramInvalid) }
    }

    /// Without the `@`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// How a studio is reached: a mail address or a phone number, as it was entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contact(String);

impl Contact {
    /// Parses a mail address, or a phone number of 6 to 15 digits.
    ///
    /// # Errors
    /// [`Refusal::StudioContactInvalid`].
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let text = text.trim();
        let is_mail = || EmailAddress::parse(text).is_ok();
        let is_phone = || {
            let rest = text.strip_prefix('+').unwrap_or(text);
            text.chars().count() <= PHONE_LENGTH
                && rest.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | '-' | '(' | ')' | '.'))
                && PHONE_DIGITS.contains(&rest.chars().filter(char::is_ascii_digit).count())
        };
        if is_phone() || is_mail() { Ok(Self(text.to_owned())) } else { Err(Refusal::StudioContactInvalid) }
    }

    /// As it was entered.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The link that begins a mail or a call.
    pub fn url(&self) -> String {
        if !self.0.contains('@') {
            let number = self.0.chars().filter(|c| c.is_ascii_digit() || *c == '+');
            return format!("tel:{}", number.collect::<String>());
        }
        let mut url = String::from("mailto:");
        for byte in self.0.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'@' | b'.' | b'_' | b'-' | b'~' => {
                    url.push(char::from(byte));
                }
                // What could begin further fields of the mail among them.
                _ => _ = write!(url, "%{byte:02X}"),
            }
        }
        url
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_name_is_one_line_of_at_most_80_characters() {
        assert_eq!(parse_name(" Studio\nMeera ").unwrap(), "Studio Meera");
        assert_eq!(parse_name("म".repeat(NAME_LENGTH).as_str()).unwrap().chars().count(), NAME_LENGTH);
        assert_eq!(parse_name(" \t"), Err(Refusal::StudioNameRequired));
        assert_eq!(parse_name(&"a".repeat(NAME_LENGTH + 1)), Err(Refusal::StudioNameTooLong));
    }

    #[test]
    fn an_accent_that_can_be_read_stays_as_it_is() {
        for (accent, theme, label) in [
            ("#c9410e", Theme::Light, Color::WHITE),
            ("#ff7f47", Theme::Dark, Color::BLACK),
            ("#0b5394", Theme::Light, Color::WHITE),
        ] {
            let accent = Accent::parse(accent).unwrap();
            assert_eq!(accent.shade(theme), Shade { background: accent.color(), label });
        }
        assert_eq!(Accent::parse("orange"), Err(Refusal::StudioColorInvalid));
        let (white, black) = (Accent(Color::WHITE), Accent(Color::BLACK));
        assert_ne!(white.shade(Theme::Light).background, Color::WHITE);
        assert_eq!(white.shade(Theme::Dark).background, Color::WHITE);
        assert_eq!(black.shade(Theme::Light).background, Color::BLACK);
        assert_ne!(black.shade(Theme::Dark).background, Color::BLACK);
    }

    #[test]
    fn an_accent_that_cannot_be_seen_keeps_its_hue_and_its_chroma() {
        // [BRAND045] Mixed with black, as once, a pastel is a grey: #f4c2c2 was #a18080.
        for accent in ["#f4c2c2", "#ffe0b2", "#cfe8d5", "#d6cadd", "#aee1f9", "#e8b65a", "#fff44f"] {
            let accent = Accent::parse(accent).unwrap();
            let (chosen, shade) = (Oklch::from(accent.color()), accent.shade(Theme::Light));
            let shown = Oklch::from(shade.background);
            assert!(shown.lightness < chosen.lightness);
            let turned = (shown.hue - chosen.hue).to_degrees().rem_euclid(360.0);
            assert!(!(3.0..=357.0).contains(&turned), "{accent:?}: {} by {turned}", shade.background);
            // Screens have less of some colours where they are darker, yellow first of all.
            let most = Oklch::from(Oklch { chroma: 0.4, ..shown }.on_screen()).chroma;
            let least = chosen.chroma.max(LEAST_CHROMA).min(most);
            assert!(shown.chroma > least - 0.01, "{accent:?}: {} has {}", shade.background, shown.chroma);
            // No step more than it takes.
            let brighter = Oklch { lightness: shown.lightness + 0.01, ..shown }.on_screen();
            assert!(Theme::Light.surfaces().iter().any(|on| brighter.contrast(*on) < SHAPE_CONTRAST));
            assert_eq!(accent.shade(Theme::Dark).background, accent.color(), "it is seen on dark surfaces");
        }
        let grey = Accent::parse("#b0b0b0").unwrap().shade(Theme::Light).background;
        assert!(grey.red == grey.green && grey.green == grey.blue, "{grey}");
    }

    proptest! {
        #[test]
        fn each_accent_has_a_shade_that_can_be_read(red: u8, green: u8, blue: u8) {
            for theme in [Theme::Light, Theme::Dark] {
                let Shade { background, label } = Accent(Color::new(red, green, blue)).shade(theme);
                prop_assert!(label.contrast(background) >= TEXT_CONTRAST);
                for surface in theme.surfaces() {
                    prop_assert!(background.contrast(surface) >= SHAPE_CONTRAST);
                }
            }
        }
    }

    #[test]
    fn a_website_is_an_https_address_of_a_host() {
        // [BRAND004]
        for (text, address) in [
            ("https://meera.example", "https://meera.example"),
            (" HTTPS://Meera.Example/ ", "https://meera.example"),
            ("www.meera.example/weddings?x=1#top", "https://www.meera.example/weddings?x=1#top"),
            ("स्टूडियो.भारत", "https://स्टूडियो.भारत"),
        ] {
            assert_eq!(Website::parse(text).unwrap().as_str(), address, "{text}");
        }
        let long = format!("https://meera.example/{}", "a".repeat(WEBSITE_LENGTH));
        for text in [
            "",
            "http://meera.example",
            "javascript:alert(1)",
            "javascript://meera.example/%0aalert(1)",
            "https://meera@evil.example",
            "https://meera.example:8443",
            "https://localhost",
            "https://10.0.0.1",
            "https://-a.example",
            "https://meera..example",
            "https://meera.example\\@evil.example",
            "https://meera.example/a b",
            "https://meera.example/\"><script>",
            &long,
        ] {
            assert_eq!(Website::parse(text), Err(Refusal::StudioWebsiteInvalid), "{text:.40}");
        }
    }

    #[test]
    fn a_handle_is_one_of_instagrams() {
        for text in [
            "meera.studio_1",
            " @meera.studio_1",
            "https://instagram.com/meera.studio_1/",
            "https://www.instagram.com/meera.studio_1?igsh=1",
        ] {
            assert_eq!(Handle::parse(text).unwrap().as_str(), "meera.studio_1", "{text}");
        }
        for text in ["", "@", "@@a", ".a", "a.", "a..b", "a b", "मीरा", "a/b", &"a".repeat(31)] {
            assert_eq!(Handle::parse(text), Err(Refusal::StudioInstagramInvalid), "{text}");
        }
    }

    #[test]
    fn a_contact_is_a_mail_address_or_a_phone_number() {
        // [BRAND006]
        for (text, url) in [
            ("meera@studio.example", "mailto:meera@studio.example"),
            ("a?cc=b&c@studio.example", "mailto:a%3Fcc%3Db%26c@studio.example"),
            (" +91 (98450) 12-345 ", "tel:+919845012345"),
            ("080.2222.1111", "tel:08022221111"),
        ] {
            let contact = Contact::parse(text).unwrap();
            assert_eq!((contact.as_str(), contact.url().as_str()), (text.trim(), url));
        }
        for text in ["", "call me", "12345", "1234567890123456", "++91 98450", "98450 ext 4", "a@b@c"] {
            assert_eq!(Contact::parse(text), Err(Refusal::StudioContactInvalid), "{text}");
        }
    }
}
