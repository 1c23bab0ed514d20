//! What payments are settled and refunded with.

use domain::ids::Id;
use domain::payments::Payment;
use domain::payments::invoices::Seller;
use domain::payments::ledger::LedgerKind;
use domain::{Clock, LedgerId, Paise, Randomness, RefundId, Timestamp};
use gateway::Payments;
use storage::Db;
use storage::payments::ledger::Entry;

use crate::operations::metrics::Metrics;
use crate::operations::runtime::queue::{JobQueue, Tx};
use crate::{App, Result};

/// What payments are settled and refunded with, in a server and in an operator's command.
pub(crate) struct Bookkeeping<'a> {
    pub(crate) db: &'a Db,
    pub(crate) queue: &'a JobQueue,
    pub(crate) clock: &'a Clock,
    pub(crate) randomness: &'a Randomness,
    pub(crate) payments: &'a Payments,
    /// Who is named on invoices; without one there are none.
    pub(crate) seller: Option<&'a Seller>,
    /// None in a command.
    pub(crate) metrics: Option<&'a Metrics>,
}

impl<'a> Bookkeeping<'a> {
    /// A server's.
    pub(crate) fn of(app: &'a App) -> Self {
        Self {
            db: &app.db,
            queue: &app.queue,
            clock: &app.clock,
            randomness: &app.randomness,
            payments: &app.payments,
            seller: app.settings.seller.as_ref(),
            metrics: Some(&app.metrics),
        }
    }

    /// Begins a transaction that may enqueue jobs.
    pub(crate) async fn begin(&self) -> Result<Tx> {
        self.queue.begin().await
    }

    /// The current time.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// A new identifier.
    pub(crate) fn id<I: Id>(&self) -> I {
        self.randomness.id(self.clock)
    }

    /// A row of the ledger about a refund.
    pub(crate) fn refund_entry(&self, payment: &Payment, refund: RefundId, amount: Paise) -> Entry {
        Entry {
            id: self.id::<LedgerId>(),
            user: payment.user,
            kind: LedgerKind::Adjustment,
            amount,
            reference: Some(refund.to_string()),
            event: None,
            at: self.now(),
        }
    }
}
