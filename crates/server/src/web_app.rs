//! The built web app, held in the binary.

use std::borrow::Cow;
use std::path::Path;

use api::{Asset, WebApp};
use media::documents::Typefaces;
use rust_embed::RustEmbed;

use crate::cli::CliError;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Dist;

/// Follows the name of a file in the name of what the build compressed it to.
const COMPRESSED: &str = ".br";

/// The list of in-app browsers, which operators can replace: the ways out of them change with the releases of the apps.
const IN_APP_BROWSERS: &str = "in-app-browsers.json";

/// The web app, or a page that says how to build it where the binary was built without.
///
/// # Errors
/// When the operator's list of in-app browsers cannot be read.
pub(crate) fn embedded(in_app_browsers: Option<&Path>) -> Result<WebApp, CliError> {
    let own_list = in_app_browsers.map(read_list).transpose()?;
    Ok(WebApp::new(move |path| {
        if let (IN_APP_BROWSERS, Some(bytes)) = (path, &own_list) {
            return Some(Asset::new(bytes.clone(), media_type(path)));
        }
        if path.ends_with(COMPRESSED) {
            return None;
        }
        if let Some(file) = Dist::get(path) {
            let version =
                file.metadata.sha256_hash().iter().take(12).map(|byte| format!("{byte:02x}")).collect();
            let brotli = Dist::get(&format!("{path}{COMPRESSED}")).map(|compressed| compressed.data);
            return Some(Asset { bytes: file.data, brotli, media_type: media_type(path), version });
        }
        (path == "index.html").then(|| Asset {
            bytes: MISSING.as_bytes().into(),
            brotli: None,
            media_type: String::from("text/html; charset=utf-8"),
            version: String::from("missing"),
        })
    }))
}

/// The typefaces of documents, which the web app's build puts beside it.
pub(crate) fn typefaces() -> Option<Typefaces> {
    let file = |name: &str| match Dist::get(&format!("typefaces/{name}.ttf"))?.data {
        Cow::Borrowed(bytes) => Some(bytes),
        Cow::Owned(bytes) => Some(&*bytes.leak()),
    };
    Typefaces::new(file("regular")?, file("bold")?)
}

/// A file with a JSON array. What is in it is judged by the page, which leaves out what it does not know.
fn read_list(file: &Path) -> Result<Vec<u8>, CliError> {
    let name = file.display();
    let bytes = std::fs::read(file).map_err(|error| {
        CliError::context(&format!("The list of in-app browsers {name} cannot be read"), &error)
    })?;
    serde_json::from_slice::<Vec<serde_json::Value>>(&bytes)
        .map_err(|error| CliError::context(&format!("{name} is not a JSON array"), &error))?;
    Ok(bytes)
}

fn media_type(path: &str) -> String {
    let media_type = mime_guess::from_path(path).first_or_octet_stream().to_string();
    if media_type.starts_with("text/") { media_type + "; charset=utf-8" } else { media_type }
}

const MISSING: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Afterglow</title>\
    <p>This binary was built without the web app. Run <code>make build</code> and start it again.</p>";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operator_replaces_the_list_of_in_app_browsers() {
        // [RUN093]
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("browsers.json");
        std::fs::write(&file, br#"[{"name":"App"}]"#).unwrap();
        let list = read_list(&file).unwrap();
        assert_eq!(list, br#"[{"name":"App"}]"#);
        embedded(Some(&file)).unwrap();

        std::fs::write(&file, b"{}").unwrap();
        let error = embedded(Some(&file)).err().unwrap().to_string();
        assert!(error.contains("browsers.json is not a JSON array"), "{error}");
        let error = embedded(Some(&folder.path().join("none.json"))).err().unwrap().to_string();
        assert!(error.contains("none.json cannot be read"), "{error}");
    }

    #[test]
    fn every_kind_of_file_of_the_web_app_has_its_media_type() {
        for (path, expected) in [
            ("index.html", "text/html; charset=utf-8"),
            ("assets/index-a1.js", "text/javascript; charset=utf-8"),
            ("assets/index-a1.css", "text/css; charset=utf-8"),
            ("assets/instrument-a1.woff2", "font/woff2"),
            ("manifest.webmanifest", "application/manifest+json"),
            ("icon.svg", "image/svg+xml"),
            ("icon-192.png", "image/png"),
        ] {
            assert_eq!(media_type(path), expected, "{path}");
        }
    }
}
