//! The two migration trees make the same tables, columns, indexes and triggers.

use std::collections::BTreeSet;

use sqlx::AssertSqlSafe;
use storage::Db;

/// One column of text.
pub(crate) async fn rows(db: &Db, query: &'static str) -> Vec<String> {
    match db {
        Db::Sqlite { readers, .. } => sqlx::query_scalar(query).fetch_all(readers).await.unwrap(),
        Db::Postgres(pool) => sqlx::query_scalar(query).fetch_all(pool).await.unwrap(),
    }
}

async fn run(db: &Db, statement: &str) -> Result<(), sqlx::Error> {
    match db {
        Db::Sqlite { writer, .. } => {
            sqlx::raw_sql(AssertSqlSafe(statement)).execute(writer).await.map(|_| ())
        }
        Db::Postgres(pool) => sqlx::raw_sql(AssertSqlSafe(statement)).execute(pool).await.map(|_| ()),
    }
}

pub(crate) use storage::testing::change;

/// Whether the database itself refuses a statement.
pub(crate) async fn refuses(db: &Db, statement: &str) -> bool {
    run(db, statement).await.is_err()
}

const SQLITE_COLUMNS: &str = "
    SELECT m.name || '.' || c.name || ' ' || c.type || CASE WHEN c.\"notnull\" THEN ' NOT NULL' ELSE '' END
        || COALESCE(' DEFAULT ' || c.dflt_value, '')
    FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'";
const POSTGRES_COLUMNS: &str = "
    SELECT table_name || '.' || column_name || ' ' || data_type
        || CASE WHEN is_nullable = 'NO' THEN ' NOT NULL' ELSE '' END || COALESCE(' DEFAULT ' || replace(column_default, '::text', ''), '')
    FROM information_schema.columns WHERE table_schema = 'public'";

const SQLITE_INDEXES: &str = "
    SELECT m.name || ' ' || CASE WHEN i.\"unique\" THEN 'UNIQUE ' ELSE '' END || CASE WHEN i.partial THEN 'PARTIAL ' ELSE '' END
        || (SELECT group_concat(name, ',') FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno))
    FROM sqlite_schema m, pragma_index_list(m.name) i WHERE m.type = 'table'";
const POSTGRES_INDEXES: &str = "
    SELECT t.relname || ' ' || CASE WHEN x.indisunique THEN 'UNIQUE ' ELSE '' END
        || CASE WHEN x.indpred IS NOT NULL THEN 'PARTIAL ' ELSE '' END
        || (SELECT string_agg(a.attname, ',' ORDER BY k.place) FROM unnest(x.indkey) WITH ORDINALITY AS k (column_number, place)
            JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.column_number)
    FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_namespace n ON n.oid = t.relnamespace
    WHERE n.nspname = 'public'";

const SQLITE_NAMED_INDEXES: &str = "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL";
const POSTGRES_NAMED_INDEXES: &str = "
    SELECT c.relname::text FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = c.oid)";

const SQLITE_REFERENCES: &str = "
    SELECT m.name || '.' || f.\"from\" || ' ' || f.\"table\" || '.' || f.\"to\" || ' ' || f.on_delete
    FROM sqlite_schema m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table'";
const POSTGRES_REFERENCES: &str = "
    SELECT t.relname || '.' || a.attname || ' ' || r.relname || '.' || b.attname || ' '
        || CASE k.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'a' THEN 'NO ACTION' WHEN 'n' THEN 'SET NULL' ELSE k.confdeltype::text END
    FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid JOIN pg_class r ON r.oid = k.confrelid
    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.conkey[1]
    JOIN pg_attribute b ON b.attrelid = r.oid AND b.attnum = k.confkey[1]
    WHERE k.contype = 'f'";

const SQLITE_TRIGGERS: &str = "SELECT tbl_name || ' ' || name FROM sqlite_schema WHERE type = 'trigger'";
const POSTGRES_TRIGGERS: &str = "
    SELECT c.relname || ' ' || t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal";

/// PostgreSQL's names for what both trees mean.
fn in_one_spelling(line: &str) -> String {
    line.replace(" bigint", " BIGINT")
        .replace(" text", " TEXT")
        .replace(" boolean", " BOOLEAN")
        .replace(" double precision", " DOUBLE PRECISION")
        .replace(" bytea", " BLOB")
        .replace("DEFAULT false", "DEFAULT FALSE")
        .replace("'::TEXT", "'")
}

async fn described(db: &Db, query: &'static str) -> BTreeSet<String> {
    let lines = rows(db, query).await.into_iter();
    lines.filter(|line| !line.starts_with("_sqlx_migrations")).map(|line| in_one_spelling(&line)).collect()
}

/// What the engines differ in on purpose: an address is unique by a partial index in PostgreSQL (migration 0114).
const DIFFERENT: &[&str] =
    &["users UNIQUE email_key", "users UNIQUE PARTIAL email_key", "users_by_email_key"];

#[tokio::test]
async fn both_engines_have_the_same_schema() {
    let [sqlite, postgres] = storage::testing::engines().await;
    for (what, on_sqlite, on_postgres, at_least) in [
        ("columns", SQLITE_COLUMNS, POSTGRES_COLUMNS, 100),
        ("indexes", SQLITE_INDEXES, POSTGRES_INDEXES, 30),
        ("names of indexes", SQLITE_NAMED_INDEXES, POSTGRES_NAMED_INDEXES, 20),
        ("references", SQLITE_REFERENCES, POSTGRES_REFERENCES, 15),
        ("triggers", SQLITE_TRIGGERS, POSTGRES_TRIGGERS, 2),
    ] {
        let (one, other) =
            (described(&sqlite.db, on_sqlite).await, described(&postgres.db, on_postgres).await);
        let differing: Vec<_> =
            one.symmetric_difference(&other).filter(|each| !DIFFERENT.contains(&each.as_str())).collect();
        assert!(differing.is_empty(), "{what} that only one engine has: {differing:#?}");
        assert!(one.len() >= at_least, "{what}: only {} were read", one.len());
    }
}

#[tokio::test]
async fn what_a_photo_has_waits_with_it_when_it_is_deleted() {
    // [GAL154]
    let [sqlite, _] = storage::testing::engines().await;
    let all = described(&sqlite.db, SQLITE_COLUMNS).await;
    // Without the type's default: a row that moves has a value.
    let of = |table: &str| -> BTreeSet<&str> {
        let columns = all.iter().filter_map(|line| line.strip_prefix(table)?.strip_prefix('.'));
        columns.filter_map(|column| column.split(" DEFAULT ").next()).collect()
    };
    for (table, deleted, not_kept) in [
        // Whether it is compared with others, as it is once it is measured again.
        ("photos", "trashed_photos", ["stack_due"].as_slice()),
        // The numbers of the changes, and the person, which are given anew.
        ("faces", "trashed_faces", &["event_change", "owner_change", "person_id"]),
        ("objection_faces", "trashed_objection_faces", &[]),
        ("subscription_photos", "trashed_subscription_photos", &[]),
        ("replaced_files", "trashed_replaced_files", &[]),
        ("album_photos", "trashed_album_photos", &[]),
    ] {
        let (kept, mut waiting) = (of(table), of(deleted));
        waiting.remove("trashed_at BIGINT NOT NULL");
        let lost = kept.iter().filter(|line| !waiting.contains(*line));
        let lost: Vec<_> = lost.filter_map(|line| line.split(' ').next()).collect();
        assert!(lost.iter().all(|name| not_kept.contains(name)), "{table} loses {lost:?}");
        assert!(waiting.is_subset(&kept), "{deleted}: {waiting:?}");
        assert!(waiting.len() >= 2, "{deleted} was read");
    }
}

#[test]
fn both_folders_have_the_same_migrations() {
    let names = |engine: &str| -> BTreeSet<_> {
        let folder = format!("{}/migrations/{engine}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    };
    assert_eq!(names("sqlite"), names("postgres"));
    assert!(!names("sqlite").is_empty());
}
