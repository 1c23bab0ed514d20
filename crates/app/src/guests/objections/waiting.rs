//! Requests that wait for the photographer: those about many photos, and those without a live capture.

use domain::faces::Strictness;
use domain::guests::objections::{Choice, ObjectedFace, Objection};
use domain::{EventId, FaceId, Job, ObjectionId, PhotoId, Refusal};
use storage::faces::StoredFace;

use super::findable;
use super::subjects::{Confirmed, Decided, Outcome, faces_to_hide, photos_of};
use super::suppression::{self, matching_faces, objected};
use crate::faces::templates::Search;
use crate::operations::runtime::queue::Tx;
use crate::webhooks::reports::{self, Waiting};
use crate::{App, Result};

/// Reports to the photographer's webhooks that a request waits.
pub(super) async fn tell_owner_of_waiting(app: &App, tx: &mut Tx, event: EventId) -> Result<()> {
    let event = storage::events::by_id(&mut **tx, event).await?.ok_or(Refusal::ObjectionTokenExpired)?;
    reports::guest_waiting(app, tx, &event, Waiting::RemovalRequest).await
}

/// How many photos the request of the same guest is about that waits already.
pub(super) async fn waiting_since_before(
    app: &App,
    tx: &mut Tx,
    event: EventId,
    search: &Search,
) -> Result<Option<usize>> {
    for other in storage::guests::objections::with_template(&mut **tx, event).await? {
        let Some(waiting) = other.provisional_for else { continue };
        if suppression::open(app, &other).await? == search.template {
            let mut faces = storage::guests::objections::faces_of_event(&mut **tx, event).await?;
            faces.retain(|face| face.objection == waiting);
            return Ok(Some(photos_of(&faces)));
        }
    }
    Ok(None)
}

/// Removes the guest's faces for as long as the request `waiting` waits. Answers what holds for that time, and these faces.
pub(super) async fn not_found_meanwhile(
    app: &App,
    tx: &mut Tx,
    waiting: ObjectionId,
    search: &Search,
    stored: &[StoredFace],
) -> Result<(Objection, Vec<ObjectedFace>)> {
    let (id, event, now) = (app.id::<ObjectionId>(), search.event, app.now());
    let faces = findable::faces(app, stored, &search.template)?;
    let ids: Vec<(FaceId, PhotoId)> = faces.iter().map(|face| (face.id, face.photo)).collect();
    storage::faces::delete(tx, event, &ids).await?;
    let meanwhile = Objection {
        id,
        event,
        choice: Choice::StopFinding,
        notice_version: String::new(),
        template: Some(suppression::seal(app, event, id, &search.template).await?),
        created_at: now,
        // It is told with the request that it is for.
        told_at: Some(now),
        seen_at: Some(now),
        waits: false,
        provisional_for: Some(waiting),
        without_capture: false,
    };
    Ok((meanwhile, faces.into_iter().map(|face| objected(id, face)).collect()))
}

/// Stores a request without a live capture, which changes nothing but what the photographer sees: whoever made it may have held up a
/// picture of somebody else. `tx` has locked the event.
pub(super) async fn without_capture(
    app: &App,
    mut tx: Tx,
    confirmed: Confirmed,
    stored: &[StoredFace],
    decided: &Decided,
) -> Result<Outcome> {
    let Confirmed { choice, notice_version, search } = confirmed;
    let (id, event, now) = (app.id::<ObjectionId>(), search.event, app.now());
    let mut waiting = storage::guests::objections::of_event(&mut *tx, event).await?;
    waiting.retain(|other| other.waits && other.without_capture && other.choice == choice);
    let mut template = None;
    let mut about = match choice {
        Choice::Hide => faces_to_hide(app, &mut tx, id, &search, stored).await?,
        Choice::StopFinding => {
            for other in &waiting {
                if suppression::open(app, other).await? == search.template {
                    return Ok(Outcome::waiting(0));
                }
            }
            template = Some(suppression::seal(app, event, id, &search.template).await?);
            let person = &search.template;
            let is_overruled = |face: &&StoredFace| decided.is_overruled(face.photo, &face.bounds);
            if matching_faces(app, stored, person, Strictness::Strict)?.iter().any(is_overruled) {
                return Err(Refusal::ObjectionOverruled.into());
            }
            findable::faces(app, stored, person)?.into_iter().map(|face| objected(id, face)).collect()
        }
    };
    about.retain(|face| !decided.is_overruled(face.photo, &face.bounds));
    let photos = photos_of(&about);
    if choice == Choice::Hide {
        if about.is_empty() {
            return Err(Refusal::ObjectionNothingToHide.into());
        }
        about.retain(|face| !decided.is_in_force(face.photo, &face.bounds));
        if about.is_empty() {
            return Ok(Outcome::at_once(photos));
        }
        let mut known = storage::guests::objections::faces_of_event(&mut *tx, event).await?;
        known.retain(|face| waiting.iter().any(|other| other.id == face.objection));
        about.retain(|face| {
            !known.iter().any(|known| known.photo == face.photo && known.bounds.is_same_face(&face.bounds))
        });
        if about.is_empty() {
            return Ok(Outcome::waiting(photos));
        }
    }
    let due = storage::guests::objections::mail_due(&mut tx, event, now).await?;
    let objection = Objection {
        id,
        event,
        choice,
        notice_version,
        template,
        created_at: now,
        told_at: None,
        seen_at: None,
        waits: true,
        provisional_for: None,
        without_capture: true,
    };
    storage::guests::objections::create(&mut tx, &objection, &about).await?;
    if let Some(due) = due {
        tx.enqueue_at(&Job::TellOfObjections { event }, due).await?;
    }
    tell_owner_of_waiting(app, &mut tx, event).await?;
    tx.commit().await?;
    tracing::info!(%event, choice = choice.as_str(), photos, "a guest asks without a live capture");
    Ok(Outcome::waiting(photos))
}
