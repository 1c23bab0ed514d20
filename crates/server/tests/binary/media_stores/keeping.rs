//! Maintenance of a store: its marker, its trash, bulk deletions, incomplete multipart uploads.

use std::time::Duration;

use bytes::Bytes;
use domain::photos::MediaKey;
use domain::{Clock, Timestamp};
use futures::TryStreamExt;
use media::stores::{Entry, Marker, Source, Store};

use super::bucket::Bucket;
use super::{bytes, disk, entries, load};

fn key(name: &str) -> MediaKey {
    MediaKey::from_trusted(format!("originals/{name}.jpg"))
}

async fn put(store: &Store, keys: &[MediaKey]) {
    for key in keys {
        store.put(key, Source::Bytes(Bytes::from(key.to_string()))).await.unwrap();
    }
}

async fn discarded(store: &Store) -> Vec<Entry> {
    let mut entries: Vec<_> = store.list_discarded().try_collect().await.unwrap();
    entries.sort_by(|a, b| a.key.cmp(&b.key));
    entries
}

fn keys(entries: &[Entry]) -> Vec<MediaKey> {
    entries.iter().map(|entry| entry.key.clone()).collect()
}

/// What maintenance requires of every store.
async fn conforms(store: &Store, now: Timestamp) {
    let (mine, other) =
        (Marker { id: String::from("mine"), sweeps: 3 }, Marker { id: String::from("other"), sweeps: 0 });
    assert_eq!(store.marker().await.unwrap(), None);
    store.put_marker_if_absent(&mine).await.unwrap();
    store.put_marker_if_absent(&other).await.unwrap();
    assert_eq!(store.marker().await.unwrap(), Some(mine), "the first writer wins");
    store.replace_marker(&other).await.unwrap();
    assert_eq!(store.marker().await.unwrap(), Some(other));
    assert_eq!(entries(store, "").await, [], "the marker is no file of a photo");

    let [kept, thrown, back, never] = ["aaaa", "abbb", "cccc", "dddd"].map(key);
    assert_eq!(discarded(store).await, []);
    assert!(!store.restore(&thrown).await.unwrap());
    put(store, &[kept.clone(), thrown.clone(), back.clone()]).await;
    store.discard(&[thrown.clone(), back.clone(), never.clone()], now).await.unwrap();
    assert_eq!(keys(&entries(store, "").await), std::slice::from_ref(&kept), "the trash is not listed");
    assert_eq!(load(store, &thrown).await.unwrap(), None);
    let trash = discarded(store).await;
    assert_eq!(keys(&trash), [thrown.clone(), back.clone()]);
    for entry in &trash {
        assert_eq!(entry.size, entry.key.as_str().len() as u64);
        assert!(
            entry.modified.since(now) < Duration::from_secs(60) && now.since(entry.modified).as_secs() < 60
        );
    }
    assert!(store.restore(&back).await.unwrap());
    assert!(!store.restore(&never).await.unwrap());
    assert_eq!(load(store, &back).await.unwrap(), Some(Bytes::from(back.to_string())));
    // One that was put again meanwhile is discarded over the old one.
    store.put(&thrown, Source::Bytes(bytes(9))).await.unwrap();
    store.discard(std::slice::from_ref(&thrown), now).await.unwrap();
    assert_eq!(discarded(store).await[0].size, 9);
    store.purge(&[thrown, never.clone()]).await.unwrap();
    assert_eq!(discarded(store).await, []);

    store.delete_many(&[kept, back, never]).await.unwrap();
    store.delete_many(&[]).await.unwrap();
    assert_eq!(entries(store, "").await, []);
}

#[tokio::test]
async fn every_store_has_a_marker_and_a_trash() {
    // [SAFE053] [SAFE054] [SAFE233]
    let (folder, objects) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let now = Clock::System.now();
    conforms(&disk(folder.path()), now).await;
    conforms(&Store::memory(Clock::System), now).await;
    conforms(&Bucket::serve(objects.path()).await.store, now).await;
}

#[tokio::test]
async fn a_bucket_deletes_many_files_with_one_request() {
    // [SAFE058]
    let folder = tempfile::tempdir().unwrap();
    let bucket = Bucket::serve(folder.path()).await;
    let all: Vec<MediaKey> = (0..300).map(|number| key(&format!("x{number}"))).collect();
    put(&bucket.store, &all).await;
    bucket.requests.lock().unwrap().clear();
    bucket.store.delete_many(&all).await.unwrap();
    let requests = bucket.requests.lock().unwrap().clone();
    assert_eq!(requests.len(), 1, "{requests:?}");
    assert!(requests[0].starts_with("POST /media?delete"), "{requests:?}");
    assert_eq!(entries(&bucket.store, "").await, []);
}

#[tokio::test]
async fn large_files_are_put_in_parts_from_memory_too_and_a_slow_reader_gets_them_whole() {
    // [RUN380]
    let folder = tempfile::tempdir().unwrap();
    let bucket = Bucket::serve(folder.path()).await;
    let (large, content) = (key("large"), bytes(17 * 1_048_576));
    bucket.store.put(&large, Source::Bytes(content.clone())).await.unwrap();
    assert_eq!(bucket.requests_with("partNumber=").len(), 3);

    // Longer than a request may take, and never so long without a byte.
    let impatient = bucket.store_with(("AWS_TIMEOUT", "3s"));
    let mut read = impatient.read(&large, None).await.unwrap().unwrap();
    let mut found = Vec::new();
    for _ in 0..12 {
        found.extend(read.bytes.try_next().await.unwrap().unwrap());
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    found.extend(read.whole().await.unwrap());
    assert!(found == content);
    assert_eq!(bucket.requests_with("GET ").len(), 1, "it is not begun again");
}

#[tokio::test]
async fn a_cancelled_upload_is_aborted() {
    // [SAFE059]
    let (folder, files) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let bucket = Bucket::serve(folder.path()).await;
    bucket.parts.forget_permits(usize::MAX);
    let file = files.path().join("large");
    std::fs::write(&file, bytes(17 * 1_048_576)).unwrap();
    let upload = tokio::spawn({
        let store = bucket.store.clone();
        async move { store.put(&key("large"), Source::File(file)).await }
    });
    let until = async |part: &str| {
        while bucket.requests_with(part).is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let limit = Duration::from_secs(20);
    tokio::time::timeout(limit, until("partNumber=2")).await.expect("the second part is sent");
    upload.abort();
    assert!(upload.await.unwrap_err().is_cancelled());
    tokio::time::timeout(limit, until("DELETE")).await.expect("the upload is aborted");
    let aborts = bucket.requests_with("DELETE");
    assert!(aborts[0].contains("/large.jpg?uploadId="), "{aborts:?}");
    assert_eq!(load(&bucket.store, &key("large")).await.unwrap(), None);
}

#[tokio::test]
async fn unfinished_uploads_of_the_store_are_aborted_when_they_are_old() {
    // [SAFE234]
    let folder = tempfile::tempdir().unwrap();
    let bucket = Bucket::serve(folder.path()).await;
    let begun = |key: &str, id: &str, at: &str| {
        format!("<Upload><Key>{key}</Key><UploadId>{id}</UploadId><Initiated>{at}</Initiated></Upload>")
    };
    *bucket.unfinished.lock().unwrap() = [
        "<?xml version=\"1.0\"?><ListMultipartUploadsResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\
         <Bucket>media</Bucket><KeyMarker/><MaxUploads>1000</MaxUploads><IsTruncated>false</IsTruncated>",
        &begun("some/prefix/originals/old.jpg", "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed", "2026-11-19T11:59:59.000Z"),
        &begun("some/prefix/originals/young.jpg", "young", "2026-11-19T12:00:01.000Z"),
        &begun("some/prefix/other/old.jpg", "a-strangers", "2026-11-01T12:00:00.000Z"),
        &begun("another/originals/old.jpg", "a-strangers", "2026-11-01T12:00:00.000Z"),
        "</ListMultipartUploadsResult>",
    ]
    .concat();
    let noon = Timestamp::from_millis(1_795_089_600_000);
    let aborted = bucket.store.remove_unfinished(noon).await.unwrap();
    let deletes = bucket.requests_with("DELETE");
    assert_eq!(deletes.len(), 1, "{deletes:?}");
    assert!(deletes[0].contains("/originals/old.jpg?uploadId=1b9d6bcd"), "{deletes:?}");
    assert_eq!(aborted, 1);
    assert!(bucket.requests_with("uploads=")[0].contains("prefix=some%2Fprefix%2F"));
}
