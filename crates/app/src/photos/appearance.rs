//! How sharp photos are, and what they are compared by, for those that were indexed before this was measured and those that were
//! restored.

use domain::photos::appearance::Appearance;
use domain::photos::{Photo, Size};
use media::decoders::Priority;
use media::pictures::PREVIEW_LONG_SIDE;
use media::temp_files::Contents;

use crate::operations::runtime::{decoding, tasks};
use crate::{App, Result};

/// Photos that are looked at in one query.
const BATCH: i64 = 500;

/// Measures what is not measured. A photo whose preview cannot be read is left out until the next time.
pub(crate) async fn measure_missing(app: &App) -> Result<()> {
    let mut after = None;
    loop {
        let photos = storage::photos::unmeasured(&app.db, after, BATCH).await?;
        let Some(last) = photos.last() else { return Ok(()) };
        after = Some(*last);
        for photo in storage::photos::by_ids(&app.db, &photos).await? {
            if let Err(failure) = measure(app, &photo).await {
                tracing::warn!(photo = %photo.id, error = failure.chain(), "a photo cannot be measured");
            }
        }
    }
}

async fn measure(app: &App, photo: &Photo) -> Result<()> {
    // Without it the photo waits for its renditions, and is indexed, which measures it.
    let Some(preview) = app.store.read(&photo.key.sized(Size::Preview), None).await? else { return Ok(()) };
    let preview = Contents::InMemory(preview.whole().await?);
    let faces = storage::faces::places(&app.db, photo.id).await?;
    let (picture, permit) = decoding::open_for(app, preview, Priority::Background, PREVIEW_LONG_SIDE).await?;
    let measured = tasks::background(move || -> Result<Option<Appearance>> {
        let _permit = permit;
        let pixels = decoding::pixels(picture)?;
        Ok(pixels.ok().map(|pixels| media::pictures::appearance(&pixels, &faces)))
    })
    .await??;
    let Some(appearance) = measured else {
        tracing::warn!(photo = %photo.id, "a preview cannot be read: its photo is not measured");
        return Ok(());
    };
    let mut tx = app.begin().await?;
    storage::photos::measure(&mut tx, &photo.key, &appearance).await?;
    tx.commit().await
}
