//! The mails about what guests ask for and send.

use askama::Template;
use domain::Timestamp;
use domain::accounts::User;
use domain::events::Event;
use domain::guests::questions::Question;
use domain::operations::mails::Mail;
use domain::operations::runtime::texts::unlinked;
use domain::photos::Photo;

use super::action::ActionMail;
use super::writer::Writer;
use crate::{Result, Settings};

/// How many guests asked for what.
pub(crate) struct GuestRequests {
    /// To hide photos of them.
    pub(crate) hide: i64,
    /// Not to be found any more.
    pub(crate) stop_finding: i64,
    /// To hide more photos than are hidden without the photographer.
    pub(crate) wait: i64,
    /// Whatever it is, without a live capture.
    pub(crate) unproven: i64,
}

/// The mail that tells of guests who want photos hidden, or not to be found.
pub(crate) fn requests(
    settings: &Settings,
    owner: &User,
    event: &Event,
    requests: &GuestRequests,
) -> Result<Mail> {
    let writer = Writer::of(settings, owner.language)?;
    let texts = &writer.texts.guest_requests;
    let name = unlinked(&event.name);
    let mut intro = Vec::new();
    for (text, count) in [(&texts.waiting, requests.wait), (&texts.unproven, requests.unproven)] {
        if count > 0 {
            intro.push(writer.count(text, count, &[("event", &name)]));
        }
    }
    let asked = |text, count| (count > 0).then(|| writer.count(text, count, &[]));
    let hide = asked(&texts.hide, requests.hide);
    let what = match (hide, asked(&texts.stop_finding, requests.stop_finding)) {
        (Some(hide), Some(stop_finding)) => {
            Some(writer.fill(&texts.both, &[("hide", &hide), ("stop_finding", &stop_finding)]))
        }
        (hide, stop_finding) => hide.or(stop_finding),
    };
    if let Some(what) = what {
        intro.push(writer.fill(&texts.in_force, &[("event", &name), ("what", &what)]));
    }
    ActionMail {
        writer: &writer,
        subject: match requests.wait + requests.unproven {
            0 => &texts.subject,
            _ => &texts.subject_waiting,
        },
        name: &owner.name,
        intro: intro.join(" "),
        action: &texts.action,
        url: format!("{}/admin/gallery?event={}&show=requests", settings.public_url, event.id),
        other: None,
        outro: &texts.outro,
    }
    .to(owner.email.clone())
}

/// The mail that tells that photos which guests have added will go.
pub(crate) fn photos(
    settings: &Settings,
    owner: &User,
    event: &Event,
    photos: usize,
    goes_at: Timestamp,
) -> Result<Mail> {
    let writer = Writer::of(settings, owner.language)?;
    let texts = &writer.texts.guest_photos;
    let (name, day) = (unlinked(&event.name), event.time_zone.date(goes_at).to_string());
    let count = i64::try_from(photos).unwrap_or(i64::MAX);
    ActionMail {
        writer: &writer,
        subject: &texts.subject,
        name: &owner.name,
        intro: writer.count(&texts.intro, count, &[("event", &name), ("day", &day)]),
        action: &texts.action,
        url: format!("{}/admin/guests?event={}#guest-photos", settings.public_url, event.id),
        other: None,
        outro: &texts.outro,
    }
    .to(owner.email.clone())
}

/// The mail with a guest's question about a photo; replies go to the guest.
pub(crate) fn question(
    settings: &Settings,
    owner: &User,
    event: &Event,
    photo: &Photo,
    question: &Question,
) -> Result<Mail> {
    let writer = Writer::of(settings, owner.language)?;
    let texts = &writer.texts.question;
    let public_url = &settings.public_url;
    let (name, photo_name) = (unlinked(&event.name), unlinked(&photo.original_filename));
    let events_url = format!("{public_url}/admin/events");
    let mail = AskedMail {
        language: writer.tag(),
        site: &settings.site_name,
        subject: writer.fill(&texts.subject, &[("event", &name)]),
        hello: writer.hello(&unlinked(&owner.name)),
        intro: writer.fill(&texts.intro, &[("event", &name), ("photo", &photo_name)]),
        message: &question.message,
        link: &texts.link,
        action: &texts.action,
        url: format!("{public_url}/admin/gallery?event={}&photo={}", event.id, photo.id),
        outro: writer.fill(&texts.outro, &[("email", question.email.as_str()), ("url", &events_url)]),
    };
    let (text, html) = (AskedText { mail: &mail }.render()?, AskedHtml { mail: &mail }.render()?);
    Ok(Mail {
        to: owner.email.clone(),
        reply_to: Some(question.email.clone()),
        text,
        html,
        attachment: None,
        unsubscribe_url: None,
        links: vec![mail.url],
        subject: mail.subject,
    })
}

/// What a guest has asked.
struct AskedMail<'a> {
    language: &'a str,
    site: &'a str,
    subject: String,
    hello: String,
    intro: String,
    message: &'a str,
    /// What stands before the address in the text.
    link: &'a str,
    action: &'a str,
    /// Of the photo in the gallery.
    url: String,
    /// Where the answer goes, and where questions are switched off.
    outro: String,
}

#[derive(Template)]
#[template(path = "question.txt")]
struct AskedText<'a> {
    mail: &'a AskedMail<'a>,
}

#[derive(Template)]
#[template(path = "question.html")]
struct AskedHtml<'a> {
    mail: &'a AskedMail<'a>,
}
