//! A mail transport for tests.

use std::sync::{Arc, Mutex, PoisonError};

use domain::Timestamp;
use domain::operations::mails::Mail;
use tokio::sync::oneshot;

use super::error::MailError;

/// Keeps mails in memory, and fails on demand. Clones share the state.
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    sent: Vec<SentMail>,
    failure: Option<MailError>,
    panic: Option<String>,
    held: Option<(oneshot::Sender<()>, oneshot::Receiver<()>)>,
}

/// The next mail, which is being sent until it is released.
#[derive(Debug)]
pub struct Held {
    begun: oneshot::Receiver<()>,
    released: oneshot::Sender<()>,
}

impl Held {
    /// Waits until it is being sent, does what comes meanwhile, and lets it be sent.
    pub async fn during<T>(self, meanwhile: impl Future<Output = T>) -> T {
        let _ = self.begun.await;
        let answer = meanwhile.await;
        let _ = self.released.send(());
        answer
    }
}

/// One mail that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentMail {
    /// The mail.
    pub mail: Mail,
    /// Its date.
    pub at: Timestamp,
    /// What its Message-ID is made of.
    pub message_id: [u8; 16],
}

impl Memory {
    /// The mails that were sent, oldest first.
    pub fn sent(&self) -> Vec<SentMail> {
        self.state().sent.clone()
    }

    /// Removes and returns the mails that were sent, oldest first.
    pub fn take(&self) -> Vec<SentMail> {
        std::mem::take(&mut self.state().sent)
    }

    /// Makes every further mail fail with `failure`; with `None`, every mail is accepted.
    pub fn fail_with(&self, failure: Option<MailError>) {
        self.state().failure = failure;
    }

    /// Panics with `message` instead of sending the next mail.
    pub fn panic_once(&self, message: &str) {
        self.state().panic = Some(message.to_owned());
    }

    /// Has the next mail take as long as what the test does meanwhile.
    pub fn hold_next(&self) -> Held {
        let ((begin, begun), (released, release)) = (oneshot::channel(), oneshot::channel());
        self.state().held = Some((begin, release));
        Held { begun, released }
    }

    pub(super) async fn send(
        &self,
        mail: &Mail,
        at: Timestamp,
        message_id: [u8; 16],
    ) -> Result<String, MailError> {
        let held = self.state().held.take();
        if let Some((begin, release)) = held {
            let _ = begin.send(());
            let _ = release.await;
        }
        let mut state = self.state();
        if let Some(message) = state.panic.take() {
            panic!("{message}");
        }
        match &state.failure {
            Some(failure) => Err(failure.clone()),
            None => {
                state.sent.push(SentMail { mail: mail.clone(), at, message_id });
                Ok(String::from("250 kept in memory"))
            }
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
