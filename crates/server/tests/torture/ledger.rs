//! What photographers asked for and were told: the state that the service is compared with.

use serde_json::Value;

/// How far an effect is known to have happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It was not requested.
    None,
    /// It was requested and not acknowledged: it may have happened.
    Requested,
    /// The service acknowledged it.
    Acknowledged,
}

/// A photographer's account and all that belongs to it.
pub(crate) struct Account {
    pub(crate) name: String,
    pub(crate) password: String,
    /// The address as far as it was acknowledged.
    pub(crate) email: String,
    pub(crate) registration: Effect,
    pub(crate) verification: Effect,
    pub(crate) token: Option<String>,
    pub(crate) change: Option<AddressChange>,
    /// Changes of address that were acknowledged.
    pub(crate) changes: usize,
    pub(crate) events: Vec<Event>,
    pub(crate) orders: Vec<Order>,
    /// Orders of which it is not known whether they were made.
    pub(crate) unanswered_orders: usize,
}

/// A change of address that is not acknowledged yet.
pub(crate) struct AddressChange {
    pub(crate) email: String,
    pub(crate) request: Effect,
    /// Following the link that was mailed.
    pub(crate) verification: Effect,
}

pub(crate) struct Event {
    pub(crate) name: String,
    pub(crate) creation: Effect,
    pub(crate) id: String,
    pub(crate) slug: String,
    pub(crate) deletion: Effect,
    pub(crate) task: Option<String>,
    pub(crate) photos: Vec<Photo>,
}

pub(crate) struct Photo {
    /// Unique, and the source of its bytes.
    pub(crate) name: String,
    pub(crate) upload: Effect,
    pub(crate) id: String,
    pub(crate) deletion: Effect,
}

/// An order for credits.
pub(crate) struct Order {
    pub(crate) id: String,
    pub(crate) rupees: u32,
    /// What the provider gave for the payment.
    pub(crate) proof: Option<Value>,
    pub(crate) receipt: Option<Receipt>,
    /// The provider's id of the refund of all of it.
    pub(crate) refund: Option<String>,
    /// Whether the service has acknowledged a notification of the refund.
    pub(crate) refund_told: bool,
}

/// What a payment was credited as.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Receipt {
    pub(crate) credits: f64,
    pub(crate) first: bool,
}

impl Account {
    pub(crate) fn new(name: String) -> Self {
        Self {
            password: format!("password of {name}"),
            email: format!("{name}@example.com"),
            name,
            registration: Effect::None,
            verification: Effect::None,
            token: None,
            change: None,
            changes: 0,
            events: Vec::new(),
            orders: Vec::new(),
            unanswered_orders: 0,
        }
    }

    /// The least and the most photos that may have been charged.
    pub(crate) fn charged(&self) -> (usize, usize) {
        let photos = || self.events.iter().flat_map(|event| &event.photos);
        let sure = photos().filter(|photo| photo.upload == Effect::Acknowledged).count();
        (sure, photos().count())
    }

    /// All credits that were acknowledged, but for those of the registration.
    pub(crate) fn recharged(&self) -> f64 {
        let kept = self.orders.iter().filter(|order| order.refund.is_none());
        kept.filter_map(|order| order.receipt).map(|receipt| receipt.credits).sum()
    }
}

impl Order {
    pub(crate) fn new(id: String) -> Self {
        Self { id, rupees: 0, proof: None, receipt: None, refund: None, refund_told: false }
    }
}

impl Event {
    pub(crate) fn new(name: String) -> Self {
        Self {
            name,
            creation: Effect::Requested,
            id: String::new(),
            slug: String::new(),
            deletion: Effect::None,
            task: None,
            photos: Vec::new(),
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.creation == Effect::Acknowledged && self.deletion == Effect::None
    }
}

impl Photo {
    pub(crate) fn new(name: String) -> Self {
        Self { name, upload: Effect::Requested, id: String::new(), deletion: Effect::None }
    }

    /// Whether it must be there.
    pub(crate) fn is_kept(&self) -> bool {
        self.upload == Effect::Acknowledged && self.deletion == Effect::None
    }
}

/// What the round did, for the table at the end.
#[derive(Clone, Copy, Default)]
pub(crate) struct Totals {
    pub(crate) photos: usize,
    pub(crate) orders: usize,
    pub(crate) deletions: usize,
    pub(crate) addresses: usize,
    /// Requests without an answer, or with 503.
    pub(crate) unanswered: usize,
    pub(crate) injected: usize,
}

impl std::ops::AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.photos += other.photos;
        self.orders += other.orders;
        self.deletions += other.deletions;
        self.addresses += other.addresses;
        self.unanswered += other.unanswered;
        self.injected += other.injected;
    }
}
