//! What people agreed to, by day and version.

use domain::faces::consents::NoticeVersion;
use storage::faces::consents::{self, Agreed};

use crate::world::{DAY, NOON, worlds};

#[tokio::test]
async fn searches_are_counted_by_day_and_version() {
    // [FACE262]
    for world in worlds().await {
        let db = &world.db;
        assert_eq!(consents::all(db).await.unwrap(), []);
        for now in [NOON, NOON, NOON.plus(DAY)] {
            consents::count(db, NoticeVersion::CURRENT.as_str(), now).await.unwrap();
        }
        let of = |now: domain::Timestamp, searches| Agreed {
            day: now.date(),
            version: NoticeVersion::CURRENT.as_str().to_owned(),
            searches,
        };
        assert_eq!(consents::all(db).await.unwrap(), [of(NOON, 2), of(NOON.plus(DAY), 1)]);
    }
}
