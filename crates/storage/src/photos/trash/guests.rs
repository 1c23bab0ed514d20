//! What guests know of deleted photos, so that a mail does not tell of them as new ones when they are restored, and what clients have
//! chosen of them. A guest may unsubscribe, and a photographer delete a selection, at the same time.

use domain::PhotoId;

use crate::operations::runtime::statements::Statement;
use crate::{Engine, Executor as _, Result, Tx};

/// Keeps what guests know and have chosen of photos that are in the trash now, while their rows are in `photos` still.
pub(super) async fn put(tx: &mut Tx, photos: &[PhotoId]) -> Result<()> {
    let statement = Statement::built(
        "INSERT INTO trashed_subscription_photos (subscription_id, photo_id, hidden)
         SELECT subscription_id, photo_id, hidden
         FROM subscription_photos JOIN subscriptions ON subscriptions.id = subscription_id
         WHERE (SELECT 1 FROM trashed_photos WHERE trashed_photos.id = photo_id) IS NOT NULL AND photo_id IN ",
    );
    // In the order in which `confirm` locks them.
    copy(tx, statement, photos, " ORDER BY subscription_id FOR KEY SHARE OF subscriptions").await?;
    let statement = Statement::built(
        "INSERT INTO trashed_client_choices (selection_id, photo_id, chosen, comment, marked_at)
         SELECT selection_id, photo_id, chosen, comment, marked_at
         FROM client_choices JOIN client_selections ON client_selections.id = selection_id
         WHERE (SELECT 1 FROM trashed_photos WHERE trashed_photos.id = photo_id) IS NOT NULL AND photo_id IN ",
    );
    copy(tx, statement, photos, " ORDER BY selection_id FOR KEY SHARE OF client_selections").await
}

/// Restores what guests know of photos that are restored.
pub(super) async fn restore_known(tx: &mut Tx, photos: &[PhotoId]) -> Result<()> {
    let statement = Statement::built(
        "INSERT INTO subscription_photos (subscription_id, photo_id, hidden)
         SELECT subscription_id, photo_id, hidden
         FROM trashed_subscription_photos JOIN subscriptions ON subscriptions.id = subscription_id
         WHERE photo_id IN ",
    );
    copy(tx, statement, photos, " ORDER BY subscription_id FOR KEY SHARE OF subscriptions").await
}

/// Restores what clients have chosen of photos whose rows are in `photos` again.
pub(super) async fn restore_choices(tx: &mut Tx, photos: &[PhotoId]) -> Result<()> {
    let statement = Statement::built(
        "INSERT INTO client_choices (selection_id, photo_id, chosen, comment, marked_at)
         SELECT selection_id, photo_id, chosen, comment, marked_at
         FROM trashed_client_choices JOIN client_selections ON client_selections.id = selection_id
         WHERE photo_id IN ",
    );
    copy(tx, statement, photos, " ORDER BY selection_id FOR KEY SHARE OF client_selections").await
}

/// Copies rows of those whose subscription or selection is not about to go: `lock` waits for that.
async fn copy(tx: &mut Tx, mut statement: Statement, photos: &[PhotoId], lock: &'static str) -> Result<()> {
    statement.push_list(photos);
    if tx.engine() == Engine::Postgres {
        statement.push(lock);
    }
    statement.execute(tx.writer()).await?;
    Ok(())
}
