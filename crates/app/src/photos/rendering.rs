//! The rendition of medium size for photos that an earlier version has indexed.

use domain::PhotoId;
use domain::photos::{PhotoStatus, Size};
use media::stores::Source;

use crate::faces::indexing;
use crate::operations::runtime::decode_memory::DecodePermit;
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
    let permit = match memory {
        Some(memory) => memory,
        None => app.decode_memory.acquire(media::pictures::medium_memory(&preview)).await?,
    };
    let rendered = tasks::background(move || {
        let rendered = media::pictures::medium(&preview);
        (rendered, permit)
    })
    .await?;
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
        // The photo was deleted or replaced meanwhile; when it is restored, it is rendered again.
        drop(tx);
        store.delete(&key).await?;
    }
    Ok(())
}
