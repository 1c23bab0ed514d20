//! Throw-away databases for tests: a SQLite file in a temporary folder, and a database of a PostgreSQL server that the
//! test process starts for itself from Debian's package `postgresql`.
//!
//! ```no_run
//! # async fn example() {
//! for test in storage::testing::engines().await {
//!     test.db.ping().await.expect("a new database answers");
//! }
//! # }
//! ```
//!
//! There is one server for a test process and one database for each [`postgres`] call. The server lives on a
//! Unix socket in a temporary folder, in memory where there is room, and waits on a pipe from the test process: whatever ends that process
//! closes the pipe, and the server stops and removes its folder.

mod frozen;
mod lossy_proxy;
mod many_rows;
pub(crate) mod rivals;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use domain::photos::captures::Capture;
use domain::photos::{ImageFormat, MediaKey, Photo, PhotoStatus};
use domain::{EventId, PhotoId, Randomness, Timestamp, UserId};
use sqlx::{Connection as _, PgConnection};

use crate::operations::runtime::statements::Statement;
use crate::photos::{self, Collection};
use crate::{ConnectOptions, Db, Executor as _, Tx};

pub use frozen::{Frozen, frozen};
pub use lossy_proxy::LossyProxy;
pub use many_rows::{Filled, fill, gather_statistics};
pub use rivals::{Rivalry, rival_before};

/// A database with the schema and no rows, gone when dropped.
#[derive(Debug)]
pub struct TestDb {
    /// The database.
    pub db: Db,
    /// Its address, for a second [`Db::connect`].
    pub url: String,
    place: Place,
}

#[derive(Debug)]
enum Place {
    /// The folder is removed with it.
    Folder { _folder: tempfile::TempDir },
    /// A database of the process's server, with its name.
    Server(String),
}

impl Drop for TestDb {
    fn drop(&mut self) {
        if let Place::Server(name) = &self.place {
            Server::of_this_process().discard(name.clone());
        }
    }
}

/// How many bytes have to be free in memory for the databases of tests.
const MEMORY: u64 = 4 << 30;

/// A new database of each engine.
///
/// # Panics
/// When one cannot be made; the text says what is missing.
pub async fn engines() -> [TestDb; 2] {
    [sqlite().await, postgres().await]
}

/// A new database of each engine without any schema, as a start of an earlier version found it.
///
/// # Panics
/// When one cannot be made; the text says what is missing.
pub async fn empty() -> [TestDb; 2] {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let folder = folder();
    let url = format!("sqlite://{}", folder.path().join("test.db").display());
    let db = Db::connect(&url, ConnectOptions::default()).await.expect("a SQLite file can be opened");
    let sqlite = TestDb { db, url, place: Place::Folder { _folder: folder } };
    let server = Server::of_this_process();
    let name = format!("empty_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
    server.run(format!("CREATE DATABASE {name}")).await;
    let url = server.url(&name);
    let db = Db::connect(&url, ConnectOptions::default()).await.expect("the new database answers");
    [sqlite, TestDb { db, url, place: Place::Server(name) }]
}

/// A new SQLite database: a copy of one whose schema was made once.
///
/// # Panics
/// When the temporary folder cannot be written.
pub async fn sqlite() -> TestDb {
    let folder = folder();
    let path = folder.path().join("test.db");
    let url = format!("sqlite://{}", path.display());
    // The modes are those that the database gives its own files.
    let mut file = std::fs::OpenOptions::new();
    let mut file = file.write(true).create_new(true).mode(0o600).open(&path).expect("a file can be made");
    file.write_all(sqlite_template().await).expect("a file can be written");
    let db = Db::connect(&url, ConnectOptions::default()).await.expect("a SQLite file can be opened");
    TestDb { db, url, place: Place::Folder { _folder: folder } }
}

/// The bytes of a SQLite file with the schema and no rows.
///
/// # Panics
/// When the temporary folder cannot be written.
pub async fn sqlite_template() -> &'static [u8] {
    static TEMPLATE: tokio::sync::OnceCell<Vec<u8>> = tokio::sync::OnceCell::const_new();
    TEMPLATE
        .get_or_init(|| async {
            let folder = folder();
            let path = folder.path().join("template.db");
            let url = format!("sqlite://{}", path.display());
            let db = Db::connect(&url, ConnectOptions::default()).await.expect("a SQLite file can be opened");
            db.migrate().await.expect("the schema can be made");
            // The last connection that closes moves what is in the log into the file.
            db.close().await;
            std::fs::read(&path).expect("the file can be read")
        })
        .await
}

/// A new database of the process's PostgreSQL server.
///
/// # Panics
/// When Debian's package `postgresql` is not installed or its server does not start.
pub async fn postgres() -> TestDb {
    static TEMPLATE: tokio::sync::OnceCell<()> = tokio::sync::OnceCell::const_new();
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let server = Server::of_this_process();
    TEMPLATE
        .get_or_init(|| async {
            server.run(String::from("CREATE DATABASE template_afterglow")).await;
            let url = server.url("template_afterglow");
            let db = Db::connect(&url, ConnectOptions::default()).await.expect("the new server answers");
            db.migrate().await.expect("the schema can be made");
            // A database that somebody is connected to cannot be copied.
            db.close().await;
        })
        .await;
    for name in server.unused() {
        server.run(format!("DROP DATABASE {name} WITH (FORCE)")).await;
    }
    let name = format!("test_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
    server.run(format!("CREATE DATABASE {name} TEMPLATE template_afterglow")).await;
    let url = server.url(&name);
    let db = Db::connect(&url, ConnectOptions::default()).await.expect("the new database answers");
    TestDb { db, url, place: Place::Server(name) }
}

/// A temporary folder for a database.
///
/// # Panics
/// When there can be none.
pub fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in(base()).expect("a temporary folder can be made")
}

/// Where the databases of tests lie: in memory where there is room. Each test makes new ones, which on a disk takes several times
/// as long, and nothing of them need survive.
fn base() -> &'static Path {
    static BASE: OnceLock<PathBuf> = OnceLock::new();
    BASE.get_or_init(|| {
        let memory = Path::new("/dev/shm");
        let free = rustix::fs::statvfs(memory).map_or(0, |size| size.f_bavail.saturating_mul(size.f_frsize));
        if free >= MEMORY { memory.to_owned() } else { std::env::temp_dir() }
    })
}

/// Removes a photo for good with its faces, as the product does with several; false when there is none.
///
/// # Panics
/// When the database cannot be used.
pub async fn remove_photo(tx: &mut Tx, id: PhotoId) -> bool {
    let photo = photos::by_id(&*tx, id).await.expect("the database can be read");
    let Some(photo) = photo else { return false };
    let collection = photo.event.map_or(Collection::Library(photo.owner), Collection::Event);
    photos::delete_many(tx, collection, &[id]).await.expect("the database can be written") == [id]
}

/// A photo that is not in the database yet; its bytes are like no other's.
pub fn new_photo(
    id: PhotoId,
    created_at: Timestamp,
    randomness: &Randomness,
    owner: UserId,
    event: Option<EventId>,
) -> Photo {
    Photo {
        id,
        owner,
        event,
        uploader: None,
        key: MediaKey::original(randomness, id, ImageFormat::Jpeg),
        content_hash: randomness.bytes(),
        crc32: Some(u32::MAX),
        original_filename: String::from("DSC_0001.JPG"),
        format: ImageFormat::Jpeg,
        size_bytes: 5_000_000,
        width: 6000,
        height: 4000,
        status: PhotoStatus::Processing,
        failure: None,
        faces: 0,
        focus: None,
        average_color: None,
        preview_bytes: None,
        preview_crc32: None,
        medium_bytes: None,
        not_me_reports: 0,
        albums: Vec::new(),
        downloads: 0,
        hearts: 0,
        sharpness: None,
        stack: None,
        hidden: false,
        held: false,
        capture: Capture::default(),
        created_at,
    }
}

/// How many rows a table has.
///
/// # Panics
/// When it cannot be read.
pub async fn count(db: &Db, table: &str) -> i64 {
    let statement = Statement::built(format!("SELECT COUNT(*) FROM {table}"));
    statement.fetch_one(db.reader()).await.expect("the table can be read")
}

/// A change behind the back of this crate, such as damage or a row of an older version.
///
/// # Panics
/// When the database refuses it.
pub async fn change(db: &Db, statement: &str) {
    let statement = sqlx::AssertSqlSafe(statement);
    match db {
        Db::Sqlite { writer, .. } => sqlx::raw_sql(statement).execute(writer).await.map(|_| ()),
        Db::Postgres(pool) => sqlx::raw_sql(statement).execute(pool).await.map(|_| ()),
    }
    .expect("the database takes the statement");
}

/// The server of this test process.
struct Server {
    folder: String,
    /// The names of databases that no test uses any more.
    unused: Mutex<Vec<String>>,
    // Holds the pipe that ends the server.
    _process: Child,
}

// Fast rather than safe: what a test writes need not survive the test. The end of the input is the end of the server.
const SCRIPT: &str = r#"
set -eu
bin=$1
folder=$(mktemp -d "$2/afterglow-postgres.XXXXXX")
trap 'rm -rf "$folder"' EXIT
"$bin/initdb" -D "$folder/data" -U postgres --auth=trust --no-sync --no-locale -E UTF8 >"$folder/log" 2>&1 \
    || { cat "$folder/log" >&2; exit 1; }
"$bin/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c max_connections=400 -c fsync=off \
    -c full_page_writes=off -c shared_buffers=64MB </dev/null >>"$folder/log" 2>&1 &
server=$!
until "$bin/pg_isready" -q -h "$folder"; do
    kill -0 "$server" 2>/dev/null || { cat "$folder/log" >&2; exit 1; }
    sleep 0.05
done
echo "$folder"
cat >/dev/null
kill -INT "$server"
wait "$server" || true
"#;

impl Server {
    fn of_this_process() -> &'static Self {
        static SERVER: OnceLock<Server> = OnceLock::new();
        SERVER.get_or_init(Self::start)
    }

    fn start() -> Self {
        let bin = newest_installation();
        // The server refuses to run as root; the package made a user for it.
        let mut command = if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--", "sh"]);
            command
        } else {
            Command::new("sh")
        };
        let mut child = command
            .args(["-c", SCRIPT, "postgres-for-tests"])
            .arg(&bin)
            .arg(base())
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a shell can be started");
        let output = child.stdout.take().expect("the pipe was asked for");
        let mut folder = String::new();
        BufReader::new(output).read_line(&mut folder).expect("the pipe can be read");
        if folder.trim().is_empty() {
            let mut reason = String::new();
            if let Some(mut errors) = child.stderr.take() {
                errors.read_to_string(&mut reason).expect("the pipe can be read");
            }
            panic!("PostgreSQL for the tests did not start from {}:\n{reason}", bin.display());
        }
        Self { folder: folder.trim().to_owned(), unused: Mutex::default(), _process: child }
    }

    /// Has a database dropped before the next one is made.
    fn discard(&self, name: String) {
        self.unused.lock().unwrap_or_else(PoisonError::into_inner).push(name);
    }

    fn unused(&self) -> Vec<String> {
        std::mem::take(&mut self.unused.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn url(&self, database: &str) -> String {
        format!("postgres:///{database}?host={}&user=postgres", self.folder)
    }

    async fn run(&self, statement: String) {
        let mut connection =
            PgConnection::connect(&self.url("postgres")).await.expect("the server of the tests answers");
        // The statement is made of this module's own words.
        sqlx::raw_sql(sqlx::AssertSqlSafe(statement))
            .execute(&mut connection)
            .await
            .expect("the server of the tests makes databases");
        connection.close().await.expect("a connection can be closed");
    }
}

/// Where the programs of the highest version lie.
fn newest_installation() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    versions
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse::<u32>().ok()?, entry.path().join("bin"))))
        .filter(|(_, bin)| bin.join("initdb").exists())
        .max()
        .map(|(_, bin)| bin)
        .expect("PostgreSQL is not installed: these tests need Debian's package `postgresql` (apt-get install postgresql)")
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    // The owner of this process's entry is the user it runs as.
    std::fs::metadata(Path::new("/proc/self")).is_ok_and(|entry| entry.uid() == 0)
}
