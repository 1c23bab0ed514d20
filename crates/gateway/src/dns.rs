//! Questions to DNS whose answers no cache may give: somebody waits for a record that was made a moment ago.

use std::net::SocketAddr;
use std::time::Duration;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{ConnectionConfig, NameServerConfig, ResolverConfig};
use hickory_resolver::net::NetError;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::proto::rr::RData;

/// How long one server is waited for.
const TIMEOUT: Duration = Duration::from_secs(3);
/// How often each is asked.
const ATTEMPTS: usize = 2;
/// Most records that are read of an answer.
const RECORDS: usize = 100;

/// DNS that does not answer, or not as it should.
#[derive(Debug, thiserror::Error)]
#[error("DNS does not answer for {name}: {reason}")]
pub struct LookupError {
    name: String,
    reason: String,
}

/// What asks the name servers.
#[derive(Clone)]
pub struct Resolver(TokioResolver);

impl Resolver {
    /// Asks these name servers; without any, those of the system (`/etc/resolv.conf`).
    ///
    /// # Errors
    /// When the system names none.
    pub fn new(servers: &[SocketAddr]) -> Result<Self, LookupError> {
        let failed =
            |error: NetError| LookupError { name: String::from("any name"), reason: error.to_string() };
        let mut builder = if servers.is_empty() {
            TokioResolver::builder_tokio().map_err(failed)?
        } else {
            let servers = servers.iter().copied().map(server).collect();
            let config = ResolverConfig::from_name_servers(servers);
            TokioResolver::builder_with_config(config, TokioRuntimeProvider::default())
        };
        let options = builder.options_mut();
        options.timeout = TIMEOUT;
        options.attempts = ATTEMPTS;
        options.cache_size = 0;
        Ok(Self(builder.build().map_err(failed)?))
    }

    /// The texts of the TXT records of this name, each in one piece; none where there are no such records.
    ///
    /// # Errors
    /// When no server answers, or not that there are none.
    pub async fn texts(&self, name: &str) -> Result<Vec<String>, LookupError> {
        // With the dot at its end no domain of the system's own search list is tried.
        let found = match self.0.txt_lookup(format!("{name}.")).await {
            Ok(found) => found,
            Err(error) if error.is_no_records_found() => return Ok(Vec::new()),
            Err(error) => {
                return Err(LookupError { name: name.to_owned(), reason: error.to_string() });
            }
        };
        let texts = found.answers().iter().filter_map(|record| match &record.data {
            // A record is a list of strings of at most 255 bytes, which are one text (RFC 7208, 3.3).
            RData::TXT(text) => Some(String::from_utf8_lossy(&text.txt_data.concat()).into_owned()),
            _ => None,
        });
        Ok(texts.take(RECORDS).collect())
    }
}

fn server(address: SocketAddr) -> NameServerConfig {
    let connections = [ConnectionConfig::udp(), ConnectionConfig::tcp()].map(|mut connection| {
        connection.port = address.port();
        connection
    });
    NameServerConfig::new(address.ip(), true, connections.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::FakeDns;

    #[tokio::test]
    async fn texts_are_answered_as_they_are_at_that_moment() {
        let dns = FakeDns::start().await.unwrap();
        let resolver = Resolver::new(&[dns.address()]).unwrap();
        let name = "_afterglow.photos.example";
        assert_eq!(resolver.texts(name).await.unwrap(), Vec::<String>::new(), "there is no such name");
        let long = "x".repeat(300);
        dns.set(name, &["afterglow-host=a", &long]);
        let mut found = resolver.texts(name).await.unwrap();
        found.sort();
        assert_eq!(found, ["afterglow-host=a", &long]);
        dns.set(name, &["afterglow-host=b"]);
        assert_eq!(resolver.texts(name).await.unwrap(), ["afterglow-host=b"]);
        assert_eq!(resolver.texts("other.example").await.unwrap(), Vec::<String>::new());
        dns.fail();
        let error = resolver.texts(name).await.unwrap_err().to_string();
        assert!(error.starts_with("DNS does not answer for _afterglow.photos.example: "), "{error}");
    }
}
