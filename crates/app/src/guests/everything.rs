//! All photos of an event, or of an album, as one ZIP, for its guests where they may look at all of them (decision 0079).

use domain::events::Event;
use domain::photos::stacks;
use domain::{PhotoId, Refusal, Timestamp};
use storage::guests::archives::Download;

use crate::events::access::{self, Visitor};
use crate::guests::archives::{self, SHARED_MILLIS};
use crate::guests::browsing;
use crate::{App, Result};

/// A ZIP of all photos.
pub struct Everything {
    /// What its link is made of.
    pub token: String,
    /// How many photos are in it.
    pub photos: usize,
}

/// Creates a download of all photos of an event that guests may see now, or of those in an album, as guests get them; of photos that
/// are alike the best alone where that is asked for.
///
/// # Errors
/// Those of [`browsing::page`]; [`Refusal::DownloadsNotOffered`], and [`Refusal::PhotoNotFound`] where there is none.
pub async fn create(
    app: &App,
    visitor: &Visitor,
    slug: &str,
    album: Option<&str>,
    only_best: bool,
) -> Result<Everything> {
    let event = browsing::open(app, visitor, slug).await?;
    event.downloads.check_any()?;
    let album = browsing::parse_album(album)?;
    let mut photos = storage::guests::browsing::all_shown(&app.db, event.id, album).await?;
    if photos.is_empty() {
        return Err(Refusal::PhotoNotFound.into());
    }
    if only_best {
        stacks::keep_best(&mut photos);
    }
    let count = photos.len();
    let photos = photos.into_iter().map(|photo| photo.id).collect();
    let token = store(app, &event, photos).await?;
    Ok(Everything { token, photos: count })
}

/// Stores the list and answers its token. Those who ask within an hour for the same get the same token: a list of ten thousand photos
/// is stored once for all guests of a wedding, and not with each tap.
async fn store(app: &App, event: &Event, photos: Vec<PhotoId>) -> Result<String> {
    let hour = app.now().as_millis().div_euclid(SHARED_MILLIS);
    let created_at = Timestamp::from_millis(hour * SHARED_MILLIS);
    let mut list = blake3::Hasher::new();
    for photo in &photos {
        list.update(photo.to_string().as_bytes());
    }
    let list = list.finalize();
    let proof = access::proof_of(app, event);
    let token = app.link_signer.token_of_all(&format!("{}\n{proof}\n{hour}\n{list}", event.id)).reveal();
    let download = Download {
        everything: true,
        pin_proof: Some(proof),
        ..archives::of_photos(event.id, photos, created_at, archives::LIFETIME)
    };
    storage::guests::archives::create(&app.db, &app.hash_token(&token), &download).await?;
    Ok(token)
}
