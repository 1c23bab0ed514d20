//! Proxies that the settings do not name.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the operator was told that a forwarding header came from an address that is no trusted proxy.
#[derive(Clone, Default)]
pub(crate) struct UntrustedProxy(Arc<AtomicBool>);

impl UntrustedProxy {
    /// Logs it the first time, since every client can send such a header; true when it does.
    pub(crate) fn tell(&self, peer: IpAddr) -> bool {
        let first = !self.0.swap(true, Ordering::Relaxed);
        if first {
            tracing::warn!(
                "{peer} sends a forwarding header and is no trusted proxy: the header is ignored, and all requests from \
                 there count as one address. If it is your proxy, set AFTERGLOW_TRUSTED_PROXIES={peer}"
            );
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_untrusted_proxy_is_told_of_once() {
        // [SAFE112]
        let untrusted = UntrustedProxy::default();
        let told = [(); 3].map(|()| untrusted.clone().tell([192, 0, 2, 1].into()));
        assert_eq!(told, [true, false, false]);
    }
}
