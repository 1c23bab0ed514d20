//! Running a statement on whichever engine is there.
//!
//! The macros have the names of sqlx's methods and the arguments of its `query_as!`: after the executor what a row is read
//! into, the text, and the values of `$1`, `$2` and so on.
//!
//! ```ignore
//! let user: Option<User> = fetch_optional!(db, User, "SELECT id, name FROM users WHERE id = $1", id)?;
//! let deleted: u64 = execute!(tx, "DELETE FROM sessions WHERE user_id = $1 AND hash <> $2", user, current)?;
//! ```
//!
//! The text stands once and is compiled for both engines. Of a [`crate::Db`], the `fetch_…!` macros use a reader and
//! `execute!` the writer.

use std::future::Future;
use std::time::Instant;

use sqlx::{Database, Encode, QueryBuilder, Type};
use tracing::field::Empty;
use tracing::{Instrument as _, debug, debug_span};

use crate::operations::runtime::encode::ToColumn;
use crate::operations::runtime::options::{Engine, STATEMENT_TIMEOUT};
use crate::{Error, Result};

/// Runs sqlx's future `$statement` on a connection `$conn` of either engine. The span takes the operation and the table from
/// `$sql`; where the text is built, its beginning does.
macro_rules! dispatch {
    ($backend:expr, $sql:expr, $conn:ident => $statement:expr) => {
        match $backend {
            $crate::operations::runtime::executor::Backend::Sqlite(source) => {
                $crate::operations::runtime::statements::run($crate::Engine::Sqlite, $sql, async {
                    let mut connection = source.acquire().await?;
                    let $conn = &mut *connection;
                    $statement.await
                })
                .await
            }
            $crate::operations::runtime::executor::Backend::Postgres(source) => {
                $crate::operations::runtime::statements::run($crate::Engine::Postgres, $sql, async {
                    let mut connection = source.acquire().await?;
                    let $conn = &mut *connection;
                    $statement.await
                })
                .await
            }
        }
    };
}
pub(crate) use dispatch;

/// Answers the number of affected rows.
macro_rules! execute {
    ($executor:expr, $sql:expr $(, $value:expr)* $(,)?) => {{
        #[allow(unused_imports, reason = "a module that names the trait has it in scope")]
        use $crate::operations::runtime::executor::Executor as _;
        let sql: &'static str = $sql;
        $crate::operations::runtime::statements::dispatch!($executor.writer(), sql, conn => async {
            let query = sqlx::query(sql)$(.bind($crate::operations::runtime::encode::ToColumn::to_column(&$value)))*;
            query.execute(conn).await.map(|done| done.rows_affected())
        })
    }};
}
pub(crate) use execute;

/// Answers the row; that there is none is an error.
macro_rules! fetch_one {
    ($executor:expr, $type:ty, $($query:tt)+) => {
        $crate::operations::runtime::statements::fetch!(fetch_one, $executor, $type, $($query)+)
            .and_then(<$type as $crate::operations::runtime::decode::FromColumns>::from_columns)
    };
}
pub(crate) use fetch_one;

/// Answers the row, or `None`.
macro_rules! fetch_optional {
    ($executor:expr, $type:ty, $($query:tt)+) => {
        $crate::operations::runtime::statements::fetch!(fetch_optional, $executor, $type, $($query)+)
            .and_then($crate::operations::runtime::decode::optional::<$type>)
    };
}
pub(crate) use fetch_optional;

/// Answers the rows.
macro_rules! fetch_all {
    ($executor:expr, $type:ty, $($query:tt)+) => {
        $crate::operations::runtime::statements::fetch!(fetch_all, $executor, $type, $($query)+).and_then($crate::operations::runtime::decode::all::<$type>)
    };
}
pub(crate) use fetch_all;

macro_rules! fetch {
    ($fetch:ident, $executor:expr, $type:ty, $sql:expr $(, $value:expr)* $(,)?) => {{
        #[allow(unused_imports, reason = "a module that names the trait has it in scope")]
        use $crate::operations::runtime::executor::Executor as _;
        let sql: &'static str = $sql;
        $crate::operations::runtime::statements::dispatch!(
            $executor.reader(),
            sql,
            conn => sqlx::query_as::<_, <$type as $crate::operations::runtime::decode::FromColumns>::Columns>(sql)
                $(.bind($crate::operations::runtime::encode::ToColumn::to_column(&$value)))*
                .$fetch(conn)
        )
    }};
}
pub(crate) use fetch;

/// How many values one list has at most; SQLite takes 32,766 in a statement.
pub(crate) const LIST_LIMIT: usize = 500;

/// Appends `($1, $2, …)` with these values: the right side of an `IN`.
pub(crate) fn push_list<'a, DB, T>(statement: &mut QueryBuilder<DB>, values: &'a [T])
where
    DB: Database,
    T: ToColumn,
    T::Column<'a>: Encode<'a, DB> + Type<DB>,
{
    statement.push("(");
    let mut list = statement.separated(", ");
    for value in values {
        list.push_bind(value.to_column());
    }
    statement.push(")");
}

/// Awaits a statement within a span, and cancels it when it does not end: a machine that vanished never closes its
/// connections. The span tells the operation and the table, but none of the values, which may be personal.
pub(crate) async fn run<T>(
    engine: Engine,
    sql: &str,
    statement: impl Future<Output = sqlx::Result<T>>,
) -> Result<T> {
    let span = debug_span!(
        target: "storage",
        "statement",
        db.system.name = engine.name(),
        db.operation.name = operation(sql),
        db.collection.name = table(sql),
        duration_ms = Empty,
    );
    let started = (!span.is_disabled()).then(Instant::now);
    let outcome = tokio::time::timeout(STATEMENT_TIMEOUT, statement).instrument(span.clone()).await;
    if let Some(started) = started {
        span.record("duration_ms", started.elapsed().as_secs_f64() * 1_000.0);
        debug!(target: "storage", parent: &span, "statement finished");
    }
    match outcome {
        Ok(done) => Ok(done?),
        Err(_) => Err(Error::TimedOut),
    }
}

/// `SELECT`, `INSERT` and so on.
fn operation(sql: &str) -> Option<&str> {
    sql.split_whitespace().next()
}

/// The table that a statement changes or reads from: of a join the first, and of a subquery in place of a table that of
/// the subquery.
fn table(sql: &str) -> Option<&str> {
    let (mut depth, mut depth_of_from) = (0, 0);
    let mut after_keyword = false;
    for token in tokens(sql) {
        match token {
            "(" => {
                depth += 1;
                if after_keyword {
                    depth_of_from = depth;
                }
            }
            ")" => depth -= 1,
            name if after_keyword => return Some(name),
            _ => {}
        }
        after_keyword = depth == depth_of_from && matches!(token, "FROM" | "INTO" | "UPDATE");
    }
    None
}

/// Words and parentheses.
fn tokens(sql: &str) -> impl Iterator<Item = &str> {
    sql.split_whitespace().flat_map(|word| {
        word.split_inclusive(['(', ')']).flat_map(|part| {
            let name = part.trim_end_matches(['(', ')']);
            [name, &part[name.len()..]].into_iter().filter(|token| !token.is_empty())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_operation_and_the_table_are_read_from_the_text() {
        for (sql, expected) in [
            ("SELECT id FROM users WHERE id = $1", (Some("SELECT"), Some("users"))),
            (
                "SELECT id\n             FROM photos\n LEFT JOIN events ON TRUE",
                (Some("SELECT"), Some("photos")),
            ),
            (
                "INSERT INTO coupons (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET id = $1",
                (Some("INSERT"), Some("coupons")),
            ),
            ("UPDATE events SET photos = (SELECT COUNT(*) FROM photos)", (Some("UPDATE"), Some("events"))),
            ("DELETE FROM jobs WHERE state = 'done'", (Some("DELETE"), Some("jobs"))),
            ("SELECT (SELECT COUNT(*) FROM photos), COUNT(*) FROM events", (Some("SELECT"), Some("events"))),
            (
                "SELECT kind FROM (SELECT kind, COALESCE(a, 0) AS b FROM jobs) AS open",
                (Some("SELECT"), Some("jobs")),
            ),
            ("BEGIN IMMEDIATE", (Some("BEGIN"), None)),
            ("COMMIT", (Some("COMMIT"), None)),
        ] {
            assert_eq!((operation(sql), table(sql)), expected, "{sql}");
        }
    }
}
