//! What guests ask for.

use std::collections::{HashMap, HashSet};

use domain::accounts::tokens::hash_token;
use domain::events::{Event, Indexing};
use domain::faces::{BoundingBox, Strictness};
use domain::guests::objections::{
    Choice, ObjectedFace, Objection, SEARCH_LIFETIME, hides_at_once, parse_consent,
};
use domain::{EventId, FaceId, Job, ObjectionId, PhotoId, Refusal};
use storage::faces::StoredFace;
use storage::faces::index::Scope;

use super::suppression::{self, matching_faces, objected};
use crate::events::access::{self, Visitor};
use crate::faces::matching::{self, MatchedPhoto};
use crate::faces::sealing::{Key, Purpose};
use crate::faces::search::{self, SelfieFaces, Selfies};
use crate::faces::templates::{Search, Template};
use crate::guests::archives;
use crate::guests::results::FoundPhoto;
use crate::operations::runtime::queue::Tx;
use crate::photos::redactions::Audience;
use crate::studio::watermarked;
use crate::{App, Result};

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
}

/// Searches an open event strictly, whatever strictness the pictures come with: what is hidden is hidden from everybody.
///
/// # Errors
/// The refusals of the pictures.
pub async fn preview(app: &App, event: &Event, selfies: Selfies) -> Result<Preview> {
    let key = Key::of_open(app, event.id, Purpose::Objections).await?.ok_or(Refusal::EventNotFound)?;
    let SelfieFaces { queries, faces, .. } = search::detect_in_background(app, selfies).await?;
    let scope = Scope::Event(event.id);
    let embeddings = matching::learn(app, scope, queries.clone()).await?;
    let matched = matching::photos(app, scope, queries, HashSet::new(), Strictness::Strict).await?;
    let decided = Decided::read(app, event.id, Choice::Hide).await?;
    let stored = storage::faces::of_event(&app.db, event.id, app.engine.pack_id()).await?;
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
            let token = archives::create(app, event.id, found, Audience::Guests, SEARCH_LIFETIME).await?;
            Some(hash_token(&token))
        }
    };
    let pack = app.engine.pack_id().to_owned();
    let template = Template { pack, strictness: Strictness::Strict, embeddings };
    let token = Search::new(app, event.id, SEARCH_LIFETIME, download, template).seal(app, &key)?;
    Ok(Preview { photos, overruled: overruled.len(), faces, indexing: event.indexing, token })
}

/// The faces of which objections were decided or are in force, for one choice.
struct Decided(Vec<ObjectedFace>);

impl Decided {
    async fn read(app: &App, event: EventId, choice: Choice) -> Result<Self> {
        let objections = storage::guests::objections::of_event(&app.db, event).await?;
        let of_choice: HashSet<ObjectionId> =
            objections.iter().filter(|each| each.choice == choice).map(|each| each.id).collect();
        let mut faces = storage::guests::objections::faces_of_event(&app.db, event).await?;
        faces.retain(|face| of_choice.contains(&face.objection));
        Ok(Self(faces))
    }

    fn is_overruled(&self, photo: PhotoId, bounds: &BoundingBox) -> bool {
        self.has(photo, bounds, true)
    }

    fn is_in_force(&self, photo: PhotoId, bounds: &BoundingBox) -> bool {
        self.has(photo, bounds, false)
    }

    fn has(&self, photo: PhotoId, bounds: &BoundingBox, overruled: bool) -> bool {
        let same = |face: &&ObjectedFace| face.photo == photo && face.bounds.is_same_face(bounds);
        self.0.iter().filter(same).any(|face| face.overruled == overruled)
    }
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

/// What a request has led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How many photos it is about.
    pub photos: usize,
    /// Whether the photographer decides first.
    pub waits: bool,
}

impl Outcome {
    const fn at_once(photos: usize) -> Self {
        Self { photos, waits: false }
    }
}

/// A request that is complete, and whose token is this server's.
pub struct Confirmed {
    choice: Choice,
    notice_version: String,
    search: Search,
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
    if search.template.pack != app.engine.pack_id() {
        return Err(Refusal::ObjectionTokenExpired.into());
    }
    access::by_id(app, visitor, event).await?.ok_or(Refusal::ObjectionTokenExpired)?;
    Ok(Confirmed { choice, notice_version, search })
}

/// Hides the photos that the guest was shown, or removes all faces that a search of any strictness could take for the guest's and
/// keeps the template, and tells the photographer.
/// What would hide many photos waits for the photographer, and until then the person is found no more. Sent again it changes nothing.
///
/// # Errors
/// [`Refusal::ObjectionTokenExpired`] when the event is closed, [`Refusal::ObjectionNothingToHide`], or
/// [`Refusal::ObjectionOverruled`].
pub async fn object(app: &App, confirmed: Confirmed) -> Result<Outcome> {
    let Confirmed { choice, notice_version, search } = confirmed;
    let (event, id, now) = (search.event, app.id::<ObjectionId>(), app.now());
    let mut tx = app.begin().await?;
    if !storage::guests::objections::lock(&mut tx, event).await? {
        return Err(Refusal::ObjectionTokenExpired.into());
    }
    let stored = storage::faces::of_event(&mut *tx, event, app.engine.pack_id()).await?;
    let decided = Decided::read(app, event, choice).await?;
    let in_trash = suppression::in_trash(app, &mut tx, id, choice, &search).await?;
    let (mut waits, mut provisional) = (false, None);
    let (about, template) = match choice {
        Choice::Hide => {
            if let Some(photos) = waiting_since_before(app, &mut tx, event, &search).await? {
                return Ok(Outcome { photos, waits: true });
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
            let in_event =
                storage::events::by_id(&mut *tx, event).await?.map_or(0, |event| event.indexing.total);
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
            let person = &search.template.embeddings;
            let is_overruled = |face: &&StoredFace| decided.is_overruled(face.photo, &face.bounds);
            // A face that is only similar may be of another guest, about whom the photographer has decided.
            if matching_faces(app, &stored, person, Strictness::Strict)?.iter().any(is_overruled) {
                return Err(Refusal::ObjectionOverruled.into());
            }
            let mut faces = suppression::findable_faces(app, &stored, person)?;
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
    };
    storage::guests::objections::create(&mut tx, &objection, &about).await?;
    if let Some((meanwhile, faces)) = provisional {
        let notice_version = objection.notice_version.clone();
        let meanwhile = Objection { notice_version, ..meanwhile };
        storage::guests::objections::create(&mut tx, &meanwhile, &faces).await?;
    }
    storage::photos::trash::object(&mut tx, &in_trash).await?;
    if choice == Choice::StopFinding {
        let faces: Vec<FaceId> = in_trash.iter().map(|face| face.face).collect();
        storage::photos::trash::delete_faces(&mut tx, &faces).await?;
    }
    if let Some(due) = due {
        tx.enqueue_at(&Job::TellOfObjections { event }, due).await?;
    }
    tx.commit().await?;
    let photos = photos_of(&about);
    tracing::info!(%event, choice = choice.as_str(), photos, waits, "a guest objects");
    Ok(Outcome { photos, waits })
}

/// How many photos the request of the same guest is about that waits already.
async fn waiting_since_before(
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
async fn not_found_meanwhile(
    app: &App,
    tx: &mut Tx,
    waiting: ObjectionId,
    search: &Search,
    stored: &[StoredFace],
) -> Result<(Objection, Vec<ObjectedFace>)> {
    let (id, event, now) = (app.id::<ObjectionId>(), search.event, app.now());
    let faces = suppression::findable_faces(app, stored, &search.template.embeddings)?;
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
    };
    Ok((meanwhile, faces.into_iter().map(|face| objected(id, face)).collect()))
}

fn photos_of(faces: &[ObjectedFace]) -> usize {
    faces.iter().map(|face| face.photo).collect::<HashSet<_>>().len()
}

/// Where the guest is in exactly those photos that the guest was shown and that are still there.
async fn faces_to_hide(
    app: &App,
    tx: &mut Tx,
    id: ObjectionId,
    search: &Search,
    stored: &[StoredFace],
) -> Result<Vec<ObjectedFace>> {
    let Some(hash) = &search.download else { return Ok(Vec::new()) };
    let Some(shown) = storage::guests::archives::find(&mut **tx, hash).await? else { return Ok(Vec::new()) };
    let there = storage::photos::by_ids(&app.db, &shown.photos).await?;
    let theirs = matching_faces(app, stored, &search.template.embeddings, Strictness::Strict)?;
    let mut about = Vec::with_capacity(there.len());
    for photo in there.into_iter().filter(|photo| photo.event == Some(search.event)) {
        let found: Vec<_> =
            theirs.iter().filter(|face| face.photo == photo.id).map(|face| objected(id, face)).collect();
        if found.is_empty() {
            // It was found a moment ago, and is indexed again since, or more faces have raised the threshold.
            let (objection, face, bounds) = (id, app.id::<FaceId>(), suppression::WHOLE_PICTURE);
            about.push(ObjectedFace { objection, face, photo: photo.id, bounds, overruled: false });
        }
        about.extend(found);
    }
    Ok(about)
}
