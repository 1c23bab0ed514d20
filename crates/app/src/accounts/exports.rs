//! All that an account has, as one ZIP: `data.json`, and the originals byte for byte (decision 0021).

mod access;
mod contents;
mod document;
mod memberships;
mod money;
mod selections;
mod values;

use std::collections::HashMap;
use std::time::Duration;

use bytes::Bytes;
use domain::accounts::User;
use domain::accounts::tokens::hash_token;
use domain::events::Event;
use domain::events::zones::Zone;
use domain::photos::Photo;
use domain::photos::file_times::FileTime;
use domain::{DAY, EventId, PhotoId, Refusal, Timestamp};
use media::zip::{Entry, File, Layout};
use serde::Serialize;
use storage::accounts::exports::Export;

use crate::accounts::passwords;
use crate::accounts::security_log::{self, SecurityEvent};
use crate::guests::archives::{self, Archive};
use crate::operations::runtime::limits::{self, Limit};
use crate::{App, Result};

/// For how long the link is valid: a large export on a slow line takes a day.
const LIFETIME: Duration = DAY;
/// The file with everything but the photos.
const DATA: &str = "data.json";
/// The file that says which photos were deleted since.
const DELETED: &str = "deleted-since.json";

/// An export that can be fetched.
pub struct Created {
    /// What its link is made of.
    pub token: String,
    /// When the link expires.
    pub expires_at: Timestamp,
    /// The size of the ZIP in bytes.
    pub size: u64,
    /// How many photos are in it.
    pub photos: usize,
    /// How many are not, though the account has them; `data.json` says which and why.
    pub missing: usize,
}

/// The photos that are not in a ZIP though its `data.json` names them.
#[derive(Serialize)]
struct DeletedSince<'a> {
    about: &'static str,
    files: Vec<&'a str>,
}

/// Gathers what an account has, and makes the token of a link to it, in the place of the last one. The link ends with the
/// session that asks, which has this bearer token.
///
/// # Errors
/// [`Refusal::PasswordRequired`], [`Refusal::CurrentPasswordWrong`], or [`Refusal::TooMany`].
pub async fn create(app: &App, user: &User, session: &str, password: String) -> Result<Created> {
    let password = passwords::check_current(app, user, session, password).await?;
    limits::check_account(app, Limit::Exports, user.id).await?;
    let _slot = app.concurrency.exports.acquire().await?;
    let (now, session) = (app.now(), hash_token(session));
    // The account may have changed while this waited.
    let user = storage::accounts::users::by_id(&app.db, user.id).await?.ok_or(Refusal::SignInRequired)?;
    let contents = contents::gather(app, user, &session).await?;
    let data = document::json(&contents, now, &app.settings)?;
    let (mut files, mut entries, mut missing) = (Vec::new(), Vec::new(), 0);
    entries.push(Entry {
        name: DATA.to_owned(),
        size: data.len() as u64,
        crc32: 0,
        modified: FileTime::utc(now),
    });
    let library = Zone::utc();
    let placed = contents.events.iter().map(|own| (&own.event.time_zone, &own.photos));
    let placed = placed.chain([(&library, &contents.library)]);
    let placed = placed.flat_map(|(zone, photos)| photos.iter().map(move |placed| (zone, placed)));
    for (zone, contents::Placed { photo, place }) in placed {
        match place {
            Ok(name) => {
                files.push((photo.id, name.clone()));
                // The size of the ZIP does not follow from the checksums.
                entries.push(entry(photo, name, 0, zone));
            }
            Err(_) => missing += 1,
        }
    }
    let (photos, expires_at) = (files.len(), now.plus(LIFETIME));
    let export = Export { user: contents.user.id, data, files, created_at: now, expires_at };
    let token = app.randomness.token();
    let mut tx = app.begin().await?;
    if !storage::accounts::exports::replace(&mut tx, &token.hash(), &session, &export).await? {
        return Err(Refusal::SignInRequired.into());
    }
    password.lock_account(&mut tx, export.user).await?;
    tx.commit().await?;
    security_log::record(SecurityEvent::AccountExported, Some(export.user));
    Ok(Created { token: token.reveal(), expires_at, size: Layout::new(entries).size(), photos, missing })
}

fn entry(photo: &Photo, name: &str, crc32: u32, zone: &Zone) -> Entry {
    let size = u64::try_from(photo.size_bytes).unwrap_or_default();
    Entry { name: name.to_owned(), size, crc32, modified: photo.file_time(zone) }
}

/// The ZIP that a token stands for. The same bytes each time, until a photo is deleted: then it is left out, and a file
/// beside `data.json` says so.
///
/// # Errors
/// [`Refusal::ExportNotFound`] for a token that is unknown, has expired or was replaced, or whose session has ended;
/// [`Refusal::Busy`] while as many ZIPs are laid out, and wait for that, as may.
pub async fn archive(app: &App, token: &str) -> Result<Archive> {
    let _slot = app.concurrency.archive_slot().await?;
    let now = app.now();
    let used_since = now.minus(app.settings.session_lifetime);
    let export = storage::accounts::exports::find(&app.db, &hash_token(token), now, used_since).await?;
    let Export { user, data, files, created_at, .. } = export.ok_or(Refusal::ExportNotFound)?;
    let ids: Vec<PhotoId> = files.iter().map(|(photo, _)| *photo).collect();
    let photos = storage::photos::by_ids(&app.db, &ids).await?;
    let mut photos: HashMap<PhotoId, Photo> = photos.into_iter().map(|photo| (photo.id, photo)).collect();
    // Of an event that is being deleted, files go before their rows.
    let open = storage::events::all_by_owner(&app.db, user).await?.into_iter().filter(Event::is_open);
    let zones: HashMap<EventId, Zone> = open.map(|event| (event.id, event.time_zone)).collect();
    let library = Zone::utc();
    let zone = |photo: &Photo| match photo.event {
        _ if photo.owner != user => None,
        Some(event) => zones.get(&event),
        None => Some(&library),
    };
    let (mut entries, mut deleted) = (Vec::new(), Vec::new());
    for (id, name) in &files {
        let photo = photos.remove(id);
        match photo.and_then(|photo| zone(&photo).map(|zone| (photo, zone))) {
            Some((photo, zone)) => {
                let entry = entry(&photo, name, archives::crc32(app, &photo).await?, zone);
                entries.push((entry, File::Stored { key: photo.key }));
            }
            None => deleted.push(name.as_str()),
        }
    }
    let mut all = vec![File::made(DATA, data.into(), FileTime::utc(created_at))];
    if !deleted.is_empty() {
        all.push(File::made(DELETED, deleted_since(deleted)?, FileTime::utc(created_at)));
    }
    all.extend(entries);
    Ok(Archive::new(app, all, format!("afterglow-{}", created_at.date())))
}

fn deleted_since(files: Vec<&str>) -> Result<Bytes> {
    let about =
        "These photos were deleted after data.json was made, and are not in this ZIP though it names them.";
    document::text(&DeletedSince { about, files }).map(Bytes::from)
}
