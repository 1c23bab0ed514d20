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
        let mut waiting: Vec<Photo> =
            added.iter().filter(|added| added.became.is_none()).map(|added| added.photo.clone()).collect();
        // The files go first: this loop finds a row without files again, but only maintenance finds files without a row.
        stores::remove_files(app, &waiting, &Size::ALL).await?;
        let ids: Vec<PhotoId> = added.iter().map(|added| added.photo.id).collect();
        let mut tx = app.begin().await?;
        let deleted = storage::guests::guest_photos::delete_many(&mut tx, &ids).await?;
        // The jobs of the event and of its owner's account may remove the same ones: each counts what it has deleted.
        waiting.retain(|photo| deleted.contains(&photo.id));
        deletion_receipts::count(&mut tx, &event.to_string(), &waiting).await?;
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

#[cfg(test)]
mod tests {
    use domain::JobId;
    use domain::accounts::tokens::hash_token;
    use domain::guests::guest_photos::GuestPhoto;
    use storage::testing::{new_photo, rival_before};

    use super::*;
    use crate::testing::rows;

    #[tokio::test]
    async fn what_two_jobs_remove_at_once_is_counted_once() {
        // [SAFE491] On PostgreSQL: SQLite has one writer.
        let (database, incoming) = (storage::testing::postgres().await, tempfile::tempdir().unwrap());
        let app = App::new(crate::testing::parts(database.db.clone(), incoming.path())).await.unwrap();
        for place in 0..6 {
            let owner = rows::photographer(&app).await.unwrap();
            let event = rows::event(&app, owner).await.unwrap();
            let mut tx = app.begin().await.unwrap();
            for _ in 0..2 {
                let photo = new_photo(app.id(), app.now(), &app.randomness, owner, Some(event));
                let device = hash_token("a phone");
                let added = GuestPhoto { photo, event, device, name: None, warned_at: None, became: None };
                assert!(storage::guests::guest_photos::insert(&mut tx, &added, 1).await.unwrap());
            }
            deletion_receipts::begin_event(&mut tx, event, owner).await.unwrap();
            storage::events::close(&mut tx, event, owner, app.id::<JobId>(), app.now()).await.unwrap();
            tx.commit().await.unwrap();
            let both = rival_before(place, remove_all(&app, event), remove_all(&app, event)).await;
            both.first.unwrap();
            both.rival.unwrap();
            let deletions = storage::accounts::deletion_receipts::of_owner(&app.db, owner).await.unwrap();
            let counted: Vec<i64> = deletions.iter().map(|deletion| deletion.removed.photos).collect();
            assert_eq!(counted, [2], "place {place}");
        }
    }
}
