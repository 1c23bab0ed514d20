//! Which machines a message may be sent to. An address that administrators enter makes this service send requests: it must
//! not become a way into the network that the service runs in.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Where an address is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// In the internet.
    Public,
    /// In a private network.
    Private,
    /// This machine.
    Loopback,
    /// Nowhere that a message is sent to: the addresses of clouds' metadata, link-local, multicast, documentation, reserved
    /// and translated ones.
    Never,
}

/// Addresses at which clouds tell a machine its credentials, and that are neither link-local nor in another set of those
/// that are never reached.
const METADATA_V4: [Ipv4Addr; 2] = [Ipv4Addr::new(168, 63, 129, 16), Ipv4Addr::new(100, 100, 100, 200)];
const METADATA_V6: Ipv6Addr = Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254);

impl Network {
    /// The network of an address (IANA's registries of special-purpose addresses).
    pub fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self::of_v4(address),
            IpAddr::V6(address) => Self::of_v6(address),
        }
    }

    fn of_v4(address: Ipv4Addr) -> Self {
        if METADATA_V4.contains(&address) {
            return Self::Never;
        }
        match address.octets() {
            [127, ..] => Self::Loopback,
            [10, ..] | [172, 16..=31, ..] | [192, 168, ..] | [100, 64..=127, ..] => Self::Private,
            [0, ..]
            | [169, 254, ..]
            | [192, 0, 0 | 2, _]
            | [192, 88, 99, _]
            | [198, 18 | 19, ..]
            | [198, 51, 100, _]
            | [203, 0, 113, _]
            | [224..=255, ..] => Self::Never,
            _ => Self::Public,
        }
    }

    fn of_v6(address: Ipv6Addr) -> Self {
        if address == METADATA_V6 {
            return Self::Never;
        }
        match address.segments() {
            [0, 0, 0, 0, 0, 0, 0, 1] => Self::Loopback,
            [0xfc00..=0xfdff, ..] => Self::Private,
            // Translated to IPv4 on the way: what is public there is so here.
            [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
                let [a, b] = high.to_be_bytes();
                let [c, d] = low.to_be_bytes();
                match Self::of_v4(Ipv4Addr::new(a, b, c, d)) {
                    Self::Public => Self::Public,
                    Self::Private | Self::Loopback | Self::Never => Self::Never,
                }
            }
            // Protocols, documentation, 6to4.
            [0x2001, 0..=0x1ff | 0xdb8, ..] | [0x2002, ..] | [0x3fff, 0..=0xfff, ..] => Self::Never,
            // The only addresses that are given out.
            [0x2000..=0x3fff, ..] => Self::Public,
            _ => Self::Never,
        }
    }
}

/// How far messages may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Into the internet alone.
    Public,
    /// To this machine too, where the service itself is tried out on it.
    Loopback,
    /// Into private networks too, as the operator says.
    Private,
}

impl Reach {
    /// Whether messages may go to an address. What is public is reached by https alone.
    pub fn permits(self, address: IpAddr, is_plain: bool) -> bool {
        match Network::of(address) {
            Network::Public => !is_plain,
            Network::Loopback => self != Self::Public,
            Network::Private => self == Self::Private,
            Network::Never => false,
        }
    }

    /// Whether an address may be plain http.
    pub fn permits_plain(self) -> bool {
        self != Self::Public
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(text: &str) -> Network {
        Network::of(text.parse().unwrap())
    }

    #[test]
    fn networks_are_those_of_the_registries() {
        // [HOOK030]
        for (network_of, addresses) in [
            (
                Network::Public,
                &[
                    "8.8.8.8",
                    "172.32.0.1",
                    "100.128.0.1",
                    "2606:4700::1111",
                    "::ffff:8.8.8.8",
                    "64:ff9b::808:808",
                ][..],
            ),
            (
                Network::Private,
                &[
                    "10.0.0.1",
                    "172.16.0.1",
                    "172.31.255.255",
                    "192.168.1.7",
                    "100.64.0.1",
                    "fd12::1",
                    "::ffff:10.0.0.1",
                ],
            ),
            (Network::Loopback, &["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"]),
            (
                Network::Never,
                &[
                    "0.0.0.0",
                    "169.254.169.254",
                    "168.63.129.16",
                    "100.100.100.200",
                    "fd00:ec2::254",
                    "192.0.2.1",
                    "198.18.0.1",
                    "203.0.113.9",
                    "224.0.0.1",
                    "255.255.255.255",
                    "::",
                    "::7f00:1",
                    "fe80::1",
                    "ff02::1",
                    "2001:db8::1",
                    "2001::1",
                    "2002:7f00:1::",
                    "64:ff9b::7f00:1",
                    "64:ff9b::a00:1",
                    "64:ff9b:1::1",
                    "5f00::1",
                ],
            ),
        ] {
            for address in addresses {
                assert_eq!(network(address), network_of, "{address}");
            }
        }
    }

    #[test]
    fn private_networks_are_reached_when_the_operator_says_so_and_the_internet_by_https_alone() {
        // [HOOK031]
        let (public, private, own, never) = ("8.8.8.8", "10.0.0.1", "127.0.0.1", "169.254.169.254");
        for (reach, is_plain, permitted) in [
            (Reach::Public, false, &[public][..]),
            (Reach::Public, true, &[]),
            (Reach::Loopback, false, &[public, own]),
            (Reach::Loopback, true, &[own]),
            (Reach::Private, false, &[public, private, own]),
            (Reach::Private, true, &[private, own]),
        ] {
            for address in [public, private, own, never] {
                let permits = reach.permits(address.parse().unwrap(), is_plain);
                assert_eq!(permits, permitted.contains(&address), "{reach:?} {is_plain} {address}");
            }
        }
        assert!(!Reach::Public.permits_plain() && Reach::Loopback.permits_plain());
    }
}
