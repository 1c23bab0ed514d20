//! A photo in which every face is softened but those of the guest and of their friends (decision 0095). It is drawn when it is asked
//! for and stored nowhere; the photo itself stays as it is.

use std::collections::HashSet;

use bytes::Bytes;
use domain::events::Event;
use domain::faces::BoundingBox;
use domain::photos::{Photo, PhotoStatus, Size};
use domain::{FaceId, Refusal};
use storage::faces::StoredFace;
use storage::faces::index::Scope;

use crate::faces::matching;
use crate::faces::search::{Admission, of_device};
use crate::guests::objections::suppression;
use crate::operations::runtime::{decoding, tasks};
use crate::photos::handles::{self, Handled};
use crate::studio::watermarked;
use crate::{App, Failure, Result};

/// Most searches whose people are kept: the guest's, and those of friends.
pub const SEARCHES: usize = 8;

/// The search of one person who is kept.
pub struct KeptPerson {
    /// The token of the search, or what the device keeps of it.
    pub token: String,
    /// Faces of which was said that they are somebody else's.
    pub rejected: HashSet<FaceId>,
}

/// A photo without strangers.
pub struct WithoutStrangers {
    /// A JPEG of the size of a preview, without metadata.
    pub jpeg: Bytes,
    /// How many faces are softened in it.
    pub softened: usize,
}

/// Where a picture is softened.
#[derive(Debug, PartialEq)]
struct Places {
    /// All places of strangers' faces; one that is known in two ways is there twice.
    strangers: Vec<BoundingBox>,
    /// How many faces these are.
    count: usize,
    kept: Vec<BoundingBox>,
}

impl Places {
    /// `stored` are the faces of the photo that searches can find, `hidden` are the places of people who asked not to be found, and
    /// `detected` is where a detector sees faces in the picture that is drawn: it also sees those of which nothing is stored.
    fn new(
        stored: &[(FaceId, BoundingBox)],
        kept: &HashSet<FaceId>,
        hidden: &[BoundingBox],
        detected: &[BoundingBox],
    ) -> Self {
        let (of_kept, others): (Vec<_>, Vec<_>) =
            stored.iter().copied().partition(|(face, _)| kept.contains(face));
        let kept: Vec<BoundingBox> = of_kept.into_iter().map(|(_, bounds)| bounds).collect();
        let mut places = Self { strangers: Vec::new(), count: 0, kept };
        for (_, bounds) in others {
            places.add(bounds);
        }
        for bounds in hidden {
            if !places.kept.iter().any(|kept| kept.is_same_face(bounds)) {
                places.add(*bounds);
            }
        }
        // Each kept face is one of those that are seen at most: what else lies there is somebody else.
        let same = domain::faces::same_faces(&places.kept, detected);
        for (bounds, same) in detected.iter().zip(same) {
            if same.is_none() {
                places.add(*bounds);
            }
        }
        places
    }

    fn add(&mut self, bounds: BoundingBox) {
        if !self.strangers.iter().any(|known| known.is_same_face(&bounds)) {
            self.count += 1;
        }
        self.strangers.push(bounds);
    }
}

/// Draws a photo of an event without strangers: what a guest may save of it in web size, in which the faces are kept that the searches
/// of `people` find, and that by which a search has found the photo. Whoever is detected in it otherwise, or is known to be there, is
/// softened beyond recognition.
///
/// # Errors
/// [`Refusal::DownloadsNotOffered`]; [`Refusal::PhotoNotFound`] when the handle is none of ours or has expired, or guests may not see
/// the photo; [`Refusal::SearchTokenExpired`]; [`Refusal::FaceNotInPhoto`] when none of these people is found in it.
pub async fn draw(
    app: &App,
    event: &Event,
    handle: &str,
    people: &[KeptPerson],
    admission: Admission,
) -> Result<WithoutStrangers> {
    event.downloads.check_any()?;
    let handled = handles::open(app, handle).ok_or(Refusal::PhotoNotFound)?;
    let photo = shown(app, event, &handled).await?;
    let kept = kept_faces(app, event, &photo, handled.face, people).await?;
    let stored = storage::faces::of_photo(&app.db, photo.id).await?;
    let stored: Vec<(FaceId, BoundingBox)> =
        stored.iter().map(|StoredFace { id, bounds, .. }| (*id, *bounds)).collect();
    if !stored.iter().any(|(face, _)| kept.contains(face)) {
        return Err(Refusal::FaceNotInPhoto.into());
    }
    let hidden = suppression::places(app, &photo).await?;
    let mark = match watermarked::on_downloads(app, photo.owner).await? {
        Some(watermark) => Some(watermarked::mark(app, &watermark).await?),
        None => None,
    };

    let slot = app.concurrency.searches.acquire().await?;
    let key = photo.key.sized(Size::Preview);
    let preview = app.store.read(&key, None).await?.ok_or(Refusal::PhotoNotFound)?.whole().await?;
    let (picture, memory) = decoding::open(app, preview).await?;
    let engine = app.engine.clone();
    let draw = move || -> Result<_> {
        let pixels = match decoding::pixels(picture)? {
            Ok(pixels) => pixels,
            Err(unreadable) => return Err(Failure::Internal(format!("a rendition: {unreadable}"))),
        };
        let places = Places::new(&stored, &kept, &hidden, &engine.places(&pixels)?);
        let pixels = media::softening::softened(pixels, &places.strangers, &places.kept);
        let jpeg = match mark {
            Some(mark) => media::watermarks::marked(pixels, &mark)?,
            None => media::pictures::encode_again(&pixels)?,
        };
        Ok(WithoutStrangers { jpeg: jpeg.into(), softened: places.count })
    };
    let (drawn, _) = tasks::blocking_with((slot, memory, admission), draw).await?;
    let drawn = drawn?;
    // It may have been deleted, hidden or replaced meanwhile.
    if shown(app, event, &handled).await?.key != photo.key {
        return Err(Refusal::PhotoNotFound.into());
    }
    Ok(drawn)
}

/// A photo of the event that guests may see.
async fn shown(app: &App, event: &Event, handled: &Handled) -> Result<Photo> {
    let photo = storage::photos::by_id(&app.db, handled.photo).await?;
    let is_shown =
        |photo: &Photo| photo.event == Some(event.id) && !photo.hidden && photo.status == PhotoStatus::Ready;
    Ok(photo.filter(is_shown).ok_or(Refusal::PhotoNotFound)?)
}

/// The faces of a photo that are kept. `known` is that by which a search has found it: a guest may have confirmed one that the search
/// itself does not find at its strictness.
async fn kept_faces(
    app: &App,
    event: &Event,
    photo: &Photo,
    known: Option<FaceId>,
    people: &[KeptPerson],
) -> Result<HashSet<FaceId>> {
    if people.is_empty() {
        return Err(Refusal::SearchTokenExpired.into());
    }
    let is_rejected = |face: &FaceId| people.iter().any(|person| person.rejected.contains(face));
    let mut kept: HashSet<FaceId> = known.into_iter().filter(|face| !is_rejected(face)).collect();
    for KeptPerson { token, rejected } in people {
        let template = of_device(app, event, token).await?;
        let (scope, person) = (Scope::Event(event.id), template.descriptions(app));
        let theirs =
            matching::faces_in(app, scope, &person, rejected.clone(), template.strictness, photo.id).await?;
        kept.extend(theirs);
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use domain::Timestamp;
    use domain::ids::Id as _;

    use super::*;

    fn at(x: f64) -> BoundingBox {
        BoundingBox { x, y: 0.2, width: 0.1, height: 0.15 }
    }

    fn face(number: u8) -> FaceId {
        FaceId::from_parts(Timestamp::from_millis(0), [number; 10])
    }

    #[test]
    fn whoever_is_stored_known_to_hide_or_seen_anew_is_softened_and_counted_once() {
        // [FACE546]
        let (mine, stored, hidden, seen) = (at(0.1), at(0.3), at(0.5), at(0.7));
        let kept = HashSet::from([face(1)]);
        let faces = [(face(1), mine), (face(2), stored)];
        let again = [at(0.105), at(0.31), at(0.49), seen];
        let places = Places::new(&faces, &kept, &[hidden], &again);
        assert_eq!(places.kept, [mine]);
        assert_eq!(places.strangers, [stored, hidden, at(0.31), at(0.49), seen]);
        assert_eq!(places.count, 3);
    }

    #[test]
    fn of_two_faces_that_are_seen_where_one_is_kept_the_other_is_softened() {
        // [FACE546]
        let kept = HashSet::from([face(1)]);
        let places = Places::new(&[(face(1), at(0.1))], &kept, &[], &[at(0.13), at(0.11)]);
        assert_eq!((places.strangers, places.count), (vec![at(0.13)], 1));
        // A place of somebody who asked not to be found, and whom the photographer lets be found: the face is stored, and theirs.
        let places = Places::new(&[(face(1), at(0.1))], &kept, &[at(0.11)], &[]);
        assert_eq!((places.strangers, places.count), (vec![], 0));
    }
}
