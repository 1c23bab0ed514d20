//! Media stores: on a disk, in a bucket and in memory. Not among `media`'s own tests, for which the S3 server would be compiled
//! as optimised as pictures are.

mod bucket;
mod conformance;
mod keeping;

use std::path::Path;

use bytes::Bytes;
use domain::photos::MediaKey;
use futures::TryStreamExt;
use media::stores::{Entry, Error, Store};

fn disk(folder: &Path) -> Store {
    Store::open(&format!("file://{}", folder.display()), []).unwrap()
}

fn bytes(length: usize) -> Bytes {
    (0..length).map(|index| (index * 7 + index / 251) as u8).collect()
}

async fn entries(store: &Store, prefix: &str) -> Vec<Entry> {
    let mut entries: Vec<_> = store.list(prefix).try_collect().await.unwrap();
    entries.sort_by(|a, b| a.key.cmp(&b.key));
    entries
}

async fn load(store: &Store, key: &MediaKey) -> Result<Option<Bytes>, Error> {
    match store.read(key, None).await? {
        Some(read) => read.whole().await.map(Some),
        None => Ok(None),
    }
}
