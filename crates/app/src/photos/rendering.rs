//! The rendition of medium size for photos that an earlier version has indexed.

use domain::PhotoId;
use domain::photos::{PhotoStatus, Size};
use media::decoders::Priority;
use media::pictures::PREVIEW_LONG_SIDE;
use media::stores::Source;
use media::temp_files::Contents;

use crate::faces::indexing;
use crate::operations::runtime::decode_memory::DecodePermit;
use crate::operations::runtime::decoding;
use crate::operations::runtime::queue::Lease;
use crate::operations::runtime::tasks;
use crate::operations::stores;
use crate::{App, Result};

/// Makes it from the preview, which is decoded in a few milliseconds, and in which nothing is missing that it could show.
/// Without a preview that can be read the photo is indexed again, which makes all renditions. It takes its share of the
/// memory for decoding unless it is given one.
pub(crate) async fn render(
    app: &App,
    id: PhotoId,
    memory: Option<DecodePermit>,
    lease: &Lease,
) -> Result<()> {
    let photo = storage::photos::by_id(&app.db, id).await?;
    let is_due =
        |photo: &domain::photos::Photo| photo.status == PhotoStatus::Ready && photo.medium_bytes.is_none();
    let Some(photo) = photo.filter(is_due) else { return Ok(()) };
    let Some(preview) = app.store.read(&photo.key.sized(Size::Preview), None).await? else {
        return indexing::index(app, id, memory, lease).await;
    };
    let preview = preview.whole().await?;
    let is_exclusive = memory.is_some();
    let mut picture = app.decoders.open(Contents::InMemory(preview), Priority::Background);
    let permit = match memory {
        Some(memory) => memory,
        None => {
            let (opened, needed) = tasks::blocking(move || {
                let needed = decoding::memory(&mut picture, PREVIEW_LONG_SIDE);
                (picture, needed)
            })
            .await?;
            picture = opened;
            app.decode_memory.acquire(needed?).await?
        }
    };
    let rendered = tasks::background(move || {
        let pixels = decoding::pixels(picture);
        let rendered = pixels.map(|pixels| pixels.map(|pixels| media::pictures::medium(&pixels)));
        (rendered, permit)
    })
    .await?;
    let rendered = (rendered.0?, rendered.1);
    let medium = match rendered {
        (Ok(medium), _) => medium?,
        (Err(unreadable), permit) => {
            tracing::warn!(photo = %id, %unreadable, "a preview cannot be read: its photo is indexed again");
            return indexing::index(app, id, is_exclusive.then_some(permit), lease).await;
        }
    };
    let (store, key) = (stores::own(app).await?, photo.key.sized(Size::Medium));
    let size = i64::try_from(medium.jpeg.len()).unwrap_or(i64::MAX);
    store.put(&key, Source::Bytes(medium.jpeg.into())).await?;
    let mut tx = app.begin().await?;
    if storage::photos::finish_rendering(&mut tx, &photo.key, size).await? {
        tx.complete(lease).await?;
        tx.commit().await?;
    } else {
        drop(tx);
        if storage::photos::trash::by_id(&app.db, id).await?.is_some() {
            // It can be restored, and then has it.
            return Ok(());
        }
        // The photo was removed or replaced meanwhile; its rendition goes with it.
        store.delete(&key).await?;
    }
    Ok(())
}
