//! Bytes of photos: where they are stored, what is made of them, and how they leave.
//!
//! [`pictures`], [`decoders`] and [`covers`] block and compute: call them on threads for blocking work. [`stores`], [`temp_files`] and
//! [`zip`] are asynchronous. Only this crate names image codecs and `object_store`.

pub mod captures;
pub mod checksums;
pub mod covers;
pub mod decoders;
pub mod disk_space;
pub mod documents;
mod exif;
#[doc(hidden)]
pub mod fuzzing;
mod items;
mod local_disk;
pub mod logos;
pub mod metadata;
pub mod partial_files;
pub mod pictures;
pub mod softening;
pub mod stores;
pub mod temp_files;
pub mod watermarks;
mod whole;
pub mod zip;
