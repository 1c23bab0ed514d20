//! What the server and the tests share.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::ledger::Ledger;

/// The public key that the stand-in knows.
pub const KEY_ID: &str = "rzp_test_AfterglowStand";
/// The secret key that goes with it.
pub const KEY_SECRET: &str = "stand-in-key-secret";
/// The secret that its webhooks are signed with.
pub const WEBHOOK_SECRET: &str = "stand-in-webhook-secret";

/// What goes wrong with one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is answered with this status and an error of the documented form, and nothing is done.
    Answer(u16, &'static str),
    /// It is answered with this status and a body that is not the provider's, and nothing is done.
    Gibberish(u16, Vec<u8>),
    /// It is never answered, and nothing is done.
    Hang,
    /// The connection ends without an answer, and nothing is done.
    Close,
    /// It is done, and the connection ends without an answer.
    DoAndClose,
    /// It is done, and never answered.
    DoAndHang,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) ledger: Ledger,
    pub(super) faults: VecDeque<Fault>,
    pub(super) requests: Vec<String>,
    pub(super) events: usize,
}

pub(super) fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
