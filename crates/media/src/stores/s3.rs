//! A bucket, by `object_store`.

mod clients;
mod objects;
mod uploads;

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use domain::Timestamp;
use domain::photos::MediaKey;
use futures::stream::{self, BoxStream};
use futures::{StreamExt, TryStreamExt};
use object_store::aws::AmazonS3;
use object_store::path::Path;
use object_store::signer::{SignedUrlOptions, Signer};
use object_store::{
    Attribute, Attributes, GetOptions, GetRange, ObjectStore, ObjectStoreExt, PutMode, PutOptions,
};
use tokio::time::timeout;

use super::error::Error;
use super::files::{Disposition, Entry, Read, Source, clamp};
use super::marker::{self, Marker};
use super::names::{self, TRASH};
use clients::Clients;
use objects::{found, key_in, path_in};

/// How long whoever reads a file waits for its beginning.
const FIRST_BYTE: Duration = Duration::from_secs(2 * 60);

/// Objects that are copied at once.
const COPIES: usize = 8;

/// A bucket of S3 or of a service that speaks its protocol.
#[derive(Clone, Debug)]
pub struct S3 {
    clients: Clients,
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
        Ok(Self { clients: Clients::open(bucket, options)?, prefix })
    }

    fn bucket(&self) -> &Arc<AmazonS3> {
        &self.clients.questions
    }

    fn path(&self, key: &MediaKey) -> Result<Path, Error> {
        path_in(&self.prefix, key)
    }

    fn trash(&self) -> Path {
        self.prefix.clone().join(TRASH)
    }

    pub(super) async fn put(&self, key: &MediaKey, source: Source) -> Result<(), Error> {
        let path = self.path(key)?;
        let mut attributes = Attributes::new();
        if let Some(media_type) = key.media_type() {
            attributes.insert(Attribute::ContentType, media_type.into());
        }
        match source {
            Source::Bytes(bytes) => uploads::put_bytes(&self.clients.writes, &path, bytes, attributes).await,
            Source::File(file) => uploads::put_file(&self.clients.writes, &path, &file, attributes).await,
        }
    }

    pub(super) async fn size(&self, key: &MediaKey) -> Result<Option<u64>, Error> {
        Ok(found(self.bucket().head(&self.path(key)?).await)?.map(|meta| meta.size))
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
        // A bucket that answers nothing is given up before whoever waits has gone.
        let asked = timeout(FIRST_BYTE, self.clients.reads.get_opts(&path, options)).await;
        let asked = asked.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?;
        let Some(result) = found(asked)? else { return Ok(None) };
        let (total, range) = (result.meta.size, result.range.clone());
        Ok(Some(Read { total, range, bytes: result.into_stream().map_err(Error::Bucket).boxed() }))
    }

    pub(super) async fn delete(&self, keys: &[MediaKey]) -> Result<(), Error> {
        self.remove(&self.prefix, keys).await
    }

    /// By the bucket's request that deletes a thousand objects at once.
    async fn remove(&self, base: &Path, keys: &[MediaKey]) -> Result<(), Error> {
        let paths: Vec<_> = keys.iter().map(|key| path_in(base, key)).collect::<Result<_, _>>()?;
        let paths = stream::iter(paths.into_iter().map(Ok)).boxed();
        self.bucket().delete_stream(paths).map(|deleted| found(deleted).map(drop)).try_collect().await
    }

    pub(super) async fn discard(&self, keys: &[MediaKey]) -> Result<(), Error> {
        let trash = self.trash();
        let moves: Vec<(Path, Path)> = keys
            .iter()
            .map(|key| Ok((self.path(key)?, path_in(&trash, key)?)))
            .collect::<Result<_, Error>>()?;
        stream::iter(moves)
            .map(|(from, to)| copy(self.bucket().clone(), from, to))
            .buffer_unordered(COPIES)
            .try_for_each(|_| std::future::ready(Ok(())))
            .await?;
        self.delete(keys).await
    }

    pub(super) async fn restore(&self, key: &MediaKey) -> Result<bool, Error> {
        let (from, to) = (path_in(&self.trash(), key)?, self.path(key)?);
        let restored = copy(self.bucket().clone(), from, to).await?;
        if restored {
            self.purge(std::slice::from_ref(key)).await?;
        }
        Ok(restored)
    }

    pub(super) async fn purge(&self, keys: &[MediaKey]) -> Result<(), Error> {
        self.remove(&self.trash(), keys).await
    }

    pub(super) async fn marker(&self) -> Result<Option<Marker>, Error> {
        let path = self.prefix.clone().join(marker::NAME);
        let Some(found) = found(self.bucket().get(&path).await)? else { return Ok(None) };
        Marker::read(&found.bytes().await?).map(Some)
    }

    pub(super) async fn put_marker(&self, marker: &Marker, replace: bool) -> Result<(), Error> {
        let path = self.prefix.clone().join(marker::NAME);
        let mode = if replace { PutMode::Overwrite } else { PutMode::Create };
        let options = PutOptions { mode, ..PutOptions::default() };
        match self.bucket().put_opts(&path, marker.to_bytes().into(), options).await {
            Ok(_) | Err(object_store::Error::AlreadyExists { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) async fn abort_uploads(&self, before: Timestamp) -> Result<u64, Error> {
        uploads::abort_stale(self.bucket(), &self.prefix, before).await
    }

    /// All files of the folder that `start` names, or of all folders.
    pub(super) fn list(&self, start: &str) -> BoxStream<'static, Result<Entry, Error>> {
        let folder = start
            .split_once('/')
            .map_or_else(|| self.prefix.clone(), |(folder, _)| self.prefix.clone().join(folder));
        self.entries(self.prefix.clone(), &folder)
    }

    pub(super) fn list_discarded(&self) -> BoxStream<'static, Result<Entry, Error>> {
        let trash = self.trash();
        self.entries(trash.clone(), &trash)
    }

    /// The files below `folder`, by their keys below `base`.
    fn entries(&self, base: Path, folder: &Path) -> BoxStream<'static, Result<Entry, Error>> {
        self.bucket()
            .list(Some(folder))
            .map_err(Error::Bucket)
            .try_filter_map(move |meta| {
                let entry = key_in(&base, &meta.location).map(|key| Entry {
                    key,
                    size: meta.size,
                    modified: Timestamp::from_millis(meta.last_modified.timestamp_millis()),
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
        let url = self.bucket().signed_url_opts(reqwest::Method::GET, &path, expires_in, &options).await?;
        Ok(url.into())
    }

    pub(super) async fn probe(&self) -> Result<Timestamp, Error> {
        // Not the name that a running server writes to.
        let probe = self.prefix.clone().join("probe-read");
        self.bucket().put(&probe, Bytes::from_static(b"probe").into()).await?;
        let read = self.bucket().get(&probe).await?;
        let at = read.meta.last_modified.timestamp_millis();
        let bytes = read.bytes().await?;
        self.bucket().delete(&probe).await?;
        if bytes != b"probe"[..] {
            return Err(Error::Changed);
        }
        Ok(Timestamp::from_millis(at))
    }

    pub(super) async fn ping(&self) -> Result<(), Error> {
        let probe = self.prefix.clone().join("probe");
        self.bucket().put(&probe, Bytes::from_static(b"ping").into()).await?;
        self.bucket().delete(&probe).await?;
        Ok(())
    }
}

/// False when there is nothing to be copied.
async fn copy(bucket: Arc<AmazonS3>, from: Path, to: Path) -> Result<bool, Error> {
    Ok(found(bucket.copy(&from, &to).await)?.is_some())
}
