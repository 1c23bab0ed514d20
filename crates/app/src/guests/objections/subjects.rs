//! What a request is about, and what was decided about the same faces before.

use std::collections::{HashMap, HashSet};

use domain::faces::{BoundingBox, Strictness};
use domain::guests::objections::{Choice, ObjectedFace};
use domain::{EventId, FaceId, ObjectionId, PhotoId};
use storage::faces::StoredFace;

use super::suppression::{self, matching_faces, objected};
use crate::faces::templates::Search;
use crate::operations::runtime::queue::Tx;
use crate::{App, Result};

/// What a request has led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How many photos it is about.
    pub photos: usize,
    /// Whether the photographer decides first.
    pub waits: bool,
    /// The signed receipt, where descriptions of the guest's face were removed.
    pub receipt: Option<String>,
}

impl Outcome {
    pub(super) const fn at_once(photos: usize) -> Self {
        Self { photos, waits: false, receipt: None }
    }

    pub(super) const fn waiting(photos: usize) -> Self {
        Self { photos, waits: true, receipt: None }
    }
}

/// A request that is complete, and whose token is this server's.
pub struct Confirmed {
    pub(super) choice: Choice,
    pub(super) notice_version: String,
    pub(super) search: Search,
}

/// The faces of which objections were decided or are in force, for one choice.
pub(super) struct Decided(Vec<ObjectedFace>);

impl Decided {
    /// As they bind whoever made a live capture, or did not: the person is not bound by what was decided about somebody who had not
    /// shown to be them. What waits is neither decided nor in force.
    pub(super) async fn read(app: &App, event: EventId, choice: Choice, live: bool) -> Result<Self> {
        let mut objections = storage::guests::objections::of_event(&app.db, event).await?;
        objections.retain(|each| each.choice == choice && !each.waits);
        let without_capture: HashMap<ObjectionId, bool> =
            objections.iter().map(|each| (each.id, each.without_capture)).collect();
        let mut faces = storage::guests::objections::faces_of_event(&app.db, event).await?;
        faces.retain(|face| {
            without_capture.get(&face.objection).is_some_and(|without| !(live && *without && face.overruled))
        });
        Ok(Self(faces))
    }

    pub(super) fn is_overruled(&self, photo: PhotoId, bounds: &BoundingBox) -> bool {
        self.has(photo, bounds, true)
    }

    pub(super) fn is_in_force(&self, photo: PhotoId, bounds: &BoundingBox) -> bool {
        self.has(photo, bounds, false)
    }

    fn has(&self, photo: PhotoId, bounds: &BoundingBox, overruled: bool) -> bool {
        let same = |face: &&ObjectedFace| face.photo == photo && face.bounds.is_same_face(bounds);
        self.0.iter().filter(same).any(|face| face.overruled == overruled)
    }
}

pub(super) fn photos_of(faces: &[ObjectedFace]) -> usize {
    faces.iter().map(|face| face.photo).collect::<HashSet<_>>().len()
}

/// Where the guest is in exactly those photos that the guest was shown and that are still there.
pub(super) async fn faces_to_hide(
    app: &App,
    tx: &mut Tx,
    id: ObjectionId,
    search: &Search,
    stored: &[StoredFace],
) -> Result<Vec<ObjectedFace>> {
    let Some(hash) = &search.download else { return Ok(Vec::new()) };
    let Some(shown) = storage::guests::archives::find(&mut **tx, hash).await? else { return Ok(Vec::new()) };
    let there = storage::photos::by_ids(&app.db, &shown.photos).await?;
    let theirs = matching_faces(app, stored, &search.template, Strictness::Strict)?;
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
