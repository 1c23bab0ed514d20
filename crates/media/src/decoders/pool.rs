//! Processes that wait for the next picture, and the thread that starts them.

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};

use super::errors::Error;
use super::process::Process;

/// Seconds of a processor that an answer may take. The slowest pictures of 200 megapixels take a tenth of it.
const SECONDS: u64 = 120;

/// Added to the priority of what nobody waits for, whose part of a processor is a tenth of others' when both want it (the
/// kernel's scheduler gives each step a quarter more).
pub const NICENESS: i32 = 10;

/// Who waits for a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// Somebody does.
    Foreground,
    /// Nobody: other work goes first.
    Background,
}

/// An order to start a process.
struct Order {
    priority: Priority,
    started: SyncSender<io::Result<Process>>,
}

/// Processes that wait for the next picture. As many are started as are needed at once, which the callers bound.
pub(super) struct Pool {
    orders: Sender<Order>,
    idle: Arc<Idle>,
    seconds: u64,
}

#[derive(Default)]
struct Idle {
    foreground: Mutex<Vec<Process>>,
    background: Mutex<Vec<Process>>,
}

impl Pool {
    pub(super) fn new(program: PathBuf) -> Result<Self, Error> {
        let (orders, received) = mpsc::channel();
        // The kernel ends a decoder with the thread that has started it, so it is one that lives as long as the pool.
        std::thread::Builder::new()
            .name(String::from("decoders"))
            .spawn(move || start_ordered(&program, &received))
            .map_err(Error::Start)?;
        Ok(Self { orders, idle: Arc::default(), seconds: SECONDS })
    }

    pub(super) fn within_seconds(&self, seconds: u64) -> Self {
        Self { orders: self.orders.clone(), idle: self.idle.clone(), seconds }
    }

    pub(super) const fn seconds(&self) -> u64 {
        self.seconds
    }

    fn idle(&self, priority: Priority) -> &Mutex<Vec<Process>> {
        match priority {
            Priority::Foreground => &self.idle.foreground,
            Priority::Background => &self.idle.background,
        }
    }

    /// One that waits, or a new one.
    pub(super) fn checkout(&self, priority: Priority) -> Result<Process, Error> {
        let waiting = self.idle(priority).lock().unwrap_or_else(PoisonError::into_inner).pop();
        match waiting {
            Some(process) => Ok(process),
            None => self.start(priority),
        }
    }

    /// A new one.
    pub(super) fn start(&self, priority: Priority) -> Result<Process, Error> {
        let gone = || Error::Start(io::ErrorKind::BrokenPipe.into());
        let (started, start) = mpsc::sync_channel(1);
        self.orders.send(Order { priority, started }).map_err(|_| gone())?;
        start.recv().map_err(|_| gone())?.map_err(Error::Start)?.ready()
    }

    /// Has one wait for the next picture.
    pub(super) fn put_back(&self, process: Process, priority: Priority) {
        self.idle(priority).lock().unwrap_or_else(PoisonError::into_inner).push(process);
    }

    /// Ends those that wait.
    pub(super) fn retire_idle(&self) {
        for priority in [Priority::Foreground, Priority::Background] {
            let retired =
                std::mem::take(&mut *self.idle(priority).lock().unwrap_or_else(PoisonError::into_inner));
            drop(retired);
        }
    }
}

fn start_ordered(program: &std::path::Path, orders: &Receiver<Order>) {
    for Order { priority, started } in orders {
        // Who has ordered it may be gone; it is ended then.
        let _ = started.send(Process::launch(program, priority == Priority::Background));
    }
}
