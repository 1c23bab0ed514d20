//! The document of a wall: one for browsers of 2017, with its script and style in it, so that nothing but photos is loaded.

use std::sync::LazyLock;

use app::App;
use app::guests::walls::Opened;
use app::photos::files;
use askama::Template;
use axum::http::HeaderMap;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use super::code;
use super::texts::{self, Texts};
use crate::operations::assets::WebApp;
use crate::operations::runtime::conditional::header_value;
use crate::operations::runtime::error::Result;

/// Punctuation beside which a script needs no space, as it is written here: with a semicolon after each statement, and without
/// regular expressions.
const OF_SCRIPTS: &[char] =
    &['{', '}', '(', ')', '[', ']', ';', ',', ':', '=', '+', '*', '/', '<', '>', '?', '&', '|', '!'];
const OF_STYLES: &[char] = &['{', '}', ';', ':', ','];

static SCRIPT: LazyLock<String> =
    LazyLock::new(|| squeezed(include_str!("../../../templates/wall.js"), OF_SCRIPTS));
static STYLE: LazyLock<String> =
    LazyLock::new(|| squeezed(include_str!("../../../templates/wall.css"), OF_STYLES));

/// A script or style without the lines that are comments, and without the spaces that nothing needs: old televisions are slow, and
/// on some of them so is the line.
fn squeezed(text: &str, punctuation: &[char]) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    let mut squeezed = String::with_capacity(text.len());
    for line in lines {
        let is_needed = !squeezed.ends_with(['{', ';', ',']) && !line.starts_with('}');
        if is_needed && !squeezed.is_empty() {
            squeezed.push('\n');
        }
        let mut quote = None;
        let mut rest = line.chars().peekable();
        while let Some(c) = rest.next() {
            match quote {
                None if c == ' ' => {
                    let is_beside = squeezed.ends_with(punctuation)
                        || rest.peek().is_none_or(|next| punctuation.contains(next));
                    if is_beside {
                        continue;
                    }
                }
                None if c == '\'' || c == '"' => quote = Some(c),
                Some(open) if open == c => quote = None,
                _ => {}
            }
            squeezed.push(c);
        }
    }
    squeezed
}

#[derive(Template)]
#[template(path = "wall.html")]
struct Document<'a> {
    site: &'a str,
    language: &'static str,
    texts: &'static Texts,
    style: &'a str,
    script: &'a str,
    /// None of a wall that has ended.
    open: Option<Open<'a>>,
}

struct Open<'a> {
    name: &'a str,
    /// The guests' page of the event.
    url: String,
    /// Its QR code, an SVG.
    code: String,
}

/// The file of the headings' letters in the built web app, if its document names one.
fn letters(web_app: &WebApp) -> Option<String> {
    let document = web_app.find("index.html")?;
    let html = std::str::from_utf8(&document.bytes).ok()?;
    let (before, after) = html.split_once("/assets/familjen-grotesk-latin-wght")?;
    let (name, _) = after.split_once(".woff2")?;
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    (before.ends_with('"') && is_name).then(|| format!("/assets/familjen-grotesk-latin-wght{name}.woff2"))
}

/// Which script or style may stand in the document (CSP 3).
fn source(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}

/// The document of a wall, or of one that has ended, and its headers: nobody keeps it, finds it by a search, or is told its address
/// by what it loads.
pub(super) fn page(
    app: &App,
    web_app: &WebApp,
    languages: &[String],
    wall: Option<&Opened>,
) -> Result<(HeaderMap, String)> {
    let (language, texts) = texts::of(languages);
    let style = match letters(web_app) {
        Some(file) => format!(
            "@font-face{{font-family:Familjen;font-weight:400 700;src:url({file}) format(\"woff2\")}}{}",
            *STYLE
        ),
        None => STYLE.clone(),
    };
    let open = wall.map(|wall| {
        let url = app.guest_page(wall.event.owner, &wall.event.slug);
        Open { name: &wall.event.name, code: code::svg(&url).unwrap_or_default(), url }
    });
    let html =
        Document { site: &app.settings().site_name, language, texts, style: &style, script: &SCRIPT, open }
            .render()?;
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; img-src 'self' {}; font-src 'self'; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        source(&SCRIPT),
        source(&style),
        files::origins(app).join(" "),
    );
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, policy.as_str()),
        (CACHE_CONTROL, "no-store"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()"),
        (HeaderName::from_static("x-robots-tag"), "noindex"),
        (HeaderName::from_static("vary"), "accept-language"),
    ];
    let headers: Result<HeaderMap> =
        headers.into_iter().map(|(name, value)| Ok((name, header_value(value)?))).collect();
    Ok((headers?, html))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_go_where_nothing_needs_them() {
        // [GAL460]
        let script = "  // A comment.\n  var a = b + ' = c ; ';\n\n  if (a) {\n    return a - -1;\n  }\n  else f(a, \"x  y\");\n";
        assert_eq!(
            squeezed(script, OF_SCRIPTS),
            "var a=b+' = c ; ';if(a){return a - -1;}\nelse f(a,\"x  y\");"
        );
        let style = ".a .b, p { margin: 0 1px; }\n@media (max-width: 1px) {\n.a { font: 1px \"A B\" }\n}\n";
        assert_eq!(
            squeezed(style, OF_STYLES),
            ".a .b,p{margin:0 1px;}\n@media (max-width:1px){.a{font:1px \"A B\"}}"
        );
    }
}
