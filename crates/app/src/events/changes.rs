//! Changing events.

use domain::accounts::User;
use domain::events::changes::{Changes, parse_expiry};
use domain::events::download_policy::Downloads;
use domain::events::pins::Pin;
use domain::events::zones::Zone;
use domain::photos::{Photo, Size};
use domain::team::Right;
use domain::{EventId, PhotoId, Refusal, events};

use crate::events::Listed;
use crate::team::rights;
use crate::{App, Result};

/// What of an event is to change, as entered; what is none stays as it is.
#[derive(Default)]
pub struct Form {
    /// Its name.
    pub name: Option<String>,
    /// Its date.
    pub date: Option<String>,
    /// What it is about; none or an empty text removes it.
    pub description: Option<Option<String>>,
    /// The IANA name of its time zone.
    pub time_zone: Option<String>,
    /// The day on which its photos are to be removed; none removes it.
    pub expires_on: Option<Option<String>>,
    /// The photo that is its cover; none is the drawn sky.
    pub cover_photo: Option<Option<String>>,
    /// Whether guests can ask to be told of new photos. While not, those who have asked are told nothing.
    pub subscriptions_allowed: Option<bool>,
    /// Whether guests get originals byte for byte.
    pub keeps_metadata: Option<bool>,
    /// Whether it takes no more photos.
    pub uploads_closed: Option<bool>,
    /// Whether its guests can write to its owner about photos.
    pub takes_questions: Option<bool>,
    /// Whether its guests may look at all of its photos.
    pub browsable: Option<bool>,
    /// What its guests enter before they can search; none or an empty text removes it.
    pub pin: Option<Option<String>>,
    /// What its guests can save.
    pub downloads: Option<String>,
}

impl Form {
    fn parse(self) -> std::result::Result<Changes, Refusal> {
        let cover = |text: Option<String>| {
            text.map(|text| text.parse::<PhotoId>().map_err(|_| Refusal::EventCoverUnfit)).transpose()
        };
        let expiry = |text: Option<String>| text.map(|text| parse_expiry(&text)).transpose();
        let pin = |text: Option<String>| {
            text.filter(|text| !text.trim().is_empty()).map(|text| Pin::parse(&text)).transpose()
        };
        Ok(Changes {
            name: self.name.map(|text| events::parse_name(&text)).transpose()?,
            date: self.date.map(|text| events::parse_date(&text)).transpose()?,
            description: self
                .description
                .map(|text| events::parse_description(&text.unwrap_or_default()))
                .transpose()?,
            time_zone: self.time_zone.map(|name| Zone::parse(&name)).transpose()?,
            expires_on: self.expires_on.map(expiry).transpose()?,
            cover: self.cover_photo.map(cover).transpose()?,
            subscriptions_allowed: self.subscriptions_allowed,
            keeps_metadata: self.keeps_metadata,
            uploads_closed: self.uploads_closed,
            takes_questions: self.takes_questions,
            browsable: self.browsable,
            pin: self.pin.map(pin).transpose()?,
            downloads: self.downloads.map(|text| Downloads::parse(&text)).transpose()?,
        })
    }
}

/// Changes an event that the caller manages. Whoever changes something else of it at the same time loses nothing.
///
/// # Errors
/// The refusals of its fields, [`Refusal::EventCoverUnfit`], [`Refusal::EventNotFound`], [`Refusal::EventBeingDeleted`],
/// [`Refusal::ManagersOnly`], or [`Refusal::OwnerOnly`] for the day of its removal.
pub async fn change(app: &App, caller: &User, id: EventId, form: Form) -> Result<Listed> {
    let granted = rights::open_event(app, caller, id, Right::Manage).await?;
    if form.expires_on.is_some() {
        // On that day photos are deleted, as with the event.
        granted.role.check(Right::Own)?;
    }
    let changes = form.parse()?;
    let mut tx = app.begin().await?;
    let event = storage::events::changes::lock(&mut tx, id).await?.ok_or(Refusal::EventBeingDeleted)?;
    let cover = changes.cover;
    let changed = changes.applied(&event, app.settings.retention_days, app.now())?;
    storage::events::changes::save(&mut tx, &changed).await?;
    if let Some(cover) = cover {
        if let Some(photo) = cover {
            let photo = storage::photos::by_id(&mut *tx, photo).await?;
            photo.filter(|photo| is_fit(photo, id)).ok_or(Refusal::EventCoverUnfit)?;
        }
        storage::events::changes::set_cover(&mut tx, id, cover).await?;
    }
    tx.commit().await?;
    Listed::of(app, rights::event(app, caller, id, Right::Manage).await?).await
}

/// Whether all guests of an event may see a photo.
fn is_fit(photo: &Photo, event: EventId) -> bool {
    photo.event == Some(event) && !photo.hidden && photo.sizes().contains(&Size::Medium)
}
