//! A bucket, by `object_store`.

use std::ops::Range;
use std::path::Path as FilePath;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use domain::Timestamp;
use domain::photos::MediaKey;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::path::Path;
use object_store::signer::{SignedUrlOptions, Signer};
use object_store::{
    Attribute, Attributes, GetOptions, GetRange, ObjectStore, ObjectStoreExt, PutMultipartOptions,
    PutOptions, WriteMultipart,
};
use tokio::io::AsyncReadExt;

use super::error::Error;
use super::files::{Disposition, Entry, Read, Source, clamp};
use super::names;

/// Bytes of a part of a large upload; S3 takes no less than 5 MiB, and at most 10,000 parts.
const PART: usize = 8 * 1_048_576;
/// Parts of one file on their way at once: with the one that is being read, this bounds an upload's memory.
const PARTS_UNDERWAY: usize = 2;

/// A bucket of S3 or of a service that speaks its protocol.
#[derive(Clone, Debug)]
pub struct S3 {
    bucket: Arc<AmazonS3>,
    prefix: Path,
}

impl S3 {
    /// The store at `s3://bucket/prefix`.
    pub(super) fn open(
        address: &str,
        options: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, Error> {
        let bad_address = || Error::Address(address.to_owned());
        let rest = address.strip_prefix("s3://").ok_or_else(bad_address)?;
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        if !names::is_safe(bucket) {
            return Err(bad_address());
        }
        let prefix = Path::parse(prefix).map_err(|_| bad_address())?;
        // An error means that another part of the program has chosen a provider before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let builder = options.into_iter().fold(AmazonS3Builder::new(), |builder, (name, value)| {
            match name.to_ascii_lowercase().parse::<AmazonS3ConfigKey>() {
                Ok(key) => builder.with_config(key, value),
                Err(_) => builder,
            }
        });
        let bucket = builder.with_bucket_name(bucket).build()?;
        Ok(Self { bucket: Arc::new(bucket), prefix })
    }

    fn path(&self, key: &MediaKey) -> Result<Path, Error> {
        let (folder, name) = names::check(key)?;
        Ok(self.prefix.clone().join(folder).join(name))
    }

    pub(super) async fn put(&self, key: &MediaKey, source: Source) -> Result<(), Error> {
        let path = self.path(key)?;
        let mut attributes = Attributes::new();
        if let Some(media_type) = key.media_type() {
            attributes.insert(Attribute::ContentType, media_type.into());
        }
        match source {
            Source::Bytes(bytes) => self.put_bytes(&path, bytes, attributes).await,
            Source::File(file) => self.put_file(&path, &file, attributes).await,
        }
    }

    async fn put_bytes(&self, path: &Path, bytes: Bytes, attributes: Attributes) -> Result<(), Error> {
        self.bucket.put_opts(path, bytes.into(), PutOptions { attributes, ..PutOptions::default() }).await?;
        Ok(())
    }

    async fn put_file(&self, path: &Path, file: &FilePath, attributes: Attributes) -> Result<(), Error> {
        let mut file = tokio::fs::File::open(file).await?;
        if file.metadata().await?.len() <= PART as u64 {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).await?;
            return self.put_bytes(path, bytes.into(), attributes).await;
        }
        let options = PutMultipartOptions { attributes, ..PutMultipartOptions::default() };
        let upload = self.bucket.put_multipart_opts(path, options).await?;
        let mut parts = WriteMultipart::new_with_chunk_size(upload, PART);
        match send(&mut file, &mut parts).await {
            Ok(()) => {
                // Aborts by itself when it fails.
                parts.finish().await?;
                Ok(())
            }
            Err(error) => {
                // The first failure is the one to report; parts that stay are for the bucket's lifecycle rule.
                let _ = parts.abort().await;
                Err(error)
            }
        }
    }

    pub(super) async fn size(&self, key: &MediaKey) -> Result<Option<u64>, Error> {
        Ok(found(self.bucket.head(&self.path(key)?).await)?.map(|meta| meta.size))
    }

    pub(super) async fn read(
        &self,
        key: &MediaKey,
        range: Option<Range<u64>>,
    ) -> Result<Option<Read>, Error> {
        let path = self.path(key)?;
        if let Some(range) = &range {
            // A range behind the end is an error whose size S3 does not tell.
            let Some(total) = self.size(key).await? else { return Ok(None) };
            clamp(Some(range.clone()), total)?;
        }
        let options = GetOptions { range: range.map(GetRange::Bounded), ..GetOptions::default() };
        let Some(result) = found(self.bucket.get_opts(&path, options).await)? else { return Ok(None) };
        let (total, range) = (result.meta.size, result.range.clone());
        Ok(Some(Read { total, range, bytes: result.into_stream().map_err(Error::Bucket).boxed() }))
    }

    pub(super) async fn delete(&self, key: &MediaKey) -> Result<(), Error> {
        found(self.bucket.delete(&self.path(key)?).await)?;
        Ok(())
    }

    /// All files of the folder that `start` names, or of all folders.
    pub(super) fn list(&self, start: &str) -> BoxStream<'static, Result<Entry, Error>> {
        let prefix = self.prefix.clone();
        let folder =
            start.split_once('/').map_or_else(|| prefix.clone(), |(folder, _)| prefix.clone().join(folder));
        self.bucket
            .list(Some(&folder))
            .map_err(Error::Bucket)
            .try_filter_map(move |meta| {
                let key: Option<Vec<_>> = meta.location.prefix_match(&prefix).map(Iterator::collect);
                let entry = key.and_then(|parts| match parts.as_slice() {
                    [folder, name] if names::is_safe(folder.as_ref()) && names::is_safe(name.as_ref()) => {
                        Some(Entry {
                            key: MediaKey::from_trusted(format!("{}/{}", folder.as_ref(), name.as_ref())),
                            size: meta.size,
                            modified: Timestamp::from_millis(meta.last_modified.timestamp_millis()),
                        })
                    }
                    // Another program's.
                    _ => None,
                });
                std::future::ready(Ok(entry))
            })
            .boxed()
    }

    pub(super) async fn presign(
        &self,
        key: &MediaKey,
        expires_in: Duration,
        disposition: &Disposition<'_>,
    ) -> Result<String, Error> {
        let query = [
            ("response-content-disposition", disposition.content_disposition),
            ("response-content-type", disposition.content_type),
        ];
        let query = query.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let options = SignedUrlOptions::new().with_query(query);
        let path = self.path(key)?;
        let url = self.bucket.signed_url_opts(reqwest::Method::GET, &path, expires_in, &options).await?;
        Ok(url.into())
    }

    pub(super) async fn ping(&self) -> Result<(), Error> {
        let probe = self.prefix.clone().join("probe");
        self.bucket.put(&probe, Bytes::from_static(b"ping").into()).await?;
        self.bucket.delete(&probe).await?;
        Ok(())
    }
}

async fn send(file: &mut tokio::fs::File, parts: &mut WriteMultipart) -> Result<(), Error> {
    loop {
        parts.wait_for_capacity(PARTS_UNDERWAY).await?;
        let mut part = Vec::with_capacity(PART);
        // A file's read may give less than a part.
        while part.len() < PART
            && (&mut *file).take((PART - part.len()) as u64).read_to_end(&mut part).await? > 0
        {}
        if part.is_empty() {
            return Ok(());
        }
        parts.put(part.into());
    }
}

/// Turns "not found" into none.
fn found<T>(result: object_store::Result<T>) -> Result<Option<T>, Error> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(object_store::Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
