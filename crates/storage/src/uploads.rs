//! Taking photos in.

pub mod ftp;
