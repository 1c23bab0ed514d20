//! Which reverse proxies are trusted.

use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;
use url::{Host, Url};

/// The header in which trusted proxies say whom they forward. Another one counts for nothing: a proxy passes on what a
/// client puts into a header that it does not know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ForwardingHeader {
    /// `X-Forwarded-For`.
    #[default]
    XForwardedFor,
    /// `Forwarded` (RFC 7239).
    Forwarded,
}

/// Reverse proxies whose forwarding header is believed.
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

/// Whether a URL leads to the machine itself: to `localhost` or a loopback address.
pub fn is_local(url: &str) -> bool {
    let host = Url::parse(url).ok().and_then(|url| url.host().map(|host| host.to_owned()));
    match host {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
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

    #[test]
    fn only_this_machine_is_local() {
        // [RUN124]
        for url in
            ["http://localhost:8080", "http://127.0.0.1", "https://[::1]:1/", "http://photos.localhost"]
        {
            assert!(is_local(url), "{url}");
        }
        for url in
            ["https://photos.example", "http://192.168.1.7:8080", "http://localhost.example", "localhost"]
        {
            assert!(!is_local(url), "{url}");
        }
    }
}
