//! All tables as the schema declares them, their rows as values, and rows inserted many at a time.

use std::collections::HashSet;

use futures::stream::BoxStream;
use futures::{StreamExt as _, TryStreamExt as _};
use sqlx::{
    AssertSqlSafe, ColumnIndex, Decode, PgConnection, PgPool, Postgres, Row, SqliteConnection, Transaction,
    Type,
};

use crate::operations::runtime::decode;
use crate::operations::runtime::encode::Value;
use crate::operations::runtime::executor::Executor as _;
use crate::operations::runtime::statements::Statement;
use crate::{Error, Result, Tx};

/// Values that one `INSERT` binds at most; SQLite's limit is 32,766 (sqlite.org/limits.html).
const BINDS: usize = 16_000;
/// Rows that one `INSERT` has at most, which bounds the memory that embeddings take.
const ROWS: usize = 500;

/// The tables that hold data; not what is counted against limits, which is of no use elsewhere and is forgotten soon.
const TABLES: &str =
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
     AND name NOT IN ('_sqlx_migrations', 'counted_requests') ORDER BY name";

/// A connection that rows are read from.
pub(crate) enum Source<'a> {
    Sqlite(&'a mut SqliteConnection),
    Postgres(&'a mut PgConnection),
}

/// A transaction of PostgreSQL that sees one moment and may take as long as reading all rows does.
pub(crate) async fn begin_reading(pool: &PgPool) -> Result<Transaction<'static, Postgres>> {
    let mut reading = pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
    lift_limits(&mut reading).await?;
    Ok(reading)
}

/// Takes the limits of requests from a transaction.
pub(crate) async fn lift_limits(transaction: &mut PgConnection) -> Result<()> {
    for limit in ["statement_timeout", "idle_in_transaction_session_timeout"] {
        sqlx::query(AssertSqlSafe(format!("SET LOCAL {limit} = 0"))).execute(&mut *transaction).await?;
    }
    Ok(())
}

/// A table that both engines have.
pub(crate) struct Table {
    pub(crate) name: String,
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

/// The tables of a SQLite database, each after those that it refers to.
pub(crate) async fn tables(connection: &mut SqliteConnection) -> Result<Vec<Table>> {
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
    /// Whether it has a column of this name.
    pub(crate) fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|own| own.name == column)
    }

    fn list_of_columns(&self) -> String {
        let names: Vec<_> = self.columns.iter().map(|column| format!("\"{}\"", column.name)).collect();
        names.join(", ")
    }

    /// All rows, in no order.
    pub(crate) fn rows<'a>(&'a self, source: Source<'a>) -> BoxStream<'a, Result<Vec<Value>>> {
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
    pub(crate) async fn insert(&self, tx: &mut Tx, rows: BoxStream<'_, Result<Vec<Value>>>) -> Result<()> {
        let insert = format!("INSERT INTO {} ({}) ", self.name, self.list_of_columns());
        let batch = (BINDS / self.columns.len().max(1)).clamp(1, ROWS);
        let mut batches = rows.try_chunks(batch).map_err(|error| error.1).boxed();
        while let Some(rows) = batches.try_next().await? {
            let mut statement = Statement::built(insert.clone());
            statement.push_rows(rows);
            statement.persistent().execute(tx.writer()).await?;
        }
        Ok(())
    }
}

impl Value {
    /// Adds it to a hash, so that no two lists of values have the same bytes.
    pub(crate) fn hash(&self, hasher: &mut blake3::Hasher) {
        match self {
            Self::Text(Some(value)) => hash_bytes(hasher, b't', value.as_bytes()),
            Self::Integer(Some(value)) => hash_bytes(hasher, b'i', &value.to_le_bytes()),
            Self::Real(Some(value)) => hash_bytes(hasher, b'r', &value.to_le_bytes()),
            Self::Boolean(Some(value)) => hash_bytes(hasher, b'b', &[u8::from(*value)]),
            Self::Bytes(Some(value)) => hash_bytes(hasher, b'x', value),
            Self::Text(None)
            | Self::Integer(None)
            | Self::Real(None)
            | Self::Boolean(None)
            | Self::Bytes(None) => hash_bytes(hasher, b'0', &[]),
        }
    }
}

fn hash_bytes(hasher: &mut blake3::Hasher, kind: u8, bytes: &[u8]) {
    hasher.update(&[kind]).update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
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
