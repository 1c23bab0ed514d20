//! Handles: the `s3_key` by which a guest asks for fresh links to a photo. A handle is signed, expires, and stands in no link
//! and in no name of a file: whoever finds an expired link cannot renew it.

use std::time::Duration;

use domain::photos::Photo;
use domain::{DAY, PhotoId, Timestamp};

use crate::App;

/// How long a handle is valid at least: longer than any page of results stays open.
const LIFETIME: Duration = DAY.saturating_mul(7);

/// The handle of a photo: when it expires, a signature, and the name under which the photo is saved. Those that are made on
/// one day are the same.
pub(crate) fn handle(app: &App, photo: &Photo) -> String {
    let day = i64::try_from(DAY.as_millis()).unwrap_or(i64::MAX);
    let now = app.now().as_millis();
    let today = Timestamp::from_millis(now - now.rem_euclid(day));
    let expires = today.plus(DAY).plus(LIFETIME).as_seconds();
    let filename = photo.filename();
    let signature = app.link_signer.sign_handle(&filename, expires);
    format!("{expires}.{signature}/{filename}")
}

/// The photo of a handle that this server made and that has not expired.
pub(crate) fn photo(app: &App, handle: &str) -> Option<PhotoId> {
    let (secret, filename) = handle.split_once('/')?;
    let (expires, signature) = secret.split_once('.')?;
    let expires = expires.parse().ok()?;
    let is_valid = app.link_signer.verify_handle(filename, expires, signature);
    let photo = filename.split('.').next()?;
    (is_valid && expires > app.now().as_seconds()).then(|| photo.parse().ok()).flatten()
}
