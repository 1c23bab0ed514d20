//! Moving house: a running installation is copied to PostgreSQL and another media store (`afterglow migrate-to`).
//!
//! Rows are those of a snapshot, files follow it. The files that the target lacks come first, then the rows, all of them in
//! one transaction, and what belongs to no photo any more goes last: interrupted, it is run again, and goes on with the
//! files. A later run brings what came since and takes along what was deleted (decision 0032).

mod files;
mod migrate;
mod plan;
mod report;
mod scratch;
mod target;

pub use migrate::migrate;
pub use plan::{Options, Target};
pub use report::{Difference, Step, Summary};
