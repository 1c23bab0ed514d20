//! Faces of guests who asked not to be found: they are not stored.

use std::collections::HashSet;

use domain::faces::{BoundingBox, Embedding, Strictness};
use domain::guests::objections::{Choice, ObjectedFace, Objection};
use domain::photos::Photo;
use domain::{EventId, FaceId, ObjectionId};
use storage::faces::{NewFace, StoredFace};

use crate::faces::sealing::{Key, Purpose};
use crate::faces::templates::{Holder, Template};
use crate::operations::runtime::queue::Tx;
use crate::{App, Failure, Result};

/// The bounds of a face whose place is not known any more.
pub(super) const WHOLE_PICTURE: BoundingBox = BoundingBox { x: 0.0, y: 0.0, width: 1.0, height: 1.0 };
/// Faces that a template has at most after a change of the model pack: it learns from those that it would have missed.
const LEARNED: usize = 5;

/// The loosest search that a guest can make: nobody shall be found by it whom nobody shall find.
const LOOSEST: Strictness = Strictness::Loose;

/// Leaves out of the faces of a photo, which are about to be stored, those of guests who asked not to be found: those that
/// are where such a face was before, and those that match a guest's template. Until the transaction ends no other guest can
/// ask, so that none of these faces is missed. A deleted event may be restored.
pub(crate) async fn without_objectors(
    app: &App,
    tx: &mut Tx,
    photo: &Photo,
    faces: Vec<NewFace>,
) -> Result<Vec<NewFace>> {
    let Some(event) = photo.event else { return Ok(faces) };
    if !storage::guests::objections::lock_key(tx, event).await? {
        return Ok(faces);
    }
    let objections = storage::guests::objections::with_template(&mut **tx, event).await?;
    if objections.is_empty() {
        return Ok(faces);
    }
    let suppressed = storage::guests::objections::suppressed_in(&mut **tx, photo.id).await?;
    let mut left_out = HashSet::new();
    for objection in objections {
        let known: Vec<&ObjectedFace> =
            suppressed.iter().filter(|face| face.objection == objection.id).collect();
        left_out.extend(apply(app, tx, &objection, photo, &faces, &known).await?);
    }
    let kept = faces.into_iter().enumerate().filter(|(index, _)| !left_out.contains(index));
    Ok(kept.map(|(_, face)| face).collect())
}

/// The indices of the faces that one objection is about, which are noted.
async fn apply(
    app: &App,
    tx: &mut Tx,
    objection: &Objection,
    photo: &Photo,
    faces: &[NewFace],
    known: &[&ObjectedFace],
) -> Result<Vec<usize>> {
    let (event, id, pack) = (objection.event, objection.id, app.engine.pack_id());
    let mut template = open(app, objection).await?;
    let is_comparable = template.pack == pack;
    let in_event = storage::events::by_id(&mut **tx, event).await?.map_or(0, |event| event.faces_indexed);
    let size = usize::try_from(in_event).unwrap_or_default().max(faces.len());
    let compared = if is_comparable {
        let face_index = app.engine.face_index(faces.iter().map(|face| &face.embedding))?;
        face_index.compare(&template.embeddings, size, LOOSEST)?
    } else {
        vec![(0.0, false); faces.len()]
    };
    let (mut found, mut added, mut missed) = (Vec::new(), Vec::new(), Vec::new());
    for (index, (face, (_, matches))) in faces.iter().zip(compared).enumerate() {
        let is_known = known.iter().any(|known| known.bounds.is_same_face(&face.bounds));
        if !is_known && !matches {
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
        } else if !matches {
            missed.push(face.embedding.clone());
        }
    }
    storage::guests::objections::add_faces(tx, &added).await?;
    if !missed.is_empty() && (!is_comparable || template.embeddings.len() < LEARNED) {
        learn(app, tx, objection, &mut template, missed).await?;
    }
    Ok(found)
}

/// Makes a template know the guest by faces that are known to be theirs: another model pack describes them otherwise. What was
/// stored before it knew goes.
async fn learn(
    app: &App,
    tx: &mut Tx,
    objection: &Objection,
    template: &mut Template,
    missed: Vec<Embedding>,
) -> Result<()> {
    if template.pack != app.engine.pack_id() {
        app.engine.pack_id().clone_into(&mut template.pack);
        template.embeddings.clear();
    }
    template.embeddings.extend(missed);
    template.embeddings.truncate(LEARNED);
    let (event, id) = (objection.event, objection.id);
    storage::guests::objections::set_template(tx, id, &seal(app, event, id, template).await?).await?;
    let stored = storage::faces::of_event(&mut **tx, event, &template.pack).await?;
    let matching = findable_faces(app, &stored, &template.embeddings)?;
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
    let (comparable, others): (Vec<_>, Vec<_>) = storage::photos::trash::faces(&mut **tx, event)
        .await?
        .into_iter()
        .partition(|trashed| trashed.pack == template.pack);
    let comparable: Vec<StoredFace> = comparable.into_iter().map(|trashed| trashed.face).collect();
    let person = &template.embeddings;
    let found = match choice {
        Choice::Hide => matching_faces(app, &comparable, person, Strictness::Strict)?,
        Choice::StopFinding => matching_faces(app, &comparable, person, LOOSEST)?,
    };
    let mut about: Vec<ObjectedFace> = found.into_iter().map(|face| objected(id, face)).collect();
    about.extend(others.iter().map(|trashed| objected(id, &trashed.face)));
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

/// Those of the stored faces that match.
pub(crate) fn matching_faces<'a>(
    app: &App,
    stored: &'a [StoredFace],
    person: &[Embedding],
    strictness: Strictness,
) -> Result<Vec<&'a StoredFace>> {
    let face_index = app.engine.face_index(stored.iter().map(|face| &face.embedding))?;
    let compared = face_index.compare(person, stored.len(), strictness)?;
    Ok(stored.iter().zip(compared).filter(|(_, (_, matches))| *matches).map(|(face, _)| face).collect())
}

/// Those of an event's faces that a search for this person could find, however loose. It is searched as a guest does, again without
/// what was found until nothing is: among fewer faces less similar ones are found.
pub(super) fn findable_faces<'a>(
    app: &App,
    stored: &'a [StoredFace],
    person: &[Embedding],
) -> Result<Vec<&'a StoredFace>> {
    let (mut found, mut left) = (Vec::new(), stored.iter().collect::<Vec<_>>());
    loop {
        let face_index = app.engine.face_index(left.iter().map(|face| &face.embedding))?;
        let compared = face_index.compare(person, left.len(), LOOSEST)?;
        let searched: HashSet<usize> =
            face_index.search(person, LOOSEST)?.into_iter().map(|hit| hit.row).collect();
        let (more, rest): (Vec<_>, Vec<_>) = left
            .into_iter()
            .zip(compared)
            .enumerate()
            .partition(|(row, (_, (_, matches)))| *matches || searched.contains(row));
        if more.is_empty() {
            return Ok(found);
        }
        let face = |(_, (face, _)): (usize, (&'a StoredFace, (f32, bool)))| face;
        found.extend(more.into_iter().map(face));
        left = rest.into_iter().map(face).collect();
    }
}

/// Makes an objection hold that has waited: removes the faces that a search of any strictness could take for the guest's, and those
/// that are where the guest was when it was made, whichever model pack has described them since.
pub(super) async fn enforce(app: &App, tx: &mut Tx, objection: &Objection) -> Result<()> {
    let (id, event) = (objection.id, objection.event);
    let template = open(app, objection).await?;
    let known = storage::guests::objections::faces_of_event(&mut **tx, event).await?;
    let is_where = |face: &&StoredFace| {
        let mut theirs = known.iter().filter(|known| known.objection == id && known.photo == face.photo);
        theirs.any(|known| known.bounds.is_same_face(&face.bounds))
    };
    let stored = storage::faces::of_event(&mut **tx, event, app.engine.pack_id()).await?;
    let (mut theirs, others): (Vec<&StoredFace>, Vec<&StoredFace>) = stored.iter().partition(is_where);
    if template.pack == app.engine.pack_id() {
        let found: HashSet<FaceId> =
            findable_faces(app, &stored, &template.embeddings)?.into_iter().map(|face| face.id).collect();
        theirs.extend(others.into_iter().filter(|face| found.contains(&face.id)));
    }
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
