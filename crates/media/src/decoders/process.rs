//! A decoder, seen from the service.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::process::Signal;

use super::confinement::{Confinement, MOST_DATA};
use super::errors::Error;
use super::protocol::{Answer, Question, Reply, Request, receive, send};
use crate::temp_files::Contents;

/// How long a process that has gone silent may take to end.
const ENDING: Duration = Duration::from_secs(2);
/// How long one may take to start, on the busiest of machines.
const STARTING: Duration = Duration::from_secs(60);
/// Bytes of the file of answers that stay in memory while a process waits: the pixels of a photo of 24 megapixels, decoded for
/// the index.
const KEPT_DATA: u64 = 20 << 20;
/// A machine that has other things to do gives a decoder less of a processor than it has seconds.
const SLOWEST: u32 = 5;

/// A process that reads pictures. Dropped, it is ended.
pub(super) struct Process {
    child: Child,
    socket: OwnedFd,
    /// Where it puts large answers. Read as a file, never mapped: it can cut it at any moment.
    data: File,
    confinement: Option<Confinement>,
}

/// Why there was no answer.
pub(super) enum Loss {
    /// It failed as a program does that a picture has led astray.
    Fault(String),
    /// It took too long.
    TooLong,
    /// It was ended from outside, or could not be asked.
    Ended(String),
}

impl Process {
    /// Starts one. Its limits end it with the thread that calls this.
    pub(super) fn launch(program: &Path, in_background: bool) -> io::Result<Self> {
        let (socket, theirs) =
            socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        let data = File::from(memfd_create("decoded", MemfdFlags::CLOEXEC)?);
        let mut command = Command::new(program);
        command.arg("decoder");
        if in_background {
            command.arg("--background");
        }
        let child = command
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::from(data.try_clone()?))
            .stderr(Stdio::null())
            // Not with the terminal's: who stops the service there lets it finish what it does.
            .process_group(0)
            .spawn()?;
        Ok(Self { child, socket, data, confinement: None })
    }

    /// Waits until it is confined.
    pub(super) fn ready(mut self) -> Result<Self, Error> {
        set_socket_timeout(&self.socket, Timeout::Recv, Some(STARTING))
            .map_err(|error| Error::Start(error.into()))?;
        match receive::<Reply>(self.socket.as_fd()) {
            Ok(Some((Reply { answer: Answer::Ready(confinement), .. }, _))) => {
                self.confinement = Some(confinement);
                Ok(self)
            }
            Ok(Some(_)) => Err(Error::Answer),
            Ok(None) => Err(Error::Ended(self.ended().to_string())),
            Err(error) => Err(Error::Start(error)),
        }
    }

    /// What it is denied.
    pub(super) fn confinement(&self) -> Confinement {
        let unknown = Confinement { is_filtered: false, descriptors: 0, variables: 0 };
        self.confinement.unwrap_or(unknown)
    }

    /// Hands a picture over.
    pub(super) fn take(&self, contents: &Contents) -> io::Result<()> {
        let bytes = contents.len() as u64;
        let held;
        let file = match contents {
            Contents::InMemory(contents) => {
                let mut file = File::from(memfd_create("picture", MemfdFlags::CLOEXEC)?);
                file.write_all(contents)?;
                held = file;
                &held
            }
            Contents::Mapped(mapped) => mapped.file(),
        };
        send(self.socket.as_fd(), &Request::Take { bytes }, Some(file.as_fd()))
    }

    /// Has it drop its picture.
    pub(super) fn forget(&self) -> io::Result<()> {
        send(self.socket.as_fd(), &Request::Forget, None)
    }

    /// Asks something about its picture, which may take so many seconds of a processor.
    pub(super) fn ask(&mut self, question: &Question, seconds: u64) -> Result<(Answer, Vec<u8>), Loss> {
        let request = Request::Ask { question: question.clone(), seconds };
        let patience = Duration::from_secs(seconds).saturating_mul(SLOWEST);
        let answered = set_socket_timeout(&self.socket, Timeout::Recv, Some(patience))
            .map_err(io::Error::from)
            .and_then(|()| send(self.socket.as_fd(), &request, None))
            .and_then(|()| receive::<Reply>(self.socket.as_fd()));
        match answered {
            Ok(Some((Reply { answer, data }, _))) => match self.data(data) {
                Ok(data) => Ok((answer, data)),
                Err(error) => Err(Loss::Ended(error.to_string())),
            },
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Err(Loss::TooLong),
            // What is no message is what a picture has made of it.
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(Loss::Fault(error.to_string())),
            Ok(None) | Err(_) => Err(loss(self.ended())),
        }
    }

    /// The data of an answer, of which not much is kept.
    fn data(&mut self, bytes: u64) -> io::Result<Vec<u8>> {
        if bytes == 0 {
            return Ok(Vec::new());
        }
        let wanted = usize::try_from(bytes.min(MOST_DATA)).map_err(io::Error::other)?;
        let mut data = Vec::new();
        data.try_reserve_exact(wanted)?;
        self.data.rewind()?;
        (&self.data).take(wanted as u64).read_to_end(&mut data)?;
        // What is kept needs not be cleared for the next answer, which overwrites it.
        self.data.set_len(bytes.min(KEPT_DATA))?;
        Ok(data)
    }

    /// How it ended, which it is made to if it does not by itself.
    fn ended(&mut self) -> ExitStatus {
        let since = Instant::now();
        while since.elapsed() < ENDING {
            if let Ok(Some(status)) = self.child.try_wait() {
                return status;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        self.end().unwrap_or_default()
    }

    fn end(&mut self) -> io::Result<ExitStatus> {
        self.child.kill()?;
        self.child.wait()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Err(error) = self.end() {
            tracing::warn!(%error, "a decoder could not be ended");
        }
    }
}

/// What the way it ended says.
fn loss(status: ExitStatus) -> Loss {
    const FAULTS: [Signal; 7] =
        [Signal::SEGV, Signal::ABORT, Signal::BUS, Signal::ILL, Signal::FPE, Signal::TRAP, Signal::SYS];
    let is = |signal: &Signal| status.signal() == Some(signal.as_raw());
    match status.signal() {
        Some(_) if is(&Signal::XCPU) => Loss::TooLong,
        Some(_) if FAULTS.iter().any(is) || is(&Signal::XFSZ) => Loss::Fault(status.to_string()),
        // By itself, with an answer due.
        None => Loss::Fault(status.to_string()),
        Some(_) => Loss::Ended(status.to_string()),
    }
}
