//! Whether the proxy in front says whom it forwards, and is believed.

use app::operations::operators::OperatorContext;
use gateway::probes::Probe;

use super::arrival::{self, Arrival, Lost};
use super::finding::Finding;
use super::public_url::TIMEOUT;

pub(super) const NAME: &str = "proxy";
/// An address of documentation (RFC 5737), which nobody has.
const FORGED: &str = "192.0.2.1";

/// Sends a request through the public URL, and behind a proxy another one that claims to come from elsewhere.
pub(super) async fn check(public_url: &str, probe: &Probe, context: &OperatorContext) -> Finding {
    let is_https = public_url.starts_with("https://");
    let plain = match arrival::send(NAME, probe, context, &[], 0, TIMEOUT).await {
        Ok(plain) => plain,
        Err(lost) => return refused(lost),
    };
    if !plain.is_trusted || plain.hops.is_empty() {
        return judge(is_https, &plain, None);
    }
    let forged = format!("for={FORGED}");
    let headers = [("x-forwarded-for", FORGED), ("forwarded", forged.as_str())];
    match arrival::send(NAME, probe, context, &headers, 0, TIMEOUT).await {
        Ok(forged) => judge(is_https, &plain, Some(&forged)),
        Err(lost) => refused(lost),
    }
}

fn refused(lost: Lost) -> Finding {
    match lost {
        Lost::Other(finding) => *finding,
        Lost::Refused(status) => Finding::failed(
            NAME,
            format!("A request to /api/probe was answered with status {status}."),
            "Let the proxy pass all paths and methods of this host on to the server.",
        ),
    }
}

fn judge(is_https: bool, plain: &Arrival, forged: Option<&Arrival>) -> Finding {
    let Arrival { peer, is_trusted, hops, is_forwarded, client, scheme, .. } = plain;
    if !is_forwarded && !is_https {
        return Finding::ok(NAME, format!("No proxy is in front: requests come from {client}."));
    }
    if !is_forwarded {
        return Finding::failed(
            NAME,
            format!(
                "{peer} ends TLS, and says in no header whom it forwards: all guests count as one address."
            ),
            format!("Have the proxy send X-Forwarded-For, and set `trusted_proxies` to {peer}."),
        );
    }
    if !is_trusted {
        return Finding::failed(
            NAME,
            format!("{peer} forwards requests and is no trusted proxy: all guests count as one address."),
            format!("Set `trusted_proxies` to {peer}."),
        );
    }
    if hops.iter().all(|hop| hop.is_empty()) {
        return Finding::failed(
            NAME,
            format!(
                "The proxy at {peer} does not send the header of `forwarding_header`: all guests count as one address."
            ),
            "Set `forwarding_header` to the header that the proxy sends, or have it send that one.",
        );
    }
    if forged.is_some_and(|forged| forged.hops.iter().all(|hop| hop.contains(FORGED))) {
        return Finding::failed(
            NAME,
            format!("The proxy at {peer} passes on what clients claim: everybody can appear as any address."),
            "Have the proxy replace the forwarding header, or add the client's address to it (nginx: $proxy_add_x_forwarded_for).",
        );
    }
    if is_https && scheme.as_deref() == Some("http") {
        return Finding::warning(
            NAME,
            format!("The proxy at {peer} says that clients come without TLS; this one appears as {client}."),
            "Another proxy in front of it ends TLS: have it pass X-Forwarded-Proto on.",
        );
    }
    Finding::ok(
        NAME,
        format!("The proxy at {peer} is trusted, and says that this request comes from {client}."),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::doctor::finding::Status;

    fn arrival(is_trusted: bool, hops: &[&str], is_forwarded: bool) -> Arrival {
        Arrival {
            peer: String::from("10.0.0.2"),
            is_trusted,
            hops: hops.iter().map(|hop| String::from(*hop)).collect(),
            is_forwarded,
            client: String::from("203.0.113.7"),
            scheme: Some(String::from("https")),
            bytes: 0,
        }
    }

    #[test]
    fn each_way_to_lose_the_clients_address_has_its_cure() {
        let client = "203.0.113.7";
        let good = arrival(true, &[client], true);
        let appended = arrival(true, &[FORGED, client], true);
        assert_eq!(judge(true, &good, Some(&good)).status, Status::Ok);
        assert_eq!(judge(true, &good, Some(&appended)).status, Status::Ok);
        assert_eq!(judge(false, &arrival(false, &[], false), None).status, Status::Ok);
        let says = |finding: Finding, seen: &str, cure: &str| {
            assert!(finding.seen.contains(seen), "{finding:?}");
            assert!(finding.cure.as_deref().is_some_and(|text| text.contains(cure)), "{finding:?}");
        };
        says(judge(true, &arrival(false, &[], false), None), "in no header", "10.0.0.2");
        says(
            judge(true, &arrival(false, &[client], true), None),
            "no trusted proxy",
            "`trusted_proxies` to 10.0.0.2",
        );
        says(judge(true, &arrival(true, &[], true), None), "`forwarding_header`", "`forwarding_header`");
        let passed_on = arrival(true, &[FORGED], true);
        says(judge(true, &good, Some(&passed_on)), "any address", "replace");
        let in_clear = Arrival { scheme: Some(String::from("http")), ..good.clone() };
        assert_eq!(judge(true, &in_clear, Some(&good)).status, Status::Warning);
        assert_eq!(judge(false, &in_clear, Some(&good)).status, Status::Ok);
    }
}
