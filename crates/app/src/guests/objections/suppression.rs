//! Faces of guests who asked not to be found: they are not stored.

use std::collections::HashSet;

use domain::faces::{BoundingBox, Embedding, Strictness};
use domain::guests::objections::{Choice, ObjectedFace, Objection};
use domain::photos::Photo;
use domain::{EventId, FaceId, ObjectionId, PhotoId};
use storage::faces::StoredFace;
use vision::Generation;

use super::findable::{self, LOOSEST};
use crate::faces::sealing::{Key, Purpose};
use crate::faces::seen::{LeftOut, SeenFace};
use crate::faces::templates::{Holder, Template};
use crate::operations::runtime::queue::Tx;
use crate::{App, Failure, Result};

/// The bounds of a face whose place is not known any more.
pub(super) const WHOLE_PICTURE: BoundingBox = BoundingBox { x: 0.0, y: 0.0, width: 1.0, height: 1.0 };

/// Which of the faces of a photo, which are about to be stored, are those of guests who asked not to be found: those that are
/// where such a face was before, and those that match a guest's template by either recogniser. Until the transaction ends no
/// other guest can ask, so that none of these faces is missed. A deleted event may be restored.
pub(crate) async fn objectors(app: &App, tx: &mut Tx, photo: &Photo, faces: &[SeenFace]) -> Result<LeftOut> {
    let mut left_out = HashSet::new();
    let Some(event) = photo.event else { return Ok(left_out) };
    if !storage::guests::objections::lock_key(tx, event).await? {
        return Ok(left_out);
    }
    let objections = storage::guests::objections::with_template(&mut **tx, event).await?;
    if objections.is_empty() {
        return Ok(left_out);
    }
    let suppressed = storage::guests::objections::suppressed_in(&mut **tx, photo.id).await?;
    for objection in objections {
        let known: Vec<&ObjectedFace> =
            suppressed.iter().filter(|face| face.objection == objection.id).collect();
        left_out.extend(apply(app, tx, &objection, photo, faces, &known).await?);
    }
    Ok(left_out)
}

/// Whether somebody who is not to be found in an event is known by the pack before, so that new photos are described by it too. A
/// template that has learned what this pack says of the person is compared by both all the same: nobody is found because the
/// program was changed.
pub(crate) async fn needs_previous(app: &App, event: EventId) -> Result<bool> {
    let Some(previous) = app.engine.previous_id() else { return Ok(false) };
    for objection in storage::guests::objections::with_template(&app.db, event).await? {
        if !open(app, &objection).await?.by(previous).is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Where in a photo somebody is who is not to be found, and whom the pack in use knows by few photos or not at all: what it says of
/// the faces there is learned, and not stored.
pub(crate) async fn places_to_learn(app: &App, photo: &Photo) -> Result<Vec<BoundingBox>> {
    let Some(event) = photo.event else { return Ok(Vec::new()) };
    let suppressed = storage::guests::objections::suppressed_in(&app.db, photo.id).await?;
    if suppressed.is_empty() {
        return Ok(Vec::new());
    }
    let mut learns = HashSet::new();
    for objection in storage::guests::objections::with_template(&app.db, event).await? {
        if open(app, &objection).await?.learns(app.engine.pack_id()) {
            learns.insert(objection.id);
        }
    }
    let suppressed = suppressed.into_iter().filter(|face| learns.contains(&face.objection));
    Ok(suppressed.map(|face| face.bounds).filter(is_place).collect())
}

/// Where in a photo somebody is who is not to be found, as far as the place is known.
pub(crate) async fn places(app: &App, photo: &Photo) -> Result<Vec<BoundingBox>> {
    let suppressed = storage::guests::objections::suppressed_in(&app.db, photo.id).await?;
    let known = |bounds: &BoundingBox| is_place(bounds) && *bounds != WHOLE_PICTURE;
    Ok(suppressed.into_iter().map(|face| face.bounds).filter(known).collect())
}

/// Whether bounds are of the file that the photo has: of one that was replaced they have no area, so that no face is the same.
fn is_place(bounds: &BoundingBox) -> bool {
    bounds.width > 0.0 && bounds.height > 0.0
}

/// The indices of the faces that one objection is about, which are noted.
async fn apply(
    app: &App,
    tx: &mut Tx,
    objection: &Objection,
    photo: &Photo,
    faces: &[SeenFace],
    known: &[&ObjectedFace],
) -> Result<Vec<usize>> {
    let (event, id, pack) = (objection.event, objection.id, app.engine.pack_id());
    let mut template = open(app, objection).await?;
    // As guests' searches compare: with what is hidden the thresholds would be higher than theirs.
    let in_event = storage::faces::index::of_guests(&mut **tx, event).await?;
    let size = usize::try_from(in_event).unwrap_or_default().max(faces.len());
    let by_current = faces.iter().map(|face| Some(&face.embedding));
    let by_current = compared(app, Generation::Current, by_current, &template, size, LOOSEST)?;
    let by_previous = |strictness| {
        let embeddings = faces.iter().map(|face| face.previous.as_ref());
        compared(app, Generation::Previous, embeddings, &template, size, strictness)
    };
    let (by_previous, surely) = (by_previous(LOOSEST)?, by_previous(Strictness::Strict)?);
    let (mut found, mut added, mut missed) = (Vec::new(), Vec::new(), Vec::new());
    for (index, face) in faces.iter().enumerate() {
        let is_known = known.iter().any(|known| known.bounds.is_same_face(&face.bounds));
        if !is_known && !by_current[index] && !by_previous[index] {
            continue;
        }
        found.push(index);
        if !is_known {
            let bounds = face.bounds;
            added.push(ObjectedFace {
                objection: id,
                face: face.id,
                photo: photo.id,
                bounds,
                overruled: false,
            });
        }
        if (is_known || surely[index]) && !by_current[index] {
            missed.push(face.embedding.clone());
        }
    }
    storage::guests::objections::add_faces(tx, &added).await?;
    if !missed.is_empty() && template.learns_more(pack) {
        learn(app, tx, objection, &mut template, missed).await?;
    }
    Ok(found)
}

/// Which faces match a template by one recogniser in an event of so many; those that it has not described do not.
fn compared<'a>(
    app: &App,
    generation: Generation,
    faces: impl Iterator<Item = Option<&'a Embedding>>,
    template: &Template,
    size: usize,
    strictness: Strictness,
) -> Result<Vec<bool>> {
    let person = app.engine.id_of(generation).map_or(&[] as &[Embedding], |pack| template.by(pack));
    let faces: Vec<Option<&Embedding>> = faces.collect();
    let mut matches = vec![false; faces.len()];
    let (places, described): (Vec<usize>, Vec<&Embedding>) =
        faces.into_iter().enumerate().filter_map(|(place, face)| Some((place, face?))).unzip();
    if person.is_empty() || described.is_empty() {
        return Ok(matches);
    }
    let face_index = app.engine.face_index_of(generation, described)?;
    for (place, (_, is_match)) in places.into_iter().zip(face_index.compare(person, size, strictness)?) {
        matches[place] = is_match;
    }
    Ok(matches)
}

/// Makes a template know the guest by faces that are known to be theirs: another model pack describes them otherwise. What was
/// stored before it knew goes. What the pack before says of the guest stays.
async fn learn(
    app: &App,
    tx: &mut Tx,
    objection: &Objection,
    template: &mut Template,
    missed: Vec<Embedding>,
) -> Result<()> {
    template.learn(app.engine.pack_id(), missed);
    let (event, id) = (objection.event, objection.id);
    storage::guests::objections::set_template(tx, id, &seal(app, event, id, template).await?).await?;
    let stored = storage::faces::of_event(&mut **tx, event).await?;
    let matching = findable::faces(app, &stored, template)?;
    remove(tx, objection, &matching).await
}

/// The faces in deleted photos that a request is about and no request for the same was before: they stay in force where a photo is
/// restored. A photo that another model pack has described cannot be compared, and is taken for one of theirs.
pub(super) async fn in_trash(
    app: &App,
    tx: &mut Tx,
    id: ObjectionId,
    choice: Choice,
    event: EventId,
    template: &Template,
) -> Result<Vec<ObjectedFace>> {
    let packs = app.engine.packs();
    let (comparable, others): (Vec<_>, Vec<_>) = storage::photos::trash::faces(&mut **tx, event)
        .await?
        .into_iter()
        .partition(|face| packs.contains(&face.pack.as_str()) && !template.by(&face.pack).is_empty());
    let found = match choice {
        Choice::Hide => matching_faces(app, &comparable, template, Strictness::Strict)?,
        Choice::StopFinding => matching_faces(app, &comparable, template, LOOSEST)?,
    };
    let mut about: Vec<ObjectedFace> = found.into_iter().map(|face| objected(id, face)).collect();
    about.extend(others.iter().map(|face| objected(id, face)));
    let same: HashSet<ObjectionId> = storage::guests::objections::of_event(&mut **tx, event)
        .await?
        .into_iter()
        .filter(|other| other.choice == choice && other.provisional_for.is_none())
        // What waits for want of a live capture has no effect that could stand for this request's; nor has this one itself yet.
        .filter(|other| other.id != id && !(other.waits && other.without_capture))
        .map(|other| other.id)
        .collect();
    let mut known = storage::photos::trash::objected(&mut **tx, event).await?;
    known.retain(|face| same.contains(&face.objection));
    about.retain(|face| {
        !known.iter().any(|known| known.photo == face.photo && known.bounds.is_same_face(&face.bounds))
    });
    Ok(about)
}

/// Those of the stored faces that match, each by the recogniser that has described it.
pub(crate) fn matching_faces<'a>(
    app: &App,
    stored: &'a [StoredFace],
    person: &Template,
    strictness: Strictness,
) -> Result<Vec<&'a StoredFace>> {
    let mut found = Vec::new();
    for (generation, embeddings, faces) in findable::by_recogniser(app, stored, person) {
        let face_index = app.engine.face_index_of(generation, faces.iter().map(|face| &face.embedding))?;
        let compared = face_index.compare(embeddings, stored.len(), strictness)?;
        found.extend(
            faces.into_iter().zip(compared).filter(|(_, (_, matches))| *matches).map(|(face, _)| face),
        );
    }
    Ok(found)
}

/// Makes an objection hold that has waited: removes the faces that a search of any strictness could take for the guest's, and those
/// that are where the guest was when it was made, whichever model pack has described them since.
pub(super) async fn enforce(app: &App, tx: &mut Tx, objection: &Objection) -> Result<()> {
    let (id, event, pack) = (objection.id, objection.event, app.engine.pack_id());
    let mut template = open(app, objection).await?;
    let known = storage::guests::objections::faces_of_event(&mut **tx, event).await?;
    let is_where = |face: &&StoredFace| {
        let mut theirs = known.iter().filter(|known| known.objection == id && known.photo == face.photo);
        theirs.any(|known| known.bounds.is_same_face(&face.bounds))
    };
    let stored = storage::faces::of_event(&mut **tx, event).await?;
    let (mut theirs, others): (Vec<&StoredFace>, Vec<&StoredFace>) = stored.iter().partition(is_where);
    if template.by(pack).is_empty() {
        // The model pack has changed while it waited.
        let described = theirs.iter().filter(|face| face.pack == pack).map(|face| face.embedding.clone());
        template.learn(pack, described.collect::<Vec<_>>());
        let knows_previous =
            app.engine.previous_id().is_some_and(|previous| !template.by(previous).is_empty());
        if template.by(pack).is_empty() && knows_previous {
            // Nobody can tell by what is stored in which of these photos the person is: they are looked at again, by both.
            let photos: HashSet<PhotoId> =
                stored.iter().filter(|face| face.pack == pack).map(|face| face.photo).collect();
            for photo in photos {
                tx.index_again(photo).await?;
            }
        } else if !template.by(pack).is_empty() {
            let sealed = seal(app, event, id, &template).await?;
            storage::guests::objections::set_template(tx, id, &sealed).await?;
        }
    }
    let found: HashSet<FaceId> =
        findable::faces(app, &stored, &template)?.into_iter().map(|face| face.id).collect();
    theirs.extend(others.into_iter().filter(|face| found.contains(&face.id)));
    remove(tx, objection, &theirs).await?;
    let in_trash = in_trash(app, tx, id, objection.choice, event, &template).await?;
    storage::photos::trash::object(tx, &in_trash).await?;
    let faces: Vec<FaceId> = in_trash.iter().map(|face| face.face).collect();
    Ok(storage::photos::trash::delete_faces(tx, &faces).await?)
}

/// Deletes stored faces for an objection, and notes where they were.
async fn remove(tx: &mut Tx, objection: &Objection, faces: &[&StoredFace]) -> Result<()> {
    let ids: Vec<_> = faces.iter().map(|face| (face.id, face.photo)).collect();
    storage::faces::delete(tx, objection.event, &ids).await?;
    let about: Vec<_> = faces.iter().map(|face| objected(objection.id, face)).collect();
    Ok(storage::guests::objections::add_faces(tx, &about).await?)
}

pub(super) const fn objected(objection: ObjectionId, face: &StoredFace) -> ObjectedFace {
    ObjectedFace { objection, face: face.id, photo: face.photo, bounds: face.bounds, overruled: false }
}

/// The template of an objection that has one.
pub(super) async fn open(app: &App, objection: &Objection) -> Result<Template> {
    let Objection { id, event, .. } = *objection;
    let key = Key::of(app, event, Purpose::Objections).await?;
    let sealed = objection.template.as_deref();
    let template =
        key.zip(sealed).and_then(|(key, sealed)| Template::open(&key, event, Holder::Objection(id), sealed));
    template.ok_or_else(|| Failure::Internal(format!("the template of objection {id} cannot be decrypted")))
}

/// Encrypts the template of an objection.
pub(super) async fn seal(app: &App, event: EventId, id: ObjectionId, template: &Template) -> Result<Vec<u8>> {
    let key = Key::of(app, event, Purpose::Objections).await?;
    let key = key.ok_or_else(|| Failure::Internal(format!("event {event} has no key for objections")))?;
    template.seal(app, &key, event, Holder::Objection(id))
}
