//! What searches find that are repeated.

use domain::events::Event;
use domain::{FaceId, PhotoId};
use storage::guests::archives::Download;

use super::{LIFETIME, SHARED_MILLIS, of_found};
use crate::events::access;
use crate::photos::redactions::Audience;
use crate::{App, Result};

/// Creates a download as [`create`](super::create) does, of what a search finds that a page repeats as often as it likes:
/// within an hour the same photos have the same token, and are stored once. `guest` is the digest of whoever is searched for:
/// nobody else's search has that token, even if it finds the same, since reports of photos that show others are kept by it.
pub(crate) async fn create(
    app: &App,
    event: &Event,
    found: Vec<(PhotoId, FaceId)>,
    audience: Audience,
    guest: blake3::Hash,
) -> Result<String> {
    let (now, proof) = (app.now(), access::proof_of(app, event));
    let hour = now.as_millis().div_euclid(SHARED_MILLIS);
    let mut list = blake3::Hasher::new();
    for (photo, face) in &found {
        list.update(photo.to_string().as_bytes());
        list.update(face.to_string().as_bytes());
    }
    let (list, is_owners) = (list.finalize(), audience == Audience::Owner);
    let text = format!("{}\n{proof}\n{is_owners}\n{hour}\n{guest}\n{list}", event.id);
    let token = app.link_signer.token_of_repeated(&text).reveal();
    let hash = app.hash_token(&token);
    let download = Download { is_owners, pin_proof: Some(proof), ..of_found(event.id, found, now, LIFETIME) };
    // Each answer's token is good for its whole time.
    storage::guests::archives::prolong(&app.db, &hash, download.expires_at).await?;
    storage::guests::archives::create(&app.db, &hash, &download).await?;
    Ok(token)
}
