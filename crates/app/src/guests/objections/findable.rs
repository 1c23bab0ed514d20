//! Which faces of an event a search for a person could find.

use std::collections::HashSet;

use domain::FaceId;
use domain::faces::{Embedding, Strictness};
use storage::faces::StoredFace;
use vision::{FaceIndex, Generation, Matching};

use crate::faces::templates::Template;
use crate::{App, Result};

/// The loosest search that a guest can make: nobody shall be found by it whom nobody shall find.
pub(super) const LOOSEST: Strictness = Strictness::Loose;

/// The stored faces by the recognisers that have described them and the person too, with what these say of the person.
pub(super) fn by_recogniser<'a, 'b>(
    app: &App,
    stored: &'a [StoredFace],
    person: &'b Template,
) -> Vec<(Generation, &'b [Embedding], Vec<&'a StoredFace>)> {
    let generations = [Generation::Current, Generation::Previous].into_iter();
    let described = generations.filter_map(|generation| {
        let pack = app.engine.id_of(generation)?;
        let faces = stored.iter().filter(|face| face.pack == pack).collect::<Vec<_>>();
        Some((generation, person.by(pack), faces))
            .filter(|(_, person, faces)| !person.is_empty() && !faces.is_empty())
    });
    described.collect()
}

/// Those of an event's faces that a search for this person could find, however loose. It is searched as a guest does, again without
/// what was found until nothing is: among fewer faces less similar ones are found. Those in hidden photos are found as they would
/// be among the others once guests see them.
pub(super) fn faces<'a>(
    app: &App,
    stored: &'a [StoredFace],
    person: &Template,
) -> Result<Vec<&'a StoredFace>> {
    let mut found = Vec::new();
    for (generation, embeddings, faces) in by_recogniser(app, stored, person) {
        found.extend(findable(&app.engine.matching(generation), embeddings, faces)?);
    }
    Ok(found)
}

fn findable<'a>(
    matching: &Matching,
    person: &[Embedding],
    mut left: Vec<&'a StoredFace>,
) -> Result<Vec<&'a StoredFace>> {
    let mut found = Vec::new();
    loop {
        // The fewer faces there are, the less similar ones are found: those that guests see are the fewest that a search has.
        let seen: Vec<&StoredFace> = left.iter().copied().filter(|face| !face.hidden).collect();
        let face_index = FaceIndex::build(matching, left.iter().map(|face| &face.embedding))?;
        let compared = face_index.compare(person, seen.len(), LOOSEST)?;
        let hits = face_index.search_among(seen.len(), person, &[], LOOSEST)?;
        let mut searched: HashSet<FaceId> = hits.into_iter().map(|hit| left[hit.row].id).collect();
        if seen.len() < left.len() {
            // Guests' searches learn from what they see alone.
            let of_guests = FaceIndex::build(matching, seen.iter().map(|face| &face.embedding))?;
            searched.extend(of_guests.search(person, LOOSEST)?.into_iter().map(|hit| seen[hit.row].id));
        }
        let (more, rest): (Vec<_>, Vec<_>) = left
            .into_iter()
            .zip(compared)
            .partition(|(face, (_, matches))| *matches || searched.contains(&face.id));
        if more.is_empty() {
            return Ok(found);
        }
        found.extend(more.into_iter().map(|(face, _)| face));
        left = rest.into_iter().map(|(face, _)| face).collect();
    }
}

#[cfg(test)]
mod tests {
    use domain::faces::BoundingBox;
    use domain::ids::Id;
    use domain::{PhotoId, Timestamp};
    use vision::Thresholds;

    use super::*;

    /// A face that is so similar to the first axis.
    fn face(number: u8, similarity: f32, hidden: bool) -> StoredFace {
        let embedding = Embedding::normalised(vec![similarity, (1.0 - similarity * similarity).sqrt()]);
        let start = Timestamp::from_millis(0);
        StoredFace {
            id: FaceId::from_parts(start, [number; 10]),
            photo: PhotoId::from_parts(start, [number; 10]),
            bounds: BoundingBox { x: 0.0, y: 0.0, width: 1.0, height: 1.0 },
            pack: String::from("pack"),
            embedding: embedding.unwrap(),
            hidden,
        }
    }

    #[test]
    fn faces_that_guests_do_not_see_take_nobody_out_of_what_a_request_removes() {
        // [FACE500]
        let rows = [(1.0, 0.4), (100.0, 0.8)].map(|(faces, loose)| Thresholds {
            faces,
            strict: 0.9,
            normal: 0.85,
            loose,
        });
        let matching = Matching::new(rows.to_vec(), 0, 1.0);
        let person = [Embedding::normalised(vec![1.0, 0.0]).unwrap()];
        let (shown, held) = (face(0, 0.6, false), face(1, 0.6, true));
        let strangers: Vec<StoredFace> = (2..=201).map(|number| face(number, 0.0, true)).collect();
        let found = |faces: Vec<&StoredFace>| -> Vec<FaceId> {
            findable(&matching, &person, faces).unwrap().iter().map(|face| face.id).collect()
        };
        let guests = FaceIndex::build(&matching, [&shown.embedding]).unwrap();
        assert_eq!(guests.search(&person, LOOSEST).unwrap().len(), 1, "a guest finds it");
        let all = || strangers.iter().chain([&shown, &held]);
        assert_eq!(
            found(all().collect()),
            [shown.id, held.id],
            "among so few the held one is found too, once it is published"
        );
        let seen: Vec<StoredFace> = all().map(|face| StoredFace { hidden: false, ..face.clone() }).collect();
        assert_eq!(found(seen.iter().collect()), []);
    }
}
