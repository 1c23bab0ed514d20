//! A sliding-window rate limiter by address, account or recipient, for what is expensive to answer or easy to abuse.
//!
//! It counts exactly: in any window of a limit's length at most the limit's number is let through, and what is refused
//! does not count. This one counts in memory (decision 0006); `shared_limits.rs` does so for all processes of a database.

use std::collections::VecDeque;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use domain::accounts::EmailAddress;
use domain::accounts::tokens::{TokenHash, hash_token};
use domain::operations::runtime::texts::folded;
use domain::{DAY, EventId, Timestamp, UserId};
use lru::LruCache;

/// Subjects that are tracked for each limit; beyond that, the least recently used one is dropped.
const SUBJECTS: NonZeroUsize = NonZeroUsize::new(20_000).unwrap();
/// How many times the limit of one address the networks of IPv6 have that one customer may own altogether: a /56 is a usual
/// household, a /48 a usual office.
const WIDER_NETWORKS: [(u32, usize); 2] = [(56, 4), (48, 16)];

/// How many messages a photographer has sent an hour to try webhooks out.
const WEBHOOK_TESTS: u32 = 20;
/// How many wrong PINs of an address a day are compared whatever others have tried.
const FIRST_PINS: u32 = 3;
/// How many times the limit of one address all addresses together have for one event.
const EVENT_FACTOR: usize = 10;
/// The same for all events of one photographer.
const OWNER_FACTOR: usize = 20;

/// What is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// Searches by selfie, by the guests of an event at one address.
    Searches,
    /// The same in a day, by address.
    DailySearches,
    /// Searches without selfie, by what an earlier one has answered.
    RepeatedSearches,
    /// Attempts to log in, right or wrong.
    Logins,
    /// Attempts to register.
    Registrations,
    /// Mails that are sent on request: verification, reset, change of address, contact.
    Mails,
    /// Questions which photos are there already.
    Lookups,
    /// What guests do with the results of a search: a ZIP of some of them, opening them again, reporting a photo,
    /// a heart on a photo; and a page of all photos.
    Results,
    /// Requests of guests to be removed, once they are complete.
    Objections,
    /// Passwords: an attempt after wrong ones, which `password_attempts` counts.
    Passwords,
    /// Orders, by account.
    Orders,
    /// Coupons that are checked, by account.
    Coupons,
    /// Exports of an account.
    Exports,
    /// Wrong PINs, by address and by event.
    Pins,
    /// The first wrong PINs of an address, which are compared also where others have used up an event's.
    FirstPins,
    /// Questions to photographers, by address, by event and by photographer.
    Questions,
    /// Invitations to teams of events, by account and by recipient.
    Invitations,
    /// Wrong passwords of cameras, by event, and names that no login has, by address.
    FtpLogins,
    /// Photos that guests begin to send, by address and by event.
    GuestPhotos,
    /// Messages that try webhooks of photographers out, by account.
    WebhookTests,
}

impl Limit {
    /// All of them.
    pub const ALL: [Self; 20] = [
        Self::Searches,
        Self::DailySearches,
        Self::RepeatedSearches,
        Self::Logins,
        Self::Registrations,
        Self::Mails,
        Self::Lookups,
        Self::Results,
        Self::Objections,
        Self::Passwords,
        Self::Orders,
        Self::Coupons,
        Self::Exports,
        Self::Pins,
        Self::FirstPins,
        Self::Questions,
        Self::Invitations,
        Self::FtpLogins,
        Self::GuestPhotos,
        Self::WebhookTests,
    ];

    /// Its name in the metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Searches => "searches",
            Self::DailySearches => "daily_searches",
            Self::RepeatedSearches => "repeated_searches",
            Self::Logins => "logins",
            Self::Registrations => "registrations",
            Self::Mails => "mails",
            Self::Lookups => "lookups",
            Self::Results => "results",
            Self::Objections => "objections",
            Self::Passwords => "passwords",
            Self::Orders => "orders",
            Self::Coupons => "coupons",
            Self::Exports => "exports",
            Self::Pins => "pins",
            Self::FirstPins => "first_pins",
            Self::Questions => "questions",
            Self::Invitations => "invitations",
            Self::FtpLogins => "ftp_logins",
            Self::GuestPhotos => "guest_photos",
            Self::WebhookTests => "webhook_tests",
        }
    }

    /// Whether all processes of a database count it together. What is not costs the process that answers and nobody else, and
    /// leads to nothing that had to be guessed: each process bounds its own.
    pub(crate) const fn is_shared(self) -> bool {
        match self {
            Self::Lookups | Self::Results | Self::RepeatedSearches => false,
            Self::Searches
            | Self::DailySearches
            | Self::Logins
            | Self::Registrations
            | Self::Mails
            | Self::Objections
            | Self::Passwords
            | Self::Orders
            | Self::Coupons
            | Self::Exports
            | Self::Pins
            | Self::FirstPins
            | Self::Questions
            | Self::Invitations
            | Self::FtpLogins
            | Self::GuestPhotos
            | Self::WebhookTests => true,
        }
    }

    /// The time in which it is counted.
    pub const fn window(self) -> Duration {
        match self {
            Self::Searches | Self::RepeatedSearches | Self::Lookups | Self::Results => {
                Duration::from_secs(60)
            }
            Self::Logins
            | Self::Registrations
            | Self::Mails
            | Self::Passwords
            | Self::Orders
            | Self::Coupons
            | Self::Pins
            | Self::FtpLogins
            | Self::GuestPhotos
            | Self::WebhookTests => Duration::from_secs(60 * 60),
            Self::DailySearches
            | Self::Objections
            | Self::Exports
            | Self::FirstPins
            | Self::Questions
            | Self::Invitations => DAY,
        }
    }
}

/// How many requests of each kind one address, account or recipient may make or cause; 0 means no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitSettings {
    /// Searches by selfie a minute, in one event.
    pub searches: u32,
    /// Searches by selfie a day, in all events.
    pub daily_searches: u32,
    /// Searches without selfie a minute, in one event.
    pub repeated_searches: u32,
    /// Logins an hour.
    pub logins: u32,
    /// Registrations an hour.
    pub registrations: u32,
    /// Mails an hour, by one address, of one account, and to one recipient.
    pub mails: u32,
    /// Questions for known photos a minute.
    pub lookups: u32,
    /// ZIPs of chosen photos, results that are opened again, reported photos, hearts, and what a live wall asks a minute.
    pub results: u32,
    /// Requests of guests to be removed a day.
    pub objections: u32,
    /// Wrong passwords in succession before the next one has to wait.
    pub wrong_passwords: u32,
    /// Orders an hour, of one account.
    pub orders: u32,
    /// Checked coupons an hour, of one account.
    pub coupons: u32,
    /// Exports a day, of one account.
    pub exports: u32,
    /// Wrong PINs an hour, by one address; [`EVENT_FACTOR`] times as many for one event.
    pub pins: u32,
    /// Questions to photographers a day, by one address; [`EVENT_FACTOR`] times as many for one event, and [`OWNER_FACTOR`] times
    /// for one photographer.
    pub questions: u32,
    /// Invitations to teams of events a day, by one account; a quarter of it to one recipient.
    pub invitations: u32,
    /// Names of cameras' logins that do not exist, an hour, by one address; [`EVENT_FACTOR`] times as many wrong passwords for one
    /// event.
    pub ftp_logins: u32,
    /// Photos that guests begin to send an hour, by one address; [`EVENT_FACTOR`] times as many to one event.
    pub guest_photos: u32,
}

impl LimitSettings {
    /// No limits.
    pub const OFF: Self = Self {
        searches: 0,
        daily_searches: 0,
        repeated_searches: 0,
        logins: 0,
        registrations: 0,
        mails: 0,
        lookups: 0,
        results: 0,
        objections: 0,
        wrong_passwords: 0,
        orders: 0,
        coupons: 0,
        exports: 0,
        pins: 0,
        questions: 0,
        invitations: 0,
        ftp_logins: 0,
        guest_photos: 0,
    };

    pub(crate) const fn of(&self, limit: Limit) -> u32 {
        match limit {
            Limit::Searches => self.searches,
            Limit::DailySearches => self.daily_searches,
            Limit::RepeatedSearches => self.repeated_searches,
            Limit::Logins => self.logins,
            Limit::Registrations => self.registrations,
            Limit::Mails => self.mails,
            Limit::Lookups => self.lookups,
            Limit::Results => self.results,
            Limit::Objections => self.objections,
            Limit::Passwords => self.wrong_passwords,
            Limit::Orders => self.orders,
            Limit::Coupons => self.coupons,
            Limit::Exports => self.exports,
            Limit::Pins => self.pins,
            Limit::FirstPins if self.pins < FIRST_PINS => self.pins,
            Limit::FirstPins => FIRST_PINS,
            Limit::Questions => self.questions,
            Limit::Invitations => self.invitations,
            Limit::FtpLogins => self.ftp_logins,
            Limit::GuestPhotos => self.guest_photos,
            Limit::WebhookTests => WEBHOOK_TESTS,
        }
    }
}

impl Default for LimitSettings {
    fn default() -> Self {
        Self {
            // Everybody at a wedding, behind one Wi-Fi, when the code is shown; and what a day of it may take.
            searches: 300,
            daily_searches: 5_000,
            repeated_searches: 1_200,
            logins: 10,
            registrations: 5,
            mails: 5,
            lookups: 240,
            results: 120,
            objections: 5,
            wrong_passwords: 5,
            orders: 30,
            coupons: 30,
            exports: 5,
            pins: 20,
            questions: 5,
            invitations: 20,
            ftp_logins: 20,
            // Twenty guests of a wedding behind one Wi-Fi, each with all the photos that they may add.
            guest_photos: 600,
        }
    }
}

/// What a request counts for.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    /// The address that it comes from.
    Address(IpAddr),
    /// The guests of an event at the address that it comes from: those of a venue have one address.
    Guests(EventId, IpAddr),
    /// The account that is signed in.
    Account(UserId),
    /// The address that is mailed to, as entered, whoever asks.
    Recipient(&'a str),
    /// The event that it is about, whoever asks.
    Event(EventId),
    /// The photographer whose events it is about, whoever asks.
    Owner(UserId),
}

/// What requests are counted by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// An address of IPv4, or a network of IPv6 with the length of its prefix.
    Network(IpAddr, u32),
    /// The same for one event alone.
    EventNetwork(EventId, IpAddr, u32),
    Account(UserId),
    /// The hash of the address in lower case.
    Recipient(TokenHash),
    Event(EventId),
    Owner(UserId),
}

impl Key {
    /// All that requests of a subject are counted by.
    pub(crate) fn of(subject: Subject<'_>) -> Vec<Self> {
        match subject {
            Subject::Address(address) => networks(address)
                .into_iter()
                .map(|(network, length)| Self::Network(network, length))
                .collect(),
            Subject::Guests(event, address) => {
                let networks = networks(address).into_iter();
                networks.map(|(network, length)| Self::EventNetwork(event, network, length)).collect()
            }
            Subject::Account(account) => vec![Self::Account(account)],
            Subject::Recipient(email) => {
                let key =
                    EmailAddress::parse(email).map_or_else(|_| folded(email.trim()), |address| address.key());
                vec![Self::Recipient(hash_token(&key))]
            }
            Subject::Event(event) => vec![Self::Event(event)],
            Subject::Owner(owner) => vec![Self::Owner(owner)],
        }
    }

    /// How many requests are admitted where `maximum` is the limit of one address.
    pub(crate) fn maximum(&self, maximum: usize) -> usize {
        let factor = match self {
            Self::Network(_, length) | Self::EventNetwork(_, _, length) => {
                WIDER_NETWORKS.iter().find(|(wider, _)| wider == length).map_or(1, |(_, factor)| *factor)
            }
            Self::Account(_) | Self::Recipient(_) => 1,
            Self::Event(_) => EVENT_FACTOR,
            Self::Owner(_) => OWNER_FACTOR,
        };
        maximum.saturating_mul(factor)
    }
}

/// The moments of the requests that were admitted, by what they count for.
pub(crate) struct RateLimiter {
    settings: LimitSettings,
    moments: [Mutex<LruCache<Key, VecDeque<Timestamp>>>; Limit::ALL.len()],
}

impl RateLimiter {
    pub(crate) fn new(settings: LimitSettings) -> Self {
        Self { settings, moments: std::array::from_fn(|_| Mutex::new(LruCache::new(SUBJECTS))) }
    }

    /// Admits a request that counts so often by each key, or returns how long to wait: then it is counted by none.
    pub(crate) fn admit(&self, limit: Limit, keys: &[(Key, u32)], now: Timestamp) -> Result<(), Duration> {
        let setting = self.settings.of(limit) as usize;
        if setting == 0 {
            return Ok(());
        }
        let mut tracked = self.moments[limit as usize].lock().unwrap_or_else(PoisonError::into_inner);
        let mut wait = None;
        for (key, times) in keys {
            let maximum = key.maximum(setting);
            let moments = tracked.get_or_insert_mut(key.clone(), VecDeque::new);
            while moments.front().is_some_and(|moment| now.since(*moment) >= limit.window()) {
                moments.pop_front();
            }
            // A request that counts for more than the whole limit would never be admitted.
            let times = (*times as usize).min(maximum);
            wait = wait.max(wait_of(moments.make_contiguous(), times, maximum, limit.window(), now));
        }
        if let Some(wait) = wait {
            return Err(wait);
        }
        for (key, times) in keys {
            let times = (*times as usize).min(key.maximum(setting));
            let moments = tracked.get_or_insert_mut(key.clone(), VecDeque::new);
            moments.extend(std::iter::repeat_n(now, times));
        }
        Ok(())
    }

    /// Takes back what was admitted a moment ago: the newest moments of each key, whichever they are now, since all that matters
    /// of them is their number.
    pub(crate) fn take_back(&self, limit: Limit, keys: &[(Key, u32)]) {
        let setting = self.settings.of(limit) as usize;
        let mut tracked = self.moments[limit as usize].lock().unwrap_or_else(PoisonError::into_inner);
        for (key, times) in keys {
            if let Some(moments) = tracked.get_mut(key) {
                let times = (*times as usize).min(key.maximum(setting));
                moments.truncate(moments.len().saturating_sub(times));
            }
        }
    }
}

/// How long a request waits that counts `times` more beside those of these moments, the oldest first; none when it need not.
pub(crate) fn wait_of(
    moments: &[Timestamp],
    times: usize,
    maximum: usize,
    window: Duration,
    now: Timestamp,
) -> Option<Duration> {
    let too_many = (moments.len() + times).checked_sub(maximum)?;
    let last_to_leave = moments.get(too_many.checked_sub(1)?)?;
    Some(window.saturating_sub(now.since(*last_to_leave))).filter(|wait| !wait.is_zero())
}

/// What requests of an address are counted by, each with the length of its prefix.
fn networks(address: IpAddr) -> Vec<(IpAddr, u32)> {
    match block_of(address) {
        IpAddr::V4(address) => vec![(address.into(), 32)],
        IpAddr::V6(network) => {
            let wider = WIDER_NETWORKS.map(|(length, _)| (prefix(network, length), length));
            [(network.into(), 64)].into_iter().chain(wider).collect()
        }
    }
}

/// What counts as one address: for IPv6 the /64 prefix, all of which one customer or phone has.
pub fn block_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => prefix(address, 64),
        address => address,
    }
}

fn prefix(address: Ipv6Addr, length: u32) -> IpAddr {
    Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << (128 - length))).into()
}

#[cfg(test)]
mod tests;
