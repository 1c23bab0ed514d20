//! The certificate that TLS is spoken with. Its files are read again when they are renewed, without a restart.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use rustls::ServerConfig;
use rustls::pki_types::pem::{self, PemObject as _};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
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

/// A certificate chain and its key, as PEM files.
pub struct Certificate {
    chain: PathBuf,
    key: PathBuf,
    loaded: Mutex<Loaded>,
}

struct Loaded {
    written: [Option<SystemTime>; 2],
    configs: Configs,
}

/// How TLS is spoken.
struct Configs {
    control: Arc<ServerConfig>,
    /// Without tickets of TLS 1.3: a client that only sends does not read them, and its system then resets the connection when
    /// it closes it, instead of ending it behind its last byte.
    data: Arc<ServerConfig>,
}

impl Certificate {
    /// Reads the files. Blocks.
    ///
    /// # Errors
    /// When they cannot be used.
    pub fn open(chain: PathBuf, key: PathBuf) -> Result<Self, CertificateError> {
        // In this order: what is written meanwhile is read again.
        let written = written([&chain, &key]);
        let configs = load(&chain, &key)?;
        Ok(Self { chain, key, loaded: Mutex::new(Loaded { written, configs }) })
    }

    /// For control connections, as the files say now. Those that cannot be used leave it as it was. Blocks.
    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        self.current(|configs| configs.control.clone())
    }

    /// The same for data connections.
    pub(crate) fn data_acceptor(&self) -> TlsAcceptor {
        self.current(|configs| configs.data.clone())
    }

    fn current(&self, choose: impl FnOnce(&Configs) -> Arc<ServerConfig>) -> TlsAcceptor {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let written = written([&self.chain, &self.key]);
        if written != loaded.written {
            loaded.written = written;
            match load(&self.chain, &self.key) {
                Ok(configs) => loaded.configs = configs,
                Err(error) => {
                    tracing::error!(%error, "the new certificate of FTP cannot be used; the old one stays");
                }
            }
        }
        TlsAcceptor::from(choose(&loaded.configs))
    }
}

fn written(files: [&Path; 2]) -> [Option<SystemTime>; 2] {
    files.map(|file| std::fs::metadata(file).and_then(|metadata| metadata.modified()).ok())
}

fn load(chain: &Path, key: &Path) -> Result<Configs, CertificateError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |error| CertificateError::Unreadable(path, error)
    };
    let certificates = CertificateDer::pem_file_iter(chain).map_err(unreadable(chain))?;
    let certificates: Vec<_> = certificates.collect::<Result<_, _>>().map_err(unreadable(chain))?;
    let private = PrivateKeyDer::from_pem_file(key).map_err(unreadable(key))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let control = config.with_no_client_auth().with_single_cert(certificates, private)?;
    // It shares the store of sessions, so that a client resumes that of its control connection.
    let mut data = control.clone();
    data.send_tls13_tickets = 0;
    Ok(Configs { control: Arc::new(control), data: Arc::new(data) })
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
        let certificate = Certificate::open(chain.clone(), key.clone()).unwrap();
        let current = || Arc::as_ptr(certificate.acceptor().config());
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
        let refused = Certificate::open(chain, key.clone()).err().unwrap().to_string();
        assert!(refused.contains("key.pem"), "{refused}");
    }
}
