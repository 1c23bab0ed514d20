//! Who may do what with an event and its photos: the one way in which a photographer's call finds either (decision 0057).

use domain::accounts::User;
use domain::events::Event;
use domain::photos::Photo;
use domain::team::{MemberRole, Right, Role};
use domain::{EventId, PhotoId, Refusal, UserId};
use storage::photos::Collection;

use crate::{App, Result};

/// An event that is not deleted, and what its caller is to it.
pub(crate) struct Granted {
    /// The event.
    pub event: Event,
    /// What the caller is to it.
    pub role: Role,
    /// Whose call it is.
    caller: UserId,
}

impl Granted {
    /// Whose uploads alone the caller sees; none who sees all photos.
    pub(crate) fn sees_only(&self) -> Option<UserId> {
        (!self.role.has(Right::Manage)).then_some(self.caller)
    }

    /// The photos of the event that the caller sees.
    pub(crate) fn photos(&self) -> Reached {
        let collection = Collection::Event(self.event.id);
        Reached { collection, owner: self.event.owner, uploader: self.sees_only() }
    }

    /// As whose photos the caller's uploads are kept; none for the owner's.
    pub(crate) fn member(&self) -> Option<UserId> {
        (self.role != Role::Owner).then_some(self.caller)
    }

    /// Whether the caller sees a photo of the event.
    fn shows(&self, photo: &Photo) -> bool {
        self.sees_only().is_none_or(|uploader| photo.uploader == Some(uploader))
    }
}

/// What somebody is to an event; none for a stranger.
pub(crate) async fn role(app: &App, caller: UserId, event: &Event) -> Result<Option<Role>> {
    if event.owner == caller {
        return Ok(Some(Role::Owner));
    }
    Ok(storage::team::role(&app.db, event.id, caller).await?.map(Role::Member))
}

/// An event that is not deleted, for whoever is its owner or a member of its team.
async fn find(app: &App, caller: UserId, id: EventId) -> Result<Option<Granted>> {
    let event = storage::events::by_id(&app.db, id).await?.filter(|event| event.deleted_at.is_none());
    let Some(event) = event else { return Ok(None) };
    let role = role(app, caller, &event).await?;
    // Teams end with the deletion of an event, and come back where it is restored.
    let role = role.filter(|role| *role == Role::Owner || event.is_open());
    Ok(role.map(|role| Granted { event, role, caller }))
}

/// An event that is not deleted, for whoever has a right to it.
///
/// # Errors
/// [`Refusal::EventNotFound`] for a stranger, [`Refusal::ManagersOnly`] or [`Refusal::OwnerOnly`] for a member without it.
pub(crate) async fn event(app: &App, caller: &User, id: EventId, right: Right) -> Result<Granted> {
    let granted = find(app, caller.id, id).await?.ok_or(Refusal::EventNotFound)?;
    granted.role.check(right)?;
    Ok(granted)
}

/// The same for what changes an event.
///
/// # Errors
/// Those of [`event`], or [`Refusal::EventBeingDeleted`].
pub(crate) async fn open_event(app: &App, caller: &User, id: EventId, right: Right) -> Result<Granted> {
    let granted = event(app, caller, id, right).await?;
    if granted.event.deleting_since.is_some() {
        return Err(Refusal::EventBeingDeleted.into());
    }
    Ok(granted)
}

/// Whether somebody may manage an event that is open, for what is found by its own id: to everybody else that is not there.
pub(crate) async fn manages_open(app: &App, caller: &User, id: EventId) -> Result<bool> {
    let granted = find(app, caller.id, id).await?;
    Ok(granted.is_some_and(|granted| granted.role.has(Right::Manage) && granted.event.is_open()))
}

/// The photos that a call is about: of an event, or of the caller's library.
pub(crate) struct Reached {
    /// Where they are.
    pub(crate) collection: Collection,
    /// Whose they are.
    pub(crate) owner: UserId,
    /// Whose uploads alone; none for all.
    pub(crate) uploader: Option<UserId>,
}

impl Reached {
    /// The caller's library.
    pub(crate) const fn library(caller: UserId) -> Self {
        Self { collection: Collection::Library(caller), owner: caller, uploader: None }
    }

    /// Their event.
    pub(crate) const fn event(&self) -> Option<EventId> {
        match self.collection {
            Collection::Event(event) => Some(event),
            Collection::Library(_) => None,
        }
    }

    /// Whether a photo is one of them.
    pub(crate) fn has(&self, photo: &Photo) -> bool {
        photo.owner == self.owner
            && photo.event == self.event()
            && self.uploader.is_none_or(|uploader| photo.uploader == Some(uploader))
    }
}

/// The photos of an event for whoever has a right to it, or the caller's library.
///
/// # Errors
/// Those of [`event`].
pub(crate) async fn photos(
    app: &App,
    caller: &User,
    event: Option<EventId>,
    right: Right,
) -> Result<Reached> {
    let Some(id) = event else {
        return Ok(Reached::library(caller.id));
    };
    Ok(self::event(app, caller, id, right).await?.photos())
}

/// Whether a photo is the caller's own, or of an event in which the caller sees it.
pub(crate) async fn sees(app: &App, caller: &User, photo: &Photo) -> Result<bool> {
    if photo.owner == caller.id {
        return Ok(true);
    }
    let Some(event) = photo.event else { return Ok(false) };
    Ok(find(app, caller.id, event).await?.is_some_and(|granted| granted.shows(photo)))
}

/// A photo that the caller sees.
///
/// # Errors
/// [`Refusal::PhotoNotFound`].
pub(crate) async fn photo(app: &App, caller: &User, id: PhotoId) -> Result<Photo> {
    let photo = storage::photos::by_id(&app.db, id).await?.ok_or(Refusal::PhotoNotFound)?;
    if sees(app, caller, &photo).await? { Ok(photo) } else { Err(Refusal::PhotoNotFound.into()) }
}

/// A photo as whoever may see it sees it: what guests did with it, and where it was put, is not a contributor's to know.
pub(crate) fn shown_to(role: Role, photo: Photo) -> Photo {
    match role {
        Role::Owner | Role::Member(MemberRole::Manager) => photo,
        Role::Member(MemberRole::Contributor) => {
            Photo { downloads: 0, hearts: 0, not_me_reports: 0, albums: Vec::new(), ..photo }
        }
    }
}

/// The same for a photo of the caller's own, or of an event.
pub(crate) async fn shown(app: &App, caller: &User, photo: Photo) -> Result<Photo> {
    let (Some(event), false) = (photo.event, photo.owner == caller.id) else { return Ok(photo) };
    let granted = find(app, caller.id, event).await?.ok_or(Refusal::PhotoNotFound)?;
    Ok(shown_to(granted.role, photo))
}
