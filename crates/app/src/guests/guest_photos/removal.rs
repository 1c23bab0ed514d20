//! Removing what guests have added for good, with its files.

use domain::photos::{Photo, Size};
use domain::{EventId, PhotoId, UserId};

use crate::accounts::deletion_receipts;
use crate::operations::stores;
use crate::{App, Result};

/// Photos that are removed at a time.
const BATCH: i64 = 250;

/// Removes all that guests have added to an event that is closed for good.
pub(crate) async fn remove_all(app: &App, event: EventId) -> Result<()> {
    loop {
        let added = storage::guests::guest_photos::batch(&app.db, event, BATCH).await?;
        if added.is_empty() {
            return Ok(());
        }
        let waiting: Vec<Photo> =
            added.iter().filter(|added| added.became.is_none()).map(|added| added.photo.clone()).collect();
        // The files go first: this loop finds a row without files again, but only maintenance finds files without a row.
        stores::remove_files(app, &waiting, &Size::ALL).await?;
        let ids: Vec<PhotoId> = added.iter().map(|added| added.photo.id).collect();
        let mut tx = app.begin().await?;
        deletion_receipts::count(&mut tx, &event.to_string(), &waiting).await?;
        storage::guests::guest_photos::delete_many(&mut tx, &ids).await?;
        tx.commit().await?;
    }
}

/// The same for all events of an account that is closed.
pub(crate) async fn remove_all_of(app: &App, owner: UserId) -> Result<()> {
    for event in storage::guests::guest_photos::closed_events(&app.db, owner).await? {
        remove_all(app, event).await?;
    }
    Ok(())
}
