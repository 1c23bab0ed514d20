//! Photos that are chosen from the results of searches.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use domain::{PhotoId, Refusal};
use storage::guests::archives::Download;

use super::{find, of_photos};
use crate::events::access::{self, Visitor};
use crate::{App, Result};

/// Most tokens whose photos may be chosen from at once: a page that is open for long searches again and again.
pub const TOKENS: usize = 64;
/// Most photos in a ZIP of chosen ones.
pub const PHOTOS: usize = 10_000;

/// Creates a download of some of the photos that `tokens` stand for, in the order of `photos`, and answers its token. It is
/// valid for as long as the last of the tokens: choosing photos prolongs nothing. The same choice has the same token, and is
/// stored once however often it is made.
///
/// # Errors
/// [`Refusal::DownloadNotFound`] when a token is unknown or expired, they are of several events, or a photo is none of
/// theirs; [`Refusal::EventPinRequired`], [`Refusal::DownloadsNotOffered`]; others for too many of either, or a photo that is chosen twice.
pub async fn choose(app: &App, visitor: &Visitor, tokens: &[String], photos: &[String]) -> Result<String> {
    if !(1..=TOKENS).contains(&tokens.len()) {
        return Err(Refusal::DownloadTokensInvalid.into());
    }
    if !(1..=PHOTOS).contains(&photos.len()) {
        return Err(Refusal::DownloadPhotosInvalid.into());
    }
    let (mut event, mut expires_at, mut allowed) = (None, app.now(), HashSet::new());
    // That of the first search, from which the time of what is passed on is counted.
    let mut created_at = app.now();
    let (mut is_owners, mut member, mut faces) = (true, None, HashMap::new());
    for token in tokens {
        let download = find(app, token).await?.ok_or(Refusal::DownloadNotFound)?;
        if *event.get_or_insert(download.event) != download.event {
            return Err(Refusal::DownloadNotFound.into());
        }
        expires_at = expires_at.max(download.expires_at);
        created_at = created_at.min(download.created_at);
        is_owners &= download.is_owners;
        member = member.or(download.member);
        for (photo, face) in download.faces {
            faces.entry(photo).or_insert(face);
        }
        allowed.extend(download.photos);
    }
    let mut chosen = Vec::with_capacity(photos.len());
    let mut seen = HashSet::with_capacity(photos.len());
    for photo in photos {
        let photo: PhotoId = photo.parse().map_err(|_| Refusal::DownloadNotFound)?;
        if !allowed.contains(&photo) {
            return Err(Refusal::DownloadNotFound.into());
        }
        if !seen.insert(photo) {
            return Err(Refusal::DownloadPhotosRepeated.into());
        }
        chosen.push(photo);
    }
    let event = event.ok_or(Refusal::DownloadTokensInvalid)?;
    let open = access::by_id(app, visitor, event).await?.ok_or(Refusal::DownloadNotFound)?;
    if !is_owners {
        open.downloads.check_any()?;
    }
    faces.retain(|photo, _| seen.contains(photo));
    let download = Download {
        faces,
        is_owners,
        member,
        expires_at,
        pin_proof: Some(access::proof_of(app, &open)),
        ..of_photos(event, chosen, created_at, Duration::ZERO)
    };
    let chosen = token_of(app, tokens, &download);
    let hash = app.hash_token(&chosen);
    let mut tx = app.begin().await?;
    // In this order, so that what is there is not removed in between because its time is over.
    storage::guests::archives::prolong(&mut *tx, &hash, download.expires_at).await?;
    storage::guests::archives::create(&mut *tx, &hash, &download).await?;
    for token in tokens {
        storage::guests::archives::add_source(&mut tx, &hash, &app.hash_token(token)).await?;
    }
    tx.commit().await?;
    Ok(chosen)
}

/// The token of photos that are chosen from what `tokens` stand for: all else in `chosen` but its times follows from these.
fn token_of(app: &App, tokens: &[String], chosen: &Download) -> String {
    let mut list = blake3::Hasher::new();
    for token in tokens {
        list.update(&app.hash_token(token));
    }
    for photo in &chosen.photos {
        list.update(photo.to_string().as_bytes());
    }
    let (list, proof) = (list.finalize(), chosen.pin_proof.as_deref().unwrap_or_default());
    let text = format!("{}\n{proof}\n{}\n{list}", chosen.event, tokens.len());
    app.link_signer.token_of_choice(&text).reveal()
}
