//! Mails as files, for trying the product out without a mail server.

use std::path::PathBuf;
use std::sync::Arc;

use domain::Timestamp;
use domain::operations::mails::Mail;
use lettre::message::Mailbox;

use super::error::{MailError, MailUrlError, Obstacle, Undelivered};
use super::messages::{compose, hex};

/// A folder that gets one `.eml` file a mail. Not for real use: its log lines hold the mails' links, and
/// whoever has such a link can act for its recipient.
#[derive(Clone, Debug)]
pub struct Outbox {
    folder: Arc<PathBuf>,
    sender: Mailbox,
}

impl Outbox {
    pub(super) fn open(folder: &str, sender: Mailbox) -> Result<Self, MailUrlError> {
        if folder.is_empty() {
            return Err(MailUrlError::NoFolder);
        }
        std::fs::create_dir_all(folder)
            .map_err(|source| MailUrlError::Folder { path: folder.to_owned(), source })?;
        Ok(Self { folder: Arc::new(PathBuf::from(folder)), sender })
    }

    pub(super) async fn send(
        &self,
        mail: &Mail,
        at: Timestamp,
        message_id: [u8; 16],
    ) -> Result<String, Undelivered> {
        let composed = compose(mail, &self.sender, at, message_id);
        let bytes = composed.map_err(|error| Undelivered { obstacle: Obstacle::Address, error })?.formatted();
        let name = file_name(at, message_id);
        let path = self.folder.join(&name);
        // A program that watches for `.eml` must not see a partial file.
        let unfinished = self.folder.join(format!(".{name}.part"));
        let written = async {
            tokio::fs::write(&unfinished, bytes).await?;
            tokio::fs::rename(&unfinished, &path).await
        };
        written.await.map_err(|error| Undelivered {
            obstacle: Obstacle::Folder,
            error: MailError::Transient(format!("{}: {error}", path.display())),
        })?;

        tracing::info!(file = %path.display(), "mail written to the outbox, which is not for real use");
        for link in &mail.links {
            tracing::info!(link, "link of a mail in the outbox, which is not for real use");
        }
        Ok(path.display().to_string())
    }

    pub(super) fn folder(&self) -> String {
        self.folder.display().to_string()
    }
}

/// Sorts by time, and is unique as long as `message_id` is: `20261120T093000.005Z-0f…0f.eml`.
fn file_name(at: Timestamp, message_id: [u8; 16]) -> String {
    format!("{}-{}.eml", at.to_rfc3339().replace(['-', ':'], ""), hex(message_id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_by_time() {
        let moments = [0, 1, 999, 1_000, 1_795_167_000_500, 1_795_167_000_501, 4_102_444_800_000];
        let names = moments.map(|millis| file_name(Timestamp::from_millis(millis), [255; 16]));
        assert!(names.is_sorted(), "{names:?}");
        assert_eq!(names[1], "19700101T000000.001Z-ffffffffffffffffffffffffffffffff.eml");
    }
}
