//! What is said between the service and a decoder: short messages of JSON, one in a packet. Pixels and other large answers
//! lie in a file in memory that both have; the file of a picture is handed over as a descriptor.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use domain::Timestamp;
use domain::photos::captures::Capture;
use rustix::io::retry_on_intr;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::confinement::Confinement;
use crate::pictures::{Limits, Unreadable};

/// Most bytes of a message.
const MESSAGE_BYTES: usize = 16 << 10;
/// Room for one descriptor.
const DESCRIPTOR_BYTES: usize = rustix::cmsg_space!(ScmRights(1));

/// The last millisecond of the year 9999.
const LAST_MOMENT: i64 = 253_402_300_799_999;

/// What a decoder tells of a trial that must not succeed, when it does.
pub const SUCCEEDED: &str = "done";

/// What memory is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    /// For [`super::Picture::examine`].
    Examine,
    /// For [`super::Picture::decode`].
    Decode {
        /// The long side.
        at_least: u32,
    },
}

/// What a decoder is asked to try that it must not be able to do, or must not outlive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Trial {
    /// Open a file that everybody may read.
    OpenFile,
    /// Open a socket.
    OpenSocket,
    /// Run a program.
    RunProgram,
    /// Signal another process.
    SignalAnother,
    /// End itself as a codec's bug would.
    Abort,
    /// Compute for ever.
    Spin,
    /// Take more memory than any picture does.
    Allocate,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Request {
    /// The picture whose file comes along, of so many bytes. It has no answer, and neither has the next.
    Take { bytes: u64 },
    /// The picture is done with.
    Forget,
    /// Anything else, with the seconds of a processor that it may take.
    Ask { question: Question, seconds: u64 },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Question {
    Memory(Purpose),
    Examine,
    Decode {
        at_least: u32,
        limits: Option<Limits>,
    },
    DecodeOnBlack {
        at_least: u32,
    },
    /// With the media type.
    Redact(String),
    Capture,
    Try(Trial),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Answer {
    Ready(Confinement),
    Memory(u64),
    /// The patches of the redaction are the data.
    Examined {
        media_type: String,
        width: u32,
        height: u32,
        average_color: Option<u32>,
        /// None when it cannot be redacted.
        crc32: Option<u32>,
        capture: ToldCapture,
    },
    /// The same.
    Redacted(Option<u32>),
    Capture(ToldCapture),
    /// The samples are the data.
    Pixels {
        width: u32,
        height: u32,
    },
    Unreadable(Unreadable),
    Tried(String),
}

/// An answer, and how many bytes of the shared file belong to it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Reply {
    pub(super) answer: Answer,
    pub(super) data: u64,
}

/// [`Capture`] as it is said.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ToldCapture {
    at: Option<i64>,
    camera: Option<String>,
    lens: Option<String>,
    artist: Option<String>,
    copyright: Option<String>,
}

impl From<Capture> for ToldCapture {
    fn from(capture: Capture) -> Self {
        let Capture { at, camera, lens, artist, copyright } = capture;
        Self { at: at.map(Timestamp::as_millis), camera, lens, artist, copyright }
    }
}

impl From<ToldCapture> for Capture {
    /// As from a file: names are cleaned and cut, and a moment that no calendar has is none.
    fn from(told: ToldCapture) -> Self {
        let at = told.at.filter(|at| (0..=LAST_MOMENT).contains(at)).map(Timestamp::from_millis);
        Self::new(at, None, told.camera.as_deref(), told.lens.as_deref())
            .with_rights(told.artist.as_deref(), told.copyright.as_deref())
    }
}

/// Sends a message, with a descriptor if there is one.
pub(super) fn send(
    socket: BorrowedFd<'_>,
    message: &impl Serialize,
    file: Option<BorrowedFd<'_>>,
) -> io::Result<()> {
    let text = serde_json::to_vec(message)?;
    if text.len() > MESSAGE_BYTES {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut space = [MaybeUninit::uninit(); DESCRIPTOR_BYTES];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let files = file.map(|file| [file]);
    if let Some(files) = &files
        && !control.push(SendAncillaryMessage::ScmRights(files))
    {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    retry_on_intr(|| sendmsg(socket.as_fd(), &[IoSlice::new(&text)], &mut control, SendFlags::NOSIGNAL))?;
    Ok(())
}

/// Receives a message, with its descriptor if it has one; none when the other side is gone.
pub(super) fn receive<M: DeserializeOwned>(
    socket: BorrowedFd<'_>,
) -> io::Result<Option<(M, Option<OwnedFd>)>> {
    let mut text = [0; MESSAGE_BYTES];
    let mut space = [MaybeUninit::uninit(); DESCRIPTOR_BYTES];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let received = retry_on_intr(|| {
        recvmsg(socket.as_fd(), &mut [IoSliceMut::new(&mut text)], &mut control, RecvFlags::CMSG_CLOEXEC)
    })?;
    if received.bytes == 0 {
        return Ok(None);
    }
    let mut file = None;
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(files) = message {
            file = files.last();
        }
    }
    Ok(Some((serde_json::from_slice(&text[..received.bytes])?, file)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_is_believed_no_more_than_the_file_that_tells_it() {
        let told = |at, camera: &str| {
            let (camera, copyright) = (Some(camera.to_owned()), Some(camera.to_owned()));
            Capture::from(ToldCapture { at, camera, lens: None, artist: None, copyright })
        };
        let capture =
            Capture::new(Some(Timestamp::from_millis(1_795_165_200_000)), None, Some("EOS R5"), None)
                .with_rights(Some("Asha Rao"), Some("© Asha Rao"));
        assert_eq!(Capture::from(ToldCapture::from(capture.clone())), capture);
        assert_eq!(told(Some(i64::MAX), "EOS R5").at, None);
        assert_eq!(told(Some(-1), "EOS R5").at, None);
        assert_eq!(told(None, "\u{1b}[31m EOS\n").camera.unwrap(), "[31m EOS");
        assert_eq!(told(None, &"x".repeat(5_000)).camera.unwrap().len(), 100);
        assert_eq!(told(None, &"x".repeat(5_000)).copyright.unwrap().len(), 250);
    }
}
