//! Who is named on invoices, from the settings.

use domain::Refusal;
use domain::payments::billing::{ADDRESS_LENGTH, NAME_LENGTH, is_latin};
use domain::payments::gst::{Gstin, Rate, Sac};
use domain::payments::invoices::Seller;

use crate::cli::CliError;
use crate::settings::Settings;

/// Who is named on invoices; none without the settings, and then there are none.
///
/// # Errors
/// One sentence that names the setting.
pub(crate) fn seller(settings: &Settings) -> Result<Option<Seller>, CliError> {
    let all = [
        ("gst_name", &settings.gst_name),
        ("gst_address", &settings.gst_address),
        ("gst_number", &settings.gst_number),
        ("gst_sac", &settings.gst_sac),
    ];
    let is_missing = |text: &str| text.trim().is_empty();
    if all.iter().all(|(_, text)| is_missing(text)) {
        return Ok(None);
    }
    if let Some((name, _)) = all.iter().find(|(_, text)| is_missing(text)) {
        return Err(CliError::new(format!(
            "The setting `{name}` is missing: `gst_name`, `gst_address`, `gst_number` and `gst_sac` must be set all, or none.",
        )));
    }
    if let Some((name, _)) = all.iter().find(|(_, text)| !is_latin(text)) {
        return Err(CliError::new(format!(
            "The setting `{name}` has letters that invoices cannot show: please write it in Latin letters.",
        )));
    }
    let longest = [
        ("gst_name", &settings.gst_name, NAME_LENGTH),
        ("gst_address", &settings.gst_address, ADDRESS_LENGTH),
    ];
    if let Some((name, _, length)) = longest.iter().find(|(_, text, length)| text.chars().count() > *length) {
        return Err(CliError::new(format!(
            "The setting `{name}` is too long for an invoice: it may have {length} characters.",
        )));
    }
    let gstin = Gstin::parse(&settings.gst_number).map_err(|refusal| {
        let why = match refusal {
            Refusal::GstinMistyped => "its last character does not fit the others",
            Refusal::GstinStateUnknown => "its first two digits are not the code of a state",
            _ => "it has 15 letters and digits, such as 27AAPFU0939F1ZV",
        };
        CliError::new(format!("The setting `gst_number` is no GSTIN: {why}."))
    })?;
    let sac = Sac::parse(settings.gst_sac.trim());
    let sac = sac.ok_or_else(|| CliError::new("The setting `gst_sac` has 4 to 8 digits, such as 998439."))?;
    let rate = Rate::new(settings.gst_rate);
    let rate = rate.ok_or_else(|| CliError::new("The setting `gst_rate` is a percentage from 1 to 100."))?;
    Ok(Some(Seller {
        name: settings.gst_name.trim().to_owned(),
        address: settings.gst_address.trim().to_owned(),
        gstin,
        sac,
        rate,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complete() -> Settings {
        Settings {
            gst_name: String::from("Sundar & Sons"),
            gst_address: String::from("1 Lake Road\nPune"),
            gst_number: String::from("27aapfu0939f1zv"),
            gst_sac: String::from("998439"),
            ..Settings::default()
        }
    }

    #[test]
    fn the_settings_of_invoices_are_all_there_or_none() {
        // [PAY223]
        assert_eq!(seller(&Settings::default()).unwrap_or_else(|error| panic!("{error}")), None);
        let seller = seller(&complete()).unwrap_or_else(|error| panic!("{error}")).unwrap();
        assert_eq!((seller.gstin.as_str(), seller.rate.percent()), ("27AAPFU0939F1ZV", 18));
    }

    #[test]
    fn what_is_wrong_names_its_setting() {
        // [PAY223]
        let refused = |settings: Settings| match seller(&settings) {
            Ok(seller) => panic!("{seller:?}"),
            Err(error) => error.to_string(),
        };
        assert_eq!(
            refused(Settings { gst_address: String::from(" "), ..complete() }),
            "The setting `gst_address` is missing: `gst_name`, `gst_address`, `gst_number` and `gst_sac` must be set all, or none."
        );
        assert_eq!(
            refused(Settings { gst_number: String::from("27AAPFU0939F1ZW"), ..complete() }),
            "The setting `gst_number` is no GSTIN: its last character does not fit the others."
        );
        assert_eq!(
            refused(Settings { gst_number: String::from("27AAPFU0939F"), ..complete() }),
            "The setting `gst_number` is no GSTIN: it has 15 letters and digits, such as 27AAPFU0939F1ZV."
        );
        for (settings, name) in [
            (Settings { gst_sac: String::from("99a"), ..complete() }, "`gst_sac`"),
            (Settings { gst_rate: 0, ..complete() }, "`gst_rate`"),
            (Settings { gst_name: String::from("सुन्दर"), ..complete() }, "`gst_name`"),
        ] {
            assert!(refused(settings).contains(name), "{name}");
        }
    }
}
