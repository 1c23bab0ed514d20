//! Which hosts studios have proved, as it was a moment ago.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use domain::studio::hosts::HostName;
use domain::{Timestamp, UserId};

/// The hosts that are proved, as they were read last.
#[derive(Default)]
pub(crate) struct HostCache(RwLock<Arc<Hosts>>);

/// The hosts that are proved at one moment.
#[derive(Clone, Default)]
pub(crate) struct Hosts {
    /// When they were asked for, whether or not the database has answered; none before.
    pub(crate) asked_at: Option<Timestamp>,
    /// Whose each name is.
    pub(crate) by_name: HashMap<String, UserId>,
    /// The name of each studio that has one.
    pub(crate) by_owner: HashMap<UserId, HostName>,
}

impl HostCache {
    pub(crate) fn get(&self) -> Arc<Hosts> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn set(&self, hosts: Hosts) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(hosts);
    }

    /// Keeps what is known until they are asked for again.
    pub(crate) fn set_asked(&self, now: Timestamp) {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        Arc::make_mut(&mut known).asked_at = Some(now);
    }
}
