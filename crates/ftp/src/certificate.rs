//! The certificate that TLS is spoken with. Its files are read again when they are renewed, without a restart.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use rustls::ServerConfig;
use rustls::pki_types::pem::{self, PemObject as _};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::StoresServerSessions;
use rustls::version::TLS12;
use tokio_rustls::TlsAcceptor;

/// Why the files cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// A file cannot be read, or is no PEM file.
    #[error("{} cannot be read", .0.display())]
    Unreadable(PathBuf, #[source] pem::Error),
    /// The key is not the certificate's, or is of an unknown kind.
    #[error("certificate and key cannot be used together")]
    Unusable(#[from] rustls::Error),
}

/// What is asked of data connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resumption {
    /// They resume the TLS session of their control connection, which nobody else can. TLS 1.2 is spoken then: a ticket of TLS 1.3
    /// is used once (RFC 8446, C.4), and clients have fewer than photos.
    Required,
    /// They need not, for clients that cannot. What ties them to their control connection is the address.
    Optional,
}

/// A certificate chain and its key, as PEM files.
pub struct Certificate {
    chain: PathBuf,
    key: PathBuf,
    resumption: Resumption,
    loaded: Mutex<Loaded>,
}

struct Loaded {
    written: [Option<SystemTime>; 2],
    config: Arc<ServerConfig>,
}

/// How TLS is spoken on a control connection and the data connections that belong to it.
pub(crate) struct Tls {
    pub(crate) control: TlsAcceptor,
    /// Without tickets of TLS 1.3: a client that only sends does not read them, and its system then resets the connection when
    /// it closes it, instead of ending it behind its last byte.
    pub(crate) data: TlsAcceptor,
    pub(crate) resumption: Resumption,
}

/// The sessions of one control connection. Unlike those that `rustls` has, one is good for any number of data connections.
#[derive(Debug, Default)]
struct Sessions(Mutex<HashMap<Vec<u8>, Vec<u8>>>);

/// The same for data connections, which add none: whoever has made one of their own there could resume it on the next port.
#[derive(Debug)]
struct SessionsOfControl(Arc<Sessions>);

impl StoresServerSessions for SessionsOfControl {
    fn put(&self, _: Vec<u8>, _: Vec<u8>) -> bool {
        false
    }

    fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        self.0.get(key)
    }

    fn take(&self, key: &[u8]) -> Option<Vec<u8>> {
        self.0.get(key)
    }

    fn can_cache(&self) -> bool {
        true
    }
}

impl StoresServerSessions for Sessions {
    fn put(&self, key: Vec<u8>, value: Vec<u8>) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, value);
        true
    }

    fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn take(&self, key: &[u8]) -> Option<Vec<u8>> {
        self.get(key)
    }

    fn can_cache(&self) -> bool {
        true
    }
}

impl Certificate {
    /// Reads the files. Blocks.
    ///
    /// # Errors
    /// When they cannot be used.
    pub fn open(chain: PathBuf, key: PathBuf, resumption: Resumption) -> Result<Self, CertificateError> {
        // In this order: what is written meanwhile is read again.
        let written = written([&chain, &key]);
        let config = Arc::new(load(&chain, &key, resumption)?);
        Ok(Self { chain, key, resumption, loaded: Mutex::new(Loaded { written, config }) })
    }

    /// For a control connection and its data connections, as the files say now. Those that cannot be used leave it as it was. Blocks.
    pub(crate) fn tls(&self) -> Tls {
        let mut control = ServerConfig::clone(&self.current());
        let sessions = Arc::new(Sessions::default());
        control.session_storage = sessions.clone();
        let mut data = control.clone();
        data.session_storage = Arc::new(SessionsOfControl(sessions));
        data.send_tls13_tickets = 0;
        let [control, data] = [control, data].map(|config| TlsAcceptor::from(Arc::new(config)));
        Tls { control, data, resumption: self.resumption }
    }

    fn current(&self) -> Arc<ServerConfig> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let written = written([&self.chain, &self.key]);
        if written != loaded.written {
            loaded.written = written;
            match load(&self.chain, &self.key, self.resumption) {
                Ok(config) => loaded.config = Arc::new(config),
                Err(error) => {
                    tracing::error!(%error, "the new certificate of FTP cannot be used; the old one stays");
                }
            }
        }
        loaded.config.clone()
    }
}

fn written(files: [&Path; 2]) -> [Option<SystemTime>; 2] {
    files.map(|file| std::fs::metadata(file).and_then(|metadata| metadata.modified()).ok())
}

fn load(chain: &Path, key: &Path, resumption: Resumption) -> Result<ServerConfig, CertificateError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |error| CertificateError::Unreadable(path, error)
    };
    let certificates = CertificateDer::pem_file_iter(chain).map_err(unreadable(chain))?;
    let certificates: Vec<_> = certificates.collect::<Result<_, _>>().map_err(unreadable(chain))?;
    let private = PrivateKeyDer::from_pem_file(key).map_err(unreadable(key))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider);
    let config = match resumption {
        Resumption::Required => config.with_protocol_versions(&[&TLS12])?,
        Resumption::Optional => config.with_safe_default_protocol_versions()?,
    };
    Ok(config.with_no_client_auth().with_single_cert(certificates, private)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &Path, host: &str) -> (PathBuf, PathBuf) {
        let made = rcgen::generate_simple_self_signed([host.to_owned()]).unwrap();
        let (chain, key) = (folder.join("chain.pem"), folder.join("key.pem"));
        std::fs::write(&chain, made.cert.pem()).unwrap();
        std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
        (chain, key)
    }

    #[test]
    fn renewed_files_are_used_and_broken_ones_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let (chain, key) = write(folder.path(), "first.example");
        let certificate = Certificate::open(chain.clone(), key.clone(), Resumption::Required).unwrap();
        let current = || Arc::as_ptr(&certificate.current());
        let first = current();
        assert_eq!(current(), first, "nothing has changed");
        let age = |seconds| {
            let file = std::fs::File::options().write(true).open(&key).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds)).unwrap();
        };
        write(folder.path(), "second.example");
        age(1);
        let second = current();
        assert_ne!(second, first);
        std::fs::write(&key, "nothing").unwrap();
        age(2);
        assert_eq!(current(), second);
        let refused = Certificate::open(chain, key.clone(), Resumption::Required).err().unwrap().to_string();
        assert!(refused.contains("key.pem"), "{refused}");
    }
}
