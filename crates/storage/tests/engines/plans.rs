//! How the engines find rows: no statement reads a large table from its beginning to its end.
//!
//! The statements are those of this suite, which calls every function. It runs once more for this test, in a process that
//! writes each of them down.

mod other_rows;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, OnceLock};

use sqlx::{AssertSqlSafe, Connection as _};
use storage::Db;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;

/// Names the file that statements are written to.
const RECORD: &str = "RECORD_STATEMENTS";
/// Where an earlier run has written them, whose plans are to be looked at.
const RECORDED: &str = "RECORDED_STATEMENTS";

/// Tables that grow with photos, guests, accounts or time.
const LARGE: [&str; 42] = [
    "activity",
    "album_photos",
    "albums",
    "api_tokens",
    "billing_details",
    "charges",
    "client_choices",
    "client_selections",
    "counted_requests",
    "download_sources",
    "downloads",
    "event_invitations",
    "event_members",
    "events",
    "exports",
    "faces",
    "ftp_logins",
    "guest_photos",
    "invoices",
    "jobs",
    "known_networks",
    "ledger",
    "mailed_links",
    "marked_previews",
    "missed_faces",
    "not_me_reports",
    "objection_faces",
    "objections",
    "orders",
    "password_failures",
    "payments",
    "people",
    "photos",
    "redactions",
    "refunds",
    "sessions",
    "subscription_links",
    "subscription_photos",
    "subscriptions",
    "users",
    "webhook_deliveries",
    "webhook_endpoints",
];

/// Parts of the statements that may read a table from its beginning, and why.
const ALLOWED: [(&str, &str); 60] = [
    (
        "AS BIGINT) FROM guest_photos WHERE became IS NULL",
        "by the index of what waits, of which there is little",
    ),
    ("DELETE FROM guest_photos WHERE became IS NOT NULL", "an hour's maintenance reads what was let in"),
    ("SELECT photos.id FROM photos JOIN users ON", "`check` reads everything"),
    ("SELECT photo_id AS id FROM album_photos JOIN albums ON", "`check` reads everything"),
    ("SELECT id FROM users WHERE closed_at IS NULL AND id <>", "it ends at the first account but one"),
    ("SELECT photos.id FROM photos LEFT JOIN faces ON", "`check` reads everything"),
    ("AND hidden <> (held IS NOT NULL", "`check` reads everything"),
    ("SELECT users.id FROM users LEFT JOIN", "`check` reads everything"),
    ("FROM users LEFT JOIN ledger ON", "`check` reads everything"),
    (") AS summed FULL JOIN charges ON", "`check` reads everything"),
    ("SELECT events.id FROM events LEFT JOIN", "`check` reads everything"),
    ("SELECT id FROM events WHERE ((deleting_since", "`check` reads everything"),
    ("SELECT id FROM events WHERE (deleting_since", "`check` reads everything"),
    ("SELECT id FROM events WHERE (subscription_key", "`check` reads everything"),
    ("SELECT id FROM events WHERE (SELECT photos_uploaded <", "`check` reads everything"),
    ("FROM events JOIN people ON", "`check` reads everything"),
    ("FROM users WHERE closed_at IS NULL ORDER BY", "an operator lists all accounts"),
    (
        "AS BIGINT) AS charged FROM charges",
        "the totals, once a minute at most, and no row of a photo or an upload",
    ),
    ("WHERE is_admin AND closed_at IS NULL AND locked_at IS NULL", "an index of administrators alone"),
    ("(SELECT 1 FROM users WHERE is_admin AND closed_at IS NULL)", "an index of administrators alone"),
    (
        "(SELECT 1 FROM users WHERE is_admin AND closed_at IS NULL LIMIT 1)",
        "an index of administrators alone",
    ),
    ("OR email_key LIKE '%xn--%')", "all addresses, once at a start"),
    ("WHERE name_stem IS NULL ORDER BY id", "an index of those alone that a version before has left"),
    ("FROM (SELECT 1 FROM users LIMIT 1)", "one row is enough"),
    ("SELECT media_key FROM photos ORDER BY media_key LIMIT", "the first of an index, in its order"),
    ("AND medium_bytes IS NULL", "an index of those alone that are to be rendered"),
    ("FROM events WHERE stacks_photos AND", "an index of those that want it, once a minute"),
    ("FROM events WHERE photos_stored > 0 AND", "an index of open events, once a minute"),
    ("FROM events WHERE photos_stored = 0 AND", "an index of open events, in maintenance"),
    ("UPDATE jobs SET run_at = $1 WHERE photo_id IS NOT NULL", "it changes all that wait, once at a start"),
    (
        "UPDATE jobs SET leased_until = $1 WHERE state =",
        "all queued jobs, at a start and after a jump of the clock",
    ),
    (
        "UPDATE jobs SET run_at = $1 WHERE state =",
        "all queued jobs, at a start and after a jump of the clock",
    ),
    ("FROM events WHERE id > $1 AND deleting_since IS NULL", "all open events, page by page, at a start"),
    ("UPDATE orders SET check_at = $1 WHERE status =", "an index of open orders alone"),
    (
        "UPDATE objections SET told_at = $1 WHERE told_at >",
        "all requests, at a start and after a jump of the clock",
    ),
    (
        "UPDATE objections SET reminded_at = $1 WHERE waits",
        "an index of those that wait for a photographer alone",
    ),
    (
        "UPDATE guest_photos SET warned_at = NULL WHERE became IS NULL AND warned_at >",
        "by the index of what waits",
    ),
    (
        "UPDATE users SET library_warned_at = $1 WHERE library_warned_at >",
        "all accounts, after a jump of the clock",
    ),
    (
        "UPDATE password_failures SET last_at = $1, retry_at",
        "those of a day, at a start and after a jump of the clock",
    ),
    (
        "UPDATE mailed_links SET created_at = $1, expires_at",
        "those of a week, at a start and after a jump of the clock",
    ),
    ("UPDATE event_invitations SET sent_at = $1, expires_at", "those of a week, after a jump of the clock"),
    ("UPDATE sessions SET last_used_at = $1 WHERE last_used_at >", "all sessions, after a jump of the clock"),
    ("DELETE FROM sessions WHERE created_at >", "all sessions, after a jump of the clock"),
    ("UPDATE sessions SET proved_at = NULL WHERE proved_at >", "all sessions, after a jump of the clock"),
    (
        "WHERE waits AND objections.created_at > $1",
        "an index of those requests alone that wait for a photographer, once an hour",
    ),
    ("FROM events WHERE restoring_since IS NOT NULL", "an index of events alone that are being restored"),
    ("SELECT kind, COUNT(", "the backlog: it shows the number of all queued and failed jobs"),
    ("NOT outdated AND pack < $1", "it takes all that it reads, until it has enough"),
    ("SELECT 1 FROM jobs WHERE jobs.id = events.deletion_job", "`check` reads everything"),
    ("FROM orders WHERE status = 'open' AND check_at", "an index of open orders alone"),
    ("FROM orders WHERE status = 'failed'", "an operator lists failed orders"),
    ("SELECT payments.payment_id AS payment_id FROM payments JOIN early_refunds", "`check` reads everything"),
    ("(SELECT MIN(issued_at) FROM invoices WHERE", "`check` reads everything"),
    ("FROM invoices GROUP BY series, year) AS given", "`check` reads everything"),
    ("FROM payments WHERE bought NOT IN", "an operator lists payments that bought nothing"),
    ("AND confirmed_at IS NOT NULL AND tells_guests", "a walk through all subscriptions, page by page"),
    (
        "SET lease = NULL, leased_until = NULL WHERE lease IS NOT NULL OR",
        "all leases of a snapshot, once in a move",
    ),
    ("CAST(COALESCE(SUM(credits), 0) AS BIGINT) AS balances", "`migrate-to` compares everything"),
    (
        "FROM counted_requests WHERE expires_at <= ",
        "every ten minutes; an index would be written by each search",
    ),
    ("clock_timestamp()", "PostgreSQL's own, which a test has SQLite refuse"),
];

/// Writes down the statements of this process when it is told to.
pub(crate) fn record_statements() {
    static RECORDING: OnceLock<()> = OnceLock::new();
    RECORDING.get_or_init(|| {
        if let Some(path) = std::env::var_os(RECORD) {
            let file = std::fs::File::create(path).unwrap();
            let recorder = Recorder { file: Mutex::new(file), known: Mutex::default() };
            tracing_subscriber::registry().with(recorder).init();
        }
    });
}

/// A line for each statement: the engine, a tabulator, the text.
struct Recorder {
    file: Mutex<std::fs::File>,
    known: Mutex<BTreeSet<String>>,
}

/// The value of one field.
struct Value<'a>(&'static str, &'a mut String);

impl Visit for Value<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == self.0 {
            value.clone_into(self.1);
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

/// The engine of a span of this crate.
struct Engine(String);

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Recorder {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        if attributes.metadata().target() == "storage" {
            let mut engine = String::new();
            attributes.record(&mut Value("db.system.name", &mut engine));
            context.span(id).unwrap().extensions_mut().insert(Engine(engine));
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        // The driver tells the whole text; what the tests themselves run has no span of this crate.
        if event.metadata().target() != "sqlx::query" {
            return;
        }
        let engine = context
            .event_scope(event)
            .into_iter()
            .flatten()
            .find_map(|span| span.extensions().get::<Engine>().map(|engine| engine.0.clone()));
        let mut statement = String::new();
        event.record(&mut Value("db.statement", &mut statement));
        let Some(engine) = engine.filter(|_| !statement.is_empty()) else {
            return;
        };
        let statement = statement.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = format!("{engine}\t{}", with_short_lists(&statement));
        if self.known.lock().unwrap().insert(line.clone()) {
            writeln!(self.file.lock().unwrap(), "{line}").unwrap();
        }
    }
}

/// A statement in which every list of values has one: those of more differ in nothing else.
fn with_short_lists(statement: &str) -> String {
    let mut text = String::new();
    let mut rest = statement;
    while let Some((before, after)) = rest.split_once(" IN (") {
        text.push_str(before);
        text.push_str(" IN (");
        rest = match after.split_once(')') {
            Some((list, behind)) if list.starts_with('$') => {
                text.push_str(list.split(',').next().unwrap());
                text.push(')');
                behind
            }
            _ => after,
        };
    }
    text.push_str(rest);
    if let Some((insert, rows)) = text.split_once(" VALUES (")
        && let Some((first, others)) = rows.split_once("), (")
    {
        let last = others.rsplit_once("), (").map_or(others, |(_, last)| last);
        let end = last.split_once(')').map_or("", |(_, end)| end);
        text = format!("{insert} VALUES ({first}){end}");
    }
    renumbered(&text)
}

/// A statement whose parameters are numbered without gaps.
fn renumbered(statement: &str) -> String {
    let mut numbers: Vec<&str> = Vec::new();
    let mut parts = statement.split('$');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = part.split_at(part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len()));
        let place = numbers.iter().position(|known| *known == number).unwrap_or_else(|| {
            numbers.push(number);
            numbers.len() - 1
        });
        text.push_str(&format!("${}{rest}", place + 1));
    }
    text
}

#[test]
fn lists_are_shortened_and_parameters_numbered_without_gaps() {
    for (statement, expected) in [
        ("SELECT $1 FROM a WHERE b IN ($2, $3) AND c = $4", "SELECT $1 FROM a WHERE b IN ($2) AND c = $3"),
        (
            "SELECT a WHERE b IN (SELECT c FROM d) AND e = $1",
            "SELECT a WHERE b IN (SELECT c FROM d) AND e = $1",
        ),
        (
            "INSERT INTO a (b, c) VALUES ($1, $2), ($3, $4), ($5, $6) ON CONFLICT (b) DO NOTHING",
            "INSERT INTO a (b, c) VALUES ($1, $2) ON CONFLICT (b) DO NOTHING",
        ),
        (
            "INSERT INTO a (b) VALUES ($1) ON CONFLICT (b) DO NOTHING",
            "INSERT INTO a (b) VALUES ($1) ON CONFLICT (b) DO NOTHING",
        ),
    ] {
        assert_eq!(with_short_lists(statement), expected);
    }
}

/// The recorded statements of each engine.
fn statements(path: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut by_engine = BTreeMap::<String, BTreeSet<String>>::new();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let (engine, statement) = line.split_once('\t').unwrap();
        // The others begin and end transactions, and set connections up.
        if ["SELECT", "INSERT", "UPDATE", "DELETE"].iter().any(|word| statement.starts_with(word)) {
            by_engine.entry(engine.to_owned()).or_default().insert(statement.to_owned());
        }
    }
    by_engine
}

fn is_allowed(statement: &str) -> bool {
    ALLOWED.iter().any(|(part, _)| statement.contains(part))
}

/// The steps of SQLite's plan that read a large table, or an index of it, from the beginning.
async fn scans_on_sqlite(db: &Db, statement: &str) -> Vec<String> {
    let Db::Sqlite { readers, .. } = db else { panic!("it is SQLite") };
    let explain = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {statement}"));
    let steps: Vec<(i64, i64, i64, String)> = match sqlx::query_as(explain).fetch_all(readers).await {
        Ok(steps) => steps,
        Err(error) => return vec![format!("cannot be explained: {error}")],
    };
    let is_scan = |step: &String| {
        let name = step.strip_prefix("SCAN ").and_then(|rest| rest.split(' ').next());
        name.is_some_and(|name| LARGE.contains(&table_of(statement, name)))
    };
    steps.into_iter().map(|(_, _, _, step)| step).filter(is_scan).collect()
}

/// The table that a plan names by its alias.
fn table_of<'a>(statement: &'a str, name: &'a str) -> &'a str {
    if LARGE.contains(&name) {
        return name;
    }
    let words: Vec<&str> = statement.split([' ', '(', ')', ',']).filter(|word| !word.is_empty()).collect();
    let aliased = words.windows(3).find(|triple| triple[1] == "AS" && triple[2] == name);
    let aliased = aliased.map(|triple| triple[0]);
    aliased
        .or_else(|| {
            words.windows(2).find(|pair| pair[1] == name && LARGE.contains(&pair[0])).map(|pair| pair[0])
        })
        .unwrap_or(name)
}

/// The steps of PostgreSQL's plan for a large, seeded database that read a large table from the beginning, or an index of it.
async fn scans_on_postgres(connection: &mut sqlx::PgConnection, statement: &str) -> Vec<String> {
    let prepare = AssertSqlSafe(format!("DEALLOCATE ALL; PREPARE explained AS {statement}"));
    if let Err(error) = sqlx::raw_sql(prepare).execute(&mut *connection).await {
        return vec![format!("cannot be explained: {error}")];
    }
    let types: Vec<String> = sqlx::query_scalar(
        "SELECT unnest(parameter_types)::text FROM pg_prepared_statements WHERE name = 'explained'",
    )
    .persistent(false)
    .fetch_all(&mut *connection)
    .await
    .unwrap();
    // Values as a request has them: of few rows, and early moments.
    let values: Vec<&str> = types
        .iter()
        .map(|value| match value.as_str() {
            "bigint" => "100",
            "boolean" => "TRUE",
            "double precision" => "0.5",
            "bytea" => "'\\x00'",
            "text" => "'00000003-0000-7000-8000-100000000777'",
            other => panic!("no value of the type {other}: {statement}"),
        })
        .collect();
    let values = if values.is_empty() { String::new() } else { format!("({})", values.join(", ")) };
    let explain = AssertSqlSafe(format!("EXPLAIN EXECUTE explained{values}"));
    let plan: Vec<String> = match sqlx::query_scalar(explain).persistent(false).fetch_all(connection).await {
        Ok(plan) => plan,
        Err(error) => return vec![format!("cannot be explained: {error}")],
    };
    let is_scan = |line: &&String| {
        let table = line.split_once("Seq Scan on ").and_then(|(_, rest)| rest.split(' ').next());
        table.is_some_and(|table| LARGE.contains(&table))
    };
    plan.iter().filter(is_scan).map(|line| line.trim().to_owned()).collect()
}

#[tokio::test]
async fn no_statement_reads_a_large_table_from_its_beginning() {
    if std::env::var_os(RECORD).is_some() {
        return;
    }
    let statements = match std::env::var_os(RECORDED) {
        Some(path) => statements(Path::new(&path)),
        // By itself it has the whole suite run for it.
        None => {
            let folder = tempfile::tempdir().unwrap();
            let record = folder.path().join("statements");
            let suite = Command::new(std::env::current_exe().unwrap()).env(RECORD, &record).output().unwrap();
            assert!(suite.status.success(), "{}", String::from_utf8_lossy(&suite.stdout));
            statements(&record)
        }
    };

    let [sqlite, postgres] = storage::testing::engines().await;
    storage::testing::fill(&postgres.db, &[1_000; 40]).await;
    other_rows::fill(&postgres.db).await;
    let Db::Postgres(pool) = &postgres.db else { panic!("it is PostgreSQL") };
    let mut connection = pool.acquire().await.unwrap().detach();
    let mut scans = Vec::new();
    for (engine, statements) in &statements {
        assert!(statements.len() > 200, "{engine}: only {} statements were recorded", statements.len());
        for statement in statements.iter().filter(|statement| !is_allowed(statement)) {
            let found = match engine.as_str() {
                "sqlite" => scans_on_sqlite(&sqlite.db, statement).await,
                _ => scans_on_postgres(&mut connection, statement).await,
            };
            scans.extend(found.into_iter().map(|step| format!("{engine}: {step}\n    {statement}")));
        }
    }
    connection.close().await.unwrap();
    assert!(scans.is_empty(), "{} scans:\n{}", scans.len(), scans.join("\n"));
    let all: Vec<&String> = statements.values().flatten().collect();
    for (part, _) in ALLOWED {
        assert!(all.iter().any(|statement| statement.contains(part)), "no statement is like this: {part}");
    }
}

#[tokio::test]
async fn references_have_the_collation_of_what_they_refer_to() {
    // PostgreSQL uses no index of a column that is compared with one of another collation.
    let postgres = storage::testing::postgres().await;
    let differing = crate::parity::rows(
        &postgres.db,
        "SELECT t.relname || '.' || a.attname FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid
         JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.conkey[1]
         JOIN pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = k.confkey[1]
         WHERE k.contype = 'f' AND a.attcollation <> b.attcollation
         UNION ALL
         SELECT t.relname || '.' || a.attname FROM pg_attribute a JOIN pg_class t ON t.oid = a.attrelid
         JOIN pg_collation c ON c.oid = a.attcollation
         WHERE t.relnamespace = 'public'::regnamespace AND t.relkind = 'r' AND c.collname <> 'C'
             AND (t.relname, a.attname) IN (('jobs', 'photo_id'), ('jobs', 'lane'), ('ledger', 'reference'))",
    )
    .await;
    assert_eq!(differing, Vec::<String>::new());
}
