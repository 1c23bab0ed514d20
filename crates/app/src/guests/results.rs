//! Photos in which a person was found: with links, and opened again later.

use std::time::Duration;

use domain::accounts::EmailAddress;
use domain::events::Event;
use domain::guests::subscriptions::Language;
use domain::photos::albums::Album;
use domain::photos::{Photo, PhotoStatus, Size};
use domain::studio::watermarks::Watermark;
use domain::{DAY, FaceId, PhotoId, Refusal};
use gateway::MailError;
use storage::guests::archives::Download;

use crate::events::access::{self, Visitor};
use crate::guests::{archives, mails};
use crate::operations;
use crate::photos::{albums, files, handles};
use crate::studio::{studios, watermarked};
use crate::{App, Failure, Result, statistics};

/// A photo in which the person was found.
pub struct FoundPhoto {
    /// The photo.
    pub photo: Photo,
    /// By which fresh links to it are asked for; the contract's `s3_key`.
    pub handle: String,
    /// The URL of the preview.
    pub url: String,
    /// The URL of the rendition of medium size; none while that is not made.
    pub medium_url: Option<String>,
    /// The URL of the thumbnail.
    pub thumbnail_url: String,
}

impl FoundPhoto {
    /// Makes the links of a photo that is ready, as guests see it where there is a watermark; `face` is that by which a search has
    /// found it.
    pub(crate) async fn new(
        app: &App,
        photo: Photo,
        face: Option<FaceId>,
        watermark: Option<&Watermark>,
    ) -> Result<Self> {
        let url = files::guest_link(app, &photo, Size::Preview, watermark).await?;
        let medium_url = match photo.medium_bytes {
            Some(_) => Some(files::guest_link(app, &photo, Size::Medium, watermark).await?),
            None => None,
        };
        let thumbnail_url = files::guest_link(app, &photo, Size::Thumbnail, watermark).await?;
        let handle = handles::handle(app, &photo, face);
        Ok(Self { photo, handle, url, medium_url, thumbnail_url })
    }
}

/// Results that are opened again.
pub struct Reopened {
    /// The event they were found in.
    pub event: Event,
    /// Those of the photos that are still there and were not reported, in their order.
    pub photos: Vec<FoundPhoto>,
    /// The albums that they are in.
    pub albums: Vec<Album>,
}

/// The photos that a download token stands for, with fresh links. The token is all that is needed, beside the event's PIN
/// if it has one, so that another browser can show them; of the search nothing but the photos was stored.
///
/// # Errors
/// [`Refusal::ResultsExpired`] when the token is unknown or expired, or the event is deleted; [`Refusal::EventPinRequired`].
pub async fn reopen(app: &App, visitor: &Visitor, token: &str) -> Result<Reopened> {
    let (download, event, there) = find(app, visitor, token).await?;
    let watermark = watermarked::of_owner(app, event.owner).await?;
    let mut photos = Vec::with_capacity(there.len());
    for photo in there {
        let face = download.faces.get(&photo.id).copied();
        photos.push(FoundPhoto::new(app, photo, face, watermark.as_ref()).await?);
    }
    let albums = albums::of_found(app, event.id, photos.iter().map(|found| &found.photo)).await?;
    Ok(Reopened { event, photos, albums })
}

/// What a token stands for, its event, and those of its photos that are still there and were not reported.
async fn find(app: &App, visitor: &Visitor, token: &str) -> Result<(Download, Event, Vec<Photo>)> {
    let download = archives::find(app, token).await?.ok_or(Refusal::ResultsExpired)?;
    let event = access::by_id(app, visitor, download.event).await?.ok_or(Refusal::ResultsExpired)?;
    let reported = storage::faces::not_me_reports::of_download(&app.db, &app.hash_token(token)).await?;
    let photos = archives::photos(app, &download).await?.into_iter().map(|(_, photo)| photo);
    let there = photos.filter(|photo| photo.status == PhotoStatus::Ready && !reported.contains(&photo.id));
    let there = there.collect();
    Ok((download, event, there))
}

/// How long the link of a mail opens results: guests come back weeks after the event.
const MAILED_LIFETIME: Duration = DAY.saturating_mul(30);

/// Mails the link to results to an address, which is not stored.
///
/// # Errors
/// The refusals of the address and the token, [`Refusal::ResultsMailNotOffered`] or [`Refusal::MailRefused`].
pub async fn mail_link(app: &App, visitor: &Visitor, token: &str, email: &str, language: &str) -> Result<()> {
    if email.trim().is_empty() {
        return Err(Refusal::EmailRequired.into());
    }
    let email = EmailAddress::parse(email)?;
    if !app.settings.tells_guests {
        return Err(Refusal::ResultsMailNotOffered.into());
    }
    let (download, event, there) = find(app, visitor, token).await?;
    let photos = there.iter().map(|photo| photo.id).collect();
    let site = app.for_guests_of(event.owner).await?;
    let mailed = archives::create_again(&site, &event, download, photos, MAILED_LIFETIME).await?;
    let studio = studios::of_event(app, &event).await?;
    let language = Language::parse(language);
    let mail = mails::results_link(&site.settings, &event, studio.as_ref(), &email, &language, &mailed)?;
    // The guest waits for the answer, so that the address need not be stored.
    operations::mails::deliver(app, &mail).await.map_err(|failure| match failure {
        Failure::Mail(MailError::Permanent(text)) => {
            tracing::info!(text, "a guest's link was not mailed");
            Refusal::MailRefused.into()
        }
        other => other,
    })
}

/// Counts for the photographer that a guest is not in a photo of their results, once for each token and photo; tokens that were
/// chosen from each other are one. The photo is left out when these results are opened again.
///
/// # Errors
/// [`Refusal::ResultsExpired`] as for [`reopen`], [`Refusal::PhotoNotFound`] when the photo is not among the results.
pub async fn report_not_me(app: &App, visitor: &Visitor, token: &str, photo: &str) -> Result<()> {
    let download = archives::find(app, token).await?.ok_or(Refusal::ResultsExpired)?;
    let event = access::by_id(app, visitor, download.event).await?.ok_or(Refusal::ResultsExpired)?;
    let photo: PhotoId = photo.parse().map_err(|_| Refusal::PhotoNotFound)?;
    if !download.photos.contains(&photo) {
        return Err(Refusal::PhotoNotFound.into());
    }
    let mut tx = app.begin().await?;
    let counts = storage::faces::not_me_reports::add(&mut tx, &app.hash_token(token), photo).await?;
    storage::guests::subscriptions::hide(&mut tx, &app.hash_token(token), photo).await?;
    tx.commit().await?;
    if counts {
        statistics::count_not_me(app, &event);
    }
    Ok(())
}
