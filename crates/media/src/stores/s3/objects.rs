//! Where the objects of a store are in its bucket.

use domain::photos::MediaKey;
use object_store::path::Path;

use crate::stores::error::Error;
use crate::stores::names;

pub(super) fn path_in(base: &Path, key: &MediaKey) -> Result<Path, Error> {
    let (folder, name) = names::check(key)?;
    Ok(base.clone().join(folder).join(name))
}

/// The key of an object; none for another program's.
pub(super) fn key_in(base: &Path, location: &Path) -> Option<MediaKey> {
    let parts: Vec<_> = location.prefix_match(base)?.collect();
    let [folder, name] = parts.as_slice() else { return None };
    let key = MediaKey::from_trusted(format!("{}/{}", folder.as_ref(), name.as_ref()));
    names::check(&key).is_ok().then_some(key)
}

/// Turns "not found" into none.
pub(super) fn found<T>(result: object_store::Result<T>) -> Result<Option<T>, Error> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(object_store::Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
