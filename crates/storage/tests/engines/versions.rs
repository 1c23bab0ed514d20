//! Databases of earlier versions are upgraded directly to the newest, with everything that is in them.
//!
//! `tests/fixtures/schema-N.sql` is frozen data of version N: what its migrations were, and rows of all its tables as either
//! engine takes them. `FIXTURES=write` writes the one of the newest version, which a release does; those that are there are
//! never changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use domain::Paise;
use domain::accounts::EmailAddress;
use futures::{StreamExt as _, stream};
use sqlx::AssertSqlSafe;
use sqlx::migrate::{Migration, Migrator};
use storage::accounts::users;
use storage::operations::schema;
use storage::{ConnectOptions, Db, Engine};

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
    let fixtures_found = storage::testing::frozen();
    for frozen in &fixtures_found {
        let name = &frozen.name;
        let current = checksums().await;
        for line in &frozen.checksums {
            assert!(current.contains(line), "{name}: {line}: a published migration never changes");
        }
        let tables: Vec<&str> = frozen.tables.iter().map(String::as_str).collect();
        for test in storage::testing::empty().await {
            frozen.thaw(&test.db).await;
            upgrade(&test.db, &tables, &format!("{name} {:?}", test.db.engine())).await;
            let email = EmailAddress::parse("meera@example.com").unwrap();
            let meera = users::credentials(&test.db, &email).await.unwrap().unwrap().user;
            assert_eq!(meera.credits, Paise::new(12_300), "{name}");
        }
    }
    assert!(!fixtures_found.is_empty(), "there is frozen data");
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

/// How many versions are upgraded at once: each of them waits for its databases, one statement after the other.
const AT_ONCE: usize = 4;

#[tokio::test]
async fn every_earlier_version_with_rows_in_all_tables_is_upgraded_directly() {
    // [SAFE215]
    let versions: Vec<i64> =
        migrations(Engine::Sqlite).await.iter().map(|migration| migration.version).collect();
    let each = stream::iter(1..=versions.len());
    each.for_each_concurrent(AT_ONCE, |number| fill_and_upgrade(&versions[..number])).await;
}

/// Makes these versions' schema in both engines, with rows in all tables, and upgrades it.
async fn fill_and_upgrade(until: &[i64]) {
    let version = until[until.len() - 1];
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

#[tokio::test]
async fn photos_are_in_the_albums_that_they_were_in_after_the_upgrade() {
    // [GAL446]
    let versions: Vec<i64> = (1..91).collect();
    let [sqlite, postgres] = storage::testing::empty().await;
    make(&sqlite.db, &versions).await;
    make(&postgres.db, &versions).await;
    let schema = Schema::of(&sqlite.db).await;
    for db in [&sqlite.db, &postgres.db] {
        schema.fill(db).await;
        let mut before = Vec::new();
        for photos in ["photos", "trashed_photos"] {
            let placed =
                format!("SELECT album_id || ' ' || id FROM {photos} WHERE album_id IS NOT NULL ORDER BY 1");
            before.push(texts(db, &placed).await);
        }
        assert!(before.iter().all(|placed| !placed.is_empty()), "{before:?}");
        db.migrate().await.unwrap();
        let mut after = Vec::new();
        for placed in ["album_photos", "trashed_album_photos"] {
            after.push(
                texts(db, &format!("SELECT album_id || ' ' || photo_id FROM {placed} ORDER BY 1")).await,
            );
        }
        assert_eq!(before, after);
    }
}

#[tokio::test]
async fn what_clocks_said_that_were_never_set_is_no_moment_after_the_upgrade() {
    // [UPL253]
    const NONE: i64 = i64::MAX;
    let moments: [(i64, i64); 6] = [
        (1_000, NONE),
        (315_532_830_000, NONE),
        (946_684_800_000, NONE),
        (1_039_348_800_500, NONE),
        (1_039_348_801_000, 1_039_348_801_000),
        (1_700_000_000_000, 1_700_000_000_000),
    ];
    let [sqlite, postgres] = storage::testing::empty().await;
    let versions: Vec<i64> = (1..=94).collect();
    make(&sqlite.db, &versions).await;
    make(&postgres.db, &versions).await;
    let schema = Schema::of(&sqlite.db).await;
    for (engine, db) in [(Engine::Sqlite, &sqlite.db), (Engine::Postgres, &postgres.db)] {
        schema.fill(db).await;
        let all = migrations(engine).await;
        let upgrade = all.iter().find(|migration| migration.version == 95).unwrap();
        for (said, kept) in moments {
            for photos in ["photos", "trashed_photos"] {
                let said = format!("UPDATE {photos} SET captured_at = {said}");
                change(db, &said).await;
            }
            for statement in upgrade.sql.as_str().split_inclusive(';') {
                if !statement.trim().is_empty() {
                    change(db, statement).await;
                }
            }
            for photos in ["photos", "trashed_photos"] {
                let select = format!("SELECT DISTINCT CAST(captured_at AS TEXT) FROM {photos}");
                assert_eq!(texts(db, &select).await, [kept.to_string()], "{photos}, {said}");
            }
        }
    }
}

async fn texts(db: &Db, select: &str) -> Vec<String> {
    let select = AssertSqlSafe(select.to_owned());
    match db {
        Db::Sqlite { readers, .. } => sqlx::query_scalar(select).fetch_all(readers).await.unwrap(),
        Db::Postgres(pool) => sqlx::query_scalar(select).fetch_all(pool).await.unwrap(),
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

#[tokio::test]
async fn an_address_in_a_refusal_of_the_mail_server_is_gone_after_the_upgrade() {
    // [ACC217]
    let versions: Vec<i64> = (1..119).collect();
    for test in storage::testing::empty().await {
        make(&test.db, &versions).await;
        for (id, error) in [
            ("1", "a mail could not be sent: the mail cannot be delivered: 550 <meera@example.com>: unknown"),
            ("2", "a mail could not be sent: the mail cannot be delivered now: no route to host"),
            ("3", "the database failed: user@host"),
        ] {
            let insert = format!(
                "INSERT INTO jobs (id, kind, payload, state, run_at, attempts, last_error, created_at)
                 VALUES ('{id}', 'send_invitation', '{{}}', 'failed', 1, 1, '{error}', 1)"
            );
            change(&test.db, &insert).await;
        }
        test.db.migrate().await.unwrap();
        let kept = texts(&test.db, "SELECT last_error FROM jobs ORDER BY id").await;
        assert_eq!(
            kept,
            [
                "a mail could not be sent: the mail server refused the mail",
                "a mail could not be sent: the mail cannot be delivered now: no route to host",
                "the database failed: user@host",
            ]
        );
    }
}

#[tokio::test]
async fn several_processes_upgrade_a_database_at_once() {
    // [SAFE345]
    let frozen = storage::testing::frozen().pop().unwrap();
    let tables: Vec<&str> = frozen.tables.iter().map(String::as_str).collect();
    for test in storage::testing::empty().await {
        frozen.thaw(&test.db).await;
        let before = counts(&test.db, &tables).await;
        let processes =
            futures::future::join_all([(); 3].map(|()| Db::connect(&test.url, ConnectOptions::default())));
        let processes: Vec<Db> = processes.await.into_iter().map(|db| db.unwrap()).collect();
        let migrations = futures::future::join_all(processes.iter().map(Db::migrate)).await;
        for migration in migrations {
            migration.unwrap_or_else(|error| panic!("{:?}: {error:?}", test.db.engine()));
        }
        let schema = schema::version(&test.db).await.unwrap();
        assert_eq!((schema.found, schema.pending), (Some(schema.known), 0));
        assert_eq!(counts(&test.db, &tables).await, before);
    }
}
