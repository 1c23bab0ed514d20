//! How often guests have saved photos.

use std::collections::BTreeMap;

use domain::PhotoId;

use super::removal::lock_many;
use crate::operations::runtime::statements::{LIST_LIMIT, Statement};
use crate::{Executor as _, Result, Tx};

/// Adds to how often photos were saved. Those that are gone are left out.
pub async fn add_downloads(tx: &mut Tx, times: &BTreeMap<PhotoId, i64>) -> Result<()> {
    let photos: Vec<PhotoId> = times.keys().copied().collect();
    for photos in photos.chunks(LIST_LIMIT) {
        lock_many(tx, photos).await?;
    }
    // Most are saved once, so that there are few statements.
    let mut alike: BTreeMap<i64, Vec<PhotoId>> = BTreeMap::new();
    for (photo, times) in times {
        alike.entry(*times).or_default().push(*photo);
    }
    for (times, photos) in alike {
        for photos in photos.chunks(LIST_LIMIT) {
            let mut statement = Statement::built("UPDATE photos SET downloads = downloads + ");
            statement.push_bind(times).push(" WHERE id IN ");
            statement.push_list(photos);
            statement.execute(tx.writer()).await?;
        }
    }
    Ok(())
}
