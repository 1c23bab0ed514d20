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
//! The text stands once and serves both engines; what differs between them is passed by value ([`Value`], [`Row`]), so that a
//! statement is compiled once. Of a [`crate::Db`], the `fetch_…!` macros use a reader and `execute!` the writer. A text that
//! depends on its values is built by [`Statement`].

use std::borrow::Cow;
use std::fmt::{Display, Write as _};
use std::future::Future;
use std::time::Instant;

use futures::TryStreamExt as _;
use futures::future::BoxFuture;
use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use sqlx::sqlite::SqliteArguments;
use sqlx::{AssertSqlSafe, Postgres, SqlSafeStr as _, SqlStr, Sqlite};
use tracing::field::Empty;
use tracing::{Instrument as _, debug, debug_span};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::encode::{self, ToColumn, Value};
use crate::operations::runtime::executor::Source;
use crate::operations::runtime::options::{Engine, STATEMENT_TIMEOUT};
use crate::operations::runtime::row::{FromRow, Row};
use crate::{Error, Result};

/// Answers the number of affected rows.
macro_rules! execute {
    ($executor:expr, $($query:tt)+) => {{
        #[allow(unused_imports, reason = "a module that names the trait has it in scope")]
        use $crate::operations::runtime::executor::Executor as _;
        $crate::operations::runtime::statements::statement!($($query)+).execute($executor.writer()).await
    }};
}
pub(crate) use execute;

/// Answers the row; that there is none is an error.
macro_rules! fetch_one {
    ($executor:expr, $type:ty, $($query:tt)+) => {
        $crate::operations::runtime::statements::fetch!(fetch_one, $executor, $type, $($query)+)
    };
}
pub(crate) use fetch_one;

/// Answers the row, or `None`.
macro_rules! fetch_optional {
    ($executor:expr, $type:ty, $($query:tt)+) => {
        $crate::operations::runtime::statements::fetch!(fetch_optional, $executor, $type, $($query)+)
    };
}
pub(crate) use fetch_optional;

/// Answers the rows.
macro_rules! fetch_all {
    ($executor:expr, $type:ty, $($query:tt)+) => {
        $crate::operations::runtime::statements::fetch!(fetch_all, $executor, $type, $($query)+)
    };
}
pub(crate) use fetch_all;

macro_rules! fetch {
    ($fetch:ident, $executor:expr, $type:ty, $($query:tt)+) => {{
        #[allow(unused_imports, reason = "a module that names the trait has it in scope")]
        use $crate::operations::runtime::executor::Executor as _;
        $crate::operations::runtime::statements::statement!($($query)+).$fetch::<$type>($executor.reader()).await
    }};
}
pub(crate) use fetch;

macro_rules! statement {
    ($sql:expr $(, $value:expr)* $(,)?) => {
        $crate::operations::runtime::statements::Statement::fixed(
            $sql,
            vec![$($crate::operations::runtime::encode::ToColumn::to_column(&$value)),*],
        )
    };
}
pub(crate) use statement;

/// How many values one list has at most; SQLite takes 32,766 in a statement.
pub(crate) const LIST_LIMIT: usize = 500;

/// A text with the values of `$1`, `$2` and so on.
pub(crate) struct Statement {
    text: Cow<'static, str>,
    values: Vec<Value>,
    /// Whether connections keep it prepared.
    persistent: bool,
}

impl Statement {
    /// One whose text is always the same, which connections keep prepared.
    pub(crate) fn fixed(text: &'static str, values: Vec<Value>) -> Self {
        Self { text: Cow::Borrowed(text), values, persistent: true }
    }

    /// The beginning of one whose text is built. As there may be many such texts, connections do not keep it prepared.
    pub(crate) fn built(text: impl Into<Cow<'static, str>>) -> Self {
        Self { text: text.into(), values: Vec::new(), persistent: false }
    }

    /// `INSERT INTO table (…) VALUES (…)` of these columns, the same at each call.
    pub(crate) fn insert(table: &str, columns: impl IntoIterator<Item = (&'static str, Value)>) -> Self {
        let (names, values): (Vec<&str>, Vec<Value>) = columns.into_iter().unzip();
        let mut statement = Self::built(format!("INSERT INTO {table} ({}) VALUES ", names.join(", ")));
        statement.push_row(values);
        statement.persistent()
    }

    /// `UPDATE table SET …` of these columns, the same at each call; the condition is to follow.
    pub(crate) fn update(table: &str, columns: impl IntoIterator<Item = (&'static str, Value)>) -> Self {
        let mut statement = Self::built(format!("UPDATE {table} SET "));
        for (place, (name, value)) in columns.into_iter().enumerate() {
            statement.push(if place == 0 { "" } else { ", " }).push(name).push(" = ").push_bind(value);
        }
        statement.persistent()
    }

    /// Has connections keep it prepared, for one that has few texts.
    pub(crate) fn persistent(mut self) -> Self {
        self.persistent = true;
        self
    }

    /// Appends to the text, which is not quoted in any way.
    pub(crate) fn push(&mut self, text: impl Display) -> &mut Self {
        // Writing to a string does not fail.
        let _ = write!(self.text.to_mut(), "{text}");
        self
    }

    /// Appends a placeholder and binds its value.
    pub(crate) fn push_bind(&mut self, value: impl Into<Value>) -> &mut Self {
        self.values.push(value.into());
        let place = self.values.len();
        self.push(format_args!("${place}"))
    }

    /// Appends `($1, $2, …)` with these values: the right side of an `IN`.
    pub(crate) fn push_list<T: ToColumn>(&mut self, values: &[T]) -> &mut Self {
        self.push_row(values.iter().map(ToColumn::to_column))
    }

    /// Appends `VALUES ($1, $2, …), ($3, $4, …), …`.
    pub(crate) fn push_values<const N: usize>(
        &mut self,
        rows: impl IntoIterator<Item = [Value; N]>,
    ) -> &mut Self {
        self.push_rows(rows)
    }

    /// The same for rows whose width is not known before the program runs.
    pub(crate) fn push_rows(
        &mut self,
        rows: impl IntoIterator<Item = impl IntoIterator<Item = Value>>,
    ) -> &mut Self {
        let mut separator = "VALUES ";
        for row in rows {
            self.push(separator).push_row(row);
            separator = ", ";
        }
        self
    }

    fn push_row(&mut self, values: impl IntoIterator<Item = Value>) -> &mut Self {
        let mut separator = "(";
        for value in values {
            self.push(separator).push_bind(value);
            separator = ", ";
        }
        self.push(")")
    }

    // `execute`, `first_row` and `each_row` are not generic, so that they are compiled once, and boxed, so that the futures
    // above them stay small.

    /// The row as its columns are, or `None`.
    pub(crate) async fn fetch_row<R: FromRow>(self, source: Source<'_>) -> Result<Option<R>> {
        let row = self.first_row(source).await?;
        Ok(row.as_ref().map(R::from_row).transpose()?)
    }

    /// The rows as their columns are.
    pub(crate) async fn fetch_rows<R: FromRow + Send>(self, source: Source<'_>) -> Result<Vec<R>> {
        let mut rows = Vec::new();
        self.each_row(source, &mut |row| {
            rows.push(R::from_row(row)?);
            Ok(())
        })
        .await?;
        Ok(rows)
    }

    /// The row; that there is none is an error.
    pub(crate) async fn fetch_one<T: FromColumns>(self, source: Source<'_>) -> Result<T>
    where
        T::Columns: FromRow,
    {
        let row = self.first_row(source).await?.ok_or(sqlx::Error::RowNotFound)?;
        T::from_columns(T::Columns::from_row(&row)?)
    }

    /// The row, or `None`.
    pub(crate) async fn fetch_optional<T: FromColumns>(self, source: Source<'_>) -> Result<Option<T>>
    where
        T::Columns: FromRow,
    {
        decode::optional(self.fetch_row(source).await?)
    }

    /// The rows.
    pub(crate) async fn fetch_all<T: FromColumns>(self, source: Source<'_>) -> Result<Vec<T>>
    where
        T::Columns: FromRow + Send,
    {
        decode::all(self.fetch_rows(source).await?)
    }

    /// Runs it, and answers the number of affected rows.
    pub(crate) fn execute(self, source: Source<'_>) -> BoxFuture<'_, Result<u64>> {
        Box::pin(async move {
            let sql = self.sql();
            match source {
                Source::Sqlite(connections) => {
                    run(Engine::Sqlite, sql.as_str(), async {
                        let done = self.for_sqlite(&sql)?.execute(&mut *connections.acquire().await?).await;
                        done.map(|done| done.rows_affected())
                    })
                    .await
                }
                Source::Postgres(connections) => {
                    run(Engine::Postgres, sql.as_str(), async {
                        let done = self.for_postgres(&sql)?.execute(&mut *connections.acquire().await?).await;
                        done.map(|done| done.rows_affected())
                    })
                    .await
                }
            }
        })
    }

    fn first_row(self, source: Source<'_>) -> BoxFuture<'_, Result<Option<Row>>> {
        Box::pin(async move {
            let sql = self.sql();
            match source {
                Source::Sqlite(connections) => {
                    run(Engine::Sqlite, sql.as_str(), async {
                        let mut connection = connections.acquire().await?;
                        let row = self.for_sqlite(&sql)?.fetch_optional(&mut *connection).await?;
                        Ok(row.map(Row::Sqlite))
                    })
                    .await
                }
                Source::Postgres(connections) => {
                    run(Engine::Postgres, sql.as_str(), async {
                        let mut connection = connections.acquire().await?;
                        let row = self.for_postgres(&sql)?.fetch_optional(&mut *connection).await?;
                        Ok(row.map(Row::Postgres))
                    })
                    .await
                }
            }
        })
    }

    /// Rows are read one by one, so that those of a large answer are not in memory twice.
    fn each_row<'a>(
        self,
        source: Source<'a>,
        read: &'a mut (dyn FnMut(&Row) -> sqlx::Result<()> + Send),
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let sql = self.sql();
            match source {
                Source::Sqlite(connections) => {
                    run(Engine::Sqlite, sql.as_str(), async {
                        let mut connection = connections.acquire().await?;
                        let mut rows = self.for_sqlite(&sql)?.fetch(&mut *connection);
                        while let Some(row) = rows.try_next().await? {
                            read(&Row::Sqlite(row))?;
                        }
                        Ok(())
                    })
                    .await
                }
                Source::Postgres(connections) => {
                    run(Engine::Postgres, sql.as_str(), async {
                        let mut connection = connections.acquire().await?;
                        let mut rows = self.for_postgres(&sql)?.fetch(&mut *connection);
                        while let Some(row) = rows.try_next().await? {
                            read(&Row::Postgres(row))?;
                        }
                        Ok(())
                    })
                    .await
                }
            }
        })
    }

    fn sql(&self) -> SqlStr {
        match &self.text {
            Cow::Borrowed(text) => SqlStr::from_static(text),
            // Values are bound; what is pushed are texts and numbers of this crate.
            Cow::Owned(text) => AssertSqlSafe(text.as_str()).into_sql_str(),
        }
    }

    fn for_sqlite(&self, sql: &SqlStr) -> sqlx::Result<Query<'static, Sqlite, SqliteArguments>> {
        let mut arguments = SqliteArguments::default();
        encode::add_all(&mut arguments, &self.values)?;
        Ok(sqlx::query_with(sql.clone(), arguments).persistent(self.persistent))
    }

    fn for_postgres(&self, sql: &SqlStr) -> sqlx::Result<Query<'static, Postgres, PgArguments>> {
        let mut arguments = PgArguments::default();
        encode::add_all(&mut arguments, &self.values)?;
        Ok(sqlx::query_with(sql.clone(), arguments).persistent(self.persistent))
    }
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
        otel.name = named(operation(sql), table(sql)),
        otel.kind = "client",
        db.system.name = engine.name(),
        db.operation.name = operation(sql),
        db.collection.name = table(sql),
        duration_ms = Empty,
    );
    #[cfg(feature = "testing")]
    crate::testing::rivals::before_statement().await;
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

/// What collectors call a statement (OpenTelemetry, "Semantic conventions for database client calls"): `SELECT photos`.
fn named(operation: Option<&str>, table: Option<&str>) -> String {
    [operation, table].into_iter().flatten().collect::<Vec<_>>().join(" ")
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
