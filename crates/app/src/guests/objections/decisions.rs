//! What photographers see of guests' requests, and decide.

use std::collections::{BTreeMap, HashMap, HashSet};

use domain::accounts::User;
use domain::guests::objections::{Choice, ObjectedFace, Objection};
use domain::photos::Photo;
use domain::team::Right;
use domain::{EventId, ObjectionId, PhotoId, Refusal};

use super::suppression;
use crate::team::rights;
use crate::{App, Result};

/// A guest's request with its photos.
pub struct Request {
    /// The objection.
    pub objection: Objection,
    /// Whether it holds: not once it is undone as a whole.
    pub is_in_force: bool,
    /// The photos that are still there, oldest first, and whether it holds for each.
    pub photos: Vec<(Photo, bool)>,
}

/// The requests in all events of a photographer, newest first, without their photos.
pub async fn of_owner(app: &App, owner: &User) -> Result<Vec<Objection>> {
    Ok(storage::guests::objections::of_owner(&app.db, owner.id).await?)
}

/// The requests in a photographer's own event, newest first; those whose photos are all deleted have ended.
///
/// # Errors
/// [`Refusal::EventNotFound`].
pub async fn of_event(app: &App, owner: &User, event: EventId) -> Result<Vec<Request>> {
    rights::event(app, owner, event, Right::Manage).await?;
    let mut objections = storage::guests::objections::of_event(&app.db, event).await?;
    objections.retain(|objection| objection.provisional_for.is_none());
    requests(app, event, objections).await
}

async fn requests(app: &App, event: EventId, objections: Vec<Objection>) -> Result<Vec<Request>> {
    let faces = storage::guests::objections::faces_of_event(&app.db, event).await?;
    let ids: HashSet<PhotoId> = faces.iter().map(|face| face.photo).collect();
    let photos = storage::photos::by_ids(&app.db, &ids.into_iter().collect::<Vec<_>>()).await?;
    let photos: HashMap<PhotoId, Photo> = photos.into_iter().map(|photo| (photo.id, photo)).collect();
    let mut requests = Vec::with_capacity(objections.len());
    for objection in objections {
        let in_force = in_force(&faces, objection.id);
        let photos: Vec<_> = in_force
            .into_iter()
            .filter_map(|(photo, holds)| Some((photos.get(&photo)?.clone(), holds && !objection.waits)))
            .collect();
        let is_in_force = match objection.choice {
            Choice::Hide if photos.is_empty() => continue,
            Choice::Hide => photos.iter().any(|(_, holds)| *holds),
            Choice::StopFinding => objection.template.is_some() && !objection.waits,
        };
        requests.push(Request { objection, is_in_force, photos });
    }
    Ok(requests)
}

/// The photos of an objection, and whether it holds for each.
fn in_force(faces: &[ObjectedFace], objection: ObjectionId) -> BTreeMap<PhotoId, bool> {
    let mut photos = BTreeMap::new();
    for face in faces.iter().filter(|face| face.objection == objection) {
        *photos.entry(face.photo).or_insert(false) |= !face.overruled;
    }
    photos
}

/// A request in an open event that the caller manages.
async fn own_by_id(app: &App, owner: &User, id: &str) -> Result<Objection> {
    let id: ObjectionId = id.parse().map_err(|_| Refusal::ObjectionNotFound)?;
    let objection =
        storage::guests::objections::by_id(&app.db, id).await?.ok_or(Refusal::ObjectionNotFound)?;
    match rights::manages_open(app, owner, objection.event).await? {
        true => Ok(objection),
        false => Err(Refusal::ObjectionNotFound.into()),
    }
}

/// Records that the photographer has seen a request, and with it those of its event before it: they are not told of them
/// any more.
///
/// # Errors
/// [`Refusal::ObjectionNotFound`].
pub async fn see(app: &App, owner: &User, id: &str) -> Result<()> {
    let objection = own_by_id(app, owner, id).await?;
    Ok(storage::guests::objections::mark_seen(&app.db, &objection, app.now()).await?)
}

/// Decides about a request in one of the photographer's events: that it does not hold, or that hidden photos stay hidden after
/// all. Without `photos` about all of them, those in the trash too; a request not to be found is one, whatever photos are named.
/// When such a request is undone, its template is deleted and the photos are indexed again, those in the trash once they are
/// restored. One that has waited holds from now on, for what was uploaded meanwhile too, or never.
///
/// # Errors
/// [`Refusal::ObjectionNotFound`], [`Refusal::PhotoNotFound`] when a photo is not among its photos, or
/// [`Refusal::ObjectionEnded`].
pub async fn decide(
    app: &App,
    owner: &User,
    id: &str,
    photos: Option<&[String]>,
    in_force: bool,
) -> Result<Request> {
    let objection = own_by_id(app, owner, id).await?;
    let (id, event) = (objection.id, objection.event);
    let mut tx = app.begin().await?;
    if !storage::guests::objections::lock(&mut tx, event).await? {
        return Err(Refusal::ObjectionNotFound.into());
    }
    let faces = storage::guests::objections::faces_of_event(&mut *tx, event).await?;
    let all: Vec<PhotoId> = self::in_force(&faces, id).into_keys().collect();
    let mut meanwhile = storage::guests::objections::of_event(&mut *tx, event).await?;
    meanwhile.retain(|other| other.provisional_for == Some(id));
    for other in &meanwhile {
        // With these goes what tells from which deleted photos they have taken faces.
        storage::photos::trash::reindex(&mut tx, other.id).await?;
    }
    let has_waited = storage::guests::objections::end_wait(&mut tx, &objection).await?;
    if has_waited {
        // Photos in the trash cannot be named: where some are, these belong to the rest, which is decided the other way.
        let is_whole = photos.is_none() || objection.choice == Choice::StopFinding;
        let holds = in_force == is_whole;
        storage::photos::trash::decide(&mut tx, id, !holds).await?;
    }
    match (objection.choice, in_force) {
        (Choice::Hide, _) => {
            let chosen = match photos {
                Some(photos) => among(&all, photos)?,
                None => all.clone(),
            };
            // Of what has waited that is decided already.
            if photos.is_none() && !has_waited {
                storage::photos::trash::decide(&mut tx, id, !in_force).await?;
            }
            if has_waited {
                let others: Vec<PhotoId> =
                    all.iter().filter(|photo| !chosen.contains(photo)).copied().collect();
                storage::guests::objections::decide(&mut tx, &objection, &others, in_force).await?;
                // The person is found again where nothing hides the photo.
                for photo in meanwhile.iter().flat_map(|other| self::in_force(&faces, other.id).into_keys()) {
                    tx.index_again(photo).await?;
                }
            }
            storage::guests::objections::decide(&mut tx, &objection, &chosen, !in_force).await?;
        }
        (Choice::StopFinding, true) if objection.template.is_none() => {
            return Err(Refusal::ObjectionEnded.into());
        }
        (Choice::StopFinding, true) => {
            if has_waited {
                suppression::enforce(app, &mut tx, &objection).await?;
            }
        }
        (Choice::StopFinding, false) => {
            storage::guests::objections::decide(&mut tx, &objection, &all, true).await?;
            storage::guests::objections::delete_template(&mut tx, id).await?;
            // What has waited has taken no face away.
            if !has_waited {
                storage::photos::trash::decide(&mut tx, id, true).await?;
                storage::photos::trash::reindex(&mut tx, id).await?;
                for photo in all {
                    tx.index_again(photo).await?;
                }
            }
        }
    }
    tx.commit().await?;
    tracing::info!(objection = %id, in_force, "a photographer has decided about a guest's request");
    let objection =
        storage::guests::objections::by_id(&app.db, id).await?.ok_or(Refusal::ObjectionNotFound)?;
    requests(app, event, vec![objection]).await?.pop().ok_or_else(|| Refusal::ObjectionNotFound.into())
}

fn among(all: &[PhotoId], chosen: &[String]) -> Result<Vec<PhotoId>> {
    let known = |text: &String| text.parse().ok().filter(|photo| all.contains(photo));
    chosen.iter().map(|text| known(text).ok_or_else(|| Refusal::PhotoNotFound.into())).collect()
}
