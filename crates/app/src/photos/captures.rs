//! What photos' files tell of their capture, their names as they are compared, and where their faces are, for those that were uploaded
//! before.

use domain::photos::Photo;
use media::decoders::Priority;
use media::temp_files::Contents;

use crate::operations::runtime::tasks;
use crate::{App, Failure, Result};

/// Photos that are looked at in one query.
const BATCH: i64 = 500;

/// Folds the names of photos by which a version before did not compare them.
pub(crate) async fn fold_names(app: &App) -> Result<()> {
    loop {
        let photos = storage::photos::unfolded(&app.db, BATCH).await?;
        if photos.is_empty() {
            return Ok(());
        }
        let mut tx = app.begin().await?;
        storage::photos::fold(&mut tx, &photos).await?;
        tx.commit().await?;
    }
}

/// Computes where photos are looked at that were indexed before this was stored.
pub(crate) async fn focus_faces(app: &App) -> Result<()> {
    let mut after = None;
    loop {
        let photos = storage::photos::unfocused(&app.db, after, BATCH).await?;
        let Some(last) = photos.last() else { return Ok(()) };
        after = Some(*last);
        let mut tx = app.begin().await?;
        storage::photos::refocus(&mut tx, &photos).await?;
        tx.commit().await?;
    }
}

/// Reads what is missing. A photo whose original cannot be read is left out until the next time.
pub(crate) async fn read_missing(app: &App) -> Result<()> {
    let mut after = None;
    loop {
        let photos = storage::photos::undescribed(&app.db, after, BATCH).await?;
        let Some(last) = photos.last() else { return Ok(()) };
        after = Some(*last);
        for photo in storage::photos::by_ids(&app.db, &photos).await? {
            if let Err(failure) = read(app, &photo).await {
                tracing::warn!(photo = %photo.id, error = failure.chain(), "the capture of a photo cannot be read");
            }
        }
    }
}

async fn read(app: &App, photo: &Photo) -> Result<()> {
    let slot = app.concurrency.inspections.acquire().await?;
    let Some(bytes) = Contents::load(&app.store, &photo.key, &app.settings.incoming_dir).await? else {
        let missing = format!("the original of photo {} is not in the media store", photo.id);
        return Err(Failure::Internal(missing));
    };
    let memory = app.decode_memory.acquire(media::captures::memory()).await?;
    let mut picture = app.decoders.open(bytes, Priority::Background);
    let (capture, _) = tasks::blocking_with((slot, memory), move || picture.capture()).await?;
    Ok(storage::photos::describe(&app.db, photo, &capture?).await?)
}
