//! Rows of another installation that take the place of all rows here, and the proof that they are the same:
//! `afterglow migrate-to`.
//!
//! The other installation is a snapshot; this database is PostgreSQL. Rows are replaced in one transaction, so that they
//! are those of one moment, whatever is interrupted.

use domain::Paise;
use futures::TryStreamExt as _;
use sqlx::{AssertSqlSafe, PgConnection};

use crate::operations::runtime::decode::FromColumns;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{Statement, execute, fetch_one, fetch_optional};
use crate::operations::runtime::tables::{self, Source, Table};
use crate::operations::snapshots;
use crate::{Db, Error, Executor, Result, Tx};

/// The table that each database keeps for itself: its media store is another one than the snapshot's.
const OWN: &str = "media_store";
/// Name of that table's row.
const MEDIA: &str = "media";

/// What a table holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// Its name.
    pub table: String,
    /// How many rows it has.
    pub rows: u64,
    /// A sum of the hashes of its rows, whatever their order.
    digest: [u64; 4],
}

/// Whose rows a database has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occupant {
    /// Nobody has registered with it.
    Nobody,
    /// The installation that asks, whose rows are as they were put here.
    Same,
    /// The installation that asks, but rows have changed since: somebody has served the database.
    Changed,
    /// Another installation, whose rows were put here.
    Another,
    /// People who have registered here.
    Own,
}

/// Sums that money has to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums {
    /// Of all balances.
    pub balances: Paise,
    /// Of all changes in the ledger.
    pub ledger: Paise,
}

row! {
    pub(crate) struct Record {
        moved_from: Option<String>,
        moved_digest: Option<Vec<u8>>,
    }
}

impl FromColumns for Record {
    type Columns = Self;

    fn from_columns(row: Self) -> Result<Self> {
        Ok(row)
    }
}

row! {
    pub(crate) struct SumsRow {
        balances: i64,
        ledger: i64,
    }
}

impl FromColumns for Sums {
    type Columns = SumsRow;

    fn from_columns(row: SumsRow) -> Result<Self> {
        Ok(Self { balances: Paise::new(row.balances), ledger: Paise::new(row.ledger) })
    }
}

/// Takes the leases of the processes that work with the original from a snapshot: none of them works with the copy.
pub async fn release_leases(snapshot: &Db) -> Result<()> {
    for table in layout(snapshot).await?.iter().filter(|table| table.has("lease")) {
        let update = format!(
            "UPDATE {} SET lease = NULL, leased_until = NULL WHERE lease IS NOT NULL OR leased_until IS NOT NULL",
            table.name
        );
        Statement::built(update).execute(snapshot.writer()).await?;
    }
    Ok(())
}

/// What the tables hold that a snapshot has, in the snapshot itself or in a database that its rows were put into. Takes as
/// long as reading all rows.
pub async fn contents(db: &Db, snapshot: &Db) -> Result<Vec<Contents>> {
    let layout = layout(snapshot).await?;
    match db {
        Db::Sqlite { readers, .. } => {
            let mut connection = readers.acquire().await?;
            let mut contents = Vec::new();
            for table in &layout {
                contents.push(sum(table, Source::Sqlite(&mut connection)).await?);
            }
            Ok(contents)
        }
        Db::Postgres(pool) => contents_of(&mut *tables::begin_reading(pool).await?, &layout).await,
    }
}

/// Whether a database, of this version or an earlier one, has accounts that no move has put there: its schema is not to be
/// touched.
///
/// # Errors
/// [`Error::Address`] when it is a SQLite file.
pub async fn is_inhabited(db: &Db) -> Result<bool> {
    let mut tx = db.begin().await?;
    let connection = postgres(&mut tx)?;
    let has_schema: bool =
        sqlx::query_scalar("SELECT to_regclass('users') IS NOT NULL").fetch_one(&mut *connection).await?;
    if !has_schema {
        return Ok(false);
    }
    let knows_moves: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM pg_attribute
             WHERE attrelid = to_regclass('media_store') AND attname = 'moved_from' AND NOT attisdropped)",
    )
    .fetch_one(&mut *connection)
    .await?;
    let was_moved = knows_moves && {
        let record = "SELECT EXISTS (SELECT 1 FROM media_store WHERE moved_from IS NOT NULL)";
        sqlx::query_scalar(record).fetch_one(&mut *connection).await?
    };
    Ok(!was_moved && !snapshots::is_vacant(&mut tx).await?)
}

/// Whose rows a PostgreSQL database has, from the point of view of the installation `from`, of which `snapshot` is one.
///
/// # Errors
/// [`Error::Address`] when it is a SQLite file, into which nothing is moved.
pub async fn occupant(db: &Db, snapshot: &Db, from: &str) -> Result<Occupant> {
    let layout = layout(snapshot).await?;
    let mut tx = db.begin().await?;
    tables::lift_limits(postgres(&mut tx)?).await?;
    let occupant = occupant_in(&mut tx, &layout, from).await?;
    tx.rollback().await?;
    Ok(occupant)
}

/// Notes that the installation `from` moves into this database, whose media store is known already; false when another one
/// does.
pub async fn claim(db: &Db, from: &str) -> Result<bool> {
    let claimed = execute!(
        db,
        "UPDATE media_store SET moved_from = $2 WHERE name = $1 AND (moved_from IS NULL OR moved_from = $2)",
        MEDIA,
        from,
    )?;
    Ok(claimed == 1)
}

/// Replaces all rows by those of a snapshot of the installation `from`, whose contents are `expected`. Nothing changes when
/// the database is neither vacant nor as this function has left it; whose rows it has is answered then. `progress` is told
/// of each table.
///
/// # Errors
/// [`Error::Address`] when the database is a SQLite file.
pub async fn replace(
    db: &Db,
    snapshot: &Db,
    from: &str,
    expected: &[Contents],
    mut progress: impl FnMut(&str, u64),
) -> Result<Occupant> {
    let Db::Sqlite { readers, .. } = snapshot else {
        return Err(Error::Address(None));
    };
    let layout = layout(snapshot).await?;
    let names: Vec<&str> = layout.iter().map(|table| table.name.as_str()).collect();
    let mut tx = db.begin().await?;
    let connection = postgres(&mut tx)?;
    tables::lift_limits(connection).await?;
    // Nobody changes a row between the look at them and their end.
    let lock = format!("LOCK TABLE {OWN}, {} IN ACCESS EXCLUSIVE MODE", names.join(", "));
    sqlx::query(AssertSqlSafe(lock)).execute(&mut *connection).await?;
    let occupant = occupant_in(&mut tx, &layout, from).await?;
    if !matches!(occupant, Occupant::Nobody | Occupant::Same) {
        return Ok(occupant);
    }
    // Not row by row: that is slower, leaves deleted embeddings in the files, and the ledger refuses it.
    let truncate = format!("TRUNCATE TABLE {}", names.join(", "));
    sqlx::query(AssertSqlSafe(truncate)).execute(postgres(&mut tx)?).await?;
    let mut source = readers.acquire().await?;
    for (table, contents) in layout.iter().zip(expected) {
        progress(&table.name, contents.rows);
        table.insert(&mut tx, table.rows(Source::Sqlite(&mut source))).await?;
    }
    // Before it gathers statistics by itself, PostgreSQL would plan as if the tables were empty.
    let analyze = format!("ANALYZE {}", names.join(", "));
    sqlx::query(AssertSqlSafe(analyze)).execute(postgres(&mut tx)?).await?;
    let digest = digest(expected).to_vec();
    execute!(
        &mut tx,
        "UPDATE media_store SET moved_from = $2, moved_digest = $3 WHERE name = $1",
        MEDIA,
        from,
        digest,
    )?;
    tx.commit().await?;
    Ok(occupant)
}

/// The sums of all balances and of the whole ledger.
pub async fn sums(db: &dyn Executor) -> Result<Sums> {
    fetch_one!(
        db,
        Sums,
        "SELECT CAST(COALESCE(SUM(credits), 0) AS BIGINT) AS balances,
             (SELECT CAST(COALESCE(SUM(change), 0) AS BIGINT) FROM ledger) AS ledger
         FROM users",
    )
}

/// The tables whose rows go along: all but one, so that none can be forgotten.
async fn layout(snapshot: &Db) -> Result<Vec<Table>> {
    let Db::Sqlite { readers, .. } = snapshot else {
        return Err(Error::Address(None));
    };
    let mut layout = tables::tables(&mut *readers.acquire().await?).await?;
    layout.retain(|table| table.name != OWN);
    Ok(layout)
}

/// The connection of a transaction on PostgreSQL.
fn postgres(tx: &mut Tx) -> Result<&mut PgConnection> {
    match tx {
        Tx::Postgres(tx) => Ok(&mut **tx.get_mut()),
        Tx::Sqlite(_) => Err(Error::Address(None)),
    }
}

async fn occupant_in(tx: &mut Tx, layout: &[Table], from: &str) -> Result<Occupant> {
    let record = fetch_optional!(
        &mut *tx,
        Record,
        "SELECT moved_from, moved_digest FROM media_store WHERE name = $1",
        MEDIA,
    )?;
    let Record { moved_from, moved_digest } =
        record.unwrap_or(Record { moved_from: None, moved_digest: None });
    if moved_from.as_deref().is_some_and(|other| other != from) {
        return Ok(Occupant::Another);
    }
    let Some(known) = moved_digest else {
        let is_vacant = snapshots::is_vacant(&mut *tx).await?;
        return Ok(if is_vacant { Occupant::Nobody } else { Occupant::Own });
    };
    let found = digest(&contents_of(postgres(tx)?, layout).await?);
    Ok(if found.as_slice() == known { Occupant::Same } else { Occupant::Changed })
}

async fn contents_of(connection: &mut PgConnection, layout: &[Table]) -> Result<Vec<Contents>> {
    let mut contents = Vec::new();
    for table in layout {
        contents.push(sum(table, Source::Postgres(&mut *connection)).await?);
    }
    Ok(contents)
}

/// Reads a table to its end. The order in which an engine answers rows is its own, and to sort them takes memory: so their
/// hashes are added up.
async fn sum(table: &Table, source: Source<'_>) -> Result<Contents> {
    let (mut rows, mut digest) = (0, [0_u64; 4]);
    let mut stream = table.rows(source);
    while let Some(row) = stream.try_next().await? {
        let mut hasher = blake3::Hasher::new();
        for value in &row {
            value.hash(&mut hasher);
        }
        let hash = hasher.finalize();
        for (sum, part) in digest.iter_mut().zip(hash.as_bytes().chunks_exact(8)) {
            let part = part.iter().rev().fold(0, |number, byte| (number << 8) | u64::from(*byte));
            *sum = sum.wrapping_add(part);
        }
        rows += 1;
    }
    Ok(Contents { table: table.name.clone(), rows, digest })
}

/// One digest of all tables.
fn digest(contents: &[Contents]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    for Contents { table, rows, digest } in contents {
        hasher
            .update(&(table.len() as u64).to_le_bytes())
            .update(table.as_bytes())
            .update(&rows.to_le_bytes());
        for part in digest {
            hasher.update(&part.to_le_bytes());
        }
    }
    *hasher.finalize().as_bytes()
}
