//! The weekly mail.

use askama::Template;
use domain::Date;
use domain::accounts::User;
use domain::operations::mails::Mail;
use domain::operations::runtime::texts::unlinked;
use domain::statistics::Counts;
use domain::statistics::digest::{Digest, Heading, Line, Matter};

use super::texts;
use super::writer::Writer;
use crate::{Result, Settings};

/// Most lines about events.
const LINES: usize = 20;

/// What guests did within a week.
pub(crate) struct Week {
    /// Its first day, in UTC.
    pub(crate) from: Date,
    /// Its last day.
    pub(crate) to: Date,
    /// How often.
    pub(crate) counts: Counts,
}

/// The mail about what a photographer can do; `credits` is how the balance is written.
pub(crate) fn mail(
    settings: &Settings,
    user: &User,
    digest: &Digest,
    credits: Option<&str>,
    week: &Week,
) -> Result<Mail> {
    let writer = Writer::of(settings, user.language)?;
    let texts = &writer.texts.digest;
    let public_url = &settings.public_url;
    let shown = digest.lines.iter().take(LINES);
    let mut sections: Vec<Section<'_>> = Heading::ALL
        .into_iter()
        .map(|heading| Section {
            title: title(texts, heading),
            lines: shown
                .clone()
                .filter(|line| line.matter.heading() == heading)
                .map(|line| ShownLine {
                    text: text(&writer, line),
                    url: format!("{public_url}{}", address(line)),
                })
                .collect(),
        })
        .collect();
    if let (Some(amount), Some(last)) = (credits, sections.last_mut()) {
        last.lines.push(ShownLine {
            text: writer.fill(&texts.credits, &[("amount", amount)]),
            url: format!("{public_url}/admin/overview#add-credits"),
        });
    }
    sections.retain(|section| !section.lines.is_empty());
    let more = i64::try_from(digest.lines.len().saturating_sub(LINES)).unwrap_or(i64::MAX);
    let account_url = format!("{public_url}/admin/account");
    let shown = ShownDigest {
        language: writer.tag(),
        site: &settings.site_name,
        subject: writer.fill(&texts.subject, &[]),
        hello: writer.hello(&unlinked(&user.name)),
        intro: &texts.intro,
        more: (more > 0).then(|| ShownLine {
            text: writer.count(&texts.more, more, &[]),
            url: format!("{public_url}/admin/events"),
        }),
        sections,
        week: numbers(&writer, week),
        end: writer.fill(&texts.end, &[("url", &account_url)]),
    };
    let (text, html) = (DigestText { mail: &shown }.render()?, DigestHtml { mail: &shown }.render()?);
    let lines = shown.sections.into_iter().flat_map(|section| section.lines).chain(shown.more);
    Ok(Mail {
        to: user.email.clone(),
        reply_to: None,
        text,
        html,
        attachment: None,
        unsubscribe_url: None,
        links: lines.map(|line| line.url).collect(),
        subject: shown.subject,
    })
}

fn title(texts: &texts::Digest, heading: Heading) -> &str {
    match heading {
        Heading::Chosen => &texts.headings.chosen,
        Heading::Asked => &texts.headings.asked,
        Heading::Waiting => &texts.headings.waiting,
        Heading::RunningOut => &texts.headings.running_out,
    }
}

fn text(writer: &Writer<'_>, line: &Line) -> String {
    let texts = &writer.texts.digest;
    let name = unlinked(&line.event_name);
    let event = ("event", name.as_str());
    match &line.matter {
        Matter::Chosen { client, photos, .. } => {
            writer.count(&texts.chosen, *photos, &[event, ("client", &unlinked(client))])
        }
        Matter::Requests(count) => writer.count(&texts.requests, *count, &[event]),
        Matter::GuestPhotos(count) => writer.count(&texts.guest_photos, *count, &[event]),
        Matter::Held(count) => writer.count(&texts.held, *count, &[event]),
        Matter::Failed(count) => writer.count(&texts.failed, *count, &[event]),
        Matter::ChoosingEnds { client, day } => {
            let values = [event, ("client", &unlinked(client)), ("day", &writer.day(*day))];
            writer.fill(&texts.choosing_ends, &values)
        }
        Matter::Removal { photos, day } => {
            writer.count(&texts.removal, *photos, &[event, ("day", &writer.day(*day))])
        }
    }
}

/// Where a matter is dealt with: a tab of the event's screens, and the place on it.
fn address(Line { event, matter, .. }: &Line) -> String {
    match matter {
        Matter::Chosen { selection, .. } => format!("/admin/gallery?event={event}&selection={selection}"),
        Matter::Requests(_) => format!("/admin/guests?event={event}#guest-requests"),
        Matter::GuestPhotos(_) => format!("/admin/guests?event={event}#guest-photos"),
        Matter::Held(_) => format!("/admin/gallery?event={event}&status=held"),
        Matter::Failed(_) => format!("/admin/gallery?event={event}&status=failed"),
        Matter::ChoosingEnds { .. } => format!("/admin/guests?event={event}#selections"),
        Matter::Removal { .. } => format!("/admin/settings?event={event}#keeping"),
    }
}

/// The closing line; none after a week in which nobody found or saved anything.
fn numbers(writer: &Writer<'_>, Week { from, to, counts }: &Week) -> Option<String> {
    if counts.guests_helped + counts.downloads == 0 {
        return None;
    }
    let texts = &writer.texts.digest;
    let values = [
        ("from", &*writer.day(*from)),
        ("to", &*writer.day(*to)),
        ("helped", &*writer.count(&texts.helped, counts.guests_helped, &[])),
        ("saved", &*writer.count(&texts.saved, counts.downloads, &[])),
    ];
    Some(writer.fill(&texts.week, &values))
}

/// What is read.
struct ShownDigest<'a> {
    language: &'a str,
    site: &'a str,
    subject: String,
    hello: String,
    intro: &'a str,
    sections: Vec<Section<'a>>,
    more: Option<ShownLine>,
    week: Option<String>,
    end: String,
}

struct Section<'a> {
    title: &'a str,
    lines: Vec<ShownLine>,
}

struct ShownLine {
    text: String,
    url: String,
}

#[derive(Template)]
#[template(path = "digest.txt")]
struct DigestText<'a> {
    mail: &'a ShownDigest<'a>,
}

#[derive(Template)]
#[template(path = "digest.html")]
struct DigestHtml<'a> {
    mail: &'a ShownDigest<'a>,
}
