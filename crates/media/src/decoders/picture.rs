//! One picture, and what can be asked about it.

use std::sync::Arc;

use domain::photos::captures::Capture;
use domain::photos::pixels::{Color, Pixels};
use domain::photos::redactions::{MAX_ENCODED_BYTES, Patch, Redaction};
use domain::photos::{ImageFormat, MAX_PIXELS, redactions};

use super::child::memory;
use super::errors::Error;
use super::pool::{Pool, Priority};
use super::process::{Loss, Process};
use super::protocol::{Answer, Purpose, Question, Trial};
use crate::captures;
use crate::metadata::{NotRedactable, redact};
use crate::pictures::{Inspected, Limits, Unreadable, decode, decode_on_black, decode_within, inspect};
use crate::temp_files::Contents;

/// What an upload is judged by.
#[derive(Debug)]
pub struct Examined {
    /// What the bytes are.
    pub inspected: Inspected,
    /// What guests do not get of it.
    pub redaction: Result<Redaction, NotRedactable>,
    /// What it tells of its capture.
    pub capture: Capture,
}

/// A picture whose bytes nobody vouches for. A decoder that fails over it is replaced, and one more tries; then the picture is
/// refused as one that is damaged.
pub struct Picture {
    contents: Contents,
    place: Option<Place>,
}

/// An answer and its data, or the refusal of a picture that no decoder survives.
type Told = Result<(Answer, Vec<u8>), Unreadable>;

/// Where it is read, if not here.
struct Place {
    pool: Arc<Pool>,
    priority: Priority,
    /// The one that has it, from the first question on.
    process: Option<Process>,
    /// Why it is refused, once no decoder survives it: another question would cost as much again.
    refused: Option<Unreadable>,
}

impl Picture {
    pub(super) fn new(pool: Option<Arc<Pool>>, contents: Contents, priority: Priority) -> Self {
        Self { contents, place: pool.map(|pool| Place { pool, priority, process: None, refused: None }) }
    }

    /// About how many bytes it takes beside its own, by its headers; none where these cannot be read, which is refused when the
    /// picture is read. One that no decoder survives is refused here, and whatever else is asked of it.
    ///
    /// # Errors
    /// When there is no decoder; so do the others.
    pub fn memory(&mut self, purpose: Purpose) -> Result<Result<u64, Unreadable>, Error> {
        match self.ask(&Question::Memory(purpose))? {
            None => Ok(Ok(memory(purpose, &self.contents))),
            Some(Err(unreadable)) => Ok(Err(unreadable)),
            Some(Ok((Answer::Memory(bytes), _))) => Ok(Ok(bytes)),
            Some(Ok(_)) => Err(self.distrusted()),
        }
    }

    /// Judges it as an upload, see [`inspect`], and reads what stands beside the picture.
    pub fn examine(&mut self) -> Result<Result<Examined, Unreadable>, Error> {
        let told = match self.ask(&Question::Examine)? {
            None => {
                let bytes: &[u8] = &self.contents;
                return Ok(inspect(bytes).map(|inspected| Examined {
                    inspected,
                    redaction: redact(bytes, inspected.format),
                    capture: captures::read(bytes),
                }));
            }
            Some(Err(unreadable)) => return Ok(Err(unreadable)),
            Some(Ok((Answer::Unreadable(unreadable), _))) => return Ok(Err(unreadable)),
            Some(Ok(told)) => told,
        };
        let (Answer::Examined { media_type, width, height, average_color, crc32, capture }, patches) = told
        else {
            return Err(self.distrusted());
        };
        let format = ImageFormat::from_media_type(&media_type);
        let Some(format) =
            format.filter(|_| (1..=MAX_PIXELS).contains(&(u64::from(width) * u64::from(height))))
        else {
            return Err(self.distrusted());
        };
        let average_color = average_color.and_then(Color::from_number);
        let inspected = Inspected { format, width, height, average_color };
        let redaction = self.redaction(crc32, &patches);
        Ok(Ok(Examined { inspected, redaction, capture: capture.into() }))
    }

    /// The picture as [`decode`] has it, within the caller's own limits if there are some.
    pub fn decode(
        &mut self,
        at_least: u32,
        limits: Option<Limits>,
    ) -> Result<Result<Pixels, Unreadable>, Error> {
        self.pixels(&Question::Decode { at_least, limits }, |bytes| match &limits {
            Some(limits) => decode_within(bytes, at_least, limits),
            None => decode(bytes, at_least),
        })
    }

    /// The picture as [`decode_on_black`] has it.
    pub fn decode_on_black(&mut self, at_least: u32) -> Result<Result<Pixels, Unreadable>, Error> {
        self.pixels(&Question::DecodeOnBlack { at_least }, |bytes| decode_on_black(bytes, at_least))
    }

    fn pixels(
        &mut self,
        question: &Question,
        here: impl FnOnce(&[u8]) -> Result<Pixels, Unreadable>,
    ) -> Result<Result<Pixels, Unreadable>, Error> {
        match self.ask(question)? {
            None => Ok(here(&self.contents)),
            Some(Err(unreadable)) => Ok(Err(unreadable)),
            Some(Ok((Answer::Unreadable(unreadable), _))) => Ok(Err(unreadable)),
            Some(Ok((Answer::Pixels { width, height }, samples))) => {
                match Pixels::new(width, height, samples) {
                    Some(pixels) => Ok(Ok(pixels)),
                    None => Err(self.distrusted()),
                }
            }
            Some(Ok(_)) => Err(self.distrusted()),
        }
    }

    /// What is overwritten of it for guests, as [`redact`] has it.
    pub fn redact(&mut self, format: ImageFormat) -> Result<Result<Redaction, NotRedactable>, Error> {
        match self.ask(&Question::Redact(format.media_type().to_owned()))? {
            None => Ok(redact(&self.contents, format)),
            Some(Err(_)) => Ok(Err(NotRedactable)),
            Some(Ok((Answer::Redacted(crc32), patches))) => Ok(self.redaction(crc32, &patches)),
            Some(Ok(_)) => Err(self.distrusted()),
        }
    }

    /// What it tells of its capture.
    pub fn capture(&mut self) -> Result<Capture, Error> {
        match self.ask(&Question::Capture)? {
            None => Ok(captures::read(&self.contents)),
            Some(Err(_)) => Ok(Capture::default()),
            Some(Ok((Answer::Capture(capture), _))) => Ok(capture.into()),
            Some(Ok(_)) => Err(self.distrusted()),
        }
    }

    /// Has the decoder that reads this picture try something; how that ended, in words. Nothing is tried in this process.
    pub fn attempt(&mut self, trial: Trial) -> Result<Result<String, Unreadable>, Error> {
        match self.ask(&Question::Try(trial))? {
            None => Ok(Ok(String::from("nothing was tried"))),
            Some(Err(unreadable)) => Ok(Err(unreadable)),
            Some(Ok((Answer::Tried(told), _))) => Ok(Ok(told)),
            Some(Ok(_)) => Err(self.distrusted()),
        }
    }

    /// Patches as they may be: in order, apart, within the file.
    fn redaction(&self, crc32: Option<u32>, encoded: &[u8]) -> Result<Redaction, NotRedactable> {
        let patches = Some(encoded).filter(|encoded| encoded.len() <= MAX_ENCODED_BYTES);
        let patches = patches.and_then(redactions::decode).ok_or(NotRedactable)?;
        let is_apart = patches.is_sorted_by(|one, next| one.end() <= next.offset);
        let is_within = patches.last().map_or(0, Patch::end) <= self.contents.len() as u64;
        match crc32 {
            Some(crc32) if is_apart && is_within => Ok(Redaction { patches, crc32 }),
            _ => Err(NotRedactable),
        }
    }

    /// An answer and its data, or the refusal of a picture that no decoder survives; none when it is to be read here.
    fn ask(&mut self, question: &Question) -> Result<Option<Told>, Error> {
        let Some(place) = &mut self.place else { return Ok(None) };
        place.ask(&self.contents, question).map(Some)
    }

    /// Ends the decoder, whose answer makes no sense.
    fn distrusted(&mut self) -> Error {
        if let Some(place) = &mut self.place {
            place.process = None;
        }
        Error::Answer
    }
}

impl Drop for Picture {
    fn drop(&mut self) {
        let Some(Place { pool, priority, process: Some(process), .. }) = self.place.take() else { return };
        // What has ended meanwhile waits for nothing.
        if process.forget().is_ok() {
            pool.put_back(process, priority);
        }
    }
}

impl Place {
    fn ask(&mut self, contents: &Contents, question: &Question) -> Result<Told, Error> {
        if let Some(unreadable) = self.refused {
            return Ok(Err(unreadable));
        }
        let mut again = true;
        loop {
            let lost = match self.attempt(contents, question, again)? {
                Ok(answer) => return Ok(Ok(answer)),
                Err(lost) => lost,
            };
            match lost {
                Loss::TooLong => {
                    tracing::warn!("a picture takes too long to be read");
                    return Ok(Err(self.refuse(Unreadable::TooComplex)));
                }
                Loss::Fault(how) | Loss::Ended(how) if again => {
                    tracing::warn!(how, "a decoder ended over a picture, which is tried once more");
                    again = false;
                }
                Loss::Fault(how) => {
                    tracing::warn!(how, "two decoders ended over the same picture, which is refused");
                    return Ok(Err(self.refuse(Unreadable::Damaged)));
                }
                Loss::Ended(how) => return Err(Error::Ended(how)),
            }
        }
    }

    fn refuse(&mut self, unreadable: Unreadable) -> Unreadable {
        self.refused = Some(unreadable);
        unreadable
    }

    /// One attempt; the process is there for the next question when it has answered.
    fn attempt(
        &mut self,
        contents: &Contents,
        question: &Question,
        may_wait: bool,
    ) -> Result<Result<(Answer, Vec<u8>), Loss>, Error> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => {
                // The second attempt is a new one's.
                let process = if may_wait {
                    self.pool.checkout(self.priority)
                } else {
                    self.pool.start(self.priority)
                }?;
                if let Err(error) = process.take(contents) {
                    return Ok(Err(Loss::Ended(error.to_string())));
                }
                process
            }
        };
        let answered = process.ask(question, self.pool.seconds());
        if answered.is_ok() {
            self.process = Some(process);
        }
        Ok(answered)
    }
}

#[cfg(test)]
mod tests {
    use domain::photos::redactions::{PatchContent, encode};

    use super::*;

    #[test]
    fn patches_that_no_redaction_has_are_refused() {
        let picture = Picture::new(None, Contents::InMemory(vec![0; 10].into()), Priority::Foreground);
        let fill = |offset, length| Patch { offset, content: PatchContent::Fill(0, length) };
        for (patches, is_fit) in [
            (vec![], true),
            (vec![fill(0, 5), fill(5, 5)], true),
            (vec![fill(5, 5), fill(0, 5)], false),
            (vec![fill(0, 6), fill(5, 5)], false),
            (vec![fill(5, 6)], false),
            (vec![fill(u64::MAX, 2)], false),
        ] {
            assert_eq!(picture.redaction(Some(7), &encode(&patches)).is_ok(), is_fit, "{patches:?}");
            assert!(picture.redaction(None, &encode(&patches)).is_err(), "there is no checksum");
        }
        assert!(picture.redaction(Some(7), b"no patches").is_err());
    }
}
