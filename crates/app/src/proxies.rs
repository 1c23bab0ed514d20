//! Which reverse proxies are trusted.

use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;

/// Reverse proxies whose `X-Forwarded-For` is believed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustedProxies(Vec<IpNet>);

impl TrustedProxies {
    /// Whether this address is one of them.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address.to_canonical()))
    }
}

impl FromStr for TrustedProxies {
    type Err = String;

    /// Reads addresses and networks such as `10.0.0.0/8`, separated by commas; the error names the part that is neither.
    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let network = |part: &str| {
            let address = || part.parse::<IpAddr>().map(IpNet::from);
            part.parse::<IpNet>().or_else(|_| address()).map_err(|_| part.to_owned())
        };
        Ok(Self(parts.map(network).collect::<Result<_, _>>()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn proxies_are_addresses_and_networks() {
        let proxies: TrustedProxies = "127.0.0.1, 10.0.0.0/8,2001:db8::/32".parse().unwrap();
        for (machine, trusted) in [
            ("127.0.0.1", true),
            ("::ffff:127.0.0.1", true),
            ("127.0.0.2", false),
            ("10.200.0.1", true),
            ("2001:db8::7", true),
            ("2001:db9::7", false),
        ] {
            assert_eq!(proxies.contains(ip(machine)), trusted, "{machine}");
        }
        assert!(!"".parse::<TrustedProxies>().unwrap().contains(ip("127.0.0.1")));
        assert_eq!("10.0.0.0/8, nginx".parse::<TrustedProxies>(), Err(String::from("nginx")));
    }
}
