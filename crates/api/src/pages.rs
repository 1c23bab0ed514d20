//! What a page says about itself to programs that do not run it: those that show a shared link, and search engines.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use app::{App, covers};
use domain::events::Event;

use crate::assets::Asset;

/// What the web app's page has between these is replaced.
const START: &str = "<!-- about";
const END: &str = "<!-- /about -->";
const EVENT: &str = "/event/";
const PITCH: &str = "Event photos that find their guests: upload once, share one link, every guest finds their own with a selfie.";

/// Whether a page is for those who were given its address, and for no search engine.
pub(crate) fn is_private(path: &str) -> bool {
    path.starts_with(EVENT)
}

/// The web app's page with what the page at `path` says about itself; as it was built where there is nothing to say.
pub(crate) async fn with_head(app: &App, path: &str, page: Asset) -> Asset {
    let Ok(html) = std::str::from_utf8(&page.bytes) else { return page };
    let (Some(start), Some(end)) = (html.find(START), html.find(END)) else { return page };
    let (before, after) = (html.get(..start), html.get(end + END.len()..));
    let (Some(before), Some(after)) = (before, after) else { return page };
    let Some(head) = head(app, path).await else { return page };
    let mut version = DefaultHasher::new();
    head.hash(&mut version);
    Asset {
        bytes: format!("{before}{head}{after}").into_bytes().into(),
        version: format!("{}-{:016x}", page.version, version.finish()),
        media_type: page.media_type,
    }
}

async fn head(app: &App, path: &str) -> Option<String> {
    let site = &app.settings.public_url;
    if path == "/" {
        let title = "Afterglow: event photos that find their guests";
        return Some(tags(title, PITCH, &format!("{site}/"), &format!("{site}/covers/site.jpg"), false));
    }
    let slug = path.strip_prefix(EVENT)?.trim_end_matches('/');
    let event = match app::events::by_slug(app, slug).await {
        Ok(event) => event,
        Err(app::Failure::Refused(_)) => return None,
        Err(failure) => {
            // The page itself says what is wrong, and goes on by itself when it is over.
            tracing::warn!(error = failure.chain(), "a page was served without the name of its event");
            return None;
        }
    };
    let Event { name, slug, .. } = event;
    let description = format!("Take a selfie and find the photos of {name} you are in.");
    let (page, picture) = (app.settings.event_url(&slug), format!("{site}/covers/{slug}.jpg"));
    Some(tags(&format!("{name} · Afterglow"), &description, &page, &picture, true))
}

/// Title, description, canonical address, Open Graph and the tags that X reads.
fn tags(title: &str, description: &str, page: &str, picture: &str, private: bool) -> String {
    let (width, height) = covers::SIZE;
    let [title, description, page, picture] = [title, description, page, picture].map(app::escape_html);
    let robots = if private { "<meta name=\"robots\" content=\"noindex\" />\n    " } else { "" };
    format!(
        "<title>{title}</title>
    {robots}<meta name=\"description\" content=\"{description}\" />
    <link rel=\"canonical\" href=\"{page}\" />
    <meta property=\"og:type\" content=\"website\" />
    <meta property=\"og:site_name\" content=\"Afterglow\" />
    <meta property=\"og:title\" content=\"{title}\" />
    <meta property=\"og:description\" content=\"{description}\" />
    <meta property=\"og:url\" content=\"{page}\" />
    <meta property=\"og:image\" content=\"{picture}\" />
    <meta property=\"og:image:type\" content=\"image/jpeg\" />
    <meta property=\"og:image:width\" content=\"{width}\" />
    <meta property=\"og:image:height\" content=\"{height}\" />
    <meta property=\"og:image:alt\" content=\"A drawn sky at dusk\" />
    <meta name=\"twitter:card\" content=\"summary_large_image\" />"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_leave_its_place() {
        let name = "</title><script src=\"//evil\">&'";
        let head = tags(name, name, "https://a.example/event/x", "https://a.example/covers/x.jpg", true);
        assert!(!head.contains("<script") && !head.contains("\"//evil"), "{head}");
        let escaped = "&lt;/title&gt;&lt;script src=&quot;//evil&quot;&gt;&amp;&#39;";
        assert_eq!(head.matches(escaped).count(), 4);
    }
}
