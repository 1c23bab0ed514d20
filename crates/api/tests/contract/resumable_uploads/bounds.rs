//! How many uploads in pieces there are, and for how long.

use std::time::Duration;

use app::Settings;

use super::{append, begin, begun, head, offset, parts, photos};
use crate::harness::{Answer, GREEN, RED, World, on_both_engines, photo};

const HOUR: Duration = Duration::from_secs(60 * 60);

/// Runs a test on both engines with a service of these settings.
fn with_settings<F: Future<Output = ()>>(change: impl Fn(&mut Settings), test: impl Fn(World) -> F) {
    on_both_engines(async |world: World| {
        test(World::with_settings(world.parts.db.clone(), &change).await).await;
    });
}

#[test]
fn an_upload_that_is_not_completed_expires() {
    // [UPL164]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let (bytes, other) = (photo(&[RED], 0), photo(&[GREEN], 0));
        let path = begun(&world, &token, &event, &bytes).await;
        let done = begun(&world, &token, &event, &other).await;
        assert_eq!(append(&world, &done, &token, 0, &other).await.status, 204);
        world.clock.advance(HOUR * 71);
        assert_eq!(append(&world, &path, &token, 0, &bytes[..5]).await.status, 204);
        app::operations::maintenance::all(&world.app).await.unwrap();
        assert_eq!(offset(&world, &path, &token).await, 5);
        world.clock.advance(HOUR);
        assert_eq!(head(&world, &path, &token).await.status, 404);
        assert_eq!(append(&world, &path, &token, 5, &bytes[5..]).await.error().0, 404);
        assert_eq!(parts(&world).len(), 3);
        app::operations::maintenance::all(&world.app).await.unwrap();
        assert_eq!(parts(&world), [] as [String; 0]);
        assert_eq!(photos(&world, &token).await["total_count"], 1, "the photo stays");
    });
}

#[test]
fn uploads_that_are_not_complete_are_bounded_by_account_address_and_bytes() {
    // The one of the account that was idle for longest makes way for its next one.
    let change = |settings: &mut Settings| {
        settings.upload_capacity.unfinished_per_user = 2;
        settings.upload_capacity.unfinished_per_address = 3;
        settings.upload_capacity.unfinished_bytes = 1_000;
    };
    with_settings(change, async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let path = |answer: Answer| answer.header("location").to_owned();
        let first = path(begin(&world, &token, 100, "").await);
        tokio::time::sleep(Duration::from_millis(20)).await;
        let second = path(begin(&world, &token, 100, "").await);
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert_eq!(append(&world, &first, &token, 0, b"bytes").await.status, 204);
        let third = path(begin(&world, &token, 100, "").await);
        assert_eq!(head(&world, &second, &token).await.status, 404, "it was idle for longest");
        for path in [&first, &third] {
            assert_eq!(head(&world, path, &token).await.status, 200);
        }
        let other = world.photographer("ravi@example.com").await;
        assert_eq!(begin(&world, &other, 801, "").await.error().0, 507);
        assert_eq!(begin(&world, &other, 800, "").await.status, 201);
        let refused = begin(&world, &world.photographer("lena@example.com").await, 1, "").await;
        assert_eq!((refused.error().0, refused.header("retry-after")), (429, "60"));
        assert_eq!(parts(&world).len(), 6);
    });
}

#[test]
fn no_piece_is_taken_while_the_disk_is_almost_full() {
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let path = begun(&world, &token, &event, b"0123456789").await;
        let mut full = world;
        full.parts.settings.upload_capacity.free_disk_bytes = u64::MAX;
        let full = full.restarted().await;
        assert_eq!(begin(&full, &token, 5, "").await.error().0, 507);
        assert_eq!(append(&full, &path, &token, 0, b"0123").await.error().0, 507);
        assert_eq!(offset(&full, &path, &token).await, 0);
    });
}
