//! Stored files that are read again: what is drawn of them is drawn of their pixels.

use bytes::Bytes;
use domain::photos::pixels::Pixels;
use media::decoders::{Picture, Priority, Purpose};
use media::pictures::{PREVIEW_LONG_SIDE, Unreadable};
use media::temp_files::Contents;

use crate::operations::runtime::decode_memory::DecodePermit;
use crate::operations::runtime::tasks;
use crate::{App, Result};

/// A rendition that is about to be read, with its share of the memory for decoding.
pub(crate) async fn open(app: &App, rendition: Bytes) -> Result<(Picture, DecodePermit)> {
    open_for(app, Contents::InMemory(rendition), Priority::Foreground, PREVIEW_LONG_SIDE).await
}

/// A file of which at least this long side is about to be read, with its share of the memory for decoding.
pub(crate) async fn open_for(
    app: &App,
    file: Contents,
    priority: Priority,
    at_least: u32,
) -> Result<(Picture, DecodePermit)> {
    let mut picture = app.decoders.open(file, priority);
    let (picture, needed) = tasks::blocking(move || {
        let needed = memory(&mut picture, at_least);
        (picture, needed)
    })
    .await?;
    Ok((picture, app.decode_memory.acquire(needed?).await?))
}

/// About how many bytes it takes to read at least this long side of a stored file. What no decoder survives takes none: it is
/// refused at once when it is read. Blocks.
pub(crate) fn memory(picture: &mut Picture, at_least: u32) -> Result<u64> {
    Ok(picture.memory(Purpose::Decode { at_least })?.unwrap_or(0))
}

/// All of its pixels. Blocks.
pub(crate) fn pixels(mut rendition: Picture) -> Result<std::result::Result<Pixels, Unreadable>> {
    Ok(rendition.decode(PREVIEW_LONG_SIDE, None)?)
}
