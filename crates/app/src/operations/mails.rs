//! The mails: their wording is here, their layout in `templates/`.

pub(crate) mod account_news;
pub(crate) mod clients;
pub(crate) mod email_changes;
pub(crate) mod team;

use askama::Template;
use domain::Timestamp;
use domain::accounts::tokens::Token;
use domain::accounts::{EmailAddress, User};
use domain::events::Event;
use domain::guests::questions::Question;
use domain::operations::mails::{Attachment, Mail};
use domain::operations::runtime::texts::unlinked;
use domain::photos::Photo;
use storage::operations::contact::Message;

use crate::operations::runtime::settings::named;
use crate::{App, Result, Settings};

/// Hands a mail to the transport.
pub(crate) async fn deliver(app: &App, mail: &Mail) -> Result<()> {
    tracing::info!(subject = mail.subject, "sending a mail");
    let sent = app.mailer.send(mail, app.now(), app.randomness.bytes()).await;
    app.metrics.record_mail(&sent);
    Ok(sent?)
}

/// The mail with the link that verifies an address.
pub(crate) fn verification(settings: &Settings, name: &str, to: EmailAddress, token: &Token) -> Result<Mail> {
    ActionMail {
        site: &settings.site_name,
        subject: "Verify your email for Afterglow",
        name,
        intro: format!(
            "Welcome to {}. Somebody who is called {} has registered with this email address. If it was you, please \
             confirm it:",
            settings.site_name,
            unlinked(name)
        ),
        action: "Verify my email",
        url: format!("{}/verify-email?token={}", settings.public_url, token.reveal()),
        other: Some(OtherAction {
            intro: "If it was not you, have the account removed:",
            action: "This was not me",
            url: format!("{}/revoke-registration#token={}", settings.public_url, token.reveal()),
        }),
        outro: "The links are good for 24 hours.",
    }
    .to(to)
}

/// The mail with the receipt of the deletion of a closed account.
pub(crate) fn deletion_receipt(settings: &Settings, to: EmailAddress, receipt: String) -> Result<Mail> {
    let mail = ActionMail {
        site: &settings.site_name,
        subject: "Your Afterglow account and everything in it are removed",
        name: "",
        intro: String::from(
            "Your account is closed, and its events, photos and descriptions of faces are removed. The receipt is attached. It \
             says what was removed and when, and until when backups hold copies of it. It is signed: whoever runs the service \
             can check it. This address was kept for this mail alone and is removed now, too.",
        ),
        action: "How the service treats data",
        url: format!("{}/privacy", settings.public_url),
        other: None,
        outro: "Nobody reads answers to this mail.",
    }
    .to(to)?;
    let (file_name, media_type) = ("deletion-receipt.json", "application/json");
    Ok(Mail { attachment: Some(Attachment { file_name, media_type, text: receipt }), ..mail })
}

/// The mail after a change of the password.
pub(crate) fn password_change_notice(settings: &Settings, name: &str, to: EmailAddress) -> Result<Mail> {
    ActionMail {
        site: &settings.site_name,
        subject: "Your Afterglow password was changed",
        name,
        intro: settings.named(
            "The password of your Afterglow account was changed, and every other session was ended. If it was not you, \
             set a new password now:",
        ),
        action: "Set a new password",
        url: format!("{}/forgot-password", settings.public_url),
        other: None,
        outro: "If it was you, there is nothing to do here.",
    }
    .to(to)
}

/// The mail with the link that sets a new password.
pub(crate) fn password_reset(
    settings: &Settings,
    name: &str,
    to: EmailAddress,
    token: &Token,
) -> Result<Mail> {
    ActionMail {
        site: &settings.site_name,
        subject: "Set a new password for Afterglow",
        name,
        intro: settings
            .named("Somebody asked to set a new password for your Afterglow account. Choose one here:"),
        action: "Set a new password",
        url: format!("{}/reset-password#token={}", settings.public_url, token.reveal()),
        other: None,
        outro: "The link is good for one hour and works once. If it was not you, you can ignore this mail.",
    }
    .to(to)
}

/// The mail after many wrong passwords.
pub(crate) fn wrong_passwords(settings: &Settings, name: &str, to: EmailAddress) -> Result<Mail> {
    ActionMail {
        site: &settings.site_name,
        subject: "Somebody tries to log in to your Afterglow account",
        name,
        intro: settings.named(
            "10 wrong passwords in a row were tried for your Afterglow account. Nobody got in, and every further attempt \
             has to wait. If it was you and you have forgotten your password, set a new one, with which you can log in \
             at once:",
        ),
        action: "Set a new password",
        url: format!("{}/forgot-password", settings.public_url),
        other: None,
        outro: "If it was not you, there is nothing to do here, as long as your password is hard to guess.",
    }
    .to(to)
}

/// The mail that shows whether mails go out.
pub(crate) fn test(site: &str, public_url: &str, name: &str, to: EmailAddress) -> Result<Mail> {
    ActionMail {
        site,
        subject: "A test mail from Afterglow",
        name,
        intro: String::from("Mails from this service reach you. This one was asked for to find that out:"),
        action: "Open Afterglow",
        url: public_url.to_owned(),
        other: None,
        outro: "If you did not ask for it, you can ignore this mail.",
    }
    .to(to)
}

/// The mail that warns that the photos of an event will be removed.
pub(crate) fn removal_warning(
    settings: &Settings,
    owner: &User,
    event: &Event,
    at: Timestamp,
) -> Result<Mail> {
    let (photos, name) = (event.indexing.total, unlinked(&event.name));
    ActionMail {
        site: &settings.site_name,
        subject: "Photos of your event will be removed soon",
        name: &owner.name,
        intro: format!(
            "The photos of \"{name}\" ({photos} now) will be removed on {}. Please save what you want to keep.",
            event.time_zone.long_date(at)
        ),
        action: "Open the gallery",
        url: format!("{}/admin/gallery", settings.public_url),
        other: None,
        outro: match event.expires_on {
            None if settings.keeping.days(event.keep_days) == settings.keeping.longest_days() => {
                "A new upload to the event moves this date."
            }
            None => "A new upload to the event moves this date. In its settings you can keep the photos for longer.",
            Some(_) => "You have chosen the day of the removal. You can change it where you edit the event.",
        },
    }
    .to(owner.email.clone())
}

/// The mail that warns that photos of the library will be removed.
pub(crate) fn library_removal_warning(
    settings: &Settings,
    owner: &User,
    photos: i64,
    at: Timestamp,
) -> Result<Mail> {
    ActionMail {
        site: &settings.site_name,
        subject: "Photos of your library will be removed soon",
        name: &owner.name,
        intro: format!(
            "Photos that belong to no event ({photos} now) will be removed on {}. Please save what you want to keep.",
            at.to_long_date()
        ),
        action: "Open the gallery",
        url: format!("{}/admin/gallery", settings.public_url),
        other: None,
        outro: "Photos that you upload later are kept longer.",
    }
    .to(owner.email.clone())
}

/// How many guests asked for what.
pub(crate) struct GuestRequests {
    /// To hide photos of them.
    pub(crate) hide: usize,
    /// Not to be found any more.
    pub(crate) stop_finding: usize,
    /// To hide more photos than are hidden without the photographer.
    pub(crate) wait: usize,
    /// Whatever it is, without a live capture.
    pub(crate) unproven: usize,
}

/// The mail that tells of guests who want photos hidden, or not to be found.
pub(crate) fn guest_requests(
    settings: &Settings,
    owner: &User,
    event: &Event,
    requests: &GuestRequests,
) -> Result<Mail> {
    let times = |count: usize| if count == 1 { String::from("once") } else { format!("{count} times") };
    let asked = [
        (requests.hide, "that photos they are in be hidden"),
        (requests.stop_finding, "not to be found by their face any more"),
    ];
    let asked: Vec<String> = asked
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{what} ({})", times(*count)))
        .collect();
    let event_name = unlinked(&event.name);
    let mut intro = Vec::new();
    let guests = |count: usize| match count {
        1 => (String::from("A guest"), "waits"),
        more => (format!("{more} guests"), "wait"),
    };
    if requests.wait > 0 {
        let (guests, wait) = guests(requests.wait);
        intro.push(format!(
            "{guests} of \"{event_name}\" asked to hide many photos, which {wait} for your decision. Until then these photos \
             stay visible, and whoever asked is not found by their face."
        ));
    }
    if requests.unproven > 0 {
        let (guests, _) = guests(requests.unproven);
        intro.push(format!(
            "{guests} of \"{event_name}\" asked to be removed from photos with a picture that was not taken for it, so that it may be \
             of somebody else. Nothing changes until you decide."
        ));
    }
    if !asked.is_empty() {
        let asked = asked.join(", and ");
        intro.push(format!(
            "Guests of \"{event_name}\" asked {asked}. This is in force already. Nothing is deleted."
        ));
    }
    ActionMail {
        site: &settings.site_name,
        subject: match requests.wait + requests.unproven {
            0 => "A guest asked to be removed from photos",
            _ => "A guest's request waits for your decision",
        },
        name: &owner.name,
        intro: intro.join(" "),
        action: "See the requests",
        url: format!("{}/admin/gallery?event={}&show=requests", settings.public_url, event.id),
        other: None,
        outro: "In the gallery you can show hidden photos again, undo a request, or delete photos. What you decide holds, also \
                when the same guest asks again.",
    }
    .to(owner.email.clone())
}

/// The mail that tells that photos which guests have added will go.
pub(crate) fn guest_photos(
    settings: &Settings,
    owner: &User,
    event: &Event,
    photos: usize,
    goes_at: Timestamp,
) -> Result<Mail> {
    let event_name = unlinked(&event.name);
    let (wait, day) = (
        if photos == 1 {
            String::from("A photo from a guest waits")
        } else {
            format!("{photos} photos from guests wait")
        },
        event.time_zone.date(goes_at),
    );
    ActionMail {
        site: &settings.site_name,
        subject: "Photos from guests wait for you",
        name: &owner.name,
        intro: format!(
            "{wait} in \"{event_name}\" for you to look at. Nobody else has seen them. What is not let in goes for good after two \
             weeks, the first of it on {day}."
        ),
        action: "Look at them",
        url: format!("{}/admin/guests?event={}#guest-photos", settings.public_url, event.id),
        other: None,
        outro: "Let in, a photo costs what an upload costs, and is found by selfie. In the event's settings you can switch photos \
                from guests off.",
    }
    .to(owner.email.clone())
}

/// The mail that forwards a message of the contact form; replies go to its writer.
pub(crate) fn contact(settings: &Settings, message: &Message) -> Result<Mail> {
    let subject = format!("{} contact: {}", settings.site_name, message.subject);
    Ok(Mail {
        to: settings.support_email.clone(),
        reply_to: Some(message.email.clone()),
        text: ContactText { message }.render()?,
        html: ContactHtml { subject: &subject, message }.render()?,
        subject,
        attachment: None,
        unsubscribe_url: None,
        links: Vec::new(),
    })
}

/// The mail with a guest's question about a photo; replies go to the guest.
pub(crate) fn question(
    settings: &Settings,
    owner: &User,
    event: &Event,
    photo: &Photo,
    question: &Question,
) -> Result<Mail> {
    let public_url = &settings.public_url;
    let event_name = unlinked(&event.name);
    let mail = AskedMail {
        site: &settings.site_name,
        subject: format!("A guest asks about a photo of {event_name}"),
        name: &unlinked(&owner.name),
        event: &event_name,
        photo: &unlinked(&photo.original_filename),
        email: question.email.as_str(),
        message: &question.message,
        url: format!("{public_url}/admin/gallery?event={}&photo={}", event.id, photo.id),
        events_url: format!("{public_url}/admin/events"),
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
    site: &'a str,
    subject: String,
    name: &'a str,
    event: &'a str,
    photo: &'a str,
    email: &'a str,
    message: &'a str,
    /// Of the photo in the gallery.
    url: String,
    /// Where questions are switched off.
    events_url: String,
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

#[derive(Template)]
#[template(path = "contact.txt")]
struct ContactText<'a> {
    message: &'a Message,
}

#[derive(Template)]
#[template(path = "contact.html")]
struct ContactHtml<'a> {
    subject: &'a str,
    message: &'a Message,
}

/// A mail with a link, or two. Its wording is data, so that its two parts say the same.
struct ActionMail<'a> {
    /// What the service is called.
    site: &'a str,
    /// With the service's usual name in the place of its own, as in the label of the button.
    subject: &'static str,
    /// Empty where it is not known.
    name: &'a str,
    /// The paragraph before the link.
    intro: String,
    /// The label of the button.
    action: &'static str,
    url: String,
    /// What can be done instead.
    other: Option<OtherAction>,
    /// The paragraph after the links.
    outro: &'static str,
}

/// The second link of a mail.
struct OtherAction {
    /// The paragraph before it.
    intro: &'static str,
    /// The label of its button.
    action: &'static str,
    url: String,
}

#[derive(Template)]
#[template(path = "action.txt")]
struct ActionText<'a> {
    mail: &'a ActionMail<'a>,
}

#[derive(Template)]
#[template(path = "action.html")]
struct ActionHtml<'a> {
    subject: &'a str,
    action: &'a str,
    mail: &'a ActionMail<'a>,
}

impl ActionMail<'_> {
    fn to(self, to: EmailAddress) -> Result<Mail> {
        let name = unlinked(self.name);
        let mail = ActionMail { name: &name, ..self };
        let (subject, action) = (named(mail.subject, mail.site), named(mail.action, mail.site));
        let text = ActionText { mail: &mail }.render()?;
        let html = ActionHtml { subject: &subject, action: &action, mail: &mail }.render()?;
        Ok(Mail {
            to,
            reply_to: None,
            subject,
            text,
            html,
            attachment: None,
            unsubscribe_url: None,
            links: std::iter::once(mail.url).chain(mail.other.map(|other| other.url)).collect(),
        })
    }
}
