//! Photos in which guests find themselves that their search has not.

use std::collections::HashSet;

use domain::events::Event;
use domain::faces::{BoundingBox, Strictness};
use domain::{PhotoId, Refusal};
use storage::faces::index::Scope;

use crate::events::access::Visitor;
use crate::faces::search::{Match, download_token, matches, of_device};
use crate::photos::redactions::Audience;
use crate::{App, Failure, Result, statistics};

/// A photo that a guest says they are in, though their search has not found it.
pub struct Missed {
    /// Where the face is that is most like theirs.
    pub face: BoundingBox,
    /// The photo as a match, and the token that downloads it; none before the guest has confirmed the face.
    pub added: Option<(Match, Option<String>)>,
}

/// Compares the faces of a photo that guests may look at with what a guest's device holds of their search, as a loose search does.
/// Once they have confirmed the face it is a match of theirs, and counts as missed where their search, at its own strictness, does
/// not find it.
///
/// # Errors
/// Those of looking at all photos; [`Refusal::PhotoNotFound`] for a photo that guests may not see; those of [`search::again`](crate::faces::search::again) for the token;
/// [`Refusal::FaceNotAlike`].
pub async fn find(
    app: &App,
    visitor: &Visitor,
    event: &Event,
    photo: &str,
    token: &str,
    confirmed: bool,
) -> Result<Missed> {
    event.check_browsable()?;
    let photo: PhotoId = photo.parse().map_err(|_| Refusal::PhotoNotFound)?;
    let found = storage::photos::by_id(&app.db, photo).await?;
    found.filter(|photo| photo.event == Some(event.id) && !photo.hidden).ok_or(Refusal::PhotoNotFound)?;
    let template = of_device(app, event, token).await?;
    let (scope, person) = (Scope::Event(event.id), template.descriptions(app));
    let in_photo = async |strictness| {
        let matches = matches(app, scope, &person, HashSet::new(), strictness).await?;
        Ok::<_, Failure>(matches.into_iter().find(|matched| matched.found.photo.id == photo))
    };
    let matched = in_photo(Strictness::Loose).await?.ok_or(Refusal::FaceNotAlike)?;
    let faces = storage::faces::of_photo(&app.db, photo).await?;
    let face = faces.iter().find(|face| face.id == matched.face).ok_or(Refusal::FaceNotAlike)?.bounds;
    if !confirmed {
        return Ok(Missed { face, added: None });
    }
    if in_photo(template.strictness).await?.is_none() {
        let mut tx = app.begin().await?;
        let counts = storage::faces::missed_faces::add(&mut tx, matched.face).await?;
        tx.commit().await?;
        if counts {
            statistics::count_missed(app, event);
        }
    }
    let audience = if visitor.owns(event) { Audience::Owner } else { Audience::Guests };
    let photo = std::slice::from_ref(&matched);
    let token = download_token(app, event, photo, audience, Some(&template)).await;
    Ok(Missed { face, added: Some((matched, token)) })
}
