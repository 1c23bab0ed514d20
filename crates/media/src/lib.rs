//! Bytes of photos: where they lie, and what they look like smaller.
//!
//! [`pictures`] and [`mappings`] block and compute: call them on threads of your own. [`stores`] waits: call it on the runtime.
//! Only this crate names image codecs and `object_store`.

pub mod mappings;
pub mod pictures;
pub mod stores;
