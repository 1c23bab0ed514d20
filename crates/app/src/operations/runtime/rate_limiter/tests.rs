use super::*;
use domain::{Clock, Randomness};

const START: Timestamp = Timestamp::from_millis(1_795_165_200_000);
const MINUTE: Duration = Duration::from_secs(60);

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

/// A request from an address.
fn of(address: &str, times: u32) -> Vec<(Key, u32)> {
    Key::of(Subject::Address(ip(address))).into_iter().map(|key| (key, times)).collect()
}

#[test]
fn no_window_has_more_than_the_limit() {
    // [SAFE006]
    let limiter = RateLimiter::new(LimitSettings::default());
    let login = |at: Timestamp| limiter.admit(Limit::Logins, &of("192.0.2.1", 1), at);
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
    let mails = |times, at| limiter.admit(Limit::Mails, &of("192.0.2.1", times), at);
    assert_eq!(mails(2, START), Ok(()));
    assert_eq!(mails(2, START.plus(MINUTE)), Err(MINUTE * 59));
    assert_eq!(mails(1, START.plus(MINUTE)), Ok(()));
    assert_eq!(mails(9, START.plus(MINUTE * 60)), Err(MINUTE));
    assert_eq!(mails(9, START.plus(MINUTE * 61)), Ok(()), "more than all there is counts as all there is");
}

#[test]
fn who_is_refused_for_two_reasons_waits_for_the_later_one() {
    let limiter = RateLimiter::new(LimitSettings { mails: 1, ..LimitSettings::OFF });
    let mail = |from: &str, to: &str, at| {
        let mut keys = of(from, 1);
        keys.extend(Key::of(Subject::Recipient(to)).into_iter().map(|key| (key, 1)));
        limiter.admit(Limit::Mails, &keys, at)
    };
    assert_eq!(mail("192.0.2.1", "a@example.com", START), Ok(()));
    assert_eq!(mail("192.0.2.2", "b@example.com", START.plus(MINUTE)), Ok(()));
    assert_eq!(mail("192.0.2.1", "b@example.com", START.plus(MINUTE)), Err(MINUTE * 60));
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
fn wider_networks_of_ipv6_have_higher_limits() {
    // [SAFE106]
    let limiter = RateLimiter::new(LimitSettings { searches: 2, ..LimitSettings::OFF });
    let search = |address: &str| limiter.admit(Limit::Searches, &of(address, 1), START).is_ok();
    let admitted =
        |network: &dyn Fn(u32) -> String| (0..100).filter(|number| search(&network(*number))).count();
    assert_eq!(admitted(&|number| format!("2001:db8:0:1::{number:x}")), 2, "a /64");
    assert_eq!(admitted(&|number| format!("2001:db8:1:{number:x}::1")), 8, "a /56");
    assert_eq!(admitted(&|number| format!("2001:db8:2:{number:x}00::1")), 32, "a /48");
    assert_eq!(admitted(&|number| format!("2001:db8:{:x}::1", number + 16)), 100, "many customers");
    assert_eq!(admitted(&|number| format!("192.0.2.{number}")), 100, "neighbours of IPv4 are strangers");
}

#[test]
fn a_request_counts_for_all_its_subjects_or_for_none() {
    // [SAFE247]
    let limiter = RateLimiter::new(LimitSettings { mails: 2, ..LimitSettings::OFF });
    let mail = |from: &str, to: &str| {
        let mut keys = of(from, 1);
        keys.extend(Key::of(Subject::Recipient(to)).into_iter().map(|key| (key, 1)));
        limiter.admit(Limit::Mails, &keys, START).is_ok()
    };
    assert!(mail("192.0.2.1", "a@example.com") && mail("192.0.2.2", " A@Example.com"));
    assert!(!mail("192.0.2.3", "a@example.com"), "two mails to the recipient");
    assert!(mail("192.0.2.3", "b@example.com") && mail("192.0.2.3", "c@example.com"), "it was not counted");
    assert!(!mail("192.0.2.3", "d@example.com"), "two mails by the address");
}

#[test]
fn what_is_taken_back_does_not_count() {
    // [EVT132]
    let limiter = RateLimiter::new(LimitSettings { pins: 2, ..LimitSettings::OFF });
    let event = Randomness::seeded(1).id::<EventId>(&Clock::fixed(START));
    let of_event = |address: &str| {
        let mut keys = of(address, 1);
        keys.extend(Key::of(Subject::Event(event)).into_iter().map(|key| (key, 1)));
        keys
    };
    for _ in 0..50 {
        assert_eq!(limiter.admit(Limit::Pins, &of_event("192.0.2.1"), START), Ok(()));
        limiter.take_back(Limit::Pins, &of_event("192.0.2.1"));
    }
    let try_from = |address: u32| {
        let address = IpAddr::from(address.to_be_bytes()).to_string();
        limiter.admit(Limit::Pins, &of_event(&address), START).is_ok()
    };
    assert_eq!((0..4).filter(|_| try_from(1)).count(), 2, "an address");
    assert_eq!((2..50).filter(|address| try_from(*address)).count(), 18, "the event, ten times as many");
}

#[test]
fn the_guests_of_one_event_at_an_address_leave_those_of_another_their_own() {
    // [SAFE361]
    let limiter = RateLimiter::new(LimitSettings { searches: 2, ..LimitSettings::OFF });
    let randomness = Randomness::seeded(1);
    let [wedding, run] = [(); 2].map(|()| randomness.id::<EventId>(&Clock::fixed(START)));
    let search = |event: EventId, address: &str| {
        let keys = Key::of(Subject::Guests(event, ip(address)));
        let keys: Vec<_> = keys.into_iter().map(|key| (key, 1)).collect();
        limiter.admit(Limit::Searches, &keys, START).is_ok()
    };
    assert_eq!((0..5).filter(|_| search(wedding, "192.0.2.1")).count(), 2);
    assert_eq!((0..5).filter(|_| search(run, "192.0.2.1")).count(), 2, "another event");
    assert_eq!((0..5).filter(|_| search(wedding, "192.0.2.2")).count(), 2, "another address");
    let of_one_household = |number: u32| search(wedding, &format!("2001:db8:1:{number:x}::1"));
    assert_eq!((0..100).filter(|number| of_one_household(*number)).count(), 8, "a /56");
}

#[test]
fn memory_is_bounded_and_the_least_recently_used_are_dropped_first() {
    // [SAFE035]
    let limiter = RateLimiter::new(LimitSettings { searches: 1, ..LimitSettings::OFF });
    let search = |number: u32| {
        let address = IpAddr::from(number.to_be_bytes()).to_string();
        limiter.admit(Limit::Searches, &of(&address, 1), START)
    };
    for number in 0..30_000 {
        assert_eq!(search(number), Ok(()));
    }
    assert_eq!(limiter.moments[Limit::Searches as usize].lock().unwrap().len(), SUBJECTS.get());
    assert!(search(29_999).is_err(), "the last one is tracked");
    assert_eq!(search(0), Ok(()), "the first one is not");
}
