//! Where an upload goes, and who pays for it.

use domain::accounts::User;
use domain::payments::money::PHOTO_PRICE;
use domain::photos::{Photo, sanitize_filename};
use domain::team::{Right, Role};
use domain::{EventId, Paise, Refusal, UserId};
use media::temp_files::TempFile;
use storage::photos::Collection;

use super::accepted::{Accepted, OfSomebodyElse};
use crate::team::rights::{self, Granted};
use crate::{App, Result};

/// What photos cost.
pub(super) fn price_of(photos: usize) -> Paise {
    Paise::new(PHOTO_PRICE.get().saturating_mul(i64::try_from(photos).unwrap_or(i64::MAX)))
}

/// An open event, or the uploader's library.
pub(super) struct Destination {
    /// Whose photos they become, and who pays.
    pub(super) owner: UserId,
    /// The event; none for the library.
    pub(super) event: Option<EventId>,
    /// The member of the event's team who uploads; none for the owner.
    pub(super) uploader: Option<UserId>,
    /// Whose photos alone the uploader sees there, and can replace; none for all.
    pub(super) sees_only: Option<UserId>,
    role: Role,
    is_closed: bool,
}

impl Destination {
    /// An event to which the caller may upload, or the library.
    ///
    /// # Errors
    /// [`Refusal::EventNotFound`], or [`Refusal::EventBeingDeleted`].
    pub(super) async fn of(app: &App, caller: &User, event: Option<EventId>) -> Result<Self> {
        let Some(id) = event else {
            return Ok(Self {
                owner: caller.id,
                event: None,
                uploader: None,
                sees_only: None,
                role: Role::Owner,
                is_closed: false,
            });
        };
        let granted = rights::open_event(app, caller, id, Right::Upload).await?;
        let (uploader, sees_only) = (granted.member(), granted.sees_only());
        let Granted { event, role, .. } = granted;
        let (owner, is_closed) = (event.owner, event.flags.uploads_closed);
        Ok(Self { owner, event: Some(id), uploader, sees_only, role, is_closed })
    }

    /// Refuses photos where none are taken.
    ///
    /// # Errors
    /// [`Refusal::EventUploadsClosed`], with words for whoever can open it and for whoever cannot.
    pub(super) const fn check_open(&self) -> std::result::Result<(), Refusal> {
        match (self.is_closed, self.role.has(Right::Manage)) {
            (false, _) => Ok(()),
            (true, true) => Err(Refusal::EventUploadsClosed),
            (true, false) => Err(Refusal::EventUploadsClosedByOwner),
        }
    }

    /// Refuses what goes by the names of the photos that are there while those of a restored event are still on their way back.
    ///
    /// # Errors
    /// [`Refusal::Busy`].
    pub(super) async fn check_restored(&self, app: &App) -> Result<()> {
        let Some(event) = self.event else { return Ok(()) };
        match storage::events::recently_deleted::restoring_since(&app.db, event).await? {
            None => Ok(()),
            Some(_) => Err(Refusal::Busy.into()),
        }
    }

    pub(super) fn collection(&self) -> Collection {
        self.event.map_or(Collection::Library(self.owner), Collection::Event)
    }

    /// Refuses bytes that nothing is there to pay for, before they are inspected. The transaction that charges decides in the
    /// end.
    pub(super) async fn check_credit(&self, app: &App) -> Result<()> {
        self.check_credit_for(app, 1).await
    }

    /// The same for several photos.
    pub(super) async fn check_credit_for(&self, app: &App, photos: usize) -> Result<()> {
        // It may have changed while the photo was received.
        let owner = storage::accounts::users::by_id(&app.db, self.owner).await?;
        let price = price_of(photos);
        if owner.is_some_and(|owner| owner.premium_since.is_none() && owner.credits < price) {
            return Err(self.insufficient().into());
        }
        Ok(())
    }

    /// The refusal when the owner's balance is too low.
    pub(super) const fn insufficient(&self) -> Refusal {
        match self.uploader {
            None => Refusal::InsufficientCredits,
            Some(_) => Refusal::OwnerInsufficientCredits,
        }
    }

    /// The refusal while the owner's account is locked.
    pub(super) const fn locked(&self) -> Refusal {
        match self.uploader {
            None => Refusal::AccountLocked,
            Some(_) => Refusal::OwnerLocked,
        }
    }

    /// Refuses a photo whose uploader has left the team, or has not this right in it any more, since the upload began.
    pub(super) async fn check_right(&self, tx: &mut storage::Tx, right: Right) -> Result<()> {
        let (Some(event), Some(uploader)) = (self.event, self.uploader) else { return Ok(()) };
        match storage::team::role(tx, event, uploader).await?.map(Role::Member) {
            Some(role) if role.has(right) => Ok(()),
            Some(_) => Err(Refusal::ManagersOnly.into()),
            None => Err(Refusal::EventNotFound.into()),
        }
    }

    /// A photo as the uploader may see it.
    pub(super) fn shown(&self, photo: Photo) -> Photo {
        rights::shown_to(self.role, photo)
    }

    /// Answers a file whose bytes are there as this photo, or were before it was replaced: what it is now is nothing that the
    /// uploader of a former version knows, and links to it show what it will be.
    pub(super) fn duplicate(&self, app: &App, there: Photo, file: &TempFile, filename: &str) -> Accepted {
        if self.sees_only.is_none() || there.uploader == self.sees_only {
            return Accepted::Duplicate(self.shown(there));
        }
        Accepted::OfSomebodyElse(Box::new(OfSomebodyElse {
            id: there.id,
            event: there.event,
            filename: sanitize_filename(filename),
            size_bytes: i64::try_from(file.size()).unwrap_or(i64::MAX),
            at: app.now(),
        }))
    }
}
