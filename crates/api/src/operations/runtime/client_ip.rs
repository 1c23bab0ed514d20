//! The address that a request comes from, and its rate limits.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use app::operations::runtime::limits::{self, Limit, Subject};
use app::operations::runtime::proxies::{ForwardingHeader, TrustedProxies};
use app::{App, Settings};
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::HeaderMap;
use axum::http::header::FORWARDED;
use axum::http::request::Parts;
use domain::{EventId, UserId};

use crate::operations::runtime::error::Result;
use crate::operations::runtime::state::AppState;

const X_FORWARDED_FOR: &str = "x-forwarded-for";
const X_FORWARDED_PROTO: &str = "x-forwarded-proto";

/// The address that a request counts for.
#[derive(Clone, Copy)]
pub(crate) struct ClientIp(IpAddr);

impl FromRequestParts<AppState> for ClientIp {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> std::result::Result<Self, Infallible> {
        let (settings, peer) = (state.app.settings(), peer_ip(parts));
        if !settings.trusted_proxies.contains(peer) && is_forwarded(&parts.headers) {
            state.untrusted_proxy.tell(peer);
        }
        let (proxies, header) = (&settings.trusted_proxies, settings.forwarding_header);
        Ok(Self(client_ip(proxies, header, peer, &parts.headers)))
    }
}

impl ClientIp {
    /// The address itself.
    pub(crate) const fn address(self) -> IpAddr {
        self.0
    }

    /// Counts one request against `limit`, or refuses it.
    pub(crate) async fn check_rate_limit(self, app: &App, limit: Limit) -> Result<()> {
        Ok(limits::check(app, limit, &[(Subject::Address(self.0), 1)]).await?)
    }

    /// Counts one request of a guest of an event against `limit`, or refuses it.
    pub(crate) async fn check_guest(self, app: &App, limit: Limit, event: EventId) -> Result<()> {
        Ok(limits::check(app, limit, &[(Subject::Guests(event, self.0), 1)]).await?)
    }

    /// Counts a mail to `recipient`, an address as it was entered, for this address and for the recipient, or refuses it.
    pub(crate) async fn check_mail(self, app: &App, recipient: &str) -> Result<()> {
        let subjects = [(Subject::Address(self.0), 1), (Subject::Recipient(recipient), 1)];
        Ok(limits::check(app, Limit::Mails, &subjects).await?)
    }

    /// Counts the two mails of a change of address: for this address, the account and the new address.
    pub(crate) async fn check_email_change(self, app: &App, account: UserId, recipient: &str) -> Result<()> {
        let subjects = [
            (Subject::Address(self.0), 2),
            (Subject::Account(account), 1),
            (Subject::Recipient(recipient), 1),
        ];
        Ok(limits::check(app, Limit::Mails, &subjects).await?)
    }
}

/// The address at the other end of the connection; unspecified without a connection, as in tests.
pub(crate) fn peer_ip(parts: &Parts) -> IpAddr {
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
    peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |ConnectInfo(address)| address.ip().to_canonical())
}

/// The headers by which proxies, each in its own way, say that they forward a request.
const FORWARDING_HEADERS: [&str; 6] =
    [X_FORWARDED_FOR, "forwarded", "x-forwarded-host", X_FORWARDED_PROTO, "x-real-ip", "via"];

/// Whether a proxy forwarded the request.
pub(crate) fn is_forwarded(headers: &HeaderMap) -> bool {
    FORWARDING_HEADERS.iter().any(|name| headers.contains_key(*name))
}

/// The machines that a request came through.
pub(crate) struct Hops {
    /// The one at the other end of the connection.
    pub(crate) peer: IpAddr,
    /// Whether that is a trusted proxy.
    pub(crate) is_trusted: bool,
    /// What the configured header says, whoever sent it.
    pub(crate) hops: Vec<String>,
    /// The address that the request counts for.
    pub(crate) client: IpAddr,
    /// The scheme that the header says the client used.
    pub(crate) scheme: Option<String>,
}

/// The machines that a request came through.
pub(crate) fn hops(parts: &Parts, settings: &Settings) -> Hops {
    let (peer, headers) = (peer_ip(parts), &parts.headers);
    let (proxies, header) = (&settings.trusted_proxies, settings.forwarding_header);
    let scheme = match header {
        ForwardingHeader::XForwardedFor => {
            headers.get(X_FORWARDED_PROTO).and_then(|proto| proto.to_str().ok())
        }
        ForwardingHeader::Forwarded => {
            headers.get(FORWARDED).and_then(|line| parameter(line.to_str().ok()?, "proto"))
        }
    };
    Hops {
        peer,
        is_trusted: proxies.contains(peer),
        hops: forwarded_hops(header, headers).into_iter().map(str::to_owned).collect(),
        client: client_ip(proxies, header, peer, headers),
        scheme: scheme.map(str::to_owned),
    }
}

/// The client behind the trusted proxies. Each proxy appends the address it was called from, so the rightmost address
/// that is no trusted proxy is the client; anything left of it is the client's own claim.
fn client_ip(
    proxies: &TrustedProxies,
    header: ForwardingHeader,
    peer: IpAddr,
    headers: &HeaderMap,
) -> IpAddr {
    let mut client = peer;
    if !proxies.contains(peer) {
        return client;
    }
    for hop in forwarded_hops(header, headers).iter().rev() {
        // Behind a hop that hides its address nothing can be trusted.
        let Some(address) = address_in(hop) else { break };
        client = address;
        if !proxies.contains(address) {
            break;
        }
    }
    client
}

/// The addresses in the forwarding header, from the client to this server.
fn forwarded_hops(header: ForwardingHeader, headers: &HeaderMap) -> Vec<&str> {
    let lines = |name: &str| -> Vec<&str> {
        let lines = headers.get_all(name).iter().map(|line| line.to_str().unwrap_or_default());
        lines.flat_map(|line| line.split(',')).map(str::trim).collect()
    };
    match header {
        ForwardingHeader::XForwardedFor => lines(X_FORWARDED_FOR),
        ForwardingHeader::Forwarded => {
            let elements = lines(FORWARDED.as_str()).into_iter();
            elements.map(|element| parameter(element, "for").unwrap_or_default()).collect()
        }
    }
}

fn parameter<'a>(element: &'a str, wanted: &str) -> Option<&'a str> {
    element.split(';').find_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        name.trim().eq_ignore_ascii_case(wanted).then_some(value)
    })
}

/// An address as proxies write it: alone, in brackets, in quotes, with a port.
fn address_in(hop: &str) -> Option<IpAddr> {
    let hop = hop.trim().trim_matches('"');
    let address = hop
        .parse::<IpAddr>()
        .ok()
        .or_else(|| hop.parse::<SocketAddr>().ok().map(|socket| socket.ip()))
        .or_else(|| hop.strip_prefix('[')?.strip_suffix(']')?.parse().ok());
    address.map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(proxies: &str, peer: &str, headers: &[(&'static str, &'static str)]) -> String {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().unwrap());
        }
        // As if the operator had named the header that is there.
        let header = match headers {
            [("forwarded", _), ..] => ForwardingHeader::Forwarded,
            _ => ForwardingHeader::XForwardedFor,
        };
        client_ip(&proxies.parse().unwrap(), header, peer.parse().unwrap(), &map).to_string()
    }

    #[test]
    fn only_the_configured_header_counts() {
        // [SAFE111]
        let proxies = "127.0.0.1".parse().unwrap();
        let mut headers = HeaderMap::new();
        headers.append("x-forwarded-for", "203.0.113.8".parse().unwrap());
        headers.append("forwarded", "for=203.0.113.7".parse().unwrap());
        let seen = |header| client_ip(&proxies, header, [127, 0, 0, 1].into(), &headers).to_string();
        assert_eq!(seen(ForwardingHeader::XForwardedFor), "203.0.113.8");
        assert_eq!(seen(ForwardingHeader::Forwarded), "203.0.113.7");
        headers.remove("forwarded");
        let proxy = client_ip(&proxies, ForwardingHeader::Forwarded, [127, 0, 0, 1].into(), &headers);
        assert_eq!(proxy.to_string(), "127.0.0.1", "the other header is the client's own claim");
    }

    #[test]
    fn a_header_counts_only_from_a_trusted_proxy() {
        // [SAFE010] [SAFE011]
        let forwarded = [("x-forwarded-for", "203.0.113.7")];
        assert_eq!(client("", "127.0.0.1", &forwarded), "127.0.0.1");
        assert_eq!(client("10.0.0.0/8", "127.0.0.1", &forwarded), "127.0.0.1");
        assert_eq!(client("127.0.0.1", "127.0.0.1", &forwarded), "203.0.113.7");
        assert_eq!(client("127.0.0.1", "127.0.0.1", &[]), "127.0.0.1");
    }

    #[test]
    fn the_client_is_the_first_from_the_right_that_is_no_proxy() {
        // [SAFE011]
        let proxies = "127.0.0.1,10.0.0.0/8";
        for (headers, seen) in [
            (&[("x-forwarded-for", "6.6.6.6, 203.0.113.7")][..], "203.0.113.7"),
            (&[("x-forwarded-for", "6.6.6.6, 203.0.113.7, 10.1.1.1")], "203.0.113.7"),
            (&[("x-forwarded-for", "6.6.6.6"), ("x-forwarded-for", "203.0.113.7,10.1.1.1")], "203.0.113.7"),
            (&[("x-forwarded-for", "10.2.2.2, 10.1.1.1")], "10.2.2.2"),
            (&[("x-forwarded-for", "6.6.6.6, unknown, 10.1.1.1")], "10.1.1.1"),
            (&[("x-forwarded-for", "")], "127.0.0.1"),
            (&[("x-forwarded-for", "203.0.113.7:5555")], "203.0.113.7"),
            (&[("x-forwarded-for", "::ffff:203.0.113.7")], "203.0.113.7"),
            (&[("forwarded", "for=6.6.6.6, proto=https;For=\"[2001:db8::1]:80\";by=x")], "2001:db8::1"),
            (&[("forwarded", "for=6.6.6.6, for=_hidden")], "127.0.0.1"),
        ] {
            assert_eq!(client(proxies, "127.0.0.1", headers), seen, "{headers:?}");
        }
    }
}
