//! Cameras: each event may have a login by which they send photos over FTP (decision 0058).

use std::io::Cursor;
use std::net::IpAddr;

use domain::accounts::api_tokens::Lifetime;
use domain::accounts::tokens::TokenHash;
use domain::accounts::{AccountNews, User};
use domain::operations::runtime::texts::folded;
use domain::photos::sanitize_filename;
use domain::team::{Right, Role};
use domain::uploads::ftp::{self, Credentials, RECORD_USE_AFTER};
use domain::{EventId, PhotoId, Refusal, Timestamp};
use media::decoders::Priority;
use media::temp_files::{Contents, MappedFile};
use storage::photos::PhotoQuery;
use storage::uploads::ftp::PresentedFtpLogin;
use subtle::ConstantTimeEq as _;

use crate::accounts::security_log::{self, SecurityEvent};
use crate::accounts::{notices, passwords};
use crate::operations::runtime::limits::{self, Limit, Subject};
use crate::operations::runtime::tasks;
use crate::photos::{self, Accepted, TempFile};
use crate::team::rights;
use crate::uploads::admission::{self, UploadAdmission};
use crate::uploads::refusal;
use crate::{App, Failure, FtpService, Result};

pub use storage::uploads::ftp::FtpLogin;

/// How an event takes photos over FTP.
pub struct FtpAccess {
    /// Where; none while the operator has not switched it on.
    pub service: Option<FtpService>,
    /// The event's login; none while it has none.
    pub login: Option<FtpLogin>,
}

/// A login that was just made.
pub struct Made {
    /// Where it is good.
    pub service: FtpService,
    /// The login.
    pub login: FtpLogin,
    /// Its password, which nobody is told again.
    pub password: String,
}

/// How an event takes photos over FTP.
///
/// # Errors
/// [`Refusal::EventNotFound`].
pub async fn of_event(app: &App, caller: &User, event: EventId) -> Result<FtpAccess> {
    let event = rights::event(app, caller, event, Right::Manage).await?.event;
    let login = storage::uploads::ftp::of_event(&app.db, event.id).await?;
    Ok(FtpAccess { service: app.settings.ftp.clone(), login })
}

/// What is asked of a new login.
pub struct Wanted {
    /// For how long it is good.
    pub lifetime: Lifetime,
    /// The password of whoever makes it.
    pub password: String,
}

/// Gives an event a login, in the place of the one that it has, which is good for nothing from then on. Its name is another
/// one as well, so that a camera which still tries the old one does not count against the new one. The event's owner is told
/// by mail, and so is whoever else made it. It ends with the right of whoever made it to make one.
///
/// # Errors
/// [`Refusal::FtpUnavailable`], [`Refusal::EventNotFound`], [`Refusal::EventBeingDeleted`], the refusal of the lifetime, and
/// those of the password as for its change.
pub async fn replace(
    app: &App,
    caller: &User,
    session: &str,
    event: EventId,
    wanted: Wanted,
) -> Result<Made> {
    let owner = rights::open_event(app, caller, event, Right::Manage).await?.event.owner;
    let service = app.settings.ftp.clone().ok_or(Refusal::FtpUnavailable)?;
    let lifetime = wanted.lifetime.parse()?;
    let checked = passwords::check_current(app, caller, session, wanted.password).await?;
    let credentials = Credentials::generate(&app.randomness);
    let (hash, now) = (credentials.hash(), app.now());
    let expires_at = lifetime.map(|lifetime| now.plus(lifetime));
    let Credentials { name, password } = credentials;
    let mut tx = app.begin().await?;
    storage::events::changes::lock(&mut tx, event).await?.ok_or(Refusal::EventBeingDeleted)?;
    checked.lock_account(&mut tx, caller.id).await?;
    storage::uploads::ftp::replace(&mut tx, event, caller.id, &name, &hash, now, expires_at).await?;
    notices::enqueue(&mut tx, caller, AccountNews::FtpLoginMade, app.id(), now).await?;
    if owner != caller.id
        && let Some(owner) = storage::accounts::users::by_id(&mut *tx, owner).await?
    {
        notices::enqueue(&mut tx, &owner, AccountNews::FtpLoginMade, app.id(), now).await?;
    }
    tx.commit().await?;
    security_log::record(SecurityEvent::FtpLoginMade, Some(caller.id));
    Ok(Made { service, login: FtpLogin { name, created_at: now, expires_at, last_used_at: None }, password })
}

/// Takes the login from an event, if it has one.
///
/// # Errors
/// [`Refusal::EventNotFound`].
pub async fn remove(app: &App, caller: &User, event: EventId) -> Result<()> {
    rights::event(app, caller, event, Right::Manage).await?;
    let mut tx = app.begin().await?;
    let removed = storage::uploads::ftp::delete(&mut tx, event).await?;
    tx.commit().await?;
    if removed {
        security_log::record(SecurityEvent::FtpLoginRemoved, Some(caller.id));
    }
    Ok(())
}

/// A camera that has logged in.
#[derive(Clone)]
pub struct Camera {
    name: String,
    hash: TokenHash,
    address: IpAddr,
}

/// Lets a camera in.
///
/// Wrong passwords count for the event, and names that no login has count for the address: a camera of another photographer that
/// goes on with what was replaced keeps nobody away from the same address.
///
/// # Errors
/// [`Refusal::FtpLoginWrong`], [`Refusal::TooMany`] after too many of them, or [`Refusal::AccountLocked`].
pub async fn log_in(app: &App, name: &str, password: &str, address: IpAddr) -> Result<Camera> {
    let camera = Camera { name: name.to_owned(), hash: ftp::hash(name, password), address };
    let found = find(app, name).await?;
    let subject = found.as_ref().map_or(Subject::Address(address), |found| Subject::Event(found.login.event));
    let subjects = [(subject, 1)];
    // It counts until it is known to be right: so of attempts that are made at the same time no more are let through.
    limits::check(app, Limit::FtpLogins, &subjects).await?;
    let owner = found.as_ref().map(|found| found.login.owner.id);
    match check(&camera, found, app.now()) {
        Ok(login) => {
            limits::take_back(app, Limit::FtpLogins, &subjects).await?;
            record_use(app, &login).await?;
            security_log::record(SecurityEvent::FtpLoggedIn, owner);
            Ok(camera)
        }
        Err(refusal) => {
            security_log::record(SecurityEvent::FtpLoginRefused, owner);
            Err(refusal.into())
        }
    }
}

/// A login that has the name which a camera gives.
struct Found {
    login: PresentedFtpLogin,
    /// Whether whoever made it may still make one.
    is_vouched_for: bool,
}

async fn find(app: &App, name: &str) -> Result<Option<Found>> {
    // No login has such a name, and PostgreSQL takes no text with a zero byte.
    if name.chars().any(char::is_control) {
        return Ok(None);
    }
    let Some(login) = storage::uploads::ftp::find(&app.db, name).await? else { return Ok(None) };
    let is_vouched_for = match login.maker {
        Some(maker) if maker != login.owner.id => {
            let role = storage::team::role(&app.db, login.event, maker).await?;
            role.is_some_and(|role| Role::Member(role).has(Right::Manage))
        }
        _ => true,
    };
    Ok(Some(Found { login, is_vouched_for }))
}

/// The login as it is now: it may have been replaced or switched off, have expired, its account may be locked, and whoever made it
/// may be locked, or manage the event no more.
fn check(
    camera: &Camera,
    found: Option<Found>,
    now: Timestamp,
) -> std::result::Result<PresentedFtpLogin, Refusal> {
    let is_good = |found: &Found| {
        let login = &found.login;
        bool::from(login.hash.ct_eq(&camera.hash))
            && found.is_vouched_for
            && login.owner.email_verified_at.is_some()
            && login.expires_at.is_none_or(|expires_at| now < expires_at)
    };
    let login = found.filter(is_good).ok_or(Refusal::FtpLoginWrong)?.login;
    match login.owner.locked_at {
        Some(_) => Err(Refusal::AccountLocked),
        None => Ok(login),
    }
}

async fn renew(app: &App, camera: &Camera) -> Result<PresentedFtpLogin> {
    let found = find(app, &camera.name).await?;
    Ok(check(camera, found, app.now())?)
}

async fn record_use(app: &App, login: &PresentedFtpLogin) -> Result<()> {
    let now = app.now();
    let before = now.minus(RECORD_USE_AFTER);
    if login.last_used_at.is_none_or(|last| last <= before) {
        let mut tx = app.begin().await?;
        storage::uploads::ftp::record_use(&mut tx, login.event, now, before).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// Lets a camera send a photo.
///
/// # Errors
/// [`Refusal::FtpLoginWrong`] or [`Refusal::AccountLocked`] when its login is no longer good, and those of
/// [`admission::admit`].
pub async fn admit(app: &App, camera: &Camera) -> Result<UploadAdmission> {
    let login = renew(app, camera).await?;
    admission::admit(app, &login.owner, camera.address).await
}

/// What became of a file of a camera.
#[derive(Debug)]
pub enum Taken {
    /// A photo.
    Photo(Accepted),
    /// Nothing: it is raw data, and the event has the picture that the camera has made of them.
    LeftOut,
}

/// How names of pictures end that cameras write beside raw data.
const DEVELOPED_ENDINGS: [&str; 5] = ["jpg", "jpeg", "heic", "heif", "hif"];

/// Most photos of one name that are compared with raw data.
const MOST_NAMESAKES: i64 = 100;
/// How far apart a camera dates raw data and their picture at most.
const SAME_MOMENT_MILLIS: u64 = 2_000;

/// Takes in a file that a camera has sent to its end, as an upload of the event's owner. What does not end as a picture does
/// is refused: at the end of a file and at the end of a camera's battery FTP looks the same.
///
/// # Errors
/// [`Refusal::ImageTruncated`], those of [`photos::accept`], and those of [`admit`] when its login is no longer good. The file
/// is taken in, or refused, also when the caller is dropped.
pub async fn take_in(app: &App, camera: &Camera, filename: &str, file: TempFile) -> Result<Taken> {
    let (app, camera, filename) = (app.clone(), camera.clone(), filename.to_owned());
    tasks::detached(async move {
        let login = renew(&app, &camera).await?;
        // Whoever judges the file takes it along.
        let (file, bytes) = tasks::blocking(move || {
            let bytes = (file.size() > 0).then(|| file.map()).transpose();
            (file, bytes)
        })
        .await?;
        let bytes = bytes?;
        let accepted = accept(&app, &login, &filename, file).await;
        let is_raw = matches!(accepted, Err(Failure::Refused(Refusal::RawPhoto)));
        if is_raw
            && let Some(bytes) = bytes
            && is_developed(&app, &login, &filename, bytes).await?
        {
            return Ok(Taken::LeftOut);
        }
        let accepted = accepted?;
        if let Err(failure) = record_use(&app, &login).await {
            // The photo is there, and the camera is told so.
            tracing::warn!(error = failure.chain(), "the use of a camera's login is not recorded");
        }
        Ok(Taken::Photo(accepted))
    })
    .await?
}

async fn accept(app: &App, login: &PresentedFtpLogin, filename: &str, file: TempFile) -> Result<Accepted> {
    let file = check_end(file).await?;
    photos::accept(app, &login.owner, Some(login.event), filename, file).await
}

/// Whether the event has the picture beside which a camera writes raw data of this name. Cameras count to 9999 and begin again, so
/// that another one's picture may have it: where the files tell when they were taken, that has to be the same.
async fn is_developed(
    app: &App,
    login: &PresentedFtpLogin,
    filename: &str,
    bytes: MappedFile,
) -> Result<bool> {
    let name = sanitize_filename(filename);
    let Some((stem, _)) = name.rsplit_once('.') else { return Ok(false) };
    let (owner, event) = (login.owner.id, Some(login.event));
    let pictures = DEVELOPED_ENDINGS.map(|ending| format!("{stem}.{ending}"));
    let keys = pictures.each_ref().map(|picture| folded(picture));
    let there = storage::photos::namesakes(&app.db, owner, event, None, &pictures).await?;
    let names = there.into_iter().map(|there| there.name);
    let names: Vec<String> = names.filter(|name| keys.contains(&folded(name))).collect();
    if names.is_empty() {
        return Ok(false);
    }
    let Some(taken_at) = taken_at(app, bytes).await? else { return Ok(true) };
    for name in &names {
        let all = PhotoQuery::all(owner, MOST_NAMESAKES);
        let query = PhotoQuery { event, filename: Some(name.as_str()), ..all };
        let photos = storage::photos::search(&app.db, &query).await?;
        if photos.iter().any(|photo| photo.capture.at.is_none_or(|at| is_same_moment(at, taken_at))) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// When raw data were taken by the camera's clock, where they tell it.
async fn taken_at(app: &App, bytes: MappedFile) -> Result<Option<Timestamp>> {
    let slot = app.concurrency.inspections.acquire().await?;
    let memory = app.decode_memory.acquire(media::captures::memory()).await?;
    let mut picture = app.decoders.open(Contents::Mapped(bytes), Priority::Foreground);
    let (capture, _) = tasks::blocking_with((slot, memory), move || picture.capture()).await?;
    Ok(capture?.at)
}

/// Whether two files of one release of the shutter may say so.
const fn is_same_moment(one: Timestamp, other: Timestamp) -> bool {
    one.as_millis().abs_diff(other.as_millis()) <= SAME_MOMENT_MILLIS
}

/// Gives a photo of the login's event another name.
///
/// # Errors
/// [`Refusal::PhotoNotFound`] when it is deleted or another event's, and those of [`admit`] when the login is no longer good.
pub async fn rename(app: &App, camera: &Camera, photo: PhotoId, filename: &str) -> Result<()> {
    let login = renew(app, camera).await?;
    let mut tx = app.begin().await?;
    if !storage::photos::rename(&mut tx, login.event, photo, &sanitize_filename(filename)).await? {
        return Err(Refusal::PhotoNotFound.into());
    }
    tx.commit().await?;
    Ok(())
}

async fn check_end(file: TempFile) -> Result<TempFile> {
    if file.size() == 0 {
        return Err(Refusal::PhotoEmpty.into());
    }
    let (file, end) = tasks::blocking(move || {
        let end = file.map().and_then(|bytes| media::pictures::end(&mut Cursor::new(&*bytes)));
        (file, end)
    })
    .await?;
    match end? {
        media::pictures::End::Whole => Ok(file),
        media::pictures::End::Missing => Err(Refusal::ImageTruncated.into()),
        media::pictures::End::Unknown(unreadable) => Err(refusal(unreadable).into()),
    }
}
