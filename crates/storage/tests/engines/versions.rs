//! Databases of earlier versions are upgraded directly to the newest, with everything that is in them.
//!
//! `tests/fixtures/schema-N.sql` is frozen data of version N: what its migrations were, and rows of all its tables as either
//! engine takes them. `FIXTURES=write` writes the one of the newest version, which a release does; those that are there are
//! never changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use domain::Paise;
use domain::accounts::EmailAddress;
use sqlx::AssertSqlSafe;
use sqlx::migrate::{Migration, Migrator};
use storage::accounts::users;
use storage::operations::schema;
use storage::{Db, Engine};

use crate::filling::{Column, Schema};
use crate::parity::change;
use crate::world::worlds;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

async fn migrations(engine: Engine) -> Vec<Migration> {
    let folder = match engine {
        Engine::Sqlite => "migrations/sqlite",
        Engine::Postgres => "migrations/postgres",
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    Migrator::new(folder).await.unwrap().iter().cloned().collect()
}

/// Makes the schema that these migrations make.
async fn make(db: &Db, versions: &[i64]) {
    let mut migrations = migrations(db.engine()).await;
    migrations.retain(|migration| versions.contains(&migration.version));
    let migrator = Migrator::with_migrations(migrations);
    match db {
        Db::Sqlite { writer, .. } => migrator.run(writer).await.unwrap(),
        Db::Postgres(pool) => migrator.run(pool).await.unwrap(),
    }
}

/// The lines by which a fixture says what its migrations were.
async fn checksums() -> Vec<String> {
    let mut lines = Vec::new();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        for migration in migrations(engine).await {
            let checksum: String = migration.checksum[..8].iter().map(|byte| format!("{byte:02x}")).collect();
            lines.push(format!("-- {engine:?} {} {checksum}", migration.version));
        }
    }
    lines
}

/// The number of rows of each table.
async fn counts(db: &Db, tables: &[&str]) -> BTreeMap<String, i64> {
    let mut counts = BTreeMap::new();
    for table in tables {
        let count = format!("SELECT COUNT(*) FROM {table}");
        let count: i64 = match db {
            Db::Sqlite { readers, .. } => {
                sqlx::query_scalar(AssertSqlSafe(count)).fetch_one(readers).await.unwrap()
            }
            Db::Postgres(pool) => sqlx::query_scalar(AssertSqlSafe(count)).fetch_one(pool).await.unwrap(),
        };
        counts.insert(String::from(*table), count);
    }
    counts
}

/// Brings a database to the newest schema and looks for what was in it.
async fn upgrade(db: &Db, tables: &[&str], what: &str) {
    let before = counts(db, tables).await;
    assert!(before.values().all(|rows| *rows > 0), "{what}: every table has rows: {before:?}");
    db.migrate().await.unwrap_or_else(|error| panic!("{what}: {error:?}"));
    let schema = schema::version(db).await.unwrap();
    assert_eq!((schema.found, schema.pending), (Some(schema.known), 0), "{what}");
    assert_eq!(counts(db, tables).await, before, "{what}");
    assert_eq!(db.verify().await.unwrap(), Vec::<String>::new(), "{what}");
}

#[tokio::test]
async fn frozen_data_is_upgraded_directly_to_the_newest_version() {
    // [SAFE215]
    if std::env::var_os("FIXTURES").is_some_and(|what| what == "write") {
        write().await;
    }
    let mut fixtures_found = 0;
    for entry in std::fs::read_dir(fixtures()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let frozen: Vec<&str> = text.lines().filter(|line| line.starts_with("-- ")).collect();
        let current = checksums().await;
        for line in &frozen {
            assert!(
                current.contains(&String::from(*line)),
                "{name}: {line}: a published migration never changes"
            );
        }
        let mut versions: Vec<i64> =
            frozen.iter().map(|line| line.split(' ').nth(2).unwrap().parse().unwrap()).collect();
        versions.dedup();
        let inserts: Vec<&str> = text.lines().filter(|line| line.starts_with("INSERT INTO ")).collect();
        let mut tables: Vec<&str> = inserts.iter().map(|line| line.split(' ').nth(2).unwrap()).collect();
        tables.dedup();
        for test in storage::testing::empty().await {
            make(&test.db, &versions).await;
            for insert in &inserts {
                change(&test.db, &in_words_of(test.db.engine(), insert)).await;
            }
            upgrade(&test.db, &tables, &format!("{name} {:?}", test.db.engine())).await;
            let email = EmailAddress::parse("meera@example.com").unwrap();
            let meera = users::credentials(&test.db, &email).await.unwrap().unwrap().user;
            assert_eq!(meera.credits, Paise::new(12_300), "{name}");
        }
        fixtures_found += 1;
    }
    assert!(fixtures_found > 0, "there is frozen data");
}

/// Bytes are written as SQLite writes them.
fn in_words_of(engine: Engine, insert: &str) -> String {
    if engine == Engine::Sqlite {
        return insert.to_owned();
    }
    let mut parts = insert.split(" X'");
    let mut text = parts.next().unwrap().to_owned();
    for part in parts {
        let (hex, rest) = part.split_once('\'').unwrap();
        text.push_str(&format!(" '\\x{hex}'::bytea{rest}"));
    }
    text
}

/// Freezes the newest version, unless that was done.
async fn write() {
    let world = worlds().await.remove(0);
    let version = schema::version(&world.db).await.unwrap().known;
    let path = fixtures().join(format!("schema-{version}.sql"));
    if path.exists() {
        return;
    }
    crate::snapshots::fill(&world).await;
    let schema = Schema::of(&world.db).await;
    schema.fill(&world.db).await;
    let mut text = checksums().await.join("\n");
    text.push('\n');
    for (table, columns) in schema.tables() {
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let values: Vec<String> = columns.iter().map(quoted).collect();
        let select = format!("SELECT {} FROM {table} ORDER BY 1", values.join(" || ', ' || "));
        let lines = match &world.db {
            Db::Sqlite { readers, .. } => {
                sqlx::query_scalar::<_, String>(AssertSqlSafe(select)).fetch_all(readers).await
            }
            Db::Postgres(_) => unreachable!("the first world is SQLite's"),
        };
        for line in lines.unwrap() {
            text.push_str(&format!("INSERT INTO {table} ({}) VALUES ( {line});\n", names.join(", ")));
        }
    }
    std::fs::create_dir_all(fixtures()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A value as SQL that both engines take, but for bytes.
fn quoted(column: &Column) -> String {
    let name = &column.name;
    if column.kind == "BOOLEAN" {
        format!("CASE {name} WHEN 1 THEN 'TRUE' WHEN 0 THEN 'FALSE' ELSE 'NULL' END")
    } else {
        format!("quote({name})")
    }
}

#[tokio::test]
async fn every_earlier_version_with_rows_in_all_tables_is_upgraded_directly() {
    // [SAFE215]
    let versions: Vec<i64> =
        migrations(Engine::Sqlite).await.iter().map(|migration| migration.version).collect();
    for (number, version) in versions.iter().enumerate() {
        let until = &versions[..=number];
        let [sqlite, postgres] = storage::testing::empty().await;
        make(&sqlite.db, until).await;
        let schema = Schema::of(&sqlite.db).await;
        let tables: Vec<&str> = schema.tables().into_iter().map(|(table, _)| table).collect();
        schema.fill(&sqlite.db).await;
        upgrade(&sqlite.db, &tables, &format!("schema {version} of SQLite")).await;
        make(&postgres.db, until).await;
        schema.fill(&postgres.db).await;
        upgrade(&postgres.db, &tables, &format!("schema {version} of PostgreSQL")).await;
    }
}

#[tokio::test]
async fn a_change_of_address_that_is_pending_needs_the_new_address_alone_after_the_upgrade() {
    // [ACC212]
    let versions: Vec<i64> = (1..57).collect();
    for test in storage::testing::empty().await {
        make(&test.db, &versions).await;
        let insert = "INSERT INTO users
             (id, email, email_key, pending_email, name, password_hash, is_photographer, created_at)
             VALUES ('0190163d-8694-739b-aea5-966c26f8ad91', 'old@example.com', 'old@example.com', 'new@example.com',
                     'Meera', '', TRUE, 1)";
        change(&test.db, insert).await;
        test.db.migrate().await.unwrap();
        let id = "0190163d-8694-739b-aea5-966c26f8ad91".parse().unwrap();
        let new = EmailAddress::parse("new@example.com").unwrap();
        let pending = users::by_id(&test.db, id).await.unwrap().unwrap();
        assert_eq!(pending.pending_email.as_ref(), Some(&new));
        assert!(!pending.pending_confirmed && !pending.pending_needs_agreement);
        let mut tx = test.db.begin().await.unwrap();
        let confirmed = users::confirm_pending_email(&mut tx, id, &new).await.unwrap().unwrap();
        tx.commit().await.unwrap();
        assert!(confirmed.pending_confirmed && !confirmed.pending_needs_agreement);
    }
}
