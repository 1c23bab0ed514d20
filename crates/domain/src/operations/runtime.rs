//! What everything else runs on.

pub mod clock;
pub mod jobs;
pub mod pages;
pub mod randomness;
pub mod texts;
