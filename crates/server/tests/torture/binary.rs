//! The built binary as processes: servers and workers that can be killed, and commands.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// How long a start may take on a busy machine.
const START_TIMEOUT: Duration = Duration::from_secs(120);

/// The settings of all processes of one round.
pub(crate) struct Binary {
    folder: PathBuf,
    environment: Vec<(String, String)>,
}

/// What a command printed, and whether it succeeded.
pub(crate) struct Output {
    pub(crate) succeeded: bool,
    pub(crate) printed: String,
    pub(crate) errors: String,
}

impl Binary {
    /// In `folder`, with these settings and no variable of the caller's.
    pub(crate) fn new(folder: &Path, environment: Vec<(String, String)>) -> Self {
        Self { folder: folder.to_owned(), environment }
    }

    /// With the same settings in another folder.
    pub(crate) fn in_folder(&self, folder: &Path) -> Self {
        Self::new(folder, self.environment.clone())
    }

    /// Where the logs of all processes of the round go.
    pub(crate) fn log(&self) -> PathBuf {
        self.folder.join("server.log")
    }

    /// Starts a server, with a worker or without, and waits until it listens.
    pub(crate) fn serve(&self, with_worker: bool) -> Process {
        let arguments: &[&str] = if with_worker { &["serve"] } else { &["serve", "--no-worker"] };
        let (child, line) = self.start(arguments, " listening address=");
        let address = line.split_whitespace().next().unwrap().parse().unwrap();
        Process { child, address: Some(address) }
    }

    /// Starts a worker and waits until it works.
    pub(crate) fn work(&self) -> Process {
        Process { child: self.start(&["worker"], " working ").0, address: None }
    }

    /// Starts a process and waits for its first line with this text; what follows the text comes with it.
    fn start(&self, arguments: &[&str], ready: &'static str) -> (Child, String) {
        // A process whose files may not grow gets a signal that ends it, unless that is ignored; then its writes fail
        // as on a full disk.
        let mut command = Command::new("sh");
        command
            .args(["-c", "trap '' XFSZ; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_afterglow")])
            .args(arguments);
        let mut child = self.configure(&mut command).stderr(Stdio::piped()).spawn().unwrap();
        let errors = BufReader::new(child.stderr.take().unwrap());
        let mut log = std::fs::OpenOptions::new().create(true).append(true).open(self.log()).unwrap();
        // `cargo xtask test` looks there for what no log may have.
        let collected = std::env::var_os("SERVER_LOGS").map(|folder| {
            Path::new(&folder).join(format!("torture-{}-{}.log", std::process::id(), child.id()))
        });
        let mut collected = collected.map(|path| std::fs::File::create(path).unwrap());
        let (sender, lines) = mpsc::channel();
        // The pipe is read on, so that the process never waits for it; and it is no file, whose growth a fault prevents.
        std::thread::spawn(move || {
            for line in errors.lines().map_while(Result::ok) {
                let whole = format!("{line}\n");
                log.write_all(whole.as_bytes()).unwrap();
                if let Some(file) = &mut collected {
                    file.write_all(whole.as_bytes()).unwrap();
                }
                if let Some((_, rest)) = line.split_once(ready) {
                    // The receiver takes the first one.
                    let _ = sender.send(rest.to_owned());
                }
            }
        });
        match lines.recv_timeout(START_TIMEOUT) {
            Ok(line) => (child, line),
            Err(error) => {
                child.kill().unwrap();
                child.wait().unwrap();
                panic!("{arguments:?} does not start ({error}): see {}", self.log().display());
            }
        }
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_afterglow"));
        let output = self.configure(command.args(arguments)).output().unwrap();
        let [printed, errors] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        Output { succeeded: output.status.success(), printed, errors }
    }

    fn configure<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        let environment = self.environment.iter().map(|(name, value)| (name, value));
        command.env_clear().envs(environment).current_dir(&self.folder).stdin(Stdio::null())
    }
}

/// A server or a worker; killed when dropped.
pub(crate) struct Process {
    child: Child,
    /// Where a server listens.
    pub(crate) address: Option<SocketAddr>,
}

impl Process {
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Whether it ends by itself and without an error after SIGTERM.
    pub(crate) fn stop(&mut self) -> bool {
        signal("-TERM", &[self.child.id()]);
        self.child.wait().unwrap().success()
    }

    /// Whether it has exited unexpectedly.
    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Lets no file of the process grow beyond `bytes`; none lifts the limit.
    pub(crate) fn limit_files(&self, bytes: Option<u64>) {
        let limit = bytes.map_or_else(|| String::from("unlimited"), |bytes| bytes.to_string());
        let limited = Command::new("prlimit")
            .args(["--pid", &self.child.id().to_string(), &format!("--fsize={limit}:unlimited")])
            .status()
            .unwrap();
        assert!(limited.success(), "prlimit cannot limit the size of files");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a signal to processes, of which some may have ended.
pub(crate) fn signal(name: &str, processes: &[u32]) {
    let numbers = processes.iter().map(u32::to_string);
    Command::new("kill").arg(name).args(numbers).stderr(Stdio::null()).status().unwrap();
}
