//! Who administers, and with what.

use std::sync::Arc;

use domain::accounts::User;
use domain::payments::invoices::Seller;
use domain::{Clock, Randomness, UserId};
use gateway::Payments;

use super::totals::TotalsCache;
use crate::App;
use crate::accounts::security_log::{self, SecurityEvent};
use crate::operations::runtime::queue::JobQueue;
use crate::payments::bookkeeping::Bookkeeping;

/// What administration works with, in a server and in an operator's command.
#[derive(Clone)]
pub struct Administration {
    pub(crate) db: storage::Db,
    pub(crate) clock: Clock,
    pub(crate) randomness: Randomness,
    pub(crate) queue: JobQueue,
    pub(crate) totals: Arc<TotalsCache>,
    /// Who is named on invoices; without one there are none.
    pub(crate) seller: Option<Seller>,
    /// The administrator; none on the machine itself.
    pub(crate) by: Option<UserId>,
}

impl Administration {
    /// By an administrator.
    pub fn of(app: &App, administrator: &User) -> Self {
        Self {
            db: app.db.clone(),
            clock: app.clock.clone(),
            randomness: app.randomness.clone(),
            queue: app.queue.clone(),
            totals: app.totals.clone(),
            seller: app.settings.seller.clone(),
            by: Some(administrator.id),
        }
    }

    /// By an operator on the machine itself; workers in other processes find by themselves what is queued.
    pub fn on_the_machine(
        db: storage::Db,
        clock: Clock,
        randomness: Randomness,
        seller: Option<Seller>,
    ) -> Self {
        let queue = JobQueue::new(db.clone(), clock.clone(), randomness.clone());
        Self { db, clock, randomness, queue, totals: Arc::default(), seller, by: None }
    }

    /// What payments of this provider are settled and refunded with.
    pub(crate) fn books<'a>(&'a self, payments: &'a Payments) -> Bookkeeping<'a> {
        let Self { db, queue, clock, randomness, seller, .. } = self;
        let seller = seller.as_ref();
        Bookkeeping { db, queue, clock, randomness, payments, seller, metrics: None }
    }

    /// Writes what was done to the log.
    pub(crate) fn record(&self, event: SecurityEvent, account: Option<UserId>) {
        security_log::record_administration(event, account, self.by);
    }
}
