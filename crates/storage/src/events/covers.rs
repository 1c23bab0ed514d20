//! The photos that stand for events.

use domain::events::covers::Cover;
use domain::photos::MediaKey;

use crate::Result;
use crate::operations::runtime::decode;

/// What the columns of an event tell of its cover: the photo's id, its key, and both numbers of where it is looked at, -1 each
/// where that is not known. One text, since each column would look for the photo again.
pub(super) fn parse(text: Option<&str>, is_automatic: bool) -> Result<Option<Cover>> {
    const COLUMN: &str = "events.cover_photo";
    let Some(text) = text else { return Ok(None) };
    let parts: Vec<&str> = text.split(' ').collect();
    let [id, key, x, y] = parts[..] else { return decode::known(None, COLUMN) };
    let number = |text: &str| {
        decode::known(text.parse().ok(), COLUMN).map(|number: i64| (number >= 0).then_some(number))
    };
    Ok(Some(Cover {
        photo: decode::id(id, COLUMN)?,
        revision: MediaKey::from_trusted(key.to_owned()).revision(),
        focus: decode::focus(number(x)?, number(y)?, COLUMN)?,
        is_automatic,
    }))
}
