//! Handles: the `s3_key` by which a guest asks for fresh links to a photo. A handle is signed, expires, and stands in no link
//! and in no name of a file: whoever finds an expired link cannot renew it.

use std::time::Duration;

use domain::photos::Photo;
use domain::{DAY, FaceId, PhotoId, Timestamp};

use crate::App;

/// How long a handle is valid at least: longer than any page of results stays open.
const LIFETIME: Duration = DAY.saturating_mul(7);

/// What a handle stands for.
pub(crate) struct Handled {
    pub(crate) photo: PhotoId,
    /// The face by which a search has found the photo.
    pub(crate) face: Option<FaceId>,
}

/// The handle of a photo: when it expires, the face by which a search has found it, a signature, and the name under which the photo
/// is saved. Those that are made on one day are the same.
pub(crate) fn handle(app: &App, photo: &Photo, face: Option<FaceId>) -> String {
    let day = i64::try_from(DAY.as_millis()).unwrap_or(i64::MAX);
    let now = app.now().as_millis();
    let today = Timestamp::from_millis(now - now.rem_euclid(day));
    let expires = today.plus(DAY).plus(LIFETIME).as_seconds();
    let filename = photo.filename();
    let signature = app.link_signer.sign_handle(&signed(&filename, face), expires);
    match face {
        Some(face) => format!("{expires}-{face}.{signature}/{filename}"),
        None => format!("{expires}.{signature}/{filename}"),
    }
}

/// What a handle stands for that this server made and that has not expired.
pub(crate) fn open(app: &App, handle: &str) -> Option<Handled> {
    let (secret, filename) = handle.split_once('/')?;
    let (plain, signature) = secret.split_once('.')?;
    let (expires, face) = match plain.split_once('-') {
        Some((expires, face)) => (expires, Some(face.parse().ok()?)),
        None => (plain, None),
    };
    let expires = expires.parse().ok()?;
    let is_valid = app.link_signer.verify_handle(&signed(filename, face), expires, signature);
    let photo = filename.split('.').next()?;
    (is_valid && expires > app.now().as_seconds())
        .then(|| Some(Handled { photo: photo.parse().ok()?, face }))
        .flatten()
}

/// The photo of a handle.
pub(crate) fn photo(app: &App, handle: &str) -> Option<PhotoId> {
    open(app, handle).map(|handled| handled.photo)
}

fn signed(filename: &str, face: Option<FaceId>) -> String {
    match face {
        Some(face) => format!("{filename}\0{face}"),
        None => filename.to_owned(),
    }
}
