//! The test double of a mail transport.

use std::sync::{Arc, Mutex, PoisonError};

use domain::Timestamp;
use domain::mails::Mail;

use super::MailError;

/// Keeps what was sent, and fails when told to. Clones share one memory.
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    sent: Vec<SentMail>,
    failure: Option<MailError>,
    panic: Option<String>,
}

/// One mail that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentMail {
    /// The mail.
    pub mail: Mail,
    /// Its date.
    pub at: Timestamp,
    /// The bits of its Message-ID.
    pub bits: [u8; 16],
}

impl Memory {
    /// What was sent so far, oldest first.
    pub fn sent(&self) -> Vec<SentMail> {
        self.state().sent.clone()
    }

    /// What was sent since the last time somebody took it, oldest first.
    pub fn take(&self) -> Vec<SentMail> {
        std::mem::take(&mut self.state().sent)
    }

    /// From now on every mail fails with `failure`; with `None`, every mail is taken.
    pub fn fail_with(&self, failure: Option<MailError>) {
        self.state().failure = failure;
    }

    /// Panics with `message` instead of sending the next mail.
    pub fn panic_once(&self, message: &str) {
        self.state().panic = Some(message.to_owned());
    }

    pub(super) fn send(&self, mail: &Mail, at: Timestamp, bits: [u8; 16]) -> Result<(), MailError> {
        let mut state = self.state();
        if let Some(message) = state.panic.take() {
            panic!("{message}");
        }
        match &state.failure {
            Some(failure) => Err(failure.clone()),
            None => {
                state.sent.push(SentMail { mail: mail.clone(), at, bits });
                Ok(())
            }
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
