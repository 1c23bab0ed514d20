//! Databases as earlier versions have left them, from the fixtures of this crate's tests.

use std::path::{Path, PathBuf};

use crate::operations::runtime::migrations;
use crate::testing::change;
use crate::{Db, Engine};

/// Frozen data of an earlier version: `tests/fixtures/schema-N.sql`.
#[derive(Clone, Debug)]
pub struct Frozen {
    /// The name of the file without its ending.
    pub name: String,
    /// What its migrations were, a line each.
    pub checksums: Vec<String>,
    /// The tables that have rows.
    pub tables: Vec<String>,
    versions: Vec<i64>,
    inserts: Vec<String>,
}

/// All frozen data that there is.
///
/// # Panics
/// When a file cannot be read, or is not one of these.
pub fn frozen() -> Vec<Frozen> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("there is frozen data")
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> Frozen {
    let text = std::fs::read_to_string(path).expect("frozen data can be read");
    let lines = |start: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with(start)).map(str::to_owned).collect()
    };
    let (checksums, inserts) = (lines("-- "), lines("INSERT INTO "));
    let word = |line: &String| line.split(' ').nth(2).map(str::to_owned).expect("a line has three words");
    let mut versions: Vec<i64> =
        checksums.iter().map(|line| word(line).parse().expect("a migration has a number")).collect();
    versions.dedup();
    let mut tables: Vec<String> = inserts.iter().map(word).collect();
    tables.dedup();
    let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
    Frozen { name, checksums, tables, versions, inserts }
}

impl Frozen {
    /// Makes the schema of that version in a database without any, and its rows.
    ///
    /// # Panics
    /// When the database refuses them.
    pub async fn thaw(&self, db: &Db) {
        let made = match db {
            Db::Sqlite { writer, .. } => migrations::sqlite_of(&self.versions).run(writer).await,
            Db::Postgres(pool) => migrations::postgres_of(&self.versions).run(pool).await,
        };
        made.expect("the database takes the migrations");
        for insert in &self.inserts {
            change(db, &in_words_of(db.engine(), insert)).await;
        }
    }
}

/// Bytes are written as SQLite writes them.
fn in_words_of(engine: Engine, insert: &str) -> String {
    if engine == Engine::Sqlite {
        return insert.to_owned();
    }
    let mut parts = insert.split(" X'");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (hex, rest) = part.split_once('\'').expect("bytes end with a quote");
        text.push_str(&format!(" '\\x{hex}'::bytea{rest}"));
    }
    text
}
