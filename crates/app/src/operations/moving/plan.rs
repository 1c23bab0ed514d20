//! What moves where.

use media::stores::Store;
use storage::Db;
use storage::operations::moving::Contents;

use crate::operations::operators::OperatorContext;

/// Where an installation moves to.
pub struct Target {
    pub(super) db: Db,
    pub(super) store: Store,
}

/// How an installation moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Whether files that are there already are compared byte by byte, and replaced where they differ.
    pub verify: bool,
    /// Whether nothing may happen to the installation any more: what does is named then.
    pub last: bool,
}

/// An installation that moves, as a snapshot has it.
pub(super) struct Move<'a> {
    pub(super) context: &'a OperatorContext,
    pub(super) store: &'a Store,
    pub(super) target: &'a Target,
    pub(super) snapshot: &'a Db,
    /// What the tables hold.
    pub(super) contents: &'a [Contents],
    /// The id of the installation's media store.
    pub(super) from: &'a str,
    /// Whether files that are there already are compared byte by byte.
    pub(super) verify: bool,
}

impl Move<'_> {
    /// How many rows a table of the snapshot has.
    pub(super) fn rows_of(&self, table: &str) -> u64 {
        self.contents.iter().find(|contents| contents.table == table).map_or(0, |contents| contents.rows)
    }
}
