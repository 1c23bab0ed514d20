//! Tokens that admit one request each.

use std::time::Duration;

use domain::accounts::tokens::hash_token;
use storage::operations::probes;

use crate::world::worlds;

#[tokio::test]
async fn a_probe_is_admitted_once_and_in_time() {
    // [RUN312]
    for world in worlds().await {
        let (now, minute) = (world.now(), Duration::from_secs(60));
        let mut tx = world.begin().await;
        for token in ["first", "second"] {
            probes::create(&mut tx, &hash_token(token), now.plus(minute), now).await.unwrap();
        }
        tx.commit().await.unwrap();
        let consume =
            async |token: &str, at| probes::consume(&world.db, &hash_token(token), at).await.unwrap();
        assert!(!consume("made up", now).await);
        assert!(consume("first", now).await);
        assert!(!consume("first", now).await, "once");
        assert!(!consume("second", now.plus(minute)).await, "it has expired");
        let mut tx = world.begin().await;
        let later = now.plus(minute);
        probes::create(&mut tx, &hash_token("third"), later.plus(minute), later).await.unwrap();
        tx.commit().await.unwrap();
        assert!(!consume("second", now).await, "it is forgotten, whatever the clock says now");
        assert!(consume("third", now).await);
    }
}
