//! Every kind of store does the same.

use std::path::Path;
use std::time::Duration;

use bytes::Bytes;
use domain::photos::{ImageFormat, MediaKey, Size};
use domain::{Clock, Randomness, Timestamp};
use futures::TryStreamExt;
use media::stores::{Disposition, Entry, Error, Source, Store};

use super::bucket::{Bucket, fetch};
use super::{bytes, disk, entries, load};

/// The store in a bucket of its own; the server ends with the test.
async fn bucket(folder: &Path) -> Store {
    Bucket::serve(folder).await.store
}

async fn range(store: &Store, key: &MediaKey, range: std::ops::Range<u64>) -> Vec<u8> {
    let read = store.read(key, Some(range.clone())).await.unwrap().unwrap();
    assert_eq!((read.total, read.range.start), (3_000, range.start));
    read.bytes
        .try_fold(Vec::new(), async |whole, chunk| Ok([whole.as_slice(), &chunk].concat()))
        .await
        .unwrap()
}

fn new_key(randomness: &Randomness) -> MediaKey {
    let photo = randomness.id(&Clock::fixed(Timestamp::from_millis(1)));
    MediaKey::original(randomness, photo, ImageFormat::Jpeg)
}

/// What every store owes its callers.
async fn conforms(store: Store) {
    store.ping().await.unwrap();
    let at = store.probe().await.unwrap();
    assert_eq!(at.is_some(), matches!(store, Store::S3(_)), "a bucket has a clock of its own");
    assert_eq!(entries(&store, "").await, []);

    let randomness = Randomness::seeded(1);
    let key = new_key(&randomness);
    assert_eq!(store.size(&key).await.unwrap(), None);
    assert!(store.read(&key, None).await.unwrap().is_none());
    assert!(store.read(&key, Some(0..1)).await.unwrap().is_none());
    assert_eq!(load(&store, &key).await.unwrap(), None);
    store.delete(&key).await.unwrap();

    // Byte for byte.
    let content = bytes(3_000);
    store.put(&key, Source::Bytes(content.clone())).await.unwrap();
    assert_eq!(store.size(&key).await.unwrap(), Some(3_000));
    assert_eq!(load(&store, &key).await.unwrap(), Some(content.clone()));
    assert_eq!(range(&store, &key, 0..10).await, content[..10]);
    assert_eq!(range(&store, &key, 2_990..9_999).await, content[2_990..]);
    assert_eq!(range(&store, &key, 1_000..2_500).await, content[1_000..2_500]);
    for bad in [3_000..3_001, 9_000..9_999] {
        let refused = store.read(&key, Some(bad)).await;
        assert!(matches!(refused, Err(Error::OutOfRange { total: 3_000 })), "{refused:?}");
    }

    assert_eq!(store.read_small(&key, 3_000).await.unwrap(), Some(content.clone()));
    assert_eq!(store.read_small(&key, 2_999).await.unwrap(), None, "it is larger");
    assert_eq!(store.read_small(&new_key(&randomness), 3_000).await.unwrap(), None, "there is none");

    // From a file, large enough for more than one part, and in place of another.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("upload");
    let large = bytes(17 * 1_048_576 + 5);
    std::fs::write(&file, &large).unwrap();
    store.put(&key, Source::File(file.clone())).await.unwrap();
    assert!(load(&store, &key).await.unwrap() == Some(large));
    assert!(file.exists());
    let missing = store.put(&key.sized(Size::Preview), Source::File(folder.path().join("missing"))).await;
    assert!(matches!(missing, Err(Error::Io(_))), "{missing:?}");

    let (preview, thumbnail) = (key.sized(Size::Preview), key.sized(Size::Thumbnail));
    store.put(&preview, Source::Bytes(Bytes::new())).await.unwrap();
    store.put(&thumbnail, Source::Bytes(content.clone())).await.unwrap();
    assert_eq!(load(&store, &preview).await.unwrap(), Some(Bytes::new()));
    let sizes =
        |entries: Vec<Entry>| entries.into_iter().map(|entry| (entry.key, entry.size)).collect::<Vec<_>>();
    let whole = (key.clone(), 17 * 1_048_576 + 5);
    assert_eq!(
        sizes(entries(&store, "").await),
        [whole.clone(), (preview.clone(), 0), (thumbnail.clone(), 3_000)]
    );
    assert_eq!(sizes(entries(&store, "originals/").await), [whole]);
    assert_eq!(sizes(entries(&store, "thumb").await), [(thumbnail.clone(), 3_000)]);
    assert!(
        entries(&store, "")
            .await
            .iter()
            .all(|entry| entry.modified > Timestamp::from_millis(1_700_000_000_000))
    );
    assert_eq!(store.remove_unfinished(Timestamp::from_millis(i64::MAX)).await.unwrap(), 0);

    for text in
        ["../secret", "originals/../../secret", "/etc/passwd", "originals/.x", "a/b/c", "originals/a\0b"]
    {
        let key = MediaKey::from_trusted(text.to_owned());
        let is_refused =
            |result: Result<(), Error>| assert!(matches!(result, Err(Error::Key(_))), "{text:?}");
        is_refused(store.put(&key, Source::Bytes(Bytes::new())).await);
        is_refused(store.size(&key).await.map(drop));
        is_refused(load(&store, &key).await.map(drop));
        is_refused(store.delete(&key).await);
        is_refused(store.presign(&key, Duration::from_secs(1), &Disposition::default()).await.map(drop));
    }

    store.delete(&key).await.unwrap();
    store.delete(&key).await.unwrap();
    assert_eq!(store.size(&key).await.unwrap(), None);
    assert_eq!(entries(&store, "").await.len(), 2);
}

#[tokio::test]
async fn a_folder_conforms() {
    // [UPL082] Bytes come back as they were put, whole, in ranges and, where they are small, in one piece.
    let folder = tempfile::tempdir().unwrap();
    conforms(disk(folder.path())).await;
}

#[tokio::test]
async fn memory_conforms() {
    conforms(Store::memory(Clock::System)).await;
}

#[tokio::test]
async fn a_bucket_conforms() {
    // [UPL082] As from a folder.
    let folder = tempfile::tempdir().unwrap();
    conforms(bucket(folder.path()).await).await;
}

#[tokio::test]
async fn a_presigned_link_gives_the_bytes_under_a_name_until_it_is_changed() {
    let folder = tempfile::tempdir().unwrap();
    let store = bucket(folder.path()).await;
    let key = new_key(&Randomness::seeded(2));
    store.put(&key, Source::Bytes(bytes(99))).await.unwrap();
    let disposition = Disposition {
        content_disposition: Some("attachment; filename=\"a b.jpg\""),
        content_type: Some("image/jpeg"),
    };
    let link = store.presign(&key, Duration::from_secs(60), &disposition).await.unwrap().unwrap();
    assert!(link.contains("X-Amz-Expires=60"));
    let answer = fetch(&link).await;
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-disposition"], "attachment; filename=\"a b.jpg\"");
    assert_eq!(answer.headers()["content-type"], "image/jpeg");
    assert_eq!(answer.body(), &bytes(99));
    let other = link.replace("X-Amz-Expires=60", "X-Amz-Expires=600");
    assert_eq!(fetch(&other).await.status(), 403);
    for store in [disk(folder.path()), Store::memory(Clock::System)] {
        assert_eq!(store.presign(&key, Duration::from_secs(60), &disposition).await.unwrap(), None);
    }
}

#[tokio::test]
async fn files_are_sharded_and_a_crash_leaves_only_what_is_swept() {
    let folder = tempfile::tempdir().unwrap();
    let store = disk(folder.path());
    let key = MediaKey::from_trusted("originals/7hqx.jpg".to_owned());
    store.put(&key, Source::Bytes(bytes(10))).await.unwrap();
    let home = folder.path().join("originals/7h");
    let names: Vec<_> = std::fs::read_dir(&home).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["7hqx.jpg"]);

    // A put that fails half-way leaves nothing.
    let missing = store.put(&key, Source::File(folder.path().join("missing"))).await;
    assert!(matches!(missing, Err(Error::Io(_))));
    assert_eq!(std::fs::read_dir(&home).unwrap().count(), 1);
    assert_eq!(load(&store, &key).await.unwrap(), Some(bytes(10)));

    // What a crash would leave is listed by nobody and goes when it is old enough; an unknown file stays.
    for name in [".1-1.tmp", ".hidden", "stranger"] {
        std::fs::write(home.join(name), "half").unwrap();
    }
    std::fs::write(folder.path().join(".1-2.tmp"), "ping").unwrap();
    let keys: Vec<_> = entries(&store, "").await.into_iter().map(|entry| entry.key).collect();
    assert_eq!(keys, [key]);
    assert_eq!(store.remove_unfinished(Timestamp::from_millis(0)).await.unwrap(), 0);
    assert_eq!(store.remove_unfinished(Timestamp::from_millis(i64::MAX)).await.unwrap(), 2);
    assert_eq!(std::fs::read_dir(&home).unwrap().count(), 3);
}

#[tokio::test]
async fn a_store_that_cannot_be_written_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let store = disk(&folder.path().join("store"));
    store.ping().await.unwrap();
    std::fs::remove_dir(folder.path().join("store")).unwrap();
    assert!(matches!(store.ping().await, Err(Error::Io(_))));

    let store = Store::memory(Clock::System);
    let Store::Memory(memory) = &store else { panic!("it is in memory") };
    memory.set_broken(true);
    assert!(store.ping().await.is_err());
    assert!(store.list("").try_collect::<Vec<_>>().await.is_err());
    memory.set_broken(false);
    store.ping().await.unwrap();
}

#[test]
fn store_urls_are_parsed_or_refused() {
    for bad in ["", "file://", "/srv/media", "http://host/x", "s3://", "s3://../x", "gs://bucket"] {
        assert!(matches!(Store::open(bad, []), Err(Error::Address(_))), "{bad}");
    }
}
