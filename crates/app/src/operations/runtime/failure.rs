//! The error of a verb, and its result.

use domain::Refusal;

use crate::operations::stores::Bond;

/// The error of a verb.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The request was refused; the text is for the user.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The database failed.
    #[error("the database failed")]
    Storage(#[from] storage::Error),
    /// The media store failed.
    #[error("the media store failed")]
    Media(#[from] media::stores::Error),
    /// The media store is not this database's, so nothing is written to it.
    #[error("{0}")]
    NotOwnStore(Bond),
    /// The face engine failed.
    #[error("the face engine failed")]
    Vision(#[from] vision::InferenceError),
    /// Embeddings of different model packs were compared.
    #[error("embeddings do not fit together")]
    Embeddings(#[from] vision::DimensionError),
    /// No process could read a picture, for no reason of the picture's.
    #[error("no picture can be read")]
    Decoder(#[from] media::decoders::Error),
    /// A rendition could not be made.
    #[error("a rendition could not be made")]
    Rendition(#[from] media::pictures::NotEncodable),
    /// A mail could not be sent.
    #[error("a mail could not be sent")]
    Mail(#[from] gateway::MailError),
    /// The payment provider failed.
    #[error("the payment provider failed")]
    Payment(#[from] gateway::PaymentError),
    /// A template could not be rendered.
    #[error("a template could not be rendered")]
    Template(#[from] askama::Error),
    /// The local disk failed.
    #[error("the local disk failed")]
    Disk(#[from] std::io::Error),
    /// An invariant is violated: a bug, or data that was changed from outside.
    #[error("{0}")]
    Internal(String),
}

/// The outcome of a verb. Any of them fails when the database, the media store or another dependency it uses does;
/// `# Errors` lists the refusals, and what else a caller can act upon.
pub type Result<T> = std::result::Result<T, Failure>;

/// An error with everything that caused it, in one line, for the log.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut line = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        line.push_str(": ");
        line.push_str(&error.to_string());
        cause = error.source();
    }
    line
}

impl From<media::zip::Error> for Failure {
    fn from(error: media::zip::Error) -> Self {
        match error {
            media::zip::Error::Store(error) => error.into(),
            other @ (media::zip::Error::Changed { .. }
            | media::zip::Error::Mark { .. }
            | media::zip::Error::Redaction { .. }) => Self::Internal(chain(&other)),
        }
    }
}

impl From<media::temp_files::LoadError> for Failure {
    fn from(error: media::temp_files::LoadError) -> Self {
        match error {
            media::temp_files::LoadError::Store(error) => error.into(),
            media::temp_files::LoadError::Disk(error) => error.into(),
        }
    }
}

impl Failure {
    /// Whether the same request may succeed if it is repeated.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Storage(error) => error.is_transient(),
            // A full or unmounted disk, a wrong store and a bucket that does not answer are the operator's to resolve, not bugs.
            Self::Media(media::stores::Error::Io(_) | media::stores::Error::Bucket(_))
            | Self::Disk(_)
            | Self::NotOwnStore(_)
            | Self::Decoder(_) => true,
            Self::Mail(error) => error.is_transient(),
            Self::Payment(error) => matches!(error, gateway::PaymentError::Unavailable(_)),
            Self::Refused(_)
            | Self::Vision(_)
            | Self::Embeddings(_)
            | Self::Rendition(_)
            | Self::Media(_)
            | Self::Template(_)
            | Self::Internal(_) => false,
        }
    }

    /// The failure with everything that caused it, in one line, for the log.
    pub fn chain(&self) -> String {
        chain(self)
    }
}
