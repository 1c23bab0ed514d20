//! What the page of an event opens with, none of which waits for the page's scripts: its picture, its words, and the answer
//! of the API.

use std::borrow::Cow;

use app::App;
use app::photos::files;
use domain::events::Event;
use domain::photos::Size;
use domain::photos::focus::Focus;
use domain::studio::studios::Studio;

use crate::events::GuestEventBody;
use crate::events::choices::TellsGuestsBody;
use crate::operations::assets::{Asset, escape_html};

/// What the page of an event opens with.
pub(super) struct Opening {
    /// The path of the picture.
    pub(super) cover: String,
    /// `object-position` of a photo, in percent, which the style sheet of the page applies (`guest/Cover.module.css`).
    pub(super) position: Option<(f64, f64)>,
    /// The answer of the API to the event's slug, in a form that a `<script>` holds.
    pub(super) event: String,
    is_photo: bool,
    name: String,
    /// None for an event with a PIN: what it is about is for those who have it.
    description: Option<String>,
    studio: Option<String>,
    /// Pixels that the sheet has below its button.
    below: u32,
}

impl Opening {
    pub(super) fn new(app: &App, event: Event, studio: Option<Studio>) -> serde_json::Result<Self> {
        // Which visitor asks is not known here.
        let event = event.before_pin_entry();
        let drawn = || format!("/covers/{}.svg", event.slug);
        // As the page asks for it, under whatever name it was opened.
        let link = |cover| files::relative(app, files::cover_link(app, cover, Size::Medium));
        let studio_name = studio.as_ref().map(|studio| studio.name.clone());
        let (name, description) = (event.name.clone(), event.description.clone());
        let cover = event.cover.as_ref().map_or_else(drawn, link);
        let position = event.cover.as_ref().and_then(|cover| cover.focus).map(position);
        let is_photo = event.cover.is_some();
        let body = GuestEventBody::new(app, event, studio);
        Ok(Self {
            cover,
            position,
            is_photo,
            name,
            description,
            studio: studio_name,
            below: below(&body),
            event: script_data(&body)?,
        })
    }

    /// What stands in one of the template's places; none for another name.
    fn value(&self, place: &str, direction: &'static str) -> Option<Cow<'_, str>> {
        Some(match place {
            "direction" => direction.into(),
            "cover" => self.cover.as_str().into(),
            "photo" => if self.is_photo { "true" } else { "false" }.into(),
            "length" => length(&self.name).into(),
            "name" => self.name.as_str().into(),
            "description" => self.description.as_deref()?.into(),
            "studio" => self.studio.as_deref()?.into(),
            "below" => self.below.to_string().into(),
            _ => return None,
        })
    }

    fn has(&self, part: &str) -> bool {
        match part {
            "sky" => !self.is_photo,
            "photo" => self.is_photo,
            "description" => self.description.is_some(),
            _ => self.studio.is_some(),
        }
    }
}

/// The document of guests with what the event opens with where the build has left places for it
/// (`web/src/app/prerendered/opening.tsx`), or without these.
pub(super) fn fill(document: Asset, opening: Option<&Opening>, direction: &'static str) -> Asset {
    let Ok(html) = std::str::from_utf8(&document.bytes) else { return document };
    let Some((before, template, after)) = part(html, "opening") else { return document };
    let filled = opening.map_or_else(String::new, |opening| filled(template, opening, direction));
    Asset::new(format!("{before}{filled}{after}").into_bytes(), document.media_type)
}

fn filled(template: &str, opening: &Opening, direction: &'static str) -> String {
    let mut template = template.to_owned();
    for name in ["sky", "photo", "description", "studio"] {
        let Some((before, optional, after)) = part(&template, name) else { continue };
        let kept = if opening.has(name) { optional } else { "" };
        template = format!("{before}{kept}{after}");
    }
    // In one pass: an event may be called like a place.
    let mut html = String::with_capacity(template.len());
    let mut rest = template.as_str();
    while let Some((before, after)) = rest.split_once('{') {
        html.push_str(before);
        let place =
            after.split_once('}').and_then(|(place, after)| Some((opening.value(place, direction)?, after)));
        match place {
            Some((value, after)) => {
                html.push_str(&escape_html(&value));
                rest = after;
            }
            None => {
                html.push('{');
                rest = after;
            }
        }
    }
    html + rest
}

/// What is before, between and after the comments `<!-- name -->` and `<!-- /name -->`.
fn part<'html>(html: &'html str, name: &str) -> Option<(&'html str, &'html str, &'html str)> {
    let (before, rest) = html.split_once(&format!("<!-- {name} -->"))?;
    let (within, after) = rest.split_once(&format!("<!-- /{name} -->"))?;
    Some((before, within, after))
}

/// How long the name is, by which its size is chosen; as the web app has it, in UTF-16 units (`guest/Cover.tsx`).
fn length(name: &str) -> &'static str {
    match name.encode_utf16().count() {
        0..=34 => "short",
        35..=80 => "long",
        _ => "longest",
    }
}

/// Pixels of what is below the button, so that the words above the sheet stay where they are when it is there: another way to choose
/// a picture, and what the web app keeps places for (`guest/capture/StartSheet.tsx`). An event without photos says so above it, in
/// the place of what is said of the search, and offers to write or to add a day to the calendar (`guest/subscriptions/Early.tsx`),
/// which counts here too.
fn below(GuestEventBody { event, complete, coming_until, .. }: &GuestEventBody) -> u32 {
    let if_shown = |pixels, is_shown| if is_shown { pixels } else { 0 };
    54 + 66
        + if_shown(44, event.browsable && event.indexing.total > 0)
        + if_shown(32, *complete || coming_until.is_some())
        + if_shown(44, event.takes_guest_photos)
        + match (event.indexing.total, &event.tells_guests) {
            (0, TellsGuestsBody::On) => 63,
            (0, TellsGuestsBody::Off | TellsGuestsBody::Unavailable) => 82,
            _ => 0,
        }
}

/// Where a cover is laid whose faces are there. A percentage lays that part of the picture on the same part of its box, so that faces
/// near an edge stay near it: half as much again takes them towards the middle, and keeps them in sight, whether little or much is
/// cropped (`web/src/platform/renditions.ts`).
fn position(focus: Focus) -> (f64, f64) {
    let (x, y) = focus.fractions();
    let percent = |place: f64| ((place * 150.0 - 25.0).clamp(0.0, 100.0) * 10.0).round() / 10.0;
    (percent(x), percent(y))
}

/// JSON as the content of a data block: without a character that could end the block, or begin a comment in it.
fn script_data(body: &impl serde::Serialize) -> serde_json::Result<String> {
    Ok(serde_json::to_string(body)?.replace('<', "\\u003c"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "<body><!-- opening --><main dir=\"{direction}\" data-photo=\"{photo}\"><!-- sky --><svg src=\"{cover}\"><!-- /sky --><!-- photo --><img src=\"{cover}\"><!-- /photo --><h1 data-length=\"{length}\">{name}</h1><!-- description --><p>{description}</p><!-- /description --><!-- studio --><b>{studio}</b><!-- /studio --><i style=\"{other}{below}\"></i></main><!-- /opening --></body>";

    fn opening() -> Opening {
        Opening {
            cover: String::from("/covers/x.svg"),
            position: None,
            event: String::from("{}"),
            is_photo: false,
            name: String::from("Party"),
            description: None,
            studio: None,
            below: 120,
        }
    }

    fn document(opening: Option<&Opening>) -> String {
        let document = Asset::new(DOCUMENT.as_bytes().to_vec(), String::from("text/html"));
        String::from_utf8(fill(document, opening, "ltr").bytes.into_owned()).unwrap()
    }

    #[test]
    fn an_event_opens_with_what_it_has_and_no_place_stays_empty() {
        assert_eq!(
            document(Some(&opening())),
            "<body><main dir=\"ltr\" data-photo=\"false\"><svg src=\"/covers/x.svg\"><h1 data-length=\"short\">Party</h1><i style=\"{other}120\"></i></main></body>"
        );
        let all = Opening {
            cover: String::from("/files/a?x=1&y=2"),
            is_photo: true,
            description: Some(String::from("Two\nlines")),
            studio: Some(String::from("Meera")),
            ..opening()
        };
        assert_eq!(
            document(Some(&all)),
            "<body><main dir=\"ltr\" data-photo=\"true\"><img src=\"/files/a?x=1&amp;y=2\"><h1 data-length=\"short\">Party</h1><p>Two\nlines</p><b>Meera</b><i style=\"{other}120\"></i></main></body>"
        );
        assert_eq!(document(None), "<body></body>");
    }

    #[test]
    fn what_an_event_is_called_is_text_whatever_it_says() {
        // [PUB064]
        let hostile = "</h1><script>alert(1)</script><!-- /studio -->{studio}\"'&";
        let opening = Opening {
            name: String::from(hostile),
            description: Some(String::from(hostile)),
            studio: Some(String::from(hostile)),
            ..opening()
        };
        let html = document(Some(&opening));
        let escaped =
            "&lt;/h1&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!-- /studio --&gt;{studio}&quot;&#39;&amp;";
        assert_eq!(html.matches(escaped).count(), 3, "{html}");
        assert!(!html.contains("<script") && !html.contains("<!--"), "{html}");
    }

    #[test]
    fn the_size_of_a_name_is_that_of_the_web_app() {
        for (units, expected) in [(1, "short"), (34, "short"), (35, "long"), (80, "long"), (81, "longest")] {
            assert_eq!(length(&"é".repeat(units)), expected, "{units}");
        }
        assert_eq!(length(&"🎉".repeat(18)), "long");
    }

    #[test]
    fn data_cannot_leave_its_block() {
        // [PUB062]
        let data = script_data(&["</script><script>", "<!-- <script"]).unwrap();
        assert!(!data.contains('<'), "{data}");
        let read: Vec<String> = serde_json::from_str(&data).unwrap();
        assert_eq!(read, ["</script><script>", "<!-- <script"]);
    }
}
