//! What the server and the tests share.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::ledger::Ledger;

/// The key id that the server accepts.
pub const KEY_ID: &str = "rzp_test_AfterglowTests";
/// The secret key that goes with it.
pub const KEY_SECRET: &str = "fake-key-secret";
/// The secret that its webhooks are signed with.
pub const WEBHOOK_SECRET: &str = "fake-webhook-secret";

/// What goes wrong with one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// This status and an error of the documented form; the request is not applied.
    ErrorStatus(u16, &'static str),
    /// This status and a body that is not the provider's; the request is not applied.
    InvalidBody(u16, Vec<u8>),
    /// No response; the request is not applied.
    Hang,
    /// The connection is closed without a response; the request is not applied.
    Disconnect,
    /// The request is applied, and the connection is closed without a response.
    ApplyThenDisconnect,
    /// The request is applied, and there is no response.
    ApplyThenHang,
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
