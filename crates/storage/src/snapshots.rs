//! Snapshots: all rows of a database as of one moment, in a SQLite file.
//!
//! The two engines have the same tables and columns, so a snapshot of either restores into either.

use std::collections::HashSet;
use std::path::Path;

use futures::stream::BoxStream;
use futures::{StreamExt as _, TryStreamExt as _};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{
    AssertSqlSafe, ColumnIndex, ConnectOptions as _, Connection as _, Decode, PgConnection, PgPool,
    QueryBuilder, Row, SqliteConnection, SqlitePool, Type,
};

use crate::statements::{dispatch, fetch_one};
use crate::{ConnectOptions, Db, Error, Executor, Result, Tx, decode};

/// Values that one `INSERT` binds at most; SQLite's limit is 32,766 (sqlite.org/limits.html).
const BINDS: usize = 16_000;
/// Rows that one `INSERT` has at most, which bounds the memory that embeddings take.
const ROWS: usize = 500;

/// The tables that hold data.
const TABLES: &str =
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
     AND name <> '_sqlx_migrations' ORDER BY name";

/// Writes a snapshot of the database to a new file at `path`. Takes as long as reading all rows, and blocks nobody.
///
/// # Errors
/// Also when the file cannot be written.
pub async fn write(db: &Db, path: &Path) -> Result<()> {
    match db {
        Db::Sqlite { readers, .. } => vacuum_into(readers, path).await,
        Db::Postgres(pool) => export(pool, path).await,
    }
}

/// Opens a snapshot as a database. It is brought to the current schema if an earlier version wrote it, so the file has
/// to be a private copy.
///
/// # Errors
/// [`Error::Migration`] when a later version wrote it; also when the file is not a snapshot.
pub async fn open(path: &Path) -> Result<Db> {
    let options = ConnectOptions { max_connections: 2, ..ConnectOptions::default() };
    let snapshot = Db::connect(&format!("sqlite://{}", utf8(path)?), options).await?;
    snapshot.migrate().await?;
    Ok(snapshot)
}

/// Whether nobody has registered with this database: only then it may be replaced by a snapshot.
pub async fn is_vacant(db: impl Executor) -> Result<bool> {
    let accounts: i64 = fetch_one!(db, i64, "SELECT COUNT(*) FROM (SELECT 1 FROM users LIMIT 1) AS first")?;
    Ok(accounts == 0)
}

/// Replaces all rows of a vacant database by those of a snapshot, in one transaction; false, and nothing changes, when
/// it is not vacant.
pub async fn restore(db: &Db, snapshot: &Db) -> Result<bool> {
    let Db::Sqlite { readers, .. } = snapshot else {
        return Err(Error::Address(None));
    };
    let mut source = readers.acquire().await?;
    let tables = tables(&mut source).await?;
    let mut tx = db.begin().await?;
    if !is_vacant(&mut tx).await? {
        return Ok(false);
    }
    // A server that ran on the empty database has left secrets and schedules.
    for table in tables.iter().rev() {
        let delete = format!("DELETE FROM {}", table.name);
        dispatch!(tx.writer(), "DELETE", conn => async {
            sqlx::query(AssertSqlSafe(delete)).execute(conn).await.map(|_| ())
        })?;
    }
    for table in &tables {
        let rows = table.rows(Source::Sqlite(&mut source));
        table.insert(&mut tx, rows).await?;
    }
    tx.commit().await?;
    Ok(true)
}

/// SQLite copies itself, within one read transaction.
async fn vacuum_into(readers: &SqlitePool, path: &Path) -> Result<()> {
    // A connection of its own: the readers' may not write, not even to another file.
    let options = SqliteConnectOptions::clone(&readers.connect_options()).pragma("query_only", "OFF");
    let mut connection = options.connect().await?;
    sqlx::query("VACUUM INTO $1").bind(utf8(path)?).execute(&mut connection).await?;
    connection.close().await?;
    Ok(())
}

/// Copies the rows that one transaction of PostgreSQL sees into a new SQLite file.
async fn export(pool: &PgPool, path: &Path) -> Result<()> {
    let snapshot = open(path).await?;
    let mut source = pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
    // The limits are for requests; reading all rows may take longer.
    for limit in ["statement_timeout", "idle_in_transaction_session_timeout"] {
        sqlx::query(AssertSqlSafe(format!("SET LOCAL {limit} = 0"))).execute(&mut *source).await?;
    }
    let mut tx = snapshot.begin().await?;
    let Tx::Sqlite(connection) = &mut tx else { return Err(Error::Address(None)) };
    for table in tables(connection).await? {
        let rows = table.rows(Source::Postgres(&mut source));
        table.insert(&mut tx, rows).await?;
    }
    tx.commit().await?;
    snapshot.close().await;
    Ok(())
}

fn utf8(path: &Path) -> Result<&str> {
    path.to_str().ok_or(Error::Address(None))
}

/// A connection that rows are read from.
enum Source<'a> {
    Sqlite(&'a mut SqliteConnection),
    Postgres(&'a mut PgConnection),
}

/// A table that both engines have.
struct Table {
    name: String,
    columns: Vec<Column>,
}

struct Column {
    name: String,
    kind: Kind,
}

/// The types of the portable subset of SQL that the schema keeps to.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    Integer,
    Real,
    Boolean,
    Bytes,
}

impl Kind {
    fn parse(declared: &str) -> Option<Self> {
        Some(match declared {
            "TEXT" => Self::Text,
            "BIGINT" => Self::Integer,
            "DOUBLE PRECISION" => Self::Real,
            "BOOLEAN" => Self::Boolean,
            "BLOB" => Self::Bytes,
            _ => return None,
        })
    }
}

enum Value {
    Text(Option<String>),
    Integer(Option<i64>),
    Real(Option<f64>),
    Boolean(Option<bool>),
    Bytes(Option<Vec<u8>>),
}

/// The tables of a SQLite database, each after those that it refers to.
async fn tables(connection: &mut SqliteConnection) -> Result<Vec<Table>> {
    let mut names: Vec<String> = sqlx::query_scalar(TABLES).fetch_all(&mut *connection).await?;
    let references: Vec<(String, String)> = sqlx::query_as(
        "SELECT m.name, f.\"table\" FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
         WHERE m.type = 'table' AND m.name <> f.\"table\"",
    )
    .fetch_all(&mut *connection)
    .await?;
    let (mut tables, mut listed) = (Vec::new(), HashSet::new());
    while !names.is_empty() {
        let is_ready =
            |name: &String| references.iter().all(|(from, to)| from != name || listed.contains(to));
        let (ready, rest): (Vec<_>, Vec<_>) = names.into_iter().partition(is_ready);
        if ready.is_empty() {
            return Err(Error::Unreadable { column: "sqlite_schema.name" });
        }
        for name in ready {
            tables.push(Table { columns: columns(connection, &name).await?, name: name.clone() });
            listed.insert(name);
        }
        names = rest;
    }
    Ok(tables)
}

async fn columns(connection: &mut SqliteConnection, table: &str) -> Result<Vec<Column>> {
    let declared: Vec<(String, String)> =
        sqlx::query_as("SELECT name, type FROM pragma_table_info($1) ORDER BY cid")
            .bind(table)
            .fetch_all(connection)
            .await?;
    declared
        .into_iter()
        .map(|(name, declared)| {
            Ok(Column { name, kind: decode::known(Kind::parse(&declared), "sqlite_schema.type")? })
        })
        .collect()
}

impl Table {
    fn list_of_columns(&self) -> String {
        let names: Vec<_> = self.columns.iter().map(|column| format!("\"{}\"", column.name)).collect();
        names.join(", ")
    }

    /// All rows.
    fn rows<'a>(&'a self, source: Source<'a>) -> BoxStream<'a, Result<Vec<Value>>> {
        let select = AssertSqlSafe(format!("SELECT {} FROM {}", self.list_of_columns(), self.name));
        match source {
            Source::Sqlite(connection) => {
                sqlx::query(select).fetch(connection).map(|row| values(&self.columns, &row?)).boxed()
            }
            Source::Postgres(connection) => {
                sqlx::query(select).fetch(connection).map(|row| values(&self.columns, &row?)).boxed()
            }
        }
    }

    /// Inserts rows, many by one statement.
    async fn insert(&self, tx: &mut Tx, rows: BoxStream<'_, Result<Vec<Value>>>) -> Result<()> {
        let insert = format!("INSERT INTO {} ({}) ", self.name, self.list_of_columns());
        let batch = (BINDS / self.columns.len().max(1)).clamp(1, ROWS);
        let mut batches = rows.try_chunks(batch).map_err(|error| error.1).boxed();
        while let Some(rows) = batches.try_next().await? {
            dispatch!(tx.writer(), "INSERT", conn => async {
                let mut statement = QueryBuilder::new(insert.as_str());
                statement.push_values(rows, |mut row, values| {
                    for value in values {
                        match value {
                            Value::Text(value) => row.push_bind(value),
                            Value::Integer(value) => row.push_bind(value),
                            Value::Real(value) => row.push_bind(value),
                            Value::Boolean(value) => row.push_bind(value),
                            Value::Bytes(value) => row.push_bind(value),
                        };
                    }
                });
                statement.build().execute(conn).await.map(|_| ())
            })?;
        }
        Ok(())
    }
}

fn values<'r, R>(columns: &[Column], row: &'r R) -> Result<Vec<Value>>
where
    R: Row,
    usize: ColumnIndex<R>,
    Option<String>: Decode<'r, R::Database> + Type<R::Database>,
    Option<i64>: Decode<'r, R::Database> + Type<R::Database>,
    Option<f64>: Decode<'r, R::Database> + Type<R::Database>,
    Option<bool>: Decode<'r, R::Database> + Type<R::Database>,
    Option<Vec<u8>>: Decode<'r, R::Database> + Type<R::Database>,
{
    let value = |(index, column): (usize, &Column)| {
        Ok(match column.kind {
            Kind::Text => Value::Text(row.try_get(index)?),
            Kind::Integer => Value::Integer(row.try_get(index)?),
            Kind::Real => Value::Real(row.try_get(index)?),
            Kind::Boolean => Value::Boolean(row.try_get(index)?),
            Kind::Bytes => Value::Bytes(row.try_get(index)?),
        })
    };
    columns.iter().enumerate().map(value).collect()
}
