//! A PostgreSQL server of a round's own, which can be killed and recovers.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::binary::signal;
use crate::clock::OffsetClock;

/// How long a start, with recovery, may take on a busy machine.
const START_TIMEOUT: Duration = Duration::from_secs(120);
/// The name of its socket, as PostgreSQL derives it from the default port.
const SOCKET: &str = ".s.PGSQL.5432";

/// An initialised data folder, which every round copies.
pub(crate) struct Template {
    programs: PathBuf,
    data: PathBuf,
}

impl Template {
    /// Takes some seconds.
    pub(crate) fn initialise(folder: &Path) -> Self {
        let programs = newest_installation();
        let own = folder.join("postgres");
        std::fs::create_dir(&own).unwrap();
        chown_to_postgres(&own);
        let data = own.join("template");
        let arguments = ["-U", "postgres", "--auth=trust", "--no-sync", "--no-locale", "-E", "UTF8", "-D"];
        let output = as_postgres(&programs.join("initdb"))
            .args(arguments)
            .arg(&data)
            .current_dir("/")
            .output()
            .unwrap();
        assert!(output.status.success(), "initdb: {}", String::from_utf8_lossy(&output.stderr));
        Self { programs, data }
    }
}

/// A running server; stopped when dropped.
pub(crate) struct Postgres {
    programs: PathBuf,
    folder: PathBuf,
    environment: Vec<(&'static str, PathBuf)>,
    child: Child,
}

impl Postgres {
    /// A server with an empty database in `folder`, whose clock is the round's.
    pub(crate) fn start(template: &Template, folder: &Path, clock: &OffsetClock) -> Self {
        let folder = folder.join("postgres");
        std::fs::create_dir(&folder).unwrap();
        let copied = Command::new("cp").arg("-a").arg(&template.data).arg(folder.join("data")).status();
        assert!(copied.unwrap().success());
        chown_to_postgres(&folder);
        let environment = clock.environment().map(|(name, path)| (name, path.to_owned())).into();
        let child = spawn(&template.programs, &folder, &environment);
        let mut server = Self { programs: template.programs.clone(), folder, environment, child };
        server.wait_until_ready();
        server
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.folder.join(SOCKET)
    }

    /// The address of its database, past any proxy.
    pub(crate) fn url(&self) -> String {
        format!("postgres:///postgres?host={}&user=postgres", self.folder.display())
    }

    /// Ends every process of it at once, as a crash of its machine does.
    pub(crate) fn kill(&mut self) {
        let main = self.main_process();
        let mut processes = children(main);
        processes.push(main);
        signal("-KILL", &processes);
        self.child.wait().unwrap();
        // Until the last of them is gone the new server finds the shared memory in use.
        let gone = |process: &u32| !Path::new(&format!("/proc/{process}")).exists();
        while !processes.iter().all(gone) {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Starts it again after a kill; it recovers from its log.
    pub(crate) fn restart(&mut self) {
        self.child = spawn(&self.programs, &self.folder, &self.environment);
        self.wait_until_ready();
    }

    /// The first line of the lock file.
    fn main_process(&self) -> u32 {
        let lock = std::fs::read_to_string(self.folder.join("data/postmaster.pid")).unwrap();
        lock.lines().next().unwrap().trim().parse().unwrap()
    }

    fn wait_until_ready(&mut self) {
        let started = Instant::now();
        loop {
            let mut question = Command::new(self.programs.join("pg_isready"));
            if question.args(["-q", "-h"]).arg(&self.folder).status().unwrap().success() {
                return;
            }
            let ended = self.child.try_wait().unwrap();
            assert!(ended.is_none(), "PostgreSQL ended: see {}", self.folder.join("log").display());
            assert!(started.elapsed() < START_TIMEOUT, "PostgreSQL does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            // An immediate shutdown: the data is not needed any more.
            signal("-QUIT", &[self.main_process()]);
        }
        // It may have ended by itself.
        let _ = self.child.wait();
    }
}

fn spawn(programs: &Path, folder: &Path, environment: &Vec<(&'static str, PathBuf)>) -> Child {
    let log = std::fs::OpenOptions::new().create(true).append(true).open(folder.join("log")).unwrap();
    // What is written survives the end of its process without fsync; only the end of the machine would lose it.
    as_postgres(&programs.join("postgres"))
        .arg("-D")
        .arg(folder.join("data"))
        .arg("-k")
        .arg(folder)
        .args(["-c", "listen_addresses=", "-c", "fsync=off", "-c", "shared_buffers=16MB"])
        .envs(environment.iter().map(|(name, path)| (name, path)))
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap()
}

/// The processes whose parent this one is (proc(5), stat: the fourth field, after a name in parentheses).
fn children(parent: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|process: &u32| {
            let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
            fields.split_whitespace().nth(1) == Some(parent.to_string().as_str())
        })
        .collect()
}

/// The server refuses to run as root; the package made a user for it.
fn as_postgres(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("runuser");
    command.args(["-u", "postgres", "--"]).arg(program);
    command
}

fn chown_to_postgres(folder: &Path) {
    if is_root() {
        let given = Command::new("chown").args(["-R", "postgres:postgres"]).arg(folder).status().unwrap();
        assert!(given.success(), "the user postgres is needed: it comes with Debian's package `postgresql`");
    }
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    // The owner of this process's entry is the user it runs as.
    std::fs::metadata("/proc/self").is_ok_and(|entry| entry.uid() == 0)
}

/// Where the programs of the highest version lie.
fn newest_installation() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    versions
        .filter_map(|entry| {
            Some((entry.file_name().to_str()?.parse::<u32>().ok()?, entry.path().join("bin")))
        })
        .filter(|(_, programs)| programs.join("initdb").exists())
        .max()
        .map(|(_, programs)| programs)
        .expect("PostgreSQL is not installed: Debian's package `postgresql` is needed")
}
