//! What can go wrong between the program and its database.

use sqlx::error::ErrorKind;
use sqlx::migrate::MigrateError;

/// A failure that no input causes. What a caller can act upon is a value, never an error.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database cannot be reached, is overloaded, or did not answer in time: trying later may help.
    #[error("the database cannot be used at the moment")]
    Unavailable(#[source] sqlx::Error),
    /// A statement did not end within [`crate::STATEMENT_TIMEOUT`].
    #[error("the database did not answer in time")]
    TimedOut,
    /// The database refused a statement.
    #[error("the database refused a statement")]
    Statement(#[source] sqlx::Error),
    /// The schema could not be brought up to date.
    #[error("the database's schema cannot be brought up to date")]
    Migration(#[source] MigrateError),
    /// A later version of the program has changed the schema.
    #[error(
        "the database has schema {found}, which a later version of Afterglow has made; this one knows schema {known}. Start that version, or restore the backup from before its upgrade"
    )]
    NewerSchema {
        /// The schema of the database.
        found: i64,
        /// The newest one that this program knows.
        known: i64,
    },
    /// A stored value is not one that this program writes.
    #[error("the database holds a value of {column} that cannot be read")]
    Unreadable {
        /// Table and column.
        column: &'static str,
    },
    /// Rows were to be moved to another table, and those that were removed are not those that were inserted. Nothing of the
    /// transaction holds.
    #[error("{moved} of {expected} rows of {table} were still there when they were moved")]
    Overtaken {
        /// The table that they were to leave.
        table: &'static str,
        /// How many were inserted elsewhere.
        expected: u64,
        /// How many were removed.
        moved: u64,
    },
    /// The address of the database is not one.
    #[error("the database's address must start with sqlite:// or postgres:// and be complete")]
    Address(#[source] Option<sqlx::Error>),
    /// A snapshot beside a SQLite file could not be written, or looked for.
    #[error("the folder of the database cannot be read or written")]
    Snapshot(#[source] std::io::Error),
    /// The folder of a SQLite file could not be made.
    #[error("the database's folder cannot be made")]
    Folder(#[source] std::io::Error),
}

/// The outcome of every function that talks to the database. Each of them fails with [`Error::Unavailable`],
/// [`Error::TimedOut`] or [`Error::Statement`] when the database does, and with [`Error::Unreadable`] when a row holds what
/// this program never wrote; `# Errors` stands only where a function fails in another way.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Whether trying later may help; anything else is a defect.
    pub const fn is_transient(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::TimedOut | Self::Overtaken { .. })
    }

    /// Whether a UNIQUE constraint refused the row.
    pub(crate) fn is_unique_violation(&self) -> bool {
        match self {
            Self::Statement(sqlx::Error::Database(error)) => error.kind() == ErrorKind::UniqueViolation,
            _ => false,
        }
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        if is_transient(&error) { Self::Unavailable(error) } else { Self::Statement(error) }
    }
}

fn is_transient(error: &sqlx::Error) -> bool {
    use sqlx::Error as E;
    match error {
        E::Io(_) | E::Tls(_) | E::PoolTimedOut | E::PoolClosed | E::WorkerCrashed | E::BeginFailed => true,
        E::Database(error) => error.code().is_some_and(|code| is_transient_code(&code)),
        _ => false,
    }
}

/// SQLSTATE classes of PostgreSQL (its manual, appendix A), primary result codes of SQLite (sqlite.org/rescode.html).
fn is_transient_code(code: &str) -> bool {
    if code.len() == 5 {
        // Connection, transaction rollback, resources, intervention by an operator, lock not available.
        ["08", "40", "53", "57"].iter().any(|class| code.starts_with(class)) || code == "55P03"
    } else {
        // BUSY, LOCKED, READONLY (of a file system that was mounted so), IOERR, CORRUPT (as EIO is called where a statement has
        // begun), FULL, CANTOPEN: the low byte, since extended codes add to the left.
        code.parse::<u32>().is_ok_and(|code| matches!(code & 0xff, 5 | 6 | 8 | 10 | 11 | 13 | 14))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_that_pass_by_themselves_are_told_apart() {
        for code in ["08006", "40001", "40P01", "53300", "57P01", "55P03", "5", "517", "8", "11", "13"] {
            assert!(is_transient_code(code), "{code}");
        }
        for code in ["23505", "42P01", "2067", "19", "1", "nonsense"] {
            assert!(!is_transient_code(code), "{code}");
        }
    }
}
