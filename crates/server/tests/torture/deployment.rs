//! Everything that runs in one round: the service, and the database and object store that it uses.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use gateway::testing::{FakeRazorpay, KEY_ID, KEY_SECRET, WEBHOOK_SECRET};
use hyper::Method;
use rand::RngExt as _;
use rand::rngs::StdRng;
use tokio::sync::watch;
use tokio::task::block_in_place;

use crate::binary::{Binary, Process};
use crate::bucket::Bucket;
use crate::clock::OffsetClock;
use crate::commit_proxy::CommitProxy;
use crate::disk::{Disk, DiskFault, Journal};
use crate::http::{self, Body};
use crate::postgres::{Postgres, Template};
use crate::scenario::{Engine, Fault, Round};

/// Jobs that users wait for, by the label of the metrics.
const JOBS: [&str; 5] =
    ["index_photo", "send_verification", "notice_email_change", "delete_event", "clear_account"];
/// By how much the clock is advanced when jobs are left that are not due: beyond a lease, then beyond longer and longer
/// pauses between attempts.
const ADVANCES: [Duration; 5] =
    [Duration::from_secs(90), minutes(15), minutes(60), minutes(180), minutes(300)];
/// How long the queue may stay as it is before that.
const STANDSTILL: Duration = Duration::from_secs(2);

const fn minutes(count: u64) -> Duration {
    Duration::from_secs(count * 60)
}

/// How many servers and workers many machines are.
pub(crate) const SERVERS: usize = 3;
pub(crate) const WORKERS: usize = 2;

/// How often one address may search many machines: more often than any photographer does.
pub(crate) const SEARCHES_PER_DAY: usize = 200;
/// What photographers do more often than they could otherwise.
const UNLIMITED: [&str; 10] = [
    "LOGINS_PER_HOUR",
    "REGISTRATIONS_PER_HOUR",
    "MAILS_PER_HOUR",
    "LOOKUPS_PER_MINUTE",
    "RESULTS_PER_MINUTE",
    "OBJECTIONS_PER_DAY",
    "WRONG_PASSWORDS",
    "ORDERS_PER_HOUR",
    "COUPONS_PER_HOUR",
    "EXPORTS_PER_DAY",
];

/// What all rounds share.
pub(crate) struct Machine {
    pub(crate) models: PathBuf,
    pub(crate) clock_library: PathBuf,
    pub(crate) disk_library: PathBuf,
    pub(crate) postgres: Option<Template>,
}

/// One round's processes; ended when dropped.
pub(crate) struct Deployment {
    servers: Vec<Process>,
    /// None where the server does the work itself.
    workers: Vec<Process>,
    addresses: watch::Sender<Vec<SocketAddr>>,
    binary: Binary,
    /// For commands, past the proxy.
    operator: Binary,
    pub(crate) clock: OffsetClock,
    pub(crate) postgres: Option<Postgres>,
    pub(crate) proxy: Option<CommitProxy>,
    pub(crate) bucket: Option<Bucket>,
    pub(crate) disk: Option<Disk>,
    /// None where payments are the sandbox's.
    pub(crate) provider: Option<Arc<FakeRazorpay>>,
    /// What was wrong while a fault was injected.
    pub(crate) defects: Vec<String>,
}

impl Deployment {
    pub(crate) async fn start(machine: &Machine, folder: &Path, round: Round) -> Self {
        let clock = OffsetClock::new(&machine.clock_library, folder);
        let mut settings = vec![
            (String::from("PATH"), String::from("/usr/bin:/bin")),
            setting("LISTEN", "127.0.0.1:0"),
            setting("MODEL_DIR", &machine.models.display().to_string()),
            setting("RETENTION_DAYS", "0"),
        ];
        settings
            .extend(clock.environment().map(|(name, path)| (name.to_owned(), path.display().to_string())));
        settings.extend(rate_limits(round.fault));
        let bucket = match round.fault {
            Fault::BucketUnavailable | Fault::ManyMachines => Some(Bucket::start(folder).await),
            _ => None,
        };
        settings.extend(bucket.iter().flat_map(Bucket::settings));
        let postgres = (round.engine == Engine::Postgres).then(|| {
            let template = machine.postgres.as_ref().unwrap();
            block_in_place(|| Postgres::start(template, folder, &clock))
        });
        let proxy = match (&postgres, round.fault) {
            (Some(postgres), Fault::CommitCut) => {
                Some(CommitProxy::start(postgres.socket(), round.seed.into()).await)
            }
            _ => None,
        };
        let provider = match round.fault {
            Fault::Notifications => Some(Arc::new(FakeRazorpay::start().await.unwrap())),
            _ => None,
        };
        if let Some(provider) = &provider {
            settings.extend([
                setting("RAZORPAY_KEY_ID", KEY_ID),
                setting("RAZORPAY_KEY_SECRET", KEY_SECRET),
                setting("RAZORPAY_WEBHOOK_SECRET", WEBHOOK_SECRET),
                setting("RAZORPAY_API_URL", provider.url()),
            ]);
        }
        let mut operators = settings.clone();
        operators.extend(postgres.iter().map(|postgres| setting("DATABASE_URL", &postgres.url())));
        match (&postgres, &proxy) {
            (_, Some(proxy)) => settings.push(setting("DATABASE_URL", &proxy.url())),
            (Some(postgres), None) => settings.push(setting("DATABASE_URL", &postgres.url())),
            (None, None) => {}
        }
        let disk = match round.fault {
            Fault::DiskFails | Fault::PowerCut => {
                Some(Disk::new(&machine.disk_library, folder, round.fault == Fault::PowerCut))
            }
            _ => None,
        };
        // The later one of two settings of a name counts.
        settings.extend(disk.iter().flat_map(|disk| disk.environment(&clock.library())));
        let (binary, operator) = (Binary::new(folder, settings), Binary::new(folder, operators));
        // Several machines share a PostgreSQL database, and never a SQLite file.
        let is_split = round.engine == Engine::Postgres && round.seed.is_multiple_of(2);
        let (servers, workers) = match (round.fault, is_split) {
            (Fault::ManyMachines, _) => (SERVERS, WORKERS),
            (_, true) => (1, 1),
            (_, false) => (1, 0),
        };
        let servers: Vec<Process> =
            (0..servers).map(|_| block_in_place(|| binary.serve(workers == 0))).collect();
        let workers = (0..workers).map(|_| block_in_place(|| binary.work())).collect();
        let addresses = watch::Sender::new(servers.iter().filter_map(|server| server.address).collect());
        Self {
            servers,
            workers,
            addresses,
            binary,
            operator,
            clock,
            postgres,
            proxy,
            bucket,
            disk,
            provider,
            defects: Vec::new(),
        }
    }

    /// What the disk's changes are logged in, where they are.
    pub(crate) fn journal(&self) -> Option<Journal> {
        self.disk.as_ref().and_then(Disk::journal)
    }

    /// Lets the disk of the service fail; none mends it.
    pub(crate) fn set_disk(&self, fault: Option<DiskFault>) {
        self.disk.iter().for_each(|disk| disk.set(fault));
    }

    /// The issues of a server that begins with the data folder in `folder`.
    pub(crate) fn issues_of_copy(&self, folder: &Path) -> Vec<String> {
        let copy = self.operator.in_folder(folder);
        block_in_place(|| {
            let mut server = copy.serve(true);
            let stopped = server.stop();
            let checked = copy.run(&["check"]);
            let mut issues: Vec<String> = Vec::new();
            if !stopped {
                issues.push(String::from("SIGTERM did not end it in order"));
            }
            if !checked.succeeded {
                issues.extend([checked.printed, checked.errors]);
            }
            issues
        })
    }

    /// Where requests go, as it changes.
    pub(crate) fn addresses(&self) -> watch::Receiver<Vec<SocketAddr>> {
        self.addresses.subscribe()
    }

    /// Lets all requests go to one server.
    pub(crate) fn ask_only(&self, server: usize) {
        self.addresses.send_replace(self.servers[server].address.into_iter().collect());
    }

    /// Lets requests go to all servers in turn.
    pub(crate) fn ask_all(&self) {
        self.addresses.send_replace(self.servers.iter().filter_map(|server| server.address).collect());
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.binary.log()
    }

    /// Ends the server, or with a worker beside it either of them or both, with SIGKILL, and starts it again.
    pub(crate) fn kill_and_start(&mut self, rng: &mut StdRng) {
        let victims = rng.random_range(0..3);
        if self.workers.is_empty() || victims != 1 {
            self.kill_server(0);
        }
        if !self.workers.is_empty() && victims != 0 {
            self.kill_worker(0);
        }
        self.start_ended();
    }

    /// Ends a server with SIGKILL; requests go to the others.
    pub(crate) fn kill_server(&mut self, server: usize) {
        self.servers[server].address = None;
        self.ask_all();
        block_in_place(|| self.servers[server].kill());
    }

    /// Ends a worker with SIGKILL.
    pub(crate) fn kill_worker(&mut self, worker: usize) {
        block_in_place(|| self.workers[worker].kill());
    }

    /// Whether a process has ended although nobody asked it to; it is started again.
    pub(crate) fn start_ended(&mut self) -> bool {
        let mut has_ended = false;
        for server in &mut self.servers {
            if server.has_ended() {
                *server = block_in_place(|| self.binary.serve(self.workers.is_empty()));
                has_ended = true;
            }
        }
        for worker in &mut self.workers {
            if worker.has_ended() {
                *worker = block_in_place(|| self.binary.work());
                has_ended = true;
            }
        }
        self.ask_all();
        has_ended
    }

    /// Whether all processes end in order after SIGTERM.
    pub(crate) fn stop(&mut self) -> bool {
        self.addresses.send_replace(Vec::new());
        let processes = self.servers.iter_mut().chain(&mut self.workers);
        // Every one of them is asked, whatever became of the one before.
        block_in_place(|| processes.map(Process::stop).fold(true, |all, stopped| all & stopped))
    }

    /// Lets no file of the service grow beyond `bytes`; none lifts the limit.
    pub(crate) fn limit_files(&self, bytes: Option<u64>) {
        for process in self.servers.iter().chain(&self.workers) {
            process.limit_files(bytes);
        }
    }

    /// The issues that `afterglow check` finds.
    pub(crate) fn check(&self) -> Vec<String> {
        let output = block_in_place(|| self.operator.run(&["check"]));
        if output.succeeded {
            return Vec::new();
        }
        let issues: Vec<String> = output.printed.lines().map(str::to_owned).collect();
        // It failed without naming an issue.
        if output.printed.is_empty() { vec![output.errors] } else { issues }
    }

    /// Waits until no job is left that a user waits for. Jobs that are not due, or belong to a killed process, become
    /// due while no process runs: a clock that jumps ahead of a lease in use is another fault.
    pub(crate) async fn settle(&mut self) -> Result<(), String> {
        let mut advances = ADVANCES.into_iter();
        loop {
            let left = self.wait_until_idle().await;
            if left.is_empty() {
                return Ok(());
            }
            let Some(advance) = advances.next() else {
                return Err(format!("jobs are left after hours: {left:?}"));
            };
            if !self.stop() {
                return Err(String::from("SIGTERM did not end the server in order"));
            }
            self.clock.advance(advance);
            self.start_ended();
        }
    }

    /// The jobs that are left when their number stays the same for a while.
    async fn wait_until_idle(&self) -> Vec<String> {
        let mut left = self.jobs().await;
        let mut since = Instant::now();
        while !left.is_empty() && since.elapsed() < STANDSTILL {
            tokio::time::sleep(Duration::from_millis(100)).await;
            let now = self.jobs().await;
            if now != left {
                (left, since) = (now, Instant::now());
            }
        }
        left
    }

    /// The metrics of the queue that are not zero.
    async fn jobs(&self) -> Vec<String> {
        let Some(server) = self.servers[0].address else { return Vec::new() };
        let metrics = http::request(server, Method::GET, "/metrics", None, Body::empty()).await;
        let Ok(metrics) = metrics else { return vec![String::from("the metrics cannot be read")] };
        let text = String::from_utf8_lossy(&metrics.body).into_owned();
        if metrics.status != 200 {
            return vec![text];
        }
        let jobs =
            text.lines().filter(|line| line.starts_with("afterglow_queued_jobs{") && !line.ends_with(" 0"));
        let mut jobs: Vec<String> = jobs
            .filter(|line| JOBS.iter().any(|kind| line.contains(&format!("\"{kind}\""))))
            .map(str::to_owned)
            .collect();
        jobs.sort();
        jobs
    }
}

/// Many machines limit searches alone, by the address that requests name.
fn rate_limits(fault: Fault) -> Vec<(String, String)> {
    if fault != Fault::ManyMachines {
        return vec![setting("RATE_LIMITS", "off")];
    }
    let lifted = UNLIMITED.map(|name| setting(&format!("LIMIT_{name}"), "0"));
    let searches = setting("LIMIT_SEARCHES_PER_DAY", &SEARCHES_PER_DAY.to_string());
    [searches, setting("TRUSTED_PROXIES", "127.0.0.1")].into_iter().chain(lifted).collect()
}

fn setting(name: &str, value: &str) -> (String, String) {
    (format!("AFTERGLOW_{name}"), value.to_owned())
}
