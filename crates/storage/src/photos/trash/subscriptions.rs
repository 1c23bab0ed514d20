//! Which deleted photos guests know of: a mail does not tell of them as new ones when they are restored.

use domain::PhotoId;

use crate::operations::runtime::statements::Statement;
use crate::{Engine, Executor as _, Result, Tx};

/// Keeps what guests know of photos that are in the trash now, while their rows are in `photos` still.
pub(super) async fn put_known(tx: &mut Tx, photos: &[PhotoId]) -> Result<()> {
    let statement = Statement::built(
        "INSERT INTO trashed_subscription_photos (subscription_id, photo_id, hidden)
         SELECT subscription_id, photo_id, hidden
         FROM subscription_photos JOIN subscriptions ON subscriptions.id = subscription_id
         WHERE (SELECT 1 FROM trashed_photos WHERE trashed_photos.id = photo_id) IS NOT NULL AND photo_id IN ",
    );
    copy(tx, statement, photos).await
}

/// Restores what guests know of photos that are restored.
pub(super) async fn restore_known(tx: &mut Tx, photos: &[PhotoId]) -> Result<()> {
    let statement = Statement::built(
        "INSERT INTO subscription_photos (subscription_id, photo_id, hidden)
         SELECT subscription_id, photo_id, hidden
         FROM trashed_subscription_photos JOIN subscriptions ON subscriptions.id = subscription_id
         WHERE photo_id IN ",
    );
    copy(tx, statement, photos).await
}

async fn copy(tx: &mut Tx, mut statement: Statement, photos: &[PhotoId]) -> Result<()> {
    statement.push_list(photos);
    if tx.engine() == Engine::Postgres {
        // A guest may unsubscribe at the same time. In the order in which `confirm` locks them.
        statement.push(" ORDER BY subscription_id FOR KEY SHARE OF subscriptions");
    }
    statement.execute(tx.writer()).await?;
    Ok(())
}
