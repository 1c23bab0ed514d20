//! A decoder: answers questions about one picture after the other until nobody asks any more.

use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};

use domain::photos::ImageFormat;
use domain::photos::pixels::Pixels;
use domain::photos::redactions::{Redaction, encode};
use rustix::io::pwrite;

use super::confinement::{confine, limit_time};
use super::protocol::{Answer, Purpose, Question, Reply, Request, SUCCEEDED, Trial, receive, send};
use crate::captures;
use crate::metadata::redact;
use crate::pictures::{
    Unreadable, decode, decode_memory, decode_on_black, decode_within, inspect, inspect_memory,
};
use crate::temp_files::MappedFile;

/// Confines this process and answers what comes over standard input, a socket; large answers go into standard output, a
/// file in memory. Ends when the other side is gone.
///
/// # Errors
/// When this process cannot be confined, or one of the two is not what it must be.
pub fn serve() -> io::Result<()> {
    let (socket, data) = (rustix::stdio::stdin(), rustix::stdio::stdout());
    send(socket, &Reply { answer: Answer::Ready(confine()?), data: 0 }, None)?;
    let mut picture = None;
    while let Some((request, file)) = receive::<Request>(socket)? {
        match request {
            Request::Take { bytes } => picture = Some(map(file, bytes)?),
            Request::Forget => picture = None,
            Request::Ask { question, seconds } => {
                limit_time(seconds)?;
                let bytes: &[u8] = picture.as_deref().unwrap_or_default();
                let (answer, samples) = answer(&question, bytes);
                write(data, &samples)?;
                let reply = Reply { answer, data: samples.len() as u64 };
                drop(samples);
                send(socket, &reply, None)?;
            }
        }
    }
    Ok(())
}

fn map(file: Option<OwnedFd>, bytes: u64) -> io::Result<MappedFile> {
    let file = file.ok_or(io::ErrorKind::InvalidInput)?;
    MappedFile::of(file.into(), usize::try_from(bytes).map_err(io::Error::other)?)
}

fn write(file: BorrowedFd<'_>, mut samples: &[u8]) -> io::Result<()> {
    let mut at = 0;
    while !samples.is_empty() {
        let written = rustix::io::retry_on_intr(|| pwrite(file, samples, at))?;
        at += written as u64;
        samples = &samples[written..];
    }
    Ok(())
}

fn answer(question: &Question, bytes: &[u8]) -> (Answer, Vec<u8>) {
    let told = |answer| (answer, Vec::new());
    match question {
        Question::Memory(purpose) => told(Answer::Memory(memory(*purpose, bytes))),
        Question::Capture => told(Answer::Capture(captures::read(bytes).into())),
        Question::Redact(media_type) => {
            let (crc32, patches) = redacted(bytes, ImageFormat::from_media_type(media_type));
            (Answer::Redacted(crc32), patches)
        }
        Question::Examine => match inspect(bytes) {
            Ok(found) => {
                let (crc32, patches) = redacted(bytes, Some(found.format));
                let examined = Answer::Examined {
                    media_type: found.format.media_type().to_owned(),
                    width: found.width,
                    height: found.height,
                    average_color: found.average_color.map(|color| color.number()),
                    crc32,
                    capture: captures::read(bytes).into(),
                };
                (examined, patches)
            }
            Err(unreadable) => told(Answer::Unreadable(unreadable)),
        },
        Question::Decode { at_least, limits } => pixels(match limits {
            Some(limits) => decode_within(bytes, *at_least, limits),
            None => decode(bytes, *at_least),
        }),
        Question::DecodeOnBlack { at_least } => pixels(decode_on_black(bytes, *at_least)),
        Question::Try(trial) => told(tried(*trial)),
    }
}

fn pixels(decoded: Result<Pixels, Unreadable>) -> (Answer, Vec<u8>) {
    match decoded {
        Ok(pixels) => {
            let (width, height) = (pixels.width(), pixels.height());
            (Answer::Pixels { width, height }, pixels.into_data())
        }
        Err(unreadable) => (Answer::Unreadable(unreadable), Vec::new()),
    }
}

pub(super) fn memory(purpose: Purpose, bytes: &[u8]) -> u64 {
    match purpose {
        Purpose::Examine => inspect_memory(bytes).max(captures::memory()),
        Purpose::Decode { at_least } => decode_memory(bytes, at_least),
    }
}

/// The checksum of what guests get and the encoded patches; none when it cannot be redacted.
fn redacted(bytes: &[u8], format: Option<ImageFormat>) -> (Option<u32>, Vec<u8>) {
    match format.and_then(|format| redact(bytes, format).ok()) {
        Some(Redaction { patches, crc32 }) => (Some(crc32), encode(&patches)),
        None => (None, Vec::new()),
    }
}

/// Tries what must not succeed, and tells how it ended.
fn tried(trial: Trial) -> Answer {
    let ended = |outcome: io::Result<()>| {
        Answer::Tried(outcome.map_or_else(|error| error.to_string(), |()| SUCCEEDED.to_owned()))
    };
    match trial {
        Trial::OpenFile => ended(std::fs::File::open("/proc/self/exe").map(drop)),
        Trial::OpenSocket => ended(std::net::UdpSocket::bind("127.0.0.1:0").map(drop)),
        Trial::RunProgram => ended(std::process::Command::new("/proc/self/exe").status().map(drop)),
        Trial::SignalAnother => {
            ended(rustix::process::test_kill_process(rustix::process::Pid::INIT).map_err(io::Error::from))
        }
        Trial::Abort => std::process::abort(),
        Trial::Spin => loop {
            std::hint::spin_loop();
        },
        Trial::Allocate => {
            drop(std::hint::black_box(Vec::<u8>::with_capacity(1 << 40)));
            Answer::Unreadable(Unreadable::TooComplex)
        }
    }
}
