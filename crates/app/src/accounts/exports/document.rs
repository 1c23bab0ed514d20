//! `data.json` of an export: all that is stored about an account, in a form that people and programs read, without anything
//! that gives access.

use std::collections::{BTreeMap, HashMap};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use bytes::Bytes;
use domain::guests::objections::Choice;
use domain::photos::albums::Album;
use domain::photos::{Photo, hash_text};
use domain::studio::{studios, watermarks};
use domain::{EventId, PhotoId, Timestamp};
use serde::Serialize;
use storage::faces::people::Counts;

use super::access::{FtpLogin, Wall, Webhook};
use super::contents::{Contents, OwnEvent, Placed};
use super::memberships::{Membership, memberships};
use super::money::Money;
use super::selections::Selection;
use super::values::{Id, Moment, Rupees};
use crate::{Failure, Result, Settings};

/// What a reader has to know.
const ABOUT: [&str; 6] = [
    "Times are RFC 3339 in UTC. Amounts are Indian rupees; one credit is one rupee.",
    "file is where the original of a photo lies in this ZIP, byte for byte as it was uploaded. Where it is null, missing says why: not_stored (the server has lost it), damaged, or being_deleted.",
    "blake3 and crc32 are checksums of the original, in hexadecimal digits.",
    "Left out because it would give access: the password, the secret of the second factor, those of webhooks, the PINs of events, the addresses of live walls and of selections of clients and the PINs of these, and the tokens of sessions, programs, links and downloads, of which only hashes are stored, and the names of files on the server. Left out because nobody can read it: the numbers that describe faces; faces says how many there are. From which networks you logged in is stored for 30 days as hashes that cannot be read either.",
    "Left out because it is other people's: addresses of guests, what their requests are about, and which faces were put together as one person; requests and people say how many there are; who works on your events, photos that you have uploaded to other people's, and photos that guests have added to your events and that wait to be let in.",
    "Notifications are kept by your browser alone. Smaller copies of the photos are made of the originals and are not in here.",
];

#[derive(Serialize)]
struct Document<'a> {
    format: Format,
    made_at: Moment,
    service: &'a str,
    about: [&'static str; ABOUT.len()],
    account: Account<'a>,
    studio: Option<Studio<'a>>,
    second_factor: Option<SecondFactor>,
    passkeys: Vec<Passkey<'a>>,
    sessions: Vec<Session<'a>>,
    api_tokens: Vec<ApiToken<'a>>,
    webhooks: Vec<Webhook<'a>>,
    mailed_links: Vec<Link<'a>>,
    events: Vec<Event<'a>>,
    memberships: Vec<Membership<'a>>,
    library: Library<'a>,
    activity: Vec<Day>,
    #[serde(flatten)]
    money: Money<'a>,
}

/// By it programs know what they read. It grows when something goes or changes its meaning, not when something is added.
#[derive(Serialize)]
struct Format {
    name: &'static str,
    version: u32,
}

#[derive(Serialize)]
struct Account<'a> {
    id: String,
    name: &'a str,
    email: &'a str,
    email_verified_at: Option<Moment>,
    pending_email: Option<&'a str>,
    is_photographer: bool,
    is_admin: bool,
    premium_since: Option<Moment>,
    language: &'static str,
    created_at: Moment,
}

/// What guests see of who took their photos.
#[derive(Serialize)]
struct Studio<'a> {
    name: &'a str,
    accent: Option<String>,
    website: Option<&'a str>,
    instagram: Option<&'a str>,
    contact: Option<&'a str>,
    /// The JPEG file, as a data URL.
    logo: Option<String>,
    /// The PNG file of the logo for dark grounds, likewise.
    dark_logo: Option<String>,
    watermark: Option<Watermark<'a>>,
}

/// What is on the previews that guests see.
#[derive(Serialize)]
struct Watermark<'a> {
    /// None where it is a logo.
    text: Option<&'a str>,
    /// What that is made to lie on, `light` or `dark`; none where it is a text.
    logo: Option<&'static str>,
    position: &'static str,
    opacity: u8,
    on_downloads: bool,
}

impl<'a> Watermark<'a> {
    fn of(watermark: &'a watermarks::Watermark) -> Self {
        Self {
            text: watermark.sign.text(),
            logo: watermark.sign.logo().map(|ground| match ground {
                studios::Ground::Light => "light",
                studios::Ground::Dark => "dark",
            }),
            position: watermark.position.as_str(),
            opacity: watermark.opacity.hundredths(),
            on_downloads: watermark.on_downloads,
        }
    }
}

impl<'a> Studio<'a> {
    fn of(studio: &'a studios::Studio, contents: &'a Contents) -> Self {
        let url = |kind: &str, bytes: &Option<Bytes>| {
            bytes.as_deref().map(|bytes| format!("data:image/{kind};base64,{}", BASE64.encode(bytes)))
        };
        Self {
            watermark: contents.watermark.as_ref().map(Watermark::of),
            logo: url("jpeg", &contents.logo),
            dark_logo: url("png", &contents.dark_logo),
            name: &studio.name,
            accent: studio.accent.map(|accent| accent.color().to_string()),
            website: studio.website.as_ref().map(|website| website.as_str()),
            instagram: studio.instagram.as_ref().map(|handle| handle.as_str()),
            contact: studio.contact.as_ref().map(|contact| contact.as_str()),
        }
    }
}

#[derive(Serialize)]
struct Session<'a> {
    browser: Option<&'a str>,
    system: Option<&'a str>,
    created_at: Moment,
    last_used_at: Moment,
    second_factor_given_at: Option<Moment>,
    is_the_one_that_asked: bool,
}

#[derive(Serialize)]
struct SecondFactor {
    since: Moment,
    last_used_at: Option<Moment>,
    recovery_codes_left: i64,
}

#[derive(Serialize)]
struct Passkey<'a> {
    name: &'a str,
    created_at: Moment,
    last_used_at: Option<Moment>,
}

#[derive(Serialize)]
struct ApiToken<'a> {
    name: &'a str,
    scope: &'static str,
    created_at: Moment,
    expires_at: Option<Moment>,
    last_used_at: Option<Moment>,
}

#[derive(Serialize)]
struct Link<'a> {
    purpose: &'static str,
    mailed_to: &'a str,
    new_email: Option<&'a str>,
    created_at: Moment,
    expires_at: Moment,
    used_at: Option<Moment>,
}

#[derive(Serialize)]
struct Event<'a> {
    id: Id<EventId>,
    name: &'a str,
    date: String,
    description: Option<&'a str>,
    slug: &'a str,
    url: String,
    created_at: Moment,
    deleting_since: Option<Moment>,
    deleted_at: Option<Moment>,
    settings: EventSettings,
    /// What was written to guests, without the link.
    invitation: Option<&'a str>,
    stated_payment: Option<Rupees>,
    stated_coupon: Option<&'a str>,
    photos_uploaded: i64,
    last_upload_at: Option<Moment>,
    time_zone: &'a str,
    expires_on: Option<String>,
    keep_days: u32,
    cover_photo: Option<Id<PhotoId>>,
    photos_expire_at: Option<Moment>,
    faces: i64,
    requests: Requests,
    /// Names.
    albums: Vec<&'a str>,
    login_for_cameras: Option<FtpLogin<'a>>,
    wall: Option<Wall<'a>>,
    selections_of_clients: Vec<Selection<'a>>,
    people: People,
    photos: Vec<PhotoOf<'a>>,
}

#[derive(Serialize)]
struct EventSettings {
    #[serde(flatten)]
    flags: BTreeMap<&'static str, bool>,
    asks_for_a_pin: bool,
    guests_can_save: &'static str,
    publication: &'static str,
    more_until: Option<String>,
    photos_from_each_guest: u32,
    puts_faces_together: bool,
}

/// How many people there are, and how many of them the photographer has put aside.
#[derive(Serialize)]
struct People {
    shown: i64,
    hidden: i64,
}

/// How many guests asked to be removed.
#[derive(Serialize)]
struct Requests {
    hide: usize,
    stop_finding: usize,
}

#[derive(Serialize)]
struct Library<'a> {
    photos: Vec<PhotoOf<'a>>,
}

#[derive(Serialize)]
struct PhotoOf<'a> {
    id: Id<PhotoId>,
    file: Option<&'a str>,
    missing: Option<&'static str>,
    name: &'a str,
    media_type: &'static str,
    size_bytes: i64,
    width: i64,
    height: i64,
    state: &'static str,
    failure: Option<&'static str>,
    faces: i64,
    hidden_from_guests: bool,
    held: bool,
    /// Names.
    albums: Vec<&'a str>,
    uploaded_by_a_member: bool,
    not_me_reports: i64,
    downloads: i64,
    hearts: i64,
    uploaded_at: Moment,
    expires_at: Option<Moment>,
    blake3: String,
    crc32: Option<String>,
}

#[derive(Serialize)]
struct Day {
    date: String,
    uploads: i64,
    visits: i64,
    searches: i64,
    searches_found: i64,
    guests_helped: i64,
    downloads: i64,
    browsed: i64,
    hearts: i64,
    shown: i64,
    not_me: i64,
    missed: i64,
}

/// JSON with a line for each value, as a person reads it in an editor.
/// # Errors
/// Never, for what can be named in JSON.
pub(super) fn text(value: &impl Serialize) -> Result<Vec<u8>> {
    let mut text = serde_json::to_vec_pretty(value)
        .map_err(|error| Failure::Internal(format!("an export cannot be written: {error}")))?;
    text.push(b'\n');
    Ok(text)
}

/// The document at `now`.
pub(super) fn json(contents: &Contents, now: Timestamp, settings: &Settings) -> Result<Vec<u8>> {
    text(&Document {
        format: Format { name: "afterglow-account", version: 2 },
        made_at: Moment(now),
        service: &settings.public_url,
        about: ABOUT,
        account: account(contents),
        studio: contents.studio.as_ref().map(|studio| Studio::of(studio, contents)),
        second_factor: contents.second_factor.as_ref().and_then(|factor| {
            Some(SecondFactor {
                since: Moment(factor.confirmed_at?),
                last_used_at: factor.last_used_at.map(Moment),
                recovery_codes_left: contents.recovery_codes,
            })
        }),
        passkeys: passkeys(contents),
        sessions: sessions(contents),
        api_tokens: api_tokens(contents),
        webhooks: contents.webhooks.iter().map(Webhook::of).collect(),
        mailed_links: links(contents),
        events: contents.events.iter().map(|own| event(own, settings)).collect(),
        memberships: memberships(contents),
        library: library(contents, settings),
        activity: activity(contents),
        money: Money::of(contents),
    })
}

fn account(contents: &Contents) -> Account<'_> {
    let user = &contents.user;
    Account {
        id: user.id.to_string(),
        name: &user.name,
        email: user.email.as_str(),
        email_verified_at: user.email_verified_at.map(Moment),
        pending_email: user.pending_email.as_ref().map(|email| email.as_str()),
        is_photographer: user.is_photographer,
        is_admin: user.is_admin,
        premium_since: user.premium_since.map(Moment),
        language: user.language.tag(),
        created_at: Moment(user.created_at),
    }
}

fn sessions(contents: &Contents) -> Vec<Session<'_>> {
    let sessions = contents.sessions.iter().map(|listed| Session {
        browser: listed.session.device.browser.as_deref(),
        system: listed.session.device.system.as_deref(),
        created_at: Moment(listed.session.created_at),
        last_used_at: Moment(listed.session.last_used_at),
        second_factor_given_at: listed.session.proved_at.map(Moment),
        is_the_one_that_asked: listed.is_current,
    });
    sessions.collect()
}

fn passkeys(contents: &Contents) -> Vec<Passkey<'_>> {
    let passkeys = contents.passkeys.iter().map(|passkey| Passkey {
        name: &passkey.name,
        created_at: Moment(passkey.created_at),
        last_used_at: passkey.last_used_at.map(Moment),
    });
    passkeys.collect()
}

fn api_tokens(contents: &Contents) -> Vec<ApiToken<'_>> {
    let tokens = contents.api_tokens.iter().map(|token| ApiToken {
        name: &token.name,
        scope: token.scope.as_str(),
        created_at: Moment(token.created_at),
        expires_at: token.expires_at.map(Moment),
        last_used_at: token.last_used_at.map(Moment),
    });
    tokens.collect()
}

fn links(contents: &Contents) -> Vec<Link<'_>> {
    let links = contents.links.iter().map(|link| Link {
        purpose: link.purpose.as_str(),
        mailed_to: link.email.as_str(),
        new_email: link.new_email.as_ref().map(|email| email.as_str()),
        created_at: Moment(link.created_at),
        expires_at: Moment(link.expires_at),
        used_at: link.used_at.map(Moment),
    });
    links.collect()
}

fn event<'a>(own: &'a OwnEvent, settings: &Settings) -> Event<'a> {
    let OwnEvent { event, stated, objections, people, albums, ftp_login, wall, selections, photos } = own;
    let asked = |choice: Choice| objections.iter().filter(|objection| objection.choice == choice).count();
    let expires_at = event.expires_at(settings.keeping);
    let counts = people.map_or_else(Counts::default, |people| people.counts);
    Event {
        id: Id(event.id),
        name: &event.name,
        date: event.date.to_string(),
        description: event.description.as_deref(),
        slug: &event.slug,
        url: settings.event_url(&event.slug),
        created_at: Moment(event.created_at),
        deleting_since: event.deleting_since.map(Moment),
        deleted_at: event.deleted_at.map(Moment),
        settings: EventSettings {
            flags: event.flags.exported().collect(),
            asks_for_a_pin: event.pin.is_some(),
            guests_can_save: event.downloads.as_str(),
            publication: event.publication.as_str(),
            more_until: event.more_until.map(|day| day.to_string()),
            photos_from_each_guest: event.guest_photo_limit,
            puts_faces_together: people.is_some_and(|people| people.is_on),
        },
        invitation: event.invitation.as_ref().map(|invitation| invitation.text.as_str()),
        stated_payment: stated.as_ref().and_then(|stated| stated.payment_amount).map(Rupees),
        stated_coupon: stated.as_ref().and_then(|stated| stated.coupon_code.as_deref()),
        photos_uploaded: event.photos_uploaded,
        last_upload_at: event.last_upload_at.map(Moment),
        time_zone: event.time_zone.name(),
        expires_on: event.expires_on.map(|day| day.to_string()),
        keep_days: settings.keeping.days(event.keep_days),
        cover_photo: event.cover.filter(|cover| !cover.is_automatic).map(|cover| Id(cover.photo)),
        photos_expire_at: expires_at.map(Moment),
        faces: event.faces_indexed,
        people: People { shown: counts.shown, hidden: counts.hidden },
        requests: Requests { hide: asked(Choice::Hide), stop_finding: asked(Choice::StopFinding) },
        albums: albums.iter().map(|album| album.name.as_str()).collect(),
        login_for_cameras: ftp_login.as_ref().map(FtpLogin::of),
        wall: wall.as_ref().map(|wall| Wall::of(wall, albums)),
        selections_of_clients: selections
            .iter()
            .map(|(made, marks)| Selection::of(made, marks, albums))
            .collect(),
        photos: photos.iter().map(|placed| photo(placed, albums, expires_at)).collect(),
    }
}

fn library<'a>(contents: &'a Contents, settings: &Settings) -> Library<'a> {
    let removals: HashMap<PhotoId, Timestamp> =
        contents.removals.iter().map(|removal| (removal.photo, removal.at)).collect();
    let keeping = settings.keeping;
    let period = (keeping.default_days() > 0).then(|| keeping.default_period());
    let expires_at = |photo: &Photo| {
        let computed = photo.created_at.plus(period?);
        Some(removals.get(&photo.id).map_or(computed, |told| computed.max(*told)))
    };
    let photos = contents.library.iter().map(|placed| photo(placed, &[], expires_at(&placed.photo)));
    Library { photos: photos.collect() }
}

fn photo<'a>(placed: &'a Placed, albums: &'a [Album], expires_at: Option<Timestamp>) -> PhotoOf<'a> {
    let Placed { photo, place } = placed;
    let albums = albums.iter().filter(|album| photo.albums.contains(&album.id));
    PhotoOf {
        id: Id(photo.id),
        file: place.as_deref().ok(),
        missing: place.as_ref().err().map(|missing| missing.as_str()),
        name: &photo.original_filename,
        media_type: photo.format.media_type(),
        size_bytes: photo.size_bytes,
        width: photo.width,
        height: photo.height,
        state: photo.status.as_str(),
        failure: photo.failure.as_ref().map(|failure| failure.cause.as_str()),
        faces: photo.faces,
        hidden_from_guests: photo.hidden,
        held: photo.held,
        albums: albums.map(|album| album.name.as_str()).collect(),
        uploaded_by_a_member: photo.uploader.is_some(),
        not_me_reports: photo.not_me_reports,
        downloads: photo.downloads,
        hearts: photo.hearts,
        uploaded_at: Moment(photo.created_at),
        expires_at: expires_at.map(Moment),
        blake3: hash_text(&photo.content_hash),
        crc32: photo.crc32.map(|crc32| format!("{crc32:08x}")),
    }
}

fn activity(contents: &Contents) -> Vec<Day> {
    let days = contents.activity.iter();
    days.map(|day| Day {
        date: day.date.to_string(),
        uploads: day.uploads,
        visits: day.counts.visits,
        searches: day.counts.searches,
        searches_found: day.counts.searches_found,
        guests_helped: day.counts.guests_helped,
        downloads: day.counts.downloads,
        browsed: day.counts.browsed,
        hearts: day.counts.hearts,
        shown: day.counts.shown,
        not_me: day.counts.not_me,
        missed: day.counts.missed,
    })
    .collect()
}
