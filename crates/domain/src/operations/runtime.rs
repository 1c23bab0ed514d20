//! What everything else runs on.

pub mod clock;
pub mod jobs;
pub mod randomness;
pub mod texts;
