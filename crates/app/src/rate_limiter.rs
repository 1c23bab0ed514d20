//! A sliding-window rate limiter by address, for what is expensive to answer or easy to abuse.
//!
//! It counts exactly: in any window of a limit's length at most the limit's number is let through, and what is refused
//! does not count. Each process counts for itself (decision 0006).

use std::collections::VecDeque;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use domain::Timestamp;
use lru::LruCache;

/// Addresses that are tracked for each limit; beyond that, the least recently used one is dropped.
const ADDRESSES: NonZeroUsize = NonZeroUsize::new(20_000).unwrap();

/// What is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// Searches by selfie.
    Searches,
    /// Attempts to log in, right or wrong.
    Logins,
    /// Attempts to register.
    Registrations,
    /// Mails that are sent on request: verification, reset, change of address, contact.
    Mails,
    /// Questions which photos are there already.
    Lookups,
    /// What guests do with the results of a search: a ZIP of some of them, opening them again, reporting a photo.
    Results,
}

impl Limit {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Searches, Self::Logins, Self::Registrations, Self::Mails, Self::Lookups, Self::Results];

    /// Its name in the metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Searches => "searches",
            Self::Logins => "logins",
            Self::Registrations => "registrations",
            Self::Mails => "mails",
            Self::Lookups => "lookups",
            Self::Results => "results",
        }
    }

    /// The time in which it is counted.
    pub const fn window(self) -> Duration {
        match self {
            Self::Searches | Self::Lookups | Self::Results => Duration::from_secs(60),
            Self::Logins | Self::Registrations | Self::Mails => Duration::from_secs(60 * 60),
        }
    }
}

/// How many requests of each kind one address may make; 0 means no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitSettings {
    /// Searches a minute.
    pub searches: u32,
    /// Logins an hour.
    pub logins: u32,
    /// Registrations an hour.
    pub registrations: u32,
    /// Mails an hour.
    pub mails: u32,
    /// Questions for known photos a minute.
    pub lookups: u32,
    /// ZIPs of chosen photos, results that are opened again and reported photos a minute.
    pub results: u32,
}

impl LimitSettings {
    /// No limits.
    pub const OFF: Self = Self { searches: 0, logins: 0, registrations: 0, mails: 0, lookups: 0, results: 0 };

    const fn of(&self, limit: Limit) -> u32 {
        match limit {
            Limit::Searches => self.searches,
            Limit::Logins => self.logins,
            Limit::Registrations => self.registrations,
            Limit::Mails => self.mails,
            Limit::Lookups => self.lookups,
            Limit::Results => self.results,
        }
    }
}

impl Default for LimitSettings {
    fn default() -> Self {
        Self { searches: 30, logins: 10, registrations: 5, mails: 5, lookups: 240, results: 120 }
    }
}

/// The moments of the requests that were admitted, by address.
pub(crate) struct RateLimiter {
    settings: LimitSettings,
    moments: [Mutex<LruCache<IpAddr, VecDeque<Timestamp>>>; Limit::ALL.len()],
}

impl RateLimiter {
    pub(crate) fn new(settings: LimitSettings) -> Self {
        Self { settings, moments: std::array::from_fn(|_| Mutex::new(LruCache::new(ADDRESSES))) }
    }

    /// Admits `times` requests, or returns how long to wait.
    pub(crate) fn admit(
        &self,
        limit: Limit,
        address: IpAddr,
        times: u32,
        now: Timestamp,
    ) -> Result<(), Duration> {
        let maximum = self.settings.of(limit) as usize;
        // A request that counts for more than the whole limit would never be admitted.
        let times = (times as usize).min(maximum);
        if times == 0 {
            return Ok(());
        }
        let mut addresses = self.moments[limit as usize].lock().unwrap_or_else(PoisonError::into_inner);
        let moments = addresses.get_or_insert_mut(block_of(address), VecDeque::new);
        while moments.front().is_some_and(|moment| now.since(*moment) >= limit.window()) {
            moments.pop_front();
        }
        if moments.len() + times > maximum {
            let oldest = moments[moments.len() + times - maximum - 1];
            return Err(limit.window().saturating_sub(now.since(oldest)));
        }
        moments.extend(std::iter::repeat_n(now, times));
        Ok(())
    }
}

/// What counts as one address: for IPv6 the /64 prefix, all of which one customer or phone has.
fn block_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::from_millis(1_795_165_200_000);
    const MINUTE: Duration = Duration::from_secs(60);

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn no_window_has_more_than_the_limit() {
        // [SAFE006]
        let limiter = RateLimiter::new(LimitSettings::default());
        let login = |at: Timestamp| limiter.admit(Limit::Logins, ip("192.0.2.1"), 1, at);
        for minute in 0..10 {
            assert_eq!(login(START.plus(MINUTE * minute)), Ok(()));
        }
        assert_eq!(login(START.plus(MINUTE * 10)), Err(MINUTE * 50));
        assert_eq!(login(START.plus(MINUTE * 59)), Err(MINUTE));
        // Each gives way when it is an hour old, and what was refused was not counted.
        assert_eq!(login(START.plus(MINUTE * 60)), Ok(()));
        assert_eq!(login(START.plus(MINUTE * 60)), Err(MINUTE));
        assert_eq!(login(START.plus(MINUTE * 61)), Ok(()));
    }

    #[test]
    fn several_at_once_are_admitted_together_or_not_at_all() {
        let limiter = RateLimiter::new(LimitSettings { mails: 3, ..LimitSettings::OFF });
        let mails = |times, at| limiter.admit(Limit::Mails, ip("192.0.2.1"), times, at);
        assert_eq!(mails(2, START), Ok(()));
        assert_eq!(mails(2, START.plus(MINUTE)), Err(MINUTE * 59));
        assert_eq!(mails(1, START.plus(MINUTE)), Ok(()));
        assert_eq!(mails(9, START.plus(MINUTE * 60)), Err(MINUTE));
        assert_eq!(
            mails(9, START.plus(MINUTE * 61)),
            Ok(()),
            "more than all there is counts as all there is"
        );
    }

    #[test]
    fn an_address_is_one_of_ipv4_or_64_bits_of_ipv6() {
        for (a, b, same) in [
            ("192.0.2.1", "192.0.2.2", false),
            ("192.0.2.1", "::ffff:192.0.2.1", true),
            ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", true),
            ("2001:db8:0:1::1", "2001:db8:0:2::1", false),
        ] {
            assert_eq!(block_of(ip(a)) == block_of(ip(b)), same, "{a} {b}");
        }
    }

    #[test]
    fn memory_is_bounded_and_the_least_recently_used_are_dropped_first() {
        // [SAFE035]
        let limiter = RateLimiter::new(LimitSettings { searches: 1, ..LimitSettings::OFF });
        let search =
            |number: u32| limiter.admit(Limit::Searches, IpAddr::from(number.to_be_bytes()), 1, START);
        for number in 0..30_000 {
            assert_eq!(search(number), Ok(()));
        }
        assert_eq!(limiter.moments[Limit::Searches as usize].lock().unwrap().len(), ADDRESSES.get());
        assert!(search(29_999).is_err(), "the last one is tracked");
        assert_eq!(search(0), Ok(()), "the first one is not");
    }
}
