//! Heads of pages, for programs that do not run the web app: those that preview a shared link, and search engines.

use app::events::covers;
use app::studio::studios;
use app::{App, statistics};
use askama::Template;
use axum::http::{HeaderMap, Method, StatusCode};
use domain::Refusal;
use domain::events::Event;
use domain::studio::studios::Studio;

use crate::events::manifests;
use crate::events::opening::{self, Opening};
use crate::guests::walls;
use crate::operations::assets::{Asset, WebApp};
use crate::operations::runtime::error::Result;

/// What the generated picture shows.
const SKY: &str = "A drawn sky at dusk";
/// The markers in the web app's page between which its head is replaced.
const START: &str = "<!-- head";
const END: &str = "<!-- /head -->";
const EVENT: &str = "/event/";
/// Where clients choose photos. What its address ends with opens them.
pub(crate) const SELECTION: &str = "/selection/";
/// The document of the app, whatever the path: the router in it goes on from there.
const APP_DOCUMENT: &str = "index.html";
/// The document of an event's guests, and of clients.
const EVENT_DOCUMENT: &str = "event.html";
/// Where the build puts pages that it has rendered, a document for each language: `home.en.html` is that of `/`.
const RENDERED: &str = "pages/";
/// The source expression (CSP 3) by which those documents may run the script that is in them.
const RENDERED_SCRIPT: &str = "pages/script-src.txt";
const DESCRIPTION: &str = "Event photos that find their guests: upload once, share one link, every guest finds their own with a selfie.";

/// Whether search engines must not index the page: an event is for those who were given its link, and a client's selection too.
pub(crate) fn is_private(path: &str) -> bool {
    path.starts_with(EVENT) || path.starts_with(SELECTION)
}

/// Whether a file of the build is a document, or belongs to one; those are found by their pages' paths alone.
pub(crate) fn is_document(file: &str) -> bool {
    [APP_DOCUMENT, EVENT_DOCUMENT].contains(&file) || file.starts_with(RENDERED)
}

/// Which script may stand in a document of the build.
pub(crate) fn inline_script(web_app: &WebApp) -> Option<String> {
    let file = web_app.find(RENDERED_SCRIPT)?;
    Some(std::str::from_utf8(&file.bytes).ok()?.trim().to_owned())
}

/// The page at `path` that the build has rendered, in the first of these languages that it has been rendered in, or English.
fn rendered(web_app: &WebApp, path: &str, languages: &[String]) -> Option<Asset> {
    let name = match path.trim_matches('/') {
        "" => "home",
        name => name,
    };
    if !name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-') {
        return None;
    }
    let document = |language: &str| web_app.find(&format!("{RENDERED}{name}.{language}.html"));
    languages.iter().find_map(|language| document(language)).or_else(|| document("en"))
}

/// The document at `path`, with the head of its own if it has one. An event has another than the app. The link of no event
/// is answered 404 with the app's: whoever follows a dead link by a program learns it from the status, a person from the
/// app.
///
/// # Errors
/// [`Refusal::PathNotFound`] when the web app was not built.
pub(crate) async fn at(
    app: &App,
    path: &str,
    web_app: &WebApp,
    reader: Reader,
    languages: &[String],
) -> Result<(StatusCode, Asset)> {
    let preview = preview(app, path, reader).await;
    let is_guests = is_private(path) && !matches!(preview, Preview::NoEvent);
    let built = if is_guests { web_app.find(EVENT_DOCUMENT) } else { rendered(web_app, path, languages) };
    let document = built.or_else(|| web_app.find(APP_DOCUMENT)).ok_or(Refusal::PathNotFound)?;
    let opens = |document, opening: Option<&Opening>| match is_guests {
        true => opening::fill(document, opening, walls::direction(languages)),
        false => document,
    };
    match preview {
        Preview::Built => Ok((StatusCode::OK, opens(document, None))),
        Preview::NoEvent => Ok((StatusCode::NOT_FOUND, document)),
        Preview::Own(head) => Ok((StatusCode::OK, opens(with_head(&head, document)?, head.opening.as_ref()))),
    }
}

/// Who asks for a page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    /// A browser that opens it.
    Person,
    /// Something else, such as the preview of a link in a chat.
    Program,
}

impl Reader {
    /// Browsers say what they fetch (Fetch Metadata; over plain http they only ask for the https page), programs that preview
    /// links do not. A page that is fetched ahead may never be seen.
    pub(crate) fn of(method: &Method, headers: &HeaderMap) -> Self {
        let is = |name: &str, value: &str| headers.get(name).is_some_and(|found| found == value);
        let opens = is("sec-fetch-dest", "document")
            || !headers.contains_key("sec-fetch-dest") && is("upgrade-insecure-requests", "1");
        let is_ahead = headers.get("sec-purpose").or_else(|| headers.get("purpose")).is_some();
        if *method == Method::GET && opens && !is_ahead { Self::Person } else { Self::Program }
    }
}

fn with_head(head: &Head, page: Asset) -> Result<Asset> {
    let Ok(html) = std::str::from_utf8(&page.bytes) else { return Ok(page) };
    let Some((before, rest)) = html.split_once(START) else { return Ok(page) };
    let Some((_, after)) = rest.split_once(END) else { return Ok(page) };
    let head = head.render()?;
    Ok(Asset::new(format!("{before}{head}{after}").into_bytes(), page.media_type))
}

/// What a page shows to programs that do not run the web app.
enum Preview {
    /// A head of its own.
    Own(Head),
    /// The head that was built into the web app.
    Built,
    /// The link of an event that is not there, or no longer there.
    NoEvent,
}

/// Title, description, canonical address, Open Graph, and the tags that X reads.
#[derive(Template)]
#[template(path = "head.html")]
struct Head {
    title: String,
    description: String,
    /// Whose page it is.
    site_name: String,
    url: String,
    image_url: String,
    image_text: &'static str,
    is_private: bool,
    /// The path of the page's own manifest.
    manifest: Option<String>,
    opening: Option<Opening>,
}

/// An open event, and whose it is.
async fn event_of(app: &App, slug: &str) -> app::Result<(Event, Option<Studio>)> {
    let event = app::events::by_slug(app, slug).await?;
    let studio = studios::of_event(app, &event).await?;
    Ok((event, studio))
}

async fn preview(app: &App, path: &str, reader: Reader) -> Preview {
    let (site, site_name) = (&app.settings().public_url, &app.settings().site_name);
    if path == "/" {
        return Preview::Own(Head {
            title: format!("{site_name}: event photos that find their guests"),
            description: String::from(DESCRIPTION),
            site_name: site_name.clone(),
            url: format!("{site}/"),
            image_url: format!("{site}/covers/site.jpg"),
            image_text: SKY,
            is_private: false,
            manifest: None,
            opening: None,
        });
    }
    if path.starts_with(SELECTION) {
        // The same for all: whoever previews a link learns nothing of what it opens.
        return Preview::Own(Head {
            title: format!("Choose your photos · {site_name}"),
            description: String::from("Your photographer asks you which photos you want."),
            site_name: site_name.clone(),
            url: format!("{site}/"),
            image_url: format!("{site}/covers/site.jpg"),
            image_text: SKY,
            is_private: true,
            manifest: None,
            opening: None,
        });
    }
    let Some(slug) = path.strip_prefix(EVENT).map(|slug| slug.trim_end_matches('/')) else {
        return Preview::Built;
    };
    let (event, studio) = match event_of(app, slug).await {
        Ok(found) => found,
        Err(app::Failure::Refused(_)) => return Preview::NoEvent,
        Err(failure) => {
            // The web app reports the failure itself and retries.
            tracing::warn!(error = failure.chain(), "a page was served without the name of its event");
            return Preview::Built;
        }
    };
    if reader == Reader::Person {
        statistics::count_visit(app, &event);
    }
    let Event { name, slug, cover, .. } = event.clone();
    let cover = cover.map(|cover| cover.version());
    let logo = studio.as_ref().and_then(|studio| Some(studio.logo.as_ref()?.name.clone()));
    let studio_name = studio.as_ref().map(|studio| studio.name.clone());
    let by = studio_name.as_ref().map_or_else(String::new, |studio| format!("Photos by {studio}. "));
    let opening = Opening::new(app, event, studio)
        .inspect_err(|error| tracing::warn!(%error, "a page was served without its event"))
        .ok();
    Preview::Own(Head {
        title: format!("{name} · {site_name}"),
        description: format!("{by}Take a selfie and find the photos of {name} you are in."),
        site_name: studio_name.unwrap_or_else(|| site_name.clone()),
        url: app.settings().event_url(&slug),
        // Previews are kept for long: another photo, a replaced one, or another logo, has another address.
        image_url: match (&cover, logo) {
            (None, None) => format!("{site}/covers/{slug}.jpg"),
            (Some(photo), None) => format!("{site}/covers/{slug}.jpg?photo={photo}"),
            (None, Some(logo)) => format!("{site}/covers/{slug}.jpg?logo={logo}"),
            (Some(photo), Some(logo)) => format!("{site}/covers/{slug}.jpg?photo={photo}&logo={logo}"),
        },
        image_text: if cover.is_none() { SKY } else { "A photo of the event" },
        is_private: true,
        manifest: Some(manifests::path(&slug)),
        opening,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_escaped_in_text_and_attributes() {
        let name = String::from("</title><script src=\"//evil\">&'");
        let head = Head {
            title: name.clone(),
            description: name.clone(),
            site_name: name,
            url: String::from("https://a.example/event/x"),
            image_url: String::from("https://a.example/covers/x.jpg"),
            image_text: SKY,
            is_private: true,
            manifest: None,
            opening: None,
        };
        let html = head.render().unwrap();
        assert!(!html.contains("<script") && !html.contains("\"//evil"), "{html}");
        let escaped = "&#60;/title&#62;&#60;script src=&#34;//evil&#34;&#62;&#38;&#39;";
        assert_eq!(html.matches(escaped).count(), 5);
    }
}
