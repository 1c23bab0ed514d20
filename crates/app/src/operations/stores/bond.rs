//! How a media store and the database belong together.

use std::fmt;

/// How a media store and the database belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bond {
    /// The store's marker has the database's id.
    Own {
        /// Whether the store counts more sweeps than this database: then it is an older copy, or a backup that was restored.
        is_older: bool,
    },
    /// The store has no marker, and nothing in it contradicts that it is the database's.
    Adoptable,
    /// The store's marker has the id of another database.
    Foreign,
    /// The store has no marker but files, and the database has no photos.
    Filled,
    /// The store has no marker, and originals of the database's photos are not in it.
    Incomplete {
        /// How many were looked for.
        asked: usize,
        /// How many of those are not there.
        missing: usize,
    },
}

impl Bond {
    /// Whether files may be put into the store and removed from it.
    pub fn is_own(&self) -> bool {
        matches!(self, Self::Own { .. })
    }

    /// Whether files without a photo may be swept.
    pub fn may_be_swept(&self) -> bool {
        *self == Self::Own { is_older: false }
    }
}

impl fmt::Display for Bond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NOTHING: &str = "Nothing is written to it and nothing swept until `afterglow store adopt` says that it is this database's.";
        match self {
            Self::Own { is_older: false } => f.write_str("The media store belongs to this database."),
            Self::Own { is_older: true } => f.write_str(
                "The media store was in use with a newer copy of this database. Nothing is swept until `afterglow store adopt` says that this copy is the one.",
            ),
            Self::Adoptable => f.write_str("The media store belongs to no database yet."),
            Self::Foreign => write!(f, "The media store belongs to another database. {NOTHING}"),
            Self::Filled => {
                write!(f, "The media store has files, and the database has no photos. {NOTHING}")
            }
            Self::Incomplete { asked, missing } => {
                write!(f, "The media store lacks {missing} of {asked} originals that were looked for. {NOTHING}")
            }
        }
    }
}
