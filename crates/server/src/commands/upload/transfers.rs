//! One photo on its way: in one piece, or in pieces that go on where they were cut.

use std::io::SeekFrom;
use std::sync::Arc;

use domain::Refusal;
use gateway::photo_uploads::{Progress, ServiceError, Taken};
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _};

use super::destination::{Attempts, Destination};
use super::hashes::Hashed;

/// From this size on a photo travels in pieces, as from the browser.
const IN_PIECES_FROM: u64 = 5_000_000;
/// What is in memory of a photo at once.
const PIECE: u64 = 8 * 1024 * 1024;

/// Why a photo is not there.
#[derive(Debug)]
pub(super) enum Failure {
    /// This one is refused, or cannot be read; others are not concerned.
    OfPhoto(String),
    /// It was written to meanwhile.
    Changed,
    /// Nothing else can be uploaded either.
    OfAll(ServiceError),
}

impl From<ServiceError> for Failure {
    fn from(error: ServiceError) -> Self {
        match &error {
            // The others are about the event, the account, the server's disk or the line.
            ServiceError::Refused { status: 400 | 413 | 415 | 422, text, .. } => Self::OfPhoto(text.clone()),
            ServiceError::Refused { code, text, .. } if code == Refusal::PhotoNameAmbiguous.code() => {
                Self::OfPhoto(text.clone())
            }
            // Bytes of two versions of the file were put together.
            ServiceError::Refused { code, .. } if code == Refusal::UploadChecksumWrong.code() => {
                Self::Changed
            }
            _ => Self::OfAll(error),
        }
    }
}

/// Uploads a photo.
pub(super) async fn send(destination: Arc<Destination>, photo: Hashed) -> (Hashed, Result<Taken, Failure>) {
    let sent = if photo.picture.state.size < IN_PIECES_FROM {
        in_one_piece(&destination, &photo).await
    } else {
        in_pieces(&destination, &photo).await
    };
    (photo, sent)
}

async fn in_one_piece(destination: &Destination, photo: &Hashed) -> Result<Taken, Failure> {
    let bytes = tokio::fs::read(&photo.picture.path).await.map_err(|error| unreadable(&error))?;
    if !photo.picture.is_as_it_was() || blake3::hash(&bytes).to_hex().as_str() != photo.hash {
        return Err(Failure::Changed);
    }
    let name = photo.picture.name();
    let new = destination.new_photo(&name, photo.replaces);
    let upload = || destination.service.upload(&new, &photo.hash, &bytes);
    let taken = destination.persist(upload).await?;
    destination.report.advance(photo.picture.state.size);
    Ok(taken)
}

async fn in_pieces(destination: &Destination, photo: &Hashed) -> Result<Taken, Failure> {
    let mut shown = Shown { destination, length: photo.picture.state.size, offset: 0 };
    let mut attempts = Attempts::default();
    let mut begun = None;
    loop {
        let (path, mut progress) = resume_or_begin(destination, photo, begun).await?;
        // Until the line is cut: how much has come is then asked first.
        let error = loop {
            if shown.reach(progress.offset) {
                attempts.succeed();
            }
            if let Some(taken) = progress.taken {
                shown.reach(shown.length);
                return Ok(taken);
            }
            let piece = read(photo, progress.offset).await?;
            match destination.service.append(&path, progress.offset, piece.into()).await {
                Ok(next) => progress = next,
                Err(error) => break error,
            }
        };
        attempts.wait(destination, error).await?;
        begun = Some(path);
    }
}

/// How far the report is told that a photo has come. What has to be sent again is not counted back.
struct Shown<'a> {
    destination: &'a Destination,
    length: u64,
    offset: u64,
}

impl Shown<'_> {
    /// Whether that is farther than before.
    fn reach(&mut self, offset: u64) -> bool {
        let more = offset.saturating_sub(self.offset);
        self.destination.report.advance(more);
        self.offset += more;
        more > 0
    }
}

/// The path of the photo's upload in pieces, and how it stands.
async fn resume_or_begin(
    destination: &Destination,
    photo: &Hashed,
    begun: Option<String>,
) -> Result<(String, Progress), ServiceError> {
    let service = &destination.service;
    if let Some(path) = begun
        // None when it had to make way for others.
        && let Some(progress) = destination.persist(|| service.progress(&path)).await?
    {
        return Ok((path, progress));
    }
    let (name, length) = (photo.picture.name(), photo.picture.state.size);
    let new = destination.new_photo(&name, photo.replaces);
    let path = destination.persist(|| service.begin(&new, length, &photo.hash)).await?;
    Ok((path, Progress { offset: 0, taken: None }))
}

/// The bytes from `offset` on, a piece of them.
async fn read(photo: &Hashed, offset: u64) -> Result<Vec<u8>, Failure> {
    let read = async {
        let mut file = tokio::fs::File::open(&photo.picture.path).await?;
        file.seek(SeekFrom::Start(offset)).await?;
        let mut bytes = Vec::new();
        file.take(PIECE).read_to_end(&mut bytes).await?;
        Ok::<_, std::io::Error>(bytes)
    };
    let bytes = read.await.map_err(|error| unreadable(&error))?;
    if photo.picture.is_as_it_was() { Ok(bytes) } else { Err(Failure::Changed) }
}

fn unreadable(error: &std::io::Error) -> Failure {
    Failure::OfPhoto(format!("it cannot be read: {error}"))
}
