//! Messages to endpoints of webhooks: signed as the Standard Webhooks specification says, and sent to no machine that they
//! must not reach.

mod addresses;
mod messages;
mod signatures;

use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::webhooks::Reach;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Client, Response, redirect};

use crate::http::{describe, one_line, tls};

pub use addresses::{Address, AddressError};
pub use messages::Message;
use signatures::signatures;

/// How long an endpoint may take, from the look-up of its name to the end of its answer.
const TIMEOUT: Duration = Duration::from_secs(15);
/// Longest answer that is read, in bytes.
const ANSWER_SIZE: usize = 4 * 1024;

/// Why messages cannot be sent at all.
#[derive(Debug, thiserror::Error)]
#[error("webhooks cannot be sent: {0}")]
pub struct SenderError(String);

/// What became of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// How long it took.
    pub took: Duration,
    /// The status of the answer; none without one.
    pub status: Option<u16>,
    /// The beginning of the answer, or why there is none, in one line of bounded length.
    pub answer: String,
    /// For how long the endpoint wants no other attempt.
    pub retry_after: Option<Duration>,
}

/// Sends messages.
#[derive(Clone, Debug)]
pub struct Sender {
    reach: Reach,
    secure: Client,
    plain: Client,
    /// For messages that go into the internet alone.
    public: Client,
}

impl Sender {
    /// Sends messages as far as `reach` says.
    ///
    /// # Errors
    /// When TLS cannot be set up.
    pub fn new(reach: Reach) -> Result<Self, SenderError> {
        Ok(Self {
            reach,
            secure: client(Resolver { reach, is_plain: false, is_terse: false })?,
            plain: client(Resolver { reach, is_plain: true, is_terse: false })?,
            public: client(Resolver { reach: Reach::Public, is_plain: false, is_terse: true })?,
        })
    }

    /// How far messages go.
    pub const fn reach(&self) -> Reach {
        self.reach
    }

    /// Sends a message, once.
    pub async fn send(&self, message: &Message<'_>) -> Sent {
        let started = Instant::now();
        let answered = tokio::time::timeout(TIMEOUT, self.attempt(message)).await;
        let took = started.elapsed();
        match answered {
            Ok(Ok((status, answer, retry_after))) => Sent { took, status: Some(status), answer, retry_after },
            Ok(Err(reason)) => Sent { took, status: None, answer: reason, retry_after: None },
            Err(_) => {
                let answer = format!("no answer within {} seconds", TIMEOUT.as_secs());
                Sent { took, status: None, answer, retry_after: None }
            }
        }
    }

    async fn attempt(&self, message: &Message<'_>) -> Result<(u16, String, Option<Duration>), String> {
        // What may be reached can have changed since the address was entered.
        let reach = if message.is_public_only { Reach::Public } else { self.reach };
        let address = Address::parse(message.url, reach).map_err(|error| error.to_string())?;
        let client = match (message.is_public_only, address.is_plain()) {
            (true, _) => &self.public,
            (false, true) => &self.plain,
            (false, false) => &self.secure,
        };
        let request = client
            .post(address.as_str())
            .header("content-type", "application/json")
            .header("webhook-id", message.id)
            .header("webhook-timestamp", message.timestamp)
            .header("webhook-signature", signatures(message))
            .body(message.payload.to_owned());
        let response = request.send().await.map_err(|error| describe(&error.without_url()))?;
        let (status, retry_after) = (response.status().as_u16(), retry_after(&response));
        Ok((status, beginning(response).await, retry_after))
    }
}

fn client(resolver: Resolver) -> Result<Client, SenderError> {
    let failed = |text: String| SenderError(text);
    let tls = tls(&[]).map_err(|error| failed(describe(&error)))?;
    let client = Client::builder()
        .tls_backend_preconfigured(tls)
        .dns_resolver(Arc::new(resolver))
        // A proxy would look names up itself, where nothing keeps messages out of private networks.
        .no_proxy()
        .redirect(redirect::Policy::none())
        .pool_max_idle_per_host(1)
        .user_agent(concat!("afterglow/", env!("CARGO_PKG_VERSION")));
    client.build().map_err(|error| failed(describe(&error)))
}

/// For how many seconds the endpoint wants to be left alone; a date is not understood.
fn retry_after(response: &Response) -> Option<Duration> {
    let seconds = response.headers().get("retry-after")?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

/// What an endpoint answers is for administrators to look at, and may be anything.
async fn beginning(mut response: Response) -> String {
    let mut body = Vec::new();
    // An answer that breaks off has its status all the same.
    while body.len() < ANSWER_SIZE
        && let Ok(Some(chunk)) = response.chunk().await
    {
        body.extend_from_slice(&chunk);
    }
    body.truncate(ANSWER_SIZE);
    one_line(String::from_utf8_lossy(&body).trim())
}

/// Looks names up and leaves out the addresses that messages must not reach. The connection is made to one of those that are
/// left, so that a name which points elsewhere a moment later changes nothing.
struct Resolver {
    reach: Reach,
    is_plain: bool,
    /// Whether a name that is not known and one that leads into the operator's network are told as one: whoever has chosen it does
    /// not learn which names there are.
    is_terse: bool,
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let Self { reach, is_plain, is_terse } = *self;
        Box::pin(async move {
            let found: Vec<_> = match tokio::net::lookup_host((name.as_str(), 0)).await {
                Ok(found) => found.collect(),
                Err(_) if is_terse => Vec::new(),
                Err(error) => return Err(Box::from(error)),
            };
            let permitted: Vec<_> =
                found.into_iter().filter(|address| reach.permits(address.ip(), is_plain)).collect();
            if permitted.is_empty() {
                return Err(Box::from(if is_terse {
                    AddressError::NotPublic
                } else {
                    AddressError::Forbidden
                }));
            }
            Ok(Box::new(permitted.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_name_leads_to_no_address_that_must_not_be_reached() {
        // [HOOK030] [HOOK031]
        for (reach, is_plain, is_found) in [
            (Reach::Public, false, false),
            (Reach::Public, true, false),
            (Reach::Loopback, false, true),
            (Reach::Private, true, true),
        ] {
            let resolver = Resolver { reach, is_plain, is_terse: false };
            let found = resolver.resolve("localhost".parse().unwrap()).await;
            match found {
                Ok(mut addresses) => {
                    assert!(is_found && addresses.all(|address| address.ip().is_loopback()), "{reach:?}");
                }
                Err(error) => {
                    assert!(!is_found, "{reach:?}: {error}");
                    assert_eq!(error.to_string(), AddressError::Forbidden.to_string());
                }
            }
        }
    }

    #[tokio::test]
    async fn whoever_must_not_reach_the_network_does_not_learn_which_names_are_in_it() {
        // [SAFE464]
        for name in ["localhost", "no-such-name.invalid"] {
            let resolver = Resolver { reach: Reach::Public, is_plain: false, is_terse: true };
            let refused = resolver.resolve(name.parse().unwrap()).await.err().unwrap();
            assert_eq!(refused.to_string(), "the address leads to no public network", "{name}");
        }
    }
}
