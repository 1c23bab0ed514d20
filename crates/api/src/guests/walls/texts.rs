//! The words on a wall, in the languages of the guests' page.

/// All of them in one language.
pub(super) struct Texts {
    /// `ltr` or `rtl`.
    pub(super) direction: &'static str,
    /// Whether its letters need lines that are higher than Latin ones, and are not moved together.
    pub(super) is_tall: bool,
    /// What the code is for.
    pub(super) find: &'static str,
    /// While there are no photos.
    pub(super) empty: &'static str,
    /// What [`domain::Refusal::WallEnded`] says.
    pub(super) ended: &'static str,
    /// While the server cannot be reached.
    pub(super) lost: &'static str,
}

const LTR: &str = "ltr";

/// English first: what is not there is said in English.
static LANGUAGES: [(&str, Texts); 12] = [
    (
        "en",
        Texts {
            direction: LTR,
            is_tall: false,
            find: "Find your photos",
            empty: "Photos appear here as they arrive.",
            ended: "This wall has ended.",
            lost: "No connection",
        },
    ),
    (
        "hi",
        Texts {
            direction: LTR,
            is_tall: true,
            find: "अपनी फ़ोटो ढूँढें",
            empty: "फ़ोटो आते ही यहाँ दिखेंगी।",
            ended: "यह वॉल बंद हो चुकी है।",
            lost: "कनेक्शन नहीं है",
        },
    ),
    (
        "bn",
        Texts {
            direction: LTR,
            is_tall: true,
            find: "আপনার ছবি খুঁজুন",
            empty: "ছবি এলেই এখানে দেখা যাবে।",
            ended: "এই ওয়াল বন্ধ হয়ে গেছে।",
            lost: "সংযোগ নেই",
        },
    ),
    (
        "ta",
        Texts {
            direction: LTR,
            is_tall: true,
            find: "உங்கள் போட்டோக்களைத் தேடுங்கள்",
            empty: "போட்டோக்கள் வந்தவுடன் இங்கே தோன்றும்.",
            ended: "இந்தத் திரை முடிந்துவிட்டது.",
            lost: "இணைப்பு இல்லை",
        },
    ),
    (
        "te",
        Texts {
            direction: LTR,
            is_tall: true,
            find: "మీ ఫోటోలను వెతకండి",
            empty: "ఫోటోలు వచ్చిన వెంటనే ఇక్కడ కనిపిస్తాయి.",
            ended: "ఈ వాల్ ముగిసింది.",
            lost: "కనెక్షన్ లేదు",
        },
    ),
    (
        "mr",
        Texts {
            direction: LTR,
            is_tall: true,
            find: "तुमचे फोटो शोधा",
            empty: "फोटो आले की येथे दिसतील.",
            ended: "ही वॉल बंद झाली आहे.",
            lost: "कनेक्शन नाही",
        },
    ),
    (
        "gu",
        Texts {
            direction: LTR,
            is_tall: true,
            find: "તમારા ફોટા શોધો",
            empty: "ફોટા આવતાં જ અહીં દેખાશે.",
            ended: "આ વૉલ બંધ થઈ ગઈ છે.",
            lost: "કનેક્શન નથી",
        },
    ),
    (
        "es",
        Texts {
            direction: LTR,
            is_tall: false,
            find: "Encuentra tus fotos",
            empty: "Las fotos aparecerán aquí a medida que lleguen.",
            ended: "Este mural de fotos ha terminado.",
            lost: "Sin conexión",
        },
    ),
    (
        "fr",
        Texts {
            direction: LTR,
            is_tall: false,
            find: "Retrouvez vos photos",
            empty: "Les photos apparaissent ici dès leur arrivée.",
            ended: "Ce mur de photos est terminé.",
            lost: "Pas de connexion",
        },
    ),
    (
        "de",
        Texts {
            direction: LTR,
            is_tall: false,
            find: "Ihre Fotos finden",
            empty: "Fotos erscheinen hier, sobald sie eintreffen.",
            ended: "Diese Fotowand ist zu Ende.",
            lost: "Keine Verbindung",
        },
    ),
    (
        "pt",
        Texts {
            direction: LTR,
            is_tall: false,
            find: "Encontre suas fotos",
            empty: "As fotos aparecem aqui assim que chegam.",
            ended: "Este mural foi encerrado.",
            lost: "Sem conexão",
        },
    ),
    (
        "ar",
        Texts {
            direction: "rtl",
            is_tall: true,
            find: "اعثر على صورك",
            empty: "تظهر الصور هنا فور وصولها.",
            ended: "انتهى عرض الصور هذا.",
            lost: "لا يوجد اتصال",
        },
    ),
];

/// The texts in the first of these languages that there is, and its tag.
pub(super) fn of(languages: &[String]) -> (&'static str, &'static Texts) {
    let find = |language: &String| LANGUAGES.iter().find(|(tag, _)| tag == language);
    let (tag, texts) = languages.iter().find_map(find).unwrap_or(&LANGUAGES[0]);
    (tag, texts)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_wall_speaks_the_languages_of_the_guests_page() {
        // [GAL471]
        let mut said = HashSet::new();
        for (tag, Texts { find, empty, ended, lost, .. }) in &LANGUAGES {
            assert_eq!(of(&[String::from("tlh"), String::from(*tag)]).0, *tag);
            for text in [find, empty, ended, lost] {
                assert!(!text.contains(['<', '&', '"']), "it is written as it is: {text}");
                assert!(said.insert((*tag, *text)), "{tag}: {text} is said twice");
            }
        }
        assert_eq!(of(&[]).0, "en");
        assert_eq!(of(&[]).1.ended, domain::Refusal::WallEnded.to_string());
    }
}
