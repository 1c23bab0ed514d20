//! Uploads to a bucket: a small file in one request, a large one in parts, whose time does not grow with the file.

use std::path::Path as FilePath;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use domain::Timestamp;
use futures::TryFutureExt;
use object_store::aws::AmazonS3;
use object_store::multipart::MultipartStore;
use object_store::path::Path;
use object_store::signer::{SignedUrlOptions, Signer};
use object_store::{Attributes, MultipartUpload, ObjectStore, PutMultipartOptions, PutOptions};
use serde::Deserialize;
use tokio::io::AsyncReadExt;
use tokio::runtime::Handle;
use tokio::task::JoinSet;

use super::objects::{found, key_in};
use crate::stores::error::Error;

/// Bytes of a part of a large upload; S3 takes no less than 5 MiB, and at most 10,000 parts.
const PART: usize = 8 * 1_048_576;
/// Parts of one file on their way at once: with the one that is being read, this bounds an upload's memory.
const PARTS_UNDERWAY: usize = 2;
/// For how long the request that lists uploads is signed.
const SIGNED_FOR: Duration = Duration::from_secs(60);

pub(super) async fn put_bytes(
    bucket: &AmazonS3,
    path: &Path,
    bytes: Bytes,
    attributes: Attributes,
) -> Result<(), Error> {
    if bytes.len() > PART {
        return put_parts(bucket, path, Rest::Bytes(bytes), attributes).await;
    }
    bucket.put_opts(path, bytes.into(), PutOptions { attributes, ..PutOptions::default() }).await?;
    Ok(())
}

pub(super) async fn put_file(
    bucket: &AmazonS3,
    path: &Path,
    file: &FilePath,
    attributes: Attributes,
) -> Result<(), Error> {
    let mut file = tokio::fs::File::open(file).await?;
    if file.metadata().await?.len() <= PART as u64 {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).await?;
        return put_bytes(bucket, path, bytes.into(), attributes).await;
    }
    put_parts(bucket, path, Rest::File(file), attributes).await
}

async fn put_parts(
    bucket: &AmazonS3,
    path: &Path,
    mut rest: Rest,
    attributes: Attributes,
) -> Result<(), Error> {
    let options = PutMultipartOptions { attributes, ..PutMultipartOptions::default() };
    let mut upload = Unfinished(Some(bucket.put_multipart_opts(path, options).await?));
    let sent = upload.send(&mut rest).await;
    match upload.0.take() {
        Some(upload) if sent.is_err() => abort(upload).await,
        _ => {}
    }
    sent
}

/// What is still to be sent in parts.
enum Rest {
    Bytes(Bytes),
    File(tokio::fs::File),
}

impl Rest {
    /// The next part; an empty one at the end.
    async fn part(&mut self) -> Result<Bytes, Error> {
        match self {
            Self::Bytes(rest) => Ok(rest.split_to(rest.len().min(PART))),
            Self::File(file) => {
                let mut part = Vec::with_capacity(PART);
                // A file's read may give less than a part.
                while part.len() < PART
                    && (&mut *file).take((PART - part.len()) as u64).read_to_end(&mut part).await? > 0
                {
                }
                Ok(part.into())
            }
        }
    }
}

/// An upload whose parts cost money until it is completed or aborted; aborted when it is dropped, as it is when its
/// caller goes away.
struct Unfinished(Option<Box<dyn MultipartUpload>>);

impl Unfinished {
    async fn send(&mut self, rest: &mut Rest) -> Result<(), Error> {
        let Some(upload) = &mut self.0 else { return Ok(()) };
        // Dropped with this function, it ends the parts that are on their way.
        let mut underway = JoinSet::new();
        loop {
            let part = rest.part().await?;
            let room = if part.is_empty() { 0 } else { PARTS_UNDERWAY - 1 };
            while underway.len() > room
                && let Some(sent) = underway.join_next().await
            {
                sent.map_err(std::io::Error::other)??;
            }
            if part.is_empty() {
                break;
            }
            underway.spawn(upload.put_part(part.into()));
        }
        upload.complete().await?;
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(upload) = self.0.take()
            && let Ok(runtime) = Handle::try_current()
        {
            runtime.spawn(abort(upload));
        }
    }
}

async fn abort(mut upload: Box<dyn MultipartUpload>) {
    // The failure that led here is the one to report; an upload that stays is aborted by the sweep.
    let _ = upload.abort().await;
}

/// A page of the uploads that were begun and neither completed nor aborted (S3's `ListMultipartUploads`).
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Page {
    #[serde(default, rename = "Upload")]
    uploads: Vec<Begun>,
    #[serde(default)]
    is_truncated: bool,
    #[serde(default)]
    next_key_marker: String,
    #[serde(default)]
    next_upload_id_marker: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Begun {
    key: String,
    upload_id: String,
    initiated: jiff::Timestamp,
}

/// Aborts the uploads of this store that were begun before `before`; gives how many there were.
pub(super) async fn abort_stale(
    bucket: &Arc<AmazonS3>,
    prefix: &Path,
    before: Timestamp,
) -> Result<u64, Error> {
    let client = reqwest::Client::builder().timeout(SIGNED_FOR).build().map_err(failed)?;
    let (mut aborted, mut after) = (0, (String::new(), String::new()));
    loop {
        let page = page(bucket, &client, prefix, &after).await?;
        for begun in &page.uploads {
            let Ok(path) = Path::parse(&begun.key) else { continue };
            let is_ours = key_in(prefix, &path).is_some_and(|key| key.size().is_some());
            if is_ours && begun.initiated.as_millisecond() < before.as_millis() {
                // It may have been completed meanwhile.
                let ended = found(bucket.abort_multipart(&path, &begun.upload_id).await)?;
                aborted += u64::from(ended.is_some());
            }
        }
        if !page.is_truncated || page.uploads.is_empty() {
            return Ok(aborted);
        }
        after = (page.next_key_marker, page.next_upload_id_marker);
    }
}

/// `object_store` does not list uploads, but it signs the request.
async fn page(
    bucket: &AmazonS3,
    client: &reqwest::Client,
    prefix: &Path,
    after: &(String, String),
) -> Result<Page, Error> {
    let folder = if prefix.as_ref().is_empty() { String::new() } else { format!("{prefix}/") };
    let query = [
        ("uploads", ""),
        ("prefix", folder.as_str()),
        ("key-marker", after.0.as_str()),
        ("upload-id-marker", after.1.as_str()),
    ];
    let options = SignedUrlOptions::new().with_query(query);
    let url = bucket.signed_url_opts(reqwest::Method::GET, &Path::default(), SIGNED_FOR, &options).await?;
    let answer = client.get(url).send().await.and_then(reqwest::Response::error_for_status);
    let text = answer.map_err(failed)?.text().map_err(failed).await?;
    Ok(quick_xml::de::from_str(&text).map_err(failed_to_read)?)
}

/// Without the address, whose signature is a secret.
fn failed(error: reqwest::Error) -> object_store::Error {
    object_store::Error::Generic { store: "S3", source: Box::new(error.without_url()) }
}

fn failed_to_read(error: quick_xml::DeError) -> object_store::Error {
    object_store::Error::Generic { store: "S3", source: Box::new(error) }
}
