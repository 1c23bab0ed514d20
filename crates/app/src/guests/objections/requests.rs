//! What guests ask for.

use std::collections::{HashMap, HashSet};

use domain::events::{Event, Indexing};
use domain::faces::{BoundingBox, Strictness};
use domain::guests::objections::{Choice, Objection, SEARCH_LIFETIME, hides_at_once, parse_consent};
use domain::{FaceId, Job, ObjectionId, PhotoId, Refusal};
use storage::faces::StoredFace;
use storage::faces::index::Scope;

use super::findable;
use super::live_captures::{self, Capture};
use super::subjects::{Decided, faces_to_hide, photos_of};
use super::suppression::{self, matching_faces, objected};
use super::waiting::{not_found_meanwhile, tell_owner_of_waiting, waiting_since_before, without_capture};
use crate::accounts::deletion_receipts;
use crate::events::access::{self, Visitor};
use crate::faces::descriptions::recognisers_with_trash;
use crate::faces::matching::{self, MatchedPhoto};
use crate::faces::sealing::{Key, Purpose};
use crate::faces::search::{self, SelfieFaces, Selfies};
use crate::faces::templates::{Search, Template};
use crate::guests::archives;
use crate::guests::results::FoundPhoto;
use crate::photos::redactions::Audience;
use crate::studio::watermarked;
use crate::{App, Result};

pub use super::subjects::{Confirmed, Outcome};

/// What a guest could have hidden.
pub struct Preview {
    /// The photos, best match first; without those that the photographer has decided to show.
    pub photos: Vec<FoundPhoto>,
    /// How many photos the photographer has decided to show.
    pub overruled: usize,
    /// The faces of the first picture, largest and most central first.
    pub faces: Vec<BoundingBox>,
    /// The progress of indexing.
    pub indexing: Indexing,
    /// With it the guest objects, within [`SEARCH_LIFETIME`].
    pub token: String,
    /// Whether the pictures were a live capture: without one what is asked waits for the photographer.
    pub live: bool,
}

/// Searches an open event strictly, whatever strictness the pictures come with: what is hidden is hidden from everybody.
///
/// # Errors
/// The refusals of the pictures, and of a live capture.
pub async fn preview(
    app: &App,
    event: &Event,
    selfies: Selfies,
    capture: Option<Capture>,
) -> Result<Preview> {
    let key = Key::of_open(app, event.id, Purpose::Objections).await?.ok_or(Refusal::EventNotFound)?;
    let live = capture.is_some();
    let by = recognisers_with_trash(app, event.id).await?;
    let (person, faces) = match capture {
        Some(capture) => {
            let person = live_captures::person(app, event.id, &key, selfies, capture, by).await?;
            (person.descriptions, vec![person.bounds])
        }
        None => {
            let SelfieFaces { person, faces, .. } = search::detect_in_background(app, selfies, by).await?;
            (person, faces)
        }
    };
    let scope = Scope::Event(event.id);
    let matched = matching::photos(app, scope, &person, HashSet::new(), Strictness::Strict).await?;
    let learned = matching::learn(app, scope, person).await?;
    let decided = Decided::read(app, event.id, Choice::Hide, live).await?;
    let stored = storage::faces::of_event(&app.db, event.id).await?;
    let is_overruled = |matched: &MatchedPhoto| {
        let face = stored.iter().find(|face| face.id == matched.face);
        face.is_some_and(|face| decided.is_overruled(face.photo, &face.bounds))
    };
    let (overruled, open): (Vec<_>, Vec<_>) = matched.into_iter().partition(is_overruled);
    let ids: Vec<PhotoId> = open.iter().map(|matched| matched.photo).collect();
    let mut there = storage::photos::by_ids(&app.db, &ids).await?;
    there.retain(|photo| !photo.hidden);
    there.sort_by_key(|photo| ids.iter().position(|id| *id == photo.id));
    let faces_of: HashMap<PhotoId, FaceId> =
        open.iter().map(|matched| (matched.photo, matched.face)).collect();
    let found: Vec<(PhotoId, FaceId)> =
        there.iter().filter_map(|photo| Some((photo.id, *faces_of.get(&photo.id)?))).collect();
    let watermark = watermarked::of_owner(app, event.owner).await?;
    let mut photos = Vec::with_capacity(there.len());
    for photo in there {
        let face = faces_of.get(&photo.id).copied();
        photos.push(FoundPhoto::new(app, photo, face, watermark.as_ref()).await?);
    }
    let download = match found.is_empty() {
        true => None,
        false => {
            let token = archives::create(app, event, found, Audience::Guests, SEARCH_LIFETIME).await?;
            Some(app.hash_token(&token))
        }
    };
    let template = Template::new(app, Strictness::Strict, learned);
    let search = Search::new(app, event.id, SEARCH_LIFETIME, download, template).with_capture(live);
    let token = search.seal(app, &key)?;
    Ok(Preview { photos, overruled: overruled.len(), faces, indexing: event.indexing, token, live })
}

/// A guest's request, as sent.
pub struct NewObjection {
    /// The token of [`Preview`].
    pub token: String,
    /// The name of a [`Choice`].
    pub choice: String,
    /// The version of the notice that the guest has agreed to.
    pub notice_version: String,
}

/// Validates a request.
///
/// # Errors
/// The refusals of its fields, [`Refusal::ObjectionTokenExpired`], or [`Refusal::EventPinRequired`].
pub async fn validate(app: &App, visitor: &Visitor, new: &NewObjection) -> Result<Confirmed> {
    let choice = Choice::parse(&new.choice).ok_or(Refusal::ObjectionChoiceUnknown)?;
    let notice_version = parse_consent(&new.notice_version)?;
    let event = Search::event_of(&new.token).ok_or(Refusal::ObjectionTokenExpired)?;
    let key = Key::of(app, event, Purpose::Objections).await?.ok_or(Refusal::ObjectionTokenExpired)?;
    let search = Search::open(app, &key, event, &new.token).ok_or(Refusal::ObjectionTokenExpired)?;
    if search.template.by(app.engine.pack_id()).is_empty() {
        return Err(Refusal::ObjectionTokenExpired.into());
    }
    access::by_id(app, visitor, event).await?.ok_or(Refusal::ObjectionTokenExpired)?;
    Ok(Confirmed { choice, notice_version, search })
}

/// Hides the photos that the guest was shown, or removes all faces that a search of any strictness could take for the guest's and
/// keeps the template, and tells the photographer.
/// What would hide many photos waits for the photographer, and until then the person is found no more; what is asked without a live
/// capture waits and changes nothing until then. Sent again it changes nothing.
///
/// # Errors
/// [`Refusal::ObjectionTokenExpired`] when the event is closed, [`Refusal::ObjectionNothingToHide`], or
/// [`Refusal::ObjectionOverruled`].
pub async fn object(app: &App, confirmed: Confirmed) -> Result<Outcome> {
    let (event, id, now) = (confirmed.search.event, app.id::<ObjectionId>(), app.now());
    let mut tx = app.begin().await?;
    if !storage::guests::objections::lock(&mut tx, event).await? {
        return Err(Refusal::ObjectionTokenExpired.into());
    }
    let stored = storage::faces::of_event(&mut *tx, event).await?;
    let decided = Decided::read(app, event, confirmed.choice, confirmed.search.live).await?;
    if !confirmed.search.live {
        return without_capture(app, tx, confirmed, &stored, &decided).await;
    }
    let Confirmed { choice, notice_version, search } = confirmed;
    let in_trash = suppression::in_trash(app, &mut tx, id, choice, event, &search.template).await?;
    let (mut waits, mut provisional) = (false, None);
    let (about, template) = match choice {
        Choice::Hide => {
            if let Some(photos) = waiting_since_before(app, &mut tx, event, &search).await? {
                return Ok(Outcome::waiting(photos));
            }
            let about = faces_to_hide(app, &mut tx, id, &search, &stored).await?;
            let (mut about, shown): (Vec<_>, Vec<_>) =
                about.into_iter().partition(|face| !decided.is_overruled(face.photo, &face.bounds));
            if about.is_empty() {
                tracing::info!(%event, overruled = shown.len(), "there is nothing to hide");
                if !in_trash.is_empty() {
                    // Nobody sees these photos, but they may be restored.
                    let objection = Objection {
                        id,
                        event,
                        choice,
                        notice_version,
                        template: None,
                        created_at: now,
                        told_at: Some(now),
                        seen_at: None,
                        waits: false,
                        provisional_for: None,
                        without_capture: false,
                    };
                    storage::guests::objections::create(&mut tx, &objection, &[]).await?;
                    storage::photos::trash::object(&mut tx, &in_trash).await?;
                    tx.commit().await?;
                }
                return Err(Refusal::ObjectionNothingToHide.into());
            }
            let photos = photos_of(&about);
            about.retain(|face| !decided.is_in_force(face.photo, &face.bounds));
            if about.is_empty() {
                return Ok(Outcome::at_once(photos));
            }
            // Of what guests see: photos that are held would let one of them hide more of it.
            let seen = storage::events::by_id(&mut *tx, event).await?.map(Event::without_held);
            let in_event = seen.map_or(0, |event| event.indexing.total);
            waits = !hides_at_once(photos_of(&about), usize::try_from(in_event).unwrap_or_default());
            if waits {
                provisional = Some(not_found_meanwhile(app, &mut tx, id, &search, &stored).await?);
            }
            (about, None)
        }
        Choice::StopFinding => {
            for other in storage::guests::objections::with_template(&mut *tx, event).await? {
                if other.provisional_for.is_none() && suppression::open(app, &other).await? == search.template
                {
                    return Ok(Outcome::at_once(0));
                }
            }
            let person = &search.template;
            let is_overruled = |face: &&StoredFace| decided.is_overruled(face.photo, &face.bounds);
            // A face that is only similar may be of another guest, about whom the photographer has decided.
            if matching_faces(app, &stored, person, Strictness::Strict)?.iter().any(is_overruled) {
                return Err(Refusal::ObjectionOverruled.into());
            }
            let mut faces = findable::faces(app, &stored, person)?;
            faces.retain(|face| !is_overruled(face));
            let ids: Vec<(FaceId, PhotoId)> = faces.iter().map(|face| (face.id, face.photo)).collect();
            storage::faces::delete(&mut tx, event, &ids).await?;
            let template = suppression::seal(app, event, id, &search.template).await?;
            (faces.into_iter().map(|face| objected(id, face)).collect(), Some(template))
        }
    };
    let due = match waits {
        // Nothing happens until the photographer knows.
        true => Some(now),
        false => storage::guests::objections::mail_due(&mut tx, event, now).await?,
    };
    let (created_at, told_at, seen_at, provisional_for) = (now, None, None, None);
    let objection = Objection {
        id,
        event,
        choice,
        notice_version,
        template,
        created_at,
        told_at,
        seen_at,
        waits,
        provisional_for,
        without_capture: false,
    };
    storage::guests::objections::create(&mut tx, &objection, &about).await?;
    if let Some((meanwhile, faces)) = provisional {
        let notice_version = objection.notice_version.clone();
        let meanwhile = Objection { notice_version, ..meanwhile };
        storage::guests::objections::create(&mut tx, &meanwhile, &faces).await?;
    }
    if waits {
        tell_owner_of_waiting(app, &mut tx, event).await?;
    }
    storage::photos::trash::object(&mut tx, &in_trash).await?;
    let mut removed = about.len();
    if choice == Choice::StopFinding {
        removed += in_trash.len();
        let faces: Vec<FaceId> = in_trash.iter().map(|face| face.face).collect();
        storage::photos::trash::delete_faces(&mut tx, &faces).await?;
    }
    if let Some(due) = due {
        tx.enqueue_at(&Job::TellOfObjections { event }, due).await?;
    }
    tx.commit().await?;
    let photos = photos_of(&about);
    tracing::info!(%event, choice = choice.as_str(), photos, waits, "a guest objects");
    let receipt = match choice {
        Choice::StopFinding => Some(deletion_receipts::of_person(app, id, photos, removed, now).await?),
        Choice::Hide => None,
    };
    Ok(Outcome { photos, waits, receipt })
}
