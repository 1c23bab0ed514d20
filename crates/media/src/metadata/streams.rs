//! Files as guests get them, while they are sent.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use domain::photos::redactions::{Patch, affected, apply};
use futures::StreamExt as _;
use futures::stream::BoxStream;

/// How much of a file is overwritten at a time when nobody reads it.
const CHUNK: usize = 256 * 1024;

/// The bytes of a file from `start` on, overwritten where `patches` say so.
pub fn overwritten<E: Send + 'static>(
    bytes: BoxStream<'static, Result<Bytes, E>>,
    start: u64,
    patches: Arc<[Patch]>,
) -> BoxStream<'static, Result<Bytes, E>> {
    if patches.is_empty() {
        return bytes;
    }
    bytes
        .scan(start, move |at, chunk| {
            let chunk = chunk.map(|chunk| {
                let start = *at;
                *at += chunk.len() as u64;
                if affected(&patches, start, chunk.len() as u64).is_empty() {
                    return chunk;
                }
                let mut chunk = BytesMut::from(chunk);
                apply(&patches, start, &mut chunk);
                chunk.freeze()
            });
            std::future::ready(Some(chunk))
        })
        .boxed()
}

/// CRC-32 of a file once it is overwritten.
pub(super) fn crc32(bytes: &[u8], patches: &[Patch]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for (index, chunk) in bytes.chunks(CHUNK).enumerate() {
        let start = (index * CHUNK) as u64;
        if affected(patches, start, chunk.len() as u64).is_empty() {
            hasher.update(chunk);
        } else {
            let mut chunk = chunk.to_vec();
            apply(patches, start, &mut chunk);
            hasher.update(&chunk);
        }
    }
    hasher.finalize()
}
