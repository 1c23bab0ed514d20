//! XMP sidecars: small files beside a photographer's originals, in which programs that develop photos find a rating and a label
//! (Adobe XMP Specification, part 1 and 2).

use crate::Refusal;

/// What the sidecars of chosen photos say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    rating: Option<u8>,
    label: Option<&'static str>,
}

/// The labels that programs show as colours, as they are asked for and as Lightroom names them in English, which others read.
const LABELS: [(&str, &str); 5] =
    [("red", "Red"), ("yellow", "Yellow"), ("green", "Green"), ("blue", "Blue"), ("purple", "Purple")];

impl Marks {
    /// From the fields of a call.
    ///
    /// # Errors
    /// [`Refusal::RatingInvalid`] or [`Refusal::LabelUnknown`].
    pub fn parse(rating: Option<i64>, label: Option<&str>) -> Result<Self, Refusal> {
        let stars = |rating: i64| u8::try_from(rating).ok().filter(|stars| (1..=5).contains(stars));
        let rating = rating.map(|rating| stars(rating).ok_or(Refusal::RatingInvalid)).transpose()?;
        let known = |label: &str| LABELS.into_iter().find(|(known, _)| *known == label).map(|(_, name)| name);
        let label = label.map(|label| known(label).ok_or(Refusal::LabelUnknown)).transpose()?;
        Ok(Self { rating, label })
    }

    /// The file's text.
    pub fn xmp(&self) -> String {
        let rating = self.rating.map(|rating| format!(" xmp:Rating=\"{rating}\"")).unwrap_or_default();
        let label = self.label.map(|label| format!(" xmp:Label=\"{label}\"")).unwrap_or_default();
        format!(
            "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n\
             <x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n\
             \x20<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n\
             \x20 <rdf:Description rdf:about=\"\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\"{rating}{label}/>\n\
             \x20</rdf:RDF>\n\
             </x:xmpmeta>\n\
             <?xpacket end=\"w\"?>\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sidecar_says_what_was_asked_for_and_nothing_else() {
        // [GAL488]
        let marks = Marks::parse(Some(5), Some("green")).unwrap().xmp();
        assert!(marks.contains("xmp:Rating=\"5\" xmp:Label=\"Green\"/>"), "{marks}");
        let plain = Marks::parse(None, None).unwrap().xmp();
        assert!(!plain.contains("Rating") && !plain.contains("Label"), "{plain}");
    }

    #[test]
    fn programs_know_five_stars_and_five_colours() {
        // [GAL489]
        for rating in [i64::MIN, -1, 0, 6, 256 + 3, i64::MAX] {
            assert_eq!(Marks::parse(Some(rating), None), Err(Refusal::RatingInvalid));
        }
        for label in ["", "Green", "grün", "Select\"/>"] {
            assert_eq!(Marks::parse(None, Some(label)), Err(Refusal::LabelUnknown));
        }
    }
}
