//! The built web app, held in the binary.

use api::{Asset, WebApp};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Dist;

/// The web app, or a page that says how to build it where the binary was built without.
pub(crate) fn embedded() -> WebApp {
    WebApp::new(|path| {
        if let Some(file) = Dist::get(path) {
            let version =
                file.metadata.sha256_hash().iter().take(12).map(|byte| format!("{byte:02x}")).collect();
            return Some(Asset { bytes: file.data, media_type: media_type(path), version });
        }
        (path == "index.html").then(|| Asset {
            bytes: MISSING.as_bytes().into(),
            media_type: String::from("text/html; charset=utf-8"),
            version: String::from("missing"),
        })
    })
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
